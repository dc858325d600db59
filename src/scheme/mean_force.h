/* The mean elastic force of a contact over a step, (Phi1 - Phi0) / (d1 - d0) with Phi the stored energy: the force that
 * gives and takes exactly what the contact stores. Schemes built on it create no energy, whatever the step. */
#ifndef CAROM_SCHEME_MEAN_FORCE_H
#define CAROM_SCHEME_MEAN_FORCE_H

#include <stddef.h>

struct carom_law;

/* Contacts at one end of a step, as their law tells; `deform` is negative where they are open. */
struct carom_mean_end {
    const double *deform, *elastic, *slope, *energy;
};

/* Of n contacts of one memoryless law; `slope` becomes its derivative by the overlap at the end, never negative.
 * Without cancellation however near both ends are, and 0 where both are open. */
void carom_mean_force(const struct carom_law *law, const double *const *param, size_t n,
                      const struct carom_mean_end *start, const struct carom_mean_end *end, double *mean,
                      double *slope);

#endif
