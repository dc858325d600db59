/* Motions of balls and flat walls to compare runs with, by a way that has nothing in common with scheme dp5: Gragg's
 * midpoint rule extrapolated to order 16, in double or quadruple precision, with the time since the last change of a
 * contact going like s^2, so that half powers of it are smooth; changes are found by stepping again and again to where
 * they are. What pairs do: cluster_pair.h, in which modes: cluster_modes.h. Include with `real` and its functions
 * defined (campaign/real.h). */
#ifndef CAROM_TESTS_REFERENCE_CLUSTER_H
#define CAROM_TESTS_REFERENCE_CLUSTER_H

#include "reference/cluster_modes.h"

enum { CLUSTER_ROWS = 8 };

/* local error, of the scales: what balls have gone is rounded by more than a part of the overlap; and how near changes
 * are found. In quadruple precision far less than that is to be told from the truth, and costs less. */
#ifdef CAMPAIGN_QUAD
#define CLUSTER_ALLOWED ((real)1e-18)
#define CLUSTER_NEAR ((real)1e-20)
#else
#define CLUSTER_ALLOWED (30 * REAL_ALLOWED)
#define CLUSTER_NEAR (4 * REAL_EPSILON)
#endif

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

/* dy/ds */
static void cluster_rates(const struct cluster *c, real s, const real *y, real *out)
{
    const int size = cluster_size(c);
    cluster_flow(c, y, out);
    for (int i = 0; i < size; i++)
        out[i] *= 2 * s;
}

static void cluster_midpoint(const struct cluster *c, real h, const real *first, int parts, real *rise)
{
    static real before[CLUSTER_NUMBERS], now[CLUSTER_NUMBERS], state[CLUSTER_NUMBERS], rate[CLUSTER_NUMBERS];
    const real part = h / parts;
    const int size = cluster_size(c);
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

/* what errors of a number of y are measured by; of the direction of a slipping spring, by the force that has it */
static double cluster_scale(const struct cluster *c, int i)
{
    if (i < 9 * c->n)
        return i < 3 * c->n ? c->length : i < 6 * c->n ? c->speed : c->speed / c->radius[(i / 3) % c->n];
    const struct cluster_pair *j = &c->pair[(i - 9 * c->n) / 3];
    struct cluster_look l;
    if (!j->slips)
        return c->length * (cluster_forces(c, j) ? (double)cluster_stiffness(c, (real)c->length) : 1.0);
    cluster_see(c, j, c->y, &l);
    const double part = (double)(l.force / cluster_typical(c));
    return part > 1e-12 ? part < 1.0 ? 1.0 / part : 1.0 : 1e12;
}

/* A step of h in s; returns its error over what is allowed. */
static real cluster_try(const struct cluster *c, real h, real *after)
{
    static real table[CLUSTER_ROWS][CLUSTER_NUMBERS], first[CLUSTER_NUMBERS], last[CLUSTER_NUMBERS];
    const int size = cluster_size(c);
    real worst = 0;
    memcpy(after, c->y, sizeof c->y);
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
        const double scale = cluster_scale(c, i);
        const real error = real_size(table[0][i] - last[i]) / (CLUSTER_ALLOWED * (real)(c->pace * scale));
        if (!(error <= worst)) /* no number: far too much */
            worst = error > worst ? error : (real)1e30;
        after[i] = c->y[i] + table[0][i];
    }
    return worst;
}

/* --- changes ----------------------------------------------------------------------------------------------------- */

/* May an open pair have touched between the ends of a step? By the cubic through them. */
static bool cluster_grazes(const struct cluster *c, int j, real h, const real *after)
{
    const struct cluster_pair *k = &c->pair[j];
    const real t = (c->s + h) * (c->s + h) - c->s * c->s;
    struct cluster_look a, b;
    if (k->closed || cluster_sleeps(c, k, after))
        return false;
    cluster_meet(c, k, c->y, &a);
    cluster_meet(c, k, after, &b);
    return a.rate > 0 && b.rate < 0 && a.rate * t / 2 > a.gap && -b.rate * t / 2 > b.gap &&
           t * (a.rate - b.rate) > 1e4 * REAL_EPSILON * (real)(c->length + c->radius[k->b]);
}

/* Where the straight line through a gap and its slope at step `at` is 0; of what else is watched no slope is known. */
static real cluster_newton(const struct cluster *c, int j, enum cluster_watched what, real at, real f, const real *y)
{
    struct cluster_look l;
    if (what != CLUSTER_TOUCH)
        return -1;
    cluster_meet(c, &c->pair[j], y, &l);
    const real slope = 2 * (c->s + at) * (c->pair[j].closed ? l.rate : -l.rate);
    return slope < 0 ? at - f / slope : -1;
}

/* the step between 0 and h after which what is watched is 0, by Newton's method or false position with the Illinois
 * weights; 0 if it goes off right at the start, below 0 if it has turned back in between */
static real cluster_locate(const struct cluster *c, int j, enum cluster_watched what, real h, const real *end)
{
    static real after[CLUSTER_NUMBERS];
    real low = 0, high = h, at = h, f_last = 0;
    real grain, f_low = cluster_margin(c, &c->pair[j], what, c->y, &grain),
                f_high = cluster_margin(c, &c->pair[j], what, end, &grain);
    if (!(f_low > 0)) {
        struct cluster_look l;
        cluster_see(c, &c->pair[j], c->y, &l);
        if ((what == CLUSTER_CONE || what == CLUSTER_CAP) && f_low == 0) /* at touch: only later does it tell */
            return -1;
        return what != CLUSTER_TOUCH || (l.rate > 0) != c->pair[j].closed ? 0 : -1;
    }
    for (int i = 0; i < 100 && high - low > CLUSTER_NEAR * (c->s + h); i++) {
        const real guess = cluster_newton(c, j, what, at, i > 0 ? f_last : f_high, i > 0 ? after : end);
        if (i > 0 && real_size(guess - at) <= CLUSTER_NEAR * (c->s + h))
            break;
        at = guess > low && guess < high ? guess : (low * f_high - high * f_low) / (f_high - f_low);
        cluster_try(c, at, after);
        const real f = f_last = cluster_margin(c, &c->pair[j], what, after, &grain);
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

/* Springs may stick and slip inside a long step: no step of pairs that do is. */
static real cluster_longest(const struct cluster *c)
{
    bool rubs = false;
    for (int j = 0; j < c->npairs; j++)
        rubs |= c->pair[j].closed && c->form != CLUSTER_PLAIN;
    return rubs ? real_root(c->s * c->s + (real)(0.05 * c->pace * c->length / c->speed)) - c->s : (real)1e30;
}

/* One step, not beyond `end`, to the first change in it. False if it cannot go on. */
static bool cluster_step(struct cluster *c, real end)
{
    static real after[CLUSTER_NUMBERS], early[CLUSTER_NUMBERS];
    const real left = real_root(end - c->origin) - c->s, most = cluster_longest(c);
    real h = c->h < left ? c->h : left;
    h = h < most ? h : most;
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
    for (int i = 0; i < CLUSTER_WATCHED * c->npairs; i++) {
        const int j = i / CLUSTER_WATCHED;
        const enum cluster_watched what = (enum cluster_watched)(i % CLUSTER_WATCHED);
        if (!cluster_changed(c, j, what, first >= 0 ? early : after))
            continue; /* not at all, or later than another */
        real place = cluster_locate(c, j, what, first >= 0 ? at : h, first >= 0 ? early : after);
        if (place < 0 && h > shortest) {
            c->h = h / 2;
            return true;
        }
        place = place < 0 ? 0 : place;
        if (first < 0 || place < at) {
            at = place;
            first = j;
            found = what;
            cluster_try(c, at, early);
        }
    }
    if (first >= 0)
        memcpy(after, early, sizeof after);
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
        c->pair[j].rolls = l.rolling > (real)c->roll_speed;
        if (c->pair[j].closed && !c->pair[j].pulls)
            cluster_begin(c, &c->pair[j]);
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
