/* Crank-Nicolson on the regularised variables: James, Vorotnikov and Brogliato 2020, (10)-(11) and (16). With the
 * viscous impulse p and the elastic push f, one step is
 *
 *     x1 = x + hw + [h^2/4 (f + f1) + h/2 (p + p1)]/m,   w1 = w + h/2 (f + f1)/m:
 *
 * the minimum of a convex function of x1, found by Newton's method with a symmetric tridiagonal matrix. Order 2,
 * contact changes included. Any memoryless law, each contact with its own damping; contacts must end by gap. Loads are
 * in f, local dampers in p with -c x. */
#include <string.h>

#include "base/memory.h"
#include "carom/scheme.h"
#include "model/motion.h"
#include "scheme/chain/plain.h"
#include "scheme/chain/twostage.h"
#include "scheme/chain/variables.h"
#include "scheme/compensated.h"
#include "scheme/halving.h"
#include "scheme/hermite.h"
#include "scheme/listed.h"
#include "scheme/tally.h"

struct work {
    struct carom_chain chain, late; /* at the start and at the end of the step */
    double *load[2], *beside;       /* weights and loads there; forces beside drives. Only if loaded */
    bool filled;
    double *deform, *start;                    /* nc: overlap at x1 and at x */
    double *elastic, *slope, *viscous, *drag;  /* nc: at x1 */
    double *old_elastic, *old_viscous, *mixed; /* nc: at x; h^2/4 f + h/2 p */
    double *known, *shift, *target;            /* n: push at x; x1 - x; what x1 - x should be */
    double *diagonal, *off, *update;           /* n: the matrix; residual, then update */
    double *taken, *push;                      /* n: the update, kept while it is halved */
};

static double **arrays(struct work *w, size_t i, size_t *size)
{
    double **const of_contacts[] = {&w->deform, &w->start,       &w->elastic,     &w->slope, &w->viscous,
                                    &w->drag,   &w->old_elastic, &w->old_viscous, &w->mixed};
    double **const of_beads[] = {&w->known, &w->shift,  &w->target, &w->diagonal,
                                 &w->off,   &w->update, &w->taken,  &w->push};
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
    return carom_twostage_gap_only(model, "cn-reg", error);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cn-reg");
    w->chain = carom_chain_of(stepper->model);
    size_t size;
    for (size_t i = 0; arrays(w, i, &size); i++) {
        double **array = arrays(w, i, &size);
        *array = carom_memory_zeroed(size, sizeof(double));
        if (!*array)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cn-reg");
    }
    const struct carom_beads *beads = w->chain.beads;
    w->load[0] = carom_memory_zeroed(beads->loaded ? beads->n : 0, sizeof(double));
    w->load[1] = carom_memory_zeroed(beads->loaded ? beads->n : 0, sizeof(double));
    w->beside = carom_memory_zeroed(2 * beads->ndrives, sizeof(double));
    if (!w->load[0] || !w->load[1] || !w->beside)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cn-reg");
    return CAROM_OK;
}

/* what acts on bead i at x, and how stiff it is: h^2/4 (spring and string) and h/2 damper */
static double local(const struct carom_beads *b, size_t i, double x, double h, double *stiff)
{
    if (!b->loaded) {
        *stiff = b->spring ? 0.25 * h * h * b->spring[i] : 0.0;
        return -*stiff * x;
    }
    const double damper = 0.5 * h * carom_loads_damper(b, i);
    *stiff = 0.25 * h * h * carom_loads_stiffness(b, i, x) + damper;
    return 0.25 * h * h * carom_loads_local(b, i, x) - damper * x;
}

/* walls and loads at both ends of a step */
static void set_clocks(struct work *w, const struct carom_state *from, double h, double t_stop)
{
    const double t = from->time + from->time_low, end = fmin(t + h, carom_loads_before(t_stop));
    carom_chain_clock(&w->chain, t);
    w->late = w->chain;
    carom_chain_clock(&w->late, end);
    if (!w->chain.beads->loaded)
        return;
    carom_loads_fill(w->chain.beads, t, w->filled, w->load[0]);
    carom_loads_fill(w->chain.beads, end, w->filled, w->load[1]);
    w->filled = true;
}

/* contacts at x, and what they add to x1 - x */
static void begin(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct work *w = stepper->work;
    const struct carom_beads *beads = w->chain.beads;
    carom_chain_deform(&w->chain, 0, w->chain.nc, from->q, w->start);
    const struct carom_response want = {.elastic = w->old_elastic, .viscous = w->old_viscous};
    carom_contacts_evaluate(stepper->model, 0, w->chain.nc, w->start, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < w->chain.nc; j++)
        w->mixed[j] = 0.25 * h * h * w->old_elastic[j] + 0.5 * h * w->old_viscous[j];
    carom_chain_push(&w->chain, 0, w->chain.n, w->mixed, 0, w->known);
    for (size_t i = 0; i < w->chain.n; i++) {
        double stiff;
        if (beads->spring || beads->loaded)
            w->known[i] += local(beads, i, from->q[i], h, &stiff);
        w->shift[i] = h * from->v[i] + 2.0 * w->known[i] * beads->inverse_mass[i];
        if (beads->loaded)
            w->known[i] += 0.25 * h * h * (w->load[0][i] + w->load[1][i]);
    }
    for (size_t k = 0; k < beads->ndrives; k++)
        if (beads->drive[k].which >= 0)
            w->shift[beads->drive[k].which] =
                carom_loads_motion(&beads->drive[k], w->late.time).place - from->q[beads->drive[k].which];
}

/* What x1 - x should be if the forces at x + shift were right, and Newton's matrix; returns the largest distance from
 * shift, infinite if one is not finite, and in *noise what rounding alone makes of it. */
static double assemble(void *own, struct carom_stepper *stepper, double h, double *noise)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n, nc = w->chain.nc, s = w->chain.shift;
    const double of_f = 0.25 * h * h, of_p = 0.5 * h;
    carom_chain_difference(&w->chain, 0, nc, w->shift, w->deform);
    for (size_t j = 0; j < nc; j++)
        w->deform[j] += w->start[j];
    if (w->chain.moving && w->chain.left_wall)
        w->deform[0] += w->late.wall[0].place - w->chain.wall[0].place;
    if (w->chain.moving && w->chain.right_wall)
        w->deform[nc - 1] -= w->late.wall[1].place - w->chain.wall[1].place;
    const struct carom_response want = {
        .elastic = w->elastic, .slope = w->slope, .viscous = w->viscous, .drag = w->drag};
    carom_contacts_evaluate(stepper->model, 0, nc, w->deform, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < nc; j++) {
        w->mixed[j] = of_f * w->elastic[j] + of_p * w->viscous[j];
        w->drag[j] = of_f * w->slope[j] + of_p * w->drag[j]; /* its derivative */
    }
    carom_chain_push(&w->chain, 0, n, w->mixed, 0, w->push);
    double worst = 0.0, stiffest = 0.0, farthest = 0.0, longest = 0.0;
    bool broken = false;
    for (size_t i = 0; i < n; i++) {
        const double left = i + s > 0 ? w->drag[i + s - 1] : 0.0, right = i + s < nc ? w->drag[i + s] : 0.0;
        const double x = from->q[i];
        double spring;
        const double forces = w->known[i] + w->push[i] + local(beads, i, x + w->shift[i], h, &spring);
        w->target[i] = h * from->v[i] + forces * beads->inverse_mass[i];
        if (carom_loads_driven(beads, i)) {
            w->target[i] = w->shift[i];
            w->update[i] = w->off[i] = 0.0;
            if (i > 0)
                w->off[i - 1] = 0.0;
            w->diagonal[i] = beads->mass[i];
            continue;
        }
        w->update[i] = beads->mass[i] * (w->target[i] - w->shift[i]);
        w->diagonal[i] = beads->mass[i] + spring + left + right;
        w->off[i] = i + 1 < n && carom_loads_driven(beads, i + 1) ? 0.0 : -right;
        const double size = fabs(w->target[i] - w->shift[i]), stiff = (left + right + spring) * beads->inverse_mass[i];
        broken |= !(size < HUGE_VAL);
        worst = size > worst ? size : worst;
        stiffest = stiff > stiffest ? stiff : stiffest;
        farthest = fabs(x) > farthest ? fabs(x) : farthest;
        longest = fabs(w->target[i]) > longest ? fabs(w->target[i]) : longest;
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

/* what loads, dampers and drives did; mixed holds elastic forces of both ends */
static void tally(struct work *w, const struct carom_state *from, struct carom_state *to, double h)
{
    carom_tally_beside(&w->chain, w->mixed, 0.5, false, w->beside);
    carom_tally_beside(&w->chain, w->viscous, 1.0 / h, true, w->beside);
    carom_tally_beside(&w->chain, w->old_viscous, -1.0 / h, true, w->beside);
    carom_tally_add(&w->chain, &w->late, h, from->q, w->beside, to);
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct work *w = stepper->work;
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n;
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    set_clocks(w, from, h, t_stop);
    begin(stepper, from, h);
    if (!newton(stepper, h)) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    const double *x_low = carom_plain_column(from, CAROM_PLAIN_X_LOW);
    const double *w_low = carom_plain_column(from, CAROM_PLAIN_V_LOW);
    double *x_rest = carom_plain_column(state, CAROM_PLAIN_X_LOW);
    double *w_rest = carom_plain_column(state, CAROM_PLAIN_V_LOW);
    for (size_t j = 0; j < w->chain.nc; j++)
        w->mixed[j] = w->old_elastic[j] + w->elastic[j];
    carom_chain_push(&w->chain, 0, n, w->mixed, 0, w->push);
    bool finite = true;
    for (size_t i = 0; i < n; i++) {
        double spring = beads->spring ? beads->spring[i] * (2.0 * from->q[i] + w->target[i]) : 0.0;
        if (beads->loaded)
            spring = -carom_loads_local(beads, i, from->q[i]) - w->load[0][i] - w->load[1][i] -
                     carom_loads_local(beads, i, from->q[i] + w->target[i]);
        carom_compensated_add(from->q[i], x_low[i], w->target[i], &state->q[i], &x_rest[i]);
        carom_compensated_add(from->v[i], w_low[i], 0.5 * h * (w->push[i] - spring) * beads->inverse_mass[i],
                              &state->v[i], &w_rest[i]);
        finite &= fabs(state->q[i]) < HUGE_VAL && fabs(state->v[i]) < HUGE_VAL;
    }
    if (!finite) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    carom_loads_lead(beads, w->late.time, state->q, state->v, x_rest, w_rest);
    stepper->switched = false;
    for (size_t j = 0; j < w->chain.nc; j++)
        stepper->switched |= (w->start[j] > 0.0) != (w->deform[j] > 0.0);
    /* the law's own dissipation: its impulse times the mean rate of overlap */
    for (size_t j = 0; j < state->nlost; j++)
        state->lost[j] = from->lost[j] + (w->deform[j] - w->start[j]) / h * (w->viscous[j] - w->old_viscous[j]);
    if (beads->loaded)
        tally(w, from, state, h);
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
    struct work *w = stepper->work;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    carom_chain_clock(&w->chain, state->time + state->time_low);
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    double *room = carom_memory_zeroed(3 * w->chain.n, sizeof(double));
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cn-reg");
    carom_variables_own(stepper->model, &w->chain, 0.0, 0.0, state->q, state->v, state->v, room);
    carom_memory_free(room);
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    const struct work *w = stepper->work;
    struct carom_chain now = w->chain;
    carom_chain_clock(&now, state->time + state->time_low);
    carom_state_view(view, state);
    carom_variables_physical(stepper->model, &now, 0.0, 0.0, state->q, state->v, view->v);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct work *w = stepper->work;
    const struct carom_state *from = stepper->before;
    carom_variables_physical(stepper->model, &w->chain, 0.0, 0.0, from->q, from->v, w->shift);
    carom_variables_physical(stepper->model, &w->late, 0.0, 0.0, state->q, state->v, w->target);
    carom_hermite_view(from, w->shift, state, w->target, t, view);
    const struct carom_tally_end start = {&w->chain, from, w->shift}, end = {&w->late, state, w->target};
    carom_tally_view(stepper->model, &start, &end, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}

const struct carom_scheme carom_scheme_cn_reg = {
    .kind = {"cn-reg", "implicit, order 2, Crank-Nicolson on regularised variables", carom_stepper_params,
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
    .listed = &carom_crystal_cn_reg,
};
