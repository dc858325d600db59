/* Moreau-Jean time stepping of bodies and walls whose contacts come and go: the formulas of moreau_jean.c and
 * moreau_any.c, with the set of contacts of a step found among the pairs near each other, and W kept sparse (two
 * contacts meet in it where they share a body). With theta = 1/2 normals stand at the middle of the step, which keeps
 * angular momentum to rounding. Friction, and impulses that turn bodies, are in moreau_friction.c. */
#include <string.h>

#include "base/memory.h"
#include "scheme/rigid/moreau/moreau_between.h"
#include "scheme/rigid/moreau/moreau_blow.h"
#include "scheme/rigid/moreau/moreau_friction.h"
#include "scheme/rigid/moreau/moreau_graph.h"
#include "scheme/rigid/moreau/moreau_joints.h"
#include "scheme/rigid/moreau/moreau_roll.h"
#include "scheme/rigid/moreau/moreau_sleep.h"
#include "scheme/rigid/moreau/moreau_struck.h"
#include "scheme/stepper.h"

enum { TURNS = 200, TURNS_RUB = 6, CUTS = 10 }; /* cuts: of a step in which bodies would miss each other */
static const double certificate = 1e-13;        /* residual of the contact problems that end a step */

static void close(struct carom_stepper *stepper)
{
    struct carom_moreau_graph *w = stepper->work;
    carom_memory_free_all(w->mean, w->touch, w->first, w->column, w->value, w->b, w->impulse, w->sides, w->event);
    carom_search_close(&w->search);
    carom_list_free(w->near);
    carom_lcp_sparse_close(&w->lcp);
    carom_moreau_sleep_close(w);
    carom_moreau_friction_close(w);
    carom_moreau_joints_close(w);
    carom_moreau_roll_close(w);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_moreau_options *o = options;
    const struct carom_bodies *b = carom_model_bodies(model);
    if (b->nrub[CAROM_ROLLS] + b->nrub[CAROM_TWISTS] > 0 && (b->njoints > 0 || o->bounded || o->blow))
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme moreau-jean supports resistance to rolling or twisting without joints, without "
                               "bounded and with blow newton in this version; leave one of them out");
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const bool round = body->surface == CAROM_CYLINDER || (body->surface == CAROM_BALL && body->inside);
        if (b->tumbling && round)
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme moreau-jean lets boxes meet planes, boxes, discs and spheres, and body %zu is "
                "a %s: leave it out or take other bodies",
                i + 1, body->surface == CAROM_CYLINDER ? "cylinder" : "round container");
    }
    if (o->bounded && b->njoints > 0)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "scheme moreau-jean does not bound the energy of impacts (bounded) where there are joints "
            "in this version; leave it out");
    if (o->project)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme moreau-jean does not move discs and spheres apart (project) in this version; a "
                               "smaller step lets them overlap less");
    return carom_rigid_step_accept(model, o->solver, error);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    struct carom_moreau_graph *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
    w->options = stepper->options;
    stepper->stoppable = w->options->blow != CAROM_MOREAU_NEWTON;
    w->bodies = carom_model_bodies(model);
    w->rigid.model = model;
    bool all = carom_memory_together(CAROM_ROOM(w->mean, model->nv), CAROM_ROOM(w->accelerate, model->nv),
                                     CAROM_ROOM(w->force, model->nv), CAROM_ROOM(w->trial, model->nv),
                                     CAROM_ROOM(w->step, model->nv), CAROM_ROOM(w->part, model->nv),
                                     CAROM_ROOM(w->jump, model->nv), CAROM_ROOM(w->place, model->nq),
                                     CAROM_ROOM(w->between, model->nq), CAROM_ROOM(w->of_body, w->bodies->n + 1));
    all &= (w->near = carom_list_create(w->bodies)) != NULL;
    if (!all)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme moreau-jean");
    const bool rubs = w->bodies->frictional || w->bodies->tumbling || w->bodies->njoints > 0 || w->options->bounded ||
                      w->options->blow;
    if ((rubs && carom_moreau_friction_open(w, error) != CAROM_OK) || carom_moreau_roll_open(w, error) != CAROM_OK ||
        carom_moreau_joints_open(w, model, error) != CAROM_OK || carom_moreau_sleep_open(w, error) != CAROM_OK)
        return error->status;
    return carom_search_open(&w->search, w->bodies, error);
}

static enum carom_status begin(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    w->rigid.struck = false;
    carom_moreau_sleep_forget(w);
    stepper->worst_gap = stepper->worst_residual = 0.0;
    const enum carom_status status = carom_moreau_graph_start(stepper, state, error);
    size_t which;
    return status == CAROM_OK ? carom_joints_start(w->bodies, state->q, state->v, &which, error) : status;
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

/* `once`: by what acts at once alone */
static void push(const struct carom_moreau_graph *w, double *v, bool once)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    for (size_t i = 0; i < w->n; i++) {
        const struct carom_moreau_touch *t = &w->touch[i];
        const double p = once ? t->once * w->impulse[i] : w->impulse[i];
        for (size_t k = 0; k < w->bodies->dimension && p != 0.0; k++) {
            v[t->key.a * nv + k] -= t->inverse[0] * p * t->normal[k];
            v[t->key.b * nv + k] += t->inverse[1] * p * t->normal[k];
        }
    }
}

/* normals at w->place, rates before, and the right side with velocities `freely` */
static void set_problem(struct carom_moreau_graph *w, const struct carom_state *from, const double *freely)
{
    if (w->bodies->nleads > 0) /* rates that come from bodies that are led alone */
        memset(w->force, 0, w->bodies->n * carom_bodies_nv(w->bodies) * sizeof(double));
    for (size_t i = 0; i < w->n; i++) {
        struct carom_moreau_touch *t = &w->touch[i];
        struct carom_meeting m;
        carom_meet(w->bodies, &t->key, w->place, &m);
        memcpy(t->normal, m.normal, sizeof t->normal);
        t->before = carom_moreau_graph_rate(w, &t->key, &m, from->v, w->mean);
        const double after = carom_moreau_graph_rate(w, &t->key, &m, freely, w->mean);
        t->drift = w->bodies->nleads > 0 ? carom_moreau_graph_rate(w, &t->key, &m, w->force, w->mean) : 0.0;
        w->b[i] = after + t->e[t->before > 0.0] * t->before;
    }
}

/* `tolerance`: of turns that others follow; the last one is solved to what the certificate asks for */
static enum carom_status solve(struct carom_stepper *stepper, double t, double tolerance, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_lcp_sparse lcp = {
        .n = w->n, .first = w->first, .column = w->column, .value = w->value, .b = w->b};
    struct carom_lcp_report report;
    const enum carom_lcp_solver solver = (enum carom_lcp_solver)w->options->solver;
    carom_lcp_sparse_solve(&lcp, solver, tolerance, &w->lcp, w->impulse, &report);
    stepper->counts.iterations += report.iterations;
    w->residual = report.residual;
    if (report.solved || report.residual <= w->options->solver_tol)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "moreau-jean: the contact problem at t = %g (%zu contacts, of bodies %u and %u the first) "
                           "was solved to %.1e only after %zu iterations, solver_tol is %.1e; the bodies may have "
                           "nowhere to go",
                           t, w->n, (unsigned)w->touch[0].key.a + 1, (unsigned)w->touch[0].key.b + 1, report.residual,
                           report.iterations, w->options->solver_tol);
}

/* the rest of a turn of bodies with joints: contacts see what the joints leave of free velocities */
static enum carom_status turn_held(struct carom_stepper *stepper, const struct carom_state *from, double h, bool first,
                                   double *v1, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    carom_moreau_joints_set(stepper, from, h, v1);
    memcpy(w->joints->loose, v1, stepper->model->nv * sizeof *v1);
    carom_moreau_joints_hold(w, v1);
    carom_moreau_friction_set(w, from, v1, h, first);
    const enum carom_status status = carom_moreau_held_limits(stepper, from, v1, h, first, error);
    if (status != CAROM_OK || w->n + w->joints->nlimits == 0)
        return status;
    const double t = from->time + w->options->theta * h;
    if (carom_moreau_friction_solve(stepper, t, error) != CAROM_OK ||
        (w->options->blow && carom_moreau_struck(stepper, t, error) != CAROM_OK))
        return error->status;
    memcpy(v1, w->joints->loose, stepper->model->nv * sizeof *v1);
    carom_moreau_friction_push(w, v1, false);
    carom_moreau_held_push(w, v1);
    carom_moreau_joints_hold(w, v1);
    return CAROM_OK;
}

/* one turn: from a v1 (in w->trial) to the next; the first makes the set of contacts */
static enum carom_status turn(struct carom_stepper *stepper, const struct carom_state *from, double h, bool first,
                              double tolerance, double *v1, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const double theta = w->options->theta, t = from->time + theta * h;
    for (size_t i = 0; i < model->nv; i++) {
        w->mean[i] = theta * w->trial[i] + (1.0 - theta) * from->v[i];
        w->step[i] = theta * h * w->mean[i];
    }
    carom_motion_move(model, from->q, w->step, w->place);
    carom_motion_impose(model, t, w->place, w->mean);
    carom_motion_accelerate(model, t, w->place, w->mean, NULL, stepper->scratch, w->force, w->accelerate, NULL);
    stepper->counts.evaluations++;
    for (size_t i = 0; i < model->nv; i++)
        v1[i] = from->v[i] + h * w->accelerate[i];
    if (first)
        carom_rigid_step_quiet(&w->rigid, from->v, v1);
    enum carom_status status = first ? carom_moreau_graph_choose(stepper, from, h, error) : CAROM_OK;
    if (status == CAROM_OK && first)
        carom_moreau_sleep_fall(w, from, v1, h);
    carom_moreau_sleep_hold(w, v1);
    if (status == CAROM_OK && w->joints)
        return turn_held(stepper, from, h, first, v1, error);
    if (w->roll && w->n == 0) /* nothing is left of what resisted in the step before */
        w->roll->n = 0;
    if (status != CAROM_OK || w->n == 0)
        return status;
    if (w->friction) {
        carom_moreau_friction_set(w, from, v1, h, first);
        if (w->roll && carom_moreau_roll_set(w, from, v1, h, first, error) != CAROM_OK)
            return error->status;
        memcpy(w->force, v1, model->nv * sizeof *v1);
        return carom_moreau_bound(stepper, t, w->force, v1, error);
    }
    set_problem(w, from, v1);
    status = carom_moreau_graph_rows(w, error);
    if (status == CAROM_OK)
        status = solve(stepper, t, tolerance, error);
    if (status == CAROM_OK)
        push(w, v1, false);
    return status;
}

/* Until v1 stands still, or as still as rounding and the solver let it. Early turns need not be solved better than they
 * are from the end. Where contacts change between stick and slip from turn to turn, as they do in heaps, v1 never
 * stands still: where turns gain nothing, directions and arms stay where they are, off by what v1 would move the
 * bodies still, and the laws hold there. */
static enum carom_status iterate(struct carom_stepper *stepper, const struct carom_state *from, double h, double *v1,
                                 struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    const size_t nv = stepper->model->nv;
    const double fine = fmin(w->options->solver_tol, certificate);
    double last = HUGE_VAL, off = 1.0; /* change of the last turn, and over the largest speed */
    memcpy(w->trial, from->v, nv * sizeof(double));
    for (int i = 0; i < TURNS; i++) {
        const double tolerance = w->friction ? fine : fmax(fine, fmin(1e-3 * off, 1e-4));
        const enum carom_status status = turn(stepper, from, h, i == 0, tolerance, v1, error);
        if (status != CAROM_OK)
            return status;
        double change = 0.0, size = w->friction ? w->rigid.kick : 0.0, poison = 0.0;
        for (size_t k = 0; k < nv; k++) {
            change = fmax(change, fabs(v1[k] - w->trial[k]));
            size = fmax(size, fmax(fabs(v1[k]), fabs(from->v[k])));
            poison += v1[k] * 0.0;
        }
        if (poison != 0.0)
            return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g", from->time);
        /* joints alone have no excuse: turns that gain nothing are a step that is too long */
        const bool touching = w->friction && (!w->joints || w->n + w->joints->nlimits > 0);
        if ((w->n == 0 && !w->bodies->tumbling && !w->joints) ||
            (touching && i + 1 >= TURNS_RUB && change >= 0.5 * last) ||
            (tolerance == fine && (change <= 1e-13 * size || (change <= 1e-10 * size && change >= 0.5 * last)))) {
            stepper->worst_residual = fmax(stepper->worst_residual, w->n > 0 ? w->residual : 0.0);
            return w->joints ? carom_moreau_joints_check(w, v1, from->time, error) : CAROM_OK;
        }
        last = change;
        off = size > 0.0 ? change / size : 0.0;
        memcpy(w->trial, v1, nv * sizeof(double));
    }
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "moreau-jean could not solve its step at t = %g: directions change too fast for step %g, "
                           "take a smaller one",
                           from->time, h);
}

/* how fast bodies that move by themselves part along the normal of a contact */
static double along(const struct carom_moreau_graph *w, const struct carom_moreau_touch *t, const double *v)
{
    const size_t nv = carom_bodies_nv(w->bodies);
    const double *a = v + t->key.a * nv, *b = v + t->key.b * nv;
    double rate = 0.0;
    for (size_t k = 0; k < w->bodies->dimension; k++)
        rate += t->normal[k] * ((t->inverse[1] > 0.0 ? b[k] : 0.0) - (t->inverse[0] > 0.0 ? a[k] : 0.0));
    return rate;
}

/* rates after, losses and works */
static double book(struct carom_moreau_graph *w, struct carom_state *to)
{
    for (size_t i = 0; i < w->n; i++) {
        struct carom_moreau_touch *t = &w->touch[i];
        t->after = t->drift + along(w, t, to->v);
        const double once = t->once * w->impulse[i];
        const struct carom_moreau_push push = {w->impulse[i] - once, once, t->before, t->after,
                                               w->rigid.struck ? along(w, t, w->jump) : 0.0};
        carom_moreau_between_take(&push, &w->lost[CAROM_MOREAU_IMPACT]);
        carom_moreau_between_lead(w, &push, t->drift);
        to->work[0] -= w->impulse[i] * t->drift;
    }
    return carom_moreau_between_book(w, to);
}

/* Which contacts were struck, and what acts at once with them: before anything is booked. */
static void split(struct carom_moreau_graph *w, const struct carom_state *from)
{
    w->rigid.hit = false;
    for (size_t i = 0; i < w->n; i++)
        w->rigid.hit |= w->touch[i].before < -w->rigid.quiet;
    for (size_t l = 0; w->joints && l < w->joints->nlimits; l++)
        w->rigid.hit |= w->joints->limit[l].before < -w->rigid.quiet;
    for (size_t i = 0; i < w->n; i++) {
        struct carom_moreau_touch *t = &w->touch[i];
        t->struck = w->impulse[i] > 0.0 &&
                    carom_rigid_step_strikes(&w->rigid, t->status, t->before, w->impulse[i] * t->mobility);
        w->rigid.struck |= t->struck;
    }
    carom_moreau_between_start(w);
    if (w->joints)
        carom_moreau_held_split(w, from, w->jump);
    if (w->rigid.struck)
        carom_moreau_between_once(w, from);
    if (w->friction)
        carom_moreau_friction_push(w, w->jump, true);
    else
        push(w, w->jump, true);
    if (w->joints)
        carom_moreau_joints_jolt(w, w->jump);
}

/* `part`: how much of the step may be taken, less than 1 if it is not because bodies would go through each other */
static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop,
                                  double *part, struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    const struct carom_model *model = stepper->model;
    struct carom_state *from = stepper->before;
    const double theta = w->options->theta;
    carom_state_copy(from, state);
    w->nevents = 0;
    w->rigid.struck = false;
    size_t passed[2];
    *part = carom_moreau_pass_turn(w, from->v, h, passed);
    enum carom_status status = from->contacts->lacking
                                   ? carom_error_set(error, CAROM_E_MEMORY, "out of memory for contacts")
                               : *part < 1.0 ? CAROM_E_NUMERIC
                                             : iterate(stepper, from, h, state->v, error);
    if (*part == 1.0 && (*part = carom_moreau_pass_turn(w, state->v, h, passed)) < 1.0)
        status = CAROM_E_NUMERIC;
    if (*part < 1.0)
        carom_error_set(error, CAROM_E_NUMERIC, "body %zu turns too far in a step of %g at t = %g; take a smaller one",
                        passed[0] + 1, h, from->time);
    if (status == CAROM_OK && (*part = carom_moreau_pass_part(w, from, state->v, h, passed)) < 1.0)
        status = carom_error_set(
            error, CAROM_E_NUMERIC,
            "bodies %zu and %zu %s pass through each other in a step of %g at t = %g; take a smaller one",
            passed[0] + 1, passed[1] + 1, *part > 0.0 ? "would" : "might", h, from->time);
    if (status == CAROM_OK) {
        carom_moreau_sleep_still(w, from, h, state->v);
        split(w, from);
        const double lost = w->friction ? carom_moreau_friction_book(w, state) : book(w, state);
        stepper->deadened += w->friction && w->n > 0 && w->friction->deadened;
        stepper->newtonian += w->options->blow && w->n > 0 && w->friction->newtonian;
        stepper->cut.blows += w->options->blow && w->n > 0 ? w->friction->cut.blows : 0;
        stepper->cut.energy += w->options->blow && w->n > 0 ? w->friction->cut.energy : 0.0;
        for (size_t i = 0; i < model->nv; i++) {
            w->mean[i] = theta * state->v[i] + (1.0 - theta) * from->v[i];
            w->step[i] = h * w->mean[i];
        }
        carom_motion_move(model, from->q, w->step, state->q);
        if (w->joints) {
            carom_moreau_joints_book(w, from, state, h);
            carom_motion_impose(model, from->time + h, state->q, state->v);
            status = carom_moreau_joints_close_gaps(w, from->time + h, state, error);
        }
        stepper->created += w->n > 0 || w->joints ? carom_moreau_between_created(w, lost) : 0.0;
        if (w->friction)
            carom_moreau_between_tumble(w, from, h, state);
        carom_motion_spend(model, from->time + theta * h, w->place, w->mean, h, stepper->scratch, state->spent,
                           state->work);
        carom_motion_impose(model, from->time + h, state->q, state->v);
        if (status == CAROM_OK && !carom_moreau_conclude(w, from, state, h))
            status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for contacts");
    }
    if (status != CAROM_OK) {
        carom_state_copy(state, from);
        w->nevents = 0;
        return status;
    }
    carom_bodies_anchor(w->bodies, state->q);
    stepper->switched = w->nevents > 0;
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return CAROM_OK;
}

/* What joints carry is told in the mean over the last step, at the start over the first, which is taken for that and
 * forgotten; one that cannot be taken tells nothing. */
static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    const struct carom_moreau_graph *w = stepper->work;
    const size_t n = carom_joints_memory(w->bodies);
    const struct carom_stepper known = *stepper;
    struct carom_error unsaid;
    double part;
    enum carom_status status = begin(stepper, state, error);
    if (status != CAROM_OK || !w->joints)
        return status;
    double *carried = carom_memory_zeroed(n, sizeof *carried);
    if (!carried)
        return carom_memory_error(error);
    const bool taken = one_step(stepper, state, w->options->step, HUGE_VAL, &part, &unsaid) == CAROM_OK;
    if (taken) {
        memcpy(carried, state->force, n * sizeof *carried);
        carom_state_copy(state, stepper->before);
    }
    stepper->counts = known.counts;
    stepper->cut = known.cut;
    stepper->created = known.created;
    stepper->deadened = known.deadened;
    stepper->newtonian = known.newtonian;
    stepper->switched = known.switched;
    status = begin(stepper, state, error);
    if (status == CAROM_OK && taken)
        memcpy(state->force, carried, n * sizeof *carried);
    carom_memory_free(carried);
    return status;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_moreau_graph *w = stepper->work;
    stepper->nevents = 0;
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        double part, h = carom_stepper_size(state, w->options->step, bound->t_stop);
        enum carom_status status = one_step(stepper, state, h, bound->t_stop, &part, error);
        for (int k = 0; k < CUTS && status != CAROM_OK && part > 0.0 && part < 1.0; k++)
            status = one_step(stepper, state, h *= part, bound->t_stop, &part, error);
        if (status != CAROM_OK)
            return status;
    }
    if (bound->watch) {
        stepper->event = w->event;
        stepper->nevents = w->nevents;
    }
    return CAROM_OK;
}

const struct carom_scheme carom_moreau_bodies = {
    .kind = {"moreau-jean", "for bodies whose contacts come and go", carom_moreau_jean_params,
             sizeof(struct carom_moreau_options)},
    .needs = CAROM_RIGID,
    .order = 1,
    .dense_order = 1,
    .joints = true,
    .tells = true,
    .accept = accept,
    .open = open,
    .start = start,
    .step = step,
    .sync = carom_stepper_sync,
    .dense = carom_moreau_between_view,
    .close = close,
    .problem = carom_moreau_problem,
    .listed = &carom_moreau_bodies,
};
