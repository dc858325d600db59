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
#include "model/beads/chain.h"
#include "model/motion.h"
#include "scheme/chain/theta_fold.h"
#include "scheme/halving.h"
#include "scheme/tally.h"

struct carom_theta_loaded {
    struct carom_chain chain, late;  /* at the start and at the end of the step */
    double *gamma, *early, *elastic; /* nc: viscous time; elastic force at both ends */
    double *slope, *deform, *start;  /* nc: at the end; overlaps at the end and at the start */
    double *impulse, *flow;          /* nc: J and t J */
    double *spring_gamma;            /* n: the viscous time whose theta a spring takes */
    double *load[2];                 /* n: weights and loads at both ends */
    double *u, *push, *taken;        /* n */
    double *diagonal, *off, *update; /* n: Newton's */
    double *beside;                  /* two per drive */
    bool filled;
};

static double **array(struct carom_theta_loaded *w, size_t i, size_t *size)
{
    double **const of_contacts[] = {&w->gamma,  &w->early, &w->elastic, &w->slope,
                                    &w->deform, &w->start, &w->impulse, &w->flow};
    double **const of_beads[] = {&w->spring_gamma, &w->load[0],  &w->load[1], &w->u,     &w->push,
                                 &w->taken,        &w->diagonal, &w->off,     &w->update};
    const size_t contacts = sizeof of_contacts / sizeof *of_contacts, beads = sizeof of_beads / sizeof *of_beads;
    *size = i < contacts ? w->chain.nc : i < contacts + beads ? w->chain.n : 2 * w->chain.beads->ndrives;
    return i < contacts            ? of_contacts[i]
           : i < contacts + beads  ? of_beads[i - contacts]
           : i == contacts + beads ? &w->beside
                                   : NULL;
}

void carom_theta_loaded_free(struct carom_theta_loaded *w)
{
    size_t size;
    for (size_t i = 0; w && array(w, i, &size); i++)
        carom_memory_free(*array(w, i, &size));
    carom_memory_free(w);
}

struct carom_theta_loaded *carom_theta_loaded_create(const struct carom_model *model)
{
    struct carom_theta_loaded *w = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return NULL;
    w->chain = carom_chain_of(model);
    size_t size;
    for (size_t i = 0; array(w, i, &size); i++)
        if (!(*array(w, i, &size) = carom_memory_zeroed(size, sizeof(double)))) {
            carom_theta_loaded_free(w);
            return NULL;
        }
    carom_theta_fold_gamma(model, w->gamma);
    for (size_t i = 0; i < w->chain.n; i++)
        w->spring_gamma[i] = carom_theta_fold_spring_gamma(&w->chain, w->gamma, i);
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
    const struct carom_beads *b = w->chain.beads;
    const double k = spring_of(b, i), t = 0.5 * (h + w->spring_gamma[i]), c = carom_loads_damper(b, i);
    const double spring = -k * ((h - t) * x1 + t * x0);
    const double even =
        0.5 * h * (w->load[0][i] + w->load[1][i] + string_force(b, i, x0) + string_force(b, i, x1)) - c * (x1 - x0);
    *flow = t * spring + 0.5 * h * even;
    *stiff = k * t * (h - t) + 0.5 * h * (0.5 * h * (carom_loads_stiffness(b, i, x1) - k) + c);
    return spring + even;
}

/* --- one step --------------------------------------------------------------------------------------------------- */

static void begin(struct carom_theta_loaded *w, struct carom_stepper *stepper, const struct carom_state *from, double h,
                  double t_stop)
{
    const struct carom_beads *b = w->chain.beads;
    const double t = from->time + from->time_low, end = fmin(t + h, carom_loads_before(t_stop));
    carom_chain_clock(&w->chain, t);
    w->late = w->chain;
    carom_chain_clock(&w->late, end);
    carom_loads_fill(b, t, w->filled, w->load[0]);
    carom_loads_fill(b, end, w->filled, w->load[1]);
    w->filled = true;
    carom_chain_deform(&w->chain, 0, w->chain.nc, from->q, w->start);
    const struct carom_response want = {.elastic = w->early};
    carom_contacts_evaluate(stepper->model, 0, w->chain.nc, w->start, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < w->chain.nc; j++)
        w->flow[j] = 0.5 * (h + w->gamma[j]) * h * w->early[j];
    carom_chain_push(&w->chain, 0, w->chain.n, w->flow, 0, w->push);
    for (size_t i = 0; i < w->chain.n; i++) {
        double flow, stiff;
        local(w, i, from->q[i], from->q[i] + h * from->v[i], h, &flow, &stiff);
        w->u[i] = (w->push[i] + flow) * b->inverse_mass[i];
    }
    for (size_t k = 0; k < b->ndrives; k++) {
        const int32_t i = b->drive[k].which;
        if (i >= 0)
            w->u[i] = carom_loads_motion(&b->drive[k], end).place - (from->q[i] + h * from->v[i]);
    }
}

/* forces at X1, residual and matrix; the largest residual as a displacement, infinite if one is not finite */
static double assemble(void *own, struct carom_stepper *stepper, double h, double *noise)
{
    struct carom_theta_loaded *w = own;
    const struct carom_state *from = stepper->before;
    const struct carom_beads *b = w->chain.beads;
    const size_t n = w->chain.n, nc = w->chain.nc, s = w->chain.shift;
    for (size_t i = 0; i < n; i++)
        w->push[i] = h * from->v[i] + w->u[i]; /* X1 - X */
    carom_chain_difference(&w->chain, 0, nc, w->push, w->deform);
    for (size_t j = 0; j < nc; j++)
        w->deform[j] += w->start[j];
    if (w->chain.moving && w->chain.left_wall)
        w->deform[0] += w->late.wall[0].place - w->chain.wall[0].place;
    if (w->chain.moving && w->chain.right_wall)
        w->deform[nc - 1] -= w->late.wall[1].place - w->chain.wall[1].place;
    const struct carom_response want = {.elastic = w->elastic, .slope = w->slope};
    carom_contacts_evaluate(stepper->model, 0, nc, w->deform, NULL, NULL, &want);
    stepper->counts.evaluations++;
    for (size_t j = 0; j < nc; j++) {
        const double t = 0.5 * (h + w->gamma[j]);
        w->impulse[j] = t * w->elastic[j] + (h - t) * w->early[j];
        w->flow[j] = t * w->impulse[j];
        w->slope[j] *= t * t;
    }
    carom_chain_push(&w->chain, 0, n, w->flow, 0, w->push);
    double worst = 0.0, longest = 0.0;
    bool broken = false;
    for (size_t i = 0; i < n; i++) {
        const double left = i + s > 0 ? w->slope[i + s - 1] : 0.0, right = i + s < nc ? w->slope[i + s] : 0.0;
        const double x = from->q[i];
        double flow, stiff;
        local(w, i, x, x + (h * from->v[i] + w->u[i]), h, &flow, &stiff);
        w->update[i] = w->push[i] + flow - b->mass[i] * w->u[i];
        w->diagonal[i] = b->mass[i] + stiff + left + right;
        w->off[i] = i + 1 < n && carom_loads_driven(b, i + 1) ? 0.0 : -right;
        if (carom_loads_driven(b, i)) {
            w->update[i] = w->off[i] = 0.0;
            w->diagonal[i] = b->mass[i];
        }
        const double size = fabs(w->update[i]) * b->inverse_mass[i], far = fabs(h * from->v[i]) + fabs(w->u[i]);
        const double answer = far + (left + right + stiff) * b->inverse_mass[i] * fabs(x);
        broken |= !(size < HUGE_VAL);
        worst = size > worst ? size : worst;
        longest = answer > longest ? answer : longest;
    }
    *noise = 1e-16 * stepper->scales.length + 1e-15 * longest + DBL_MIN;
    return broken ? HUGE_VAL : worst;
}

/* the function is convex but for strings beyond the horizontal */
static bool newton(struct carom_theta_loaded *w, struct carom_stepper *stepper, double h)
{
    const struct carom_halving_newton problem = {.n = w->chain.n,
                                                 .x = w->u,
                                                 .diagonal = w->diagonal,
                                                 .off = w->off,
                                                 .update = w->update,
                                                 .taken = w->taken,
                                                 .assemble = assemble,
                                                 .own = w};
    return carom_halving_newton(&problem, stepper, h);
}

/* from the solution to the end of the step; false if it is not finite */
static bool finish(struct carom_theta_loaded *w, const struct carom_state *from, struct carom_state *to, double h)
{
    const struct carom_beads *b = w->chain.beads;
    bool finite = true;
    carom_chain_push(&w->chain, 0, w->chain.n, w->impulse, 0, w->push);
    for (size_t i = 0; i < w->chain.n; i++) {
        double flow, stiff;
        to->q[i] = from->q[i] + (h * from->v[i] + w->u[i]);
        const double impulse = w->push[i] + local(w, i, from->q[i], to->q[i], h, &flow, &stiff);
        to->v[i] = from->v[i] + impulse * b->inverse_mass[i];
        finite &= fabs(to->q[i]) < HUGE_VAL && fabs(to->v[i]) < HUGE_VAL;
    }
    carom_loads_lead(b, w->late.time, to->q, to->v, NULL, NULL);
    for (size_t j = 0; j < to->nlost; j++)
        to->lost[j] = from->lost[j] + w->gamma[j] * (w->elastic[j] - w->early[j]) * (w->deform[j] - w->start[j]) / h;
    return finite;
}

/* works: the mean force of a contact is (E0 + E1)/2 + gamma (E1 - E0)/h */
static void tally(struct carom_theta_loaded *w, const struct carom_state *from, struct carom_state *to, double h)
{
    for (size_t j = 0; j < w->chain.nc; j++)
        w->flow[j] = 0.5 * (w->early[j] + w->elastic[j]) + w->gamma[j] * (w->elastic[j] - w->early[j]) / h;
    carom_tally_beside(&w->chain, w->flow, 1.0, false, w->beside);
    carom_tally_add(&w->chain, &w->late, h, from->q, w->beside, to);
}

bool carom_theta_loaded_step(struct carom_theta_loaded *w, struct carom_stepper *stepper, struct carom_state *state,
                             double h, double t_stop)
{
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    begin(w, stepper, from, h, t_stop);
    if (!newton(w, stepper, h) || !finish(w, from, state, h)) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    tally(w, from, state, h);
    stepper->switched = false;
    for (size_t j = 0; j < w->chain.nc; j++)
        stepper->switched |= (w->start[j] > 0.0) != (w->deform[j] > 0.0);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return true;
}

void carom_theta_loaded_correct(struct carom_theta_loaded *w, const struct carom_model *model, double t,
                                const struct carom_state *state, double factor, double *v)
{
    const struct carom_beads *b = w->chain.beads;
    struct carom_chain now = w->chain;
    carom_chain_clock(&now, t);
    carom_chain_deform(&now, 0, now.nc, state->q, w->deform);
    const struct carom_response want = {.elastic = w->flow};
    carom_contacts_evaluate(model, 0, now.nc, w->deform, NULL, NULL, &want);
    for (size_t j = 0; j < now.nc; j++)
        w->flow[j] *= w->gamma[j];
    carom_chain_push(&now, 0, now.n, w->flow, 0, w->push);
    for (size_t i = 0; i < now.n; i++) {
        const double push = w->push[i] - w->spring_gamma[i] * spring_of(b, i) * state->q[i];
        v[i] = state->v[i] + 0.5 * factor * push * b->inverse_mass[i];
    }
}

void carom_theta_loaded_view(const struct carom_theta_loaded *w, const struct carom_stepper *stepper,
                             const struct carom_state *state, const double *const *speed, double t,
                             struct carom_state *view)
{
    const struct carom_tally_end from = {&w->chain, stepper->before, speed[0]}, to = {&w->late, state, speed[1]};
    carom_tally_view(stepper->model, &from, &to, t, view);
}
