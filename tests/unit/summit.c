/* Tops of curves known by samples: of a curve of fourth degree through five of them exactly, of a parabola through
 * three, and the sample itself at the ends and beside zeros. */
#include "solve/summit.h"
#include "base/random.h"
#include "check.h"

enum { N = 9 };

/* with its top, 2, where u is 0 */
static double curve(double u, double third, double fourth)
{
    return 2.0 - u * u * (1.0 + third * u + fourth * u * u);
}

static void check_exact(void)
{
    struct carom_random random;
    carom_random_start(&random, 26);
    for (int trial = 0; trial < 200; trial++) {
        double time[N], value[N], when, height;
        const size_t i = 2 + (size_t)carom_random_below(&random, N - 4); /* the highest */
        const double top = 0.2 * carom_random_uniform(&random) - 0.1, third = 0.2 * carom_random_uniform(&random) - 0.1;
        for (size_t k = 0; k < N; k++) {
            time[k] = 5.0 + 0.5 * ((double)k - (double)i) + (k == i ? 0.0 : 0.1 * carom_random_uniform(&random));
            value[k] = curve(time[k] - 5.0 - top, third, 0.05);
        }
        carom_summit_find(N, time, value, i, &when, &height);
        CHECK_NEAR(when, 5.0 + top, 1e-11);
        CHECK_NEAR(height, 2.0, 1e-12);
        /* three samples are a parabola's, wherever they stand among others */
        for (size_t k = 0; k < N; k++)
            value[k] = curve(time[k] - 5.0 - top, 0.0, 0.0);
        carom_summit_find(3, time + i - 1, value + i - 1, 1, &when, &height);
        CHECK_NEAR(when, 5.0 + top, 1e-12);
        CHECK_NEAR(height, 2.0, 1e-12);
    }
}

static void check_itself(void)
{
    const double time[5] = {0.0, 1.0, 2.0, 3.0, 4.0}, value[5] = {1.0, 2.0, 3.0, 2.5, 2.0};
    const double beside[5] = {1.0, 2.0, 3.0, 0.0, 2.0}, beyond[5] = {0.0, 2.0, 3.0, 2.5, 2.0};
    double when, height;
    carom_summit_find(3, time, value + 2, 0, &when, &height); /* nothing before it */
    CHECK(when == 0.0 && height == 3.0);
    carom_summit_find(3, time, value, 2, &when, &height); /* nothing after it */
    CHECK(when == 2.0 && height == 3.0);
    carom_summit_find(5, time, beside, 2, &when, &height); /* a jump beside it */
    CHECK(when == 2.0 && height == 3.0);
    carom_summit_find(5, time, beyond, 2, &when, &height); /* a jump further off: the parabola through three */
    CHECK_NEAR(when, 2.0 + 0.25 / 1.5, 1e-14);
    CHECK_NEAR(height, 3.0 + 0.25 * 0.25 / (4.0 * 0.75), 1e-14);
    carom_summit_find(4, time + 1, value + 1, 1, &when, &height); /* one before it */
    CHECK_NEAR(when, 2.0 + 0.25 / 1.5, 1e-14);
}

int main(void)
{
    check_exact();
    check_itself();
    return check_end();
}
