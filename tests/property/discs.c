/* Friction impulses in discs (solve/contact/discs.h) of random bodies, most of whose contacts hold each other: corners
 * of one face, of several boxes, discs of all sizes down to next to nothing. Every problem is solved, the law is kept
 * as looked at from outside, energy is only taken, and of answers the smallest is found. The seed is printed. */
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "check.h"
#include "solve/contact/discs.h"

enum { TRIALS = 3000, MOST = 12 };

enum discs { ALIKE, HARSH, TINY };

/* discs of about one size, of all sizes, or one that is thousands to millions of times as large as all others */
static double radius_of(struct carom_random *random, size_t i, enum discs sizes)
{
    if (sizes == TINY)
        return i == 0 ? 1.0 : pow(10.0, -3.0 - 3.0 * carom_random_uniform(random));
    return exp((sizes == HARSH ? 4.0 : 1.0) * carom_random_normal(random));
}

/* rows of corners of a body at random places of a plane, or anywhere: n of them, six unknowns a body */
static void fill(struct carom_random *random, struct carom_discs *d, size_t bodies, bool flat, enum discs sizes)
{
    double h[2 * MOST][18] = {{0.0}}, v[18];
    const double fast = sizes == TINY ? pow(10.0, -6.0 * carom_random_uniform(random)) : 1.0;
    for (size_t k = 0; k < 18; k++)
        v[k] = fast * carom_random_normal(random) * (carom_random_uniform(random) < 0.2 ? 0.0 : 1.0);
    for (size_t i = 0; i < d->n; i++) {
        const size_t at = 6 * (i % bodies);
        const double x[3] = {carom_random_normal(random), carom_random_normal(random),
                             flat ? -1.0 : carom_random_normal(random)};
        const double rows[2][6] = {{1, 0, 0, 0, x[2], -x[1]}, {0, 1, 0, -x[2], 0, x[0]}};
        for (size_t a = 0; a < 2; a++)
            memcpy(h[2 * i + a] + at, rows[a], sizeof rows[a]);
        d->radius[i] = radius_of(random, i, sizes);
    }
    for (size_t a = 0; a < 2 * d->n; a++) {
        d->b[a] = 0.0;
        for (size_t k = 0; k < 18; k++)
            d->b[a] += h[a][k] * v[k];
        for (size_t b = 0; b < 2 * d->n; b++) {
            d->a[a * 2 * d->n + b] = 0.0;
            for (size_t k = 0; k < 18; k++)
                d->a[a * 2 * d->n + b] += h[a][k] * h[b][k];
        }
    }
}

/* the largest slip that is off the law, of the fastest before; cones hold and energy falls exactly */
static double look(const struct carom_discs *d)
{
    double off = 0.0, fast = 0.0, taken = 0.0, large = 0.0;
    for (size_t i = 0; i < d->n; i++) {
        double s[2] = {d->b[2 * i], d->b[2 * i + 1]};
        const double *q = d->q + 2 * i, size = hypot(q[0], q[1]);
        for (size_t a = 0; a < 2; a++)
            for (size_t l = 0; l < 2 * d->n; l++)
                s[a] += d->a[(2 * i + a) * 2 * d->n + l] * d->q[l];
        const double g = size >= d->radius[i] * (1.0 - 1e-9) ? fmax(-(q[0] * s[0] + q[1] * s[1]) / size, 0.0) : 0.0;
        fast = fmax(fast, hypot(d->b[2 * i], d->b[2 * i + 1]));
        off = fmax(off, size > 0.0 ? hypot(s[0] + g * q[0] / size, s[1] + g * q[1] / size) : hypot(s[0], s[1]));
        taken -= q[0] * s[0] + q[1] * s[1];
        large = fmax(large, size);
        CHECK(size <= d->radius[i] * (1.0 + 3e-15));
    }
    CHECK(taken >= -1e-13 * fast * fmax(1.0, large));
    return fast > 0.0 ? off / fast : off;
}

/* a square whose corners hold it: they share equally */
static void check_shared(struct carom_discs *d)
{
    memset(d->a, 0, 64 * sizeof *d->a);
    d->n = 4;
    for (size_t k = 0; k < 64; k++)
        d->a[k] = k / 8 % 2 == k % 8 % 2 ? 1.0 : 0.0;
    for (size_t k = 0; k < 8; k++) {
        d->b[k] = k % 2 ? 0.4 : -0.8;
        d->q[k] = 0.1 * (double)k;
    }
    for (size_t i = 0; i < 4; i++)
        d->radius[i] = 1.0;
    CHECK(carom_discs_solve(d, 1e-14) <= 1e-14);
    for (size_t k = 0; k < 8; k++)
        CHECK_NEAR(d->q[k], k % 2 ? -0.1 : 0.2, 1e-6);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    struct carom_discs *d = carom_discs_create(MOST);
    double worst = 0.0;
    size_t unsolved = 0;
    carom_random_start(&random, check_seed(argc, argv));
    for (int trial = 0; trial < TRIALS; trial++) {
        d->n = 1 + carom_random_below(&random, MOST);
        fill(&random, d, 1 + carom_random_below(&random, 3), trial % 2, (enum discs)(trial % 3));
        memset(d->q, 0, 2 * d->n * sizeof *d->q);
        double fast = 0.0;
        for (size_t k = 0; k < 2 * d->n; k++)
            fast = fmax(fast, fabs(d->b[k]));
        const bool solved = carom_discs_solve(d, 1e-14 * fast) <= 1e-13 * fast; /* rounding of large discs is more */
        unsolved += !solved;
        worst = solved ? fmax(worst, look(d)) : worst;
    }
    check_shared(d);
    carom_discs_free(d);
    printf("%d problems, off the law by %.1e of the fastest slip, %zu unsolved\n", TRIALS, worst, unsolved);
    CHECK(unsolved == 0 && worst < 2e-13);
    return check_end();
}
