/* How fast a processor adds and multiplies at its best, for limits of `carom bench`. */
#ifndef CAROM_BENCH_ARITHMETIC_H
#define CAROM_BENCH_ARITHMETIC_H

#include <stddef.h>

/* Tries, for carom_threads_run, without and with inverse roots among the additions and multiplications: how many there
 * are of either, and how many numbers a register has. */
struct cli_arithmetic {
    size_t lanes;
    double operations, inverse_roots;
    void (*plain)(void *sums, size_t block);
    void (*roots)(void *sums, size_t block);
};

/* in the registers that kernels of solids use on this processor */
const struct cli_arithmetic *cli_arithmetic(void);

/* in registers of four numbers; NULL: there are none */
const struct cli_arithmetic *cli_arithmetic_wide(void);

#endif
