/* Block tridiagonal systems: against a dense solution, for every small size, and what happens to singular ones. */
#include "solve/block_tridiagonal.h"
#include "base/random.h"
#include "check.h"

enum { MOST = 40 };

static struct carom_block random_block(struct carom_random *random, double size)
{
    struct carom_block block;
    double *const entry[4] = {&block.a, &block.b, &block.c, &block.d};
    for (int i = 0; i < 4; i++)
        *entry[i] = size * (2.0 * carom_random_uniform(random) - 1.0);
    return block;
}

/* Gauss with row pivots on the whole matrix */
static void dense_solve(size_t n, double matrix[2 * MOST][2 * MOST], double *b)
{
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            best = fabs(matrix[i][k]) > fabs(matrix[best][k]) ? i : best;
        for (size_t j = 0; j < n; j++) {
            const double hold = matrix[k][j];
            matrix[k][j] = matrix[best][j];
            matrix[best][j] = hold;
        }
        const double hold = b[k];
        b[k] = b[best];
        b[best] = hold;
        for (size_t i = k + 1; i < n; i++) {
            const double factor = matrix[i][k] / matrix[k][k];
            for (size_t j = k; j < n; j++)
                matrix[i][j] -= factor * matrix[k][j];
            b[i] -= factor * b[k];
        }
    }
    for (size_t k = n; k-- > 0;) {
        for (size_t j = k + 1; j < n; j++)
            b[k] -= matrix[k][j] * b[j];
        b[k] /= matrix[k][k];
    }
}

static void place(double matrix[2 * MOST][2 * MOST], size_t row, size_t column, struct carom_block block)
{
    matrix[2 * row][2 * column] = block.a;
    matrix[2 * row][2 * column + 1] = block.b;
    matrix[2 * row + 1][2 * column] = block.c;
    matrix[2 * row + 1][2 * column + 1] = block.d;
}

static void check_size(struct carom_random *random, size_t n)
{
    static double matrix[2 * MOST][2 * MOST];
    static double expected[2 * MOST];
    struct carom_block lower[MOST], diagonal[MOST], upper[MOST];
    struct carom_pair b[MOST];
    memset(matrix, 0, sizeof matrix);
    for (size_t i = 0; i < n; i++) {
        lower[i] = random_block(random, 1.0);
        upper[i] = random_block(random, 1.0);
        diagonal[i] = random_block(random, 1.0);
        diagonal[i].a += 5.0;
        diagonal[i].d += 5.0;
        b[i] = (struct carom_pair){carom_random_uniform(random), carom_random_uniform(random)};
        expected[2 * i] = b[i].a;
        expected[2 * i + 1] = b[i].b;
        place(matrix, i, i, diagonal[i]);
        if (i > 0)
            place(matrix, i, i - 1, lower[i]);
        if (i + 1 < n)
            place(matrix, i, i + 1, upper[i]);
    }
    lower[0].a = upper[n - 1].d = nan(""); /* not to be read */
    dense_solve(2 * n, matrix, expected);
    CHECK(carom_block_tridiagonal_solve(n, lower, diagonal, upper, b));
    for (size_t i = 0; i < n; i++) {
        CHECK_NEAR(b[i].a, expected[2 * i], 1e-14);
        CHECK_NEAR(b[i].b, expected[2 * i + 1], 1e-14);
    }
}

/* singular pivots and NaN are noticed, wherever they stand */
static void check_singular(size_t n)
{
    for (size_t bad = 0; bad < n; bad++)
        for (int kind = 0; kind < 2; kind++) {
            struct carom_block lower[MOST] = {{0}}, diagonal[MOST], upper[MOST] = {{0}};
            struct carom_pair b[MOST];
            for (size_t i = 0; i < n; i++) {
                diagonal[i] = (struct carom_block){1.0, 0.0, 0.0, 1.0};
                b[i] = (struct carom_pair){1.0, 2.0};
            }
            if (kind == 0)
                diagonal[bad] = (struct carom_block){1.0, 2.0, 2.0, 4.0};
            else
                b[bad].b = nan("");
            CHECK(!carom_block_tridiagonal_solve(n, lower, diagonal, upper, b));
        }
}

static void check_blocks(void)
{
    const struct carom_block p = {1.0, 2.0, 3.0, 5.0}, q = carom_block_inverse(p), one = carom_block_product(p, q);
    CHECK_NEAR(one.a, 1.0, 1e-15);
    CHECK_NEAR(one.b, 0.0, 1e-15);
    CHECK_NEAR(one.c, 0.0, 1e-15);
    CHECK_NEAR(one.d, 1.0, 1e-15);
    CHECK(carom_block_determinant(p) == -1.0);
    const struct carom_pair y = carom_block_apply(p, (struct carom_pair){1.0, -1.0});
    CHECK(y.a == -1.0 && y.b == -2.0);
    const struct carom_block sum = carom_block_sum(p, carom_block_scaled(-1.0, p));
    CHECK(sum.a == 0.0 && sum.b == 0.0 && sum.c == 0.0 && sum.d == 0.0);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    check_blocks();
    CHECK(carom_block_tridiagonal_solve(0, NULL, NULL, NULL, NULL));
    for (size_t n = 1; n <= MOST; n++)
        for (int i = 0; i < 5; i++)
            check_size(&random, n);
    for (size_t n = 1; n < 8; n++)
        check_singular(n);
    return check_end();
}
