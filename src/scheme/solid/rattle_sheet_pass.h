/* RATTLE on plane boxes of one material in one sweep through their rows (model/solid_sheet.c): kick and drift as cells
 * arrive, the second kick as they leave with their new forces, so that a cell comes from memory once a step. Some cells
 * go side by side. The turn of a step, sin(turn) = x, is written as a series in x^2 where x is small. Driven cells need
 * the forces of both ends side by side and go the general way. */
#ifndef CAROM_SCHEME_SOLID_RATTLE_SHEET_PASS_H
#define CAROM_SCHEME_SOLID_RATTLE_SHEET_PASS_H

#include "kernel/still.h"
#include "kernel/turn.h"
#include "model/solid/solid_sheet.h"
#include "scheme/solid/rattle_sheet.h"

enum {
    GROUPS = 2, /* of cells, one in each lane, that are turned side by side */
    BORDER = 2  /* rows at either side of a block that its neighbour looks at */
};

struct step {
    const struct carom_rattle_body *body;
    const struct carom_solid *s;
    const double *q0, *v0;
    double *q1, *v1;
    double h, rate;          /* rate: h / inertia */
    double gain[3];          /* half a step by mass, and for the turn by 1 */
    size_t blocks, from, to; /* those that are meant */
    struct carom_sheet_sweep sweep;
    size_t fast[CAROM_SHEET_BLOCKS], bad[CAROM_SHEET_BLOCKS]; /* first cells that turn too fast, that are not finite */
};

ALWAYS_INLINE bool is_held(const struct step *t, size_t cell, size_t k)
{
    return ((unsigned)t->s->held[cell] >> (k == 2 ? 5 : k) & 1U) != 0;
}

#define EACH(p) for (size_t p = 0; p < groups; p++)
#define EACH_LANE(l) for (size_t l = 0; l < CAROM_LANES; l++)

/* --- arriving --------------------------------------------------------------------------------------------------- */

typedef double *const places[CAROM_SHEET_PLACES];

/* one cell: the last of an odd row, or one that is held; is it too fast for the series? */
static bool move_one(const struct step *t, size_t i, size_t at, places place)
{
    const double *q0 = t->q0 + 4 * i, *f = t->body->force + 3 * i, *v0 = t->v0 + 3 * i;
    double *q1 = t->q1 + 4 * i, *v1 = t->v1 + 3 * i;
    carom_lane a[1] = {carom_lane_all(q0[2])}, d[1] = {carom_lane_all(q0[3])}, less, sine;
    for (size_t k = 0; k < 3; k++)
        v1[k] = t->s->held && is_held(t, i, k) ? v0[k] : v0[k] + t->gain[k] * f[k];
    for (size_t k = 0; k < 2; k++)
        place[k][at] = q1[k] = q0[k] + t->h * carom_still(v1[k], t->body->still[0]);
    const double x = t->rate * carom_still(v1[2], t->body->still[1]), w = x * x;
    carom_sheet_turn(1, (carom_lane[]){carom_lane_all(x)}, (carom_lane[]){carom_lane_all(w)}, a, d);
    carom_sheet_angle(a[0], d[0], &less, &sine);
    q1[2] = a[0][0];
    q1[3] = d[0][0];
    place[CAROM_SHEET_LESS][at] = less[0];
    place[CAROM_SHEET_SINE][at] = sine[0];
    return w > CAROM_SHEET_SLOW;
}

/* cells that turn fast, by roots */
static __attribute__((noinline)) void turn_far(struct step *t, size_t block, size_t first, size_t last, places place)
{
    for (size_t i = first; i < last; i++) {
        const double x = t->rate * carom_still(t->v1[3 * i + 2], t->body->still[1]), *q0 = t->q0 + 4 * i + 2;
        double e[2], *q1 = t->q1 + 4 * i + 2;
        if (!(x * x > CAROM_SHEET_SLOW))
            continue;
        if (!carom_turn_plane(x, e)) {
            t->fast[block] = i < t->fast[block] ? i : t->fast[block];
            continue;
        }
        const double mend = 1.5 - 0.5 * (q0[0] * q0[0] + q0[1] * q0[1]), a = mend * q0[0], d = mend * q0[1];
        q1[0] = a * e[0] - d * e[1];
        q1[1] = d * e[0] + a * e[1];
        place[CAROM_SHEET_LESS][i - first] = (q1[1] + q1[1]) * q1[1];
        place[CAROM_SHEET_SINE][i - first] = (q1[1] + q1[1]) * q1[0];
    }
}

/* cells on their way: where they come from and where they go */
struct way {
    const double *q0, *v0, *f;
    double *q1, *v1, *x, *y, *less, *sine;
};

/* Kick and drift of group i; its angle (as a sine) and its half turn, still to be made. */
ALWAYS_INLINE void kick_drift(const struct way *t, size_t i, const carom_lane gain[3], const carom_lane still[2],
                              double h, double rate, carom_lane *x, carom_lane *a, carom_lane *d)
{
    const double *v0 = t->v0 + 3 * CAROM_LANES * i, *f = t->f + 3 * CAROM_LANES * i, *q0[CAROM_LANES], *w0[CAROM_LANES];
    double *v1 = t->v1 + 3 * CAROM_LANES * i, *q1[CAROM_LANES];
    carom_lane v[3], momentum, place[2];
    EACH_LANE(l)
    {
        q0[l] = t->q0 + 4 * (CAROM_LANES * i + l);
        w0[l] = q0[l] + 2;
        q1[l] = t->q1 + 4 * (CAROM_LANES * i + l);
    }
    for (int k = 0; k < 3; k++)
        v[k] = carom_lane_load(v0 + CAROM_LANES * k) + gain[k] * carom_lane_load(f + CAROM_LANES * k);
    const struct carom_lane_rows speed = carom_lane_triple_rows(v, &momentum), u0 = carom_lane_rows_of(q0);
    const struct carom_lane_rows u = {u0.even + h * carom_still_lane(speed.even, still[0]),
                                      u0.odd + h * carom_still_lane(speed.odd, still[0])};
    carom_lane_columns(carom_lane_rows_of(w0), a, d);
    for (int k = 0; k < 3; k++)
        carom_lane_store(v1 + CAROM_LANES * k, v[k]);
    carom_lane_rows_to(q1, u);
    carom_lane_columns(u, &place[0], &place[1]);
    carom_lane_store(t->x + CAROM_LANES * i, place[0]);
    carom_lane_store(t->y + CAROM_LANES * i, place[1]);
    *x = rate * carom_still_lane(momentum, still[1]);
}

/* Groups from `first` on side by side; set where a cell is too fast for the series. */
ALWAYS_INLINE carom_lane_mask move_some(size_t groups, const struct way *t, size_t first, const carom_lane gain[3],
                                        const carom_lane still[2], double h, double rate)
{
    carom_lane x[GROUPS], w[GROUPS], a[GROUPS], d[GROUPS], less[GROUPS], sine[GROUPS];
    carom_lane_mask far = {0};
    EACH(p) kick_drift(t, first + p, gain, still, h, rate, &x[p], &a[p], &d[p]);
    EACH(p) w[p] = x[p] * x[p];
    carom_sheet_turn((int)groups, x, w, a, d);
    EACH(p) carom_sheet_angle(a[p], d[p], &less[p], &sine[p]);
    EACH(p)
    {
        const size_t i = CAROM_LANES * (first + p);
        struct carom_lane_rows turn;
        double *to[CAROM_LANES];
        EACH_LANE(l) to[l] = t->q1 + 4 * (i + l) + 2;
        carom_lane_columns((struct carom_lane_rows){a[p], d[p]}, &turn.even, &turn.odd);
        carom_lane_rows_to(to, turn);
        carom_lane_store(t->less + i, less[p]);
        carom_lane_store(t->sine + i, sine[p]);
        far |= w[p] > CAROM_SHEET_SLOW;
    }
    return far;
}

/* along records of two velocities and an angular momentum */
ALWAYS_INLINE void gains_of(const struct step *t, carom_lane gain[3])
{
    carom_lane_triples(
        (const carom_lane[]){carom_lane_all(t->gain[0]), carom_lane_all(t->gain[1]), carom_lane_all(t->gain[2])}, gain);
}

/* Groups of cells from cell i on, none of them held; true where a cell is too fast for the series. */
static bool move_groups(const struct step *t, size_t i, size_t groups, size_t at, places place)
{
    const struct way way = {.q0 = t->q0 + 4 * i,
                            .v0 = t->v0 + 3 * i,
                            .f = t->body->force + 3 * i,
                            .q1 = t->q1 + 4 * i,
                            .v1 = t->v1 + 3 * i,
                            .x = place[CAROM_SHEET_X] + at,
                            .y = place[CAROM_SHEET_Y] + at,
                            .less = place[CAROM_SHEET_LESS] + at,
                            .sine = place[CAROM_SHEET_SINE] + at};
    const carom_lane still[2] = {carom_lane_all(t->body->still[0]), carom_lane_all(t->body->still[1])};
    const double h = t->h, rate = t->rate;
    carom_lane gain[3];
    carom_lane_mask any = {0};
    size_t p = 0;
    gains_of(t, gain);
    for (; p + GROUPS <= groups; p += GROUPS)
        any |= move_some(GROUPS, &way, p, gain, still, h, rate);
    for (; p < groups; p++)
        any |= move_some(1, &way, p, gain, still, h, rate);
    return carom_lane_any(any);
}

/* how many of the groups from cell i on have no held cell */
static size_t free_groups(const struct step *t, size_t i, size_t last)
{
    size_t groups = 0;
    if (!t->s->held)
        return (last - i) / CAROM_LANES;
    for (; i + CAROM_LANES <= last; i += CAROM_LANES, groups++) {
        unsigned held = 0;
        EACH_LANE(l) held |= t->s->held[i + l];
        if (held)
            break;
    }
    return groups;
}

static void move(struct step *t, size_t block, size_t first, size_t last, places place)
{
    bool far = false;
    for (size_t i = first; i < last;) {
        const size_t groups = free_groups(t, i, last);
        far |= move_groups(t, i, groups, i - first, place);
        i += CAROM_LANES * groups;
        for (size_t k = 0; k < CAROM_LANES && i < last; k++, i++) /* a group with a held cell, or the end of a row */
            far |= move_one(t, i, i - first, place);
    }
    if (far)
        turn_far(t, block, first, last, place);
}

/* rows at the borders of blocks have been moved before */
static bool is_border(const struct step *t, size_t block, size_t row)
{
    size_t first, last;
    if (t->blocks == 1)
        return false;
    carom_solid_sheet_rows(t->s, t->blocks, block, &first, &last);
    return row < first + (block > 0 ? BORDER : 0) || row + (block + 1 < t->blocks ? BORDER : 0) >= last;
}

static void arrive(void *own, size_t block, size_t first, size_t last, places place)
{
    struct step *t = own;
    if (is_border(t, block, first / t->s->grid.count[0]))
        carom_solid_sheet_unpack(t->q1, first, last, place);
    else
        move(t, block, first, last, place);
}

static void move_borders(void *own, size_t number)
{
    struct step *t = own;
    const size_t block = t->from + number;
    const size_t nx = t->s->grid.count[0];
    double room[CAROM_SHEET_PLACES][CAROM_SHEET_CHUNK];
    double *const place[] = {room[0], room[1], room[2], room[3]};
    size_t first, last;
    carom_solid_sheet_rows(t->s, t->blocks, block, &first, &last);
    for (size_t row = first; row < last; row++)
        for (size_t x = 0; is_border(t, block, row) && x < nx; x += CAROM_SHEET_CHUNK)
            move(t, block, row * nx + x, row * nx + (x + CAROM_SHEET_CHUNK < nx ? x + CAROM_SHEET_CHUNK : nx), place);
}

/* --- leaving ---------------------------------------------------------------------------------------------------- */

static bool is_bad(const struct step *t, size_t i)
{
    return !(fabs(t->v1[3 * i]) + fabs(t->v1[3 * i + 1]) + fabs(t->v1[3 * i + 2]) < HUGE_VAL);
}

static bool kick_one(const struct step *t, size_t i)
{
    for (size_t k = 0; k < 3; k++)
        if (!t->s->held || !is_held(t, i, k))
            t->v1[3 * i + k] += t->gain[k] * t->body->force[3 * i + k];
    return is_bad(t, i);
}

static __attribute__((noinline)) void find_bad(struct step *t, size_t block, size_t first, size_t last)
{
    for (size_t i = first; i < last && t->bad[block] == SIZE_MAX; i++)
        if (is_bad(t, i))
            t->bad[block] = i;
}

/* the same for groups; something that is not finite leaves its mark */
ALWAYS_INLINE bool kick_groups(const struct step *t, size_t first, size_t groups)
{
    const double *f = t->body->force + 3 * first;
    double *v1 = t->v1 + 3 * first;
    carom_lane mark = carom_lane_all(0.0), gain[3];
    gains_of(t, gain);
    for (size_t p = 0; p < groups; p++, v1 += 3 * CAROM_LANES, f += 3 * CAROM_LANES) {
        carom_lane v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = carom_lane_load(v1 + CAROM_LANES * k) + gain[k] * carom_lane_load(f + CAROM_LANES * k);
            carom_lane_store(v1 + CAROM_LANES * k, v[k]);
        }
        mark += 0.0 * (v[0] + v[1] + v[2]);
    }
    return !carom_lane_every(mark == 0.0);
}

static void leave(void *own, size_t block, size_t first, size_t last)
{
    struct step *t = own;
    bool odd = false;
    for (size_t i = first; i < last;) {
        const size_t groups = free_groups(t, i, last);
        odd |= kick_groups(t, i, groups);
        i += CAROM_LANES * groups;
        for (size_t k = 0; k < CAROM_LANES && i < last; k++, i++)
            odd |= kick_one(t, i);
    }
    if (odd)
        find_bad(t, block, first, last);
}

#endif
