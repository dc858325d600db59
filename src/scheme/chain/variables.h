/* Between physical velocities v and the variable V of the implicit schemes,
 *
 *     v = V + (1/m) [ viscous impulses - half f + second (df/dx) V ],   f: elastic push of contacts and local springs.
 *
 * half = second = 0 is the regularised variable of James et al. 2020, (10); half = gamma/2, second = gamma^2/8 is (72).
 * Local dampers belong to the viscous impulses with -c x; loads have no part in it; driven beads have V = v. Chains of
 * memoryless laws whose contacts end by gap, at the time of their clock. */
#ifndef CAROM_SCHEME_CHAIN_VARIABLES_H
#define CAROM_SCHEME_CHAIN_VARIABLES_H

#include "model/beads/chain.h"

/* V -> v. */
void carom_variables_physical(const struct carom_model *model, const struct carom_chain *chain, double half,
                              double second, const double *x, const double *own, double *v);

/* The same for beads [first, last) alone; v begins with the first of them. */
void carom_variables_some(const struct carom_model *model, const struct carom_chain *chain, double half, double second,
                          const double *x, const double *own, size_t first, size_t last, double *v);

/* v -> V, the exact inverse; where that is too stiff to exist, (73), which is as good to third order. `room` has 3n
 * numbers; v and `own` may be the same. */
void carom_variables_own(const struct carom_model *model, const struct carom_chain *chain, double half, double second,
                         const double *x, const double *v, double *own, double *room);

/* Physical acceleration of every bead and, unless NULL, dissipated power of every contact. Contacts that force ends
 * carry none when they would pull. */
void carom_variables_motion(const struct carom_model *model, const struct carom_chain *chain, const double *x,
                            const double *v, double *acceleration, double *power);

#endif
