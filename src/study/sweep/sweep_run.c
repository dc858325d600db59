/* Runs a sweep: threads take batches of points, whoever finishes one may write what is finished, one at a time and
 * about once a second. Memory is bounded by the window of points under way. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/threads.h"
#include "study/sweep/runner_there.h"
#include "study/sweep/sweep_file.h"

#define WINDOW ((uint64_t)65536) /* points */
#define WRITE_SECONDS 1.0

struct work {
    const struct carom_sweep *sweep;
    const struct carom_progress *progress;
    struct carom_runner runner;
    struct carom_sweep_file *file;
    int32_t *status; /* points: as in the file */
    /* of the window under way */
    uint64_t first, count, batch;
    double *value;      /* count x outputs */
    bool *fresh;        /* count: run in this session */
    atomic_bool *ready; /* per batch: to be written */
    uint64_t total;     /* points done before, and those to be run now */
    atomic_bool stop;
    atomic_ullong finished; /* points of this session */
    atomic_flag lock;       /* what follows is behind it, and so is the file */
    bool *written;          /* per batch */
    double last_write;
    struct carom_sweep_result *result;
    struct carom_error error; /* of writing */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- behind the lock -------------------------------------------------------------------------------------------- */

static enum carom_status write_run(struct work *w, uint64_t from, uint64_t to)
{
    return carom_sweep_file_write(w->file, w->first + from, to - from, w->value + from * w->sweep->outputs.count,
                                  w->status + w->first + from, &w->error);
}

/* Neighbouring points that are ready go to the file in one piece; those of an earlier session are left alone. */
static void write_ready(struct work *w)
{
    enum carom_status status = CAROM_OK;
    uint64_t from = 0, to = 0; /* a run that waits */
    for (uint64_t b = 0; b * w->batch < w->count && status == CAROM_OK; b++) {
        if (w->written[b] || !atomic_load(&w->ready[b]))
            continue;
        w->written[b] = true;
        for (uint64_t i = b * w->batch; i < (b + 1) * w->batch && i < w->count && status == CAROM_OK; i++) {
            if (!w->fresh[i])
                continue;
            if (i != to && to > from)
                status = write_run(w, from, to);
            from = i != to || to == from ? i : from;
            to = i + 1;
        }
    }
    if (status == CAROM_OK && to > from)
        status = write_run(w, from, to);
    if (status == CAROM_OK)
        status = carom_sweep_file_flush(w->file, &w->error);
    if (status != CAROM_OK)
        atomic_store(&w->stop, true);
    w->last_write = now();
}

static void tell(struct work *w)
{
    const double done = (double)(w->result->before + atomic_load(&w->finished)) / (double)w->total;
    if (!carom_progress_go_on(w->progress, done))
        atomic_store(&w->stop, true);
}

/* Does what has to be done now and then, if nobody else is at it. */
static void look_up(struct work *w)
{
    if (atomic_flag_test_and_set(&w->lock))
        return;
    tell(w);
    if (now() - w->last_write > WRITE_SECONDS && w->error.status == CAROM_OK)
        write_ready(w);
    atomic_flag_clear(&w->lock);
}

/* A run that failed is a result, unless there was no memory for it, which says nothing about the run. */
static void note_failure(struct work *w, uint64_t point, const struct carom_error *reason)
{
    while (atomic_flag_test_and_set(&w->lock))
        continue;
    if (reason->status == CAROM_E_MEMORY) {
        w->error = *reason;
        atomic_store(&w->stop, true);
    } else if (point < w->result->first_failed) {
        w->result->first_failed = point;
        w->result->reason = *reason;
    }
    atomic_flag_clear(&w->lock);
}

/* --- a batch, on any thread ------------------------------------------------------------------------------------- */

static bool watch(void *own, const struct carom_sim *sim)
{
    struct work *w = own;
    (void)sim;
    look_up(w);
    return !atomic_load(&w->stop);
}

/* Small grids of long runs are shared out finely, large ones in full batches. */
static uint64_t batch_size(uint64_t points, uint64_t shares)
{
    const uint64_t share = points / (shares * 8);
    return share < 1 ? 1 : share < CAROM_RUNNER_BATCH ? share : CAROM_RUNNER_BATCH;
}

/* Is point i of the part that is to be run? Parts take blocks of neighbours in turn, so that lanes stay full. */
static bool is_mine(const struct carom_sweep *sweep, uint64_t i)
{
    return sweep->parts < 2 || i / batch_size(sweep->points, sweep->parts) % sweep->parts == sweep->part;
}

/* Is point i to be run, and not done? */
static bool waits(const struct work *w, uint64_t i)
{
    return w->status[i] < 0 && is_mine(w->sweep, i);
}

/* Binds the points [from, to) that wait; the rest stay NULL. Returns how many there are. */
static uint64_t bind_batch(struct work *w, uint64_t from, uint64_t to, struct carom_scene **scene,
                           struct carom_error *error)
{
    const size_t width = w->sweep->outputs.count;
    uint64_t fresh = 0;
    for (uint64_t i = from; i < to; i++) {
        error[i - from] = (struct carom_error){CAROM_OK, ""};
        w->fresh[i] = waits(w, w->first + i);
        if (!w->fresh[i])
            continue;
        fresh++;
        scene[i - from] = carom_sweep_scene(w->sweep, w->first + i, &error[i - from]);
        for (size_t k = 0; k < width; k++)
            w->value[i * width + k] = nan("");
    }
    return fresh;
}

/* A batch is kept whole, or not at all if it was stopped or there was no memory. */
static bool keep_batch(struct work *w, uint64_t from, uint64_t to, const struct carom_error *error)
{
    for (uint64_t i = from; i < to; i++) {
        const enum carom_status status = error[i - from].status;
        if (status == CAROM_E_MEMORY)
            note_failure(w, w->first + i, &error[i - from]);
        if (status == CAROM_E_MEMORY || status == CAROM_E_STOPPED)
            return false;
    }
    for (uint64_t i = from; i < to; i++) {
        if (!w->fresh[i])
            continue;
        w->status[w->first + i] = (int32_t)error[i - from].status;
        if (error[i - from].status != CAROM_OK)
            note_failure(w, w->first + i, &error[i - from]);
    }
    return true;
}

static void run_bound(struct work *w, size_t number, uint64_t from, uint64_t to, struct carom_scene **scene,
                      struct carom_error *error)
{
    const uint64_t fresh = bind_batch(w, from, to, scene, error);
    if (fresh > 0)
        carom_runner_batch(&w->runner, scene, (size_t)(to - from), w->value + from * w->sweep->outputs.count, error);
    for (uint64_t i = from; i < to; i++)
        carom_scene_free(scene[i - from]);
    if (fresh == 0 || !keep_batch(w, from, to, error))
        return;
    atomic_fetch_add(&w->finished, fresh);
    atomic_store(&w->ready[number], true);
    look_up(w);
}

static void run_batch(void *own, size_t number)
{
    struct work *w = own;
    const uint64_t from = number * w->batch, to = from + w->batch < w->count ? from + w->batch : w->count;
    if (atomic_load(&w->stop))
        return;
    struct carom_scene **scene = carom_memory_zeroed((size_t)(to - from), sizeof(struct carom_scene *));
    struct carom_error *error = carom_memory_zeroed((size_t)(to - from), sizeof *error);
    if (scene == NULL || error == NULL) {
        const struct carom_error lost = {CAROM_E_MEMORY, "out of memory"};
        note_failure(w, w->first + from, &lost);
    } else
        run_bound(w, number, from, to, scene, error);
    carom_memory_free(scene);
    carom_memory_free(error);
}

/* --- all -------------------------------------------------------------------------------------------------------- */

static enum carom_status run_window(struct work *w, struct carom_threads *threads, struct carom_error *error)
{
    const size_t batches = (size_t)((w->count + w->batch - 1) / w->batch);
    w->ready = carom_memory_zeroed(batches, sizeof *w->ready);
    w->written = carom_memory_zeroed(batches, sizeof *w->written);
    w->fresh = carom_memory_zeroed((size_t)w->count, sizeof *w->fresh);
    w->value = carom_memory_zeroed((size_t)w->count, w->sweep->outputs.count * sizeof(double));
    enum carom_status status = CAROM_OK;
    if (w->ready == NULL || w->fresh == NULL || w->written == NULL || w->value == NULL) {
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    } else {
        carom_threads_run(threads, run_batch, w, batches);
        if (w->error.status == CAROM_OK)
            write_ready(w);
        tell(w);
        if (w->error.status != CAROM_OK)
            status = carom_error_set(error, w->error.status, "%s", w->error.text);
        else if (atomic_load(&w->stop))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    carom_memory_free(w->ready);
    carom_memory_free(w->written);
    carom_memory_free(w->fresh);
    carom_memory_free(w->value);
    return status;
}

/* Is there anything to do in [first, first + count)? */
static bool has_work(const struct work *w, uint64_t first, uint64_t count)
{
    for (uint64_t i = first; i < first + count; i++)
        if (waits(w, i))
            return true;
    return false;
}

static void count_points(struct work *w, uint64_t *done, uint64_t *failed)
{
    *done = *failed = w->total = 0;
    for (uint64_t i = 0; i < w->sweep->points; i++) {
        *done += w->status[i] >= 0;
        *failed += w->status[i] > 0;
        w->total += w->status[i] >= 0 || waits(w, i);
    }
}

/* A failure of an earlier session is one still. Files keep its status only; a scene that is refused says why again. */
static void recall_failure(struct work *w)
{
    uint64_t i = 0;
    struct carom_error *reason = &w->result->reason;
    while (i < w->result->first_failed && w->status[i] <= 0)
        i++;
    if (i == w->result->first_failed)
        return;
    w->result->first_failed = i;
    struct carom_scene *scene = carom_sweep_scene(w->sweep, i, reason);
    if (scene != NULL)
        carom_error_set(reason, (enum carom_status)w->status[i],
                        "it ended with exit code %d in an earlier session; 'carom run' with these values says why",
                        (int)w->status[i]);
    carom_scene_free(scene);
}

static enum carom_status run_all(struct work *w, size_t threads, struct carom_error *error)
{
    struct carom_threads *team = NULL;
    if (threads > 1 && (team = carom_threads_create(threads)) == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "cannot start %zu threads", threads);
    enum carom_status status = CAROM_OK;
    const uint64_t points = w->sweep->points;
    w->batch = w->runner.device == NULL       ? batch_size(points, threads)
               : points < CAROM_RUNNER_DEVICE ? points
                                              : CAROM_RUNNER_DEVICE;
    w->last_write = now();
    for (w->first = 0; w->first < points && status == CAROM_OK; w->first += w->count) {
        w->count = points - w->first < WINDOW ? points - w->first : WINDOW;
        if (has_work(w, w->first, w->count))
            status = run_window(w, team, error);
    }
    carom_threads_free(team);
    return status;
}

/* The smallest and largest value of every output, and where they are. */
static enum carom_status find_extremes(struct work *w, struct carom_error *error)
{
    double *value = carom_memory_zeroed((size_t)w->sweep->points, sizeof *value);
    enum carom_status status = value != NULL ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    for (size_t k = 0; k < w->sweep->outputs.count && status == CAROM_OK; k++) {
        struct carom_sweep_extremes *e = &w->result->extremes[k];
        *e = (struct carom_sweep_extremes){.least = HUGE_VAL, .most = -HUGE_VAL};
        status = carom_sweep_file_read(w->file, k, value, error);
        for (uint64_t i = 0; i < w->sweep->points && status == CAROM_OK; i++) {
            if (value[i] < e->least) {
                e->least = value[i];
                e->at_least = i;
            }
            if (value[i] > e->most) {
                e->most = value[i];
                e->at_most = i;
            }
        }
    }
    carom_memory_free(value);
    return status;
}

enum carom_status carom_sweep_run(const struct carom_sweep *sweep, const char *path, size_t threads,
                                  const struct carom_progress *progress, struct carom_sweep_result *result,
                                  struct carom_error *error)
{
    struct work w = {.sweep = sweep, .progress = progress, .result = result, .lock = ATOMIC_FLAG_INIT};
    const struct carom_watch look = {.call = watch, .own = &w};
    *result = (struct carom_sweep_result){.first_failed = sweep->points};
    w.runner = (struct carom_runner){.outputs = &sweep->outputs, .reference_tol = sweep->reference_tol, .watch = &look};
    w.status = carom_memory_zeroed((size_t)sweep->points, sizeof *w.status);
    if (w.status == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %llu points",
                               (unsigned long long)sweep->points);
    struct carom_runner_place place;
    enum carom_status status = carom_runner_there_open(&place, sweep->scene->device, &sweep->outputs, error);
    w.runner.device = place.batch;
    snprintf(result->device, sizeof result->device, "%s", place.text);
    w.file = status == CAROM_OK ? carom_sweep_file_open(sweep, path, w.status, error) : NULL;
    if (w.file != NULL) {
        count_points(&w, &result->before, &result->failed);
        /* a device is for one thread */
        status = run_all(&w, place.batch != NULL ? 1 : threads > 0 ? threads : carom_threads_cores(), error);
        count_points(&w, &result->done, &result->failed);
        if (status == CAROM_OK) {
            recall_failure(&w);
            status = find_extremes(&w, error);
        }
        const enum carom_status closed = carom_sweep_file_close(w.file, status == CAROM_OK ? error : NULL);
        status = status == CAROM_OK ? closed : status;
    } else {
        status = error->status;
    }
    carom_runner_there_close(&place);
    carom_memory_free(w.status);
    return status;
}
