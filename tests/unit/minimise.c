/* Newton's method on energies with known minima: quadratic ones in one step whatever the preconditioner, a valley that
 * bends, one whose slopes end in noise, steps that are kept short; and whether the energy falls in some direction, down
 * to what differences leave in doubt. */
#include "solve/minimise.h"
#include "check.h"

enum { N = 4 };

/* sum of a_i x_i^2 / 2 - b_i x_i + c (x_i^2)^2 / 4 */
struct bowl {
    size_t n;
    double a[N], b[N], c, at[N], kept[N];
    double guess[N]; /* of the curvature */
    double noise, reach;
    size_t looks, allowed; /* how often it was asked to go on, and may be */
};

static double energy(void *own)
{
    const struct bowl *p = own;
    double sum = 0.0;
    for (size_t i = 0; i < p->n; i++)
        sum += p->at[i] * (0.5 * p->a[i] * p->at[i] - p->b[i] + 0.25 * p->c * p->at[i] * p->at[i] * p->at[i]);
    return sum;
}

static void slope(void *own, double *g)
{
    const struct bowl *p = own;
    for (size_t i = 0; i < p->n; i++)
        g[i] = p->a[i] * p->at[i] - p->b[i] + p->c * p->at[i] * p->at[i] * p->at[i];
}

static void curve(void *own, const double *along, double *out)
{
    const struct bowl *p = own;
    for (size_t i = 0; i < p->n; i++)
        out[i] = (p->a[i] + 3.0 * p->c * p->kept[i] * p->kept[i]) * along[i];
}

static void precondition(void *own, const double *r, double *z)
{
    const struct bowl *p = own;
    for (size_t i = 0; i < p->n; i++)
        z[i] = r[i] / p->guess[i];
}

static void go(void *own, const double *along, double s)
{
    struct bowl *p = own;
    for (size_t i = 0; i < p->n; i++)
        p->at[i] = p->kept[i] + s * along[i];
}

static void keep(void *own)
{
    struct bowl *p = own;
    memcpy(p->kept, p->at, sizeof p->kept);
}

static double noise(void *own)
{
    return ((const struct bowl *)own)->noise;
}

static double reach(void *own, const double *along)
{
    const struct bowl *p = own;
    double most = 0.0;
    for (size_t i = 0; i < p->n; i++)
        most = fmax(most, fabs(along[i]));
    return p->reach / most;
}

static bool go_on(void *own, double residual)
{
    struct bowl *p = own;
    CHECK(residual >= 0.0);
    return p->looks++ < p->allowed;
}

static struct carom_minimise problem_of(struct bowl *p)
{
    return (struct carom_minimise){
        p->n, p, energy, slope, curve, precondition, go, keep, noise, reach, p->allowed ? go_on : NULL};
}

static struct carom_minimise_result run(struct bowl *p, double goal, size_t most)
{
    const struct carom_minimise problem = problem_of(p);
    double work[5 * N];
    return carom_minimise_run(&problem, goal, most, work);
}

static const struct bowl plain = {
    .n = N, .a = {1.0, 3.0, 10.0, 0.5}, .b = {2.0, -3.0, 5.0, 4.0}, .guess = {1.0, 1.0, 1.0, 1.0}, .reach = HUGE_VAL};

static void test_quadratic(void)
{
    struct bowl p = plain;
    const struct carom_minimise_result rough = run(&p, 1e-6, 100);
    CHECK(rough.converged && !rough.stopped && rough.residual <= 1e-6 && rough.products >= N - 1);
    for (size_t i = 0; i < N; i++)
        CHECK_NEAR(p.at[i], p.b[i] / p.a[i], 1e-5);
    p = plain;
    memcpy(p.guess, p.a, sizeof p.a); /* one that knows all */
    const struct carom_minimise_result exact = run(&p, 1e-12, 100);
    CHECK(exact.converged && exact.iterations == 1 && exact.products == 1);
    CHECK(run(&p, 1e-12, 100).iterations == 0); /* there already */
}

/* c x^4 / 4 + a x^2 / 2 - b x has its minimum at the root of c x^3 + a x - b, the only one */
static void test_quartic(void)
{
    struct bowl p = plain;
    p.c = 2.0;
    const struct carom_minimise_result result = run(&p, 1e-10, 100);
    CHECK(result.converged && result.iterations > 1 && result.iterations < 12);
    for (size_t i = 0; i < N; i++)
        CHECK_NEAR(2.0 * pow(p.at[i], 3.0) + p.a[i] * p.at[i], p.b[i], 1e-10);
    p = plain; /* from the top of a hill between two valleys, which the slope leaves to the right */
    p.c = 1.0;
    for (size_t i = 0; i < N; i++) {
        p.a[i] = -1.0;
        p.b[i] = 1e-3 * (double)(i + 1);
    }
    CHECK(run(&p, 1e-9, 100).converged);
    for (size_t i = 0; i < N; i++)
        CHECK(p.at[i] > 1.0 && p.at[i] < 1.01);
}

static void test_ends(void)
{
    struct bowl p = plain;
    p.noise = 10.0; /* all slopes are less */
    CHECK(run(&p, 0.0, 100).converged && p.at[0] == 0.0);
    p = plain;
    p.reach = 0.5;
    struct carom_minimise_result result = run(&p, 1e-9, 3);
    CHECK(!result.converged && result.iterations == 3 && p.at[3] > 1.0 && p.at[3] <= 1.5);
    result = run(&p, 1e-9, 100);
    CHECK(result.converged && result.iterations >= 13); /* 8 of the way in steps of at most 1/2 */
    p = plain;
    p.allowed = 2;
    result = run(&p, 1e-9, 100);
    CHECK(result.stopped && !result.converged && result.products == 2 && p.looks == 3 && p.at[3] == 0.0);
}

/* two directions, curvatures 1 and `second`, seen from (1, share) */
static bool wavers(double second, double share, double first_guess, double second_guess)
{
    struct bowl p = {.n = 2, .a = {1.0, second}, .guess = {first_guess, second_guess}, .reach = 1.0};
    const struct carom_minimise problem = problem_of(&p);
    double work[5 * N] = {1.0, share};
    return carom_minimise_wavers(&problem, work);
}

static void test_wavers(void)
{
    CHECK(!wavers(1.0, 0.7, 1.0, 1.0) && !wavers(0.01, 0.7, 1.0, 1.0) && !wavers(1e-4, 0.7, 1.0, 1.0));
    CHECK(wavers(-1.0, 0.7, 1.0, 1.0) && wavers(-0.01, 0.7, 1.0, 1.0) && wavers(-1e-3, 0.7, 1.0, 1.0));
    /* The second direction is met alone, in the second step: its curvature over what the preconditioner takes it for is
     * in doubt from -1e-5 on, however large the first step was. */
    for (int k = 1; k < 10; k++) {
        const double share = sqrt(0.1 * k);
        CHECK(wavers(-2e-5, share, 1.0, 1.0));
        CHECK(!wavers(-5e-6, share, 1.0, 1.0));
        CHECK(wavers(-2e-2, share * 1e3, 1.0, 1e3) && !wavers(-5e-3, share * 1e3, 1.0, 1e3));
    }
    struct bowl p = {.n = 2, .a = {1.0, -1e-3}, .guess = {1.0, 1.0}, .reach = 1.0, .allowed = 1};
    const struct carom_minimise problem = problem_of(&p);
    double work[5 * N] = {1.0, 0.7};
    CHECK(!carom_minimise_wavers(&problem, work) && p.looks == 2); /* stopped before it is seen */
}

int main(void)
{
    test_quadratic();
    test_quartic();
    test_ends();
    test_wavers();
    return check_end();
}
