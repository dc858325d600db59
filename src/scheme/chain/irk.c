/* The third-order implicit Runge-Kutta scheme with tailored dissipation: James, Vorotnikov and Brogliato 2020,
 * (44)-(45), (58), (64)-(66), start (70) and velocities (72), with C11 = gamma/(2 step).
 *
 * Beyond the paper (twostage.h, docs/tailored-schemes.md): where C11 would be too large the rest of gamma is
 * regularised; with unequal viscous times the tableau imitates the smallest and the rest is regularised; local
 * springs are not damped. All of it keeps third order for gamma = O(step). At a fixed gamma the error levels off over
 * a wide range of steps: gl-reg is then the better scheme. */
#include "carom/scheme.h"
#include "scheme/chain/adapt.h"
#include "scheme/chain/twostage.h"
#include "scheme/listed.h"

/* The map of a local oscillator of frequency w preserves areas, and its trace stays within [-2, 2] exactly while
 * w gamma <= 2/sqrt(3), whatever the step (gamma: what the tableau imitates, so this is on the safe side). */
static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    const struct carom_beads *beads = carom_model_chain(model);
    const double gamma = carom_twostage_viscous_time(model), limit = 2.0 / sqrt(3.0);
    for (size_t i = 0; beads->spring && i < beads->n; i++) {
        const double w = sqrt(beads->spring[i] * beads->inverse_mass[i]);
        if (!(w * gamma < limit))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "scheme irk is unstable for body %zu: sqrt(spring / mass) gamma = %g, must be below "
                                   "%g; use scheme gl-reg",
                                   i + 1, w * gamma, limit);
    }
    return CAROM_OK;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_adapt_options *o = stepper->options;
    const double gamma = carom_twostage_viscous_time(stepper->model);
    const struct carom_tableau tableau =
        carom_tableau_tailored(carom_tableau_c11(gamma, o->step, stepper->scales.contact_time));
    const enum carom_status status = carom_twostage_open(stepper, &tableau, o->step, error);
    if (status == CAROM_OK)
        ((struct carom_twostage *)stepper->work)->adapt = o->adapt;
    return status;
}

const struct carom_scheme carom_scheme_irk = {
    .kind = {"irk", "implicit, order 3, numerical dissipation tailored to be the viscous one", carom_adapt_params,
             sizeof(struct carom_adapt_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS | CAROM_VISCOUS_TIME,
    .order = 3,
    .dense_order = 3,
    .accept = accept,
    .open = open,
    CAROM_TWOSTAGE_FUNCTIONS,
    .listed = &carom_crystal_irk,
};
