/* Signals: values at places known in closed form, rates against differences, breaks where a value or rate jumps and
 * nowhere else, and the bounds for scales. */
#include "carom/signal.h"

#include "check.h"

static const double pi = 3.14159265358979323846;

static const double points_at[] = {0.5, 1.0, 1.5, 2.5}, points_of[] = {0.0, 2.0, 2.0, -1.0};

static const struct carom_signal signals[] = {
    {.shape = CAROM_SHAPE_NONE},
    {.shape = CAROM_SHAPE_CONSTANT, .amplitude = -2.0},
    {.shape = CAROM_SHAPE_STEP, .amplitude = 3.0, .start = 0.3},
    {.shape = CAROM_SHAPE_STEP, .amplitude = 3.0, .start = 0.3, .duration = 1.1},
    {.shape = CAROM_SHAPE_RAMP, .amplitude = 2.0, .start = 0.4, .duration = 0.8},
    {.shape = CAROM_SHAPE_HALF_SINE, .amplitude = 5.0, .start = 0.2, .duration = 0.7},
    {.shape = CAROM_SHAPE_SINE, .amplitude = 1.5, .start = 0.1, .frequency = 2.0, .phase = 0.6},
    {.shape = CAROM_SHAPE_SINE, .amplitude = 1.5, .start = 0.1, .frequency = 2.0, .duration = 1.3},
    {.shape = CAROM_SHAPE_CHIRP,
     .amplitude = 1.0,
     .start = 0.2,
     .frequency = 1.0,
     .frequency_end = 5.0,
     .duration = 1.7,
     .phase = -0.4},
    {.shape = CAROM_SHAPE_RICKER, .amplitude = -4.0, .start = 1.0, .frequency = 2.0},
    {.shape = CAROM_SHAPE_TABLE, .count = 4, .time = points_at, .height = points_of},
    {.shape = CAROM_SHAPE_TABLE, .count = 1, .time = points_at, .height = points_of + 1},
    {.shape = CAROM_SHAPE_TABLE},
};

static void check_values(void)
{
    CHECK_NEAR(carom_signal_value(&signals[0], 7.0), 0.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[1], -1e9), -2.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[3], 0.3), 3.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[3], nextafter(0.3, 0.0)), 0.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[3], 0.3 + 1.1), 0.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[2], 1e9), 3.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[4], 0.8), 1.0, 1e-15);
    CHECK_NEAR(carom_signal_value(&signals[4], 9.0), 2.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[5], 0.55), 5.0, 1e-14);
    CHECK_NEAR(carom_signal_value(&signals[6], 0.1), 1.5 * sin(0.6), 1e-15);
    CHECK_NEAR(carom_signal_value(&signals[6], 0.05), 0.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[8], 0.7), sin(2.0 * pi * (0.5 + 0.5 * (4.0 / 1.7) * 0.25) - 0.4), 1e-14);
    CHECK_NEAR(carom_signal_value(&signals[9], 1.0), -4.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[9], 1.0 + 1.0 / (2.0 * pi * sqrt(2.0))), 0.0, 1e-14);
    CHECK_NEAR(carom_signal_value(&signals[10], 0.0), 0.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[10], 0.75), 1.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[10], 2.0), 0.5, 1e-15);
    CHECK_NEAR(carom_signal_value(&signals[10], 3.0), -1.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[11], 3.0), 2.0, 0.0);
    CHECK_NEAR(carom_signal_value(&signals[12], 3.0), 0.0, 0.0);
}

/* is a break of the signal in [from, to]? */
static bool breaks_in(const struct carom_signal *s, double from, double to)
{
    double times[8];
    const size_t count = carom_signal_breaks(s, times, 8);
    for (size_t i = 0; i < count; i++)
        if (times[i] >= from && times[i] <= to)
            return true;
    return false;
}

/* away from breaks: rate is the slope of the value, both within the bounds; where quiet, nothing changes */
static void check_slopes(const struct carom_signal *s)
{
    double largest, fastest, seen = 0.0, seen_rate = 0.0;
    carom_signal_largest(s, &largest, &fastest);
    const double e = 1e-5;
    for (int i = 0; i <= 30000; i++) {
        const double t = 1e-4 * i, value = carom_signal_value(s, t), rate = carom_signal_rate(s, t);
        seen = fmax(seen, fabs(value));
        seen_rate = fmax(seen_rate, fabs(rate));
        const double quiet = carom_signal_quiet(s, t);
        CHECK(quiet >= t);
        if (quiet > t)
            CHECK(carom_signal_value(s, fmin(quiet - 1e-9, t + 0.3)) == value && rate == 0.0);
        if (!breaks_in(s, t - e, t + e))
            CHECK_NEAR(rate, (carom_signal_value(s, t + e) - carom_signal_value(s, t - e)) / (2.0 * e),
                       1e-6 * (1.0 + fastest));
    }
    CHECK(seen <= largest * (1.0 + 1e-14) && seen_rate <= fastest * (1.0 + 1e-14));
    CHECK(seen >= 0.99 * largest && seen_rate >= 0.98 * fastest);
}

static void check_breaks(void)
{
    double times[4] = {0.0};
    CHECK(carom_signal_breaks(&signals[3], times, 1) == 2 && times[0] == 0.3 && times[1] == 0.0);
    CHECK(carom_signal_breaks(&signals[3], times, 2) == 2 && times[1] == 0.3 + 1.1);
    CHECK(carom_signal_breaks(&signals[6], times, 4) == 1);
    CHECK(carom_signal_breaks(&signals[9], times, 4) == 0);
    CHECK(carom_signal_breaks(&signals[10], times, 4) == 4 && times[3] == 2.5);
    CHECK(carom_signal_breaks(&signals[10], NULL, 0) == 4);
}

int main(void)
{
    check_values();
    check_breaks();
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        check_slopes(&signals[i]);
    CHECK_MAIN_END;
}
