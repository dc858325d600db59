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
#include "base/memory.h"
#include "model/beads/chain.h"
#include "model/latch.h"
#include "scheme/compliant/packing/verlet_bodies.h"
#include "scheme/compliant/verlet_phases.h"
#include "scheme/compliant/verlet_rows.h"
#include "scheme/hermite.h"
#include "scheme/tally.h"

static void close(struct carom_stepper *stepper)
{
    struct carom_verlet *w = stepper->work;
    carom_verlet_device_free(w->device);
    carom_memory_free_all(w->elastic, w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    struct carom_verlet *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (w) {
        w->chain = w->last[0] = w->last[1] = carom_chain_of(model);
        w->fused = !stepper->threads && carom_verlet_fused_fits(model);
        w->plain = !w->chain.beads->loaded && !w->chain.moving && !model->clipped && !model->latches;
        w->passes = w->plain ? carom_verlet_spheres_choose(model) : NULL;
        const size_t fused = w->fused ? model->nv : 0, loaded = w->chain.beads->loaded ? model->nv : 0;
        const size_t held = model->damped && w->plain ? model->nc : 0;
        carom_memory_together(
            CAROM_ROOM(w->elastic, model->damped ? 0 : model->nc), CAROM_ROOM(w->both, model->damped ? model->nc : 0),
            CAROM_ROOM(w->held.deform, held), CAROM_ROOM(w->held.elastic, held), CAROM_ROOM(w->held.viscous, held),
            CAROM_ROOM(w->held.drag, held), CAROM_ROOM(w->kept.ease, fused), CAROM_ROOM(w->kept.kick, fused),
            CAROM_ROOM(w->switched, carom_verlet_row_blocks(model->nc)),
            CAROM_ROOM(w->broken, carom_verlet_row_blocks(model->nv)), CAROM_ROOM(w->load[0], loaded),
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
    struct carom_verlet *w = stepper->work;
    double deform[CAROM_VERLET_BLOCK];
    carom_chain_clock(&w->chain, state->time + state->time_low);
    for (size_t b = 0; b < carom_verlet_row_blocks(w->chain.nc); b++) {
        const size_t first = b * CAROM_VERLET_BLOCK, last = carom_verlet_row_end(b, w->chain.nc);
        const struct carom_verlet_squeezed out =
            stepper->model->damped ? carom_verlet_squeezed_from(&w->held, first)
                                   : (struct carom_verlet_squeezed){.deform = deform, .elastic = w->elastic + first};
        carom_verlet_squeezed_at(stepper->model, &w->chain, first, last, state->q, &out);
    }
}

/* the same, unless the last step left them here or one_step will see to it */
static void begin_at(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct carom_verlet *w = stepper->work;
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

static bool any(const bool *flag, size_t n)
{
    bool found = false;
    for (size_t i = 0; i < n; i++)
        found |= flag[i];
    return found;
}

/* walls and loads at both ends of a step */
static void prepare(struct carom_verlet_advance *a, double t_stop)
{
    struct carom_verlet *w = a->work;
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
    struct carom_verlet *w = stepper->work;
    if (w->fused && w->kept.h != h) {
        evaluate(stepper, state);
        carom_verlet_fused_start(&w->kept, &w->chain, w->elastic, h);
    }
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_begin_step(stepper, state);
    struct carom_verlet_advance a = {.stepper = stepper, .work = w, .from = stepper->before, .to = state, .h = h};
    bool finite;
    if (!stepper->model->damped) /* the step overwrites them */
        carom_tally_beside(&w->chain, w->elastic, 0.5, false, w->aside);
    if (w->fused) {
        finite =
            carom_verlet_fused_step(&w->kept, stepper->model, &w->chain, a.from, a.to, w->elastic, &stepper->switched);
    } else {
        prepare(&a, t_stop);
        carom_verlet_phases_run(&a);
        finite = !any(w->broken, carom_verlet_row_blocks(w->chain.n));
        stepper->switched = any(w->switched, carom_verlet_row_blocks(w->chain.nc));
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
    carom_verlet_phases_latch(&a);
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
    return carom_verlet_device_create(&((struct carom_verlet *)stepper->work)->device, device, stepper->model, error);
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    const struct carom_verlet *w = stepper->work;
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
    const struct carom_verlet *w = stepper->work;
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
