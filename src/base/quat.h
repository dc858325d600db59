/* Rotations as unit quaternions q = (a, w): arrays of four numbers, the real one first. Q is the matrix of the
 * rotation. base/lane3.h has several side by side. */
#ifndef CAROM_BASE_QUAT_H
#define CAROM_BASE_QUAT_H

#ifndef CAROM_ON_DEVICE
#include "base/vec.h"
#endif

/* (Q - 1) x, exact also where the turn is tiny; out may be x */
ALWAYS_INLINE void carom_quat_shift(const double q[4], const double x[3], double out[3])
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
ALWAYS_INLINE void carom_quat_turn(const double q[4], const double x[3], double out[3])
{
    double s[3];
    carom_quat_shift(q, x, s);
    for (int k = 0; k < 3; k++)
        out[k] = x[k] + s[k];
}

ALWAYS_INLINE void carom_quat_turn_back(const double q[4], const double x[3], double out[3])
{
    const double back[4] = {q[0], -q[1], -q[2], -q[3]};
    carom_quat_turn(back, x, out);
}

/* out = a b, which may not be the same array */
ALWAYS_INLINE void carom_quat_product(const double a[4], const double b[4], double out[4])
{
    out[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
    out[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
    out[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
    out[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}

/* below this square of half its angle a turn is slight: the series is as good as sine and cosine */
#define CAROM_QUAT_SLIGHT 0.0025

/* the quaternion of a slight rotation vector, of half whose angle this is the square */
ALWAYS_INLINE void carom_quat_slight(const double vector[3], double square, double out[4])
{
    const double sine =
        square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square * (1.0 / 362880.0))));
    const double cosine = square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40320.0))));
    const double scale = 0.5 * (1.0 - sine);
    out[0] = 1.0 - cosine;
    for (int k = 0; k < 3; k++)
        out[1 + k] = scale * vector[k];
}

#endif
