/* Follows a run from outside. The sim is made as for any run but is stepped here, without a recorder. */
#include "study/track.h"

#include <string.h>

#include "base/memory.h"
#include "sim/pilot.h"

enum { STEPS_AT_ONCE = 4096 };

static enum carom_status collect_breaks(struct carom_track *track, struct carom_error *error)
{
    const struct carom_model *model = track->sim->model;
    size_t count = 0, filled = 0;
    for (size_t i = 0; i < model->nparts; i++)
        if (model->member[i].part->breaks != NULL)
            count += model->member[i].part->breaks(model->member[i].own, NULL, 0);
    track->breaks = carom_memory_zeroed(count, sizeof *track->breaks);
    if (track->breaks == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t i = 0; i < model->nparts; i++)
        if (model->member[i].part->breaks != NULL)
            filled += model->member[i].part->breaks(model->member[i].own, track->breaks + filled, count - filled);
    track->nbreaks = count;
    return CAROM_OK;
}

/* What carom_sim_run does before its first step, so that this is the same run. */
static enum carom_status fly_pilots(struct carom_sim *sim, void *options, const struct carom_watch *watch,
                                    struct carom_error *error)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    const struct carom_param *share = carom_param_find(scheme->kind.params, "share");
    if (share == NULL || carom_param_value(share, options) > 0.0)
        return CAROM_OK;
    struct carom_pilot pilot;
    const enum carom_status status = carom_pilot_fly(sim, options, watch, &pilot, error);
    if (status != CAROM_OK)
        return status;
    carom_param_store(share, options, pilot.share);
    sim->estimate = pilot.estimate;
    carom_state_view(sim->state, sim->view);
    return scheme->start != NULL ? scheme->start(sim->stepper, sim->state, error) : CAROM_OK;
}

enum carom_status carom_track_open(struct carom_track *track, struct carom_scene *scene,
                                   const struct carom_watch *watch, struct carom_error *error)
{
    void *options = scene->options;
    *track = (struct carom_track){0};
    const struct carom_param *const table = scene->scheme->kind.params;
    const struct carom_param *step = carom_param_find(table, "step"), *tol = carom_param_find(table, "tol");
    if (step != NULL && (tol == NULL || !(carom_param_value(tol, options) > 0.0)))
        track->step = carom_param_value(step, options);
    const struct carom_setup setup = {.model = scene->model,
                                      .scheme = scene->scheme,
                                      .options = scene->options,
                                      .q = scene->q,
                                      .v = scene->v,
                                      .until = scene->until,
                                      .threads = 1,
                                      .origin = {.seed = scene->seed}};
    scene->model = NULL; /* the sim's now, also if it cannot be made */
    scene->options = NULL;
    track->sim = carom_sim_create(&setup, error);
    if (track->sim == NULL)
        return error->status;
    carom_sim_sync(track->sim);
    enum carom_status status = collect_breaks(track, error);
    if (status == CAROM_OK)
        status = fly_pilots(track->sim, options, watch, error);
    if (status == CAROM_OK)
        carom_sim_sync(track->sim);
    else
        carom_track_close(track);
    return status;
}

void carom_track_close(struct carom_track *track)
{
    carom_sim_free(track->sim);
    carom_memory_free(track->breaks);
    *track = (struct carom_track){0};
}

bool carom_track_ended(const struct carom_track *track)
{
    return !(carom_state_until(track->sim->state, track->sim->until) > 0.0);
}

bool carom_track_no_whole_step(const struct carom_track *track)
{
    return !(carom_state_until(track->sim->state, track->sim->until) > track->step * (1.0 - 1e-9));
}

enum carom_status carom_track_advance(struct carom_track *track, double t, size_t steps, struct carom_error *error)
{
    struct carom_sim *sim = track->sim;
    struct carom_bound bound = {.t_stop = sim->until, .t_dense = t, .steps = steps};
    for (size_t i = 0; i < track->nbreaks; i++)
        if (carom_state_until(sim->state, track->breaks[i]) > 0.0 && track->breaks[i] < bound.t_stop)
            bound.t_stop = track->breaks[i];
    return sim->stepper->scheme->step(sim->stepper, sim->state, &bound, error);
}

enum carom_status carom_track_step(struct carom_track *track, struct carom_error *error)
{
    const enum carom_status status = carom_track_advance(track, HUGE_VAL, 1, error);
    if (status == CAROM_OK)
        carom_sim_sync(track->sim);
    return status;
}

enum carom_status carom_track_to(struct carom_track *track, double t, struct carom_error *error)
{
    struct carom_sim *sim = track->sim;
    while (carom_state_until(sim->state, t) > 0.0 && !carom_track_ended(track)) {
        const enum carom_status status = carom_track_advance(track, t, STEPS_AT_ONCE, error);
        if (status != CAROM_OK)
            return status;
    }
    if (carom_state_until(sim->state, t) >= 0.0)
        carom_sim_sync(sim);
    else
        sim->stepper->scheme->dense(sim->stepper, sim->state, t, sim->view);
    return CAROM_OK;
}
