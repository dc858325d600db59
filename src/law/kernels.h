/* Formulas that several laws share, each in one place. No pow where square roots will do: they are exact to the
 * last bit on every machine, and several times faster. */
#ifndef CAROM_LAW_KERNELS_H
#define CAROM_LAW_KERNELS_H

#include <math.h>

/* The overlap that carries force: open contacts count as 0. */
static inline double carom_kernel_overlap(double deform)
{
    return deform > 0.0 ? deform : 0.0;
}

/* k d^(3/2), in the order of operations that every Hertzian code path must share to agree to the bit. */
static inline double carom_kernel_hertz(double k, double d)
{
    return k * (d * sqrt(d));
}

/* d^p for d >= 0 */
static inline double carom_kernel_power(double d, double p)
{
    if (p == 1.5)
        return d * sqrt(d);
    if (p == 1.0)
        return d;
    if (p == 0.0)
        return 1.0;
    if (p == 0.5)
        return sqrt(d);
    if (p == 2.0)
        return d * d;
    if (p == 2.5)
        return d * d * sqrt(d);
    if (p == 1.25)
        return d * sqrt(sqrt(d));
    if (p == 0.25)
        return sqrt(sqrt(d));
    return pow(d, p);
}

#endif
