/* One contact between two looks at it: the overlap is the cubic through overlaps and rates at both, the force what the
 * law says along it. */
#ifndef CAROM_SIM_BETWEEN_INTERVAL_H
#define CAROM_SIM_BETWEEN_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#include "solve/cubic.h"

struct carom_interval {
    struct carom_cubic deform;
    double h;        /* time between the looks */
    double force[2]; /* at both */
    /* as in model/peak_force.h */
    double (*law)(const void *own, size_t j, const double *history, double deform, double rate);
    const void *own;
    size_t j;
    const double *history; /* of the first look */
};

/* Does the force begin or end in it? */
static inline bool carom_interval_steep(double force0, double force1)
{
    const double g0 = fabs(force0), g1 = fabs(force1);
    return (g0 < 0.125 * g1) | (g1 < 0.125 * g0);
}

/* The integral of the force over the part in which the contact is closed: in a variable in which a root at the weak end
 * is smooth; by Simpson's rule where the force neither begins nor ends. */
double carom_interval_steep_impulse(const struct carom_interval *interval);
double carom_interval_impulse(const struct carom_interval *interval);

/* The work of what rates add to the force of a law without a memory, while the contact opens. */
double carom_interval_loss(const struct carom_interval *interval);

/* Where the force passes 0 while the contact is closed, as a part of the time between the looks; by halving. */
double carom_interval_zero(const struct carom_interval *interval);

/* The largest overlap. */
double carom_interval_overlap(const struct carom_interval *interval);

#endif
