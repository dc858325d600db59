/* Breaks of all loads in one rising list, and the next of them. */
#include "sim/between/breaks.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/motion.h"

bool carom_breaks_open(struct carom_breaks *breaks, const struct carom_model *model)
{
    *breaks = (struct carom_breaks){0};
    breaks->time = carom_motion_breaks(model, &breaks->count);
    return breaks->time != NULL;
}

void carom_breaks_close(struct carom_breaks *breaks)
{
    carom_memory_free(breaks->time);
    *breaks = (struct carom_breaks){0};
}

bool carom_breaks_add(struct carom_breaks *breaks, double t)
{
    if (!carom_memory_widen(&breaks->time, breaks->count, breaks->count + 1, sizeof *breaks->time))
        return false;
    size_t i = breaks->count++;
    for (; i > 0 && breaks->time[i - 1] > t; i--)
        breaks->time[i] = breaks->time[i - 1];
    breaks->time[i] = t;
    return true;
}

double carom_breaks_next(const struct carom_breaks *breaks, const struct carom_state *state, double until)
{
    size_t low = 0; /* the first that is ahead */
    CAROM_SORTED_FIRST(low, breaks->count, !(carom_state_until(state, breaks->time[middle]) > 0.0));
    return low < breaks->count && breaks->time[low] < until ? breaks->time[low] : until;
}

bool carom_breaks_at(const struct carom_breaks *breaks, double t)
{
    return breaks->count > 0 &&
           bsearch(&t, breaks->time, breaks->count, sizeof *breaks->time, carom_sorted_reals) != NULL;
}

void carom_breaks_jump(struct carom_breaks *breaks, struct carom_sim *sim)
{
    struct carom_state *state = sim->state;
    if (breaks->count == 0 || state->step == breaks->jumped || !carom_breaks_at(breaks, state->time))
        return;
    breaks->jumped = state->step;
    carom_sim_sync(sim);
    carom_motion_jump(sim->model, state->time, sim->view->q, sim->view->scratch, state->work);
}
