/* The pass of swings_pass.h in four lanes. */
#include "base/wide.h"
#include "sim/swings/swings_pass.h"

size_t (*carom_swings_pass_wide(void))(const struct carom_swings_question *question, size_t n, size_t *restrict list)
{
    return carom_wide_runs() ? pass : NULL;
}
