/* Gauss-Legendre with two stages on plain variables: James, Vorotnikov and Brogliato 2020, (13)-(15). Order 4 between
 * contact changes and 3/2 across them; gl-reg keeps 5/2. Any memoryless law whose force begins at zero. plain.h has
 * the rest. */
#include "carom/scheme.h"
#include "scheme/chain/plain.h"

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return carom_plain_accept(model, "gl", error);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    const struct carom_tableau tableau = carom_tableau_gauss();
    return carom_plain_open(stepper, &tableau, o->step, error);
}

const struct carom_scheme carom_scheme_gl = {
    .kind = {"gl", "implicit, order 4 (3/2 across contact changes), Gauss-Legendre on plain variables",
             carom_stepper_params, sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS,
    .order = 4,
    .dense_order = 4,
    .accept = accept,
    .open = open,
    CAROM_PLAIN_FUNCTIONS,
};
