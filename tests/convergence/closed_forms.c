/* Motions that are known in closed form: one Hertz contact, restitution of a damped pair, waves in an undamped Hertz
 * chain, normal modes of a compressed linear chain. */
#include "chain.h"
#include "law/restitution.h"

static struct chain chain; /* too large for the stack */

static const double pi = 3.14159265358979323846;

static double beta(double a, double b)
{
    return tgamma(a) * tgamma(b) / tgamma(a + b);
}

/* Overlap and its rate at contact j of a view. */
static double overlap(struct trial *trial, size_t j, double *rate)
{
    double *rates = trial->scratch + trial->model->nc;
    carom_contacts_deform(trial->model, trial->view->time, trial->view->q, trial->view->v, trial->scratch, rates);
    *rate = rates[j];
    return trial->scratch[j];
}

/* One step; afterwards the moment within it at which the rate (or, if `opening`, the overlap) of contact j has come
 * down to zero, or -1. Leaves the view of that moment. */
static double step_and_find(struct trial *trial, size_t j, bool opening)
{
    const struct carom_scheme *scheme = trial->stepper->scheme;
    const struct carom_bound bound = {.t_stop = 1e9, .t_dense = HUGE_VAL, .steps = 1};
    double rate, early, late;
    CHECK_STATUS(scheme->step(trial->stepper, trial->state, &bound, NULL), CAROM_OK);
    double low = trial->stepper->before->time, high = trial->state->time;
    scheme->dense(trial->stepper, trial->state, low, trial->view);
    early = overlap(trial, j, &rate);
    early = opening ? early : rate;
    scheme->dense(trial->stepper, trial->state, high, trial->view);
    late = overlap(trial, j, &rate);
    late = opening ? late : rate;
    if (!(early > 0.0 && late <= 0.0))
        return -1.0;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        scheme->dense(trial->stepper, trial->state, middle, trial->view);
        const double d = overlap(trial, j, &rate);
        if ((opening ? d : rate) > 0.0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* Two beads, or one and a wall: how long they touch and how far they overlap. */
static void check_hertz_contact(const struct carom_scheme *scheme, double setting, bool wall, double tolerance)
{
    const double k = 2.3, m1 = 1.0, m2 = 0.4, speed = 0.7, m = wall ? m1 : m1 * m2 / (m1 + m2);
    struct trial trial;
    chain_uniform(&chain, wall ? 1 : 2, false, wall, &carom_law_hertz, CAROM_END_GAP, &k);
    chain.mass[1] = m2;
    chain.v[0] = speed;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, setting, NULL));
    double top = -1.0, end = -1.0, rate;
    while (top < 0.0)
        top = step_and_find(&trial, 0, false);
    const double reached = overlap(&trial, 0, &rate);
    while (end < 0.0)
        end = step_and_find(&trial, 0, true);
    const double peak = pow(5.0 * m * speed * speed / (4.0 * k), 0.4), lasts = 0.8 * peak / speed * beta(0.4, 0.5);
    printf("%-7s Hertz %s: peak off by %.1e, contact time by %.1e, its middle by %.1e\n", scheme->kind.name,
           wall ? "wall" : "pair", reached / peak - 1.0, end / lasts - 1.0, 2.0 * top / lasts - 1.0);
    CHECK_NEAR(reached, peak, tolerance * peak);
    CHECK_NEAR(end, lasts, tolerance * lasts);
    CHECK_NEAR(top, 0.5 * lasts, tolerance * lasts);
    /* the scales of the model are those of the closed form */
    CHECK_NEAR(trial.scales.contact_time, lasts, 1e-9 * lasts);
    CHECK_NEAR(trial.scales.length, lasts * speed, 1e-9 * lasts);
    trial_close(&trial);
}

/* A pair stepped by a scheme separates with the restitution of law/restitution.h. */
static double restitution(double gamma, enum carom_ending ending, const struct carom_scheme *scheme, double setting)
{
    const double param[4] = {1.0, gamma};
    struct trial trial;
    chain_uniform(&chain, 2, false, false, &carom_law_kuwabara_kono, ending, param);
    chain.mass[0] = chain.mass[1] = 2.0; /* reduced mass 1 */
    chain.v[0] = 0.5;
    chain.v[1] = -0.5;
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, setting, NULL));
    CHECK_STATUS(trial_run(&trial, 8.0, NULL), CAROM_OK);
    const double e = trial.view->v[1] - trial.view->v[0];
    const double lost = trial_ledger(&trial).dissipated; /* of 1/2 at the start */
    CHECK_NEAR(lost, 0.5 * (1.0 - e * e), 30.0 * setting);
    trial_close(&trial);
    return e;
}

static void check_restitution(void)
{
    const double limit = 1.0 / (3.0 * pow(1.25, 0.6) * 0.4 * beta(0.6, 1.5));
    CHECK_NEAR(limit, 0.57798, 5e-6);
    const double gammas[] = {1e-5, 1e-3, 0.1, 0.6};
    for (size_t i = 0; i < 4; i++)
        for (int ending = CAROM_END_GAP; ending <= CAROM_END_FORCE; ending++) {
            const double param[] = {1.0, gammas[i]};
            double e = 0.0;
            CHECK_STATUS(carom_restitution_of(&carom_law_kuwabara_kono, param, (enum carom_ending)ending, 1.0, 1.0, &e,
                                              NULL, NULL, NULL),
                         CAROM_OK);
            CHECK_NEAR(restitution(gammas[i], (enum carom_ending)ending, &carom_scheme_dp5, 1e-11), e, 1e-10);
            CHECK_NEAR(restitution(gammas[i], (enum carom_ending)ending, &carom_scheme_verlet, 0.002), e, 2e-6);
        }
    const double small = 1e-5 / (1.0 - restitution(1e-5, CAROM_END_GAP, &carom_scheme_dp5, 1e-12));
    printf("gamma/(1 - e) at gamma = 1e-5: %.6f, in the limit %.6f\n", small, limit);
    CHECK_NEAR(small, limit, 2e-5);
}

/* The moment at which the overlap of contact j is largest, and that overlap. */
static double crest(struct trial *trial, size_t j, double *largest)
{
    double t = -1.0, rate;
    while (t < 0.0)
        t = step_and_find(trial, j, false);
    *largest = overlap(trial, j, &rate);
    return t;
}

/* Solitary waves in a Hertz chain run faster the harder they push: speed ~ force^(1/6) (Nesterenko 1983), and in the
 * long-wave limit speed = sqrt(4/5 k/m) overlap^(1/4) beads in unit time, which the real chain meets within 2 %. */
static void check_nesterenko(void)
{
    double last_force = 0.0, last_speed = 0.0;
    for (double striker = 1.0; striker > 1e-5; striker *= 0.03) {
        const double k = 1.7;
        struct trial trial;
        chain_uniform(&chain, 60, false, false, &carom_law_hertz, CAROM_END_GAP, &k);
        chain.v[0] = striker;
        CHECK_OR_STOP(trial_open(&trial, &chain, &carom_scheme_dp5, 1e-9, NULL));
        double first, last;
        const double start = crest(&trial, 20, &first), end = crest(&trial, 50, &last);
        CHECK_NEAR(first, last, 1e-5 * first); /* the wave has found its shape */
        const double speed = 30.0 / (end - start), force = k * last * sqrt(last);
        const double ratio = speed / (sqrt(0.8 * k) * pow(last, 0.25));
        printf("striker %.1e: wave force %.4e, speed %.6f, %.4f of the long-wave limit\n", striker, force, speed,
               ratio);
        CHECK_NEAR(ratio, 1.0, 0.02);
        if (last_force > 0.0)
            CHECK_NEAR(log(speed / last_speed) / log(force / last_force), 1.0 / 6.0, 1e-6);
        last_force = force;
        last_speed = speed;
        trial_close(&trial);
    }
}

/* A linear chain between walls, compressed so that no contact opens: mode s has the frequency
 * 2 sqrt(k/m) sin(s pi / (2 (n + 1))), with local springs sqrt(that^2 + K/m), and is damped by gamma like a single
 * oscillator of ratio gamma omega / 2 (springs none). Fixed steps bend the frequency in a known way. */
static void check_mode(const struct carom_scheme *scheme, double setting, int mode, double gamma, double spring)
{
    enum { N = 9 };
    const double k = 1.9, m = 0.8, param[4] = {k, 1.0, gamma, 1.0}, amplitude = 0.2, t = 20.0;
    struct trial trial;
    chain_uniform(&chain, N, true, true, &carom_law_power, CAROM_END_GAP, param);
    for (size_t j = 0; j < chain.nc; j++)
        chain.gap[j] = -1.0;
    for (int i = 0; i < N; i++) {
        chain.mass[i] = m;
        chain.spring[i] = spring;
        chain.q[i] = amplitude * sin(mode * pi * (i + 1) / (N + 1));
    }
    const double pure = 2.0 * sqrt(k / m) * sin(mode * pi / (2.0 * (N + 1)));
    double omega = sqrt(pure * pure + spring / m), tolerance = 1e-9;
    const double damp = 0.5 * gamma * pure * pure;
    if (strcmp(scheme->kind.name, "verlet") == 0)
        omega = 2.0 / setting * asin(0.5 * setting * omega);
    else if (strcmp(scheme->kind.name, "theta") == 0)
        omega = 2.0 / setting * atan(0.5 * setting * omega);
    if (strcmp(scheme->kind.name, "dp5") != 0)
        tolerance = 1e-12;
    const double beat = sqrt(omega * omega - damp * damp);
    const double expected = exp(-damp * t) * (cos(beat * t) + damp / beat * sin(beat * t));
    CHECK_OR_STOP(trial_open(&trial, &chain, scheme, setting, NULL));
    CHECK_STATUS(trial_run(&trial, t, NULL), CAROM_OK);
    for (int i = 0; i < N; i++)
        CHECK_NEAR(trial.view->q[i], expected * chain.q[i], tolerance);
    trial_close(&trial);
}

int main(void)
{
    for (int wall = 0; wall < 2; wall++) {
        check_hertz_contact(&carom_scheme_dp5, 1e-13, wall == 1, 1e-11);
        check_hertz_contact(&carom_scheme_verlet, 1e-3, wall == 1, 1e-6);
        check_hertz_contact(&carom_scheme_theta, 1e-3, wall == 1, 1e-6);
    }
    check_restitution();
    check_nesterenko();
    for (int mode = 1; mode <= 9; mode++) {
        check_mode(&carom_scheme_dp5, 1e-13, mode, 0.0, 0.0);
        check_mode(&carom_scheme_dp5, 1e-13, mode, 0.0, 0.7);
        check_mode(&carom_scheme_dp5, 1e-13, mode, 0.1, 0.0);
        check_mode(&carom_scheme_verlet, 0.05, mode, 0.0, 0.0);
        check_mode(&carom_scheme_verlet, 0.05, mode, 0.0, 0.7);
        check_mode(&carom_scheme_theta, 0.05, mode, 0.0, 0.0);
        check_mode(&carom_scheme_theta, 0.05, mode, 0.0, 0.7);
    }
    return check_end();
}
