/* Eigenvalues against closed forms, and against the matrix they came from. */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "check.h"
#include "solve/eigen.h"

static const double pi = 3.14159265358979323846;

/* -1 2 -1 has the values 4 sin^2(k pi / 2 (n + 1)) */
static void test_string(size_t n)
{
    double *d = calloc(n, sizeof *d), *e = calloc(n, sizeof *e);
    for (size_t i = 0; i < n; i++) {
        d[i] = 2.0;
        e[i] = -1.0;
    }
    CHECK(carom_eigen_tridiagonal(n, d, e, NULL));
    for (size_t k = 0; k < n; k++) {
        const double s = sin((double)(k + 1) * pi / (2.0 * (double)(n + 1)));
        CHECK_NEAR(d[k], 4.0 * s * s, 2e-14);
    }
    free(d);
    free(e);
}

/* T v = value v, and the vectors are orthonormal; entries over many decades, some couplings zero */
static void test_vectors(struct carom_random *random, size_t n)
{
    double *d = calloc(n, sizeof *d), *e = calloc(n, sizeof *e), *v = calloc(n * n, sizeof *v);
    double *diagonal = calloc(n, sizeof *d), *off = calloc(n, sizeof *e), largest = 0.0;
    for (size_t i = 0; i < n; i++) {
        diagonal[i] = d[i] = carom_random_normal(random) * pow(10.0, 6.0 * carom_random_uniform(random));
        off[i] = e[i] = carom_random_below(random, 5) == 0 ? 0.0 : carom_random_normal(random) * fabs(d[i]);
        v[i * n + i] = 1.0;
        largest = fmax(largest, fabs(d[i]) + 2.0 * fabs(e[i]));
    }
    CHECK(carom_eigen_tridiagonal(n, d, e, v));
    for (size_t k = 0; k < n; k++) {
        CHECK(k == 0 || d[k - 1] <= d[k]);
        for (size_t i = 0; i < n; i++) {
            double sum = (diagonal[i] - d[k]) * v[i * n + k];
            sum += i > 0 ? off[i - 1] * v[(i - 1) * n + k] : 0.0;
            sum += i + 1 < n ? off[i] * v[(i + 1) * n + k] : 0.0;
            CHECK_NEAR(sum / largest, 0.0, 1e-13);
        }
        for (size_t m = 0; m <= k; m++) {
            double dot = 0.0;
            for (size_t i = 0; i < n; i++)
                dot += v[i * n + k] * v[i * n + m];
            CHECK_NEAR(dot, k == m ? 1.0 : 0.0, 1e-12);
        }
    }
    free(d), free(e), free(v), free(diagonal), free(off);
}

/* the clockwork of a ring, a circulant matrix: a + 2 b cos(2 pi k / n) */
static void test_ring(size_t n)
{
    double *a = calloc(n * n, sizeof *a), *w = calloc(n, sizeof *w), *s = calloc(n, sizeof *s);
    double *expected = calloc(n, sizeof *expected);
    for (size_t i = 0; i < n; i++) {
        a[i * n + i] += 3.0;
        a[i * n + (i + 1) % n] += -0.7;
        a[((i + 1) % n) * n + i] += -0.7;
        expected[i] = 3.0 - 1.4 * cos(2.0 * pi * (double)i / (double)n);
    }
    CHECK(carom_eigen_symmetric(n, a, w, s));
    for (size_t k = 0; k < n; k++) { /* each expected value is met */
        double nearest = HUGE_VAL;
        for (size_t i = 0; i < n; i++)
            nearest = fmin(nearest, fabs(w[i] - expected[k]));
        CHECK_NEAR(nearest, 0.0, 1e-13);
    }
    free(a), free(w), free(s), free(expected);
}

/* Two blocks that hardly know each other, the shift of the one a value of the other: a sweep splits in
 * its middle. */
static void test_split(void)
{
    double d[4] = {0.0, 0.0, 0.0, 7.5}, e[4] = {0.5, 1e-200, 2.0, 0.0};
    CHECK(carom_eigen_tridiagonal(4, d, e, NULL));
    CHECK_NEAR(d[0], -0.5, 1e-14);
    CHECK_NEAR(d[1], -0.5, 1e-14);
    CHECK_NEAR(d[2], 0.5, 1e-14);
    CHECK_NEAR(d[3], 8.0, 1e-14);
}

/* trace and sum of squares survive */
static void test_dense(struct carom_random *random, size_t n)
{
    double *a = calloc(n * n, sizeof *a), *w = calloc(n, sizeof *w), *s = calloc(n, sizeof *s);
    double trace = 0.0, square = 0.0, sum = 0.0, squares = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            a[i * n + k] = a[k * n + i] = carom_random_normal(random);
            trace += i == k ? a[i * n + k] : 0.0;
            square += (i == k ? 1.0 : 2.0) * a[i * n + k] * a[i * n + k];
        }
    CHECK(carom_eigen_symmetric(n, a, w, s));
    for (size_t i = 0; i < n; i++) {
        sum += w[i];
        squares += w[i] * w[i];
    }
    CHECK_NEAR(sum, trace, 1e-12 * (double)n);
    CHECK_NEAR(squares / square, 1.0, 1e-13);
    free(a), free(w), free(s);
}

/* A v = w v, and vectors of length 1 at right angles */
static void test_dense_vectors(struct carom_random *random, size_t n)
{
    double *a = calloc(2 * n * n, sizeof *a), *w = calloc(n, sizeof *w), *s = calloc(n, sizeof *s);
    double *v = calloc(n * n, sizeof *v), *kept = a + n * n;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k <= i; k++) {
            const double x = (i + k) % 3 == 0 ? 0.0 : carom_random_normal(random);
            a[i * n + k] = a[k * n + i] = kept[i * n + k] = kept[k * n + i] = x;
        }
    CHECK(carom_eigen_symmetric_vectors(n, a, w, s, v));
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++) {
            double product = 0.0, along = 0.0;
            for (size_t j = 0; j < n; j++) {
                product += kept[i * n + j] * v[j * n + k];
                along += v[j * n + i] * v[j * n + k];
            }
            CHECK_NEAR(product, w[k] * v[i * n + k], 1e-12);
            CHECK_NEAR(along, i == k ? 1.0 : 0.0, 1e-12);
        }
    free(a), free(w), free(s), free(v);
}

int main(void)
{
    struct carom_random random;
    carom_random_start(&random, 11);
    for (size_t n = 1; n <= 300; n = 2 * n + 1)
        test_string(n);
    for (size_t n = 1; n <= 40; n++) {
        test_vectors(&random, n);
        test_ring(n);
        test_dense(&random, n);
        test_dense_vectors(&random, n);
    }
    test_split();
    double nothing = nan(""), off = 0.0, zeros[4] = {0}, none[4] = {0};
    CHECK(!carom_eigen_tridiagonal(1, &nothing, &off, NULL));
    CHECK(carom_eigen_tridiagonal(4, zeros, none, NULL) && zeros[3] == 0.0);
    return check_end();
}
