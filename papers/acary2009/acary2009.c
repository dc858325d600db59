/* Acary 2009: orders of schemes in the norms (12)-(17) on the academic problems, how much work an error takes, and
 * when the bouncing ball has come to rest, by the closed form and by a run. */
#include "papers/acary2009/acary2009.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "study/converge/converge.h"
#include "study/follow/academic.h"
#include "study/range.h"

/* --- orders and work
 * ------------------------------------------------------------------------------------------------ */

static const char *const order_keys[] = {"scene", "set", "scheme", "steps", "tols", "norm", "time_scale", "of", NULL};
static const char *const work_keys[] = {"scene", "set", "scheme", "steps", "tols", "norm", "of", "error", NULL};

static enum carom_status read_norm(const struct carom_measuring *m, enum carom_norm *norm, struct carom_error *error)
{
    static const char *const names[] = {"sup", "l1", "hausdorff"};
    const char *text;
    if (carom_paper_need(m->paper, m->row, "norm", &text, error) != CAROM_OK)
        return error->status;
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *norm = (enum carom_norm)i;
            return CAROM_OK;
        }
    return carom_error_set(error, CAROM_E_INPUT, "norm %s: must be sup, l1 or hausdorff", text);
}

/* Errors at all steps or tolerances: answer[i] of displacements, answer[count + i] of velocities, then force
 * evaluations. Rows often ask for different parts of one series, so it is kept. */
enum { PARTS = 3 };

static enum carom_status run_series(const struct carom_measuring *m, void *with, double *answer,
                                    struct carom_error *error)
{
    const struct carom_range *steps = with;
    char name[512];
    const char *knob = carom_paper_text(m->row, "tols") != NULL ? "tol" : "step";
    struct carom_converge_plan plan = {
        .name = name, .knob = knob, .count = steps->count, .value = steps->value, .progress = m->progress};
    plan.scheme = carom_measures_scheme(m, "scheme", error);
    if (plan.scheme == NULL || read_norm(m, &plan.norm, error) != CAROM_OK ||
        carom_measures_number(m, "time_scale", 0.0, &plan.time_scale, error) != CAROM_OK)
        return error->status;
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    struct carom_converge_row *row = carom_memory_zeroed(steps->count, sizeof *row);
    plan.scene = scene;
    enum carom_status status = row != NULL ? carom_converge_run(&plan, row, error) : carom_memory_error(error);
    for (size_t i = 0; i < steps->count && status == CAROM_OK; i++) {
        answer[i] = row[i].sup.u;
        answer[steps->count + i] = row[i].sup.v;
        answer[2 * steps->count + i] = (double)row[i].evaluations;
    }
    carom_memory_free(row);
    carom_scene_free(scene);
    return status;
}

/* The row's steps and what run_series found for them; the caller frees the range. */
static enum carom_status series(const struct carom_measuring *m, struct carom_range *steps, const double **answer,
                                struct carom_error *error)
{
    static const char *const same[] = {"scene", "set", "scheme", "norm", "steps", "tols", "time_scale", NULL};
    const char *text = carom_paper_text(m->row, "tols");
    if (text == NULL && carom_paper_need(m->paper, m->row, "steps", &text, error) != CAROM_OK)
        return error->status;
    if (carom_range_read(text, true, steps, error) != CAROM_OK)
        return error->status;
    if (!steps->numeric || steps->count > CAROM_CONVERGE_ROWS)
        return carom_error_set(error, CAROM_E_INPUT, "steps %s: must be at most %d numbers", text, CAROM_CONVERGE_ROWS);
    return carom_measures_once(m, "series", same, run_series, steps, PARTS * steps->count, answer, error);
}

/* The errors `of` u or v among them. */
static enum carom_status errors(const struct carom_measuring *m, struct carom_range *steps, const double **e,
                                struct carom_error *error)
{
    const char *of;
    if (carom_paper_need(m->paper, m->row, "of", &of, error) != CAROM_OK)
        return error->status;
    if (strcmp(of, "u") != 0 && strcmp(of, "v") != 0)
        return carom_error_set(error, CAROM_E_INPUT, "of %s: must be u or v", of);
    const enum carom_status status = series(m, steps, e, error);
    if (status == CAROM_OK)
        *e += of[0] == 'v' ? steps->count : 0;
    return status;
}

static enum carom_status measure_order(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_range steps = {0};
    const double *e;
    const enum carom_status status = errors(m, &steps, &e, error);
    if (status == CAROM_OK)
        *value = carom_converge_slope(steps.value, e, steps.count, 0);
    carom_range_free(&steps);
    return status;
}

/* Steps that a scheme of order 1 needs for an error: the constant is the geometric mean of error / step. */
static enum carom_status measure_work(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_range steps = {0};
    const double *e;
    double wanted, until = 0.0, sum = 0.0;
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    until = scene->until;
    carom_scene_free(scene);
    enum carom_status status = carom_paper_number(m->paper, m->row, "error", &wanted, error);
    if (status == CAROM_OK)
        status = errors(m, &steps, &e, error);
    for (size_t i = 0; i < steps.count && status == CAROM_OK; i++)
        sum += log(e[i] / steps.value[i]) / (double)steps.count;
    if (status == CAROM_OK)
        *value = until * exp(sum) / wanted;
    carom_range_free(&steps);
    return status;
}

/* Force evaluations that an error takes: between the first two of the series around it, by equal ratios. */
static enum carom_status measure_evaluations(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    struct carom_range steps = {0};
    const double *e;
    double wanted;
    *value = nan("");
    enum carom_status status = carom_paper_number(m->paper, m->row, "error", &wanted, error);
    if (status == CAROM_OK)
        status = errors(m, &steps, &e, error);
    for (size_t i = 1; i < steps.count && status == CAROM_OK; i++) {
        const double *work = m->memory->answer + 2 * steps.count;
        if (!(e[i - 1] > wanted && e[i] <= wanted))
            continue;
        const double part = log(e[i - 1] / wanted) / log(e[i - 1] / e[i]);
        *value = work[i - 1] * pow(work[i] / work[i - 1], part);
        break;
    }
    carom_range_free(&steps);
    return status;
}

static const char *const beside_keys[] = {"scene", "set", "scheme", "beside", NULL};

/* force evaluations of the row's scene under the scheme that `key` names */
static enum carom_status count_evaluations(const struct carom_measuring *m, const char *key, double *count,
                                           struct carom_error *error)
{
    char name[512], scheme[128];
    const char *text, *more[] = {scheme};
    if (carom_paper_need(m->paper, m->row, key, &text, error) != CAROM_OK)
        return error->status;
    snprintf(scheme, sizeof scheme, "run.scheme=%s", text);
    struct carom_scene *scene = carom_measures_scene(m, more, 1, name, error);
    if (scene == NULL)
        return error->status;
    struct carom_sim *sim = carom_scene_sim(scene, error);
    const enum carom_status status = sim != NULL ? carom_sim_run(sim, NULL, error) : error->status;
    if (status == CAROM_OK)
        *count = (double)sim->stepper->counts.evaluations;
    carom_sim_free(sim);
    carom_scene_free(scene);
    return status;
}

/* Force evaluations of one scheme over those of the one beside it, each as its summary prints them. */
static enum carom_status measure_evaluations_beside(const struct carom_measuring *m, double *value,
                                                    struct carom_error *error)
{
    double own = 0.0, beside = 0.0;
    enum carom_status status = count_evaluations(m, "scheme", &own, error);
    if (status == CAROM_OK)
        status = count_evaluations(m, "beside", &beside, error);
    *value = beside > 0.0 ? own / beside : nan("");
    return status;
}

/* --- rest and impact times --------------------------------------------------------------------------------------- */

static const char *const exact_keys[] = {"scene", "set", NULL};
static const char *const run_keys[] = {"scene", "set", NULL};

static enum carom_status open_exact(const struct carom_scene *scene, const char *name,
                                    struct carom_academic_motion *motion, struct carom_error *error)
{
    struct carom_academic problem;
    if (!carom_academic_recognise(scene->model, scene->q, scene->v, &problem))
        return carom_error_set(error, CAROM_E_REFUSED, "%s: is none of the problems with a closed form", name);
    return carom_academic_open(motion, &problem, scene->until, error);
}

static enum carom_status measure_rest_closed(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_academic_motion motion = {0};
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    const enum carom_status status = open_exact(scene, name, &motion, error);
    if (status == CAROM_OK)
        *value = motion.rest;
    carom_academic_close(&motion);
    carom_scene_free(scene);
    return status;
}

/* Runs the scene with its own scheme; `look` sees the events. */
static enum carom_status run_events(struct carom_scene *scene,
                                    void (*look)(const struct carom_memory *memory, void *own), void *own,
                                    struct carom_error *error)
{
    struct carom_sim *sim = carom_scene_sim(scene, error);
    if (sim == NULL)
        return error->status;
    struct carom_memory *memory = carom_sink_memory_new();
    enum carom_status status = memory == NULL ? carom_memory_error(error) : CAROM_OK;
    if (status == CAROM_OK)
        status = carom_recorder_attach(sim->recorder, &carom_sink_memory, memory, error);
    if (status == CAROM_OK)
        status = carom_sim_run(sim, NULL, error);
    if (status == CAROM_OK)
        look(memory, own);
    carom_sim_free(sim);
    return status;
}

/* when the last contact closed for good; NaN: none did */
static void look_for_rest(const struct carom_memory *memory, void *own)
{
    double *rest = own;
    for (size_t i = 0; i < memory->nevents; i++)
        if (memory->event[i].kind == CAROM_EVENT_CLOSE)
            *rest = memory->event[i].time;
        else if (memory->event[i].kind == CAROM_EVENT_OPEN)
            *rest = nan("");
}

static enum carom_status measure_rest_run(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    *value = nan("");
    const enum carom_status status = run_events(scene, look_for_rest, value, error);
    carom_scene_free(scene);
    return status;
}

struct impacts {
    const struct carom_academic_motion *motion;
    double worst;
};

/* largest relative difference of impact times from the closed form */
static void look_at_impacts(const struct carom_memory *memory, void *own)
{
    struct impacts *impacts = own;
    size_t n = 0;
    impacts->worst = 0.0;
    for (size_t i = 0; i < memory->nevents && n < impacts->motion->count; i++)
        if (memory->event[i].kind == CAROM_EVENT_IMPACT) {
            const double truth = impacts->motion->impact[n++].time, off = fabs(memory->event[i].time / truth - 1.0);
            impacts->worst = off <= impacts->worst ? impacts->worst : off;
        }
    if (n == 0)
        impacts->worst = nan("");
}

static enum carom_status measure_impact_times(const struct carom_measuring *m, double *value, struct carom_error *error)
{
    char name[512];
    struct carom_academic_motion motion = {0};
    struct impacts impacts = {&motion, nan("")};
    struct carom_scene *scene = carom_measures_scene(m, NULL, 0, name, error);
    if (scene == NULL)
        return error->status;
    enum carom_status status = open_exact(scene, name, &motion, error);
    if (status == CAROM_OK)
        status = run_events(scene, look_at_impacts, &impacts, error);
    *value = impacts.worst;
    carom_academic_close(&motion);
    carom_scene_free(scene);
    return status;
}

const struct carom_measure carom_acary2009_list[] = {
    {"order_of", order_keys, measure_order},
    {"steps_for", work_keys, measure_work},
    {"rest_closed", exact_keys, measure_rest_closed},
    {"rest_run", run_keys, measure_rest_run},
    {"impact_times", run_keys, measure_impact_times},
    {"evaluations_for", work_keys, measure_evaluations},
    {"evaluations_beside", beside_keys, measure_evaluations_beside},
    {NULL, NULL, NULL},
};
