/* The loop: step, record, watch, stop. Everything that decides about steps is the scheme's; everything here only
 * looks, so that recording, watching and checkpoints never change a bit of the trajectory. Runs, single steps and ways
 * to a time all go through `advance`. */
#include "carom/sim.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "carom/device.h"
#include "carom/run.h"
#include "model/bodies/list.h"
#include "model/motion.h"
#include "model/scales.h"
#include "sim/ahead/ahead.h"
#include "sim/leaving.h"
#include "sim/recording.h"

/* --- making ------------------------------------------------------------------------------------------------------ */

static void origin_free(struct carom_origin *o)
{
    const char *const all[] = {o->title, o->scene, o->set, o->units, o->command};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free((void *)(uintptr_t)all[i]);
}

static bool origin_copy(struct carom_origin *to, const struct carom_origin *from)
{
    const char *const texts[] = {from->title, from->scene, from->set, from->units, from->command};
    const char **const slots[] = {&to->title, &to->scene, &to->set, &to->units, &to->command};
    bool all = true;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        all &= (*slots[i] = carom_memory_text(texts[i] ? texts[i] : "")) != NULL;
    to->seed = from->seed;
    return all;
}

void carom_sim_free(struct carom_sim *sim)
{
    if (!sim)
        return;
    struct carom_loop *loop = sim->own;
    if (loop->unsaved) /* what was changed since is nowhere else */
        carom_sim_checkpoint(sim, NULL);
    carom_recorder_free(sim->recorder);
    carom_stepper_free(sim->stepper);
    carom_state_free(sim->state);
    carom_state_free(sim->view);
    if (loop->whole == sim) { /* a flight only borrows them */
        carom_threads_free(sim->threads);
        carom_device_free(sim->device);
        carom_model_free(loop->lent ? NULL : sim->model);
    }
    origin_free(&loop->origin);
    carom_options_free(loop->options);
    carom_breaks_close(&loop->breaks);
    carom_events_close(&loop->events);
    carom_events_list_close(&loop->listed);
    carom_episodes_close(&loop->book);
    carom_episodes_list_close(&loop->pairs);
    carom_stopping_close(&loop->stopping);
    carom_memory_free_all(loop, sim);
}

/* a sim that has only options, which it takes over, also on failure */
static struct carom_sim *bare(void *options, struct carom_error *error)
{
    struct carom_sim *sim = carom_memory_zeroed(1, sizeof *sim);
    struct carom_loop *loop = carom_memory_zeroed(1, sizeof *loop);
    if (!sim || !loop || !options) {
        carom_memory_free_all(loop, sim);
        carom_options_free(options);
        carom_memory_error(error);
        return NULL;
    }
    sim->own = loop;
    loop->whole = sim;
    loop->options = options;
    loop->last_sample = -HUGE_VAL;
    loop->next_after = HUGE_VAL;
    loop->outside = SIZE_MAX;
    return sim;
}

struct carom_stepper *carom_sim_stepper(struct carom_sim *sim, const struct carom_scheme *scheme,
                                        struct carom_error *error)
{
    const struct carom_loop *loop = sim->own;
    struct carom_stepper *stepper =
        carom_stepper_create(scheme, sim->model, loop->options, &sim->scales, sim->threads, error);
    if (!stepper || !sim->device || carom_stepper_move(stepper, sim->device, error) == CAROM_OK)
        return stepper;
    carom_stepper_free(stepper);
    return NULL;
}

/* stepper, state and view of a sim that has a model and scales */
static enum carom_status equip(struct carom_sim *sim, const struct carom_setup *setup, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    struct carom_model *model = sim->model;
    if (!(sim->stepper = carom_sim_stepper(sim, setup->scheme, error)))
        return error ? error->status : CAROM_E_REFUSED;
    const enum carom_status status =
        carom_sim_device(sim->stepper, setup->device, setup->device_at, &sim->device, error);
    if (status != CAROM_OK)
        return status;
    sim->state = carom_state_create(model, carom_stepper_memory(setup->scheme, model, loop->options));
    sim->view = carom_state_create(model, 0);
    if (!sim->state || !sim->view || !carom_breaks_open(&loop->breaks, model))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a model of %zu coordinates", model->nq);
    sim->view->threads = sim->state->threads = sim->threads;
    return carom_stopping_open(&loop->stopping, sim, error);
}

enum carom_status carom_sim_start(const struct carom_sim *sim, struct carom_stepper *stepper, struct carom_state *state,
                                  struct carom_error *error)
{
    carom_state_view(state, sim->view);
    return stepper->scheme->start ? stepper->scheme->start(stepper, state, error) : CAROM_OK;
}

double carom_sim_energy(const struct carom_sim *sim)
{
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    return ledger.kinetic + ledger.stored;
}

static enum carom_status build(struct carom_sim *sim, const struct carom_setup *setup, struct carom_error *error)
{
    const struct carom_model *model = sim->model;
    const size_t threads = carom_threads_share_count(setup->threads, model->nv);
    if (threads > 1 && !(sim->threads = carom_threads_create(threads)))
        return carom_error_set(error, CAROM_E_MEMORY, "cannot start %zu threads", threads);
    enum carom_status status =
        carom_scales_shared(model, sim->threads, setup->q, setup->v, setup->until, &sim->scales, error);
    status = status == CAROM_OK ? equip(sim, setup, error) : status;
    if (status != CAROM_OK)
        return status;
    carom_threads_copy(sim->threads, sim->view->q, setup->q, model->nq);
    carom_threads_copy(sim->threads, sim->view->v, setup->v, model->nv);
    if (sim->view->contacts && setup->contacts)
        carom_list_copy(sim->view->contacts, setup->contacts);
    carom_motion_impose(model, 0.0, sim->view->q, sim->view->v);
    sim->view->energy = carom_sim_energy(sim);
    status = carom_recording_open(sim, error);
    status = status == CAROM_OK ? carom_sim_start(sim, sim->stepper, sim->state, error) : status;
    if (status == CAROM_OK && sim->state->contacts) /* only now it is known who touches */
        carom_sim_sync(sim), sim->state->energy = carom_sim_energy(sim);
    return status;
}

struct carom_sim *carom_sim_create(const struct carom_setup *setup, struct carom_error *error)
{
    if (!setup)
        return carom_error_missing(error), NULL;
    const bool good = carom_sim_setup_check(setup, error) == CAROM_OK;
    void *options = setup->options || !good ? setup->options : carom_options_create(&setup->scheme->kind);
    struct carom_sim *sim = good ? bare(options, error) : NULL;
    if (!sim) {
        carom_options_free(good ? NULL : options);
        carom_recorder_free(setup->recorder);
        carom_model_free(setup->lent ? NULL : setup->model);
        return NULL;
    }
    struct carom_loop *loop = sim->own;
    sim->model = setup->model;
    sim->recorder = setup->recorder;
    sim->until = setup->until;
    loop->lent = setup->lent;
    loop->checkpoint_every = setup->checkpoint_every;
    const enum carom_status status =
        origin_copy(&loop->origin, &setup->origin) ? build(sim, setup, error) : carom_memory_error(error);
    if (status == CAROM_OK)
        return sim;
    carom_sim_free(sim);
    return NULL;
}

struct carom_sim *carom_sim_flight(struct carom_sim *sim, const struct carom_watch *watch,
                                   const struct carom_flight_option *option, size_t count, struct carom_error *error)
{
    const struct carom_kind *kind = &sim->stepper->scheme->kind;
    struct carom_sim *flight = bare(carom_options_create(kind), error);
    if (!flight)
        return NULL;
    struct carom_loop *loop = flight->own;
    memcpy(loop->options, sim->stepper->options, kind->size);
    for (size_t i = 0; i < count; i++)
        carom_param_store(carom_param_find(kind->params, option[i].name), loop->options, option[i].value);
    loop->whole = sim;
    loop->watch = watch ? *watch : (struct carom_watch){0};
    loop->prepared = true;
    flight->model = sim->model;
    flight->threads = sim->threads;
    flight->scales = sim->scales;
    flight->until = sim->until;
    enum carom_status status = equip(flight, &(struct carom_setup){.scheme = sim->stepper->scheme}, error);
    if (status == CAROM_OK) {
        flight->stepper->patience = sim->stepper->patience;
        flight->stepper->asked = sim->stepper->options;
        carom_state_view(flight->view, sim->view);
        status = carom_sim_start(flight, flight->stepper, flight->state, error);
    }
    if (status == CAROM_OK)
        return flight;
    carom_sim_free(flight);
    return NULL;
}

/* --- looking and changing ---------------------------------------------------------------------------------------- */

void carom_sim_sync(struct carom_sim *sim)
{
    if (!sim)
        return;
    carom_sim_ranks_whole(sim, NULL); /* who does not answer now will not take the next step, either */
    sim->stepper->scheme->sync(sim->stepper, sim->state, sim->view);
}

void carom_sim_view(struct carom_sim *sim, double t)
{
    if (carom_state_until(sim->state, t) >= 0.0)
        carom_sim_sync(sim);
    else if (carom_sim_ranks_whole(sim, NULL) == CAROM_OK)
        sim->stepper->scheme->dense(sim->stepper, sim->state, t, sim->view);
}

bool carom_sim_ended(const struct carom_sim *sim)
{
    return !sim || !(carom_state_until(sim->state, sim->until) > 0.0);
}

/* --- the loop ---------------------------------------------------------------------------------------------------- */

/* do steps take so long that the clock says how many a call may take? */
static bool is_paced(const struct carom_sim *sim)
{
    const bool row = sim->model->offers & CAROM_CHAIN || carom_model_bodies(sim->model);
    return sim->device || sim->ranks || (sim->model->offers & CAROM_RIGID && !row);
}

/* as many steps as are taken between two looks at the clock */
static size_t steps_at_once(const struct carom_sim *sim)
{
    enum { AT_ONCE = 4096 };
    const struct carom_loop *loop = sim->own;
    if (is_paced(sim))
        return loop->burst > 0 ? loop->burst : 64;
    return sim->model->nv > 64 ? 1 + (size_t)AT_ONCE * 64 / sim->model->nv : AT_ONCE;
}

/* wall-clock chores: checkpoints, flushing, watching */
static enum carom_status attend(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    loop->looked = sim->state->step;
    if (!sim->recorder && !loop->watch.call)
        return CAROM_OK;
    const double t = carom_clock_now();
    enum carom_status status = CAROM_OK;
    if (sim->recorder && loop->checkpoint_every > 0.0 && t - loop->saved > loop->checkpoint_every) {
        loop->saved = t;
        status = carom_sim_checkpoint(sim, error);
    }
    if (status == CAROM_OK && sim->recorder && t - loop->flushed > 1.0) {
        loop->flushed = t;
        status = carom_recorder_flush(sim->recorder, error);
    }
    if (status != CAROM_OK || !loop->watch.call || t - loop->asked < loop->watch.seconds)
        return status;
    loop->asked = t;
    const double done = sim->state->time / sim->until; /* of flights, between two looks */
    loop->whole->progress = loop->whole == sim ? done : fmax(loop->whole->progress, done);
    if (loop->watch.call(loop->watch.own, loop->whole))
        return CAROM_OK;
    if ((status = carom_sim_checkpoint(sim, error)) != CAROM_OK)
        return status;
    return carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", sim->state->time, sim->until);
}

/* Ctrl-C waits for the end of a call; mpirun kills ranks a second after it has told them to stop. */
static void adjust_burst(const struct carom_sim *sim, double seconds, size_t most)
{
    size_t *burst = &((struct carom_loop *)sim->own)->burst;
    const double wanted = sim->device && !sim->ranks ? 0.5 : 0.2;
    const size_t longest = sim->device || sim->ranks ? 4096 : 64; /* the next of rigid bodies may be slow all at once */
    *burst = seconds < wanted && most < longest ? 2 * most : seconds > 3.0 * wanted && most > 1 ? most / 2 : most;
}

/* one call of the scheme: at most so many steps, not beyond the one that reaches t */
static enum carom_status advance(struct carom_sim *sim, double t, size_t steps, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    const bool leaves = carom_leaving_matters(sim); /* who leaves is looked for after every step */
    const size_t most = leaves ? 1 : steps_at_once(sim);
    if (leaves && carom_leaving_remove(sim, error) != CAROM_OK)
        return error->status;
    struct carom_bound bound = {.t_stop = carom_breaks_next(&loop->breaks, sim->state, sim->until),
                                .t_dense = t,
                                .steps = steps < most ? steps : most,
                                .watch = steps == 1}; /* who takes single steps may ask for their events */
    carom_recording_bound(sim, &bound);
    loop->told = error;
    carom_stopping_keep(&loop->stopping, sim);
    const bool paced = is_paced(sim);
    const double began = paced ? carom_clock_now() : 0.0;
    enum carom_status status = sim->stepper->scheme->step(sim->stepper, sim->state, &bound, error);
    if (paced)
        adjust_burst(sim, carom_clock_now() - began, most);
    if (status == CAROM_OK && loop->stopping.tired)
        status = carom_error_set(error, CAROM_E_STOPPED, "stopped inside an impact");
    loop->dense = status == CAROM_OK;
    if (status == CAROM_E_STOPPED) {
        carom_stopping_retreat(&loop->stopping, sim);
        carom_recording_bound_trace(sim);
        const enum carom_status saved = carom_sim_checkpoint(sim, error);
        return saved == CAROM_OK ? status : saved;
    }
    if (status == CAROM_OK)
        status = loop->heard;
    if (status == CAROM_OK)
        status = carom_recording_follow(sim, error);
    if (status == CAROM_OK)
        carom_breaks_jump(&loop->breaks, sim);
    if (status == CAROM_OK && leaves)
        status = carom_leaving_end(sim, error);
    return status == CAROM_OK ? carom_sim_pace(sim, error) : status;
}

/* finds the share of tol a step may take, or the step, unless it is given or the run is a restored one */
enum carom_status carom_sim_prepare(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error)
{
    if (!sim)
        return carom_error_missing(error);
    struct carom_loop *loop = sim->own;
    const struct carom_scheme *scheme = sim->stepper->scheme;
    const struct carom_param *step = carom_param_find(scheme->kind.params, "step");
    const struct carom_param *share = carom_param_find(scheme->kind.params, "share");
    const bool refines = carom_refine_wanted(scheme, loop->options);
    const bool fixed = step && carom_param_value(step, loop->options) > 0.0;
    const bool pilots = share && !(carom_param_value(share, loop->options) > 0.0) && !sim->stepper->exact && !fixed;
    const bool rigid = sim->model->offers & CAROM_RIGID && sim->model->nc > 0 && !carom_model_bodies(sim->model);
    if (!loop->prepared && sim->state->step == 0 && rigid && share && sim->stepper->exact) {
        carom_sim_sync(sim);
        const enum carom_status status = carom_rounding_add(sim, watch, 0.0, &sim->estimate, error);
        if (status != CAROM_OK)
            return status;
    }
    const bool balls = carom_model_bodies(sim->model) && share && !(carom_param_value(share, loop->options) > 0.0);
    if (!loop->prepared && sim->state->step == 0 && balls && sim->stepper->exact) {
        carom_sim_sync(sim);
        const enum carom_status status = carom_magnify_state(sim, watch, error);
        if (status != CAROM_OK)
            return status;
    }
    if (!loop->prepared && sim->state->step == 0 && (refines || pilots)) {
        double found;
        carom_sim_sync(sim);
        enum carom_status status = refines ? carom_refine_fly(sim, watch, &found, &sim->estimate, error)
                                           : carom_pilot_fly(sim, watch, &found, &sim->estimate, error);
        if (status == CAROM_OK && pilots && !refines && rigid)
            status = carom_rounding_add(sim, watch, found, &sim->estimate, error);
        if (status == CAROM_OK) {
            carom_param_store(refines ? step : share, loop->options, found);
            status = carom_sim_start(sim, sim->stepper, sim->state, error);
        }
        if (status != CAROM_OK)
            return status;
    }
    if (!loop->prepared && sim->state->step == 0)
        sim->flown = sim->estimate > 0.0 ? sim->until : 0.0;
    loop->prepared = true;
    return CAROM_OK;
}

/* what comes before the first step: the recorder is opened, pilots are flown */
static enum carom_status begin(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    enum carom_status status = CAROM_OK;
    if (loop->begun && loop->prepared)
        return CAROM_OK;
    if (!loop->begun) {
        loop->begun = true;
        status = carom_recording_begin(sim, error);
        if (status == CAROM_OK) /* a run that is killed early, even in its pilots, can be resumed */
            status = carom_sim_checkpoint(sim, error);
    }
    if (status == CAROM_OK)
        status = carom_sim_prepare(sim, &loop->watch, error);
    if (status == CAROM_OK && sim->state->step == 0 && (sim->estimate > 0.0 || loop->changes > 0.0))
        status = carom_recording_state(sim, error); /* a run that is killed and resumed flies no pilots */
    sim->phase = "run";
    loop->flushed = loop->saved = loop->asked = carom_clock_now();
    return status;
}

/* the recorder is closed where the run has come to its end; where it cannot go on, it keeps what is there */
static enum carom_status conclude(struct carom_sim *sim, enum carom_status status, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    if (status == CAROM_OK && (loop->ended || !carom_sim_ended(sim)))
        return CAROM_OK;
    if (status == CAROM_OK)
        status = carom_recording_energies(sim, error);
    if (status == CAROM_OK)
        status = carom_sim_checkpoint(sim, error);
    if (!sim->recorder || status == CAROM_E_FILE)
        return status;
    if (status == CAROM_OK)
        status = carom_recording_end(sim, error);
    carom_sim_sync(sim);
    if (status == CAROM_OK) {
        loop->ended = true;
        return carom_recorder_end(sim->recorder, &sim->stepper->counts, error);
    }
    struct carom_error ignored;
    if (status != CAROM_E_STOPPED)
        carom_recorder_flush(sim->recorder, &ignored);
    return status;
}

void carom_sim_watch(struct carom_sim *sim, const struct carom_watch *watch)
{
    if (!sim)
        return;
    struct carom_loop *loop = sim->own;
    loop->watch = watch ? *watch : (struct carom_watch){0};
    carom_stopping_ask(&loop->stopping, sim, watch);
}

enum carom_status carom_sim_step(struct carom_sim *sim, size_t steps, struct carom_error *error)
{
    if (!sim)
        return carom_error_missing(error);
    const struct carom_loop *loop = sim->own;
    const uint64_t first = sim->state->step;
    enum carom_status status = begin(sim, error);
    while (status == CAROM_OK && sim->state->step - first < steps && !carom_sim_ended(sim)) {
        status = advance(sim, HUGE_VAL, steps - (size_t)(sim->state->step - first), error);
        if (status == CAROM_OK && sim->state->step - loop->looked >= steps_at_once(sim))
            status = attend(sim, error);
    }
    status = conclude(sim, status, error);
    carom_sim_sync(sim);
    return status;
}

enum carom_status carom_sim_to(struct carom_sim *sim, double t, struct carom_error *error)
{
    if (!sim)
        return carom_error_missing(error);
    if (isnan(t))
        return carom_error_set(error, CAROM_E_INPUT, "t = nan is no time to go to");
    const struct carom_loop *loop = sim->own;
    const double from = loop->dense ? sim->stepper->before->time : sim->state->time;
    if (!(t >= from))
        return carom_error_set(error, CAROM_E_INPUT,
                               "t = %g is behind the last step, which begins at t = %g; times must rise", t, from);
    if (t > sim->until * (1.0 + 1e-12))
        return carom_error_set(error, CAROM_E_INPUT, "t = %g is beyond the end of the run at t = %g", t, sim->until);
    const double end = fmin(t, sim->until); /* the last time may miss the end by rounding */
    enum carom_status status = begin(sim, error);
    while (status == CAROM_OK && sim->state->time < end) {
        status = advance(sim, end, SIZE_MAX, error);
        if (status == CAROM_OK)
            status = attend(sim, error);
    }
    status = conclude(sim, status, error);
    if (status == CAROM_OK)
        carom_sim_view(sim, end);
    return status;
}

enum carom_status carom_sim_run(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error)
{
    if (!sim)
        return carom_error_missing(error);
    carom_sim_watch(sim, watch);
    enum carom_status status = begin(sim, error);
    while (status == CAROM_OK && !carom_sim_ended(sim)) {
        status = advance(sim, HUGE_VAL, SIZE_MAX, error);
        if (status == CAROM_OK)
            status = attend(sim, error);
    }
    carom_sim_watch(sim, NULL); /* the watch may be gone after this call */
    return conclude(sim, status, error);
}
