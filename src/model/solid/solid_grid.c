/* Boxes in space of one material, without link records: kernel/brick.h has each link. Two cells of a row at a time;
 * their links in the order x, y, z, whose forces on the cell itself are added up before they join the others. */
#include "kernel/brick.h"
#include "model/solid/solid.h"
#include "model/solid/solid_pair.h"

/* Much is ALWAYS_INLINE: the axis must be a constant in what is compiled. */

ALWAYS_INLINE void load(const double *q, size_t cell, size_t lanes, struct carom_brick *t)
{
    const struct carom_pair_side s = carom_pair_side_of(q + 7 * cell, q + 7 * (cell + lanes - 1));
    *t = (struct carom_brick){{s.u.x, s.u.y, s.u.z}, s.a, {s.w.x, s.w.y, s.w.z}};
}

/* Numbers that the dilatation leaves of each link to the forces: Du and the inverse distance. Each cell has three. */
enum { STRETCH = 4 };

size_t carom_solid_grid_room(const struct carom_solid *s)
{
    return 3 * STRETCH * s->n;
}

/* their place: links of a pair along one axis stand together, after those along axes before it; the pair is the same
 * in both passes */
ALWAYS_INLINE double *slot_of(const struct carom_solid_call *c, size_t cell, int k, size_t pair)
{
    return c->stretch + STRETCH * (3 * cell + (size_t)k * pair);
}

ALWAYS_INLINE void keep(const struct carom_brick_bond *b, double *slot, size_t pair)
{
    const carom_lane x[STRETCH] = {b->gap[0], b->gap[1], b->gap[2], b->inverse};
    for (size_t c = 0; c < STRETCH; c++) {
        if (pair == 2)
            memcpy(slot + 2 * c, &x[c], sizeof x[c]);
        else
            slot[c] = x[c][0];
    }
}

ALWAYS_INLINE void recall(const struct carom_brick *i, const struct carom_brick *j, int k, double edge,
                          const double *slot, size_t pair, struct carom_brick_bond *b)
{
    carom_lane here[3];
    carom_brick_shift(i, k, 0.5 * edge, here);
    carom_brick_reach(i, j, k, edge, here, b);
    for (int c = 0; c < 3; c++)
        b->gap[c] = pair == 2 ? (carom_lane){slot[2 * c], slot[2 * c + 1]} : (carom_lane){slot[c], slot[c]};
    b->inverse = pair == 2 ? (carom_lane){slot[6], slot[7]} : (carom_lane){slot[3], slot[3]};
}

/* how many of the two cells have a neighbour after them along axis k */
ALWAYS_INLINE size_t linked(const struct carom_solid *s, const size_t at[3], int k, size_t lanes)
{
    if (k > 0)
        return at[k] + 1 < s->grid.count[k] ? lanes : 0;
    const size_t left = s->grid.count[0] - 1 - at[0];
    return left < lanes ? left : lanes;
}

/* the place of a cell, and the next one: to the end of the row, at most two on */
ALWAYS_INLINE size_t stride(const struct carom_solid *s, const size_t at[3], size_t cell, size_t last)
{
    return at[0] + 1 < s->grid.count[0] && cell + 1 < last ? 2 : 1;
}

ALWAYS_INLINE void begin(const struct carom_solid *s, size_t cell, size_t at[3])
{
    at[0] = cell % s->grid.count[0];
    at[1] = cell / s->grid.count[0] % s->grid.count[1];
    at[2] = cell / s->grid.count[0] / s->grid.count[1];
}

ALWAYS_INLINE void advance(const struct carom_solid *s, size_t lanes, size_t at[3])
{
    at[0] += lanes;
    for (int k = 0; k < 2 && at[k] == s->grid.count[k]; k++) {
        at[k] = 0;
        at[k + 1]++;
    }
}

/* --- the dilatation -------------------------------------------------------------------------------------------- */

/* Links along axis k of the first `lanes` cells of a pair (pair = 1: of a single cell): the second cells feel it at
 * once, the first ones in `own_sum`. */
ALWAYS_INLINE void dilate_axis(const struct carom_solid_call *c, const struct carom_brick *own, size_t cell,
                               size_t pair, size_t lanes, int k, size_t step, size_t last, bool kept,
                               carom_lane *own_sum)
{
    const struct carom_solid *s = c->solid;
    const double part = s->shape[k].part[0]; /* both sides alike */
    struct carom_brick next;
    struct carom_brick_bond b;
    load(c->q, cell + step, lanes, &next);
    carom_brick_join(own, &next, k, s->shape[k].apart[k], &b);
    if (kept)
        keep(&b, slot_of(c, cell, k, pair), pair);
    const carom_lane add = part * carom_brick_open(&b);
    if (lanes == 2 && cell + 1 + step < last) {
        carom_lane_onto(c->sum + cell + step, add);
    } else {
        for (size_t l = 0; l < lanes; l++)
            if (cell + l + step < last)
                c->sum[cell + l + step] += add[l];
    }
    *own_sum += lanes == pair ? add : (carom_lane){add[0], 0.0};
}

/* do two cells have links along all axes that end in this block? */
ALWAYS_INLINE bool inside(const struct carom_solid *s, const size_t at[3], size_t cell, size_t layer, size_t last)
{
    return at[0] + 2 < s->grid.count[0] && at[1] + 1 < s->grid.count[1] && at[2] + 1 < s->grid.count[2] &&
           cell + 1 + layer < last;
}

/* `kept` is a constant where this is compiled in: are there forces to come? */
ALWAYS_INLINE void dilate(const struct carom_solid_call *c, size_t first, size_t last, bool kept)
{
    const struct carom_solid *s = c->solid;
    const size_t nx = s->grid.count[0], layer = nx * s->grid.count[1];
    size_t at[3];
    begin(s, first, at);
    for (size_t cell = first, lanes; cell < last; cell += lanes) {
        struct carom_brick own;
        carom_lane sum = {0.0, 0.0};
        if (inside(s, at, cell, layer, last)) { /* nearly always, and with numbers that are known here */
            lanes = 2;
            load(c->q, cell, 2, &own);
            dilate_axis(c, &own, cell, 2, 2, 0, 1, SIZE_MAX, kept, &sum);
            dilate_axis(c, &own, cell, 2, 2, 1, nx, SIZE_MAX, kept, &sum);
            dilate_axis(c, &own, cell, 2, 2, 2, layer, SIZE_MAX, kept, &sum);
        } else {
            lanes = stride(s, at, cell, last);
            load(c->q, cell, lanes, &own);
            if (linked(s, at, 0, lanes))
                dilate_axis(c, &own, cell, lanes, linked(s, at, 0, lanes), 0, 1, last, kept, &sum);
            if (linked(s, at, 1, lanes))
                dilate_axis(c, &own, cell, lanes, lanes, 1, nx, last, kept, &sum);
            if (linked(s, at, 2, lanes))
                dilate_axis(c, &own, cell, lanes, lanes, 2, layer, last, kept, &sum);
        }
        for (size_t l = 0; l < lanes; l++)
            c->sum[cell + l] += sum[l];
        advance(s, lanes, at);
    }
}

void carom_solid_grid_dilate(const struct carom_solid_call *c, size_t first, size_t last)
{
    if (c->stretch)
        dilate(c, first, last, true);
    else
        dilate(c, first, last, false);
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

/* the second cells feel it at once, the first ones in `own_f` */
ALWAYS_INLINE void pull_axis(const struct carom_solid_call *c, const struct carom_brick *own, size_t cell, size_t pair,
                             size_t lanes, int k, size_t step, size_t last, carom_lane own_f[6])
{
    const struct carom_solid *s = c->solid;
    const struct carom_solid_shape *shape = &s->shape[k];
    struct carom_brick next;
    struct carom_brick_bond b;
    carom_lane one[6], two[6];
    load(c->q, cell + step, lanes, &next);
    recall(own, &next, k, shape->apart[k], slot_of(c, cell, k, pair), pair, &b);
    const double *p = c->sum + cell, *o = c->sum + cell + step;
    const carom_lane press =
        shape->part[0] * (carom_lane){p[0], p[lanes - 1]} + shape->part[1] * (carom_lane){o[0], o[lanes - 1]};
    carom_brick_pull(own, &next, &b, shape->stiff, shape->bend, press, one, two);
    if (cell + step < last)
        carom_lane_off_six(c->f + 6 * (cell + step), two, 0);
    if (lanes == 2 && cell + 1 + step < last)
        carom_lane_off_six(c->f + 6 * (cell + 1 + step), two, 1);
    for (int e = 0; e < 6; e++)
        own_f[e] += lanes == pair ? one[e] : (carom_lane){one[e][0], 0.0};
}

void carom_solid_grid_pull(const struct carom_solid_call *c, size_t first, size_t last)
{
    const struct carom_solid *s = c->solid;
    const size_t nx = s->grid.count[0], layer = nx * s->grid.count[1];
    size_t at[3];
    begin(s, first, at);
    for (size_t cell = first, lanes; cell < last; cell += lanes) {
        struct carom_brick own;
        carom_lane f[6] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        if (inside(s, at, cell, layer, last)) {
            lanes = 2;
            load(c->q, cell, 2, &own);
            pull_axis(c, &own, cell, 2, 2, 0, 1, SIZE_MAX, f);
            pull_axis(c, &own, cell, 2, 2, 1, nx, SIZE_MAX, f);
            pull_axis(c, &own, cell, 2, 2, 2, layer, SIZE_MAX, f);
        } else {
            lanes = stride(s, at, cell, last);
            load(c->q, cell, lanes, &own);
            if (linked(s, at, 0, lanes))
                pull_axis(c, &own, cell, lanes, linked(s, at, 0, lanes), 0, 1, last, f);
            if (linked(s, at, 1, lanes))
                pull_axis(c, &own, cell, lanes, lanes, 1, nx, last, f);
            if (linked(s, at, 2, lanes))
                pull_axis(c, &own, cell, lanes, lanes, 2, layer, last, f);
        }
        carom_lane_onto_six(c->f + 6 * cell, f, 0);
        if (lanes == 2)
            carom_lane_onto_six(c->f + 6 * (cell + 1), f, 1);
        advance(s, lanes, at);
    }
}
