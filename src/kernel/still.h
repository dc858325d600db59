/* Cells at rest under rattle, once for processors and devices: the common subset of C and OpenCL C, as sheet.h. Ahead
 * of a wave motion falls off by a factor of 1e-7 or so from cell to cell, down to numbers whose products underflow, and
 * x86 processors take a hundred cycles and more for each of those. So the velocities and angular momenta that move a
 * cell are 0 where they are smaller than `least`, far below anything that shows (rattle_still.c says how far): cells
 * that nothing has reached stay where they are, exactly. What is not a number stays so. */
#ifndef CAROM_KERNEL_STILL_H
#define CAROM_KERNEL_STILL_H

#ifndef CAROM_ON_DEVICE
#include "base/lane.h"

/* numbers side by side, each as carom_still has it */
ALWAYS_INLINE carom_lane carom_still_lane(carom_lane x, carom_lane least)
{
    return carom_lane_where(~(carom_lane_size(x) < least), x);
}
#endif

ALWAYS_INLINE double carom_still(double x, double least)
{
    return fabs(x) < least ? 0.0 : x;
}

#endif
