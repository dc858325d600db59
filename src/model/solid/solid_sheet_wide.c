/* The sweep of solid_sheet_pass.h in four lanes. */
#include "base/wide.h"
#include "model/solid/solid_sheet_pass.h"

void (*carom_solid_sheet_wide(void))(void *sweep, size_t number)
{
    return carom_wide_runs() ? sweep_block : NULL;
}
