/* Measures that any paper may use: sup errors of a scheme, observed orders, sizes of a motion, where an output has its
 * minimum. */
#include "study/verify/measures.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/converge/converge.h"
#include "study/range.h"
#include "study/sweep/runner.h"
#include "study/variant.h"

/* --- keys of a row ---------------------------------------------------------------------------------------------- */

/* The row's own overrides: `set`, a list of "key=value". */
static enum carom_status own_options(const struct carom_measuring *m, const char **option, size_t room, size_t *count,
                                     struct carom_error *error)
{
    const struct carom_node *set = carom_tree_find(m->row->map, "set");
    *count = 0;
    if (set == NULL)
        return CAROM_OK;
    if (set->kind != CAROM_NODE_LIST || set->count > room)
        return carom_tree_error(&m->paper->tree, set, CAROM_E_INPUT, error,
                                "must be a list of at most %zu texts such as run.until=60", room);
    for (const struct carom_node *entry = set->first; entry != NULL; entry = entry->next)
        if (entry->text != NULL)
            option[(*count)++] = entry->text;
    return CAROM_OK;
}

struct carom_scene *carom_measures_scene(const struct carom_measuring *m, const char *const *more, size_t nmore,
                                         char name[512], struct carom_error *error)
{
    const char *option[32], *file;
    size_t count;
    if (carom_paper_need(m->paper, m->row, "scene", &file, error) != CAROM_OK ||
        own_options(m, option, 16, &count, error) != CAROM_OK)
        return NULL;
    for (size_t i = 0; i < nmore && count < 32; i++)
        option[count++] = more[i];
    snprintf(name, 512, "%s/%s", m->paper->folder, file);
    return carom_scene_read(name, option, count, error);
}

const struct carom_scheme *carom_measures_scheme(const struct carom_measuring *m, const char *key,
                                                 struct carom_error *error)
{
    const char *name;
    if (carom_paper_need(m->paper, m->row, key, &name, error) != CAROM_OK)
        return NULL;
    return carom_variant_find(name, error);
}

enum carom_status carom_measures_number(const struct carom_measuring *m, const char *key, double standard,
                                        double *value, struct carom_error *error)
{
    *value = standard;
    return carom_paper_text(m->row, key) != NULL ? carom_paper_number(m->paper, m->row, key, value, error) : CAROM_OK;
}

/* appends a text; false: there is no room for it */
static bool append(char *text, size_t room, const char *more)
{
    const size_t length = strlen(text);
    return (size_t)snprintf(text + length, room - length, "%s;", more != NULL ? more : "") < room - length;
}

/* What a row asks, by its values of these keys; false: they are too long. */
static bool spell(const struct carom_measuring *m, const char *what, const char *const *keys, char *text, size_t room)
{
    text[0] = '\0';
    bool whole = append(text, room, m->paper->folder) && append(text, room, what);
    for (size_t i = 0; keys[i] != NULL && whole; i++) {
        const struct carom_node *node = carom_tree_find(m->row->map, keys[i]);
        whole = append(text, room, node != NULL ? node->text : NULL);
        for (const struct carom_node *e = node != NULL ? node->first : NULL; e != NULL && whole; e = e->next)
            whole = append(text, room, e->text);
    }
    return whole;
}

enum carom_status carom_measures_once(const struct carom_measuring *m, const char *what, const char *const *keys,
                                      carom_measures_ask *ask, void *with, size_t count, const double **answer,
                                      struct carom_error *error)
{
    struct carom_measures_memory *memory = m->memory;
    char question[sizeof memory->question];
    const bool whole = spell(m, what, keys, question, sizeof question);
    if (!whole || strcmp(question, memory->question) != 0) {
        memory->question[0] = '\0';
        carom_memory_free(memory->answer);
        memory->answer = carom_memory_zeroed(count, sizeof *memory->answer);
        const enum carom_status status =
            memory->answer != NULL ? ask(m, with, memory->answer, error) : carom_memory_error(error);
        if (status != CAROM_OK)
            return status;
        if (whole)
            memcpy(memory->question, question, sizeof question);
    }
    *answer = memory->answer;
    return CAROM_OK;
}

enum carom_status carom_measures_pick(const struct carom_measuring *m, const char *what, carom_measures_ask *ask,
                                      size_t count, size_t which, double *value, struct carom_error *error)
{
    static const char *const same[] = {"scene", "set", "step", "steps", NULL};
    const double *answer;
    const enum carom_status status = carom_measures_once(m, what, same, ask, NULL, count, &answer, error);
    if (status == CAROM_OK)
        *value = answer[which];
    return status;
}

/* --- errors and orders ------------------------------------------------------------------------------------------ */

static const char *const error_keys[] = {"scene", "set", "scheme", "step", "reference_tol", NULL};
static const char *const order_keys[] = {"scene",    "set",           "scheme", "steps", "gamma_follows_step",
                                         "envelope", "reference_tol", NULL};

/* Runs a series of steps of the row's scene and scheme. */
static enum carom_status run_series(const struct carom_measuring *m, const double *step, size_t count,
                                    struct carom_converge_row *row, struct carom_error *error)
{
    char name[512];
    struct carom_converge_plan plan = {
        .name = name, .knob = "step", .count = count, .value = step, .progress = m->progress};
    plan.scheme = carom_measures_scheme(m, "scheme", error);
    if (plan.scheme == NULL || carom_measures_number(m, "reference_tol", 0.0, &plan.reference_tol, error) != CAROM_OK ||
        carom_measures_number(m, "gamma_follows_step", 0.0, &plan.gamma_per_step, error) != CAROM_OK)
        return error->status;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    plan.scene = scene;
    const enum carom_status status = carom_converge_run(&plan, row, error);
    carom_scene_free(scene);
    return status;
}

static enum carom_status measure_error(const struct carom_measuring *m, struct carom_sup *sup,
                                       struct carom_error *error)
{
    double step;
    struct carom_converge_row row;
    if (carom_paper_number(m->paper, m->row, "step", &step, error) != CAROM_OK ||
        run_series(m, &step, 1, &row, error) != CAROM_OK)
        return error->status;
    *sup = row.sup;
    return CAROM_OK;
}

static enum carom_status measure_error_u(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_sup sup = {0};
    if (measure_error(m, &sup, error) != CAROM_OK)
        return error->status;
    *value = sup.u;
    return CAROM_OK;
}

static enum carom_status measure_error_v(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_sup sup = {0};
    if (measure_error(m, &sup, error) != CAROM_OK)
        return error->status;
    *value = sup.v;
    return CAROM_OK;
}

/* The global error of the paper: the larger one of displacements and velocities. */
static enum carom_status fit_order(const struct carom_measuring *m, const struct carom_range *steps, double *value,
                                   struct carom_error *error)
{
    double bins;
    struct carom_converge_row *row = carom_memory_zeroed(steps->count, sizeof *row);
    double *e = carom_memory_zeroed(steps->count, sizeof *e);
    enum carom_status status = carom_measures_number(m, "envelope", 0.0, &bins, error);
    if (status == CAROM_OK && (row == NULL || e == NULL))
        status = carom_memory_error(error);
    if (status == CAROM_OK)
        status = run_series(m, steps->value, steps->count, row, error);
    if (status == CAROM_OK) {
        for (size_t i = 0; i < steps->count; i++)
            e[i] = row[i].sup.u > row[i].sup.v ? row[i].sup.u : row[i].sup.v;
        *value = carom_converge_slope(steps->value, e, steps->count, (size_t)bins);
    }
    carom_memory_free_all(row, e);
    return status;
}

static enum carom_status measure_order(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    const char *text;
    struct carom_range steps;
    if (carom_paper_need(m->paper, m->row, "steps", &text, error) != CAROM_OK ||
        carom_range_read(text, true, &steps, error) != CAROM_OK)
        return error->status;
    const enum carom_status status =
        steps.numeric && steps.count <= CAROM_CONVERGE_ROWS
            ? fit_order(m, &steps, value, error)
            : carom_error_set(error, CAROM_E_INPUT, "steps %s: must be at most %d numbers", text, CAROM_CONVERGE_ROWS);
    carom_range_free(&steps);
    return status;
}

/* --- sizes ------------------------------------------------------------------------------------------------------ */

static const char *const size_keys[] = {"scene", "set", NULL};

static double largest(const double *x, size_t n, double so_far)
{
    for (size_t i = 0; i < n; i++)
        so_far = fabs(x[i]) > so_far ? fabs(x[i]) : so_far;
    return so_far;
}

/* The largest displacement and velocity of the scene's run, at the ends of its steps. */
static enum carom_status measure_sizes(const struct carom_measuring *m, double *u, double *v, struct carom_error *error)
{
    char name[512];
    struct carom_track track;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = carom_track_open(&track, scene, NULL, error);
    carom_scene_free(scene);
    *u = *v = 0.0;
    while (status == CAROM_OK) {
        const struct carom_sim *sim = track.sim;
        *u = largest(sim->view->q, sim->model->nq, *u);
        *v = largest(sim->view->v, sim->model->nv, *v);
        if (carom_sim_ended(track.sim))
            break;
        status = carom_sim_step(track.sim, 1, error);
    }
    carom_track_close(&track);
    return status;
}

static enum carom_status measure_largest_u(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double v;
    return measure_sizes(m, value, &v, error);
}

static enum carom_status measure_largest_v(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    double u;
    return measure_sizes(m, &u, value, error);
}

/* --- where an output has its minimum ---------------------------------------------------------------------------- */

static const char *const minimum_keys[] = {"scene", "set", "key", "range", "output", NULL};

struct scan {
    const struct carom_measuring *m;
    const struct carom_scene *scene;
    const char *name, *key;
    const struct carom_range *range;
    const struct carom_runner *runner;
    double *value;
    struct carom_error *error;
};

static void scan_one(void *own, size_t i)
{
    const struct scan *s = own;
    char option[200];
    const char *more[1] = {option};
    snprintf(option, sizeof option, "%s=%s", s->key, s->range->text[i]);
    struct carom_scene *scene = carom_variant_of(s->scene, s->name, more, 1, &s->error[i]);
    if (scene != NULL)
        carom_runner_batch(s->runner, &scene, 1, &s->value[i], &s->error[i]);
    carom_scene_free(scene);
}

/* The lowest value inside the range, moved to the bottom of the parabola through it and its neighbours. */
static enum carom_status bottom(const struct carom_range *range, const double *value, double *place,
                                struct carom_error *error)
{
    size_t best = 0;
    for (size_t i = 1; i + 1 < range->count; i++)
        if (value[i] < value[i - 1] && value[i] <= value[i + 1] && (best == 0 || value[i] < value[best]))
            best = i;
    if (best == 0)
        return carom_error_set(error, CAROM_E_FAILED, "there is no minimum inside the range");
    const double h = range->value[best + 1] - range->value[best];
    const double below = value[best - 1] - value[best], above = value[best + 1] - value[best];
    *place = range->value[best] + 0.5 * h * (below - above) / (below + above);
    return CAROM_OK;
}

static enum carom_status scan_minimum(const struct carom_measuring *m, const struct carom_range *range,
                                      const struct carom_runner *runner, double *value, struct carom_error *error)
{
    char name[512];
    struct scan s = {.m = m, .name = name, .range = range, .runner = runner};
    if (carom_paper_need(m->paper, m->row, "key", &s.key, error) != CAROM_OK)
        return error->status;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    s.scene = scene;
    s.value = carom_memory_zeroed(range->count, sizeof *s.value);
    s.error = carom_memory_zeroed(range->count, sizeof *s.error);
    enum carom_status status = CAROM_OK;
    if (s.value == NULL || s.error == NULL)
        status = carom_memory_error(error);
    else
        carom_threads_run(m->threads, scan_one, &s, range->count);
    for (size_t i = 0; i < range->count && status == CAROM_OK; i++)
        if (s.error[i].status != CAROM_OK)
            status = carom_error_set(error, s.error[i].status, "%s", s.error[i].text);
    if (status == CAROM_OK)
        status = bottom(range, s.value, value, error);
    carom_memory_free_all(s.value, s.error);
    carom_scene_free(scene);
    return status;
}

static enum carom_status measure_minimum(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    const char *text, *output;
    struct carom_outputs outputs;
    struct carom_range range;
    const struct carom_runner runner = {.outputs = &outputs, .reference_tol = 1e-10};
    if (carom_paper_need(m->paper, m->row, "range", &text, error) != CAROM_OK ||
        carom_paper_need(m->paper, m->row, "output", &output, error) != CAROM_OK ||
        carom_outputs_read(output, false, &outputs, error) != CAROM_OK ||
        carom_range_read(text, false, &range, error) != CAROM_OK)
        return error->status;
    const enum carom_status status =
        outputs.count == 1 ? scan_minimum(m, &range, &runner, value, error)
                           : carom_error_set(error, CAROM_E_INPUT, "output %s: must be a single one", output);
    carom_range_free(&range);
    return status;
}

const struct carom_measure carom_measures_list[] = {
    {"error_u", error_keys, measure_error_u},
    {"error_v", error_keys, measure_error_v},
    {"order", order_keys, measure_order},
    {"largest_u", size_keys, measure_largest_u},
    {"largest_v", size_keys, measure_largest_v},
    {"minimum", minimum_keys, measure_minimum},
    {NULL, NULL, NULL},
};
