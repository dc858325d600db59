/* Impact `stronge`: what a contact gives back is e^2 of the work that pressed it, so that no energy is created. All
 * contacts that touch press each other through springs, friction along the way (rough.h, lzb_friction.h): of several
 * this is LZB's impact, of one it does not depend on k. */
#include "impact/rough.h"

static enum carom_status solve(struct carom_striker *striker, struct carom_collision *c, struct carom_error *error)
{
    return carom_rough_strike(striker, c, CAROM_LZB_FRICTION_STRONGE, error);
}

const struct carom_impact carom_impact_stronge = {
    .kind = {"stronge", "e^2 is the ratio of works, out and in, along the path of the blow", carom_rough_params,
             sizeof(struct carom_rough_options)},
    .rough = true,
    .open = carom_rough_open,
    .solve = solve,
    .close = carom_rough_close,
};
