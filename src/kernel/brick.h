/* Links of boxes in space of one material, once for processors (two in lanes) and devices (one in each place): each as
 * in pair.h, to the bit, with the terms left out that are zero because arms and distances lie along an axis. The common
 * subset of C and OpenCL C, as sheet.h; solid_grid.c and space.cl say which links these are. The axis k must be a
 * constant in what is compiled: indices by it would go through memory. */
#ifndef CAROM_KERNEL_BRICK_H
#define CAROM_KERNEL_BRICK_H

#ifndef CAROM_ON_DEVICE
#include "base/lane3.h"
#endif

/* cells: displacements and quaternions (a, w) */
struct carom_brick {
    carom_lane u[3], a, w[3];
};

/* links along one axis, as in pair.h */
struct carom_brick_bond {
    carom_lane apart[3], gap[3], arm[3], inverse;
};

/* (Q - 1) (length e_k), k the axis */
ALWAYS_INLINE void carom_brick_shift(const struct carom_brick *t, int k, double length, carom_lane out[3])
{
    const int l = (k + 1) % 3, m = (k + 2) % 3;
    const carom_lane half_l = t->w[m] * length, half_m = -(t->w[l] * length);
    const carom_lane t_l = half_l + half_l, t_m = half_m + half_m;
    out[k] = t->w[l] * t_m - t->w[m] * t_l;
    out[l] = t->a * t_l - t->w[k] * t_m;
    out[m] = t->a * t_m + t->w[k] * t_l;
}

ALWAYS_INLINE carom_lane carom_brick_dot(const carom_lane a[3], const carom_lane b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

ALWAYS_INLINE void carom_brick_cross(const carom_lane a[3], const carom_lane b[3], carom_lane out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

/* X_J - X_I as it is now, and the arm of the first cell, which has turned by `here` */
ALWAYS_INLINE void carom_brick_reach(const struct carom_brick *i, const struct carom_brick *j, int k, double edge,
                                     const carom_lane here[3], struct carom_brick_bond *b)
{
    for (int c = 0; c < 3; c++) {
        const carom_lane moved = j->u[c] - i->u[c];
        b->apart[c] = c == k ? edge + moved : moved;
        b->arm[c] = c == k ? 0.5 * edge + here[c] : here[c];
    }
}

ALWAYS_INLINE void carom_brick_join(const struct carom_brick *i, const struct carom_brick *j, int k, double edge,
                                    struct carom_brick_bond *b)
{
    const double arm = 0.5 * edge, back = arm - edge;
    carom_lane here[3], there[3];
    carom_brick_shift(i, k, arm, here);
    carom_brick_shift(j, k, back, there);
    carom_brick_reach(i, j, k, edge, here, b);
    for (int c = 0; c < 3; c++)
        b->gap[c] = (j->u[c] - i->u[c]) + (there[c] - here[c]);
    b->inverse = 1.0 / carom_lane_sqrt(carom_brick_dot(b->apart, b->apart));
}

/* Du along the line between the cells, which opens them */
ALWAYS_INLINE carom_lane carom_brick_open(const struct carom_brick_bond *b)
{
    return carom_brick_dot(b->gap, b->apart) * b->inverse;
}

/* torque of the relative turn on the first cell, space axes */
ALWAYS_INLINE void carom_brick_flex(const struct carom_brick *i, const struct carom_brick *j, const double *bend,
                                    carom_lane out[3])
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

/* Force and torque: `one` acts on the first cell, the second feels the opposite of `two`; press as in pair.h. */
ALWAYS_INLINE void carom_brick_pull(const struct carom_brick *i, const struct carom_brick *j,
                                    const struct carom_brick_bond *b, double stiff, const double *bend,
                                    carom_lane press, carom_lane one[6], carom_lane two[6])
{
    carom_lane grip[3], turn[3], twist[3];
    const carom_lane lean = press * b->inverse, both = stiff + lean;
    const carom_lane along = lean - lean * (carom_brick_dot(b->gap, b->apart) * (b->inverse * b->inverse));
    for (int e = 0; e < 3; e++) {
        grip[e] = stiff * b->gap[e] + lean * b->apart[e];
        one[e] = two[e] = both * b->gap[e] + along * b->apart[e];
    }
    carom_brick_flex(i, j, bend, turn);
    carom_brick_cross(b->arm, grip, one + 3);
    carom_brick_cross(b->gap, b->apart, twist);
    for (int e = 0; e < 3; e++) {
        one[3 + e] = one[3 + e] + turn[e];
        two[3 + e] = one[3 + e] + both * twist[e];
    }
}

#endif
