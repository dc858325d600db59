/* Contacts of a chain at both ends of a step: forces from overlaps, impulses and losses from both. */
#include "scheme/compliant/verlet_squeezed.h"

#include <math.h>

#include "base/lane.h"

void carom_verlet_squeezed_at(const struct carom_model *model, const struct carom_chain *chain, size_t first,
                              size_t last, const double *q, const struct carom_verlet_squeezed *out)
{
    carom_chain_deform(chain, first, last, q, out->deform);
    const struct carom_response want = {.elastic = out->elastic, .viscous = out->viscous, .drag = out->drag};
    carom_contacts_evaluate(model, first, last, out->deform, NULL, NULL, &want);
}

/* ends are without aliases, so that it vectorises */
void carom_verlet_squeezed_give(size_t n, double h, const struct carom_verlet_squeezed *before,
                                const struct carom_verlet_squeezed *after, const double *restrict lost0,
                                double *restrict lost1, double *restrict both)
{
    const double *restrict deform0 = before->deform, *restrict deform1 = after->deform;
    for (size_t k = 0; k < n; k++) {
        const double damper = after->viscous[k] - before->viscous[k];
        both[k] = before->elastic[k] + after->elastic[k] + damper / (0.5 * h);
        lost1[k] = lost0[k] + (deform1[k] - deform0[k]) / h * damper;
    }
}

/* compilers make no vectors of this by themselves, nor of the next */
bool carom_verlet_squeezed_switch(size_t n, const double *before, const double *after)
{
    carom_lane_mask some = {0};
    bool last = false;
    size_t k = 0;
    for (; k + CAROM_LANES <= n; k += CAROM_LANES)
        some |= (carom_lane_load(before + k) > 0.0) ^ (carom_lane_load(after + k) > 0.0);
    for (; k < n; k++)
        last |= (before[k] > 0.0) != (after[k] > 0.0);
    return last || carom_lane_any(some);
}

bool carom_verlet_squeezed_finite(size_t n, const double *v)
{
    carom_lane_mask all = ~(carom_lane_mask){0};
    bool last = true;
    size_t k = 0;
    for (; k + CAROM_LANES <= n; k += CAROM_LANES)
        all &= carom_lane_abs(carom_lane_load(v + k)) < HUGE_VAL;
    for (; k < n; k++)
        last &= fabs(v[k]) < HUGE_VAL;
    return last && !carom_lane_any(~all);
}
