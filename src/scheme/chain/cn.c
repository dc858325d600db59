/* Crank-Nicolson on plain variables: James, Vorotnikov and Brogliato 2020, (12). Order 2 between contact changes and
 * 3/2 across them; cn-reg keeps 2. Any memoryless law whose force begins at zero. plain.h has the rest. */
#include "carom/scheme.h"
#include "scheme/chain/plain.h"

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return carom_plain_accept(model, "cn", error);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    const struct carom_tableau tableau = {0.5, 0.0, 0.0, 0.5, 0.5} /* stage 1 is the start, stage 2 the end */;
    return carom_plain_open(stepper, &tableau, o->step, error);
}

const struct carom_scheme carom_scheme_cn = {
    .kind = {"cn", "implicit, order 2 (3/2 across contact changes), Crank-Nicolson on plain variables",
             carom_stepper_params, sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS,
    .order = 2,
    .dense_order = 2,
    .accept = accept,
    .open = open,
    CAROM_PLAIN_FUNCTIONS,
};
