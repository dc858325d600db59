/* Does the ledger of a run close? Fixed steps that blow up make energy out of nothing, and end well; steps that keep a
 * tol do not see what their losses err by. */
#ifndef CAROM_SIM_UNBALANCED_H
#define CAROM_SIM_UNBALANCED_H

#include "carom/sim.h"

/* The energy of the heaviest body at the scale V, or of the lightest; 0 where there is none. */
double carom_unbalanced_scale(const struct carom_sim *sim, bool heaviest);

/* The tol that the scheme's steps keep; 0: they are fixed, or it has none. */
double carom_unbalanced_tol(const struct carom_sim *sim);

/* The residual over all that was put in, if it is more than a tenth of that under fixed steps or a tol; else 0. */
double carom_unbalanced(const struct carom_sim *sim, const struct carom_ledger *ledger);

/* What to say then, one sentence; `tol` as above. `si`: numbers have units. */
#define CAROM_UNBALANCED_TEXT 240
void carom_unbalanced_say(double unbalanced, double tol, double step, double contact_time, bool si,
                          char text[CAROM_UNBALANCED_TEXT]);

#endif
