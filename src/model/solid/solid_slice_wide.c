/* The passes of solid_slice_pass.h in four lanes. */
#include "base/wide.h"
#include "model/solid/solid_slice_pass.h"

static const struct carom_slice_passes passes = {dilate_some, pull_some};

const struct carom_slice_passes *carom_solid_slice_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
