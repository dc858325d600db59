/* Runs a sweep: threads, and other ranks, take batches of points, whoever finishes one may write what is finished, one
 * at a time and about once a second. Memory is bounded by the window of points under way. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "rank/farm.h"
#include "study/sweep/runner_there.h"
#include "study/sweep/sweep_file.h"

#define WINDOW ((uint64_t)65536) /* points */
#define WRITE_SECONDS 1.0

struct work {
    const struct carom_sweep *sweep;
    const struct carom_progress *progress;
    struct carom_runner runner;
    struct carom_farm farm;
    size_t most; /* points of a batch: messages have room for them, on all ranks */
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
    w->last_write = carom_clock_now();
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
    if (w->file != NULL && carom_clock_now() - w->last_write > WRITE_SECONDS && w->error.status == CAROM_OK)
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

static void note_blunders(struct work *w, uint64_t count, uint64_t point, const char *text)
{
    struct carom_sweep_result *result = w->result;
    while (atomic_flag_test_and_set(&w->lock))
        continue;
    if (result->blundered == 0 || point < result->first_blundered) {
        result->first_blundered = point;
        snprintf(result->blunder, sizeof result->blunder, "%s", text);
    }
    result->blundered += count;
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

/* What is to be run. */
struct told {
    uint64_t first, count, fresh; /* fresh: how many of the `count` points wait */
    bool waits[];
};

/* What came of it: `most` rows of values, then as many statuses. */
struct made {
    uint64_t failed;           /* whose it is: */
    struct carom_error reason; /* of the first that failed, or found no memory */
    uint64_t blundered, first_blundered;
    char blunder[CAROM_BLUNDERS_TEXT];
    double value[];
};

static size_t status_at(const struct work *w, uint64_t i)
{
    return w->most * w->sweep->outputs.count + (size_t)i;
}

static void give(void *own, size_t number, void *to)
{
    struct work *w = own;
    const uint64_t from = number * w->batch, left = w->count - from;
    struct told *t = to;
    *t = (struct told){.first = w->first + from, .count = left < w->batch ? left : w->batch};
    for (uint64_t i = 0; i < t->count; i++) {
        w->fresh[from + i] = t->waits[i] = waits(w, t->first + i);
        t->fresh += w->fresh[from + i];
    }
}

static void tell_of(const struct work *w, struct made *m, const struct told *t, const struct carom_error *error)
{
    m->reason.status = CAROM_OK;
    m->blundered = 0;
    for (uint64_t i = 0; i < t->count; i++) {
        m->value[status_at(w, i)] = (double)error[i].status;
        if (m->reason.status == CAROM_OK || error[i].status == CAROM_E_MEMORY) {
            m->reason = error[i];
            m->failed = i;
        }
        if (error[i].status != CAROM_OK || error[i].text[0] == '\0')
            continue;
        if (m->blundered++ == 0) {
            m->first_blundered = i;
            snprintf(m->blunder, sizeof m->blunder, "%.*s", (int)sizeof m->blunder - 1, error[i].text);
        }
    }
}

struct binding {
    struct work *work;
    const struct told *told;
    struct carom_scene **scene;
    struct carom_error *error;
};

static void bind_one(void *own, size_t i)
{
    const struct binding *b = own;
    const bool stop = atomic_load(&b->work->stop);
    b->error[i] = (struct carom_error){stop ? CAROM_E_STOPPED : CAROM_OK, ""};
    if (b->told->waits[i] && !stop)
        b->scene[i] = carom_sweep_scene(b->work->sweep, b->told->first + i, &b->error[i]);
}

static void run_bound(struct work *w, const struct told *t, struct carom_scene **scene, struct carom_error *error,
                      double *value)
{
    carom_runner_each(&w->runner, bind_one, &(struct binding){w, t, scene, error}, (size_t)t->count);
    for (size_t k = 0; k < t->count * w->sweep->outputs.count; k++)
        value[k] = nan("");
    const bool stop = atomic_load(&w->stop); /* maybe only since its scenes were bound: it has no values then */
    if (t->fresh > 0 && !stop)
        carom_runner_batch(&w->runner, scene, (size_t)t->count, value, error);
    for (uint64_t i = 0; i < t->count; i++) {
        error[i].status = stop ? CAROM_E_STOPPED : error[i].status;
        carom_scene_free(scene[i]);
    }
}

/* on any rank and thread */
static void run_batch(void *own, const void *what, void *to)
{
    struct work *w = own;
    const struct told *t = what;
    struct made *m = to;
    struct carom_scene **scene = carom_memory_zeroed((size_t)t->count, sizeof(struct carom_scene *));
    struct carom_error *error = carom_memory_zeroed((size_t)t->count, sizeof *error);
    if (scene != NULL && error != NULL) {
        run_bound(w, t, scene, error, m->value);
        tell_of(w, m, t, error);
    } else {
        m->failed = m->blundered = 0;
        m->value[status_at(w, 0)] = (double)carom_memory_error(&m->reason);
    }
    carom_memory_free_all(scene, error);
}

/* A batch is kept whole, or not at all if it was stopped or there was no memory. */
static bool is_whole(struct work *w, const struct made *m, uint64_t first, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++) {
        const enum carom_status status = (enum carom_status)m->value[status_at(w, i)];
        if (status == CAROM_E_STOPPED)
            atomic_store(&w->stop, true); /* another rank may have been told */
        if (status == CAROM_E_MEMORY)
            note_failure(w, first + m->failed, &m->reason);
        if (status == CAROM_E_STOPPED || status == CAROM_E_MEMORY)
            return false;
    }
    return true;
}

static void take(void *own, size_t number, const void *made)
{
    struct work *w = own;
    const struct made *m = made;
    const uint64_t from = number * w->batch, left = w->count - from, count = left < w->batch ? left : w->batch;
    const size_t width = w->sweep->outputs.count;
    uint64_t fresh = 0;
    if (!is_whole(w, m, w->first + from, count))
        return;
    memcpy(w->value + from * width, m->value, count * width * sizeof(double));
    for (uint64_t i = 0; i < count; i++) {
        if (!w->fresh[from + i])
            continue;
        fresh++;
        w->status[w->first + from + i] = (int32_t)m->value[status_at(w, i)];
    }
    if (m->reason.status != CAROM_OK)
        note_failure(w, w->first + from + m->failed, &m->reason);
    if (m->blundered > 0)
        note_blunders(w, m->blundered, w->first + from + m->first_blundered, m->blunder);
    atomic_fetch_add(&w->finished, fresh);
    atomic_store(&w->ready[number], fresh > 0);
    look_up(w);
}

/* --- all -------------------------------------------------------------------------------------------------------- */

static enum carom_status run_window(struct work *w, struct carom_error *error)
{
    const size_t batches = (size_t)((w->count + w->batch - 1) / w->batch);
    w->ready = carom_memory_zeroed(batches, sizeof *w->ready);
    w->written = carom_memory_zeroed(batches, sizeof *w->written);
    w->fresh = carom_memory_zeroed((size_t)w->count, sizeof *w->fresh);
    w->value = carom_memory_zeroed((size_t)w->count, w->sweep->outputs.count * sizeof(double));
    enum carom_status status = CAROM_OK;
    if (w->ready == NULL || w->fresh == NULL || w->written == NULL || w->value == NULL) {
        status = carom_memory_error(error);
    } else {
        status = carom_farm_run(&w->farm, batches, error);
        if (w->error.status == CAROM_OK)
            write_ready(w);
        tell(w);
        if (w->error.status != CAROM_OK)
            status = carom_error_set(error, w->error.status, "%s", w->error.text);
        else if (atomic_load(&w->stop))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    }
    carom_memory_free_all(w->ready, w->written, w->fresh, w->value);
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

static enum carom_status run_all(struct work *w, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    const uint64_t points = w->sweep->points;
    w->batch = w->runner.device ? w->most : batch_size(points, w->farm.threads * carom_rank_count(w->farm.ranks));
    w->last_write = carom_clock_now();
    for (w->first = 0; w->first < points && status == CAROM_OK; w->first += w->count) {
        w->count = points - w->first < WINDOW ? points - w->first : WINDOW;
        if (has_work(w, w->first, w->count))
            status = run_window(w, error);
    }
    return status;
}

/* The smallest and largest value of every output, and where they are. */
static enum carom_status find_extremes(struct work *w, struct carom_error *error)
{
    double *value = carom_memory_zeroed((size_t)w->sweep->points, sizeof *value);
    enum carom_status status = value != NULL ? CAROM_OK : carom_memory_error(error);
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

/* rank 0, or this process alone */
static enum carom_status run_sweep(struct work *w, const char *path, struct carom_error *error)
{
    struct carom_sweep_result *result = w->result;
    w->status = carom_memory_zeroed((size_t)w->sweep->points, sizeof *w->status);
    if (w->status == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for %llu points",
                               (unsigned long long)w->sweep->points);
    enum carom_status status = CAROM_OK;
    w->file = carom_sweep_file_open(w->sweep, path, w->status, error);
    if (w->file != NULL) {
        count_points(w, &result->before, &result->failed);
        status = run_all(w, error);
        count_points(w, &result->done, &result->failed);
        if (status == CAROM_OK) {
            recall_failure(w);
            status = find_extremes(w, error);
        }
        const enum carom_status closed = carom_sweep_file_close(w->file, status == CAROM_OK ? error : NULL);
        status = status == CAROM_OK ? closed : status;
    } else {
        status = error->status;
    }
    carom_memory_free(w->status);
    return status;
}

/* who works, and how much at once */
static void open_farm(struct work *w, size_t threads)
{
    const struct carom_sweep *sweep = w->sweep;
    const bool there = w->runner.device != NULL; /* a device is for one thread, others help it */
    const uint64_t most = there ? CAROM_RUNNER_DEVICE : CAROM_RUNNER_BATCH;
    w->most = (size_t)(sweep->points < most ? sweep->points : most);
    w->farm = (struct carom_farm){
        .ranks = sweep->ranks,
        .threads = there         ? 1
                   : threads > 0 ? threads
                                 : carom_rank_threads(sweep->ranks),
        .told = sizeof(struct told) + w->most * sizeof(bool),
        .made = sizeof(struct made) + w->most * (sweep->outputs.count + 1) * sizeof(double),
        .work = run_batch,
        .give = give,
        .take = take,
        .watch = watch,
        .own = w,
    };
}

/* the one scheme of all its runs; NULL: it goes over schemes, or over theories, which may bring their own */
static const struct carom_scheme *scheme_of(const struct carom_sweep *sweep)
{
    for (size_t k = 0; k < sweep->naxes; k++)
        if (strcmp(sweep->axis[k].key, "run.scheme") == 0 || strcmp(sweep->axis[k].key, "theory") == 0)
            return NULL;
    return sweep->scene->scheme;
}

enum carom_status carom_sweep_run(const struct carom_sweep *sweep, const char *path, size_t threads,
                                  const struct carom_progress *progress, struct carom_sweep_result *result,
                                  struct carom_error *error)
{
    struct work w = {.sweep = sweep, .progress = progress, .result = result, .total = 1, .lock = ATOMIC_FLAG_INIT};
    const struct carom_watch look = {.call = watch, .own = &w};
    struct carom_runner_place place;
    *result = (struct carom_sweep_result){.first_failed = sweep->points};
    *error = (struct carom_error){CAROM_OK, ""};
    carom_runner_there_open(&place, sweep->scene, true, scheme_of(sweep), threads, sweep->ranks, error);
    snprintf(result->device, sizeof result->device, "%s", place.text);
    w.runner = (struct carom_runner){&sweep->outputs, sweep->reference_tol, &look, place.batch};
    open_farm(&w, threads);
    enum carom_status status = carom_rank_ready(sweep->ranks, error);
    if (status == CAROM_OK && carom_rank_own(sweep->ranks) > 0)
        status = carom_farm_serve(&w.farm, error);
    else if (status == CAROM_OK) {
        status = run_sweep(&w, path, error);
        carom_farm_close(&w.farm);
    }
    carom_runner_there_close(&place);
    return status;
}
