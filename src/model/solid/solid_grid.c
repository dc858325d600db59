/* Boxes in space of one material, without link records: each link as in solid_pair.h, to the bit, with the terms left
 * out that are zero because arms and distances lie along an axis. Two cells of a row at a time; their links in the
 * order x, y, z, whose forces on the cell itself are added up before they join the others. */
#include "model/solid/solid.h"
#include "model/solid/solid_pair.h"

/* Much is ALWAYS_INLINE: the axis must be a constant in what is compiled, indices by it would go through memory. */

/* two neighbouring cells of a row (or twice the last one) */
struct twin {
    carom_lane u[3], a, w[3];
};

/* links of two cells along one axis, as in solid_pair.h */
struct bond {
    carom_lane apart[3], gap[3], arm[3], inverse;
};

ALWAYS_INLINE void load(const double *q, size_t cell, size_t lanes, struct twin *t)
{
    const struct carom_pair_side s = carom_pair_side_of(q + 7 * cell, q + 7 * (cell + lanes - 1));
    *t = (struct twin){{s.u.x, s.u.y, s.u.z}, s.a, {s.w.x, s.w.y, s.w.z}};
}

/* (Q - 1) (length e_k), k the axis */
ALWAYS_INLINE void shift(const struct twin *t, int k, double length, carom_lane out[3])
{
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    const carom_lane half_l = t->w[m] * length, half_m = -(t->w[l] * length);
    const carom_lane t_l = half_l + half_l, t_m = half_m + half_m;
    out[k] = t->w[l] * t_m - t->w[m] * t_l;
    out[l] = t->a * t_l - t->w[k] * t_m;
    out[m] = t->a * t_m + t->w[k] * t_l;
}

ALWAYS_INLINE carom_lane dot(const carom_lane a[3], const carom_lane b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ALWAYS_INLINE void join(const struct twin *i, const struct twin *j, int k, double edge, struct bond *b)
{
    const double arm = 0.5 * edge, back = arm - edge;
    carom_lane here[3], there[3];
    shift(i, k, arm, here);
    shift(j, k, back, there);
    for (int c = 0; c < 3; c++) {
        const carom_lane moved = j->u[c] - i->u[c];
        b->gap[c] = moved + (there[c] - here[c]);
        b->apart[c] = c == k ? edge + moved : moved;
    }
    b->inverse = 1.0 / carom_lane_sqrt(dot(b->apart, b->apart));
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

ALWAYS_INLINE void keep(const struct bond *b, double *slot, size_t pair)
{
    const carom_lane x[STRETCH] = {b->gap[0], b->gap[1], b->gap[2], b->inverse};
    for (size_t c = 0; c < STRETCH; c++) {
        if (pair == 2)
            memcpy(slot + 2 * c, &x[c], sizeof x[c]);
        else
            slot[c] = x[c][0];
    }
}

ALWAYS_INLINE void recall(const struct twin *i, const struct twin *j, int k, double edge, const double *slot,
                          size_t pair, struct bond *b)
{
    carom_lane here[3];
    shift(i, k, 0.5 * edge, here);
    for (int c = 0; c < 3; c++) {
        const carom_lane moved = j->u[c] - i->u[c];
        b->apart[c] = c == k ? edge + moved : moved;
        b->arm[c] = c == k ? 0.5 * edge + here[c] : here[c];
        b->gap[c] = pair == 2 ? (carom_lane){slot[2 * c], slot[2 * c + 1]} : (carom_lane){slot[c], slot[c]};
    }
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
ALWAYS_INLINE void dilate_axis(const struct carom_solid_call *c, const struct twin *own, size_t cell, size_t pair,
                               size_t lanes, int k, size_t step, size_t last, bool kept, carom_lane *own_sum)
{
    const struct carom_solid *s = c->solid;
    const double part = s->shape[k].part[0]; /* both sides alike */
    struct twin next;
    struct bond b;
    load(c->q, cell + step, lanes, &next);
    join(own, &next, k, s->shape[k].apart[k], &b);
    if (kept)
        keep(&b, slot_of(c, cell, k, pair), pair);
    const carom_lane add = part * (dot(b.gap, b.apart) * b.inverse);
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
        struct twin own;
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

/* torque of the relative turn on the first cell, space axes */
ALWAYS_INLINE void flex(const struct twin *i, const struct twin *j, const double *bend, carom_lane out[3])
{
    const struct carom_lane3 w0 = {i->w[0], i->w[1], i->w[2]}, w1 = {j->w[0], j->w[1], j->w[2]};
    const struct carom_lane3 r = carom_lane_less(
        carom_lane_less(carom_lane_times(i->a, w1), carom_lane_times(j->a, w0)), carom_lane_cross(w0, w1));
    const struct carom_lane3 bent = {bend[0] * r.x, bend[1] * r.y, bend[2] * r.z};
    const struct carom_lane3 f = carom_lane_flex(i->a, w0, j->a, w1, bent);
    out[0] = f.x;
    out[1] = f.y;
    out[2] = f.z;
}

ALWAYS_INLINE void cross(const carom_lane a[3], const carom_lane b[3], carom_lane out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* the second cells feel it at once, the first ones in `own_f` */
ALWAYS_INLINE void pull_axis(const struct carom_solid_call *c, const struct twin *own, size_t cell, size_t pair,
                             size_t lanes, int k, size_t step, size_t last, carom_lane own_f[6])
{
    const struct carom_solid *s = c->solid;
    const struct carom_solid_shape *shape = &s->shape[k];
    struct twin next;
    struct bond b;
    carom_lane grip[3], one[6], two[6], turn[3], twist[3];
    load(c->q, cell + step, lanes, &next);
    recall(own, &next, k, shape->apart[k], slot_of(c, cell, k, pair), pair, &b);
    const double *p = c->sum + cell, *o = c->sum + cell + step;
    const carom_lane press =
        shape->part[0] * (carom_lane){p[0], p[lanes - 1]} + shape->part[1] * (carom_lane){o[0], o[lanes - 1]};
    const carom_lane lean = press * b.inverse, both = shape->stiff + lean;
    const carom_lane along = lean - lean * (dot(b.gap, b.apart) * (b.inverse * b.inverse));
    for (int e = 0; e < 3; e++) {
        grip[e] = shape->stiff * b.gap[e] + lean * b.apart[e];
        one[e] = two[e] = both * b.gap[e] + along * b.apart[e];
    }
    flex(own, &next, shape->bend, turn);
    cross(b.arm, grip, one + 3);
    cross(b.gap, b.apart, twist);
    for (int e = 0; e < 3; e++) {
        one[3 + e] = one[3 + e] + turn[e];
        two[3 + e] = one[3 + e] + both * twist[e];
    }
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
        struct twin own;
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
