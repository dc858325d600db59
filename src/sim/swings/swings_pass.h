/* The pass of a look over contacts of two beads each, as many at a time as a register holds: included by swings_look.c
 * and, for wider registers, by swings_pass_wide.c. Both give the same. */
#ifndef CAROM_SIM_SWINGS_SWINGS_PASS_H
#define CAROM_SIM_SWINGS_SWINGS_PASS_H

#include "base/lane.h"
#include "sim/swings/swings.h"

struct question {
    struct carom_swings_question a;
    carom_lane rise, above;
};

/* Fills overlaps now. May any of so many have turned? Whether they grew is left to a closer question. */
ALWAYS_INLINE carom_lane_mask turn_abreast(struct question ask, size_t k)
{
    const struct carom_swings_question *a = &ask.a;
    const carom_lane d = carom_lane_load(a->q + k) - carom_lane_load(a->q + k + 1) - carom_lane_load(a->gap + k);
    const carom_lane middle = carom_lane_load(a->middle + k), grew = middle - carom_lane_load(a->before + k);
    const carom_lane grows = d - middle, top = middle + ask.above * (grew - grows);
    carom_lane_store(a->now + k, d);
    return ((grows <= ask.rise * grew) & (top > carom_lane_load(a->deep + k))) | (d <= 0.0);
}

enum { ABREAST = 4 }; /* registers at a time */

/* Those of the masks onto the list. It is seldom called, and in line would take registers from the pass. */
static __attribute__((noinline)) size_t list_some(const carom_lane_mask *each, size_t n, size_t k,
                                                  size_t *restrict list, size_t count)
{
    for (size_t i = 0; i < n; i++, k += CAROM_LANES)
        for (size_t l = 0; l < CAROM_LANES && carom_lane_any(each[i]); l++) {
            list[count] = k + l;
            count += each[i][l] != 0 ? 1 : 0;
        }
    return count;
}

static size_t turn_all(const struct carom_swings_question *a, size_t n, size_t *restrict list)
{
    const struct question ask = {*a, carom_lane_all(a->rise), carom_lane_all(a->above)};
    size_t count = 0, k = 0;
    for (; k + ABREAST * CAROM_LANES <= n; k += ABREAST * CAROM_LANES) {
        const carom_lane_mask each[ABREAST] = {turn_abreast(ask, k), turn_abreast(ask, k + CAROM_LANES),
                                               turn_abreast(ask, k + 2 * CAROM_LANES),
                                               turn_abreast(ask, k + 3 * CAROM_LANES)};
        const carom_lane_mask any = each[0] | each[1] | each[2] | each[3];
        if (carom_lane_any(any))
            count = list_some(each, ABREAST, k, list, count);
    }
    for (; k + CAROM_LANES <= n; k += CAROM_LANES) {
        const carom_lane_mask any = turn_abreast(ask, k);
        if (carom_lane_any(any))
            count = list_some(&any, 1, k, list, count);
    }
    if (k < n && n >= CAROM_LANES) { /* the last ones, some of them again */
        const size_t last = n - CAROM_LANES;
        carom_lane_mask any = turn_abreast(ask, last);
        if (!carom_lane_any(any))
            return count;
        for (size_t l = 0; l < CAROM_LANES; l++)
            any[l] = last + l < k ? 0 : any[l];
        return list_some(&any, 1, last, list, count);
    }
    for (; k < n; k++) {
        a->now[k] = a->q[k] - a->q[k + 1] - a->gap[k];
        list[count++] = k;
    }
    return count;
}

#endif
