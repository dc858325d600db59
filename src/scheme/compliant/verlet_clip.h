/* Contacts of verlet that their force ends, in steps that may pass the switch. */
#ifndef CAROM_SCHEME_COMPLIANT_VERLET_CLIP_H
#define CAROM_SCHEME_COMPLIANT_VERLET_CLIP_H

#include "carom/state.h"
#include "model/beads/chain.h"

/* The impulse of contact j in a step of h; what it loses goes into to->lost and to->clipped. before, after: elastic and
 * viscous force, drag and deformation at both ends; early: the chain at the first. Rates at the end are extrapolated,
 * which is exact to h^2. */
double carom_verlet_clip(const struct carom_state *from, struct carom_state *to, const struct carom_chain *early,
                         double h, size_t j, const double before[4], const double after[4]);

#endif
