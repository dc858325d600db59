/* Velocity Verlet for discs, spheres and walls whose contacts come and go. A step is a kick, a drift and a kick,
 *
 *     v = v0 + h/2 a0,   x1 = x0 + h v,   v1 = v + kicks,
 *
 * both kicks along the normals and tangents of their own moment and at one point of both bodies, so that momentum and
 * angular momentum are kept to rounding. Damping is given as impulse, exact through the square-root start of
 * Kuwabara-Kono contacts: the second kick of a contact is h/2 elastic1 + (viscous1 - viscous0) - h/2 drag0 rate0, its
 * first one having been h/2 (elastic0 + drag0 rate0). Friction springs begin with the part of a step after touch.
 * Without damping and friction the step is symplectic. */
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "carom/law.h"
#include "scheme/between.h"
#include "scheme/compliant/packing/verlet_bodies_device.h"
#include "scheme/compliant/packing/verlet_ranks.h"
#include "scheme/stepper.h"

/* what threads share out: blocks of bodies or of contacts, whose numbers depend on nobody else's */
struct sweep {
    struct carom_verlet_bodies_work *w;
    const struct carom_state *from;
    struct carom_state *to;
    double h;
    size_t first; /* block of bodies */
};

/* blocks of bodies that this process moves */
static void move_own(struct carom_stepper *stepper, void (*way)(void *own, size_t number), struct sweep *sweep)
{
    size_t end;
    carom_verlet_ranks_blocks(sweep->w, &sweep->first, &end);
    carom_threads_run(stepper->threads, way, sweep, end - sweep->first);
}

static void close(struct carom_stepper *stepper)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    carom_verlet_ranks_free(w->team);
    carom_verlet_bodies_device_free(w->board);
    carom_search_close(&w->search);
    carom_verlet_room_free(w);
    carom_memory_free_all(w->force, w->guest, w->visit, w->drift, w->body, w->block, w->part, w->anew, w->lanes,
                          w->carried, w);
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
    w->columns = carom_list_columns(bodies);
    w->start_width = w->columns.width[CAROM_SLIDES] > 0 ? CAROM_VERLET_TANGENT + 1 : 1;
    w->step_size = ((const struct carom_stepper_options *)stepper->options)->step;
    w->force = carom_memory_zeroed(nv, sizeof(double));
    w->body = carom_memory_zeroed(bodies->n, sizeof *w->body);
    w->guest = carom_memory_zeroed(bodies->n, sizeof *w->guest);
    w->block = carom_memory_zeroed(carom_verlet_blocks(w), sizeof *w->block);
    w->part = carom_memory_zeroed(carom_verlet_blocks(w), sizeof *w->part);
    w->anew = carom_memory_zeroed(bodies->n, sizeof *w->anew);
    w->lanes = carom_memory_zeroed(bodies->npairings, sizeof *w->lanes);
    w->carried = carom_memory_zeroed(w->columns.end, sizeof *w->carried);
    if (!w->force || !w->body || !w->guest || !w->block || !w->part || !w->anew || !w->lanes || !w->carried)
        return out_of_memory(error);
    carom_verlet_lanes_choose(w);
    carom_verlet_moves_describe(w);
    if (w->apart || bodies->nloads > 0) {
        w->drift = carom_memory_zeroed(nv, sizeof(double));
        if (!w->drift)
            return out_of_memory(error);
    }
    w->brief = !w->drift && carom_threads_count(stepper->threads) == 1;
    const enum carom_status status = carom_search_open(&w->search, bodies, error);
    w->search.alone = true;
    w->search.threads = stepper->threads;
    return status;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    w->ready = false;
    if (w->team)
        carom_verlet_ranks_anew(w->team);
    carom_verlet_bodies_device_anew(w->board);
    stepper->counts.evaluations++; /* later ones are of states that were counted when they were reached */
    carom_bodies_impose(w->bodies, state->time + state->time_low, state->q, state->v);
    return carom_verlet_ready_prepare(stepper, state, error);
}

/* --- a step ------------------------------------------------------------------------------------------------------ */

/* forces of a block of contacts at the start of the step */
static void press_block(void *own, size_t block)
{
    const struct sweep *s = own;
    carom_verlet_contacts_press(s->w, s->from, block);
}

static void present_block(void *own, size_t block)
{
    const struct sweep *s = own;
    carom_verlet_moves_present(s->w, s->from->v, block);
}

static void drift_block(void *own, size_t number)
{
    const struct sweep *s = own;
    carom_verlet_moves_drift(s->w, s->from, s->to, s->first + number, s->h);
}

/* One thread takes blocks in their order: where contacts give to none of those before, the bodies of a block have been
 * given everything as soon as its own contacts are done, and move while they are at hand. Nobody asks for them as they
 * were any more, as later contacts know later bodies alone. (Leads would: their work is that of contacts which finish
 * takes off the list.) */
static bool goes_forward(const struct carom_stepper *stepper)
{
    const struct carom_verlet_bodies_work *w = stepper->work;
    return w->forward && !w->ranks && w->bodies->nleads == 0 && carom_threads_count(stepper->threads) == 1;
}

static void press_and_drift(void *own, size_t block)
{
    press_block(own, block);
    drift_block(own, block);
}

/* first kick and drift: state->q, w->drift */
static void drift(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to, double h,
                  double end)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    const size_t blocks = carom_verlet_blocks(w);
    struct sweep sweep = {w, from, to, h, 0};
    if (!w->presented)
        carom_threads_run(stepper->threads, present_block, &sweep, blocks);
    w->presented = false;
    carom_verlet_moves_begin(w, from->time + from->time_low, 1.0);
    if (goes_forward(stepper)) {
        carom_threads_run(stepper->threads, press_and_drift, &sweep, blocks);
    } else {
        carom_threads_run(stepper->threads, press_block, &sweep, blocks);
        move_own(stepper, drift_block, &sweep);
    }
    if (w->ranks)
        carom_verlet_ranks_told_drifted(w->ranks, to);
    w->clear = true;
    carom_bodies_impose(w->bodies, end, to->q, to->v);
    carom_verlet_moves_lead(w, from, to, h);
    double most = 0.0;
    for (size_t i = 0; i < blocks; i++)
        most = w->part[i].speed > most || w->part[i].speed != w->part[i].speed ? w->part[i].speed : most;
    w->way = h * sqrt(most);
    if (w->led > w->way) /* what is not a number stays so */
        w->way = w->led;
}

/* is the list still complete at the end of the drift? As long as nobody can have gone too far, nobody is asked */
static bool holds(struct carom_verlet_bodies_work *w, const double *q)
{
    w->spare -= w->way;
    if (w->bodies->nleads == 0 && w->spare > 0.0)
        return true;
    const double way = w->ranks ? carom_verlet_ranks_told_way(w->ranks, q) : carom_search_way(&w->search, q);
    w->spare = 0.5 * w->search.skin * (1.0 - 1e-9) - way;
    return w->search.skin >= 0.0 && w->spare >= 0.0;
}

/* a block of contacts at the end of the step, and their second kicks */
static void kick_block(void *own, size_t block)
{
    const struct sweep *s = own;
    carom_verlet_contacts_kick(s->w, s->from, s->to, block, s->h);
}

static void part_block(const struct sweep *s, size_t block)
{
    if (s->w->block[block].ended)
        carom_verlet_watch_retire(s->w, s->to->contacts, &s->w->block[block]);
}

static void finish_block(void *own, size_t number)
{
    const struct sweep *s = own;
    carom_verlet_moves_finish(s->w, s->to, s->first + number, s->h);
    part_block(s, s->first + number);
}

static void kick_and_finish(void *own, size_t block)
{
    kick_block(own, block);
    finish_block(own, block);
}

/* all of them, and where steps go forward what they make of velocities */
static void contact_kicks(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to,
                          double h, double end)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct sweep sweep = {w, from, to, h, 0};
    memcpy(to->contacts->retired, from->contacts->retired, sizeof to->contacts->retired);
    carom_verlet_moves_begin(w, end, 0.5 * h);
    w->ready = false; /* until the step is over */
    carom_verlet_watch_way(w);
    carom_threads_run(stepper->threads, goes_forward(stepper) ? kick_and_finish : kick_block, &sweep,
                      carom_verlet_blocks(w));
}

/* --- the whole --------------------------------------------------------------------------------------------------- */

/* second kick: state->v; and what opened is over */
static void kick(struct carom_stepper *stepper, struct carom_state *to, double h, double end)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    struct sweep sweep = {w, NULL, to, h, 0};
    size_t from, last;
    carom_verlet_ranks_blocks(w, &from, &last);
    if (!goes_forward(stepper))
        move_own(stepper, finish_block, &sweep);
    for (size_t i = 0; i < carom_verlet_blocks(w); i++)
        if (i < from || i >= last)
            part_block(&sweep, i); /* contacts of this process in blocks that others move */
    if (w->ranks)
        carom_verlet_ranks_told_kicked(w->ranks, to);
    carom_bodies_impose(w->bodies, end, to->q, to->v);
    w->presented = w->clear = true;
}

/* what those have lost that are over; notes whether anything opened or closed */
static void retire(struct carom_stepper *stepper, struct carom_state *to)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    stepper->switched = false;
    stepper->switched_first = stepper->switched_last = 0;
    for (size_t block = 0; block < carom_verlet_blocks(w); block++) {
        stepper->switched |= w->block[block].switched;
        for (size_t i = 0; w->block[block].ended && i < CAROM_RETIRED_KINDS; i++) {
            carom_list_book(to->contacts, (enum carom_retired)i, w->block[block].lost[i].high);
            carom_list_book(to->contacts, (enum carom_retired)i, w->block[block].lost[i].low);
        }
    }
}

/* the first contact that is pressed too deep */
static void note_deep(struct carom_stepper *stepper, const struct carom_state *to)
{
    const struct carom_verlet_bodies_work *w = stepper->work;
    for (size_t i = 0; i < carom_verlet_blocks(w) && !stepper->deep.found; i++)
        if (w->block[i].deep < to->contacts->n) {
            const struct carom_contact_key *key = &to->contacts->key[w->block[i].deep];
            stepper->deep = (struct carom_deep){true, key->a, key->b, to->time, w->contact[w->block[i].deep].deform};
        }
}

/* of the drift and of the kick: is everything a number? did anyone leave the cell of its anchor? */
static bool all_finite(const struct carom_verlet_bodies_work *w)
{
    bool finite = true;
    for (size_t i = 0; i < carom_verlet_blocks(w); i++)
        finite &= w->part[i].finite;
    return finite;
}

static bool any_far(const struct carom_verlet_bodies_work *w)
{
    bool far = false;
    for (size_t i = 0; i < carom_verlet_blocks(w); i++)
        far |= w->part[i].far;
    return far;
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double step, double t_stop,
                                  struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    enum carom_status status = carom_verlet_ready_prepare(stepper, state, error);
    if (status != CAROM_OK)
        return status;
    const double h = carom_stepper_size(state, step, t_stop);
    const double end = fmin(state->time + state->time_low + h, nextafter(t_stop, -HUGE_VAL));
    carom_stepper_begin_step(stepper, state);
    const struct carom_state *from = stepper->before;
    drift(stepper, from, state, h, end);
    if (!holds(w, state->q)) { /* someone may have come near unseen: again with a new list */
        const double way = w->way;
        carom_state_swap(state, stepper->before);
        if (w->ranks && !carom_verlet_ranks_told_meet(w->ranks, state))
            return CAROM_E_STOPPED;
        if (!(way < HUGE_VAL))
            return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g: the step is too long",
                                   state->time);
        status = carom_verlet_ready_around(stepper, state, way, error);
        if (status == CAROM_OK)
            status = carom_verlet_ready_prepare(stepper, state, error);
        if (status != CAROM_OK)
            return status;
        carom_stepper_begin_step(stepper, state);
        drift(stepper, from, state, h, end);
        w->spare -= way;
    }
    stepper->counts.evaluations++;
    const double early = w->bodies->nleads > 0 ? 0.5 * h * carom_verlet_push_work(w, from->contacts) : 0.0;
    contact_kicks(stepper, from, state, h, end);
    carom_verlet_push_tally(w, from, state, h, end, early);
    kick(stepper, state, h, end);
    if (carom_verlet_ranks_lost(w->ranks)) {
        carom_state_swap(state, stepper->before);
        return CAROM_E_STOPPED;
    }
    const size_t wrong = carom_verlet_ready_wrong(w, state->contacts->n);
    if (wrong < state->contacts->n) {
        carom_state_swap(state, stepper->before);
        return carom_verlet_ready_collided(state->contacts, wrong, state->time, error);
    }
    retire(stepper, state);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    if (!all_finite(w)) {
        carom_state_swap(state, stepper->before);
        return carom_error_set(error, CAROM_E_NUMERIC, "the motion is not finite at t = %g: the step is too long",
                               state->time);
    }
    note_deep(stepper, state);
    if (any_far(w))
        carom_verlet_ready_anchor(stepper, state);
    w->ready = true;
    w->step = state->step;
    w->time = state->time;
    return CAROM_OK;
}

/* steps to the bound, of which some are behind it */
static enum carom_status more_steps(struct carom_stepper *stepper, struct carom_state *state,
                                    const struct carom_bound *bound, size_t behind, struct carom_error *error)
{
    const struct carom_stepper_options *options = stepper->options;
    const struct carom_verlet_bodies_work *w = stepper->work;
    for (size_t taken = behind; taken == behind || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        if (w->ranks && taken == 1)
            carom_verlet_ranks_keep(w->ranks);
        const enum carom_status status = one_step(stepper, state, options->step, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static enum carom_status steps(struct carom_stepper *stepper, struct carom_state *state,
                               const struct carom_bound *bound, struct carom_error *error)
{
    return more_steps(stepper, state, bound, 0, error);
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct carom_verlet_bodies_work *w = stepper->work;
    if (w->board) {
        size_t taken;
        bool wrong = false; /* then the processor goes on from where the device has come to, and says what is wrong */
        const enum carom_status status =
            carom_verlet_bodies_device_steps(w->board, stepper, state, bound, &taken, &wrong, error);
        return status != CAROM_OK || !wrong ? status : more_steps(stepper, state, bound, taken, error);
    }
    return w->team ? carom_verlet_ranks_steps(w->team, state, bound, steps, error)
                   : steps(stepper, state, bound, error);
}

static enum carom_status use_device(struct carom_stepper *stepper, struct carom_device *device,
                                    struct carom_error *error)
{
    return carom_verlet_bodies_device_create(&((struct carom_verlet_bodies_work *)stepper->work)->board, device,
                                             stepper, error);
}

static enum carom_status use_ranks(struct carom_stepper *stepper, struct carom_ranks *ranks, struct carom_error *error)
{
    struct carom_verlet_bodies_work *w = stepper->work;
    w->brief = false;
    w->team = carom_verlet_ranks_create(ranks, stepper, error);
    if (!w->team)
        return error->status;
    return carom_rank_own(ranks) == 0 ? CAROM_OK : carom_verlet_ranks_serve(w->team, steps, error);
}

static void keep_ranks(struct carom_stepper *fresh, struct carom_stepper *old)
{
    struct carom_verlet_bodies_work *w = fresh->work, *before = old->work;
    w->brief = false;
    w->team = before->team;
    before->team = NULL;
    carom_verlet_ranks_follow(w->team, fresh);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct carom_verlet_bodies_work *w = stepper->work;
    if (w->team)
        carom_verlet_ranks_before(w->team, stepper->before);
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
    .sync = carom_stepper_sync,
    .dense = dense,
    .close = close,
    .device = use_device,
    .ranks = use_ranks,
    .keep_ranks = keep_ranks,
    .listed = &carom_verlet_bodies,
};
