/* Links in space, one in each lane: where their cells' numbers come from. kernel/pair.h has the rest. */
#ifndef CAROM_MODEL_SOLID_SOLID_PAIR_H
#define CAROM_MODEL_SOLID_SOLID_PAIR_H

#include "kernel/pair.h"

ALWAYS_INLINE struct carom_pair_side carom_pair_side_of(const double *const q[CAROM_LANES])
{
    struct carom_pair_side s;
    const double *at[3][CAROM_LANES];
    carom_lane again;
    for (int l = 0; l < CAROM_LANES; l++) {
        at[0][l] = q[l] + 2;
        at[1][l] = q[l] + 4;
        at[2][l] = q[l] + 5;
    }
    carom_lane_columns(carom_lane_rows_of(q), &s.u.x, &s.u.y);
    carom_lane_columns(carom_lane_rows_of(at[0]), &s.u.z, &s.a);
    carom_lane_columns(carom_lane_rows_of(at[1]), &s.w.x, &s.w.y);
    carom_lane_columns(carom_lane_rows_of(at[2]), &again, &s.w.z);
    return s;
}

#endif
