/* The loop: step, record, watch, stop. Everything that decides about steps is the scheme's; everything here only
 * looks, so that recording, watching and checkpoints never change a bit of the trajectory. */
#include "carom/sim.h"

#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/threads.h"
#include "carom/impact.h"
#include "model/motion.h"
#include "sim/breaks.h"
#include "sim/events.h"
#include "sim/pilot.h"
#include "sim/refine.h"
#include "sim/stopping.h"

enum { STEPS_AT_ONCE = 4096, LOOK = 256 }; /* LOOK: contacts looked at together for events */

/* the loop's own */
struct loop {
    struct carom_origin origin; /* strings copied */
    void *options;
    struct carom_breaks breaks; /* times no step passes */
    double checkpoint_every;
    bool begun;            /* the recorder is open */
    uint64_t rows, events; /* where a restored run goes on */
    double last_sample;
    struct carom_events watch;
    struct carom_stopping stopping;
    struct carom_trace trace; /* forces inside impacts go to the recorder */
    double trace_every;       /* how far apart they are wanted, and how many in all */
    uint64_t trace_most;
    uint64_t impacts, forces; /* of earlier sessions */
    struct carom_error *told; /* the error of the step under way */
    enum carom_status heard;  /* what the recorder said */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    struct loop *loop = sim->own;
    carom_recorder_free(sim->recorder);
    carom_stepper_free(sim->stepper);
    carom_state_free(sim->state);
    carom_state_free(sim->view);
    carom_threads_free(sim->threads);
    if (loop) {
        origin_free(&loop->origin);
        carom_options_free(loop->options);
        carom_breaks_close(&loop->breaks);
        carom_events_close(&loop->watch);
        carom_stopping_close(&loop->stopping);
        carom_memory_free(loop);
    }
    carom_model_free(sim->model);
    carom_memory_free(sim);
}

/* can a part of the state be looked at alone? */
static bool glimpses(const struct carom_sim *sim)
{
    return sim->stepper->scheme->glimpse && (sim->model->offers & CAROM_CHAIN);
}

/* threads pay only where a step is long enough to wait for them */
static size_t useful_threads(const struct carom_model *model, size_t wanted)
{
    const size_t enough = 50000; /* beads per thread */
    if (wanted > 0)
        return wanted;
    const size_t cores = carom_threads_cores(), most = 1 + model->nv / enough;
    return cores < most ? cores : most;
}

static enum carom_status build(struct carom_sim *sim, const struct carom_setup *setup, struct carom_error *error)
{
    struct loop *loop = sim->own;
    struct carom_model *model = sim->model;
    const size_t threads = useful_threads(model, setup->threads);
    if (threads > 1 && !(sim->threads = carom_threads_create(threads)))
        return carom_error_set(error, CAROM_E_MEMORY, "cannot start %zu threads", threads);
    const enum carom_status status = carom_scales_within(model, setup->q, setup->v, setup->until, &sim->scales, error);
    if (status != CAROM_OK)
        return status;
    sim->stepper = carom_stepper_create(setup->scheme, model, loop->options, &sim->scales, sim->threads, error);
    if (!sim->stepper)
        return error ? error->status : CAROM_E_REFUSED;
    sim->state = carom_state_create(model, carom_stepper_memory(setup->scheme, model, loop->options));
    sim->view = carom_state_create(model, 0);
    double *scratch = carom_memory_zeroed(2 * model->nc, sizeof(double));
    if (!sim->state || !sim->view || !scratch || !carom_breaks_open(&loop->breaks, model)) {
        carom_memory_free(scratch);
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a model of %zu coordinates", model->nq);
    }
    const enum carom_status kept = carom_stopping_open(&loop->stopping, sim, error);
    if (kept != CAROM_OK) {
        carom_memory_free(scratch);
        return kept;
    }
    memcpy(sim->state->q, setup->q, model->nq * sizeof(double));
    memcpy(sim->state->v, setup->v, model->nv * sizeof(double));
    carom_motion_impose(model, 0.0, sim->state->q, sim->state->v);
    struct carom_ledger ledger;
    carom_state_view(sim->view, sim->state);
    carom_balance_read(model, sim->view, scratch, &ledger);
    carom_memory_free(scratch);
    sim->state->energy = ledger.kinetic + ledger.stored;
    if (sim->recorder && carom_recorder_wants_events(sim->recorder)) {
        const size_t room = glimpses(sim) && model->nc > LOOK ? LOOK : model->nc;
        const enum carom_status opened = carom_events_open(&loop->watch, model, room, error);
        if (opened != CAROM_OK)
            return opened;
    }
    return setup->scheme->start ? setup->scheme->start(sim->stepper, sim->state, error) : CAROM_OK;
}

struct carom_sim *carom_sim_create(const struct carom_setup *setup, struct carom_error *error)
{
    struct carom_sim *sim = carom_memory_zeroed(1, sizeof *sim);
    struct loop *loop = carom_memory_zeroed(1, sizeof *loop);
    void *options = setup->options ? setup->options : carom_options_create(&setup->scheme->kind);
    if (!sim || !loop || !options || !origin_copy(&loop->origin, &setup->origin)) {
        if (loop)
            origin_free(&loop->origin);
        carom_memory_free(loop);
        carom_memory_free(sim);
        carom_options_free(options);
        carom_recorder_free(setup->recorder);
        carom_model_free(setup->model);
        carom_error_set(error, CAROM_E_MEMORY, "out of memory");
        return NULL;
    }
    sim->own = loop;
    sim->model = setup->model;
    sim->recorder = setup->recorder;
    sim->until = setup->until;
    loop->options = options;
    loop->checkpoint_every = setup->checkpoint_every;
    loop->last_sample = -HUGE_VAL;
    if (build(sim, setup, error) != CAROM_OK) {
        carom_sim_free(sim);
        return NULL;
    }
    return sim;
}

void carom_sim_sync(struct carom_sim *sim)
{
    sim->stepper->scheme->sync(sim->stepper, sim->state, sim->view);
}

enum carom_status carom_sim_restore(struct carom_sim *sim, const struct carom_checkpoint *checkpoint,
                                    struct carom_error *error)
{
    struct loop *loop = sim->own;
    if (checkpoint->state->n != sim->state->n)
        return carom_error_set(error, CAROM_E_INPUT, "the checkpoint holds %zu numbers, the scene has %zu",
                               checkpoint->state->n, sim->state->n);
    carom_state_copy(sim->state, checkpoint->state);
    sim->stepper->counts = checkpoint->counts;
    loop->rows = checkpoint->rows;
    loop->events = checkpoint->events;
    loop->impacts = checkpoint->impacts;
    loop->forces = checkpoint->forces;
    return CAROM_OK;
}

/* the last time sampled so far, so that a restored run goes on after it */
static double sampled_until(const struct carom_sim *sim)
{
    const struct loop *loop = sim->own;
    return loop->rows > 0 ? sim->state->time : -HUGE_VAL;
}

static enum carom_status sample_at(struct carom_sim *sim, double t, struct carom_error *error)
{
    struct loop *loop = sim->own;
    if (carom_state_until(sim->state, t) >= 0.0) {
        carom_breaks_jump(&loop->breaks, sim);
        carom_sim_sync(sim);
    } else
        sim->stepper->scheme->dense(sim->stepper, sim->state, t, sim->view);
    loop->last_sample = t;
    return carom_recorder_sample(sim->recorder, sim->view, error);
}

/* --- forces inside impacts --------------------------------------------------------------------------------------- */

/* Enough forces are kept, or none can be: no sample comes any more. Counted without those that a stopped impact has
 * told already, so that who stops and goes on keeps the same ones. */
static void bound_trace(struct carom_sim *sim)
{
    struct loop *loop = sim->own;
    const uint64_t kept = carom_recorder_tally(sim->recorder)->forces - loop->stopping.known_forces;
    const bool more = kept < loop->trace_most && loop->heard == CAROM_OK && !loop->stopping.tired;
    loop->trace.every = more ? loop->trace_every : HUGE_VAL;
}

static void hear_force(void *own, size_t contact, double time, double force)
{
    struct carom_sim *sim = own;
    struct loop *loop = sim->own;
    if (loop->stopping.known_forces > 0)
        loop->stopping.known_forces--;
    else if (loop->heard == CAROM_OK)
        loop->heard = carom_recorder_force(
            sim->recorder, &(struct carom_blow_force){.contact = contact, .time = time, .force = force}, loop->told);
    carom_stopping_hear(&loop->stopping);
    bound_trace(sim);
}

static void hear_end(void *own, double time, double duration, double estimate)
{
    struct carom_sim *sim = own;
    struct loop *loop = sim->own;
    if (loop->stopping.known_impacts > 0)
        loop->stopping.known_impacts--;
    else if (loop->heard == CAROM_OK && !loop->stopping.tired)
        loop->heard = carom_recorder_blow(sim->recorder, &(struct carom_blow){time, duration, estimate}, loop->told);
}

static void listen(struct carom_sim *sim)
{
    struct loop *loop = sim->own;
    if (!sim->stepper->traces || !carom_recorder_wants_impacts(sim->recorder, &loop->trace_every, &loop->trace_most))
        return;
    loop->trace = (struct carom_trace){.force = hear_force, .end = hear_end, .own = sim};
    sim->stepper->trace = &loop->trace;
    carom_recorder_recall_impacts(sim->recorder, loop->impacts, loop->forces);
    bound_trace(sim);
}

/* --- the loop ---------------------------------------------------------------------------------------------------- */

static enum carom_status begin(struct carom_sim *sim, struct carom_error *error)
{
    struct loop *loop = sim->own;
    loop->begun = true;
    loop->last_sample = sampled_until(sim);
    if (!sim->recorder)
        return CAROM_OK;
    listen(sim);
    carom_sim_sync(sim);
    enum carom_status status = carom_recorder_begin(sim->recorder, &loop->origin, sim->stepper->scheme->kind.name,
                                                    loop->checkpoint_every < 0.0 ? 0 : sim->state->n, loop->rows,
                                                    loop->events, error);
    const bool first = loop->rows == 0 && sim->state->step == 0;
    if (status == CAROM_OK && first &&
        (carom_recorder_next(sim->recorder, -HUGE_VAL) <= sim->state->time ||
         carom_recorder_wants_step(sim->recorder, 0)))
        status = sample_at(sim, sim->state->time, error);
    return status;
}

/* samples due up to the state's time; the last one may miss the end of the run by rounding */
static enum carom_status record(struct carom_sim *sim, struct carom_error *error)
{
    struct loop *loop = sim->own;
    const bool at_end = carom_state_until(sim->state, sim->until) <= 0.0;
    for (;;) {
        double next = carom_recorder_next(sim->recorder, loop->last_sample);
        if (at_end && next > sim->until && next <= sim->until * (1.0 + 1e-12) && loop->last_sample < sim->until)
            next = sim->until;
        if (!(next <= sim->state->time))
            break;
        const enum carom_status status = sample_at(sim, next, error);
        if (status != CAROM_OK)
            return status;
    }
    if (!carom_recorder_wants_step(sim->recorder, sim->state->step) || loop->last_sample >= sim->state->time)
        return CAROM_OK;
    return sample_at(sim, sim->state->time, error);
}

/* the physical state of now or of the last step's start, at least around contacts [first, last) */
static void look(struct carom_sim *sim, const struct carom_state *state, size_t first, size_t last)
{
    const struct carom_scheme *scheme = sim->stepper->scheme;
    if (!glimpses(sim)) {
        scheme->sync(sim->stepper, state, sim->view);
        return;
    }
    const int32_t left = sim->model->pair[first][0], right = sim->model->pair[last - 1][1];
    const size_t from = left < 0 ? 0 : (size_t)left, to = right < 0 ? sim->model->nq : (size_t)right + 1;
    scheme->glimpse(sim->stepper, state, from, to, sim->view);
}

/* what the scheme tells of the last call */
static enum carom_status pass_events(struct carom_sim *sim, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < sim->stepper->nevents && status == CAROM_OK; i++)
        status = carom_recorder_event(sim->recorder, &sim->stepper->event[i], error);
    return status;
}

/* openings and closings of the last step */
static enum carom_status note_events(struct carom_sim *sim, struct carom_error *error)
{
    struct loop *loop = sim->own;
    if (!carom_recorder_wants_events(sim->recorder))
        return CAROM_OK;
    if (sim->stepper->scheme->tells)
        return pass_events(sim, error);
    if (!sim->stepper->switched)
        return CAROM_OK;
    const bool any = sim->stepper->switched_last == 0;
    const size_t from = any ? 0 : sim->stepper->switched_first, to = any ? sim->model->nc : sim->stepper->switched_last;
    enum carom_status status = CAROM_OK;
    for (size_t first = from; first < to && status == CAROM_OK; first += loop->watch.room) {
        const size_t last = to - first < loop->watch.room ? to : first + loop->watch.room;
        look(sim, sim->stepper->before, first, last);
        carom_events_before(&loop->watch, sim->view, first, last);
        look(sim, sim->state, first, last);
        status = carom_events_after(&loop->watch, sim->view, first, last, sim->recorder, error);
    }
    return status;
}

/* how far the next call of the scheme may go */
static struct carom_bound bound(const struct carom_sim *sim)
{
    const struct loop *loop = sim->own;
    struct carom_bound b = {.t_stop = carom_breaks_next(&loop->breaks, sim->state, sim->until),
                            .t_dense = HUGE_VAL,
                            .steps = STEPS_AT_ONCE};
    if (sim->model->nv > 64)
        b.steps = 1 + (size_t)STEPS_AT_ONCE * 64 / sim->model->nv;
    if (sim->recorder) {
        b.t_dense = carom_recorder_next(sim->recorder, loop->last_sample);
        b.watch = carom_recorder_wants_events(sim->recorder);
        for (size_t i = 1; i < b.steps; i++)
            if (carom_recorder_wants_step(sim->recorder, sim->state->step + i))
                b.steps = i;
    }
    return b;
}

static enum carom_status save(struct carom_sim *sim, struct carom_error *error)
{
    const struct loop *loop = sim->own;
    return loop->checkpoint_every < 0.0 ? CAROM_OK : carom_stopping_save(&loop->stopping, sim, error);
}

/* wall-clock chores: watching, flushing, checkpoints */
struct chores {
    double flushed, saved, watched;
};

static enum carom_status look_up(struct carom_sim *sim, struct chores *last, const struct carom_watch *watch,
                                 struct carom_error *error)
{
    const struct loop *loop = sim->own;
    const double t = now();
    enum carom_status status = CAROM_OK;
    if (sim->recorder && loop->checkpoint_every > 0.0 && t - last->saved > loop->checkpoint_every) {
        last->saved = t;
        status = save(sim, error);
    }
    if (status == CAROM_OK && sim->recorder && t - last->flushed > 1.0) {
        last->flushed = t;
        status = carom_recorder_flush(sim->recorder, error);
    }
    if (status == CAROM_OK && watch && watch->call && t - last->watched >= watch->seconds) {
        last->watched = t;
        sim->progress = sim->state->time / sim->until;
        if (!watch->call(watch->own, sim)) {
            status = save(sim, error);
            if (status == CAROM_OK)
                status =
                    carom_error_set(error, CAROM_E_STOPPED, "stopped at t = %g of %g", sim->state->time, sim->until);
        }
    }
    return status;
}

static enum carom_status advance(struct carom_sim *sim, struct carom_error *error)
{
    struct loop *loop = sim->own;
    const struct carom_bound b = bound(sim);
    loop->told = error;
    carom_stopping_keep(&loop->stopping, sim);
    enum carom_status status = sim->stepper->scheme->step(sim->stepper, sim->state, &b, error);
    if (status == CAROM_OK && loop->stopping.tired)
        status = carom_error_set(error, CAROM_E_STOPPED, "stopped inside an impact");
    if (status == CAROM_E_STOPPED) {
        carom_stopping_retreat(&loop->stopping, sim);
        if (sim->stepper->trace)
            bound_trace(sim);
        const enum carom_status saved = save(sim, error);
        return saved == CAROM_OK ? status : saved;
    }
    if (status == CAROM_OK)
        status = loop->heard;
    if (sim->recorder && status == CAROM_OK)
        status = note_events(sim, error);
    if (sim->recorder && status == CAROM_OK)
        status = record(sim, error);
    if (status == CAROM_OK)
        carom_breaks_jump(&loop->breaks, sim);
    return status;
}

/* finds the share of tol a step may take, unless it is given or the run is a restored one */
enum carom_status carom_sim_prepare(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error)
{
    const struct loop *loop = sim->own;
    const struct carom_scheme *scheme = sim->stepper->scheme;
    const struct carom_param *share = carom_param_find(scheme->kind.params, "share");
    if (carom_refine_wanted(scheme, loop->options) && sim->state->step == 0) {
        struct carom_refine found;
        carom_sim_sync(sim);
        const enum carom_status flown = carom_refine_fly(sim, loop->options, watch, &found, error);
        if (flown != CAROM_OK)
            return flown;
        carom_param_store(carom_param_find(scheme->kind.params, "step"), loop->options, found.step);
        sim->estimate = found.estimate;
        carom_sim_sync(sim);
        carom_state_view(sim->state, sim->view);
        return scheme->start(sim->stepper, sim->state, error);
    }
    const struct carom_param *step = carom_param_find(scheme->kind.params, "step");
    const bool fixed = step && carom_param_value(step, loop->options) > 0.0;
    if (!share || carom_param_value(share, loop->options) > 0.0 || sim->state->step > 0 || sim->stepper->exact || fixed)
        return CAROM_OK;
    carom_sim_sync(sim);
    struct carom_pilot pilot;
    enum carom_status status = carom_pilot_fly(sim, loop->options, watch, &pilot, error);
    if (status != CAROM_OK)
        return status;
    carom_param_store(share, loop->options, pilot.share);
    sim->estimate = pilot.estimate;
    carom_state_view(sim->state, sim->view);
    return scheme->start ? scheme->start(sim->stepper, sim->state, error) : CAROM_OK;
}

void carom_sim_heed(struct carom_sim *sim, const struct carom_watch *watch)
{
    struct loop *loop = sim->own;
    carom_stopping_ask(&loop->stopping, sim, watch);
}

enum carom_status carom_sim_run(struct carom_sim *sim, const struct carom_watch *watch, struct carom_error *error)
{
    struct loop *loop = sim->own;
    enum carom_status status = loop->begun ? CAROM_OK : begin(sim, error);
    if (status == CAROM_OK) /* a run that is killed early, even in its pilots, can be resumed */
        status = save(sim, error);
    carom_sim_heed(sim, watch);
    if (status == CAROM_OK)
        status = carom_sim_prepare(sim, watch, error);
    sim->phase = "run";
    const double start = now();
    struct chores last = {start, start, start};
    while (status == CAROM_OK && carom_state_until(sim->state, sim->until) > 0.0) {
        status = advance(sim, error);
        if (status == CAROM_OK)
            status = look_up(sim, &last, watch, error);
    }
    carom_sim_heed(sim, NULL); /* the watch may be gone after this call */
    if (status == CAROM_OK)
        status = save(sim, error);
    if (!loop->begun || !sim->recorder || status == CAROM_E_FILE)
        return status;
    carom_sim_sync(sim);
    if (status != CAROM_OK && status != CAROM_E_STOPPED) { /* keep what is there; the run has not come to its end */
        struct carom_error ignored;
        carom_recorder_flush(sim->recorder, &ignored);
        return status;
    }
    return status == CAROM_OK ? carom_recorder_end(sim->recorder, &sim->stepper->counts, error) : status;
}
