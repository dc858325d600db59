/* What several laws share; their formulas stand in kernel/press.h, for devices, too. */
#ifndef CAROM_LAW_KERNELS_H
#define CAROM_LAW_KERNELS_H

#include "carom/law.h"
#include "kernel/press.h"

/* Contact j of a batch under F = k (d^p + gamma d/dt d^b). */
static inline void carom_kernel_damped(const struct carom_batch *batch, size_t j, double k, double p, double gamma,
                                       double b)
{
    const double d = carom_kernel_overlap(batch->deform[j]);
    const bool closed = d > 0.0;
    const double damping = gamma * k;
    const double drag = carom_kernel_drag(damping, b, d);
    if (batch->elastic)
        batch->elastic[j] = k * carom_kernel_power(d, p);
    if (batch->slope)
        batch->slope[j] = closed ? k * p * carom_kernel_power(d, p - 1.0) : 0.0;
    if (batch->viscous)
        batch->viscous[j] = carom_kernel_viscous(damping, b, d);
    if (batch->drag)
        batch->drag[j] = drag;
    if (batch->power)
        batch->power[j] = drag * batch->rate[j] * batch->rate[j];
    if (batch->energy)
        batch->energy[j] = k / (p + 1.0) * d * carom_kernel_power(d, p);
}

/* `form` of laws with these columns. */
static inline void carom_kernel_form(double k, double p, double gamma, double b, double form[CAROM_LAW_FORM])
{
    form[CAROM_LAW_K] = k;
    form[CAROM_LAW_P] = p;
    form[CAROM_LAW_GAMMA] = gamma;
    form[CAROM_LAW_B] = b;
}

#endif
