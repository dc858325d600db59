/* The passes of solid_grid_pass.h in two lanes, and which are taken. */
#include "model/solid/solid_grid_pass.h"

size_t carom_solid_grid_room(const struct carom_solid *s)
{
    return 3 * STRETCH * s->n;
}

const struct carom_solid_passes carom_solid_grid_narrow = {dilate_some, pull_some};

const struct carom_solid_passes *carom_solid_grid_passes(void)
{
    const struct carom_solid_passes *wide = carom_solid_grid_wide();
    return wide ? wide : &carom_solid_grid_narrow;
}
