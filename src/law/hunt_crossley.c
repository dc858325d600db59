/* Hunt and Crossley's contact: F = k d^p (1 + c d'), which is k (d^p + gamma d/dt d^(p+1)) with c = (p + 1) gamma.
 * James et al. 2020, equation (1) with b = p + 1, there named after Simon, Hunt and Crossley. The damping grows
 * with the overlap as the spring does: the force starts and ends at zero and never pulls while the pair parts
 * slower than 1/c. */
#include "carom/law.h"
#include "law/kernels.h"

struct hunt_crossley {
    double k, p, gamma;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct hunt_crossley, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^p", "stiffness", NULL},
    {"p", CAROM_REAL, offsetof(struct hunt_crossley, p), 1.5, 1.0, 20.0, "1", "exponent of the elastic force", NULL},
    {"gamma", CAROM_REAL, offsetof(struct hunt_crossley, gamma), 0.0, 0.0, HUGE_VAL, "s/m",
     "damping: force k d^p (1 + (p + 1) gamma d')", NULL},
    CAROM_PARAM_END,
};

static void evaluate(const struct carom_batch *batch)
{
    const double *k = batch->param[0], *p = batch->param[1], *gamma = batch->param[2];
    for (size_t j = 0; j < batch->n; j++)
        carom_kernel_damped(batch, j, k[j], p[j], gamma[j], p[j] + 1.0);
}

static double viscous_time(const double *const *param, size_t j)
{
    return param[2][j] == 0.0 ? 0.0 : -1.0;
}

static void form(const double *const *param, size_t j, double form[CAROM_LAW_FORM])
{
    carom_kernel_form(param[0][j], param[1][j], param[2][j], param[1][j] + 1.0, form);
}

const struct carom_law carom_law_hunt_crossley = {
    .kind = {"hunt-crossley", "damping that grows with the overlap: k (d^p + gamma d/dt d^(p+1))", params,
             sizeof(struct hunt_crossley)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
    .form = form,
};
