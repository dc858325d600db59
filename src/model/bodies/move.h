/* How bodies move. */
#ifndef CAROM_MODEL_BODIES_MOVE_H
#define CAROM_MODEL_BODIES_MOVE_H

#include <stdbool.h>
#include <string.h>

#include "base/angle.h"
#include "base/quat.h"
#include "base/vec.h"

/* The quaternion of a rotation vector; of small ones by series to the last bit. */
static inline void carom_move_turn(const double vector[3], double turn[4])
{
    const double square = 0.25 * carom_vec_dot(vector, vector); /* of half the angle */
    double scale;
    if (square < 0.0025) {
        const double sine =
            square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square * (1.0 / 362880.0))));
        const double cosine =
            square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40320.0))));
        scale = 0.5 * (1.0 - sine);
        turn[0] = 1.0 - cosine;
    } else {
        const double half = sqrt(square);
        scale = 0.5 * carom_angle_sin(half) / half;
        turn[0] = carom_angle_cos(half);
    }
    for (int k = 0; k < 3; k++)
        turn[1 + k] = scale * vector[k];
}

/* Coordinates of a body (carom/bodies.h) moved by `by`, as many numbers as a velocity has. */
static inline void carom_move_body(bool plane, const double *from, const double *by, double *to)
{
    double turn[4], turned[4], square = 0.0; /* `to` may be `from` */
    for (int k = 0; k < 3; k++)              /* the first three are plain in both */
        to[k] = from[k] + by[k];
    if (plane) {
        memcpy(to + 3, from + 3, 2 * sizeof *to);
        return;
    }
    memcpy(to + 7, from + 7, 3 * sizeof *to);
    carom_move_turn(by + 3, turn);
    carom_quat_product(turn, from + 3, turned);
    for (int k = 0; k < 4; k++)
        square += turned[k] * turned[k];
    /* a rotation but for rounding has 1 +- 1e-15 here */
    const double scale = fabs(square - 1.0) < 1e-9 ? 1.5 - 0.5 * square : 1.0 / sqrt(square);
    for (int k = 0; k < 4; k++)
        to[3 + k] = turned[k] * scale;
}

/* Numbers k and k + 1 of two arrays, side by side, and back. */
ALWAYS_INLINE void carom_move_take(const double *const of[2], int k, carom_lane *x, carom_lane *y)
{
    const carom_lane first = carom_lane_load(of[0] + k), second = carom_lane_load(of[1] + k);
    *x = carom_lane_first(first, second);
    *y = carom_lane_second(first, second);
}

ALWAYS_INLINE void carom_move_put(carom_lane x, carom_lane y, double *const to[2], int k)
{
    carom_lane_store(to[0] + k, carom_lane_first(x, y));
    carom_lane_store(to[1] + k, carom_lane_second(x, y));
}

/* carom_move_body of two bodies of space, side by side: the same bits in half the time, as the turn of one is a long
 * chain of sums and products. */
static inline void carom_move_two(const double *const from[2], const double *const by[2], double *const to[2])
{
    carom_lane x, y, z, w, p, q, r, unused;
    carom_move_take(by, 2, &unused, &x);
    carom_move_take(by, 4, &y, &z);
    const carom_lane square = 0.25 * (x * x + y * y + z * z); /* of half the angle */
    const carom_lane sine =
        square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square * (1.0 / 362880.0))));
    const carom_lane cosine =
        square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40320.0))));
    const carom_lane scale = 0.5 * (1.0 - sine), a = 1.0 - cosine, b = scale * x, c = scale * y, d = scale * z;
    carom_move_take(from, 3, &w, &p);
    carom_move_take(from, 5, &q, &r);
    const carom_lane turned[4] = {a * w - b * p - c * q - d * r, a * p + b * w + c * r - d * q,
                                  a * q - b * r + c * w + d * p, a * r + b * q - c * p + d * w};
    carom_lane length = turned[0] * turned[0];
    for (int k = 1; k < 4; k++)
        length += turned[k] * turned[k];
    const carom_lane_mask small = (square < 0.0025) & (carom_lane_abs(length - 1.0) < 1e-9);
    if (!(small[0] & small[1])) {
        carom_move_body(false, from[0], by[0], to[0]);
        carom_move_body(false, from[1], by[1], to[1]);
        return;
    }
    const carom_lane unit = 1.5 - 0.5 * length;
    for (int l = 0; l < 2; l++) {
        carom_lane_store(to[l], carom_lane_load(from[l]) + carom_lane_load(by[l]));
        to[l][2] = from[l][2] + by[l][2];
        memcpy(to[l] + 7, from[l] + 7, 3 * sizeof(double));
    }
    carom_move_put(turned[0] * unit, turned[1] * unit, to, 3);
    carom_move_put(turned[2] * unit, turned[3] * unit, to, 5);
}

#endif
