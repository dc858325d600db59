/* Cubic dense output between two physical states. */
#ifndef CAROM_SCHEME_HERMITE_H
#define CAROM_SCHEME_HERMITE_H

#include "carom/state.h"

/* The view at t between `from` (with velocities v0) and `to` (with v1): cubic in q, its derivative in v, linear in
 * the ledger. Needs q' = v. */
void carom_hermite_view(const struct carom_state *from, const double *v0, const struct carom_state *to,
                        const double *v1, double t, struct carom_state *view);

#endif
