/* Theta steps of chains with loads, local dampers, strings or drives; theta.c decides. Not folded: one array per
 * quantity, beads and contacts in their own order. Without loads it is the method of theta_pass.h, to rounding. */
#ifndef CAROM_SCHEME_CHAIN_THETA_LOADED_H
#define CAROM_SCHEME_CHAIN_THETA_LOADED_H

#include "scheme/stepper.h"

struct carom_theta_loaded;

/* NULL: out of memory. */
struct carom_theta_loaded *carom_theta_loaded_create(const struct carom_model *model);
void carom_theta_loaded_free(struct carom_theta_loaded *loaded);

/* One step, as carom_halving_steps wants it. */
bool carom_theta_loaded_step(struct carom_theta_loaded *loaded, struct carom_stepper *stepper,
                             struct carom_state *state, double h, double t_stop);

/* v = own velocities + factor / 2 (push of gamma E and likewise the springs) / m at time t; driven beads keep theirs.
 * factor -1 goes from physical velocities to the scheme's, +1 back. */
void carom_theta_loaded_correct(struct carom_theta_loaded *loaded, const struct carom_model *model, double t,
                                const struct carom_state *state, double factor, double *v);

/* Works of a view inside the last step, from physical velocities at its ends. */
void carom_theta_loaded_view(const struct carom_theta_loaded *loaded, const struct carom_stepper *stepper,
                             const struct carom_state *state, const double *const *speed, double t,
                             struct carom_state *view);

#endif
