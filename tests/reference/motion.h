/* The smooth part of chain_reference.c: a chain in quadruple precision, its forces, and one extrapolated step along
 * a path on which no contact changes. Knows nothing of events. */
#ifndef CAROM_TESTS_REFERENCE_MOTION_H
#define CAROM_TESTS_REFERENCE_MOTION_H

#include <string.h>

#include "quad.h"
#include "reference/cases.h"

#define ROWS 10
#define BEADS REFERENCE_BEADS
#define UNKNOWNS (2 * BEADS + 2)
#define CONTACTS (BEADS + 1)
#define NOISE ((quad)1e-20) /* overlaps below this are rounding: they carry forces below 1e-30 */

enum contact_state {
    OPEN,
    RESTING, /* touching and not yet reached by the motion: force as if closed, but no event */
    CLOSED,
    CLIPPED, /* overlapping without force (contacts that end by force) */
};

struct contact {
    int a, b; /* beads, or -1: wall */
    quad k, gap;
    enum contact_state state;
};

/* The independent variable s: the time is origin + s^power, or, if `opening` >= 0, s^2 is the overlap there. */
struct path {
    quad origin;
    int power, opening;
};

struct chain {
    const struct reference_case *from;
    int n, nc, size; /* unknowns: n displacements, n velocities, dissipated energy, time */
    quad mass[BEADS], spring, p, gamma, b, tolerance;
    struct contact contact[CONTACTS];
    struct path path;
    quad s, h;
    quad y[UNKNOWNS];
};

static quad smaller(quad a, quad b)
{
    return a < b ? a : b;
}

static quad size_of(quad a)
{
    return a < 0 ? -a : a;
}

/* d^p without pow for halves */
static quad power_of(quad d, quad p)
{
    if (!(d > 0))
        return 0;
    quad result = 1;
    const quad twice = 2 * p;
    const int whole = (int)twice;
    if ((quad)whole != twice)
        return powf128(d, p);
    for (int i = 0; i < whole / 2; i++)
        result *= d;
    return whole % 2 == 1 ? result * sqrtf128(d) : result;
}

static quad coordinate(const quad *x, int bead)
{
    return bead < 0 ? 0 : x[bead];
}

static quad overlap(const struct chain *chain, const quad *y, int j)
{
    const struct contact *c = &chain->contact[j];
    return coordinate(y, c->a) - coordinate(y, c->b) - c->gap;
}

static quad overlap_rate(const struct chain *chain, const quad *y, int j)
{
    const struct contact *c = &chain->contact[j];
    return coordinate(y + chain->n, c->a) - coordinate(y + chain->n, c->b);
}

static quad elastic_force(const struct chain *chain, int j, quad d)
{
    return chain->contact[j].k * power_of(d, chain->p);
}

static quad full_force(const struct chain *chain, int j, quad d, quad u)
{
    const quad drag =
        chain->gamma > 0 && d > 0 ? chain->contact[j].k * chain->gamma * chain->b * power_of(d, chain->b - 1) : 0;
    return elastic_force(chain, j, d) + drag * u;
}

/* dy/ds */
static void rate_of(const struct chain *chain, quad s, const quad *y, quad *rate)
{
    const int n = chain->n, opening = chain->path.opening;
    for (int i = 0; i < n; i++) {
        rate[i] = y[n + i];
        rate[n + i] = -chain->spring * y[i];
    }
    rate[2 * n] = 0;
    rate[2 * n + 1] = 1;
    for (int j = 0; j < chain->nc; j++) {
        const struct contact *c = &chain->contact[j];
        if (c->state == OPEN)
            continue;
        const quad d = j == opening ? s * s : overlap(chain, y, j), u = overlap_rate(chain, y, j);
        const quad force = c->state == CLIPPED ? 0 : full_force(chain, j, d, u);
        rate[2 * n] += (force - elastic_force(chain, j, d)) * u;
        if (c->a >= 0)
            rate[n + c->a] -= force;
        if (c->b >= 0)
            rate[n + c->b] += force;
    }
    for (int i = 0; i < n; i++)
        rate[n + i] /= chain->mass[i];
    quad pace = 1; /* dt/ds */
    if (opening >= 0)
        pace = 2 * s / overlap_rate(chain, y, opening);
    else if (chain->path.power > 1)
        pace = chain->path.power * power_of(s, (quad)(chain->path.power - 1));
    for (int i = 0; i < chain->size; i++)
        rate[i] *= pace;
}

static void midpoint(const struct chain *chain, quad h, const quad *first, int parts, quad *increment)
{
    quad before[UNKNOWNS] = {0}, now[UNKNOWNS], state[UNKNOWNS], rate[UNKNOWNS];
    const quad part = h / parts;
    const int size = chain->size;
    for (int i = 0; i < size; i++)
        now[i] = part * first[i];
    for (int k = 1;; k++) {
        for (int i = 0; i < size; i++)
            state[i] = chain->y[i] + now[i];
        rate_of(chain, chain->s + k * part, state, rate);
        if (k == parts)
            break;
        for (int i = 0; i < size; i++) {
            const quad next = before[i] + 2 * part * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (int i = 0; i < size; i++)
        increment[i] = (before[i] + now[i] + part * rate[i]) / 2;
}

/* One extrapolated step of h; returns the estimated error over the tolerance. */
static quad try_step(const struct chain *chain, quad h, quad *after)
{
    quad table[ROWS][UNKNOWNS], first[UNKNOWNS], last[UNKNOWNS], worst = 0;
    rate_of(chain, chain->s, chain->y, first);
    for (int row = 0; row < ROWS; row++) {
        midpoint(chain, h, first, 2 * (row + 1), table[row]);
        memcpy(last, table[0], sizeof last);
        for (int j = row - 1; j >= 0; j--) {
            const quad ratio = (quad)(row + 1) / (j + 1), weight = 1 / (ratio * ratio - 1);
            for (int i = 0; i < chain->size; i++)
                table[j][i] = table[j + 1][i] + (table[j + 1][i] - table[j][i]) * weight;
        }
    }
    for (int i = 0; i < chain->size; i++) {
        const quad error = size_of(table[0][i] - last[i]) / chain->tolerance;
        if (!(error <= worst))
            worst = error;
        after[i] = chain->y[i] + table[0][i];
    }
    return worst;
}

#endif
