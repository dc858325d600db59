/* A theta step with loads. With t = (h + gamma)/2 for contacts and springs, E elastic forces, F the mean of weights and
 * loads at both ends, S the mean force of strings, c dampers:
 *
 *     m u = G t J + t_s J_s + h/2 (h F + h S - c (X1 - X)),   m (V1 - V) = G J + J_s + h F + h S - c (X1 - X),
 *     X1 = X + h V + u,   J = t E1 + (h - t) E0,   J_s = -K ((h - t_s) X1 + t_s X).
 *
 * Loads, strings and dampers are taken with theta = 1/2 in both equations, so they are not in the relation of V and v,
 * and a damper's impulse is exact: contact and local damping are independent of each other, second order for
 * gamma = O(h) and any c. Newton's matrix is symmetric and tridiagonal. */
#include "scheme/chain/theta_loaded.h"

#include "base/memory.h"
#include "scheme/chain/row.h"
#include "scheme/chain/theta_fold.h"
#include "scheme/tally.h"

struct carom_theta_loaded {
    struct carom_row row;                    /* unknown: u */
    double *gamma, *early, *elastic, *slope; /* nc: viscous time; elastic force at both ends, its slope at the end */
    double *impulse, *flow;                  /* nc: J and t J */
    double *spring_gamma, *shift;            /* n: the viscous time whose theta a spring takes; X1 - X */
    void *room;
};

void carom_theta_loaded_free(struct carom_theta_loaded *w)
{
    if (!w)
        return;
    carom_row_close(&w->row);
    carom_memory_free_all(w->room, w);
}

static bool allocate(struct carom_theta_loaded *w, const struct carom_model *model)
{
    const size_t nc = model->nc, n = carom_model_chain(model)->n;
    w->room = carom_memory_together(CAROM_ROOM(w->gamma, nc), CAROM_ROOM(w->early, nc), CAROM_ROOM(w->elastic, nc),
                                    CAROM_ROOM(w->slope, nc), CAROM_ROOM(w->impulse, nc), CAROM_ROOM(w->flow, nc),
                                    CAROM_ROOM(w->spring_gamma, n), CAROM_ROOM(w->shift, n));
    return w->room && carom_row_open(&w->row, model);
}

struct carom_theta_loaded *carom_theta_loaded_create(const struct carom_model *model)
{
    struct carom_theta_loaded *w = carom_memory_zeroed(1, sizeof *w);
    if (!w || !allocate(w, model)) {
        carom_theta_loaded_free(w);
        return NULL;
    }
    carom_theta_fold_gamma(model, w->gamma);
    for (size_t i = 0; i < w->row.chain.n; i++)
        w->spring_gamma[i] = carom_theta_fold_spring_gamma(&w->row.chain, w->gamma, i);
    return w;
}

/* --- local forces ----------------------------------------------------------------------------------------------- */

static double spring_of(const struct carom_beads *b, size_t i)
{
    return b->spring && !carom_loads_driven(b, i) ? b->spring[i] : 0.0;
}

/* the string alone */
static double string_force(const struct carom_beads *b, size_t i, double x)
{
    return carom_loads_local(b, i, x) + spring_of(b, i) * x;
}

/* impulse of all that acts on bead i but contacts, and how it moves it in the step: *flow; *stiff: minus the derivative
 * of that in x1 */
static double local(const struct carom_theta_loaded *w, size_t i, double x0, double x1, double h, double *flow,
                    double *stiff)
{
    const struct carom_beads *b = w->row.chain.beads;
    const double k = spring_of(b, i), t = 0.5 * (h + w->spring_gamma[i]), c = carom_loads_damper(b, i);
    const double spring = -k * ((h - t) * x1 + t * x0);
    const double even =
        0.5 * h * (w->row.load[0][i] + w->row.load[1][i] + string_force(b, i, x0) + string_force(b, i, x1)) -
        c * (x1 - x0);
    *flow = t * spring + 0.5 * h * even;
    *stiff = k * t * (h - t) + 0.5 * h * (0.5 * h * (carom_loads_stiffness(b, i, x1) - k) + c);
    return spring + even;
}

/* --- one step --------------------------------------------------------------------------------------------------- */

static void begin(struct carom_stepper *stepper, void *own, double h)
{
    struct carom_theta_loaded *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_chain *chain = &w->row.chain;
    const struct carom_response want = {.elastic = w->early};
    carom_contacts_evaluate(stepper->model, 0, chain->nc, w->row.start, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < chain->nc; j++)
        w->flow[j] = 0.5 * (h + w->gamma[j]) * h * w->early[j];
    carom_chain_push(chain, 0, chain->n, w->flow, 0, w->row.push);
    for (size_t i = 0; i < chain->n; i++) {
        double flow, stiff;
        w->shift[i] = from->q[i] + h * from->v[i];
        local(w, i, from->q[i], w->shift[i], h, &flow, &stiff);
        w->row.unknown[i] = (w->row.push[i] + flow) * chain->beads->inverse_mass[i];
    }
    carom_row_lead(&w->row, w->shift, w->row.unknown);
}

/* forces at X1, residual and matrix */
static double assemble(struct carom_stepper *stepper, void *own, double h, double *noise)
{
    struct carom_theta_loaded *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *b = w->row.chain.beads;
    const size_t n = w->row.chain.n, nc = w->row.chain.nc;
    const double *u = w->row.unknown;
    for (size_t i = 0; i < n; i++)
        w->shift[i] = h * from->v[i] + u[i];
    carom_row_squeeze(&w->row, w->shift);
    const struct carom_response want = {.elastic = w->elastic, .slope = w->slope};
    carom_contacts_evaluate(stepper->model, 0, nc, w->row.deform, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < nc; j++) {
        const double t = 0.5 * (h + w->gamma[j]);
        w->impulse[j] = t * w->elastic[j] + (h - t) * w->early[j];
        w->flow[j] = t * w->impulse[j];
        w->slope[j] *= t * t;
    }
    carom_chain_push(&w->row.chain, 0, n, w->flow, 0, w->row.push);
    double worst = 0.0, longest = 0.0;
    bool broken = false;
    for (size_t i = 0; i < n; i++) {
        const double left = carom_row_left(&w->row, i, w->slope), right = carom_row_right(&w->row, i, w->slope);
        const double x = from->q[i];
        double flow, stiff;
        local(w, i, x, x + w->shift[i], h, &flow, &stiff);
        carom_row_set(&w->row, i, w->row.push[i] + flow - b->mass[i] * u[i], stiff, w->slope);
        const double size = fabs(w->row.update[i]) * b->inverse_mass[i], far = fabs(h * from->v[i]) + fabs(u[i]);
        broken |= !(size < HUGE_VAL);
        worst = fmax(worst, size);
        longest = fmax(longest, far + (left + right + stiff) * b->inverse_mass[i] * fabs(x));
    }
    *noise = carom_stepper_noise(stepper, longest, 0.0);
    return broken ? HUGE_VAL : worst;
}

/* works: the mean force of a contact is (E0 + E1)/2 + gamma (E1 - E0)/h */
static void tally(struct carom_theta_loaded *w, const struct carom_state *from, struct carom_state *to, double h)
{
    for (size_t j = 0; j < w->row.chain.nc; j++)
        w->flow[j] = 0.5 * (w->early[j] + w->elastic[j]) + w->gamma[j] * (w->elastic[j] - w->early[j]) / h;
    carom_tally_beside(&w->row.chain, w->flow, 1.0, false, w->row.beside);
    carom_tally_add(&w->row.chain, &w->row.late, h, from->q, w->row.beside, to);
}

static bool finish(struct carom_stepper *stepper, void *own, struct carom_state *to, double h)
{
    struct carom_theta_loaded *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *b = w->row.chain.beads;
    bool finite = true;
    carom_chain_push(&w->row.chain, 0, w->row.chain.n, w->impulse, 0, w->row.push);
    for (size_t i = 0; i < w->row.chain.n; i++) {
        double flow, stiff;
        to->q[i] = from->q[i] + (h * from->v[i] + w->row.unknown[i]);
        const double impulse = w->row.push[i] + local(w, i, from->q[i], to->q[i], h, &flow, &stiff);
        to->v[i] = from->v[i] + impulse * b->inverse_mass[i];
        finite &= fabs(to->q[i]) < HUGE_VAL && fabs(to->v[i]) < HUGE_VAL;
    }
    carom_loads_lead(b, w->row.late.time, to->q, to->v, NULL, NULL);
    for (size_t j = 0; j < to->nlost; j++)
        to->lost[j] =
            from->lost[j] + w->gamma[j] * (w->elastic[j] - w->early[j]) * (w->row.deform[j] - w->row.start[j]) / h;
    if (finite)
        tally(w, from, to, h);
    return finite;
}

bool carom_theta_loaded_step(struct carom_theta_loaded *w, struct carom_stepper *stepper, struct carom_state *state,
                             double h, double t_stop)
{
    static const struct carom_row_form form = {begin, assemble, finish};
    return carom_row_step(&w->row, &form, w, stepper, state, h, t_stop);
}

void carom_theta_loaded_correct(struct carom_theta_loaded *w, const struct carom_model *model, double t,
                                const struct carom_state *state, double factor, double *v)
{
    const struct carom_beads *b = w->row.chain.beads;
    struct carom_chain now = w->row.chain;
    carom_chain_clock(&now, t);
    carom_chain_deform(&now, 0, now.nc, state->q, w->row.deform);
    const struct carom_response want = {.elastic = w->flow};
    carom_contacts_evaluate(model, 0, now.nc, w->row.deform, NULL, NULL, &want);
    for (size_t j = 0; j < now.nc; j++)
        w->flow[j] *= w->gamma[j];
    carom_chain_push(&now, 0, now.n, w->flow, 0, w->row.push);
    for (size_t i = 0; i < now.n; i++) {
        const double push = w->row.push[i] - w->spring_gamma[i] * spring_of(b, i) * state->q[i];
        v[i] = state->v[i] + 0.5 * factor * push * b->inverse_mass[i];
    }
}

void carom_theta_loaded_view(const struct carom_theta_loaded *w, const struct carom_stepper *stepper,
                             const struct carom_state *state, const double *const *speed, double t,
                             struct carom_state *view)
{
    const struct carom_tally_end from = {&w->row.chain, stepper->before, speed[0]},
                                 to = {&w->row.late, state, speed[1]};
    carom_tally_view(stepper->model, &from, &to, t, view);
}
