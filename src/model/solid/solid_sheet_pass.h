/* Plane boxes of one material, without link records: the formulas of solid_flat.c, equal to rounding, with the terms
 * left out that are zero because arms lie along an axis. Row j is followed through three stages: its cells arrive; once
 * row j + 1 is there, its links are measured and its pressures known; once those of row j + 1 are known, its links
 * pull, its forces are complete and it leaves. All in rows of scratch that stay in the cache, some cells of a row side
 * by side. Each cell's numbers come from the same operations in the same order wherever rows are cut into blocks. */
#ifndef CAROM_MODEL_SOLID_SOLID_SHEET_PASS_H
#define CAROM_MODEL_SOLID_SOLID_SHEET_PASS_H

#include "model/solid/solid_sheet.h"

#define STAGE __attribute__((noinline)) /* registers are few enough for one stage */

/* what is kept of a measured link: see kernel/sheet.h; openings have rows of their own */
enum { GAP_X, GAP_Y, APART_X, APART_Y, INVERSE, MEASURES };
enum { LESS = CAROM_SHEET_LESS, SINE = CAROM_SHEET_SINE, PULLS = CAROM_SHEET_PULLS };

enum { PAD = 2 }; /* numbers before and after each row of scratch */

/* numbers of scratch per block and cell of a row */
enum { ROOM = 3 * CAROM_SHEET_PLACES + 4 * (MEASURES + 1) + 2 + 2 * PULLS };

/* cells at a time, and groups of them, one cell in each lane; as scratch has it, it is the same for all lanes */
enum { STEP = 8, GROUPS = STEP / CAROM_LANES };
#define EACH(p) for (size_t p = 0; p < GROUPS; p++)

/* where number `item` of cell x stands in a row that keeps `count` numbers of a group together */
#define AT(count, item, x) \
    ((x) / CAROM_LANES * CAROM_LANES * (size_t)(count) + CAROM_LANES * (size_t)(item) + (x) % CAROM_LANES)
#define MEASURE(item, x) AT(MEASURES, item, x)
#define PULL(item, x) AT(PULLS, item, x)

/* one block at work; rows of scratch in turn, as many as are needed at a time */
struct work {
    const struct carom_sheet_sweep *sweep;
    const struct carom_solid *s;
    size_t number, nx, ny, first, last; /* rows [first, last) are its own */
    struct carom_sheet_axis axis[2];
    double *place[3][CAROM_SHEET_PLACES];
    double *across[2], *up[2], *open[2][2]; /* links to the right and upwards: measures; openings by axis */
    double *pressure[2], *above[2];
    carom_lane before[PULLS]; /* what links to the right of the last group of a chunk do */
};

/* cells of a row and some more, to go in whole steps */
static size_t length(size_t nx)
{
    return (nx + STEP - 1) / STEP * STEP;
}

static size_t stride(size_t nx)
{
    return length(nx) + 2 * PAD;
}

/* --- links ------------------------------------------------------------------------------------------------------ */

/* vectors of a measured link */
ALWAYS_INLINE void vectors(const double *m, carom_lane gap[2], carom_lane apart[2])
{
    for (int k = 0; k < 2; k++) {
        gap[k] = carom_lane_load(m + MEASURE(GAP_X + k, 0));
        apart[k] = carom_lane_load(m + MEASURE(APART_X + k, 0));
    }
}

/* each for itself, so that neighbours do not matter */
static __attribute__((noinline)) void measure_far(const struct carom_sheet_axis *a, size_t from, size_t to, double *m,
                                                  double *open)
{
    for (size_t x = from; x < to; x += CAROM_LANES, m += MEASURE(0, CAROM_LANES)) {
        carom_lane gap[2], apart[2], inverse = carom_lane_load(m + MEASURE(INVERSE, 0)),
                                     out = carom_lane_load(open + x);
        vectors(m, gap, apart);
        carom_sheet_measure_far(*a, gap, apart, &inverse, &out);
        carom_lane_store(m + MEASURE(INVERSE, 0), inverse);
        carom_lane_store(open + x, out);
    }
}

/* Links along axis k from cells i to cells j, x = [from, to) of both. */
ALWAYS_INLINE void measure(const struct carom_sheet_axis *axis, int k, const double *const i[CAROM_SHEET_PLACES],
                           const double *const j[CAROM_SHEET_PLACES], size_t from, size_t to, double *row, double *open)
{
    const int c = 1 - k;
    const struct carom_sheet_axis a = *axis;
    double *m = row + MEASURE(0, from);
    carom_lane_mask any = {0};
    for (size_t x = from; x < to; x += STEP, m += MEASURE(0, STEP)) {
        carom_lane along[GROUPS], aside[GROUPS], less[GROUPS], sine[GROUPS];
        carom_lane gap[GROUPS], slip[GROUPS], apart[GROUPS], inverse[GROUPS], square[GROUPS], out[GROUPS];
        EACH(p)
        {
            along[p] = carom_lane_load(j[k] + x + CAROM_LANES * p) - carom_lane_load(i[k] + x + CAROM_LANES * p);
            aside[p] = carom_lane_load(j[c] + x + CAROM_LANES * p) - carom_lane_load(i[c] + x + CAROM_LANES * p);
            less[p] = carom_lane_load(i[LESS] + x + CAROM_LANES * p) + carom_lane_load(j[LESS] + x + CAROM_LANES * p);
            sine[p] = carom_lane_load(i[SINE] + x + CAROM_LANES * p) + carom_lane_load(j[SINE] + x + CAROM_LANES * p);
        }
        carom_sheet_measure(GROUPS, a, k, along, aside, less, sine, gap, slip, apart, inverse, square, out);
        EACH(p)
        {
            carom_lane_store(m + MEASURE(GAP_X + k, CAROM_LANES * p), gap[p]);
            carom_lane_store(m + MEASURE(GAP_X + c, CAROM_LANES * p), slip[p]);
            carom_lane_store(m + MEASURE(APART_X + k, CAROM_LANES * p), apart[p]);
            carom_lane_store(m + MEASURE(APART_X + c, CAROM_LANES * p), aside[p]);
            carom_lane_store(m + MEASURE(INVERSE, CAROM_LANES * p), inverse[p]);
            carom_lane_store(open + x + CAROM_LANES * p, out[p]);
            any |= square[p] > CAROM_SHEET_NEAR;
        }
    }
    if (carom_lane_any(any))
        measure_far(axis, from, to, row + MEASURE(0, from), open);
}

ALWAYS_INLINE void pull(const struct carom_sheet_axis *a, const double *m, carom_lane open, carom_lane pressures,
                        const carom_lane less[2], const carom_lane sine[2], carom_lane out[PULLS])
{
    carom_lane gap[2], apart[2];
    vectors(m, gap, apart);
    carom_sheet_pull(*a, gap, apart, carom_lane_load(m + MEASURE(INVERSE, 0)), open, pressures, less, sine, out);
}

/* --- stages of rows, for cells [from, to) ----------------------------------------------------------------------- */

static void arrive(struct work *w, size_t row, size_t from, size_t to)
{
    const size_t end = to < w->nx ? to : w->nx;
    double *place[CAROM_SHEET_PLACES];
    for (int k = 0; k < CAROM_SHEET_PLACES; k++)
        place[k] = w->place[row % 3][k] + from;
    w->sweep->arrive(w->sweep->own, w->number, row * w->nx + from, row * w->nx + end, place);
    /* cells beyond the last are like it, so that whole steps find something harmless; its links are struck out */
    for (size_t x = end; end == w->nx && x <= to; x++)
        for (int k = 0; k < CAROM_SHEET_PLACES; k++)
            w->place[row % 3][k][x] = w->place[row % 3][k][end - 1];
}

static STAGE void measure_across(struct work *w, size_t row, size_t from, size_t to)
{
    double *const *own = w->place[row % 3], *m = w->across[row % 2], *open = w->open[0][row % 2];
    const double *const i[] = {own[0], own[1], own[2], own[3]};
    const double *const j[] = {own[0] + 1, own[1] + 1, own[2] + 1, own[3] + 1};
    measure(&w->axis[0], 0, i, j, from, to, m, open);
    for (size_t x = w->nx - 1; x < to; x++) { /* nothing is on the right of the last */
        open[x] = 0.0;
        for (int k = 0; k < MEASURES; k++)
            m[MEASURE(k, x)] = 0.0;
    }
}

static STAGE void measure_up(struct work *w, size_t row, size_t from, size_t to)
{
    double *const *own = w->place[row % 3], *const *above = w->place[(row + 1) % 3];
    const double *const i[] = {own[0], own[1], own[2], own[3]};
    const double *const j[] = {above[0], above[1], above[2], above[3]};
    measure(&w->axis[1], 1, i, j, from, to, w->up[row % 2], w->open[1][row % 2]);
}

static STAGE void press(struct work *w, size_t row, size_t from, size_t to)
{
    const double *across = w->open[0][row % 2], *up = w->open[1][row % 2], *down = w->open[1][(row + 1) % 2];
    const double *scale = carom_solid_sheet_scale(w->s, row);
    double *pressure = w->pressure[row % 2];
    for (size_t x = from; x < to; x += STEP) {
        carom_lane sum[GROUPS];
        EACH(p)
        sum[p] = carom_lane_load(across + x + CAROM_LANES * p - 1) + carom_lane_load(across + x + CAROM_LANES * p);
        EACH(p) sum[p] += carom_lane_load(down + x + CAROM_LANES * p) + carom_lane_load(up + x + CAROM_LANES * p);
        EACH(p) carom_lane_store(pressure + x + CAROM_LANES * p, carom_lane_load(scale + x + CAROM_LANES * p) * sum[p]);
    }
    const size_t end = to < w->nx ? to : w->nx, cell = row * w->nx;
    carom_solid_loads_swell(w->s, w->sweep->t, cell + from, cell + end, pressure + from);
    if (w->sweep->pressure && row >= w->first && row < w->last)
        memcpy(w->sweep->pressure + cell + from, pressure + from, (end - from) * sizeof *pressure);
}

static STAGE void pull_up(struct work *w, size_t row, size_t from, size_t to)
{
    const struct carom_sheet_axis a = w->axis[1];
    double *const *own = w->place[row % 3], *const *above = w->place[(row + 1) % 3];
    const double *l0 = own[LESS], *l1 = above[LESS];
    const double *s0 = own[SINE], *s1 = above[SINE];
    const double *p0 = w->pressure[row % 2], *p1 = w->pressure[(row + 1) % 2], *open = w->open[1][row % 2];
    const double *m = w->up[row % 2] + MEASURE(0, from);
    double *to_row = w->above[row % 2] + PULL(0, from);
    for (size_t x = from; x < to; x += CAROM_LANES, m += MEASURE(0, CAROM_LANES), to_row += PULL(0, CAROM_LANES)) {
        const carom_lane less[2] = {carom_lane_load(l0 + x), carom_lane_load(l1 + x)},
                         sine[2] = {carom_lane_load(s0 + x), carom_lane_load(s1 + x)};
        carom_lane out[PULLS];
        pull(&a, m, carom_lane_load(open + x), carom_lane_load(p0 + x) + carom_lane_load(p1 + x), less, sine, out);
        for (int k = 0; k < PULLS; k++)
            carom_lane_store(to_row + PULL(k, 0), out[k]);
    }
}

/* where a row is gathered: of its cells; and, at the next ones, measures of links to the right and what those upwards
 * and downwards do */
struct reach {
    const double *less, *sine, *pressure, *open;
    const double *across, *up, *down;
};

ALWAYS_INLINE void reach_on(struct reach *r, size_t cells)
{
    r->across += MEASURE(0, cells);
    r->up += PULL(0, cells);
    r->down += PULL(0, cells);
}

/* Force and torque of a group of cells from what their four links do. Those to the right pull here; what they do stays
 * in registers until their second cells have had their share: `before`, of the group before. */
ALWAYS_INLINE void gather_group(const struct carom_sheet_axis *a, const double half[2], const double weight[2],
                                const struct reach *r, size_t x, size_t on, carom_lane before[PULLS], carom_lane out[3])
{
    const double *l = r->less + x + on, *s = r->sine + x + on, *p = r->pressure + x + on;
    const carom_lane less[2] = {carom_lane_load(l), carom_lane_load(l + 1)},
                     sine[2] = {carom_lane_load(s), carom_lane_load(s + 1)};
    carom_lane side[PULLS], pile[PULLS], right[PULLS];
    pull(a, r->across + MEASURE(0, on), carom_lane_load(r->open + x + on), carom_lane_load(p) + carom_lane_load(p + 1),
         less, sine, right);
    for (int k = 0; k < PULLS; k++) {
        const carom_lane left = carom_lane_between(before[k], right[k]);
        side[k] = carom_sheet_both(k, right[k], left);
        pile[k] = carom_sheet_both(k, carom_lane_load(r->up + PULL(k, on)), carom_lane_load(r->down + PULL(k, on)));
        before[k] = right[k];
    }
    carom_sheet_gather(half, weight, side, pile, less[0], sine[0], out);
}

ALWAYS_INLINE void put_group(double *f, const carom_lane x[3])
{
    carom_lane row[3];
    carom_lane_triples(x, row);
    for (size_t k = 0; k < 3; k++)
        carom_lane_store(f + CAROM_LANES * k, row[k]);
}

/* two groups a round: fewer instructions for counting and for handing on what is `before` */
static STAGE void gather(struct work *w, size_t row, size_t from, size_t to)
{
    const struct carom_sheet_axis a = w->axis[0];
    const double half[2] = {w->axis[0].arm, w->axis[1].arm}, mass = w->s->sorts[0].mass;
    const double weight[2] = {mass * w->s->gravity[0], mass * w->s->gravity[1]};
    struct reach r = {w->place[row % 3][LESS],
                      w->place[row % 3][SINE],
                      w->pressure[row % 2],
                      w->open[0][row % 2],
                      w->across[row % 2] + MEASURE(0, from),
                      w->above[row % 2] + PULL(0, from),
                      w->above[(row + 1) % 2] + PULL(0, from)};
    double *f = w->sweep->f + 3 * (row * w->nx + from);
    const size_t end = to < w->nx ? to : w->nx;
    carom_lane before[PULLS], out[2][3];
    for (int k = 0; k < PULLS; k++)
        before[k] = from > 0 ? w->before[k] : carom_lane_all(0.0);
    size_t x = from;
    for (; x + 2 * CAROM_LANES <= end; x += 2 * CAROM_LANES, f += 6 * CAROM_LANES, reach_on(&r, 2 * CAROM_LANES)) {
        gather_group(&a, half, weight, &r, x, 0, before, out[0]);
        gather_group(&a, half, weight, &r, x, CAROM_LANES, before, out[1]);
        put_group(f, out[0]);
        put_group(f + 3 * CAROM_LANES, out[1]);
    }
    for (int k = 0; k < PULLS; k++)
        w->before[k] = before[k];
    for (; x < end; x += CAROM_LANES, f += 3 * CAROM_LANES, reach_on(&r, CAROM_LANES)) { /* at the end of a row */
        double rest[3 * CAROM_LANES];
        gather_group(&a, half, weight, &r, x, 0, before, out[0]);
        put_group(rest, out[0]);
        memcpy(f, rest, 3 * (end - x < CAROM_LANES ? end - x : CAROM_LANES) * sizeof *f);
    }
}

/* --- the sweep -------------------------------------------------------------------------------------------------- */

/* links that are not there */
static void strike(double *row, size_t count, size_t from, size_t to)
{
    memset(row + count * from, 0, count * (to - from) * sizeof *row);
}

/* one step: row `step` arrives, the one before is measured, the one before that is pulled and leaves */
static void advance(struct work *w, size_t start, size_t step, size_t from, size_t to)
{
    const size_t top = w->last + 2 < w->ny ? w->last + 2 : w->ny; /* rows above are not asked for */
    if (step < top)
        arrive(w, step, from, to);
    if (step > start && step <= top) {
        const size_t row = step - 1;
        if (row + 1 < top)
            measure_up(w, row, from, to);
        else if (row + 1 == w->ny)
            strike(w->open[1][row % 2], 1, from, to);
        if (row + 1 >= w->first && row <= w->last) {
            measure_across(w, row, from, to);
            press(w, row, from, to);
        }
    }
    if (!w->sweep->f || step < w->first + 1)
        return;
    const size_t row = step - 2, end = to < w->nx ? to : w->nx; /* before the first: only its links upwards matter */
    if (step >= 2 && row + 1 < w->ny)
        pull_up(w, row, from, to);
    else
        strike(w->above[step % 2], PULLS, from, to);
    if (step < w->first + 2)
        return;
    gather(w, row, from, to);
    carom_solid_loads_push(w->s, w->sweep->t, row * w->nx + from, row * w->nx + end, w->sweep->q, w->sweep->f);
    if (w->sweep->leave)
        w->sweep->leave(w->sweep->own, w->number, row * w->nx + from, row * w->nx + end);
}

/* the next row of scratch */
static double *take(double **room, size_t nx, size_t count)
{
    double *row = *room + count * PAD;
    *room += count * stride(nx);
    return row;
}

static void set_up(struct work *w, double *room)
{
    for (int k = 0; k < 2; k++) {
        w->axis[k] = carom_solid_sheet_axis(w->s, k);
        w->across[k] = take(&room, w->nx, MEASURES);
        w->up[k] = take(&room, w->nx, MEASURES);
        w->above[k] = take(&room, w->nx, PULLS);
        w->pressure[k] = take(&room, w->nx, 1);
        w->open[0][k] = take(&room, w->nx, 1);
        w->open[1][k] = take(&room, w->nx, 1);
    }
    for (int k = 0; k < 3 * CAROM_SHEET_PLACES; k++)
        w->place[k / CAROM_SHEET_PLACES][k % CAROM_SHEET_PLACES] = take(&room, w->nx, 1);
}

static void sweep_block(void *own, size_t number)
{
    const struct carom_sheet_sweep *sweep = own;
    const struct carom_solid *s = sweep->solid;
    struct work w = {.sweep = sweep, .s = s, .number = number, .nx = s->grid.count[0], .ny = s->grid.count[1]};
    carom_solid_sheet_rows(s, sweep->blocks, number, &w.first, &w.last);
    set_up(&w, sweep->rows + ROOM * number * stride(w.nx));
    const size_t start = w.first > 2 ? w.first - 2 : 0;
    if (start == 0)
        strike(w.open[1][1], 1, 0, length(w.nx));
    for (size_t step = start; step <= w.last + 1; step++)
        for (size_t x = 0; x < w.nx; x += CAROM_SHEET_CHUNK)
            advance(&w, start, step, x, x + CAROM_SHEET_CHUNK < w.nx ? x + CAROM_SHEET_CHUNK : length(w.nx));
}

#endif
