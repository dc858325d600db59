/* Outcomes of impacts on contact graphs after Liu, Zhao and Brogliato, in quadruple precision and independent of
 * src/impact: body velocities v and contact coordinates x are integrated in the impact's own time,
 *
 *     v' = M^-1 sum n F,   F = k x^(3/2),   x' = r a,   a = - n . (v_b - v_a),
 *
 * r = 1 where bodies approach and 1 / es^2 where they part, x >= 0, with Dormand and Prince's method and every change
 * of a contact (a turn, an opening, a closing) halved down to rounding. Prints the velocities after the impact. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "quad.h"
#include "reference/graphs.h"

struct contact {
    int a, b; /* b < 0: a wall */
    quad n[3], k, out;
};

enum { ROOM = 3 * GRAPH_BODIES + GRAPH_CONTACTS };

struct impact {
    const struct graph *g;
    int n, size;
    struct contact contact[GRAPH_CONTACTS];
    bool open[GRAPH_CONTACTS], parts[GRAPH_CONTACTS];
};

static void find_contacts(struct impact *m)
{
    const struct graph *g = m->g;
    for (int i = 0; i < g->n; i++)
        for (int j = i + 1; j < g->n + g->nwalls; j++) {
            struct contact *c = &m->contact[m->n];
            quad square = 0, along = 0;
            const int wall = j - g->n;
            for (int k = 0; k < 3; k++) {
                c->n[k] = wall < 0 ? (quad)g->at[j][k] - g->at[i][k] : -(quad)g->normal[wall][k];
                square += c->n[k] * c->n[k];
                along += wall < 0 ? 0 : ((quad)g->at[i][k] - g->wall[wall][k]) * g->normal[wall][k];
            }
            const quad gap = wall < 0 ? sqrtf128(square) - 1 : along - (quad)0.5;
            if (gap > (quad)1e-9)
                continue;
            for (int k = 0; k < 3; k++)
                c->n[k] /= sqrtf128(square);
            const int one = g->material[i], two = wall < 0 ? g->material[j] : 2;
            c->a = i;
            c->b = wall < 0 ? j : -1;
            c->k = g->k[one][two];
            c->out = 1 / ((quad)g->es[one][two] * g->es[one][two]);
            m->n++;
        }
    m->size = 3 * g->n + m->n;
}

static quad approach(const struct impact *m, const quad *y, int i)
{
    const struct contact *c = &m->contact[i];
    quad sum = 0;
    for (int k = 0; k < 3; k++)
        sum -= c->n[k] * ((c->b < 0 ? 0 : y[3 * c->b + k]) - y[3 * c->a + k]);
    return sum;
}

static void slopes(const struct impact *m, const quad *y, quad *dy)
{
    const struct graph *g = m->g;
    memset(dy, 0, (size_t)m->size * sizeof *dy);
    for (int i = 0; i < m->n; i++) {
        const struct contact *c = &m->contact[i];
        const quad x = y[3 * g->n + i];
        if (m->open[i])
            continue;
        const quad force = x > 0 ? c->k * x * sqrtf128(x) : 0;
        dy[3 * g->n + i] = approach(m, y, i) * (m->parts[i] ? c->out : 1);
        for (int k = 0; k < 3; k++) {
            dy[3 * c->a + k] -= force * c->n[k] / g->mass[c->a];
            if (c->b >= 0)
                dy[3 * c->b + k] += force * c->n[k] / g->mass[c->b];
        }
    }
}

/* one step of Dormand and Prince; returns the largest difference of the two orders */
static quad step(const struct impact *m, const quad *y, quad h, quad *to)
{
    static const int top[7][6] = {{0},
                                  {1},
                                  {3, 9},
                                  {44, -56, 32},
                                  {19372, -25360, 64448, -212},
                                  {9017, -355, 46732, 49, -5103},
                                  {35, 0, 500, 125, -2187, 11}};
    static const int low[7][6] = {{1},
                                  {5},
                                  {40, 40},
                                  {45, 15, 9},
                                  {6561, 2187, 6561, 729},
                                  {3168, 33, 5247, 176, 18656},
                                  {384, 1, 1113, 192, 6784, 84}};
    static const int etop[7] = {71, 0, -71, 71, -17253, 22, -1}, elow[7] = {57600, 1, 16695, 1920, 339200, 525, 40};
    quad k[7][ROOM], at[ROOM], worst = 0;
    for (int s = 0; s < 7; s++) {
        for (int i = 0; i < m->size; i++) {
            at[i] = y[i];
            for (int j = 0; j < s; j++)
                at[i] += top[s][j] == 0 ? 0 : h * k[j][i] * top[s][j] / low[s][j];
        }
        slopes(m, at, k[s]);
    }
    for (int i = 0; i < m->size; i++) {
        quad error = 0;
        for (int s = 0; s < 7; s++)
            error += h * k[s][i] * etop[s] / elow[s];
        worst = error > worst ? error : -error > worst ? -error : worst;
        to[i] = at[i]; /* the last stage stands at the end */
    }
    return worst;
}

/* has a contact changed between the beginning of a step and y? */
static bool changes(const struct impact *m, const quad *y, int i)
{
    const quad a = approach(m, y, i);
    if (m->open[i])
        return a > 0;
    return y[3 * m->g->n + i] < 0 || (m->parts[i] ? a > 0 : a < 0);
}

static bool any_changes(const struct impact *m, const quad *y)
{
    for (int i = 0; i < m->n; i++)
        if (changes(m, y, i))
            return true;
    return false;
}

static void change(struct impact *m, quad *y)
{
    for (int i = 0; i < m->n; i++) {
        if (!changes(m, y, i))
            continue;
        quad *x = &y[3 * m->g->n + i];
        if (m->open[i]) {
            m->open[i] = m->parts[i] = false;
        } else if (*x < 0) {
            m->open[i] = true;
            *x = 0;
        } else {
            m->parts[i] = !m->parts[i];
        }
    }
}

static bool over(const struct impact *m)
{
    for (int i = 0; i < m->n; i++)
        if (!m->open[i])
            return false;
    return true;
}

/* from velocities before to those after; returns the steps taken */
static long run(struct impact *m, quad *y, quad tolerance)
{
    quad h = (quad)1e-6, to[ROOM];
    long steps = 0;
    for (int i = 0; i < m->n; i++)
        m->open[i] = !(approach(m, y, i) > 0);
    for (; !over(m) && steps < 1000000; steps++) {
        const quad error = step(m, y, h, to);
        const quad grown = error > 0 ? powf128(tolerance / error, (quad)0.2) * (quad)0.85 : 3;
        if (error > tolerance) {
            h *= grown;
            continue;
        }
        if (any_changes(m, to)) {
            quad low = 0, high = h;
            for (int i = 0; i < 100 && high - low > (quad)1e-26; i++) {
                const quad middle = (low + high) / 2;
                step(m, y, middle, to);
                *(any_changes(m, to) ? &high : &low) = middle;
            }
            step(m, y, high, to);
            memcpy(y, to, sizeof to);
            change(m, y);
            h = (quad)1e-6;
            continue;
        }
        memcpy(y, to, sizeof to);
        h *= grown < 3 ? grown : 3;
    }
    return steps;
}

static long outcome(const struct graph *g, quad tolerance, quad *y)
{
    struct impact m = {.g = g};
    find_contacts(&m);
    memset(y, 0, ROOM * sizeof *y);
    for (int i = 0; i < g->n; i++)
        for (int k = 0; k < 3; k++)
            y[3 * i + k] = g->v[i][k];
    return run(&m, y, tolerance);
}

int main(int count, char **argument)
{
    quad y[ROOM];
    const quad tolerance = count > 1 ? (quad)strtod(argument[1], NULL) : (quad)1e-15;
    for (int which = 0; which < GRAPHS; which++) {
        const struct graph g = graph_of(which);
        const long steps = outcome(&g, tolerance, y);
        printf("# %s, %ld steps\n", g.name, steps);
        for (int i = 0; i < g.n; i++)
            printf("%.17e %.17e %.17e\n", (double)y[3 * i], (double)y[3 * i + 1], (double)y[3 * i + 2]);
    }
    return 0;
}
