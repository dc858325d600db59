/* What is flown ahead of a run, so that it keeps what it promises. */
#ifndef CAROM_SIM_AHEAD_AHEAD_H
#define CAROM_SIM_AHEAD_AHEAD_H

#include "carom/sim.h"
#include "sim/loop.h"

/* --- pilot.c: two flights at different local tolerances show how much a local error grows until it is recorded --- */

/* Flies them from the sim's start, as its view has it, and leaves the sim alone. *share: the part of tol that one step
 * may take; *estimate: of the error over the run with that share, in units of the scales. The watch sees sim->phase and
 * sim->progress. */
enum carom_status carom_pilot_fly(struct carom_sim *sim, const struct carom_watch *watch, double *share,
                                  double *estimate, struct carom_error *error);

/* --- refine.c: of fixed steps with a tolerance: flights at one step and at half of it tell the error ------------- */

/* Does the scheme have both `step` and `tol`, and is tol given? */
bool carom_refine_wanted(const struct carom_scheme *scheme, const void *options);

/* Flies from the sim's start, as its view has it, and leaves the sim alone; only for models of solids. *estimate: of
 * the error over the run with *step, in units of the scales. The watch sees sim->phase and progress. */
enum carom_status carom_refine_fly(struct carom_sim *sim, const struct carom_watch *watch, double *step,
                                   double *estimate, struct carom_error *error);

/* --- rounding.c: what rounding adds to the error of a long run of rigid bodies ----------------------------------- */

/* *estimate += the error that the rounding of every step comes to by the end, in units of the scales, where the run is
 * so long that it may matter. `share` is what pilot runs found. Flights in closed form add it where it is above tol. */
enum carom_status carom_rounding_add(struct carom_sim *sim, const struct carom_watch *watch, double share,
                                     double *estimate, struct carom_error *error);

/* --- magnify.c: what impacts of discs and spheres make of errors, where flights are in closed form --------------- */

/* Flights from the sim's start tell its estimate, growth and horizon; none where no flight came to its end. */
enum carom_status carom_magnify_state(struct carom_sim *sim, const struct carom_watch *watch,
                                      struct carom_error *error);

/* --- jog.c: bodies of a flight are pushed a little, so that it can be seen what impacts make of it --------------- */

/* Changes velocities by about `part` of V. What touches is pushed together, and stays together; what is symmetric
 * remains so. */
enum carom_status carom_jog_bodies(struct carom_sim *flight, double part, struct carom_error *error);

/* Changes each velocity by no more than `part` of V, at random, as rounding would: not those of bodies at rest, and
 * alike those that are the same to the last bit. Each `number` has pushes of its own. */
enum carom_status carom_jog_shake(struct carom_sim *flight, double part, size_t number, struct carom_error *error);

#endif
