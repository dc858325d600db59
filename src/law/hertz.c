/* Elastic spheres after Hertz: F = k d^(3/2). No damping. */
#include "carom/law.h"
#include "law/kernels.h"

struct hertz {
    double k;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct hertz, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^(3/2)", "stiffness", NULL},
    CAROM_PARAM_END,
};

static void evaluate(const struct carom_batch *b)
{
    const double *k = b->param[0];
    for (size_t j = 0; b->elastic && j < b->n; j++)
        b->elastic[j] = carom_kernel_hertz(k[j], carom_kernel_overlap(b->deform[j]));
    for (size_t j = 0; b->slope && j < b->n; j++)
        b->slope[j] = 1.5 * k[j] * sqrt(carom_kernel_overlap(b->deform[j]));
    for (size_t j = 0; b->energy && j < b->n; j++) {
        const double d = carom_kernel_overlap(b->deform[j]);
        b->energy[j] = 0.4 * d * carom_kernel_hertz(k[j], d);
    }
    double *const nothing[] = {b->viscous, b->drag, b->power};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; nothing[i] && j < b->n; j++)
            nothing[i][j] = 0.0;
}

static void form(const double *const *param, size_t j, double form[CAROM_LAW_FORM])
{
    carom_kernel_form(param[0][j], 1.5, 0.0, 0.0, form);
}

const struct carom_law carom_law_hertz = {
    .kind = {"hertz", "elastic spheres: k d^(3/2)", params, sizeof(struct hertz)},
    .evaluate = evaluate,
    .form = form,
};
