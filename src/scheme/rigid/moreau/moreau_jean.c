/* Moreau-Jean time stepping: velocities and impulses of a whole step, no event is located. Acary 2009, equation (9),
 * with x_{k+a} = a x_{k+1} + (1 - a) x_k (the print has it the other way round):
 *     M(q_{k+theta}) (v_{k+1} - v_k) = h F_{k+theta} + G(q_{k+theta}) P,   q_{k+1} = q_k + h v_{k+theta},
 *     0 <= P _|_ G^T v_{k+1} + e G^T v_k >= 0   at contacts with   y_k + gamma h G^T v_k <= 0,   P = 0 at the others.
 * Order 1. Bodies may overlap by O(h); `project` moves them apart at the end of a step, at the price of energy. Two
 * things differ from the print unless it is asked for (option printed): see carom_moreau_lift and carom_moreau_near.
 * Steps are taken in moreau_chain.c and moreau_any.c. */
#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau.h"
#include "scheme/stepper.h"

#define FIELD(name) offsetof(struct carom_moreau_options, name)

static const char *const blows[] = {"newton", "poisson", "stronge", NULL};

const struct carom_param carom_moreau_jean_params[] = {
    {"step", CAROM_REAL, FIELD(step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s", "time step", NULL},
    {"theta", CAROM_REAL, FIELD(theta), 0.5, 0, 1, "1",
     "where forces are taken: 0 at the start of a step, 1 at its end", NULL},
    {"gamma", CAROM_REAL, FIELD(gamma), 0.5, 0, 2, "1",
     "activation: a contact counts as closed if it would be after gamma steps", NULL},
    {"blow", CAROM_CHOICE, FIELD(blow), 0, 0, 2, "1",
     "what e of struck contacts with friction compares: speeds, impulses or works", blows},
    {"bounded", CAROM_FLAG, FIELD(bounded), 0, 0, 1, "1",
     "bodies: lower e where Newton's e with friction would create energy", NULL},
    {"printed", CAROM_FLAG, FIELD(printed), 0, 0, 1, "1",
     "the scheme as printed: e also where force presses on a contact that opens, which may gain energy", NULL},
    {"project", CAROM_FLAG, FIELD(project), 0, 0, 1, "1", "move overlapping bodies apart after every step", NULL},
    {"solver", CAROM_CHOICE, FIELD(solver), 0, 0, 4, "1", "of contact problems", carom_lcp_solvers},
    {"solver_tol", CAROM_REAL, FIELD(solver_tol), 1e-10, CAROM_POSITIVE, 1e-3, "1",
     "largest residual of a contact problem, relative to its speeds", NULL},
    CAROM_PARAM_END,
};

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_moreau_options *o = options;
    if (o->bounded || o->blow)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "%s is for discs, spheres and bodies with corners in the plane or in space, not for rows "
            "and mechanisms; leave it out",
            o->bounded ? "bounded" : "blow");
    return carom_rigid_step_accept(model, o->solver, error);
}

const struct carom_column carom_moreau_jean_columns[CAROM_MOREAU_COLUMNS] = {{"status", .contact = 1},
                                                                             {"sticks", .contact = 1}};

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_columns_size(carom_moreau_jean_columns, model->frictional ? CAROM_MOREAU_COLUMNS : CAROM_MOREAU_STICKS,
                              model);
}

void carom_moreau_jean_clear(struct carom_moreau *w)
{
    carom_memory_free(w->step);
    carom_rigid_step_close(&w->rigid);
    carom_frame_close(&w->frame);
    carom_coulomb_close(&w->friction);
}

static void close(struct carom_stepper *stepper)
{
    carom_moreau_jean_clear(stepper->work);
    carom_memory_free(stepper->work);
    stepper->work = NULL;
}

static bool make_room(struct carom_moreau *w, const struct carom_model *model)
{
    const size_t fast = w->fast ? model->nv : 0, slow = w->fast ? 0 : model->nv;
    return carom_memory_together(
        CAROM_ROOM(w->step, model->nv), CAROM_ROOM(w->inverse, fast), CAROM_ROOM(w->kick, fast),
        CAROM_ROOM(w->free, fast), CAROM_ROOM(w->push, fast), CAROM_ROOM(w->before, model->nc),
        CAROM_ROOM(w->freely, model->nc), CAROM_ROOM(w->after, model->nc), CAROM_ROOM(w->lasting, model->nc),
        CAROM_ROOM(w->mean, slow), CAROM_ROOM(w->accelerate, slow), CAROM_ROOM(w->force, slow),
        CAROM_ROOM(w->trial, slow), CAROM_ROOM(w->bounce, 2 * model->nc), CAROM_ROOM(w->place, model->nq));
}

enum carom_status carom_moreau_jean_prepare(struct carom_moreau *w, const struct carom_model *model,
                                            const struct carom_moreau_options *o, bool general,
                                            struct carom_error *error)
{
    w->options = o;
    if (model->offers & CAROM_CHAIN) {
        w->chain = carom_chain_of(model);
        w->fast = !general && (model->offers & CAROM_UNDRIVEN) && !w->chain.beads->string;
    }
    if (!make_room(w, model))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for steps of moreau-jean");
    if (!w->fast || o->project) {
        const enum carom_status status = carom_frame_open(&w->frame, model, model->nc, error);
        if (status != CAROM_OK)
            return status;
    }
    enum carom_status status = carom_rigid_step_open(&w->rigid, model, o->solver, o->solver_tol, error);
    if (status == CAROM_OK && model->frictional)
        status = carom_coulomb_open(&w->friction, model, o->solver_tol, error);
    for (size_t j = 0; status == CAROM_OK && j < model->nc; j++) {
        w->bounce[2 * j] = w->rigid.e[j];
        w->bounce[2 * j + 1] = carom_moreau_lift(w->rigid.e[j], o->theta, o->printed);
    }
    return status;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    stepper->work = carom_memory_zeroed(1, sizeof(struct carom_moreau));
    if (!stepper->work)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
    return carom_moreau_jean_prepare(stepper->work, stepper->model, stepper->options, false, error);
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    double *room = carom_memory_zeroed(2 * stepper->model->nc, sizeof(double));
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
    const enum carom_status status = carom_rigid_step_check(stepper, state, room, error);
    w->rigid.struck = false;
    stepper->worst_gap = stepper->worst_residual = 0.0;
    carom_memory_free(room);
    return status;
}

/* deepest overlap of a state; false if there is none */
static bool look(struct carom_stepper *stepper, const struct carom_state *state, double t)
{
    struct carom_moreau *w = stepper->work;
    double deepest = 0.0;
    carom_contacts_deform(stepper->model, t, state->q, NULL, w->after, NULL);
    for (size_t j = 0; j < stepper->model->nc; j++)
        deepest = w->after[j] > deepest ? w->after[j] : deepest;
    if (-deepest < stepper->worst_gap)
        stepper->worst_gap = -deepest;
    return deepest > 0.0;
}

/* Moves bodies apart: 0 <= gap + W z _|_ z >= 0, q moved by M^-1 G z; a few times where gaps are curved. */
static enum carom_status project(struct carom_stepper *stepper, struct carom_state *state, double t,
                                 struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const struct carom_model *model = stepper->model;
    for (int turn = 0; turn < 5 && look(stepper, state, t); turn++) {
        c->n = model->nc;
        for (size_t j = 0; j < c->n; j++)
            c->contact[j] = j;
        enum carom_status status = carom_frame_set(&w->frame, t, state->q, c->contact, c->n, error);
        for (size_t j = 0; status == CAROM_OK && j < c->n; j++) {
            c->b[j] = w->frame.gap[j];
            c->impulse[j] = 0.0;
            if (w->frame.chain) {
                c->diagonal[j] = w->frame.diagonal[j];
                c->beside[j] = w->frame.beside[j];
            }
        }
        if (status == CAROM_OK)
            status = carom_rigid_step_solve(c, stepper, t, w->frame.chain ? NULL : w->frame.matrix, error);
        if (status != CAROM_OK)
            return status;
        memset(w->step, 0, model->nv * sizeof(double));
        carom_frame_push(&w->frame, c->impulse, w->step);
        memcpy(w->place, state->q, model->nq * sizeof(double));
        carom_motion_move(model, w->place, w->step, state->q);
    }
    return CAROM_OK;
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop,
                                  struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    w->rigid.nevents = 0;
    w->rigid.struck = false;
    carom_stepper_turn_some(stepper, state, 0);
    const double t = stepper->before->time + h;
    enum carom_status status =
        w->fast ? carom_moreau_chain_step(stepper, state, h, error) : carom_moreau_any_step(stepper, state, h, error);
    if (status == CAROM_OK && w->options->project)
        status = project(stepper, state, t, error);
    if (status != CAROM_OK) {
        carom_state_swap(state, stepper->before);
        w->rigid.nevents = 0;
        return status;
    }
    stepper->switched = w->rigid.nevents > 0;
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return CAROM_OK;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_moreau *w = stepper->work;
    stepper->nevents = 0;
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const double h = carom_stepper_size(state, w->options->step, bound->t_stop);
        const enum carom_status status = one_step(stepper, state, h, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    if (bound->watch) {
        stepper->event = w->rigid.event;
        stepper->nevents = w->rigid.nevents;
    }
    if (carom_state_until(state, bound->t_stop) <= 0.0)
        look(stepper, state, state->time);
    return CAROM_OK;
}

/* A view inside the last step. Where no contact was struck in it, v runs straight from v_k to v_{k+1} and q follows it;
 * else v is v_{k+1} all along, the limit from the right, and q runs straight. `step`: room for nv numbers. */
static void between(const struct carom_stepper *stepper, const struct carom_state *state, double theta, bool struck,
                    double t, double *step, struct carom_state *view)
{
    const struct carom_model *model = stepper->model;
    const struct carom_state *from = stepper->before;
    const double h = (state->time - from->time) + (state->time_low - from->time_low);
    const double past = (t - from->time) - from->time_low, s = past / h;
    if (carom_stepper_meets(from, t, h)) {
        carom_state_view(view, from);
        carom_state_clock(view, t);
        return;
    }
    const double blow = 1.0 - theta; /* where in the step velocities must jump for positions to go with them */
    const bool before = struck && s < blow;
    carom_state_view(view, before ? from : state);
    for (size_t i = 0; i < model->nv; i++) {
        const double v0 = from->v[i], change = state->v[i] - v0;
        const double mean = before   ? v0
                            : struck ? v0 + (1.0 - blow / s) * change
                                     : v0 + (0.5 * s + theta - 0.5) * change;
        view->v[i] = before ? v0 : struck ? state->v[i] : v0 + s * change;
        step[i] = past * mean;
    }
    carom_motion_move(model, from->q, step, view->q);
    if (model->offers & CAROM_FLAT) /* what projections added */
        for (size_t i = 0; i < model->nq; i++)
            view->q[i] += s * ((state->q[i] - from->q[i]) - h * (from->v[i] + theta * (state->v[i] - from->v[i])));
    for (size_t i = 0; i < 2 * model->nparts; i++)
        view->spent[i] = from->spent[i] + s * (state->spent[i] - from->spent[i]);
    carom_state_clock(view, t);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct carom_moreau *w = stepper->work;
    between(stepper, state, w->options->theta, w->rigid.struck, t, w->step, view);
}

const struct carom_scheme carom_scheme_moreau_jean = {
    .kind = {"moreau-jean", "rigid contacts, fixed steps, order 1: velocities and impulses of a whole step",
             carom_moreau_jean_params, sizeof(struct carom_moreau_options)},
    .needs = CAROM_RIGID,
    .order = 1,
    .dense_order = 1,
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
    .listed = &carom_moreau_bodies,
};
