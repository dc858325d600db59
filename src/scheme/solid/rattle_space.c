/* The passes of rattle_space_pass.h in two lanes, and which are taken. */
#include "scheme/solid/rattle_space_pass.h"

const struct carom_rattle_passes carom_rattle_space_narrow = {drift_some, kick_some};

const struct carom_rattle_passes *carom_rattle_space_passes(void)
{
    const struct carom_rattle_passes *wide = carom_rattle_space_wide();
    return wide ? wide : &carom_rattle_space_narrow;
}
