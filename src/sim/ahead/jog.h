/* Discs and spheres of a flight are pushed a little, so that it can be seen what impacts make of it. */
#ifndef CAROM_SIM_AHEAD_JOG_H
#define CAROM_SIM_AHEAD_JOG_H

#include "carom/sim.h"

/* Changes velocities by about `part` of V. What touches is pushed together, and stays together; what is symmetric
 * remains so. */
enum carom_status carom_jog_bodies(struct carom_sim *flight, double part, struct carom_error *error);

/* Changes each velocity by no more than `part` of V, at random, as rounding would: not those of bodies at rest, and
 * alike those that are the same to the last bit. Each `number` has pushes of its own. */
enum carom_status carom_jog_shake(struct carom_sim *flight, double part, size_t number, struct carom_error *error);

#endif
