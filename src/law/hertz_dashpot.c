/* Hertz spring and linear dashpot: F = k (d^(3/2) + gamma d'), James et al. 2020, equation (1) with b = 1. The
 * force jumps to k gamma V at touch. The dashpot outlives the spring as d goes to zero: with strong damping, or at
 * low speed, a pair never separates unless force ends the contact. */
#include "carom/law.h"
#include "law/kernels.h"

struct hertz_dashpot {
    double k, gamma;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct hertz_dashpot, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^(3/2)", "stiffness", NULL},
    {"gamma", CAROM_REAL, offsetof(struct hertz_dashpot, gamma), 0.0, 0.0, HUGE_VAL, "s*m^(1/2)",
     "the dashpot is k gamma", NULL},
    CAROM_PARAM_END,
};

static void evaluate(const struct carom_batch *batch)
{
    const double *k = batch->param[0], *gamma = batch->param[1];
    for (size_t j = 0; j < batch->n; j++)
        carom_kernel_damped(batch, j, k[j], 1.5, gamma[j], 1.0);
}

static double viscous_time(const double *const *param, size_t j)
{
    return param[1][j] == 0.0 ? 0.0 : -1.0;
}

static void form(const double *const *param, size_t j, double form[CAROM_LAW_FORM])
{
    carom_kernel_form(param[0][j], 1.5, param[1][j], 1.0, form);
}

const struct carom_law carom_law_hertz_dashpot = {
    .kind = {"hertz-dashpot", "Hertz spring and linear dashpot: k (d^(3/2) + gamma d')", params,
             sizeof(struct hertz_dashpot)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
    .form = form,
};
