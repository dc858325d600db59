/* Event-driven motion of rigid bodies: flights without a change at any contact, and what happens at their ends
 * (impacts, contacts that begin to last, contacts that open). After Nguyen and Brogliato 2011, section 2.2 and
 * algorithms 4 to 6. A step is one flight with the event at its end. Flights are exact for chains under constant
 * forces and springs (event_row.h), else Dormand and Prince's with located events (event_smooth.h). */
#include "scheme/rigid/event/event.h"

#include <float.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "carom/law.h"
#include "model/bodies/linkage_places.h"
#include "model/motion.h"
#include "model/ports.h"
#include "scheme/rigid/event/event_corners.h"
#include "scheme/rigid/event/event_facets.h"
#include "scheme/rigid/event/event_flight.h"
#include "scheme/rigid/event/event_sets.h"
#include "scheme/rigid/event/event_step.h"
#include "scheme/stepper.h"

enum { EVENTS = 4096 }; /* a call ends when so many are noted */

/* of tol: errors of the path of a blow, which flights of other tolerances do not show */
static const double unfelt = 1e-4, finest = 1e-10; /* less where tol is: with e near 0 finer paths may not end */

static const char *const impacts[] = {"moreau",  "newton",  "lzb", "lzb-impulse",
                                      "poisson", "stronge", NULL}; /* as the striker has them */
static const char *const stiffnesses[] = {"bi", "mono", NULL};     /* as impact lzb has them */
static const char *const switches[] = {"on", "off", NULL};         /* as impact lzb-impulse has them */

const struct carom_param carom_event_params[] = {
    {"tol", CAROM_REAL, offsetof(struct carom_event_options, tol), 1e-9, 1e-14, 0.1, "1",
     "error allowed over the run, relative to U (displacement, at all times) and V (velocity, on average)", NULL},
    {"impact", CAROM_CHOICE, offsetof(struct carom_event_options, impact), 0, 0, 5, "1",
     "impact law: all contacts at once, pair by pair, or through compliance", impacts},
    {"share", CAROM_REAL, offsetof(struct carom_event_options, share), 0.0, 0.0, 1.0, "1",
     "part of tol that one step may take where flights are not exact; 0: found by pilot runs", NULL},
    {"touch", CAROM_REAL, offsetof(struct carom_event_options, touch), 1e-13, 1e-15, 1e-3, "1",
     "contacts nearer than this part of U touch: impacts that near are one", NULL},
    {"most", CAROM_INTEGER, offsetof(struct carom_event_options, most), 1e5, 1, 1e9, "1",
     "impacts in one instant before the run gives up", NULL},
    {"solver", CAROM_CHOICE, offsetof(struct carom_event_options, solver), 0, 0, 4, "1",
     "of contact problems where flights are not exact", carom_lcp_solvers},
    {"solver_tol", CAROM_REAL, offsetof(struct carom_event_options, solver_tol), 1e-10, CAROM_POSITIVE, 1e-3, "1",
     "largest residual of a contact problem", NULL},
    {"impact_tol", CAROM_REAL, offsetof(struct carom_event_options, impact_tol), 0.0, 0.0, 0.1, "1",
     "impacts along a path: error of velocities after one, of its approach; 0: tol (lzb), 1e-4 tol (others)", NULL},
    {"impact_work", CAROM_REAL, offsetof(struct carom_event_options, impact_work), 200, 1e-3, 1e9, "1",
     "impact lzb: millions of contacts stepped inside one impact before it is given up", NULL},
    {"stiffness", CAROM_CHOICE, offsetof(struct carom_event_options, stiffness), 0, 0, 1, "1",
     "impact lzb: where energy is lost, in a stiffer way out (bi) or at the turning point (mono)", stiffnesses},
    {"dP", CAROM_REAL, offsetof(struct carom_event_options, dP), 0, CAROM_POSITIVE, HUGE_VAL, "N*s",
     "impact lzb-impulse: its step; if not given, 1e-5 of the impulse that stops the heaviest pair at V", NULL},
    {"threshold", CAROM_REAL, offsetof(struct carom_event_options, threshold), 0, 0, HUGE_VAL, "J",
     "impact lzb-impulse: energy that counts as none; 0: 1e-28 of that in the fastest approach", NULL},
    {"safeguards", CAROM_CHOICE, offsetof(struct carom_event_options, safeguards), 0, 0, 1, "1",
     "impact lzb-impulse: no energy is created; off: as printed", switches},
    {"impact_steps", CAROM_INTEGER, offsetof(struct carom_event_options, impact_steps), 0, 0, 1e15, "1",
     "impact lzb-impulse: steps in one impact before the run gives up; 0: a hundred times the expected", NULL},
    CAROM_PARAM_END,
};

/* --- what the other files ask for -------------------------------------------------------------------------------- */

double carom_event_noise(const struct carom_event_work *w, const double *q, size_t j)
{
    const struct carom_model *model = w->model;
    double size = fabs(model->gap[j]), largest = w->length;
    if (model->offers & CAROM_CHAIN) {
        for (int side = 0; side < 2; side++) /* port i of a chain is bead i */
            size += model->pair[j][side] >= 0 ? fabs(q[model->pair[j][side]]) : 0.0;
        return 4.0 * DBL_EPSILON * size;
    }
    for (size_t i = 0; i < model->nq; i++)
        largest = fmax(largest, carom_motion_lever(model, false, i) * fabs(q[i]));
    return 4.0 * DBL_EPSILON * (size + largest);
}

double carom_event_near(const struct carom_event_work *w, const struct carom_state *state, size_t j)
{
    return w->options->touch * w->length + carom_event_noise(w, state->q, j);
}

double carom_event_slow(const struct carom_event_work *w)
{
    return (w->exact ? 1e-14 : 1e-12) * w->speed;
}

void carom_event_note_gentle(struct carom_event_work *w, size_t j, double before, double after)
{
    const double gentle = 5e-12 * w->speed; /* 2e4 roundings of U take U / V then */
    if (-before <= gentle)
        w->gentle[j] = fmax(w->gentle[j], -before);
    else if (after > 0.0 && after <= carom_event_slow(w))
        w->gentle[j] = fmax(w->gentle[j], after);
}

void carom_event_leave_gentle(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_event_work *w = stepper->work;
    const double *mode = carom_event_memory(state, w->model->nc, CAROM_EVENT_MODE), left = w->stop - state->time;
    for (size_t j = 0; j < w->model->nc; j++) {
        const bool pressed = carom_event_held(mode[j]) ? state->force[j] > 0.0 : w->bend[j] < 0.0;
        if (w->gentle[j] > 0.0 && !pressed)
            stepper->left_out = fmax(stepper->left_out, w->gentle[j] * left / w->length);
        w->gentle[j] = 0.0;
    }
}

void carom_event_look(struct carom_event_work *w, double t, const double *q, const double *v)
{
    carom_contacts_deform(w->model, t, q, v, w->gap, w->rate);
    for (size_t j = 0; j < w->model->nc; j++) {
        w->gap[j] = -w->gap[j];
        w->rate[j] = -w->rate[j];
    }
    carom_event_corners_hide(w, q);
}

void carom_event_tell(struct carom_event_work *w, const struct carom_state *state, size_t j, enum carom_event_kind kind,
                      double impulse, double before, double after, double lost)
{
    if (!w->watch)
        return;
    /* more impacts than contacts in one instant: those of a contact are told as one */
    for (size_t i = w->instant; kind == CAROM_EVENT_IMPACT && w->nevents - w->instant >= w->model->nc && i < w->nevents;
         i++)
        if (w->event[i].contact == j && w->event[i].kind == kind) {
            w->event[i].impulse += impulse;
            w->event[i].lost += lost;
            w->event[i].after = after;
            return;
        }
    if (w->nevents < w->room)
        w->event[w->nevents++] =
            (struct carom_event){state->time, j, kind, impulse, before + 0.0, after + 0.0, lost}; /* no -0 */
}

/* --- opening ----------------------------------------------------------------------------------------------------- */

static void close(struct carom_stepper *stepper)
{
    struct carom_event_work *w = stepper->work;
    double *const arrays[] = {w->e,     w->k,      w->p,   w->gap,    w->rate,   w->bend,
                              w->faint, w->gentle, w->was, w->of_set, w->of_rub, w->after};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        carom_memory_free(arrays[i]);
    carom_memory_free_all(w->at_rest, w->released, w->struck, w->set, w->event, w->view);
    carom_striker_free(w->striker);
    carom_memory_free(w->impact_options);
    carom_frame_close(&w->frame);
    carom_collapse_close(&w->collapse);
    carom_event_row_close(&w->row);
    carom_event_smooth_close(&w->smooth);
    carom_memory_free(w);
    stepper->work = NULL;
}

/* an impact law has options of its own; those that the scheme has too are passed on */
void *carom_event_pass_on(const struct carom_event_options *options, const struct carom_impact *impact)
{
    void *own = carom_memory_zeroed(1, impact->kind.size > 0 ? impact->kind.size : 1);
    if (!own)
        return NULL;
    carom_param_defaults(&impact->kind, own);
    for (const struct carom_param *row = carom_event_params; row->name; row++) {
        const struct carom_param *same = carom_param_find(impact->kind.params, row->name);
        if (same && same->type == row->type)
            carom_param_store(same, own, carom_param_value(row, options));
    }
    const struct carom_param *fine = carom_param_find(impact->kind.params, "impact_tol");
    const bool path = impact == &carom_impact_poisson || impact == &carom_impact_stronge;
    if (fine && options->impact_tol == 0.0)
        carom_param_store(
            fine, own, fmax(path ? fmin(fmax(unfelt * options->tol, finest), options->tol) : options->tol, fine->low));
    return own;
}

static bool allocate(struct carom_event_work *w)
{
    const size_t nc = w->model->nc;
    double **const of_contacts[] = {&w->e, &w->k, &w->p, &w->gap, &w->rate, &w->bend, &w->faint, &w->gentle, &w->was};
    bool all = true;
    for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
        all &= (*of_contacts[i] = carom_memory_zeroed(nc, sizeof(double))) != NULL;
    bool **const flags[] = {&w->at_rest, &w->released, &w->struck};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        all &= (*flags[i] = carom_memory_zeroed(nc, sizeof(bool))) != NULL;
    w->room = EVENTS + 3 * nc;
    all &= (w->of_set = carom_memory_zeroed(6 * nc, sizeof(double))) != NULL;
    all &= (w->of_rub = carom_memory_zeroed(5 * nc, sizeof(double))) != NULL;
    all &= (w->set = carom_memory_zeroed(nc, sizeof *w->set)) != NULL;
    all &= (w->after = carom_memory_zeroed(w->model->nv, sizeof(double))) != NULL;
    all &= (w->event = carom_memory_zeroed(w->room, sizeof *w->event)) != NULL;
    return all;
}

/* e, and what springy impacts want to know beside it */
static enum carom_status read_contacts(struct carom_event_work *w, const struct carom_impact *impact,
                                       struct carom_error *error)
{
    for (size_t i = 0; i < w->model->ngroups; i++) {
        const struct carom_group *g = &w->model->group[i];
        memcpy(w->e + g->first, g->param[CAROM_RIGID_E], g->count * sizeof(double));
        memcpy(w->k + g->first, g->param[CAROM_RIGID_K], g->count * sizeof(double));
        memcpy(w->p + g->first, g->param[CAROM_RIGID_P], g->count * sizeof(double));
    }
    for (size_t j = 0; (impact->springy || impact->rough) && j < w->model->nc; j++)
        if (!(w->k[j] > 0.0 && w->k[j] < HUGE_VAL && w->p[j] >= 1.0))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "impact %s spreads impulses by the stiffness of contacts: contact %zu has k = %g, "
                                   "p = %g; k must be positive and p at least 1",
                                   impact->kind.name, carom_frame_number(w->model, j), w->k[j], w->p[j]);
    return CAROM_OK;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    stepper->accounts = true;
    if (!w || !carom_event_facets_open(stepper))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event");
    const struct carom_model *model = w->model = stepper->model;
    w->slides = model->nc;
    w->corners = carom_linkage_places_corners(model);
    w->options = stepper->options;
    w->length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    w->speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    w->exact = stepper->exact = carom_event_row_fits(model);
    const struct carom_impact *impact = carom_striker_impacts[w->options->impact];
    w->impact_options = carom_event_pass_on(w->options, impact);
    if (!allocate(w) || !w->impact_options)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event on %zu contacts", model->nc);
    stepper->traces = impact->springy;
    stepper->stoppable = true;
    const enum carom_status read = read_contacts(w, impact, error);
    if (read != CAROM_OK)
        return read;
    w->striker = carom_striker_create(impact, model, w->impact_options, model->nc, error);
    if (!w->striker)
        return error ? error->status : CAROM_E_MEMORY;
    w->striker->speed = stepper->scales.speed;
    enum carom_status status = carom_frame_open(&w->frame, model, model->nc, error);
    if (status == CAROM_OK && impact == &carom_impact_moreau && !model->frictional)
        status = carom_collapse_open(&w->collapse, model, error);
    if (status != CAROM_OK)
        return status;
    return w->exact ? carom_event_row_open(&w->row, model, w->length, error)
                    : carom_event_smooth_open(&w->smooth, stepper, error);
}

/* Which impact laws know what the model has. */
static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_impact *impact = carom_striker_impacts[((const struct carom_event_options *)options)->impact];
    if (model->frictional && !impact->rough && impact != &carom_impact_moreau)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "impact %s does not support friction (mu > 0); moreau, poisson, stronge and lzb do",
                               impact->kind.name);
    if (impact == &carom_impact_newton && carom_linkage_places_corners(model))
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "impact newton strikes pair after pair, and where bodies with corners lie on each other it "
            "depends on which of two corners is the first; moreau, poisson, stronge and lzb take them");
    if (impact->rough && !impact->springy && (model->offers & CAROM_CHAIN))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "impact %s is for mechanisms and bodies of the plane; rows of beads have impact moreau "
                               "or newton, which say the same of one contact, and lzb",
                               impact->kind.name);
    return CAROM_OK;
}

static size_t memory(const struct carom_model *model, const void *options)
{
    const size_t columns = carom_columns_size(carom_event_columns, CAROM_EVENT_COLUMNS, model);
    (void)options;
    return columns + (model->frictional && carom_ports_spatial(model) ? 3 * model->nc : 0); /* event_cone.h */
}

enum carom_status carom_event_finite(const struct carom_stepper *stepper, const struct carom_state *state,
                                     struct carom_error *error)
{
    bool good = true;
    for (size_t i = 0; i < state->nq; i++)
        good &= fabs(state->q[i]) < HUGE_VAL;
    for (size_t i = 0; i < state->nv; i++)
        good &= fabs(state->v[i]) < HUGE_VAL;
    return good ? CAROM_OK
                : carom_frame_explain(stepper->model, state->time + state->time_low, state->q, state->v, error);
}

/* Contacts that rest where a run begins press there, too; gaps and rates have been looked at. */
static void press(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_event_work *w = stepper->work;
    for (size_t j = 0; j < w->model->nc; j++)
        if (w->gap[j] <= carom_event_near(w, state, j) && w->rate[j] < -carom_event_slow(w))
            return; /* an impact comes first */
    carom_state_copy(stepper->before, state);
    w->watch = false;
    if (carom_event_sets_settle(stepper, stepper->before, w->model->nc, false, NULL) != CAROM_OK)
        return;
    memcpy(state->friction, stepper->before->friction, state->nfriction * sizeof(double));
    memcpy(state->force, stepper->before->force, state->nforce * sizeof(double));
}

/* what steps leave is little */
static enum carom_status say_overlap(const struct carom_event_work *w, size_t j, struct carom_error *error)
{
    const double little = 1e-3;
    return carom_error_set(error, CAROM_E_INPUT,
                           "contact %zu starts with its bodies overlapping by %g; rigid bodies cannot overlap%s",
                           carom_frame_number(w->model, j), -w->gap[j],
                           -w->gap[j] < little * w->length
                               ? "; steps of moreau-jean let bodies sink by as much: go on from there with moreau-jean"
                               : "");
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const double usual_share = 0.01;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    state->memory[CAROM_EVENT_ALLOWED] = w->options->tol * (w->options->share > 0.0 ? w->options->share : usual_share);
    w->ready = false;
    if (carom_event_finite(stepper, state, error) != CAROM_OK)
        return CAROM_E_NUMERIC;
    carom_event_look(w, state->time, state->q, state->v);
    for (size_t j = 0; j < w->model->nc; j++) {
        /* a run that is changed goes on where contacts were struck, which is known to so much of U at best */
        const double located = fmax(1e-3 * w->options->tol, 1e-12) * w->length;
        const double allowed = fmax(carom_event_near(w, state, j), located);
        if (!(w->gap[j] >= -allowed))
            return say_overlap(w, j, error);
    }
    press(stepper, state);
    return CAROM_OK;
}

/* --- stepping ---------------------------------------------------------------------------------------------------- */

/* the groups of a row are those of this state, if they were just found */
static void prepare(struct carom_event_work *w, const struct carom_state *state)
{
    if (!w->ready || w->step != state->step || w->time != state->time)
        carom_event_row_prepare(w, state);
}

/* what is held at the start of a flight, and as what it goes on until carom_event_facets_free */
static void take_off(struct carom_stepper *stepper, const struct carom_state *state)
{
    carom_event_smooth_take(stepper, state);
    carom_event_facets_keep(stepper->work, state->q, false);
}

/* the next event, the end of dying impacts among them, at most `limit` ahead */
static enum carom_status find_next(struct carom_stepper *stepper, struct carom_state *state, double limit,
                                   struct carom_event_next *next, struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const double *rest = carom_event_memory(state, w->model->nc, CAROM_EVENT_REST);
    for (size_t j = 0; j < w->model->nc; j++)
        if (rest[j] > 0.0 && carom_state_until(state, rest[j]) < limit)
            limit = fmax(carom_state_until(state, rest[j]), 0.0);
    if (!w->exact) {
        take_off(stepper, state);
        const enum carom_status status = carom_event_flight_next(stepper, state, limit, next, error);
        carom_event_facets_free(w);
        return status;
    }
    prepare(w, state);
    *next = carom_event_row_next(w, state, limit);
    return CAROM_OK;
}

void carom_event_tell_rest(struct carom_event_work *w, struct carom_state *state)
{
    double *rest = carom_event_memory(state, w->model->nc, CAROM_EVENT_REST);
    for (size_t j = 0; j < w->model->nc; j++)
        if (rest[j] > 0.0 && carom_state_until(state, rest[j]) <= 0.0) {
            w->instant = w->nevents;
            carom_event_tell(w, state, j, CAROM_EVENT_CLOSE, 0.0, 0.0, 0.0, 0.0);
            rest[j] = 0.0;
        }
}

/* one flight and its event; `before` holds the start, which the caller puts back on failure */
static enum carom_status fly(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                             struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    const struct carom_state *before = stepper->before;
    const double limit = carom_state_until(state, t_stop);
    struct carom_event_next next;
    enum carom_status status = find_next(stepper, state, limit, &next, error);
    if (status != CAROM_OK)
        return status;
    if (w->exact)
        carom_event_row_move(w, before, next.time, state);
    carom_stepper_arrive(state, next.time, t_stop);
    if (!w->exact)
        carom_event_flight_move(stepper, state->time + state->time_low, state);
    w->ready = false;
    carom_event_tell_rest(w, state);
    status = carom_event_finite(stepper, state, error);
    w->slides = next.slides ? next.contact : w->model->nc;
    w->slips_off = next.slides && next.contact == w->model->nc;
    if (status == CAROM_OK) /* also where a flight ends without an event: contacts have opened, loads may break */
        status = carom_event_sets_settle(stepper, state, next.slides ? w->model->nc : next.contact, next.part, error);
    w->slides = w->model->nc;
    w->slips_off = false;
    if (status == CAROM_OK)
        status = carom_event_step_clock(stepper, state, next.time, error);
    if (status != CAROM_OK)
        return status;
    w->ready = w->exact;
    w->step = state->step;
    w->time = state->time;
    carom_event_tell_rest(w, state);
    carom_stepper_count(stepper, next.time);
    stepper->switched = next.contact < w->model->nc || next.slides;
    return CAROM_OK;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_event_work *w = stepper->work;
    enum carom_status status = CAROM_OK;
    size_t taken = 0;
    const double patience = 0.3,
                 began = carom_clock_now(); /* seconds: flights may take longer than those before them */
    w->watch = bound->watch;
    w->stop = bound->t_stop;
    w->nevents = w->instant = 0;
    stepper->switched = false;
    if (state->memory[CAROM_EVENT_BEGUN] == 0.0) {
        carom_state_copy(stepper->before, state);
        status = carom_event_sets_settle(stepper, state, w->model->nc, false, error);
        state->memory[CAROM_EVENT_BEGUN] = 1.0;
        carom_event_tell_rest(w, state);
    }
    while (status == CAROM_OK && taken < bound->steps && carom_state_until(state, bound->t_stop) > 0.0 &&
           (taken == 0 || bound->t_dense > state->time) && w->nevents < EVENTS &&
           (taken == 0 || w->exact || carom_clock_now() - began < patience)) {
        carom_state_copy(stepper->before, state);
        status = fly(stepper, state, bound->t_stop, error);
        taken++;
    }
    if (status != CAROM_OK) {
        carom_state_copy(state, stepper->before);
        w->ready = false;
    }
    stepper->event = w->event;
    stepper->nevents = w->nevents;
    return status;
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct carom_event_work *w = stepper->work;
    const struct carom_state *before = stepper->before;
    carom_state_view(view, before);
    if (w->exact) {
        carom_event_row_prepare(w, before);
        carom_event_row_move(w, before, carom_state_until(before, t), view);
        w->ready = false;
    } else {
        take_off(stepper, before);
        carom_event_flight_dense(stepper, before, t, view);
        carom_event_facets_free(w);
    }
    view->step = state->step;
    carom_state_clock(view, t);
}

const struct carom_scheme carom_scheme_event = {
    .kind = {"event", "rigid contacts: flights up to each event, impacts, lasting contacts", carom_event_params,
             sizeof(struct carom_event_options)},
    .needs = CAROM_RIGID,
    .order = 5,
    .dense_order = 4,
    .friction = true,
    .tells = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = carom_stepper_sync,
    .dense = dense,
    .close = close,
    .listed = &carom_event_bodies,
};
