/* Dense systems: solutions put back into their systems, singular systems with and without solution, NaN; the same with
 * factors, for more than one right side. */
#include "solve/dense.h"

#include "base/random.h"
#include "check.h"

enum { MOST = 30 };

static double a[MOST * MOST], kept[MOST * MOST], b[MOST], right[MOST];
static size_t order[MOST];

static void remember(size_t n)
{
    memcpy(kept, a, n * n * sizeof *a);
    memcpy(right, b, n * sizeof *b);
}

static double distance(size_t n)
{
    double worst = 0.0;
    for (size_t i = 0; i < n; i++) {
        double sum = -right[i];
        for (size_t j = 0; j < n; j++)
            sum += kept[i * n + j] * b[j];
        worst = fmax(worst, fabs(sum));
    }
    return worst;
}

/* A = B B^T with B n x r has rank r; b = A x has a solution */
static void make(size_t n, size_t r, struct carom_random *random)
{
    double factor[MOST][MOST], x[MOST];
    for (size_t i = 0; i < n; i++) {
        x[i] = carom_random_normal(random);
        for (size_t k = 0; k < r; k++)
            factor[i][k] = carom_random_normal(random);
    }
    for (size_t i = 0; i < n; i++) {
        b[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = 0.0;
            for (size_t k = 0; k < r; k++)
                a[i * n + j] += factor[i][k] * factor[j][k];
            b[i] += a[i * n + j] * x[j];
        }
    }
}

static double largest(size_t n)
{
    double size = 1.0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(b[i]));
    return size;
}

static void draw(size_t n, double *x, struct carom_random *random)
{
    for (size_t i = 0; i < n; i++)
        x[i] = carom_random_normal(random);
}

static void check_factor(size_t n, struct carom_random *random)
{
    draw(n * n, a, random);
    remember(n);
    CHECK(carom_dense_factor(n, a, order, NULL) == n);
    for (int side = 0; side < 2; side++) {
        draw(n, b, random);
        memcpy(right, b, n * sizeof *b);
        carom_dense_factor_solve(n, a, order, b);
        CHECK_NEAR(distance(n), 0.0, 1e-12 * largest(n));
    }
}

/* a contact that is there twice: one of them carries all, and the system is still solved */
static void check_twice(void)
{
    double least[3] = {1e-13, 1e-13, 2e-13};
    const double w[9] = {1.0, 1.0, -0.5, 1.0, 1.0, -0.5, -0.5, -0.5, 2.0}, side[3] = {0.5, 0.5, 1.0};
    memcpy(a, w, sizeof w);
    memcpy(b, side, sizeof side);
    remember(3);
    CHECK(carom_dense_factor(3, a, order, least) == 2);
    carom_dense_factor_solve(3, a, order, b);
    CHECK_NEAR(distance(3), 0.0, 1e-14);
    CHECK((b[0] == 0.0) != (b[1] == 0.0));
    a[0] = HUGE_VAL;
    a[1] = a[2] = 0.0;
    a[3] = 1.0;
    CHECK(carom_dense_factor(2, a, order, NULL) == 1); /* a pivot that is not finite does not count */
    a[0] = nan("");
    a[1] = a[2] = a[3] = 1.0;
    CHECK(carom_dense_factor(2, a, order, NULL) < 2);
}

/* well conditioned; then with the last row and column the same as the first */
static void check_cholesky(size_t n, struct carom_random *random)
{
    make(n, n, random);
    for (size_t i = 0; i < n; i++)
        a[i * n + i] += 1.0;
    remember(n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            a[i * n + j] = nan(""); /* is not read */
    CHECK(carom_dense_cholesky(n, a, 1e-14) == 0);
    carom_dense_cholesky_solve(n, a, b);
    CHECK_NEAR(distance(n), 0.0, 1e-11 * largest(n));
    if (n == 1)
        return;
    memcpy(a, kept, n * n * sizeof *a);
    for (size_t j = 0; j + 1 < n; j++)
        a[(n - 1) * n + j] = kept[j];
    a[n * n - 1] = kept[0];
    CHECK(carom_dense_cholesky(n, a, 1e-11) == n);
    carom_dense_cholesky_solve(n, a, b);
    CHECK(isnan(b[n - 1]));
}

/* J J^T of `rank` rows and sums of them: the sums are left out, and what has a solution is solved */
static void check_semidefinite(size_t n, struct carom_random *random)
{
    static double rows[MOST * MOST];
    const size_t rank = (n + 1) / 2;
    draw(rank * n, rows, random);
    for (size_t i = rank; i < n; i++)
        for (size_t k = 0; k < n; k++)
            rows[i * n + k] = rows[(i - rank) * n + k] + rows[k];
    for (size_t i = 0; i < n; i++) {
        b[i] = 0.0;
        for (size_t j = 0; j < n; j++) {
            a[i * n + j] = 0.0;
            for (size_t k = 0; k < n; k++)
                a[i * n + j] += rows[i * n + k] * rows[j * n + k];
            b[i] += a[i * n + j];
        }
    }
    remember(n);
    CHECK(carom_dense_semidefinite(n, a, 1e-10) == rank);
    carom_dense_cholesky_solve(n, a, b);
    for (size_t i = rank; i < n; i++)
        CHECK(b[i] == 0.0);
    CHECK_NEAR(distance(n), 0.0, 1e-7);
}

/* a system of known rank: solved, and all that changes nothing on either side is found, all of it different */
static void check_open(size_t n, size_t rank, struct carom_random *random)
{
    static double left[MOST * MOST], open[MOST * MOST], gram[MOST * MOST], none[MOST];
    make(n, rank, random);
    for (size_t i = 0; i < n; i++) /* not symmetric: both sides count */
        for (size_t j = 0; j < n; j++)
            a[i * n + j] *= (double)(1 + i);
    for (size_t i = 0; i < n; i++)
        b[i] *= (double)(1 + i);
    remember(n);
    CHECK(carom_dense_open(n, a, b, order, 1e-11, left, open) == rank);
    CHECK_NEAR(distance(n), 0.0, 1e-9 * largest(n));
    for (size_t f = 0; f < n - rank; f++)
        for (size_t i = 0; i < n; i++) {
            double before = 0.0, behind = 0.0;
            for (size_t j = 0; j < n; j++) {
                before += left[f * n + j] * kept[j * n + i];
                behind += kept[i * n + j] * open[f * n + j];
            }
            CHECK_NEAR(before, 0.0, 1e-9);
            CHECK_NEAR(behind, 0.0, 1e-9);
        }
    for (int side = 0; side < 2; side++) {
        const double *rows = side ? left : open;
        for (size_t k = 0; k < (n - rank) * (n - rank); k++) {
            gram[k] = 0.0;
            for (size_t j = 0; j < n; j++)
                gram[k] += rows[k / (n - rank) * n + j] * rows[k % (n - rank) * n + j];
        }
        memset(none, 0, sizeof none);
        CHECK(carom_dense_solve(n - rank, gram, none, order, 1e-10) == n - rank);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    CHECK(carom_dense_solve(0, NULL, NULL, NULL, 1e-12) == 0);
    for (size_t n = 1; n <= MOST; n++) {
        draw(n * n, a, &random);
        draw(n, b, &random);
        remember(n);
        CHECK(carom_dense_solve(n, a, b, order, 1e-14) == n);
        CHECK_NEAR(distance(n), 0.0, 1e-13 * largest(n));
        const size_t rank = (size_t)carom_random_below(&random, n);
        make(n, rank, &random);
        remember(n);
        CHECK(carom_dense_solve(n, a, b, order, 1e-11) == rank);
        CHECK_NEAR(distance(n), 0.0, 1e-9);
        check_open(n, rank, &random);
        check_factor(n, &random);
        check_cholesky(n, &random);
        check_semidefinite(n, &random);
    }
    check_twice();
    /* no solution: the unknowns that were left out are 0, nothing is infinite */
    a[0] = a[1] = a[2] = a[3] = b[0] = 1.0;
    b[1] = 2.0;
    CHECK(carom_dense_solve(2, a, b, order, 1e-12) == 1);
    CHECK((b[0] == 0.0) != (b[1] == 0.0) && isfinite(b[0]) && isfinite(b[1]));
    a[0] = nan("");
    CHECK(carom_dense_solve(2, a, b, order, 1e-12) == 0);
    CHECK(b[0] == 0.0 && b[1] == 0.0);
    return check_end();
}
