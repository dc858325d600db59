/* What a run asks of its book: what is under way, and when to look again. */
#include "sim/book/episodes.h"

double carom_episodes_since(const struct carom_episodes *e, double t)
{
    double first = HUGE_VAL;
    for (size_t j = e->first; j < e->last; j++)
        first = e->closed[j] && e->since[j] > t && e->since[j] < first ? e->since[j] : first;
    return first;
}

double carom_episodes_latest(struct carom_episodes *e)
{
    if (e->latest < HUGE_VAL)
        return e->latest;
    e->latest = -HUGE_VAL;
    for (size_t j = e->first; j < e->last; j++)
        e->latest = e->closed[j] ? fmax(e->latest, e->since[j]) : e->latest;
    return e->latest;
}

bool carom_episodes_deep(const struct carom_episodes *e, double overlap)
{
    for (size_t j = e->first; j < e->last; j++)
        if (e->closed[j] && e->peak.look[2].deform[j] > overlap)
            return true;
    return false;
}

size_t carom_episodes_steps(const struct carom_episodes *e, uint64_t step)
{
    const uint64_t steps = !e->swings.on ? e->stride - step % e->stride : e->next > step ? e->next - step : 1;
    return e->first < e->last ? (size_t)steps : SIZE_MAX;
}

/* Where a contact closes or opens, forces on its neighbours begin and end like roots, which no polynomial follows: all
 * are looked at then, and without leaps for a while. */
bool carom_episodes_due(const struct carom_episodes *e, uint64_t step)
{
    if (!e->swings.on)
        return step % e->stride == 0;
    return step >= e->next || (e->swings.leaps && e->swings.copy[2]->smooth && step == e->swings.turned_at);
}
