/* Sums over the loads of beads; see loads.h. */
#include "model/beads/loads.h"

#include "base/memory.h"
#include "base/sum.h"

double carom_loads_energy(const struct carom_beads *b, size_t i, double x)
{
    if (b->driven && b->driven[i])
        return 0.0;
    double stored = b->spring ? 0.5 * b->spring[i] * x * x : 0.0;
    if (b->string && b->string[i] > 0.0) { /* m g L (1 - cos), without its cancellation */
        const double half = carom_angle_sin(0.5 * x / b->string[i]);
        stored += 2.0 * b->mass[i] * b->down * b->string[i] * half * half;
    }
    return b->weight ? stored - b->weight[i] * x : stored;
}

double carom_loads_damping(const struct carom_beads *b, size_t first, size_t last, const double *v)
{
    struct carom_sum sum = {0.0, 0.0};
    for (size_t i = first; b->damper && i < last; i++)
        carom_sum_add(&sum, carom_loads_damper(b, i) * v[i] * v[i]);
    return carom_sum_value(&sum);
}

double carom_loads_power(const struct carom_beads *b, double t, const double *v)
{
    double sum = 0.0;
    for (size_t k = 0; k < b->nloads; k++)
        if (!carom_loads_driven(b, b->load[k].bead))
            sum += carom_signal_value(&b->load[k].force, t) * v[b->load[k].bead];
    return sum;
}

void carom_loads_fill(const struct carom_beads *b, double t, bool again, double *force)
{
    for (size_t i = 0; !again && i < b->n; i++)
        force[i] = carom_loads_weight(b, i);
    for (size_t k = 0; again && k < b->nloads; k++)
        force[b->load[k].bead] = carom_loads_weight(b, b->load[k].bead);
    for (size_t k = 0; k < b->nloads; k++)
        if (!carom_loads_driven(b, b->load[k].bead))
            force[b->load[k].bead] += carom_signal_value(&b->load[k].force, t);
}

void carom_loads_lead(const struct carom_beads *b, double t, double *q, double *v, double *q_low, double *v_low)
{
    for (size_t k = 0; k < b->ndrives; k++) {
        const int32_t i = b->drive[k].which;
        if (i < 0)
            continue;
        const struct carom_motion motion = carom_loads_motion(&b->drive[k], t);
        q[i] = motion.place;
        v[i] = motion.rate;
        if (q_low)
            q_low[i] = v_low[i] = 0.0;
    }
}

void carom_loads_forget(struct carom_signal *signal)
{
    if (signal->shape == CAROM_SHAPE_TABLE)
        carom_memory_free((void *)(uintptr_t)signal->time);
    for (size_t i = 0; signal->shape == CAROM_SHAPE_SUM && i < signal->count; i++)
        if (signal->part[i].shape == CAROM_SHAPE_TABLE)
            carom_memory_free((void *)(uintptr_t)signal->part[i].time);
    carom_memory_free((void *)(uintptr_t)signal->part);
    *signal = (struct carom_signal){0};
}
