/* The theta method with tailored numerical dissipation: the undamped chain, discretised so that its numerical
 * dissipation is the viscous one. James, Vorotnikov and Brogliato 2020, equations (34), (41), (43); for gamma = 0
 * it is Crank-Nicolson. Consistent of order 2 with gamma = O(h); at a fixed gamma the error levels off as h -> 0, so it
 * is for coarse steps, not for tight tolerances.
 *
 * Beyond the paper, every contact has a gamma and so a theta = 1/2 + gamma/(2h) of its own, and the equation of X takes
 * each force with its own theta, too (theta_pass.h): then X' = V + G (gamma/2) E / m and, to O(h^2),
 * V' = G (E + (gamma/2) dE/dt) / m, which add up to X'' = G (E + gamma dE/dt) / m. One theta for X would cost an order.
 * Local springs take mu = theta, the mean of their neighbours', so that they are not damped. Between steps v holds
 * V = v - [G (gamma/2) E and likewise the springs] / m; the start of theorem 1 and (43) are the same relation. Chains
 * with loads, local dampers, strings or drives: theta_loaded.h. */
#include "base/memory.h"
#include "model/motion.h"
#include "scheme/chain/adapt.h"
#include "scheme/chain/theta_fold.h"
#include "scheme/chain/theta_loaded.h"
#include "scheme/chain/theta_pass.h"
#include "scheme/halving.h"
#include "scheme/hermite.h"
#include "scheme/listed.h"

struct theta {
    struct carom_theta_fold fold;
    struct carom_theta_loaded *loaded; /* instead of the fold, if there are loads */
    double *speed[2];                  /* n: physical velocities at both ends of a step, for dense output */
    uint64_t step;                     /* the state that the fold's forces and losses belong to */
    double time;
    bool cached;
    bool laid; /* are its displacements and velocities in the fold, too? */
};

/* With mu = theta a local oscillator of frequency w is stepped by an area-preserving map whose trace stays within
 * [-2, 2] exactly while w gamma <= 2, whatever the step. */
static enum carom_status check_springs(const struct carom_chain *chain, const double *gamma, struct carom_error *error)
{
    for (size_t i = 0; i < chain->n; i++) {
        const double w = sqrt(chain->beads->spring[i] * chain->beads->inverse_mass[i]);
        const double product = w * carom_theta_fold_spring_gamma(chain, gamma, i);
        if (!(product < 2.0))
            return carom_error_set(error, CAROM_E_REFUSED,
                                   "scheme theta is unstable for body %zu: sqrt(spring / mass) gamma = %g, must be "
                                   "below 2; use scheme dp5",
                                   i + 1, product);
    }
    return CAROM_OK;
}

static enum carom_status accept(const struct carom_model *model, const void *options, struct carom_error *error)
{
    (void)options;
    const struct carom_chain chain = carom_chain_of(model);
    if (!chain.beads->spring)
        return CAROM_OK;
    double *gamma = carom_memory_zeroed(chain.nc, sizeof *gamma);
    if (!gamma)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    carom_theta_fold_gamma(model, gamma);
    const enum carom_status status = check_springs(&chain, gamma, error);
    carom_memory_free(gamma);
    return status;
}

static size_t memory(const struct carom_model *model, const void *options)
{
    (void)options;
    return carom_theta_fold_memory(model->nv);
}

static void close(struct carom_stepper *stepper)
{
    struct theta *w = stepper->work;
    carom_theta_fold_close(&w->fold);
    carom_theta_loaded_free(w->loaded);
    carom_memory_free_all(w->speed[0], w->speed[1], w);
    stepper->work = NULL;
}

static enum carom_status open(struct carom_stepper *stepper, struct carom_error *error)
{
    struct theta *w = stepper->work = carom_memory_zeroed(1, sizeof *w);
    if (!w)
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    const size_t n = stepper->model->nv;
    w->speed[0] = carom_memory_zeroed(n, sizeof(double));
    w->speed[1] = carom_memory_zeroed(n, sizeof(double));
    if (!w->speed[0] || !w->speed[1])
        return carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    if (carom_model_chain(stepper->model)->loaded) {
        w->loaded = carom_theta_loaded_create(stepper->model);
        return w->loaded ? CAROM_OK : carom_error_set(error, CAROM_E_MEMORY, "out of memory for scheme theta");
    }
    return carom_theta_fold_open(&w->fold, 1, &stepper->model, &stepper->scales.length, error);
}

static bool is_cached(const struct theta *w, const struct carom_state *state)
{
    return w->cached && w->step == state->step && w->time == state->time;
}

/* physical velocities <-> those of the scheme, by the forces at the state's x */
static void correct(struct carom_stepper *stepper, const struct carom_state *state, double factor, double *v)
{
    struct theta *w = stepper->work;
    struct carom_theta_fold *f = &w->fold;
    if (w->loaded) {
        carom_theta_loaded_correct(w->loaded, stepper->model, state->time + state->time_low, state, factor, v);
        return;
    }
    w->laid = false;
    carom_theta_fold_put(f, 0, state->q, f->x);
    carom_theta_fold_put(f, 0, state->v, f->v);
    const bool known = is_cached(w, state);
    if (!known)
        carom_theta_newton_press(f);
    carom_theta_pass_correct(f, known ? f->elastic : f->next, factor);
    carom_theta_fold_take(f, 0, f->v, v);
}

static enum carom_status start(struct carom_stepper *stepper, struct carom_state *state, struct carom_error *error)
{
    (void)error;
    struct theta *w = stepper->work;
    w->cached = false;
    carom_motion_impose(stepper->model, state->time + state->time_low, state->q, state->v);
    correct(stepper, state, -1.0, state->v);
    return CAROM_OK;
}

/* the state's motion, elastic forces at its x, losses, and what it remembers, unless the last step left them here */
static void refresh(struct carom_stepper *stepper, const struct carom_state *state)
{
    struct theta *w = stepper->work;
    struct carom_theta_fold *f = &w->fold;
    const bool known = is_cached(w, state);
    if (!known || !w->laid) {
        carom_theta_fold_put(f, 0, state->q, f->x);
        carom_theta_fold_put(f, 0, state->v, f->v);
    }
    w->laid = true;
    if (known)
        return;
    carom_theta_newton_refresh(f);
    carom_theta_fold_recall(f, 0, state->memory, f->earlier);
    if (state->nlost > 0)
        carom_theta_fold_put_contacts(f, 0, state->lost, f->lost);
}

static bool one_step(struct carom_stepper *stepper, struct carom_state *state, double h, double t_stop)
{
    struct theta *w = stepper->work;
    struct carom_theta_fold *f = &w->fold;
    struct carom_theta_lane *lane = &f->lane[0];
    if (w->loaded)
        return carom_theta_loaded_step(w->loaded, stepper, state, h, t_stop);
    refresh(stepper, state);
    carom_stepper_begin_step(stepper, state);
    const struct carom_state *from = stepper->before;
    const double last = from->memory[CAROM_THETA_SIZE];
    lane->stretch = last > 0.0 ? h / last : 0.0;
    carom_theta_fold_pace(f, h);
    lane->iterations = lane->evaluations = 0; /* those of views and of resumed runs are not of the way */
    carom_theta_newton_step(f);
    stepper->counts.iterations += lane->iterations;
    stepper->counts.evaluations += lane->evaluations + (from->step == 0);
    w->cached = !lane->failed;
    if (lane->failed) {
        carom_state_swap(state, stepper->before);
        return false;
    }
    carom_theta_fold_take(f, 0, f->x, state->q);
    carom_theta_fold_take(f, 0, f->v, state->v);
    if (state->nlost > 0)
        carom_theta_fold_take_contacts(f, 0, f->lost, state->lost);
    state->memory[CAROM_THETA_SIZE] = h;
    carom_theta_fold_remember(f, 0, f->earlier, state->memory);
    stepper->switched = lane->switched;
    carom_stepper_arrive(state, h, t_stop);
    carom_stepper_count(stepper, h);
    w->step = state->step;
    w->time = state->time;
    return true;
}

static enum carom_status step(struct carom_stepper *stepper, struct carom_state *state, const struct carom_bound *bound,
                              struct carom_error *error)
{
    const struct carom_adapt_options *o = stepper->options;
    return o->adapt > 0.0 ? carom_adapt_steps(stepper, state, bound, o->step, o->adapt, one_step, error)
                          : carom_halving_steps(stepper, state, bound, o->step, one_step, error);
}

static void sync(struct carom_stepper *stepper, const struct carom_state *state, struct carom_state *view)
{
    carom_state_view(view, state);
    correct(stepper, state, 1.0, view->v);
    carom_motion_impose(stepper->model, state->time + state->time_low, view->q, view->v);
}

/* Of a contact whose damper follows its spring by gamma, the viscous impulse is gamma E. */
static void velocities(struct carom_stepper *stepper, const struct carom_state *copy, size_t first, size_t last,
                       double *v)
{
    enum { BLOCK = 64 };
    const struct carom_chain chain = carom_chain_of(stepper->model);
    double deform[BLOCK + 1], viscous[BLOCK + 1];
    const struct carom_response want = {.viscous = viscous};
    for (size_t begin = first, end, from, to; begin < last; begin = end) {
        end = last - begin < BLOCK ? last : begin + BLOCK;
        carom_chain_beside(&chain, begin, end, &from, &to);
        carom_chain_deform(&chain, from, to, copy->q, deform);
        carom_contacts_evaluate(stepper->model, from, to, deform, NULL, NULL, &want);
        carom_chain_push(&chain, begin, end, viscous, from, v + (begin - first));
    }
    for (size_t i = first; i < last; i++)
        v[i - first] = copy->v[i] + 0.5 * v[i - first] * chain.beads->inverse_mass[i];
}

static void dense(struct carom_stepper *stepper, const struct carom_state *state, double t, struct carom_state *view)
{
    struct theta *w = stepper->work;
    correct(stepper, stepper->before, 1.0, w->speed[0]);
    correct(stepper, state, 1.0, w->speed[1]);
    carom_hermite_view(stepper->before, w->speed[0], state, w->speed[1], t, view);
    if (w->loaded)
        carom_theta_loaded_view(w->loaded, stepper, state, (const double *const *)w->speed, t, view);
    carom_motion_impose(stepper->model, t, view->q, view->v);
}

const struct carom_scheme carom_scheme_theta = {
    .kind = {"theta", "implicit, order 2, numerical dissipation tailored to be the viscous one", carom_adapt_params,
             sizeof(struct carom_adapt_options)},
    .needs = CAROM_COMPLIANT | CAROM_CHAIN | CAROM_MEMORYLESS | CAROM_VISCOUS_TIME,
    .order = 2,
    .dense_order = 2,
    .looks = true,
    .accept = accept,
    .memory = memory,
    .open = open,
    .start = start,
    .step = step,
    .sync = sync,
    .velocities = velocities,
    .dense = dense,
    .close = close,
    .listed = &carom_crystal_theta,
};
