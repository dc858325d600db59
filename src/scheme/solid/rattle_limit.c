/* How long a step of rattle may be: for the largest frequency of a body, its loads, its contacts. And what a device
 * cannot do. */
#include "model/solid/strike/solid_strike.h"
#include "scheme/solid/rattle.h"

double carom_rattle_limit(const struct carom_solid *s, double omega)
{
    if (!(omega > 0.0))
        return HUGE_VAL;
    const double bend = 0.5 * s->damping_stiffness * omega;
    return 2.0 / (omega * (sqrt(1.0 + bend * bend) + bend));
}

/* the largest frequency, which not every body has been asked for, and whether the step follows it and the loads */
enum carom_status carom_rattle_limit_check(const struct carom_solid *s, double step, double *omega,
                                           struct carom_error *error)
{
    *omega = s->omega;
    const enum carom_status status = *omega > 0.0 ? CAROM_OK : carom_solid_frequency(s, NULL, NULL, omega, error);
    if (status != CAROM_OK)
        return status;
    const double limit = carom_rattle_limit(s, *omega), beat = carom_solid_scales_beat(s);
    if (step > limit)
        return carom_error_set(error, CAROM_E_REFUSED, "step %g is unstable here: the largest stable one is %.6g", step,
                               limit);
    if (step > beat)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "step %g would pass over a load or drive that swings within %g: a tenth of that shows "
                               "it",
                               step, beat);
    return CAROM_OK;
}

/* a ball on one cell, pressed as the scale speed presses it, and a cell on another must swing slowly enough */
enum carom_status carom_rattle_limit_contacts(const struct carom_stepper *stepper, double step,
                                              struct carom_error *error)
{
    const double balls = carom_solid_strike_swing_frequency(stepper->model, stepper->scales.speed, true),
                 faces = carom_solid_strike_swing_frequency_faces(stepper->model), omega = fmax(balls, faces);
    if (!(step * omega > 2.0))
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_REFUSED,
                           "step %g is unstable in the contacts of %s: the largest stable one is %.6g", step,
                           balls > faces ? "balls" : "solids", 2.0 / omega);
}

const char *carom_rattle_limit_lacks(const struct carom_solid *s)
{
    return s->flow                                                      ? "elastic bodies"
           : s->nonlinear.quadratic != 0.0 || s->nonlinear.cubic != 0.0 ? "bodies of linear links"
           : s->breaks                                                  ? "bodies that do not break"
           : s->self                                                    ? "bodies that do not meet themselves"
                                                                        : NULL;
}
