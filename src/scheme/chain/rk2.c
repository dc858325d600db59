/* A two-stage Runge-Kutta scheme of the user's own, read as tailored dissipation: James, Vorotnikov and Brogliato 2020,
 * section 3.3. The tableau imitates the viscous time 2 C11 step; what the contacts have beyond that is regularised,
 * so that any tableau with 0 <= 2 C11 step <= gamma gives the right damping: order 3 under (59), else 2. A tableau that
 * dissipates more than the contacts is refused. Stability is the user's business: carom_tableau_report tells. */
#include "carom/scheme.h"
#include "scheme/chain/twostage.h"

struct options {
    double step, b1, a11, a12, a21, a22;
};

#define COEFFICIENT(name, standard, text)                                                                 \
    {                                                                                                     \
#name, CAROM_REAL, offsetof(struct options, name), standard, -HUGE_VAL, HUGE_VAL, "1", text, NULL \
    }

/* by default Gauss-Legendre */
static const struct carom_param params[] = {
    {"step", CAROM_REAL, offsetof(struct options, step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s", "time step",
     NULL},
    COEFFICIENT(b1, 0.5, "weight of stage 1; stage 2 has 1 - b1"),
    COEFFICIENT(a11, 0.25, "coefficient of stage 1 in stage 1"),
    COEFFICIENT(a12, -0.038675134594812882, "coefficient of stage 2 in stage 1"),
    COEFFICIENT(a21, 0.53867513459481288, "coefficient of stage 1 in stage 2"),
    COEFFICIENT(a22, 0.25, "coefficient of stage 2 in stage 2"),
    CAROM_PARAM_END,
};

static struct carom_tableau tableau_of(const struct options *o)
{
    return (struct carom_tableau){o->b1, o->a11, o->a12, o->a21, o->a22};
}

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct options *o = options;
    const struct carom_tableau tableau = tableau_of(o);
    struct carom_tableau_report report;
    carom_tableau_report(&tableau, &report);
    const double gamma = carom_twostage_viscous_time(model), made = 2.0 * report.c11 * o->step;
    if (!(fabs(report.c11) < HUGE_VAL))
        return carom_error_set(error, CAROM_E_REFUSED, "scheme rk2: the coefficients are not finite");
    if (report.c11 < -1e-12)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme rk2: these coefficients feed energy into the motion (C11 = %g)", report.c11);
    if (model->nc > 0 && made > gamma * (1.0 + 1e-9) + 1e-12 * o->step) {
        if (gamma > 0.0)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "scheme rk2: these coefficients damp like gamma = 2 C11 step = %g, the contacts "
                                   "have only %g: take step = %g or less",
                                   made, gamma, 0.5 * gamma / report.c11);
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme rk2: these coefficients damp like gamma = 2 C11 step = %g, the contacts are not "
                               "damped: C11 must be 0",
                               made);
    }
    return CAROM_OK;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct options *o = stepper->options;
    const struct carom_tableau tableau = tableau_of(o);
    return carom_twostage_open(stepper, &tableau, o->step, error);
}

const struct carom_scheme carom_scheme_rk2 = {
    .kind = {"rk2", "implicit, two stages with your own coefficients; order 2 or 3 as they allow", params,
             sizeof(struct options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS | CAROM_VISCOUS_TIME,
    .order = 2,
    .dense_order = 2,
    .accept = accept,
    .open = open,
    CAROM_TWOSTAGE_FUNCTIONS,
};
