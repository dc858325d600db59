/* Scheme dp5 for discs, spheres and walls whose contacts come and go: any law and any friction, few bodies. All
 * contacts on the list are in one phase each, inside which the right-hand side is smooth; steps end where one
 * changes. */
#include "scheme/compliant/dp5_bodies.h"

#include <string.h>

#include "base/memory.h"
#include "base/power.h"
#include "base/vec.h"
#include "model/motion.h"
#include "scheme/between.h"
#include "scheme/compliant/bodies_window.h"
#include "scheme/compliant/dp5.h"
#include "scheme/stepper.h"

enum { STAGES = CAROM_DORMAND_PRINCE_STAGES, NEXT_STEP = 0, LAST_ERROR = 1, ALLOWED = 2, REMEMBERED = 3 };

static void close(struct carom_stepper *stepper)
{
    struct carom_dp5_bodies *w = stepper->work;
    carom_bodies_window_close(w);
    carom_search_close(&w->search);
    carom_act_close(&w->act);
    carom_act_close(&w->look);
    for (size_t s = 0; s < STAGES; s++)
        carom_memory_free(w->step.k[s]);
    carom_memory_free_all(w->y, w->trial, w->force, w->dense, w->opening, w->pressed, w->missed);
    for (int way = 0; way < CAROM_WAYS; way++) {
        carom_memory_free_all(w->slips[way], w->energy[way]);
    }
    carom_memory_free_all(w->column, w->jumps, w->alone, w);
    stepper->work = NULL;
}

static enum carom_status out_of_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme dp5");
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(stepper->model);
    struct carom_dp5_bodies *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return out_of_memory(error);
    w->bodies = bodies;
    carom_act_open(&w->act, bodies);
    carom_act_open(&w->look, bodies);
    w->act.rates = w->look.rates = true;
    w->force = carom_memory_zeroed(stepper->model->nv, sizeof(double));
    w->column = carom_memory_zeroed(w->act.columns.end, sizeof *w->column);
    w->missed = carom_memory_zeroed(stepper->model->nv, 2 * sizeof(double));
    w->jumps = carom_memory_zeroed(bodies->npairings, sizeof *w->jumps);
    w->alone = carom_memory_zeroed(2 * bodies->npairings + 1, sizeof *w->alone);
    if (!w->force || !w->column || !w->missed || !w->jumps || !w->alone)
        return out_of_memory(error);
    for (size_t p = bodies->npairings + 1; p <= 2 * bodies->npairings; p++)
        w->alone[p] = 1;
    w->smallest = HUGE_VAL;
    for (size_t i = 0; i < bodies->n; i++)
        if (bodies->body[i].surface == CAROM_BALL && !bodies->body[i].inside)
            w->smallest = fmin(w->smallest, bodies->body[i].radius);
    const enum carom_status status = carom_search_open(&w->search, bodies, error);
    return status == CAROM_OK ? carom_bodies_window_open(stepper, error) : status;
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)model, (void)options;
    return REMEMBERED;
}

enum carom_status carom_dp5_bodies_renew(struct carom_stepper *stepper, struct carom_state *state, double way,
                                         struct carom_error *error)
{
    struct carom_dp5_bodies *w = stepper->work;
    struct carom_contacts *lists[2] = {state->contacts, stepper->before->contacts};
    if (lists[1]->n != lists[0]->n)
        carom_list_copy(lists[1], lists[0]);
    const enum carom_status status = carom_search_renew(&w->search, state->q, way, lists, 2, error);
    if (status != CAROM_OK)
        return status;
    for (int i = 0; i < 2; i++)
        if (!carom_list_claim(lists[i], w->act.columns.phase))
            return out_of_memory(error);
    carom_bodies_rates_note_jumps(w, state->contacts);
    return carom_bodies_rates_reserve(stepper, state->contacts->n) ? CAROM_OK : out_of_memory(error);
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    const struct carom_dp5_options *o = stepper->options;
    struct carom_dp5_bodies *w = stepper->work;
    w->followed = 0;
    state->memory[NEXT_STEP] = state->memory[LAST_ERROR] = 0.0;
    /* a resumed run has not flown pilots: only its state knows what they found */
    state->memory[ALLOWED] =
        stepper->renews ? stepper->renews->memory[ALLOWED] : o->tol * (o->share > 0.0 ? o->share : 0.1);
    carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
    carom_bodies_window_reset(w, 0);
    const enum carom_status status = carom_dp5_bodies_renew(stepper, state, 0.0, error);
    if (status == CAROM_OK)
        carom_bodies_change_find(stepper, state);
    return status;
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

/* does body i go anywhere in any stage? */
static bool is_moved(const struct carom_stepper *stepper, size_t i)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const size_t nq = carom_bodies_nq(w->bodies), nv = carom_bodies_nv(w->bodies), v0 = stepper->model->nq;
    for (size_t s = 0; s < STAGES; s++) {
        for (size_t k = i * nq; k < (i + 1) * nq; k++)
            if (w->step.k[s][k] != 0.0)
                return true;
        for (size_t k = v0 + i * nv; k < v0 + (i + 1) * nv; k++)
            if (w->step.k[s][k] != 0.0)
                return true;
    }
    return false;
}

static void stages(struct carom_stepper *stepper, const struct carom_state *state, double t, double h)
{
    struct carom_dp5_bodies *w = stepper->work;
    w->step.y0 = w->y;
    w->step.y1 = w->trial;
    w->step.h = h;
    w->step.fine = false;
    for (size_t s = 1; s < STAGES; s++) {
        carom_dormand_prince_stage(&w->step, s, 0, w->ny, w->trial);
        carom_bodies_rates_evaluate(stepper, state, fmin(t + carom_dormand_prince_node(s) * h, w->end), w->trial,
                                    w->step.k[s]);
    }
    for (size_t i = 0; i < w->nrim && !w->reached; i++)
        w->reached = is_moved(stepper, w->rim[i]);
}

/* the largest local error, in units of the scales; rotations count by what they move surfaces */
static double local_error(const struct carom_stepper *stepper)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const size_t nq = carom_bodies_nq(b), nv = carom_bodies_nv(b), d = b->dimension, v0 = stepper->model->nq;
    const double length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    const double speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    double worst = w->collided ? HUGE_VAL : 0.0;
    for (size_t i = 0; i < b->n; i++) {
        const struct carom_body *body = &b->body[i];
        const double radius = carom_bodies_tumbles(body) ? carom_bodies_reach(body) : body->radius;
        const double twice = d == 3 ? 2.0 : 1.0; /* quaternions have half angles */
        const struct carom_dormand_prince *step = &w->step;
        worst = fmax(worst, carom_dormand_prince_error(step, i * nq, i * nq + d) / length);
        worst = fmax(worst, carom_dormand_prince_error(step, i * nq + d, (i + 1) * nq - d) * twice * radius / length);
        worst = fmax(worst, carom_dormand_prince_error(step, v0 + i * nv, v0 + i * nv + d) / speed);
        worst = fmax(worst, carom_dormand_prince_error(step, v0 + i * nv + d, v0 + (i + 1) * nv) * radius / speed);
    }
    return fmax(worst, carom_dormand_prince_error(&w->step, carom_dp5_bodies_springs(stepper, 0),
                                                  carom_dp5_bodies_losses(stepper)) /
                           length);
}

/* how far from its centre a body's surface can meet others */
static double reach_of(const struct carom_dp5_bodies *w, size_t i)
{
    const struct carom_bodies *b = w->bodies;
    const struct carom_body *body = &b->body[i];
    double middle[3], centre[3], reach = 0.0;
    if (body->surface != CAROM_PLANE)
        return carom_bodies_reach(body);
    carom_bodies_centre(b, i, w->y, middle);
    for (size_t j = 0; j < b->n; j++) {
        carom_bodies_centre(b, j, w->y, centre);
        for (int k = 0; k < 3; k++)
            centre[k] = (size_t)k < b->dimension ? centre[k] - middle[k] : 0.0;
        reach = fmax(reach, carom_vec_norm(centre));
    }
    return reach;
}

/* Pairs that come near are looked at while they do: no step carries a point of any body further than a quarter of the
 * smallest radius. Of all bodies, not of the pairs that are listed: a list that was made anew, as after a resumption,
 * holds others, and steps would show it. */
static double longest_step(const struct carom_stepper *stepper)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const size_t nv = carom_bodies_nv(b);
    const double *v = w->y + stepper->model->nq;
    double fastest = 0.0;
    for (size_t i = 0; i < b->n; i++) {
        const double *speed = v + i * nv;
        double square = 0.0, spin = 0.0;
        for (size_t k = 0; k < nv; k++)
            *(k < b->dimension ? &square : &spin) += speed[k] * speed[k];
        fastest = fmax(fastest, sqrt(square) + (spin > 0.0 ? sqrt(spin) * reach_of(w, i) : 0.0));
    }
    return fastest > 0.0 ? 0.25 * w->smallest / fastest : HUGE_VAL;
}

/* Steps that are short for another reason than their error must be shorter where less error is allowed: two flights
 * with the same steps have the same error, and would state none. The part of the longest step of all; and of the first
 * one after touch, where forces begin like a power of time and errors shrink more slowly. */
static double pace_of(double allowed)
{
    return fmin(fmax(carom_power(1e3 * allowed, 0.2), 0.1), 1.0);
}

static double onset_of(double allowed)
{
    return 0.05 * fmin(carom_power(1e3 * allowed, 0.4), 1.0);
}

/* Springs at a cone that shrinks to nothing turn to where the slip goes, ever faster: from when on they are taken to
 * point there, of the time of a contact. What that changes goes with its square. */
static double brief_of(double allowed)
{
    return fmin(0.1 * sqrt(allowed), 1e-5);
}

static bool any_closed(const struct carom_dp5_bodies *w, const struct carom_contacts *c)
{
    for (size_t j = 0; j < c->n; j++)
        if (c->column[w->act.columns.phase][j] != CAROM_CONTACT_OPEN)
            return true;
    return false;
}

static enum carom_status give_up(struct carom_stepper *stepper, struct carom_state *state, double h,
                                 struct carom_error *error)
{
    const struct carom_dp5_bodies *w = stepper->work;
    carom_state_swap(state, stepper->before);
    if (w->collided)
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "bodies have run into each other at t = %g: their contact is too soft for such speeds",
                               state->time);
    return carom_error_set(error, CAROM_E_NUMERIC,
                           "dp5 cannot keep its tolerance at t = %g: its step shrank to %g; a larger tol may do",
                           state->time, h);
}

/* the new block: everything but what the step writes */
static void carry(const struct carom_state *from, struct carom_state *to)
{
    for (size_t i = from->contacts->nfixed; i < from->contacts->ncolumns; i++)
        if (to->contacts->own[i])
            memcpy(to->contacts->column[i], from->contacts->column[i], from->contacts->n * sizeof(double));
    memcpy(to->contacts->retired, from->contacts->retired, sizeof to->contacts->retired);
}

/* The step to where contact j closes, from h on: it ends with an overlap, however small, not a rounding before. */
static double step_to_touch(struct carom_stepper *stepper, const struct carom_state *state, double t, double h,
                            double longest, size_t j)
{
    const struct carom_dp5_bodies *w = stepper->work;
    const double time = stepper->scales.contact_time;
    double slip[3], deep = w->grain;
    h = fmax(h, 2e-14 * time);
    for (int tries = 0; tries < 8; tries++, deep *= 4.0) {
        h = fmin(h, longest);
        stages(stepper, state, t, h);
        const double gap = w->act.meeting[j].gap;
        const double opening =
            carom_meet_slip(w->bodies, &w->at.key[j], &w->act.meeting[j], w->trial + stepper->model->nq, slip);
        if (gap < 0.0 || !(opening < 0.0) || !(h < longest))
            return h;
        h += (gap + deep) / -opening;
    }
    return h;
}

/* Pushes near touch are put right; may they be as much as that? Samples inside the step are off by as much. */
static bool settles(struct carom_stepper *stepper, double t, double allowed, double *err)
{
    *err = fmax(*err, carom_bodies_touch_correct(stepper, t) / 3.0);
    return *err <= allowed;
}

/* A step of size h that was refused, erring `relative` times what it may: the next wish. False: it is too small. */
static bool shrink(struct carom_stepper *stepper, double t, double h, double relative, double *wish)
{
    stepper->counts.rejected++;
    *wish = h * (relative < HUGE_VAL ? fmax(0.2, 0.9 * carom_power(relative, -0.2)) : 0.1);
    return *wish > 1e-15 * fabs(t) && *wish > 1e-13 * stepper->scales.contact_time;
}

/* a step of size at most `wish` that no contact's change lies in; it was cut for *change if that is one; *way: so far
 * bodies went, and the list has to be made anew first */
static enum carom_status attempt(struct carom_stepper *stepper, struct carom_state *state, double *wish, double t_stop,
                                 double *err, struct carom_phase_change *change, double *way, struct carom_error *error)
{
    struct carom_dp5_bodies *w = stepper->work;
    const struct carom_state *from = stepper->before;
    const double t = from->time + from->time_low, allowed = state->memory[ALLOWED], time = stepper->scales.contact_time;
    const double pace = any_closed(w, from->contacts) || carom_dp5_bodies_bend(w->bodies) ? pace_of(allowed) : 1.0;
    const double longest = fmin(longest_step(stepper) * pace, carom_motion_pulse(stepper->model, t));
    w->grain = fmax(1e-3 * allowed * stepper->scales.length, 1e-15 * w->bodies->largest);
    w->weak = fmax(10.0 * allowed, 1e-14);
    w->act.short_time = w->look.short_time = brief_of(allowed) * time;
    for (;;) {
        double h = carom_stepper_size(from, fmin(*wish, longest), t_stop);
        const double noise = time > 0.0 ? 1e-16 * h / time : 0.0, most = fmax(allowed, noise);
        stages(stepper, state, t, h);
        *err = local_error(stepper);
        *way = 0.0;
        change->which = w->n;
        if (*err <= most && !carom_search_holds(&w->search, w->trial)) {
            *way = carom_search_way(&w->search, w->trial);
            return CAROM_OK;
        }
        const double place = *err <= most ? carom_bodies_phases_first(stepper, t, change) : 1.0;
        if (change->which < w->n) {
            const double whole = h;
            h *= place;
            if (carom_dp5_bodies_phase(w, change->which, CAROM_SLIDES) == CAROM_CONTACT_OPEN)
                h = step_to_touch(stepper, state, t, h, whole, change->which);
            else if (place < 1.0 && h > 1e-14 * time)
                stages(stepper, state, t, h);
            w->step.h = h;
        }
        if (*err <= most && (!(h > 1e-14 * time) || settles(stepper, t, most, err))) {
            const double growth = *err > 0.0 ? 0.9 * carom_power(*err / most, -0.2) : 5.0;
            if (change->which == w->n)
                *wish = h < *wish ? *wish : h * fmin(5.0, fmax(0.2, growth));
            return CAROM_OK;
        }
        if (!shrink(stepper, from->time, h, *err / most, wish))
            return give_up(stepper, state, *wish, error);
    }
}

/* A spring at its cone turns to where the slip goes, the faster the less it carries, and explicit steps are stable up
 * to 3.3 times what that takes. In an impact it passes. Where bodies slide on each other under almost no load it stays,
 * and a run would go on for hours: a hundred thousand steps below 1e-4 of a contact's time are more than an impact has.
 * One that was short for another reason takes back 64, not all: changes of other contacts come in between. */
static enum carom_status follow_springs(struct carom_stepper *stepper, const struct carom_state *state, double h,
                                        struct carom_error *error)
{
    struct carom_dp5_bodies *w = stepper->work;
    const bool brief = h < 1e-4 * stepper->scales.contact_time;
    const double turn = brief ? carom_bodies_change_turn(w, state->contacts) : 0.0;
    if (h < 4.0 * turn && turn < HUGE_VAL)
        w->followed++;
    else
        w->followed -= w->followed < 64 ? w->followed : 64;
    if (w->followed < 100000)
        return CAROM_OK;
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "dp5 takes steps of %g at t = %g: bodies slide under so small a load that a spring of friction turns within "
        "%g, which explicit steps have to follow; scheme verlet does not, and friction coulomb has no springs",
        h, state->time, turn);
}

enum carom_status carom_dp5_bodies_advance(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                           struct carom_error *error)
{
    struct carom_dp5_bodies *w = stepper->work;
    const double time = stepper->scales.contact_time;
    enum carom_status status = CAROM_OK;
    stepper->switched = false;
    stepper->switched_first = stepper->switched_last = 0;
    if (w->n != state->contacts->n || !carom_search_holds(&w->search, state->q))
        status = carom_dp5_bodies_renew(stepper, state, 0.0, error);
    for (size_t tries = 0; status == CAROM_OK; tries++) {
        if (tries > 4 * w->n + 64)
            return carom_error_set(error, CAROM_E_NUMERIC,
                                   "contacts change without end at t = %g; another tol, or scheme verlet, may do",
                                   state->time);
        const struct carom_counts counts = stepper->counts;
        w->slack = tries < 16 ? 0.0 : ldexp(1e-9, (int)tries - 16 < 50 ? (int)tries - 16 : 50);
        carom_stepper_begin_step(stepper, state);
        const struct carom_state *from = stepper->before;
        const double t = from->time + from->time_low;
        carry(from, state);
        carom_bodies_rates_load(stepper, from);
        w->end = nextafter(t_stop, -HUGE_VAL);
        carom_bodies_rates_evaluate(stepper, state, t, w->y, w->step.k[0]);
        carom_bodies_change_note(w, from->contacts, w->y + stepper->model->nq);
        double wish = state->memory[NEXT_STEP], err = 0.0, way = 0.0;
        if (!(wish > 0.0))
            wish = 0.2 * onset_of(state->memory[ALLOWED]) * (time > 0.0 ? time : carom_state_until(from, t_stop));
        struct carom_phase_change change = {.which = w->n};
        status = attempt(stepper, state, &wish, t_stop, &err, &change, &way, error);
        if (status != CAROM_OK)
            return status;
        if (way > 0.0) { /* someone may have come near unseen */
            carom_state_swap(state, stepper->before);
            stepper->counts =
                counts; /* of the way alone: when a list is renewed is no part of it, and not kept in files */
            w->strayed = way;
            if (w->guest)
                return CAROM_OK;
            status = carom_dp5_bodies_renew(stepper, state, way, error);
            continue;
        }
        const double h = w->step.h;
        if (change.which < w->n && !(h > 1e-14 * time)) { /* at once */
            carom_state_swap(state, stepper->before);
            carom_bodies_rates_evaluate(stepper, state, t, w->y, w->step.k[0]);
            carom_bodies_change_phase(stepper, state, &change);
            continue;
        }
        carom_bodies_rates_store(stepper, w->trial, state);
        carom_bodies_change_follow(w, &w->act, state);
        carom_bodies_change_others(stepper, state, t, &change);
        if (change.which < w->n) {
            carom_bodies_change_phase(stepper, state, &change);
            if (change.next != CAROM_CONTACT_OPEN)
                wish = fmin(wish, onset_of(state->memory[ALLOWED]) * time);
        }
        state->memory[NEXT_STEP] = wish;
        carom_stepper_arrive(state, h, t_stop);
        carom_stepper_count(stepper, h);
        carom_act_deep(&w->act, state->contacts, state->time, &stepper->deep);
        stepper->counts.local_error += err;
        carom_motion_normalise(stepper->model, state->q, w->force);
        carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
        carom_bodies_anchor(w->bodies, state->q);
        return follow_springs(stepper, state, h, error);
    }
    return status;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const enum carom_status status = carom_bodies_window_step(stepper, state, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* dense output of order 5 by two more evaluations, which nothing else hears of; pilots do without */
static void refine(struct carom_stepper *stepper)
{
    struct carom_dp5_bodies *w = stepper->work;
    const struct carom_counts counts = stepper->counts;
    const double t = stepper->before->time + stepper->before->time_low;
    double *const place[] = {w->dense, w->step.k[1]};
    for (size_t i = 0; i < 2; i++)
        carom_dormand_prince_dense(&w->step, carom_dormand_prince_place(i), 0, w->ny, place[i]);
    carom_dormand_prince_refine(&w->step, 0);
    for (size_t i = 0; i < 2; i++)
        carom_bodies_rates_evaluate(stepper, stepper->before, t + carom_dormand_prince_place(i) * w->step.h, place[i],
                                    w->step.k[i == 0 ? CAROM_DORMAND_PRINCE_FIRST : CAROM_DORMAND_PRINCE_SECOND]);
    stepper->counts = counts;
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct carom_dp5_bodies *w = stepper->work;
    const double s = carom_state_until(stepper->before, t) / w->step.h;
    carom_between_view(w->bodies, stepper->before, state, t, view);
    carom_list_copy(view->contacts, stepper->before->contacts); /* in the phases of the step */
    if (w->window && w->window->open) {
        carom_bodies_window_dense(stepper, t, view);
        return;
    }
    if (!stepper->asked && !w->step.fine)
        refine(stepper);
    carom_dormand_prince_dense(&w->step, s, 0, w->ny, w->dense);
    carom_bodies_rates_store(stepper, w->dense, view);
    carom_motion_normalise(stepper->model, view->q, w->force);
    carom_bodies_impose(w->bodies, t, view->q, view->v);
    for (int way = 0; way < CAROM_WAYS; way++)
        w->look.slips[way] = w->slips[way];
    carom_act_place(&w->look, view->contacts, view->q);
    carom_act_force(&w->look, view->contacts, view->v);
    carom_bodies_change_follow(w, &w->look, view);
}

const struct carom_scheme carom_dp5_bodies = {
    .kind = {"dp5", "for bodies whose contacts come and go", carom_dp5_params, sizeof(struct carom_dp5_options)},
    .needs = CAROM_COMPLIANT,
    .order = 5,
    .dense_order = 5,
    .friction = true,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = carom_stepper_sync,
    .dense = dense,
    .close = close,
    .listed = &carom_dp5_bodies,
};
