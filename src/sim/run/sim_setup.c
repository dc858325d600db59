/* What a sim is made of must be there, and its time and its samples must end. */
#include <math.h>

#include "record/room.h"
#include "record/schedule.h"
#include "sim/loop.h"

enum carom_status carom_sim_setup_check(const struct carom_setup *setup, struct carom_error *error)
{
    if (!setup->model || !setup->scheme || !setup->q || !setup->v)
        return carom_error_missing(error);
    if (!(setup->until > 0.0) || !(setup->until < HUGE_VAL))
        return carom_error_set(error, CAROM_E_INPUT, "until must be positive and finite, got %g", setup->until);
    size_t numbers;
    const double samples = setup->recorder ? carom_recorder_samples(setup->recorder, 0.0, setup->until, &numbers) : 0.0;
    if (samples > CAROM_SCHEDULE_MOST)
        return carom_error_set(error, CAROM_E_INPUT,
                               "the interval between samples gives %.3g of them until t = %g, at most %.0e are taken",
                               samples, setup->until, CAROM_SCHEDULE_MOST);
    return CAROM_OK;
}
