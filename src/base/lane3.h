/* Vectors and quaternions in lanes, for processors and devices: the common subset of C and OpenCL C, where
 * kernel/lane.cl says what base/lane.h says here. */
#ifndef CAROM_BASE_LANE3_H
#define CAROM_BASE_LANE3_H

#ifndef CAROM_ON_DEVICE
#include "base/lane.h"
#endif

struct carom_lane3 {
    carom_lane x, y, z;
};

ALWAYS_INLINE struct carom_lane3 carom_lane_cross(struct carom_lane3 a, struct carom_lane3 b)
{
    return (struct carom_lane3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

ALWAYS_INLINE carom_lane carom_lane_dot(struct carom_lane3 a, struct carom_lane3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

ALWAYS_INLINE struct carom_lane3 carom_lane_add(struct carom_lane3 a, struct carom_lane3 b)
{
    return (struct carom_lane3){a.x + b.x, a.y + b.y, a.z + b.z};
}

ALWAYS_INLINE struct carom_lane3 carom_lane_less(struct carom_lane3 a, struct carom_lane3 b)
{
    return (struct carom_lane3){a.x - b.x, a.y - b.y, a.z - b.z};
}

ALWAYS_INLINE struct carom_lane3 carom_lane_times(carom_lane s, struct carom_lane3 a)
{
    return (struct carom_lane3){s * a.x, s * a.y, s * a.z};
}

/* (Q - 1) x for the quaternion (a, w) */
ALWAYS_INLINE struct carom_lane3 carom_lane_shift(carom_lane a, struct carom_lane3 w, struct carom_lane3 x)
{
    struct carom_lane3 t = carom_lane_cross(w, x);
    t = carom_lane_add(t, t);
    return carom_lane_add(carom_lane_times(a, t), carom_lane_cross(w, t));
}

/* twice the vector part of q_J b q_I^*, for the quaternions (a, w) of I and J */
ALWAYS_INLINE struct carom_lane3 carom_lane_flex(carom_lane a_i, struct carom_lane3 w_i, carom_lane a_j,
                                                 struct carom_lane3 w_j, struct carom_lane3 b)
{
    const carom_lane scalar = carom_lane_dot(w_j, b); /* less than none: the sign is below */
    const struct carom_lane3 v = carom_lane_add(carom_lane_times(a_j, b), carom_lane_cross(w_j, b));
    const struct carom_lane3 once = carom_lane_add(
        carom_lane_add(carom_lane_times(a_i, v), carom_lane_times(scalar, w_i)), carom_lane_cross(w_i, v));
    return carom_lane_add(once, once);
}

#endif
