/* Copies in registers of 16 bytes. Measured on a Xeon with AVX-512, on which the same steps of irk with 25 beads took
 * 1.1 ms at some times and 2.0 ms at others: in quick times a book of impacts added 7 to 10 % to them with memcpy and 4
 * to 6 % with these, to verlet with 1000 beads 15 to 19 % and 6 to 10 %; in slow times 3 to 4 % with either. Why is not
 * known. */
#ifndef CAROM_SIM_SWINGS_NARROW_H
#define CAROM_SIM_SWINGS_NARROW_H

#include "base/lane.h"

/* or compilers make loops calls of libc again */
#define CAROM_NARROW_LOOP __asm__ volatile("" ::: "memory")

static inline void carom_narrow_copy(double *restrict to, const double *restrict from, size_t n)
{
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        const carom_lane_duo a = carom_lane_duo_load(from + k), b = carom_lane_duo_load(from + k + 2);
        carom_lane_duo_store(to + k, a);
        carom_lane_duo_store(to + k + 2, b);
        CAROM_NARROW_LOOP;
    }
    for (; k < n; k++) {
        to[k] = from[k];
        CAROM_NARROW_LOOP;
    }
}

#endif
