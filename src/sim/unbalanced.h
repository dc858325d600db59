/* Does the ledger of a run with fixed steps close? Schemes that blow up make energy out of nothing, and end well. */
#ifndef CAROM_SIM_UNBALANCED_H
#define CAROM_SIM_UNBALANCED_H

#include "carom/sim.h"

/* The energy of the heaviest body at the scale V, or of the lightest; 0 where there is none. */
double carom_unbalanced_scale(const struct carom_sim *sim, bool heaviest);

/* The residual over all that was put in, if it is more than a tenth of that because steps are too long; else 0. */
double carom_unbalanced(const struct carom_sim *sim, const struct carom_ledger *ledger);

/* What to say then, one sentence. `si`: numbers have units. */
#define CAROM_UNBALANCED_TEXT 240
void carom_unbalanced_say(double unbalanced, double step, double contact_time, bool si,
                          char text[CAROM_UNBALANCED_TEXT]);

#endif
