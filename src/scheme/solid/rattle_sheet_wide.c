/* What cells do in rattle_sheet_pass.h in four lanes. */
#include "base/wide.h"
#include "scheme/solid/rattle_sheet_pass.h"

static const struct carom_rattle_sheet_passes passes = {arrive, leave, move_borders};

const struct carom_rattle_sheet_passes *carom_rattle_sheet_wide(void)
{
    return carom_wide_runs() ? &passes : NULL;
}
