/* Links of plane bodies, once for processors (two in lanes) and devices (one in each place): as pair.h, with a rotation
 * that is one half-angle (a, d) = (cos, sin). Boxes of one material have sheet.h instead. The common subset of C and
 * OpenCL C, as sheet.h; solid_flat.c and flat.cl say which links these are. */
#ifndef CAROM_KERNEL_FLAT_H
#define CAROM_KERNEL_FLAT_H

#ifndef CAROM_ON_DEVICE
#include "base/lane.h"
#endif

/* the cells at one end: displacements, half turns */
struct carom_flat_side {
    carom_lane x, y, a, d;
};

/* what links are like, see struct carom_solid_shape */
struct carom_flat_form {
    carom_lane apart_x, apart_y, arm_x, arm_y, part[2], stiff, bend;
};

/* links as they stand: arms to the interface from both cells, how far it gapes, the normal and 1 / distance; by how
 * much it opens */
struct carom_flat_bond {
    struct carom_flat_side side[2];
    carom_lane gap_x, gap_y, arm_x[2], arm_y[2], inverse, normal_x, normal_y, open;
};

/* The force on the first cell, of which the second feels the opposite, and torques on both. */
struct carom_flat_pull {
    carom_lane force_x, force_y, on_first, on_second;
};

/* (Q - 1) x: cos - 1 = -2 d^2, sin = 2 a d */
ALWAYS_INLINE void carom_flat_shift(carom_lane a, carom_lane d, carom_lane x, carom_lane y, carom_lane *out_x,
                                    carom_lane *out_y)
{
    const carom_lane twice = d + d, less = -twice * d, sine = twice * a;
    *out_x = less * x - sine * y;
    *out_y = sine * x + less * y;
}

ALWAYS_INLINE void carom_flat_join(const struct carom_flat_side *i, const struct carom_flat_side *j,
                                   const struct carom_flat_form *form, struct carom_flat_bond *b)
{
    const carom_lane back_x = form->arm_x - form->apart_x, back_y = form->arm_y - form->apart_y;
    const carom_lane moved_x = j->x - i->x, moved_y = j->y - i->y;
    carom_lane here_x, here_y, there_x, there_y;
    carom_flat_shift(i->a, i->d, form->arm_x, form->arm_y, &here_x, &here_y);
    carom_flat_shift(j->a, j->d, back_x, back_y, &there_x, &there_y);
    b->side[0] = *i;
    b->side[1] = *j;
    b->gap_x = moved_x + (there_x - here_x);
    b->gap_y = moved_y + (there_y - here_y);
    b->arm_x[0] = form->arm_x + here_x;
    b->arm_y[0] = form->arm_y + here_y;
    b->arm_x[1] = back_x + there_x;
    b->arm_y[1] = back_y + there_y;
    const carom_lane x = form->apart_x + moved_x, y = form->apart_y + moved_y;
    b->inverse = 1.0 / carom_lane_sqrt(x * x + y * y);
    b->normal_x = b->inverse * x;
    b->normal_y = b->inverse * y;
    b->open = (b->gap_x * x + b->gap_y * y) * b->inverse;
}

/* how much the cells have turned against each other */
ALWAYS_INLINE carom_lane carom_flat_relative(const struct carom_flat_bond *b)
{
    return b->side[0].a * b->side[1].d - b->side[1].a * b->side[0].d;
}

/* press: part_I p_I + part_J p_J for the pressures p of the cells */
ALWAYS_INLINE struct carom_flat_pull carom_flat_pull_of(const struct carom_flat_bond *b,
                                                        const struct carom_flat_form *form, carom_lane press)
{
    const carom_lane grip_x = form->stiff * b->gap_x + press * b->normal_x;
    const carom_lane grip_y = form->stiff * b->gap_y + press * b->normal_y;
    const carom_lane lean = press * b->inverse;
    const carom_lane r0 = b->side[0].a * b->side[1].a + b->side[0].d * b->side[1].d, r = carom_flat_relative(b);
    const carom_lane flex = 2.0 * form->bend * r0 * r;
    return (struct carom_flat_pull){
        .force_x = grip_x + lean * (b->gap_x - b->open * b->normal_x),
        .force_y = grip_y + lean * (b->gap_y - b->open * b->normal_y),
        .on_first = (b->arm_x[0] * grip_y - b->arm_y[0] * grip_x) + flex,
        .on_second = (b->arm_y[1] * grip_x - b->arm_x[1] * grip_y) - flex,
    };
}

#endif
