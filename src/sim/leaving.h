/* Bodies that leave the domain of a run: they go on, are removed, or end it. And walls that come to each other, which
 * end it too. */
#ifndef CAROM_SIM_LEAVING_H
#define CAROM_SIM_LEAVING_H

#include "carom/sim.h"

/* Does anybody have to look after every step? */
bool carom_leaving_matters(const struct carom_sim *sim);

/* Before a step, when nobody looks into the last one any more: removes those who have left, and books what they had. */
enum carom_status carom_leaving_remove(struct carom_sim *sim, struct carom_error *error);

/* After a step: where somebody who has left ends the run, its end is here; walls that touch are an error. */
enum carom_status carom_leaving_end(struct carom_sim *sim, struct carom_error *error);

#endif
