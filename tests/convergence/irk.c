/* Tailored dissipation: orders of theta and irk with gamma = h (James, Vorotnikov and Brogliato 2020, figure 6),
 * table 1, the start that loaded contacts need, and what goes beyond the paper: undamped local springs, a viscous
 * time of its own at every contact, other sizes of step, steps far below gamma. The reference is dp5, which
 * convergence.orders ties to the stored motions. Errors are sup norms over beads and steps, displacements and
 * velocities together. */
#include "carom/scheme.h"
#include "chain.h"
#include "reference/table.h"
#include "scheme/tableau.h"

static struct chain chain; /* too large for the stack */

/* a problem: fills `chain` for damping of the size gamma */
struct problem {
    const char *name;
    void (*make)(double gamma);
    double until;
};

struct result {
    double error, ledger;
};

static void make_impact(double gamma)
{
    chain_from_case(&chain, reference_case_find("trimer"));
    for (size_t j = 0; j < chain.nc; j++)
        chain.param[j][1] = gamma;
}

/* (19): all contacts are loaded at the start and stay closed */
static void make_closed(double gamma)
{
    static const double x[3] = {0.9, 0.2, 0.0}, v[3] = {0.7, 0.6, 0.02};
    make_impact(gamma);
    memcpy(chain.q, x, sizeof x);
    memcpy(chain.v, v, sizeof v);
}

/* four beads pressed between walls; contact j has gamma times ratio[j], bead i the spring stiff[i] */
static void make_pressed(double gamma, const double *ratio, const double *stiff)
{
    static const double mass[4] = {1.0, 0.6, 1.3, 0.8}, v[4] = {0.3, 0.0, -0.2, 0.0};
    const double law[4] = {1.0, 0.0};
    chain_uniform(&chain, 4, true, true, &carom_law_kuwabara_kono, CAROM_END_GAP, law);
    for (size_t j = 0; j < chain.nc; j++) {
        chain.param[j][0] = 1.0 + 0.2 * (double)j;
        chain.param[j][1] = gamma * ratio[j];
        chain.gap[j] = -0.8;
    }
    memcpy(chain.mass, mass, sizeof mass);
    memcpy(chain.v, v, sizeof v);
    memcpy(chain.spring, stiff, 4 * sizeof *stiff);
}

static const double equal[5] = {1.0, 1.0, 1.0, 1.0, 1.0}, unequal[5] = {0.7, 0.3, 1.9, 1.1, 0.5};
static const double soft[4] = {0.5, 0.8, 1.1, 1.4}, none[4] = {0.0};

static void make_springs(double gamma)
{
    make_pressed(gamma, equal, soft);
}

static void make_unequal(double gamma)
{
    make_pressed(gamma, unequal, none);
}

static void make_all(double gamma)
{
    make_pressed(gamma, unequal, soft);
}

static const struct problem impact = {"impact", make_impact, 5.0}, closed = {"closed", make_closed, 1.5},
                            springs = {"springs", make_springs, 4.0}, times = {"unequal gamma", make_unequal, 4.0},
                            all = {"springs, unequal gamma", make_all, 4.0};

/* `uneven`: every fifth step is cut to a third; `start`: with the scheme's own start */
static struct result run(const struct problem *problem, const struct carom_scheme *scheme, double h, double gamma,
                         bool uneven, bool start)
{
    struct result result = {0};
    struct trial trial, exact;
    problem->make(gamma);
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, h, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-12, NULL));
    if (!start)
        memcpy(trial.state->v, chain.v, chain.n * sizeof(double));
    double t = 0.0;
    for (int i = 1; t < problem->until - 1e-9; i++) {
        t = uneven ? t + (i % 5 == 0 ? h / 3.0 : h) : i * h;
        CHECK_STATUS(trial_run(&trial, t, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&exact, t, NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++)
            result.error = fmax(result.error, fabs(trial.view->data[k] - exact.view->data[k]));
        result.ledger = fmax(result.ledger, fabs(trial_ledger(&trial).residual));
    }
    trial_close(&trial);
    trial_close(&exact);
    return result;
}

static double slope(double coarse, double fine, double ratio)
{
    return log(coarse / fine) / log(ratio);
}

/* gamma = h; steps h and h/8 */
static void check_order(const struct problem *problem, const struct carom_scheme *scheme, double h, bool uneven,
                        double order, double allowed)
{
    const struct result a = run(problem, scheme, h, h, uneven, true),
                        b = run(problem, scheme, h / 8.0, h / 8.0, uneven, true);
    const double observed = slope(a.error, b.error, 8.0), balance = slope(a.ledger, b.ledger, 8.0);
    printf("%-22s %-6s%s gamma = step = %.1e: %.1e, ledger %.1e; %.1e: %.1e, %.1e; orders %.2f, %.2f\n", problem->name,
           scheme->kind.name, uneven ? " uneven" : "", h, a.error, a.ledger, h / 8.0, b.error, b.ledger, observed,
           balance);
    CHECK_NEAR(observed, order, allowed);
    CHECK_NEAR(balance, order, 2.0 * allowed);
}

/* without (73) the velocities of a chain that is loaded at the start are off by O(gamma) */
static void check_start(void)
{
    const double coarse = run(&closed, &carom_scheme_irk, 0.02, 0.02, false, false).error,
                 fine = run(&closed, &carom_scheme_irk, 0.0025, 0.0025, false, false).error;
    printf("closed, without the start: %.1e, %.1e, order %.2f\n", coarse, fine, slope(coarse, fine, 8.0));
    CHECK_NEAR(slope(coarse, fine, 8.0), 1.0, 0.1);
    /* and with it, the velocities given come back at once */
    struct trial trial;
    make_all(0.1);
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_irk, 0.05, NULL));
    trial.stepper->scheme->sync(trial.stepper, trial.state, trial.view);
    double moved = 0.0;
    for (size_t i = 0; i < chain.n; i++) {
        CHECK_NEAR(trial.view->v[i], chain.v[i], 1e-15);
        moved = fmax(moved, fabs(trial.state->v[i] - chain.v[i]));
    }
    CHECK(moved > 0.01);
    trial_close(&trial);
}

/* Table 1: dimer of 25 beads, eps = 0.59, gamma = 0.06, to t = 30 */
static void check_table_1(const struct carom_scheme *scheme, double h, double x_published, double v_published,
                          double x_allowed, double v_allowed)
{
    struct trial trial, exact;
    chain_from_case(&chain, reference_case_find("dimer"));
    for (size_t i = 1; i < chain.n; i += 2)
        chain.mass[i] = 0.59;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, h, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-11, NULL));
    double x = 0.0, v = 0.0;
    for (int i = 1; i * h < 30.0 + 1e-9; i++) {
        CHECK_STATUS(trial_run(&trial, i * h, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&exact, i * h, NULL), CAROM_OK);
        for (size_t k = 0; k < chain.n; k++) {
            x = fmax(x, fabs(trial.view->q[k] - exact.view->q[k]));
            v = fmax(v, fabs(trial.view->v[k] - exact.view->v[k]));
        }
    }
    printf("table 1: %s h = %g is off by %.5f and %.4e (published %g and %g)\n", scheme->kind.name, h, x, v,
           x_published, v_published);
    CHECK_NEAR(x, x_published, x_allowed);
    CHECK_NEAR(v, v_published, v_allowed);
    trial_close(&trial);
    trial_close(&exact);
}

/* At a fixed gamma the error levels off, near 3.9e-3 on the dimer; far below gamma the step takes over again. */
static void check_levels(void)
{
    double error[3];
    const double h[3] = {0.02, 0.00625, 0.0005};
    for (int k = 0; k < 3; k++) {
        struct trial trial, exact;
        chain_from_case(&chain, reference_case_find("dimer"));
        for (size_t i = 1; i < chain.n; i += 2)
            chain.mass[i] = 0.59;
        CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_irk, h[k], NULL));
        CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, 1e-10, NULL));
        error[k] = 0.0;
        for (int i = 1; i <= 30; i++) {
            CHECK_STATUS(trial_run(&trial, i, NULL), CAROM_OK);
            CHECK_STATUS(trial_run(&exact, i, NULL), CAROM_OK);
            for (size_t n = 0; n < chain.n; n++)
                error[k] = fmax(error[k], fabs(trial.view->q[n] - exact.view->q[n]));
        }
        trial_close(&trial);
        trial_close(&exact);
    }
    printf("irk at gamma = 0.06: %.2e, %.2e, %.2e at steps %g, %g, %g\n", error[0], error[1], error[2], h[0], h[1],
           h[2]);
    CHECK_NEAR(error[0], 3.8e-3, 2e-4);
    CHECK_NEAR(error[1], 3.9e-3, 2e-4);
    CHECK(error[2] < 3e-4);
}

/* Contact damping does not act on local springs: their energy neither falls nor rises, over 1000 periods, though the
 * step and gamma are large. Beyond sqrt(spring/mass) gamma = 2/sqrt 3 the scheme would be unstable and is refused. */
static void check_undamped_springs(void)
{
    const double law[4] = {1.0, 0.9};
    struct trial trial;
    chain_uniform(&chain, 2, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, law);
    chain.gap[0] = 100.0;
    chain.spring[0] = chain.spring[1] = 1.0;
    chain.v[0] = 1.0;
    chain.v[1] = 3.0;
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_irk, 0.5, NULL));
    double least = HUGE_VAL, most = 0.0;
    for (int i = 1; i <= 1000; i++) {
        CHECK_STATUS(trial_run(&trial, 6.5 * i, NULL), CAROM_OK);
        const struct carom_ledger ledger = trial_ledger(&trial);
        if (i <= 20 || i > 980) {
            least = fmin(least, ledger.kinetic + ledger.stored);
            most = fmax(most, ledger.kinetic + ledger.stored);
        }
        CHECK(ledger.dissipated == 0.0);
    }
    printf("springs beside gamma = 0.9, step 0.5: energy between %.4f and %.4f over 1000 periods (5 at the start)\n",
           least, most);
    CHECK(least > 4.5 && most < 5.5);
    trial_close(&trial);
    struct carom_error error;
    chain.param[0][1] = 1.16;
    CHECK(!trial_open(&trial, &chain, &carom_scheme_irk, 0.5, &error));
    CHECK_CONTAINS(error.text, "unstable for body 1");
    chain.param[0][1] = 1.15;
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_irk, 0.5, &error));
    trial_close(&trial);
}

/* rk2 with the coefficients of another scheme is that scheme; coefficients that damp too much are refused */
static bool open_rk2(struct trial *trial, double h, const struct carom_tableau *t, struct carom_error *error)
{
    const char *const name[] = {"step", "b1", "a11", "a12", "a21", "a22"};
    const double value[] = {h, t->b1, t->a11, t->a12, t->a21, t->a22};
    CHECK_OR_STOP(trial_open(trial, &chain, &carom_scheme_rk2, h, error));
    for (size_t i = 0; i < 6; i++)
        CHECK_STATUS(carom_options_set(&carom_scheme_rk2.kind, trial->options, name[i], value[i], NULL), CAROM_OK);
    carom_stepper_free(trial->stepper);
    trial->stepper = carom_stepper_create(&carom_scheme_rk2, trial->model, trial->options, &trial->scales, NULL, error);
    if (!trial->stepper) {
        trial_close(trial);
        return false;
    }
    memcpy(trial->state->v, chain.v, chain.n * sizeof(double));
    CHECK_STATUS(carom_scheme_rk2.start(trial->stepper, trial->state, NULL), CAROM_OK);
    return true;
}

static void check_same(const struct carom_scheme *scheme, const struct carom_tableau *tableau, double h,
                       double tolerance)
{
    struct trial own, other;
    CHECK_OR_STOP(open_rk2(&own, h, tableau, NULL));
    CHECK_OR_STOP(trial_open(&other, &chain, scheme, h, NULL));
    for (int i = 1; i <= 40; i++) {
        CHECK_STATUS(trial_run(&own, i * h, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&other, i * h, NULL), CAROM_OK);
        for (size_t k = 0; k < 2 * chain.n; k++)
            CHECK_NEAR(own.view->data[k], other.view->data[k], tolerance);
    }
    trial_close(&own);
    trial_close(&other);
}

static void check_rk2(void)
{
    const double h = 0.1, gamma = 0.04, theta = 0.5 + 0.5 * gamma / h;
    const struct carom_tableau gauss = carom_tableau_gauss(), tailored = carom_tableau_tailored(0.5 * gamma / h),
                               of_theta = {1.0 - theta, 0.0, 0.0, 1.0 - theta, theta};
    struct carom_error error;
    struct trial trial;
    make_closed(gamma);
    check_same(&carom_scheme_gl_reg, &gauss, h, 0.0);
    check_same(&carom_scheme_irk, &tailored, h, 0.0);
    check_same(&carom_scheme_theta, &of_theta, h, 1e-9);
    const struct carom_tableau more = carom_tableau_tailored(0.3), growing = {1.0, 0.0, 0.0, 0.0, 0.0};
    CHECK(!open_rk2(&trial, h, &more, &error));
    CHECK_CONTAINS(error.text, "take step = 0.0666667 or less");
    CHECK(!open_rk2(&trial, h, &growing, &error));
    CHECK_CONTAINS(error.text, "feed energy");
    make_closed(0.0);
    CHECK(!open_rk2(&trial, h, &more, &error));
    CHECK_CONTAINS(error.text, "C11 must be 0");
}

int main(void)
{
    check_order(&closed, &carom_scheme_theta, 0.01, false, 2.0, 0.1);
    check_order(&closed, &carom_scheme_irk, 0.01, false, 3.0, 0.06);
    check_order(&impact, &carom_scheme_theta, 0.01, false, 2.0, 0.1);
    check_order(&impact, &carom_scheme_irk, 0.01, false, 2.5, 0.15);
    check_order(&closed, &carom_scheme_irk, 0.01, true, 3.0, 0.1);
    check_order(&springs, &carom_scheme_irk, 0.02, false, 3.0, 0.2);
    check_order(&times, &carom_scheme_irk, 0.02, false, 3.0, 0.2);
    check_order(&all, &carom_scheme_irk, 0.02, false, 3.0, 0.2);
    check_order(&all, &carom_scheme_irk, 0.02, true, 3.0, 0.25);
    check_start();
    check_table_1(&carom_scheme_irk, 1.0, 0.0832, 0.0447, 1e-4, 1e-4);
    check_table_1(&carom_scheme_irk, 0.1, 0.0033, 6.1127e-4, 5e-5, 1e-8);
    check_table_1(&carom_scheme_theta, 0.1, 0.0217, 0.0121, 1e-4, 1e-4);
    check_levels();
    check_undamped_springs();
    check_rk2();
    return check_end();
}
