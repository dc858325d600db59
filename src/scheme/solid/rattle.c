/* RATTLE for solids and what strikes them: Monasse and Mariotti 2012, section 5: kick, drift, kick, with turns moved
 * by the implicit step of rattle_turn.c. Explicit, symplectic, reversible, second order; one force evaluation a step.
 * Angular momenta are kept in space axes, so that the constraint forces never appear. Damping is split off, half a
 * step at each end. The step is bounded by the largest frequency of the body; a larger one is refused. */
#include "scheme/solid/rattle.h"

#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"
#include "model/solid/solid_turns.h"
#include "scheme/solid/rattle_device.h"
#include "scheme/solid/rattle_ranks.h"
#include "scheme/solid/rattle_sheet.h"
#include "scheme/solid/rattle_strike.h"
#include "scheme/stepper.h"

static const struct carom_param params[] = {
    {"step", CAROM_REAL, offsetof(struct carom_rattle_options, step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s",
     "time step; without it half the largest stable one, or what tol asks for", NULL},
    {"tol", CAROM_REAL, offsetof(struct carom_rattle_options, tol), 0, 0, 1, "1",
     "error of the time integration over the whole run on this mesh, relative to the scales; 0: as step says", NULL},
    CAROM_PARAM_END,
};

struct rattle {
    size_t nbodies;
    struct carom_rattle_body *body;
    struct carom_rattle_strike *strike; /* NULL: nothing strikes the bodies */
    struct carom_rattle_joints *joints; /* the strike's, or NULL */
    struct carom_rattle_device *device; /* NULL: the processor takes the steps */
    struct carom_rattle_ranks *ranks;   /* NULL: it does so alone */
    size_t *bad;                        /* per block of the largest body */
    bool cached;                        /* the forces belong to this state */
    bool there;                         /* the state is on the device, or with ranks, as its last call left it */
    uint64_t step;
    double time;
};

/* one step of one body, for threads */
struct advance {
    struct carom_rattle_body *body;
    const struct carom_state *from;
    struct carom_state *to;
    double h;
    const double *v0; /* velocities to begin with */
    size_t *bad;
};

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    const bool struck = carom_solid_strike_of(model) != NULL;
    for (size_t i = 0; i < model->nparts; i++) {
        if (!carom_solid_at(model, i) && !(struck && carom_solid_balls_at(model, i)))
            return carom_error_set(error, CAROM_E_REFUSED, "scheme rattle steps solids, and there are also %s",
                                   model->member[i].part->kind.name);
    }
    if (model->nc > 0 && !struck)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme rattle supports contacts of solids, balls and walls only");
    for (size_t i = 0; i < model->ngroups; i++)
        if (model->group[i].law->nh > 0 || model->group[i].law->rigid || model->group[i].law->pull)
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "scheme rattle needs contact laws that are compliant, without memory and without "
                                   "pull, and %s is not: hertz, kuwabara-kono, power or linear-dashpot",
                                   model->group[i].law->kind.name);
    if (model->clipped)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme rattle ends damped contacts where the gap opens: contact_end: gap");
    return CAROM_OK;
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)model;
    (void)options;
    return CAROM_RATTLE_MEMORY;
}

static void close(struct carom_stepper *stepper)
{
    struct rattle *w = stepper->work;
    for (size_t i = 0; w->body && i < w->nbodies; i++) {
        carom_memory_free_all(w->body[i].room, w->body[i].force, w->body[i].extension, w->body[i].drag, w->body[i].spin,
                              w->body[i].loss, w->body[i].unlike);
        carom_solid_rates_free(w->body[i].rates);
    }
    carom_rattle_strike_free(w->strike);
    carom_rattle_device_free(w->device);
    carom_rattle_ranks_free(w->ranks);
    carom_memory_free_all(w->body, w->bad, w);
    stepper->work = NULL;
}

static bool open_body(struct carom_rattle_body *body, const struct carom_member *member)
{
    const struct carom_solid *s = member->own;
    const bool damped = s->damping_stiffness > 0.0, rubs = damped || carom_solid_self_is_rough(s);
    body->member = member;
    body->solid = s;
    body->force = carom_memory_zeroed(s->fast * s->n, sizeof(double));
    body->extension = carom_memory_zeroed(2 * carom_solid_loads_faces(s), sizeof(double));
    body->drag = carom_memory_zeroed(rubs ? s->fast * s->n : 0, sizeof(double));
    body->spin = carom_memory_zeroed(rubs ? 2 * s->fast * s->n : 0, sizeof(double));
    body->loss = carom_memory_zeroed(2 * carom_rattle_blocks(s), sizeof(double));
    body->unlike = carom_rattle_space_unlike_create(s);
    body->rates = damped ? carom_solid_rates_create(s) : NULL;
    const size_t work = carom_solid_forces_room(s, true), rates = body->rates ? carom_solid_rates_room(body->rates) : 0;
    body->room = carom_memory_zeroed(work + rates, sizeof(double));
    if (!body->room || !body->force || !body->extension || !body->drag || !body->spin || !body->loss ||
        (carom_rattle_space_unlike_is(s) && !body->unlike))
        return false;
    body->work = carom_solid_forces_work(s, true, body->room);
    if (body->rates)
        body->frozen = carom_solid_rates_frozen(body->rates, body->room + work);
    return !damped || body->rates;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    const struct carom_rattle_options *o = stepper->options;
    struct rattle *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    bool good = w != NULL;
    if (good) {
        size_t most = 0;
        while (w->nbodies < model->nparts && carom_solid_at(model, w->nbodies))
            w->nbodies++;
        w->body = carom_memory_zeroed(w->nbodies, sizeof *w->body);
        good = w->body != NULL;
        for (size_t i = 0; good && i < w->nbodies; i++) {
            good = open_body(&w->body[i], &model->member[i]);
            w->body[i].swept = model->nc == 0 && carom_rattle_sheet_fits(w->body[i].solid);
            most = w->body[i].solid->n > most ? w->body[i].solid->n : most;
        }
        w->bad = carom_memory_zeroed(most / CAROM_RATTLE_BLOCK + 1, sizeof *w->bad);
        w->strike = good && model->nc > 0 ? carom_rattle_strike_create(model, stepper->threads) : NULL;
        w->joints = w->strike ? carom_rattle_strike_joints(w->strike) : NULL;
    }
    if (!good || !w->bad || (model->nc > 0 && !w->strike))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme rattle");
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < w->nbodies; i++) {
        status = carom_rattle_limit_check(w->body[i].solid, o->step, &w->body[i].omega, error);
        carom_rattle_still(&w->body[i], stepper->scales.speed);
    }
    return status == CAROM_OK && w->strike ? carom_rattle_limit_contacts(stepper, o->step, error) : status;
}

/* held and driven coordinates are where they belong from the first moment */
static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    const struct carom_rattle_options *o = stepper->options;
    struct rattle *w = stepper->work;
    (void)error;
    state->memory[CAROM_RATTLE_STEP] = o->step;
    for (size_t i = 0; i < w->nbodies; i++) {
        double *q = state->q + w->body[i].member->q0, *v = state->v + w->body[i].member->v0;
        carom_solid_loads_hold(w->body[i].solid, state->time, false, q, v);
        carom_solid_turns_still(w->body[i].solid, q, v);
        carom_rattle_motion_start(w->body[i].solid, stepper->threads, q, v);
    }
    w->cached = false;
    return CAROM_OK;
}

/* the forces at the state's q, and how far loaded faces are out, at the start of a step or (which = 1) at its end */
static void evaluate(struct carom_stepper *stepper, struct carom_state *state, double t, double h, size_t which)
{
    struct rattle *w = stepper->work;
    for (size_t i = 0; i < w->nbodies; i++) {
        struct carom_rattle_body *body = &w->body[i];
        double *q = state->q + body->member->q0;
        if (which == 1 && body->solid->flow)
            *(body->solid->plasticity.yield > 0.0 ? &carom_solid_losses(body->solid, q)[CAROM_SOLID_PLASTIC]
                                                  : &state->spent[i]) +=
                carom_solid_yield_flow(body->solid, &body->work, stepper->threads, t, h,
                                       stepper->before->q + body->member->q0, q);
        if (which == 1 && carom_rattle_space_clears(body->solid))
            carom_solid_forces_onto(body->solid, &body->work, stepper->threads, t, q, body->force);
        else if (which == 0 || !body->swept)
            carom_solid_forces(body->solid, &body->work, stepper->threads, t, q, body->force);
        if (body->solid->damping_stiffness > 0.0)
            carom_solid_rates_freeze(body->rates, &body->frozen, stepper->threads, q);
        if (body->solid->nloads > 0)
            carom_solid_loads_extend(body->solid, t, body->work.pressure,
                                     body->extension + which * carom_solid_loads_faces(body->solid));
    }
    stepper->counts.evaluations += which == 1 || state->step == 0; /* else the state was counted when it was reached */
}

static void drift(void *own, size_t block)
{
    const struct advance *a = own;
    const struct carom_member *m = a->body->member;
    a->bad[block] =
        carom_rattle_motion_drift(a->body, block * CAROM_RATTLE_BLOCK, carom_rattle_block_end(a->body->solid, block),
                                  a->h, a->from->q + m->q0, a->v0, a->to->q + m->q0, a->to->v + m->v0);
}

static void kick(void *own, size_t block)
{
    const struct advance *a = own;
    const struct carom_member *m = a->body->member;
    a->bad[block] =
        carom_rattle_motion_kick(a->body, block * CAROM_RATTLE_BLOCK, carom_rattle_block_end(a->body->solid, block),
                                 a->h, a->to->q + m->q0, a->to->v + m->v0);
}

/* the first cell that went wrong */
static size_t first_bad(const struct advance *a)
{
    for (size_t b = 0; b < carom_rattle_blocks(a->body->solid); b++)
        if (a->bad[b] != SIZE_MAX)
            return a->bad[b];
    return SIZE_MAX;
}

static enum carom_status broke_down(const struct carom_stepper *stepper, const struct carom_state *state, size_t member,
                                    size_t cell, struct carom_error *error)
{
    const struct rattle *w = stepper->work;
    const struct carom_solid *s = w->body[member].solid;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "rattle broke down at t = %g: cell %zu, which stands at (%g, %g, %g), moves or turns too "
                           "fast for step %g; the largest stable step at the start is %.6g",
                           state->time, cell, s->centre[cell][0], s->centre[cell][1], s->centre[cell][2],
                           state->memory[CAROM_RATTLE_STEP], carom_rattle_limit(s, w->body[member].omega));
}

/* up to the new q, or all but the ends where the body goes in one sweep; the cell that fails, or SIZE_MAX */
static size_t first_half(struct carom_stepper *stepper, struct advance *a, size_t member, double t1)
{
    struct carom_rattle_joints *joints = ((struct rattle *)stepper->work)->joints;
    const struct carom_solid *s = a->body->solid;
    const struct carom_member *m = a->body->member;
    double *v = a->to->v + m->v0;
    a->v0 = a->from->v + m->v0;
    carom_rattle_carry_on(s, a->from->q + m->q0, a->to->q + m->q0);
    if (carom_rattle_damp_is(s) || s->nabsorbers > 0) { /* on a copy: `before` stays the start of the step */
        memcpy(v, a->v0, m->nv * sizeof *v);
        a->v0 = v;
        carom_rattle_damp(a->body, stepper->threads, a->h, false, a->from->q + m->q0, v, a->to, member);
        if (joints)
            carom_rattle_joints_damped(joints, member, a->from, v);
    }
    if (a->body->swept) {
        struct carom_rattle_move move = {stepper->threads, a->h, t1, a->from->q + m->q0, a->v0, a->to->q + m->q0, v,
                                         .fast = SIZE_MAX};
        return carom_rattle_sheet_step(a->body, &move);
    }
    carom_threads_run(stepper->threads, drift, a, carom_rattle_blocks(s));
    if (carom_solid_driven(s)) {
        carom_solid_loads_hold(s, t1, true, a->to->q + m->q0, v);
        a->to->work[member] += carom_rattle_drive_work(a->body, a->from, a->to, t1);
    }
    return first_bad(a);
}

/* from the new forces on, up to damping; the cell whose motion is not finite, or SIZE_MAX */
static size_t second_half(struct carom_stepper *stepper, struct advance *a, size_t member, double t0, double t1)
{
    const struct carom_solid *s = a->body->solid;
    const struct carom_member *m = a->body->member;
    double *q = a->to->q + m->q0, *v = a->to->v + m->v0;
    if (!a->body->swept)
        carom_threads_run(stepper->threads, kick, a, carom_rattle_blocks(s));
    carom_solid_loads_hold(s, t1, true, q, v);
    if (carom_solid_driven(s))
        a->to->work[member] +=
            carom_rattle_drive_work(a->body, a->from, a->to, t1) + carom_rattle_drive_gain(a->body, a->from, a->to);
    if (s->nloads > 0) {
        const size_t faces = carom_solid_loads_faces(s);
        double *extension = a->body->extension;
        const struct carom_solid_way way = {t0, a->from->q + m->q0, extension, t1, q, extension + faces};
        a->to->work[member] += carom_solid_loads_work(s, stepper->threads, &way);
        memcpy(extension, extension + faces, faces * sizeof *extension);
    }
    return a->body->swept ? SIZE_MAX : first_bad(a);
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state,
                                  const struct carom_bound *bound, struct carom_error *error)
{
    struct rattle *w = stepper->work;
    const double h = carom_stepper_size(state, state->memory[CAROM_RATTLE_STEP], bound->t_stop), t0 = state->time;
    carom_stepper_begin_step(stepper, state);
    carom_stepper_arrive(state, h, bound->t_stop);
    const double t1 = carom_rattle_end(state, bound);
    size_t bad = SIZE_MAX, member = 0;
    struct advance a = {.from = stepper->before, .to = state, .h = h, .bad = w->bad};
    if (w->strike)
        carom_rattle_strike_begin(w->strike, &w->body[0], h, stepper->before, state);
    for (size_t i = 0; i < w->nbodies && bad == SIZE_MAX; i++) {
        a.body = &w->body[i];
        bad = first_half(stepper, &a, member = i, t1);
    }
    if (bad == SIZE_MAX && w->joints)
        carom_rattle_joints_move(w->joints, h, stepper->before, state);
    if (bad == SIZE_MAX)
        evaluate(stepper, state, t1, h, 1);
    if (bad == SIZE_MAX && w->strike)
        carom_rattle_strike_end(w->strike, &w->body[0], h, stepper->before, state);
    for (size_t i = 0; i < w->nbodies && bad == SIZE_MAX; i++) {
        a.body = &w->body[i];
        bad = second_half(stepper, &a, member = i, t0, t1);
    }
    if (bad == SIZE_MAX && w->joints)
        carom_rattle_joints_stop(w->joints, h, state);
    for (size_t i = 0; i < w->nbodies && bad == SIZE_MAX; i++) {
        const struct carom_member *m = w->body[i].member;
        if (carom_rattle_damp_is(w->body[i].solid) || w->body[i].solid->nabsorbers > 0)
            carom_rattle_damp(&w->body[i], stepper->threads, h, true, state->q + m->q0, state->v + m->v0, state, i);
    }
    struct carom_rattle_run switched = {0, 0};
    if (bad == SIZE_MAX && w->strike)
        switched = carom_rattle_strike_settle(w->strike, &w->body[0], h, stepper->before, state);
    stepper->switched = switched.first < switched.last;
    stepper->switched_first = switched.first;
    stepper->switched_last = switched.last;
    const bool lost = bad == SIZE_MAX && w->strike && !carom_rattle_strike_finite(w->strike, state);
    const enum carom_status through =
        bad == SIZE_MAX && !lost && w->strike ? carom_rattle_strike_bounded(w->strike, h, state, error) : CAROM_OK;
    if (bad != SIZE_MAX || lost || through != CAROM_OK) {
        carom_state_swap(state, stepper->before);
        w->cached = false;
        if (through != CAROM_OK)
            return through;
        return lost ? carom_error_set(error, CAROM_E_NUMERIC,
                                      "a ball's motion is not finite at t = %g: the step is too long", state->time)
                    : broke_down(stepper, state, member, bad, error);
    }
    for (size_t i = 0; i < w->nbodies; i++)
        if (carom_rattle_fracture(stepper, &w->body[i], state, i, t1) && w->strike)
            carom_rattle_strike_forget(w->strike); /* the surface is another */
    carom_stepper_count(stepper, h);
    w->step = state->step;
    w->time = state->time;
    w->cached = t1 == state->time;
    return CAROM_OK;
}

static enum carom_status use_device(struct carom_stepper *stepper, struct carom_device *device,
                                    struct carom_error *error)
{
    struct rattle *w = stepper->work;
    if (w->strike)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "devices take bodies without contacts; device: none runs this one on the processor");
    w->device = carom_rattle_device_create(device, w->body, w->nbodies, error);
    return w->device ? CAROM_OK : error ? error->status : CAROM_E_REFUSED;
}

/* for steps that ranks share: what counts is counted by who asks */
static void forces_at_start(struct carom_stepper *stepper, struct carom_state *state)
{
    const uint64_t counted = stepper->counts.evaluations;
    evaluate(stepper, state, state->time, 0.0, 0);
    stepper->counts.evaluations = counted;
}

static enum carom_status use_ranks(struct carom_stepper *stepper, struct carom_ranks *ranks, struct carom_error *error)
{
    struct rattle *w = stepper->work;
    w->ranks = carom_rattle_ranks_create(ranks, stepper, w->body, w->nbodies, w->strike, error);
    if (!w->ranks)
        return error->status;
    return carom_rank_own(ranks) == 0 ? CAROM_OK : carom_rattle_ranks_serve(w->ranks, forces_at_start, error);
}

/* the steps of a call on the device, or by ranks; `wrong`: none was taken, and the processor alone will take them, or
 * say why not */
static enum carom_status steps_there(struct carom_stepper *stepper, struct carom_state *state,
                                     const struct carom_bound *bound, bool *wrong, struct carom_error *error)
{
    struct rattle *w = stepper->work;
    const bool known = w->cached && w->step == state->step && w->time == state->time;
    stepper->counts.evaluations += !known && state->step == 0;
    const bool fresh = !(known && w->there);
    const enum carom_status status =
        w->ranks ? carom_rattle_ranks_steps(w->ranks, state, bound, fresh, forces_at_start, wrong, error)
                 : carom_rattle_device_steps(w->device, stepper, state, bound, fresh, wrong, error);
    w->there = status == CAROM_OK && !*wrong;
    w->step = state->step;
    w->time = state->time;
    w->cached = status == CAROM_OK && !*wrong && carom_rattle_end(state, bound) == state->time;
    return status;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct rattle *w = stepper->work;
    bool wrong = false;
    if (w->device || w->ranks) {
        const enum carom_status status = steps_there(stepper, state, bound, &wrong, error);
        if (status != CAROM_OK || !wrong)
            return status;
        stepper->counts.evaluations -= state->step == 0; /* the first will be worked out once more */
    }
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        if (!w->cached || w->step != state->step || w->time != state->time) {
            evaluate(stepper, state, state->time, 0.0, 0);
            if (w->strike)
                carom_rattle_strike_forget(w->strike);
        }
        const enum carom_status status = one_step(stepper, state, bound, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static enum carom_status whole(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct rattle *w = stepper->work;
    const enum carom_status status = w->ranks ? carom_rattle_ranks_whole(w->ranks, state) : CAROM_OK;
    return status == CAROM_OK ? status : carom_rattle_ranks_told_silent(error);
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    const struct rattle *w = stepper->work;
    carom_state_view(view, state);
    for (size_t i = 0; i < w->nbodies; i++)
        carom_rattle_motion_sync(w->body[i].solid, stepper->threads, view->q + w->body[i].member->q0,
                                 view->v + w->body[i].member->v0);
}

/* of contacts alone */
static void sync_range(struct carom_stepper *stepper, const struct carom_state *state, size_t first, size_t last,
                       struct carom_state *view)
{
    const struct rattle *w = stepper->work;
    (void)first;
    (void)last;
    if (w->strike)
        carom_rattle_strike_sync(stepper->model, state, view);
    else
        sync(stepper, state, view);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct rattle *w = stepper->work;
    const struct carom_state *from = stepper->before;
    if (w->device)
        carom_rattle_device_before(w->device, stepper->before);
    if (w->ranks)
        carom_rattle_ranks_before(w->ranks, stepper->before);
    const double h = carom_state_until(from, state->time) + state->time_low, s = carom_state_until(from, t) / h;
    const struct carom_state *broken = carom_stepper_meets(state, t, h) ? state : from;
    for (size_t i = 0; i < w->nbodies; i++) {
        const struct carom_member *m = w->body[i].member;
        carom_rattle_motion_between(&w->body[i], stepper->threads, s, h, from, state, view);
        for (size_t k = w->body[i].solid->wide * w->body[i].solid->n; k < m->nq; k++)
            view->q[m->q0 + k] = carom_solid_fracture_jumps(w->body[i].solid, k)
                                     ? broken->q[m->q0 + k]
                                     : from->q[m->q0 + k] + s * (state->q[m->q0 + k] - from->q[m->q0 + k]);
        if (carom_solid_driven(w->body[i].solid)) /* whose velocity may have jumped at an end of the step */
            carom_solid_loads_hold(w->body[i].solid, t, false, view->q + m->q0, view->v + m->v0);
    }
    if (w->strike)
        carom_rattle_strike_between(w->strike, s, h, from, state, view);
    for (size_t i = 0; i < 2 * from->nparts; i++)
        view->spent[i] = from->spent[i] + s * (state->spent[i] - from->spent[i]);
    view->energy = state->energy;
    view->step = state->step;
    carom_state_clock(view, t);
}

const struct carom_scheme carom_scheme_rattle = {
    .kind = {"rattle", "elastic solids: explicit, symplectic, reversible, second order", params,
             sizeof(struct carom_rattle_options)},
    .order = 2,
    .dense_order = 2,
    .meets = true,
    .friction = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .sync_range = sync_range,
    .dense = dense,
    .close = close,
    .device = use_device,
    .ranks = use_ranks,
    .whole = whole,
};
