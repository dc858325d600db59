/* Power laws: F = k (d^p + gamma d/dt d^b). James et al. 2020, equation (1): p = 3/2 is Hertz; b = 1 a dashpot
 * (the force jumps at first touch), b = p Kuwabara-Kono, b = p + 1 Hunt-Crossley, b = 5/4 at p = 3/2 Tsuji.
 * p < 1 would be infinitely stiff at touch and is refused by the table. */
#include "carom/law.h"
#include "law/kernels.h"

struct power {
    double k, p, gamma, b;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct power, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^p", "stiffness", NULL},
    {"p", CAROM_REAL, offsetof(struct power, p), 1.5, 1.0, 20.0, "1", "exponent of the elastic force", NULL},
    {"gamma", CAROM_REAL, offsetof(struct power, gamma), 0.0, 0.0, HUGE_VAL, "s*m^(p-b)", "damping", NULL},
    {"b", CAROM_REAL, offsetof(struct power, b), 1.5, 1.0, 20.0, "1", "exponent of the damping", NULL},
    CAROM_PARAM_END,
};

static void evaluate(const struct carom_batch *batch)
{
    const double *k = batch->param[0], *p = batch->param[1], *gamma = batch->param[2], *b = batch->param[3];
    for (size_t j = 0; j < batch->n; j++)
        carom_kernel_damped(batch, j, k[j], p[j], gamma[j], b[j]);
}

static double viscous_time(const double *const *param, size_t j)
{
    if (param[2][j] == 0.0)
        return 0.0;
    return param[1][j] == param[3][j] ? param[2][j] : -1.0;
}

static void form(const double *const *param, size_t j, double form[CAROM_LAW_FORM])
{
    carom_kernel_form(param[0][j], param[1][j], param[2][j], param[3][j], form);
}

const struct carom_law carom_law_power = {
    .kind = {"power", "any exponents: k (d^p + gamma d/dt d^b)", params, sizeof(struct power)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
    .form = form,
};
