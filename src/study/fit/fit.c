/* Runs a fit. Whatever searches and derivatives ask for is looked up in the log first; points of derivatives are run
 * side by side. Where the data have no sigma, columns get the one that residuals show (fit_noise.c), and the fit is
 * polished again. Other ranks run what rank 0 asks for, which has the log. */
#include "study/fit/fit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "rank/farm.h"
#include "solve/search.h"
#include "study/fit/fit_log.h"
#include "study/key_unit.h"
#include "study/sweep/runner_there.h"

enum { ROUNDS = 4 };
#define WORST 1e30 /* what a search is told where there is no run */

struct work {
    const struct carom_fit *fit;
    struct carom_fit_result *to;
    struct carom_fit_log log;
    struct carom_farm farm;
    const struct batch *batch; /* points that are run side by side */
    const struct carom_progress *progress;
    double spread[CAROM_FIT_DATA_COLUMNS]; /* what residuals are divided by, beside sigma */
    double *scratch, *off;                 /* npoints; by how much residuals may be off because runs are */
    double *jacobian;                      /* nkeys x npoints: of the residuals, where the last polish ended */
    double best;                           /* of searches */
    double part, share;                    /* of the progress: done before this phase, and of this phase */
    double done, expected;                 /* runs of this phase */
    atomic_bool stop;
    atomic_flag lock;         /* the log and what follows are behind it */
    struct carom_error error; /* of a run that ends all */
};

/* --- runs -------------------------------------------------------------------------------------------------------- */

static bool tell(struct work *w)
{
    const double phase = fmin(w->done / w->expected, 1.0);
    if (!carom_progress_go_on(w->progress, w->part + w->share * phase))
        atomic_store(&w->stop, true);
    return !atomic_load(&w->stop);
}

static bool watch(void *own, const struct carom_sim *sim)
{
    struct work *w = own;
    (void)sim;
    if (!atomic_flag_test_and_set(&w->lock)) {
        tell(w);
        atomic_flag_clear(&w->lock);
    }
    return !atomic_load(&w->stop);
}

/* A run at x into the log, as predictions; CAROM_OK also if there is no such run. */
static enum carom_status run_at(struct work *w, const double *x, double *predicted, struct carom_error *error)
{
    const struct carom_watch look = {.call = watch, .own = w, .seconds = 0.1};
    const enum carom_status status = carom_fit_model_run(w->fit, x, &look, predicted, error);
    if (status == CAROM_E_STOPPED || status == CAROM_E_MEMORY)
        return status;
    for (size_t i = 0; status != CAROM_OK && i < w->fit->data.npoints; i++)
        predicted[i] = nan("");
    return CAROM_OK;
}

static double chi2(const struct work *w, const double *predicted)
{
    double sum = 0.0;
    for (size_t i = 0; i < w->fit->data.npoints; i++) {
        const struct carom_fit_point *p = &w->fit->data.point[i];
        const double r = (predicted[i] - p->value) / (p->sigma * w->spread[p->column]);
        sum += r * r;
    }
    return sum;
}

struct batch {
    const double *x;
    double *predicted;
    const size_t *which;
};

/* What came of a run; the predictions stand behind. */
struct made {
    _Alignas(double) struct carom_error error;
};

static void give(void *own, size_t k, void *x)
{
    const struct work *w = own;
    const size_t n = w->fit->nkeys;
    memcpy(x, w->batch->x + w->batch->which[k] * n, n * sizeof(double));
}

/* on any rank and thread */
static void run_one(void *own, const void *x, void *to)
{
    struct work *w = own;
    struct made *made = to;
    made->error = (struct carom_error){CAROM_E_STOPPED, ""};
    if (atomic_load(&w->stop))
        return;
    made->error.status = CAROM_OK;
    made->error.status = run_at(w, x, (void *)(made + 1), &made->error);
}

static void take(void *own, size_t k, const void *from)
{
    struct work *w = own;
    const size_t n = w->fit->nkeys, m = w->fit->data.npoints, i = w->batch->which[k];
    const double *x = w->batch->x + i * n;
    double *predicted = w->batch->predicted + i * m;
    const struct made *made = from;
    struct carom_error error = made->error;
    enum carom_status status = error.status;
    while (atomic_flag_test_and_set(&w->lock))
        continue;
    memcpy(predicted, made + 1, m * sizeof *predicted);
    const bool failed = status == CAROM_OK && isnan(chi2(w, predicted));
    if (status == CAROM_OK)
        status = carom_fit_log_add(&w->log, failed ? 'f' : 'p', x, predicted, failed ? 0 : m, &error);
    if (status != CAROM_OK) {
        w->error = status == CAROM_E_STOPPED ? w->error : error;
        atomic_store(&w->stop, true);
    }
    w->done += 1.0;
    w->to->runs += status != CAROM_E_STOPPED;
    tell(w);
    atomic_flag_clear(&w->lock);
}

/* Predictions at `count` points: from the log, or run side by side. NaN where there is no such run. */
static enum carom_status predict(struct work *w, size_t count, const double *x, double *predicted,
                                 struct carom_error *error)
{
    const size_t n = w->fit->nkeys, m = w->fit->data.npoints;
    size_t which[2 * CAROM_FIT_KEYS], missing = 0;
    for (size_t i = 0; i < count; i++) {
        const struct carom_fit_log_line *line = carom_fit_log_find(&w->log, 'p', x + i * n);
        if (line == NULL)
            which[missing++] = i;
        else
            w->to->replayed++;
        for (size_t k = 0; line != NULL && k < m; k++)
            predicted[i * m + k] = line->kind == 'p' ? line->y[k] : nan("");
    }
    const struct batch batch = {x, predicted, which};
    w->batch = &batch;
    const enum carom_status status = carom_farm_run(&w->farm, missing, error);
    if (!atomic_load(&w->stop))
        return status;
    if (w->error.status != CAROM_OK)
        return carom_error_set(error, w->error.status, "%s", w->error.text);
    return carom_error_set(error, CAROM_E_STOPPED, "stopped");
}

/* --- search ------------------------------------------------------------------------------------------------------ */

/* Searches see keys in units of their first steps. */
static bool search_value(void *own, const double *y, double *value)
{
    struct work *w = own;
    double x[CAROM_FIT_KEYS];
    for (size_t i = 0; i < w->fit->nkeys; i++)
        x[i] = fmin(fmax(y[i] * w->fit->key[i].unit, w->fit->key[i].low), w->fit->key[i].high);
    const struct carom_fit_log_line *line = carom_fit_log_find(&w->log, 'c', x);
    if (line == NULL)
        line = carom_fit_log_find(&w->log, 'p', x);
    if (line != NULL) {
        *value = line->kind == 'c' ? line->y[0] : line->kind == 'p' ? chi2(w, line->y) : WORST;
        w->to->replayed++;
    } else {
        enum carom_status status = run_at(w, x, w->scratch, &w->error);
        *value = status == CAROM_OK ? chi2(w, w->scratch) : WORST;
        const bool failed = !(*value < WORST);
        if (status == CAROM_OK)
            status = carom_fit_log_add(&w->log, failed ? 'f' : 'c', x, value, failed ? 0 : 1, &w->error);
        if (failed)
            *value = WORST;
        if (status != CAROM_OK && status != CAROM_E_STOPPED)
            atomic_store(&w->stop, true);
        if (status != CAROM_OK)
            return false;
        w->error = (struct carom_error){CAROM_OK, ""};
        w->to->runs++;
    }
    w->done += 1.0;
    w->best = fmin(w->best, *value);
    return tell(w);
}

static enum carom_status search(struct work *w, bool global, double *x, struct carom_error *error)
{
    const size_t n = w->fit->nkeys;
    double low[CAROM_FIT_KEYS], high[CAROM_FIT_KEYS], step[CAROM_FIT_KEYS], y[CAROM_FIT_KEYS];
    for (size_t i = 0; i < n; i++) {
        const struct carom_fit_key *key = &w->fit->key[i];
        if (global && !(key->high - key->low < HUGE_VAL))
            return carom_error_set(error, CAROM_E_USAGE, "--free %s: a global search needs bounds (key=low:high)",
                                   w->fit->free[i]);
        low[i] = key->low / key->unit;
        high[i] = key->high / key->unit;
        step[i] = 1.0;
        y[i] = x[i] / key->unit;
    }
    const size_t most = w->fit->most > 0 ? w->fit->most : global ? 150 * n : 80 * n;
    const struct carom_search problem = {n, low, high, step, 1e-3, most, search_value, w};
    w->done = 0.0;
    w->expected = global ? (double)most : 25.0 * (double)n;
    const enum carom_status status = carom_search_run(&problem, global, y, error);
    if (status == CAROM_E_STOPPED && w->error.status != CAROM_OK)
        return carom_error_set(error, w->error.status, "%s", w->error.text);
    for (size_t i = 0; i < n && status == CAROM_OK; i++)
        x[i] = fmin(fmax(y[i] * w->fit->key[i].unit, w->fit->key[i].low), w->fit->key[i].high);
    return status;
}

/* --- polish ------------------------------------------------------------------------------------------------------ */

static enum carom_status residuals(void *own, size_t count, const double *x, double *r, struct carom_error *error)
{
    struct work *w = own;
    const size_t m = w->fit->data.npoints;
    if (predict(w, count, x, r, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < count * m; i++) {
        const struct carom_fit_point *p = &w->fit->data.point[i % m];
        r[i] = (r[i] - p->value) / (p->sigma * w->spread[p->column]);
    }
    return CAROM_OK;
}

/* w->off: the noise of the largest number of their column, measured or of the
 * model, whichever is less. */
static enum carom_status find_errors(struct work *w, const double *x, struct carom_error *error)
{
    const struct carom_fit_data *data = &w->fit->data;
    double measured[CAROM_FIT_DATA_COLUMNS] = {0.0}, model[CAROM_FIT_DATA_COLUMNS] = {0.0};
    if (predict(w, 1, x, w->scratch, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < data->npoints; i++) {
        const struct carom_fit_point *p = &data->point[i];
        measured[p->column] = fmax(measured[p->column], fabs(p->value));
        model[p->column] = fmax(model[p->column], fabs(w->scratch[i]));
    }
    for (size_t i = 0; i < data->npoints; i++) {
        const struct carom_fit_point *p = &data->point[i];
        w->off[i] = w->fit->noise * fmin(measured[p->column], model[p->column]) / (p->sigma * w->spread[p->column]);
    }
    return CAROM_OK;
}

static enum carom_status polish_once(struct work *w, bool scaled, double *x, struct carom_least_squares_result *found,
                                     struct carom_error *error)
{
    const struct carom_fit *fit = w->fit;
    double low[CAROM_FIT_KEYS], high[CAROM_FIT_KEYS], step[CAROM_FIT_KEYS];
    const double relative = pow(fit->noise, 1.0 / 3.0); /* noise / step and step^2 are alike */
    if (find_errors(w, x, error) != CAROM_OK)
        return error->status;
    for (size_t i = 0; i < fit->nkeys; i++) {
        low[i] = fit->key[i].low;
        high[i] = fit->key[i].high;
        const double size = fit->key[i].shift ? 0.0 : fabs(x[i]), width = high[i] - low[i];
        step[i] = relative * fmax(size, fit->key[i].unit);
        step[i] = width < HUGE_VAL ? fmin(step[i], 0.25 * width) : step[i];
    }
    const struct carom_least_squares problem = {.n = fit->nkeys,
                                                .m = fit->data.npoints,
                                                .low = low,
                                                .high = high,
                                                .step = step,
                                                .scaled = scaled,
                                                .error = w->off,
                                                .noise = relative * relative,
                                                .goal = 1e-3,
                                                .most = 40,
                                                .residuals = residuals,
                                                .own = w,
                                                .jacobian = w->jacobian};
    const enum carom_status status = carom_least_squares_run(&problem, x, found, error);
    return status == CAROM_OK ? CAROM_OK : carom_fit_plan_explain(w->fit, found, error);
}

static enum carom_status polish(struct work *w, double *x, struct carom_least_squares_result *found,
                                struct carom_error *error)
{
    const size_t n = w->fit->nkeys;
    w->done = 0.0;
    w->expected = 4.0 * (2.0 * (double)n + 1.0);
    enum carom_status status = polish_once(w, w->to->given, x, found, error);
    for (int round = 0; round < ROUNDS && status == CAROM_OK && !w->to->given; round++) {
        status = predict(w, 1, x, w->scratch, error);
        if (status != CAROM_OK || w->fit->data.npoints <= n)
            break;
        if (!carom_fit_noise_estimate(w->fit, w->to->noise, found, w->jacobian, w->scratch, w->spread) && round > 0)
            break;
        status = polish_once(w, true, x, found, error);
    }
    return status;
}

/* --- results ----------------------------------------------------------------------------------------------------- */

static void read_columns(const struct work *w, struct carom_fit_result *to)
{
    const struct carom_fit_data *data = &w->fit->data;
    for (size_t c = 0; c < data->ncolumns; c++) {
        double sum = 0.0, square = 0.0, product = 0.0, last = 0.0;
        size_t seen = 0;
        for (size_t i = 0; i < data->npoints; i++) {
            const struct carom_fit_point *p = &data->point[i];
            if (p->column != c)
                continue;
            const double r = to->model[i] - p->value, unit = r / p->sigma;
            sum += r * r;
            square += unit * unit;
            product += seen++ > 0 ? unit * last : 0.0;
            last = unit;
        }
        to->rms[c] = sqrt(sum / (double)data->column[c].points);
        to->lag[c] = square > 0.0 ? product / square : 0.0;
        to->spread[c] = w->spread[c];
    }
}

static enum carom_status finish(struct work *w, const double *x, const struct carom_least_squares_result *found,
                                struct carom_error *error)
{
    struct carom_fit_result *to = w->to;
    const size_t n = w->fit->nkeys;
    size_t held = 0;
    memcpy(to->value, x, n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        to->fixed[i] = found->fixed[i];
        held += found->fixed[i];
    }
    to->converged = found->converged;
    if (predict(w, 1, x, to->model, error) != CAROM_OK)
        return error->status;
    to->chi2 = chi2(w, to->model);
    to->start_chi2 = chi2(w, to->before);
    to->freedom = (double)w->fit->data.npoints - (double)(n - held);
    to->probability = carom_least_squares_probability(to->chi2, to->freedom);
    carom_fit_noise_uncertainties(w->fit, found, w->jacobian, to);
    read_columns(w, to);
    if (w->fit->data.runs)
        return CAROM_OK;
    to->curve_time = carom_memory_zeroed(CAROM_FIT_CURVE, sizeof(double));
    to->curve = carom_memory_zeroed(CAROM_FIT_CURVE * w->fit->data.ncolumns, sizeof(double));
    if (to->curve_time == NULL || to->curve == NULL)
        return carom_memory_error(error);
    return carom_fit_model_curve(w->fit, x, to->curve_time, to->curve, error);
}

/* The start must run, and its errors are said as they are. */
static enum carom_status try_start(struct work *w, const double *x, struct carom_error *error)
{
    const struct carom_fit_log_line *line = carom_fit_log_find(&w->log, 'p', x);
    if (line != NULL && line->kind == 'p') {
        memcpy(w->to->before, line->y, w->fit->data.npoints * sizeof(double));
        w->to->replayed++;
        return CAROM_OK;
    }
    const struct carom_watch look = {.call = watch, .own = w, .seconds = 0.1};
    const enum carom_status status = carom_fit_model_run(w->fit, x, &look, w->to->before, error);
    if (status != CAROM_OK)
        return status == CAROM_E_STOPPED ? status : carom_error_prefix(error, "the start of the fit cannot be run");
    if (isnan(chi2(w, w->to->before)))
        return carom_error_set(error, CAROM_E_NUMERIC, "at the start of the fit the model has no finite numbers");
    w->to->runs++;
    return carom_fit_log_add(&w->log, 'p', x, w->to->before, w->fit->data.npoints, error);
}

static enum carom_status run_all(struct work *w, struct carom_error *error)
{
    const struct carom_fit *fit = w->fit;
    struct carom_least_squares_result found;
    double x[CAROM_FIT_KEYS];
    for (size_t i = 0; i < fit->nkeys; i++)
        x[i] = fit->key[i].start;
    enum carom_status status = try_start(w, x, error);
    if (status == CAROM_OK && fit->method == CAROM_FIT_GLOBAL) {
        w->share = 0.6;
        status = search(w, true, x, error);
        w->part = 0.6;
    }
    if (status == CAROM_OK && fit->method != CAROM_FIT_POLISH) {
        w->share = fit->method == CAROM_FIT_GLOBAL ? 0.2 : 0.6;
        status = search(w, false, x, error);
        w->part += w->share;
    }
    w->share = 1.0 - w->part;
    if (status == CAROM_OK)
        status = polish(w, x, &found, error);
    return status == CAROM_OK ? finish(w, x, &found, error) : status;
}

void carom_fit_free(struct carom_fit *fit)
{
    carom_fit_data_free(&fit->data);
    carom_scene_free(fit->scene);
    carom_memory_free(fit->name);
    *fit = (struct carom_fit){0};
}

const char *carom_fit_unit(const struct carom_fit *fit, size_t i)
{
    const char *unit = fit->key[i].shift ? "s" : carom_key_unit(fit->key[i].key, fit->scene);
    return fit->scene->si && unit != NULL ? unit : "1";
}

void carom_fit_forget(struct carom_fit_result *result)
{
    carom_memory_free_all(result->model, result->before, result->curve_time, result->curve);
    *result = (struct carom_fit_result){0};
}

/* rank 0, or this process alone */
static enum carom_status run_fit(struct work *w, const char *log, struct carom_error *error)
{
    const struct carom_fit *fit = w->fit;
    struct carom_fit_result *result = w->to;
    for (size_t c = 0; c < fit->data.ncolumns; c++)
        result->given = result->given && fit->data.column[c].sigma;
    result->model = carom_memory_zeroed(fit->data.npoints, sizeof(double));
    result->before = carom_memory_zeroed(fit->data.npoints, sizeof(double));
    w->scratch = carom_memory_zeroed(fit->data.npoints, sizeof(double));
    w->off = carom_memory_zeroed(fit->data.npoints, sizeof(double));
    w->jacobian = carom_memory_zeroed(fit->nkeys * fit->data.npoints, sizeof(double));
    carom_fit_noise_plan(fit, result->noise, w->spread);
    enum carom_status status = CAROM_OK;
    if (result->model == NULL || result->before == NULL || w->scratch == NULL || w->off == NULL || w->jacobian == NULL)
        status = carom_memory_error(error);
    if (status == CAROM_OK)
        status = carom_fit_log_open(&w->log, log, carom_fit_plan_identity(fit), fit->nkeys, fit->data.npoints, error);
    if (status == CAROM_OK)
        status = run_all(w, error);
    carom_fit_log_close(&w->log);
    carom_memory_free_all(w->scratch, w->off, w->jacobian);
    return status;
}

enum carom_status carom_fit_run(const struct carom_fit *fit, const char *log, size_t threads,
                                const struct carom_progress *progress, struct carom_fit_result *result,
                                struct carom_error *error)
{
    struct carom_fit there = *fit; /* with the device */
    struct carom_runner_place place;
    struct work w = {.fit = &there, .to = result, .progress = progress, .lock = ATOMIC_FLAG_INIT};
    w.best = HUGE_VAL;
    w.share = w.expected = 1.0;
    *result = (struct carom_fit_result){.given = true};
    *error = (struct carom_error){CAROM_OK, ""};
    /* probes over time: every run is a sim of its own, on its device */
    carom_runner_there_open(&place, fit->scene, fit->data.runs, fit->scene->scheme, threads, fit->ranks, error);
    there.device = place.batch;
    snprintf(result->device, sizeof result->device, "%s", place.text);
    const size_t hands = place.batch != NULL ? 1 : threads > 0 ? threads : carom_rank_threads(fit->ranks);
    const size_t told = fit->nkeys * sizeof(double), made = sizeof(struct made) + fit->data.npoints * sizeof(double);
    w.farm = (struct carom_farm){fit->ranks, hands, told, made, run_one, give, take, watch, &w};
    enum carom_status status = carom_rank_ready(fit->ranks, error);
    if (status == CAROM_OK && carom_rank_own(fit->ranks) > 0)
        status = carom_farm_serve(&w.farm, error);
    else if (status == CAROM_OK) {
        status = run_fit(&w, log, error);
        carom_farm_close(&w.farm);
    }
    carom_runner_there_close(&place);
    return status;
}
