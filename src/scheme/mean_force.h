/* The mean elastic force of a contact over a step, (Phi1 - Phi0) / (d1 - d0) with Phi the stored energy: the force that
 * gives and takes exactly what the contact stores. Schemes built on it create no energy, whatever the step. */
#ifndef CAROM_SCHEME_MEAN_FORCE_H
#define CAROM_SCHEME_MEAN_FORCE_H

#include "carom/law.h"

/* A contact at one end of a step, as its law tells; `deform` is negative where it is open. */
struct carom_mean_end {
    double deform, elastic, slope, energy;
};

/* Of contact j of a memoryless law; *slope is its derivative by the overlap at the end, never negative. Without
 * cancellation however near both ends are, and 0 where both are open. */
double carom_mean_force(const struct carom_law *law, const double *const *param, size_t j,
                        const struct carom_mean_end *start, const struct carom_mean_end *end, double *slope);

#endif
