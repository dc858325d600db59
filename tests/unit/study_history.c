/* Histories: what thinning misses, jumps, values between samples, when a value is reached, largest differences. */
#include "study/follow/history.h"

#include "base/random.h"
#include "check.h"

static void test_thinning(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_history wave = {.miss = 1e-3}, line = {.miss = 1e-3}, rest = {.miss = 0.0};
    enum { N = 20000 };
    for (int i = 0; i <= N; i++) {
        const double t = 10.0 * i / N;
        CHECK(carom_history_add(&wave, t, sin(t), &error) == CAROM_OK);
        CHECK(carom_history_add(&line, t, 3.0 - 2.0 * t, &error) == CAROM_OK);
        CHECK(carom_history_add(&rest, t, 1.25, &error) == CAROM_OK);
    }
    CHECK(carom_history_end(&wave, &error) == CAROM_OK && carom_history_end(&line, &error) == CAROM_OK &&
          carom_history_end(&rest, &error) == CAROM_OK);
    /* chords that miss a curve of bend b by m are sqrt(8 m / b) long */
    CHECK(wave.n > 40 && wave.n < 200);
    CHECK(line.n == 2 && rest.n == 2);
    double worst = 0.0;
    for (int i = 0; i <= N; i++)
        worst = fmax(worst, fabs(carom_history_at(&wave, 10.0 * i / N) - sin(10.0 * i / N)));
    CHECK(worst <= 1e-3 * (1.0 + 1e-9) && worst > 2e-4);
    CHECK(carom_history_at(&line, 20.0) == line.right[1] && carom_history_at(&line, -1.0) == 3.0);
    carom_history_free(&wave);
    carom_history_free(&line);
    carom_history_free(&rest);
}

static void test_jumps(void)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_history a = {.miss = 1e-6}, b = {.miss = 1e-6};
    carom_history_add(&a, 0.0, 1.0, &error);
    carom_history_jump(&a, 1.0, 1.0, -0.5, &error);
    carom_history_add(&a, 2.0, -0.5, &error);
    carom_history_end(&a, &error);
    CHECK(a.n == 3 && a.left[1] == 1.0 && a.right[1] == -0.5);
    CHECK(carom_history_at(&a, 0.999) == 1.0 && carom_history_at(&a, 1.0) == -0.5);
    CHECK(carom_history_reach(&a, 1.0, 0.25) == 1.0);
    CHECK(isnan(carom_history_reach(&a, 1.0, 1.75)));
    /* the same a little later: the largest difference is the whole jump; a ramp is reached on its way */
    carom_history_add(&b, 0.0, 1.0, &error);
    carom_history_jump(&b, 1.25, 1.0, -0.5, &error);
    carom_history_add(&b, 3.0, -4.0, &error);
    carom_history_end(&b, &error);
    CHECK_NEAR(carom_history_sup(&a, &b), 1.5, 0.0);
    CHECK_NEAR(carom_history_sup(&b, &a), 1.5, 0.0);
    CHECK(carom_history_sup(&a, &a) == 0.0);
    CHECK_NEAR(carom_history_reach(&b, 1.0, 2.5), 1.25 + 1.75 * 1.0 / 3.5, 1e-15);
    CHECK_NEAR(carom_history_reach(&b, 2.0, 1.0), 2.5, 1e-15); /* from what it is there on its way down */
    CHECK(carom_history_reach(&b, 1.25, 1.5) == 1.25 && isnan(carom_history_reach(&b, 2.0, 2.5)));
    const struct carom_graph f = carom_history_graph(&a), g = carom_history_graph(&b);
    CHECK_NEAR(carom_norms_lp(&f, &g, 1.0), 0.25 * 1.5 + 0.75 * 0.75, 1e-12); /* and a triangle of height 1.5 */
    carom_history_free(&a);
    carom_history_free(&b);
}

/* the same numbers in the same order, whatever the miss: ends and jumps are kept exactly */
static void test_random(void)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct carom_random random;
        struct carom_error error = {CAROM_OK, ""};
        struct carom_history coarse = {.miss = 0.1}, all = {.miss = 0.0};
        double t = 0.0, x = 0.0;
        carom_random_start(&random, seed);
        for (int i = 0; i < 300; i++) {
            const double left = x + 0.05 * (carom_random_uniform(&random) - 0.5);
            x = carom_random_uniform(&random) < 0.1 ? left + 2.0 : left;
            if (x != left) {
                carom_history_jump(&coarse, t, left, x, &error);
                carom_history_jump(&all, t, left, x, &error);
            } else {
                carom_history_add(&coarse, t, x, &error);
                carom_history_add(&all, t, x, &error);
            }
            t += 0.01 + carom_random_uniform(&random);
        }
        carom_history_end(&coarse, &error);
        carom_history_end(&all, &error);
        CHECK(coarse.n < all.n);
        CHECK(carom_history_sup(&coarse, &all) <= 0.1 * (1.0 + 1e-12));
        CHECK(coarse.right[coarse.n - 1] == x);
        carom_history_free(&coarse);
        carom_history_free(&all);
    }
}

int main(void)
{
    test_thinning();
    test_jumps();
    test_random();
    return check_end();
}
