/* The passes of solid_grid_pass.h in four lanes. */
#include "base/wide.h"
#include "model/solid/solid_grid_pass.h"

static const struct carom_solid_passes passes = {dilate_some, pull_some};

const struct carom_solid_passes *carom_solid_grid_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
