/* How one body moves. */
#ifndef CAROM_MODEL_BODIES_MOVE_H
#define CAROM_MODEL_BODIES_MOVE_H

#include <stdbool.h>
#include <string.h>

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
        scale = 0.5 * sin(half) / half;
        turn[0] = cos(half);
    }
    for (int k = 0; k < 3; k++)
        turn[1 + k] = scale * vector[k];
}

/* Coordinates of a body (carom/bodies.h) moved by `by`, as many numbers as a velocity has. */
static inline void carom_move_body(bool plane, const double *from, const double *by, double *to)
{
    double turn[4], turned[4], square = 0.0; /* `to` may be `from` */
    for (int k = 0; k < 3; k++) /* the first three are plain in both */
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

#endif
