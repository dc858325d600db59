/* The step that would err by what is allowed, if the error is a power of the step, kept within bounds. */
#include "solve/control.h"

#include <math.h>

#include "base/power.h"

double carom_control_factor(const struct carom_control *control, double ratio)
{
    const double factor = control->safety * carom_power(ratio, control->power);
    return fmin(fmax(factor, control->least), control->most); /* of a NaN and a number fmax takes the number */
}
