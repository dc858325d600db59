/* The passes of rattle_space_pass.h in four lanes. */
#include "base/wide.h"
#include "scheme/solid/rattle_space_pass.h"

static const struct carom_rattle_passes passes = {drift_some, kick_some};

const struct carom_rattle_passes *carom_rattle_space_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
