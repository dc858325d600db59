/* Restitution against closed forms (Hertz, linear dashpot, Hunt-Crossley, Tsuji, weak Kuwabara-Kono damping) and
 * against a plain fixed-step integration in long double. */
#include "law/restitution.h"

#include "base/random.h"
#include "carom/law.h"
#include "check.h"

static const double pi = 3.14159265358979323846;

static double beta(double a, double b)
{
    return tgamma(a) * tgamma(b) / tgamma(a + b);
}

static void test_hertz(void)
{
    /* the last row is a steel ball in SI */
    const double cases[][3] = {{1.0, 1.0, 1.0}, {3.7, 0.2, 1e-3}, {2.1e9, 1.65e-2, 0.5}, {1e-6, 1e6, 1e4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int ending = CAROM_END_GAP; ending <= CAROM_END_FORCE; ending++) {
            const double k = cases[i][0], m = cases[i][1], speed = cases[i][2];
            double e = 0.0, time = 0.0, peak = 0.0;
            CHECK_STATUS(
                carom_restitution_of(&carom_law_hertz, &k, (enum carom_ending)ending, m, speed, &e, &time, &peak, NULL),
                CAROM_OK);
            const double longest = pow(5.0 * m * speed * speed / (4.0 * k), 0.4);
            const double lasting = 0.8 * longest / speed * beta(0.4, 0.5);
            CHECK(e == 1.0);
            CHECK_NEAR(peak / longest, 1.0, 1e-12);
            CHECK_NEAR(time / lasting, 1.0, 1e-12);
        }
}

/* m d'' + k gamma d' + k d = 0 */
static void test_linear_dashpot(void)
{
    const double k = 2.0, m = 0.3, speed = 1.7;
    for (double ratio = 0.01; ratio < 0.95; ratio += 0.09) {
        const double omega0 = sqrt(k / m), damp = ratio * omega0, omega = omega0 * sqrt(1.0 - ratio * ratio);
        const double param[] = {k, 1.0, 2.0 * damp * m / k, 1.0};
        double e = 0.0, time = 0.0, peak = 0.0;
        CHECK_STATUS(carom_restitution_of(&carom_law_power, param, CAROM_END_GAP, m, speed, &e, &time, &peak, NULL),
                     CAROM_OK);
        CHECK_NEAR(e / exp(-pi * damp / omega), 1.0, 1e-11);
        CHECK_NEAR(time * omega / pi, 1.0, 1e-11);
        const double top = atan2(omega, damp) / omega;
        CHECK_NEAR(peak / (speed * exp(-damp * top) * sin(omega * top) / omega), 1.0, 1e-12);
        CHECK_STATUS(carom_restitution_of(&carom_law_power, param, CAROM_END_FORCE, m, speed, &e, &time, NULL, NULL),
                     CAROM_OK);
        const double last = (pi - atan2(2.0 * damp * omega, omega * omega - damp * damp)) / omega;
        CHECK_NEAR(time / last, 1.0, 1e-11);
        CHECK_NEAR(e, exp(-damp * last) * (damp / omega * sin(omega * last) - cos(omega * last)), 1e-12);
    }
}

/* More than critical damping: the gap never opens, but the force still ends. */
static void test_overdamped(void)
{
    const double k = 2.0, m = 0.3, damp = 1.5 * sqrt(k / m), root = sqrt(damp * damp - k / m);
    const double fast = damp + root, slow = damp - root, param[] = {k, 1.0, 2.0 * damp * m / k, 1.0};
    struct carom_error error = {.status = CAROM_OK};
    double e = 0.0, time = 0.0, gamma = 0.0;
    CHECK_STATUS(carom_restitution_of(&carom_law_power, param, CAROM_END_GAP, m, 1.0, &e, &time, NULL, &error),
                 CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "sticks");
    CHECK_STATUS(carom_restitution_of(&carom_law_power, param, CAROM_END_FORCE, m, 1.0, &e, &time, NULL, NULL),
                 CAROM_OK);
    const double last = 2.0 * log(fast / slow) / (fast - slow);
    CHECK_NEAR(time, last, 1e-12);
    CHECK_NEAR(e, -(fast * exp(-fast * last) - slow * exp(-slow * last)) / (fast - slow), 1e-12);
    /* Hertz spring and linear dashpot: weak damping separates, strong does not, and a small e is just possible */
    const double weak[] = {1.0, 1.5, 0.2, 1.0}, strong[] = {1.0, 1.5, 5.0, 1.0};
    CHECK_STATUS(carom_restitution_of(&carom_law_power, weak, CAROM_END_GAP, 1.0, 1.0, &e, NULL, NULL, NULL), CAROM_OK);
    CHECK(e > 0.5 && e < 1.0);
    CHECK_STATUS(carom_restitution_of(&carom_law_power, strong, CAROM_END_GAP, 1.0, 1.0, &e, NULL, NULL, NULL),
                 CAROM_E_REFUSED);
    CHECK_STATUS(carom_restitution_gamma(&carom_law_power, weak, CAROM_END_GAP, 1.0, 1.0, 0.02, &gamma, NULL),
                 CAROM_OK);
    CHECK(gamma > 0.2 && gamma < 5.0);
}

/* b = p + 1: the path in the plane of d and d' is known, so a V - log(1 + a V) = -a e V - log(1 - a e V), a = b gamma.
 * It never pulls, so the ending does not matter. */
static void test_hunt_crossley(void)
{
    const double exponents[] = {1.5, 1.0, 2.3};
    for (size_t i = 0; i < 3; i++)
        for (double gamma = 0.01; gamma < 10.0; gamma *= 3.0)
            for (int ending = CAROM_END_GAP; ending <= CAROM_END_FORCE; ending++) {
                const double p = exponents[i], param[] = {4.0, p, gamma, p + 1.0}, a = (p + 1.0) * gamma * 0.8;
                double e = 0.0;
                CHECK_STATUS(carom_restitution_of(&carom_law_power, param, (enum carom_ending)ending, 2.0, 0.8, &e,
                                                  NULL, NULL, NULL),
                             CAROM_OK);
                CHECK_NEAR(a - log1p(a), -a * e - log1p(-a * e), 1e-12 * a / (1.0 - a * e)); /* the slope in e */
            }
}

/* b = 5/4 with p = 3/2: restitution does not depend on speed, mass or stiffness but by gamma sqrt(k / m). */
static void test_tsuji(void)
{
    double first = 0.0;
    for (int i = 0; i < 4; i++) {
        const double k = pow(10.0, 3.0 * i), m = 2.0 / (1.0 + i), speed = pow(7.0, -i);
        const double param[] = {k, 1.5, 0.3 * sqrt(m / k), 1.25};
        double e = 0.0;
        CHECK_STATUS(carom_restitution_of(&carom_law_power, param, CAROM_END_GAP, m, speed, &e, NULL, NULL, NULL),
                     CAROM_OK);
        first = i == 0 ? e : first;
        CHECK_NEAR(e, first, 1e-12);
    }
    CHECK(first > 0.1 && first < 0.9);
}

/* James et al. 2020, equation (9): gamma~ = 0.578 (1 - e) when e is near 1, gamma~ = gamma V^(1/5) (k/m)^(2/5). */
static void test_small_damping(void)
{
    const double limit = 1.0 / (3.0 * pow(1.25, 0.6) * 0.4 * beta(0.6, 1.5));
    CHECK_NEAR(limit, 0.57798, 5e-6);
    const double k = 3e9, m = 0.02, speed = 0.7, unit = pow(speed, -0.2) * pow(m / k, 0.4);
    double before = HUGE_VAL;
    for (double loss = 1e-2; loss > 1e-10; loss *= 0.1) {
        double param[] = {k, 0.0}, gamma = 0.0, e = 0.0;
        CHECK_STATUS(
            carom_restitution_gamma(&carom_law_kuwabara_kono, param, CAROM_END_GAP, m, speed, 1.0 - loss, &gamma, NULL),
            CAROM_OK);
        const double off = gamma / unit / (1.0 - (1.0 - loss)) - limit;
        CHECK(fabs(off) < loss && (off < 0.2 * before || loss < 1e-6)); /* goes as 1 - e */
        before = fabs(off);
        param[1] = gamma;
        CHECK_STATUS(
            carom_restitution_of(&carom_law_kuwabara_kono, param, CAROM_END_GAP, m, speed, &e, NULL, NULL, NULL),
            CAROM_OK);
        CHECK_NEAR(e, 1.0 - loss, 1e-15);
    }
    CHECK(before < 1e-8);
}

struct plain {
    long double gamma;
    long double d, w; /* overlap, regularised speed w = d' + gamma d^(3/2); k = m = V = 1 */
};

static void plain_rate(const struct plain *at, long double scale, long double *d, long double *w)
{
    const long double elastic = at->d > 0.0L ? at->d * sqrtl(at->d) : 0.0L;
    *d = scale * (at->w - at->gamma * elastic);
    *w = -scale * elastic;
}

/* A classical Runge-Kutta step in s, where the time is s^2: the half powers of the start become whole ones. */
static void plain_step(struct plain *at, long double s, long double h)
{
    const long double scale[4] = {2.0L * s, 2.0L * s + h, 2.0L * s + h, 2.0L * (s + h)};
    const long double ahead[4] = {0.0L, h / 2, h / 2, h}, weight[4] = {h / 6, h / 3, h / 3, h / 6};
    const struct plain start = *at;
    long double d = 0.0L, w = 0.0L;
    for (int i = 0; i < 4; i++) {
        const struct plain stage = {start.gamma, start.d + ahead[i] * d, start.w + ahead[i] * w};
        plain_rate(&stage, scale[i], &d, &w);
        at->d += weight[i] * d;
        at->w += weight[i] * w;
    }
}

/* Ends where d (gap) or the force crosses zero, found by halving the last step. */
static void test_against_plain_steps(double gamma, enum carom_ending ending)
{
    struct plain at = {(long double)gamma, 0.0L, 1.0L}, last = at;
    long double s = 0.0L, h = 1e-4L, most = 0.0L;
    for (int i = 0; i < 40;) { /* halvings: more would be lost in 64 bits, and the loop would not end */
        last = at;
        plain_step(&at, s, h);
        const long double root = at.d > 0.0L ? sqrtl(at.d) : 0.0L, speed = at.w - at.gamma * root * at.d;
        const bool over = ending == CAROM_END_GAP ? at.d <= 0.0L : root * (at.d + 1.5L * at.gamma * speed) <= 0.0L;
        if (over) {
            at = last;
            h /= 2;
            i++;
        } else {
            s += h;
            most = at.d > most ? at.d : most;
        }
    }
    const double param[] = {1.0, gamma};
    double e = 0.0, time = 0.0, peak = 0.0;
    CHECK_STATUS(carom_restitution_of(&carom_law_kuwabara_kono, param, ending, 1.0, 1.0, &e, &time, &peak, NULL),
                 CAROM_OK);
    CHECK_NEAR(e, (double)(at.gamma * sqrtl(at.d) * at.d - at.w), 2e-10);
    CHECK_NEAR(time, (double)(s * s), 2e-10);
    CHECK_NEAR(peak, (double)most, 1e-7);
}

/* gamma and back, over all laws that have one. */
static void test_round_trip(void)
{
    const struct carom_law *const laws[] = {&carom_law_kuwabara_kono, &carom_law_power};
    const double wanted[] = {0.9999, 0.97, 0.71, 0.69, 0.3, 0.05, 1e-3};
    for (size_t law = 0; law < 2; law++)
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
            for (int ending = CAROM_END_GAP; ending <= CAROM_END_FORCE; ending++) {
                double kk[] = {8e8, 0.0}, power[] = {8e8, 1.7, -5.0, 2.1}, *param = law == 0 ? kk : power;
                double gamma = 0.0, e = 0.0;
                CHECK_STATUS(carom_restitution_gamma(laws[law], param, (enum carom_ending)ending, 0.03, 2.0, wanted[i],
                                                     &gamma, NULL),
                             CAROM_OK);
                param[law == 0 ? 1 : 2] = gamma;
                CHECK_STATUS(
                    carom_restitution_of(laws[law], param, (enum carom_ending)ending, 0.03, 2.0, &e, NULL, NULL, NULL),
                    CAROM_OK);
                CHECK_NEAR(e, wanted[i], 1e-10 * wanted[i]);
            }
}

/* Any exponents, any units: there is a gamma for every e that is not tiny, and it is found. */
static void test_random(uint64_t seed)
{
    struct carom_random random;
    carom_random_start(&random, seed);
    for (int trial = 0; trial < 200; trial++) {
        const double p = 1.0 + 3.0 * carom_random_uniform(&random), b = 1.0 + 3.0 * carom_random_uniform(&random);
        const double k = pow(10.0, 12.0 * carom_random_uniform(&random) - 2.0);
        const double m = pow(10.0, 8.0 * carom_random_uniform(&random) - 5.0);
        const double speed = pow(10.0, 6.0 * carom_random_uniform(&random) - 4.0);
        const double wanted = 0.05 + 0.95 * carom_random_uniform(&random);
        const enum carom_ending ending = trial % 2 == 0 ? CAROM_END_GAP : CAROM_END_FORCE;
        double param[] = {k, p, 0.0, b}, e = 0.0, time = 0.0, peak = 0.0;
        CHECK_STATUS(carom_restitution_gamma(&carom_law_power, param, ending, m, speed, wanted, &param[2], NULL),
                     CAROM_OK);
        CHECK_STATUS(carom_restitution_of(&carom_law_power, param, ending, m, speed, &e, &time, &peak, NULL), CAROM_OK);
        CHECK_NEAR(e, wanted, 1e-10 * wanted);
        CHECK(peak > 0.0 && k * pow(peak, p + 1.0) / (p + 1.0) < 0.5 * m * speed * speed * (1.0 + 1e-12));
        CHECK(time > peak / speed);
    }
}

static void test_refusals(void)
{
    struct carom_error error = {.status = CAROM_OK};
    const double param[] = {1.0, 0.0}, soft[] = {0.0, 0.0};
    double gamma = -1.0, e = 0.0;
    const struct carom_law *law = &carom_law_kuwabara_kono;
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, 1.0, 1.0, 1.0, &gamma, NULL), CAROM_OK);
    CHECK(gamma == 0.0);
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, 1.0, 1.0, 0.0, &gamma, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "above 0 and at most 1");
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, 1.0, 1.0, 1.1, &gamma, NULL), CAROM_E_INPUT);
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, 1.0, 1.0, nan(""), &gamma, NULL), CAROM_E_INPUT);
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, -1.0, 1.0, 0.5, &gamma, NULL), CAROM_E_INPUT);
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, 1.0, 0.0, 0.5, &gamma, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "positive, got 1 and 0");
    CHECK_STATUS(carom_restitution_gamma(law, param, CAROM_END_GAP, 1.0, 1.0, 1e-12, &gamma, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "no damping of law kuwabara-kono gives restitution 1e-12");
    CHECK_STATUS(carom_restitution_gamma(&carom_law_hertz, param, CAROM_END_GAP, 1.0, 1.0, 0.5, &gamma, &error),
                 CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "law hertz has no damping");
    CHECK_STATUS(carom_restitution_of(law, soft, CAROM_END_GAP, 1.0, 1.0, &e, NULL, NULL, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "cannot store");
    CHECK_STATUS(carom_restitution_of(law, param, CAROM_END_GAP, 1.0, HUGE_VAL, &e, NULL, NULL, NULL), CAROM_E_INPUT);
}

int main(int argc, char **argv)
{
    test_random(check_seed(argc, argv));
    test_hertz();
    test_linear_dashpot();
    test_overdamped();
    test_hunt_crossley();
    test_tsuji();
    test_small_damping();
    test_against_plain_steps(0.1, CAROM_END_GAP);
    test_against_plain_steps(0.6, CAROM_END_FORCE);
    test_round_trip();
    test_refusals();
    return check_end();
}
