/* Runs the scene of a fit. Data over time are met by samples at exactly their times, from the scheme's dense output;
 * data of runs by the outputs of sweeps. */
#include "study/fit/fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "model/frame.h"
#include "record/bodies_read.h"
#include "record/export/csv.h"
#include "record/probe.h"
#include "study/sweep/runner_there.h"
#include "study/variant.h"

enum { OPTION = 192 };

/* The scene with these values of the keys and the settings of a run; NULL and the sentence on error. */
static struct carom_scene *make_scene(const struct carom_fit *fit, const double *x, size_t run,
                                      struct carom_error *error)
{
    char text[CAROM_FIT_KEYS + CAROM_FIT_DATA_COLUMNS][OPTION];
    const char *more[CAROM_FIT_KEYS + CAROM_FIT_DATA_COLUMNS];
    size_t count = 0;
    for (size_t k = 0; k < fit->data.nkeys; k++, count++)
        snprintf(text[count], OPTION, "%s=%s", fit->data.key[k], fit->data.setting[run * fit->data.nkeys + k]);
    for (size_t i = 0; i < fit->nkeys; i++)
        if (!fit->key[i].shift)
            snprintf(text[count++], OPTION, "%s=%.17g", fit->key[i].key, x[i]);
    for (size_t i = 0; i < count; i++)
        more[i] = text[i];
    return carom_variant_of(fit->scene, fit->name, more, count, error);
}

static double shift_of(const struct carom_fit *fit, const double *x)
{
    for (size_t i = 0; i < fit->nkeys; i++)
        if (fit->key[i].shift)
            return x[i];
    return 0.0;
}

/* --- runs of their own ------------------------------------------------------------------------------------------- */

struct some {
    const struct carom_fit *fit;
    const double *x;
    size_t from;
    struct carom_scene **scene;
    struct carom_error *own;
};

static void make_one(void *of, size_t i)
{
    const struct some *s = of;
    s->own[i] = (struct carom_error){CAROM_OK, ""};
    s->scene[i] = make_scene(s->fit, s->x, s->from + i, &s->own[i]);
}

/* the first error of a run among them */
static enum carom_status first_error(const struct carom_error *own, size_t count, struct carom_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (own[i].status != CAROM_OK)
            return carom_error_set(error, own[i].status, "%s", own[i].text);
    return CAROM_OK;
}

/* runs [from, from + count) of the data */
static enum carom_status run_some(const struct carom_fit *fit, const double *x, const struct carom_runner *runner,
                                  size_t from, size_t count, struct carom_scene **scene, struct carom_error *own,
                                  double *value, struct carom_error *error)
{
    carom_runner_each(runner, make_one, &(struct some){fit, x, from, scene, own}, count);
    enum carom_status status = first_error(own, count, error);
    if (status == CAROM_OK) {
        carom_runner_batch(runner, scene, count, value, own);
        status = first_error(own, count, error);
    }
    for (size_t i = 0; i < count; i++) {
        carom_scene_free(scene[i]);
        scene[i] = NULL;
    }
    return status;
}

static enum carom_status run_each(const struct carom_fit *fit, const double *x, const struct carom_watch *watch,
                                  double *predicted, struct carom_error *error)
{
    const struct carom_runner runner = {
        .outputs = &fit->data.outputs, .reference_tol = 1e-10, .watch = watch, .device = fit->device};
    const size_t width = fit->data.outputs.count, batch = fit->device ? CAROM_RUNNER_DEVICE : CAROM_RUNNER_BATCH;
    const size_t most = fit->data.nruns < batch ? fit->data.nruns : batch;
    double *value = carom_memory_zeroed(most * width, sizeof *value);
    struct carom_scene **scene = carom_memory_zeroed(most, sizeof(struct carom_scene *));
    struct carom_error *own = carom_memory_zeroed(most, sizeof *own);
    const bool room = value != NULL && scene != NULL && own != NULL;
    enum carom_status status = room ? CAROM_OK : carom_memory_error(error);
    for (size_t from = 0, point = 0; from < fit->data.nruns && status == CAROM_OK; from += most) {
        const size_t left = fit->data.nruns - from, count = left < most ? left : most;
        status = run_some(fit, x, &runner, from, count, scene, own, value, error);
        for (; status == CAROM_OK && point < fit->data.npoints && fit->data.point[point].at < (double)(from + count);
             point++)
            predicted[point] =
                value[((size_t)fit->data.point[point].at - from) * width + fit->data.point[point].column];
    }
    carom_memory_free_all(value, scene, own);
    return status;
}

/* --- probes over time -------------------------------------------------------------------------------------------- */

/* Contacts by their numbers in scenes; SIZE_MAX: there is none. */
static size_t contact_of(const struct carom_model *model, long number)
{
    for (size_t j = 0; j < model->nc; j++)
        if (number >= 0 && carom_frame_number(model, j) == (size_t)number)
            return j;
    return SIZE_MAX;
}

/* numbers of a probe for each cell, sensor, disc or sphere; 0: there is none of these */
static size_t depth_of(const struct carom_model *model, const struct carom_probe *probe)
{
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    const struct carom_bodies *bodies = carom_model_bodies(model);
    const enum carom_cells_what what = carom_probe_cells(probe);
    if (what == CAROM_CELLS_NOTHING)
        return 0;
    return solid != NULL ? carom_cells_depth(solid, what) : bodies != NULL ? carom_bodies_read_depth(bodies, what) : 0;
}

/* Where a number of one of them stands among those of its probe; SIZE_MAX: nowhere. */
static size_t place_by_axis(const struct carom_model *model, const struct carom_fit_column *column)
{
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    const enum carom_cells_what what = carom_probe_cells(column->kind);
    const size_t depth = depth_of(model, column->kind);
    if (depth == 0)
        return SIZE_MAX;
    const bool sensors = what == CAROM_CELLS_SENSOR_DISPLACEMENT || what == CAROM_CELLS_SENSOR_VELOCITY;
    const size_t count = solid == NULL                ? carom_model_bodies(model)->n
                         : carom_cells_together(what) ? carom_cells_size_together(model, 0, what) / depth
                                                      : carom_cells_size(solid, what) / depth;
    const size_t axis = carom_csv_axis(depth, column->axis);
    char *end;
    size_t point = strtoul(column->point, &end, 10) - 1;
    if (*end != '\0')
        point = SIZE_MAX;
    const struct carom_solid_sensor *named;
    size_t member;
    if (sensors && carom_solid_sensor_find(model, column->point, &member, &named) < count)
        point = carom_solid_sensor_find(model, column->point, &member, &named);
    return point < count && axis < depth ? depth * point + axis : SIZE_MAX;
}

/* Where a column's number stands in the rows of the sink; SIZE_MAX: nowhere. */
static size_t place_of(const struct carom_model *model, const struct carom_memory *memory,
                       const struct carom_fit_column *column)
{
    for (size_t c = 0; column->sensor && c < memory->nchannels; c++) {
        const char *name = strrchr(memory->channel[c].path, '/');
        if (memory->channel[c].probe->extent == CAROM_PER_SENSOR && name != NULL &&
            strcmp(name + 1, column->probe) == 0)
            return memory->channel[c].offset;
    }
    if (column->sensor)
        return SIZE_MAX;
    const bool contact = column->kind->extent == CAROM_PER_CONTACT;
    const size_t i = column->axis[0] != '\0' ? place_by_axis(model, column)
                     : column->number < 0    ? 0
                     : contact               ? contact_of(model, column->number)
                                             : (size_t)column->number - 1;
    return i == SIZE_MAX ? SIZE_MAX : carom_sink_memory_column(memory, column->probe, i);
}

/* The row whose time is nearest. */
static size_t row_at(const struct carom_memory *memory, double t)
{
    size_t next = 1;
    CAROM_SORTED_FIRST(next, memory->nrows, memory->time[middle] <= t);
    return next < memory->nrows && memory->time[next] - t < t - memory->time[next - 1] ? next : next - 1;
}

/* A sim of the scene that samples the fit's probes at `times`; its sink is *memory. */
static struct carom_sim *open_sim(const struct carom_fit *fit, struct carom_scene *scene, size_t ntimes,
                                  const double *times, struct carom_memory **memory, struct carom_error *error)
{
    const char *probes[CAROM_FIT_DATA_COLUMNS];
    size_t nprobes = 0;
    bool sensors = false;
    for (size_t c = 0; c < fit->data.ncolumns; c++) {
        const struct carom_fit_column *column = &fit->data.column[c];
        bool there = column->sensor || carom_probe_is_ledger(column->kind) || /* these come by themselves */
                     strncmp(column->probe, "sensor_", 7) == 0;
        for (size_t i = 0; i < nprobes; i++)
            there = there || strcmp(probes[i], column->probe) == 0;
        if (!there)
            probes[nprobes++] = column->probe;
        sensors = sensors || column->sensor;
    }
    const struct carom_schedule kept = scene->schedule;
    const char **const kept_probes = scene->probes;
    const size_t kept_count = scene->nprobes;
    scene->schedule = (struct carom_schedule){.ntimes = ntimes, .times = times};
    if (sensors) /* their filters go from sample to sample */
        scene->schedule.every = kept.every;
    scene->probes = probes;
    scene->nprobes = nprobes;
    struct carom_sim *sim = carom_scene_sim(scene, error);
    scene->schedule = kept;
    scene->probes = kept_probes;
    scene->nprobes = kept_count;
    *memory = sim != NULL ? carom_sink_memory_new() : NULL;
    if (sim != NULL && *memory == NULL)
        carom_memory_error(error);
    if (sim != NULL &&
        (*memory == NULL || carom_recorder_attach(sim->recorder, &carom_sink_memory, *memory, error) != CAROM_OK)) {
        carom_sim_free(sim);
        return NULL;
    }
    return sim;
}

/* Runs with samples at `times` and hands the sink to `read`. */
static enum carom_status sample(const struct carom_fit *fit, const double *x, size_t ntimes, const double *times,
                                const struct carom_watch *watch,
                                void (*read)(const struct carom_fit *fit, const struct carom_model *model,
                                             const struct carom_memory *memory, double shift, double *out),
                                double *out, struct carom_error *error)
{
    struct carom_memory *memory = NULL;
    struct carom_scene *scene = make_scene(fit, x, 0, error);
    if (scene == NULL)
        return error->status;
    struct carom_sim *sim = open_sim(fit, scene, ntimes, times, &memory, error);
    enum carom_status status = sim != NULL ? carom_sim_run(sim, watch, error) : error->status;
    if (status == CAROM_OK && memory->nrows == 0)
        status = carom_error_set(error, CAROM_E_INPUT, "the run has no samples");
    if (status == CAROM_OK)
        read(fit, sim->model, memory, shift_of(fit, x), out);
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

static void read_points(const struct carom_fit *fit, const struct carom_model *model, const struct carom_memory *memory,
                        double shift, double *predicted)
{
    size_t place[CAROM_FIT_DATA_COLUMNS];
    for (size_t c = 0; c < fit->data.ncolumns; c++)
        place[c] = place_of(model, memory, &fit->data.column[c]);
    for (size_t i = 0; i < fit->data.npoints; i++) {
        const struct carom_fit_point *point = &fit->data.point[i];
        const size_t row = row_at(memory, point->at + shift), at = place[point->column];
        predicted[i] = at != SIZE_MAX ? memory->value[row * memory->width + at] : nan("");
    }
}

enum carom_status carom_fit_model_run(const struct carom_fit *fit, const double *x, const struct carom_watch *watch,
                                      double *predicted, struct carom_error *error)
{
    if (fit->data.runs)
        return run_each(fit, x, watch, predicted, error);
    const double shift = shift_of(fit, x);
    double *times = carom_memory_zeroed(fit->data.npoints, sizeof *times);
    if (times == NULL)
        return carom_memory_error(error);
    for (size_t i = 0; i < fit->data.npoints; i++)
        times[i] = fmin(fmax(fit->data.point[i].at + shift, 0.0), fit->scene->until);
    qsort(times, fit->data.npoints, sizeof *times, carom_sorted_reals);
    size_t count = 0;
    for (size_t i = 0; i < fit->data.npoints; i++) /* several columns at one time, times that differ by rounding */
        if (count == 0 || times[i] - times[count - 1] > 1e-14 * fit->scene->until)
            times[count++] = times[i];
    const enum carom_status status = sample(fit, x, count, times, watch, read_points, predicted, error);
    carom_memory_free(times);
    return status;
}

static void read_curve(const struct carom_fit *fit, const struct carom_model *model, const struct carom_memory *memory,
                       double shift, double *curve)
{
    (void)shift;
    for (size_t c = 0; c < fit->data.ncolumns; c++) {
        const size_t at = place_of(model, memory, &fit->data.column[c]);
        for (size_t i = 0; i < CAROM_FIT_CURVE; i++) {
            const size_t row = row_at(memory, fit->scene->until * (double)i / (CAROM_FIT_CURVE - 1));
            curve[c * CAROM_FIT_CURVE + i] = memory->value[row * memory->width + at];
        }
    }
}

enum carom_status carom_fit_model_curve(const struct carom_fit *fit, const double *x, double *time, double *curve,
                                        struct carom_error *error)
{
    for (size_t i = 0; i < CAROM_FIT_CURVE; i++)
        time[i] = fit->scene->until * (double)i / (CAROM_FIT_CURVE - 1);
    return sample(fit, x, CAROM_FIT_CURVE, time, NULL, read_curve, curve, error);
}

/* --- checks ------------------------------------------------------------------------------------------------------ */

static enum carom_status check_column(const struct carom_fit *fit, const struct carom_fit_column *column,
                                      struct carom_error *error)
{
    const struct carom_model *model = fit->scene->model;
    const char *data = fit->data.name;
    if (column->sensor) {
        for (size_t i = 0; i < fit->scene->nsensors; i++) {
            const char *name = fit->scene->sensors[i].name;
            const size_t length = strlen(name);
            if (strncmp(column->probe, name, length) == 0 &&
                (column->probe[length] == '\0' || strcmp(column->probe + length, "_raw") == 0))
                return CAROM_OK;
        }
        return carom_error_set(error, CAROM_E_INPUT, "%s: %s: the scene has no sensor '%s'", data, column->name,
                               column->probe);
    }
    if (column->axis[0] != '\0') {
        if (place_by_axis(model, column) == SIZE_MAX)
            return carom_error_set(error, CAROM_E_INPUT, "%s: %s: the scene has no such cell, sensor or axis", data,
                                   column->name);
        return CAROM_OK;
    }
    if (depth_of(model, column->kind) > 1)
        return carom_error_set(error, CAROM_E_INPUT, "%s: %s: say along which axis, such as sensor_u_tip_x or v_12_x",
                               data, column->name);
    const enum carom_extent extent = column->kind->extent;
    if (extent == CAROM_PER_CONTACT && contact_of(model, column->number) == SIZE_MAX)
        return carom_error_set(error, CAROM_E_INPUT, "%s: %s: the scene has no such contact", data, column->name);
    const size_t count = extent == CAROM_PER_COORDINATE ? model->nq : model->nv;
    if ((extent == CAROM_PER_COORDINATE || extent == CAROM_PER_VELOCITY) && (size_t)column->number > count)
        return carom_error_set(error, CAROM_E_INPUT, "%s: %s: the scene has %zu bodies", data, column->name, count);
    return CAROM_OK;
}

enum carom_status carom_fit_model_check(const struct carom_fit *fit, struct carom_error *error)
{
    const struct carom_fit_data *data = &fit->data;
    bool shifts = false;
    for (size_t i = 0; i < fit->nkeys; i++)
        shifts = shifts || fit->key[i].shift;
    for (size_t c = 0; c < data->ncolumns && !data->runs; c++)
        if (check_column(fit, &data->column[c], error) != CAROM_OK)
            return error->status;
    for (size_t i = 0; i < data->npoints && !data->runs; i++) {
        const double t = data->point[i].at, slack = 1e-12 * fit->scene->until;
        const bool late = t > fit->scene->until + slack;
        if ((t < -slack || late) && !shifts)
            return carom_error_set(error, CAROM_E_INPUT, "%s:%zu: time %g is %s; %s", data->name, data->point[i].line,
                                   t, late ? "after the end of the run" : "before its start",
                                   late ? "run longer (run.until) or cut the data"
                                        : "free time_shift, or cut the data");
    }
    if (!data->runs && data->last - data->first > fit->scene->until * (1.0 + 1e-12))
        return carom_error_set(error, CAROM_E_INPUT, "%s: spans %g, the run only %g", data->name,
                               data->last - data->first, fit->scene->until);
    return data->runs ? carom_runner_forces(&data->outputs, fit->scene, error) : CAROM_OK;
}
