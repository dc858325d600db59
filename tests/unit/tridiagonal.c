/* carom_tridiagonal_solve: solutions put back into their systems, against a plain elimination in long double, and
 * systems that are not positive definite. */
#include "solve/tridiagonal.h"

#include "base/random.h"
#include "check.h"

enum { MOST = 200 };

struct system {
    size_t n;
    double diagonal[MOST], off[MOST], right[MOST];
};

/* masses joined by springs: positive definite, however stiff */
static void make(struct system *s, size_t n, double stiffness, struct carom_random *random)
{
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        s->diagonal[i] = 0.1 + carom_random_uniform(random);
        s->right[i] = carom_random_uniform(random) - 0.5;
    }
    for (size_t i = 0; i + 1 < n; i++) {
        const double spring = stiffness * carom_random_uniform(random);
        s->off[i] = carom_random_uniform(random) < 0.2 ? 0.0 : carom_random_uniform(random) < 0.5 ? spring : -spring;
        s->diagonal[i] += fabs(s->off[i]);
        s->diagonal[i + 1] += fabs(s->off[i]);
    }
}

static bool solve(const struct system *s, double *x)
{
    double diagonal[MOST], off[MOST];
    memcpy(diagonal, s->diagonal, sizeof diagonal);
    memcpy(off, s->off, sizeof off);
    memcpy(x, s->right, sizeof s->right);
    return carom_tridiagonal_solve(s->n, diagonal, off, x);
}

static void solve_plainly(const struct system *s, double *x)
{
    long double d[MOST], b[MOST];
    for (size_t i = 0; i < s->n; i++) {
        d[i] = (long double)s->diagonal[i];
        b[i] = (long double)s->right[i];
        if (i > 0) {
            const long double factor = (long double)s->off[i - 1] / d[i - 1];
            d[i] -= factor * (long double)s->off[i - 1];
            b[i] -= factor * b[i - 1];
        }
    }
    for (size_t i = s->n; i-- > 0;) {
        const long double next = i + 1 < s->n ? (long double)s->off[i] * (long double)x[i + 1] : 0.0L;
        x[i] = (double)((b[i] - next) / d[i]);
    }
}

static void check_random(struct carom_random *random)
{
    static struct system s;
    double x[MOST], plain[MOST];
    for (size_t n = 1; n <= MOST; n += n < 20 ? 1 : 37)
        for (double stiffness = 1e-3; stiffness < 2e3; stiffness *= 10.0) {
            make(&s, n, stiffness, random);
            CHECK(solve(&s, x));
            solve_plainly(&s, plain);
            for (size_t i = 0; i < n; i++) {
                const double left = i > 0 ? s.off[i - 1] * x[i - 1] : 0.0;
                const double right = i + 1 < n ? s.off[i] * x[i + 1] : 0.0;
                CHECK_NEAR(left + s.diagonal[i] * x[i] + right, s.right[i], 1e-14 * (1.0 + 10.0 * stiffness));
                CHECK_NEAR(x[i], plain[i], 1e-14 * (1.0 + 100.0 * stiffness));
            }
        }
}

/* the mirrored system has the mirrored solution; n odd, so that the ends meet in one row */
static void check_mirror(struct carom_random *random)
{
    static struct system s, mirrored;
    double x[MOST], y[MOST];
    make(&s, 41, 3.0, random);
    mirrored.n = s.n;
    for (size_t i = 0; i < s.n; i++) {
        mirrored.diagonal[i] = s.diagonal[s.n - 1 - i];
        mirrored.right[i] = s.right[s.n - 1 - i];
        if (i + 1 < s.n)
            mirrored.off[i] = s.off[s.n - 2 - i];
    }
    CHECK(solve(&s, x) && solve(&mirrored, y));
    for (size_t i = 0; i < s.n; i++)
        CHECK_NEAR(x[i], y[s.n - 1 - i], 1e-15);
}

/* a pivot that is 0, negative or not a number, in every row of chains of odd and even length */
static void check_refused(struct carom_random *random)
{
    static struct system s;
    double x[MOST];
    const double bad[] = {0.0, -1.0, nan("")};
    for (size_t n = 1; n <= 8; n++)
        for (size_t row = 0; row < n; row++)
            for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
                make(&s, n, 1.0, random);
                s.diagonal[row] = bad[k];
                CHECK(!solve(&s, x));
            }
    make(&s, 6, 1.0, random);
    for (size_t i = 0; i < s.n; i++)
        s.diagonal[i] = 1.0;
    s.off[2] = 1.5; /* every diagonal is positive, the matrix is not */
    CHECK(!solve(&s, x));
    s.off[2] = nan("");
    CHECK(!solve(&s, x));
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    CHECK(carom_tridiagonal_solve(0, NULL, NULL, NULL));
    check_random(&random);
    check_mirror(&random);
    check_refused(&random);
    return check_end();
}
