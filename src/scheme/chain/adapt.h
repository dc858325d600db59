/* Steps that adapt: the regular step or that by a power of two, held over many steps, so that schemes whose variables
 * and predictions lean on equal steps keep their order. What is kept small is the change of the beads' elastic
 * acceleration a over a step, as the displacement it makes, h^2 |a1 - a0|, in units of the length scale: a measure of
 * how well a contact is resolved, of third order in h. A step that cannot be solved is halved likewise. The size under
 * way is kept in the first number of the state's memory, so that a restart is exact. Chains only. */
#ifndef CAROM_SCHEME_CHAIN_ADAPT_H
#define CAROM_SCHEME_CHAIN_ADAPT_H

#include "scheme/stepper.h"

struct carom_adapt_options {
    double step, adapt;
    int form;
};
extern const struct carom_param carom_adapt_params[];

enum { CAROM_ADAPT_SIZE = 0 }; /* its place in the memory; the same as what halving.h keeps there */

/* Advances within the bound by steps of at most `step`, with changes of at most `allowed`; gives up, with the state as
 * it was, where steps of step / 2^20 do not do. `one_step` takes one step of size h; false, with the state as it was,
 * if it cannot be solved. */
enum carom_status carom_adapt_steps(struct carom_stepper *stepper, struct carom_state *state,
                                    const struct carom_bound *bound, double step, double allowed,
                                    bool (*one_step)(struct carom_stepper *stepper, struct carom_state *state, double h,
                                                     double t_stop),
                                    struct carom_error *error);

#endif
