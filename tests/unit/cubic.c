/* The cubic on [0, 1]: ends, slope and integral against differences and sums, turns of random ones, and its hull. */
#include "solve/cubic.h"

#include "base/random.h"
#include "check.h"

static struct carom_cubic any(struct carom_random *random)
{
    const double size = pow(10.0, 60.0 * carom_random_uniform(random) - 30.0);
    return (struct carom_cubic){{size * carom_random_normal(random), size * carom_random_normal(random)},
                                {size * carom_random_normal(random), size * carom_random_normal(random)}};
}

static double size_of(const struct carom_cubic *c)
{
    return fabs(c->value[0]) + fabs(c->value[1]) + fabs(c->slope[0]) + fabs(c->slope[1]);
}

static void check_ends(const struct carom_cubic *c)
{
    const double size = size_of(c);
    CHECK(carom_cubic_at(c, 0.0) == c->value[0]);
    CHECK_NEAR(carom_cubic_at(c, 1.0), c->value[1], 1e-15 * size);
    CHECK_NEAR(carom_cubic_slope(c, 0.0), c->slope[0], 1e-15 * size);
    CHECK_NEAR(carom_cubic_slope(c, 1.0), c->slope[1], 1e-15 * size);
    CHECK(carom_cubic_integral(c, 0.0) == 0.0);
}

/* a cubic's own differences are exact but for the third; Simpson's rule is exact */
static void check_between(const struct carom_cubic *c, double s)
{
    const double d = 1e-3, size = size_of(c), rise = carom_cubic_at(c, s + d) - carom_cubic_at(c, s - d);
    const double bend = carom_cubic_slope(c, s + d) - 2.0 * carom_cubic_slope(c, s) + carom_cubic_slope(c, s - d);
    CHECK_NEAR(rise / (2.0 * d), carom_cubic_slope(c, s) + bend / 6.0, 1e-12 * size);
    CHECK_NEAR(carom_cubic_integral(c, s),
               s / 6.0 * (c->value[0] + 4.0 * carom_cubic_at(c, 0.5 * s) + carom_cubic_at(c, s)), 1e-15 * size);
}

static void check_hull(const struct carom_cubic *c, double s)
{
    const double control[4] = {c->value[0], carom_cubic_early(c), carom_cubic_late(c), c->value[1]};
    double low = control[0], high = control[0];
    for (int i = 1; i < 4; i++) {
        low = fmin(low, control[i]);
        high = fmax(high, control[i]);
    }
    const double here = carom_cubic_at(c, s), round = 1e-15 * size_of(c);
    CHECK(here >= low - round && here <= high + round);
}

/* No place inside is lower than the lowest, if that is not an end; the slope is 0 to rounding there. */
static void check_lowest(const struct carom_cubic *c, double s)
{
    const double lowest = carom_cubic_lowest(c), here = carom_cubic_at(c, s), round = 1e-14 * size_of(c);
    const double ends = fmin(c->value[0], c->value[1]);
    CHECK(lowest < 1.0 || !(c->slope[0] < 0.0 && c->slope[1] > 0.0));
    CHECK(here >= fmin(ends, lowest < 1.0 ? carom_cubic_at(c, lowest) : ends) - round);
    if (lowest < 1.0)
        CHECK_NEAR(carom_cubic_slope(c, lowest), 0.0, 1e-7 * size_of(c));
    if (lowest < 1.0 && c->slope[0] < 0.0 && c->slope[1] > 0.0)
        CHECK_NEAR(carom_cubic_slope(c, lowest), 0.0, round);
}

int main(void)
{
    struct carom_random random;
    carom_random_start(&random, 17);
    for (int trial = 0; trial < 20000; trial++) {
        struct carom_cubic c = any(&random);
        const double s = carom_random_uniform(&random);
        check_ends(&c);
        check_between(&c, s);
        check_hull(&c, s);
        check_lowest(&c, s);
        c.slope[trial % 2] *= pow(10.0, 20.0 * carom_random_uniform(&random) - 10.0);
        check_lowest(&c, s);
    }
    const struct carom_cubic parabola = {{1.0, 1.0}, {-4.0, 4.0}}, top = {{1.0, 1.0}, {4.0, -4.0}},
                             large = {{1e300, 1e300}, {-1e300, 3e300}}, small = {{0.0, 0.0}, {-1e-300, 3e-300}},
                             flat = {{1.0, 1.0}, {0.0, 0.0}};
    CHECK(carom_cubic_lowest(&parabola) == 0.5);
    CHECK(isnan(carom_cubic_lowest(&top)) && isnan(carom_cubic_lowest(&flat)));
    CHECK_NEAR(carom_cubic_lowest(&large), carom_cubic_lowest(&small), 1e-15);
    return check_end();
}
