/* Samples by dense output, openings and closings from both ends of a step, forces as impacts tell them. */
#include "sim/recording.h"

#include "carom/bodies.h"
#include "sim/between/sync_range.h"
#include "sim/blunders.h"
#include "sim/book/episodes_pack.h"
#include "sim/doubt.h"
#include "sim/unbalanced.h"

#define FRESH 4.0 /* contact times after it has closed a contact is looked at closely, however little it carries */
#define HARD 0.03 /* of the scale of overlaps: what carries less than a hundredth of the largest forces only rests */
#define ROUNDING 1e-12 /* of the time: a sample that misses the end of a step by no more is of it */
#define FEWEST 8.0     /* times further apart than at first: a contact then has three samples */

/* is there a book of impacts to write? */
static bool books(const struct carom_sim *sim)
{
    const struct carom_loop *loop = sim->own;
    return loop->book.most > 0;
}

/* the same of contacts that come and go */
static bool lists(const struct carom_sim *sim)
{
    const struct carom_loop *loop = sim->own;
    return loop->pairs.most > 0;
}

static const double *pack_pairs(void *own, size_t *n)
{
    return carom_episodes_list_pack(own, n);
}

static const double *pack_book(void *own, size_t *n)
{
    struct carom_episodes *book = own;
    const bool packed = carom_episodes_pack_write(book);
    *n = book->npack;
    return packed ? book->pack : NULL;
}

enum carom_status carom_recording_open(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    if (carom_episodes_open(&loop->book, sim, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    loop->book.breaks = &loop->breaks;
    carom_episodes_list_open(&loop->pairs, sim);
    if (books(sim) || lists(sim))
        carom_recorder_ask_book(sim->recorder, books(sim) ? pack_book : pack_pairs,
                                books(sim) ? (void *)&loop->book : (void *)&loop->pairs);
    if (!sim->recorder || (!carom_recorder_wants_events(sim->recorder) && !books(sim) && !lists(sim)))
        return CAROM_OK;
    if (sim->state->contacts) {
        carom_events_list_open(&loop->listed, carom_model_bodies(sim->model));
        return CAROM_OK;
    }
    const size_t most = carom_sync_range_parts(sim) ? CAROM_SYNC_RANGE_ROOM : SIZE_MAX;
    return carom_events_open(&loop->events, sim->model, sim->model->nc < most ? sim->model->nc : most, error);
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
    if (carom_sim_ranks_whole(sim, error) != CAROM_OK)
        return error->status;
    carom_sim_view(sim, t);
    carom_recorder_between(sim->recorder, carom_state_until(sim->state, t) < -ROUNDING * fabs(t));
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
    const struct carom_param *tol = carom_param_find(sim->stepper->scheme->kind.params, "tol");
    carom_recorder_promise(sim->recorder, &sim->scales, tol ? carom_param_value(tol, sim->stepper->options) : 0.0);
    carom_recorder_recall_episodes(sim->recorder, loop->episodes, loop->book.left + loop->pairs.left);
    enum carom_status status = CAROM_OK;
    if (sim->state->contacts && (carom_recorder_wants_events(sim->recorder) || lists(sim)))
        status = carom_events_list_begin(&loop->listed, sim->view, error);
    if (status == CAROM_OK)
        status = carom_recorder_begin(sim->recorder, &loop->origin, sim->stepper->scheme->kind.name,
                                      loop->checkpoint_every < 0.0 ? 0 : sim->state->n, loop->rows, loop->found, error);
    if (status == CAROM_OK && books(sim))
        status = carom_episodes_begin(&loop->book, sim, error);
    if (status == CAROM_OK && lists(sim))
        status = carom_episodes_list_begin(&loop->pairs, sim, error);
    const bool first = loop->rows == 0 && sim->state->step == 0;
    if (status == CAROM_OK && first &&
        (carom_recorder_next(sim->recorder, -HUGE_VAL) <= sim->state->time ||
         carom_recorder_wants_step(sim->recorder, 0)))
        status = sample_at(sim, sim->state->time, error);
    return status;
}

/* is a contact closed? */
static bool acts(const struct carom_sim *sim)
{
    const struct carom_loop *loop = sim->own;
    return loop->book.first < loop->book.last;
}

/* Contacts that only rest, under a weight say, act all the time. Once samples are scarce, every n-th is taken of them,
 * a power of 2 that grows with the time since the last one closed: weak impacts, which last longer than strong ones,
 * are seen from end to end, and samples are left for what is pressed hard. */
static double resting_interval(const struct carom_sim *sim, double t)
{
    struct carom_loop *loop = sim->own;
    if (!acts(sim) || !carom_recorder_scarce(sim->recorder))
        return 1.0;
    const double closed = t - carom_episodes_latest(&loop->book), fresh = FRESH * sim->scales.contact_time;
    if (!(closed > fresh) || carom_episodes_deep(&loop->book, HARD * sim->scales.length))
        return 1.0;
    int power;
    frexp(closed / fresh, &power);
    return ldexp(1.0, power - 1 < 52 ? power - 1 : 52);
}

/* Every impact has a sample where it begins, unless samples are so far apart that these would be most of them. */
static bool takes_beginnings(double nth)
{
    return nth <= FEWEST;
}

/* The next sample after `from` that is due because contacts act, up to the first one after they have opened. */
static double next_action(const struct carom_sim *sim, double from)
{
    const struct carom_loop *loop = sim->own;
    const double after = from > loop->last_sample ? from : loop->last_sample;
    if (!(carom_recorder_action(sim->recorder, 1.0, after) < HUGE_VAL)) /* nor is there any further apart */
        return HUGE_VAL;
    const double thinned = carom_recorder_thinned(sim->recorder, after),
                 nth = fmax(thinned, resting_interval(sim, after)),
                 next = carom_recorder_action(sim->recorder, nth, after);
    if (!(next < HUGE_VAL))
        return HUGE_VAL;
    const bool due =
        loop->acting || acts(sim) || next <= carom_recorder_action(sim->recorder, thinned, loop->book.ended);
    if (loop->acting || !acts(sim) || !takes_beginnings(thinned))
        return due ? next : HUGE_VAL;
    const double closing = fmax(from, carom_episodes_since(&loop->book, -HUGE_VAL)); /* where forces begin */
    return closing > loop->last_sample ? fmin(next, closing) : next;
}

/* The same where contacts come and go: for some contact times after one has closed. What rests on each other does not
 * act, however long it touches. */
static double next_of_pairs(const struct carom_sim *sim, double from)
{
    const struct carom_loop *loop = sim->own;
    const double after = fmax(loop->last_sample, from), nth = carom_recorder_thinned(sim->recorder, after),
                 next = carom_recorder_action(sim->recorder, nth, after);
    const double recent = loop->pairs.recent, window = FRESH * sim->scales.contact_time;
    const bool closes = recent > loop->recent && recent > loop->last_sample && /* in the last call, not sampled yet */
                        takes_beginnings(nth);
    if (!(next < HUGE_VAL))
        return HUGE_VAL;
    if (next <= loop->recent + window)
        return closes ? fmin(next, recent) : next;
    const double later = closes ? recent : carom_recorder_action(sim->recorder, nth, fmax(after, recent));
    return later <= recent + window ? later : HUGE_VAL;
}

static double next_sample(const struct carom_sim *sim)
{
    struct carom_loop *loop = sim->own;
    if (loop->next_after != loop->last_sample) {
        loop->next_after = loop->last_sample;
        loop->next = carom_recorder_next(sim->recorder, loop->last_sample);
    }
    return loop->next;
}

/* samples due up to the state's time; the last one may miss the end of the run by rounding */
static enum carom_status record(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    const bool at_end = carom_state_until(sim->state, sim->until) <= 0.0;
    for (;;) {
        double next = next_sample(sim);
        if (books(sim))
            next = fmin(next, next_action(sim, sim->stepper->before->time));
        if (lists(sim))
            next = fmin(next, next_of_pairs(sim, sim->stepper->before->time));
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

/* what the scheme tells of the last call */
static enum carom_status pass_events(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    const bool wanted = carom_recorder_wants_events(sim->recorder);
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < sim->stepper->nevents && status == CAROM_OK; i++) {
        if (wanted)
            status = carom_recorder_event(sim->recorder, &sim->stepper->event[i], error);
        if (status == CAROM_OK && books(sim))
            status = carom_episodes_struck(&loop->book, &sim->stepper->event[i], sim->recorder, error);
        if (status == CAROM_OK && lists(sim))
            status = carom_episodes_list_struck(&loop->pairs, &sim->stepper->event[i], sim->recorder, error);
    }
    return status;
}

static enum carom_status turn_page(void *own, const struct carom_event *event, const double deform[2],
                                   const double rate[2], struct carom_error *error)
{
    struct carom_sim *sim = own;
    struct carom_loop *loop = sim->own;
    return carom_episodes_turned(&loop->book, sim, event, deform, rate, error);
}

static enum carom_status turn_pair(void *own, const struct carom_contact_key *key, const struct carom_event *event,
                                   const double deform[2], const double rate[2], struct carom_error *error)
{
    struct carom_sim *sim = own;
    struct carom_loop *loop = sim->own;
    return carom_episodes_list_turned(&loop->pairs, sim, key, event, deform, rate, error);
}

/* beads on both sides of contacts [first, last) into the view */
static void see_some(struct carom_sim *sim, const struct carom_state *state, size_t first, size_t last)
{
    const struct carom_loop *loop = sim->own;
    if (!carom_swings_see(&loop->book.swings, state, first, last))
        carom_sync_range_at(sim, state, first, last);
}

/* openings and closings of the last step */
static enum carom_status note_events(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    if (!carom_recorder_wants_events(sim->recorder) && !books(sim) && !lists(sim))
        return CAROM_OK;
    if (sim->stepper->scheme->tells)
        return pass_events(sim, error);
    if (!sim->stepper->switched)
        return CAROM_OK;
    if (sim->state->contacts) {
        const struct carom_events_list_told told = {turn_pair, sim};
        return carom_events_list_follow(&loop->listed, sim->stepper->before, sim->state, sim->recorder,
                                        lists(sim) ? &told : NULL, error);
    }
    const bool any = sim->stepper->switched_last == 0;
    size_t from = any ? 0 : sim->stepper->switched_first, to = any ? sim->model->nc : sim->stepper->switched_last;
    if (any && books(sim))
        carom_swings_switched(&loop->book.swings, &loop->events, &from, &to);
    const struct carom_events_told told = {turn_page, sim};
    enum carom_status status = CAROM_OK;
    for (size_t first = from; first < to && status == CAROM_OK; first += loop->events.room) {
        const size_t last = to - first < loop->events.room ? to : first + loop->events.room;
        see_some(sim, sim->stepper->before, first, last);
        carom_events_before(&loop->events, sim->view, first, last);
        see_some(sim, sim->state, first, last);
        status =
            carom_events_after(&loop->events, sim->view, first, last, sim->recorder, books(sim) ? &told : NULL, error);
    }
    return status;
}

/* contacts under way, after steps that are looked at */
static enum carom_status follow_book(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    const bool breaks = carom_breaks_at(&loop->breaks, sim->state->time); /* where forces may jump */
    if (lists(sim) && (breaks || sim->state->step % loop->pairs.stride == 0))
        carom_episodes_list_look(&loop->pairs, sim, breaks);
    if (!books(sim) || sim->stepper->scheme->tells)
        return CAROM_OK;
    const bool due = breaks || carom_episodes_due(&loop->book, sim->state->step);
    return due ? carom_episodes_look(&loop->book, sim, error) : CAROM_OK;
}

/* Looks at plain rows after single steps need no call of the scheme to end, unless what they tell may change when
 * samples are due. */
static bool looks_between(const struct carom_sim *sim)
{
    const struct carom_loop *loop = sim->own;
    return sim->stepper->scheme->looks && loop->book.swings.on && loop->acting &&
           (!carom_recorder_scarce(sim->recorder) ||
            !(carom_recorder_action(sim->recorder, 1.0, sim->state->time) < HUGE_VAL));
}

/* False: the last one has opened, or the book cannot be written. */
static bool look_between(void *own)
{
    struct carom_sim *sim = own;
    struct carom_loop *loop = sim->own;
    loop->heard = carom_episodes_look(&loop->book, sim, loop->told);
    return loop->heard == CAROM_OK && acts(sim);
}

void carom_recording_bound(struct carom_sim *sim, struct carom_bound *bound)
{
    struct carom_loop *loop = sim->own;
    if (!sim->recorder)
        return;
    /* what closes beyond the end of the last call, by rounding, is yet to be sampled there */
    loop->acting = acts(sim) && (loop->acting || !(carom_episodes_since(&loop->book, sim->state->time) < HUGE_VAL));
    loop->recent = loop->pairs.recent;
    if (books(sim))
        bound->t_dense = fmin(bound->t_dense, next_action(sim, sim->state->time));
    if (lists(sim))
        bound->t_dense = fmin(bound->t_dense, next_of_pairs(sim, sim->state->time));
    bound->t_dense = fmin(bound->t_dense, next_sample(sim));
    bound->watch = bound->watch || carom_recorder_wants_events(sim->recorder) || books(sim) || lists(sim);
    if (lists(sim) && loop->pairs.n > 0) {
        const size_t steps = (size_t)(loop->pairs.stride - sim->state->step % loop->pairs.stride);
        bound->steps = bound->steps < steps ? bound->steps : steps;
    }
    if (books(sim) && looks_between(sim)) {
        bound->look = look_between;
        bound->own = sim;
        bound->look_from = &loop->book.next;
    } else if (books(sim) && !sim->stepper->scheme->tells) {
        const size_t steps = carom_episodes_steps(&loop->book, sim->state->step);
        bound->steps = bound->steps < steps ? bound->steps : steps;
    }
    for (size_t i = 1; i < bound->steps; i++)
        if (carom_recorder_wants_step(sim->recorder, sim->state->step + i))
            bound->steps = i;
}

enum carom_status carom_recording_follow(struct carom_sim *sim, struct carom_error *error)
{
    if (!sim->recorder)
        return CAROM_OK;
    enum carom_status status = note_events(sim, error);
    if (status == CAROM_OK)
        status = follow_book(sim, error);
    return status == CAROM_OK ? record(sim, error) : status;
}

enum carom_status carom_recording_state(struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_stated stated = {sim->estimate,   sim->growth,         sim->horizon,     sim->sight,
                                        sim->unbalanced, carom_blunders(sim), carom_doubt(sim), sim->flown};
    return sim->recorder ? carom_recorder_stated(sim->recorder, &stated, error) : CAROM_OK;
}

enum carom_status carom_recording_end(struct carom_sim *sim, struct carom_error *error)
{
    struct carom_loop *loop = sim->own;
    if (!sim->recorder)
        return CAROM_OK;
    enum carom_status status = carom_recording_state(sim, error);
    if (status == CAROM_OK && lists(sim))
        status = carom_episodes_list_end(&loop->pairs, sim, error);
    return status == CAROM_OK && books(sim) ? carom_episodes_end(&loop->book, sim, error) : status;
}

enum carom_status carom_recording_energies(struct carom_sim *sim, struct carom_error *error)
{
    const struct carom_loop *loop = sim->own;
    struct carom_ledger ledger;
    carom_sim_sync(sim);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    sim->unbalanced = carom_unbalanced(sim, &ledger);
    if (loop->whole != sim || isfinite(ledger.residual)) /* it is made of all the others */
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "the energies are not finite at t = %g; smaller numbers in the scene may do",
                           sim->state->time);
}
