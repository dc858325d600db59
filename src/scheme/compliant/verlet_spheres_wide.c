/* The passes of verlet_spheres_pass.h in four lanes. */
#include "base/wide.h"
#include "scheme/compliant/verlet_spheres_pass.h"

static const struct carom_verlet_spheres_passes passes = {move_some, squeeze_some, kick_some};

const struct carom_verlet_spheres_passes *carom_verlet_spheres_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
