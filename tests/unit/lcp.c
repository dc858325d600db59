/* Linear complementarity: every solver on random problems of every kind, against all active sets tried one by one in
 * long double; redundant contacts, problems without solution, numbers that are none, masses apart by 1e6, and the
 * column at rest, whose impulses are known. */
#include "solve/contact/lcp.h"

#include <float.h>

#include "base/random.h"
#include "check.h"
#include "solve/contact/lcp_solvers.h"

enum { MOST = 64, FEW = 6 };

static const enum carom_lcp_solver solvers[] = {CAROM_LCP_AUTO, CAROM_LCP_LEMKE, CAROM_LCP_GAUSS_SEIDEL,
                                                CAROM_LCP_NEWTON, CAROM_LCP_TRIDIAGONAL};
enum { SOLVERS = sizeof solvers / sizeof *solvers };

struct problem {
    size_t n;
    double matrix[MOST * MOST], diagonal[MOST], beside[MOST], b[MOST];
    bool tridiagonal, singular;
};

static struct carom_lcp of(const struct problem *p)
{
    return p->tridiagonal ? (struct carom_lcp){p->n, NULL, p->diagonal, p->beside, p->b}
                          : (struct carom_lcp){p->n, p->matrix, NULL, NULL, p->b};
}

/* Contacts between bodies: A = G^T M^-1 G with `bodies` masses of 10^(-spread ... spread), b = G^T v, which makes the
 * problem feasible also where A is singular. Chains are tridiagonal M-matrices. */
static void make_contacts(struct problem *p, size_t n, size_t bodies, double spread, bool chain,
                          struct carom_random *random)
{
    static double g[MOST][2 * MOST], inverse[2 * MOST], v[2 * MOST];
    memset(g, 0, sizeof g);
    for (size_t k = 0; k < bodies; k++) {
        inverse[k] = pow(10.0, spread * (2.0 * carom_random_uniform(random) - 1.0));
        v[k] = carom_random_normal(random);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < bodies; k++) {
            if (!chain)
                g[i][k] = carom_random_uniform(random) < 0.5 ? carom_random_normal(random) : 0.0;
            else if (k + 1 == i)
                g[i][k] = -1.0;
            else if (k == i)
                g[i][k] = 1.0;
        }
    p->n = n;
    p->tridiagonal = chain;
    p->singular = bodies < n;
    for (size_t i = 0; i < n; i++) {
        p->b[i] = 0.0;
        for (size_t k = 0; k < bodies; k++)
            p->b[i] += g[i][k] * v[k];
        for (size_t j = 0; j < n; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < bodies; k++)
                sum += g[i][k] * inverse[k] * g[j][k];
            p->matrix[i * n + j] = sum;
        }
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            p->matrix[i * n + j] = p->matrix[j * n + i];
    for (size_t i = 0; i < n && chain; i++) {
        p->diagonal[i] = p->matrix[i * n + i];
        if (i + 1 < n)
            p->beside[i] = p->matrix[i * n + i + 1];
    }
}

/* Tridiagonal, positive definite, couplings of both signs: no M-matrix. */
static void make_mixed(struct problem *p, size_t n, struct carom_random *random)
{
    p->n = n;
    p->tridiagonal = true;
    p->singular = false;
    memset(p->matrix, 0, sizeof p->matrix);
    for (size_t i = 0; i < n; i++) {
        p->diagonal[i] = 0.02 + 0.2 * carom_random_uniform(random);
        p->b[i] = carom_random_normal(random);
    }
    for (size_t i = 0; i + 1 < n; i++) {
        p->beside[i] = carom_random_normal(random);
        p->diagonal[i] += fabs(p->beside[i]);
        p->diagonal[i + 1] += fabs(p->beside[i]);
    }
    for (size_t i = 0; i < n; i++) {
        p->matrix[i * n + i] = p->diagonal[i];
        if (i + 1 < n)
            p->matrix[i * n + i + 1] = p->matrix[(i + 1) * n + i] = p->beside[i];
    }
}

static void rates(const struct problem *p, const double *z, double *w)
{
    for (size_t i = 0; i < p->n; i++) {
        long double sum = (long double)p->b[i];
        for (size_t j = 0; j < p->n; j++)
            sum += (long double)p->matrix[i * p->n + j] * (long double)z[j];
        w[i] = (double)sum;
    }
}

/* The dense system of one active set in long double, row pivoting; false if it is singular. */
static bool solve_set(const struct problem *p, unsigned set, long double *z)
{
    long double a[FEW][FEW + 1];
    size_t at[FEW], count = 0;
    for (size_t i = 0; i < p->n; i++) {
        z[i] = 0.0L;
        if (set >> i & 1u)
            at[count++] = i;
    }
    for (size_t k = 0; k < count; k++) {
        for (size_t l = 0; l < count; l++)
            a[k][l] = (long double)p->matrix[at[k] * p->n + at[l]];
        a[k][count] = -(long double)p->b[at[k]];
    }
    for (size_t k = 0; k < count; k++) {
        size_t best = k;
        for (size_t r = k + 1; r < count; r++)
            best = fabsl(a[r][k]) > fabsl(a[best][k]) ? r : best;
        if (fabsl(a[best][k]) <= 1e-13L * fabsl((long double)p->matrix[at[k] * p->n + at[k]]))
            return false;
        for (size_t l = 0; l <= count; l++) {
            const long double kept = a[k][l];
            a[k][l] = a[best][l];
            a[best][l] = kept;
        }
        for (size_t r = 0; r < count; r++)
            for (size_t l = count + 1; r != k && l-- > k;)
                a[r][l] -= a[r][k] / a[k][k] * a[k][l];
    }
    for (size_t k = 0; k < count; k++)
        z[at[k]] = a[k][count] / a[k][k];
    return true;
}

/* All active sets in turn: the one with the least violation. */
static double enumerate(const struct problem *p, double *z)
{
    long double best = HUGE_VALL, trial[FEW];
    for (unsigned set = 0; set < 1u << p->n; set++) {
        if (!solve_set(p, set, trial))
            continue;
        long double worst = 0.0L;
        for (size_t i = 0; i < p->n; i++) {
            long double w = (long double)p->b[i];
            for (size_t j = 0; j < p->n; j++)
                w += (long double)p->matrix[i * p->n + j] * trial[j];
            const long double scaled = (long double)p->matrix[i * p->n + i] * trial[i];
            worst = fmaxl(worst, fabsl(fminl(scaled, w)));
        }
        if (worst < best) {
            best = worst;
            for (size_t i = 0; i < p->n; i++)
                z[i] = (double)trial[i];
        }
    }
    return (double)best;
}

/* All solvers from several starts find the same w, and the same z where it is unique. */
static void check_all(const struct problem *p, const double *truth, double condition, struct carom_lcp_room *room,
                      struct carom_random *random)
{
    const struct carom_lcp lcp = of(p);
    struct carom_lcp_report report;
    double z[MOST], w[MOST], expected[MOST], size = 1e-3, large = 1e-3;
    rates(p, truth, expected);
    for (size_t i = 0; i < p->n; i++) {
        size = fmax(size, fabs(p->b[i]) + p->matrix[i * p->n + i] * truth[i]);
        large = fmax(large, truth[i]);
    }
    for (size_t s = 0; s < SOLVERS; s++)
        for (int start = 0; start < 3; start++) {
            if (solvers[s] == CAROM_LCP_TRIDIAGONAL && !p->tridiagonal)
                continue;
            /* slow on masses far apart */
            const bool slow = solvers[s] == CAROM_LCP_GAUSS_SEIDEL;
            if (slow && condition > 100.0)
                continue;
            for (size_t i = 0; i < p->n; i++)
                z[i] = start == 0 ? 0.0 : start == 1 ? truth[i] : carom_random_normal(random);
            carom_lcp_solve(&lcp, solvers[s], slow ? 1e-11 : 1e-12, slow ? 200000 : 0, room, z, &report);
            CHECK(report.solved);
            if (!report.solved)
                fprintf(stderr, "solver %d start %d n %zu residual %g iterations %zu singular %d\n", (int)solvers[s],
                        start, p->n, report.residual, report.iterations, p->singular);
            rates(p, z, w);
            for (size_t i = 0; i < p->n; i++) {
                CHECK(z[i] >= 0.0);
                CHECK_NEAR(w[i], expected[i], (slow ? 1e-7 : 1e-11) * size);
                if (!p->singular && !slow)
                    CHECK_NEAR(z[i], truth[i], 1e-11 * condition * large);
            }
        }
}

static void test_small(struct carom_lcp_room *room, struct carom_random *random)
{
    static struct problem p;
    double truth[FEW];
    for (int round = 0; round < 150; round++)
        for (int kind = 0; kind < 6; kind++) {
            const size_t n = 1 + (size_t)carom_random_below(random, FEW);
            double condition = 1e3;
            if (kind == 0)
                make_contacts(&p, n, n + 3, 0.3, false, random);
            else if (kind == 1)
                make_contacts(&p, n, n, 0.3, true, random);
            else if (kind == 2) /* between two walls: one contact too many */
                make_contacts(&p, n + (n < 2), n - (n > 1), 0.3, true, random);
            else if (kind == 3)
                make_mixed(&p, n, random);
            else if (kind == 4) /* redundant */
                make_contacts(&p, n, 1 + n / 2, 0.3, false, random);
            else /* masses from 1e-3 to 1e3 */
                make_contacts(&p, n, n, 3.0, true, random);
            for (size_t i = 0; i < p.n && round % 3 == 0; i++) /* degenerate: some b are 0 */
                if (!p.singular && carom_random_uniform(random) < 0.4)
                    p.b[i] = 0.0;
            if (kind != 1 && kind != 2 && kind != 3)
                condition = 1e6;
            long double unused[FEW];
            p.singular = !solve_set(&p, (1u << p.n) - 1u, unused);
            if (enumerate(&p, truth) > 1e-12) /* a singular problem may have no basic solution found to rounding */
                continue;
            check_all(&p, truth, kind == 1 || kind == 3 ? 10.0 : condition, room, random);
        }
}

/* larger ones, against Lemke */
static void test_large(struct carom_lcp_room *room, struct carom_random *random)
{
    static struct problem p;
    double truth[MOST];
    for (int round = 0; round < 40; round++)
        for (int kind = 0; kind < 3; kind++) {
            const size_t n = 10 + (size_t)carom_random_below(random, MOST - 10);
            struct carom_lcp_report report;
            if (kind == 0)
                make_contacts(&p, n, n + 30, 0.3, false, random);
            else if (kind == 1)
                make_contacts(&p, n, n, 3.0, true, random);
            else
                make_mixed(&p, n, random);
            const struct carom_lcp lcp = of(&p);
            memset(truth, 0, sizeof truth);
            carom_lcp_solve(&lcp, CAROM_LCP_LEMKE, 1e-12, 0, room, truth, &report);
            CHECK(report.solved && report.by == CAROM_LCP_LEMKE);
            check_all(&p, truth, 1e6, room, random);
        }
}

/* Bodies at rest on each other: z_i = (weight above) * h, whatever the masses. */
static void test_column(void)
{
    enum { N = 100000 };
    double *diagonal = calloc(N, sizeof *diagonal), *beside = calloc(N, sizeof *beside), *b = calloc(N, sizeof *b);
    double *z = calloc(N, sizeof *z), *mass = calloc(N, sizeof *mass);
    struct carom_lcp_room room = {0};
    struct carom_lcp_report report;
    CHECK_OR_STOP(diagonal && beside && b && z && mass);
    for (int kind = 0; kind < 2; kind++) {
        for (size_t n = 1; n <= N; n *= 10) {
            CHECK_STATUS(carom_lcp_open(&room, n, false, NULL), CAROM_OK);
            for (size_t i = 0; i < n; i++)
                mass[i] = kind == 0 || i % 3 > 0 ? 1.0 : 0x1p-20;
            for (size_t i = 0; i < n; i++) { /* contact 0 is at the floor */
                diagonal[i] = 1.0 / mass[i] + (i > 0 ? 1.0 / mass[i - 1] : 0.0);
                if (i + 1 < n)
                    beside[i] = -1.0 / mass[i];
                b[i] = i == 0 ? -1.0 / 128 : 0.0;
            }
            const struct carom_lcp lcp = {n, NULL, diagonal, beside, b};
            for (int start = 0; start < 2; start++) { /* cold, then warm */
                if (start == 0)
                    memset(z, 0, N * sizeof *z);
                carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-12, 0, &room, z, &report);
                CHECK(report.solved && report.iterations == 1 && report.by == CAROM_LCP_TRIDIAGONAL);
                double weight = 0.0;
                for (size_t i = n; i-- > 0;) {
                    weight += mass[i] / 128;
                    CHECK_NEAR(z[i] / weight, 1.0, 1e-11);
                }
            }
        }
    }
    carom_lcp_close(&room);
    free(diagonal);
    free(beside);
    free(b);
    free(z);
    free(mass);
}

/* A blow on a row of beads that drift apart slowly: the closed contacts reach far, and are not found one by one. */
static void test_growth(void)
{
    enum { N = 20000 };
    double *diagonal = calloc(N, sizeof *diagonal), *beside = calloc(N, sizeof *beside), *b = calloc(N, sizeof *b);
    double *z = calloc(N, sizeof *z);
    struct carom_lcp_room room = {0};
    struct carom_lcp_report report;
    CHECK_OR_STOP(diagonal && beside && b && z);
    for (size_t i = 0; i < N; i++) {
        diagonal[i] = 2.0;
        beside[i] = -1.0;
        b[i] = i == N / 2 ? -100.0 : 1e-2;
    }
    const struct carom_lcp lcp = {N, NULL, diagonal, beside, b};
    CHECK_STATUS(carom_lcp_open(&room, N, false, NULL), CAROM_OK);
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-12, 0, &room, z, &report);
    CHECK(report.solved && report.iterations <= 60);
    size_t closed = 0;
    for (size_t i = 0; i < N; i++)
        closed += z[i] > 0.0;
    CHECK(closed > 9990 && closed < 10010); /* z = s - 50 |x| + 1e-2 x^2 / 2 has a double root at the ends */
    carom_lcp_solve(&lcp, CAROM_LCP_AUTO, 1e-12, 0, &room, z, &report);
    CHECK(report.solved && report.iterations == 1);
    carom_lcp_close(&room);
    free(diagonal);
    free(beside);
    free(b);
    free(z);
}

/* A blow that comes down a heap in which forces are all but balanced: contact after contact lets go or closes, and
 * nearly all change sides when one of the last does. */
static void test_heap(struct carom_lcp_room *room, struct carom_random *random)
{
    enum { ROWS = 300 };
    for (int k = 0; k < ROWS; k++) {
        double diagonal[MOST], beside[MOST], b[MOST], z[MOST], exact[MOST];
        const double grows = 0.1 + 0.9 * carom_random_uniform(random);
        for (size_t i = 0; i < MOST; i++) {
            diagonal[i] = i > 0 ? 2.0 : 1.0;
            beside[i] = -1.0;
            b[i] = i > 0 ? exp(-grows * (double)(MOST - 1 - i)) * carom_random_normal(random) : -1e-3;
            z[i] = exact[i] = k % 2 ? 1.0 : 0.0;
        }
        const struct carom_lcp lcp = {MOST, NULL, diagonal, beside, b};
        struct carom_lcp_report report;
        carom_lcp_solve(&lcp, CAROM_LCP_LEMKE, 1e-12, 0, room, exact, &report);
        CHECK(report.solved);
        carom_lcp_solve(&lcp, CAROM_LCP_TRIDIAGONAL, 1e-12, 0, room, z, &report);
        CHECK(report.solved && report.iterations <= 64);
        for (size_t i = 0; i < MOST; i++)
            CHECK_NEAR(z[i], exact[i], 1e-10); /* Lemke has the rounding of its pivots */
    }
}

/* Contacts that would have to push without end, and what is not a number: said, by every solver, soon. */
static void test_hopeless(struct carom_lcp_room *room)
{
    const double both[] = {1.0, -1.0, -1.0, 1.0}, loose[] = {1.0, 0.0, 0.0, 0.0}, squeezed[] = {-1.0, -1.0};
    const double wide[] = {2.0, -1.0, -1.0, -1.0, 2.0, -1.0, -1.0, -1.0, 2.0}, three[] = {-1.0, 0.5, -1.0};
    const double bad[] = {1.0, nan(""), nan(""), 1.0}, huge[] = {1.0, 0.0, 0.0, HUGE_VAL};
    const double not_b[] = {-1.0, nan("")}, no_b[] = {-HUGE_VAL, 1.0}, far_b[] = {HUGE_VAL, 1.0};
    const double unit[] = {1.0, 0.0, 0.0, 1.0};
    const struct carom_lcp lcp[] = {{2, both, NULL, NULL, squeezed}, {2, loose, NULL, NULL, squeezed},
                                    {3, wide, NULL, NULL, three},    {2, bad, NULL, NULL, squeezed},
                                    {2, huge, NULL, NULL, squeezed}, {2, unit, NULL, NULL, not_b},
                                    {2, unit, NULL, NULL, no_b},     {2, unit, NULL, NULL, far_b}};
    for (size_t k = 0; k < sizeof lcp / sizeof *lcp; k++)
        for (size_t s = 0; s < SOLVERS; s++)
            for (int start = 0; start < 3; start++) {
                struct carom_lcp_report report;
                double z[3] = {0.0, 0.0, 0.0};
                z[1] = start == 0 ? 0.0 : start == 1 ? 2.0 : nan("");
                carom_lcp_solve(lcp + k, solvers[s], 1e-9, 0, room, z, &report);
                CHECK(!report.solved);
                if (report.solved)
                    fprintf(stderr, "problem %zu solver %d start %d\n", k, (int)solvers[s], start);
                CHECK(z[0] >= 0.0 && z[1] >= 0.0 && z[2] >= 0.0);
            }
}

/* Whatever the matrix (indefinite, not symmetric, huge, tiny): it ends, z >= 0, and what is called solved is. */
static void test_anything(struct carom_lcp_room *room, struct carom_random *random)
{
    static struct problem p;
    size_t solved = 0;
    for (int round = 0; round < 1500; round++) {
        p.n = 1 + (size_t)carom_random_below(random, 12);
        p.tridiagonal = round % 3 == 0;
        memset(p.matrix, 0, sizeof p.matrix);
        const double size = pow(10.0, 20.0 * carom_random_uniform(random) - 10.0);
        for (size_t i = 0; i < p.n; i++) {
            p.b[i] = carom_random_uniform(random) < 0.2 ? 0.0 : carom_random_normal(random);
            for (size_t j = 0; j < p.n; j++)
                if (!p.tridiagonal && carom_random_uniform(random) < 0.7)
                    p.matrix[i * p.n + j] = size * carom_random_normal(random);
        }
        for (size_t i = 0; i < p.n && p.tridiagonal; i++) {
            p.diagonal[i] = p.matrix[i * p.n + i] = size * carom_random_normal(random);
            p.beside[i] = size * carom_random_normal(random);
            if (i + 1 < p.n)
                p.matrix[i * p.n + i + 1] = p.matrix[(i + 1) * p.n + i] = p.beside[i];
        }
        const struct carom_lcp lcp = of(&p);
        for (size_t s = 0; s < SOLVERS; s++) {
            struct carom_lcp_report report;
            double z[MOST], w[MOST], most = 0.0;
            for (size_t i = 0; i < p.n; i++)
                z[i] = round % 2 == 0 ? 0.0 : carom_random_normal(random) / size;
            carom_lcp_solve(&lcp, solvers[s], 1e-10, 300, room, z, &report);
            rates(&p, z, w);
            for (size_t i = 0; i < p.n; i++) {
                CHECK(z[i] >= 0.0 && z[i] <= DBL_MAX);
                most = fmax(most, fabs(p.b[i]) + size * z[i]);
            }
            for (size_t i = 0; i < p.n && report.solved; i++)
                CHECK(w[i] >= -1e-8 * most && (w[i] <= 1e-8 * most || size * z[i] <= 1e-8 * most));
            solved += report.solved;
        }
    }
    CHECK(solved > 1500);
}

static void test_edges(struct carom_lcp_room *room)
{
    struct carom_lcp_report report;
    const struct carom_lcp none = {0, NULL, NULL, NULL, NULL};
    carom_lcp_solve(&none, CAROM_LCP_AUTO, 1e-12, 0, room, NULL, &report);
    CHECK(report.solved && report.residual == 0.0);
    const double one = 4.0, push = -2.0, pull = 3.0;
    double z = 7.0;
    const struct carom_lcp closes = {1, &one, NULL, NULL, &push}, opens = {1, &one, NULL, NULL, &pull};
    for (size_t s = 0; s < SOLVERS; s++) {
        carom_lcp_solve(&closes, solvers[s], 1e-12, 0, room, &z, &report);
        CHECK(report.solved && z == 0.5);
        carom_lcp_solve(&opens, solvers[s], 1e-12, 0, room, &z, &report);
        CHECK(report.solved && z == 0.0);
    }
    /* a room too small, or not dense, solves nothing and breaks nothing */
    struct carom_lcp_room small = {0};
    static const double full[] = {2.0, 1.0, 1.0, 1.0, 2.0, 1.0, 1.0, 1.0, 2.0}, b[] = {-1.0, -2.0, -1.0};
    const struct carom_lcp three = {3, full, NULL, NULL, b};
    double x[3] = {0.0, 0.0, 0.0};
    CHECK_STATUS(carom_lcp_open(&small, 2, true, NULL), CAROM_OK);
    carom_lcp_solve(&three, CAROM_LCP_NEWTON, 1e-12, 0, &small, x, &report);
    CHECK(!report.solved && isnan(report.residual));
    carom_lcp_close(&small);
    CHECK_STATUS(carom_lcp_open(&small, 3, false, NULL), CAROM_OK);
    carom_lcp_solve(&three, CAROM_LCP_LEMKE, 1e-12, 0, &small, x, &report);
    CHECK(!report.solved && report.residual > 0.5);
    CHECK_STATUS(carom_lcp_open(&small, 3, true, NULL), CAROM_OK); /* it grows */
    carom_lcp_solve(&three, CAROM_LCP_LEMKE, 1e-12, 0, &small, x, &report);
    CHECK(report.solved);
    CHECK_NEAR(x[1], 1.0, 1e-15);
    /* a tolerance that is missed is said */
    static const double stiff[] = {1.0, 0.999, 0.999, 1.0}, skew[] = {-1.0, -1.01};
    const struct carom_lcp two = {2, stiff, NULL, NULL, skew};
    x[0] = x[1] = 0.0;
    carom_lcp_solve(&two, CAROM_LCP_GAUSS_SEIDEL, 1e-12, 2, &small, x, &report);
    CHECK(!report.solved && report.iterations == 2 && report.residual > 1e-12);
    CHECK_STATUS(carom_lcp_open(&small, (size_t)1 << 50, true, NULL), CAROM_E_MEMORY);
    carom_lcp_close(&small);
    carom_lcp_close(&small);
}

/* The residual of a row's matrix is that of the same matrix written out, also where entries beside the diagonal are the
 * larger ones, on either side. */
static void test_residual(void)
{
    static const double diagonal[] = {0.25, 0.5, 0.125}, beside[] = {5.0, 3.0}, b[] = {1.0, 2.0, 4.0};
    static const double full[] = {0.25, 5.0, 0.0, 5.0, 0.5, 3.0, 0.0, 3.0, 0.125};
    const struct carom_lcp row = {3, NULL, diagonal, beside, b}, dense = {3, full, NULL, NULL, b};
    for (size_t i = 0; i < 3; i++) {
        double z[3] = {0.0, 0.0, 0.0};
        z[i] = 0.25;
        CHECK(carom_lcp_residual(&row, z) == carom_lcp_residual(&dense, z));
        CHECK(carom_lcp_residual(&row, z) > 0.1);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    struct carom_lcp_room room = {0};
    carom_random_start(&random, check_seed(argc, argv));
    CHECK_STATUS(carom_lcp_open(&room, MOST, true, NULL), CAROM_OK);
    test_edges(&room);
    test_residual();
    test_hopeless(&room);
    test_anything(&room, &random);
    test_small(&room, &random);
    test_large(&room, &random);
    test_column();
    test_growth();
    test_heap(&room, &random);
    carom_lcp_close(&room);
    return check_end();
}
