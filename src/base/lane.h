/* Numbers side by side in one register, on every machine: gcc and clang make SSE2, NEON or plain code of it. Each lane
 * does exactly what a single number would, so that working side by side changes no bit. Comparisons give masks of all
 * ones and zeros. Registers are taken to hold CAROM_LANES numbers; what knows that there are two stands last. */
#ifndef CAROM_BASE_LANE_H
#define CAROM_BASE_LANE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* where a call, or an argument that is not known while compiling, would send registers through memory */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum { CAROM_LANES = 2 };

typedef double carom_lane __attribute__((vector_size(8 * CAROM_LANES)));
typedef int64_t carom_lane_mask __attribute__((vector_size(8 * CAROM_LANES))); /* what comparing lanes gives */

ALWAYS_INLINE carom_lane carom_lane_load(const double *from)
{
    carom_lane lane;
    memcpy(&lane, from, sizeof lane);
    return lane;
}

ALWAYS_INLINE void carom_lane_store(double *to, carom_lane lane)
{
    memcpy(to, &lane, sizeof lane);
}

/* f += x */
ALWAYS_INLINE void carom_lane_onto(double *f, carom_lane x)
{
    carom_lane_store(f, carom_lane_load(f) + x);
}

/* a where the mask is set, else 0 */
ALWAYS_INLINE carom_lane carom_lane_where(carom_lane_mask mask, carom_lane a)
{
    return (carom_lane)((carom_lane_mask)a & mask);
}

/* y where the mask is set, else x */
ALWAYS_INLINE carom_lane carom_lane_pick(carom_lane_mask mask, carom_lane y, carom_lane x)
{
    return (carom_lane)((mask & (carom_lane_mask)y) | (~mask & (carom_lane_mask)x));
}

/* a, or 0 where it is negative or not a number */
ALWAYS_INLINE carom_lane carom_lane_positive(carom_lane a)
{
    return carom_lane_where(a > 0.0, a);
}

ALWAYS_INLINE carom_lane carom_lane_abs(carom_lane a)
{
    return (carom_lane)((carom_lane_mask)a & INT64_MAX);
}

/* a, unless it is not larger (smaller) than b or not a number */
ALWAYS_INLINE carom_lane carom_lane_max(carom_lane a, carom_lane b)
{
    return carom_lane_pick(a > b, a, b);
}

ALWAYS_INLINE carom_lane carom_lane_min(carom_lane a, carom_lane b)
{
    return carom_lane_pick(a < b, a, b);
}

/* |a| if it is larger than the sizes so far, compared as integers: a NaN is larger than any number and stays */
ALWAYS_INLINE carom_lane_mask carom_lane_larger(carom_lane_mask so_far, carom_lane a)
{
    const carom_lane_mask size = (carom_lane_mask)a & INT64_MAX, grows = size > so_far;
    return (size & grows) | (so_far & ~grows);
}

/* --- two lanes --------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE double carom_lane_largest(carom_lane_mask sizes)
{
    const int64_t bits = sizes[0] > sizes[1] ? sizes[0] : sizes[1];
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

ALWAYS_INLINE carom_lane carom_lane_sqrt(carom_lane a)
{
    return (carom_lane){sqrt(a[0]), sqrt(a[1])};
}

ALWAYS_INLINE carom_lane carom_lane_swap(carom_lane a)
{
    return (carom_lane){a[1], a[0]};
}

/* the second of a and the first of b: what stands one place to the left of b */
ALWAYS_INLINE carom_lane carom_lane_between(carom_lane a, carom_lane b)
{
    return (carom_lane){a[1], b[0]};
}

/* the first and the second numbers of two registers, side by side */
ALWAYS_INLINE carom_lane carom_lane_first(carom_lane a, carom_lane b)
{
    return __builtin_shufflevector(a, b, 0, 2);
}

ALWAYS_INLINE carom_lane carom_lane_second(carom_lane a, carom_lane b)
{
    return __builtin_shufflevector(a, b, 1, 3);
}

/* f[0..5] += and -= lane l of six numbers */
static inline void carom_lane_onto_six(double *f, const carom_lane x[6], size_t l)
{
    for (int k = 0; k < 6; k += 2)
        carom_lane_onto(f + k, l == 0 ? carom_lane_first(x[k], x[k + 1]) : carom_lane_second(x[k], x[k + 1]));
}

static inline void carom_lane_off_six(double *f, const carom_lane x[6], size_t l)
{
    for (int k = 0; k < 6; k += 2)
        carom_lane_onto(f + k, -(l == 0 ? carom_lane_first(x[k], x[k + 1]) : carom_lane_second(x[k], x[k + 1])));
}

#endif
