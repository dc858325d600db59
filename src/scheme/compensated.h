/* Additions that keep what rounding cuts off: high + low is the number. */
#ifndef CAROM_SCHEME_COMPENSATED_H
#define CAROM_SCHEME_COMPENSATED_H

#include "base/lane.h"

/* *high_to + *low_to = high + low + term, exactly but for the rounding of low + term. */
static inline void carom_compensated_add(double high, double low, double term, double *high_to, double *low_to)
{
    const double add = term + low;
    const double sum = high + add, part = sum - high;
    *low_to = (high - (sum - part)) + (add - part);
    *high_to = sum;
}

/* the same lane by lane */
ALWAYS_INLINE void carom_compensated_lanes(carom_lane high, carom_lane low, carom_lane term, carom_lane *high_to,
                                           carom_lane *low_to)
{
    const carom_lane add = term + low, sum = high + add, part = sum - high;
    *low_to = (high - (sum - part)) + (add - part);
    *high_to = sum;
}

#endif
