/* Rows of rigid beads in quadruple precision, by themselves: nothing of carom is used here. Flights are parabolas and
 * oscillations in closed form; gaps are kept beside places, so that they have all their digits however small they get,
 * and an inelastic collapse is followed impact by impact until rates are 1e-25 of the largest speed. Impacts and forces
 * of contacts that touch are Moreau's, found by trying every set of them. Closings are looked for at 64 places of each
 * flight and of the shortest period in it, turning points of gaps included, and halved down. */
#ifndef CAROM_TESTS_RIGID_ROW_H
#define CAROM_TESTS_RIGID_ROW_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "quad.h"

enum { RIGID_ROW_BEADS = 5, RIGID_ROW_CONTACTS = RIGID_ROW_BEADS + 1, RIGID_ROW_LOOKS = 64 };

struct rigid_row {
    size_t n, nc, shift; /* beads, contacts; contact j is between beads j - shift and j - shift + 1 */
    double mass[RIGID_ROW_BEADS], spring[RIGID_ROW_BEADS], e[RIGID_ROW_CONTACTS], gravity;
    double length, speed;          /* what is 1e-25 of these is nothing */
    long impacts, flights, stalls; /* so far; flights of no length in a row */
    long most;                     /* impacts before it gives up */
    bool lost, springs;            /* it gave up; springs: flights cost more, and fewer are waited for */
    quad t, q[RIGID_ROW_BEADS], v[RIGID_ROW_BEADS];
    quad y[RIGID_ROW_CONTACTS];
    bool held[RIGID_ROW_CONTACTS], released[RIGID_ROW_CONTACTS];
    quad flight; /* length of the last */
};

/* Motion of a bead with those it is held to: s'' = a - w^2 s. */
struct rigid_row_way {
    quad v, a, w;
    bool still;
};

static inline quad rigid_row_abs(quad x)
{
    return x < 0 ? -x : x;
}

static inline struct rigid_row rigid_row_begin(size_t n, bool left, bool right, const double *gap)
{
    struct rigid_row row = {.n = n, .nc = n - 1 + (left ? 1 : 0) + (right ? 1 : 0), .shift = left ? 1 : 0};
    for (size_t j = 0; j < row.nc; j++)
        row.y[j] = gap[j];
    row.most = 1000000;
    return row;
}

/* -1: no such bead */
static inline int rigid_row_left(const struct rigid_row *r, size_t j)
{
    return (int)j - (int)r->shift;
}

static inline int rigid_row_right(const struct rigid_row *r, size_t j)
{
    const int b = (int)j - (int)r->shift + 1;
    return b < (int)r->n ? b : -1;
}

static inline quad rigid_row_difference(const struct rigid_row *r, const quad *x, size_t j)
{
    const int a = rigid_row_left(r, j), b = rigid_row_right(r, j);
    return (b >= 0 ? x[b] : 0) - (a >= 0 ? x[a] : 0);
}

/* what a unit impulse at contact k does to the rate of contact j */
static inline quad rigid_row_w(const struct rigid_row *r, size_t j, size_t k)
{
    quad v[RIGID_ROW_BEADS] = {0};
    const int a = rigid_row_left(r, k), b = rigid_row_right(r, k);
    if (a >= 0)
        v[a] -= 1 / (quad)r->mass[a];
    if (b >= 0)
        v[b] += 1 / (quad)r->mass[b];
    return rigid_row_difference(r, v, j);
}

static inline void rigid_row_push(const struct rigid_row *r, size_t k, quad p, quad *v)
{
    const int a = rigid_row_left(r, k), b = rigid_row_right(r, k);
    if (a >= 0)
        v[a] -= p / (quad)r->mass[a];
    if (b >= 0)
        v[b] += p / (quad)r->mass[b];
}

/* x of A x = b by elimination, n <= RIGID_ROW_CONTACTS; false: singular */
static inline bool rigid_row_eliminate(size_t n, quad a[RIGID_ROW_CONTACTS][RIGID_ROW_CONTACTS + 1])
{
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t i = c + 1; i < n; i++)
            best = rigid_row_abs(a[i][c]) > rigid_row_abs(a[best][c]) ? i : best;
        if (!(rigid_row_abs(a[best][c]) > 0))
            return false;
        for (size_t k = 0; k <= n; k++) {
            const quad hold = a[c][k];
            a[c][k] = a[best][k];
            a[best][k] = hold;
        }
        for (size_t i = 0; i < n; i++) {
            if (i == c)
                continue;
            const quad f = a[i][c] / a[c][c];
            for (size_t k = c; k <= n; k++)
                a[i][k] -= f * a[c][k];
        }
    }
    for (size_t i = 0; i < n; i++)
        a[i][n] /= a[i][i];
    return true;
}

/* 0 <= z _|_ b + W z >= 0 at the contacts `some`, every set of them tried; the one that breaks it least */
static inline void rigid_row_solve(const struct rigid_row *r, size_t count, const size_t *some, const quad *b, quad *z)
{
    quad best = -1;
    for (unsigned set = 0; set < 1U << count; set++) {
        quad a[RIGID_ROW_CONTACTS][RIGID_ROW_CONTACTS + 1], x[RIGID_ROW_CONTACTS] = {0}, worst = 0;
        size_t in[RIGID_ROW_CONTACTS], n = 0;
        for (size_t i = 0; i < count; i++)
            if (set >> i & 1U)
                in[n++] = i;
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                a[i][k] = rigid_row_w(r, some[in[i]], some[in[k]]);
            a[i][n] = -b[in[i]];
        }
        if (!rigid_row_eliminate(n, a))
            continue;
        for (size_t i = 0; i < n; i++) {
            x[in[i]] = a[i][n];
            const quad wrong = -a[i][n] * rigid_row_w(r, some[in[i]], some[in[i]]);
            worst = wrong > worst ? wrong : worst;
        }
        for (size_t i = 0; i < count; i++) {
            quad after = b[i];
            for (size_t k = 0; k < count; k++)
                after += rigid_row_w(r, some[i], some[k]) * x[k];
            if (!(set >> i & 1U))
                worst = -after > worst ? -after : worst;
        }
        if (best < 0 || worst < best) {
            best = worst;
            for (size_t i = 0; i < count; i++)
                z[i] = x[i];
        }
        if (worst == 0)
            return;
    }
}

static inline void rigid_row_ways(const struct rigid_row *r, struct rigid_row_way *way)
{
    for (size_t first = 0, last; first < r->n; first = last) {
        quad mass = 0, force = 0, spring = 0;
        bool still = first == 0 && r->shift == 1 && r->held[0];
        for (last = first; last < r->n; last++) {
            const size_t j = last + r->shift; /* contact right of the bead */
            mass += r->mass[last];
            force += (quad)r->mass[last] * r->gravity - (quad)r->spring[last] * r->q[last];
            spring += r->spring[last];
            if (j >= r->nc || !r->held[j] || last + 1 == r->n) {
                still |= last + 1 == r->n && j < r->nc && r->held[j];
                last++;
                break;
            }
        }
        for (size_t i = first; i < last; i++) {
            way[i] = (struct rigid_row_way){r->v[first], force / mass, 0, still};
            if (spring > 0)
                way[i].w = sqrtf128(spring / mass);
            if (still)
                way[i] = (struct rigid_row_way){0, 0, 0, true};
        }
    }
}

static inline quad rigid_row_place(const struct rigid_row_way *m, quad t)
{
    if (m->w == 0)
        return t * (m->v + m->a * t / 2);
    const quad half = sinf128(m->w * t / 2);
    return m->v * sinf128(m->w * t) / m->w + 2 * m->a * half * half / (m->w * m->w);
}

static inline quad rigid_row_speed(const struct rigid_row_way *m, quad t)
{
    return m->w == 0 ? m->v + m->a * t : m->v * cosf128(m->w * t) + m->a * sinf128(m->w * t) / m->w;
}

/* gap (or its rate) of contact j after t; of a held one the force on it (or its slope) */
static inline quad rigid_row_gap(const struct rigid_row *r, const struct rigid_row_way *way, size_t j, quad t,
                                 bool rate)
{
    quad s[RIGID_ROW_BEADS] = {0};
    for (int i = 0; i < (int)r->n; i++)
        if (r->held[j] || i == rigid_row_left(r, j) || i == rigid_row_right(r, j))
            s[i] = rate ? rigid_row_speed(&way[i], t) : rigid_row_place(&way[i], t);
    if (!r->held[j])
        return (rate ? 0 : r->y[j]) + rigid_row_difference(r, s, j);
    quad force = 0; /* beads from the group's open end on press with what is left of their forces */
    size_t first = j - r->shift + 1, last = first;
    const bool to_left = j >= r->shift; /* sum over beads left of the contact, unless the group ends at that wall */
    if (to_left) {
        last = j - r->shift + 1;
        first = last - 1;
        while (first > 0 && r->held[first - 1 + r->shift])
            first--;
    }
    if (!to_left || (first == 0 && r->shift == 1 && r->held[0])) { /* from the other side then */
        first = j - r->shift + 1;
        for (last = first + 1; last < r->n && r->held[last - 1 + r->shift];)
            last++;
        for (size_t i = first; i < last; i++) {
            const quad own = rate ? -(quad)r->spring[i] * s[i]
                                  : (quad)r->mass[i] * r->gravity - (quad)r->spring[i] * (r->q[i] + s[i]);
            const quad a = way[i].still ? 0
                           : rate       ? -way[i].w * way[i].w * s[i]
                                        : way[i].a - way[i].w * way[i].w * s[i];
            force -= own - (quad)r->mass[i] * a;
        }
        return force;
    }
    for (size_t i = first; i < last; i++) {
        const quad own =
            rate ? -(quad)r->spring[i] * s[i] : (quad)r->mass[i] * r->gravity - (quad)r->spring[i] * (r->q[i] + s[i]);
        const quad a = way[i].still ? 0 : rate ? -way[i].w * way[i].w * s[i] : way[i].a - way[i].w * way[i].w * s[i];
        force += own - (quad)r->mass[i] * a;
    }
    return force;
}

/* Is the gap of j surely open from a to b? Seen in double precision by a bound on its rate: most of the way is. */
static inline bool rigid_row_open(const struct rigid_row *r, const struct rigid_row_way *way, size_t j, double a,
                                  double b)
{
    double gap = (double)r->y[j], fastest = 0.0;
    for (int side = 0; side < 2; side++) {
        const int i = side ? rigid_row_right(r, j) : rigid_row_left(r, j);
        if (i < 0)
            continue;
        const double v = (double)way[i].v, acc = (double)way[i].a, w = (double)way[i].w, half = sin(0.5 * w * a);
        const double s = w == 0.0 ? a * (v + 0.5 * a * acc) : v * sin(w * a) / w + 2.0 * acc * half * half / (w * w);
        gap += side ? s : -s;
        fastest += w == 0.0 ? fabs(v) + fabs(acc) * b : fabs(v) + fabs(acc) / w;
    }
    return gap - fastest * (b - a) > 1e-9;
}

/* where between a and b the gap (rate: its rate) of j goes through 0, by halving */
static inline quad rigid_row_halve(const struct rigid_row *r, const struct rigid_row_way *way, size_t j, quad a, quad b,
                                   bool rate)
{
    for (int i = 0; i < 400; i++) {
        const quad m = a + (b - a) / 2;
        if (m == a || m == b)
            break;
        if ((rigid_row_gap(r, way, j, m, rate) > 0) == (rigid_row_gap(r, way, j, b, rate) > 0))
            b = m;
        else
            a = m;
    }
    return b;
}

/* the first closing of a parabola */
static inline quad rigid_row_parabola(quad y, quad v, quad a, quad none)
{
    if (y == 0)
        return v < 0 ? 0 : v > 0 && a < 0 ? -2 * v / a : none;
    const quad square = v * v - 2 * a * y;
    if (square < 0)
        return none;
    const quad root = sqrtf128(square);
    return v < 0 ? 2 * y / (root - v) : a < 0 ? (v + root) / -a : none;
}

/* when contact j closes, or the force of a held one ends, within `limit`; more than that: it does not */
static inline quad rigid_row_event(const struct rigid_row *r, const struct rigid_row_way *way, size_t j, quad limit)
{
    const quad none = 2 * limit + 1;
    const int a = rigid_row_left(r, j), b = rigid_row_right(r, j);
    const quad wa = a >= 0 ? way[a].w : 0, wb = b >= 0 ? way[b].w : 0, fastest = wa > wb ? wa : wb;
    if (!r->held[j] && fastest == 0)
        return rigid_row_parabola(r->y[j], (b >= 0 ? way[b].v : 0) - (a >= 0 ? way[a].v : 0),
                                  (b >= 0 ? way[b].a : 0) - (a >= 0 ? way[a].a : 0), none);
    if (r->held[j] && fastest == 0)
        return none;
    if (!r->held[j] && r->y[j] == 0 && (b >= 0 ? way[b].v : 0) - (a >= 0 ? way[a].v : 0) < 0)
        return 0;
    const quad period = (quad)6 / fastest, step = (period < limit ? period : limit) / RIGID_ROW_LOOKS;
    /* a gap that begins at 0 and is struck down at once is found on ever smaller steps */
    quad from = 0, to = step;
    bool late = false;
    quad begin = rigid_row_gap(r, way, j, 0, false), rate = rigid_row_gap(r, way, j, 0, true);
    const bool lightly = r->held[j] && !(begin > 0); /* without force: it ends at once unless one begins */
    if (lightly || (!r->held[j] && r->y[j] == 0))
        for (int i = 0; i < 300 && !(rigid_row_gap(r, way, j, to, false) > 0); i++)
            to /= 2;
    if (lightly && !(rigid_row_gap(r, way, j, to, false) > 0))
        return rigid_row_gap(r, way, j, step, false) < 0 ? 0 : none;
    while (from < limit) {
        to = to < limit ? to : limit;
        if (!r->held[j] && rigid_row_open(r, way, j, (double)from, (double)to)) {
            from = to;
            to = from + step;
            late = true;
            continue;
        }
        if (late) {
            begin = rigid_row_gap(r, way, j, from, false);
            rate = rigid_row_gap(r, way, j, from, true);
            late = false;
        }
        const quad there = rigid_row_gap(r, way, j, to, false), turn = rigid_row_gap(r, way, j, to, true);
        if (there < 0 && (begin > 0 || from > 0))
            return rigid_row_halve(r, way, j, from, to, false);
        if (there < 0)
            return to;
        if (rate < 0 && turn > 0 && begin > 0) {
            const quad low = rigid_row_halve(r, way, j, from, to, true);
            if (rigid_row_gap(r, way, j, low, false) < 0)
                return rigid_row_halve(r, way, j, from, low, false);
        }
        begin = there;
        rate = turn;
        from = to;
        to = from + (2 * to < step ? to : step);
    }
    return none;
}

static inline void rigid_row_fly(struct rigid_row *r, quad t)
{
    struct rigid_row_way way[RIGID_ROW_BEADS];
    quad s[RIGID_ROW_BEADS];
    rigid_row_ways(r, way);
    for (size_t i = 0; i < r->n; i++) {
        s[i] = rigid_row_place(&way[i], t);
        r->q[i] += s[i];
        r->v[i] = rigid_row_speed(&way[i], t);
    }
    for (size_t j = 0; j < r->nc; j++) {
        r->y[j] = r->held[j] ? 0 : r->y[j] + rigid_row_difference(r, s, j);
        r->y[j] = r->y[j] < 0 ? 0 : r->y[j];
    }
    r->t += t;
}

/* impacts of what touches, until nothing approaches */
static inline void rigid_row_strike(struct rigid_row *r, bool bounce)
{
    const quad slow = (quad)1e-27 * r->speed;
    for (int round = 0; round < 1000; round++) {
        size_t some[RIGID_ROW_CONTACTS] = {0}, count = 0;
        quad b[RIGID_ROW_CONTACTS] = {0}, z[RIGID_ROW_CONTACTS] = {0};
        bool any = false;
        for (size_t j = 0; j < r->nc; j++) {
            const quad rate = rigid_row_difference(r, r->v, j);
            if (r->y[j] > 0)
                continue;
            any |= rate < -slow;
            b[count] = (1 + (quad)(bounce ? r->e[j] : 0.0)) * rate;
            some[count++] = j;
        }
        if (!any)
            return;
        rigid_row_solve(r, count, some, b, z);
        for (size_t i = 0; i < count; i++) {
            rigid_row_push(r, some[i], z[i], r->v);
            r->impacts += z[i] > 0 ? 1 : 0;
        }
    }
}

/* which of the contacts at rest are held: 0 <= force _|_ y'' >= 0 */
static inline void rigid_row_hold(struct rigid_row *r, quad slow)
{
    size_t some[RIGID_ROW_CONTACTS] = {0}, count = 0;
    quad b[RIGID_ROW_CONTACTS] = {0}, z[RIGID_ROW_CONTACTS] = {0}, a[RIGID_ROW_BEADS], size = 0;
    for (size_t i = 0; i < r->n; i++) {
        a[i] = r->gravity - (quad)r->spring[i] * r->q[i] / (quad)r->mass[i];
        size = rigid_row_abs(a[i]) > size ? rigid_row_abs(a[i]) : size;
    }
    for (size_t j = 0; j < r->nc; j++) {
        r->held[j] = false;
        if (r->y[j] > 0 || r->released[j] || rigid_row_abs(rigid_row_difference(r, r->v, j)) > slow)
            continue;
        b[count] = rigid_row_difference(r, a, j);
        some[count++] = j;
    }
    rigid_row_solve(r, count, some, b, z);
    for (size_t i = 0; i < count; i++)
        rigid_row_push(r, some[i], z[i], a);
    for (size_t i = 0; i < count; i++)
        r->held[some[i]] = z[i] > 0 || rigid_row_difference(r, a, some[i]) <= (quad)1e-28 * size;
    /* what is left of rates of held ones is taken away, from walls on */
    for (size_t i = 0; i < r->n; i++)
        if (i + r->shift > 0 && r->held[i + r->shift - 1])
            r->v[i] = i > 0 ? r->v[i - 1] : 0;
    for (size_t i = r->n; i-- > 0;)
        if (i + r->shift < r->nc && r->held[i + r->shift] && (i + 1 == r->n || r->v[i + 1] == 0))
            r->v[i] = i + 1 < r->n ? r->v[i + 1] : 0;
}

/* Is a contact without gap and rate? */
static inline bool rigid_row_rests(const struct rigid_row *r, size_t j, quad part)
{
    return rigid_row_abs(rigid_row_difference(r, r->v, j)) <= part * r->speed && r->y[j] <= part * r->length;
}

/* Impacts that begin a sequence of ever shorter flights are told apart from those at once by the length of flights. */
static inline void rigid_row_join(struct rigid_row *r)
{
    for (size_t j = 0; j < r->nc; j++) {
        const quad rate = rigid_row_difference(r, r->v, j);
        if (!r->held[j] && r->y[j] > 0 && rate < 0 && r->y[j] <= (quad)1e-26 * r->flight * -rate)
            r->y[j] = 0;
    }
}

/* A sequence is over where a contact has neither gap nor rate left: those that are nearly so came to rest with it. */
static inline void rigid_row_settle(struct rigid_row *r)
{
    bool over = r->flights > 0 && r->flight < (quad)1e-300; /* flights have no length any more, though rates may */
    for (size_t j = 0; j < r->nc && over; j++)
        r->y[j] = r->y[j] < (quad)1e-280 ? 0 : r->y[j];
    rigid_row_strike(r, !over);
    for (size_t j = 0; j < r->nc; j++)
        over |= !r->held[j] && rigid_row_rests(r, j, (quad)1e-25);
    for (size_t j = 0; j < r->nc && over; j++)
        r->y[j] = rigid_row_rests(r, j, (quad)1e-18) ? 0 : r->y[j];
    rigid_row_hold(r, (over ? (quad)1e-18 : (quad)1e-25) * r->speed);
    memset(r->released, 0, sizeof r->released);
}

/* Goes on to time t; false: too many impacts. */
static inline bool rigid_row_to(struct rigid_row *r, double until)
{
    if (r->t == 0 && r->impacts == 0)
        rigid_row_settle(r);
    while (r->t < until && !r->lost) {
        struct rigid_row_way way[RIGID_ROW_BEADS];
        const quad limit = until - r->t;
        quad first = limit;
        size_t which = r->nc;
        rigid_row_ways(r, way);
        for (size_t j = 0; j < r->nc; j++) {
            const quad at = rigid_row_event(r, way, j, first);
            if (at <= first) {
                first = at;
                which = j;
            }
        }
        const bool part = which < r->nc && r->held[which];
        rigid_row_fly(r, first);
        r->flight = first > 0 ? first : r->flight;
        if (which < r->nc && !part)
            r->y[which] = 0;
        if (part)
            r->released[which] = true;
        rigid_row_join(r);
        rigid_row_settle(r);
        r->stalls = first > 0 ? 0 : r->stalls + 1;
        r->flights += which < r->nc ? 1 : 0; /* not those to where it is looked at */
        r->lost = r->impacts > r->most || r->stalls > 1000 || r->flights > (r->springs ? 2000 : 30000);
    }
    return !r->lost;
}

#endif
