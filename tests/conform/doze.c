/* dp5 with `doze`: behind a solitary wave beads hardly move but never quite separate; they may rest, the error that
 * this makes is within what was promised, and a restart goes on to the same bits. Damped, it changes nothing that
 * counts. */
#include "chain.h"

static struct chain chain; /* too large for the stack */

struct options {
    double tol, share;
    bool window, doze;
};

enum { MODES = 3, BEADS = 400 }; /* what dp5 keeps before the modes of contacts and the times beads fell asleep */

static const double tol = 1e-3, share = 1e-4;

static void open_trial(struct trial *t, bool doze)
{
    CHECK_OR_STOP(trial_open(t, &chain, &carom_scheme_dp5, tol, NULL));
    struct options *o = t->options;
    o->share = share;
    o->doze = doze;
    CHECK_STATUS(carom_scheme_dp5.start(t->stepper, t->state, NULL), CAROM_OK);
}

static size_t awake(const struct trial *t)
{
    const double *since = t->state->memory + MODES + t->model->nc;
    size_t count = 0;
    for (size_t i = 0; i < t->model->nq; i++)
        count += since[i] < 0.0;
    return count;
}

static void compare(double gamma, double until, size_t most, size_t least)
{
    const double param[4] = {1.0, gamma};
    struct trial doze, alert;
    chain_uniform(&chain, BEADS, false, false, gamma > 0.0 ? &carom_law_kuwabara_kono : &carom_law_hertz, CAROM_END_GAP,
                  param);
    chain.v[0] = 1.0;
    open_trial(&doze, true);
    open_trial(&alert, false);
    CHECK_STATUS(trial_run(&doze, until, NULL), CAROM_OK);
    CHECK_STATUS(trial_run(&alert, until, NULL), CAROM_OK);
    double worst = 0.0;
    for (size_t i = 0; i < BEADS; i++) {
        worst = fmax(worst, fabs(doze.view->q[i] - alert.view->q[i]) / doze.scales.length);
        worst = fmax(worst, fabs(doze.view->v[i] - alert.view->v[i]) / doze.scales.speed);
    }
    printf("gamma = %g: %zu beads awake, %zu without doze, %.1e apart\n", gamma, awake(&doze), awake(&alert), worst);
    CHECK(awake(&doze) <= most && awake(&alert) >= least);
    CHECK(worst < 0.1 * tol);
    CHECK_NEAR(trial_ledger(&doze).residual, trial_ledger(&alert).residual, 0.01 * tol);
    trial_close(&doze);
    trial_close(&alert);
}

static void restore(double until)
{
    struct trial whole, first, second;
    open_trial(&whole, true);
    open_trial(&first, true);
    open_trial(&second, true);
    struct carom_bound bound = {.t_stop = until, .t_dense = HUGE_VAL, .steps = SIZE_MAX};
    CHECK_STATUS(carom_scheme_dp5.step(whole.stepper, whole.state, &bound, NULL), CAROM_OK);
    bound.steps = (size_t)whole.state->step / 2;
    CHECK_STATUS(carom_scheme_dp5.step(first.stepper, first.state, &bound, NULL), CAROM_OK);
    carom_state_copy(second.state, first.state);
    bound.steps = SIZE_MAX;
    CHECK_STATUS(carom_scheme_dp5.step(second.stepper, second.state, &bound, NULL), CAROM_OK);
    CHECK(carom_state_hash(second.state) == carom_state_hash(whole.state));
    trial_close(&whole);
    trial_close(&first);
    trial_close(&second);
}

int main(void)
{
    compare(0.0, 400.0, 60, 200);
    restore(100.0);
    compare(0.05, 400.0, BEADS, 1);
    return check_end();
}
