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
#include "scheme/chain/plain.h"
#include "scheme/chain/row.h"
#include "scheme/chain/twostage.h"
#include "scheme/chain/variables.h"
#include "scheme/hermite.h"
#include "scheme/listed.h"
#include "scheme/tally.h"

struct work {
    struct carom_row row;                      /* unknown: x1 - x */
    double *elastic, *slope, *viscous, *drag;  /* nc: at x1 */
    double *old_elastic, *old_viscous, *mixed; /* nc: at x; h^2/4 f + h/2 p */
    double *known, *target, *gain;             /* n: push at x; what x1 - x should be; w1 - w */
};

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    return carom_twostage_gap_only(model, "cn-reg", error);
}

static bool allocate(struct work *w, const struct carom_model *model)
{
    const size_t nc = model->nc, n = carom_model_chain(model)->n;
    w->row.own = carom_memory_together(CAROM_ROOM(w->elastic, nc), CAROM_ROOM(w->slope, nc), CAROM_ROOM(w->viscous, nc),
                                       CAROM_ROOM(w->drag, nc), CAROM_ROOM(w->old_elastic, nc),
                                       CAROM_ROOM(w->old_viscous, nc), CAROM_ROOM(w->mixed, nc),
                                       CAROM_ROOM(w->known, n), CAROM_ROOM(w->target, n), CAROM_ROOM(w->gain, n));
    return w->row.own && carom_row_open(&w->row, model);
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

/* contacts at x, and what they add to x1 - x */
static void begin(struct carom_stepper *stepper, void *own, double h)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_chain *chain = &w->row.chain;
    const struct carom_beads *beads = chain->beads;
    const struct carom_response want = {.elastic = w->old_elastic, .viscous = w->old_viscous};
    carom_contacts_evaluate(stepper->model, 0, chain->nc, w->row.start, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < chain->nc; j++)
        w->mixed[j] = 0.25 * h * h * w->old_elastic[j] + 0.5 * h * w->old_viscous[j];
    carom_chain_push(chain, 0, chain->n, w->mixed, 0, w->known);
    for (size_t i = 0; i < chain->n; i++) {
        double stiff;
        if (beads->spring || beads->loaded)
            w->known[i] += local(beads, i, from->q[i], h, &stiff);
        w->row.unknown[i] = h * from->v[i] + 2.0 * w->known[i] * beads->inverse_mass[i];
        if (beads->loaded)
            w->known[i] += 0.25 * h * h * (w->row.load[0][i] + w->row.load[1][i]);
    }
    carom_row_lead(&w->row, from->q, w->row.unknown);
}

/* what contacts give at x + shift, and its derivatives (into `drag`) */
static void squeeze(struct carom_stepper *stepper, struct work *w, double h)
{
    const size_t nc = w->row.chain.nc;
    const double of_f = 0.25 * h * h, of_p = 0.5 * h;
    const struct carom_response want = {
        .elastic = w->elastic, .slope = w->slope, .viscous = w->viscous, .drag = w->drag};
    carom_row_squeeze(&w->row, w->row.unknown);
    carom_contacts_evaluate(stepper->model, 0, nc, w->row.deform, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < nc; j++) {
        w->mixed[j] = of_f * w->elastic[j] + of_p * w->viscous[j];
        w->drag[j] = of_f * w->slope[j] + of_p * w->drag[j];
    }
    carom_chain_push(&w->row.chain, 0, w->row.chain.n, w->mixed, 0, w->row.push);
}

/* What x1 - x should be if the forces at x + shift were right, and Newton's matrix. */
static double assemble(struct carom_stepper *stepper, void *own, double h, double *noise)
{
    struct work *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *beads = w->row.chain.beads;
    const double *shift = w->row.unknown;
    double worst = 0.0, stiffest = 0.0, farthest = 0.0, longest = 0.0;
    bool broken = false;
    squeeze(stepper, w, h);
    for (size_t i = 0; i < w->row.chain.n; i++) {
        const double x = from->q[i], left = carom_row_left(&w->row, i, w->drag),
                     right = carom_row_right(&w->row, i, w->drag);
        const bool driven = carom_loads_driven(beads, i);
        double spring;
        const double forces = w->known[i] + w->row.push[i] + local(beads, i, x + shift[i], h, &spring);
        w->target[i] = driven ? shift[i] : h * from->v[i] + forces * beads->inverse_mass[i];
        carom_row_set(&w->row, i, beads->mass[i] * (w->target[i] - shift[i]), spring, w->drag);
        if (driven)
            continue;
        const double size = fabs(w->target[i] - shift[i]);
        broken |= !(size < HUGE_VAL);
        worst = fmax(worst, size);
        stiffest = fmax(stiffest, (left + right + spring) * beads->inverse_mass[i]);
        farthest = fmax(farthest, fabs(x));
        longest = fmax(longest, fabs(w->target[i]));
    }
    *noise = carom_stepper_noise(stepper, longest, stiffest * farthest);
    return broken ? HUGE_VAL : worst;
}

/* gains of w: elastic forces of both ends, contacts' into `mixed` */
static void gain(struct work *w, const struct carom_state *from, double h)
{
    const struct carom_chain *chain = &w->row.chain;
    const struct carom_beads *beads = chain->beads;
    for (size_t j = 0; j < chain->nc; j++)
        w->mixed[j] = w->old_elastic[j] + w->elastic[j];
    carom_chain_push(chain, 0, chain->n, w->mixed, 0, w->row.push);
    for (size_t i = 0; i < chain->n; i++) {
        double spring = beads->spring ? beads->spring[i] * (2.0 * from->q[i] + w->target[i]) : 0.0;
        if (beads->loaded)
            spring = -carom_loads_local(beads, i, from->q[i]) - w->row.load[0][i] - w->row.load[1][i] -
                     carom_loads_local(beads, i, from->q[i] + w->target[i]);
        w->gain[i] = 0.5 * h * (w->row.push[i] - spring) * beads->inverse_mass[i];
    }
}

static bool finish(struct carom_stepper *stepper, void *own, struct carom_state *to, double h)
{
    struct work *w = own;
    struct carom_row *r = &w->row;
    const struct carom_state *from = stepper->before;
    gain(w, from, h);
    if (!carom_plain_arrive(&r->chain, r->late.time, from, w->target, w->gain, to))
        return false;
    /* the law's own dissipation: its impulse times the mean rate of overlap */
    for (size_t j = 0; j < to->nlost; j++)
        to->lost[j] = from->lost[j] + (r->deform[j] - r->start[j]) / h * (w->viscous[j] - w->old_viscous[j]);
    if (r->chain.beads->loaded) {
        carom_tally_beside(&r->chain, w->mixed, 0.5, false, r->beside);
        carom_tally_beside(&r->chain, w->viscous, 1.0 / h, true, r->beside);
        carom_tally_beside(&r->chain, w->old_viscous, -1.0 / h, true, r->beside);
        carom_tally_add(&r->chain, &r->late, h, from->q, r->beside, to);
    }
    return true;
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    struct work *w = stepper->work;
    memset(state->memory, 0, state->nmemory * sizeof(double));
    carom_chain_clock(&w->row.chain, state->time + state->time_low);
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    double *room = carom_memory_zeroed(3 * w->row.chain.n, sizeof(double));
    if (!room)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cn-reg");
    carom_variables_own(stepper->model, &w->row.chain, 0.0, 0.0, state->q, state->v, state->v, room);
    carom_memory_free(room);
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    const struct work *w = stepper->work;
    struct carom_chain now = w->row.chain;
    carom_chain_clock(&now, state->time + state->time_low);
    carom_state_view(view, state);
    carom_variables_physical(stepper->model, &now, 0.0, 0.0, state->q, state->v, view->v);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

static void velocities(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                       double *v)
{
    const struct work *w = stepper->work;
    carom_variables_some(stepper->model, &w->row.chain, 0.0, 0.0, copy->q, copy->v, first, last, v);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    const struct work *w = stepper->work;
    const struct carom_state *from = stepper->before;
    carom_variables_physical(stepper->model, &w->row.chain, 0.0, 0.0, from->q, from->v, w->gain);
    carom_variables_physical(stepper->model, &w->row.late, 0.0, 0.0, state->q, state->v, w->target);
    carom_hermite_view(from, w->gain, state, w->target, t, view);
    const struct carom_tally_end start = {&w->row.chain, from, w->gain}, end = {&w->row.late, state, w->target};
    carom_tally_view(stepper->model, &start, &end, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    static const struct carom_row_form form = {begin, assemble, finish};
    struct work *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w || !allocate(w, stepper->model))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme cn-reg");
    w->row.form = &form;
    return CAROM_OK;
}

const struct carom_scheme carom_scheme_cn_reg = {
    .kind = {"cn-reg", "implicit, order 2, Crank-Nicolson on regularised variables", carom_stepper_params,
             sizeof(struct carom_stepper_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS,
    .order = 2,
    .dense_order = 2,
    .looks = true,
    .accept = accept,
    .memory = carom_plain_memory,
    .open = open,
    .start = start,
    .step = carom_row_steps,
    .sync = sync,
    .velocities = velocities,
    .dense = dense,
    .close = carom_row_end,
    .listed = &carom_crystal_cn_reg,
};
