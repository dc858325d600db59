/* The passes of verlet_lanes_pass.h in four lanes, for x86-64 with AVX2: CMake has this file, and no other, compiled
 * for such processors. Registers of other machines hold two numbers, as verlet_lanes.c has them. */
#ifdef __AVX2__
#define CAROM_LANES 4
#include "scheme/compliant/packing/verlet_lanes_moves.h"
#include "scheme/compliant/packing/verlet_lanes_pass.h"

static const struct carom_verlet_passes passes = {press_some, kick_some, drift_some, finish_some};

const struct carom_verlet_passes *carom_verlet_lanes_wide(void)
{
    return __builtin_cpu_supports("avx2") ? &passes : NULL;
}
#else
#include "scheme/compliant/packing/verlet_bodies.h"

const struct carom_verlet_passes *carom_verlet_lanes_wide(void)
{
    return NULL;
}
#endif
