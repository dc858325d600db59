/* Two-stage steps: opening, coefficients, Newton's loop, halved steps, views. The passes over the chain are in
 * twostage_sweep.c and twostage_mixed.c.
 *
 * Newton starts from Z extrapolated from the last step's stages. After an update the residual is looked at with true
 * forces; only a residual at rounding level ends the loop, so quick steps cost one solve and one look. If Newton fails
 * the step is taken in halves, each a step of its own; where that fails too, the state stays as it was. */
#include "scheme/chain/twostage.h"

#include <string.h>

#include "base/memory.h"
#include "carom/law.h"
#include "model/motion.h"
#include "scheme/chain/adapt.h"
#include "scheme/chain/variables.h"
#include "scheme/halving.h"
#include "scheme/quintic.h"
#include "scheme/tally.h"

enum { SOLVES = 25 };

static const double same_size = 1e-9; /* steps that differ by rounding only share V and history */

double carom_twostage_viscous_time(const struct carom_model *model)
{
    double least = model->nc > 0 ? HUGE_VAL : 0.0;
    for (size_t g = 0; g < model->ngroups; g++) {
        const struct carom_group *group = &model->group[g];
        for (size_t j = 0; j < group->count; j++) {
            const double *const *param = (const double *const *)group->param;
            const double time = group->law->viscous_time ? group->law->viscous_time(param, j) : 0.0;
            least = time < least ? time : least;
        }
    }
    return least;
}

enum carom_status carom_twostage_gap_only(const struct carom_model *model, const char *name, struct carom_error *error)
{
    if (!model->clipped)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_REFUSED,
                           "scheme %s needs contacts that end where the gap opens (contact_end: gap), because it works "
                           "with the whole impulse of a damper; scheme dp5 runs any model",
                           name);
}

/* --- opening ------------------------------------------------------------------------------------------------- */

static const struct carom_column columns[CAROM_TWOSTAGE_COLUMNS] = {
    {"rest", .once = 1},       {"size", .once = 1},      {"history", .once = 1},
    {"trust", .once = 1},      {"free", .once = 4},      {"low part of x", .q = 1},
    {"low part of V", .q = 1}, {"Z of stage 1", .q = 1}, {"Z of stage 2", .q = 1},
};

size_t carom_twostage_memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_columns_size(columns, CAROM_TWOSTAGE_COLUMNS, model);
}

void carom_twostage_close(struct carom_stepper *stepper)
{
    struct carom_twostage *w = stepper->work;
    carom_memory_free_all(w->row, w->viscous, w->impulse, w->converted);
    carom_twostage_loads_free(w->loads);
    carom_memory_free(w);
    stepper->work = NULL;
}

static bool is_hertz(const struct carom_model *model)
{
    return model->ngroups == 1 &&
           (model->group[0].law == &carom_law_hertz || model->group[0].law == &carom_law_kuwabara_kono);
}

enum carom_status carom_twostage_open(struct carom_stepper *stepper, const struct carom_tableau *tableau, double step,
                                      struct carom_error *error)
{
    const struct carom_model *model = stepper->model;
    struct carom_twostage *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (w) {
        w->chain = carom_chain_of(model);
        for (size_t k = 0; k < CAROM_TWOSTAGE_COLUMNS; k++)
            w->place[k] = carom_columns_size(columns, k, model);
        w->tableau = *tableau;
        w->step = step;
        carom_tableau_report(tableau, &w->report);
        if (fabs(w->report.c11) < 1e-15)
            w->report.c11 = 0.0;
        w->gamma = carom_twostage_viscous_time(model);
        const bool one_time = (model->offers & CAROM_VISCOUS_TIME) && (model->offers & CAROM_ONE_VISCOUS_TIME);
        const bool regular = fabs(w->report.under[2]) > 1e-6; /* det A */
        w->uniform = one_time && regular && (w->gamma == 0.0 || !w->chain.beads->spring) && !w->chain.beads->loaded;
        w->hertz = w->uniform && is_hertz(model);
        w->quadrature = w->report.c11 == 0.0 && w->report.c1 != w->report.c2;
        w->row = carom_memory_zeroed(w->chain.n + 2, sizeof *w->row);
        w->viscous = carom_memory_zeroed(model->damped ? model->nc : 0, sizeof(double));
        w->impulse = carom_memory_zeroed(model->damped && w->quadrature ? model->nc : 0, sizeof(double));
        w->converted = carom_memory_zeroed(w->report.c11 != 0.0 ? 2 * w->chain.n : 0, sizeof(double));
        w->loads = w->chain.beads->loaded ? carom_twostage_loads_create(w->chain.beads) : NULL;
    }
    if (!w || !w->row || !w->viscous || !w->impulse || !w->converted || (w->chain.beads->loaded && !w->loads))
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme %s", stepper->scheme->kind.name);
    return CAROM_OK;
}

/* --- coefficients -------------------------------------------------------------------------------------------- */

/* With tailored dissipation, springs get -2 C11 h of regularised damping to cancel the tableau's; the multiple of
 * (1 -1; 1 -1), free by the order conditions, makes their map exactly area-preserving (docs/tailored-schemes.md). */
static void set_springs(struct carom_stages *s, const struct carom_tableau_report *r, struct carom_block a,
                        struct carom_pair b, struct carom_pair late, struct carom_pair even)
{
    const double c = 2.0 * r->c11;
    struct carom_block z = carom_block_sum(carom_block_product(a, a), carom_block_scaled(-c, a));
    const struct carom_pair x = {late.a - c * even.a, late.b - c * even.b};
    if (r->c11 != 0.0 && r->c1 != r->c2) {
        const struct carom_block gone = {x.a - b.a + r->c1 * b.a, x.b - b.b + r->c1 * b.b, x.a - b.a + r->c2 * b.a,
                                         x.b - b.b + r->c2 * b.b};
        const struct carom_block left = carom_block_sum(z, carom_block_scaled(-1.0, gone));
        const double bend = -(carom_block_determinant(left) - carom_block_determinant(z)) / (r->c1 - r->c2);
        z = carom_block_sum(z, (struct carom_block){bend, -bend, bend, -bend});
    }
    s->spring_to_z = carom_block_scaled(s->h * s->h, z);
    s->spring_to_x = (struct carom_pair){s->h * s->h * x.a, s->h * s->h * x.b};
}

/* The line through the accelerations at the last step's stages, carried on to this step's, as a matrix on Z. More
 * history does not pay: extrapolation through two steps needs more solves. */
static void set_extrapolation(struct carom_stages *s, const struct carom_tableau_report *r, struct carom_block both)
{
    const double far = 1.0 / (r->c2 - r->c1); /* stages lie one step apart: weights are 1 -/+ this and so on */
    const struct carom_block weight = {1.0 - far, far, -far, 1.0 + far};
    s->carried = carom_block_product(carom_block_product(both, weight), carom_block_inverse(both));
}

bool carom_twostage_foreseeable(const struct carom_twostage *w)
{
    return w->report.c1 != w->report.c2 && fabs(w->report.under[2]) > 1e-6;
}

void carom_twostage_configure(struct carom_twostage *w, double h)
{
    if (w->stages.h == h)
        return;
    const struct carom_tableau *t = &w->tableau;
    const struct carom_tableau_report *r = &w->report;
    struct carom_stages *s = &w->stages;
    const struct carom_block a = {t->a11, t->a12, t->a21, t->a22};
    const struct carom_pair b = {t->b1, 1.0 - t->b1}, late = {b.a * a.a + b.b * a.c, b.a * a.b + b.b * a.d};
    const double e = r->c1 != r->c2 ? (0.5 - r->c2) / (r->c1 - r->c2) : b.a;
    const struct carom_pair even = {e, 1.0 - e};
    s->h = h;
    s->tailored = 2.0 * r->c11 * h;
    s->f_to_z = carom_block_scaled(h * h, carom_block_product(a, a));
    s->r_to_z = carom_block_scaled(h, a);
    s->f_to_x = (struct carom_pair){h * h * late.a, h * h * late.b};
    s->r_to_x = (struct carom_pair){h * even.a, h * even.b};
    s->f_to_v = (struct carom_pair){h * b.a, h * b.b};
    s->reach = (struct carom_pair){h * r->c1, h * r->c2};
    set_springs(s, r, a, b, late, even);
    const double rest = w->gamma > s->tailored ? w->gamma - s->tailored : 0.0;
    s->both = carom_block_sum(s->f_to_z, carom_block_scaled(rest, s->r_to_z));
    s->both_to_x = (struct carom_pair){s->f_to_x.a + rest * s->r_to_x.a, s->f_to_x.b + rest * s->r_to_x.b};
    s->inverse = carom_block_inverse(s->both);
    if (carom_twostage_foreseeable(w))
        set_extrapolation(s, r, w->uniform ? s->both : s->f_to_z);
}

/* what turns V of a step of size h into v (variables.h): (67), its last term only where the tableau has third order */
static void relation(const struct carom_twostage *w, double h, double *half, double *second)
{
    *half = w->report.c11 * h;
    *second = w->report.tailored_order == 3 ? 0.5 * *half * *half : 0.0;
}

/* --- Newton -------------------------------------------------------------------------------------------------- */

/* Z at the start of Newton's loop */
static void predict(struct carom_twostage *w, const struct carom_state *from, bool known)
{
    const struct carom_stages *s = &w->stages;
    const size_t n = w->chain.n;
    const double *restrict last1 = carom_twostage_column(w, from, CAROM_TWOSTAGE_Z1);
    const double *restrict last2 = carom_twostage_column(w, from, CAROM_TWOSTAGE_Z2);
    double *restrict z1 = s->z1, *restrict z2 = s->z2;
    const struct carom_block p = s->carried;
    if (!known) {
        memset(z1, 0, n * sizeof *z1);
        memset(z2, 0, n * sizeof *z2);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        z1[i] = p.a * last1[i] + p.b * last2[i];
        z2[i] = p.c * last1[i] + p.d * last2[i];
    }
}

/* one solve; the largest |update|, infinite if one is not finite, and the largest |Z| */
static double update(struct carom_twostage *w, const struct carom_model *model, double *largest)
{
    if (w->uniform) {
        carom_twostage_sweep_eliminate(w, model);
        return carom_twostage_sweep_substitute(w, largest);
    }
    carom_twostage_mixed_eliminate(w, model);
    return carom_twostage_mixed_substitute(w, largest);
}

static bool look(struct carom_stepper *stepper, const struct carom_state *from)
{
    struct carom_twostage *w = stepper->work;
    stepper->counts.evaluations += 2;
    return w->uniform ? carom_twostage_sweep_finish(w, stepper->model, from)
                      : carom_twostage_mixed_finish(w, stepper->model, from);
}

/* The residual that rounding alone leaves: of Z, and of forces at overlaps that are differences of displacements. */
static double rounding(const struct carom_stepper *stepper, double largest)
{
    const struct carom_twostage *w = stepper->work;
    const struct carom_block *m = &w->stages.both;
    const double top = fabs(m->a) + fabs(m->b), bottom = fabs(m->c) + fabs(m->d);
    const double answer = w->stiffest * (!w->uniform ? 1.0 : top > bottom ? top : bottom);
    return 1e-15 * (stepper->scales.length + largest + answer * w->farthest) + DBL_MIN;
}

static bool newton(struct carom_stepper *stepper, const struct carom_state *from, double *trust)
{
    struct carom_twostage *w = stepper->work;
    double last = HUGE_VAL;
    for (int solve = 1; solve <= SOLVES; solve++) {
        double largest;
        const double size = update(w, stepper->model, &largest);
        stepper->counts.evaluations += 2;
        stepper->counts.iterations++;
        if (!(size < HUGE_VAL))
            return false;
        w->stages.goal = rounding(stepper, largest);
        if (size > *trust && size > w->stages.goal) {
            *trust *= 1.05;
            continue;
        }
        if (look(stepper, from)) {
            *trust = 2.0 * size > *trust ? 2.0 * size : *trust;
            return true;
        }
        *trust = 0.5 * size;
        if (solve > 3 && size > 0.25 * last) { /* as far as rounding lets it */
            w->stages.goal *= 1000.0;
            if (size < w->stages.goal && look(stepper, from))
                return true;
        }
        last = size;
    }
    return false;
}

/* --- steps --------------------------------------------------------------------------------------------------- */

/* V of a step of size h in place of the one remembered */
static void convert(struct carom_stepper *stepper, const struct carom_state *from, double h)
{
    struct carom_twostage *w = stepper->work;
    struct carom_stages *s = &w->stages;
    const size_t n = w->chain.n;
    double *v = w->converted, half, second;
    relation(w, from->memory[CAROM_TWOSTAGE_SIZE], &half, &second);
    carom_variables_physical(stepper->model, &w->chain, half, second, from->q, from->v, v);
    relation(w, h, &half, &second);
    carom_variables_own(stepper->model, &w->chain, half, second, from->q, v, v, (double *)w->row);
    s->v = v;
    s->v_low = v + n; /* zeros */
    stepper->counts.evaluations += 2;
}

/* physical velocities of a state; the chain is that of its time */
static void physical(const struct carom_stepper *stepper, const struct carom_chain *chain,
                     const struct carom_state *state, double *v)
{
    const struct carom_twostage *w = stepper->work;
    double half, second;
    relation(w, state->memory[CAROM_TWOSTAGE_SIZE], &half, &second);
    if (stepper->model->damped || chain->beads->damper)
        carom_variables_physical(stepper->model, chain, half, second, state->q, state->v, v);
    else
        memcpy(v, state->v, chain->n * sizeof *v);
}

/* Z of driven beads */
static void lead_stages(struct carom_twostage *w)
{
    const struct carom_stages *s = &w->stages;
    const struct carom_beads *b = w->chain.beads;
    for (size_t i = 0; b->driven && i < b->n; i++)
        if (b->driven[i]) {
            s->z1[i] = carom_twostage_loads_bead(w->loads, &w->chain, i, 0).place - (s->x[i] + s->reach.a * s->v[i]);
            s->z2[i] = carom_twostage_loads_bead(w->loads, &w->chain, i, 1).place - (s->x[i] + s->reach.b * s->v[i]);
        }
}

/* the end of a step with loads: driven beads, and the works */
static void settle_loads(struct carom_stepper *stepper, const struct carom_state *from, struct carom_state *to)
{
    struct carom_twostage *w = stepper->work;
    carom_loads_lead(w->chain.beads, w->loads->end, to->q, to->v, w->stages.x_rest, w->stages.v_rest);
    physical(stepper, &w->chain, from, w->loads->speed[0]);
    physical(stepper, &w->loads->late, to, w->loads->speed[1]);
    carom_twostage_loads_settle(w->loads, stepper->model, &w->chain, from, to);
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct carom_twostage *w = stepper->work;
    struct carom_stages *s = &w->stages;
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_turn_some(stepper, state, w->place[CAROM_TWOSTAGE_X_LOW]); /* the step writes the others */
    const struct carom_state *from = stepper->before;
    const double size = from->memory[CAROM_TWOSTAGE_SIZE];
    const bool same = fabs(h - size) <= same_size * size;
    carom_twostage_configure(w, h);
    s->to = state;
    s->x = from->q;
    s->v = from->v;
    s->x_low = carom_twostage_column(w, from, CAROM_TWOSTAGE_X_LOW);
    s->v_low = carom_twostage_column(w, from, CAROM_TWOSTAGE_V_LOW);
    s->x_rest = carom_twostage_column(w, state, CAROM_TWOSTAGE_X_LOW);
    s->v_rest = carom_twostage_column(w, state, CAROM_TWOSTAGE_V_LOW);
    s->z1 = carom_twostage_column(w, state, CAROM_TWOSTAGE_Z1);
    s->z2 = carom_twostage_column(w, state, CAROM_TWOSTAGE_Z2);
    if (w->loads)
        carom_twostage_loads_begin(w->loads, &w->chain, from->time + from->time_low, h, t_stop, w->report.c1,
                                   w->report.c2);
    if (!same && w->report.c11 != 0.0)
        convert(stepper, from, h);
    predict(w, from, same && carom_twostage_foreseeable(w) && from->memory[CAROM_TWOSTAGE_HISTORY] > 0.0);
    if (w->loads)
        lead_stages(w);
    double trust = from->memory[CAROM_TWOSTAGE_TRUST];
    if (!newton(stepper, from, &trust)) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    state->memory[CAROM_TWOSTAGE_SIZE] = same ? size : h;
    state->memory[CAROM_TWOSTAGE_HISTORY] = 1.0;
    state->memory[CAROM_TWOSTAGE_TRUST] = trust;
    if (w->loads)
        settle_loads(stepper, from, state);
    stepper->switched = carom_twostage_ledger_settle(w, stepper->model, from, state);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    w->viscous_step = state->step;
    w->viscous_time = state->time;
    w->viscous_known = true;
    return true;
}

enum carom_status carom_twostage_step(struct carom_stepper *stepper, struct carom_state *state,
                                      const struct carom_bound *bound, struct carom_error *error)
{
    const struct carom_twostage *w = stepper->work;
    return w->adapt > 0.0 ? carom_adapt_steps(stepper, state, bound, w->step, w->adapt, one_step, error)
                          : carom_halving_steps(stepper, state, bound, w->step, one_step, error);
}

/* --- start and views ----------------------------------------------------------------------------------------- */

enum carom_status carom_twostage_start(struct carom_stepper *stepper, struct carom_state *state,
                                       struct carom_error *error)
{
    (void)error;
    struct carom_twostage *w = stepper->work;
    double half, second;
    relation(w, w->step, &half, &second);
    carom_chain_clock(&w->chain, state->time + state->time_low);
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    if (stepper->model->damped || w->chain.beads->damper)
        carom_variables_own(stepper->model, &w->chain, half, second, state->q, state->v, state->v, (double *)w->row);
    memset(state->memory, 0, state->nmemory * sizeof(double));
    state->memory[CAROM_TWOSTAGE_SIZE] = w->step;
    state->memory[CAROM_TWOSTAGE_TRUST] = 1e-6 * stepper->scales.length;
    return CAROM_OK;
}

void carom_twostage_sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    const struct carom_twostage *w = stepper->work;
    struct carom_chain now = w->chain;
    carom_chain_clock(&now, state->time + state->time_low);
    carom_state_view(view, state);
    physical(stepper, &now, state, view->v);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

void carom_twostage_velocities(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                               double *v)
{
    const struct carom_twostage *w = stepper->work;
    double half, second;
    relation(w, copy->memory[CAROM_TWOSTAGE_SIZE], &half, &second);
    if (stepper->model->damped)
        carom_variables_some(stepper->model, &w->chain, half, second, copy->q, copy->v, first, last, v);
    else
        carom_stepper_velocities(stepper, copy, first, last, v);
}

void carom_twostage_dense(struct carom_stepper *stepper, const struct carom_state *state, double t,
                          struct carom_state *view)
{
    const struct carom_twostage *w = stepper->work;
    const size_t n = w->chain.n, nc = w->chain.nc;
    double *room = (double *)w->row; /* 4n + 2nc <= 6n + 2 numbers */
    const struct carom_state *state_of[2] = {stepper->before, state};
    const struct carom_chain *chain_of[2] = {&w->chain, w->loads ? &w->loads->late : &w->chain};
    struct carom_quintic_end end[2];
    for (int i = 0; i < 2; i++, room += 2 * n + nc) {
        physical(stepper, chain_of[i], state_of[i], room);
        carom_variables_motion(stepper->model, chain_of[i], state_of[i]->q, room, room + n, room + 2 * n);
        end[i] = (struct carom_quintic_end){state_of[i], room, room + n, room + 2 * n,
                                            carom_twostage_column(w, state_of[i], CAROM_TWOSTAGE_X_LOW)};
    }
    carom_quintic_view(&end[0], &end[1], t, view);
    const struct carom_tally_end from = {chain_of[0], state_of[0], end[0].v}, to = {chain_of[1], state_of[1], end[1].v};
    carom_tally_view(stepper->model, &from, &to, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}
