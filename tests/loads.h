/* Chains with loads for tests: described by plain arrays, turned into a model, and solved independently by a classical
 * Runge-Kutta method in long double on (x, v). Include after chain.h. */
#ifndef CAROM_TESTS_LOADS_H
#define CAROM_TESTS_LOADS_H

#include "chain.h"
#include "model/motion.h"

#define RIG_BEADS 64
#define RIG_LOADS 8

struct rig {
    size_t n;
    bool left_wall, right_wall;
    double mass[RIG_BEADS], spring[RIG_BEADS], damper[RIG_BEADS], string[RIG_BEADS];
    double gravity, down;
    bool large; /* strings: large angles */
    double k[RIG_BEADS + 1], gamma[RIG_BEADS + 1], p, gap[RIG_BEADS + 1];
    double q[RIG_BEADS], v[RIG_BEADS];
    size_t nloads, ndrives;
    struct carom_load load[RIG_LOADS];
    struct carom_drive drive[RIG_LOADS];
};

static inline size_t rig_contacts(const struct rig *rig)
{
    return rig->n - 1 + (rig->left_wall ? 1 : 0) + (rig->right_wall ? 1 : 0);
}

static inline struct carom_beads *rig_beads(const struct rig *rig)
{
    bool any[3] = {false, false, false};
    for (size_t i = 0; i < rig->n; i++) {
        any[0] |= rig->spring[i] != 0.0;
        any[1] |= rig->damper[i] != 0.0;
        any[2] |= rig->string[i] != 0.0;
    }
    struct carom_beads *beads = carom_beads_create(rig->n, rig->mass, NULL, any[0] ? rig->spring : NULL, NULL);
    CHECK_OR_STOP(beads != NULL);
    if (any[1])
        CHECK_STATUS(carom_beads_damp(beads, rig->damper, NULL), CAROM_OK);
    if (rig->gravity != 0.0)
        CHECK_STATUS(carom_beads_weigh(beads, rig->gravity, NULL), CAROM_OK);
    if (any[2])
        CHECK_STATUS(carom_beads_hang(beads, rig->string, rig->down, rig->large, NULL), CAROM_OK);
    for (size_t k = 0; k < rig->nloads; k++)
        CHECK_STATUS(carom_beads_push(beads, rig->load[k].bead, &rig->load[k].force, NULL), CAROM_OK);
    for (size_t k = 0; k < rig->ndrives; k++)
        CHECK_STATUS(carom_beads_drive(beads, rig->drive[k].which, &rig->drive[k].place, NULL), CAROM_OK);
    return beads;
}

/* Law `power` with b = p, which is Kuwabara-Kono for p = 3/2. */
static inline struct carom_model *rig_model_ending(const struct rig *rig, enum carom_ending ending)
{
    static double p[RIG_BEADS + 1];
    static int32_t pair[RIG_BEADS + 1][2];
    struct carom_model *model = carom_model_create();
    CHECK_OR_STOP(model != NULL);
    CHECK_STATUS(carom_model_add(model, &carom_part_beads, rig_beads(rig), NULL), CAROM_OK);
    const size_t nc = rig_contacts(rig);
    for (size_t j = 0; j < nc; j++) {
        const int32_t left = (int32_t)j - (rig->left_wall ? 1 : 0);
        pair[j][0] = left < 0 ? CAROM_WALL_LEFT : left;
        pair[j][1] = left + 1 < (int32_t)rig->n ? left + 1 : CAROM_WALL_RIGHT;
        p[j] = rig->p;
    }
    const double *const columns[4] = {rig->k, p, rig->gamma, p}, *const kk[2] = {rig->k, rig->gamma};
    const bool hertz = rig->p == 1.5;
    CHECK_STATUS(carom_model_join(model, hertz ? &carom_law_kuwabara_kono : &carom_law_power, ending, nc,
                                  (const int32_t(*)[2])pair, rig->gap, hertz ? kk : columns, NULL),
                 CAROM_OK);
    CHECK_STATUS(carom_model_finish(model, NULL), CAROM_OK);
    return model;
}

static inline struct carom_model *rig_model(const struct rig *rig)
{
    return rig_model_ending(rig, CAROM_END_GAP);
}

/* --- an independent solution -------------------------------------------------------------------------------------- */

static inline long double rig_wide(double x)
{
    return (long double)x;
}

static inline long double rig_place(const struct rig *rig, int32_t which, double t, const long double *x,
                                    const long double *v, long double *rate)
{
    for (size_t k = 0; k < rig->ndrives; k++)
        if (rig->drive[k].which == which) {
            *rate = rig_wide(carom_signal_rate(&rig->drive[k].place, t));
            return rig_wide(carom_signal_value(&rig->drive[k].place, t));
        }
    *rate = which < 0 ? 0.0L : v[which];
    return which < 0 ? 0.0L : x[which];
}

static inline bool rig_driven(const struct rig *rig, size_t i)
{
    for (size_t k = 0; k < rig->ndrives; k++)
        if (rig->drive[k].which == (int32_t)i)
            return true;
    return false;
}

/* force of contact j between places d apart (overlap positive) that close with `rate` */
static inline long double rig_force(const struct rig *rig, size_t j, long double d, long double rate)
{
    const long double k = rig_wide(rig->k[j]), gamma = rig_wide(rig->gamma[j]), p = rig_wide(rig->p);
    if (!(d > 0.0L))
        return 0.0L;
    if (rig->p == 1.5)
        return k * sqrtl(d) * (d + gamma * 1.5L * rate);
    return k * (powl(d, p) + gamma * p * powl(d, p - 1.0L) * rate);
}

static inline void rig_accelerations(const struct rig *rig, double t, const long double *x, const long double *v,
                                     long double *a)
{
    for (size_t i = 0; i < rig->n; i++) {
        const long double pull = rig_wide(rig->mass[i] * rig->down);
        a[i] =
            rig_wide(rig->mass[i] * rig->gravity) - rig_wide(rig->spring[i]) * x[i] - rig_wide(rig->damper[i]) * v[i];
        if (rig->string[i] > 0.0)
            a[i] -= pull * (rig->large ? sinl(x[i] / rig_wide(rig->string[i])) : x[i] / rig_wide(rig->string[i]));
    }
    for (size_t k = 0; k < rig->nloads; k++)
        a[rig->load[k].bead] += rig_wide(carom_signal_value(&rig->load[k].force, t));
    for (size_t j = 0; j < rig_contacts(rig); j++) {
        const int32_t left = (int32_t)j - (rig->left_wall ? 1 : 0);
        const int32_t one = left < 0 ? CAROM_WALL_LEFT : left;
        const int32_t two = left + 1 < (int32_t)rig->n ? left + 1 : CAROM_WALL_RIGHT;
        long double rate[2];
        const long double from = rig_place(rig, one, t, x, v, &rate[0]), to = rig_place(rig, two, t, x, v, &rate[1]);
        const long double force = rig_force(rig, j, from - to - rig_wide(rig->gap[j]), rate[0] - rate[1]);
        if (one >= 0)
            a[one] -= force;
        if (two >= 0)
            a[two] += force;
    }
    for (size_t i = 0; i < rig->n; i++)
        a[i] = rig_driven(rig, i) ? 0.0L : a[i] / rig_wide(rig->mass[i]);
}

/* From time t0 to t1 in steps of the classical Runge-Kutta method; breaks are the caller's. */
static inline void rig_solve(const struct rig *rig, double t0, double t1, size_t steps, long double *x, long double *v)
{
    long double k[4][RIG_BEADS], l[4][RIG_BEADS], y[RIG_BEADS], w[RIG_BEADS];
    static const double node[4] = {0.0, 0.5, 0.5, 1.0};
    const double step = (t1 - t0) / (double)steps;
    const long double h = rig_wide(step);
    for (size_t count = 0; count < steps; count++) {
        const double t = t0 + (double)count * step;
        for (int s = 0; s < 4; s++) {
            const long double part = h * rig_wide(node[s]);
            for (size_t i = 0; i < rig->n; i++) {
                y[i] = x[i] + (s > 0 ? part * k[s - 1][i] : 0.0L);
                w[i] = v[i] + (s > 0 ? part * l[s - 1][i] : 0.0L);
            }
            rig_accelerations(rig, fmin(t + node[s] * step, nextafter(t1, -HUGE_VAL)), y, w, l[s]);
            for (size_t i = 0; i < rig->n; i++)
                k[s][i] = w[i];
        }
        for (size_t i = 0; i < rig->n; i++) {
            x[i] += h / 6.0L * (k[0][i] + 2.0L * k[1][i] + 2.0L * k[2][i] + k[3][i]);
            v[i] += h / 6.0L * (l[0][i] + 2.0L * l[1][i] + 2.0L * l[2][i] + l[3][i]);
        }
    }
}

/* --- carom at work ---------------------------------------------------------------------------------------------- */

/* The next break of the model's beads after t, or `until`. */
static inline double rig_stop(const struct carom_model *model, const struct carom_state *state, double until)
{
    size_t count;
    double *times = carom_motion_breaks(model, &count);
    for (size_t i = 0; times && i < count; i++)
        if (carom_state_until(state, times[i]) > 0.0 && times[i] < until)
            until = times[i];
    carom_memory_free(times);
    return until;
}

/* A model at work under a scheme; option is its step or tol. */
struct rig_run {
    struct carom_model *model;
    void *options;
    struct carom_scales scales;
    struct carom_stepper *stepper;
    struct carom_state *state, *view;
};

static inline void rig_close(struct rig_run *run)
{
    carom_stepper_free(run->stepper);
    carom_state_free(run->state);
    carom_state_free(run->view);
    carom_options_free(run->options);
    carom_model_free(run->model);
    memset(run, 0, sizeof *run);
}

/* Takes the model over. False, with what it says in `error`, if the scheme refuses. */
static inline bool rig_open(struct rig_run *run, struct carom_model *model, const struct carom_scheme *scheme,
                            double option, const double *q, const double *v, struct carom_error *error)
{
    *run = (struct rig_run){.model = model};
    CHECK_STATUS(carom_scales_find(model, q, v, &run->scales, error), CAROM_OK);
    run->options = carom_options_create(&scheme->kind);
    const bool dp5 = scheme == &carom_scheme_dp5;
    CHECK_STATUS(carom_options_set(&scheme->kind, run->options, dp5 ? "tol" : "step", option, error), CAROM_OK);
    run->stepper = carom_stepper_create(scheme, model, run->options, &run->scales, NULL, error);
    if (!run->stepper)
        return false;
    run->state = carom_state_create(model, carom_stepper_memory(scheme, model, run->options));
    run->view = carom_state_create(model, 0);
    CHECK_OR_STOP(run->state != NULL && run->view != NULL);
    memcpy(run->state->q, q, model->nq * sizeof *q);
    memcpy(run->state->v, v, model->nv * sizeof *v);
    carom_model_impose(model, 0.0, run->state->q, run->state->v);
    struct carom_ledger ledger;
    carom_state_view(run->view, run->state);
    carom_balance_read(model, run->view, NULL, &ledger);
    run->state->energy = ledger.kinetic + ledger.stored;
    if (scheme->start)
        CHECK_STATUS(scheme->start(run->stepper, run->state, error), CAROM_OK);
    return true;
}

static inline enum carom_status rig_go(struct rig_run *run, double until, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_until(run->state, until) > 0.0) {
        const struct carom_bound bound = {
            .t_stop = rig_stop(run->model, run->state, until), .t_dense = HUGE_VAL, .steps = 1000};
        status = run->stepper->scheme->step(run->stepper, run->state, &bound, error);
    }
    if (status == CAROM_OK)
        run->stepper->scheme->sync(run->stepper, run->state, run->view);
    return status;
}

#endif
