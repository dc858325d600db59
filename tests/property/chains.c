/* Laws of mechanics on random chains: momentum, energy, the ledger, Galilean and mirror invariance, reversibility.
 * Random are masses, laws, parameters, endings, gaps, walls, local springs and the start; the seed is printed. */
#include "chain.h"
#include "draws.h"

static struct chain chain, twin; /* too large for the stack */

enum { TRIALS = 40 };
static const double until = 8.0;

static bool coin(struct carom_random *random)
{
    return carom_random_below(random, 2) == 1;
}

/* What a random chain may have. */
struct freedom {
    bool walls, springs, damping, by_force;
    bool one_viscous_time; /* for scheme theta: one gamma, no clipping */
};

static void draw_contact(struct carom_random *random, const struct freedom *may, size_t j, double gamma)
{
    double *p = chain.param[j];
    if (!may->one_viscous_time)
        gamma = may->damping ? draw_between(random, 0.01, 0.3) : 0.0;
    p[0] = draw_between(random, 0.5, 2.0);
    chain.ending[j] = may->by_force && coin(random) ? CAROM_END_FORCE : CAROM_END_GAP;
    switch (carom_random_below(random, 3)) {
    case 0:
        chain.law[j] = gamma > 0.0 && may->one_viscous_time ? &carom_law_kuwabara_kono : &carom_law_hertz;
        p[1] = gamma;
        break;
    case 1:
        chain.law[j] = &carom_law_kuwabara_kono;
        p[1] = gamma;
        break;
    default:
        chain.law[j] = &carom_law_power;
        p[1] = draw_between(random, 1.2, 3.0);
        p[2] = gamma;
        p[3] = may->one_viscous_time ? p[1] : draw_between(random, 1.3, 2.5);
    }
}

static void draw_chain(struct carom_random *random, const struct freedom *may)
{
    const double none[4] = {0.0};
    const bool left = may->walls && coin(random), right = may->walls && coin(random);
    chain_uniform(&chain, 2 + (size_t)carom_random_below(random, 12), left, right, &carom_law_hertz, CAROM_END_GAP,
                  none);
    const double pattern[3] = {1.0, draw_between(random, 0.3, 3.0), draw_between(random, 0.3, 3.0)};
    const size_t repeat = 1 + (size_t)carom_random_below(random, 3);
    const bool springs = may->springs && coin(random);
    const double gamma = may->damping ? draw_between(random, 0.01, 0.1) : 0.0;
    for (size_t i = 0; i < chain.n; i++) {
        chain.mass[i] = pattern[i % repeat];
        chain.spring[i] = springs ? draw_between(random, 0.0, 0.2) : 0.0;
        chain.q[i] = coin(random) ? 0.1 * carom_random_normal(random) : 0.0;
        chain.v[i] = coin(random) ? carom_random_normal(random) : 0.0;
    }
    chain.v[0] = 1.0;
    for (size_t j = 0; j < chain.nc; j++) {
        draw_contact(random, may, j, gamma);
        chain.gap[j] = coin(random) ? draw_between(random, 0.0, 0.3) : 0.0;
    }
}

static double momentum(const double *v)
{
    double sum = 0.0;
    for (size_t i = 0; i < chain.n; i++)
        sum += chain.mass[i] * v[i];
    return sum;
}

static bool is(const struct carom_scheme *scheme, const char *name)
{
    return strcmp(scheme->kind.name, name) == 0;
}

static double setting_of(const struct carom_scheme *scheme)
{
    return is(scheme, "dp5") ? 1e-9 : 0.01;
}

/* Without walls and springs momentum is kept to rounding, under every scheme. */
static void check_momentum(const struct carom_scheme *scheme, struct carom_random *random)
{
    const bool theta = is(scheme, "theta");
    const struct freedom may = {.damping = true, .by_force = !theta, .one_viscous_time = theta};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct trial at;
        draw_chain(random, &may);
        CHECK_OR_STOP(trial_open(&at, &chain, scheme, setting_of(scheme), NULL));
        CHECK_STATUS(trial_run(&at, until, NULL), CAROM_OK);
        CHECK_NEAR(momentum(at.view->v), momentum(chain.v), 1e-13 * (double)chain.n);
        trial_close(&at);
    }
}

/* Energy never rises and the ledger closes, as far as the scheme is exact; the numbers allowed are beside it. */
static void check_energy(const struct carom_scheme *scheme, struct carom_random *random)
{
    const bool theta = is(scheme, "theta"), dp5 = is(scheme, "dp5");
    const struct freedom may = {
        .walls = true, .springs = true, .damping = true, .by_force = !theta, .one_viscous_time = theta};
    double worst = 0.0;
    for (int trial = 0; trial < TRIALS; trial++) {
        struct trial at;
        draw_chain(random, &may);
        CHECK_OR_STOP(trial_open(&at, &chain, scheme, setting_of(scheme), NULL));
        const double start = at.state->energy, tolerance = (dp5 ? 2e-7 : theta ? 0.03 : 4e-4) * start;
        double energy = start, dissipated = 0.0;
        for (int i = 1; i <= 40; i++) {
            CHECK_STATUS(trial_run(&at, until * i / 40.0, NULL), CAROM_OK);
            const struct carom_ledger ledger = trial_ledger(&at);
            CHECK(ledger.kinetic + ledger.stored <= energy + tolerance);
            CHECK(ledger.dissipated >= dissipated - tolerance);
            CHECK_NEAR(ledger.residual, 0.0, tolerance);
            CHECK(ledger.work == 0.0 && ledger.internal == 0.0);
            worst = fmax(worst, fabs(ledger.residual) / start);
            energy = fmin(energy, ledger.kinetic + ledger.stored);
            dissipated = fmax(dissipated, ledger.dissipated);
        }
        trial_close(&at);
    }
    printf("%s: the ledger closes to %.1e\n", scheme->kind.name, worst);
}

/* Largest difference of displacements and velocities, `sign` and `order` taking care of a mirror image. */
static double apart(const struct carom_state *a, const struct carom_state *b, bool mirrored)
{
    double worst = 0.0;
    for (size_t i = 0; i < a->nq; i++) {
        const size_t k = mirrored ? a->nq - 1 - i : i;
        const double sign = mirrored ? -1.0 : 1.0;
        worst = fmax(worst, fabs(a->q[i] - sign * b->q[k]));
        worst = fmax(worst, fabs(a->v[i] - sign * b->v[k]));
    }
    return worst;
}

static void run_pair(const struct carom_scheme *scheme, struct trial *one, struct trial *other)
{
    CHECK_OR_STOP(trial_open(one, &chain, scheme, setting_of(scheme), NULL));
    CHECK_OR_STOP(trial_open(other, &twin, scheme, setting_of(scheme), NULL));
    CHECK_STATUS(trial_run(one, until, NULL), CAROM_OK);
    CHECK_STATUS(trial_run(other, until, NULL), CAROM_OK);
}

/* The same chain seen from a moving frame. dp5 measures its error by the largest speed, so its steps differ. */
static void check_galileo(const struct carom_scheme *scheme, struct carom_random *random)
{
    const bool theta = is(scheme, "theta");
    const struct freedom may = {.damping = true, .by_force = !theta, .one_viscous_time = theta};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct trial one, other;
        draw_chain(random, &may);
        twin = chain;
        const double speed = draw_between(random, -2.0, 2.0);
        for (size_t i = 0; i < chain.n; i++)
            twin.v[i] += speed;
        run_pair(scheme, &one, &other);
        for (size_t i = 0; i < chain.n; i++) {
            other.view->q[i] -= speed * until;
            other.view->v[i] -= speed;
        }
        CHECK_NEAR(apart(one.view, other.view, false), 0.0, is(scheme, "dp5") ? 1e-6 : 1e-10);
        trial_close(&one);
        trial_close(&other);
    }
}

static void check_mirror(const struct carom_scheme *scheme, struct carom_random *random)
{
    const bool theta = is(scheme, "theta");
    const struct freedom may = {
        .walls = true, .springs = true, .damping = true, .by_force = !theta, .one_viscous_time = theta};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct trial one, other;
        draw_chain(random, &may);
        twin = chain;
        twin.left_wall = chain.right_wall;
        twin.right_wall = chain.left_wall;
        for (size_t i = 0; i < chain.n; i++) {
            const size_t k = chain.n - 1 - i;
            twin.mass[i] = chain.mass[k];
            twin.spring[i] = chain.spring[k];
            twin.q[i] = -chain.q[k];
            twin.v[i] = -chain.v[k];
        }
        for (size_t j = 0; j < chain.nc; j++) {
            const size_t k = chain.nc - 1 - j;
            twin.gap[j] = chain.gap[k];
            twin.law[j] = chain.law[k];
            twin.ending[j] = chain.ending[k];
            memcpy(twin.param[j], chain.param[k], sizeof chain.param[k]);
        }
        run_pair(scheme, &one, &other);
        CHECK_NEAR(apart(one.view, other.view, true), 0.0, is(scheme, "dp5") ? 1e-7 : 1e-9);
        trial_close(&one);
        trial_close(&other);
    }
}

/* Undamped motion runs back to its start when all velocities turn round: to rounding for time-symmetric schemes. */
static void check_reversal(const struct carom_scheme *scheme, struct carom_random *random)
{
    const struct freedom may = {.walls = true, .springs = true};
    for (int trial = 0; trial < TRIALS; trial++) {
        struct trial there, back;
        draw_chain(random, &may);
        twin = chain;
        CHECK_OR_STOP(trial_open(&there, &chain, scheme, setting_of(scheme), NULL));
        CHECK_STATUS(trial_run(&there, until, NULL), CAROM_OK);
        for (size_t i = 0; i < chain.n; i++) {
            twin.q[i] = there.view->q[i];
            twin.v[i] = -there.view->v[i];
        }
        CHECK_OR_STOP(trial_open(&back, &twin, scheme, setting_of(scheme), NULL));
        CHECK_STATUS(trial_run(&back, until, NULL), CAROM_OK);
        double worst = 0.0;
        for (size_t i = 0; i < chain.n; i++) {
            worst = fmax(worst, fabs(back.view->q[i] - chain.q[i]));
            worst = fmax(worst, fabs(back.view->v[i] + chain.v[i]));
        }
        CHECK_NEAR(worst, 0.0, is(scheme, "dp5") ? 1e-6 : 1e-9);
        trial_close(&there);
        trial_close(&back);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    const struct carom_scheme *const schemes[] = {&carom_scheme_verlet, &carom_scheme_theta, &carom_scheme_dp5};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        check_momentum(schemes[i], &random);
        check_energy(schemes[i], &random);
        check_galileo(schemes[i], &random);
        check_mirror(schemes[i], &random);
        check_reversal(schemes[i], &random);
    }
    return check_end();
}
