/* The pass of swings_pass.h in four lanes, for x86-64 with AVX2: CMake has this file compiled for such processors.
 * Registers of other machines hold two numbers, as swings_look.c has them. */
#ifdef __AVX2__
#define CAROM_LANES 4
#include "sim/swings/swings_pass.h"

carom_swings_pass *carom_swings_pass_wide(void)
{
    return __builtin_cpu_supports("avx2") ? turn_all : NULL;
}
#else
#include "sim/swings/swings.h"

carom_swings_pass *carom_swings_pass_wide(void)
{
    return NULL;
}
#endif
