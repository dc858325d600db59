/* Gauss-Legendre with two stages on the regularised variables: James, Vorotnikov and Brogliato 2020, (10)-(11),
 * (17)-(18). Order 4 between contact changes, 5/2 across them. Any memoryless law, a viscous time of its own at every
 * contact or none at all; contacts must end by gap. */
#include "carom/scheme.h"
#include "scheme/chain/twostage.h"
#include "scheme/listed.h"

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return carom_twostage_gap_only(model, "gl-reg", error);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    const struct carom_tableau tableau = carom_tableau_gauss();
    return carom_twostage_open(stepper, &tableau, o->step, error);
}

const struct carom_scheme carom_scheme_gl_reg = {
    .kind = {"gl-reg", "implicit, order 4, Gauss-Legendre on regularised variables", carom_stepper_params,
             sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS,
    .order = 4,
    .dense_order = 4,
    .accept = accept,
    .open = open,
    CAROM_TWOSTAGE_FUNCTIONS,
    .listed = &carom_crystal_gl_reg,
};
