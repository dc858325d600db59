/* Runs scenes and reads their outputs on the calling thread. */
#include "study/sweep/runner.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/bodies.h"
#include "carom/solid.h"
#include "model/frame.h"
#include "scheme/abreast.h"
#include "sim/blunders.h"
#include "sim/unbalanced.h"
#include "study/follow/forces.h"
#include "study/follow/lockstep.h"
#include "study/sweep/outputs.h"
#include "study/sweep/runner_there.h"
#include "study/variant.h"

/* --- one run ---------------------------------------------------------------------------------------------------- */

bool carom_runner_stopped(const struct carom_runner *runner, const struct carom_sim *sim)
{
    return runner->watch != NULL && runner->watch->call != NULL && !runner->watch->call(runner->watch->own, sim);
}

/* On to the end of the run, with a look at the forces of rigid contacts after every step if `peaks` is not NULL. */
static enum carom_status run_track(struct carom_sim *sim, struct carom_forces *peaks, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (peaks != NULL)
        carom_peak_force_see(&peaks->peak, sim->model, sim->view);
    while (status == CAROM_OK && !carom_sim_ended(sim)) {
        status = carom_sim_step(sim, peaks != NULL ? 1 : SIZE_MAX, error);
        if (status == CAROM_OK && peaks != NULL)
            carom_peak_force_see(&peaks->peak, sim->model, sim->view);
    }
    return status;
}

struct asker {
    const struct carom_runner *runner;
    const struct carom_sim *sim;
};

/* May the run go on, whatever was done? */
static bool ask(void *own, double done)
{
    const struct asker *asker = own;
    (void)done;
    return !carom_runner_stopped(asker->runner, asker->sim);
}

/* Runs the scene once more, beside its reference and a reference of ten times the tolerance. */
static enum carom_status measure(const struct carom_runner *runner, const struct carom_scene *scene, double tol,
                                 struct carom_sup *sup, struct carom_sup *doubt, struct carom_error *error)
{
    struct carom_reference reference = {0};
    struct carom_lockstep racer = {0};
    struct carom_scene *again = carom_variant_of(scene, scene->title, NULL, 0, error);
    if (again == NULL)
        return error->status;
    enum carom_status status = carom_reference_open(&reference, again, scene->title, tol, true, runner->watch, error);
    if (status == CAROM_OK)
        status = carom_track_open(&racer.track, again, runner->watch, error);
    if (status == CAROM_OK) {
        struct asker asker = {runner, racer.track.sim};
        const struct carom_progress progress = {ask, &asker};
        status = carom_lockstep_run(&reference, &racer, 1, &scene->schedule, &progress, error);
    }
    *sup = racer.sup;
    *doubt = reference.doubt;
    carom_track_close(&racer.track);
    carom_reference_close(&reference);
    carom_scene_free(again);
    return status;
}

/* Errors against a reference, which gets finer as long as its own error would be a tenth of them. */
static enum carom_status measure_errors(const struct carom_runner *runner, const struct carom_scene *scene,
                                        const struct carom_scales *scales, struct carom_sup *sup, double *doubt,
                                        struct carom_error *error)
{
    struct carom_sup off;
    double tol = runner->reference_tol;
    enum carom_status status = measure(runner, scene, tol, sup, &off, error);
    while (status == CAROM_OK && tol > CAROM_REFERENCE_FINEST && !carom_reference_tells(sup, &off, 10.0, scales)) {
        tol = fmax(1e-2 * tol, CAROM_REFERENCE_FINEST);
        status = measure(runner, scene, tol, sup, &off, error);
    }
    *doubt = carom_reference_tells(sup, &off, 3.0, scales) ? 0.0 : fmax(off.u / scales->length, off.v / scales->speed);
    return status;
}

/* --- outputs ---------------------------------------------------------------------------------------------------- */

/* What has been found out about a run. */
struct findings {
    const struct carom_track *track;
    const struct carom_sim *sim;
    const double *largest; /* force of each contact */
    struct carom_ledger ledger;
    struct carom_sup sup;
    double closed;
};

static size_t body_of(const struct carom_model *model, const struct carom_output *output, size_t *n)
{
    const struct carom_bodies *bodies = carom_model_bodies(model);
    *n = bodies != NULL ? bodies->n : output->kind == CAROM_OUTPUT_V ? model->nv : model->nq;
    return output->index == CAROM_OUTPUT_LAST ? *n - 1 : output->index;
}

/* by its number in scenes */
static bool is_contact(const struct carom_model *model, const struct carom_output *output, size_t j)
{
    return output->index == CAROM_OUTPUT_ANY || output->index == carom_frame_number(model, j);
}

/* NULL: there is no such sensor or axis */
static const struct carom_solid_sensor *sensor_of(const struct carom_model *model, const struct carom_output *output,
                                                  size_t *member)
{
    const struct carom_solid_sensor *sensor = NULL;
    const bool found = carom_solid_sensor_find(model, output->sensor, member, &sensor) != SIZE_MAX;
    return found && output->index < (size_t)carom_solid_at(model, *member)->dimension ? sensor : NULL;
}

static double sensed(const struct carom_sim *sim, const struct carom_output *output)
{
    size_t member = 0;
    double u[3], v[3];
    const struct carom_solid_sensor *sensor = sensor_of(sim->model, output, &member);
    const struct carom_member *m = &sim->model->member[member];
    carom_solid_sense(m->own, sensor, sim->view->q + m->q0, sim->view->v + m->v0, u, v);
    return output->kind == CAROM_OUTPUT_SENSOR_U ? u[output->index] : v[output->index];
}

/* displacement, velocity or spin of a body at the end; discs and spheres have one along each axis */
static double motion_of(const struct carom_sim *sim, const struct carom_output *output)
{
    const struct carom_bodies *bodies = carom_model_bodies(sim->model);
    size_t n;
    const size_t i = body_of(sim->model, output, &n);
    if (bodies == NULL)
        return output->kind == CAROM_OUTPUT_U ? sim->view->q[i] : sim->view->v[i];
    const double *v = sim->view->v + i * carom_bodies_nv(bodies);
    double moved[3];
    carom_bodies_moved(bodies, i, sim->view->q, moved);
    if (output->kind == CAROM_OUTPUT_SPIN)
        return bodies->dimension == 2 ? v[2] : v[3 + output->axis];
    return output->kind == CAROM_OUTPUT_U ? moved[output->axis] : v[output->axis];
}

/* Discs and spheres have axes, and contacts that come and go; rows have neither. */
static enum carom_status check_bodies(const struct carom_output *output, const struct carom_model *model,
                                      struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(model);
    const bool row = carom_model_chain(model) != NULL || carom_solid_of(model, NULL) != NULL;
    const bool moves = output->kind <= CAROM_OUTPUT_SPIN, spin = output->kind == CAROM_OUTPUT_SPIN;
    const bool grains = (output->kind >= CAROM_OUTPUT_STRESS && output->kind <= CAROM_OUTPUT_COORDINATION) ||
                        (output->kind == CAROM_OUTPUT_PEAK_FORCE && output->other != CAROM_OUTPUT_ANY) ||
                        output->kind == CAROM_OUTPUT_PEAK_IMPULSE;
    if (bodies == NULL && (grains || (moves && (spin || output->axis != CAROM_OUTPUT_ANY))))
        return carom_error_set(error, CAROM_E_INPUT, "%s is for discs and spheres%s", output->name,
                               row ? ", the scene has none"
                                   : " that are free: joints or machines make this scene a mechanism, of which "
                                     "--outputs kinetic,stored,dissipated,work can be had");
    if (bodies == NULL)
        return CAROM_OK;
    if (carom_bodies_outputs_check(output, bodies, error) != CAROM_OK)
        return error->status;
    const bool plane = bodies->dimension == 2, none = output->axis == CAROM_OUTPUT_ANY;
    if (moves && (spin && plane ? !none : none || output->axis >= bodies->dimension))
        return carom_error_set(error, CAROM_E_INPUT, "%s: %s", output->name,
                               spin && plane ? "in the plane a spin has no axis: spin_N"
                               : plane       ? "say along which axis, such as v_1_x or v_1_y"
                                             : "say along which axis, such as v_1_x, v_1_y or spin_1_z");
    return CAROM_OK;
}

static double peak_of(const struct findings *found, const struct carom_output *output)
{
    double peak = 0.0;
    if (found->track->memory != NULL)
        return carom_bodies_outputs_read(found->track, output);
    const double *largest = found->track->book != NULL ? found->track->book->peak : found->largest;
    for (size_t j = 0; j < found->sim->model->nc; j++)
        if (is_contact(found->sim->model, output, j) && largest[j] > peak)
            peak = largest[j];
    return peak;
}

/* A solid has sensors, a row has bodies and contacts. */
static enum carom_status check_solid(const struct carom_output *output, const struct carom_model *model,
                                     struct carom_error *error)
{
    const struct carom_solid *solid = carom_solid_of(model, NULL);
    size_t member;
    const bool sensor = output->kind == CAROM_OUTPUT_SENSOR_U || output->kind == CAROM_OUTPUT_SENSOR_V;
    const bool body = output->kind <= CAROM_OUTPUT_SPIN || output->kind == CAROM_OUTPUT_PEAK_FORCE ||
                      output->kind == CAROM_OUTPUT_MOMENTUM || output->kind == CAROM_OUTPUT_CLOSED;
    if (solid != NULL && body)
        return carom_error_set(error, CAROM_E_INPUT,
                               "%s is for bodies in a row; of a solid take --outputs kinetic,stored,work, or "
                               "sensor_u_NAME_x of a sensor",
                               output->name);
    if (sensor && sensor_of(model, output, &member) == NULL)
        return carom_error_set(error, CAROM_E_INPUT, "there is no such sensor or axis for %s in the scene",
                               output->name);
    return CAROM_OK;
}

static enum carom_status refuse_forces(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_REFUSED,
                           "peak_force: these rigid contacts have impulses, not forces; of discs and spheres take "
                           "peak_impulse; theory lzb without friction has forces");
}

enum carom_status carom_runner_forces(const struct carom_outputs *outputs, const struct carom_scene *scene,
                                      struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    const bool told = strcmp(scene->theory, "lzb") == 0 && !scene->model->frictional;
    return outputs->peaks && bodies != NULL && bodies->rigid && !told ? refuse_forces(error) : CAROM_OK;
}

enum carom_status carom_runner_check(const struct carom_outputs *outputs, const struct carom_scene *scene,
                                     struct carom_error *error)
{
    const struct carom_model *model = scene->model;
    if (carom_runner_forces(outputs, scene, error) != CAROM_OK)
        return error->status;
    for (size_t k = 0; k < outputs->count; k++) {
        const struct carom_output *output = &outputs->output[k];
        const bool body = output->kind <= CAROM_OUTPUT_SPIN;
        size_t n;
        if (check_solid(output, model, error) != CAROM_OK || check_bodies(output, model, error) != CAROM_OK)
            return error->status;
        if (body && body_of(model, output, &n) >= n)
            return carom_error_set(error, CAROM_E_INPUT, "there is no body for %s: the scene has %zu", output->name, n);
        bool there = output->kind != CAROM_OUTPUT_PEAK_FORCE || output->index == CAROM_OUTPUT_ANY ||
                     carom_model_bodies(model) != NULL;
        for (size_t j = 0; j < model->nc && !there; j++)
            there = is_contact(model, output, j);
        if (!there)
            return carom_error_set(error, CAROM_E_INPUT, "there is no contact for %s: the scene has %zu", output->name,
                                   model->nc);
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
    switch (output->kind) {
    case CAROM_OUTPUT_U:
    case CAROM_OUTPUT_V:
    case CAROM_OUTPUT_SPIN:
        return motion_of(sim, output);
    case CAROM_OUTPUT_SENSOR_U:
    case CAROM_OUTPUT_SENSOR_V:
        return sensed(sim, output);
    case CAROM_OUTPUT_PEAK_FORCE:
        return peak_of(found, output);
    case CAROM_OUTPUT_PEAK_IMPULSE:
        return carom_bodies_outputs_read(found->track, output);
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
    case CAROM_OUTPUT_STRESS:
    case CAROM_OUTPUT_REGION_STRESS:
    case CAROM_OUTPUT_REGION_KINETIC:
    case CAROM_OUTPUT_FABRIC:
    case CAROM_OUTPUT_COORDINATION:
        return carom_bodies_outputs_read(found->track, output);
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
        return carom_memory_error(error);
    carom_balance_read(model, found->sim->view, scratch, &found->ledger);
    carom_contacts_deform(model, found->sim->view->time, found->sim->view->q, NULL, scratch, NULL);
    for (size_t j = 0; j < model->nc; j++)
        found->closed += scratch[j] > 0.0;
    if (carom_model_bodies(model) != NULL)
        found->closed = carom_bodies_outputs_closed(found->sim);
    carom_memory_free(scratch);
    return CAROM_OK;
}

/* only the first sentence of a run is kept */
static void note_blunder(void *own, const char *text)
{
    struct carom_error *error = own;
    if (error->text[0] == '\0')
        snprintf(error->text, sizeof error->text, "%s", text);
}

/* After a run: its outputs. */
enum carom_status carom_runner_read(const struct carom_runner *runner, const struct carom_scene *scene,
                                    const struct carom_track *track, const double *largest, double *value,
                                    struct carom_error *error)
{
    const struct carom_outputs *outputs = runner->outputs;
    struct findings found = {.track = track, .sim = track->sim, .largest = largest};
    enum carom_status status = read_end(&found, error);
    double doubt = 0.0;
    const double off = status == CAROM_OK ? carom_unbalanced(track->sim, &found.ledger) : 0.0;
    if (off > 0.0) { /* its numbers are none, and would pass for some in a table */
        char text[CAROM_UNBALANCED_TEXT];
        carom_unbalanced_say(off, carom_unbalanced_tol(track->sim), track->step, track->sim->scales.contact_time,
                             scene->si, text);
        status = carom_error_set(error, CAROM_E_NUMERIC, "%s", text);
    }
    if (status == CAROM_OK && outputs->errors)
        status = measure_errors(runner, scene, &track->sim->scales, &found.sup, &doubt, error);
    for (size_t k = 0; k < outputs->count && status == CAROM_OK; k++)
        value[k] = read_output(&found, &outputs->output[k]);
    const struct carom_blunders blunders = carom_blunders(track->sim);
    if (status == CAROM_OK)
        carom_blunders_say(&blunders, scene->si, note_blunder, error);
    if (status == CAROM_OK && doubt > 0.0 && error->text[0] == '\0')
        snprintf(error->text, sizeof error->text,
                 "the reference of its errors may be off by %.1e of U or V itself, too much for them", doubt);
    return status;
}

/* --- alone -------------------------------------------------------------------------------------------------------- */

/* Forces of discs and spheres inside impacts that have a time of their own (theory lzb), which no book has. */
static void read_inside(const struct carom_outputs *outputs, const struct carom_forces_top *top, double *value)
{
    for (size_t k = 0; k < outputs->count; k++)
        if (outputs->output[k].kind == CAROM_OUTPUT_PEAK_FORCE)
            value[k] = top[k].episode.peak_force;
}

enum carom_status carom_runner_opened(const struct carom_runner *runner, const struct carom_scene *scene,
                                      struct carom_track *track, double *value, struct carom_error *error)
{
    const struct carom_outputs *outputs = runner->outputs;
    const bool inside = track->memory != NULL && carom_forces_told(track->sim->stepper);
    const bool forces = outputs->peaks && track->book == NULL && (track->memory == NULL || inside);
    struct carom_forces peaks = {0};
    struct carom_forces_top top[CAROM_OUTPUTS_MOST] = {0};
    enum carom_status status = CAROM_OK;
    if (forces)
        status = carom_forces_open(&peaks, track->sim->model, error);
    peaks.top = top;
    peaks.ntops = outputs->count;
    for (size_t k = 0; inside && k < outputs->count; k++)
        top[k].pair = carom_bodies_outputs_pair(&outputs->output[k]);
    if (forces && status == CAROM_OK)
        status = carom_forces_listen(&peaks, track->sim->stepper, error);
    if (status == CAROM_OK)
        status = run_track(track->sim, forces ? &peaks : NULL, error);
    carom_forces_end(&peaks);
    if (status == CAROM_OK)
        status = carom_runner_read(runner, scene, track, peaks.peak.largest, value, error);
    if (forces && inside && status == CAROM_OK)
        read_inside(outputs, top, value);
    carom_forces_close(&peaks);
    return status;
}

enum carom_status carom_runner_open(const struct carom_runner *runner, struct carom_scene *scene,
                                    struct carom_track *track, struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(scene->model);
    const bool recorded = bodies != NULL && carom_bodies_outputs_any(runner->outputs);
    enum carom_status status = carom_runner_check(runner->outputs, scene, error);
    if (status == CAROM_OK)
        status = recorded ? carom_bodies_outputs_open(runner->outputs, track, scene, runner->watch, error)
                 : runner->outputs->peaks ? carom_track_open_booked(track, scene, runner->watch, error)
                                          : carom_track_open(track, scene, runner->watch, error);
    const struct carom_stepper *stepper = status == CAROM_OK ? track->sim->stepper : NULL;
    const bool traced = stepper != NULL && stepper->traces;
    return traced && runner->outputs->peaks && !carom_forces_told(stepper) ? refuse_forces(error) : status;
}

enum carom_status carom_runner_alone(const struct carom_runner *runner, struct carom_scene *scene, double *value,
                                     struct carom_error *error)
{
    struct carom_track track = {0};
    enum carom_status status = carom_runner_open(runner, scene, &track, error);
    if (status == CAROM_OK)
        status = carom_runner_opened(runner, scene, &track, value, error);
    carom_track_close(&track);
    return status;
}

/* The same for a scene whose model has been used up. */
enum carom_status carom_runner_again(const struct carom_runner *runner, const struct carom_scene *scene, double *value,
                                     struct carom_error *error)
{
    *error = (struct carom_error){CAROM_OK, ""};
    struct carom_scene *again = carom_variant_of(scene, scene->title, NULL, 0, error);
    if (again == NULL)
        return error->status;
    const enum carom_status status = carom_runner_alone(runner, again, value, error);
    carom_scene_free(again);
    return status;
}

/* --- a batch ---------------------------------------------------------------------------------------------------- */

void carom_runner_each(const struct carom_runner *runner, void (*work)(void *own, size_t i), void *own, size_t count)
{
    if (runner->device)
        carom_abreast_each(runner->device, work, own, count);
    for (size_t i = 0; !runner->device && i < count; i++)
        work(own, i);
}

void carom_runner_batch(const struct carom_runner *runner, struct carom_scene *const *scene, size_t count,
                        double *value, struct carom_error *error)
{
    const size_t width = runner->outputs->count;
    for (size_t i = 0; i < count; i++)
        if (scene[i] != NULL)
            error[i] = (struct carom_error){CAROM_OK, ""};
    (runner->device ? carom_runner_there : carom_runner_lanes)(runner, scene, count, value, error);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < width && scene[i] != NULL && error[i].status != CAROM_OK; k++)
            value[i * width + k] = nan("");
}
