/* Linear spring and dashpot: F = k (d + gamma d'), James et al. 2020, equation (1) with p = b = 1. The damped
 * oscillator of textbooks, cut off at d = 0; its restitution does not depend on the speed. The force jumps to k
 * gamma V at touch. */
#include "carom/law.h"
#include "law/kernels.h"

struct linear_dashpot {
    double k, gamma;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct linear_dashpot, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m", "stiffness", NULL},
    {"gamma", CAROM_REAL, offsetof(struct linear_dashpot, gamma), 0.0, 0.0, HUGE_VAL, "s",
     "viscous time; the dashpot is k gamma", NULL},
    CAROM_PARAM_END,
};

static void evaluate(const struct carom_batch *batch)
{
    const double *k = batch->param[0], *gamma = batch->param[1];
    for (size_t j = 0; j < batch->n; j++)
        carom_kernel_damped(batch, j, k[j], 1.0, gamma[j], 1.0);
}

static double viscous_time(const double *const *param, size_t j)
{
    return param[1][j];
}

static void form(const double *const *param, size_t j, double form[CAROM_LAW_FORM])
{
    carom_kernel_form(param[0][j], 1.0, param[1][j], 1.0, form);
}

const struct carom_law carom_law_linear_dashpot = {
    .kind = {"linear-dashpot", "linear spring and dashpot: k (d + gamma d')", params, sizeof(struct linear_dashpot)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
    .form = form,
};
