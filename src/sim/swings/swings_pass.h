/* The pass of a look over contacts of two beads each, in as many lanes as registers have: which of them may have
 * turned. Each lane does what a single contact would. */
#ifndef CAROM_SIM_SWINGS_SWINGS_PASS_H
#define CAROM_SIM_SWINGS_SWINGS_PASS_H

#include "base/lane.h"
#include "sim/swings/swings.h"

/* Fills overlaps now. Which of so many may have turned, or are open: where signs are set. Whether they grew is left to
 * a closer question. */
ALWAYS_INLINE carom_lane_mask turn_abreast(struct carom_swings_question ask, carom_lane rise, carom_lane above,
                                           size_t k)
{
    const carom_lane d = carom_lane_load(ask.q + k) - carom_lane_load(ask.q + k + 1) - carom_lane_load(ask.gap + k);
    const carom_lane middle = carom_lane_load(ask.middle + k), grew = middle - carom_lane_load(ask.before + k);
    const carom_lane grows = d - middle, below = above * (grows - grew) - middle; /* minus the top */
    const carom_lane_mask high = (carom_lane_mask)(below + carom_lane_load(ask.deep + k));
    carom_lane_store(ask.now + k, d);
    return (high & (grows <= rise * grew)) | (d <= 0.0);
}

/* Those that bits tell onto the list. It is seldom called, and in line would take registers from the pass. */
static __attribute__((noinline)) size_t list_some(unsigned bits, size_t k, size_t *restrict list, size_t count)
{
    for (; bits != 0; bits &= bits - 1)
        list[count++] = k + (size_t)__builtin_ctz(bits);
    return count;
}

/* Lists those among n, counted from 0, that may have turned or are open: few, to be asked again. */
ALWAYS_INLINE size_t pass(const struct carom_swings_question *question, size_t n, size_t *restrict list)
{
    const struct carom_swings_question ask = *question;
    const carom_lane rise = carom_lane_all(ask.rise), above = carom_lane_all(ask.above);
    size_t count = 0, k = 0;
    for (; k + 4 * CAROM_LANES <= n; k += 4 * CAROM_LANES) {
        const carom_lane_mask a = turn_abreast(ask, rise, above, k),
                              b = turn_abreast(ask, rise, above, k + CAROM_LANES);
        const carom_lane_mask c = turn_abreast(ask, rise, above, k + 2 * CAROM_LANES),
                              d = turn_abreast(ask, rise, above, k + 3 * CAROM_LANES);
        if (carom_lane_any(a | b | c | d)) {
            const unsigned low = carom_lane_bits(a) | carom_lane_bits(b) << CAROM_LANES;
            const unsigned high = carom_lane_bits(c) | carom_lane_bits(d) << CAROM_LANES;
            count = list_some(low | high << 2 * CAROM_LANES, k, list, count);
        }
    }
    for (; k < n && n >= CAROM_LANES; k += CAROM_LANES) { /* the last ones beside some that have been asked */
        const size_t at = k + CAROM_LANES <= n ? k : n - CAROM_LANES;
        const unsigned bits = carom_lane_bits(turn_abreast(ask, rise, above, at)) >> (k - at);
        if (bits != 0)
            count = list_some(bits, k, list, count);
    }
    for (; k < n; k++) {
        ask.now[k] = ask.q[k] - ask.q[k + 1] - ask.gap[k];
        list[count++] = k;
    }
    return count;
}

#endif
