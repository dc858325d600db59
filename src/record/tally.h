/* What a recorder counts of its rows. */
#ifndef CAROM_RECORD_TALLY_H
#define CAROM_RECORD_TALLY_H

#include "carom/record.h"

/* One more row; `half`: the number of the one with which half of those are there that may be taken while contacts
 * act. */
void carom_tally_row(struct carom_tally *tally, uint64_t half, const struct carom_ledger *ledger,
                     const struct carom_state *view);

#endif
