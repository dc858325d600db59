/* Impact `poisson`: what a contact gives back after its bodies have come nearest is e times the impulse until then. All
 * contacts that touch press each other through springs, friction along the way (rough.h, lzb_friction.h). With friction
 * a blow whose slip turns round may create energy. */
#include "impact/rough.h"

static enum carom_status solve(struct carom_striker *striker, struct carom_collision *c, struct carom_error *error)
{
    return carom_rough_strike(striker, c, CAROM_LZB_FRICTION_POISSON, error);
}

const struct carom_impact carom_impact_poisson = {
    .kind = {"poisson", "e is the ratio of impulses, out and in, along the path of the blow", carom_rough_params,
             sizeof(struct carom_rough_options)},
    .rough = true,
    .open = carom_rough_open,
    .solve = solve,
    .close = carom_rough_close,
};
