/* An instant of moreau-adaptive: impacts of all that touches, as moreau-jean has them in a step of no length; low
 * bounces are left out; then the modes in which contacts go on, by a tiny step. Events of a contact are told as one. */
#include <string.h>

#include "model/motion.h"
#include "scheme/rigid/adaptive/adaptive_cone.h"
#include "scheme/rigid/rigid_tell.h"
#include "scheme/stepper.h"

enum { ROUNDS = 10000 };               /* impacts in one instant */
static const double low_bounce = 1e-3; /* of what a step may be off */
/* Heights in U and in tol U: bounces lower than both are left out, too. At a height of h U the rounding of gaps makes
 * DBL_EPSILON / h of the time of flight uncertain, which is more than forces change it, sqrt(h), if h^1.5 is less. */
static const double least_bounce = 3.7e-11, told = 0.1;

void carom_adaptive_turn_look(struct carom_adaptive *w, double t, const double *q, const double *v)
{
    const struct carom_model *model = w->moreau.rigid.model;
    carom_contacts_deform(model, t, q, v, w->gap, w->rate);
    for (size_t j = 0; j < model->nc; j++) {
        w->gap[j] = -w->gap[j];
        w->rate[j] = -w->rate[j];
    }
    memset(w->slip, 0, w->wide * model->nc * sizeof(double));
    if (w->wide > 1)
        carom_adaptive_cone_look(w, q, v);
    else if (model->frictional)
        carom_contacts_slip(model, t, q, v, w->slip);
}

/* --- impacts --------------------------------------------------------------------------------------------------- */

static size_t collect(const struct carom_adaptive *w, const bool *which, size_t *contact)
{
    size_t n = 0;
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++)
        if (which[j])
            contact[n++] = j;
    return n;
}

/* the problem of c->n contacts in the frame, from no impulse; answers in c->impulse and friction.impulse */
static enum carom_status solve(struct carom_stepper *stepper, double t, bool lasting, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    struct carom_rigid_step *c = &m->rigid;
    for (size_t k = 0; k < c->n; k++) {
        c->impulse[k] = 0.0;
        if (m->frame.chain) {
            c->diagonal[k] = m->frame.diagonal[k];
            c->beside[k] = m->frame.beside[k];
        }
        m->lasting[k] = true;
    }
    if (!m->frame.both)
        return carom_rigid_step_solve(c, stepper, t, m->frame.chain ? NULL : m->frame.matrix, error);
    memset(m->friction.impulse, 0, m->frame.tangents * c->n * sizeof(double));
    return lasting ? carom_coulomb_solve(&m->friction, stepper, &m->frame, t, c->b, m->lasting, c->impulse, error)
                   : carom_coulomb_strike(&m->friction, stepper, &m->frame, t, c->b, c->impulse, error);
}

static void book(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    const struct carom_rigid_step *c = &m->rigid;
    double loss = 0.0;
    carom_frame_rates(&m->frame, state->v, m->after);
    carom_frame_work(&m->frame, c->impulse, state->work);
    for (size_t k = 0; k < c->n; k++) {
        const double lost =
            w->blow ? carom_adaptive_blow_lost(w->blow, k, false) : -0.5 * c->impulse[k] * (m->before[k] + m->after[k]);
        state->lost[c->contact[k]] += lost;
        loss += lost;
        if (c->impulse[k] > 0.0 && !m->frame.both && !w->blow)
            carom_stepper_blur(stepper, m->before[k], m->after[k], c->e[c->contact[k]]);
        if (c->impulse[k] > 0.0)
            carom_adaptive_tell_impact(w, state->time, c->contact[k], c->impulse[k], m->before[k], m->after[k]);
    }
    if (m->frame.both) {
        const struct carom_coulomb *r = &m->friction;
        carom_frame_slips(&m->frame, m->frame.slide, state->v, r->after);
        carom_frame_slip_work(&m->frame, m->frame.slide, r->impulse, state->work);
        for (size_t k = 0, ways = m->frame.tangents, at = 0; k < c->n; k++, at += ways) {
            double lost = 0.0,
                   by = w->blow ? carom_adaptive_blow_lost(w->blow, k, true)
                                : carom_coulomb_took(ways, r->impulse + at, r->before + at, r->after + at, &lost);
            state->friction_loss[c->contact[k]] += by;
            state->lost[c->contact[k]] += lost;
            loss += by + lost;
        }
    }
    stepper->created -= fmin(loss, 0.0);
}

static enum carom_status strike(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    struct carom_rigid_step *c = &m->rigid;
    c->n = collect(w, w->touches, c->contact);
    enum carom_status status = carom_frame_set(&m->frame, state->time, state->q, c->contact, c->n, error);
    if (status != CAROM_OK)
        return status;
    carom_frame_rates(&m->frame, state->v, m->before);
    if (m->frame.both)
        carom_frame_slips(&m->frame, m->frame.slide, state->v, m->friction.before);
    for (size_t k = 0; k < c->n; k++) {
        const size_t j = c->contact[k];
        c->b[k] = (1.0 + c->e[j]) * m->before[k];
        if (m->frame.both)
            m->friction.stuck[k] = carom_adaptive_cone_size(w, w->slip, j) <= w->slow;
    }
    if (m->frame.both)
        memcpy(m->friction.freely, m->friction.before, m->frame.tangents * c->n * sizeof(double));
    /* less than a step may err, since what follows magnifies it, and with that: pilots tell what it amounts to */
    status = w->blow ? carom_adaptive_blow_strike(w->blow, &m->frame, state->v, fmax(0.3 * w->allowed, 1e-12),
                                                  c->impulse, m->friction.impulse, error)
                     : solve(stepper, state->time, false, error);
    if (status != CAROM_OK)
        return status;
    carom_frame_push(&m->frame, c->impulse, state->v);
    if (m->frame.both)
        carom_frame_friction(&m->frame, m->friction.impulse, state->v);
    if (m->frame.both && !w->blow)
        carom_coulomb_polish(&m->friction, &m->frame, m->before, c->b, w->slow, state->v);
    book(stepper, state);
    carom_adaptive_turn_look(w, state->time, state->q, state->v);
    return CAROM_OK;
}

static bool approaches(const void *own, size_t j)
{
    const struct carom_adaptive *w = own;
    return w->touches[j] && w->rate[j] < -w->slow;
}

static enum carom_status strike_all(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (int round = 0; status == CAROM_OK && carom_rigid_tell_any(stepper, approaches, stepper->work); round++) {
        if (round >= ROUNDS)
            return carom_rigid_tell_endless(stepper, state->time, ROUNDS, approaches, stepper->work, error);
        status = strike(stepper, state, error);
        if (status == CAROM_OK)
            carom_adaptive_edge_amid(stepper, state, round == 0);
    }
    return status;
}

/* Impacts of several contacts that die out in a moment are over at once. */
static void collapse(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_collapse *c = &w->collapse;
    if (w->why != CAROM_ADAPTIVE_STRIKES || c->room == 0)
        return;
    memcpy(c->shut, w->touches, stepper->model->nc * sizeof *c->shut);
    const struct carom_collapse_moment moment = {.state = state,
                                                 .e = w->moreau.rigid.e,
                                                 .gap = w->gap,
                                                 .rate = w->rate,
                                                 .hit = w->which,
                                                 .zone = fmax(0.01 * w->options->tol * w->length, 10.0 * w->touch),
                                                 .noise = 1e-14 * w->length,
                                                 .slow = w->slow,
                                                 .matters = w->options->tol * w->speed,
                                                 .probe = 1e-4 * w->time};
    if (!carom_collapse_follow(c, stepper, &w->moreau.frame, &moment))
        return;
    carom_collapse_take(c, &w->moreau.frame, state);
    carom_adaptive_turn_look(w, state->time, state->q, state->v);
    for (size_t i = 0; i < c->n; i++) {
        if (c->hits[i] > 0.0)
            carom_adaptive_tell_impact(w, state->time, c->contact[i], c->hits[i], c->first[i],
                                       c->struck[i] ? 0.0 : w->rate[c->contact[i]]);
        w->touches[c->contact[i]] |= c->struck[i];
    }
}

/* --- modes ----------------------------------------------------------------------------------------------------- */

/* how long a tiny step is */
static double tiny(const struct carom_adaptive *w, double smooth)
{
    return 1e-4 * fmax(smooth, 1e-4 * w->time);
}

/* Changes of gap and slip rates in a tiny step of size h without forces of contacts, times 2 and times `part`, are
 * added to c->b and friction.freely; the frame is that of the c->n contacts in the middle of the step. */
static enum carom_status let_go(struct carom_stepper *stepper, double t, const double *q, const double *v, double h,
                                double part, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    struct carom_rigid_step *c = &m->rigid;
    const struct carom_model *model = stepper->model;
    w->nclosed = 0;
    memset(w->tiny, 0, w->ny * sizeof(double));
    memcpy(w->tiny, q, model->nq * sizeof(double));
    memcpy(w->tiny + model->nq, v, model->nv * sizeof(double));
    enum carom_status status = carom_adaptive_leap_step(stepper, t, h, w->tiny, error);
    if (status == CAROM_OK)
        status = carom_frame_set(&m->frame, t + 0.5 * h, m->place, c->contact, c->n, error);
    if (status != CAROM_OK)
        return status;
    carom_frame_rates(&m->frame, v, m->before);
    carom_frame_rates(&m->frame, w->tiny + model->nq, m->freely);
    for (size_t k = 0; k < c->n; k++) /* as if they had no rate now: it is rounding, or is taken away */
        c->b[k] += part * ((m->before[k] + m->freely[k]) - 2.0 * w->rate[c->contact[k]]);
    if (!m->frame.both)
        return CAROM_OK;
    carom_frame_slips(&m->frame, m->frame.slide, v, m->friction.before);
    carom_frame_slips(&m->frame, m->frame.slide, w->tiny + model->nq, m->friction.after);
    const size_t ways = m->frame.tangents;
    for (size_t k = 0; k < ways * c->n; k++) {
        const double *slip = w->slip + w->wide * c->contact[k / ways];
        const double now = ways == 1 ? *slip : carom_vec_dot(m->frame.axes[k / 2] + 3 * (k % 2), slip);
        m->friction.freely[k] += part * ((m->friction.before[k] + m->friction.after[k]) - 2.0 * now);
    }
    return CAROM_OK;
}

enum carom_status carom_adaptive_turn_modes(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                            double h, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    struct carom_moreau *m = &w->moreau;
    struct carom_rigid_step *c = &m->rigid;
    const double fastest = carom_rigid_step_size(v, stepper->model->nv);
    for (size_t j = 0; j < stepper->model->nc; j++)
        w->mode[j] = CAROM_COULOMB_OPEN;
    c->n = collect(w, w->rests, c->contact);
    if (c->n == 0)
        return CAROM_OK;
    memset(c->b, 0, c->n * sizeof(double));
    if (m->friction.freely)
        memset(m->friction.freely, 0, m->frame.tangents * c->n * sizeof(double));
    enum carom_status status = let_go(stepper, t, q, v, h, -1.0, error);
    if (status == CAROM_OK)
        status = let_go(stepper, t, q, v, 0.5 * h, 4.0, error);
    if (status != CAROM_OK)
        return status;
    if (w->wide > 1)
        return carom_adaptive_cone_modes(stepper, t, fastest, error);
    for (size_t k = 0; m->frame.both && k < c->n; k++) {
        m->friction.before[k] = fabs(w->slip[c->contact[k]]) <= w->slow ? 0.0 : w->slip[c->contact[k]];
        m->friction.freely[k] += 2.0 * m->friction.before[k];
        m->friction.stuck[k] = w->stuck[c->contact[k]];
    }
    status = solve(stepper, t, true, error);
    for (size_t k = 0; status == CAROM_OK && k < c->n; k++) {
        const bool presses = c->impulse[k] * m->frame.diagonal[k] > 64.0 * DBL_EPSILON * fastest;
        const enum carom_coulomb_mode shut = m->frame.both ? m->friction.mode[k] : CAROM_COULOMB_STICK;
        w->mode[c->contact[k]] = presses ? shut : CAROM_COULOMB_OPEN;
    }
    return status;
}

/* A contact that leaves with a speed that forces bring back before it has risen noticeably stays. True if any
 * does. */
static enum carom_status die_out(struct carom_stepper *stepper, const struct carom_state *state, double h, bool *any,
                                 struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const double low = fmax(low_bounce * w->allowed, fmin(least_bounce, told * w->options->tol)) * w->length;
    bool candidate = false;
    *any = false;
    for (size_t j = 0; j < model->nc; j++)
        candidate |= w->touches[j] && !w->rests[j] && w->moreau.rigid.e[j] < 1.0 && w->rate[j] > 0.0;
    if (!candidate)
        return CAROM_OK;
    carom_adaptive_leap_modes(w);
    memset(w->tiny, 0, w->ny * sizeof(double));
    memcpy(w->tiny, state->q, model->nq * sizeof(double));
    memcpy(w->tiny + model->nq, state->v, model->nv * sizeof(double));
    const enum carom_status status = carom_adaptive_leap_step(stepper, state->time, h, w->tiny, error);
    if (status != CAROM_OK)
        return status;
    carom_contacts_deform(model, state->time + h, w->tiny, w->tiny + model->nq, w->moreau.after, w->moreau.freely);
    for (size_t j = 0; j < model->nc; j++) {
        const double bend = (-w->moreau.freely[j] - w->rate[j]) / h;
        if (!w->touches[j] || w->rests[j] || !(w->moreau.rigid.e[j] < 1.0) || !(w->rate[j] > 0.0) || !(bend < 0.0))
            continue;
        const double height = 0.5 * w->rate[j] * w->rate[j] / -bend;
        if (height > low)
            continue;
        /* the flights left out would take 2 r / |y''| (1 + e + e^2 + ...) */
        const double left = 2.0 * w->rate[j] / (-bend * (1.0 - w->moreau.rigid.e[j]));
        carom_adaptive_rests(state, model->nc)[j] = state->time + (state->time_low + left);
        *any = w->rests[j] = true;
        carom_stepper_leave_out(stepper, height, w->moreau.rigid.e[j]);
    }
    return CAROM_OK;
}

/* Takes out of the state what breaks the modes of w->mode, by impulses with friction or without; *taken: what little
 * energy that took. */
static enum carom_status calm(struct carom_stepper *stepper, double t, struct carom_state *state, bool friction,
                              double *taken, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    double kinetic, stored;
    *taken = 0.0;
    carom_adaptive_leap_modes(w);
    if (w->nclosed == 0)
        return CAROM_OK;
    carom_motion_energy(stepper->model, t, state->q, state->v, state->scratch, &kinetic, &stored);
    const double before = kinetic + stored;
    const enum carom_status status = carom_adaptive_leap_settle(stepper, t, state->q, state->v, friction, error);
    if (status != CAROM_OK)
        return status;
    carom_motion_energy(stepper->model, t, state->q, state->v, state->scratch, &kinetic, &stored);
    *taken = before - (kinetic + stored);
    return CAROM_OK;
}

enum carom_status carom_adaptive_turn_halt(struct carom_stepper *stepper, double t, struct carom_state *state,
                                           struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const size_t nc = stepper->model->nc;
    size_t first = nc;
    double taken;
    carom_adaptive_turn_look(w, t, state->q, state->v);
    for (size_t j = nc; j-- > 0;)
        if (carom_adaptive_cone_stopped(w, j)) {
            w->mode[j] = CAROM_COULOMB_STICK;
            first = j;
        }
    if (first == nc)
        return CAROM_OK;
    const enum carom_status status = calm(stepper, t, state, false, &taken, error);
    state->friction_loss[first] += taken;
    return status;
}

enum carom_status carom_adaptive_turn_agrees(struct carom_stepper *stepper, double t, const double *q, const double *v,
                                             bool *agrees, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const size_t nc = stepper->model->nc;
    memcpy(w->was, w->mode, nc * sizeof *w->was);
    for (size_t j = 0; j < nc; j++) {
        w->rests[j] = w->mode[j] != CAROM_COULOMB_OPEN;
        w->stuck[j] = w->mode[j] == CAROM_COULOMB_STICK;
    }
    carom_adaptive_turn_look(w, t, q, v);
    const enum carom_status status = carom_adaptive_turn_modes(stepper, t, q, v, tiny(w, w->time), error);
    *agrees = true;
    for (size_t j = 0; j < nc; j++)
        *agrees &= w->mode[j] == w->was[j];
    memcpy(w->mode, w->was, nc * sizeof *w->was);
    carom_adaptive_leap_modes(w);
    return status;
}

/* marks (in w->touches) contacts that came to rest, are not pressed and overlap or approach; true if any is new */
static bool mark_meeting(struct carom_adaptive *w)
{
    const struct carom_model *model = w->moreau.rigid.model;
    /* friction goes with rates and has its own ways to rest; a driven wall goes on, so that what is stopped there does
     * not stay so */
    const bool stops = !model->frictional && (model->offers & CAROM_UNDRIVEN);
    bool any = false;
    w->nclosed = 0;
    for (size_t j = 0; j < model->nc; j++) {
        const bool meets =
            w->rests[j] && w->mode[j] == CAROM_COULOMB_OPEN && (w->gap[j] < 0.0 || (w->rate[j] < 0.0 && stops));
        any |= meets && !w->touches[j];
        w->touches[j] |= meets;
        if (w->touches[j]) {
            w->some[w->nclosed] = CAROM_COULOMB_STICK;
            w->closed[w->nclosed++] = j;
        }
    }
    return any;
}

/* Contacts that came to rest and are not pressed are open, but may overlap by as much as instants are not located
 * exactly, or approach by what counts as no rate; nothing would ever part them. They are moved to where they touch, and
 * stopped, which may push the next. */
static enum carom_status part(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    enum carom_status status = CAROM_OK;
    memset(w->touches, 0, stepper->model->nc * sizeof *w->touches);
    while (status == CAROM_OK && mark_meeting(w)) {
        status = stepper->model->frictional
                     ? carom_adaptive_leap_close(stepper, state->time, state->q, error)
                     : carom_adaptive_leap_settle(stepper, state->time, state->q, state->v, false, error);
        carom_adaptive_turn_look(w, state->time, state->q, state->v);
    }
    return status;
}

/* --- the instant ----------------------------------------------------------------------------------------------- */

static void classify(struct carom_adaptive *w, const double *modes)
{
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++) {
        const bool hit = j == w->which && w->why == CAROM_ADAPTIVE_STRIKES;
        const bool gone = j == w->which && w->why == CAROM_ADAPTIVE_RELEASES;
        w->was[j] = w->mode[j] = (enum carom_coulomb_mode)modes[j];
        w->touches[j] = !gone && (w->mode[j] != CAROM_COULOMB_OPEN || hit ||
                                  w->gap[j] <= w->touch + 4.0 * w->exact * fabs(w->rate[j]));
        w->told[j] = false;
    }
}

/* rests: touches and does not move apart; stuck: nor along, unless it is the one that breaks away */
static void rest(struct carom_adaptive *w)
{
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++) {
        const bool breaks = j == w->which && w->why == CAROM_ADAPTIVE_BREAKS;
        w->rests[j] = w->touches[j] && fabs(w->rate[j]) <= w->slow;
        w->stuck[j] = carom_adaptive_cone_size(w, w->slip, j) <= w->none && !breaks && !carom_adaptive_cone_young(w, j);
    }
}

enum carom_status carom_adaptive_turn(struct carom_stepper *stepper, struct carom_state *state,
                                      struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const size_t nc = stepper->model->nc;
    const double h = tiny(w, state->memory[CAROM_ADAPTIVE_SMOOTH]);
    const bool first = state->step == 0 && state->memory[CAROM_ADAPTIVE_BEGUN] == 0.0;
    double taken;
    carom_adaptive_turn_look(w, state->time, state->q, state->v);
    classify(w, carom_adaptive_modes(state));
    collapse(stepper, state);
    enum carom_status status = strike_all(stepper, state, error);
    rest(w);
    for (bool more = true; more && status == CAROM_OK;) {
        status = carom_adaptive_turn_modes(stepper, state->time, state->q, state->v, h, error);
        if (status == CAROM_OK)
            status = die_out(stepper, state, h, &more, error);
    }
    if (status == CAROM_OK)
        status = carom_adaptive_edge(stepper, state, h, error);
    /* by a hair's breadth the modes are those before, as when this step of no length began: those for which it
     * ended, or the next would end at once */
    if (w->why == CAROM_ADAPTIVE_DIFFERS && w->still > 0 && status == CAROM_OK &&
        memcmp(w->mode, w->was, nc * sizeof *w->was) == 0)
        status = carom_adaptive_turn_modes(stepper, state->time, state->q, state->v, tiny(w, w->time), error);
    if (status != CAROM_OK)
        return status;
    if (w->why == CAROM_ADAPTIVE_BREAKS && w->mode[w->which] == CAROM_COULOMB_STICK) /* by a hair's breadth */
        carom_adaptive_cone_break(w, w->which);
    status = part(stepper, state, error);
    if (status != CAROM_OK)
        return status;
    /* What stops contacts that closed is what the bounces left out would have taken from the forces of rest, friction
     * included. */
    carom_adaptive_cone_begin(w, state->q, state->v, w->begins);
    status = calm(stepper, state->time, state, true, &taken, error);
    if (w->nclosed > 0)
        state->lost[w->closed[0]] += taken;
    carom_adaptive_tell_modes(w, state, first);
    for (size_t j = 0; j < nc; j++)
        carom_adaptive_modes(state)[j] = w->mode[j];
    if (w->wide > 1)
        memcpy(carom_adaptive_ways(state, nc), w->begins, 3 * nc * sizeof(double));
    state->memory[CAROM_ADAPTIVE_BEGUN] = 1.0;
    return status;
}
