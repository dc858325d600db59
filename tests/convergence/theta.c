/* Scheme theta where gamma goes to zero with the step: order 2 with and without contact breaking, with local
 * springs, and with another gamma at every contact; the published errors of James et al. 2020 (table 1, figure 5);
 * and where it is stable. References are runs of dp5 with a tight tolerance, compared at the grid points t = k h. */
#include "chain.h"
#include "scheme/chain/theta_fold.h"

static struct chain chain; /* too large for the stack */

struct error {
    double x, v; /* sup over grid points and beads */
};

static double worse(struct error e)
{
    return e.x > e.v ? e.x : e.v;
}

/* `chain` by theta with step h and by dp5, to t = end */
static struct error theta_error(double h, double end, double tol)
{
    struct trial trial, exact;
    struct error error = {0.0, 0.0};
    CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_theta, h, NULL));
    CHECK_OR_STOP(trial_open(&exact, &chain, &carom_scheme_dp5, tol, NULL));
    for (int k = 1; k * h < end * (1.0 + 1e-9); k++) {
        CHECK_STATUS(trial_run(&trial, k * h, NULL), CAROM_OK);
        CHECK_STATUS(trial_run(&exact, k * h, NULL), CAROM_OK);
        for (size_t i = 0; i < chain.n; i++) {
            error.x = fmax(error.x, fabs(trial.view->q[i] - exact.view->q[i]));
            error.v = fmax(error.v, fabs(trial.view->v[i] - exact.view->v[i]));
        }
    }
    trial_close(&trial);
    trial_close(&exact);
    return error;
}

/* The trimer of section 2.2: radii 1, 4/5, 9/10. */
static void make_trimer(void)
{
    const double radius[3] = {1.0, 0.8, 0.9}, param[4] = {1.0, 0.0};
    chain_uniform(&chain, 3, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < 3; i++)
        chain.mass[i] = radius[i] * radius[i] * radius[i];
    chain.param[1][0] = sqrt(81.0 / 85.0);
    chain.v[0] = 1.0;
}

/* (19): pressed from the start, no contact opens before t = 1.5 */
static void make_pressed_trimer(void)
{
    const double x[3] = {0.9, 0.2, 0.0}, v[3] = {0.7, 0.6, 0.02};
    make_trimer();
    memcpy(chain.q, x, sizeof x);
    memcpy(chain.v, v, sizeof v);
}

/* Newton's cradle of five, the middle bead pulled aside */
static void make_cradle(void)
{
    const double param[4] = {1.0, 0.0};
    chain_uniform(&chain, 5, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < chain.n; i++)
        chain.spring[i] = 0.3 + 0.1 * (double)i;
    chain.q[0] = -0.5;
    chain.q[2] = 0.3;
    chain.v[4] = -0.8;
}

/* unequal masses between two walls, loaded at the start, some beads with springs */
static void make_mixed(void)
{
    const double param[4] = {1.0, 0.0};
    chain_uniform(&chain, 7, true, true, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i] = i % 2 == 0 ? 1.0 : 0.4;
        chain.spring[i] = i % 3 == 0 ? 0.5 : 0.0;
        chain.v[i] = 0.3 * sin(2.0 * (double)i);
    }
    for (size_t j = 0; j < chain.nc; j++) {
        chain.gap[j] = -0.4;
        chain.param[j][0] = 1.0 + 0.2 * (double)j;
    }
}

static const double same[] = {1.0}, none[] = {0.0}, unequal[] = {0.0, 2.0, 0.5, 3.0, 1.0};

/* gamma of contact j is h times factor[j mod count] */
static struct error scaled_error(void (*make)(void), const double *factor, size_t count, double h, double end)
{
    make();
    for (size_t j = 0; j < chain.nc; j++)
        chain.param[j][1] = h * factor[j % count];
    return theta_error(h, end, 1e-12);
}

static void check_order(const char *name, void (*make)(void), const double *factor, size_t count, double h, double end)
{
    const double coarse = worse(scaled_error(make, factor, count, h, end));
    const double fine = worse(scaled_error(make, factor, count, h / 8.0, end));
    const double order = log2(coarse / fine) / 3.0;
    printf("%-40s %.2e at %.4g, %.2e at %.4g: order %.3f\n", name, coarse, h, fine, h / 8.0, order);
    CHECK_NEAR(order, 2.0, 0.04);
}

/* Table 1: dimer, eps = 0.59, gamma = 0.06, h = 0.1, to t = 30; bead 1 is heavy and strikes with velocity 1. */
static void check_table_1(void)
{
    const double param[4] = {1.0, 0.06};
    chain_uniform(&chain, 25, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 1; i < chain.n; i += 2)
        chain.mass[i] = 0.59;
    chain.v[0] = 1.0;
    const struct error error = theta_error(0.1, 30.0, 1e-11);
    printf("table 1, theta at h = 0.1: %.5f, %.5f (published 0.0217, 0.0121)\n", error.x, error.v);
    CHECK_NEAR(error.x, 0.02167, 1e-5);
    CHECK_NEAR(error.v, 0.01212, 1e-5);
}

/* Figure 5: cradle of 10, k = 1, K = 0.01, gamma = 0.3, h = 0.5, to t = 3000. */
static void check_figure_5(void)
{
    const double param[4] = {1.0, 0.3};
    chain_uniform(&chain, 10, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 0; i < chain.n; i++)
        chain.spring[i] = 0.01;
    chain.v[0] = 1.0;
    const struct error error = theta_error(0.5, 3000.0, 1e-10);
    printf("figure 5, theta at h = 0.5: %.4f, %.4f (published 0.155, 0.0475)\n", error.x, error.v);
    CHECK_NEAR(error.x, 0.1549, 1e-4);
    CHECK_NEAR(error.v, 0.0475, 1e-4);
}

/* At a fixed gamma the error levels off: halving the step from 0.1 on gains next to nothing on the dimer. */
static void check_level(void)
{
    const double param[4] = {1.0, 0.06};
    chain_uniform(&chain, 25, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    for (size_t i = 1; i < chain.n; i += 2)
        chain.mass[i] = 0.59;
    chain.v[0] = 1.0;
    const double coarse = worse(theta_error(0.01, 30.0, 1e-9)), fine = worse(theta_error(0.005, 30.0, 1e-9));
    printf("fixed gamma 0.06: %.2e at h = 0.01, %.2e at h = 0.005\n", coarse, fine);
    CHECK(fine > 0.9 * coarse && fine > 5e-3 && fine < 1e-2);
}

/* A bead on a spring beside an open contact with viscous time gamma, so that theta = 1/2 + gamma/(2h), stepped
 * beyond what the scheme would accept: the largest displacement after `steps` steps, from 1. */
static double swing(double turn, double h, int steps)
{
    const double gamma = 0.7, spring = turn * turn / (gamma * gamma), param[4] = {1.0, gamma}, length = 1.0;
    chain_uniform(&chain, 1, true, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    chain.spring[0] = spring;
    chain.gap[0] = 1e30;
    struct carom_model *model = chain_model(&chain);
    const struct carom_model *const one = model;
    struct carom_theta_fold fold;
    CHECK_STATUS(carom_theta_fold_open(&fold, 1, &one, &length, NULL), CAROM_OK);
    carom_theta_fold_pace(&fold, h);
    const double start = 1.0;
    carom_theta_fold_put(&fold, 0, &start, fold.x);
    double largest = 0.0;
    for (int k = 0; k < steps && largest < 1e12; k++) {
        carom_theta_newton_step(&fold);
        CHECK(!fold.lane[0].failed);
        double x;
        carom_theta_fold_take(&fold, 0, fold.x, &x);
        largest = fmax(largest, fabs(x));
    }
    carom_theta_fold_close(&fold);
    carom_model_free(model);
    return largest;
}

/* The map of a step has determinant 1 and trace (2 - w^2 (t^2 + (h - t)^2)) / (1 + w^2 t (h - t)), t = (h + gamma)
 * / 2, which stays within [-2, 2] while w gamma <= 2, for any h: also where theta > 1, gamma > h. */
static void check_stability(void)
{
    const double steps[] = {0.07, 0.35, 0.69, 0.7, 1.4, 7.0};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        const double below = swing(1.999, steps[i], 20000), above = swing(2.001, steps[i], 20000);
        printf("h/gamma = %4.1f: swings to %.3g just below the limit, to %.3g just above\n", steps[i] / 0.7, below,
               above);
        CHECK(below < 1e4); /* bounded, though near the limit a swing starts with a large velocity of the scheme */
        CHECK(!(above < 1e9));
    }
    CHECK(swing(1.0, 0.07, 100000) < 1.2);
}

/* The scheme refuses what would grow. */
static void check_refusal(void)
{
    struct trial trial;
    struct carom_error error = {CAROM_OK, ""};
    const double param[4] = {1.0, 0.2};
    chain_uniform(&chain, 4, false, false, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    chain.spring[2] = 99.0;
    CHECK(trial_open(&trial, &chain, &carom_scheme_theta, 0.01, &error));
    trial_close(&trial);
    chain.spring[2] = 101.0;
    CHECK(!trial_open(&trial, &chain, &carom_scheme_theta, 0.01, &error) && error.status == CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "body 3");
    chain.param[1][1] = 0.1; /* the mean of its contacts counts */
    CHECK(trial_open(&trial, &chain, &carom_scheme_theta, 0.01, &error));
    trial_close(&trial);
}

int main(void)
{
    check_order("gamma = h, no breaking", make_pressed_trimer, same, 1, 0.01, 1.5);
    check_order("gamma = h, breaking", make_trimer, same, 1, 0.005, 5.0);
    check_order("gamma = 0, no breaking", make_pressed_trimer, none, 1, 0.01, 1.5);
    check_order("gamma = 0, breaking", make_trimer, none, 1, 0.005, 5.0);
    check_order("gamma = h, cradle", make_cradle, same, 1, 0.005, 4.0);
    check_order("a gamma per contact, no breaking", make_pressed_trimer, unequal, 5, 0.01, 1.5);
    check_order("a gamma per contact, breaking", make_trimer, unequal + 1, 2, 0.005, 5.0);
    check_order("a gamma per contact, cradle", make_cradle, unequal, 5, 0.005, 4.0);
    check_order("a gamma per contact, walls and springs", make_mixed, unequal, 5, 0.005, 2.0);
    check_table_1();
    check_figure_5();
    check_level();
    check_stability();
    check_refusal();
    return check_end();
}
