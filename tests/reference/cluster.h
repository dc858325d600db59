/* Motions of balls and flat walls to compare runs with, by a way that has nothing in common with scheme dp5: Gragg's
 * midpoint rule extrapolated to order 16, in double or quadruple precision, with the time since the last change of a
 * contact going like s^2, so that half powers of it are smooth; changes are found by stepping again and again to where
 * they are. Laws are k (d^p + gamma d/dt d^b) that end with the overlap; friction is none or Coulomb's, viscous below
 * slip_speed. In the plane the third coordinate is 0. Include with `real` and its functions defined (campaign/real.h).
 */
#ifndef CAROM_TESTS_REFERENCE_CLUSTER_H
#define CAROM_TESTS_REFERENCE_CLUSTER_H

#include <stdbool.h>
#include <string.h>

#include "campaign/real.h"

enum {
    CLUSTER_BALLS = 112,
    CLUSTER_WALLS = 6,
    CLUSTER_PAIRS = 1400,
    CLUSTER_NUMBERS = 9 * CLUSTER_BALLS,
    CLUSTER_ROWS = 8
};

/* local error, of the scales: what balls have gone is rounded by more than a part of the overlap; and how near changes
 * are found. In quadruple precision far less than that is to be told from the truth, and costs less. */
#ifdef CAMPAIGN_QUAD
#define CLUSTER_ALLOWED ((real)1e-18)
#define CLUSTER_NEAR ((real)1e-20)
#else
#define CLUSTER_ALLOWED (30 * REAL_ALLOWED)
#define CLUSTER_NEAR (4 * REAL_EPSILON)
#endif

struct cluster_pair {
    int a, b; /* balls; a < 0: wall -1 - a */
    real apart[3], length, gap;
    bool closed, whole, pulls; /* whole: slips faster than slip_speed; pulls: has no friction */
};

struct cluster {
    int n, nwalls, npairs;
    double at[CLUSTER_BALLS][3], radius[CLUSTER_BALLS], mass[CLUSTER_BALLS], inertia[CLUSTER_BALLS];
    double wall[CLUSTER_WALLS][3], normal[CLUSTER_WALLS][3];
    double k, p, gamma, b, mu, slip_speed, gravity[3];
    double length, speed; /* scales of errors */
    double pace;          /* of the steps: 1, or less to see whether that makes a difference */
    struct cluster_pair pair[CLUSTER_PAIRS];
    real origin, s, h;       /* t = origin + s^2; the next step in s */
    real y[CLUSTER_NUMBERS]; /* displacements, velocities, spins: three numbers of each ball each */
    long steps, most;
};

/* one pair somewhere */
struct cluster_look {
    real gap, rate, force, normal[3], slip[3], speed, arm[2][3]; /* rate: of the overlap; arms of a and of b */
};

static real cluster_dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cluster_cross(const real *a, const real *b, real *out)
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void cluster_add(struct cluster *c, int a, int b, double reach)
{
    struct cluster_pair *j = &c->pair[c->npairs];
    real sum = (real)c->radius[b] + (a >= 0 ? (real)c->radius[a] : 0);
    *j = (struct cluster_pair){.a = a, .b = b};
    for (int k = 0; k < 3; k++)
        j->apart[k] = (real)c->at[b][k] - (real)(a >= 0 ? c->at[a][k] : c->wall[-1 - a][k]);
    j->length = real_root(cluster_dot(j->apart, j->apart));
    real height = j->length;
    if (a < 0) {
        height = 0;
        for (int k = 0; k < 3; k++)
            height += j->apart[k] * (real)c->normal[-1 - a][k];
    }
    j->gap = height - sum;
    if (real_size(j->gap) < (real)1e-13 * sum) /* places are rounded: they touch */
        j->gap = 0;
    if (j->gap < (real)reach && c->npairs + 1 < CLUSTER_PAIRS)
        c->npairs++;
}

/* All pairs that come nearer than `reach` at the start; those beyond never meet. */
static void cluster_pairs(struct cluster *c, double reach)
{
    c->npairs = 0;
    for (int b = 0; b < c->n; b++)
        for (int a = -c->nwalls; a < b; a++)
            cluster_add(c, a, b, reach);
}

static void cluster_gap(const struct cluster *c, const struct cluster_pair *j, const real *y, struct cluster_look *l)
{
    const real *ub = y + 3 * j->b, zero[3] = {0, 0, 0}, *ua = j->a >= 0 ? y + 3 * j->a : zero;
    real du[3], now[3];
    for (int k = 0; k < 3; k++) {
        du[k] = ub[k] - ua[k];
        now[k] = j->apart[k] + du[k];
    }
    if (j->a < 0) {
        for (int k = 0; k < 3; k++)
            l->normal[k] = (real)c->normal[-1 - j->a][k];
        l->gap = j->gap + cluster_dot(l->normal, du);
        return;
    }
    const real length = real_root(cluster_dot(now, now));
    for (int k = 0; k < 3; k++)
        l->normal[k] = now[k] / length;
    l->gap = j->gap + (2 * cluster_dot(j->apart, du) + cluster_dot(du, du)) / (length + j->length);
}

/* the force of a pair in touch; a little beyond touch its mirror image, so that it is smooth */
static real cluster_law(const struct cluster *c, real d, real rate)
{
    const real size = d < 0 ? -d : d, elastic = real_power(size, c->p);
    const real drag = c->gamma > 0.0 ? (real)(c->gamma * c->b) * real_power(size, c->b - 1.0) : 0;
    return (real)c->k * ((d < 0 ? -elastic : elastic) + drag * rate);
}

static void cluster_see(const struct cluster *c, const struct cluster_pair *j, const real *y, struct cluster_look *l)
{
    const real *v = y + 3 * c->n, *w = y + 6 * c->n;
    real moved[3], turned[3];
    cluster_gap(c, j, y, l);
    for (int k = 0; k < 3; k++) {
        l->arm[0][k] = j->a >= 0 ? l->normal[k] * ((real)c->radius[j->a] + l->gap / 2) : 0;
        l->arm[1][k] = -l->normal[k] * ((real)c->radius[j->b] + (j->a >= 0 ? l->gap / 2 : l->gap));
        moved[k] = v[3 * j->b + k] - (j->a >= 0 ? v[3 * j->a + k] : 0);
    }
    l->rate = -cluster_dot(moved, l->normal);
    l->force = cluster_law(c, -l->gap, l->rate);
    cluster_cross(w + 3 * j->b, l->arm[1], turned);
    for (int k = 0; k < 3; k++)
        l->slip[k] = moved[k] + l->rate * l->normal[k] + turned[k];
    if (j->a >= 0) {
        cluster_cross(w + 3 * j->a, l->arm[0], turned);
        for (int k = 0; k < 3; k++)
            l->slip[k] -= turned[k];
    }
    l->speed = real_root(cluster_dot(l->slip, l->slip));
}

/* what a pair does to its balls */
static void cluster_push(const struct cluster *c, const struct cluster_pair *j, const real *y, real *out)
{
    struct cluster_look l;
    real across[3], torque[3];
    cluster_see(c, j, y, &l);
    const real drag = c->mu > 0.0 && !j->pulls ? (real)c->mu * l.force / (j->whole ? l.speed : (real)c->slip_speed) : 0;
    for (int k = 0; k < 3; k++)
        across[k] = -drag * l.slip[k];
    for (int side = 0; side < 2; side++) {
        const int ball = side ? j->b : j->a;
        if (ball < 0)
            continue;
        cluster_cross(l.arm[side], across, torque);
        for (int k = 0; k < 3; k++) {
            out[3 * (c->n + ball) + k] += (side ? 1 : -1) * (l.force * l.normal[k] + across[k]);
            out[3 * (2 * c->n + ball) + k] += (side ? 1 : -1) * torque[k];
        }
    }
}

/* dy/ds */
static void cluster_rates(const struct cluster *c, real s, const real *y, real *out)
{
    const int n = c->n;
    memset(out, 0, (size_t)(9 * n) * sizeof *out);
    for (int j = 0; j < c->npairs; j++)
        if (c->pair[j].closed)
            cluster_push(c, &c->pair[j], y, out);
    for (int i = 0; i < 3 * n; i++) {
        const real mass = (real)c->mass[i / 3], inertia = (real)c->inertia[i / 3];
        out[i] = 2 * s * y[3 * n + i];
        out[3 * n + i] = 2 * s * (out[3 * n + i] / mass + (real)c->gravity[i % 3]);
        out[6 * n + i] *= 2 * s / inertia;
    }
}

static void cluster_midpoint(const struct cluster *c, real h, const real *first, int parts, real *rise)
{
    static real before[CLUSTER_NUMBERS], now[CLUSTER_NUMBERS], state[CLUSTER_NUMBERS], rate[CLUSTER_NUMBERS];
    const real part = h / parts;
    const int size = 9 * c->n;
    for (int i = 0; i < size; i++) {
        before[i] = 0;
        now[i] = part * first[i];
    }
    for (int k = 1;; k++) {
        for (int i = 0; i < size; i++)
            state[i] = c->y[i] + now[i];
        cluster_rates(c, c->s + k * part, state, rate);
        if (k == parts)
            break;
        for (int i = 0; i < size; i++) {
            const real next = before[i] + 2 * part * rate[i];
            before[i] = now[i];
            now[i] = next;
        }
    }
    for (int i = 0; i < size; i++)
        rise[i] = (before[i] + now[i] + part * rate[i]) / 2;
}

/* A step of h in s; returns its error over what is allowed. */
static real cluster_try(const struct cluster *c, real h, real *after)
{
    static real table[CLUSTER_ROWS][CLUSTER_NUMBERS], first[CLUSTER_NUMBERS], last[CLUSTER_NUMBERS];
    const int size = 9 * c->n;
    real worst = 0;
    cluster_rates(c, c->s, c->y, first);
    for (int row = 0; row < CLUSTER_ROWS; row++) {
        cluster_midpoint(c, h, first, 2 * (row + 1), table[row]);
        memcpy(last, table[0], sizeof last);
        for (int k = row - 1; k >= 0; k--) {
            const real ratio = (real)(row + 1) / (k + 1), weight = 1 / (ratio * ratio - 1);
            for (int i = 0; i < size; i++)
                table[k][i] = table[k + 1][i] + (table[k + 1][i] - table[k][i]) * weight;
        }
    }
    for (int i = 0; i < size; i++) {
        const double scale = i < 3 * c->n ? c->length : i < 6 * c->n ? c->speed : c->speed / c->radius[(i / 3) % c->n];
        const real error = real_size(table[0][i] - last[i]) / (CLUSTER_ALLOWED * (real)(c->pace * scale));
        if (!(error <= worst))
            worst = error;
        after[i] = c->y[i] + table[0][i];
    }
    return worst;
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

enum cluster_watched { CLUSTER_TOUCH, CLUSTER_FORCE, CLUSTER_SLIP };

static real cluster_watch(const struct cluster *c, int j, enum cluster_watched what, const real *y)
{
    struct cluster_look l;
    cluster_see(c, &c->pair[j], y, &l);
    return what == CLUSTER_TOUCH ? -l.gap : what == CLUSTER_FORCE ? l.force : l.speed - (real)c->slip_speed;
}

/* Has pair j left its mode at y, by one of the numbers that tell? */
static bool cluster_changed(const struct cluster *c, int j, enum cluster_watched what, const real *y)
{
    const struct cluster_pair *k = &c->pair[j];
    struct cluster_look l;
    cluster_gap(c, k, y, &l);
    const real sum = (real)c->radius[k->b] + (k->a >= 0 ? (real)c->radius[k->a] : 0) + (real)c->length;
    const real noise = 8 * REAL_EPSILON * sum;
    if (what == CLUSTER_TOUCH)
        return k->closed ? l.gap > noise : -l.gap > noise;
    if (!k->closed || !(c->mu > 0.0))
        return false;
    cluster_see(c, k, y, &l);
    const real little = cluster_law(c, noise, 8 * REAL_EPSILON * (real)c->speed);
    if (what == CLUSTER_FORCE)
        return k->pulls ? l.force > little : l.force < -little;
    const real grain = 64 * REAL_EPSILON * ((real)c->slip_speed + (real)c->speed);
    return k->whole ? l.speed < (real)c->slip_speed - grain : l.speed > (real)c->slip_speed + grain;
}

/* May an open pair have touched between the ends of a step? By the cubic through them. */
static bool cluster_grazes(const struct cluster *c, int j, real h, const real *after)
{
    const struct cluster_pair *k = &c->pair[j];
    const real t = (c->s + h) * (c->s + h) - c->s * c->s;
    struct cluster_look a, b;
    if (k->closed)
        return false;
    cluster_see(c, k, c->y, &a);
    cluster_see(c, k, after, &b);
    return a.rate > 0 && b.rate < 0 && a.rate * t / 2 > a.gap && -b.rate * t / 2 > b.gap &&
           t * (a.rate - b.rate) > 1e4 * REAL_EPSILON * (real)(c->length + c->radius[k->b]);
}

/* the step between 0 and h after which what is watched is 0, by false position with the Illinois weights; 0 if it
 * goes off right at the start, below 0 if it has turned back in between */
static real cluster_locate(const struct cluster *c, int j, enum cluster_watched what, real h, const real *end)
{
    static real after[CLUSTER_NUMBERS];
    real low = 0, high = h, at = h;
    real f_low = cluster_watch(c, j, what, c->y), f_high = cluster_watch(c, j, what, end);
    if ((f_low > 0) == (f_high > 0)) {
        struct cluster_look l;
        cluster_see(c, &c->pair[j], c->y, &l);
        return what != CLUSTER_TOUCH || (l.rate > 0) == (f_high > 0) ? 0 : -1;
    }
    for (int i = 0; i < 100 && high - low > CLUSTER_NEAR * (c->s + h); i++) {
        at = (low * f_high - high * f_low) / (f_high - f_low);
        cluster_try(c, at, after);
        const real f = cluster_watch(c, j, what, after);
        if (f == 0)
            break;
        if ((f > 0) == (f_high > 0)) {
            high = at;
            f_high = f;
            f_low /= 2;
        } else {
            low = at;
            f_low = f;
            f_high /= 2;
        }
    }
    return at;
}

static void cluster_restart(struct cluster *c)
{
    c->origin += c->s * c->s;
    c->s = 0;
    c->h = real_root((real)(0.01 * c->pace * c->length / c->speed));
}

static void cluster_change(struct cluster *c, int j, enum cluster_watched what)
{
    struct cluster_pair *k = &c->pair[j];
    struct cluster_look l;
    cluster_see(c, k, c->y, &l);
    if (what == CLUSTER_TOUCH) {
        k->closed = !k->closed;
        k->pulls = l.rate < 0;
    } else if (what == CLUSTER_FORCE) {
        k->pulls = !k->pulls;
    }
    k->whole = what == CLUSTER_SLIP ? !k->whole : l.speed > (real)c->slip_speed;
}

/* One step, not beyond `end`, to the first change in it. False if it cannot go on. */
static bool cluster_step(struct cluster *c, real end)
{
    static real after[CLUSTER_NUMBERS];
    const real left = real_root(end - c->origin) - c->s, h = c->h < left ? c->h : left;
    const real shortest = (real)1e-7 * real_root((real)(c->length / c->speed));
    if (++c->steps > c->most || !(h > 0))
        return false;
    const real wrong = cluster_try(c, h, after);
    bool again = !(wrong <= 1);
    for (int j = 0; j < c->npairs && !again; j++)
        again = h > shortest && cluster_grazes(c, j, h, after);
    if (again) {
        const real factor = wrong <= 1 ? (real)0.5 : real_power(1 / wrong, 1.0 / (2 * CLUSTER_ROWS - 1)) * 9 / 10;
        c->h = h * (factor > (real)0.1 ? factor < (real)0.5 ? factor : (real)0.5 : (real)0.1);
        return true;
    }
    int first = -1;
    real at = h;
    enum cluster_watched found = CLUSTER_TOUCH;
    for (int i = 0; i < 3 * c->npairs; i++) {
        const int j = i / 3;
        const enum cluster_watched what = (enum cluster_watched)(i % 3);
        if (!cluster_changed(c, j, what, after))
            continue;
        real place = cluster_locate(c, j, what, h, after);
        if (place < 0 && h > shortest) {
            c->h = h / 2;
            return true;
        }
        place = place < 0 ? 0 : place;
        if (first < 0 || place < at) {
            at = place;
            first = j;
            found = what;
        }
    }
    if (first >= 0)
        cluster_try(c, at, after);
    const real grown =
        real_power(1 / (wrong > (real)1e-15 ? wrong : (real)1e-15), 1.0 / (2 * CLUSTER_ROWS - 1)) * 9 / 10;
    if (h == c->h || grown < 1)
        c->h = h * (grown < 3 ? grown : 3);
    c->s += at;
    memcpy(c->y, after, sizeof after);
    if (first >= 0) {
        cluster_change(c, first, found);
        cluster_restart(c);
    }
    return true;
}

/* Pairs at the start: in touch is closed, unless they move apart. */
static void cluster_start(struct cluster *c)
{
    for (int j = 0; j < c->npairs; j++) {
        struct cluster_look l;
        cluster_see(c, &c->pair[j], c->y, &l);
        c->pair[j].closed = l.gap < 0 || (!(l.gap > 0) && l.rate >= 0);
        c->pair[j].pulls = l.force < 0;
        c->pair[j].whole = l.speed > (real)c->slip_speed;
    }
    c->origin = c->s = 0;
    c->steps = 0;
    cluster_restart(c);
}

/* On to time t; false if it cannot. */
static bool cluster_to(struct cluster *c, double t)
{
    const real tiny = 8 * REAL_EPSILON * (real)t;
    while ((real)t - (c->origin + c->s * c->s) > tiny)
        if (!cluster_step(c, (real)t))
            return false;
    return true;
}

#endif
