/* Runs a contest of schemes, the values of the key shared out among threads. */
#include "papers/james2020/contest.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>

#include "base/memory.h"
#include "study/variant.h"

struct work {
    const struct carom_contest *contest;
    double *error_of;
    struct carom_error *error; /* a value's own */
    atomic_size_t done;
    atomic_flag lock;
    atomic_bool stop;
};

static enum carom_status open_entries(const struct carom_contest *c, const struct carom_scene *base,
                                      struct carom_lockstep *entry, struct carom_error *error)
{
    for (size_t k = 0; k < c->nschemes; k++) {
        struct carom_scene *scene = carom_variant_of(base, c->name, NULL, 0, error);
        if (scene == NULL)
            return error->status;
        enum carom_status status = carom_variant_scheme(scene, c->scheme[k], error);
        if (status == CAROM_OK)
            status = carom_variant_option(scene, "step", c->step, error);
        if (status == CAROM_OK)
            status = carom_track_open(&entry[k].track, scene, NULL, error);
        carom_scene_free(scene);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* Errors of all schemes against one reference; `told`: are they more than so many times what that may be off by? */
static enum carom_status run_against(const struct carom_contest *c, const struct carom_scene *base, double tol,
                                     double times, double *error_of, bool *told, struct carom_error *error)
{
    struct carom_lockstep entry[CAROM_CONTEST_SCHEMES] = {0};
    struct carom_reference reference = {0};
    enum carom_status status = open_entries(c, base, entry, error);
    if (status == CAROM_OK)
        status = carom_reference_open(&reference, base, c->name, tol, true, NULL, error);
    if (status == CAROM_OK)
        status = carom_lockstep_run(&reference, entry, c->nschemes, &base->schedule, NULL, error);
    *told = true;
    for (size_t k = 0; k < c->nschemes; k++) {
        error_of[k] = entry[k].sup.u > entry[k].sup.v ? entry[k].sup.u : entry[k].sup.v;
        *told = *told && (status != CAROM_OK ||
                          carom_reference_tells(&entry[k].sup, &reference.doubt, times, &entry[k].track.sim->scales));
        carom_track_close(&entry[k].track);
    }
    carom_reference_close(&reference);
    return status;
}

/* the reference gets finer until who is ahead does not depend on it */
static enum carom_status run_value(const struct carom_contest *c, size_t i, double *error_of, struct carom_error *error)
{
    char option[200];
    const char *more[1] = {option};
    snprintf(option, sizeof option, "%s=%s", c->key, c->range->text[i]);
    struct carom_scene *base = carom_variant_of(c->scene, c->name, more, 1, error);
    if (base == NULL)
        return error->status;
    bool told = false;
    enum carom_status status = CAROM_OK;
    for (double tol = c->reference_tol; status == CAROM_OK && !told; tol = fmax(1e-2 * tol, CAROM_REFERENCE_FINEST)) {
        status = run_against(c, base, tol, 100.0, error_of, &told, error);
        if (status == CAROM_OK && !told && tol <= CAROM_REFERENCE_FINEST)
            status = carom_error_set(error, CAROM_E_FAILED, "the errors are not far above that of the reference");
    }
    carom_scene_free(base);
    return status;
}

static void work_on(void *own, size_t i)
{
    struct work *w = own;
    if (atomic_load(&w->stop))
        return;
    if (run_value(w->contest, i, w->error_of + i * w->contest->nschemes, &w->error[i]) != CAROM_OK)
        atomic_store(&w->stop, true);
    const size_t done = atomic_fetch_add(&w->done, 1) + 1;
    if (atomic_flag_test_and_set(&w->lock))
        return;
    if (!carom_progress_go_on(w->contest->progress, (double)done / (double)w->contest->range->count))
        atomic_store(&w->stop, true);
    atomic_flag_clear(&w->lock);
}

enum carom_status carom_contest_run(const struct carom_contest *contest, struct carom_threads *threads,
                                    double *error_of, struct carom_error *error)
{
    const size_t count = contest->range->count;
    struct work w = {.contest = contest, .error_of = error_of, .lock = ATOMIC_FLAG_INIT};
    w.error = carom_memory_zeroed(count, sizeof *w.error);
    if (w.error == NULL)
        return carom_memory_error(error);
    carom_threads_run(threads, work_on, &w, count);
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < count && status == CAROM_OK; i++)
        if (w.error[i].status != CAROM_OK)
            status = carom_error_set(error, w.error[i].status, "%s = %s: %s", contest->key, contest->range->text[i],
                                     w.error[i].text);
    if (status == CAROM_OK && atomic_load(&w.stop))
        status = carom_error_set(error, CAROM_E_STOPPED, "stopped");
    carom_memory_free(w.error);
    return status;
}
