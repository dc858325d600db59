/* Formulas that several laws share, each in one place. No pow where square roots will do: they are exact to the
 * last bit on every machine, and several times faster. */
#ifndef CAROM_LAW_KERNELS_H
#define CAROM_LAW_KERNELS_H

#include <math.h>

#include "base/power.h"
#include "carom/law.h"

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
    return carom_power(d, p);
}

/* Contact j of a batch under F = k (d^p + gamma d/dt d^b). */
static inline void carom_kernel_damped(const struct carom_batch *batch, size_t j, double k, double p, double gamma,
                                       double b)
{
    const double d = carom_kernel_overlap(batch->deform[j]);
    const bool closed = d > 0.0; /* d^0 = 1 at touch, but an open contact carries nothing */
    const double damping = gamma * k;
    const double drag = closed && damping > 0.0 ? damping * b * carom_kernel_power(d, b - 1.0) : 0.0;
    if (batch->elastic)
        batch->elastic[j] = k * carom_kernel_power(d, p);
    if (batch->slope)
        batch->slope[j] = closed ? k * p * carom_kernel_power(d, p - 1.0) : 0.0;
    if (batch->viscous)
        batch->viscous[j] = damping > 0.0 ? damping * carom_kernel_power(d, b) : 0.0;
    if (batch->drag)
        batch->drag[j] = drag;
    if (batch->power)
        batch->power[j] = drag * batch->rate[j] * batch->rate[j];
    if (batch->energy)
        batch->energy[j] = k / (p + 1.0) * d * carom_kernel_power(d, p);
}

#endif
