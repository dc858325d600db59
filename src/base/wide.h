/* For files *_wide.c, which CMake has compiled for processors with registers of four numbers (AVX2 of x86-64): they
 * include this, and then passes that other files have in two lanes. Each lane does what a single number would, so the
 * bits are the same; passes are chosen when the program runs. Elsewhere nothing of such a file is left. */
#ifndef CAROM_BASE_WIDE_H
#define CAROM_BASE_WIDE_H

#include <stdbool.h>

#ifdef __AVX2__
#define CAROM_LANES 4

/* does the processor that this runs on have such registers? */
static inline bool carom_wide_runs(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static inline bool carom_wide_runs(void)
{
    return false;
}
#endif

#endif
