/* Implicit schemes of fixed step for granular crystals of discs and spheres: energy-momentum, cn-reg and theta
 * (crystal_newton.c has the step), gl-reg and irk (crystal_stages.c). Velocities are physical, and states remember
 * nothing but what is left of a step that had to be halved and, with two stages, the velocities that these step. */
#include "scheme/crystal/crystal.h"

#include <string.h>

#include "base/memory.h"
#include "base/rows.h"
#include "carom/law.h"
#include "scheme/between.h"
#include "scheme/halving.h"
#include "scheme/listed.h"

#define LONGEST 0.25 /* way of a body in a step, in parts of the least distance of two centres */

/* --- opening ------------------------------------------------------------------------------------------------------ */

/* all arrays of numbers */
static bool allocate(struct carom_crystal *w)
{
    const size_t numbers = w->n * w->dim, solver = (carom_crystal_complex(w) ? 2 : 1) * numbers,
                 stages = carom_crystal_complex(w) ? numbers : 0;
    w->room = carom_memory_together(
        CAROM_ROOM(w->ease, w->n), CAROM_ROOM(w->shift, numbers), CAROM_ROOM(w->given, numbers),
        CAROM_ROOM(w->load, stages ? 2 * numbers : numbers), CAROM_ROOM(w->target, numbers),
        CAROM_ROOM(w->taken, solver), CAROM_ROOM(w->turn, w->n * carom_bodies_nv(w->bodies)),
        CAROM_ROOM(w->middle, w->curved || stages ? w->n * carom_bodies_nq(w->bodies) : 0), CAROM_ROOM(w->x, solver),
        CAROM_ROOM(w->rest, solver), CAROM_ROOM(w->eased, solver), CAROM_ROOM(w->way, solver),
        CAROM_ROOM(w->image, solver), CAROM_ROOM(w->block, solver * w->dim), CAROM_ROOM(w->stage[0], stages),
        CAROM_ROOM(w->stage[1], stages), CAROM_ROOM(w->speed[0], stages), CAROM_ROOM(w->speed[1], stages),
        CAROM_ROOM(w->push[0], stages), CAROM_ROOM(w->push[1], stages), CAROM_ROOM(w->damp[0], stages),
        CAROM_ROOM(w->damp[1], stages),
        CAROM_ROOM(w->kicked, w->bodies->frictional ? w->n * carom_bodies_nv(w->bodies) : 0),
        CAROM_ROOM(w->kicked_own, w->bodies->frictional && stages ? w->n * carom_bodies_nv(w->bodies) : 0),
        CAROM_ROOM(w->over[0], stages ? w->n * carom_bodies_nv(w->bodies) : 0),
        CAROM_ROOM(w->over[1], stages ? w->n * carom_bodies_nv(w->bodies) : 0));
    return w->room;
}

static void close(struct carom_stepper *stepper)
{
    struct carom_crystal *w = stepper->work;
    carom_search_close(&w->search);
    carom_crystal_contacts_free(w);
    carom_memory_free_all(w->room, w->body, w->carried, w->stiffs, w);
    stepper->work = NULL;
}

static enum carom_status out_of_memory(const struct carom_stepper *stepper, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme %s", stepper->scheme->kind.name);
}

/* balls have one form of gap, planes and flat faces another; all else is curved */
static bool is_curved(const struct carom_body *body)
{
    const bool ball = body->surface == CAROM_BALL && !body->inside;
    const bool flat = body->surface == CAROM_PLANE || (body->surface == CAROM_BOX && body->inside);
    return !ball && !flat;
}

static void survey(struct carom_crystal *w)
{
    w->smallest = w->bodies->largest;
    for (size_t i = 0; i < w->n; i++) {
        const struct carom_body *body = &w->bodies->body[i];
        if (body->surface == CAROM_BALL && !body->inside)
            w->smallest = fmin(w->smallest, body->radius);
        w->curved |= is_curved(body);
        if (body->lead >= 0) { /* a wall that turns is no flat one */
            const double *turn = w->bodies->lead[body->lead].turn;
            w->curved |= turn[0] != 0.0 || turn[1] != 0.0 || turn[2] != 0.0;
        }
    }
}

static enum carom_status open_form(struct carom_stepper *stepper, enum carom_crystal_form form,
                                   const struct carom_scheme *named, struct carom_error *error)
{
    struct carom_crystal *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return out_of_memory(stepper, error);
    w->bodies = carom_model_bodies(stepper->model);
    w->threads = stepper->threads;
    w->form = form;
    w->paper = carom_rows_option(&named->kind, stepper->options, "form") > 0.0;
    w->dim = w->bodies->dimension;
    w->n = w->bodies->n;
    w->columns = carom_list_columns(w->bodies);
    survey(w);
    w->body = carom_memory_zeroed(carom_crystal_blocks(w->n, CAROM_CRYSTAL_BODIES), sizeof *w->body);
    w->carried = carom_memory_zeroed(w->columns.end, sizeof *w->carried);
    w->stiffs = carom_memory_zeroed(w->n, sizeof *w->stiffs);
    if (!allocate(w) || !w->body || !w->carried || !w->stiffs)
        return out_of_memory(stepper, error);
    for (size_t i = 0; i < w->n; i++)
        w->ease[i] = w->bodies->body[i].fixed ? 0.0 : 1.0 / w->bodies->body[i].mass;
    return carom_search_open(&w->search, w->bodies, error);
}

/* --- the list ----------------------------------------------------------------------------------------------------- */

/* does the scheme itself lose or create energy, contact by contact? */
static bool makes_energy(const struct carom_crystal *w)
{
    return w->form == CAROM_CRYSTAL_CN_REG || w->form == CAROM_CRYSTAL_THETA;
}

/* the list for bodies that move by `way` in a step */
static enum carom_status look_around(struct carom_stepper *stepper, struct carom_state *state, double way,
                                     struct carom_error *error)
{
    struct carom_crystal *w = stepper->work;
    struct carom_contacts *lists[2] = {state->contacts, stepper->before->contacts};
    if (stepper->before->contacts->n != state->contacts->n)
        carom_list_copy(stepper->before->contacts, state->contacts);
    const enum carom_status status = carom_search_renew(&w->search, state->q, way, lists, 2, error);
    w->ready = false;
    bool room = status != CAROM_OK || carom_crystal_contacts_reserve(w, state->contacts->n);
    for (int i = 0; i < 2 && room && makes_energy(w); i++)
        room = carom_list_claim(lists[i], w->columns.lost + CAROM_RETIRED_NUMERICAL);
    return room ? status : out_of_memory(stepper, error);
}

/* contacts at the state: left by the last step, or worked out */
static enum carom_status prepare(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_crystal *w = stepper->work;
    const bool same = w->step == state->step && w->time == state->time;
    if (w->ready && same)
        return CAROM_OK;
    if (w->search.skin < 0.0 || !same || !carom_search_holds(&w->search, state->q)) {
        const enum carom_status status = look_around(stepper, state, 0.0, error);
        if (status != CAROM_OK)
            return status;
    }
    carom_crystal_contacts_prepare(w, state, stepper->before);
    if (!carom_crystal_contacts_place(w, state->contacts, state->q, &w->end[0]))
        return carom_error_set(error, CAROM_E_NUMERIC, "bodies have run into each other at t = %g", state->time);
    w->ready = true;
    w->step = state->step;
    w->time = state->time;
    return CAROM_OK;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_crystal *w = stepper->work;
    w->ready = false;
    stepper->counts.evaluations++; /* later ones are of states that were counted when they were reached */
    memset(state->memory, 0, state->nmemory * sizeof(double));
    carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
    const enum carom_status status = prepare(stepper, state, error);
    if (status == CAROM_OK && carom_crystal_complex(w))
        carom_crystal_stages_turn(w, state->contacts, &w->end[0], -1.0, state->v, carom_crystal_own(state));
    return status;
}

/* --- a step ------------------------------------------------------------------------------------------------------- */

/* bodies turned, those that are led put where they will be, and forces half-way */
static void set_out(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to, double h,
                    double middle, double end)
{
    struct carom_crystal *w = stepper->work;
    const struct carom_member *m = &stepper->model->member[0];
    const size_t dim = w->dim, nv = carom_bodies_nv(w->bodies);
    m->part->force(m->own, middle, from->q, from->v, NULL, w->turn);
    for (size_t i = 0; i < w->n; i++) {
        memcpy(w->load + i * dim, w->turn + i * nv, dim * sizeof(double));
        for (size_t k = 0; k < nv; k++)
            w->turn[i * nv + k] = k < dim || w->ease[i] == 0.0 ? 0.0 : h * w->begin[i * nv + k];
    }
    carom_bodies_move(w->bodies, 0, w->n, from->q, w->turn, to->q);
    memcpy(to->v, from->v, to->nv * sizeof *to->v);
    carom_bodies_impose(w->bodies, end, to->q, to->v);
    if (!w->curved)
        return;
    memcpy(w->middle, from->q, to->nq * sizeof *to->q);
    carom_bodies_impose(w->bodies, middle, w->middle, w->turn);
}

static double longest_way(const struct carom_crystal *w, bool parts)
{
    double most = 0.0;
    for (size_t i = 0; i < w->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < w->dim; k++)
            square += w->shift[i * w->dim + k] * w->shift[i * w->dim + k];
        const double reach = parts && w->ease[i] > 0.0 ? w->bodies->body[i].radius + w->smallest : 1.0;
        most = parts && w->ease[i] == 0.0 ? most : fmax(most, sqrt(square) / reach);
    }
    return most;
}

/* solves the step, with new lists until nobody can have come near unseen; a fault is left in w->fault */
static bool solve(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    enum { LISTS = 20 };
    struct carom_crystal *w = stepper->work;
    const double now = state->time + state->time_low, middle = now + 0.5 * h,
                 end = fmin(now + h, nextafter(t_stop, -HUGE_VAL));
    const struct carom_counts counts = stepper->counts;
    for (int list = 0; list < LISTS; list++) {
        stepper->counts = counts; /* of the way alone: when a list is renewed is no part of it, and not kept in files */
        if (prepare(stepper, state, &w->fault) != CAROM_OK)
            return false;
        carom_stepper_begin_step(stepper, state);
        w->begin = w->bodies->frictional ? w->kicked : stepper->before->v;
        if (w->bodies->frictional)
            carom_crystal_friction_begin(stepper, stepper->before, h);
        set_out(stepper, stepper->before, state, h, middle, end);
        const enum carom_crystal_outcome outcome = carom_crystal_complex(w)
                                                       ? carom_crystal_stages(stepper, stepper->before, state, h, end)
                                                       : carom_crystal_newton(stepper, stepper->before, state, h);
        if (outcome == CAROM_CRYSTAL_SOLVED && longest_way(w, true) <= LONGEST) {
            carom_crystal_ledger_close(stepper, stepper->before, state, h, middle);
            return true;
        }
        carom_state_swap(state, stepper->before);
        if (outcome != CAROM_CRYSTAL_ESCAPED)
            return false;
        if (look_around(stepper, state, longest_way(w, false), &w->fault) != CAROM_OK)
            return false;
    }
    return false;
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct carom_crystal *w = stepper->work;
    if (w->fault.status != CAROM_OK || !solve(stepper, state, h, t_stop))
        return false;
    const struct carom_crystal_end last = w->end[0];
    w->end[0] = w->end[1];
    w->end[1] = last;
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    w->ready = !carom_bodies_anchor(w->bodies, state->q);
    w->step = state->step;
    w->time = state->time;
    return true;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_crystal *w = stepper->work;
    const struct carom_stepper_options *o = stepper->options;
    w->fault.status = CAROM_OK;
    const enum carom_status status = carom_halving_steps(stepper, state, bound, o->step, one_step, error);
    if (status != CAROM_OK && w->fault.status != CAROM_OK)
        *error = w->fault;
    return status == CAROM_OK ? status : error->status;
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct carom_crystal *w = stepper->work;
    carom_between_view(w->bodies, stepper->before, state, t, view);
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)model, (void)options;
    return 1; /* CAROM_HALVING_REST */
}

/* and the velocities that two-stage forms step */
static size_t memory_own(const struct carom_model *model, const void *options)
{
    return memory(model, options) + model->nv;
}

/* --- the schemes -------------------------------------------------------------------------------------------------- */

static enum carom_status refuse(struct carom_error *error, const char *name, const char *what)
{
    return carom_error_set(error, CAROM_E_REFUSED, "scheme %s %s", name, what);
}

static enum carom_status accept(const struct carom_model *model, const char *name, bool viscous_time,
                                struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    const double *param[CAROM_LAW_WIDTH];
    const bool em = strcmp(name, "energy-momentum") == 0, other = b->nrub[CAROM_ROLLS] + b->nrub[CAROM_TWISTS] > 0;
    if (other)
        return refuse(error, name,
                      "supports sliding friction only; verlet and dp5 support resistance to rolling and twisting");
    if (b->latched)
        return refuse(error, name, "takes one coefficient of friction; verlet and dp5 take mu_static above mu");
    if (b->tumbling)
        return refuse(error, name, "does not support boxes and cylinders that move freely; verlet and dp5 do");
    if (b->outside != CAROM_OUTSIDE_KEEP)
        return refuse(error, name, "keeps bodies that leave the domain; verlet and dp5 remove them or stop");
    for (size_t p = 0; p < b->npairings; p++) {
        const struct carom_pairing *pairing = &b->pairing[p];
        if (pairing->ending == CAROM_END_FORCE)
            return refuse(error, name, "needs contact_end: gap; verlet and dp5 take contacts that force ends");
        if (pairing->law->pull)
            return refuse(error, name,
                          "needs forces that begin with 0; verlet and dp5 take contacts that pull at once");
        if (pairing->law->nh > 0 && (!em || !pairing->law->margin || !pairing->law->turn))
            return refuse(error, name, "needs contact laws without memory; scheme dp5 runs them all");
        for (size_t i = 0; i < CAROM_LAW_WIDTH; i++)
            param[i] = &pairing->param[i].param;
        if (viscous_time && pairing->law->viscous_time && pairing->law->viscous_time(param, 0) < 0.0)
            return refuse(error, name,
                          "needs a viscous time at every contact (force = elastic + c d(elastic)/dt); "
                          "energy-momentum and cn-reg take other dampers");
    }
    return CAROM_OK;
}

static enum carom_status accept_any(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return accept(model, "energy-momentum", false, error);
}

static enum carom_status open_em(struct carom_stepper *stepper, struct carom_error *error)
{
    return open_form(stepper, CAROM_CRYSTAL_EM, &carom_crystal_energy_momentum, error);
}

static enum carom_status accept_cn(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return accept(model, "cn-reg", false, error);
}

static enum carom_status open_cn(struct carom_stepper *stepper, struct carom_error *error)
{
    return open_form(stepper, CAROM_CRYSTAL_CN_REG, &carom_crystal_cn_reg, error);
}

static enum carom_status accept_theta(const struct carom_model *model, const void *options, struct carom_error *error)
{
    if (carom_rows_option(&carom_scheme_theta.kind, options, "adapt") > 0.0)
        return refuse(error, "theta", "adapts its steps on rows only; in plane and space leave `adapt` out");
    return accept(model, "theta", true, error);
}

static enum carom_status open_theta(struct carom_stepper *stepper, struct carom_error *error)
{
    return open_form(stepper, CAROM_CRYSTAL_THETA, &carom_scheme_theta, error);
}

/* two-stage forms know how fast normals turn between balls, and flat walls that do not turn */
static enum carom_status accept_flat(const struct carom_model *model, const char *name, struct carom_error *error)
{
    struct carom_crystal w = {.bodies = carom_model_bodies(model), .n = carom_model_bodies(model)->n};
    const enum carom_status status = accept(model, name, strcmp(name, "irk") == 0, error);
    if (status != CAROM_OK)
        return status; /* which energy-momentum may refuse as well */
    survey(&w);
    if (w.curved)
        return refuse(error, name,
                      "takes planes and the insides of boxes as walls, not turning or curved ones and edges; "
                      "energy-momentum does");
    return CAROM_OK;
}

static enum carom_status accept_gl(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return accept_flat(model, "gl-reg", error);
}

static enum carom_status open_gl(struct carom_stepper *stepper, struct carom_error *error)
{
    return open_form(stepper, CAROM_CRYSTAL_GL_REG, &carom_crystal_gl_reg, error);
}

static enum carom_status accept_irk(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    const enum carom_status status = accept_flat(model, "irk", error);
    if (status != CAROM_OK)
        return status;
    if (carom_rows_option(&carom_scheme_irk.kind, options, "adapt") > 0.0)
        return refuse(error, "irk", "adapts its steps on rows only; in plane and space leave `adapt` out");
    if (b->nloads > 0 || b->nleads > 0)
        return refuse(error, "irk",
                      "takes neither loads nor driven bodies in plane and space, which its dissipation would damp; "
                      "gl-reg and energy-momentum do");
    for (size_t p = 0; p < b->npairings; p++) {
        const struct carom_scaled first = carom_bodies_viscous_time(&b->pairing[0]),
                                  gamma = carom_bodies_viscous_time(&b->pairing[p]);
        if (gamma.param != first.param || carom_scaled_varies(&gamma))
            return refuse(error, "irk",
                          "needs the same viscous time (gamma) at every contact; gl-reg and energy-momentum take "
                          "one of its own at each");
    }
    return CAROM_OK;
}

static enum carom_status open_irk(struct carom_stepper *stepper, struct carom_error *error)
{
    const enum carom_status status = open_form(stepper, CAROM_CRYSTAL_IRK, &carom_scheme_irk, error);
    struct carom_crystal *w = stepper->work;
    if (status == CAROM_OK && w->bodies->npairings > 0)
        w->viscous_time = carom_bodies_viscous_time(&w->bodies->pairing[0]).param;
    return status;
}

#define CRYSTAL(variable, name, accuracy, accepts, remembers, opens)                  \
    const struct carom_scheme variable = {                                            \
        .kind = {name, "for bodies whose contacts come and go", carom_stepper_params, \
                 sizeof(struct carom_stepper_options)},                               \
        .needs = CAROM_COMPLIANT,                                                     \
        .order = accuracy,                                                            \
        .dense_order = 3,                                                             \
        .friction = true, /* refused by accept, with what would work */               \
        .accept = accepts,                                                            \
        .memory = remembers,                                                          \
        .open = opens,                                                                \
        .start = start,                                                               \
        .step = step,                                                                 \
        .sync = carom_stepper_sync,                                                   \
        .dense = dense,                                                               \
        .close = close,                                                               \
        .listed = &variable,                                                          \
    }

CRYSTAL(carom_crystal_energy_momentum, "energy-momentum", 2, accept_any, memory, open_em);
CRYSTAL(carom_crystal_cn_reg, "cn-reg", 2, accept_cn, memory, open_cn);
CRYSTAL(carom_crystal_theta, "theta", 2, accept_theta, memory, open_theta);
CRYSTAL(carom_crystal_gl_reg, "gl-reg", 4, accept_gl, memory_own, open_gl);
CRYSTAL(carom_crystal_irk, "irk", 3, accept_irk, memory_own, open_irk);
