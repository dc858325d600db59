/* Steps that may fail: a step that cannot be solved is tried in halves, each a step of its own. What is then left of
 * the regular step is remembered in the first number of the state's memory and comes next, so that the steps end on
 * the regular grid again. */
#ifndef CAROM_SCHEME_HALVING_H
#define CAROM_SCHEME_HALVING_H

#include "scheme/stepper.h"

enum { CAROM_HALVING_REST = 0 }; /* its place in the memory */

/* Advances within the bound by steps of size `step`; gives up, with the state as it was, after twelve halvings.
 * `one_step` takes one step of size h; false, with the state as it was, if it cannot be solved. */
enum carom_status carom_halving_steps(struct carom_stepper *stepper, struct carom_state *state,
                                      const struct carom_bound *bound, double step,
                                      bool (*one_step)(struct carom_stepper *stepper, struct carom_state *state,
                                                       double h, double t_stop),
                                      struct carom_error *error);

#endif
