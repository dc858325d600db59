/* Static equilibrium of bodies before a run: where gravity, constant loads and walls let them rest. */
#ifndef CAROM_MODEL_PLACE_PLACE_SETTLE_H
#define CAROM_MODEL_PLACE_PLACE_SETTLE_H

#include "carom/bodies.h"
#include "carom/progress.h"

/* Moves the bodies from q to rest under the elastic normal forces of their contacts, gravity and loads with a constant
 * signal, without friction and without turning; bodies that are fixed or led stay where they are. The force left on a
 * body is then at most `tolerance` (1e-12, say) of the largest force at a contact. Laws with memory are refused;
 * CAROM_E_NUMERIC if the bodies do not come to rest, which those that nothing holds do not. */
enum carom_status carom_place_settle(const struct carom_bodies *bodies, double *q, double tolerance,
                                     const struct carom_progress *progress, struct carom_error *error);

#endif
