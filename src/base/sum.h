/* Compensated sums (Neumaier): the order of a sum still matters to the last bit, its length hardly at all. */
#ifndef CAROM_BASE_SUM_H
#define CAROM_BASE_SUM_H

#ifndef CAROM_ON_DEVICE
#include <math.h>
#endif

struct carom_sum {
    double high, low;
};

static inline void carom_sum_add(struct carom_sum *sum, double term)
{
    const double total = sum->high + term;
    sum->low += fabs(sum->high) >= fabs(term) ? (sum->high - total) + term : (term - total) + sum->high;
    sum->high = total;
}

static inline double carom_sum_value(const struct carom_sum *sum)
{
    return sum->high + sum->low;
}

#endif
