/* The step of a scheme with fixed steps and a tolerance: flights at one step and at half of it tell the error. */
#ifndef CAROM_SIM_REFINE_H
#define CAROM_SIM_REFINE_H

#include "carom/sim.h"

struct carom_refine {
    double step;
    double estimate; /* of the error over the run with that step, in units of the scales */
};

/* Does the scheme have both `step` and `tol`, and is tol given? */
bool carom_refine_wanted(const struct carom_scheme *scheme, const void *options);

/* Flies from the sim's start, which it leaves alone; only for models of solids. The watch sees sim->phase and
 * progress. */
enum carom_status carom_refine_fly(struct carom_sim *sim, const void *options, const struct carom_watch *watch,
                                   struct carom_refine *found, struct carom_error *error);

#endif
