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
    if (square < CAROM_QUAT_SLIGHT) {
        carom_quat_slight(vector, square, turn);
        return;
    }
    const double half = sqrt(square), scale = 0.5 * carom_angle_sin(half) / half;
    turn[0] = carom_angle_cos(half);
    for (int k = 0; k < 3; k++)
        turn[1 + k] = scale * vector[k];
}

/* A rotation turned by a vector; `to` may be `from`. */
static inline void carom_move_turned(const double vector[3], const double from[4], double to[4])
{
    double turn[4], turned[4], square = 0.0;
    carom_move_turn(vector, turn);
    carom_quat_product(turn, from, turned);
    for (int k = 0; k < 4; k++)
        square += turned[k] * turned[k];
    /* a rotation but for rounding has 1 +- 1e-15 here */
    const double scale = fabs(square - 1.0) < 1e-9 ? 1.5 - 0.5 * square : 1.0 / sqrt(square);
    for (int k = 0; k < 4; k++)
        to[k] = turned[k] * scale;
}

/* Coordinates of a body (carom/bodies.h) moved by `by`, as many numbers as a velocity has; `to` may be `from`. */
static inline void carom_move_body(bool plane, const double *from, const double *by, double *to)
{
    for (int k = 0; k < 3; k++) /* the first three are plain in both */
        to[k] = from[k] + by[k];
    if (plane) {
        memcpy(to + 3, from + 3, 2 * sizeof *to);
        return;
    }
    memcpy(to + 7, from + 7, 3 * sizeof *to);
    carom_move_turned(by + 3, from + 3, to + 3);
}

/* Rotations of bodies of space side by side turned by these vectors, as carom_move_body does: the same bits in less
 * time, as the turn of one is a long chain of sums and products. */
ALWAYS_INLINE void carom_move_turn_few(const double *const from[CAROM_LANES], struct carom_lane3 by,
                                       double *const to[CAROM_LANES])
{
    const double *last[CAROM_LANES];
    carom_lane w, p, q, r;
    for (size_t l = 0; l < CAROM_LANES; l++)
        last[l] = from[l] + 2;
    carom_lane_columns(carom_lane_rows_of(from), &w, &p);
    carom_lane_columns(carom_lane_rows_of(last), &q, &r);
    const carom_lane square = 0.25 * carom_lane_dot(by, by); /* of half the angle */
    const carom_lane sine =
        square * (1.0 / 6.0 - square * (1.0 / 120.0 - square * (1.0 / 5040.0 - square * (1.0 / 362880.0))));
    const carom_lane cosine =
        square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0 - square * (1.0 / 40320.0))));
    const carom_lane scale = 0.5 * (1.0 - sine), a = 1.0 - cosine, b = scale * by.x, c = scale * by.y, d = scale * by.z;
    const carom_lane turned[4] = {a * w - b * p - c * q - d * r, a * p + b * w + c * r - d * q,
                                  a * q - b * r + c * w + d * p, a * r + b * q - c * p + d * w};
    carom_lane length = turned[0] * turned[0];
    for (int k = 1; k < 4; k++)
        length += turned[k] * turned[k];
    const carom_lane unit = 1.5 - 0.5 * length;
    const carom_lane_mask large = ~((square < CAROM_QUAT_SLIGHT) & (carom_lane_abs(length - 1.0) < 1e-9));
    for (size_t l = 0; l < CAROM_LANES; l++)
        if (large[l]) {
            const double vector[3] = {by.x[l], by.y[l], by.z[l]};
            carom_move_turned(vector, from[l], to[l]);
        } else {
            carom_lane_duo_store(to[l], carom_lane_both(turned[0] * unit, turned[1] * unit, l));
            carom_lane_duo_store(to[l] + 2, carom_lane_both(turned[2] * unit, turned[3] * unit, l));
        }
}

#endif
