/* Breaks of all loads in one rising list, and the next of them. */
#include "sim/breaks.h"

#include <stdlib.h>

#include "base/memory.h"

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool carom_breaks_open(struct carom_breaks *breaks, const struct carom_model *model)
{
    *breaks = (struct carom_breaks){0};
    for (int fill = 0; fill < 2; fill++) {
        size_t count = 0;
        for (size_t i = 0; i < model->nparts; i++) {
            const struct carom_member *m = &model->member[i];
            if (m->part->breaks)
                count += m->part->breaks(m->own, fill ? breaks->time + count : NULL, fill ? breaks->count - count : 0);
        }
        if (fill)
            break;
        breaks->count = count;
        breaks->time = carom_memory_zeroed(count, sizeof(double));
        if (!breaks->time)
            return false;
    }
    if (breaks->count > 1)
        qsort(breaks->time, breaks->count, sizeof *breaks->time, compare);
    return true;
}

void carom_breaks_close(struct carom_breaks *breaks)
{
    carom_memory_free(breaks->time);
    *breaks = (struct carom_breaks){0};
}

double carom_breaks_next(const struct carom_breaks *breaks, const struct carom_state *state, double until)
{
    size_t low = 0, high = breaks->count; /* the first that is ahead */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (carom_state_until(state, breaks->time[middle]) > 0.0)
            high = middle;
        else
            low = middle + 1;
    }
    return low < breaks->count && breaks->time[low] < until ? breaks->time[low] : until;
}

static bool is_break(const struct carom_breaks *breaks, double t)
{
    return breaks->count > 0 && bsearch(&t, breaks->time, breaks->count, sizeof *breaks->time, compare) != NULL;
}

void carom_breaks_jump(struct carom_breaks *breaks, struct carom_sim *sim)
{
    struct carom_state *state = sim->state;
    if (state->step == breaks->jumped || !is_break(breaks, state->time))
        return;
    breaks->jumped = state->step;
    carom_sim_sync(sim);
    for (size_t i = 0; i < sim->model->nparts; i++) {
        const struct carom_member *m = &sim->model->member[i];
        if (m->part->jump)
            state->work[i] += m->part->jump(m->own, state->time, sim->view->q + m->q0);
    }
}
