/* Law `rigid`: bodies do not overlap. 0 <= gap, 0 <= force, one of them is 0, and impacts follow a coefficient of
 * restitution. There is no force as a function of overlap: schemes made for rigid contacts find forces and impulses,
 * all others refuse. k and p are asked for by impact lzb only, which spreads impulses by compliance; mu and mu_static
 * by schemes that know friction. */
#include <math.h>
#include <stddef.h>

#include "carom/law.h"

/* of mu and mu_static: beyond some hundreds nothing slips, and contact problems lose as many digits as mu has */
#define MOST 1e6

struct rigid {
    double e, k, p, mu, mu_static;
};

static const struct carom_param params[] = {
    {"e", CAROM_REAL, offsetof(struct rigid, e), 1, 0, 1, "1", "restitution: speed after over speed before", NULL},
    {"k", CAROM_REAL, offsetof(struct rigid, k), 1, 0, HUGE_VAL, "N/m^p", "stiffness, for impact lzb", NULL},
    {"p", CAROM_REAL, offsetof(struct rigid, p), 1.5, 1, 20, "1", "exponent of the force, for impact lzb", NULL},
    {"mu", CAROM_REAL, offsetof(struct rigid, mu), 0, 0, MOST, "1", "friction while slipping", NULL},
    {"mu_static", CAROM_REAL, offsetof(struct rigid, mu_static), 0, 0, MOST, "1", "friction while sticking; 0: mu",
     NULL},
    CAROM_PARAM_END,
};

static enum carom_status accept(const double *const *param, size_t j, struct carom_error *error)
{
    const double mu = param[CAROM_RIGID_MU] ? param[CAROM_RIGID_MU][j] : 0.0;
    const double mu_static = param[CAROM_RIGID_MU_STATIC] ? param[CAROM_RIGID_MU_STATIC][j] : 0.0;
    if (!(mu >= 0.0 && mu <= MOST))
        return carom_error_set(error, CAROM_E_INPUT, "mu must be from 0 to %g, got %g", MOST, mu);
    if (!(mu_static >= 0.0 && mu_static <= MOST))
        return carom_error_set(error, CAROM_E_INPUT, "mu_static must be from 0 to %g, got %g", MOST, mu_static);
    if (mu_static == 0.0 || mu_static >= mu)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_INPUT, "mu_static must be at least mu = %g, got %g", mu, mu_static);
}

static void zeros(double *x, size_t n)
{
    for (size_t j = 0; x && j < n; j++)
        x[j] = 0.0;
}

static void evaluate(const struct carom_batch *batch)
{
    zeros(batch->elastic, batch->n);
    zeros(batch->slope, batch->n);
    zeros(batch->viscous, batch->n);
    zeros(batch->drag, batch->n);
    zeros(batch->power, batch->n);
    zeros(batch->energy, batch->n);
}

const struct carom_law carom_law_rigid = {
    .kind = {"rigid", "no overlap: impacts with restitution e, forces that keep bodies apart", params,
             sizeof(struct rigid)},
    .rigid = true,
    .evaluate = evaluate,
    .accept = accept,
};
