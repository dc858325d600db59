/* Rotations as unit quaternions q = (a, w): arrays of four numbers, the real one first, and several side by side in
 * lanes. Q is the matrix of the rotation. */
#ifndef CAROM_BASE_QUAT_H
#define CAROM_BASE_QUAT_H

#include "base/vec.h"

/* (Q - 1) x, exact also where the turn is tiny; out may be x */
static inline void carom_quat_shift(const double q[4], const double x[3], double out[3])
{
    double t[3], s[3];
    carom_vec_cross(q + 1, x, t);
    for (int k = 0; k < 3; k++)
        t[k] *= 2.0;
    carom_vec_cross(q + 1, t, s);
    for (int k = 0; k < 3; k++)
        out[k] = q[0] * t[k] + s[k];
}

/* Q x, and Q^T x; out may be x */
static inline void carom_quat_turn(const double q[4], const double x[3], double out[3])
{
    double s[3];
    carom_quat_shift(q, x, s);
    for (int k = 0; k < 3; k++)
        out[k] = x[k] + s[k];
}

static inline void carom_quat_turn_back(const double q[4], const double x[3], double out[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    carom_quat_turn(back, x, out);
}

/* out = a b, which may not be the same array */
static inline void carom_quat_product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* --- lanes ------------------------------------------------------------------------------------------------------- */

/* (Q - 1) x for the quaternion (a, w) */
static inline struct carom_lane3 carom_lane_shift(carom_lane a, struct carom_lane3 w, struct carom_lane3 x)
{
    struct carom_lane3 t = carom_lane_cross(w, x);
    t = carom_lane_add(t, t);
    return carom_lane_add(carom_lane_times(a, t), carom_lane_cross(w, t));
}

/* twice the vector part of q_J b q_I^*, for the quaternions (a, w) of I and J */
static inline struct carom_lane3 carom_lane_flex(carom_lane a_i, struct carom_lane3 w_i, carom_lane a_j,
                                                 struct carom_lane3 w_j, struct carom_lane3 b)
{
    const carom_lane scalar = carom_lane_dot(w_j, b); /* less than none: the sign is below */
    const struct carom_lane3 v = carom_lane_add(carom_lane_times(a_j, b), carom_lane_cross(w_j, b));
    const struct carom_lane3 half = carom_lane_add(
        carom_lane_add(carom_lane_times(a_i, v), carom_lane_times(scalar, w_i)), carom_lane_cross(w_i, v));
    return carom_lane_add(half, half);
}

#endif
