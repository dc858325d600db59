/* Every registered scheme keeps what scheme.h promises: never past t_stop, as many steps as allowed and no more, a
 * failure leaves the state, a copied state goes on with the same bits, looking changes nothing, dense output meets both
 * ends of a step and has its order between. */
#include "chain.h"

static struct chain chain; /* too large for the stack */

struct setting {
    const struct carom_scheme *scheme;
    double value; /* step or tolerance */
};

static bool is_adaptive(const struct carom_scheme *scheme)
{
    return strcmp(scheme->kind.params[0].name, "tol") == 0;
}

static struct setting setting_of(const struct carom_scheme *scheme)
{
    return (struct setting){scheme, is_adaptive(scheme) ? 1e-7 : 0.037};
}

/* Chains with all that schemes must handle; false when there are no more. */
static bool make_chain(int which)
{
    const double damped[4] = {1.0, 0.05}, stiff[4] = {9.0, 0.15}, power[4] = {1.3, 2.0, 0.1, 2.0}, hertz[4] = {1.0},
                 mixed[4] = {9.0, 1.5, 0.1, 1.4};
    switch (which) {
    case 0: /* undamped, gaps and a wall */
        chain_uniform(&chain, 7, false, true, &carom_law_hertz, CAROM_END_GAP, hertz);
        chain.gap[2] = 0.1;
        break;
    case 1: /* damped, both walls */
        chain_uniform(&chain, 6, true, true, &carom_law_kuwabara_kono, CAROM_END_GAP, damped);
        break;
    case 2: /* cradle */
        chain_uniform(&chain, 5, false, false, &carom_law_power, CAROM_END_GAP, power);
        for (size_t i = 0; i < chain.n; i++)
            chain.spring[i] = 0.1;
        break;
    case 3: /* ended by force, two laws */
        chain_uniform(&chain, 6, false, true, &carom_law_kuwabara_kono, CAROM_END_FORCE, stiff);
        chain.law[3] = &carom_law_power;
        memcpy(chain.param[3], mixed, sizeof mixed);
        break;
    case 4: /* one bead, no contact */
        chain_uniform(&chain, 1, false, false, &carom_law_hertz, CAROM_END_GAP, hertz);
        break;
    case 5: /* contacts that latch, and one that does not */
        chain_uniform(&chain, 6, false, true, &carom_law_kuwabara_kono, CAROM_END_LATCH, stiff);
        chain.law[3] = &carom_law_power;
        memcpy(chain.param[3], mixed, sizeof mixed);
        chain.ending[4] = CAROM_END_GAP;
        break;
    default:
        return false;
    }
    chain.mass[0] = which == 3 || which == 5 ? 0.4 : 1.7; /* a light striker bounces back */
    chain.v[0] = 1.0;
    return true;
}

static bool open_trial(struct trial *trial, struct setting setting)
{
    struct carom_error error = {.status = CAROM_OK};
    if (trial_open(trial, &chain, setting.scheme, setting.value, &error))
        return true;
    CHECK(error.status == CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, setting.scheme->kind.name);
    return false;
}

static void check_bounds(struct setting setting, struct carom_random *random)
{
    struct trial trial;
    if (!open_trial(&trial, setting))
        return;
    double stop = 0.0;
    while (stop < 6.0) {
        stop += 0.5 * carom_random_uniform(random);
        int calls = 0;
        while (carom_state_until(trial.state, stop) > 0.0 && calls++ < 100000) {
            const struct carom_bound bound = {.t_stop = stop, .t_dense = HUGE_VAL, .steps = 3};
            const uint64_t before = trial.state->step;
            const double left = carom_state_until(trial.state, stop);
            CHECK_STATUS(setting.scheme->step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
            CHECK(trial.state->step > before && trial.state->step <= before + 3);
            CHECK(carom_state_until(trial.state, stop) >= 0.0 && carom_state_until(trial.state, stop) < left);
        }
        CHECK(trial.state->time == stop && trial.state->time_low == 0.0);
    }
    /* it stops after the step that reaches t_dense, and not before */
    const double dense = stop + 0.9;
    const struct carom_bound bound = {.t_stop = stop + 50.0, .t_dense = dense, .steps = 1000000};
    CHECK_STATUS(setting.scheme->step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
    CHECK(carom_state_until(trial.state, dense) <= 0.0 && carom_state_until(trial.stepper->before, dense) > 0.0);
    CHECK(trial.stepper->counts.steps == trial.state->step);
    trial_close(&trial);
}

/* With `watch` a call ends after each step that opened or closed a contact: none is missed. */
static void check_watch(struct setting setting)
{
    struct trial trial;
    if (!open_trial(&trial, setting))
        return;
    double *deform = trial.scratch, *after = trial.scratch + trial.model->nc;
    while (carom_state_until(trial.state, 5.0) > 0.0) {
        const struct carom_bound bound = {.t_stop = 5.0, .t_dense = HUGE_VAL, .steps = 1000000, .watch = true};
        const uint64_t steps = trial.state->step;
        CHECK_STATUS(setting.scheme->step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
        carom_contacts_deform(trial.model, 0.0, trial.stepper->before->q, NULL, deform, NULL);
        carom_contacts_deform(trial.model, 0.0, trial.state->q, NULL, after, NULL);
        bool changed = false;
        for (size_t j = 0; j < trial.model->nc; j++)
            changed |= (deform[j] > 0.0) != (after[j] > 0.0);
        CHECK(!changed || trial.stepper->switched);
        CHECK(trial.stepper->switched || carom_state_until(trial.state, 5.0) <= 0.0);
        CHECK(trial.state->step > steps);
    }
    trial_close(&trial);
}

static void check_failure(struct setting setting)
{
    struct trial trial;
    if (!open_trial(&trial, setting))
        return;
    CHECK_STATUS(trial_run(&trial, 1.0, NULL), CAROM_OK);
    trial.state->v[trial.model->nv / 2] = nan("");
    const uint64_t hash = carom_state_hash(trial.state);
    const struct carom_bound bound = {.t_stop = 2.0, .t_dense = HUGE_VAL, .steps = 10};
    struct carom_error error = {.status = CAROM_OK};
    CHECK_STATUS(setting.scheme->step(trial.stepper, trial.state, &bound, &error), CAROM_E_NUMERIC);
    CHECK(carom_state_hash(trial.state) == hash);
    CHECK(error.text[0] != '\0');
    trial_close(&trial);
}

/* Another stepper, given a copy of the state in the middle of a run, ends with the same bits. */
static void check_restart(struct setting setting)
{
    struct trial trial, other;
    if (!open_trial(&trial, setting))
        return;
    CHECK(open_trial(&other, setting));
    const struct carom_bound few = {.t_stop = 4.0, .t_dense = HUGE_VAL, .steps = 17},
                             bound = {.t_stop = 4.0, .t_dense = HUGE_VAL, .steps = 10000};
    for (int i = 0; i < 3 && carom_state_until(trial.state, 4.0) > 0.0; i++) {
        CHECK_STATUS(setting.scheme->step(trial.stepper, trial.state, &few, NULL), CAROM_OK);
        carom_state_copy(other.state, trial.state);
        while (carom_state_until(other.state, 4.0) > 0.0)
            CHECK_STATUS(setting.scheme->step(other.stepper, other.state, &bound, NULL), CAROM_OK);
    }
    while (carom_state_until(trial.state, 4.0) > 0.0)
        CHECK_STATUS(setting.scheme->step(trial.stepper, trial.state, &few, NULL), CAROM_OK);
    CHECK(carom_state_hash(trial.state) == carom_state_hash(other.state));
    CHECK(trial.state->step == other.state->step && trial.state->step > 0);
    trial_close(&trial);
    trial_close(&other);
}

static void check_same_view(const struct carom_state *a, const struct carom_state *b, double tolerance)
{
    CHECK_NEAR(a->time + a->time_low, b->time + b->time_low, 1e-15 * fabs(a->time));
    CHECK(a->energy == b->energy && a->n == b->n);
    for (size_t i = 0; i < a->n; i++)
        CHECK_NEAR(a->data[i], b->data[i], tolerance);
}

/* sync and dense are looks: the same bits with and without. Dense output meets the states at both ends, and between
 * them the ledger closes, too. */
static void check_looks(struct setting setting)
{
    struct trial trial, quiet;
    if (!open_trial(&trial, setting))
        return;
    CHECK(open_trial(&quiet, setting));
    const struct carom_bound bound = {.t_stop = 4.0, .t_dense = HUGE_VAL, .steps = 1};
    struct carom_state *other = carom_state_create(trial.model, 0);
    CHECK_OR_STOP(other != NULL);
    const struct carom_scheme *scheme = setting.scheme;
    double worst = 0.0;
    while (carom_state_until(trial.state, 4.0) > 0.0) {
        CHECK_STATUS(scheme->step(quiet.stepper, quiet.state, &bound, NULL), CAROM_OK);
        CHECK_STATUS(scheme->step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
        const uint64_t hash = carom_state_hash(trial.state), earlier = carom_state_hash(trial.stepper->before);
        const double t0 = trial.stepper->before->time, t1 = trial.state->time;
        scheme->sync(trial.stepper, trial.stepper->before, trial.view);
        scheme->dense(trial.stepper, trial.state, t0, other);
        other->step = trial.view->step;
        check_same_view(other, trial.view, 2e-14);
        scheme->dense(trial.stepper, trial.state, t0 + 0.4 * (t1 - t0), trial.view);
        worst = fmax(worst, fabs(trial_ledger(&trial).residual));
        scheme->sync(trial.stepper, trial.state, trial.view);
        scheme->dense(trial.stepper, trial.state, t1, other);
        check_same_view(other, trial.view, 2e-14);
        CHECK(carom_state_hash(trial.state) == hash && carom_state_hash(trial.stepper->before) == earlier);
    }
    CHECK(carom_state_hash(trial.state) == carom_state_hash(quiet.state));
    printf("%s: between steps the ledger closes to %.1e\n", scheme->kind.name, worst);
    CHECK(worst < (is_adaptive(scheme) ? 2e-5 : 0.01));
    CHECK(!trial.model->clipped || trial_ledger(&trial).clipped > 1e-4);
    carom_state_free(other);
    trial_close(&trial);
    trial_close(&quiet);
}

/* Largest errors of dense output inside one step of h from a compressed start, all of it smooth. */
struct dense_error {
    double q, v;
};

static struct dense_error dense_error(const struct carom_scheme *scheme, double h)
{
    struct trial trial, exact;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, is_adaptive(scheme) ? 0.1 : h, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-14, NULL));
    const struct carom_bound bound = {.t_stop = h, .t_dense = HUGE_VAL, .steps = 1};
    CHECK_STATUS(scheme->step(trial.stepper, trial.state, &bound, NULL), CAROM_OK);
    CHECK(trial.state->time == h); /* else the step was not h, and this measures nothing */
    struct dense_error worst = {0.0, 0.0};
    for (int i = 1; i < 8; i++) {
        scheme->dense(trial.stepper, trial.state, h * i / 8.0, trial.view);
        CHECK_STATUS(trial_run(&exact, h * i / 8.0, NULL), CAROM_OK);
        for (size_t k = 0; k < chain.n; k++) {
            worst.q = fmax(worst.q, fabs(trial.view->q[k] - exact.view->q[k]));
            worst.v = fmax(worst.v, fabs(trial.view->v[k] - exact.view->v[k]));
        }
    }
    trial_close(&trial);
    trial_close(&exact);
    return worst;
}

/* Within one step displacements are off by one power of h more than the order says, velocities by no power less. */
static void check_dense_order(const struct carom_scheme *scheme)
{
    const double hertz[4] = {1.0};
    chain_uniform(&chain, 5, true, true, &carom_law_hertz, CAROM_END_GAP, hertz);
    for (size_t i = 0; i < chain.n; i++) {
        chain.q[i] = i == 1 ? 0.3 : i == 3 ? -0.1 : 0.0;
        chain.v[i] = (i % 2 == 0 ? 0.2 : -0.1) + 0.03 * (double)i;
    }
    for (size_t j = 0; j < chain.nc; j++)
        chain.gap[j] = -1.0; /* compressed by 1: no contact opens */
    const struct dense_error coarse = dense_error(scheme, 0.08), fine = dense_error(scheme, 0.04);
    const double order = log2(coarse.q / fine.q), order_v = log2(coarse.v / fine.v);
    printf("%s: dense output of a step of 0.08 is off by %.2g and %.2g, orders %.2f and %.2f\n", scheme->kind.name,
           coarse.q, coarse.v, order, order_v);
    CHECK(order > scheme->dense_order + 0.7);
    CHECK(order_v > scheme->dense_order - 0.3);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    size_t count = 0;
    for (; carom_kinds_schemes[count]; count++) {
        if (carom_kinds_schemes[count] == &carom_scheme_rattle)
            continue; /* solids only: conform/solid.c */
        if (carom_kinds_schemes[count]->needs & CAROM_RIGID)
            continue; /* rigid contacts only: conform/rigid.c, property/event.c */
        const struct setting setting = setting_of(carom_kinds_schemes[count]);
        CHECK(setting.scheme->order > 0 && setting.scheme->dense_order > 0);
        for (int which = 0; make_chain(which); which++) {
            check_bounds(setting, &random);
            check_watch(setting);
            check_failure(setting);
            check_restart(setting);
            check_looks(setting);
        }
        if (strcmp(setting.scheme->kind.name, "cvode") != 0) /* which is as exact between steps as at their ends */
            check_dense_order(setting.scheme);
    }
    CHECK(count >= 3);
    return check_end();
}
