/* The step of a scheme with fixed steps and a tolerance: flights at one step and at half of it tell the error. */
#ifndef CAROM_SIM_AHEAD_REFINE_H
#define CAROM_SIM_AHEAD_REFINE_H

#include "carom/sim.h"

/* Does the scheme have both `step` and `tol`, and is tol given? */
bool carom_refine_wanted(const struct carom_scheme *scheme, const void *options);

/* Flies from the sim's start, as its view has it, and leaves the sim alone; only for models of solids. *estimate: of
 * the error over the run with *step, in units of the scales. The watch sees sim->phase and progress. */
enum carom_status carom_refine_fly(struct carom_sim *sim, const struct carom_watch *watch, double *step,
                                   double *estimate, struct carom_error *error);

#endif
