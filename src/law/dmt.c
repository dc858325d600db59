/* Adhesive elastic spheres after Derjaguin, Muller and Toporov 1975, with the damping of Kuwabara and Kono:
 *
 *     F = k (d^(3/2) + gamma d/dt d^(3/2)) - 2 pi R w   as long as they touch,
 *
 * w the work of adhesion and R the effective radius, which the column of w carries as a factor. The pull begins and
 * ends with the overlap, so that nothing is lost by it; the energy of the touching surfaces is stored, and negative. */
#include "carom/law.h"
#include "law/kernels.h"

#define TWO_PI 6.28318530717958647693

struct dmt {
    double k, w, gamma;
};

static const struct carom_param params[] = {
    {"k", CAROM_REAL, offsetof(struct dmt, k), 1.0, CAROM_POSITIVE, HUGE_VAL, "N/m^(3/2)", "stiffness", NULL},
    {"w", CAROM_REAL, offsetof(struct dmt, w), 0.0, 0.0, HUGE_VAL, "N/m",
     "work of adhesion: spheres of effective radius R pull with 2 pi R w", NULL},
    {"gamma", CAROM_REAL, offsetof(struct dmt, gamma), 0.0, 0.0, HUGE_VAL, "s", "viscous time", NULL},
    CAROM_PARAM_END,
};

static double pull(const double *const *param, size_t j)
{
    return TWO_PI * param[1][j];
}

static void evaluate(const struct carom_batch *b)
{
    const double *k = b->param[0], *gamma = b->param[2];
    for (size_t j = 0; j < b->n; j++) {
        const double d = carom_kernel_overlap(b->deform[j]), hertz = carom_kernel_hertz(k[j], d);
        const double slope = 1.5 * k[j] * sqrt(d), held = d > 0.0 ? pull(b->param, j) : 0.0;
        if (b->elastic)
            b->elastic[j] = hertz - held;
        if (b->slope)
            b->slope[j] = slope;
        if (b->viscous)
            b->viscous[j] = gamma[j] * hertz;
        if (b->drag)
            b->drag[j] = gamma[j] * slope;
        if (b->power)
            b->power[j] = gamma[j] * slope * b->rate[j] * b->rate[j];
        if (b->energy)
            b->energy[j] = d * (0.4 * hertz - held);
    }
}

static double viscous_time(const double *const *param, size_t j)
{
    return param[2][j];
}

const struct carom_law carom_law_dmt = {
    .kind = {"dmt", "adhesive spheres: k (d^(3/2) + gamma d/dt d^(3/2)) - 2 pi R w", params, sizeof(struct dmt)},
    .evaluate = evaluate,
    .viscous_time = viscous_time,
    .pull = pull,
};
