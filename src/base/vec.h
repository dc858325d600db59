/* Vectors of three numbers: arrays, and several side by side in lanes. */
#ifndef CAROM_BASE_VEC_H
#define CAROM_BASE_VEC_H

#include "base/lane.h"

/* out may be a or b */
static inline void carom_vec_cross(const double a[3], const double b[3], double out[3])
{
    const double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline double carom_vec_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double carom_vec_norm(const double a[3])
{
    return sqrt(carom_vec_dot(a, a));
}

/* --- lanes ------------------------------------------------------------------------------------------------------- */

struct carom_lane3 {
    carom_lane x, y, z;
};

static inline struct carom_lane3 carom_lane_cross(struct carom_lane3 a, struct carom_lane3 b)
{
    return (struct carom_lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline carom_lane carom_lane_dot(struct carom_lane3 a, struct carom_lane3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline struct carom_lane3 carom_lane_add(struct carom_lane3 a, struct carom_lane3 b)
{
    return (struct carom_lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline struct carom_lane3 carom_lane_less(struct carom_lane3 a, struct carom_lane3 b)
{
    return (struct carom_lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline struct carom_lane3 carom_lane_times(carom_lane s, struct carom_lane3 a)
{
    return (struct carom_lane3){s * a.x, s * a.y, s * a.z};
}

#endif
