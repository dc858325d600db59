/* Velocity Verlet for discs, spheres and walls whose contacts come and go. A step is a kick, a drift and a kick,
 *
 *     v = v0 + h/2 a0,   x1 = x0 + h v,   v1 = v + kicks,
 *
 * both kicks along the normals and tangents of their own moment and at one point of both bodies, so that momentum and
 * angular momentum are kept to rounding. Damping is given as impulse, exact through the square-root start of
 * Kuwabara-Kono contacts: the second kick of a contact is h/2 elastic1 + (viscous1 - viscous0) - h/2 drag0 rate0, its
 * first one having been h/2 (elastic0 + drag0 rate0). Friction springs begin with the part of a step after touch.
 * Without damping and friction the step is symplectic. */
#include "scheme/compliant/verlet_bodies.h"

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "scheme/compliant/between.h"
#include "scheme/stepper.h"

/* what threads share out: blocks of bodies or of contacts, whose numbers depend on nobody else's */
struct sweep {
    struct carom_verlet_bodies_work *w;
    const struct carom_state *from;
    struct carom_state *to;
    double h;
};

enum { BODIES = 256, CONTACTS = 512 }; /* of a block */

static size_t blocks_of(size_t n, size_t block)
{
    return (n + block - 1) / block;
}

static size_t end_of(size_t first, size_t block, size_t n)
{
    return n - first < block ? n : first + block;
}

static void close(struct carom_stepper *stepper)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    carom_search_close(&w->search);
    carom_act_close(&w->start);
    carom_act_close(&w->end);
    double *const all[] = {w->force, w->acceleration, w->drift, w->kick};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free(all[i]);
    for (size_t i = 0; i < 3 * CAROM_WAYS; i++)
        carom_memory_free(w->aside[i / 3][i % 3]);
    for (size_t i = 0; i < sizeof w->room / sizeof *w->room; i++)
        carom_memory_free(w->room[i]);
    carom_memory_free(w->wrong);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status out_of_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet");
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_bodies *bodies = carom_model_bodies(stepper->model);
    const size_t nv = stepper->model->nv;
    struct carom_verlet_bodies_work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return out_of_memory(error);
    w->bodies = bodies;
    carom_act_open(&w->start, bodies);
    carom_act_open(&w->end, bodies);
    w->start.step = w->end.step = ((const struct carom_stepper_options *)stepper->options)->step;
    w->force = carom_memory_zeroed(nv, sizeof(double));
    w->acceleration = carom_memory_zeroed(nv, sizeof(double));
    w->drift = carom_memory_zeroed(nv, sizeof(double));
    if (!w->force || !w->acceleration || !w->drift)
        return out_of_memory(error);
    return carom_search_open(&w->search, bodies, error);
}

static bool reserve(struct carom_verlet_bodies_work *w, size_t n)
{
    if (!carom_act_reserve(&w->start, n) || !carom_act_reserve(&w->end, n))
        return false;
    if (n <= w->contacts && w->kick)
        return true;
    const size_t room = n + n / 4 + 16;
    double **all[10 + 3 * CAROM_WAYS] = {&w->kick};
    size_t arrays = 1;
    for (size_t i = 0; i < 9 && w->bodies->frictional; i++)
        all[arrays++] = &w->room[i];
    for (size_t i = 0; i < 3 * CAROM_WAYS; i++)
        if (i % 3 < w->start.columns.width[i / 3])
            all[arrays++] = &w->aside[i / 3][i % 3];
    for (size_t i = 0; i < arrays; i++) {
        void *grown = carom_memory_grow(*all[i], w->contacts, room, sizeof(double));
        if (!grown)
            return false;
        *all[i] = grown;
    }
    void *wrong =
        carom_memory_grow(w->wrong, blocks_of(w->contacts, CONTACTS), blocks_of(room, CONTACTS), sizeof *w->wrong);
    if (!wrong)
        return false;
    w->wrong = wrong;
    w->contacts = room;
    return true;
}

static enum carom_status collided(const struct carom_contacts *c, size_t j, double t, struct carom_error *error)
{
    return carom_error_set(
        error, CAROM_E_NUMERIC,
        "bodies %u and %u have run into each other at t = %g: the step is too long, or their contact "
        "too soft",
        (unsigned)c->key[j].a + 1, (unsigned)c->key[j].b + 1, t);
}

/* the list for bodies that move by `way` in a step, and the contacts at the state */
static enum carom_status look_around(struct carom_stepper *stepper, struct carom_state *state, double way,
                                     struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct carom_contacts *lists[2] = {state->contacts, stepper->before->contacts};
    if (stepper->before->contacts->n != state->contacts->n)
        carom_list_copy(stepper->before->contacts, state->contacts);
    const enum carom_status status = carom_search_renew(&w->search, state->q, way, lists, 2, error);
    if (status != CAROM_OK)
        return status;
    w->ready = false;
    return reserve(w, state->contacts->n) ? CAROM_OK : out_of_memory(error);
}

/* contacts at the state: left by the last step, or worked out */
static enum carom_status prepare(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const bool known = w->ready && w->step == state->step && w->time == state->time;
    if (!known && (w->search.skin < 0.0 || w->step != state->step || w->time != state->time ||
                   !carom_search_holds(&w->search, state->q))) {
        const enum carom_status status = look_around(stepper, state, 0.0, error);
        if (status != CAROM_OK)
            return status;
    }
    if (!known) {
        stepper->counts.evaluations++;
        const size_t wrong = carom_act_place(&w->start, state->contacts, state->q);
        if (wrong < state->contacts->n)
            return collided(state->contacts, wrong, state->time, error);
        carom_act_force(&w->start, state->contacts, state->v);
    }
    w->ready = true;
    w->step = state->step;
    w->time = state->time;
    return CAROM_OK;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    w->ready = false;
    carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
    return prepare(stepper, state, error);
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

static void part_force(const struct carom_stepper *stepper, double t, const struct carom_state *state, double *f)
{
    const struct carom_member *m = &stepper->model->member[0];
    m->part->force(m->own, t, state->q, state->v, NULL, f);
}

/* first kick and drift of a block of bodies */
static void drift_block(void *own, size_t block)
{
    const struct sweep *s = own;
    struct carom_verlet_bodies_work *w = s->w;
    const size_t nv = carom_bodies_nv(w->bodies), first = block * BODIES, last = end_of(first, BODIES, w->bodies->n);
    carom_act_push_some(&w->start, s->from->contacts, &w->search, first, last, w->start.total,
                        w->bodies->frictional ? w->start.tangent : NULL, w->force);
    carom_bodies_accelerate(w->bodies, first, last, w->force, w->acceleration);
    for (size_t i = first * nv; i < last * nv; i++) {
        s->to->v[i] = s->from->v[i] + 0.5 * s->h * w->acceleration[i];
        w->drift[i] = s->h * s->to->v[i];
    }
    carom_bodies_move(w->bodies, first, last, s->from->q, w->drift, s->to->q);
    for (size_t i = first * nv; i < last * nv; i++)
        w->drift[i] = s->to->v[i];
}

/* first kick and drift: state->q, w->drift */
static void drift(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to, double h,
                  double end)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const size_t nv = carom_bodies_nv(w->bodies), nq = carom_bodies_nq(w->bodies);
    struct sweep sweep = {w, from, to, h};
    part_force(stepper, from->time + from->time_low, from, w->force);
    carom_threads_run(stepper->threads, drift_block, &sweep, blocks_of(w->bodies->n, BODIES));
    carom_bodies_impose(w->bodies, end, to->q, to->v);
    for (size_t i = 0; i < w->bodies->n; i++) /* bodies that are led: the mean velocity of the step */
        if (w->bodies->body[i].lead >= 0) {
            for (size_t k = 0; k < w->bodies->dimension; k++)
                w->drift[i * nv + k] = (to->q[i * nq + k] - from->q[i * nq + k]) / h;
            for (size_t k = w->bodies->dimension; k < nv; k++)
                w->drift[i * nv + k] = 0.5 * (from->v[i * nv + k] + to->v[i * nv + k]);
        }
}

/* second kick of a contact that force ends: the trapezoid of the clipped force where a step passes the switch */
static double clipped_kick(struct carom_verlet_bodies_work *w, const struct carom_state *to, size_t j, double h)
{
    const struct carom_act *a = &w->start, *b = &w->end;
    const double mean = (b->deform[j] - a->deform[j]) / h;
    const double rate0 = a->rate[j], rate1 = a->deform[j] > 0.0 ? 2.0 * mean - rate0 : mean;
    const double force0 = a->elastic[j] + a->drag[j] * rate0, force1 = b->elastic[j] + b->drag[j] * rate1;
    const bool cut0 = a->deform[j] > 0.0 && !(force0 > 0.0), cut1 = b->deform[j] > 0.0 && !(force1 > 0.0);
    const double damper = b->viscous[j] - a->viscous[j];
    const double whole = 0.5 * h * (a->elastic[j] + b->elastic[j]) + damper;
    if (!cut0 && !cut1 && whole >= 0.0) {
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += mean * damper;
        return whole - 0.5 * h * a->normal[j];
    }
    if (!cut0)
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += 0.5 * h * a->drag[j] * rate0 * rate0;
    else
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_CLIPPED)[j] -= 0.5 * h * a->elastic[j] * rate0;
    if (!cut1)
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += 0.5 * h * b->drag[j] * rate1 * rate1;
    else
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_CLIPPED)[j] -= 0.5 * h * b->elastic[j] * rate1;
    return cut1 ? 0.0 : 0.5 * h * force1;
}

static void normal_kicks(struct carom_verlet_bodies_work *w, const struct carom_state *to, size_t first, size_t last,
                         double h)
{
    const struct carom_act *a = &w->start, *b = &w->end;
    for (size_t j = first; j < last; j++) {
        w->kick[j] = 0.0;
        if (!(a->deform[j] > 0.0) && !(b->deform[j] > 0.0))
            continue;
        if (w->bodies->pairing[to->contacts->key[j].pairing].ending == CAROM_END_FORCE) {
            w->kick[j] = clipped_kick(w, to, j, h);
            continue;
        }
        const double damper = b->viscous[j] - a->viscous[j];
        w->kick[j] = 0.5 * h * b->elastic[j] + damper - 0.5 * h * a->drag[j] * a->rate[j];
        carom_verlet_bodies_lost(w, to, CAROM_RETIRED_VISCOUS)[j] += (b->deform[j] - a->deform[j]) / h * damper;
    }
}

/* a block of contacts at the end of the step, and their second kicks */
static void kick_block(void *own, size_t block)
{
    const struct sweep *s = own;
    const struct carom_contacts *a = s->from->contacts, *b = s->to->contacts;
    const size_t first = block * CONTACTS, last = end_of(first, CONTACTS, b->n);
    for (size_t i = a->nfixed; i < a->ncolumns; i++)
        memcpy(b->column[i] + first, a->column[i] + first, (last - first) * sizeof(double));
    s->w->wrong[block] = carom_act_place_some(&s->w->end, b, first, last, s->to->q);
    normal_kicks(s->w, s->to, first, last, s->h);
    if (s->w->bodies->frictional)
        carom_verlet_friction_kicks(s->w, s->to, first, last, s->h);
}

/* all of them; returns a contact whose bodies have run into each other, or n */
static size_t contact_kicks(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to,
                            double h)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct sweep sweep = {w, from, to, h};
    const size_t n = to->contacts->n, blocks = blocks_of(n, CONTACTS);
    memcpy(to->contacts->retired, from->contacts->retired, sizeof to->contacts->retired);
    carom_threads_run(stepper->threads, kick_block, &sweep, blocks);
    for (size_t i = 0; i < blocks; i++)
        if (w->wrong[i] < n)
            return w->wrong[i];
    return n;
}

/* forces at the end of the step, with the velocities there */
static void force_block(void *own, size_t block)
{
    const struct sweep *s = own;
    const size_t first = block * CONTACTS, last = end_of(first, CONTACTS, s->to->contacts->n);
    carom_act_force_some(&s->w->start, s->to->contacts, first, last, s->to->v);
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* work of loads and leads over the step: mean forces times ways */
static void tally(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to, double h,
                  double end)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    const bool rubs = b->frictional;
    const size_t nv = carom_bodies_nv(b);
    double work = 0.0;
    for (size_t j = 0; j < b->nloads; j++) {
        const struct carom_body_load *load = &b->load[j];
        const double mean = 0.5 * (carom_signal_value(&load->signal, from->time + from->time_low) +
                                   carom_signal_value(&load->signal, end));
        for (size_t k = 0; k < b->dimension && !b->body[load->body].fixed; k++)
            work += h * mean * load->force[k] * w->drift[load->body * nv + k];
    }
    if (b->nleads > 0)
        work +=
            0.5 * h *
                carom_act_work(&w->start, from->contacts, w->start.total, rubs ? w->start.tangent : NULL, w->drift) +
            carom_act_work(&w->end, to->contacts, w->kick, rubs ? w->aside : NULL, w->drift);
    to->work[0] += work;
}

static void finish_block(void *own, size_t block)
{
    const struct sweep *s = own;
    struct carom_verlet_bodies_work *w = s->w;
    const size_t nv = carom_bodies_nv(w->bodies), first = block * BODIES, last = end_of(first, BODIES, w->bodies->n);
    for (size_t i = first * nv; i < last * nv; i++)
        w->force[i] *= 0.5 * s->h;
    carom_act_push_some(&w->end, s->to->contacts, &w->search, first, last, w->kick,
                        w->bodies->frictional ? w->aside : NULL, w->force);
    carom_bodies_accelerate(w->bodies, first, last, w->force, w->acceleration);
    for (size_t i = first * nv; i < last * nv; i++)
        s->to->v[i] += w->acceleration[i];
}

/* second kick: state->v */
static void kick(struct carom_stepper *stepper, struct carom_state *to, double h, double end)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct sweep sweep = {w, NULL, to, h};
    part_force(stepper, end, to, w->force);
    carom_threads_run(stepper->threads, finish_block, &sweep, blocks_of(w->bodies->n, BODIES));
    carom_bodies_impose(w->bodies, end, to->q, to->v);
}

/* what opened is over; notes whether anything opened or closed */
static void retire(struct carom_stepper *stepper, struct carom_state *to)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    stepper->switched = false;
    stepper->switched_first = stepper->switched_last = 0;
    for (size_t j = 0; j < to->contacts->n; j++) {
        const bool was = w->start.deform[j] > 0.0, is = w->end.deform[j] > 0.0;
        stepper->switched |= was != is;
        if (!is && !carom_list_is_empty(to->contacts, j))
            carom_list_retire(to->contacts, &w->start.columns, j);
    }
}

static double longest_way(const struct carom_bodies *b, const double *drift, double h)
{
    double most = 0.0;
    const size_t nv = carom_bodies_nv(b);
    for (size_t i = 0; i < b->n; i++) {
        double square = 0.0;
        for (size_t k = 0; k < b->dimension; k++)
            square += drift[i * nv + k] * drift[i * nv + k];
        most = fmax(most, square);
    }
    return h * sqrt(most);
}

static bool is_finite(const double *x, size_t n)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i] * 0.0;
    return sum == 0.0;
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double step, double t_stop,
                                  struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    enum carom_status status = prepare(stepper, state, error);
    if (status != CAROM_OK)
        return status;
    const double h = carom_stepper_size(state, step, t_stop);
    const double end = fmin(state->time + state->time_low + h, nextafter(t_stop, -HUGE_VAL));
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    drift(stepper, from, state, h, end);
    if (!carom_search_holds(&w->search, state->q)) { /* someone may have come near unseen: again with a new list */
        const double way = longest_way(w->bodies, w->drift, h);
        carom_state_swap(state, stepper->before);
        if (!is_finite(w->drift, state->nv))
            return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g: the step is too long",
                                   state->time);
        status = look_around(stepper, state, way, error);
        if (status == CAROM_OK)
            status = prepare(stepper, state, error);
        if (status != CAROM_OK)
            return status;
        carom_stepper_turn(stepper, state);
        drift(stepper, from, state, h, end);
    }
    stepper->counts.evaluations++;
    const size_t wrong = contact_kicks(stepper, from, state, h);
    if (wrong < state->contacts->n) {
        carom_state_swap(state, stepper->before);
        return collided(state->contacts, wrong, state->time, error);
    }
    tally(stepper, from, state, h, end);
    kick(stepper, state, h, end);
    retire(stepper, state);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    if (!is_finite(state->v, state->nv)) {
        carom_state_swap(state, stepper->before);
        return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g: the step is too long",
                               state->time);
    }
    carom_act_deep(&w->end, state->contacts, state->time, &stepper->deep);
    const struct carom_act hold = w->start;
    w->start = w->end;
    w->end = hold;
    w->ready = !carom_bodies_anchor(w->bodies, state->q);
    w->step = state->step;
    w->time = state->time;
    struct sweep sweep = {w, NULL, state, h};
    if (w->ready)
        carom_threads_run(stepper->threads, force_block, &sweep, blocks_of(state->contacts->n, CONTACTS));
    return CAROM_OK;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct carom_stepper_options *options = stepper->options;
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const enum carom_status status = one_step(stepper, state, options->step, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    (void)stepper;
    carom_state_view(view, state);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct carom_verlet_bodies_work *w = stepper->work;
    carom_between_view(w->bodies, stepper->before, state, t, view);
}

/* laws that change with time or turn from phase to phase need their moments found */
static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    (void)options;
    for (size_t p = 0; p < b->npairings; p++)
        if (b->pairing[p].law->nh > 0)
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme verlet needs contact laws without memory, and %s has one; scheme dp5 runs it",
                b->pairing[p].law->kind.name);
    return CAROM_OK;
}

const struct carom_scheme carom_verlet_bodies = {
    .kind = {"verlet", "for bodies whose contacts come and go", carom_stepper_params,
             sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT,
    .order = 2,
    .dense_order = 3,
    .friction = true,
    .accept = accept,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .dense = dense,
    .close = close,
    .listed = &carom_verlet_bodies,
};
