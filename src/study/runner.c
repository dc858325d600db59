/* Runs scenes and reads their outputs, one after another on the calling thread. */
#include "study/runner.h"

#include <string.h>

#include "base/memory.h"
#include "study/race.h"
#include "study/variant.h"

/* --- largest forces --------------------------------------------------------------------------------------------- */

/* Forces at the ends of the last three steps, oldest first; nc each. */
struct peaks {
    size_t nc, seen;
    double time[3];
    double *force[3], *largest;
    double *deform, *rate, *drag; /* scratch */
    double *block;
};

static enum carom_status open_peaks(struct peaks *p, size_t nc, struct carom_error *error)
{
    *p = (struct peaks){.nc = nc, .block = carom_memory_zeroed(nc, 7 * sizeof(double))};
    if (p->block == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    double **const columns[] = {&p->force[0], &p->force[1], &p->force[2], &p->largest, &p->deform, &p->rate, &p->drag};
    for (size_t i = 0; i < 7; i++)
        *columns[i] = p->block + i * nc;
    return CAROM_OK;
}

/* Pulls are negative and no peak, so it does not matter here whether force ends the contact. */
static void read_forces(struct peaks *p, const struct carom_model *model, const struct carom_state *view, double *force)
{
    const struct carom_response want = {.elastic = force, .drag = p->drag};
    carom_contacts_deform(model, view->time, view->q, view->v, p->deform, p->rate);
    carom_contacts_evaluate(model, 0, model->nc, p->deform, p->rate, view->history, &want);
    for (size_t j = 0; j < p->nc; j++)
        force[j] = p->deform[j] > 0.0 ? force[j] + p->drag[j] * p->rate[j] : 0.0;
}

/* The top of the parabola through three points whose middle one is the highest. */
static double top(const double t[3], double f0, double f1, double f2)
{
    const double a = (f1 - f0) / (t[1] - t[0]), b = (f2 - f1) / (t[2] - t[1]), bend = (b - a) / (t[2] - t[0]);
    const double slope = a + bend * (t[1] - t[0]); /* at t1 */
    return bend < 0.0 ? f1 - slope * slope / (4.0 * bend) : f1;
}

/* Between steps the largest force is that of a parabola, unless the force has just begun or ended, where it may
 * jump. */
static void note_peaks(struct peaks *p, const struct carom_model *model, const struct carom_state *view)
{
    double *const oldest = p->force[0];
    p->force[0] = p->force[1];
    p->force[1] = p->force[2];
    p->force[2] = oldest;
    p->time[0] = p->time[1];
    p->time[1] = p->time[2];
    p->time[2] = view->time;
    read_forces(p, model, view, p->force[2]);
    p->seen++;
    for (size_t j = 0; j < p->nc; j++) {
        const double f0 = p->force[0][j], f1 = p->force[1][j], f2 = p->force[2][j];
        double force = f2;
        if (p->seen >= 3 && f1 >= f0 && f1 >= f2 && f0 > 0.5 * f1 && f2 > 0.5 * f1 && p->time[0] < p->time[1] &&
            p->time[1] < p->time[2])
            force = top(p->time, f0, f1, f2);
        p->largest[j] = force > p->largest[j] ? force : p->largest[j];
    }
}

/* --- one run ---------------------------------------------------------------------------------------------------- */

static bool is_stopped(const struct carom_runner *runner, const struct carom_sim *sim)
{
    return runner->watch != NULL && runner->watch->call != NULL && !runner->watch->call(runner->watch->own, sim);
}

/* On to the end of the run, with a look at the forces after every step if `peaks` is not NULL. */
static enum carom_status run_track(const struct carom_runner *runner, struct carom_track *track, struct peaks *peaks,
                                   struct carom_error *error)
{
    struct carom_sim *sim = track->sim;
    const size_t chunk = 1 + (size_t)4096 * 64 / (sim->model->nv > 64 ? sim->model->nv : 64);
    enum carom_status status = CAROM_OK;
    if (peaks != NULL)
        note_peaks(peaks, sim->model, sim->view);
    while (status == CAROM_OK && !carom_track_ended(track)) {
        if (peaks == NULL)
            status = carom_track_advance(track, HUGE_VAL, chunk, error);
        for (size_t i = 0; peaks != NULL && i < chunk && status == CAROM_OK && !carom_track_ended(track); i++) {
            status = carom_track_step(track, error);
            if (status == CAROM_OK)
                note_peaks(peaks, sim->model, sim->view);
        }
        sim->progress = sim->until > 0.0 ? sim->state->time / sim->until : 1.0;
        if (status == CAROM_OK && is_stopped(runner, sim))
            status = carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", sim->state->time, sim->until);
    }
    carom_sim_sync(sim);
    return status;
}

struct asker {
    const struct carom_runner *runner;
    const struct carom_sim *sim;
};

static bool ask_watch(void *own, double done)
{
    const struct asker *asker = own;
    (void)done;
    return !is_stopped(asker->runner, asker->sim);
}

/* Runs the scene once more, beside its reference. */
static enum carom_status measure_errors(const struct carom_runner *runner, const struct carom_scene *scene,
                                        struct carom_sup *sup, struct carom_error *error)
{
    struct carom_reference reference = {0};
    struct carom_racer racer = {0};
    struct carom_scene *again = carom_variant_of(scene, scene->title, NULL, 0, error);
    if (again == NULL)
        return error->status;
    enum carom_status status =
        carom_reference_open(&reference, again, scene->title, runner->reference_tol, false, error);
    if (status == CAROM_OK)
        status = carom_track_open(&racer.track, again, runner->watch, error);
    if (status == CAROM_OK) {
        struct asker asker = {runner, racer.track.sim};
        const struct carom_progress progress = {ask_watch, &asker};
        status = carom_race_run(&reference, &racer, 1, &scene->schedule, &progress, error);
    }
    *sup = racer.sup;
    carom_track_close(&racer.track);
    carom_reference_close(&reference);
    carom_scene_free(again);
    return status;
}

/* --- outputs ---------------------------------------------------------------------------------------------------- */

/* What has been found out about a run. */
struct findings {
    const struct carom_sim *sim;
    const struct peaks *peaks;
    struct carom_ledger ledger;
    struct carom_sup sup;
    double closed;
};

static size_t body_of(const struct carom_model *model, const struct carom_output *output, size_t *n)
{
    *n = output->kind == CAROM_OUTPUT_V ? model->nv : model->nq;
    return output->index == CAROM_OUTPUT_LAST ? *n - 1 : output->index;
}

/* Contact j is right of body j, 0 is at the left wall. */
static bool is_contact(const struct carom_model *model, const struct carom_output *output, size_t j)
{
    const int32_t left = model->pair[j][0];
    return output->index == CAROM_OUTPUT_ANY || output->index == (left == CAROM_WALL_LEFT ? 0 : (size_t)left + 1);
}

static double peak_of(const struct findings *found, const struct carom_output *output)
{
    double peak = 0.0;
    for (size_t j = 0; j < found->peaks->nc; j++)
        if (is_contact(found->sim->model, output, j) && found->peaks->largest[j] > peak)
            peak = found->peaks->largest[j];
    return peak;
}

/* Refuses outputs of bodies and contacts that are not there, before anything is run. */
static enum carom_status check_outputs(const struct carom_outputs *outputs, const struct carom_model *model,
                                       struct carom_error *error)
{
    for (size_t k = 0; k < outputs->count; k++) {
        const struct carom_output *output = &outputs->output[k];
        const bool body = output->kind == CAROM_OUTPUT_U || output->kind == CAROM_OUTPUT_V;
        size_t n;
        if (body && body_of(model, output, &n) >= n)
            return carom_error_set(error, CAROM_E_INPUT, "there is no body for %s: the scene has %zu", output->name, n);
        bool there = output->kind != CAROM_OUTPUT_PEAK_FORCE || output->index == CAROM_OUTPUT_ANY;
        for (size_t j = 0; j < model->nc && !there; j++)
            there = is_contact(model, output, j);
        if (!there)
            return carom_error_set(error, CAROM_E_INPUT, "there is no contact for %s", output->name);
    }
    return CAROM_OK;
}

static double momentum(const struct carom_sim *sim)
{
    const struct carom_beads *beads = carom_model_chain(sim->model);
    double sum = beads != NULL ? 0.0 : nan("");
    for (size_t i = 0; beads != NULL && i < beads->n; i++)
        sum += beads->mass[i] * sim->view->v[i];
    return sum;
}

static double relative(const struct findings *found)
{
    const struct carom_scales *s = &found->sim->scales;
    const double u = found->sup.u / (s->length > 0.0 ? s->length : 1.0);
    const double v = found->sup.v / (s->speed > 0.0 ? s->speed : 1.0);
    return u > v ? u : v;
}

static double read_output(const struct findings *found, const struct carom_output *output)
{
    const struct carom_sim *sim = found->sim;
    size_t n;
    switch (output->kind) {
    case CAROM_OUTPUT_U:
        return sim->view->q[body_of(sim->model, output, &n)];
    case CAROM_OUTPUT_V:
        return sim->view->v[body_of(sim->model, output, &n)];
    case CAROM_OUTPUT_PEAK_FORCE:
        return peak_of(found, output);
    case CAROM_OUTPUT_KINETIC:
        return found->ledger.kinetic;
    case CAROM_OUTPUT_STORED:
        return found->ledger.stored;
    case CAROM_OUTPUT_DISSIPATED:
        return found->ledger.dissipated;
    case CAROM_OUTPUT_WORK:
        return found->ledger.work;
    case CAROM_OUTPUT_RESIDUAL:
        return found->ledger.residual;
    case CAROM_OUTPUT_MOMENTUM:
        return momentum(sim);
    case CAROM_OUTPUT_CLOSED:
        return found->closed;
    case CAROM_OUTPUT_STEPS:
        return (double)sim->stepper->counts.steps;
    case CAROM_OUTPUT_ERROR_U:
        return found->sup.u;
    case CAROM_OUTPUT_ERROR_V:
        return found->sup.v;
    case CAROM_OUTPUT_ERROR:
        return relative(found);
    }
    return nan("");
}

/* The ledger and the number of closed contacts of the view. */
static enum carom_status read_end(struct findings *found, struct carom_error *error)
{
    const struct carom_model *model = found->sim->model;
    double *scratch = carom_memory_zeroed(2 * model->nc, sizeof *scratch);
    if (scratch == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory");
    carom_balance_read(model, found->sim->view, scratch, &found->ledger);
    carom_contacts_deform(model, found->sim->view->time, found->sim->view->q, NULL, scratch, NULL);
    for (size_t j = 0; j < model->nc; j++)
        found->closed += scratch[j] > 0.0;
    carom_memory_free(scratch);
    return CAROM_OK;
}

static enum carom_status run_one(const struct carom_runner *runner, struct carom_scene *scene, double *value,
                                 struct carom_error *error)
{
    const struct carom_outputs *outputs = runner->outputs;
    struct carom_track track = {0};
    struct peaks peaks = {0};
    enum carom_status status = check_outputs(outputs, scene->model, error);
    if (status == CAROM_OK)
        status = carom_track_open(&track, scene, runner->watch, error);
    if (status == CAROM_OK && outputs->peaks)
        status = open_peaks(&peaks, track.sim->model->nc, error);
    if (status == CAROM_OK)
        status = run_track(runner, &track, outputs->peaks ? &peaks : NULL, error);
    struct findings found = {.sim = track.sim, .peaks = &peaks};
    if (status == CAROM_OK)
        status = read_end(&found, error);
    if (status == CAROM_OK && outputs->errors)
        status = measure_errors(runner, scene, &found.sup, error);
    for (size_t k = 0; k < outputs->count && status == CAROM_OK; k++)
        value[k] = read_output(&found, &outputs->output[k]);
    carom_memory_free(peaks.block);
    carom_track_close(&track);
    return status;
}

void carom_runner_batch(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error)
{
    const size_t width = runner->outputs->count;
    for (size_t i = 0; i < count; i++) {
        if (scene[i] == NULL)
            continue;
        error[i] = (struct carom_error){CAROM_OK, ""};
        if (run_one(runner, scene[i], value + i * width, &error[i]) == CAROM_OK)
            continue;
        for (size_t k = 0; k < width; k++)
            value[i * width + k] = nan("");
    }
}
