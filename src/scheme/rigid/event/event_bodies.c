/* Scheme event for discs and spheres, see event_bodies.h: steps, their instants, and views inside them. A step begins
 * from the state alone, so that a resumed run goes the same way, and has so many instants that looking at all bodies
 * once costs little beside them. */
#include "scheme/rigid/event/event_bodies.h"

#include <float.h>
#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/bodies/search.h"
#include "scheme/stepper.h"

enum { EVENTS = 4096 }; /* a call ends when so many are noted */
enum { FEW = 16 };      /* bodies up to which a step has one instant */

/* --- what the other files ask for -------------------------------------------------------------------------------- */

double carom_event_bodies_rounding(const struct carom_event_bodies *w)
{
    return 8.0 * DBL_EPSILON * (w->bodies->edge + w->bodies->far);
}

double carom_event_bodies_near(const struct carom_event_bodies *w)
{
    return w->options->touch * w->length + carom_event_bodies_rounding(w);
}

double carom_event_bodies_time(const struct carom_event_bodies *w)
{
    return w->state->time + (w->state->time_low + w->now);
}

void carom_event_bodies_bring(struct carom_event_bodies *w, size_t i)
{
    const struct carom_bodies *b = w->bodies;
    if (w->when[i] == w->now || b->body[i].fixed)
        return;
    carom_event_views_fly(b->dimension, w->now - w->when[i], w->acceleration + 3 * i,
                          w->state->q + i * carom_bodies_nq(b), w->state->v + i * carom_bodies_nv(b));
    w->when[i] = w->now;
}

bool carom_event_bodies_tell(struct carom_event_bodies *w, const struct carom_contact_key *key, double time,
                             enum carom_event_kind kind, double impulse, double before, double after, double lost)
{
    const uint64_t pair = carom_event_key_pair(key);
    if (!w->watch)
        return true;
    /* more impacts than contacts in one instant: those of a contact are told as one */
    const bool many = kind == CAROM_EVENT_IMPACT && w->nevents - w->instant >= w->cluster.n;
    for (size_t i = w->instant; many && i < w->nevents; i++)
        if (w->event[i].contact == pair && w->event[i].kind == kind) {
            w->event[i].impulse += impulse;
            w->event[i].lost += lost;
            w->event[i].after = after;
            return true;
        }
    if (!carom_memory_room(&w->event, w->nevents, &w->room, 64, sizeof *w->event))
        return false;
    w->event[w->nevents++] =
        (struct carom_event){time, pair, kind, impulse, before + 0.0, after + 0.0, lost}; /* no -0 */
    return true;
}

/* --- opening ----------------------------------------------------------------------------------------------------- */

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    const struct carom_impact *impact = carom_striker_impacts[((const struct carom_event_options *)options)->impact];
    if (b->frictional)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "scheme event does not support friction (mu > 0); scheme moreau-jean with a step does");
    if (impact->rough && !impact->springy)
        return carom_error_set(error, CAROM_E_REFUSED,
                               "impact %s is for mechanisms and for a few bodies with friction, corners or "
                               "joints; discs and spheres without have moreau, newton and lzb",
                               impact->kind.name);
    if (b->outside != CAROM_OUTSIDE_KEEP)
        return carom_error_set(
            error, CAROM_E_REFUSED,
            "scheme event keeps bodies that leave the domain; moreau-jean of theory nonsmooth, with a "
            "step, removes them or stops, as verlet and dp5 of theory compliant do");
    for (size_t i = 0; i < b->n; i++) {
        const bool wall = b->body[i].surface != CAROM_BALL || b->body[i].inside;
        if (b->body[i].surface >= CAROM_CONVEX)
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme event does not support polygons, polyhedra or compounds; scheme moreau-jean with a step does");
        if (carom_bodies_tumbles(&b->body[i]))
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme event does not support boxes and cylinders that move freely; verlet and dp5 do, "
                "with a law that gives way");
        if (b->body[i].lead >= 0 || (wall && !b->body[i].fixed))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "scheme event takes walls that stand still, and body %zu moves; scheme moreau-jean "
                                   "takes walls that move",
                                   i + 1);
    }
    for (size_t i = 0; i < b->nloads; i++) {
        const enum carom_shape shape = b->load[i].signal.shape;
        if (shape != CAROM_SHAPE_NONE && shape != CAROM_SHAPE_CONSTANT && shape != CAROM_SHAPE_STEP)
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme event moves bodies along parabolas, and the load of body %zu changes all the "
                "time; constant and step loads do not, and scheme moreau-jean takes any",
                b->load[i].body + 1);
    }
    for (size_t i = 0; impact->springy && i < b->npairings; i++) {
        const double k = b->pairing[i].param[CAROM_RIGID_K].param, p = b->pairing[i].param[CAROM_RIGID_P].param;
        if (!(k > 0.0 && k < HUGE_VAL && p >= 1.0))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "impact %s spreads impulses by the stiffness of contacts: it needs a positive k and "
                                   "p of at least 1, not k = %g, p = %g",
                                   impact->kind.name, k, p);
    }
    return CAROM_OK;
}

static void close(struct carom_stepper *stepper)
{
    struct carom_event_bodies *w = stepper->work;
    carom_event_cells_close(w);
    carom_event_cluster_close(&w->cluster);
    carom_event_bonds_close(&w->bonds);
    carom_event_bonds_close(&w->seen);
    void *const all[] = {w->freely, w->when,     w->count,    w->impact_options,
                         w->event,  w->log.turn, w->log.loss, w->log.change};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        carom_memory_free(all[i]);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event");
    w->model = stepper->model;
    w->bodies = carom_model_bodies(stepper->model);
    w->options = stepper->options;
    w->length = stepper->scales.length > 0.0 ? stepper->scales.length : 1.0;
    w->speed = stepper->scales.speed > 0.0 ? stepper->scales.speed : 1.0;
    w->impact = carom_striker_impacts[w->options->impact];
    w->impact_options = carom_event_pass_on(w->options, w->impact);
    stepper->exact = true;
    stepper->traces = w->impact->springy;
    stepper->stoppable = w->impact != &carom_impact_moreau;
    const size_t n = w->bodies->n;
    w->freely = carom_memory_zeroed(3 * n, sizeof *w->freely);
    w->when = carom_memory_zeroed(n, sizeof *w->when);
    w->count = carom_memory_zeroed(n, sizeof *w->count);
    w->cluster.slot = carom_memory_zeroed(n, sizeof *w->cluster.slot);
    if (!w->impact_options || !w->freely || !w->when || !w->count || !w->cluster.slot)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event on %zu bodies", n);
    return carom_event_cells_open(w, error);
}

/* begun; the last values of loads; accelerations; when bodies were struck */
static size_t memory(const struct carom_model *model, const void *options)
{
    const struct carom_bodies *b = carom_model_bodies(model);
    (void)options;
    return 1 + b->nloads + 3 * b->n + CAROM_EVENT_RECENT * b->n;
}

static enum carom_status say_overlap(const struct carom_contact_key *key, double overlap, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_INPUT,
                           "bodies %u and %u start overlapping by %g; rigid bodies cannot overlap",
                           (unsigned)key->a + 1, (unsigned)key->b + 1, overlap);
}

static enum carom_status check_gaps(const struct carom_event_bodies *w, const struct carom_state *state,
                                    struct carom_error *error)
{
    const struct carom_bodies *b = w->bodies;
    const double allowed = fmax(carom_event_bodies_near(w), 1e-3 * w->options->tol * w->length);
    struct carom_search search = {0};
    struct carom_contacts *list = carom_list_create(b);
    enum carom_status status = list ? carom_search_open(&search, b, error)
                                    : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme event");
    if (status == CAROM_OK)
        status = carom_search_renew(&search, state->q, 0.0, &list, 1, error);
    for (size_t j = 0; status == CAROM_OK && j < list->n; j++) {
        struct carom_meeting m;
        const bool good = carom_meet(b, &list->key[j], state->q, &m);
        if (!good || !(m.gap >= -allowed))
            status = say_overlap(&list->key[j], -m.gap, error);
    }
    carom_search_close(&search);
    carom_list_free(list);
    return status;
}

static enum carom_status check_finite(const struct carom_state *state, struct carom_error *error)
{
    for (size_t i = 0; i < state->nq; i++)
        if (!(fabs(state->q[i]) < 1e300))
            return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g", state->time);
    for (size_t i = 0; i < state->nv; i++)
        if (!(fabs(state->v[i]) < 1e150))
            return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g", state->time);
    return CAROM_OK;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    w->same = 0;
    const enum carom_status status = check_finite(state, error);
    return status == CAROM_OK ? check_gaps(w, state, error) : status;
}

/* --- stepping ---------------------------------------------------------------------------------------------------- */

/* what gravity and loads alone do from now on; true if loads have changed */
static bool find_pulls(struct carom_event_bodies *w)
{
    const struct carom_bodies *b = w->bodies;
    double *last = w->state->memory + 1;
    bool changed = false;
    for (size_t i = 0; i < 3 * b->n; i++)
        w->freely[i] = b->body[i / 3].fixed ? 0.0 : b->gravity[i % 3];
    for (size_t j = 0; j < b->nloads; j++) {
        const struct carom_body_load *load = &b->load[j];
        const double value = carom_signal_value(&load->signal, w->state->time);
        changed |= value != last[j];
        last[j] = value;
        for (size_t k = 0; k < 3 && !b->body[load->body].fixed; k++)
            w->freely[3 * load->body + k] += value * load->force[k] / b->body[load->body].mass;
    }
    return changed;
}

static void find_next_rest(struct carom_event_bodies *w)
{
    w->next_rest = HUGE_VAL;
    for (size_t i = 0; i < w->bonds.n; i++)
        if (w->bonds.bond[i].keeps[CAROM_RIGID_REST] > 0.0)
            w->next_rest = fmin(w->next_rest, w->bonds.bond[i].keeps[CAROM_RIGID_REST]);
}

/* impacts that died out by now: the contact has closed */
static bool tell_rest(struct carom_event_bodies *w)
{
    const double t = carom_event_bodies_time(w);
    bool good = true;
    if (!(w->next_rest <= t))
        return true;
    w->instant = w->nevents;
    for (size_t i = 0; i < w->bonds.n && good; i++) {
        struct carom_event_bond *bond = &w->bonds.bond[i];
        double *rest = &bond->keeps[CAROM_RIGID_REST];
        if (!(*rest > 0.0 && *rest <= t))
            continue;
        good = carom_event_bodies_tell(w, &bond->key, *rest, CAROM_EVENT_CLOSE, 0.0, 0.0, 0.0, 0.0);
        *rest = 0.0;
    }
    find_next_rest(w);
    return good;
}

static enum carom_status no_memory(struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for what happens in a step");
}

/* everything at rest and all that touches is looked at: at the start, and where loads change */
static enum carom_status settle_all(struct carom_stepper *stepper, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    const struct carom_bodies *b = w->bodies;
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < b->n && status == CAROM_OK; i++)
        if (b->body[i].surface == CAROM_BALL && !b->body[i].fixed && w->count[i] == 0)
            status = carom_event_cluster_instant(stepper, i, b->n, NULL, error);
    w->state->memory[CAROM_EVENT_BEGUN] = 1.0;
    return status;
}

static enum carom_status begin(struct carom_stepper *stepper, struct carom_state *state, double limit,
                               struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    w->state = state;
    w->acceleration = state->memory + 1 + w->bodies->nloads;
    w->recent = w->acceleration + 3 * w->bodies->n;
    w->now = 0.0;
    w->limit = limit;
    memset(w->when, 0, w->bodies->n * sizeof *w->when);
    memset(w->count, 0, w->bodies->n * sizeof *w->count);
    w->log.nturns = w->log.nchanges = w->log.nlosses = 0;
    if (!carom_event_bonds_read(&w->bonds, w->bodies, state->contacts))
        return no_memory(error);
    find_next_rest(w);
    const bool anew = find_pulls(w) || state->memory[CAROM_EVENT_BEGUN] == 0.0;
    carom_event_cells_fill(w);
    return anew ? settle_all(stepper, error) : CAROM_OK;
}

/* the next instant; *more is false where the step has reached its limit before it */
static enum carom_status go_on(struct carom_stepper *stepper, bool *more, struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    for (;;) {
        const size_t i = carom_event_cells_next(w);
        *more = i < w->bodies->n && w->ahead[i].when < w->limit;
        if (!*more)
            return CAROM_OK;
        const struct carom_event_ahead ahead = w->ahead[i];
        w->same = ahead.when > w->now ? 0 : w->same;
        w->now = fmax(w->now, ahead.when);
        carom_event_bodies_bring(w, i);
        if (ahead.kind == CAROM_AHEAD_CELL)
            carom_event_cells_cross(w, i);
        if (ahead.kind == CAROM_AHEAD_CELL || w->count[ahead.other] != ahead.count) {
            carom_event_cells_predict(w, i, true);
            continue;
        }
        if (++w->same > w->options->most)
            return carom_error_set(
                error, CAROM_E_NUMERIC,
                "impacts of bodies %u and %u at t = %g do not end: %ld instants follow each other at "
                "one time (option most)",
                (unsigned)ahead.key.a + 1, (unsigned)ahead.key.b + 1, carom_event_bodies_time(w), w->options->most);
        if (!tell_rest(w))
            return no_memory(error);
        return carom_event_cluster_instant(stepper, i, ahead.other, &ahead.key, error);
    }
}

/* everyone is brought to the end of the step, and the state is whole again */
static enum carom_status finish(struct carom_stepper *stepper, struct carom_state *state, double end, double t_stop,
                                struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    w->now = end;
    for (size_t i = 0; i < w->bodies->n; i++)
        carom_event_bodies_bring(w, i);
    carom_event_views_turn(w->bodies, end, state->v, state->q);
    state->work[0] += carom_event_views_work(w->bodies, state->memory + 1, stepper->before->q, state->q);
    if (!tell_rest(w) || !carom_event_bonds_write(&w->bonds, w->bodies, state->contacts))
        return no_memory(error);
    carom_stepper_arrive(state, end, t_stop);
    carom_bodies_anchor(w->bodies, state->q);
    carom_stepper_count(stepper, end);
    return check_finite(state, error);
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double t_stop,
                                  struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    const double limit = carom_state_until(state, t_stop);
    const size_t most = w->bodies->n > FEW ? w->bodies->n : 1;
    carom_state_copy(stepper->before, state);
    if (stepper->before->contacts->lacking)
        return no_memory(error);
    enum carom_status status = begin(stepper, state, limit, error);
    bool more = true;
    size_t instants = 0;
    for (; status == CAROM_OK && more && instants < most; instants += more)
        status = go_on(stepper, &more, error);
    stepper->switched |= instants > 0;
    stepper->counts.evaluations += instants;
    return status == CAROM_OK ? finish(stepper, state, more ? w->now : limit, t_stop, error) : status;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    struct carom_event_bodies *w = stepper->work;
    enum carom_status status = CAROM_OK;
    w->watch = bound->watch;
    w->nevents = w->instant = 0;
    stepper->switched = false;
    for (size_t taken = 0;
         status == CAROM_OK && taken < bound->steps && carom_state_until(state, bound->t_stop) > 0.0 &&
         (taken == 0 || bound->t_dense > state->time) && w->nevents < EVENTS;
         taken++) {
        const size_t told = w->nevents;
        status = one_step(stepper, state, bound->t_stop, error);
        if (status != CAROM_OK) {
            carom_state_copy(state, stepper->before);
            w->nevents = told;
        }
    }
    stepper->event = w->event;
    stepper->nevents = w->nevents;
    return status;
}

/* --- views ------------------------------------------------------------------------------------------------------- */

const struct carom_scheme carom_event_bodies = {
    .kind = {"event", "for bodies whose contacts come and go", carom_event_params, sizeof(struct carom_event_options)},
    .needs = CAROM_RIGID,
    .order = 5,
    .dense_order = 4,
    .tells = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = carom_stepper_sync,
    .dense = carom_event_views_dense,
    .close = close,
    .listed = &carom_event_bodies,
};
