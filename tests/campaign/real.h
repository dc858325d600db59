/* The numbers of references: double, or quadruple precision where CAMPAIGN_QUAD is defined. */
#ifndef CAROM_TESTS_CAMPAIGN_REAL_H
#define CAROM_TESTS_CAMPAIGN_REAL_H

#ifdef CAMPAIGN_QUAD
#include "quad.h"
typedef quad real;
#define REAL_EPSILON ((real)1.9e-34)
#define REAL_ALLOWED ((real)1e-24) /* local error, of the scales */
#define real_root sqrtf128
#define real_sin sinf128
#define real_cos cosf128
#define real_atan atanf128
#define real_pow powf128
#else
#include <float.h>
#include <math.h>
typedef double real;
#define REAL_EPSILON DBL_EPSILON
#define REAL_ALLOWED 3e-15
#define real_root sqrt
#define real_sin sin
#define real_cos cos
#define real_atan atan
#define real_pow pow
#endif

static inline real real_size(real x)
{
    return x < 0 ? -x : x;
}

/* x^p of x >= 0, by roots where p is a multiple of 1/2 */
static inline real real_power(real x, double p)
{
    const int halves = (int)(2.0 * p);
    real result = 1;
    if (!(x > 0))
        return p == 0.0 ? 1 : 0;
    if (halves != 2.0 * p || halves < 0)
        return real_pow(x, (real)p);
    for (int i = 0; i < halves / 2; i++)
        result *= x;
    return halves % 2 == 1 ? result * real_root(x) : result;
}

#endif
