/* RATTLE on plane boxes of one material in one sweep through their rows (model/solid_sheet.c): kick and drift as cells
 * arrive, the second kick as they leave with their new forces, so that a cell comes from memory once a step. Two cells
 * at a time. The turn of a step, sin(turn) = x, is written as a series in x^2 where x is small. Driven cells need the
 * forces of both ends side by side and go the general way. */
#include "scheme/solid/rattle_sheet.h"

#include "kernel/still.h"
#include "kernel/turn.h"
#include "model/solid/solid_sheet.h"

enum {
    PAIRS = 2, /* of cells that are turned side by side */
    BORDER = 2 /* rows at either side of a block that its neighbour looks at */
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

static bool drives(const struct carom_solid *s)
{
    for (size_t h = 0; h < s->nholds; h++)
        if (s->hold[h].driven)
            return true;
    return false;
}

bool carom_rattle_sheet_fits(const struct carom_solid *s)
{
    return carom_solid_sheet_fits(s) && !drives(s) && !s->self;
}

ALWAYS_INLINE bool is_held(const struct step *t, size_t cell, size_t k)
{
    return ((unsigned)t->s->held[cell] >> (k == 2 ? 5 : k) & 1U) != 0;
}

#define EACH(p) for (size_t p = 0; p < pairs; p++)

/* --- arriving --------------------------------------------------------------------------------------------------- */

typedef double *const places[CAROM_SHEET_PLACES];

/* one cell: the last of an odd row, or one that is held; is it too fast for the series? */
static bool move_one(const struct step *t, size_t i, size_t at, places place)
{
    const double *q0 = t->q0 + 4 * i, *f = t->body->force + 3 * i, *v0 = t->v0 + 3 * i;
    double *q1 = t->q1 + 4 * i, *v1 = t->v1 + 3 * i;
    carom_lane a[1] = {{q0[2], q0[2]}}, d[1] = {{q0[3], q0[3]}}, less, sine;
    for (size_t k = 0; k < 3; k++)
        v1[k] = t->s->held && is_held(t, i, k) ? v0[k] : v0[k] + t->gain[k] * f[k];
    for (size_t k = 0; k < 2; k++)
        place[k][at] = q1[k] = q0[k] + t->h * carom_still(v1[k], t->body->still[0]);
    const double x = t->rate * carom_still(v1[2], t->body->still[1]), w = x * x;
    carom_sheet_turn(1, (carom_lane[]){{x, x}}, (carom_lane[]){{w, w}}, a, d);
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

/* Kick and drift of pair i; its angle (as a sine) and its half turn, still to be made. */
ALWAYS_INLINE void kick_drift(const struct way *t, size_t i, const carom_lane gain[3], const carom_lane still[2],
                              double h, double rate, carom_lane *x, carom_lane *a, carom_lane *d)
{
    const double *q0 = t->q0 + 8 * i, *v0 = t->v0 + 6 * i, *f = t->f + 6 * i;
    double *q1 = t->q1 + 8 * i, *v1 = t->v1 + 6 * i;
    carom_lane v[3];
    for (int k = 0; k < 3; k++)
        v[k] = carom_lane_load(v0 + 2 * k) + gain[k] * carom_lane_load(f + 2 * k);
    const carom_lane u[2] = {carom_lane_load(q0) + h * carom_still_lane(v[0], still[0]),
                             carom_lane_load(q0 + 4) + h * carom_still_lane((carom_lane){v[1][1], v[2][0]}, still[0])};
    const carom_lane own = carom_lane_load(q0 + 2), next = carom_lane_load(q0 + 6);
    for (int k = 0; k < 3; k++)
        carom_lane_store(v1 + 2 * k, v[k]);
    carom_lane_store(q1, u[0]);
    carom_lane_store(q1 + 4, u[1]);
    carom_lane_store(t->x + 2 * i, (carom_lane){u[0][0], u[1][0]});
    carom_lane_store(t->y + 2 * i, (carom_lane){u[0][1], u[1][1]});
    *x = rate * carom_still_lane((carom_lane){v[1][0], v[2][1]}, still[1]);
    *a = (carom_lane){own[0], next[0]};
    *d = (carom_lane){own[1], next[1]};
}

/* Pairs from `first` on side by side; set where a cell is too fast for the series. */
ALWAYS_INLINE carom_lane_mask move_some(size_t pairs, const struct way *t, size_t first, const carom_lane gain[3],
                                        const carom_lane still[2], double h, double rate)
{
    carom_lane x[PAIRS], w[PAIRS], a[PAIRS], d[PAIRS], less[PAIRS], sine[PAIRS];
    carom_lane_mask far = {0, 0};
    EACH(p) kick_drift(t, first + p, gain, still, h, rate, &x[p], &a[p], &d[p]);
    EACH(p) w[p] = x[p] * x[p];
    carom_sheet_turn((int)pairs, x, w, a, d);
    EACH(p) carom_sheet_angle(a[p], d[p], &less[p], &sine[p]);
    EACH(p)
    {
        const size_t i = first + p;
        carom_lane_store(t->q1 + 8 * i + 2, (carom_lane){a[p][0], d[p][0]});
        carom_lane_store(t->q1 + 8 * i + 6, (carom_lane){a[p][1], d[p][1]});
        carom_lane_store(t->less + 2 * i, less[p]);
        carom_lane_store(t->sine + 2 * i, sine[p]);
        far |= w[p] > CAROM_SHEET_SLOW;
    }
    return far;
}

/* Pairs of cells from cell i on, none of them held; true where a cell is too fast for the series. */
static bool move_pairs(const struct step *t, size_t i, size_t pairs, size_t at, places place)
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
    const carom_lane gain[3] = {{t->gain[0], t->gain[1]}, {t->gain[2], t->gain[0]}, {t->gain[1], t->gain[2]}};
    const carom_lane still[2] = {carom_lane_all(t->body->still[0]), carom_lane_all(t->body->still[1])};
    const double h = t->h, rate = t->rate;
    carom_lane_mask any = {0, 0};
    size_t p = 0;
    for (; p + PAIRS <= pairs; p += PAIRS)
        any |= move_some(PAIRS, &way, p, gain, still, h, rate);
    for (; p < pairs; p++)
        any |= move_some(1, &way, p, gain, still, h, rate);
    return any[0] | any[1];
}

/* how many of the pairs from cell i on have no held cell */
static size_t free_pairs(const struct step *t, size_t i, size_t last)
{
    size_t pairs = 0;
    if (!t->s->held)
        return (last - i) / 2;
    for (; i + 1 < last && !(t->s->held[i] | t->s->held[i + 1]); i += 2)
        pairs++;
    return pairs;
}

static void move(struct step *t, size_t block, size_t first, size_t last, places place)
{
    bool far = false;
    for (size_t i = first; i < last;) {
        const size_t pairs = free_pairs(t, i, last);
        far |= move_pairs(t, i, pairs, i - first, place);
        i += 2 * pairs;
        for (size_t k = 0; k < 2 && i < last; k++, i++) /* the pair with a held cell, or the last of an odd row */
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

/* the same for pairs; something that is not finite leaves its mark */
ALWAYS_INLINE bool kick_pairs(const struct step *t, size_t first, size_t pairs)
{
    const carom_lane gain[3] = {{t->gain[0], t->gain[1]}, {t->gain[2], t->gain[0]}, {t->gain[1], t->gain[2]}};
    const double *f = t->body->force + 3 * first;
    double *v1 = t->v1 + 3 * first;
    carom_lane mark = {0.0, 0.0};
    for (size_t p = 0; p < pairs; p++, v1 += 6, f += 6) {
        carom_lane v[3];
        for (int k = 0; k < 3; k++) {
            v[k] = carom_lane_load(v1 + 2 * k) + gain[k] * carom_lane_load(f + 2 * k);
            carom_lane_store(v1 + 2 * k, v[k]);
        }
        mark += 0.0 * (v[0] + v[1] + v[2]);
    }
    return !(mark[0] == 0.0 && mark[1] == 0.0);
}

static void leave(void *own, size_t block, size_t first, size_t last)
{
    struct step *t = own;
    bool odd = false;
    for (size_t i = first; i < last;) {
        const size_t pairs = free_pairs(t, i, last);
        odd |= kick_pairs(t, i, pairs);
        i += 2 * pairs;
        for (size_t k = 0; k < 2 && i < last; k++, i++)
            odd |= kick_one(t, i);
    }
    if (odd)
        find_bad(t, block, first, last);
}

/* --- the step --------------------------------------------------------------------------------------------------- */

static struct step step_of(const struct carom_rattle_body *body, const struct carom_rattle_move *m)
{
    const struct carom_solid *s = body->solid;
    /* All that move are of one mass and inertia, those of the first sort; cells that are cut in half stand still. */
    const struct carom_solid_sort *sort = &s->sorts[0];
    const double light = 0.5 * m->h * sort->inverse_mass;
    struct step t = {.body = body, .s = s, .q0 = m->q0, .v0 = m->v0, .q1 = m->q1, .v1 = m->v1, .h = m->h};
    t.rate = m->h * sort->inverse_inertia[2];
    t.gain[0] = t.gain[1] = light;
    t.gain[2] = 0.5 * m->h;
    t.blocks = m->blocks;
    t.from = m->from;
    t.to = m->to;
    for (size_t b = 0; b < t.blocks; b++)
        t.fast[b] = t.bad[b] = SIZE_MAX;
    return t;
}

static void sweep_block(void *own, size_t number)
{
    struct step *t = own;
    carom_solid_sheet_sweep(&t->sweep, t->from + number);
}

/* the first cell that turns too fast, in `t` or before */
static size_t first_fast(const struct step *t, size_t fast)
{
    for (size_t b = t->from; b < t->to; b++)
        fast = t->fast[b] < fast ? t->fast[b] : fast;
    return fast;
}

void carom_rattle_sheet_borders(const struct carom_rattle_body *body, struct carom_rattle_move *m)
{
    struct step t = step_of(body, m);
    carom_threads_run(m->threads, move_borders, &t, t.to - t.from);
    m->fast = first_fast(&t, m->fast);
}

size_t carom_rattle_sheet_sweep(const struct carom_rattle_body *body, const struct carom_rattle_move *m)
{
    struct step t = step_of(body, m);
    t.sweep = (struct carom_sheet_sweep){.solid = t.s,
                                         .t = m->t1,
                                         .q = m->q1,
                                         .rows = body->work.rows,
                                         .pressure = t.s->nloads > 0 ? body->work.pressure : NULL,
                                         .f = body->force,
                                         .blocks = t.blocks,
                                         .arrive = arrive,
                                         .leave = leave,
                                         .own = &t};
    carom_threads_run(m->threads, sweep_block, &t, t.to - t.from);
    const size_t fast = first_fast(&t, m->fast);
    size_t bad = SIZE_MAX;
    for (size_t b = t.from; b < t.to; b++)
        bad = t.bad[b] < bad ? t.bad[b] : bad;
    return fast != SIZE_MAX ? fast : bad;
}

size_t carom_rattle_sheet_step(const struct carom_rattle_body *body, struct carom_rattle_move *m)
{
    m->blocks = m->to = m->threads ? carom_solid_sheet_blocks(body->solid) : 1;
    if (m->blocks > 1)
        carom_rattle_sheet_borders(body, m);
    return carom_rattle_sheet_sweep(body, m);
}
