/* What contacts dissipate in a two-stage step, from each law's own drag; and which of them opened or closed. */
#ifndef CAROM_SCHEME_CHAIN_TWOSTAGE_LEDGER_H
#define CAROM_SCHEME_CHAIN_TWOSTAGE_LEDGER_H

#include "scheme/chain/twostage.h"

/* Physical velocities of beads at both stages: [.][i - first + 1] is bead i, [.][0] the one before. */
struct carom_stage_motion {
    double rate[2][CAROM_TWOSTAGE_BLOCK + 2];
};

/* Sums power over the stages at the contacts left of beads [first, last), and at a wall right of the last; `motion` is
 * made ready for the next block. Blocks come from left to right. */
void carom_twostage_ledger_stages(struct carom_twostage *w, const struct carom_model *model,
                                  const struct carom_state *from, size_t first, size_t last,
                                  const struct carom_stage_block *block, struct carom_stage_motion *motion);

/* After the step: the rest of the losses. Returns whether a contact opened or closed. */
bool carom_twostage_ledger_settle(struct carom_twostage *w, const struct carom_model *model,
                                  const struct carom_state *from, struct carom_state *to);

#endif
