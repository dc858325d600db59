/* Batches of scenes on a device: rows of beads that fit go side by side, whole runs at a time. */
#include "study/sweep/runner_there.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "carom/device.h"
#include "scheme/abreast.h"
#include "study/follow/batch_run.h"

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

enum carom_status carom_runner_there_accept(const struct carom_scheme *scheme, struct carom_error *error)
{
    return scheme && !way_of(scheme) ? refuse_scheme(scheme, error) : CAROM_OK;
}

static enum carom_status open_place(struct carom_runner_place *place, const char *name, bool batches,
                                    const struct carom_scheme *scheme, size_t threads, const struct carom_ranks *ranks,
                                    struct carom_error *error)
{
    if (ranks)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "ranks run on the processor: leave device out, or write device: none, or start it "
                               "without mpirun");
    if (!batches)
        return CAROM_OK;
    if (carom_runner_there_accept(scheme, error) == CAROM_OK &&
        (place->device = carom_device_open(name, error)) != NULL)
        place->batch = carom_abreast_open(place->device, threads > 0 ? threads : carom_threads_cores(), error);
    if (place->batch != NULL)
        snprintf(place->text, sizeof place->text, "%s (%s)", carom_device_what(place->device)->name,
                 carom_device_what(place->device)->driver);
    return place->batch != NULL ? CAROM_OK : error->status;
}

enum carom_status carom_runner_there_open(struct carom_runner_place *place, const struct carom_scene *scene,
                                          bool batches, const struct carom_scheme *scheme, size_t threads,
                                          const struct carom_ranks *ranks, struct carom_error *error)
{
    *place = (struct carom_runner_place){0};
    if (scene->device[0] == '\0' || strcmp(scene->device, "none") == 0)
        return CAROM_OK;
    const enum carom_status status = open_place(place, scene->device, batches, scheme, threads, ranks, error);
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
    const struct carom_runner *runner;
    struct carom_scene *const *scene;
    double *value;
    struct carom_error *error;
    struct carom_track *track;
    struct carom_stepper **stepper;
    struct carom_state **state;
    size_t *place, count;
    bool *broken, *waits;
    struct carom_error trouble; /* of all of them */
};

/* Can these two go side by side? With itself: at all; if not, the error says what devices take. */
static bool fits(const struct carom_stepper *a, const struct carom_stepper *b, struct carom_error *error)
{
    const struct carom_abreast_scheme *way = way_of(a->scheme);
    return way ? way->fits(a, b, error) : refuse_scheme(a->scheme, error) == CAROM_OK;
}

/* Those that wait and fit beside track i; they wait no longer. */
static void batch_of(struct batch *c, size_t count, size_t i)
{
    const struct carom_track *first = &c->track[i];
    struct carom_error ignored = {CAROM_OK, ""};
    c->count = 0;
    for (size_t j = i; j < count; j++) {
        const struct carom_track *track = &c->track[j];
        if (!c->waits[j] || track->step != first->step || track->sim->until != first->sim->until ||
            (track->book == NULL) != (first->book == NULL) || !fits(first->sim->stepper, track->sim->stepper, &ignored))
            continue;
        c->waits[j] = false;
        c->stepper[c->count] = track->sim->stepper;
        c->state[c->count] = track->sim->state;
        c->place[c->count++] = j;
    }
}

static bool ask(void *own, double time)
{
    const struct batch *c = own;
    (void)time;
    return !carom_runner_stopped(c->runner, c->track[c->place[0]].sim);
}

static size_t within(void *own, size_t row)
{
    const struct batch *c = own;
    return carom_batch_run_within(&c->track[c->place[row]]);
}

static enum carom_status see(void *own, size_t row, bool switched, struct carom_error *error)
{
    const struct batch *c = own;
    return carom_batch_run_see(&c->track[c->place[row]], switched, error);
}

/* What breaks down is run again by the processor, which knows when and says why. */
static void read_one(void *own, size_t k)
{
    const struct batch *c = own;
    const size_t i = c->place[k];
    struct carom_track *track = &c->track[i];
    double *value = c->value + i * c->runner->outputs->count;
    c->error[i] = c->trouble;
    if (c->trouble.status != CAROM_OK)
        return;
    if (c->broken[k]) {
        carom_runner_again(c->runner, c->scene[i], value, &c->error[i]);
        return;
    }
    if (track->book != NULL && carom_batch_run_end_book(track, &c->error[i]) != CAROM_OK)
        return;
    carom_sim_sync(track->sim);
    carom_runner_read(c->runner, c->scene[i], track, NULL, value, &c->error[i]);
}

static void run_batch(struct batch *c)
{
    const struct carom_sim *first = c->track[c->place[0]].sim;
    const bool booked = c->track[c->place[0]].book != NULL;
    const struct carom_abreast_watch watch = {ask, c, booked ? within : NULL, booked ? see : NULL};
    enum carom_status status = CAROM_OK;
    c->trouble = (struct carom_error){CAROM_OK, ""};
    for (size_t k = 0; booked && k < c->count && status == CAROM_OK; k++)
        status = carom_batch_run_begin_book(&c->track[c->place[k]], &c->trouble);
    if (status == CAROM_OK)
        carom_abreast_run(c->runner->device, way_of(first->stepper->scheme), c->count, c->stepper, c->state,
                          first->until, &watch, c->broken, &c->trouble);
    carom_runner_each(c->runner, read_one, c, c->count);
}

static void open_one(void *own, size_t i)
{
    struct batch *c = own;
    if (c->scene[i] != NULL && carom_runner_open(c->runner, c->scene[i], &c->track[i], &c->error[i]) == CAROM_OK)
        c->waits[i] = fits(c->track[i].sim->stepper, c->track[i].sim->stepper, &c->error[i]);
}

static void close_one(void *own, size_t i)
{
    carom_track_close(&((struct batch *)own)->track[i]);
}

void carom_runner_there(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error)
{
    struct batch c = {runner,
                      scene,
                      value,
                      error,
                      carom_memory_zeroed(count, sizeof *c.track),
                      carom_memory_zeroed(count, sizeof(void *)),
                      carom_memory_zeroed(count, sizeof(void *)),
                      carom_memory_zeroed(count, sizeof(size_t)),
                      0,
                      carom_memory_zeroed(count, sizeof(bool)),
                      carom_memory_zeroed(count, sizeof(bool)),
                      {CAROM_OK, ""}};
    const bool room = c.track && c.stepper && c.state && c.place && c.broken && c.waits;
    for (size_t i = 0; i < count && !room; i++)
        if (scene[i] != NULL)
            carom_memory_error(&error[i]);
    if (room)
        carom_runner_each(runner, open_one, &c, count);
    for (size_t i = 0; room && i < count; i++)
        if (c.waits[i]) {
            batch_of(&c, count, i);
            run_batch(&c);
        }
    if (room)
        carom_runner_each(runner, close_one, &c, count);
    carom_memory_free_all(c.track, c.stepper, c.state, c.place, c.broken, c.waits);
}
