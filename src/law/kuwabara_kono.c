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
    {"k", CAROM_REAL, offsetof(struct kuwabara_kono, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^(3/2)", "stiffness", NULL},
    {"gamma", CAROM_REAL, offsetof(struct kuwabara_kono, gamma), 0.0, 0.0, HUGE_VAL, "s", "viscous time", NULL},
    CAROM_PARAM_END,
};

enum { BLOCK = 128 };

/* contacts [from, from + n) with their overlaps and square roots at hand: one root serves all outputs, and each output
 * is a loop of its own, so that it vectorises */
static void fill(const struct carom_batch *b, size_t from, size_t n, const double *d, const double *root)
{
    const double *k = b->param[0] + from, *gamma = b->param[1] + from;
    for (size_t j = 0; b->elastic && j < n; j++)
        b->elastic[from + j] = k[j] * (d[j] * root[j]);
    for (size_t j = 0; b->slope && j < n; j++)
        b->slope[from + j] = 1.5 * k[j] * root[j];
    for (size_t j = 0; b->viscous && j < n; j++)
        b->viscous[from + j] = carom_kernel_viscous_spheres(k[j], gamma[j], d[j], root[j]);
    for (size_t j = 0; b->drag && j < n; j++)
        b->drag[from + j] = carom_kernel_drag_spheres(k[j], gamma[j], root[j]);
    for (size_t j = 0; b->power && j < n; j++)
        b->power[from + j] = carom_kernel_drag_spheres(k[j], gamma[j], root[j]) * b->rate[from + j] * b->rate[from + j];
    for (size_t j = 0; b->energy && j < n; j++)
        b->energy[from + j] = 0.4 * d[j] * (k[j] * (d[j] * root[j]));
}

static void evaluate(const struct carom_batch *b)
{
    double d[BLOCK], root[BLOCK];
    for (size_t from = 0; from < b->n; from += BLOCK) {
        const size_t n = b->n - from < BLOCK ? b->n - from : BLOCK;
        for (size_t j = 0; j < n; j++)
            d[j] = carom_kernel_overlap(b->deform[from + j]);
        for (size_t j = 0; j < n; j++)
            root[j] = sqrt(d[j]);
        fill(b, from, n, d, root);
    }
}

static double viscous_time(const double *const *param, size_t j)
{
    return param[1][j];
}

static void form(const double *const *param, size_t j, double form[CAROM_LAW_FORM])
{
    carom_kernel_form(param[0][j], 1.5, param[1][j], 0.0, form);
}

const struct carom_law carom_law_kuwabara_kono = {
    .kind = {"kuwabara-kono", "viscoelastic spheres: k (d^(3/2) + gamma d/dt d^(3/2))", params,
             sizeof(struct kuwabara_kono)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
    .form = form,
};
