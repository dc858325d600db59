/* Steps of theta and irk that adapt: errors fall with the mean step as with fixed steps and are no larger for as many
 * steps, sizes are powers of two and held, a restart is exact to the bit, and no step passes its bound. */
#include "chain.h"

static struct chain chain; /* too large for the stack */

enum { TIMES = 24 };
static const double until = 12.0;

struct options {
    double step, adapt;
};

/* five beads, the first strikes, everything breaks apart in the end */
static void describe(double gamma)
{
    const double param[4] = {1.0, gamma};
    chain_uniform(&chain, 5, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    chain.mass[2] = 0.7;
    chain.v[0] = 1.0;
}

static void open_trial(struct trial *t, const struct carom_scheme *scheme, double step, double adapt)
{
    CHECK_OR_STOP(trial_open(t, &chain, scheme, step, NULL));
    ((struct options *)t->options)->adapt = adapt;
    carom_stepper_free(t->stepper); /* irk looks at its options when it is opened */
    t->stepper = carom_stepper_create(scheme, t->model, t->options, &t->scales, NULL, NULL);
    CHECK_OR_STOP(t->stepper != NULL);
}

/* displacements and velocities at TIMES times by dense output; the number of steps */
static double fly(const struct carom_scheme *scheme, double step, double adapt, double *out)
{
    struct trial t;
    if (scheme == &carom_scheme_dp5)
        CHECK_OR_STOP(trial_open(&t, &chain, scheme, 1e-11, NULL));
    else
        open_trial(&t, scheme, step, adapt);
    for (size_t k = 0; k < TIMES; k++) {
        const double at = until * (double)(k + 1) / TIMES;
        const struct carom_bound bound = {.t_stop = until, .t_dense = at, .steps = SIZE_MAX};
        while (carom_state_until(t.state, at) > 0.0)
            CHECK_STATUS(scheme->step(t.stepper, t.state, &bound, NULL), CAROM_OK);
        if (carom_state_until(t.state, at) < 0.0)
            scheme->dense(t.stepper, t.state, at, t.view);
        else
            scheme->sync(t.stepper, t.state, t.view);
        memcpy(out + 10 * k, t.view->q, 5 * sizeof(double));
        memcpy(out + 10 * k + 5, t.view->v, 5 * sizeof(double));
    }
    const double steps = (double)t.stepper->counts.steps;
    CHECK(t.state->time == until);
    trial_close(&t);
    return steps;
}

static double distance(const double *a, const double *b)
{
    double worst = 0.0;
    for (size_t i = 0; i < 10 * TIMES; i++)
        worst = fmax(worst, fabs(a[i] - b[i]));
    return worst;
}

/* `most`: how much worse than with as many equal steps; the errors of third order swing with the step */
static void check_order(const struct carom_scheme *scheme, double gamma, double least, double most)
{
    static double exact[10 * TIMES], got[10 * TIMES];
    double error[2], steps[2];
    describe(gamma);
    fly(&carom_scheme_dp5, 0.0, 0.0, exact);
    for (int i = 0; i < 2; i++) {
        steps[i] = fly(scheme, 1.0, i == 0 ? 1e-2 : 1e-7, got);
        error[i] = distance(got, exact);
    }
    fly(scheme, until / ceil(steps[1]), 0.0, got);
    const double order = log(error[0] / error[1]) / log(steps[1] / steps[0]), fixed = distance(got, exact);
    printf("%s, gamma = %g: %g and %g steps, errors %.1e and %.1e, order %.2f; as many equal steps: %.1e\n",
           scheme->kind.name, gamma, steps[0], steps[1], error[0], error[1], order, fixed);
    CHECK(order > least);
    CHECK(error[1] < most * fixed);
}

/* sizes are step / 2^k, change seldom, and grow again when all fly apart */
static void check_sizes(const struct carom_scheme *scheme)
{
    struct trial t;
    describe(0.02);
    open_trial(&t, scheme, 1.0, 1e-4);
    double last = 0.0, smallest = 1.0, size = 0.0;
    unsigned changes = 0;
    const struct carom_bound bound = {.t_stop = 60.0, .t_dense = HUGE_VAL, .steps = 1};
    while (t.state->time < 50.0) {
        const double before = t.state->time;
        CHECK_STATUS(scheme->step(t.stepper, t.state, &bound, NULL), CAROM_OK);
        size = t.state->time - before;
        const double power = log2(size);
        CHECK(fabs(power - rint(power)) < 1e-6 && size <= 1.0 + 1e-12);
        changes += last > 0.0 && fabs(size - last) > 1e-9;
        smallest = fmin(smallest, size);
        last = size;
    }
    CHECK(smallest < 0.2 && size > 0.9);
    CHECK(changes > 4 && changes * 5 < t.stepper->counts.steps);
    trial_close(&t);
}

/* stopped anywhere and continued by a new stepper */
static void check_restart(const struct carom_scheme *scheme)
{
    for (size_t stop = 1; stop < 60; stop += 7) {
        struct trial whole, first, second;
        describe(0.05);
        open_trial(&whole, scheme, 0.5, 1e-4);
        open_trial(&first, scheme, 0.5, 1e-4);
        open_trial(&second, scheme, 0.5, 1e-4);
        struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = SIZE_MAX};
        CHECK_STATUS(scheme->step(whole.stepper, whole.state, &bound, NULL), CAROM_OK);
        bound.steps = stop;
        CHECK_STATUS(scheme->step(first.stepper, first.state, &bound, NULL), CAROM_OK);
        carom_state_copy(second.state, first.state);
        bound.steps = SIZE_MAX;
        CHECK_STATUS(scheme->step(second.stepper, second.state, &bound, NULL), CAROM_OK);
        CHECK(carom_state_hash(second.state) == carom_state_hash(whole.state));
        trial_close(&whole);
        trial_close(&first);
        trial_close(&second);
    }
}

/* what cannot be is said, and the state stays */
static void check_failure(const struct carom_scheme *scheme)
{
    struct trial t;
    struct carom_error error = {CAROM_OK, ""};
    describe(0.05);
    open_trial(&t, scheme, 0.5, 1e-4);
    t.state->v[1] = nan("");
    const uint64_t hash = carom_state_hash(t.state);
    const struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = 3};
    CHECK_STATUS(scheme->step(t.stepper, t.state, &bound, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, scheme->kind.name);
    CHECK(carom_state_hash(t.state) == hash);
    trial_close(&t);
}

int main(void)
{
    check_order(&carom_scheme_theta, 0.0, 1.9, 0.6);
    check_order(&carom_scheme_irk, 0.0, 2.1, 4.0); /* contacts break: 5/2 */
    check_order(&carom_scheme_irk, 0.02, 2.2, 0.1);
    const struct carom_scheme *const schemes[] = {&carom_scheme_theta, &carom_scheme_irk};
    for (size_t i = 0; i < 2; i++) {
        check_sizes(schemes[i]);
        check_restart(schemes[i]);
        check_failure(schemes[i]);
    }
    return check_end();
}
