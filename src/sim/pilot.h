/* Pilot runs: two flights through the scene before the run itself, at different local tolerances, show how much a local
 * error grows until it is recorded. From that follows what a single step may take if `tol` is to hold for the run. */
#ifndef CAROM_SIM_PILOT_H
#define CAROM_SIM_PILOT_H

#include "carom/sim.h"

struct carom_pilot {
    double share;    /* part of tol that one step may take */
    double estimate; /* of the error over the run with that share, in units of the scales */
};

/* Flies them from the sim's start, which it leaves alone; `options` are the scheme's, `share` among them. The watch
 * sees sim->phase and sim->progress. */
enum carom_status carom_pilot_fly(struct carom_sim *sim, const void *options, const struct carom_watch *watch,
                                  struct carom_pilot *pilot, struct carom_error *error);

#endif
