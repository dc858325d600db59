/* Batches of scenes on a device: rows of beads that fit go side by side, whole runs at a time. */
#include "study/sweep/runner_there.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/device.h"
#include "scheme/chain/irk_abreast.h"
#include "scheme/chain/theta_abreast.h"
#include "scheme/compliant/verlet_abreast.h"

static const struct carom_abreast_scheme *way_of(const struct carom_scheme *scheme)
{
    return scheme == &carom_scheme_verlet  ? &carom_verlet_abreast
           : scheme == &carom_scheme_theta ? &carom_theta_abreast
           : scheme == &carom_scheme_irk   ? &carom_irk_abreast
                                           : NULL;
}

static enum carom_status refuse_scheme(const struct carom_scheme *scheme, struct carom_error *error)
{
    const bool bodies = scheme->listed == scheme; /* the form of a scheme for contacts that come and go */
    return carom_error_set(error, CAROM_E_REFUSED,
                           "sweeps and fits on a device take rows of beads under verlet, theta and irk, not %s%s; "
                           "device: none runs them on the processor",
                           bodies ? "bodies whose contacts come and go" : "scheme ", bodies ? "" : scheme->kind.name);
}

enum carom_status carom_runner_there_accept(const struct carom_outputs *outputs, const struct carom_scheme *scheme,
                                            struct carom_error *error)
{
    if (outputs->peaks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "peak_force is not noted on devices yet: outputs v_last, kinetic, stored, dissipated "
                               "and others are; device: none has it noted on the processor");
    return scheme && !way_of(scheme) ? refuse_scheme(scheme, error) : CAROM_OK;
}

static enum carom_status open_place(struct carom_runner_place *place, const char *name,
                                    const struct carom_outputs *outputs, const struct carom_scheme *scheme,
                                    const struct carom_ranks *ranks, struct carom_error *error)
{
    if (ranks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "ranks run on the processor: leave device out, or write device: none, or start it "
                               "without mpirun");
    if (!outputs)
        return CAROM_OK;
    if (carom_runner_there_accept(outputs, scheme, error) == CAROM_OK &&
        (place->device = carom_device_open(name, error)) != NULL)
        place->batch = carom_abreast_open(place->device, error);
    if (place->batch != NULL)
        snprintf(place->text, sizeof place->text, "%s (%s)", carom_device_what(place->device)->name,
                 carom_device_what(place->device)->driver);
    return place->batch != NULL ? CAROM_OK : error->status;
}

enum carom_status carom_runner_there_open(struct carom_runner_place *place, const struct carom_scene *scene,
                                          const struct carom_outputs *outputs, const struct carom_scheme *scheme,
                                          const struct carom_ranks *ranks, struct carom_error *error)
{
    *place = (struct carom_runner_place){0};
    if (scene->device[0] == '\0' || strcmp(scene->device, "none") == 0)
        return CAROM_OK;
    const enum carom_status status = open_place(place, scene->device, outputs, scheme, ranks, error);
    if (status != CAROM_OK && status != CAROM_E_MEMORY && scene->device_at[0] != '\0')
        carom_error_prefix(error, "%s", scene->device_at);
    return status;
}

void carom_runner_there_close(struct carom_runner_place *place)
{
    carom_abreast_close(place->batch);
    carom_device_free(place->device);
}

/* Runs of a batch on a device: tracks by their places, and those of them that go side by side. */
struct batch {
    struct carom_track *track;
    struct carom_stepper **stepper;
    struct carom_state **state;
    size_t *place, count;
    bool *broken;
};

/* Can these two go side by side? With itself: at all; if not, the error says what devices take. */
static bool fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error)
{
    const struct carom_abreast_scheme *way = way_of(a->scheme);
    return way ? way->fits(a, b, error) : refuse_scheme(a->scheme, error) == CAROM_OK;
}

/* Those that wait and fit beside track i; they wait no longer. */
static void batch_of(struct batch *c, size_t count, size_t i, bool *waits)
{
    const struct carom_track *first = &c->track[i];
    struct carom_error ignored = {CAROM_OK, ""};
    c->count = 0;
    for (size_t j = i; j < count; j++) {
        const struct carom_track *track = &c->track[j];
        if (!waits[j] || track->step != first->step || track->sim->until != first->sim->until ||
            !fits(first->sim->stepper, track->sim->stepper, &ignored))
            continue;
        waits[j] = false;
        c->stepper[c->count] = track->sim->stepper;
        c->state[c->count] = track->sim->state;
        c->place[c->count++] = j;
    }
}

/* What breaks down is run again by the processor, which knows when and says why. */
static void run_batch(const struct carom_runner *runner, const struct batch *c, struct carom_scene *const *scene,
                      double *value, struct carom_error *error)
{
    const size_t width = runner->outputs->count;
    const struct carom_sim *first = c->track[c->place[0]].sim;
    struct carom_runner_asker asker = {runner, first};
    const struct carom_abreast_watch watch = {carom_runner_ask, &asker};
    struct carom_error trouble = {CAROM_OK, ""};
    const enum carom_status status = carom_abreast_run(runner->device, way_of(first->stepper->scheme), c->count,
                                                       c->stepper, c->state, first->until, &watch, c->broken, &trouble);
    for (size_t k = 0; k < c->count; k++) {
        const size_t i = c->place[k];
        error[i] = trouble;
        if (status == CAROM_OK && c->broken[k])
            carom_runner_again(runner, scene[i], value + i * width, &error[i]);
        if (status != CAROM_OK || c->broken[k])
            continue;
        carom_sim_sync(c->track[i].sim);
        carom_runner_read(runner, scene[i], &c->track[i], NULL, value + i * width, &error[i]);
    }
}

void carom_runner_there(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error)
{
    struct batch c = {carom_memory_zeroed(count, sizeof *c.track),
                      carom_memory_zeroed(count, sizeof(void *)),
                      carom_memory_zeroed(count, sizeof(void *)),
                      carom_memory_zeroed(count, sizeof(size_t)),
                      0,
                      carom_memory_zeroed(count, sizeof(bool))};
    bool *waits = carom_memory_zeroed(count, sizeof *waits);
    const bool room = c.track && c.stepper && c.state && c.place && c.broken && waits;
    for (size_t i = 0; i < count; i++) {
        if (scene[i] == NULL)
            continue;
        if (!room)
            carom_memory_error(&error[i]);
        else if (carom_runner_open(runner, scene[i], &c.track[i], &error[i]) == CAROM_OK)
            waits[i] = fits(c.track[i].sim->stepper, c.track[i].sim->stepper, &error[i]);
    }
    for (size_t i = 0; room && i < count; i++)
        if (waits[i]) {
            batch_of(&c, count, i, waits);
            run_batch(runner, &c, scene, value, error);
        }
    for (size_t i = 0; room && i < count; i++)
        carom_track_close(&c.track[i]);
    carom_memory_free_all(c.track, c.stepper, c.state, c.place, c.broken, waits);
}
