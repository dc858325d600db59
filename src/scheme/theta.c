/* The theta method with tailored numerical dissipation: the undamped chain, discretised so that its numerical
 * dissipation is the viscous one. James, Vorotnikov and Brogliato 2020, equations (34), (41), (43); for gamma = 0
 * it is Crank-Nicolson. Contacts take theta = 1/2 + gamma/(2h); local springs take mu = theta, so that they are
 * not damped. Between steps v holds V = v - gamma/2 g(x) (its start and (43) are the same relation).
 *
 * One step is X1 = X + hV + h^2 theta [ (1-mu) gK(X1) + mu gK(X) + theta gc(X1) + (1-theta) gc(X) ]: Newton on the
 * increment with a symmetric tridiagonal matrix. Consistent of order 2 with gamma = O(h); at a fixed gamma the
 * error levels off as h -> 0, so it is for coarse steps, not for tight tolerances. */
#include "base/memory.h"
#include "model/chain.h"
#include "scheme/hermite.h"
#include "scheme/stepper.h"
#include "solve/tridiagonal.h"

struct options {
    double step;
};

static const struct carom_param params[] = {
    {"step", CAROM_REAL, offsetof(struct options, step), CAROM_REQUIRED, CAROM_POSITIVE, HUGE_VAL, "s", "time step",
     NULL},
    CAROM_PARAM_END,
};

struct theta {
    struct carom_chain chain;
    double gamma;                      /* viscous time of all contacts */
    double *deform, *elastic, *slope;  /* nc: at the trial X1 */
    double *old_elastic, *old_viscous; /* nc: at X */
    double *viscous;                   /* nc */
    double *push, *fixed;              /* n: contact push; the part of the residual that does not depend on X1 */
    double *shift, *residual;          /* n: X1 - X; residual, then Newton's update */
    double *diagonal, *off;            /* n: the matrix */
    double *speed;                     /* n: physical velocities at the end of the step, for dense output */
};

static double **arrays(struct theta *w, size_t i, size_t *size)
{
    double **const of_contacts[] = {&w->deform, &w->elastic, &w->slope, &w->old_elastic, &w->old_viscous, &w->viscous};
    double **const of_beads[] = {&w->push, &w->fixed, &w->shift, &w->residual, &w->diagonal, &w->off, &w->speed};
    const size_t contacts = sizeof of_contacts / sizeof *of_contacts, beads = sizeof of_beads / sizeof *of_beads;
    *size = i < contacts ? w->chain.nc : w->chain.n;
    return i < contacts ? of_contacts[i] : i < contacts + beads ? of_beads[i - contacts] : NULL;
}

static void close(struct carom_stepper *stepper)
{
    struct theta *w = stepper->work;
    size_t size;
    for (size_t i = 0; arrays(w, i, &size); i++)
        carom_memory_free(*arrays(w, i, &size));
    carom_memory_free(w);
    stepper->work = NULL;
}

static double viscous_time(const struct carom_model *model)
{
    if (model->ngroups == 0 || !model->group[0].law->viscous_time)
        return 0.0;
    return model->group[0].law->viscous_time((const double *const *)model->group[0].param, 0);
}

/* With mu = theta a local oscillator of frequency w is stepped by an area-preserving map whose trace stays within
 * [-2, 2] exactly while w gamma <= 2, whatever the step. */
static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    const struct carom_beads *beads = carom_model_chain(model);
    const double gamma = viscous_time(model);
    for (size_t i = 0; beads->spring && i < beads->n; i++) {
        const double w = sqrt(beads->spring[i] * beads->inverse_mass[i]);
        if (!(w * gamma < 2.0))
            return carom_error_set(
                error, CAROM_E_REFUSED,
                "scheme theta is unstable for body %zu: sqrt(spring / mass) gamma = %g, must be below "
                "2; use scheme dp5",
                i + 1, w * gamma);
    }
    return CAROM_OK;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct theta *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    w->chain = carom_chain_of(stepper->model);
    w->gamma = viscous_time(stepper->model);
    size_t size;
    for (size_t i = 0; arrays(w, i, &size); i++) {
        double **array = arrays(w, i, &size);
        *array = carom_memory_zeroed(size, sizeof(double));
        if (!*array)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    }
    return CAROM_OK;
}

/* elastic push of contacts and springs on every bead at x: force, not acceleration */
static void elastic_force(struct carom_stepper *stepper, const double *x, double *elastic, double *slope,
                          double *viscous, double *push)
{
    struct theta *w = stepper->work;
    carom_chain_deform(&w->chain, 0, w->chain.nc, x, w->deform);
    const struct carom_response want = {.elastic = elastic, .slope = slope, .viscous = viscous};
    carom_contacts_evaluate(stepper->model, 0, w->chain.nc, w->deform, NULL, NULL, &want);
    carom_chain_push(&w->chain, 0, w->chain.n, elastic, 0, push);
}

/* g(x) of (33), springs included, added to `to` times `factor` */
static void add_acceleration(struct carom_stepper *stepper, const double *x, double factor, double *to)
{
    struct theta *w = stepper->work;
    const struct carom_beads *beads = w->chain.beads;
    elastic_force(stepper, x, w->elastic, NULL, NULL, w->push);
    for (size_t i = 0; i < w->chain.n; i++) {
        const double spring = beads->spring ? beads->spring[i] * x[i] : 0.0;
        to[i] += factor * (w->push[i] - spring) * beads->inverse_mass[i];
    }
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    const struct theta *w = stepper->work;
    if (w->gamma > 0.0)
        add_acceleration(stepper, state->q, -0.5 * w->gamma, state->v);
    return CAROM_OK;
}

static void physical(struct carom_stepper *stepper, const struct carom_state *state, double *v)
{
    const struct theta *w = stepper->work;
    for (size_t i = 0; i < w->chain.n; i++)
        v[i] = state->v[i];
    if (w->gamma > 0.0)
        add_acceleration(stepper, state->q, 0.5 * w->gamma, v);
}

/* residual m (shift - hV) - h^2 theta [...] and the matrix of its derivative; returns the largest |residual|,
 * infinite if any is not finite */
static double assemble(struct carom_stepper *stepper, const struct carom_state *from, double *x, double h, double theta)
{
    struct theta *w = stepper->work;
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n, s = w->chain.shift;
    for (size_t i = 0; i < n; i++)
        x[i] = from->q[i] + w->shift[i];
    elastic_force(stepper, x, w->elastic, w->slope, w->viscous, w->push);
    stepper->counts.evaluations++;
    const double implicit = h * h * theta * theta, local = h * h * theta * (1.0 - theta);
    double worst = 0.0;
    bool broken = false;
    for (size_t i = 0; i < n; i++) {
        const double left = i + s > 0 ? w->slope[i + s - 1] : 0.0, right = i + s < w->chain.nc ? w->slope[i + s] : 0.0;
        const double spring = beads->spring ? beads->spring[i] : 0.0;
        w->residual[i] = beads->mass[i] * w->shift[i] - w->fixed[i] - implicit * w->push[i] + local * spring * x[i];
        w->diagonal[i] = beads->mass[i] + local * spring + implicit * (left + right);
        w->off[i] = -implicit * right;
        const double size = fabs(w->residual[i]);
        broken |= !(size < HUGE_VAL);
        worst = size > worst ? size : worst;
    }
    return broken ? HUGE_VAL : worst;
}

/* Newton with halving; the problem is the minimum of a convex function, so this finds it unless rounding forbids */
static bool newton(struct carom_stepper *stepper, const struct carom_state *from, double *x, double h, double theta)
{
    struct theta *w = stepper->work;
    const size_t n = w->chain.n;
    const double goal = 1e-11 * (stepper->scales.length > 0.0 ? stepper->scales.length : 1.0);
    double residual = assemble(stepper, from, x, h, theta);
    for (int iteration = 0; iteration < 60; iteration++) {
        if (!carom_tridiagonal_solve(n, w->diagonal, w->off, w->residual))
            return false;
        stepper->counts.iterations++;
        double size = 0.0, reach = 0.0;
        for (size_t i = 0; i < n; i++) {
            w->speed[i] = w->residual[i]; /* the update, kept while the step is halved */
            w->shift[i] -= w->residual[i];
            size = fabs(w->residual[i]) > size ? fabs(w->residual[i]) : size;
            reach = fabs(x[i]) > reach ? fabs(x[i]) : reach;
        }
        double next = assemble(stepper, from, x, h, theta);
        if (size <= goal + 4e-16 * reach)
            return next < HUGE_VAL;
        for (double part = 0.5; !(next < 2.0 * residual) && part > 1e-6; part *= 0.5) {
            for (size_t i = 0; i < n; i++)
                w->shift[i] += part * w->speed[i];
            next = assemble(stepper, from, x, h, theta);
        }
        residual = next;
    }
    return false;
}

static enum carom_status one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop,
                                  struct carom_error *error)
{
    struct theta *w = stepper->work;
    const struct carom_beads *beads = w->chain.beads;
    const size_t n = w->chain.n;
    const double theta = 0.5 + 0.5 * w->gamma / h;
    carom_stepper_turn(stepper, state);
    const struct carom_state *from = stepper->before;
    elastic_force(stepper, from->q, w->old_elastic, NULL, w->old_viscous, w->push);
    stepper->counts.evaluations++;
    for (size_t i = 0; i < n; i++) {
        const double spring = beads->spring ? beads->spring[i] * from->q[i] : 0.0;
        const double drift = beads->mass[i] * h * from->v[i];
        w->fixed[i] = drift + h * h * theta * ((1.0 - theta) * w->push[i] - theta * spring);
        w->shift[i] = h * from->v[i] + 0.5 * h * h * (w->push[i] - spring) * beads->inverse_mass[i];
    }
    if (!newton(stepper, from, state->q, h, theta)) {
        carom_state_swap(state, stepper->before);
        return carom_error_set(error, CAROM_E_NUMERIC,
                               "theta could not solve its step at t = %g with step %g: take a smaller step",
                               state->time, h);
    }
    /* V1 from X1 = X + h (theta V1 + (1 - theta) V) would divide by theta; the forces keep momentum exactly */
    for (size_t j = 0; j < w->chain.nc; j++)
        w->slope[j] = theta * w->elastic[j] + (1.0 - theta) * w->old_elastic[j];
    carom_chain_push(&w->chain, 0, n, w->slope, 0, w->push);
    for (size_t i = 0; i < n; i++) {
        const double local =
            beads->spring ? beads->spring[i] * ((1.0 - theta) * state->q[i] + theta * from->q[i]) : 0.0;
        state->v[i] = from->v[i] + h * (w->push[i] - local) * beads->inverse_mass[i];
    }
    /* the law's own dissipation: its impulse times the mean rate of overlap */
    stepper->switched = false;
    carom_chain_difference(&w->chain, 0, w->chain.nc, w->shift, w->slope);
    for (size_t j = 0; j < w->chain.nc; j++)
        stepper->switched |= (w->old_elastic[j] > 0.0) != (w->elastic[j] > 0.0);
    for (size_t j = 0; j < state->nlost; j++)
        state->lost[j] = from->lost[j] + w->slope[j] / h * (w->viscous[j] - w->old_viscous[j]);
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    return CAROM_OK;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct options *o = stepper->options;
    for (size_t taken = 0; taken == 0 || !carom_stepper_done(stepper, state, bound, taken); taken++) {
        const double h = carom_stepper_size(state, o->step, bound->t_stop);
        const enum carom_status status = one_step(stepper, state, h, bound->t_stop, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    carom_state_view(view, state);
    physical(stepper, state, view->v);
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct theta *w = stepper->work;
    physical(stepper, stepper->before, w->shift);
    physical(stepper, state, w->speed);
    carom_hermite_view(stepper->before, w->shift, state, w->speed, t, view);
}

const struct carom_scheme carom_scheme_theta = {
    .kind = {"theta", "implicit, order 2, numerical dissipation tailored to be the viscous one", params,
             sizeof(struct options)},
    .needs = CAROM_CHAIN | CAROM_MEMORYLESS | CAROM_VISCOUS_TIME | CAROM_ONE_VISCOUS_TIME,
    .order = 2,
    .dense_order = 2,
    .accept = accept,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .dense = dense,
    .close = close,
};
