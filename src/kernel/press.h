/* Formulas of contact laws that processors and devices share, each in one place, in the order of operations that every
 * code path must keep to agree to the bit: the common subset of C and OpenCL C. No pow where square roots will do: they
 * are exact to the last bit on every machine, and several times faster. */
#ifndef CAROM_KERNEL_PRESS_H
#define CAROM_KERNEL_PRESS_H

#ifdef CAROM_ON_DEVICE
#define CAROM_PRESS_OTHER(d, p) NAN /* such exponents are refused before anything runs */
#else
#include <math.h>
#include <stdbool.h>

#include "base/power.h"
#define CAROM_PRESS_OTHER(d, p) carom_power(d, p)
#endif

/* The overlap that carries force: open contacts count as 0. */
static inline double carom_kernel_overlap(double deform)
{
    return deform > 0.0 ? deform : 0.0;
}

/* k d^(3/2) */
static inline double carom_kernel_hertz(double k, double d)
{
    return k * (d * sqrt(d));
}

/* Can d^p be had by products and roots? The same list as below. */
static inline bool carom_kernel_rooted(double p)
{
    return p == 1.5 || p == 1.0 || p == 0.0 || p == 0.5 || p == 2.0 || p == 2.5 || p == 1.25 || p == 0.25;
}

/* And all powers of a contact as the `form` of its law tells of it? */
static inline bool carom_kernel_rooted_form(double p, double gamma, double b)
{
    return carom_kernel_rooted(p) &&
           (!(gamma > 0.0) || b == 0.0 || (carom_kernel_rooted(b) && carom_kernel_rooted(b - 1.0)));
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
    return CAROM_PRESS_OTHER(d, p);
}

/* F = k (d^p + gamma d/dt d^b): the impulse of the damper since touch, and its slope; damping = gamma k. d^0 = 1 at
 * touch, but an open contact carries nothing. */
static inline double carom_kernel_viscous(double damping, double b, double d)
{
    return damping > 0.0 ? damping * carom_kernel_power(d, b) : 0.0;
}

static inline double carom_kernel_drag(double damping, double b, double d)
{
    return d > 0.0 && damping > 0.0 ? damping * b * carom_kernel_power(d, b - 1.0) : 0.0;
}

/* The same of Kuwabara and Kono's contacts, p = b = 3/2, out of the root of d. */
static inline double carom_kernel_viscous_spheres(double k, double gamma, double d, double root)
{
    return gamma * (k * (d * root));
}

static inline double carom_kernel_drag_spheres(double k, double gamma, double root)
{
    return gamma * (1.5 * k * root);
}

/* The same of contacts as the `form` of their law tells of them, in which b = 0 stands for Kuwabara and Kono's. */
static inline double carom_kernel_viscous_form(double k, double gamma, double b, double d)
{
    return b == 0.0 ? carom_kernel_viscous_spheres(k, gamma, d, sqrt(d)) : carom_kernel_viscous(gamma * k, b, d);
}

static inline double carom_kernel_drag_form(double k, double gamma, double b, double d)
{
    return b == 0.0 ? carom_kernel_drag_spheres(k, gamma, sqrt(d)) : carom_kernel_drag(gamma * k, b, d);
}

/* The damper across a contact that an explicit step can bear: it takes at most half of a slip in one step. mobility:
 * the slip that an impulse of 1 makes. */
static inline double carom_kernel_damper(double damper, double step, double mobility)
{
    if (!(step > 0.0) || damper * (step * mobility) < 0.49) /* needs no division */
        return damper;
    return fmin(damper, 0.5 / (step * mobility));
}

#endif
