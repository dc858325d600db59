/* Stops runs whose steps are so short that they would never end. */
#include "sim/loop.h"

/* A million steps tell how long this scheme's are, also where it begins with short ones; impacts at one instant, which
 * take no time, are hardly a hundred thousand. More than 2^53 of the longest could not be counted one by one. Ten
 * thousand are enough where 2^200 would be needed, 1e60: no two times that mean something are so far apart. */
enum carom_status carom_sim_pace(const struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_counts *counts = &sim->stepper->counts;
    const double longest = counts->largest_step;
    const size_t enough = !(longest > 0.0) ? 100000 : sim->until > 0x1p200 * longest ? 10000 : 1000000;
    if (counts->steps < enough || sim->until <= 0x1p53 * longest)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "scheme %s does not get on at t = %g: of %.0e steps none was longer than %g, which never "
                           "gets to until = %g; something moves too fast",
                           sim->stepper->scheme->kind.name, sim->state->time, (double)counts->steps,
                           counts->largest_step, sim->until);
}
