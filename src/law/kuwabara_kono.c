/* Viscoelastic spheres after Kuwabara and Kono: F = k (d^(3/2) + gamma d/dt d^(3/2)), d = overlap.
 * James, Vorotnikov and Brogliato 2020, equation (4). The force pulls at the end of contact; where contact
 * ends (zero gap or zero force) is the contact's business, not the law's. */
#include "carom/law.h"
#include "law/kernels.h"

struct kuwabara_kono {
    double k;
    double gamma;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct kuwabara_kono, k), 1.0, 0.0, HUGE_VAL, "N/m^(3/2)", "stiffness", NULL},
    {"gamma", CAROM_REAL, offsetof(struct kuwabara_kono, gamma), 0.0, 0.0, HUGE_VAL, "s", "viscous time", NULL},
    CAROM_PARAM_END,
};

/* one square root serves all outputs */
static void evaluate(const struct carom_batch *b)
{
    const double *k = b->param[0], *gamma = b->param[1];
    for (size_t j = 0; j < b->n; j++) {
        const double d = carom_kernel_overlap(b->deform[j]);
        const double root = sqrt(d);
        const double elastic = k[j] * (d * root);
        const double slope = 1.5 * k[j] * root;
        if (b->elastic)
            b->elastic[j] = elastic;
        if (b->slope)
            b->slope[j] = slope;
        if (b->viscous)
            b->viscous[j] = gamma[j] * elastic;
        if (b->drag)
            b->drag[j] = gamma[j] * slope;
        if (b->power)
            b->power[j] = gamma[j] * slope * b->rate[j] * b->rate[j];
        if (b->energy)
            b->energy[j] = 0.4 * d * elastic;
    }
}

static double viscous_time(const double *const *param, size_t j)
{
    return param[1][j];
}

const struct carom_law carom_law_kuwabara_kono = {
    .kind = {"kuwabara-kono", "viscoelastic spheres: k (d^(3/2) + gamma d/dt d^(3/2))", params,
             sizeof(struct kuwabara_kono)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
};
