/* The locator: random cubics and sines against a fine look at them, double roots, zeros at the ends, noise of rounding,
 * dips between equal signs and values that are no numbers. */
#include "solve/locate.h"

#include "base/random.h"
#include "check.h"

enum { FINE = 4000 };

static int calls;

static double cubic_value(void *own, double s)
{
    calls++;
    return carom_cubic_at(own, s);
}

static double cubic_slope(void *own, double s)
{
    calls++;
    return carom_cubic_slope(own, s);
}

static struct carom_locate on_cubic(struct carom_cubic *c)
{
    return (struct carom_locate){cubic_value, cubic_slope, c, 1e-15};
}

/* the first of many places where it is below 0; none if it never is by more than rounding */
static double seen(const struct carom_cubic *c)
{
    for (int i = 1; i <= FINE; i++)
        if (carom_cubic_at(c, (double)i / FINE) < 0.0)
            return (double)i / FINE;
    return CAROM_LOCATE_NONE;
}

/* What a fine look sees is found, no later than it; what is found is a zero. A cubic above 0 at both ends has one dip
 * at most, and one with different signs one or three zeros: any of them will do. */
static void check_random(struct carom_random *random)
{
    struct carom_cubic c = {{fabs(carom_random_normal(random)), carom_random_normal(random)},
                            {4.0 * carom_random_normal(random), 4.0 * carom_random_normal(random)}};
    const struct carom_locate f = on_cubic(&c);
    calls = 0;
    const double at = carom_locate_first(&f, 0.0, 1.0, &c, 1e-14), look = seen(&c);
    CHECK(calls < 40);
    if (at <= 1.0)
        CHECK_NEAR(carom_cubic_at(&c, at), 0.0, 1e-13);
    if (c.value[1] < 0.0 || look <= 1.0)
        CHECK(at > 0.0 && at <= 1.0);
    if (c.value[1] > 0.0)
        CHECK(look < at + 2.0 / FINE || look > 1.0);
    if (c.value[1] > 0.0 && look > 1.0 && at <= 1.0) /* less than what a fine look can see */
        CHECK(carom_cubic_at(&c, carom_cubic_lowest(&c)) > -1e-5);
}

/* the same cubic by itself, from either side, also where it begins at 0 or beyond by rounding */
static void check_on_cubic(struct carom_random *random)
{
    const double sign = carom_random_uniform(random) < 0.5 ? -1.0 : 1.0, size = fabs(carom_random_normal(random));
    const struct carom_cubic c = {{sign * fabs(carom_random_normal(random)), -sign * fabs(carom_random_normal(random))},
                                  {4.0 * carom_random_normal(random), 4.0 * carom_random_normal(random)}};
    const double at = carom_locate_on_cubic(&c, 1.0);
    CHECK(at > 0.0 && at < 1.0);
    CHECK_NEAR(carom_cubic_at(&c, at), 0.0, 1e-14);
    /* sign size s (1/2 - s), shifted: from 0 to the other side at 1/2 */
    for (int shift = -1; shift <= 1; shift++) {
        const double by = 1e-17 * shift * size;
        const struct carom_cubic from_0 = {{by, -0.5 * sign * size + by}, {0.5 * sign * size, -1.5 * sign * size}};
        CHECK_NEAR(carom_locate_on_cubic(&from_0, 1.0), 0.5, 1e-15);
    }
    const struct carom_cubic never = {{sign * size, sign * size}, {size, size}},
                             ends = {{sign * size, 0.0}, {0.0, 0.0}};
    CHECK(carom_locate_on_cubic(&never, 1.0) == 0.0);
    CHECK(carom_locate_on_cubic(&ends, 1.0) == 1.0);
}

/* (s - root)^2 + off: a dip that just reaches 0, or misses it by `off` */
static double dip(double root, double off)
{
    struct carom_cubic c = {{root * root + off, (1.0 - root) * (1.0 - root) + off}, {-2.0 * root, 2.0 * (1.0 - root)}};
    const struct carom_locate f = on_cubic(&c);
    return carom_locate_first(&f, 0.0, 1.0, &c, 1e-15);
}

static void check_dips(struct carom_random *random)
{
    const double root = 0.1 + 0.8 * carom_random_uniform(random);
    const double off = pow(10.0, -14.0 * carom_random_uniform(random)), deep = dip(root, -0.01 * off);
    CHECK_NEAR(deep, root - 0.1 * sqrt(off), 1e-14 / sqrt(off));
    CHECK(dip(root, off) == CAROM_LOCATE_NONE);
    const double touch = dip(root, 0.0); /* a double zero: rounding decides whether it is one */
    CHECK(touch == CAROM_LOCATE_NONE || fabs(touch - root) < 1e-7);
}

static void check_ends(void)
{
    struct carom_cubic on = {{0.0, -1.0}, {1.0, -3.0}}, off = {{1.0, 0.0}, {-1.0, -1.0}},
                       line = {{1.0, -3.0}, {-4.0, -4.0}}, up = {{0.0, 1.0}, {-1.0, 4.0}};
    const struct carom_locate at_start = on_cubic(&on), at_end = on_cubic(&off), plain = on_cubic(&line),
                              dips = on_cubic(&up);
    CHECK(carom_locate_first(&at_start, 0.0, 1.0, &on, 0.0) == 0.0);
    CHECK(carom_locate_first(&at_end, 0.0, 1.0, &off, 0.0) == CAROM_LOCATE_NONE); /* 0 is not below */
    CHECK_NEAR(carom_locate_first(&plain, 0.0, 1.0, &line, 0.0), 0.25, 1e-15);
    CHECK(carom_locate_first(&dips, 0.0, 1.0, &up, 0.0) == 0.0);
}

/* --- a function that is no cubic ---------------------------------------------------------------------------------- */

struct wave {
    double level, noise;
    struct carom_random random;
};

/* level - cos(pi (s - 0.6)): lowest, by level - 1, at 0.6 */
static double wave_value(void *own, double s)
{
    struct wave *w = own;
    calls++;
    return w->level - cos(3.14159265358979323846 * (s - 0.6)) + w->noise * carom_random_normal(&w->random);
}

static double wave_slope(void *own, double s)
{
    struct wave *w = own;
    calls++;
    return 3.14159265358979323846 * sin(3.14159265358979323846 * (s - 0.6)) +
           w->noise * carom_random_normal(&w->random);
}

static void check_wave(double level, double noise)
{
    struct wave w = {.level = level, .noise = noise};
    carom_random_start(&w.random, 5);
    const struct carom_locate f = {wave_value, wave_slope, &w, 1e-15};
    const struct carom_cubic looks = {{wave_value(&w, 0.0), wave_value(&w, 1.0)},
                                      {wave_slope(&w, 0.0), wave_slope(&w, 1.0)}};
    calls = 0;
    const double at = carom_locate_first(&f, 0.0, 1.0, &looks, 0.1);
    CHECK(calls < 400);
    if (level < 1.0)
        CHECK_NEAR(at, 0.6 - acos(level) / 3.14159265358979323846, 1e-14 + 100.0 * noise);
    else
        CHECK(at == CAROM_LOCATE_NONE);
}

static double nothing(void *own, double s)
{
    (void)own;
    (void)s;
    calls++;
    return nan("");
}

int main(void)
{
    struct carom_random random;
    carom_random_start(&random, 23);
    for (int trial = 0; trial < 2000; trial++) {
        check_random(&random);
        check_dips(&random);
        check_on_cubic(&random);
    }
    check_ends();
    for (int k = 0; k < 40; k++) {
        check_wave(0.55 + 0.01 * k, 0.0);
        check_wave(0.55 + 0.01 * k, 1e-12);
        check_wave(1.01 + 0.05 * k, 0.0);
    }
    /* far from 0 the cubic spares the search; with doubt it does not */
    struct wave far = {.level = 3.0};
    const struct carom_locate f = {wave_value, wave_slope, &far, 1e-15}, none = {nothing, nothing, NULL, 1e-15};
    const struct carom_cubic looks = {{3.3, 2.7}, {-3.0, 3.0}}, unknown = {{1.0, 0.5}, {-9.0, 9.0}};
    carom_random_start(&far.random, 5);
    calls = 0;
    CHECK(carom_locate_first(&f, 0.0, 1.0, &looks, 0.1) == CAROM_LOCATE_NONE && calls == 0);
    CHECK(carom_locate_first(&f, 0.0, 1.0, &looks, HUGE_VAL) == CAROM_LOCATE_NONE && calls > 0);
    calls = 0;
    CHECK(carom_locate_first(&none, 0.0, 1.0, &unknown, HUGE_VAL) == CAROM_LOCATE_NONE && calls < 10);
    return check_end();
}
