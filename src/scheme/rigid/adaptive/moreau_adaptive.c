/* Moreau-Jean time stepping with steps that adapt, after Acary 2009, equations (9) and (26), and with what (26)
 * lacks. As printed (estimate: blind) a step of size h is compared with two of h/2; an impact in its last quarter
 * is seen by neither, and the error by nobody. Here (estimate: safe) a step in whose course a contact would close,
 * let go, break away or stop is cut where that happens: between such instants nothing changes at any contact,
 * steps of moreau-jean are smooth in h and are extrapolated (adaptive_leap.c), and at them moreau-jean's contact
 * problem says what comes next (adaptive_turn.c). `tol` is kept over the run by pilot runs. */
#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/beads/loads.h"
#include "model/ports.h"
#include "scheme/rigid/adaptive/adaptive_cone.h"
#include "scheme/rigid/rigid_tell.h"
#include "scheme/stepper.h"
#include "solve/control.h"

#define FIELD(name) offsetof(struct carom_adaptive_options, name)

enum { STILL = 10000 }; /* events without time between them */
/* Radians that a body may turn by in a leap, however exact: gaps of its corners are looked at by cubics. */
static const double turn_most = 1.5;

static const char *const estimates[] = {"safe", "blind", NULL};
static const char *const blows[] = {"newton", "lzb", "poisson", "stronge", NULL};

static const struct carom_param params[] = {
    {"tol", CAROM_REAL, FIELD(tol), 1e-6, 1e-13, 1, "1", "error allowed over the run, relative to the scales", NULL},
    {"share", CAROM_REAL, FIELD(share), 0, 0, 1, "1", "part of tol that one step may take; 0: pilot runs find it",
     NULL},
    {"estimate", CAROM_CHOICE, FIELD(estimate), 0, 0, 1, "1",
     "safe: steps end where contacts change; blind: as printed, which misses impacts", estimates},
    {"solver", CAROM_CHOICE, FIELD(solver), 0, 0, 4, "1", "of contact problems without friction", carom_lcp_solvers},
    {"solver_tol", CAROM_REAL, FIELD(solver_tol), 1e-10, CAROM_POSITIVE, 1e-3, "1",
     "largest residual of a contact problem, relative to its speeds", NULL},
    {"blow", CAROM_CHOICE, FIELD(blow), 0, 0, 3, "1",
     "impacts by Newton's e, or along the path of the impulses with friction: LZB, Poisson, Stronge", blows},
    CAROM_PARAM_END,
};

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_adaptive_options *o = options;
    if (o->blow && (o->estimate == CAROM_ADAPTIVE_BLIND || model->offers & CAROM_CHAIN))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme moreau-adaptive has blow: %s for mechanisms and bodies of plane and space with "
                               "estimate: safe; rows of beads have theory: lzb under scheme event",
                               blows[o->blow]);
    if (!(model->offers & CAROM_FLAT) && o->estimate == CAROM_ADAPTIVE_BLIND)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme moreau-adaptive has estimate: blind, as printed, for rows and the plane; bodies "
                               "of space have estimate: safe");
    for (size_t i = 0; o->blow && i < model->ngroups; i++)
        for (size_t j = 0; j < model->group[i].count; j++)
            if (!(model->group[i].param[CAROM_RIGID_K][j] > 0.0))
                return carom_error_set(error, CAROM_E_REFUSED,
                                       "blow: %s spreads impulses by the stiffness of contacts, and contact %zu has "
                                       "k = 0; k must be positive",
                                       blows[o->blow], model->group[i].first + j + 1);
    return carom_rigid_step_accept(model, o->solver, error);
}

const struct carom_column carom_moreau_adaptive_columns[CAROM_ADAPTIVE_COLUMNS] = {
    {"next", .once = 1},    {"begun", .once = 1},    {"smooth", .once = 1},
    {"allowed", .once = 1}, {"modes", .contact = 1}, {"rests", .contact = 1}};

static bool rubs_in_space(const struct carom_model *model)
{
    return model->frictional && carom_ports_spatial(model);
}

static size_t memory(const struct carom_model *model, const void *options)
{
    const struct carom_column *own = carom_moreau_adaptive_columns;
    if (((const struct carom_adaptive_options *)options)->estimate != CAROM_ADAPTIVE_BLIND)
        return carom_columns_size(own, CAROM_ADAPTIVE_COLUMNS, model) + (rubs_in_space(model) ? 3 * model->nc : 0);
    return carom_columns_size(carom_moreau_jean_columns, CAROM_MOREAU_COLUMNS, model) +
           carom_columns_size(own, CAROM_ADAPTIVE_MODES, model);
}

/* --- life ------------------------------------------------------------------------------------------------------ */

static void close(struct carom_stepper *stepper)
{
    struct carom_adaptive *w = stepper->work;
    carom_adaptive_blow_free(w->blow);
    carom_memory_free_all(w->end, w->facet, w->view);
    carom_state_free(w->try[0]);
    carom_state_free(w->try[1]);
    carom_collapse_close(&w->collapse);
    carom_moreau_jean_clear(&w->moreau);
    carom_memory_free(w);
    stepper->work = NULL;
}

static bool make_room(struct carom_adaptive *w, const struct carom_model *model, size_t nmemory)
{
    const size_t cone = w->wide > 1 ? model->nc : 0; /* friction in space */
    const size_t nc = model->nc, square = model->offers & CAROM_CHAIN ? 2 * nc : nc * nc;
    bool all = carom_memory_together(
        CAROM_ROOM(w->end, w->ny), CAROM_ROOM(w->tiny, w->ny), CAROM_ROOM(w->x[0], w->ny), CAROM_ROOM(w->x[1], w->ny),
        CAROM_ROOM(w->x[2], w->ny), CAROM_ROOM(w->gap, nc), CAROM_ROOM(w->rate, nc), CAROM_ROOM(w->slip, w->wide * nc),
        CAROM_ROOM(w->normal, nc), CAROM_ROOM(w->along, w->wide * nc), CAROM_ROOM(w->normal_more, nc),
        CAROM_ROOM(w->along_more, 2 * nc), CAROM_ROOM(w->noise, nc), CAROM_ROOM(w->closed, nc),
        CAROM_ROOM(w->order, nc), CAROM_ROOM(w->mode, nc), CAROM_ROOM(w->some, nc), CAROM_ROOM(w->was, nc),
        CAROM_ROOM(w->side, 2 * nc), CAROM_ROOM(w->start, 2 * nc), CAROM_ROOM(w->matrix, square),
        CAROM_ROOM(w->there, model->nq + model->nv), CAROM_ROOM(w->way, model->nv),
        CAROM_ROOM(w->flow, 4 * model->nq + model->nv), CAROM_ROOM(w->below, nc), CAROM_ROOM(w->young, cone),
        CAROM_ROOM(w->toward, 3 * cone), CAROM_ROOM(w->begins, 3 * cone), CAROM_ROOM(w->stops, cone),
        CAROM_ROOM(w->slipping, 3 * cone), CAROM_ROOM(w->angle, (2 + nc) * cone), CAROM_ROOM(w->touches, 4 * nc),
        CAROM_ROOM(w->event, 9 * nc)); /* events of two instants */
    all &= (w->try[0] = carom_state_create(model, nmemory)) != NULL;
    if (w->options->estimate == CAROM_ADAPTIVE_BLIND)
        all &= (w->try[1] = carom_state_create(model, nmemory)) != NULL;
    if (all) {
        w->rests = w->touches + nc;
        w->told = w->rests + nc;
        w->stuck = w->told + nc;
    }
    return all;
}

static double allowed_by(const struct carom_adaptive_options *o)
{
    return o->tol * (o->share > 0.0 ? o->share : 0.1);
}

/* what rounding makes of gaps at a state: differences of its coordinates, which may be far larger than U */
static double grain(const struct carom_model *model, const struct carom_state *state)
{
    double most = 0.0;
    for (size_t i = 0; i < model->nq; i++)
        most = fmax(most, carom_motion_lever(model, false, i) * fabs(state->q[i]));
    return 4.0 * DBL_EPSILON * most;
}

/* What a step may be off, and what goes with it: of a pilot beside another also where the other has the most. Bodies
 * whose gaps are of rounding touch, or what parts by one strikes again at once, for ever. */
static void set_allowed(const struct carom_stepper *stepper, const struct carom_state *state, double allowed)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const double most = 1e-8 / (stepper->finer ? CAROM_STEPPER_FINER : 1.0);
    w->allowed = allowed;
    w->near = fmax(fmin(fmax(1e-2 * allowed, 1e-12), 0.1 * most) * w->length, state ? grain(model, state) : 0.0);
    /* Contacts of one body that close together do so up to errors of the motion; those of a row one after the other. In
     * space a body that wobbles to rest strikes corner after corner, ever faster, and to take three of them as one errs
     * by their rates: pilots see that only if it goes with what steps may err. */
    const double together = model->offers & CAROM_FLAT ? allowed : 1e-3 * allowed;
    w->touch = model->offers & CAROM_CHAIN ? w->near : fmax(fmin(fmax(together, 1e-12), most) * w->length, w->near);
    if (!(model->offers & CAROM_FLAT))
        w->near = w->touch = fmax(fmin(fmax(together, 1e-12), most) * w->length, state ? grain(model, state) : 0.0);
    w->none = w->wide == 1 ? w->slow : fmax(2.0 * w->slow, allowed * w->speed);
    w->exact = fmax(1e-6 * allowed, 1e-14) * w->time;
}

/* the numbers of the run in a state */
static double *numbers_of(const struct carom_adaptive *w, const struct carom_state *state)
{
    const bool blind = w->options->estimate == CAROM_ADAPTIVE_BLIND;
    return carom_columns_at(carom_moreau_jean_columns, blind ? CAROM_MOREAU_COLUMNS : 0, state,
                            w->moreau.rigid.model->nc);
}

/* the model as this stepper sees it; false: out of memory */
static bool open_view(struct carom_stepper *stepper, struct carom_adaptive *w)
{
    if (!carom_linkage_places_facets(stepper->model))
        return true;
    w->facet = carom_memory_zeroed(stepper->model->nc, sizeof *w->facet);
    w->view = carom_memory_zeroed(1, sizeof *w->view);
    if (!w->facet || !w->view)
        return false;
    carom_linkage_places_view(stepper->model, w->view);
    stepper->model = &w->view->model;
    return true;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_adaptive_options *o = stepper->options;
    struct carom_adaptive *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w || !open_view(stepper, w))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-adaptive");
    const struct carom_model *model = stepper->model;
    w->options = o;
    w->basic =
        (struct carom_moreau_options){.theta = 0.5, .gamma = 0.5, .solver = o->solver, .solver_tol = o->solver_tol};
    w->speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    w->length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    w->time = w->length / w->speed;
    w->slow = 1e-12 * w->speed;
    set_allowed(stepper, NULL, allowed_by(o));
    w->longest = 0.5 * carom_motion_pace(model, ~0U, NULL);
    w->last = HUGE_VAL;
    w->ny = model->nq + model->nv + 2 * model->nparts + (model->frictional ? model->nc : 0);
    w->wide = rubs_in_space(model) ? 3 : 1;
    if (!make_room(w, model, memory(model, o)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-adaptive");
    const enum carom_status status = carom_moreau_jean_prepare(&w->moreau, model, &w->basic, true, error);
    if (o->blow && (w->blow = carom_adaptive_blow_create(model, o->blow, error)) == NULL)
        return CAROM_E_MEMORY;
    return status == CAROM_OK && !model->frictional && !w->blow ? carom_collapse_open(&w->collapse, model, error)
                                                                : status;
}

/* --- steps ----------------------------------------------------------------------------------------------------- */

static void take(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *state)
{
    const struct carom_adaptive *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const double *y = w->end + model->nq + model->nv;
    memcpy(state->q, w->end, model->nq * sizeof(double));
    memcpy(state->v, w->end + model->nq, model->nv * sizeof(double));
    memcpy(state->lost, from->lost, state->nlost * sizeof(double));
    for (size_t i = 0; i < 2 * model->nparts; i++)
        state->spent[i] = from->spent[i] + y[i];
    for (size_t j = 0; j < state->nfriction; j++)
        state->friction_loss[j] = from->friction_loss[j] + y[2 * model->nparts + j];
}

/* forces as they were found last, of those who press */
static void note_forces(const struct carom_adaptive *w, struct carom_state *state)
{
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++)
        state->force[j] = fmax(w->normal[j], 0.0);
    for (size_t j = 0; j < state->nfriction; j++)
        state->friction[j] = w->wide == 1 ? w->along[j] : carom_adaptive_cone_size(w, w->along, j);
    if (w->wide > 1)
        memcpy(state->force + state->nfriction, w->along, 3 * state->nfriction * sizeof(double));
}

/* which way contacts slip at a state */
static void begin_slips(struct carom_adaptive *w, const struct carom_state *state)
{
    if (w->wide > 1)
        carom_adaptive_cone_begin(w, state->q, state->v, carom_adaptive_ways(state, w->moreau.rigid.model->nc));
}

/* forces right after the instant, for those who ask */
static enum carom_status keep_forces(struct carom_stepper *stepper, struct carom_state *state,
                                     struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const double h = 1e-4 * state->memory[CAROM_ADAPTIVE_SMOOTH];
    begin_slips(w, state);
    const enum carom_status status = carom_adaptive_leap_press(stepper, state->time, state->q, state->v, h, error);
    note_forces(w, state);
    return status;
}

static void recall(struct carom_adaptive *w, const struct carom_state *state)
{
    for (size_t j = 0; j < w->moreau.rigid.model->nc; j++)
        w->mode[j] = (enum carom_coulomb_mode)carom_adaptive_modes(state)[j];
    carom_adaptive_leap_modes(w);
}

/* the size of the next step, from one of size h that was off by w->error */
static void plan(const struct carom_stepper *stepper, struct carom_state *state, double h, bool cut)
{
    const struct carom_adaptive *w = stepper->work;
    const struct carom_control control = {
        .safety = 0.9, .power = 0.2, .least = 0.2, .most = stepper->finer ? 2.0 : 4.0};
    const double smooth =
        fmin(h * carom_control_factor(&control, w->enough / w->error), carom_stepper_longest(stepper, w->longest));
    double *m = state->memory;
    m[CAROM_ADAPTIVE_NEXT] = cut ? fmax(smooth, fmin(m[CAROM_ADAPTIVE_NEXT], w->fitted)) : smooth;
    m[CAROM_ADAPTIVE_NEXT] *= cut && stepper->finer ? 0.5 : 1.0;
    m[CAROM_ADAPTIVE_SMOOTH] = fmax(m[CAROM_ADAPTIVE_NEXT], 1e-6 * w->time);
}

/* The state as it is when a run begins: what strikes, and in which modes contacts go on. */
static enum carom_status begin(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    w->why = CAROM_ADAPTIVE_NOTHING;
    w->which = stepper->model->nc;
    enum carom_status status = carom_adaptive_turn(stepper, state, error);
    if (status == CAROM_OK)
        status = keep_forces(stepper, state, error);
    if (status != CAROM_OK)
        carom_state_copy(state, w->try[0]);
    return status;
}

/* Contacts that rest where a run begins press there, too. */
static void press(struct carom_stepper *stepper, struct carom_state *state)
{
    struct carom_adaptive *w = stepper->work;
    carom_adaptive_turn_look(w, state->time, state->q, state->v);
    for (size_t j = 0; j < stepper->model->nc; j++)
        if (w->gap[j] <= w->touch && w->rate[j] < -w->slow)
            return; /* an impact comes first */
    carom_state_copy(w->try[0], state);
    if (begin(stepper, state, NULL) != CAROM_OK)
        return;
    carom_state_swap(state, w->try[0]);
    memcpy(state->force, w->try[0]->force, state->nforce * sizeof(double));
    memcpy(state->friction, w->try[0]->friction, state->nfriction * sizeof(double));
    w->nevents = 0;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    double *room = carom_memory_zeroed(2 * stepper->model->nc, sizeof(double));
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-adaptive");
    const enum carom_status status = carom_rigid_step_check(stepper, state, room, error);
    carom_memory_free(room);
    memset(state->memory, 0, state->nmemory * sizeof(double));
    const double first = fmin(1e-2 * w->time, carom_stepper_longest(stepper, w->longest));
    double *own = numbers_of(w, state);
    own[CAROM_ADAPTIVE_NEXT] = own[CAROM_ADAPTIVE_SMOOTH] = first;
    /* pilots may have found another share since it was opened; of a resumed run only the state knows which */
    own[CAROM_ADAPTIVE_ALLOWED] =
        stepper->renews ? numbers_of(w, stepper->renews)[CAROM_ADAPTIVE_ALLOWED] : allowed_by(w->options);
    set_allowed(stepper, state, own[CAROM_ADAPTIVE_ALLOWED]);
    if (status == CAROM_OK && w->options->estimate == CAROM_ADAPTIVE_SAFE)
        press(stepper, state);
    stepper->worst_gap = stepper->worst_residual = stepper->created = 0.0;
    return status;
}

static bool touches(const void *own, size_t j)
{
    const struct carom_adaptive *w = own;
    return j == w->which || w->mode[j] != CAROM_COULOMB_OPEN;
}

/* events that follow one another without time between them do not go on for ever */
static enum carom_status look_at_clock(struct carom_stepper *stepper, double t, double h, struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    w->still = h > 16.0 * fmax(w->exact, 4.0 * DBL_EPSILON * fabs(t)) ? 0 : w->still + 1;
    if (w->still < STILL)
        return CAROM_OK;
    return carom_rigid_tell_still(stepper, t, STILL, touches, w, error);
}

static enum carom_status leap_on(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                 struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double left = carom_state_until(from, t_stop);
    const double spin = carom_linkage_places_spin(stepper->model, from->v);
    const double wanted = from->memory[CAROM_ADAPTIVE_NEXT], most = spin > 0.0 ? turn_most / spin : HUGE_VAL;
    double h = carom_stepper_size(from, fmin(wanted, most), t_stop);
    recall(w, from);
    begin_slips(w, from);
    w->last = carom_loads_within(from->time, t_stop);
    carom_adaptive_end_keep(w, from->q);
    enum carom_status status = carom_adaptive_end(stepper, from, &h, error);
    carom_adaptive_end_keep(w, NULL);
    w->last = HUGE_VAL;
    if (status == CAROM_OK)
        status = look_at_clock(stepper, from->time, h, error);
    if (status != CAROM_OK)
        return status;
    const bool cut = w->why != CAROM_ADAPTIVE_NOTHING;
    take(stepper, from, state);
    plan(stepper, state, h, cut || h == left);
    stepper->counts.local_error += w->error;
    carom_stepper_arrive(state, h, t_stop);
    carom_adaptive_tell_rest(stepper, state);
    if (cut) {
        status = carom_adaptive_turn_halt(stepper, nextafter(state->time, from->time), state, error);
        recall(w, from);
    }
    if (h == left) { /* forces and drives may break there */
        w->why = CAROM_ADAPTIVE_NOTHING;
        w->which = stepper->model->nc;
    }
    if ((h == left || cut) && status == CAROM_OK)
        status = carom_adaptive_turn(stepper, state, error);
    if (status == CAROM_OK)
        status = keep_forces(stepper, state, error);
    if (status == CAROM_OK)
        carom_stepper_count(stepper, h);
    return status;
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                  struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    const bool begins = state->memory[CAROM_ADAPTIVE_BEGUN] != 1.0;
    w->nevents = 0;
    if (begins) {
        carom_state_copy(w->try[0], state);
        const enum carom_status status = begin(stepper, state, error);
        if (status != CAROM_OK)
            return status;
    }
    carom_stepper_begin_step(stepper, state);
    const enum carom_status status = leap_on(stepper, state, t_stop, error);
    if (status == CAROM_OK) {
        stepper->switched = w->nevents > 0;
        return CAROM_OK;
    }
    carom_state_swap(state, stepper->before);
    if (begins)
        carom_state_copy(state, w->try[0]);
    return status;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_adaptive *w = stepper->work;
    stepper->nevents = 0;
    set_allowed(stepper, state, numbers_of(w, state)[CAROM_ADAPTIVE_ALLOWED]);
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const enum carom_status status = w->options->estimate == CAROM_ADAPTIVE_BLIND
                                             ? carom_adaptive_blind_step(stepper, state, bound->t_stop, error)
                                             : one_step(stepper, state, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    if (bound->watch) {
        const bool blind = w->options->estimate == CAROM_ADAPTIVE_BLIND;
        stepper->event = blind ? w->moreau.rigid.event : w->event;
        stepper->nevents = blind ? w->moreau.rigid.nevents : w->nevents;
    }
    return CAROM_OK;
}

/* A leap from the start of the step, as accurate as the step itself; straight lines where that fails or is blind. */
static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct carom_adaptive *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double past = (t - from->time) - from->time_low;
    const double s = past / ((state->time - from->time) + (state->time_low - from->time_low));
    const struct carom_counts counts = stepper->counts;
    carom_state_view(view, from);
    if (w->options->estimate == CAROM_ADAPTIVE_BLIND) {
        carom_state_view(view, state);
        for (size_t i = 0; i < state->nq; i++)
            view->q[i] = from->q[i] + s * (state->q[i] - from->q[i]);
    } else if (past > 0.0) {
        recall(w, from);
        begin_slips(w, from);
        w->last = carom_loads_within(from->time, state->time);
        carom_adaptive_end_keep(w, from->q);
        if (carom_adaptive_leap(stepper, from, past, NULL) == CAROM_OK) {
            take(stepper, from, view);
            /* right after an instant ahead: over no time at all rounding is all there is */
            const double tiny = 1e-4 * from->memory[CAROM_ADAPTIVE_SMOOTH], look = past < tiny ? tiny : -1e-4 * past;
            if (carom_adaptive_leap_press(stepper, t, view->q, view->v, look, NULL) == CAROM_OK)
                note_forces(w, view);
        }
    }
    carom_adaptive_end_keep(w, NULL);
    w->last = HUGE_VAL;
    stepper->counts = counts;
    carom_state_clock(view, t);
}

const struct carom_scheme carom_scheme_moreau_adaptive = {
    .kind = {"moreau-adaptive", "rigid contacts, friction or not, to a tolerance: steps of moreau-jean that adapt",
             params, sizeof(struct carom_adaptive_options)},
    .needs = CAROM_RIGID,
    .order = 6,
    .dense_order = 6,
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
};
