/* Links in space, once for processors (one in each lane) and devices (one in each place): gaps, forces and torques from
 * the places of their cells. Monasse and Mariotti 2012, section 4, each as the gradient of
 *
 *     U = sum over links (1/2 k |Du|^2 + 2 r^T B r) + sum over cells 1/2 lambda / share (dilatation)^2,
 *
 * Du the gap at the interface, r the vector part of the relative quaternion (the flexion energy (10) without its
 * constant), B bending and torsion stiffness. All from displacements and from Q - 1, so that small strains keep their
 * digits. The common subset of C and OpenCL C, as sheet.h; solid_slice.c, solid_links.c and space.cl say which links
 * these are. */
#ifndef CAROM_KERNEL_PAIR_H
#define CAROM_KERNEL_PAIR_H

#ifndef CAROM_ON_DEVICE
#include "base/lane3.h"
#endif

/* the cells at one end: displacements and quaternions (a, w) */
struct carom_pair_side {
    struct carom_lane3 u;
    carom_lane a;
    struct carom_lane3 w;
};

/* What links are like, see struct carom_solid_shape: what the dilatation needs, and what the forces need besides. */
struct carom_pair_form {
    struct carom_lane3 apart, arm;
    carom_lane part[2];
};

struct carom_pair_stiffness {
    carom_lane stiff, bend[6];
};

/* what the pass for the dilatation leaves to that for the forces: Du and 1 / |X_J - X_I|, the dearest numbers */
struct carom_pair_stretch {
    struct carom_lane3 gap;
    carom_lane inverse;
};

/* on the first cell; the second feels the opposite force, and `off_second` is taken from its torque */
struct carom_pair_pull {
    struct carom_lane3 force, on_first, off_second;
};

/* X_J - X_I as it is now */
ALWAYS_INLINE struct carom_lane3 carom_pair_apart(const struct carom_pair_side *i, const struct carom_pair_side *j,
                                                  const struct carom_pair_form *form)
{
    return carom_lane_add(form->apart, carom_lane_less(j->u, i->u));
}

ALWAYS_INLINE struct carom_pair_stretch carom_pair_stretch_of(const struct carom_pair_side *i,
                                                              const struct carom_pair_side *j,
                                                              const struct carom_pair_form *form)
{
    const struct carom_lane3 apart = carom_pair_apart(i, j, form);
    const struct carom_lane3 here = carom_lane_shift(i->a, i->w, form->arm);
    const struct carom_lane3 there = carom_lane_shift(j->a, j->w, carom_lane_less(form->arm, form->apart));
    return (struct carom_pair_stretch){
        .gap = carom_lane_add(carom_lane_less(j->u, i->u), carom_lane_less(there, here)),
        .inverse = 1.0 / carom_lane_sqrt(carom_lane_dot(apart, apart)),
    };
}

/* Du along the line between the cells, which opens them */
ALWAYS_INLINE carom_lane carom_pair_open(const struct carom_pair_side *i, const struct carom_pair_side *j,
                                         const struct carom_pair_form *form, const struct carom_pair_stretch *stretch)
{
    return carom_lane_dot(stretch->gap, carom_pair_apart(i, j, form)) * stretch->inverse;
}

/* r, and B r */
ALWAYS_INLINE struct carom_lane3 carom_pair_relative(const struct carom_pair_side *i, const struct carom_pair_side *j)
{
    return carom_lane_less(carom_lane_less(carom_lane_times(i->a, j->w), carom_lane_times(j->a, i->w)),
                           carom_lane_cross(i->w, j->w));
}

ALWAYS_INLINE struct carom_lane3 carom_pair_bent(const struct carom_pair_stiffness *stiffness, struct carom_lane3 r)
{
    const carom_lane *b = stiffness->bend;
    return (struct carom_lane3){b[0] * r.x + b[5] * r.y + b[4] * r.z, b[5] * r.x + b[1] * r.y + b[3] * r.z,
                                b[4] * r.x + b[3] * r.y + b[2] * r.z};
}

/* The pull of the links, `press` being part_I p_I + part_J p_J for the pressures p of the cells: the force is
 * k Du + press (n + (Du - Du.n n) / D), all of which but the last turns the cells: `grip`. The torque of the relative
 * turn on the first cell, 2 Q_I (r_0 B r + r x B r), is twice the vector part of q_J (B r) q_I^*. The arm of the second
 * cell is longer by Du - (X_J - X_I). */
ALWAYS_INLINE struct carom_pair_pull carom_pair_pull_of(const struct carom_pair_side *i,
                                                        const struct carom_pair_side *j,
                                                        const struct carom_pair_form *form,
                                                        const struct carom_pair_stiffness *stiffness,
                                                        const struct carom_pair_stretch *stretch, carom_lane press)
{
    const struct carom_lane3 gap = stretch->gap, apart = carom_pair_apart(i, j, form);
    const struct carom_lane3 arm = carom_lane_add(form->arm, carom_lane_shift(i->a, i->w, form->arm));
    const carom_lane inverse = stretch->inverse, stiff = stiffness->stiff;
    const carom_lane lean = press * inverse, both = stiff + lean;
    const carom_lane along = lean - lean * (carom_lane_dot(gap, apart) * (inverse * inverse));
    const struct carom_lane3 grip = carom_lane_add(carom_lane_times(stiff, gap), carom_lane_times(lean, apart));
    const struct carom_lane3 flex =
        carom_lane_flex(i->a, i->w, j->a, j->w, carom_pair_bent(stiffness, carom_pair_relative(i, j)));
    struct carom_pair_pull p;
    p.force = carom_lane_add(carom_lane_times(both, gap), carom_lane_times(along, apart));
    p.on_first = carom_lane_add(carom_lane_cross(arm, grip), flex);
    p.off_second = carom_lane_add(p.on_first, carom_lane_times(both, carom_lane_cross(gap, apart)));
    return p;
}

#endif
