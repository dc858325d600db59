/* Observed orders of the schemes against the reference motions of tests/reference, and what dp5 makes of its tolerance.
 * Errors are sup norms over beads and stored times, displacements and velocities together. */
#include "chain.h"
#include "reference/table.h"

static struct chain chain; /* too large for the stack */
static struct reference_table table;

struct result {
    double error;  /* sup over x and v */
    double scaled; /* the same relative to the scales U and V */
    double ledger; /* largest residual over the energy at the start */
};

static struct result run(const struct carom_scheme *scheme, double setting)
{
    struct result result = {0};
    struct trial trial;
    chain_from_case(&chain, table.from);
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, setting, NULL));
    for (int i = 0; i < table.from->samples; i++) {
        CHECK_STATUS(trial_run(&trial, table.time[i], NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++) {
            const double error = fabs(trial.view->data[k] - table.value[i][k]);
            result.error = fmax(result.error, error);
            result.scaled = fmax(result.scaled, error / (k < chain.n ? trial.scales.length : trial.scales.speed));
        }
        result.ledger = fmax(result.ledger, fabs(trial_ledger(&trial).residual) / trial.state->energy);
    }
    trial_close(&trial);
    return result;
}

/* Errors at step, step/2, step/4, step/8: the order is the slope over all, which evens out where a contact changes
 * inside a step. */
static void check_order(const char *name, const struct carom_scheme *scheme, double step, double order)
{
    CHECK_OR_STOP(reference_table_open(&table, reference_case_find(name)));
    const struct result coarse = run(scheme, step), fine = run(scheme, step / 8.0);
    const double observed = log2(coarse.error / fine.error) / 3.0, ledger = log2(coarse.ledger / fine.ledger) / 3.0;
    printf("%-7s %-7s step %.4f: error %.1e, ledger %.1e; step/8: %.1e, %.1e; orders %.2f, %.2f\n", name,
           scheme->kind.name, step, coarse.error, coarse.ledger, fine.error, fine.ledger, observed, ledger);
    CHECK_NEAR(observed, order, 0.08);
    CHECK_NEAR(ledger, order, 0.15);
}

/* theta reproduces viscosity to second order while gamma goes to zero with the step: gamma = h. Reference: dp5, which
 * check_tolerance ties to the tables. Displacements and velocities at every step. */
static double tailored_error(const char *name, bool loaded, double h)
{
    struct trial trial, exact;
    chain_from_case(&chain, reference_case_find(name));
    for (size_t j = 0; loaded && j < chain.nc; j++)
        chain.gap[j] = -0.2;
    for (size_t j = 0; j < chain.nc; j++)
        chain.param[j][1] = h;
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_theta, h, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-11, NULL));
    double worst = 0.0;
    for (int i = 1; i * h <= 5.0; i++) {
        CHECK_STATUS(trial_run(&trial, i * h, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&exact, i * h, NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++)
            worst = fmax(worst, fabs(trial.view->data[k] - exact.view->data[k]));
    }
    trial_close(&trial);
    trial_close(&exact);
    return worst;
}

static void check_tailored(const char *name, bool loaded)
{
    const double coarse = tailored_error(name, loaded, 0.004), fine = tailored_error(name, loaded, 0.0005);
    const double observed = log2(coarse / fine) / 3.0;
    printf("%-7s theta   gamma = step%s: %.1e at 0.004, %.1e at 0.0005; order %.2f\n", name,
           loaded ? ", loaded at the start" : "", coarse, fine, observed);
    CHECK_NEAR(observed, 2.0, 0.06);
}

/* At a fixed gamma the error of theta levels off; James et al. 2020, table 1 (dimer, eps = 0.59, gamma = 0.06,
 * h = 0.1): 0.0217 in displacement and 0.0121 in velocity, in sup norm over all steps to t = 30. */
static void check_table_1(void)
{
    struct trial trial, exact;
    chain_from_case(&chain, reference_case_find("dimer"));
    for (size_t i = 1; i < chain.n; i += 2)
        chain.mass[i] = 0.59;
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_theta, 0.1, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-10, NULL));
    double x = 0.0, v = 0.0;
    for (int i = 1; i <= 300; i++) {
        CHECK_STATUS(trial_run(&trial, i * 0.1, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&exact, i * 0.1, NULL), CAROM_OK);
        for (size_t k = 0; k < chain.n; k++) {
            x = fmax(x, fabs(trial.view->q[k] - exact.view->q[k]));
            v = fmax(v, fabs(trial.view->v[k] - exact.view->v[k]));
        }
    }
    printf("table 1: theta h = 0.1 is off by %.5f and %.5f (published 0.0217, 0.0121)\n", x, v);
    CHECK_NEAR(x, 0.0217, 1e-4);
    CHECK_NEAR(v, 0.0121, 1e-4);
    trial_close(&trial);
    trial_close(&exact);
}

/* dp5: the error follows the tolerance, within a factor that local errors gather over a run, down to rounding. */
static void check_tolerance(const char *name)
{
    CHECK_OR_STOP(reference_table_open(&table, reference_case_find(name)));
    double before = HUGE_VAL;
    printf("%-7s dp5     error/tol, ledger:", name);
    static const double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++) {
        const double tol = tolerances[i];
        const struct result result = run(&carom_scheme_dp5, tol);
        printf("  %.0e: %.1f, %.1e", tol, result.scaled / tol, result.ledger);
        CHECK(result.scaled < 20.0 * tol);
        CHECK(result.scaled < 0.7 * before);
        CHECK(result.ledger < 100.0 * tol);
        before = result.scaled;
    }
    const struct result tight = run(&carom_scheme_dp5, 1e-14);
    printf("  1e-14: %.1e, %.1e\n", tight.error, tight.ledger);
    CHECK(tight.error < 2e-12);
    CHECK(tight.ledger < 3e-12);
}

int main(void)
{
    const char *const verlet[] = {"trimer", "dimer", "hertz", "cradle", "gaps", "force", "power"};
    for (size_t i = 0; i < sizeof verlet / sizeof *verlet; i++)
        check_order(verlet[i], &carom_scheme_verlet, 0.025, 2.0);
    check_order("hertz", &carom_scheme_theta, 0.025, 2.0);
    check_tailored("trimer", false);
    check_tailored("dimer", false);
    check_tailored("gaps", false);
    check_tailored("cradle", false);
    check_tailored("trimer", true); /* needs the right start of theta's own velocities */
    check_tailored("cradle", true);
    check_table_1();
    for (size_t i = 0; i < sizeof verlet / sizeof *verlet; i++)
        check_tolerance(verlet[i]);
    return check_end();
}
