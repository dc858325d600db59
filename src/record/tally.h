/* What a recorder counts of its rows. */
#ifndef CAROM_RECORD_TALLY_H
#define CAROM_RECORD_TALLY_H

#include "carom/record.h"

/* Counts a row. `half`: the number of rows after which half of those that may be taken while contacts act are there;
 * `between`: it lies between the ends of steps. */
void carom_tally_row(struct carom_tally *tally, uint64_t half, bool between, const struct carom_ledger *ledger,
                     const struct carom_state *view);

#endif
