/* The physical state of now or of the start of the last step, of which only a part may be wanted. */
#ifndef CAROM_SIM_BETWEEN_SYNC_RANGE_H
#define CAROM_SIM_BETWEEN_SYNC_RANGE_H

#include "carom/sim.h"

enum { CAROM_SYNC_RANGE_ROOM = 256 }; /* contacts looked at together */

/* Can a part of a state be looked at alone? */
bool carom_sync_range_parts(const struct carom_sim *sim);

/* Fills sim->view at least around contacts [first, last). */
void carom_sync_range_at(struct carom_sim *sim, const struct carom_state *state, size_t first, size_t last);

/* The history of laws at contacts [from, to), copied. */
void carom_sync_range_history(const struct carom_model *model, size_t from, size_t to, const double *history,
                              double *out);

#endif
