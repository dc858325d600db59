/* The energy-momentum form of a row of beads: with the mean elastic force Fbar = (Phi1 - Phi0)/(d1 - d0) of a contact,
 * Phi its stored energy, and V the impulse of its damper,
 *
 *     v1 = v + G [h Fbar + V1 - V0]/m,   x1 = x + h (v + v1)/2.
 *
 * Then H1 - H0 = -sum of (V1 - V0)(d1 - d0)/h, contact by contact and whatever the step: energy is never created, and
 * the ledger closes to rounding. Order 2 at any damping, contact changes included; any memoryless law, contacts must
 * end by gap. Local springs and strings act by their mean forces too, dampers by the impulse -c (x1 - x), loads by the
 * mean of both ends. In plane and space: scheme/crystal. */
#include <string.h>

#include "base/memory.h"
#include "scheme/chain/plain.h"
#include "scheme/chain/twostage.h"
#include "scheme/compensated.h"
#include "scheme/halving.h"
#include "scheme/hermite.h"
#include "scheme/listed.h"
#include "scheme/mean_force.h"
#include "scheme/tally.h"

/* contacts at one end of the step, nc each */
struct end {
    double *deform, *elastic, *slope, *viscous, *drag, *energy;
};

struct work {
    struct carom_chain chain, late; /* at the start and at the end of the step */
    double *load[2], *beside;       /* weights and loads there; forces beside drives. Only if loaded */
    bool filled;
    struct end start, end;
    double *impulse, *stiff;                 /* nc: of a contact over the step, and how it grows with the overlap */
    double *shift, *target, *gain, *push;    /* n: x1 - x; what it should be; v1 - v; impulses of contacts */
    double *diagonal, *off, *update, *taken; /* n: the matrix; residual, then update; the update, kept */
};

static double **arrays(struct work *w, size_t i, size_t *size)
{
    struct end *a = &w->start, *b = &w->end;
    double **const of_contacts[] = {&a->deform, &a->elastic, &a->slope,   &a->viscous, &a->drag,
                                    &a->energy, &b->deform,  &b->elastic, &b->slope,   &b->viscous,
                                    &b->drag,   &b->energy,  &w->impulse, &w->stiff};
    double **const of_beads[] = {&w->shift,    &w->target, &w->gain,   &w->push,
                                 &w->diagonal, &w->off,    &w->update, &w->taken};
    const size_t contacts = sizeof of_contacts / sizeof *of_contacts, beads = sizeof of_beads / sizeof *of_beads;
    *size = i < contacts ? w->chain.nc : w->chain.n;
    return i < contacts ? of_contacts[i] : i < contacts + beads ? of_beads[i - contacts] : NULL;
}

static void close(struct carom_stepper *stepper)
{
    struct work *w = stepper->work;
    size_t size;
    for (size_t i = 0; arrays(w, i, &size); i++)
        carom_memory_free(*arrays(w, i, &size));
    carom_memory_free(w->load[0]);
    carom_memory_free(w->load[1]);
    carom_memory_free(w->beside);
    carom_memory_free(w);
    stepper->work = NULL;
}

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return carom_twostage_gap_only(model, "energy-momentum", error);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme energy-momentum");
    w->chain = carom_chain_of(stepper->model);
    const struct carom_beads *beads = w->chain.beads;
    bool there = true;
    size_t size;
    for (size_t i = 0; arrays(w, i, &size); i++) {
        double **array = arrays(w, i, &size);
        *array = carom_memory_zeroed(size, sizeof(double));
        there &= *array != NULL;
    }
    w->load[0] = carom_memory_zeroed(beads->loaded ? beads->n : 0, sizeof(double));
    w->load[1] = carom_memory_zeroed(beads->loaded ? beads->n : 0, sizeof(double));
    w->beside = carom_memory_zeroed(2 * beads->ndrives, sizeof(double));
    if (!there || !w->load[0] || !w->load[1] || !w->beside)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme energy-momentum");
    return CAROM_OK;
}

/* the start of a step is not asked for slopes */
static void evaluate(struct carom_stepper *stepper, const struct end *end, bool slopes)
{
    const struct carom_response want = {.elastic = end->elastic,
                                        .slope = slopes ? end->slope : NULL,
                                        .viscous = end->viscous,
                                        .drag = slopes ? end->drag : NULL,
                                        .energy = end->energy};
    carom_contacts_evaluate(stepper->model, 0, stepper->model->nc, end->deform, NULL, NULL, &want);
    stepper->counts.evaluations++;
}

/* walls, loads and contacts at the start of the step; bodies go on as they are, those that are driven as they must */
static void begin(struct carom_stepper *stepper, const struct carom_state *from, double h, double t_stop)
{
    struct work *w = stepper->work;
    const struct carom_beads *b = w->chain.beads;
    const double t = from->time + from->time_low, end = fmin(t + h, carom_loads_before(t_stop));
    carom_chain_clock(&w->chain, t);
    w->late = w->chain;
    carom_chain_clock(&w->late, end);
    if (b->loaded) {
        carom_loads_fill(b, t, w->filled, w->load[0]);
        carom_loads_fill(b, end, w->filled, w->load[1]);
        w->filled = true;
    }
    carom_chain_deform(&w->chain, 0, w->chain.nc, from->q, w->start.deform);
    evaluate(stepper, &w->start, false);
    for (size_t i = 0; i < w->chain.n; i++)
        w->shift[i] = h * from->v[i];
    for (size_t k = 0; k < b->ndrives; k++)
        if (b->drive[k].which >= 0)
            w->shift[b->drive[k].which] =
                carom_loads_motion(&b->drive[k], w->late.time).place - from->q[b->drive[k].which];
}

/* what contacts give over the step that ends at x + shift */
static void squeeze(struct carom_stepper *stepper, double h)
{
    struct work *w = stepper->work;
    const struct carom_model *model = stepper->model;
    const size_t nc = w->chain.nc;
    const struct end *a = &w->start, *b = &w->end;
    carom_chain_difference(&w->chain, 0, nc, w->shift, b->deform);
    for (size_t j = 0; j < nc; j++)
        b->deform[j] += a->deform[j];
    if (w->chain.moving && w->chain.left_wall)
        b->deform[0] += w->late.wall[0].place - w->chain.wall[0].place;
    if (w->chain.moving && w->chain.right_wall)
        b->deform[nc - 1] -= w->late.wall[1].place - w->chain.wall[1].place;
    evaluate(stepper, b, true);
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        const size_t at = group->first;
        const struct carom_mean_end start = {a->deform + at, a->elastic + at, a->slope + at, a->energy + at},
                                    end = {b->deform + at, b->elastic + at, b->slope + at, b->energy + at};
        carom_mean_force(group->law, (const double *const *)group->param, group->count, &start, &end, w->impulse + at,
                         w->stiff + at);
    }
    for (size_t j = 0; j < nc; j++) {
        w->impulse[j] = h * w->impulse[j] + (b->viscous[j] - a->viscous[j]);
        w->stiff[j] = 0.5 * h * (h * w->stiff[j] + b->drag[j]);
    }
}

/* impulse of everything else on bead i, which goes from x to x + s; and how it falls with s */
static double local(const struct work *w, size_t i, double x, double s, double h, double *fall)
{
    const struct carom_beads *b = w->chain.beads;
    const double middle = x + 0.5 * s, spring = b->spring ? b->spring[i] : 0.0;
    double force = -spring * middle;
    *fall = 0.5 * h * spring;
    if (!b->loaded)
        return h * force;
    if (b->string && b->string[i] > 0.0) { /* the mean of a sine */
        const double y = 0.5 * s / b->string[i], pull = b->mass[i] * b->down;
        force -= pull * sin(middle / b->string[i]) * (fabs(y) > 1e-4 ? sin(y) / y : 1.0 - y * y / 6.0);
        *fall += 0.5 * h * pull / b->string[i] * cos(middle / b->string[i]);
    }
    const double damper = carom_loads_damper(b, i);
    *fall += damper;
    return h * (force + 0.5 * (w->load[0][i] + w->load[1][i])) - damper * s;
}

/* What x1 - x should be if the forces at x + shift were right, and Newton's matrix; returns the largest distance from
 * shift, infinite if one is not finite, and in *noise what rounding alone makes of it. */
static double assemble(void *own, struct carom_stepper *stepper, double h, double *noise)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n, nc = w->chain.nc, s = w->chain.shift;
    double worst = 0.0, stiffest = 0.0, farthest = 0.0, longest = 0.0;
    bool broken = false;
    squeeze(stepper, h);
    carom_chain_push(&w->chain, 0, n, w->impulse, 0, w->push);
    for (size_t i = 0; i < n; i++) {
        const double left = i + s > 0 ? w->stiff[i + s - 1] : 0.0, right = i + s < nc ? w->stiff[i + s] : 0.0;
        double fall;
        if (carom_loads_driven(beads, i)) {
            w->target[i] = w->shift[i];
            w->update[i] = w->off[i] = 0.0;
            if (i > 0)
                w->off[i - 1] = 0.0;
            w->diagonal[i] = beads->mass[i];
            continue;
        }
        w->gain[i] = (w->push[i] + local(w, i, from->q[i], w->shift[i], h, &fall)) * beads->inverse_mass[i];
        w->target[i] = h * (from->v[i] + 0.5 * w->gain[i]);
        w->update[i] = beads->mass[i] * (w->target[i] - w->shift[i]);
        w->diagonal[i] = beads->mass[i] + 0.5 * h * fall + left + right;
        w->off[i] = i + 1 < n && carom_loads_driven(beads, i + 1) ? 0.0 : -right;
        const double size = fabs(w->target[i] - w->shift[i]);
        broken |= !(size < HUGE_VAL);
        worst = fmax(worst, size);
        stiffest = fmax(stiffest, (left + right + 0.5 * h * fall) * beads->inverse_mass[i]);
        farthest = fmax(farthest, fabs(from->q[i]));
        longest = fmax(longest, fabs(w->target[i]));
    }
    *noise = 1e-16 * stepper->scales.length + 1e-15 * (longest + stiffest * farthest) + DBL_MIN;
    return broken ? HUGE_VAL : worst;
}

static bool newton(struct carom_stepper *stepper, double h)
{
    struct work *w = stepper->work;
    const struct carom_halving_newton problem = {.n = w->chain.n,
                                                 .x = w->shift,
                                                 .diagonal = w->diagonal,
                                                 .off = w->off,
                                                 .update = w->update,
                                                 .taken = w->taken,
                                                 .assemble = assemble,
                                                 .own = w};
    return carom_halving_newton(&problem, stepper, h);
}

/* places and velocities of the end; false if one is not finite */
static bool arrive(struct work *w, const struct carom_state *from, struct carom_state *to)
{
    const double *x_low = carom_plain_column(from, CAROM_PLAIN_X_LOW),
                 *v_low = carom_plain_column(from, CAROM_PLAIN_V_LOW);
    double *x_rest = carom_plain_column(to, CAROM_PLAIN_X_LOW), *v_rest = carom_plain_column(to, CAROM_PLAIN_V_LOW);
    bool finite = true;
    for (size_t i = 0; i < w->chain.n; i++) {
        carom_compensated_add(from->q[i], x_low[i], w->target[i], &to->q[i], &x_rest[i]);
        carom_compensated_add(from->v[i], v_low[i], w->gain[i], &to->v[i], &v_rest[i]);
        finite &= fabs(to->q[i]) < HUGE_VAL && fabs(to->v[i]) < HUGE_VAL;
    }
    carom_loads_lead(w->chain.beads, w->late.time, to->q, to->v, x_rest, v_rest);
    return finite;
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct work *w = stepper->work;
    const struct end *a = &w->start, *b = &w->end;
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    begin(stepper, from, h, t_stop);
    if (!newton(stepper, h) || !arrive(w, from, state)) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    stepper->switched = false;
    for (size_t j = 0; j < w->chain.nc; j++)
        stepper->switched |= (a->deform[j] > 0.0) != (b->deform[j] > 0.0);
    for (size_t j = 0; j < state->nlost; j++)
        state->lost[j] = from->lost[j] + (b->deform[j] - a->deform[j]) / h * (b->viscous[j] - a->viscous[j]);
    if (w->chain.beads->loaded) {
        carom_tally_beside(&w->chain, w->impulse, 1.0 / h, false, w->beside);
        carom_tally_add(&w->chain, &w->late, h, from->q, w->beside, state);
    }
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return true;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct carom_stepper_options *o = stepper->options;
    return carom_halving_steps(stepper, state, bound, o->step, one_step, error);
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    carom_state_view(view, state);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct work *w = stepper->work;
    const struct carom_tally_end from = {&w->chain, stepper->before, stepper->before->v},
                                 to = {&w->late, state, state->v};
    carom_hermite_view(stepper->before, stepper->before->v, state, state->v, t, view);
    carom_tally_view(stepper->model, &from, &to, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}

const struct carom_scheme carom_scheme_energy_momentum = {
    .kind = {"energy-momentum", "implicit, order 2 at any damping, never creates energy", carom_stepper_params,
             sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS,
    .order = 2,
    .dense_order = 2,
    .accept = accept,
    .memory = carom_plain_memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .dense = dense,
    .close = close,
    .listed = &carom_crystal_energy_momentum,
};
