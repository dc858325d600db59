/* Arithmetic in registers of two numbers, and which registers count. */
#include "bench/arithmetic_pass.h"

const struct cli_arithmetic *cli_arithmetic(void)
{
    const struct cli_arithmetic *wide = cli_arithmetic_wide();
    return wide ? wide : &arithmetic;
}
