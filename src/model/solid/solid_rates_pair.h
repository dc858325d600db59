/* Two links at a time, one in each lane, at a frozen configuration: where their numbers come from. kernel/rates.h and
 * kernel/rates_flat.h have the rest. */
#ifndef CAROM_MODEL_SOLID_SOLID_RATES_PAIR_H
#define CAROM_MODEL_SOLID_SOLID_RATES_PAIR_H

#include "kernel/rates.h"
#include "kernel/rates_flat.h"
#include "model/solid/solid_pair.h"
#include "model/solid/solid_rates.h"

/* What a slot's links are, and the cells they begin and end at. */
struct carom_rates_slot {
    const struct carom_solid_rates_shape *shape[CAROM_LANES];
    size_t own[CAROM_LANES], other[CAROM_LANES];
};

#define CAROM_RATES_BOTH(expression0, expression1) ((carom_lane){(expression0), (expression1)})

/* --- geometry -------------------------------------------------------------------------------------------------- */

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
    struct carom_pair_stiffness stiffness;
    for (size_t k = 0; k < 6; k++)
        stiffness.bend[k] = CAROM_RATES_BOTH(s0->bend[k], s1->bend[k]);
    carom_rates_space_frozen(&i, &j, &form, &stiffness, p);
}

ALWAYS_INLINE struct carom_flat_side carom_rates_flat_side(const size_t cell[2], const double *q)
{
    const double *one = q + 4 * cell[0], *two = q + 4 * cell[1];
    return (struct carom_flat_side){CAROM_RATES_BOTH(one[0], two[0]), CAROM_RATES_BOTH(one[1], two[1]),
                                    CAROM_RATES_BOTH(one[2], two[2]), CAROM_RATES_BOTH(one[3], two[3])};
}

ALWAYS_INLINE void carom_rates_flat_freeze(const struct carom_rates_slot *t, const struct carom_solid_shape *s0,
                                           const struct carom_solid_shape *s1, const double *q,
                                           struct carom_rates_flat *p)
{
    const struct carom_flat_side i = carom_rates_flat_side(t->own, q), j = carom_rates_flat_side(t->other, q);
    const struct carom_flat_form form = {.apart_x = CAROM_RATES_BOTH(s0->apart[0], s1->apart[0]),
                                         .apart_y = CAROM_RATES_BOTH(s0->apart[1], s1->apart[1]),
                                         .arm_x = CAROM_RATES_BOTH(s0->arm[0], s1->arm[0]),
                                         .arm_y = CAROM_RATES_BOTH(s0->arm[1], s1->arm[1])};
    carom_rates_flat_frozen(&i, &j, &form, p);
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
    struct carom_lane3 gap;
    const carom_lane open = carom_rates_space_rate(&i, &j, p, &gap);
    if (keep)
        p->gap = gap;
    return open;
}

ALWAYS_INLINE carom_lane carom_rates_flat_open(const struct carom_rates_slot *t, const double *w, bool keep,
                                               struct carom_rates_flat *p)
{
    const struct carom_rates_flat_motion i = carom_rates_flat_motion_of(t->own, w),
                                         j = carom_rates_flat_motion_of(t->other, w);
    carom_lane gap[2];
    const carom_lane open = carom_rates_flat_rate(&i, &j, p, gap);
    if (keep)
        memcpy(p->gap, gap, sizeof gap);
    return open;
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
    carom_lane one[6];
    const carom_lane power =
        carom_rates_space_pull(p, twist, carom_rates_stiff(t), carom_rates_press(t, push), one, off);
    for (int k = 0; k < 6; k++)
        on[k] += one[k];
    return power;
}

ALWAYS_INLINE carom_lane carom_rates_flat_drag(const struct carom_rates_slot *t, const double *w, const double *push,
                                               const struct carom_rates_flat *p, carom_lane on[3], carom_lane off[3])
{
    const carom_lane twist = carom_rates_flat_motion_of(t->other, w).spin - carom_rates_flat_motion_of(t->own, w).spin;
    const carom_lane bend = CAROM_RATES_BOTH(t->shape[0]->bend, t->shape[1]->bend);
    carom_lane one[3];
    const carom_lane power =
        carom_rates_flat_pull(p, twist, carom_rates_stiff(t), bend, carom_rates_press(t, push), one, off);
    for (int k = 0; k < 3; k++)
        on[k] += one[k];
    return power;
}

#endif
