/* Batches of scenes on the processor: equal-shaped ones side by side, the others one after another. */
#include "base/memory.h"
#include "study/follow/batch_run.h"
#include "study/sweep/runner_there.h"

/* Scenes that look alike, as places in the batch; those whose tracks fit, too, are run side by side. */
struct group {
    size_t count, place[CAROM_RUNNER_BATCH];
    struct carom_track track[CAROM_RUNNER_BATCH];
    size_t nbeside, beside[CAROM_RUNNER_BATCH]; /* numbers of tracks */
};

static void open_group(const struct carom_runner *runner, struct group *g, struct carom_scene *const *scene,
                       struct carom_error *error)
{
    for (size_t i = 0; i < g->count; i++) {
        struct carom_error *own = &error[g->place[i]];
        g->track[i] = (struct carom_track){0};
        if (carom_runner_open(runner, scene[g->place[i]], &g->track[i], own) != CAROM_OK)
            continue;
        const struct carom_track *first = &g->track[g->nbeside > 0 ? g->beside[0] : i];
        if (carom_batch_run_fits(first, &g->track[i]))
            g->beside[g->nbeside++] = i;
    }
}

/* The tracks that fit. Their status is that of all; CAROM_E_NUMERIC: none is done. */
static enum carom_status run_beside(const struct carom_runner *runner, struct group *g,
                                    struct carom_scene *const *scene, double *value, struct carom_error *error)
{
    struct carom_track *track[CAROM_RUNNER_BATCH];
    for (size_t i = 0; i < g->nbeside; i++)
        track[i] = &g->track[g->beside[i]];
    struct carom_error trouble = {CAROM_OK, ""};
    const enum carom_status status = carom_batch_run(track, g->nbeside, runner->watch, &trouble);
    for (size_t i = 0; i < g->nbeside; i++) {
        const size_t place = g->place[g->beside[i]];
        error[place] = trouble;
        if (status == CAROM_OK)
            carom_runner_read(runner, scene[place], track[i], NULL, value + place * runner->outputs->count,
                              &error[place]);
    }
    return status;
}

static void run_group(const struct carom_runner *runner, struct group *g, struct carom_scene *const *scene,
                      double *value, struct carom_error *error)
{
    const size_t width = runner->outputs->count;
    bool done[CAROM_RUNNER_BATCH] = {false};
    open_group(runner, g, scene, error);
    const bool worth = g->nbeside > 1;
    const enum carom_status status = worth ? run_beside(runner, g, scene, value, error) : CAROM_OK;
    for (size_t i = 0; worth && i < g->nbeside; i++) {
        const size_t place = g->place[g->beside[i]];
        done[g->beside[i]] = true;
        if (status == CAROM_E_NUMERIC)
            carom_runner_again(runner, scene[place], value + place * width, &error[place]);
    }
    for (size_t i = 0; i < g->count; i++) {
        const size_t place = g->place[i];
        if (!done[i] && error[place].status == CAROM_OK)
            carom_runner_opened(runner, scene[place], &g->track[i], value + place * width, &error[place]);
        carom_track_close(&g->track[i]);
    }
}

/* The scenes that look like scene i and have not been taken. */
static void collect(struct group *g, struct carom_scene *const *scene, size_t count, size_t i, bool *taken)
{
    g->count = g->nbeside = 0;
    for (size_t j = i; j < count; j++)
        if (scene[j] != NULL && !taken[j] && (j == i || carom_batch_run_alike(scene[i], scene[j]))) {
            taken[j] = true;
            g->place[g->count++] = j;
        }
}

void carom_runner_lanes(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error)
{
    const size_t width = runner->outputs->count;
    bool taken[CAROM_RUNNER_BATCH] = {false};
    struct group group;
    for (size_t i = 0; i < count; i++) {
        if (scene[i] == NULL || taken[i])
            continue;
        collect(&group, scene, count, i, taken);
        if (group.count > 1)
            run_group(runner, &group, scene, value, error);
        else
            carom_runner_alone(runner, scene[i], value + i * width, &error[i]);
    }
}
