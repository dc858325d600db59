/* Index sets at an instant, after algorithms 5 and 6 of Nguyen and Brogliato 2011: I_c (what touches), impacts on all
 * of it at once until nothing in it approaches, then I_s (what is held) from the complementarity problem of
 * accelerations. A contact whose impacts die out under pressure, each flight shorter than the last, is held as soon as
 * the flights no longer matter, and the time at which they would have ended is worked out from their ratio. */
#include "scheme/rigid/event/event_sets.h"

#include <float.h>
#include <string.h>

#include "scheme/rigid/event/event_corners.h"
#include "scheme/rigid/event/event_facets.h"
#include "scheme/rigid/event/event_friction.h"
#include "scheme/rigid/rigid_tell.h"
#include "scheme/stepper.h"

/* A bounce may be left out if it is lower than this part of tol U. */
static const double low_bounce = 1e-4;

/* Impacts of several contacts that die out may be taken as one where gaps are smaller than this part of tol U. */
static const double in_a_zone = 0.01;

/* What rounding of the large impulses of a hard impact leaves of the rates of contacts at rest that pass it on. */
static const double impulse_noise = 16.0 * DBL_EPSILON;

/* How many impacts, each weaker than the one before, show that they die out. */
enum { IN_A_ROW = 3 };

/* --- impacts ----------------------------------------------------------------------------------------------------- */

static bool closed(const double *mode, size_t j)
{
    return mode[j] != CAROM_EVENT_FREE;
}

static bool approaches(const struct carom_event_work *w, const double *mode, size_t j)
{
    return closed(mode, j) && w->rate[j] < -carom_event_slow(w) - w->faint[j];
}

/* one contact of a row struck alone: both impact laws say the same, and no system need be set up */
static void strike_pair(struct carom_stepper *stepper, struct carom_state *state, size_t j)
{
    struct carom_event_work *w = stepper->work;
    const struct carom_chain *c = &w->row.chain;
    const double *inverse = c->beads->inverse_mass;
    const size_t a = j - c->shift, b = a + 1;
    const double ia = j >= c->shift ? inverse[a] : 0.0, ib = b < c->n ? inverse[b] : 0.0;
    const double before = w->rate[j], impulse = -(1.0 + w->e[j]) * before / (ia + ib);
    if (j >= c->shift)
        state->v[a] -= impulse * ia;
    if (b < c->n)
        state->v[b] += impulse * ib;
    w->rate[j] = -w->e[j] * before;
    if (j > 0 && j >= c->shift)
        w->rate[j - 1] -= impulse * ia;
    if (j + 1 < c->nc && b < c->n)
        w->rate[j + 1] -= impulse * ib;
    state->lost[j] -= 0.5 * impulse * (1.0 - w->e[j]) * before;
    w->struck[j] = true;
    carom_event_note_gentle(w, j, before, w->rate[j]);
    carom_event_tell(w, state, j, CAROM_EVENT_IMPACT, impulse, before, w->rate[j],
                     carom_event_taken(impulse, before, w->rate[j]));
}

/* The contacts that take part: in a row those joined by touching ones to one that approaches, else all that touch.
 * True with the only one if it touches no other. */
static bool collect(struct carom_event_work *w, const double *mode, size_t *count, size_t *alone)
{
    const size_t nc = w->model->nc;
    const bool row = (w->model->offers & CAROM_CHAIN) != 0;
    *count = 0;
    for (size_t j = 0, end; j < nc; j = end) {
        bool struck = !row;
        for (end = j; end < nc && closed(mode, end); end++)
            struck |= approaches(w, mode, end);
        for (size_t k = j; struck && k < end; k++)
            w->set[(*count)++] = k;
        end += end == j ? 1 : 0;
    }
    *alone = w->set[0];
    const struct carom_impact *impact = w->striker->impact;
    return w->exact && *count == 1 && (impact == &carom_impact_newton || impact == &carom_impact_moreau);
}

/* impacts that have a time of their own */
static void tell_impact(struct carom_stepper *stepper, const struct carom_collision *c, double t)
{
    const struct carom_event_work *w = stepper->work;
    if (!w->striker->impact->springy || !(c->duration > 0.0))
        return; /* next to nothing was stopped at once */
    stepper->counts.impacts++;
    stepper->counts.impact_error += c->estimate / w->speed;
    if (c->trace)
        c->trace->end(c->trace->own, t, c->duration, c->estimate);
}

/* mu of the contacts of the set, and room for what it does */
static void take_friction(const struct carom_event_work *w, struct carom_collision *c)
{
    const size_t nc = w->model->nc;
    double *mu = w->of_rub, *still = mu + nc;
    for (size_t i = 0; i < c->frame->n; i++) {
        mu[i] = c->frame->slips[i] ? w->smooth.rub.mu[w->set[i]] : 0.0;
        still[i] = c->frame->slips[i] ? w->smooth.rub.mu_static[w->set[i]] : 0.0;
    }
    c->mu = mu;
    c->mu_static = still;
    c->rub = still + nc;
    c->friction_loss = c->rub + c->frame->tangents * nc;
}

/* what friction took */
static void book_friction(struct carom_state *state, const struct carom_collision *c)
{
    carom_frame_slip_work(c->frame, c->frame->slide, c->rub, state->work);
    for (size_t i = 0; i < c->frame->n; i++)
        state->friction_loss[c->frame->contact[i]] += c->friction_loss[i];
}

/* What the impact may have made. What contacts hand on to each other has the rounding of all of it, and paths with
 * friction have the error that they tell. */
static void book_created(struct carom_stepper *stepper, const struct carom_collision *c, const double *before)
{
    double all = 0.0, off = 0.0;
    for (size_t i = 0; i < c->frame->n; i++) {
        all += c->lost[i] + (c->frame->both ? c->friction_loss[i] : 0.0);
        off +=
            c->impulse[i] * ((c->frame->both ? c->estimate : 0.0) + 1e-12 * fabs(before[i])) + 1e-12 * fabs(c->lost[i]);
    }
    stepper->created -= all < -off ? all : 0.0;
}

/* Paths tell velocities to their error: a contact that still approaches by no more rests; struck again it would ring on
 * for as long as after a blow. */
static void note_remains(struct carom_event_work *w, const struct carom_collision *c)
{
    for (size_t i = 0; i < c->frame->n && !w->exact && w->striker->impact->rough; i++) {
        const size_t j = c->frame->contact[i];
        if (w->rate[j] < 0.0 && -w->rate[j] <= c->estimate)
            w->faint[j] = c->estimate;
    }
}

/* Is all that approaches slower than what paths may err by? They end at once: flights after them would be lower than
 * coordinates tell, and a path that rings takes as long as after a blow. */
static bool is_weak(const struct carom_collision *c, const double *before)
{
    double fast = 0.0;
    for (size_t i = 0; i < c->frame->n; i++)
        fast = fmax(fast, -before[i]);
    return c->frame->both && fast <= c->unfelt;
}

static enum carom_status strike(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const size_t nc = w->model->nc;
    const double t = state->time + state->time_low;
    double *e = w->of_set, *k = e + nc, *p = k + nc, *impulse = p + nc, *lost = impulse + nc, *before = lost + nc;
    size_t count, alone;
    if (collect(w, carom_event_memory(state, nc, CAROM_EVENT_MODE), &count, &alone)) {
        strike_pair(stepper, state, alone);
        return CAROM_OK;
    }
    enum carom_status status = carom_frame_set(&w->frame, t, state->q, w->set, count, error);
    if (status != CAROM_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        e[i] = w->e[w->set[i]];
        k[i] = w->k[w->set[i]];
        p[i] = w->p[w->set[i]];
        before[i] = w->rate[w->set[i]];
    }
    struct carom_collision collision = {.frame = &w->frame,
                                        .e = e,
                                        .k = k,
                                        .p = p,
                                        .trace = stepper->trace,
                                        .v = state->v,
                                        .after = w->after,
                                        .impulse = impulse,
                                        .lost = lost,
                                        .patience = stepper->patience};
    collision.quiet = 0.01 * w->options->tol * w->speed;
    collision.unfelt = w->options->impact_tol > 0.0 ? 0.0 : 0.01 * collision.quiet;
    if (w->frame.both)
        take_friction(w, &collision);
    const bool weak = is_weak(&collision, before);
    for (size_t i = 0; i < count && weak; i++)
        e[i] = 0.0;
    status = w->frame.both && (weak || !w->striker->impact->rough)
                 ? carom_event_friction_strike(stepper, t, &collision, error)
                 : w->striker->impact->solve(w->striker, &collision, error);
    char text[CAROM_RIGID_TELL_ROOM];
    if (status != CAROM_OK)
        return carom_error_prefix(error, "t = %g; %s", t, carom_rigid_tell(w->model, w->set, count, text));
    stepper->counts.iterations += collision.iterations;
    stepper->worst_residual = fmax(stepper->worst_residual, collision.residual);
    tell_impact(stepper, &collision, t);
    memcpy(state->v, w->after, state->nv * sizeof(double));
    carom_frame_work(&w->frame, impulse, state->work);
    if (w->frame.both)
        book_friction(state, &collision);
    book_created(stepper, &collision, before);
    carom_event_look(w, t, state->q, state->v);
    note_remains(w, &collision);
    w->stopped = fmax(w->stopped, collision.stopped);
    for (size_t i = 0; i < count; i++) {
        const size_t j = w->set[i];
        state->lost[j] += lost[i];
        if (!(impulse[i] > 0.0))
            continue;
        w->struck[j] = true;
        if (w->striker->impact == &carom_impact_moreau)
            carom_stepper_blur(stepper, before[i], w->rate[j], e[i]);
        if (w->striker->impact == &carom_impact_moreau && fabs(before[i]) <= carom_event_slow(w))
            w->faint[j] = impulse_noise * impulse[i] * w->frame.diagonal[i]; /* it goes on at rest, to rounding */
        carom_event_note_gentle(w, j, before[i], w->rate[j]);
        carom_event_tell(w, state, j, CAROM_EVENT_IMPACT, impulse[i], before[i], w->rate[j], lost[i]);
    }
    return CAROM_OK;
}

/* one of those that still approach, for sentences */
struct approaching {
    const struct carom_event_work *work;
    const double *mode;
};

static bool is_approaching(const void *own, size_t j)
{
    const struct approaching *a = own;
    return approaches(a->work, a->mode, j);
}

static bool any_approaches(const struct carom_event_work *w, const double *mode)
{
    for (size_t j = 0; j < w->model->nc; j++)
        if (approaches(w, mode, j))
            return true;
    return false;
}

static enum carom_status strike_all(struct carom_stepper *stepper, struct carom_state *state, long *rounds,
                                    struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    enum carom_status status = CAROM_OK;
    for (; status == CAROM_OK && any_approaches(w, mode); ++*rounds) {
        if (*rounds >= w->options->most)
            return carom_rigid_tell_endless(stepper, state->time, *rounds, is_approaching,
                                            &(struct approaching){w, mode}, error);
        if (*rounds % 16 == 15 &&
            carom_striker_stopped(&(struct carom_collision){.patience = stepper->patience}, error))
            return CAROM_E_STOPPED;
        status = strike(stepper, state, error);
        /* new velocities: a force that was to end may go on */
        memset(w->released, 0, w->model->nc * sizeof *w->released);
    }
    return status;
}

/* --- impacts that die out ---------------------------------------------------------------------------------------- */

double carom_event_sets_rest_time(const struct carom_event_work *w, const struct carom_state *state, size_t j)
{
    const double *parted = carom_event_memory(state, w->model->nc, CAROM_EVENT_PARTED);
    double ratio = parted[j] > 0.0 ? w->rate[j] / parted[j] : w->e[j];
    if (!(ratio < 1.0) || fabs(ratio - w->e[j]) < 1e-3 * (1.0 - w->e[j]))
        ratio = w->e[j];
    const double left = ratio < 1.0 ? 2.0 * w->rate[j] / (-w->bend[j] * (1.0 - ratio)) : 0.0;
    return state->time + (state->time_low + left);
}

static bool weaker(const struct carom_event_work *w, const struct carom_state *state, size_t j)
{
    const double *parted = carom_event_memory(state, w->model->nc, CAROM_EVENT_PARTED);
    return parted[j] > 0.0 && w->rate[j] <= 0.5 * (1.0 + w->e[j]) * parted[j];
}

bool carom_event_sets_fades(const struct carom_event_work *w, const struct carom_state *state, size_t j)
{
    return weaker(w, state, j) && carom_event_memory(state, w->model->nc, CAROM_EVENT_COUNT)[j] + 1.0 >= IN_A_ROW;
}

/* May another contact close before the bounces of j have ended, faster than bounces of height `near`, which coordinates
 * do not tell? Its impact finds j open, if by next to nothing, and j then bounces anew; were it held, it would not, and
 * velocities would differ by as much as the impact does to j, however low the bounces: a height is small as the square
 * of a rate. Rates are taken for twice what they are: bounces that are followed in vain cost little. */
static bool is_cut_short(const struct carom_event_work *w, const struct carom_state *state, size_t j, double near)
{
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    const double time = carom_event_sets_rest_time(w, state, j) - state->time;
    for (size_t i = 0; i < w->model->nc; i++) {
        const double in = fmax(-w->rate[i], 0.0) - w->bend[j] * time;
        if (i != j && !carom_event_held(mode[i]) && w->gap[i] <= 2.0 * in * time && in * in > -2.0 * w->bend[j] * near)
            return true;
    }
    return false;
}

/* Of flights that are not in closed form `low` goes with the error that a step may have: a run leaves out what its
 * pilots do. */
static bool dies_out(struct carom_stepper *stepper, const struct carom_state *state, size_t j)
{
    const struct carom_event_work *w = stepper->work;
    const double allowed = w->exact ? w->options->tol : state->memory[CAROM_EVENT_ALLOWED];
    const double near = carom_event_near(w, state, j), low = low_bounce * allowed * w->length;
    if (!w->struck[j] || !(w->e[j] < 1.0) || !(w->bend[j] < 0.0))
        return false;
    const double height = 0.5 * w->rate[j] * w->rate[j] / -w->bend[j];
    return height <= near ||
           (height <= low && carom_event_sets_fades(w, state, j) &&
            (w->exact || (carom_event_smooth_lasts(stepper, state, j, carom_event_sets_rest_time(w, state, j)) &&
                          !is_cut_short(w, state, j, near))));
}

/* marks them as at rest; true if there are any */
static bool die_out(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_event_work *w = stepper->work;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE);
    double *rest = carom_event_memory(state, w->model->nc, CAROM_EVENT_REST);
    bool any = false;
    for (size_t j = 0; j < w->model->nc; j++)
        if (mode[j] == CAROM_EVENT_TOUCH && w->rate[j] > carom_event_slow(w) && dies_out(stepper, state, j)) {
            rest[j] = carom_event_sets_rest_time(w, state, j);
            any = w->at_rest[j] = true;
            carom_stepper_leave_out(stepper, 0.5 * w->rate[j] * w->rate[j] / -w->bend[j], w->e[j]);
        }
    return any;
}

bool carom_event_sets_collapse(struct carom_stepper *stepper, struct carom_frame *frame, struct carom_state *state,
                               size_t hit, double zone)
{
    struct carom_event_work *w = stepper->work;
    struct carom_collapse *c = &w->collapse;
    const size_t nc = w->model->nc;
    double *mode = carom_event_memory(state, nc, CAROM_EVENT_MODE),
           *rest = carom_event_memory(state, nc, CAROM_EVENT_REST);
    const struct carom_collapse_moment moment = {.state = state,
                                                 .e = w->e,
                                                 .gap = w->gap,
                                                 .rate = w->rate,
                                                 .hit = hit,
                                                 .zone = zone,
                                                 .noise = carom_event_noise(w, state->q, hit),
                                                 .slow = carom_event_slow(w),
                                                 .matters = w->options->tol * w->speed,
                                                 .probe = 1e-4 * w->length / w->speed};
    if (!carom_collapse_follow(c, stepper, frame, &moment))
        return false;
    carom_collapse_take(c, frame, state);
    carom_event_look(w, state->time + state->time_low, state->q, state->v);
    for (size_t i = 0; i < c->n; i++) {
        const size_t j = c->contact[i];
        if (!(c->hits[i] > 0.0))
            continue;
        w->struck[j] = true;
        const double after = c->struck[i] ? 0.0 : w->rate[j];
        carom_event_tell(w, state, j, CAROM_EVENT_IMPACT, c->hits[i], c->first[i], after,
                         carom_event_taken(c->hits[i], c->first[i], after));
        if (!c->struck[i])
            continue;
        mode[j] = CAROM_EVENT_TOUCH;
        rest[j] = state->time + (state->time_low + c->time);
    }
    return true;
}

/* --- the instant ------------------------------------------------------------------------------------------------- */

/* Holding some contacts may have brought another to rest that presses: it must be held too. */
static bool any_presses(const struct carom_event_work *w, const double *mode)
{
    for (size_t j = 0; j < w->model->nc; j++)
        if (mode[j] == CAROM_EVENT_TOUCH && !w->released[j] && !w->at_rest[j] &&
            fabs(w->rate[j]) <= carom_event_slow(w) && w->bend[j] < 0.0)
            return true;
    return false;
}

static enum carom_status hold(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    enum carom_status status = CAROM_OK;
    if (w->exact) {
        carom_event_row_hold(w, state);
    } else {
        carom_event_facets_keep(w, state->q, true);
        status = carom_event_smooth_hold(stepper, state, error);
        carom_event_facets_free(w);
    }
    if (status == CAROM_OK)
        carom_event_look(w, state->time + state->time_low, state->q, state->v);
    return status;
}

static void classify(struct carom_stepper *stepper, struct carom_state *state, size_t hit, bool part)
{
    struct carom_event_work *w = stepper->work;
    const size_t nc = w->model->nc;
    double *mode = carom_event_memory(state, nc, CAROM_EVENT_MODE);
    /* what has pulled held contacts back onto each other has moved the gap that was found closed, and others like it */
    const double moved = !w->exact && !part && hit < nc && w->gap[hit] < HUGE_VAL ? 2.0 * fabs(w->gap[hit]) : 0.0;
    memcpy(w->was, mode, nc * sizeof(double));
    w->stopped = 0.0;
    for (size_t j = 0; j < nc; j++) {
        w->struck[j] = false;
        w->faint[j] = 0.0;
        w->released[j] = part && j == hit;
        if (w->gap[j] < stepper->worst_gap)
            stepper->worst_gap = w->gap[j];
        if (!carom_event_held(mode[j]))
            mode[j] =
                j == hit || w->gap[j] <= carom_event_near(w, state, j) + moved ? CAROM_EVENT_TOUCH : CAROM_EVENT_FREE;
    }
    carom_event_corners_choose(w, state);
}

void carom_event_sets_conclude(struct carom_event_work *w, struct carom_state *state)
{
    const size_t nc = w->model->nc;
    const double *mode = carom_event_memory(state, nc, CAROM_EVENT_MODE);
    double *parted = carom_event_memory(state, nc, CAROM_EVENT_PARTED),
           *count = carom_event_memory(state, nc, CAROM_EVENT_COUNT),
           *rest = carom_event_memory(state, nc, CAROM_EVENT_REST);
    for (size_t j = 0; j < nc; j++) {
        const bool held = carom_event_held(mode[j]), was = carom_event_held(w->was[j]);
        if (held) {
            parted[j] = count[j] = 0.0;
        } else if (w->struck[j]) {
            count[j] = weaker(w, state, j) ? count[j] + 1.0 : 0.0;
            parted[j] = w->rate[j];
        }
        if (!held && was && rest[j] == 0.0)
            carom_event_tell(w, state, j, CAROM_EVENT_OPEN, 0.0, 0.0, w->rate[j], 0.0);
        if (held && !was && rest[j] == 0.0 && state->memory[CAROM_EVENT_BEGUN] != 0.0)
            carom_event_tell(w, state, j, CAROM_EVENT_CLOSE, 0.0, 0.0, 0.0, 0.0);
        if (held && was && (mode[j] == CAROM_EVENT_HELD) != (w->was[j] == CAROM_EVENT_HELD))
            carom_event_tell(w, state, j, mode[j] == CAROM_EVENT_HELD ? CAROM_EVENT_STICK : CAROM_EVENT_SLIP, 0.0, 0.0,
                             0.0, 0.0);
        rest[j] = held ? rest[j] : 0.0;
    }
}

enum carom_status carom_event_sets_settle(struct carom_stepper *stepper, struct carom_state *state, size_t hit,
                                          bool part, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const size_t nc = w->model->nc;
    double *mode = carom_event_memory(state, nc, CAROM_EVENT_MODE);
    long rounds = 0;
    w->instant = w->nevents;
    carom_event_look(w, state->time + state->time_low, state->q, state->v);
    classify(stepper, state, hit, part);
    if (carom_event_corners_check(w, state, error) != CAROM_OK)
        return CAROM_E_NUMERIC;
    if (part && !w->exact)
        carom_event_smooth_release(stepper, state);
    /* the end of a place: another goes on, beside which this one would approach by what their normals differ */
    if (part && hit < nc && w->gap[hit] == HUGE_VAL)
        mode[hit] = CAROM_EVENT_FREE;
    if (!part && hit < nc && w->collapse.room > 0) {
        const double near = carom_event_near(w, state, hit), allowed = w->options->tol * w->length;
        const double zone = fmax(fmax(in_a_zone * allowed, fmin(1e3 * near, 0.1 * allowed)), 10.0 * near);
        for (size_t j = 0; j < nc; j++)
            w->collapse.shut[j] = closed(mode, j);
        carom_event_sets_collapse(stepper, &w->frame, state, hit, zone);
    }
    for (;;) {
        enum carom_status status = strike_all(stepper, state, &rounds, error);
        if (status != CAROM_OK)
            return status;
        for (size_t j = 0; j < nc; j++)
            w->at_rest[j] = closed(mode, j) && fabs(w->rate[j]) <= carom_event_slow(w) + w->faint[j];
        status = hold(stepper, state, error);
        if (status == CAROM_OK && die_out(stepper, state))
            status = hold(stepper, state, error);
        if (status != CAROM_OK)
            return status;
        if (!any_approaches(w, mode) && !any_presses(w, mode))
            break;
    }
    carom_event_sets_conclude(w, state);
    carom_event_leave_gentle(stepper, state);
    return CAROM_OK;
}
