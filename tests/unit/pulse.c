/* Waves in records made by hand, whose height, arrival, width and impulses are known: even and uneven samples, noise,
 * trains, waves that the record cuts, waves on a static force, and records that hold none. */
#include "study/pulse/pulse.h"

#include "base/random.h"
#include "check.h"
#include "study/pulse/pulse_curve.h"

enum { MOST = 4000 };

static double times[MOST], forces[MOST];

#define PI 3.14159265358979323846
#define CUT 0.9817477042468103 /* integral of cos^6 over its hump, 5 pi / 16 */

static double hump(double t, double peak, double arrival, double width)
{
    return peak * carom_pulse_shape((t - arrival) / width);
}

/* integral of cos^6 from -pi/2 to x */
static double below(double x)
{
    return 5.0 * (x + PI / 2.0) / 16.0 + 15.0 * sin(2.0 * x) / 64.0 + 3.0 * sin(4.0 * x) / 64.0 + sin(6.0 * x) / 192.0;
}

static struct carom_pulse_series even(size_t n, double from, double step)
{
    for (size_t i = 0; i < n; i++) {
        times[i] = from + (double)i * step;
        forces[i] = 0.0;
    }
    return (struct carom_pulse_series){n, times, forces};
}

static void add(const struct carom_pulse_series *series, double peak, double arrival, double width)
{
    for (size_t i = 0; i < series->n; i++)
        forces[i] += hump(times[i], peak, arrival, width);
}

static struct carom_pulse measured(const struct carom_pulse_series *series, size_t which)
{
    const struct carom_pulse_rules rules = carom_pulse_rules();
    struct carom_error error = {CAROM_OK, ""};
    struct carom_pulse pulse = {0};
    CHECK_STATUS(carom_pulse_of(series, &rules, which, &pulse, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    return pulse;
}

/* Errors fall with the samples' distance h = width / density: of the peak as h^6, of its time as h^5. */
static void test_resolution(void)
{
    const double width = 3.0e-5, arrival = 2.1234567e-4, peak = 57.0;
    double last = HUGE_VAL;
    for (double density = 8.0; density < 80.0; density *= 2.0) {
        double worst_peak = 0.0, worst_time = 0.0, worst_width = 0.0, worst_front = 0.0, worst_foot = 0.0;
        for (int shift = 0; shift < 20; shift++) {
            const struct carom_pulse_series series = even(1000, -shift * width / density / 20.0, width / density);
            add(&series, peak, arrival, width);
            const struct carom_pulse pulse = measured(&series, 1);
            const double foot = arrival - width * acos(pow(CAROM_PULSE_FOOT, 1.0 / 6.0));
            worst_peak = fmax(worst_peak, fabs(pulse.peak / peak - 1.0));
            worst_time = fmax(worst_time, fabs(pulse.time - arrival) / width);
            worst_width = fmax(worst_width, fabs(pulse.width / width - 1.0));
            worst_front = fmax(worst_front, fabs(pulse.front / (peak * width * below(1.0)) - 1.0));
            worst_foot = fmax(worst_foot, fabs(pulse.foot - foot) / width);
            CHECK(pulse.misfit < 10.0 / (density * density));
            CHECK_NEAR(pulse.tail / (peak * width), CUT - below(1.0), 1.0 / pow(density, 3.0));
            CHECK_NEAR(pulse.half / width, 2.0 * 0.47147630595651285, 1.0 / pow(density, 3.0));
            CHECK(!pulse.cut);
        }
        printf("%3g samples in tau: peak %.1e time %.1e width %.1e front %.1e foot %.1e\n", density, worst_peak,
               worst_time, worst_width, worst_front, worst_foot);
        const double h = 1.0 / density;
        CHECK(worst_peak < 40.0 * pow(h, 6.0) + 1e-12);
        CHECK(worst_time < 40.0 * pow(h, 5.0) + 1e-10);
        CHECK(worst_width < last / 4.0);
        CHECK(worst_front < 3.0 * pow(h, 3.0));
        CHECK(worst_foot < 3.0 * pow(h, 3.0));
        last = worst_width;
    }
}

/* the samples may stand anywhere */
static void test_uneven(void)
{
    struct carom_random random;
    carom_random_start(&random, 7);
    struct carom_pulse_series series = even(600, 0.0, 0.02);
    for (size_t i = 0; i < series.n; i++)
        times[i] += 0.012 * (carom_random_uniform(&random) - 0.5);
    add(&series, 3.0, 5.0, 1.0);
    const struct carom_pulse pulse = measured(&series, 1);
    CHECK_NEAR(pulse.peak, 3.0, 1e-8);
    CHECK_NEAR(pulse.time, 5.0, 1e-7);
    CHECK_NEAR(pulse.width, 1.0, 1e-6);
    CHECK_NEAR(pulse.front, 3.0 * below(1.0), 1e-4);
    CHECK_NEAR(pulse.front + pulse.tail, 3.0 * CUT, 1e-4);
}

/* noise of 1 % of the peak: its share in the results stays about as large, and it makes no waves */
static void test_noise(void)
{
    struct carom_random random;
    carom_random_start(&random, 11);
    for (int round = 0; round < 50; round++) {
        const struct carom_pulse_series series = even(400, 0.0, 0.02);
        const struct carom_pulse_rules rules = {.least = 0.05, .foot = 0.05, .rest = 0.0};
        struct carom_pulse_wave wave[4];
        struct carom_pulse pulse;
        size_t count;
        add(&series, 2.0, 4.0, 1.0);
        for (size_t i = 0; i < series.n; i++)
            forces[i] += 0.02 * (2.0 * carom_random_uniform(&random) - 1.0);
        CHECK_STATUS(carom_pulse_find(&series, &rules, wave, 4, &count, NULL), CAROM_OK);
        CHECK(count == 1);
        carom_pulse_measure(&series, &rules, &wave[0], NULL, &pulse);
        CHECK_NEAR(pulse.peak, 2.0, 0.04);
        CHECK_NEAR(pulse.time, 4.0, 0.15);
        CHECK_NEAR(pulse.width, 1.0, 0.25); /* T is held where a noisy peak stands */
        CHECK(pulse.misfit > 0.003 && pulse.misfit < 0.1);
        CHECK_NEAR(pulse.front + pulse.tail, 2.0 * CUT, 0.02);
    }
}

/* Five waves, each lower, wider and later; one of them below the least share. */
static void test_train(void)
{
    const double peak[] = {10.0, 7.0, 4.0, 1.0, 0.15}, arrival[] = {3.0, 6.5, 10.0, 14.0, 18.0};
    const struct carom_pulse_series series = even(2200, 0.0, 0.01);
    const struct carom_pulse_rules rules = carom_pulse_rules();
    struct carom_pulse_rules fine = rules;
    struct carom_pulse_wave wave[8], one;
    size_t count;
    fine.least = 0.01;
    for (size_t k = 0; k < 5; k++)
        add(&series, peak[k], arrival[k], 1.0 + 0.05 * (double)k);
    CHECK_STATUS(carom_pulse_find(&series, &rules, wave, 8, &count, NULL), CAROM_OK);
    CHECK(count == 4);
    CHECK_STATUS(carom_pulse_find(&series, &fine, wave, 3, &count, NULL), CAROM_OK);
    CHECK(count == 5); /* also where they do not fit */
    for (size_t k = 0; k < 4; k++) {
        const struct carom_pulse pulse = measured(&series, k + 1);
        CHECK_NEAR(pulse.peak, peak[k], 1e-6);
        CHECK_NEAR(pulse.time, arrival[k], 1e-6);
        CHECK_NEAR(pulse.width, 1.0 + 0.05 * (double)k, 1e-4);
        CHECK_NEAR(pulse.front, peak[k] * (1.0 + 0.05 * (double)k) * below(1.0), 1e-3);
    }
    CHECK_NEAR(measured(&series, CAROM_PULSE_LARGEST).time, 3.0, 1e-6);
    add(&series, 20.0, 10.0, 1.1); /* the third becomes the highest */
    CHECK_NEAR(measured(&series, CAROM_PULSE_LARGEST).time, 10.0, 1e-6);
    CHECK_STATUS(carom_pulse_pick(&series, &fine, 9, &one, &count, NULL), CAROM_OK);
    CHECK(count == 4); /* the smallest is below 1 % of it */
}

/* Two waves that overlap: peaks apart, no foot for the second. */
static void test_overlap(void)
{
    const struct carom_pulse_series series = even(1000, 0.0, 0.01);
    add(&series, 5.0, 3.0, 1.0);
    add(&series, 4.0, 4.2, 1.0);
    const struct carom_pulse first = measured(&series, 1), second = measured(&series, 2);
    CHECK(first.peak > 5.0 && first.peak < 5.4 && second.peak > 4.0 && second.peak < 4.4);
    CHECK(isnan(second.foot) && !isnan(first.foot));
    CHECK(second.width > 0.5 && second.width < 2.0 && second.misfit > first.misfit);
}

static void test_cut(void)
{
    const struct carom_pulse_rules rules = carom_pulse_rules();
    struct carom_error error;
    struct carom_pulse pulse;
    /* before the peak: nothing to see */
    struct carom_pulse_series series = even(290, 0.0, 0.01);
    add(&series, 1.0, 3.0, 1.0);
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "no pulse");
    /* just after it: seen, and said to be cut */
    series = even(304, 0.0, 0.01);
    add(&series, 1.0, 3.0, 1.0);
    pulse = measured(&series, 1);
    CHECK(pulse.cut && isnan(pulse.half) && pulse.tail == 0.0);
    CHECK_NEAR(pulse.peak, 1.0, 1e-8);
    CHECK_NEAR(pulse.width, 1.0, 1e-4);
    CHECK_NEAR(pulse.front, below(0.03), 1e-4);
    /* the record begins on the front: no foot, the rest as it was */
    const struct carom_pulse_rules bare = {.least = 0.02, .foot = 0.01, .rest = 0.0};
    series = even(800, 2.5, 0.01);
    add(&series, 1.0, 3.0, 1.0);
    CHECK_STATUS(carom_pulse_of(&series, &bare, 1, &pulse, NULL), CAROM_OK);
    CHECK(isnan(pulse.foot));
    CHECK_NEAR(pulse.width, 1.0, 1e-4);
    /* or behind the peak: no pulse */
    series = even(800, 3.1, 0.01);
    add(&series, 1.0, 3.0, 1.0);
    CHECK_STATUS(carom_pulse_of(&series, &bare, 1, &pulse, NULL), CAROM_E_REFUSED);
}

/* On a static force of 20 the pulse is the same, and the force it stands on is told. */
static void test_rest(void)
{
    const struct carom_pulse_series series = even(1000, 0.0, 0.01);
    for (size_t i = 0; i < series.n; i++)
        forces[i] = 20.0;
    add(&series, 0.5, 4.0, 1.0);
    const struct carom_pulse pulse = measured(&series, 1);
    CHECK_NEAR(pulse.rest, 20.0, 0.0);
    CHECK_NEAR(pulse.peak, 0.5, 1e-9);
    CHECK_NEAR(pulse.width, 1.0, 1e-4);
    CHECK_NEAR(pulse.front + pulse.tail, 0.5 * CUT, 1e-8);
}

static void test_wrong(void)
{
    const struct carom_pulse_rules rules = carom_pulse_rules();
    struct carom_error error;
    struct carom_pulse pulse;
    struct carom_pulse_series series = even(1, 0.0, 1.0);
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "there is 1 sample,");
    series = even(50, 0.0, 1.0);
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_REFUSED); /* all zero */
    for (size_t i = 0; i < series.n; i++)
        forces[i] = (double)i;
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_REFUSED); /* only rises */
    for (size_t i = 0; i < series.n; i++)
        forces[i] = -(double)i;
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_REFUSED); /* only falls */
    series = even(50, 0.0, 1.0);
    add(&series, 1.0, 20.0, 5.0);
    CHECK_STATUS(carom_pulse_of(&series, &rules, 2, &pulse, &error), CAROM_E_REFUSED);
    CHECK_CONTAINS(error.text, "no wave 2");
    times[30] = times[29];
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "sample 31 is not later");
    times[30] = 30.0;
    forces[10] = nan("");
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_NUMERIC);
    CHECK_CONTAINS(error.text, "sample 11 is not a number");
}

/* One sample, a pulse of one sample, a flat top, a step: no crash, and what cannot be told is NaN. */
static void test_coarse(void)
{
    struct carom_pulse_series series = even(9, 0.0, 1.0);
    forces[4] = 7.0;
    struct carom_pulse pulse = measured(&series, 1);
    CHECK_NEAR(pulse.peak, 7.0, 1e-12);
    CHECK_NEAR(pulse.time, 4.0, 1e-12);
    CHECK(isnan(pulse.width) && isnan(pulse.misfit) && isnan(pulse.front));
    forces[5] = 7.0; /* two of the same height: the top is between them */
    pulse = measured(&series, 1);
    CHECK_NEAR(pulse.time, 4.5, 0.5);
    CHECK(pulse.peak >= 7.0 && pulse.peak < 14.0);
    forces[3] = forces[6] = 7.0;
    pulse = measured(&series, 1);
    CHECK(pulse.peak >= 7.0 && pulse.time >= 2.0 && pulse.time <= 7.0);
    for (size_t i = 4; i < series.n; i++)
        forces[i] = 7.0 - 1e-9 * (double)(i % 3); /* a step that stays, but for rounding */
    struct carom_error error;
    const struct carom_pulse_rules rules = carom_pulse_rules();
    CHECK_STATUS(carom_pulse_of(&series, &rules, 1, &pulse, &error), CAROM_E_REFUSED);
}

/* (38), (39): a pulse that is scaled like a wall's comes back */
static void test_wall(void)
{
    struct carom_pulse_series series = even(2000, 0.0, 0.005);
    add(&series, 5.0, 4.0, 1.0);
    const struct carom_pulse chain = measured(&series, 1);
    series = even(2000, 0.0, 0.005);
    add(&series, 5.0 * 1.94, 4.0 * 1.02, 1.09);
    const struct carom_pulse wall = measured(&series, 1);
    const struct carom_pulse_ratios ratios = carom_pulse_compare(&wall, &chain);
    CHECK_NEAR(ratios.peak, 1.94, 1e-6);
    CHECK_NEAR(ratios.width, 1.09, 1e-5);
    CHECK_NEAR(ratios.time, 1.02, 1e-6);
    const struct carom_pulse back = carom_pulse_extrapolate(&wall, &carom_pulse_wall);
    CHECK_NEAR(back.peak, chain.peak, 1e-5);
    CHECK_NEAR(back.time, chain.time, 1e-5);
    CHECK_NEAR(back.width, chain.width, 1e-5);
    CHECK_NEAR(back.foot, chain.foot, 1e-4);
    CHECK_NEAR(back.front, chain.front, 1e-4);
    CHECK_NEAR(back.tail, chain.tail, 1e-4);
    for (double s = -1.5; s < 1.5; s += 0.1)
        CHECK_NEAR(carom_pulse_collapsed(&series, &wall, s), carom_pulse_shape(s), 1e-5);
    CHECK(isnan(carom_pulse_collapsed(&series, &wall, 100.0)));
}

/* the curve itself: exact for parabolas, wherever samples stand */
static void test_curve(void)
{
    struct carom_random random;
    carom_random_start(&random, 3);
    double t = 0.0;
    for (size_t i = 0; i < 40; i++) {
        t += 0.1 + carom_random_uniform(&random);
        times[i] = t;
        forces[i] = 2.0 - 3.0 * t + 0.5 * t * t;
    }
    const struct carom_pulse_curve curve = {40, times, forces, 0.0};
    for (int k = 0; k < 100; k++) {
        const double a = times[0] + carom_random_uniform(&random) * (times[39] - times[0]);
        const double b = times[0] + carom_random_uniform(&random) * (times[39] - times[0]);
        CHECK_NEAR(carom_pulse_curve_value(&curve, a), 2.0 - 3.0 * a + 0.5 * a * a, 1e-10);
        const double whole = 2.0 * (b - a) - 1.5 * (b * b - a * a) + (b * b * b - a * a * a) / 6.0;
        CHECK_NEAR(carom_pulse_curve_integral(&curve, a, b), a < b ? whole : 0.0, 1e-9);
    }
}

int main(void)
{
    test_curve();
    test_resolution();
    test_uneven();
    test_noise();
    test_train();
    test_overlap();
    test_cut();
    test_rest();
    test_wrong();
    test_coarse();
    test_wall();
    return check_end();
}
