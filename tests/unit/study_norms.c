/* Norms of functions that jump: jumps and lines moved apart, whose distances are known, random graphs against points
 * taken densely on both. */
#include "study/follow/norms.h"

#include "base/random.h"
#include "check.h"

/* 0 until `at`, then `height`, on [0, 2] */
struct jump {
    double time[3], left[3], right[3];
};

static struct carom_graph jump_at(struct jump *j, double at, double height)
{
    *j = (struct jump){{0.0, at, 2.0}, {0.0, 0.0, height}, {0.0, height, height}};
    return (struct carom_graph){3, 1, j->time, j->left, j->right};
}

static void test_jumps(void)
{
    struct jump a, b;
    for (double rate = 0.25; rate <= 4.0; rate *= 2.0)
        for (double shift = 1e-3; shift < 1.0; shift *= 3.0) {
            const struct carom_graph f = jump_at(&a, 0.5, 3.0), g = jump_at(&b, 0.5 + shift, 3.0);
            /* from the upper end of the jump the other is as far as the shift, or as the jump is high */
            CHECK_NEAR(carom_norms_hausdorff(&f, &g, rate, 1e-9), fmin(rate * shift, 3.0), 1e-8);
            CHECK_NEAR(carom_norms_hausdorff(&g, &f, rate, 1e-9), fmin(rate * shift, 3.0), 1e-8);
            CHECK_NEAR(carom_norms_lp(&f, &g, 1.0), 3.0 * shift, 1e-14);
            CHECK_NEAR(carom_norms_lp(&f, &g, 3.0), 3.0 * cbrt(shift), 1e-14);
            CHECK(carom_norms_hausdorff(&f, &f, rate, 1e-9) <= 1e-14);
            CHECK(carom_norms_lp(&g, &g, 2.0) == 0.0);
        }
    /* a wrong height is found whatever the rate; a steep line instead of a jump is near it */
    const struct carom_graph f = jump_at(&a, 0.5, 3.0), g = jump_at(&b, 0.5, 3.25);
    CHECK_NEAR(carom_norms_hausdorff(&f, &g, 1.0, 1e-9), 0.25, 1e-9);
    const double time[] = {0.0, 0.5, 0.51, 2.0}, x[] = {0.0, 0.0, 3.0, 3.0};
    const struct carom_graph steep = {4, 1, time, x, x};
    const double d = carom_norms_hausdorff(&f, &steep, 1.0, 1e-9);
    CHECK(d > 0.009 && d <= 0.01);
}

/* x = t and x = t + c: c at the ends, where the other line has no more points; inside c rate / (1 + rate) */
static void test_lines(void)
{
    const double time[] = {0.0, 1.0}, up[] = {0.0, 1.0}, higher[] = {0.1, 1.1}, down[] = {1.0, 0.0};
    const struct carom_graph f = {2, 1, time, up, up}, g = {2, 1, time, higher, higher}, h = {2, 1, time, down, down};
    CHECK_NEAR(carom_norms_hausdorff(&f, &g, 1.0, 1e-9), 0.1, 1e-9);
    CHECK_NEAR(carom_norms_lp(&f, &g, 1.0), 0.1, 1e-15);
    CHECK_NEAR(carom_norms_lp(&f, &g, 2.0), 0.1, 1e-15);
    CHECK_NEAR(carom_norms_lp(&f, &h, 1.0), 0.5, 1e-15);             /* int |2t - 1| */
    CHECK_NEAR(carom_norms_lp(&f, &h, 2.0), sqrt(1.0 / 3.0), 1e-15); /* int (2t - 1)^2 */
    CHECK_NEAR(carom_norms_hausdorff(&f, &h, 1.0, 1e-9), 0.5, 1e-8); /* from (0, 0) to (1/2, 1/2) */
    /* every point of a short line has the long one beside it; the ends of the long one are far */
    const double longer[] = {-1.0, 2.0};
    const struct carom_graph all = {2, 1, longer, longer, longer};
    CHECK_NEAR(carom_norms_hausdorff(&all, &g, 1.0, 1e-9), 1.1, 1e-8);
}

static void test_widths(void)
{
    const double time[] = {0.0, 1.0, 2.0}, left[] = {0, 0, 1, 2, 1, 2}, right[] = {0, 0, 2, 1, 1, 2};
    double moved[6];
    for (int i = 0; i < 6; i++)
        moved[i] = right[i] + (i % 2 ? 0.2 : -0.1);
    const struct carom_graph f = {3, 2, time, right, right}, g = {3, 2, time, moved, moved};
    CHECK_NEAR(carom_norms_hausdorff(&f, &g, 100.0, 1e-9), 0.2, 2e-3);
    CHECK_NEAR(carom_norms_lp(&f, &g, 1.0), 0.4, 1e-15);
    const struct carom_graph jumps = {3, 2, time, left, right};
    CHECK(carom_norms_hausdorff(&jumps, &jumps, 1.0, 1e-9) <= 1e-14);
    const struct carom_graph narrow = {3, 1, time, right, right}, empty = {0, 2, time, right, right};
    CHECK(isnan(carom_norms_hausdorff(&f, &narrow, 1.0, 1e-9)) && isnan(carom_norms_lp(&f, &narrow, 1.0)));
    CHECK(isnan(carom_norms_hausdorff(&f, &empty, 1.0, 1e-9)) && isnan(carom_norms_hausdorff(&f, &g, 0.0, 1e-9)));
    moved[3] = nan("");
    CHECK(isnan(carom_norms_hausdorff(&f, &g, 1.0, 1e-9)) && isnan(carom_norms_lp(&f, &g, 1.0)));
}

enum { TIMES = 12, FINE = 400 };

static void make(struct carom_random *random, double *time, double *left, double *right)
{
    double t = 0.0;
    for (int i = 0; i < TIMES; i++) {
        time[i] = t;
        left[i] = carom_random_normal(random);
        right[i] = carom_random_uniform(random) < 0.5 ? left[i] : carom_random_normal(random);
        t += carom_random_uniform(random);
    }
    for (int i = 0; i < TIMES; i++)
        time[i] *= 6.0 / time[TIMES - 1];
}

/* points of a graph, FINE on each piece */
static size_t points(const struct carom_graph *g, double (*p)[2])
{
    size_t n = 0;
    for (size_t i = 0; i < g->n; i++)
        for (int half = 0; half < 2 && i + (size_t)half < g->n; half++)
            for (int k = 0; k <= FINE; k++) {
                const double s = (double)k / FINE, to = half ? g->left[i + 1] : g->right[i];
                const double from = half ? g->right[i] : g->left[i];
                p[n][0] = half ? g->time[i] + s * (g->time[i + 1] - g->time[i]) : g->time[i];
                p[n++][1] = from + s * (to - from);
            }
    return n;
}

static double farthest(double (*a)[2], size_t na, double (*b)[2], size_t nb, double rate)
{
    double worst = 0.0;
    for (size_t i = 0; i < na; i += 7) {
        double best = HUGE_VAL;
        for (size_t j = 0; j < nb && best > worst; j++)
            best = fmin(best, fmax(rate * fabs(a[i][0] - b[j][0]), fabs(a[i][1] - b[j][1])));
        worst = fmax(worst, best);
    }
    return worst;
}

static void test_random(struct carom_random *random)
{
    static double p[2 * TIMES * (FINE + 1)][2], q[2 * TIMES * (FINE + 1)][2];
    for (int round = 0; round < 12; round++) {
        double ta[TIMES], la[TIMES], ra[TIMES], tb[TIMES], lb[TIMES], rb[TIMES];
        make(random, ta, la, ra);
        make(random, tb, lb, rb);
        const struct carom_graph f = {TIMES, 1, ta, la, ra}, g = {TIMES, 1, tb, lb, rb};
        const size_t n = points(&f, p), m = points(&g, q);
        const double rate = 0.5 + carom_random_uniform(random), d = carom_norms_hausdorff(&f, &g, rate, 1e-6);
        const double dense = fmax(farthest(p, n, q, m, rate), farthest(q, m, p, n, rate));
        CHECK(d > 0.05);
        CHECK_NEAR(d, dense, 0.04); /* pieces are up to 5 long, points 0.0125 apart, each seventh is asked */
        CHECK_NEAR(d, carom_norms_hausdorff(&g, &f, rate, 1e-6), 1e-5);
    }
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    test_jumps();
    test_lines();
    test_widths();
    test_random(&random);
    return check_end();
}
