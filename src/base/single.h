/* Rounding to a float, for good. gcc 12.2 at -O2 turns two or three of o[0] = (float)a; o[1] = (float)b; side by side,
 * with o of double, into plain copies where nothing aliases; what goes through `volatile` no compiler may leave out. */
#ifndef CAROM_BASE_SINGLE_H
#define CAROM_BASE_SINGLE_H

static inline double carom_single(double x)
{
    volatile float rounded = (float)x;
    return (double)rounded;
}

#endif
