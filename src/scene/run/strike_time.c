/* Scales of solids know the time of a wave through a cell; what strikes them stays far longer. */
#include "scene/run/strike_time.h"

#include "model/solid/strike/solid_strike.h"

double carom_strike_time(const struct carom_model *model, const struct carom_scales *scales)
{
    const bool strikes = model != NULL && carom_solid_strike_of(model) != NULL;
    return strikes ? 3.0 / carom_solid_strike_swing_frequency(model, scales->speed, false) : scales->contact_time;
}
