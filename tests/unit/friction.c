/* Friction solvers against closed forms: one contact in all its cases, a block on a slope, one contact by brute force,
 * redundant contacts, scales, problems without solution, and whoever watches. */
#include "check.h"

#include "base/random.h"
#include "solve/contact/friction.h"
#include "solve/contact/friction_lemke.h"

enum { MOST = 16, SOLVERS = 3 };

static struct carom_friction_report solve(size_t n, size_t dim, const double *w, const double *b, const double *mu,
                                          enum carom_friction_solver solver, double *r, double *u)
{
    struct carom_error error = {0};
    struct carom_friction_room *room = carom_friction_open(n, dim, 0, &error);
    CHECK_OR_STOP(room != NULL);
    const struct carom_friction_problem problem = {n, dim, w, NULL, NULL, NULL, b, mu, NULL};
    struct carom_friction_report report;
    memset(r, 0, n * dim * sizeof *r);
    carom_friction_solve(&problem, solver, 1e-12, 0, room, r, u, &report);
    double again[MOST * 3];
    const double residual = carom_friction_residual(&problem, r, again);
    CHECK(residual == report.residual || fabs(residual - report.residual) <= 1e-15 || isnan(report.residual));
    carom_friction_close(room);
    return report;
}

/* A block of mass m on a slope: b = h g (-cos, sin) pushes into the slope and down it. */
static void slope(size_t dim)
{
    const double m = 2.5, g = 9.81, h = 1e-3;
    for (int angle = 5; angle <= 85; angle += 10)
        for (int s = 0; s < SOLVERS; s++) {
            const double a = angle * 3.14159265358979323846 / 180.0, mu = 0.6;
            double w[9] = {0.0}, b[3] = {0.0}, r[3], u[3];
            for (size_t k = 0; k < dim; k++)
                w[k * dim + k] = 1.0 / m;
            b[0] = -h * g * cos(a);
            const double turn = dim == 3 ? 0.7 : 0.0; /* downhill is no axis */
            b[1] = h * g * sin(a) * cos(turn);
            b[2] = h * g * sin(a) * sin(turn);
            const struct carom_friction_report report = solve(1, dim, w, b, &mu, (enum carom_friction_solver)s, r, u);
            CHECK(report.solved);
            const double normal = m * h * g * cos(a);
            const double friction = tan(a) <= mu ? m * h * g * sin(a) : mu * normal;
            const double slip = tan(a) <= mu ? 0.0 : h * g * (sin(a) - mu * cos(a));
            CHECK_NEAR(r[0], normal, 1e-12 * normal);
            CHECK_NEAR(r[1], -friction * cos(turn), 1e-11 * normal);
            CHECK_NEAR(u[0], 0.0, 1e-13);
            CHECK_NEAR(u[1], slip * cos(turn), 1e-13);
            if (dim == 3) {
                CHECK_NEAR(r[2], -friction * sin(turn), 1e-11 * normal);
                CHECK_NEAR(u[2], slip * sin(turn), 1e-13);
            }
        }
}

/* W = H H^T of a random H */
static void random_matrix(struct carom_random *random, size_t n, size_t rank, double *w)
{
    double h[MOST * 3][MOST * 3];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < rank; k++)
            h[i][k] = carom_random_normal(random);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            w[i * n + j] = 0.0;
            for (size_t k = 0; k < rank; k++)
                w[i * n + j] += h[i][k] * h[j][k];
        }
}

/* Coulomb's law in words, apart from the natural map: no pull, no approach, complementary; friction in the cone and,
 * where there is slip, on its edge and against it. */
static void check_law(size_t n, size_t dim, const double *mu, const double *r, const double *u, double size)
{
    for (size_t i = 0; i < n; i++) {
        const double *p = r + i * dim, *v = u + i * dim;
        double friction = 0.0, slip = 0.0, power = 0.0;
        for (size_t k = 1; k < dim; k++) {
            friction += p[k] * p[k];
            slip += v[k] * v[k];
            power += p[k] * v[k];
        }
        friction = sqrt(friction);
        slip = sqrt(slip);
        CHECK(p[0] >= 0.0);
        CHECK(v[0] >= -size);
        CHECK(friction <= mu[i] * p[0] * (1.0 + 1e-12) + size);
        CHECK_NEAR(p[0] * v[0], 0.0, size * (p[0] + fabs(v[0]) + 1.0));
        CHECK_NEAR(power, -mu[i] * p[0] * slip, size * (p[0] + slip + 1.0) * (1.0 + mu[i]));
    }
}

/* One contact with any W: Coulomb's law holds, and in the plane the solution is one of the four that can be listed. */
static void one_contact(struct carom_random *random)
{
    for (int trial = 0; trial < 3000; trial++) {
        const size_t dim = trial % 2 ? 3 : 2;
        double w[9], b[3], r[3], u[3];
        const double mu = trial % 7 == 0 ? 0.0 : 2.0 * carom_random_uniform(random);
        random_matrix(random, dim, trial % 5 == 0 ? 1 : dim, w);
        for (size_t k = 0; k < dim; k++)
            b[k] = carom_random_normal(random);
        const struct carom_friction_report report = solve(1, dim, w, b, &mu, CAROM_FRICTION_GAUSS_SEIDEL, r, u);
        if (trial % 5 == 0) /* singular: not every b has a solution */
            continue;
        CHECK(report.solved);
        check_law(1, dim, &mu, r, u, 1e-11 * (1.0 + fabs(r[0])));
        CHECK(b[0] < 0.0 ? r[0] > 0.0 : r[0] == 0.0);
    }
}

/* The four cases of a contact in the plane, each with its own closed form, W not diagonal. */
static void plane_cases(void)
{
    const double w[4] = {2.0, 0.5, 0.5, 1.0}, mu = 0.5;
    const struct {
        double b[2], r[2];
    } cases[] = {
        {{0.3, -4.0}, {0.0, 0.0}},                        /* leaves */
        {{-2.0, -0.6}, {(2.0 - 0.3) / 1.75, 0.2 / 1.75}}, /* sticks: W r = -b */
        {{-2.0, 3.0}, {2.0 / 1.75, -1.0 / 1.75}},         /* slips forward: (2 - .25) r_N = 2 */
        {{-2.0, -3.0}, {2.0 / 2.25, 1.0 / 2.25}},         /* slips back: (2 + .25) r_N = 2 */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int s = 0; s < SOLVERS; s++) {
            double r[2], u[2];
            CHECK(solve(1, 2, w, cases[k].b, &mu, (enum carom_friction_solver)s, r, u).solved);
            CHECK_NEAR(r[0], cases[k].r[0], 1e-11);
            CHECK_NEAR(r[1], cases[k].r[1], 1e-11);
        }
}

/* Several contacts of random matrices, full and redundant: the law holds, and where W is well inside positive definite
 * and mu small (one solution) the solvers agree. */
static void several(struct carom_random *random)
{
    for (int trial = 0; trial < 200; trial++) {
        const size_t n = 1 + (size_t)carom_random_below(random, 8), dim = trial % 2 ? 3 : 2, count = n * dim;
        static double w[MOST * 3 * MOST * 3];
        double b[MOST * 3], mu[MOST], r[SOLVERS][MOST * 3], u[MOST * 3];
        random_matrix(random, count, count, w);
        for (size_t k = 0; k < count; k++) {
            b[k] = carom_random_normal(random);
            w[k * count + k] += 4.0 * (double)count;
        }
        for (size_t i = 0; i < n; i++)
            mu[i] = 0.4 * carom_random_uniform(random);
        for (int s = 0; s < SOLVERS; s++) {
            CHECK(solve(n, dim, w, b, mu, (enum carom_friction_solver)s, r[s], u).solved);
            check_law(n, dim, mu, r[s], u, 1e-10);
            for (size_t k = 0; k < count; k++)
                CHECK_NEAR(r[s][k], r[0][k], 1e-11);
        }
    }
}

/* A block on two feet, no rotation possible: the normal impulses are not unique, the velocities are. */
static void redundant(void)
{
    double w[16], r[4], u[4];
    const double b[4] = {-1.0, 0.8, -1.0, 0.8}, mu[2] = {0.3, 0.5};
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++)
            w[i * 4 + j] = i % 2 == j % 2 ? 1.0 : 0.0;
    for (int s = 0; s < SOLVERS; s++) {
        CHECK(solve(2, 2, w, b, mu, (enum carom_friction_solver)s, r, u).solved);
        CHECK_NEAR(r[0] + r[2], 1.0, 1e-11);
        CHECK_NEAR(u[1], u[3], 1e-11);
        CHECK(u[1] >= 0.3 - 1e-11 && u[1] <= 0.5 + 1e-11);
    }
}

/* Nothing to do, nothing that can be done, and numbers that are none. */
static void edges(void)
{
    double r[3] = {0.0}, u[3] = {0.0}, w[9] = {0.0};
    double b[3] = {-1.0, 0.0, 0.0}, mu = 0.5;
    struct carom_error error = {0};
    struct carom_friction_room *room = carom_friction_open(0, 2, 0, &error);
    CHECK_OR_STOP(room != NULL);
    const struct carom_friction_problem none = {0, 2, w, NULL, NULL, NULL, b, &mu, NULL};
    struct carom_friction_report report;
    carom_friction_solve(&none, CAROM_FRICTION_AUTO, 1e-8, 0, room, r, u, &report);
    CHECK(report.solved);
    carom_friction_close(room);
    CHECK(carom_friction_open(1, 4, 0, &error) == NULL);
    CHECK_CONTAINS(error.text, "2 or 3");
    /* so many that what memory they need is beyond what a number can say */
    CHECK(carom_friction_open(((size_t)1 << 63) / 30, 2, 1, &error) == NULL && error.status == CAROM_E_MEMORY);
    CHECK(carom_friction_open((size_t)1 << 33, 2, 0, &error) == NULL && error.status == CAROM_E_MEMORY);
    CHECK(carom_friction_open(1, 2, (size_t)1 << 62, &error) == NULL && error.status == CAROM_E_MEMORY);
    /* one contact in the plane: neither one in space, nor two */
    const size_t first[] = {0, 1, 2}, column[] = {0, 1};
    CHECK_OR_STOP((room = carom_friction_open(1, 2, 1, &error)) != NULL);
    for (size_t k = 0; k < 2; k++) {
        const struct carom_friction_problem other = {1 + k, 3 - k, NULL, first, column, w, b, &mu, NULL};
        CHECK_STATUS(carom_friction_prepare(room, &other, &error), CAROM_E_INPUT);
        CHECK_CONTAINS(error.text, "another problem");
    }
    carom_friction_close(room);
    for (int s = 0; s < SOLVERS; s++) {
        report = solve(1, 2, w, b, &mu, (enum carom_friction_solver)s, r, u);
        CHECK(!report.solved);
        CHECK_CONTAINS(report.reason, "no solution");
        b[0] = nan("");
        report = solve(1, 2, w, b, &mu, (enum carom_friction_solver)s, r, u);
        CHECK(!report.solved);
        CHECK_CONTAINS(report.reason, "not finite");
        b[0] = 1.0;
        CHECK(solve(1, 2, w, b, &mu, (enum carom_friction_solver)s, r, u).solved);
        b[0] = -1.0;
    }
}

/* The same problem in other units: impulses scale, velocities stay, however far the units are apart. */
static void scales(struct carom_random *random)
{
    double w[81], b[9], mu[3] = {0.2, 0.7, 0.0}, r[9], u[9], scaled[81], far[9], v[9];
    random_matrix(random, 9, 9, w);
    for (size_t k = 0; k < 9; k++) {
        b[k] = carom_random_normal(random);
        w[k * 9 + k] += 9.0;
    }
    CHECK(solve(3, 3, w, b, mu, CAROM_FRICTION_AUTO, r, u).solved);
    for (int power = -12; power <= 12; power += 4)
        for (int s = 0; s < SOLVERS; s++) {
            const double factor = pow(10.0, power);
            for (size_t k = 0; k < 81; k++)
                scaled[k] = factor * w[k];
            CHECK(solve(3, 3, scaled, b, mu, (enum carom_friction_solver)s, far, v).solved);
            for (size_t k = 0; k < 9; k++) {
                CHECK_NEAR(factor * far[k], r[k], 1e-10);
                CHECK_NEAR(v[k], u[k], 1e-10);
            }
        }
}

/* Pivots in the plane: a block that is pushed down and aside sticks or slips; of numbers that are none, nothing comes,
 * neither of the problem nor of the one before it. */
static void pivots_in_the_plane(void)
{
    static const size_t first[] = {0, 1, 2, 3}, column[] = {0, 1, 2};
    static const double block[] = {1.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 1.0}, mu[] = {0.5, 0.5, 0.5};
    const double b[] = {-1.0, 0.25, -1.0, 2.0, -2.0, -0.5}, expected[] = {1.0, -0.25, 0.5, -0.25, 2.0, 0.5};
    const double none[] = {-1.0, nan(""), -1.0, 2.0, -2.0, -0.5};
    struct carom_friction_problem problem = {3, 2, NULL, first, column, block, b, mu, NULL};
    struct carom_friction_lemke lemke = {0};
    double r[6];
    size_t pivots = 0;
    CHECK_OR_STOP(carom_friction_lemke_solve(&lemke, &problem, 0, r, &pivots));
    for (size_t i = 0; i < 6; i++)
        CHECK_NEAR(r[i], expected[i], 1e-14);
    CHECK(pivots > 0);
    problem.b = none;
    CHECK(carom_friction_lemke_solve(&lemke, &problem, 0, r, &pivots));
    for (size_t i = 0; i < 6; i++)
        CHECK(r[i] == 0.0);
    carom_friction_lemke_close(&lemke);
}

struct patience {
    size_t asked, allowed, iterations;
    double least;
};

static bool lasts(void *own, size_t iterations, double residual)
{
    struct patience *p = own;
    CHECK(iterations >= p->iterations && residual <= p->least && residual >= 0.0);
    p->iterations = iterations;
    p->least = residual;
    return p->asked++ < p->allowed;
}

/* Whoever watches is told of the best so far, changes nothing, and may end it: then the best so far is the answer. */
static void watched(struct carom_random *random)
{
    enum { N = 8 };
    double w[4 * N * N], b[2 * N], mu[N], g[2 * N][2 * N], plain[2 * N], r[2 * N], u[2 * N];
    for (size_t i = 0; i < 4 * N * N; i++)
        g[i / (2 * N)][i % (2 * N)] = carom_random_normal(random);
    for (size_t i = 0; i < 2 * N; i++) {
        b[i] = carom_random_normal(random);
        mu[i / 2] = 0.5;
        for (size_t j = 0; j < 2 * N; j++) {
            w[i * 2 * N + j] = i == j ? 0.1 : 0.0;
            for (size_t k = 0; k < 2 * N; k++)
                w[i * 2 * N + j] += g[i][k] * g[j][k];
        }
    }
    const struct carom_friction_problem problem = {N, 2, w, NULL, NULL, NULL, b, mu, NULL};
    const struct carom_friction_report whole = solve(N, 2, w, b, mu, CAROM_FRICTION_GAUSS_SEIDEL, plain, u);
    CHECK(whole.solved && whole.iterations > 20);
    for (size_t allowed = 1; allowed < 1000; allowed += 998) {
        struct carom_friction_room *room = carom_friction_open(N, 2, 0, NULL);
        struct carom_friction_report report;
        struct patience p = {.allowed = allowed, .least = HUGE_VAL};
        memset(r, 0, sizeof r);
        carom_friction_watch(room, lasts, &p);
        carom_friction_solve(&problem, CAROM_FRICTION_GAUSS_SEIDEL, 1e-12, 0, room, r, u, &report);
        CHECK(report.solved == (allowed > 1) && p.asked > 1);
        CHECK_TEXT(report.reason, allowed > 1 ? "" : "stopped before the end");
        if (allowed > 1)
            CHECK(report.iterations == whole.iterations && memcmp(r, plain, sizeof r) == 0);
        else
            CHECK(p.asked == 2 && report.iterations < whole.iterations && report.residual <= p.least);
        carom_friction_watch(room, NULL, NULL); /* and is let go */
        const size_t asked = p.asked;
        memset(r, 0, sizeof r);
        carom_friction_solve(&problem, CAROM_FRICTION_GAUSS_SEIDEL, 1e-12, 0, room, r, u, &report);
        CHECK(p.asked == asked && report.solved && memcmp(r, plain, sizeof r) == 0);
        carom_friction_close(room);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    slope(2);
    slope(3);
    plane_cases();
    one_contact(&random);
    several(&random);
    redundant();
    edges();
    pivots_in_the_plane();
    scales(&random);
    watched(&random);
    CHECK_MAIN_END;
}
