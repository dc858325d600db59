/* The groups of verlet_fused_pass.h in four lanes. */
#include "base/wide.h"
#include "scheme/compliant/verlet_fused_pass.h"

size_t (*carom_verlet_fused_wide(void))(struct carom_verlet_sweep *sweep)
{
    return carom_wide_runs() ? sweep_some : NULL;
}
