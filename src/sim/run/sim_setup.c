/* What a sim is made of must be there, and its time must end. */
#include <math.h>

#include "sim/loop.h"

enum carom_status carom_sim_setup_check(const struct carom_setup *setup, struct carom_error *error)
{
    if (!setup->model || !setup->scheme || !setup->q || !setup->v)
        return carom_error_missing(error);
    if (setup->until > 0.0 && setup->until < HUGE_VAL)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT, "until must be positive and finite, got %g", setup->until);
}
