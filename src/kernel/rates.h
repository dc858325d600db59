/* Links in space at a frozen configuration, once for processors (two in lanes) and devices (one in each place): their
 * rates, and the drag that goes with them. The common subset of C and OpenCL C, as sheet.h; after pair.h.
 *
 * Rates are those of deformation alone, so rigid motion has none, also of a strained body, and the drag conserves
 * momentum and angular momentum: both cells are seen from the middle of the interface, whose sides are Du apart, and
 * the rate of Du . n is the true one, in which n turns with the line between the cells. */
#ifndef CAROM_KERNEL_RATES_H
#define CAROM_KERNEL_RATES_H

#ifndef CAROM_ON_DEVICE
#include "kernel/pair.h"
#endif

/* Frozen links, in space axes: the first cell's arm to the middle of the interface, that of the second is shorter by
 * length x normal; what the rate of Du . n has beyond that of the opening: `aside` . velocity apart and `swing` . sum
 * of spins; stiffness against relative spin; then the rate of the opening. */
struct carom_rates_space {
    struct carom_lane3 arm, normal, aside, swing;
    carom_lane length, bend[6];
    struct carom_lane3 gap;
};

/* velocity and spin of cells */
struct carom_rates_space_motion {
    struct carom_lane3 v, spin;
};

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

ALWAYS_INLINE void carom_rates_space_frozen(const struct carom_pair_side *i, const struct carom_pair_side *j,
                                            const struct carom_pair_form *form,
                                            const struct carom_pair_stiffness *stiffness, struct carom_rates_space *p)
{
    const struct carom_lane3 apart = carom_pair_apart(i, j, form);
    const struct carom_pair_stretch stretch = carom_pair_stretch_of(i, j, form);
    const struct carom_lane3 half_gap = carom_lane_times(carom_lane_all(0.5), stretch.gap);
    p->arm = carom_lane_add(carom_lane_add(form->arm, carom_lane_shift(i->a, i->w, form->arm)), half_gap);
    p->normal = carom_lane_times(stretch.inverse, apart);
    p->length = carom_lane_dot(apart, p->normal);
    p->swing = carom_lane_cross(half_gap, p->normal);
    const carom_lane open = carom_lane_dot(stretch.gap, p->normal);
    p->aside = carom_lane_times(stretch.inverse, carom_lane_less(stretch.gap, carom_lane_times(open, p->normal)));
    const struct carom_lane3 x = carom_rates_space_carried(i, j, 0), y = carom_rates_space_carried(i, j, 1),
                             z = carom_rates_space_carried(i, j, 2);
    const struct carom_lane3 bx = carom_pair_bent(stiffness, x), by = carom_pair_bent(stiffness, y);
    const struct carom_lane3 bz = carom_pair_bent(stiffness, z);
    p->bend[0] = carom_lane_dot(x, bx);
    p->bend[1] = carom_lane_dot(y, by);
    p->bend[2] = carom_lane_dot(z, bz);
    p->bend[3] = carom_lane_dot(y, bz);
    p->bend[4] = carom_lane_dot(x, bz);
    p->bend[5] = carom_lane_dot(x, by);
}

/* the rate of Du . n, and that of the opening */
ALWAYS_INLINE carom_lane carom_rates_space_rate(const struct carom_rates_space_motion *i,
                                                const struct carom_rates_space_motion *j,
                                                const struct carom_rates_space *p, struct carom_lane3 *gap)
{
    const struct carom_lane3 v = carom_lane_less(j->v, i->v), back = carom_lane_times(p->length, p->normal);
    *gap = carom_lane_add(v, carom_lane_less(carom_lane_cross(carom_lane_less(j->spin, i->spin), p->arm),
                                             carom_lane_cross(j->spin, back)));
    return carom_lane_dot(*gap, p->normal) +
           (carom_lane_dot(v, p->aside) + carom_lane_dot(carom_lane_add(i->spin, j->spin), p->swing));
}

/* What links do to their first cells and take from their second ones, for the spin of these against those and `press`
 * as in pair.h; their power. */
ALWAYS_INLINE carom_lane carom_rates_space_pull(const struct carom_rates_space *p, struct carom_lane3 twist,
                                                carom_lane stiff, carom_lane press, carom_lane one[6],
                                                carom_lane two[6])
{
    const struct carom_pair_stiffness bend = {
        .bend = {p->bend[0], p->bend[1], p->bend[2], p->bend[3], p->bend[4], p->bend[5]}};
    const struct carom_lane3 flex = carom_pair_bent(&bend, twist), swing = carom_lane_times(press, p->swing);
    const struct carom_lane3 grip = carom_lane_add(carom_lane_times(stiff, p->gap), carom_lane_times(press, p->normal));
    const struct carom_lane3 force = carom_lane_add(grip, carom_lane_times(press, p->aside));
    const struct carom_lane3 both = carom_lane_add(carom_lane_cross(p->arm, grip), flex);
    const struct carom_lane3 first = carom_lane_less(both, swing);
    const struct carom_lane3 second =
        carom_lane_less(carom_lane_add(both, swing), carom_lane_times(p->length, carom_lane_cross(p->normal, grip)));
    one[0] = two[0] = force.x;
    one[1] = two[1] = force.y;
    one[2] = two[2] = force.z;
    one[3] = first.x;
    one[4] = first.y;
    one[5] = first.z;
    two[3] = second.x;
    two[4] = second.y;
    two[5] = second.z;
    return stiff * carom_lane_dot(p->gap, p->gap) + carom_lane_dot(flex, twist);
}

#endif
