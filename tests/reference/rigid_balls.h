/* Rigid discs and spheres without friction in quadruple precision, by themselves: nothing of carom is used here. Balls
 * fly on parabolas between flat walls, inside a round one and among balls that stand still; moments are first roots of
 * the square of a distance, told apart by the roots of its derivatives and found by Newton's steps inside brackets.
 * Bounces are followed until rates are 1e-24 of the largest speed, and an inelastic collapse until flights are shorter
 * than 1e-15: the rates that are left would go to 0, whatever the order of the impacts. Impacts and forces of contacts
 * that touch are Moreau's; or impacts go pair by pair, the fastest first. Balls that stay at each other while one
 * slides around the other are given up. */
#ifndef CAROM_TESTS_RIGID_BALLS_H
#define CAROM_TESTS_RIGID_BALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "quad.h"
#include "reference/lcp_quad.h"

enum { RIGID_BALLS = 16, RIGID_BALLS_WALLS = 6, RIGID_BALLS_TOUCH = LCP_QUAD_ROOM };

struct rigid_balls {
    int n, nwalls, d;
    double radius[RIGID_BALLS], mass[RIGID_BALLS]; /* mass 0: it stands still */
    quad x[RIGID_BALLS][3], v[RIGID_BALLS][3], a[RIGID_BALLS][3];
    double wall[RIGID_BALLS_WALLS][3], normal[RIGID_BALLS_WALLS][3]; /* balls are where the normal points */
    double hollow;                                                   /* radius of a round wall about 0; 0: none */
    double e, gravity[3], length, speed;
    quad t;
    quad flight; /* length of the last */
    long impacts, most;
    bool lost, begun;
    bool pairs; /* impacts pair by pair, not Moreau's */
};

/* A contact: ball b with ball a (a >= 0), wall -1 - a, or the round wall (a = RIGID_BALLS_ROUND). */
enum { RIGID_BALLS_ROUND = -100 };
struct rigid_balls_contact {
    int a, b;
    quad n[3], y; /* towards b; the gap */
    bool held;
};

static inline quad rigid_balls_dot(const quad *a, const quad *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline struct rigid_balls_contact rigid_balls_look(const struct rigid_balls *r, int a, int b)
{
    struct rigid_balls_contact c = {.a = a, .b = b};
    quad way[3];
    if (a < 0 && a != RIGID_BALLS_ROUND) {
        for (int k = 0; k < 3; k++) {
            c.n[k] = r->normal[-1 - a][k];
            way[k] = r->x[b][k] - r->wall[-1 - a][k];
        }
        c.y = rigid_balls_dot(c.n, way) - r->radius[b];
        return c;
    }
    for (int k = 0; k < 3; k++)
        way[k] = r->x[b][k] - (a >= 0 ? r->x[a][k] : 0);
    const quad far = sqrtf128(rigid_balls_dot(way, way));
    for (int k = 0; k < 3 && far > 0; k++)
        c.n[k] = a >= 0 ? way[k] / far : -way[k] / far;
    c.y = a >= 0 ? far - r->radius[a] - r->radius[b] : (quad)r->hollow - r->radius[b] - far;
    return c;
}

/* x (velocities or accelerations) of b past a */
static inline void rigid_balls_past(const struct rigid_balls *r, const struct rigid_balls_contact *c,
                                    const quad (*x)[3], quad *out)
{
    (void)r;
    for (int k = 0; k < 3; k++)
        out[k] = x[c->b][k] - (c->a >= 0 ? x[c->a][k] : 0);
}

static inline quad rigid_balls_rate(const struct rigid_balls *r, const struct rigid_balls_contact *c)
{
    quad past[3];
    rigid_balls_past(r, c, r->v, past);
    return rigid_balls_dot(c->n, past);
}

/* y'' */
static inline quad rigid_balls_bend(const struct rigid_balls *r, const struct rigid_balls_contact *c)
{
    quad v[3], a[3];
    rigid_balls_past(r, c, r->v, v);
    rigid_balls_past(r, c, r->a, a);
    const quad rate = rigid_balls_dot(c->n, v), slip = rigid_balls_dot(v, v) - rate * rate;
    quad curve = 0;
    if (c->a >= 0)
        curve = 1 / ((quad)r->radius[c->a] + r->radius[c->b]);
    if (c->a == RIGID_BALLS_ROUND)
        curve = -1 / ((quad)r->hollow - r->radius[c->b]);
    return rigid_balls_dot(c->n, a) + curve * slip;
}

static inline void rigid_balls_push(const struct rigid_balls *r, const struct rigid_balls_contact *c, quad p,
                                    quad (*x)[3])
{
    for (int k = 0; k < 3; k++) {
        if (r->mass[c->b] > 0)
            x[c->b][k] += p * c->n[k] / r->mass[c->b];
        if (c->a >= 0 && r->mass[c->a] > 0)
            x[c->a][k] -= p * c->n[k] / r->mass[c->a];
    }
}

static inline quad rigid_balls_w(const struct rigid_balls *r, const struct rigid_balls_contact *j,
                                 const struct rigid_balls_contact *k)
{
    quad x[RIGID_BALLS][3] = {{0}}, past[3];
    rigid_balls_push(r, k, 1, x);
    rigid_balls_past(r, j, (const quad(*)[3])x, past);
    return rigid_balls_dot(j->n, past);
}

/* good to 1e-20 of the largest b; false: no such z was found */
static inline bool rigid_balls_solve(const struct rigid_balls *r, int count, const struct rigid_balls_contact *c,
                                     const quad *b, quad *z)
{
    quad w[RIGID_BALLS_TOUCH][RIGID_BALLS_TOUCH], size = 0;
    for (int i = 0; i < count; i++) {
        size = lcp_quad_abs(b[i]) > size ? lcp_quad_abs(b[i]) : size;
        for (int k = 0; k < count; k++)
            w[i][k] = rigid_balls_w(r, &c[i], &c[k]);
    }
    return lcp_quad_solve(count, w, b, (quad)1e-20 * size, z);
}

/* --- when ---------------------------------------------------------------------------------------------------- */

static inline quad rigid_balls_value(const quad *c, int degree, quad t)
{
    quad p = c[degree];
    for (int i = degree; i-- > 0;)
        p = p * t + c[i];
    return p;
}

/* a root between a and b, at which signs differ: Newton's steps, halved where they leave it */
static inline quad rigid_balls_root(const quad *c, int degree, quad a, quad b)
{
    quad slope[5] = {0}, t = a + (b - a) / 2;
    const bool up = rigid_balls_value(c, degree, b) > 0;
    for (int i = 1; i <= degree; i++)
        slope[i - 1] = i * c[i];
    for (int i = 0; i < 300; i++) {
        const quad p = rigid_balls_value(c, degree, t);
        if (p == 0)
            return t;
        if ((p > 0) == up)
            b = t;
        else
            a = t;
        const quad s = rigid_balls_value(slope, degree - 1, t);
        quad next = s == 0 ? a : t - p / s;
        if (!(next > a && next < b))
            next = a + (b - a) / 2;
        if (next == t || next == a || next == b)
            return next;
        t = next;
    }
    return t;
}

/* all roots in (0, limit], rising; those of the derivative tell them apart */
static inline int rigid_balls_roots(const quad *c, int degree, quad limit, quad *root)
{
    quad slope[5] = {0}, turn[6];
    int count = 0, turns = 0;
    while (degree > 0 && c[degree] == 0)
        degree--;
    if (degree == 0)
        return 0;
    for (int i = 1; i <= degree; i++)
        slope[i - 1] = i * c[i];
    turns = rigid_balls_roots(slope, degree - 1, limit, turn);
    turn[turns++] = limit;
    for (int i = 0; i < turns; i++) {
        const quad from = i > 0 ? turn[i - 1] : 0;
        if ((rigid_balls_value(c, degree, from) > 0) != (rigid_balls_value(c, degree, turn[i]) > 0))
            root[count++] = rigid_balls_root(c, degree, from, turn[i]);
    }
    return count;
}

/* when contact c closes within `limit`, or more than that. What touches has no gap, what rests no rate either. */
static inline quad rigid_balls_wait(const struct rigid_balls *r, const struct rigid_balls_contact *c, quad limit)
{
    quad v[3], a[3], way[3], p[5] = {0}, root[6];
    int degree = 2, drop = 0;
    rigid_balls_past(r, c, r->v, v);
    rigid_balls_past(r, c, r->a, a);
    const quad rate = rigid_balls_dot(c->n, v), none = 2 * limit + 1;
    if (c->a < 0 && c->a != RIGID_BALLS_ROUND) {
        p[0] = c->y;
        p[1] = rate;
        p[2] = rigid_balls_dot(c->n, a) / 2;
    } else {
        const quad reach = c->a >= 0 ? (quad)r->radius[c->a] + r->radius[c->b] : (quad)r->hollow - r->radius[c->b];
        const int sign = c->a >= 0 ? 1 : -1;
        for (int k = 0; k < 3; k++)
            way[k] = r->x[c->b][k] - (c->a >= 0 ? r->x[c->a][k] : 0);
        p[0] = sign * (rigid_balls_dot(way, way) - reach * reach);
        p[1] = sign * 2 * rigid_balls_dot(way, v);
        p[2] = sign * (rigid_balls_dot(v, v) + rigid_balls_dot(way, a));
        p[3] = sign * rigid_balls_dot(v, a);
        p[4] = sign * rigid_balls_dot(a, a) / 4;
        degree = 4;
    }
    const double fast = (double)(lcp_quad_abs(v[0]) + lcp_quad_abs(v[1]) + lcp_quad_abs(v[2])),
                 pull = (double)(lcp_quad_abs(a[0]) + lcp_quad_abs(a[1]) + lcp_quad_abs(a[2])), until = (double)limit;
    if ((double)c->y > 1e-9 + until * (fast + 0.5 * pull * until))
        return none;
    if (c->y <= (quad)1e-24 * r->length)
        drop = lcp_quad_abs(rate) <= (quad)1e-24 * r->speed ? 2 : 1;
    const int left = degree - drop;
    if (left < 1)
        return none;
    const int count = rigid_balls_roots(p + drop, left, limit, root);
    for (int i = 0; i < count; i++) { /* the first at which it falls below 0 */
        const quad before = i > 0 ? (root[i - 1] + root[i]) / 2 : root[i] / 2;
        if (rigid_balls_value(p + drop, left, before) > 0)
            return root[i];
    }
    return none;
}

/* --- what happens -------------------------------------------------------------------------------------------- */

static inline void rigid_balls_fly(struct rigid_balls *r, quad t)
{
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < 3; k++) {
            r->x[i][k] += t * (r->v[i][k] + t * r->a[i][k] / 2);
            r->v[i][k] += t * r->a[i][k];
        }
    r->t += t;
}

/* all contacts in turn; -1: that was the last */
static inline bool rigid_balls_next(const struct rigid_balls *r, int *a, int *b)
{
    do { /* from the round wall over flat walls to balls with lower numbers */
        *a = *a == RIGID_BALLS_ROUND ? -r->nwalls : *a + 1;
        if (*a >= *b) {
            *a = RIGID_BALLS_ROUND;
            ++*b;
        }
        if (*b >= r->n)
            return false;
    } while ((*a == RIGID_BALLS_ROUND && !(r->hollow > 0)) || (r->mass[*b] == 0 && (*a < 0 || r->mass[*a] == 0)));
    return true;
}

/* what touches; -1: too much does */
static inline int rigid_balls_touching(const struct rigid_balls *r, struct rigid_balls_contact *c)
{
    int count = 0;
    for (int b = 0, a = RIGID_BALLS_ROUND - 1; rigid_balls_next(r, &a, &b);) {
        const struct rigid_balls_contact one = rigid_balls_look(r, a, b);
        if (one.y > (quad)1e-24 * r->length)
            continue;
        if (count == RIGID_BALLS_TOUCH)
            return -1;
        c[count++] = one;
    }
    return count;
}

/* Do contacts move that touch at the end of a flight of next to no length? They are the last of a sequence then. */
static inline bool rigid_balls_collapses(const struct rigid_balls *r, int count, const struct rigid_balls_contact *c)
{
    int moving = 0;
    for (int i = 0; i < count; i++)
        moving += lcp_quad_abs(rigid_balls_rate(r, &c[i])) > (quad)1e-20 * r->speed;
    return r->begun && count > 1 && moving > 0 && r->e < 1.0 && r->flight < (quad)1e-15 * r->length / r->speed;
}

/* Of contacts that approach equally fast the one whose first ball has the lowest number, then whose second has, is
 * struck: walls have numbers above those of balls. */
static inline bool rigid_balls_earlier(const struct rigid_balls_contact *a, const struct rigid_balls_contact *b)
{
    const int first[2] = {a->a < 0 ? a->b : a->a, b->a < 0 ? b->b : b->a};
    const int second[2] = {a->a < 0 ? RIGID_BALLS - a->a : a->b, b->a < 0 ? RIGID_BALLS - b->a : b->b};
    return first[0] != first[1] ? first[0] < first[1] : second[0] < second[1];
}

/* the contact that approaches fastest; -1: none does */
static inline int rigid_balls_fastest(const struct rigid_balls *r, int count, const struct rigid_balls_contact *c)
{
    int fastest = -1;
    quad most = (quad)-1e-25 * r->speed;
    for (int i = 0; i < count; i++) {
        const quad rate = rigid_balls_rate(r, &c[i]), same = (quad)1e-20 * lcp_quad_abs(most);
        if (fastest < 0 ? rate < most
                        : rate < most - same || (rate < most + same && rigid_balls_earlier(&c[i], &c[fastest]))) {
            fastest = i;
            most = rate;
        }
    }
    return fastest;
}

/* pair by pair, the fastest first; false: they do not end */
static inline bool rigid_balls_strike_pairs(struct rigid_balls *r, int count, const struct rigid_balls_contact *c)
{
    for (int pair = 0; pair < 100000; pair++) {
        const int fastest = rigid_balls_fastest(r, count, c);
        if (fastest < 0)
            return true;
        const quad rate = rigid_balls_rate(r, &c[fastest]);
        rigid_balls_push(r, &c[fastest], -(1 + (quad)r->e) * rate / rigid_balls_w(r, &c[fastest], &c[fastest]), r->v);
        r->impacts++;
    }
    return false;
}

/* impacts until nothing approaches; false: they do not end */
static inline bool rigid_balls_strike(struct rigid_balls *r, int count, const struct rigid_balls_contact *c)
{
    const bool collapses = rigid_balls_collapses(r, count, c);
    const quad e = collapses ? 0 : (quad)r->e;
    if (r->pairs && !collapses)
        return rigid_balls_strike_pairs(r, count, c);
    for (int round = 0; round < 1000; round++) {
        quad b[RIGID_BALLS_TOUCH], z[RIGID_BALLS_TOUCH];
        bool any = false;
        for (int i = 0; i < count; i++) {
            const quad rate = rigid_balls_rate(r, &c[i]);
            any |= rate < (quad)-1e-25 * r->speed;
            b[i] = (1 + e) * rate;
        }
        if (!any)
            return true;
        if (!rigid_balls_solve(r, count, c, b, z))
            return false;
        for (int i = 0; i < count; i++) {
            rigid_balls_push(r, &c[i], z[i], r->v);
            r->impacts += z[i] > 0 ? 1 : 0;
        }
    }
    return false;
}

/* which contacts at rest last, and the accelerations with them; false: not along parabolas */
static inline bool rigid_balls_hold(struct rigid_balls *r, int count, const struct rigid_balls_contact *c)
{
    struct rigid_balls_contact rest[RIGID_BALLS_TOUCH];
    quad b[RIGID_BALLS_TOUCH], z[RIGID_BALLS_TOUCH];
    int n = 0;
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < 3; k++)
            r->a[i][k] = r->mass[i] > 0 ? r->gravity[k] : 0;
    for (int i = 0; i < count; i++)
        if (lcp_quad_abs(rigid_balls_rate(r, &c[i])) <= (quad)1e-24 * r->speed) {
            b[n] = rigid_balls_bend(r, &c[i]);
            rest[n++] = c[i];
        }
    if (n > 0 && !rigid_balls_solve(r, n, rest, b, z))
        return false;
    for (int i = 0; i < n; i++)
        rigid_balls_push(r, &rest[i], z[i], r->a);
    for (int i = 0; i < n; i++) {
        quad v[3], a[3];
        rigid_balls_past(r, &rest[i], (const quad(*)[3])r->v, v);
        rigid_balls_past(r, &rest[i], (const quad(*)[3])r->a, a);
        const bool flat = rest[i].a < 0 && rest[i].a != RIGID_BALLS_ROUND;
        const bool together = rigid_balls_dot(v, v) <= (quad)1e-40 * r->speed * r->speed &&
                              rigid_balls_dot(a, a) <= (quad)1e-40 * r->speed * r->speed;
        if (z[i] > 0 && !flat && !together)
            return false;
        for (int k = 0; k < 3 && z[i] > 0 && flat; k++) /* nothing is left of its rate */
            r->v[rest[i].b][k] -= rigid_balls_rate(r, &rest[i]) * rest[i].n[k];
    }
    return true;
}

static inline void rigid_balls_instant(struct rigid_balls *r)
{
    struct rigid_balls_contact c[RIGID_BALLS_TOUCH];
    const int count = rigid_balls_touching(r, c);
    r->lost |= count < 0 || !rigid_balls_strike(r, count, c) || !rigid_balls_hold(r, count, c) || r->impacts > r->most;
    r->begun = true;
}

/* Goes on to time t; false: it could not be followed. */
static inline bool rigid_balls_to(struct rigid_balls *r, double until)
{
    int stalls = 0;
    if (!r->begun)
        rigid_balls_instant(r);
    while (r->t < until && !r->lost) {
        quad first = until - r->t;
        bool any = false;
        for (int b = 0, a = RIGID_BALLS_ROUND - 1; rigid_balls_next(r, &a, &b);) {
            const struct rigid_balls_contact c = rigid_balls_look(r, a, b);
            const quad wait = rigid_balls_wait(r, &c, first);
            any |= wait <= first;
            first = wait < first ? wait : first;
        }
        rigid_balls_fly(r, first);
        r->flight = first;
        if (any)
            rigid_balls_instant(r);
        stalls = first > 0 ? 0 : stalls + 1;
        r->lost |= stalls > 100;
    }
    return !r->lost;
}

#endif
