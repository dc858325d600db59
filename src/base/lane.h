/* Two doubles in one register, on every machine: gcc and clang make SSE2, NEON or plain code of it. Comparisons
 * give masks of all ones and zeros. */
#ifndef CAROM_BASE_LANE_H
#define CAROM_BASE_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#define INLINE static inline __attribute__((always_inline))

typedef double two __attribute__((vector_size(16)));
typedef int64_t two_flags __attribute__((vector_size(16)));

INLINE two load(const double *from)
{
    two value;
    memcpy(&value, from, sizeof value);
    return value;
}

INLINE void store(double *to, two value)
{
    memcpy(to, &value, sizeof value);
}

INLINE two swap(two a)
{
    return (two){a[1], a[0]};
}

INLINE two roots(two a)
{
    return (two){sqrt(a[0]), sqrt(a[1])};
}

INLINE two positive(two a)
{
    return (two)((two_flags)a & (a > 0.0));
}

/* |a| if it is larger than the sizes so far, compared as integers: a NaN is larger than any number and stays */
INLINE two_flags larger(two_flags so_far, two a)
{
    const two_flags size = (two_flags)a & INT64_MAX, grows = size > so_far;
    return (size & grows) | (so_far & ~grows);
}

INLINE double largest(two_flags sizes)
{
    const int64_t bits = sizes[0] > sizes[1] ? sizes[0] : sizes[1];
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#endif
