/* The passes of a two-stage step in which every force has the same ratio of impulse to force, so that Z = both f/m with
 * one 2 x 2 matrix: block tridiagonal with diagonal coupling, after division by that matrix. Also what the mixed passes
 * share with these. */
#ifndef CAROM_SCHEME_CHAIN_TWOSTAGE_SWEEP_H
#define CAROM_SCHEME_CHAIN_TWOSTAGE_SWEEP_H

#include "scheme/chain/twostage.h"

/* Contacts [first, last) at both stages into a block: overlaps, elastic forces, slopes. At most
 * CAROM_TWOSTAGE_BLOCK + 2. */
void carom_twostage_sweep_contacts(const struct carom_twostage *w, const struct carom_model *model, size_t first,
                                   size_t last, struct carom_stage_block *out);

/* Newton's matrix and residual at the stages' Z, eliminated from both ends into w->row. */
void carom_twostage_sweep_eliminate(struct carom_twostage *w, const struct carom_model *model);

/* Z += Newton's updates, from the middle row outwards. Returns the largest update, infinite if one is not finite, and
 * in *largest the largest Z; both as sums of sizes over the stages. */
double carom_twostage_sweep_substitute(struct carom_twostage *w, double *largest);

/* x1 and V1 (and losses, where they are summed over the stages) from the stages' forces. True if all residuals are
 * within the goal and all numbers finite. */
bool carom_twostage_sweep_finish(struct carom_twostage *w, const struct carom_model *model,
                                 const struct carom_state *from);

#endif
