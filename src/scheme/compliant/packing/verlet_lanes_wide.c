/* The passes of verlet_lanes_pass.h in four lanes. */
#include "base/wide.h"
#include "scheme/compliant/packing/verlet_lanes_moves.h"
#include "scheme/compliant/packing/verlet_lanes_pass.h"

static const struct carom_verlet_passes passes = {press_some, kick_some, drift_some, finish_some};

const struct carom_verlet_passes *carom_verlet_lanes_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
