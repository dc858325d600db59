/* Additions and multiplications in registers, in as many lanes as whoever includes this has. */
#ifndef CAROM_BENCH_ARITHMETIC_PASS_H
#define CAROM_BENCH_ARITHMETIC_PASS_H

#include "base/lane.h"
#include "bench/arithmetic.h"

enum { ROUNDS = 600, CHAINS = 12, BETWEEN = 13 };

/* Enough chains side by side to keep all units busy; with an inverse root of each lane after every 2 x CHAINS x BETWEEN
 * operations, as often as in the kernels, if `roots`. */
ALWAYS_INLINE double calculate(bool roots)
{
    carom_lane x[CHAINS], y = carom_lane_all(0.7);
    double keep = 0.0;
    y[1] = 1.3;
    for (size_t i = 0; i < CHAINS; i++) {
        x[i] = carom_lane_all(1e-3 * (double)i);
        x[i][0] = 1.0;
    }
    for (int r = 0; r < ROUNDS; r++) {
        for (int k = 0; k < BETWEEN; k++)
            for (size_t i = 0; i < CHAINS; i++)
                x[i] = x[i] * 0.999 + 1e-3;
        if (roots)
            y = 0.3 + 1.0 / carom_lane_sqrt(y);
    }
    for (size_t i = 0; i < CHAINS; i++)
        keep += x[i][0] + x[i][CAROM_LANES - 1];
    return keep + y[0] + y[CAROM_LANES - 1]; /* or the compiler would leave it out */
}

/* a try of one thread, or of each of two: `own` has room for a sum for each */
static __attribute__((noinline)) void calculate_plain(void *own, size_t block)
{
    ((volatile double *)own)[block] = calculate(false);
}

static __attribute__((noinline)) void calculate_roots(void *own, size_t block)
{
    ((volatile double *)own)[block] = calculate(true);
}

static const struct cli_arithmetic arithmetic = {CAROM_LANES, 2.0 * CAROM_LANES *ROUNDS *CHAINS *BETWEEN,
                                                 CAROM_LANES *ROUNDS, calculate_plain, calculate_roots};

#endif
