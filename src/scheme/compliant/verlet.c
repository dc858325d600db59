/* Velocity Verlet for chains, second order where the force is continuous, with damping given as impulse:
 *
 *     x1 = x0 + h (v0 + h/2 a0),   v1 = v0 + [ h/2 (elastic0 + elastic1) + viscous1 - viscous0 ] / m
 *
 * and, where nothing is damped, v1 = (v0 + h/2 a0) + h/2 a1, which is the same. The damper's impulse is exact, so the
 * square-root start of Kuwabara-Kono contacts (and the jump of dashpots) costs no order, which half-step velocities
 * would. One evaluation a step; with damping three, unless contacts end with their gap and nothing loads the beads or
 * moves the walls: then what they were at the end of a step is kept for the next. Where force ends it, steps that pass
 * the switch take the trapezoid of the clipped force; where it latches, it does so at the end of such a step.
 * Loads are forces at both ends of a step, local dampers give the impulse -c (x1 - x0). Only for beads. */
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "model/beads/chain.h"
#include "model/contact_force.h"
#include "model/latch.h"
#include "scheme/compliant/packing/verlet_bodies.h"
#include "scheme/compliant/verlet_clip.h"
#include "scheme/compliant/verlet_device.h"
#include "scheme/compliant/verlet_fused.h"
#include "scheme/compliant/verlet_squeezed.h"
#include "scheme/hermite.h"
#include "scheme/stepper.h"
#include "scheme/tally.h"

enum { BLOCK = 1024 }; /* beads or contacts that one thread handles at a time, small enough for the first cache */

struct verlet {
    struct carom_chain chain;
    double *elastic;                   /* nc, at the state's x; not if damped */
    struct carom_verlet_squeezed held; /* nc of each, at the state's x; only if damped and plain */
    double *both;                      /* nc, of the step under way: twice the mean force; only if damped */
    uint64_t step;                     /* the state these belong to */
    double time;
    struct carom_verlet_fused kept; /* its arrays only if fused */
    bool cached, fused;
    bool plain;                 /* do contacts end with their gap, without loads and walls that move? */
    bool *switched, *broken;    /* per block: did a contact open or close; is a velocity not finite */
    double *load[2];            /* n: weights and loads at both ends of the step; only if loaded */
    double *aside;              /* two per drive: forces beside it */
    struct carom_chain last[2]; /* the chain at both ends of the last step */
    bool filled;
    struct carom_verlet_device *device; /* NULL: the processor takes the steps */
};

/* one step under way */
struct advance {
    struct carom_stepper *stepper;
    struct verlet *work;
    const struct carom_state *from;
    struct carom_state *to;
    double h;
    struct carom_chain early, late; /* the chain at both ends */
};

static size_t blocks(size_t n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static size_t block_end(size_t block, size_t n)
{
    return (block + 1) * BLOCK < n ? (block + 1) * BLOCK : n;
}

static void close(struct carom_stepper *stepper)
{
    struct verlet *w = stepper->work;
    carom_verlet_device_free(w->device);
    carom_memory_free_all(w->elastic, w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    struct verlet *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (w) {
        w->chain = w->last[0] = w->last[1] = carom_chain_of(model);
        w->fused = !stepper->threads && carom_verlet_fused_fits(model);
        w->plain = !w->chain.beads->loaded && !w->chain.moving && !model->clipped && !model->latches;
        const size_t fused = w->fused ? model->nv : 0, loaded = w->chain.beads->loaded ? model->nv : 0;
        const size_t held = model->damped && w->plain ? model->nc : 0;
        carom_memory_together(CAROM_ROOM(w->elastic, model->damped ? 0 : model->nc),
                              CAROM_ROOM(w->both, model->damped ? model->nc : 0), CAROM_ROOM(w->held.deform, held),
                              CAROM_ROOM(w->held.elastic, held), CAROM_ROOM(w->held.viscous, held),
                              CAROM_ROOM(w->held.drag, held), CAROM_ROOM(w->kept.ease, fused),
                              CAROM_ROOM(w->kept.kick, fused), CAROM_ROOM(w->switched, blocks(model->nc)),
                              CAROM_ROOM(w->broken, blocks(model->nv)), CAROM_ROOM(w->load[0], loaded),
                              CAROM_ROOM(w->load[1], loaded), CAROM_ROOM(w->aside, 2 * w->chain.beads->ndrives));
    }
    if (!w || !w->elastic)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme verlet");
    return CAROM_OK;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_latch_see(stepper->model, state, 0, stepper->model->nc);
    return CAROM_OK;
}

/* contacts at the state's x */
static void evaluate(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct verlet *w = stepper->work;
    double deform[BLOCK];
    carom_chain_clock(&w->chain, state->time + state->time_low);
    for (size_t b = 0; b < blocks(w->chain.nc); b++) {
        const size_t first = b * BLOCK, last = block_end(b, w->chain.nc);
        const struct carom_verlet_squeezed out =
            stepper->model->damped ? carom_verlet_squeezed_from(&w->held, first)
                                   : (struct carom_verlet_squeezed){.deform = deform, .elastic = w->elastic + first};
        carom_verlet_squeezed_at(stepper->model, &w->chain, first, last, state->q, &out);
    }
}

/* the same, unless the last step left them here or one_step will see to it */
static void begin_at(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct verlet *w = stepper->work;
    const bool damped = stepper->model->damped;
    if ((damped && !w->plain) || (w->cached && w->step == state->step && w->time == state->time))
        return;
    if (w->fused)
        w->kept.h = 0.0;
    else
        evaluate(stepper, state);
    /* later ones are of states that were counted when they were reached */
    stepper->counts.evaluations += !damped && state->step == 0;
}

/* driven beads of a block have their place, and then their speed, at the end of the step */
static void lead(const struct advance *a, size_t first, size_t last, bool speed)
{
    const struct carom_beads *b = a->work->chain.beads;
    for (size_t k = 0; k < b->ndrives; k++) {
        const size_t i = (size_t)b->drive[k].which;
        if (b->drive[k].which < 0 || i < first || i >= last)
            continue;
        const struct carom_motion motion = carom_loads_motion(&b->drive[k], a->late.time);
        *(speed ? &a->to->v[i] : &a->to->q[i]) = speed ? motion.rate : motion.place;
    }
}

/* the force of damped contacts [first, last) as it acts at the beginning of the step */
static void read_damped(const struct advance *a, size_t first, size_t last, double *force)
{
    const struct verlet *w = a->work;
    if (!w->plain) {
        carom_contact_force_read(a->stepper->model, a->from, first, last, NULL, NULL, force);
        return;
    }
    const struct carom_verlet_squeezed held = carom_verlet_squeezed_from(&w->held, first);
    carom_chain_rate(&w->chain, first, last, a->from->v, force);
    for (size_t k = 0; k < last - first; k++) {
        const double acting = held.elastic[k] + held.drag[k] * force[k];
        force[k] = held.deform[k] > 0.0 ? acting : 0.0;
    }
}

/* beads of a block: v0 + h/2 a0, and x1 = x0 + h times that */
static void move_beads(void *own, size_t block)
{
    const struct advance *a = own;
    const struct carom_chain *chain = &a->work->chain;
    const struct carom_beads *beads = chain->beads;
    const size_t first = block * BLOCK, last = block_end(block, chain->n);
    double force[BLOCK + 1], push[BLOCK];
    if (a->stepper->model->damped) {
        size_t from, to;
        carom_chain_beside(chain, first, last, &from, &to);
        read_damped(a, from, to, force);
        carom_chain_push(chain, first, last, force, from, push);
    } else {
        carom_chain_push(chain, first, last, a->work->elastic, 0, push);
    }
    const double *x = a->from->q, *v = a->from->v;
    const double half = 0.5 * a->h;
    for (size_t i = first; beads->spring && !beads->loaded && i < last; i++)
        push[i - first] -= beads->spring[i] * x[i];
    for (size_t i = first; beads->loaded && i < last; i++)
        push[i - first] +=
            carom_loads_local(beads, i, x[i]) + a->work->load[0][i] - carom_loads_damper(beads, i) * v[i];
    for (size_t i = first; i < last; i++) {
        a->to->v[i] = v[i] + push[i - first] * (half * beads->inverse_mass[i]);
        a->to->q[i] = x[i] + a->h * a->to->v[i];
    }
    if (beads->driven)
        lead(a, first, last, false);
}

/* contacts of a block at one end of the step */
struct squeezed_block {
    double deform[BLOCK], elastic[BLOCK], viscous[BLOCK], drag[BLOCK];
};

static struct carom_verlet_squeezed of_block(struct squeezed_block *b)
{
    return (struct carom_verlet_squeezed){b->deform, b->elastic, b->viscous, b->drag};
}

/* what is kept of contacts [first, last) becomes what they are at x1 */
static bool impulse_plain(const struct advance *a, size_t first, size_t last)
{
    struct verlet *w = a->work;
    struct squeezed_block block;
    const struct carom_verlet_squeezed before = carom_verlet_squeezed_from(&w->held, first), after = of_block(&block);
    const size_t size = (last - first) * sizeof *after.deform;
    carom_verlet_squeezed_at(a->stepper->model, &a->late, first, last, a->to->q, &after);
    const bool switched = carom_verlet_squeezed_switch(last - first, before.deform, after.deform);
    carom_verlet_squeezed_give(last - first, a->h, &before, &after, a->from->lost + first, a->to->lost + first,
                               w->both + first);
    memcpy(before.deform, after.deform, size);
    memcpy(before.elastic, after.elastic, size);
    memcpy(before.viscous, after.viscous, size);
    memcpy(before.drag, after.drag, size);
    return switched;
}

static void impulse_damped(const struct advance *a, size_t first, size_t last, bool *switched)
{
    struct verlet *w = a->work;
    const struct carom_model *model = a->stepper->model;
    struct squeezed_block before, after;
    const struct carom_verlet_squeezed x0 = of_block(&before), x1 = of_block(&after);
    carom_verlet_squeezed_at(model, &a->early, first, last, a->from->q, &x0);
    carom_verlet_squeezed_at(model, &a->late, first, last, a->to->q, &x1);
    size_t g = 0;
    carom_latch_carry(model, a->from, a->to, first, last);
    for (size_t j = first; j < last; j++) {
        const size_t k = j - first;
        while (j >= model->group[g].first + model->group[g].count)
            g++;
        if (carom_latch_holds(model, a->from->history, j)) {
            w->both[j] = 0.0;
            a->to->lost[j] = a->from->lost[j];
            a->to->clipped[j] = a->from->clipped[j];
        } else if (model->clipped && model->group[g].ending != CAROM_END_GAP) {
            const double old[4] = {before.elastic[k], before.viscous[k], before.drag[k], before.deform[k]};
            const double new[4] = {after.elastic[k], after.viscous[k], after.drag[k], after.deform[k]};
            a->to->clipped[j] = a->from->clipped[j];
            w->both[j] = carom_verlet_clip(a->from, a->to, &a->early, a->h, j, old, new) / (0.5 * a->h);
        } else {
            const double damper = after.viscous[k] - before.viscous[k];
            w->both[j] = before.elastic[k] + after.elastic[k] + damper / (0.5 * a->h);
            a->to->lost[j] = a->from->lost[j] + (after.deform[k] - before.deform[k]) / a->h * damper;
            if (model->clipped)
                a->to->clipped[j] = a->from->clipped[j];
        }
        *switched |= (before.deform[k] > 0.0) != (after.deform[k] > 0.0);
    }
}

/* contacts of a block: evaluated at x1, their impulse over the step, their losses */
static void squeeze_contacts(void *own, size_t block)
{
    const struct advance *a = own;
    struct verlet *w = a->work;
    const size_t first = block * BLOCK, last = block_end(block, w->chain.nc);
    bool switched = false;
    if (a->stepper->model->damped && w->plain) {
        switched = impulse_plain(a, first, last);
    } else if (a->stepper->model->damped) {
        impulse_damped(a, first, last, &switched);
    } else {
        double deform[BLOCK], elastic[BLOCK];
        const struct carom_verlet_squeezed after = {.deform = deform, .elastic = elastic};
        carom_verlet_squeezed_at(a->stepper->model, &a->late, first, last, a->to->q, &after);
        switched = carom_verlet_squeezed_switch(last - first, w->elastic + first, elastic);
        memcpy(w->elastic + first, elastic, (last - first) * sizeof *elastic);
    }
    w->switched[block] = switched;
}

/* What local forces and loads add to the velocities, as a mean force times two; where nothing else is damped, half of
 * it has been given by move_beads. */
static void push_loads(const struct advance *a, size_t first, size_t last, double *push)
{
    const struct carom_beads *b = a->work->chain.beads;
    const bool whole = a->stepper->model->damped;
    const double *x0 = a->from->q, *x1 = a->to->q, *v = a->from->v;
    for (size_t i = first; i < last; i++) {
        const double c = carom_loads_damper(b, i);
        push[i - first] += carom_loads_local(b, i, x1[i]) + a->work->load[1][i] - 2.0 * c * (x1[i] - x0[i]) / a->h;
        if (whole)
            push[i - first] += carom_loads_local(b, i, x0[i]) + a->work->load[0][i];
        else
            push[i - first] += c * v[i];
    }
}

/* beads of a block: v1 = v0 + impulses / m; where nothing is damped, what move_beads left + h/2 a1 */
static void kick_beads(void *own, size_t block)
{
    const struct advance *a = own;
    const struct carom_chain *chain = &a->work->chain;
    const struct carom_beads *beads = chain->beads;
    const size_t first = block * BLOCK, last = block_end(block, chain->n);
    const bool damped = a->stepper->model->damped;
    const double half = 0.5 * a->h, *v = damped ? a->from->v : a->to->v;
    double push[BLOCK];
    carom_chain_push(chain, first, last, damped ? a->work->both : a->work->elastic, 0, push);
    if (beads->loaded)
        push_loads(a, first, last, push);
    for (size_t i = first; beads->spring && !beads->loaded && i < last; i++)
        push[i - first] -= beads->spring[i] * (damped ? a->from->q[i] + a->to->q[i] : a->to->q[i]);
    for (size_t i = first; i < last; i++)
        a->to->v[i] = v[i] + push[i - first] * (half * beads->inverse_mass[i]);
    const bool finite = carom_verlet_squeezed_finite(last - first, a->to->v + first);
    if (beads->driven)
        lead(a, first, last, true);
    a->work->broken[block] = !finite;
}

/* threads wait for each other between the phases; a single one follows a block behind, while it is in the cache */
static void run_phases(struct advance *a)
{
    const size_t bead_blocks = blocks(a->work->chain.n), contact_blocks = blocks(a->work->chain.nc);
    if (a->stepper->threads) {
        carom_threads_run(a->stepper->threads, move_beads, a, bead_blocks);
        carom_threads_run(a->stepper->threads, squeeze_contacts, a, contact_blocks);
        carom_threads_run(a->stepper->threads, kick_beads, a, bead_blocks);
        return;
    }
    const size_t last = bead_blocks > contact_blocks ? bead_blocks : contact_blocks;
    for (size_t b = 0; b < last + 2; b++) {
        if (b < bead_blocks)
            move_beads(a, b);
        if (b >= 1 && b - 1 < contact_blocks)
            squeeze_contacts(a, b - 1);
        if (b >= 2 && b - 2 < bead_blocks)
            kick_beads(a, b - 2);
    }
}

/* contacts of a block, at the end of the step */
static void latch_contacts(void *own, size_t block)
{
    const struct advance *a = own;
    carom_latch_see(a->stepper->model, a->to, block * BLOCK, block_end(block, a->work->chain.nc));
}

static void latch_all(struct advance *a)
{
    if (a->stepper->model->latches)
        carom_threads_run(a->stepper->threads, latch_contacts, a, blocks(a->work->chain.nc));
}

static bool any(const bool *flag, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= flag[i];
    return found;
}

/* walls and loads at both ends of a step */
static void prepare(struct advance *a, double t_stop)
{
    struct verlet *w = a->work;
    const double t = a->from->time + a->from->time_low;
    a->early = a->late = w->chain;
    if (!w->chain.beads->loaded)
        return;
    const double end = fmin(t + a->h, carom_loads_before(t_stop));
    carom_chain_clock(&a->early, t);
    carom_chain_clock(&a->late, end);
    carom_loads_fill(w->chain.beads, t, w->filled, w->load[0]);
    carom_loads_fill(w->chain.beads, end, w->filled, w->load[1]);
    w->filled = true;
}

/* false, with the state as it was, if the motion is no longer finite */
static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct verlet *w = stepper->work;
    if (w->fused && w->kept.h != h) {
        evaluate(stepper, state);
        carom_verlet_fused_start(&w->kept, &w->chain, w->elastic, h);
    }
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_begin_step(stepper, state);
    struct advance a = {.stepper = stepper, .work = w, .from = stepper->before, .to = state, .h = h};
    bool finite;
    if (!stepper->model->damped) /* the step overwrites them */
        carom_tally_beside(&w->chain, w->elastic, 0.5, false, w->aside);
    if (w->fused) {
        finite =
            carom_verlet_fused_step(&w->kept, stepper->model, &w->chain, a.from, a.to, w->elastic, &stepper->switched);
    } else {
        prepare(&a, t_stop);
        run_phases(&a);
        finite = !any(w->broken, blocks(w->chain.n));
        stepper->switched = any(w->switched, blocks(w->chain.nc));
    }
    if (!finite) {
        carom_state_swap(state, stepper->before);
        w->cached = false;
        return false;
    }
    if (w->chain.beads->loaded) {
        const bool damped = stepper->model->damped;
        carom_tally_beside(&w->chain, damped ? w->both : w->elastic, 0.5, !damped, w->aside);
        carom_tally_add(&a.early, &a.late, h, a.from->q, w->aside, state);
        w->last[0] = a.early;
        w->last[1] = a.late;
    }
    carom_stepper_arrive(state, h, t_stop);
    latch_all(&a);
    carom_stepper_count(stepper, h);
    stepper->counts.evaluations++;
    w->step = state->step;
    w->time = state->time;
    w->cached = true;
    return true;
}

static enum carom_status use_device(struct carom_stepper *stepper, struct carom_device *device,
                                    struct carom_error *error)
{
    return carom_verlet_device_create(&((struct verlet *)stepper->work)->device, device, stepper->model, error);
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    const struct verlet *w = stepper->work;
    bool wrong = false; /* then the processor takes the steps and says what is wrong */
    if (w->device) {
        const enum carom_status status = carom_verlet_device_steps(w->device, stepper, state, bound, &wrong, error);
        if (status != CAROM_OK || !wrong)
            return status;
    }
    begin_at(stepper, state);
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++)
        if (!one_step(stepper, state, carom_stepper_size(state, o->step, bound->t_stop), bound->t_stop))
            return carom_error_set(
                error, CAROM_E_NUMERIC,
                "verlet broke down at t = %g: step %g is too large for the stiffness of the contacts", state->time,
                o->step);
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    carom_state_view(view, state);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

static void sync_range(struct carom_stepper *stepper, const struct carom_state *state, size_t first, size_t last,
                       struct carom_state *view)
{
    (void)stepper;
    for (size_t i = first; i < last; i++) {
        view->q[i] = state->q[i];
        view->v[i] = state->v[i];
    }
    carom_state_clock(view, state->time);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct verlet *w = stepper->work;
    const struct carom_tally_end from = {&w->last[0], stepper->before, stepper->before->v},
                                 to = {&w->last[1], state, state->v};
    carom_hermite_view(stepper->before, stepper->before->v, state, state->v, t, view);
    carom_latch_between(stepper->model, stepper->before, state, t, view);
    carom_tally_view(stepper->model, &from, &to, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}

const struct carom_scheme carom_scheme_verlet = {
    .kind = {"verlet", "explicit, second order, one force evaluation a step", carom_stepper_params,
             sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS,
    .order = 2,
    .dense_order = 2,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .sync_range = sync_range,
    .velocities = carom_stepper_velocities,
    .dense = dense,
    .close = close,
    .device = use_device,
    .latches = true,
    .listed = &carom_verlet_bodies,
};
