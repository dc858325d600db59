/* Boxes in space of one material, without link records: kernel/brick.h has each link. Some cells of a row at a time, as
 * many as there are lanes; their links in the order x, y, z, whose forces on the cell itself are added up before they
 * join the others. A cell is acted on along z, y, x and then by its own links, however many go side by side. */
#ifndef CAROM_MODEL_SOLID_SOLID_GRID_PASS_H
#define CAROM_MODEL_SOLID_SOLID_GRID_PASS_H

#include "kernel/brick.h"
#include "model/solid/solid.h"
#include "model/solid/solid_pair.h"

/* Much is ALWAYS_INLINE: the axis must be a constant in what is compiled. */

/* `lanes` cells from this one on; lanes beyond have the last of them again */
ALWAYS_INLINE void load(const double *q, size_t cell, size_t lanes, struct carom_brick *t)
{
    const double *at[CAROM_LANES];
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = q + 7 * (cell + (l < lanes ? l : lanes - 1));
    const struct carom_pair_side s = carom_pair_side_of(at);
    *t = (struct carom_brick){{s.u.x, s.u.y, s.u.z}, s.a, {s.w.x, s.w.y, s.w.z}};
}

/* numbers of cells in a row */
ALWAYS_INLINE carom_lane numbers(const double *x, size_t lanes)
{
    const double *at[CAROM_LANES];
    if (lanes == CAROM_LANES)
        return carom_lane_load(x);
    for (size_t l = 0; l < CAROM_LANES; l++)
        at[l] = x + (l < lanes ? l : lanes - 1);
    return carom_lane_of(at);
}

/* Numbers that the dilatation leaves of each link to the forces: Du and the inverse distance. Each cell has three. */
enum { STRETCH = 4 };

/* their place: links of some cells along one axis stand together, after those along axes before it; these cells go
 * together in both passes */
ALWAYS_INLINE double *place_of(const struct carom_solid_call *c, size_t cell, size_t cells, int k)
{
    return c->stretch + STRETCH * (3 * cell + (size_t)k * cells);
}

ALWAYS_INLINE void keep(const struct carom_brick_bond *b, double *to, size_t cells, size_t lanes)
{
    const carom_lane x[STRETCH] = {b->gap[0], b->gap[1], b->gap[2], b->inverse};
    for (size_t e = 0; e < STRETCH; e++, to += cells) {
        if (lanes == CAROM_LANES)
            carom_lane_store(to, x[e]);
        for (size_t l = 0; lanes < CAROM_LANES && l < lanes; l++)
            to[l] = x[e][l];
    }
}

ALWAYS_INLINE void recall(const struct carom_brick *i, const struct carom_brick *j, int k, double edge,
                          const double *from, size_t cells, size_t lanes, struct carom_brick_bond *b)
{
    carom_lane here[3];
    carom_brick_shift(i, k, 0.5 * edge, here);
    carom_brick_reach(i, j, k, edge, here, b);
    for (size_t e = 0; e < 3; e++)
        b->gap[e] = numbers(from + e * cells, lanes);
    b->inverse = numbers(from + 3 * cells, lanes);
}

/* how many of the cells have a neighbour after them along axis k */
ALWAYS_INLINE size_t linked(const struct carom_solid *s, const size_t at[3], int k, size_t lanes)
{
    if (k > 0)
        return at[k] + 1 < s->grid.count[k] ? lanes : 0;
    const size_t left = s->grid.count[0] - 1 - at[0];
    return left < lanes ? left : lanes;
}

/* what acts on cells of which all but the last have a link */
ALWAYS_INLINE carom_lane but_last(carom_lane x, size_t cells)
{
    x[cells - 1] = 0.0;
    return x;
}

/* how many cells go together: to the end of the row, at most one in each lane */
ALWAYS_INLINE size_t stride(const struct carom_solid *s, const size_t at[3], size_t cell, size_t last)
{
    const size_t row = s->grid.count[0] - at[0], left = last - cell < row ? last - cell : row;
    return left < CAROM_LANES ? left : CAROM_LANES;
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

/* Links along axis k of the first `lanes` of some cells: the second cells feel it at once, the first ones in `own_sum`.
 */
ALWAYS_INLINE void dilate_axis(const struct carom_solid_call *c, const struct carom_brick *own, size_t cell,
                               size_t cells, size_t lanes, int k, size_t step, size_t last, bool kept,
                               carom_lane *own_sum)
{
    const struct carom_solid *s = c->solid;
    const double part = s->shape[k].part[0]; /* both sides alike */
    struct carom_brick next;
    struct carom_brick_bond b;
    load(c->q, cell + step, lanes, &next);
    carom_brick_join(own, &next, k, s->shape[k].apart[k], &b);
    if (kept)
        keep(&b, place_of(c, cell, cells, k), cells, lanes);
    const carom_lane add = part * carom_brick_open(&b);
    if (lanes == CAROM_LANES && cell + lanes - 1 + step < last) {
        carom_lane_onto(c->sum + cell + step, add);
    } else {
        for (size_t l = 0; l < lanes; l++)
            if (cell + l + step < last)
                c->sum[cell + l + step] += add[l];
    }
    *own_sum += lanes == cells ? add : but_last(add, cells);
}

/* do the cells of all lanes have links along all axes that end in this block? */
ALWAYS_INLINE bool inside(const struct carom_solid *s, const size_t at[3], size_t cell, size_t layer, size_t last)
{
    return at[0] + CAROM_LANES < s->grid.count[0] && at[1] + 1 < s->grid.count[1] && at[2] + 1 < s->grid.count[2] &&
           cell + CAROM_LANES - 1 + layer < last;
}

/* `kept` is a constant where this is compiled in: are there forces to come? */
ALWAYS_INLINE void dilate(const struct carom_solid_call *c, size_t first, size_t last, bool kept)
{
    const struct carom_solid *s = c->solid;
    const size_t nx = s->grid.count[0], layer = nx * s->grid.count[1];
    size_t at[3];
    begin(s, first, at);
    for (size_t cell = first, cells; cell < last; cell += cells) {
        struct carom_brick own;
        carom_lane sum = carom_lane_all(0.0);
        if (inside(s, at, cell, layer, last)) { /* nearly always, and with numbers that are known here */
            cells = CAROM_LANES;
            load(c->q, cell, CAROM_LANES, &own);
            dilate_axis(c, &own, cell, CAROM_LANES, CAROM_LANES, 0, 1, SIZE_MAX, kept, &sum);
            dilate_axis(c, &own, cell, CAROM_LANES, CAROM_LANES, 1, nx, SIZE_MAX, kept, &sum);
            dilate_axis(c, &own, cell, CAROM_LANES, CAROM_LANES, 2, layer, SIZE_MAX, kept, &sum);
            carom_lane_onto(c->sum + cell, sum);
        } else {
            cells = stride(s, at, cell, last);
            load(c->q, cell, cells, &own);
            if (linked(s, at, 0, cells))
                dilate_axis(c, &own, cell, cells, linked(s, at, 0, cells), 0, 1, last, kept, &sum);
            if (linked(s, at, 1, cells))
                dilate_axis(c, &own, cell, cells, cells, 1, nx, last, kept, &sum);
            if (linked(s, at, 2, cells))
                dilate_axis(c, &own, cell, cells, cells, 2, layer, last, kept, &sum);
            for (size_t l = 0; l < cells; l++)
                c->sum[cell + l] += sum[l];
        }
        advance(s, cells, at);
    }
}

static void dilate_some(const struct carom_solid_call *c, size_t first, size_t last)
{
    if (c->stretch)
        dilate(c, first, last, true);
    else
        dilate(c, first, last, false);
}

/* --- forces ---------------------------------------------------------------------------------------------------- */

/* the second cells feel it at once, the first ones in `own_f` */
ALWAYS_INLINE void pull_axis(const struct carom_solid_call *c, const struct carom_brick *own, size_t cell, size_t cells,
                             size_t lanes, int k, size_t step, size_t last, carom_lane own_f[6])
{
    const struct carom_solid_shape *shape = &c->solid->shape[k];
    struct carom_brick next;
    struct carom_brick_bond b;
    carom_lane one[6], two[6];
    load(c->q, cell + step, lanes, &next);
    recall(own, &next, k, shape->apart[k], place_of(c, cell, cells, k), cells, lanes, &b);
    const carom_lane press =
        shape->part[0] * numbers(c->sum + cell, lanes) + shape->part[1] * numbers(c->sum + cell + step, lanes);
    carom_brick_pull(own, &next, &b, shape->stiff, shape->bend, press, one, two);
    if (lanes == CAROM_LANES && cell + lanes - 1 + step < last) {
        carom_lane_off_records(c->f + 6 * (cell + step), two);
    } else {
        for (size_t l = 0; l < CAROM_LANES; l++)
            if (l < lanes && cell + l + step < last)
                carom_lane_off_six(c->f + 6 * (cell + l + step), two, l);
    }
    for (int e = 0; e < 6; e++)
        own_f[e] += lanes == cells ? one[e] : but_last(one[e], cells);
}

static void pull_some(const struct carom_solid_call *c, size_t first, size_t last)
{
    const struct carom_solid *s = c->solid;
    const size_t nx = s->grid.count[0], layer = nx * s->grid.count[1];
    size_t at[3];
    begin(s, first, at);
    for (size_t cell = first, cells; cell < last; cell += cells) {
        struct carom_brick own;
        carom_lane f[6];
        for (int e = 0; e < 6; e++)
            f[e] = carom_lane_all(0.0);
        if (inside(s, at, cell, layer, last)) {
            cells = CAROM_LANES;
            load(c->q, cell, CAROM_LANES, &own);
            pull_axis(c, &own, cell, CAROM_LANES, CAROM_LANES, 0, 1, SIZE_MAX, f);
            pull_axis(c, &own, cell, CAROM_LANES, CAROM_LANES, 1, nx, SIZE_MAX, f);
            pull_axis(c, &own, cell, CAROM_LANES, CAROM_LANES, 2, layer, SIZE_MAX, f);
            carom_lane_onto_records(c->f + 6 * cell, f);
        } else {
            cells = stride(s, at, cell, last);
            load(c->q, cell, cells, &own);
            if (linked(s, at, 0, cells))
                pull_axis(c, &own, cell, cells, linked(s, at, 0, cells), 0, 1, last, f);
            if (linked(s, at, 1, cells))
                pull_axis(c, &own, cell, cells, cells, 1, nx, last, f);
            if (linked(s, at, 2, cells))
                pull_axis(c, &own, cell, cells, cells, 2, layer, last, f);
            for (size_t l = 0; l < CAROM_LANES; l++)
                if (l < cells)
                    carom_lane_onto_six(c->f + 6 * (cell + l), f, l);
        }
        advance(s, cells, at);
    }
}

#endif
