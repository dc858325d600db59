/* Pilot runs: two flights through the scene before the run itself, at different local tolerances, show how much a local
 * error grows until it is recorded. From that follows what a single step may take if `tol` is to hold for the run. */
#ifndef CAROM_SIM_AHEAD_PILOT_H
#define CAROM_SIM_AHEAD_PILOT_H

#include "carom/sim.h"

/* Flies them from the sim's start, as its view has it, and leaves the sim alone. *share: the part of tol that one step
 * may take; *estimate: of the error over the run with that share, in units of the scales. The watch sees sim->phase and
 * sim->progress. */
enum carom_status carom_pilot_fly(struct carom_sim *sim, const struct carom_watch *watch, double *share,
                                  double *estimate, struct carom_error *error);

#endif
