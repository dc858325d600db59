/* Times at which a sim is told to end a step. */
#include <math.h>

#include "sim/loop.h"

enum carom_status carom_sim_break(struct carom_sim *sim, double t, struct carom_error *error)
{
    if (!sim)
        return carom_error_missing(error);
    struct carom_loop *loop = sim->own;
    if (!(carom_state_until(sim->state, t) > 0.0 && t < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT, "t = %g is not ahead of the last step, which ends at t = %g", t,
                               sim->state->time);
    return carom_breaks_add(&loop->breaks, t) ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory");
}
