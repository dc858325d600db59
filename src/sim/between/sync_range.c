/* Looks at a part of a state, see sync_range.h. */
#include "sim/between/sync_range.h"

#include <string.h>

bool carom_sync_range_parts(const struct carom_sim *sim)
{
    return sim->stepper->scheme->sync_range && (sim->model->offers & CAROM_CHAIN);
}

void carom_sync_range_at(struct carom_sim *sim, const struct carom_state *state, size_t first, size_t last)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    if (sim->model->encounter && scheme->sync_range) { /* whatever may touch */
        scheme->sync_range(sim->stepper, state, 0, sim->model->nq, sim->view);
        return;
    }
    if (!carom_sync_range_parts(sim)) {
        scheme->sync(sim->stepper, state, sim->view);
        return;
    }
    const int32_t left = sim->model->pair[first][0], right = sim->model->pair[last - 1][1];
    const size_t from = left < 0 ? 0 : (size_t)left, to = right < 0 ? sim->model->nq : (size_t)right + 1;
    scheme->sync_range(sim->stepper, state, from, to, sim->view);
}

void carom_sync_range_history(const struct carom_model *model, size_t from, size_t to, const double *history,
                              double *out)
{
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t begin = group->first > from ? group->first : from;
        const size_t end = group->first + group->count < to ? group->first + group->count : to;
        for (size_t c = 0; c < group->nh && begin < end; c++) {
            const size_t at = group->history0 + c * group->count + (begin - group->first);
            memcpy(out + at, history + at, (end - begin) * sizeof *out);
        }
    }
}
