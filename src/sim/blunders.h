/* What impacts of a run did that their law does not say: counted by schemes, kept in run files. */
#ifndef CAROM_SIM_BLUNDERS_H
#define CAROM_SIM_BLUNDERS_H

#include "carom/record.h"
#include "carom/sim.h"

/* So far, as far as it is more than what is promised; or however small, for those who go on from here. */
struct carom_blunders carom_blunders(const struct carom_sim *sim);
struct carom_blunders carom_blunders_so_far(const struct carom_sim *sim);

/* Energy that impacts created and that is less than what tol and the solver promise; 0: none. `part`: what it is of the
 * energy that moved, `promised`: what it may be. */
double carom_blunders_within(const struct carom_sim *sim, double *part, double *promised);

/* The run that goes on had these before. */
void carom_blunders_recall(struct carom_sim *sim, const struct carom_blunders *before);

/* The sentences that say so, one call of `say` for each. `si`: numbers have units. */
#define CAROM_BLUNDERS_TEXT 200
void carom_blunders_say(const struct carom_blunders *of, bool si, void (*say)(void *own, const char *text), void *own);

#endif
