/* Schatzman-Paoli time stepping, constraints on positions. Acary 2009, equations (10)-(11), put right: with w_k =
 * (q_k - q_{k-1}) / h (q moved as its part moves it),
 *     M(q_k) (w_{k+1} - w_k) = h F(t_k, q_k, w_k) + G(q_k) p,   q_{k+1} = q_k + h w_{k+1},
 *     0 <= p _|_ g((q_{k+1} + e q_{k-1}) / (1 + e)) >= 0,   g taken linear at q_k,   v_k = (w_k + w_{k+1}) / 2,
 *     q_1 = q_0 + h v_0 + h^2 a_0 / 2, a_0 with the forces of contacts that rest.
 * Order 1; an impact takes two steps; energy and gaps are kept to O(h) only. Between steps v holds w_k, and `sync`
 * tries the next step to know v_k. A step of another size than the last one, the last of a run, weighs both. */
#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau.h"
#include "scheme/stepper.h"

struct options {
    double step, solver_tol;
    int solver;
};

static const struct carom_param params[] = {
    {"step", CAROM_REAL, offsetof(struct options, step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s", "time step",
     NULL},
    {"solver", CAROM_CHOICE, offsetof(struct options, solver), 0, 0, 4, "1", "of contact problems", carom_lcp_solvers},
    {"solver_tol", CAROM_REAL, offsetof(struct options, solver_tol), 1e-10, CAROM_POSITIVE, 1e-3, "1",
     "largest residual of a contact problem, relative to its speeds", NULL},
    CAROM_PARAM_END,
};

/* what the state remembers: the size of the last step, then per contact how it stands, the rate before it was struck
 * and the impulse since */
enum { LAST, CONTACTS, COLUMNS };
enum { STATUS, RATE, IMPULSE, PER_CONTACT };
static const struct carom_column columns[COLUMNS] = {{"last", .once = 1}, {"contacts", .contact = PER_CONTACT}};

struct work {
    struct carom_rigid_step rigid;
    struct carom_frame frame;
    double *force, *accelerate, *next, *step; /* nv */
    double *first;                            /* nv: velocities at the start, which the state does not keep */
    bool begins;                              /* are they those of this run? */
    double *before, *freely, *after;          /* nc: gap rates by w_k, without impulses, by w_{k+1} */
};

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct options *o = options;
    const struct carom_beads *beads = carom_model_chain(model);
    for (size_t i = 0; beads && beads->spring && i < beads->n; i++) {
        const double turn = o->step * sqrt(beads->spring[i] * beads->inverse_mass[i]);
        if (!(turn < 2.0))
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme schatzman-paoli is unstable for body %zu: step sqrt(spring / mass) = %g, must "
                "be below 2; take a smaller step or moreau-jean",
                i + 1, turn);
    }
    return carom_rigid_step_accept(model, o->solver, error);
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_columns_size(columns, COLUMNS, model);
}

static void close(struct carom_stepper *stepper)
{
    struct work *w = stepper->work;
    carom_memory_free(w->force);
    carom_rigid_step_close(&w->rigid);
    carom_frame_close(&w->frame);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    const struct options *o = stepper->options;
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme schatzman-paoli");
    if (!carom_memory_together(CAROM_ROOM(w->force, model->nv), CAROM_ROOM(w->accelerate, model->nv),
                               CAROM_ROOM(w->next, model->nv), CAROM_ROOM(w->step, model->nv),
                               CAROM_ROOM(w->first, model->nv), CAROM_ROOM(w->before, model->nc),
                               CAROM_ROOM(w->freely, model->nc), CAROM_ROOM(w->after, model->nc)))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme schatzman-paoli");
    const enum carom_status status = carom_frame_open(&w->frame, model, model->nc, error);
    return status == CAROM_OK ? carom_rigid_step_open(&w->rigid, model, o->solver, o->solver_tol, error) : status;
}

static enum carom_status solve(struct carom_stepper *stepper, double t, struct carom_error *error)
{
    struct work *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    for (size_t k = 0; w->frame.chain && k < c->n; k++) {
        c->diagonal[k] = w->frame.diagonal[k];
        c->beside[k] = w->frame.beside[k];
    }
    return c->n > 0 ? carom_rigid_step_solve(c, stepper, t, w->frame.chain ? NULL : w->frame.matrix, error) : CAROM_OK;
}

/* accelerations at the start: contacts that touch and do not move press on each other */
static enum carom_status rest(struct carom_stepper *stepper, const struct carom_state *state, double h,
                              struct carom_error *error)
{
    struct work *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const struct carom_model *model = stepper->model;
    carom_motion_accelerate(model, state->time, state->q, state->v, NULL, stepper->scratch, w->force, w->accelerate,
                            NULL);
    carom_contacts_deform(model, state->time, state->q, state->v, w->after, w->before);
    double fastest = 0.0, size = 0.0;
    for (size_t i = 0; i < model->nv; i++)
        fastest = fmax(fastest, fabs(state->v[i]) + h * fabs(w->accelerate[i]));
    for (size_t i = 0; i < model->nq; i++)
        size = fmax(size, fabs(state->q[i]));
    c->n = 0;
    for (size_t j = 0; j < model->nc; j++)
        if (w->after[j] >= -1e-12 * (size + fabs(model->gap[j])) && fabs(w->before[j]) <= 1e-12 * fastest) {
            c->impulse[c->n] = 0.0;
            c->contact[c->n++] = j;
        }
    enum carom_status status = carom_frame_set(&w->frame, state->time, state->q, c->contact, c->n, error);
    if (status != CAROM_OK)
        return status;
    carom_frame_rates(&w->frame, w->accelerate, c->b);
    for (size_t k = 0; k < c->n; k++)
        c->b[k] -= w->frame.drift[k]; /* accelerations, not rates */
    status = solve(stepper, state->time, error);
    if (status == CAROM_OK)
        carom_frame_push(&w->frame, c->impulse, w->accelerate);
    return status;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct work *w = stepper->work;
    const double h = ((const struct options *)stepper->options)->step;
    double *room = carom_memory_zeroed(2 * stepper->model->nc, sizeof(double));
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme schatzman-paoli");
    enum carom_status status = carom_rigid_step_check(stepper, state, room, error);
    carom_memory_free(room);
    if (status == CAROM_OK)
        status = rest(stepper, state, h, error);
    if (status != CAROM_OK)
        return status;
    memcpy(w->first, state->v, stepper->model->nv * sizeof(double));
    w->begins = true;
    for (size_t i = 0; i < stepper->model->nv; i++)
        state->v[i] -= 0.5 * h * w->accelerate[i];
    memset(state->memory, 0, state->nmemory * sizeof(double));
    state->memory[LAST] = h;
    stepper->worst_gap = stepper->worst_residual = 0.0;
    return CAROM_OK;
}

/* w_{k+1} into w->next for a step of size h from `from` */
static enum carom_status advance(struct carom_stepper *stepper, const struct carom_state *from, double h,
                                 struct carom_error *error)
{
    struct work *w = stepper->work;
    struct carom_rigid_step *c = &w->rigid;
    const struct carom_model *model = stepper->model;
    const double last = from->memory[LAST], kick = 0.5 * (last + h);
    carom_motion_accelerate(model, from->time, from->q, from->v, NULL, stepper->scratch, w->force, w->accelerate, NULL);
    double poison = 0.0;
    for (size_t i = 0; i < model->nv; i++) {
        w->next[i] = from->v[i] + kick * w->accelerate[i];
        poison += w->next[i] * 0.0;
    }
    if (poison != 0.0)
        return carom_frame_explain(model, from->time, from->q, from->v, error);
    carom_rigid_step_quiet(c, from->v, w->next);
    c->n = model->nc;
    for (size_t j = 0; j < c->n; j++)
        c->contact[j] = j;
    enum carom_status status = carom_frame_set(&w->frame, from->time, from->q, c->contact, c->n, error);
    if (status != CAROM_OK)
        return status;
    carom_frame_rates(&w->frame, from->v, w->before);
    carom_frame_rates(&w->frame, w->next, w->freely);
    for (size_t j = 0; j < c->n; j++) {
        c->b[j] = w->freely[j] + ((1.0 + c->e[j]) * w->frame.gap[j] - c->e[j] * last * w->before[j]) / h;
        c->impulse[j] = h * from->force[j];
        if (w->frame.gap[j] < stepper->worst_gap)
            stepper->worst_gap = w->frame.gap[j];
    }
    status = solve(stepper, from->time, error);
    if (status == CAROM_OK)
        carom_frame_push(&w->frame, c->impulse, w->next);
    return status;
}

/* What became of contact j, which got the impulse p: an impact is told when it is over; what closes in the first step
 * was closed before (`begun` is false there). */
static void judge(struct work *w, const double *was, double *is, size_t j, double p, double t, bool begun)
{
    struct carom_rigid_step *c = &w->rigid;
    const double jump = p * w->frame.diagonal[j];
    const bool strikes = p > 0.0 && carom_rigid_step_strikes(c, was[STATUS], w->before[j], jump);
    is[STATUS] = is[RATE] = is[IMPULSE] = 0.0;
    if (strikes) {
        const bool first = was[STATUS] != CAROM_RIGID_STEP_STRUCK;
        is[STATUS] = CAROM_RIGID_STEP_STRUCK;
        is[RATE] = first ? w->before[j] : was[RATE];
        is[IMPULSE] = first ? p : was[IMPULSE] + p;
        c->struck = true;
        return;
    }
    if (was[STATUS] == CAROM_RIGID_STEP_STRUCK)
        carom_rigid_step_note(c, t, j, CAROM_EVENT_IMPACT, was[IMPULSE], was[RATE], w->after[j]);
    else if (was[STATUS] == CAROM_RIGID_STEP_CLOSED && !(p > 0.0))
        carom_rigid_step_note(c, t, j, CAROM_EVENT_OPEN, 0.0, w->before[j], w->after[j]);
    if (p > 0.0)
        is[STATUS] = carom_rigid_step_pressed(c, was[STATUS], jump);
    if (is[STATUS] == CAROM_RIGID_STEP_CLOSED && was[STATUS] != CAROM_RIGID_STEP_CLOSED && begun)
        carom_rigid_step_note(c, t, j, CAROM_EVENT_CLOSE, p, w->before[j], w->after[j]);
}

static void book(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to, double h)
{
    struct work *w = stepper->work;
    const struct carom_model *model = stepper->model;
    carom_frame_rates(&w->frame, to->v, w->after);
    carom_frame_work(&w->frame, w->rigid.impulse, to->work);
    w->rigid.hit = false;
    for (size_t j = 0; j < model->nc; j++)
        w->rigid.hit |= w->before[j] < -w->rigid.quiet;
    const double *was = carom_columns_at(columns, CONTACTS, from, model->nc);
    double *is = carom_columns_at(columns, CONTACTS, to, model->nc);
    for (size_t j = 0; j < model->nc; j++, was += PER_CONTACT, is += PER_CONTACT) {
        const double p = w->rigid.impulse[j];
        to->force[j] = p / h;
        to->lost[j] = from->lost[j] - 0.5 * p * (w->before[j] + w->after[j]);
        judge(w, was, is, j, p, from->time + h, from->step > 0);
    }
    carom_motion_spend(model, from->time, from->q, from->v, h, stepper->scratch, to->spent, to->work);
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop,
                                  struct carom_error *error)
{
    struct work *w = stepper->work;
    const struct carom_model *model = stepper->model;
    w->rigid.nevents = 0;
    w->rigid.struck = false;
    const enum carom_status status = advance(stepper, state, h, error);
    if (status != CAROM_OK)
        return status;
    stepper->counts.evaluations++;
    carom_stepper_turn_some(stepper, state, 0);
    const struct carom_state *from = stepper->before;
    memcpy(state->v, w->next, model->nv * sizeof(double));
    for (size_t i = 0; i < model->nv; i++)
        w->step[i] = h * state->v[i];
    carom_motion_move(model, from->q, w->step, state->q);
    state->memory[LAST] = h;
    book(stepper, from, state, h);
    carom_motion_project(model, from->time + h, state->q, state->v);
    carom_motion_impose(model, from->time + h, state->q, state->v);
    stepper->switched = w->rigid.nevents > 0;
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return CAROM_OK;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct work *w = stepper->work;
    const struct options *o = stepper->options;
    stepper->nevents = 0;
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const double h = carom_stepper_size(state, o->step, bound->t_stop);
        const enum carom_status status = one_step(stepper, state, h, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    if (bound->watch) {
        stepper->event = w->rigid.event;
        stepper->nevents = w->rigid.nevents;
    }
    return CAROM_OK;
}

/* v_k from w_k and the w_{k+1} of a step that is only tried; w_k alone if that fails */
static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    struct work *w = stepper->work;
    const double h = ((const struct options *)stepper->options)->step, last = state->memory[LAST];
    const struct carom_counts counts = stepper->counts;
    const double gap = stepper->worst_gap, residual = stepper->worst_residual;
    carom_state_view(view, state);
    if (advance(stepper, state, h, NULL) == CAROM_OK)
        for (size_t i = 0; i < state->nv; i++)
            view->v[i] = (h * state->v[i] + last * w->next[i]) / (h + last);
    if (state->step == 0 && w->begins) /* before any step an impact has taken nothing */
        memcpy(view->v, w->first, state->nv * sizeof(double));
    carom_motion_impose(stepper->model, state->time, view->q, view->v);
    stepper->counts = counts;
    stepper->worst_gap = gap;
    stepper->worst_residual = residual;
}

/* q runs straight; v is w_{k+1} in the middle and runs straight from v_k and to v_{k+1}, so that a time which misses an
 * end of the step by rounding has what that end has */
static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct work *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const struct carom_state *from = stepper->before;
    const double h = state->memory[LAST], last = from->memory[LAST], s = carom_state_until(from, t) / h;
    sync(stepper, state, view);
    for (size_t i = 0; i < model->nv; i++) {
        const double middle = state->v[i], first = (h * from->v[i] + last * middle) / (h + last),
                     v0 = from->step == 0 && w->begins ? w->first[i] : first;
        view->v[i] = s < 0.5 ? v0 + 2.0 * s * (middle - v0) : middle + (2.0 * s - 1.0) * (view->v[i] - middle);
        w->step[i] = s * h * middle;
    }
    carom_motion_move(model, from->q, w->step, view->q);
    carom_motion_impose(model, t, view->q, view->v);
    for (size_t j = 0; j < state->nlost; j++)
        view->lost[j] = from->lost[j] + s * (state->lost[j] - from->lost[j]);
    for (size_t i = 0; i < 2 * model->nparts; i++)
        view->spent[i] = from->spent[i] + s * (state->spent[i] - from->spent[i]);
    if (carom_stepper_meets(from, t, h))
        memcpy(view->force, from->force, from->nforce * sizeof *from->force);
    carom_state_clock(view, t);
}

const struct carom_scheme carom_scheme_schatzman_paoli = {
    .kind = {"schatzman-paoli", "rigid contacts, fixed steps, order 1: constraints on positions", params,
             sizeof(struct options)},
    .needs = CAROM_RIGID,
    .order = 1,
    .dense_order = 1,
    .tells = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .dense = dense,
    .close = close,
};
