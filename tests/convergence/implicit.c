/* Orders of cn, cn-reg, energy-momentum, gl and gl-reg: James, Vorotnikov and Brogliato 2020, figures 2 and 3, against
 * the reference motion of tests/reference; the floor that rounding leaves; laws and endings beyond the paper. Errors
 * are sup norms over beads and stored times, displacements and velocities together. */
#include "carom/scheme.h"
#include "chain.h"
#include "reference/table.h"

static struct chain chain; /* too large for the stack */
static struct reference_table table;

struct result {
    double error, ledger, momentum;
};

static double momentum_of(const double *v)
{
    double sum = 0.0;
    for (size_t i = 0; i < chain.n; i++)
        sum += chain.mass[i] * v[i];
    return sum;
}

/* `parts` steps between two stored times */
static struct result run(const struct carom_scheme *scheme, int parts)
{
    struct result result = {0};
    struct trial trial;
    chain_from_case(&chain, table.from);
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, table.time[0] / parts, NULL));
    for (int i = 0; i < table.from->samples; i++) {
        CHECK_STATUS(trial_run(&trial, table.time[i], NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++)
            result.error = fmax(result.error, fabs(trial.view->data[k] - table.value[i][k]));
        result.ledger = fmax(result.ledger, fabs(trial_ledger(&trial).residual));
    }
    result.momentum = fabs(momentum_of(trial.view->v) - momentum_of(chain.v));
    trial_close(&trial);
    return result;
}

/* The worst of some neighbouring step sizes: where contacts change the error depends on how they fall into steps. */
static struct result worst(const struct carom_scheme *scheme, int parts, int tries)
{
    struct result worst = {0};
    for (int i = 0; i < tries; i++) {
        const struct result one = run(scheme, parts + i * (parts / (3 * tries) + 1));
        worst.error = fmax(worst.error, one.error);
        worst.ledger = fmax(worst.ledger, one.ledger);
        worst.momentum = fmax(worst.momentum, one.momentum);
    }
    return worst;
}

/* Order between `coarse` and `fine` steps to a stored interval, both as envelopes over `tries` sizes. */
static void check_order(const char *name, const struct carom_scheme *scheme, int coarse, int fine, int tries,
                        double order, double allowed, double ledger)
{
    CHECK_OR_STOP(reference_table_open(&table, reference_case_find(name)));
    const struct result a = worst(scheme, coarse, tries), b = worst(scheme, fine, tries);
    const double span = log((double)fine / coarse), observed = log(a.error / b.error) / span;
    const double balance = log(a.ledger / b.ledger) / span;
    printf("%-7s %-7s step %.1e: error %.1e, ledger %.1e; step %.1e: %.1e, %.1e; orders %.2f, %.2f\n", name,
           scheme->kind.name, table.time[0] / coarse, a.error, a.ledger, table.time[0] / fine, b.error, b.ledger,
           observed, balance);
    CHECK_NEAR(observed, order, allowed);
    CHECK(balance > ledger || b.ledger < 1e-14);
    if (!chain.left_wall && !chain.right_wall && chain.spring[0] == 0.0)
        CHECK(b.momentum < 1e-14);
}

/* Figure 3: all contacts stay closed. The reference is dp5 at its tightest. */
static double smooth_error(const struct carom_scheme *scheme, double h, double *ledger, double *solves)
{
    static const double x[3] = {0.9, 0.2, 0.0}, v[3] = {0.7, 0.6, 0.02};
    struct trial trial, exact;
    chain_from_case(&chain, reference_case_find("trimer"));
    memcpy(chain.q, x, sizeof x);
    memcpy(chain.v, v, sizeof v);
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, h, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-14, NULL));
    double worst_error = *ledger = 0.0;
    for (int i = 1; i * h < 1.5 + 1e-9; i++) {
        CHECK_STATUS(trial_run(&trial, i * h, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&exact, i * h, NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++)
            worst_error = fmax(worst_error, fabs(trial.view->data[k] - exact.view->data[k]));
        *ledger = fmax(*ledger, fabs(trial_ledger(&trial).residual));
    }
    *solves = (double)trial.stepper->counts.iterations / (double)trial.stepper->counts.steps;
    trial_close(&trial);
    trial_close(&exact);
    return worst_error;
}

static void check_smooth(const struct carom_scheme *scheme, double order)
{
    double ledger_coarse, ledger_fine, solves;
    const double coarse = smooth_error(scheme, 0.05, &ledger_coarse, &solves),
                 fine = smooth_error(scheme, 0.0125, &ledger_fine, &solves);
    const double observed = log2(coarse / fine) / 2.0, balance = log2(ledger_coarse / ledger_fine) / 2.0;
    printf("figure 3 %-7s: %.1e at 0.05, %.1e at 0.0125; orders %.2f, ledger %.2f; %.2f solves\n", scheme->kind.name,
           coarse, fine, observed, balance, solves);
    CHECK_NEAR(observed, order, 0.05);
    if (scheme != &carom_scheme_energy_momentum)
        CHECK_NEAR(balance, order, 0.1);
    else
        CHECK(ledger_coarse < 2e-15 && ledger_fine < 2e-15);
    CHECK(solves < 2.2); /* Newton's matrix is the true one */
}

/* Figure 2's floor: with compensated updates rounding does not gather. */
static void check_floor(void)
{
    CHECK_OR_STOP(reference_table_open(&table, reference_case_find("trimer")));
    const struct result result = run(&carom_scheme_gl_reg, 31250);
    printf("trimer  gl-reg  step 8e-6: error %.1e, ledger %.1e, momentum %.1e\n", result.error, result.ledger,
           result.momentum);
    CHECK(result.error < 1e-14);
    CHECK(result.ledger < 2e-14);
    CHECK(result.momentum < 1e-15);
}

/* What must be refused, in words. */
static void check_refusals(void)
{
    const double dashpot[4] = {1.0, 1.5, 0.1, 1.0}, damped[4] = {1.0, 0.1};
    struct carom_error error = {.status = CAROM_OK};
    struct trial trial;
    chain_uniform(&chain, 3, false, false, &carom_law_power, CAROM_END_GAP, dashpot);
    chain.v[0] = 1.0;
    CHECK(!trial_open(&trial, &chain, &carom_scheme_gl, 0.1, &error));
    CHECK_CONTAINS(error.text, "jump at touch");
    CHECK(!trial_open(&trial, &chain, &carom_scheme_irk, 0.1, &error));
    CHECK_CONTAINS(error.text, "viscous time");
    CHECK(!trial_open(&trial, &chain, &carom_scheme_rk2, 0.1, &error));
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_gl_reg, 0.1, &error)); /* its impulse does not jump */
    CHECK_STATUS(trial_run(&trial, 5.0, &error), CAROM_OK);
    trial_close(&trial);
    chain_uniform(&chain, 3, false, false, &carom_law_kuwabara_kono, CAROM_END_FORCE, damped);
    chain.v[0] = 1.0;
    CHECK(!trial_open(&trial, &chain, &carom_scheme_gl_reg, 0.1, &error));
    CHECK_CONTAINS(error.text, "contact_end: gap");
    CHECK(!trial_open(&trial, &chain, &carom_scheme_cn_reg, 0.1, &error));
    CHECK(!trial_open(&trial, &chain, &carom_scheme_energy_momentum, 0.1, &error));
    CHECK_CONTAINS(error.text, "contact_end: gap");
    CHECK(!trial_open(&trial, &chain, &carom_scheme_irk, 0.1, &error));
}

int main(void)
{
    check_order("trimer", &carom_scheme_cn, 250, 2500, 6, 1.5, 0.15, 1.9);
    check_order("trimer", &carom_scheme_cn_reg, 10, 80, 1, 2.0, 0.05, 1.9);
    check_order("trimer", &carom_scheme_energy_momentum, 10, 80, 1, 2.0, 0.05, 1.9);
    check_order("trimer", &carom_scheme_gl, 50, 1000, 12, 1.5, 0.2, 2.2);
    check_order("trimer", &carom_scheme_gl_reg, 20, 400, 12, 2.5, 0.2, 2.3);
    check_smooth(&carom_scheme_cn, 2.0);
    check_smooth(&carom_scheme_cn_reg, 2.0);
    check_smooth(&carom_scheme_energy_momentum, 2.0);
    check_smooth(&carom_scheme_gl, 4.0);
    check_smooth(&carom_scheme_gl_reg, 4.0);
    check_floor();
    /* chains beyond the paper: springs, walls and gaps, other exponents (no viscous time), ends by force */
    check_order("cradle", &carom_scheme_cn_reg, 80, 640, 1, 2.0, 0.1, 1.9);
    check_order("cradle", &carom_scheme_energy_momentum, 80, 640, 1, 2.0, 0.1, 1.9);
    check_order("cradle", &carom_scheme_gl_reg, 40, 320, 8, 2.5, 0.3, 2.2);
    check_order("gaps", &carom_scheme_cn_reg, 40, 320, 1, 2.0, 0.1, 1.9);
    check_order("gaps", &carom_scheme_energy_momentum, 40, 320, 1, 2.0, 0.1, 1.9);
    check_order("gaps", &carom_scheme_gl_reg, 20, 400, 16, 2.5, 0.3, 2.2);
    check_order("power", &carom_scheme_cn_reg, 40, 320, 1, 2.0, 0.1, 1.9);
    check_order("power", &carom_scheme_energy_momentum, 40, 320, 1, 2.0, 0.1, 1.9);
    check_order("power", &carom_scheme_gl_reg, 20, 160, 8, 3.0, 0.4, 2.5);
    check_order("hertz", &carom_scheme_gl_reg, 20, 160, 8, 2.5, 0.3, 2.2);
    check_order("force", &carom_scheme_cn, 100, 800, 6, 1.7, 0.4, 1.2);
    check_order("force", &carom_scheme_gl, 100, 800, 6, 1.7, 0.4, 1.2);
    check_refusals();
    return check_end();
}
