/* Arithmetic in registers of four numbers. */
#include "base/wide.h"
#include "bench/arithmetic_pass.h"

const struct cli_arithmetic *cli_arithmetic_wide(void)
{
    return carom_wide_runs() ? &arithmetic : NULL;
}
