/* What loads, dampers and drives did to a chain in a step of a second-order scheme: mean force times way. */
#ifndef CAROM_SCHEME_TALLY_H
#define CAROM_SCHEME_TALLY_H

#include "carom/state.h"
#include "model/beads/chain.h"

/* Adds to the works of state `to`, which holds x1; `early` and `late` are the chain at both ends of the step.
 * `beside` has two numbers per drive: mean force of the contact on its left and on its right. */
void carom_tally_add(const struct carom_chain *early, const struct carom_chain *late, double h, const double *x0,
                     const double *beside, struct carom_state *to);

/* Reads these numbers from forces of all contacts, times `factor`; adds them to what is there if `more`. */
void carom_tally_beside(const struct carom_chain *chain, const double *force, double factor, bool more, double *beside);

/* One end of a step: the chain at its time, the state, physical velocities. */
struct carom_tally_end {
    const struct carom_chain *chain;
    const struct carom_state *state;
    const double *v;
};

/* Works of a view at t inside a step: the cubic that has the right powers at both ends. Nothing for chains without
 * loads. */
void carom_tally_view(const struct carom_model *model, const struct carom_tally_end *from,
                      const struct carom_tally_end *to, double t, struct carom_state *view);

#endif
