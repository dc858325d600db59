/* carom_dense_solve: solutions put back into their systems, singular systems with and without solution, NaN. */
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

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    CHECK(carom_dense_solve(0, NULL, NULL, NULL, 1e-12) == 0);
    for (size_t n = 1; n <= MOST; n++) {
        for (size_t i = 0; i < n * n; i++)
            a[i] = carom_random_normal(&random);
        for (size_t i = 0; i < n; i++)
            b[i] = carom_random_normal(&random);
        remember(n);
        CHECK(carom_dense_solve(n, a, b, order, 1e-14) == n);
        double size = 1.0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(b[i]));
        CHECK_NEAR(distance(n), 0.0, 1e-13 * size);
        const size_t rank = (size_t)carom_random_below(&random, n);
        make(n, rank, &random);
        remember(n);
        CHECK(carom_dense_solve(n, a, b, order, 1e-11) == rank);
        CHECK_NEAR(distance(n), 0.0, 1e-9);
    }
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
