/* Two links at a time in one register: numbers, vectors and rotations of pairs of links. Each lane does exactly what
 * a single number would, so pairing changes no bit. */
#ifndef CAROM_MODEL_SOLID_SOLID_LANE_H
#define CAROM_MODEL_SOLID_SOLID_LANE_H

#include <math.h>
#include <string.h>

enum { CAROM_LANES = 2 };

typedef double carom_lane __attribute__((vector_size(16)));
typedef long long carom_lane_mask __attribute__((vector_size(16))); /* what comparing lanes gives */

struct carom_lane3 {
    carom_lane x, y, z;
};

__attribute__((always_inline)) static inline carom_lane carom_lane_load(const double *x)
{
    carom_lane lane;
    memcpy(&lane, x, sizeof lane);
    return lane;
}

__attribute__((always_inline)) static inline void carom_lane_store(double *x, carom_lane lane)
{
    memcpy(x, &lane, sizeof lane);
}

/* y where the mask is set, else x */
__attribute__((always_inline)) static inline carom_lane carom_lane_pick(carom_lane_mask mask, carom_lane y,
                                                                        carom_lane x)
{
    return (carom_lane)((mask & (carom_lane_mask)y) | (~mask & (carom_lane_mask)x));
}

/* the first and the second numbers of two registers, side by side */
static inline carom_lane carom_lane_first(carom_lane a, carom_lane b)
{
    return __builtin_shufflevector(a, b, 0, 2);
}

static inline carom_lane carom_lane_second(carom_lane a, carom_lane b)
{
    return __builtin_shufflevector(a, b, 1, 3);
}

static inline carom_lane carom_lane_sqrt(carom_lane a)
{
    return (carom_lane){sqrt(a[0]), sqrt(a[1])};
}

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

/* f[0..1] += x */
static inline void carom_lane_onto(double *f, carom_lane x)
{
    carom_lane_store(f, carom_lane_load(f) + x);
}

/* f[0..5] += lane l of six numbers */
static inline void carom_lane_onto_six(double *f, const carom_lane x[6], size_t l)
{
    for (int k = 0; k < 6; k += 2)
        carom_lane_onto(f + k, l == 0 ? carom_lane_first(x[k], x[k + 1]) : carom_lane_second(x[k], x[k + 1]));
}

/* f[0..5] -= lane l of six numbers */
static inline void carom_lane_off_six(double *f, const carom_lane x[6], size_t l)
{
    for (int k = 0; k < 6; k += 2) {
        const carom_lane y = l == 0 ? carom_lane_first(x[k], x[k + 1]) : carom_lane_second(x[k], x[k + 1]);
        carom_lane_store(f + k, carom_lane_load(f + k) - y);
    }
}

#endif
