/* Two links in space at a time, one in each lane: where their cells' numbers come from. kernel/pair.h has the rest. */
#ifndef CAROM_MODEL_SOLID_SOLID_PAIR_H
#define CAROM_MODEL_SOLID_SOLID_PAIR_H

#include "kernel/pair.h"

ALWAYS_INLINE struct carom_pair_side carom_pair_side_of(const double *q0, const double *q1)
{
    struct carom_pair_side s;
    const carom_lane a[3] = {carom_lane_load(q0), carom_lane_load(q0 + 2), carom_lane_load(q0 + 4)};
    const carom_lane b[3] = {carom_lane_load(q1), carom_lane_load(q1 + 2), carom_lane_load(q1 + 4)};
    s.u =
        (struct carom_lane3){carom_lane_first(a[0], b[0]), carom_lane_second(a[0], b[0]), carom_lane_first(a[1], b[1])};
    s.a = carom_lane_second(a[1], b[1]);
    s.w = (struct carom_lane3){carom_lane_first(a[2], b[2]), carom_lane_second(a[2], b[2]), (carom_lane){q0[6], q1[6]}};
    return s;
}

#endif
