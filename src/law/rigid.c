/* Law `rigid`: bodies do not overlap. 0 <= gap, 0 <= force, one of them is 0, and impacts follow a coefficient of
 * restitution. There is no force as a function of overlap: schemes made for rigid contacts find forces and impulses,
 * all others refuse. */
#include <stddef.h>

#include "carom/law.h"

struct rigid {
    double e;
};

static const struct carom_param params[] = {
    {"e", CAROM_REAL, offsetof(struct rigid, e), 1, 0, 1, "1", "restitution: speed after over speed before", NULL},
    CAROM_PARAM_END,
};

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
};
