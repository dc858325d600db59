/* Rigid contacts at any order, after Mannshardt 1978 and Acary 2009 (slides 'Time-stepping schemes of any order'):
 * flights by a Runge-Kutta method of order 2 to 8 (or Gauss, Radau), cut where a contact closes, a small bracket around
 * that moment stepped over by Moreau's method, then on. Impacts that accumulate, several events in a step, contacts
 * that last and open again are all part of it. Either the step is given, and the bracket is
 *     bracket h (h V / U)^order
 * long, or `tol` is, and step, order and bracket follow. Not for friction. */
#include "scheme/rigid/mannshardt/mannshardt.h"

#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "carom/law.h"
#include "scheme/stepper.h"

enum { EVENTS = 4096, WIDEST = 240 }; /* a call ends when so many are noted; coordinates and velocities of implicit */

#define FIELD(name) offsetof(struct carom_mannshardt_options, name)

static const char *const orders[] = {"auto", "1", "2", "3", "4", "5", "6", "7", "8", NULL};
static const char *const methods[] = {"explicit", "gauss", "radau", NULL};
static const char *const impacts[] = {"moreau", "newton", NULL}; /* as carom_striker_impacts has them */

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, FIELD(tol), 1e-9, 1e-13, 0.1, "1",
     "error allowed over the run, relative to U (displacement, at all times) and V (velocity, on average)", NULL},
    {"step", CAROM_REAL, FIELD(step), 0, 0, HUGE_VAL, "s", "fixed time step, tol is then ignored; 0: by tol", NULL},
    {"order", CAROM_CHOICE, FIELD(order), 0, 0, 8, "1",
     "of flights: explicit 2 to 8, gauss 2, 4, 6, radau 1, 3, 5; auto: as tol asks", orders},
    {"method", CAROM_CHOICE, FIELD(method), 0, 0, 2, "1", "Runge-Kutta method; gauss and radau for stiff systems",
     methods},
    {"bracket", CAROM_REAL, FIELD(bracket), 1e-4, 0, 1, "1",
     "length of the bracket around an impact over step (step V / U)^order", NULL},
    {"impact", CAROM_CHOICE, FIELD(impact), 0, 0, 1, "1",
     "impact law: all contacts of a bracket at once, or pair by pair", impacts},
    {"share", CAROM_REAL, FIELD(share), 0.0, 0.0, 1.0, "1",
     "part of tol that one step may take; 0: found by pilot runs", NULL},
    {"most", CAROM_INTEGER, FIELD(most), 1e4, 1, 1e9, "1", "brackets in one instant before the run gives up", NULL},
    {"solver", CAROM_CHOICE, FIELD(solver), 0, 0, 4, "1", "of contact problems", carom_lcp_solvers},
    {"solver_tol", CAROM_REAL, FIELD(solver_tol), 1e-10, CAROM_POSITIVE, 1e-3, "1",
     "largest residual of a contact problem", NULL},
    CAROM_PARAM_END,
};

/* --- opening ----------------------------------------------------------------------------------------------------- */

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_mannshardt_options *o = options;
    static const char *const has[] = {"2 to 8", "2, 4 and 6", "1, 3 and 5"};
    if (o->order > 0 && !carom_mannshardt_control_has(o->method, o->order))
        return carom_error_set(error, CAROM_E_REFUSED, "method %s has the orders %s, not %d", methods[o->method],
                               has[o->method], o->order);
    if (o->method != CAROM_MANNSHARDT_EXPLICIT && model->nq + model->nv > WIDEST)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "method %s solves full systems and takes up to %d coordinates and velocities, the model "
                               "has %zu: take method: explicit",
                               methods[o->method], WIDEST, model->nq + model->nv);
    for (size_t i = 0; i < model->ngroups; i++)
        for (size_t j = 0; j < model->group[i].count; j++) {
            const struct carom_group *g = &model->group[i];
            if (g->ncolumns > CAROM_RIGID_MU && g->param[CAROM_RIGID_MU][j] > 0.0)
                return carom_error_set(error, CAROM_E_REFUSED,
                                       "contact %zu has friction, which scheme mannshardt does not support: take "
                                       "moreau-jean",
                                       carom_frame_number(model, g->first + j));
        }
    return CAROM_OK;
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_columns_size(carom_mannshardt_columns, CAROM_MANNSHARDT_COLUMNS, model);
}

static void close(struct carom_stepper *stepper)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    carom_memory_free(w->e);
    carom_striker_free(w->striker);
    carom_collapse_close(&w->collapse);
    carom_event_smooth_close(&w->smooth);
    carom_mannshardt_implicit_close(m);
    carom_memory_free(m);
    stepper->work = NULL;
}

static bool allocate(struct carom_mannshardt *m)
{
    struct carom_event_work *w = &m->event;
    const size_t nc = w->model->nc;
    enum { STAGES = CAROM_TABLEAU_EXPLICIT_STAGES + 1 };
    w->room = EVENTS + 3 * nc;
    const bool all = carom_memory_together(
        CAROM_ROOM(w->e, nc), CAROM_ROOM(w->gap, nc), CAROM_ROOM(w->rate, nc), CAROM_ROOM(w->bend, nc),
        CAROM_ROOM(w->gentle, nc), CAROM_ROOM(w->was, nc), CAROM_ROOM(w->at_rest, nc), CAROM_ROOM(w->released, nc),
        CAROM_ROOM(w->struck, nc), CAROM_ROOM(w->set, nc), CAROM_ROOM(m->first, nc), CAROM_ROOM(m->least, nc),
        CAROM_ROOM(m->last, nc), CAROM_ROOM(m->begin, nc), CAROM_ROOM(m->zero, nc), CAROM_ROOM(m->doubt, nc),
        CAROM_ROOM(m->other, m->ny), CAROM_ROOM(m->moment, m->ny), CAROM_ROOM(m->k[0], STAGES * m->ny),
        CAROM_ROOM(w->of_set, 4 * nc), CAROM_ROOM(w->after, w->model->nv), CAROM_ROOM(m->kick, w->model->nv),
        CAROM_ROOM(w->event, w->room));
    for (size_t i = 1; all && i < STAGES; i++)
        m->k[i] = m->k[0] + i * m->ny;
    return all;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    struct carom_mannshardt *m = stepper->work = carom_memory_zeroed(1, sizeof *m);
    if (!m)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme mannshardt");
    struct carom_event_work *w = &m->event;
    const struct carom_mannshardt_options *o = m->options = stepper->options;
    m->like = (struct carom_event_options){
        .tol = o->tol, .touch = 1e-13, .solver_tol = o->solver_tol, .solver = o->solver, .most = o->most};
    w->model = model;
    w->options = &m->like;
    w->length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    w->speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    m->fixed = o->step > 0.0;
    m->flat = (model->offers & CAROM_FLAT) != 0;
    m->n = model->nq + model->nv;
    m->ny = m->n + 2 * model->nparts;
    if (!allocate(m))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme mannshardt on %zu contacts", model->nc);
    for (size_t i = 0; i < model->ngroups; i++)
        memcpy(w->e + model->group[i].first, model->group[i].param[0], model->group[i].count * sizeof(double));
    w->striker = carom_striker_create(carom_striker_impacts[o->impact], model, NULL, model->nc, error);
    if (!w->striker)
        return error ? error->status : CAROM_E_MEMORY;
    enum carom_status status = carom_event_smooth_open(&w->smooth, stepper, error);
    if (status == CAROM_OK && w->striker->impact == &carom_impact_moreau)
        status = carom_collapse_open(&w->collapse, model, error);
    if (status != CAROM_OK || o->method == CAROM_MANNSHARDT_EXPLICIT)
        return status;
    return carom_mannshardt_implicit_open(m, error);
}

/* Contacts that rest where a run begins press there, too; gaps and rates have been looked at. */
static void press(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_event_work *w = &((struct carom_mannshardt *)stepper->work)->event;
    for (size_t j = 0; j < w->model->nc; j++)
        if (w->gap[j] <= carom_event_noise(w, state->q, j) && w->rate[j] < -carom_event_slow(w))
            return; /* an impact comes first */
    carom_state_copy(stepper->before, state);
    w->watch = false;
    if (carom_mannshardt_strike_settle(stepper, stepper->before, w->model->nc, NULL) == CAROM_OK)
        memcpy(state->force, stepper->before->force, state->nforce * sizeof(double));
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    const double usual_share = 0.01;
    double kinetic, stored;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    const double allowed = m->options->tol * (m->options->share > 0.0 ? m->options->share : usual_share);
    double *own = carom_mannshardt_memory(state, w->model->nc);
    state->memory[CAROM_EVENT_ALLOWED] = allowed;
    state->memory[CAROM_EVENT_NEXT_STEP] = m->fixed ? m->options->step : 0.01 * w->length / w->speed;
    own[CAROM_MANNSHARDT_ORDER] = carom_mannshardt_control_first(m->options, allowed);
    own[CAROM_MANNSHARDT_GOAL] = -HUGE_VAL;
    for (size_t j = 0; j < w->model->nc; j++)
        carom_mannshardt_fine(state, w->model)[j] = -1.0;
    for (size_t i = 0; i < state->nv; i++)
        m->kick[i] = w->speed;
    carom_motion_energy(w->model, state->time, state->q, m->kick, state->scratch, &kinetic, &stored);
    own[CAROM_MANNSHARDT_ENERGY] = kinetic < HUGE_VAL ? 3.0 * kinetic : 0.0;
    if (carom_event_finite(stepper, state, error) != CAROM_OK)
        return CAROM_E_NUMERIC;
    carom_event_look(w, state->time, state->q, state->v);
    for (size_t j = 0; j < w->model->nc; j++) {
        const double slack = fmax(1e-12 * w->length, 4.0 * carom_event_noise(w, state->q, j));
        if (!(w->gap[j] >= -slack))
            return carom_error_set(error, CAROM_E_INPUT,
                                   "contact %zu starts with its bodies overlapping by %g; rigid bodies cannot overlap",
                                   carom_frame_number(w->model, j), -w->gap[j]);
    }
    press(stepper, state);
    return CAROM_OK;
}

/* --- stepping ---------------------------------------------------------------------------------------------------- */

/* how far the flight may go: to t_stop, to the next point of the grid, to where impacts will have died out */
static double find_limit(const struct carom_mannshardt *m, struct carom_state *state, double t_stop)
{
    const size_t nc = m->event.model->nc;
    const double *rest = carom_event_memory(state, nc, CAROM_EVENT_REST);
    double *own = carom_mannshardt_memory(state, nc), limit = carom_state_until(state, t_stop);
    if (m->fixed) {
        const double h = m->options->step;
        double left = carom_state_until(state, own[CAROM_MANNSHARDT_GOAL]) + own[CAROM_MANNSHARDT_GOAL_LOW];
        if (!(left > 1e-9 * h)) {
            struct carom_state goal = {.time = state->time, .time_low = state->time_low};
            carom_state_tick(&goal, h + (left > 0.0 ? left : 0.0));
            own[CAROM_MANNSHARDT_GOAL] = goal.time;
            own[CAROM_MANNSHARDT_GOAL_LOW] = goal.time_low;
            left = h + (left > 0.0 ? left : 0.0);
        }
        limit = left < limit * (1.0 - 1e-9) ? left : limit;
    }
    for (size_t j = 0; j < nc; j++)
        if (rest[j] > 0.0 && carom_state_until(state, rest[j]) < limit)
            limit = fmax(carom_state_until(state, rest[j]), 0.0);
    return limit;
}

static void set_bracket(struct carom_mannshardt *m, const struct carom_state *state)
{
    const double *own = carom_mannshardt_memory(state, m->event.model->nc), time = m->event.length / m->event.speed;
    if (m->fixed)
        m->delta = m->options->bracket * m->options->step *
                   carom_power(fmin(m->options->step / time, 1.0), own[CAROM_MANNSHARDT_ORDER]);
    else
        m->delta = 1e-3 * state->memory[CAROM_EVENT_ALLOWED] * time;
}

/* the flight goes on where no event is */
static enum carom_status arrive(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop,
                                struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    const struct carom_event_smooth *s = &m->event.smooth;
    const size_t nc = stepper->model->nc;
    double *own = carom_mannshardt_memory(state, nc);
    const bool stops = h == carom_state_until(state, t_stop);
    carom_stepper_arrive(state, h, t_stop);
    for (size_t i = 0; i < s->nheld; i++)
        state->force[s->held[i]] = fmax(m->last[i], 0.0);
    memcpy(carom_mannshardt_slope(state, nc), m->k[carom_mannshardt_move_stages(m, m->order)], m->ny * sizeof(double));
    own[CAROM_MANNSHARDT_KNOWN] = 1.0;
    own[CAROM_MANNSHARDT_SINCE] += h;
    if (own[CAROM_MANNSHARDT_SPAN] > 0.0)
        own[CAROM_MANNSHARDT_SPAN] = fmax(own[CAROM_MANNSHARDT_SPAN], own[CAROM_MANNSHARDT_SINCE]);
    m->rounds = 0;
    const enum carom_status status = carom_event_finite(stepper, state, error);
    if (status != CAROM_OK || !stops)
        return status;
    carom_event_tell_rest(&m->event, state);
    return carom_mannshardt_strike_anew(stepper, state, error); /* loads may break there */
}

static enum carom_status meet_event(struct carom_stepper *stepper, struct carom_state *state,
                                    const struct carom_mannshardt_meet *meet, double t_stop, struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    const size_t nc = stepper->model->nc;
    double *span = &carom_mannshardt_memory(state, nc)[CAROM_MANNSHARDT_SPAN],
           *since = &carom_mannshardt_memory(state, nc)[CAROM_MANNSHARDT_SINCE];
    enum carom_status status = CAROM_OK;
    carom_state_tick(state, meet->at);
    state->step++;
    m->wide = meet->part ? 0.0 : 2.0 * meet->ahead;
    m->wide = fmin(m->wide, fmax(carom_state_until(state, t_stop), 0.0));
    m->rounds = meet->at + m->wide > 0.0 ? 0 : m->rounds + 1;
    if (m->rounds > m->options->most)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "impacts at t = %g do not end: %ld in one instant, and contacts still approach "
                               "(option most); bodies without room between walls and e = 1 never come to rest",
                               state->time, m->rounds);
    *since += meet->at;
    *span = *span > 0.0 ? 0.5 * (*span + *since) : *since;
    *since = 0.0;
    m->event.instant = m->event.nevents;
    for (size_t j = 0; j < nc; j++) /* those in the air are as q says; they are not so small */
        carom_mannshardt_fine(state, stepper->model)[j] = -1.0;
    if (!meet->part)
        status = carom_mannshardt_strike_over(stepper, state, meet->contact, error);
    if (status == CAROM_OK)
        status = carom_event_finite(stepper, state, error);
    if (status == CAROM_OK)
        status = carom_mannshardt_strike_settle(stepper, state, meet->part ? meet->contact : nc, error);
    stepper->switched = true;
    return status;
}

static enum carom_status refuse(const struct carom_stepper *stepper, const struct carom_state *state,
                                struct carom_error *error)
{
    const struct carom_mannshardt *m = stepper->work;
    const struct carom_event_smooth *s = &m->event.smooth;
    for (size_t i = 0; i < m->ny; i++)
        if (!(fabs(s->start[i]) < HUGE_VAL) || !(fabs(m->k[0][i]) < HUGE_VAL))
            return carom_frame_explain(stepper->model, s->from, state->q, state->v, error);
    if (m->fixed)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "mannshardt could not take its step at t = %g: the motion is too fast or the system too "
                               "stiff for step %g; take a smaller one, or method: radau",
                               state->time, m->options->step);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "mannshardt cannot keep tol = %g at t = %g: its step shrank to nothing; a larger tol may do",
                           carom_stepper_tol(stepper), state->time);
}

/* one flight and the event at its end; on failure the caller puts the start back */
static enum carom_status fly(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                             struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    carom_state_copy(stepper->before, state);
    const double limit = find_limit(m, state, t_stop);
    set_bracket(m, state);
    carom_mannshardt_move_begin(stepper, state);
    struct carom_mannshardt_meet meet;
    if (!carom_mannshardt_control_fly(stepper, state, limit, &meet))
        return refuse(stepper, state, error);
    m->flown = meet.at;
    m->wide = 0.0;
    memcpy(m->moment, m->event.smooth.end, m->ny * sizeof(double));
    carom_mannshardt_move_write(m, m->moment, state);
    enum carom_status status = CAROM_OK;
    if (meet.contact == stepper->model->nc) {
        carom_mannshardt_find_follow(stepper, state, meet.at);
        status = arrive(stepper, state, meet.at, t_stop, error);
    } else {
        status = meet_event(stepper, state, &meet, t_stop, error);
    }
    if (status != CAROM_OK)
        return status;
    carom_event_tell_rest(&m->event, state);
    carom_stepper_count(stepper, meet.at + m->wide);
    return CAROM_OK;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_work *w = &m->event;
    enum carom_status status = CAROM_OK;
    size_t taken = 0;
    w->watch = bound->watch;
    w->stop = bound->t_stop;
    w->nevents = w->instant = 0;
    stepper->switched = false;
    carom_state_copy(stepper->before, state);
    if (state->memory[CAROM_EVENT_BEGUN] == 0.0) {
        status = carom_mannshardt_strike_settle(stepper, state, w->model->nc, error);
        state->memory[CAROM_EVENT_BEGUN] = 1.0;
        m->rounds = 0;
        carom_event_tell_rest(w, state);
    }
    while (status == CAROM_OK && taken < bound->steps && carom_state_until(state, bound->t_stop) > 0.0 &&
           (taken == 0 || bound->t_dense > state->time) && w->nevents < EVENTS) {
        status = fly(stepper, state, bound->t_stop, error);
        taken++;
    }
    if (status != CAROM_OK)
        carom_state_copy(state, stepper->before);
    stepper->event = w->event;
    stepper->nevents = w->nevents;
    return status;
}

/* --- views ------------------------------------------------------------------------------------------------------- */

/* inside the bracket: straight on from its start, so that the jump is at its end */
static void bracketed(const struct carom_mannshardt *m, double after, struct carom_state *view)
{
    carom_mannshardt_move_write(m, m->moment, view);
    for (size_t i = 0; m->flat && i < view->nq; i++)
        view->q[i] += (after - m->flown) * view->v[i];
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct carom_mannshardt *m = stepper->work;
    struct carom_event_smooth *s = &m->event.smooth;
    struct carom_state *before = stepper->before;
    const struct carom_counts counts = stepper->counts; /* looking is no work of the run */
    const double after = carom_state_until(before, t);
    if (t >= state->time) {
        carom_state_view(view, state);
        return;
    }
    carom_state_view(view, before);
    if (after > m->flown) {
        bracketed(m, after, view);
    } else {
        carom_mannshardt_move_begin(stepper, before);
        if (!carom_mannshardt_move_fly(stepper, m->order, after, s->end, s->nheld > 0))
            memcpy(s->end, m->moment, m->ny * sizeof(double));
        carom_mannshardt_move_write(m, s->end, view);
        for (size_t i = 0; i < s->nheld && after > 0.0; i++)
            view->force[s->held[i]] = fmax(m->last[i], 0.0);
    }
    stepper->counts = counts;
    view->step = state->step;
    carom_state_clock(view, t);
}

const struct carom_scheme carom_scheme_mannshardt = {
    .kind = {"mannshardt", "rigid contacts at any order: flights up to a small bracket around each impact", params,
             sizeof(struct carom_mannshardt_options)},
    .needs = CAROM_RIGID,
    .order = 8,
    .dense_order = 8,
    .tells = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = carom_stepper_sync,
    .dense = dense,
    .close = close,
};
