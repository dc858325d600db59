/* Samples by dense output, openings and closings from both ends of a step, forces as impacts tell them. */
#include "sim/recording.h"

#include "carom/bodies.h"

enum { LOOK = 256 }; /* contacts looked at together for events */

/* can a part of the state be looked at alone? */
static bool glimpses(const struct carom_sim *sim)
{
    return sim->stepper->scheme->glimpse && (sim->model->offers & CAROM_CHAIN);
}

enum carom_status carom_recording_open(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    if (!sim->recorder || !carom_recorder_wants_events(sim->recorder))
        return CAROM_OK;
    if (sim->state->contacts) {
        carom_events_list_open(&loop->listed, carom_model_bodies(sim->model));
        return CAROM_OK;
    }
    const size_t room = glimpses(sim) && sim->model->nc > LOOK ? LOOK : sim->model->nc;
    return carom_events_open(&loop->events, sim->model, room, error);
}

/* --- forces inside impacts --------------------------------------------------------------------------------------- */

/* Counted without those that a stopped impact has told already, so that who stops and goes on keeps the same ones. */
void carom_recording_bound_trace(struct carom_sim *sim)
{
    struct carom_loop *loop = sim->own;
    if (sim->stepper->trace != &loop->trace)
        return;
    const uint64_t kept = carom_recorder_tally(sim->recorder)->forces - loop->stopping.known_forces;
    const bool more = kept < loop->trace_most && loop->heard == CAROM_OK && !loop->stopping.tired;
    loop->trace.every = more ? loop->trace_every : HUGE_VAL;
}

static void hear_force(void *own, size_t contact, double time, double force)
{
    struct carom_sim *sim = own;
    struct carom_loop *loop = sim->own;
    if (loop->stopping.known_forces > 0)
        loop->stopping.known_forces--;
    else if (loop->heard == CAROM_OK)
        loop->heard = carom_recorder_force(
            sim->recorder, &(struct carom_blow_force){.contact = contact, .time = time, .force = force}, loop->told);
    carom_stopping_hear(&loop->stopping);
    carom_recording_bound_trace(sim);
}

static void hear_end(void *own, double time, double duration, double estimate)
{
    struct carom_sim *sim = own;
    struct carom_loop *loop = sim->own;
    if (loop->stopping.known_impacts > 0)
        loop->stopping.known_impacts--;
    else if (loop->heard == CAROM_OK && !loop->stopping.tired)
        loop->heard = carom_recorder_blow(sim->recorder, &(struct carom_blow){time, duration, estimate}, loop->told);
}

static void listen(struct carom_sim *sim)
{
    struct carom_loop *loop = sim->own;
    if (!sim->stepper->traces || !carom_recorder_wants_impacts(sim->recorder, &loop->trace_every, &loop->trace_most))
        return;
    loop->trace = (struct carom_trace){.force = hear_force, .end = hear_end, .own = sim};
    sim->stepper->trace = &loop->trace;
    carom_recorder_recall_impacts(sim->recorder, loop->impacts, loop->forces);
    carom_recording_bound_trace(sim);
}

/* --- samples ----------------------------------------------------------------------------------------------------- */

static enum carom_status sample_at(struct carom_sim *sim, double t, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    if (carom_state_until(sim->state, t) >= 0.0)
        carom_breaks_jump(&loop->breaks, sim);
    carom_sim_view(sim, t);
    loop->last_sample = t;
    return carom_recorder_sample(sim->recorder, sim->view, error);
}

enum carom_status carom_recording_begin(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    loop->last_sample = loop->rows > 0 ? sim->state->time : -HUGE_VAL; /* a restored run goes on after it */
    if (!sim->recorder)
        return CAROM_OK;
    listen(sim);
    carom_sim_sync(sim);
    enum carom_status status = CAROM_OK;
    if (sim->state->contacts && carom_recorder_wants_events(sim->recorder))
        status = carom_events_list_begin(&loop->listed, sim->view, error);
    if (status == CAROM_OK)
        status = carom_recorder_begin(sim->recorder, &loop->origin, sim->stepper->scheme->kind.name,
                                      loop->checkpoint_every < 0.0 ? 0 : sim->state->n, loop->rows, loop->found, error);
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
    struct carom_loop *loop = sim->own;
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

/* --- events ------------------------------------------------------------------------------------------------------ */

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
    struct carom_loop *loop = sim->own;
    if (!carom_recorder_wants_events(sim->recorder))
        return CAROM_OK;
    if (sim->stepper->scheme->tells)
        return pass_events(sim, error);
    if (!sim->stepper->switched)
        return CAROM_OK;
    if (sim->state->contacts)
        return carom_events_list_follow(&loop->listed, sim->stepper->before, sim->state, sim->recorder, error);
    const bool any = sim->stepper->switched_last == 0;
    const size_t from = any ? 0 : sim->stepper->switched_first, to = any ? sim->model->nc : sim->stepper->switched_last;
    enum carom_status status = CAROM_OK;
    for (size_t first = from; first < to && status == CAROM_OK; first += loop->events.room) {
        const size_t last = to - first < loop->events.room ? to : first + loop->events.room;
        look(sim, sim->stepper->before, first, last);
        carom_events_before(&loop->events, sim->view, first, last);
        look(sim, sim->state, first, last);
        status = carom_events_after(&loop->events, sim->view, first, last, sim->recorder, error);
    }
    return status;
}

void carom_recording_bound(const struct carom_sim *sim, struct carom_bound *bound)
{
    const struct carom_loop *loop = sim->own;
    if (!sim->recorder)
        return;
    bound->t_dense = fmin(bound->t_dense, carom_recorder_next(sim->recorder, loop->last_sample));
    bound->watch = bound->watch || carom_recorder_wants_events(sim->recorder);
    for (size_t i = 1; i < bound->steps; i++)
        if (carom_recorder_wants_step(sim->recorder, sim->state->step + i))
            bound->steps = i;
}

enum carom_status carom_recording_follow(struct carom_sim *sim, struct carom_error *error)
{
    if (!sim->recorder)
        return CAROM_OK;
    const enum carom_status status = note_events(sim, error);
    return status == CAROM_OK ? record(sim, error) : status;
}

enum carom_status carom_recording_energies(struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_loop *loop = sim->own;
    struct carom_ledger ledger;
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    if (loop->whole != sim || isfinite(ledger.residual)) /* it is made of all the others */
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "the energies are not finite at t = %g; smaller numbers in the scene may do",
                           sim->state->time);
}
