/* Two links at a time, one in each lane, at a frozen configuration: their rates, and the drag that goes with them, in
 * space and in the plane, where spins are about z.
 *
 * Rates are those of deformation alone, so rigid motion has none, also of a strained body, and the drag conserves
 * momentum and angular momentum: both cells are seen from the middle of the interface, whose sides are Du apart, and
 * the rate of Du . n is the true one, in which n turns with the line between the cells. */
#ifndef CAROM_MODEL_SOLID_SOLID_RATES_PAIR_H
#define CAROM_MODEL_SOLID_SOLID_RATES_PAIR_H

#include "model/solid/solid_pair.h"
#include "model/solid/solid_rates.h"

/* Frozen links, in space axes: the first cell's arm to the middle of the interface, that of the second is shorter by
 * length x normal; what the rate of Du . n has beyond that of the opening: `aside` . velocity apart and `swing` . sum
 * of spins; stiffness against relative spin; then the rate of the opening. */
struct carom_rates_space {
    struct carom_lane3 arm, normal, aside, swing;
    carom_lane length, bend[6];
    struct carom_lane3 gap;
};

struct carom_rates_flat {
    carom_lane arm[2], normal[2], aside[2], swing, length, gap[2];
};

/* What a slot's links are, and the cells they begin and end at. */
struct carom_rates_slot {
    const struct carom_solid_rates_shape *shape[CAROM_LANES];
    size_t own[CAROM_LANES], other[CAROM_LANES];
};

/* velocity and spin of two cells */
struct carom_rates_space_motion {
    struct carom_lane3 v, spin;
};

struct carom_rates_flat_motion {
    carom_lane v[2], spin;
};

#define CAROM_RATES_BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

/* --- geometry -------------------------------------------------------------------------------------------------- */

/* the vector part of q_I^* e q_J for the unit vector e of axis k, whose half is the rate of r by a relative spin e */
ALWAYS_INLINE struct carom_lane3 carom_rates_space_carried(const struct carom_pair_side *i,
                                                           const struct carom_pair_side *j, int k)
{
    const carom_lane scalar = k == 0 ? i->w.x : k == 1 ? i->w.y : i->w.z;
    const struct carom_lane3 v = k == 0   ? (struct carom_lane3){i->a, -i->w.z, i->w.y}
                                 : k == 1 ? (struct carom_lane3){i->w.z, i->a, -i->w.x}
                                          : (struct carom_lane3){-i->w.y, i->w.x, i->a};
    return carom_lane_add(carom_lane_add(carom_lane_times(scalar, j->w), carom_lane_times(j->a, v)),
                          carom_lane_cross(v, j->w));
}

/* s0, s1: the shapes in full */
ALWAYS_INLINE void carom_rates_space_freeze(const struct carom_rates_slot *t, const struct carom_solid_shape *s0,
                                            const struct carom_solid_shape *s1, const double *q,
                                            struct carom_rates_space *p)
{
    const struct carom_pair_side i = carom_pair_side_of((const double *const[]){q + 7 * t->own[0], q + 7 * t->own[1]});
    const struct carom_pair_side j =
        carom_pair_side_of((const double *const[]){q + 7 * t->other[0], q + 7 * t->other[1]});
    const struct carom_pair_form form = {
        .apart = {CAROM_RATES_BOTH(s0->apart[0], s1->apart[0]), CAROM_RATES_BOTH(s0->apart[1], s1->apart[1]),
                  CAROM_RATES_BOTH(s0->apart[2], s1->apart[2])},
        .arm = {CAROM_RATES_BOTH(s0->arm[0], s1->arm[0]), CAROM_RATES_BOTH(s0->arm[1], s1->arm[1]),
                CAROM_RATES_BOTH(s0->arm[2], s1->arm[2])}};
    const struct carom_lane3 apart = carom_pair_apart(&i, &j, &form);
    const struct carom_pair_stretch stretch = carom_pair_stretch_of(&i, &j, &form);
    const struct carom_lane3 half = carom_lane_times(CAROM_RATES_BOTH(0.5, 0.5), stretch.gap);
    p->arm = carom_lane_add(carom_lane_add(form.arm, carom_lane_shift(i.a, i.w, form.arm)), half);
    p->normal = carom_lane_times(stretch.inverse, apart);
    p->length = carom_lane_dot(apart, p->normal);
    p->swing = carom_lane_cross(half, p->normal);
    const carom_lane open = carom_lane_dot(stretch.gap, p->normal);
    p->aside = carom_lane_times(stretch.inverse, carom_lane_less(stretch.gap, carom_lane_times(open, p->normal)));
    struct carom_pair_stiffness stiffness;
    for (size_t k = 0; k < 6; k++)
        stiffness.bend[k] = CAROM_RATES_BOTH(s0->bend[k], s1->bend[k]);
    const struct carom_lane3 x = carom_rates_space_carried(&i, &j, 0), y = carom_rates_space_carried(&i, &j, 1),
                             z = carom_rates_space_carried(&i, &j, 2);
    const struct carom_lane3 bx = carom_pair_bent(&stiffness, x), by = carom_pair_bent(&stiffness, y);
    const struct carom_lane3 bz = carom_pair_bent(&stiffness, z);
    p->bend[0] = carom_lane_dot(x, bx);
    p->bend[1] = carom_lane_dot(y, by);
    p->bend[2] = carom_lane_dot(z, bz);
    p->bend[3] = carom_lane_dot(y, bz);
    p->bend[4] = carom_lane_dot(x, bz);
    p->bend[5] = carom_lane_dot(x, by);
}

/* (Q - 1) x for the turn (a, d) about z */
ALWAYS_INLINE void carom_rates_flat_shift(carom_lane a, carom_lane d, const carom_lane x[2], carom_lane out[2])
{
    const carom_lane twice = d + d, t0 = -(twice * x[1]), t1 = twice * x[0];
    out[0] = a * t0 - d * t1;
    out[1] = a * t1 + d * t0;
}

ALWAYS_INLINE void carom_rates_flat_freeze(const struct carom_rates_slot *t, const struct carom_solid_shape *s0,
                                           const struct carom_solid_shape *s1, const double *q,
                                           struct carom_rates_flat *p)
{
    const double *i0 = q + 4 * t->own[0], *i1 = q + 4 * t->own[1];
    const double *j0 = q + 4 * t->other[0], *j1 = q + 4 * t->other[1];
    carom_lane apart[2], gap[2], arm[2][2], here[2], there[2];
    for (int k = 0; k < 2; k++) {
        apart[k] = CAROM_RATES_BOTH(s0->apart[k], s1->apart[k]);
        arm[0][k] = CAROM_RATES_BOTH(s0->arm[k], s1->arm[k]);
        arm[1][k] = arm[0][k] - apart[k];
    }
    carom_rates_flat_shift(CAROM_RATES_BOTH(i0[2], i1[2]), CAROM_RATES_BOTH(i0[3], i1[3]), arm[0], here);
    carom_rates_flat_shift(CAROM_RATES_BOTH(j0[2], j1[2]), CAROM_RATES_BOTH(j0[3], j1[3]), arm[1], there);
    for (int k = 0; k < 2; k++) {
        const carom_lane moved = CAROM_RATES_BOTH(j0[k], j1[k]) - CAROM_RATES_BOTH(i0[k], i1[k]);
        gap[k] = moved + (there[k] - here[k]);
        apart[k] += moved;
        p->arm[k] = arm[0][k] + here[k] + 0.5 * gap[k];
    }
    const carom_lane inverse = 1.0 / carom_lane_sqrt(apart[0] * apart[0] + apart[1] * apart[1]);
    for (int k = 0; k < 2; k++)
        p->normal[k] = inverse * apart[k];
    p->length = apart[0] * p->normal[0] + apart[1] * p->normal[1];
    p->swing = 0.5 * (gap[0] * p->normal[1] - gap[1] * p->normal[0]);
    const carom_lane open = gap[0] * p->normal[0] + gap[1] * p->normal[1];
    for (int k = 0; k < 2; k++)
        p->aside[k] = inverse * (gap[k] - open * p->normal[k]);
}

/* --- rates ----------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE struct carom_rates_space_motion carom_rates_space_motion_of(const size_t cell[2], const double *w)
{
    const double *w0 = w + 6 * cell[0], *w1 = w + 6 * cell[1];
    const carom_lane a[3] = {carom_lane_load(w0), carom_lane_load(w0 + 2), carom_lane_load(w0 + 4)};
    const carom_lane b[3] = {carom_lane_load(w1), carom_lane_load(w1 + 2), carom_lane_load(w1 + 4)};
    return (struct carom_rates_space_motion){
        {carom_lane_first(a[0], b[0]), carom_lane_second(a[0], b[0]), carom_lane_first(a[1], b[1])},
        {carom_lane_second(a[1], b[1]), carom_lane_first(a[2], b[2]), carom_lane_second(a[2], b[2])}};
}

ALWAYS_INLINE struct carom_rates_flat_motion carom_rates_flat_motion_of(const size_t cell[2], const double *w)
{
    const double *w0 = w + 3 * cell[0], *w1 = w + 3 * cell[1];
    const carom_lane a = carom_lane_load(w0), b = carom_lane_load(w1);
    return (struct carom_rates_flat_motion){{carom_lane_first(a, b), carom_lane_second(a, b)},
                                            CAROM_RATES_BOTH(w0[2], w1[2])};
}

/* the rate of Du . n; that of the opening is left with the link if `keep` */
ALWAYS_INLINE carom_lane carom_rates_space_open(const struct carom_rates_slot *t, const double *w, bool keep,
                                                struct carom_rates_space *p)
{
    const struct carom_rates_space_motion i = carom_rates_space_motion_of(t->own, w),
                                          j = carom_rates_space_motion_of(t->other, w);
    const struct carom_lane3 v = carom_lane_less(j.v, i.v), back = carom_lane_times(p->length, p->normal);
    const struct carom_lane3 gap = carom_lane_add(
        v, carom_lane_less(carom_lane_cross(carom_lane_less(j.spin, i.spin), p->arm), carom_lane_cross(j.spin, back)));
    if (keep)
        p->gap = gap;
    return carom_lane_dot(gap, p->normal) +
           (carom_lane_dot(v, p->aside) + carom_lane_dot(carom_lane_add(i.spin, j.spin), p->swing));
}

ALWAYS_INLINE carom_lane carom_rates_flat_open(const struct carom_rates_slot *t, const double *w, bool keep,
                                               struct carom_rates_flat *p)
{
    const struct carom_rates_flat_motion i = carom_rates_flat_motion_of(t->own, w),
                                         j = carom_rates_flat_motion_of(t->other, w);
    const carom_lane v[2] = {j.v[0] - i.v[0], j.v[1] - i.v[1]}, turn = j.spin - i.spin, back = j.spin * p->length;
    const carom_lane gap[2] = {v[0] - (turn * p->arm[1] - back * p->normal[1]),
                               v[1] + (turn * p->arm[0] - back * p->normal[0])};
    if (keep)
        memcpy(p->gap, gap, sizeof gap);
    return (gap[0] * p->normal[0] + gap[1] * p->normal[1]) +
           ((v[0] * p->aside[0] + v[1] * p->aside[1]) + (i.spin + j.spin) * p->swing);
}

/* --- drag ------------------------------------------------------------------------------------------------------ */

ALWAYS_INLINE carom_lane carom_rates_part(const struct carom_rates_slot *t, size_t side)
{
    return CAROM_RATES_BOTH(t->shape[0]->part[side], t->shape[1]->part[side]);
}

ALWAYS_INLINE carom_lane carom_rates_press(const struct carom_rates_slot *t, const double *push)
{
    return carom_rates_part(t, 0) * CAROM_RATES_BOTH(push[t->own[0]], push[t->own[1]]) +
           carom_rates_part(t, 1) * CAROM_RATES_BOTH(push[t->other[0]], push[t->other[1]]);
}

ALWAYS_INLINE carom_lane carom_rates_stiff(const struct carom_rates_slot *t)
{
    return CAROM_RATES_BOTH(t->shape[0]->stiff, t->shape[1]->stiff);
}

/* what links do to their first cells, on top of the rest, and take from their second ones; their power */
ALWAYS_INLINE carom_lane carom_rates_space_drag(const struct carom_rates_slot *t, const double *w, const double *push,
                                                const struct carom_rates_space *p, carom_lane on[6], carom_lane off[6])
{
    const struct carom_lane3 twist =
        carom_lane_less(carom_rates_space_motion_of(t->other, w).spin, carom_rates_space_motion_of(t->own, w).spin);
    const carom_lane press = carom_rates_press(t, push), stiff = carom_rates_stiff(t);
    const struct carom_pair_stiffness bend = {
        .bend = {p->bend[0], p->bend[1], p->bend[2], p->bend[3], p->bend[4], p->bend[5]}};
    const struct carom_lane3 flex = carom_pair_bent(&bend, twist), swing = carom_lane_times(press, p->swing);
    const struct carom_lane3 grip = carom_lane_add(carom_lane_times(stiff, p->gap), carom_lane_times(press, p->normal));
    const struct carom_lane3 force = carom_lane_add(grip, carom_lane_times(press, p->aside));
    const struct carom_lane3 both = carom_lane_add(carom_lane_cross(p->arm, grip), flex);
    const struct carom_lane3 first = carom_lane_less(both, swing);
    const struct carom_lane3 second =
        carom_lane_less(carom_lane_add(both, swing), carom_lane_times(p->length, carom_lane_cross(p->normal, grip)));
    const carom_lane one[6] = {force.x, force.y, force.z, first.x, first.y, first.z};
    const carom_lane two[6] = {force.x, force.y, force.z, second.x, second.y, second.z};
    for (int k = 0; k < 6; k++) {
        on[k] += one[k];
        off[k] = two[k];
    }
    return stiff * carom_lane_dot(p->gap, p->gap) + carom_lane_dot(flex, twist);
}

ALWAYS_INLINE carom_lane carom_rates_flat_drag(const struct carom_rates_slot *t, const double *w, const double *push,
                                               const struct carom_rates_flat *p, carom_lane on[3], carom_lane off[3])
{
    const carom_lane twist = carom_rates_flat_motion_of(t->other, w).spin - carom_rates_flat_motion_of(t->own, w).spin;
    const carom_lane press = carom_rates_press(t, push), stiff = carom_rates_stiff(t), swing = press * p->swing;
    const carom_lane flex = CAROM_RATES_BOTH(t->shape[0]->bend, t->shape[1]->bend) * twist;
    carom_lane grip[2];
    for (int k = 0; k < 2; k++) {
        grip[k] = stiff * p->gap[k] + press * p->normal[k];
        off[k] = grip[k] + press * p->aside[k];
        on[k] += off[k];
    }
    const carom_lane both = (p->arm[0] * grip[1] - p->arm[1] * grip[0]) + flex;
    on[2] += both - swing;
    off[2] = (both + swing) - p->length * (p->normal[0] * grip[1] - p->normal[1] * grip[0]);
    return stiff * (p->gap[0] * p->gap[0] + p->gap[1] * p->gap[1]) + flex * twist;
}

#endif
