/* Peak forces between looks and between samples: against closed forms, up to jumps and never across them. */
#include "model/peak_force.h"

#include "carom/law.h"
#include "check.h"

/* an overlap in time, and its rate */
typedef double motion(double t, double *rate);

static double swing(double t, double *rate)
{
    *rate = cos(t);
    return sin(t);
}

static double bounce(double t, double *rate) /* a cubic is exact */
{
    *rate = 1.0 - t;
    return t - 0.5 * t * t;
}

/* k = 1; *own: viscous time, then ending */
static double dashpot(const void *own, size_t j, const double *history, double deform, double rate)
{
    const double k = 1.0, *const param[] = {&k, own};
    (void)j;
    return carom_contact_force_of(&carom_law_linear_dashpot, CAROM_END_FORCE, param, &history, deform, rate);
}

/* the peak of the motion, looked at every h from `begin` up to `end` */
static double peak_of(motion *move, double gamma, double begin, double end, double h, double *when, double *seen)
{
    struct carom_peak_force peak;
    CHECK_STATUS(carom_peak_force_open(&peak, 1, 0, NULL), CAROM_OK);
    peak.force = dashpot;
    peak.own = &gamma;
    *seen = 0.0;
    for (int i = 0; begin + i * h < end; i++) {
        struct carom_look *look = carom_peak_force_turn(&peak, begin + i * h);
        look->deform[0] = move(look->time, look->rate);
        look->force[0] = dashpot(&gamma, 0, NULL, look->deform[0], look->rate[0]);
        *seen = fmax(*seen, look->force[0]);
        carom_peak_force_note(&peak);
    }
    carom_peak_force_end(&peak);
    const double largest = peak.largest[0];
    *when = peak.when[0];
    carom_peak_force_close(&peak);
    return largest;
}

static void test_smooth(void)
{
    double when, seen;
    for (double h = 0.6; h > 0.07; h *= 0.5) { /* sin t + gamma cos t has its top at atan(1 / gamma) */
        const double gamma = 0.5,
                     may = gamma * 0.0081 * pow(h, 3.0) + pow(h, 4.0) / 384.0; /* of a cubic and its rate */
        CHECK_NEAR(peak_of(swing, gamma, 0.013, 3.0, h, &when, &seen), sqrt(1.0 + gamma * gamma), may);
        CHECK_NEAR(when, atan(1.0 / gamma), 0.1 * h);
    }
    CHECK_NEAR(peak_of(swing, 0.0, 0.013, 3.0, 0.3, &when, &seen), 1.0, pow(0.3, 4) / 384.0);
    /* looks that begin or end right beside the top */
    CHECK_NEAR(peak_of(swing, 0.0, 1.5, 3.0, 0.3, &when, &seen), 1.0, pow(0.3, 4) / 384.0);
    CHECK_NEAR(peak_of(swing, 0.0, 0.4, 1.61, 0.3, &when, &seen), 1.0, pow(0.3, 4) / 384.0);
}

/* The force is 3 at touch and falls from there; looks see less, and a parabola through 0 would see more. */
static void test_jump(void)
{
    double when, seen;
    CHECK_NEAR(peak_of(bounce, 3.0, -0.1, 1.9, 0.25, &when, &seen), 3.0, 1e-12);
    CHECK_NEAR(when, 0.0, 1e-12);
    CHECK(seen < 2.8);
    CHECK(peak_of(bounce, 0.5, -0.1, -0.01, 0.02, &when, &seen) == 0.0);        /* never touches */
    CHECK_NEAR(peak_of(bounce, 3.0, 1.2, 1.9, 0.25, &when, &seen), 0.0, 1e-12); /* only pulls, which are cut */
}

static double sampled(size_t n, const double *time, const double *force, bool told, double *when)
{
    struct carom_peak_samples samples = {0};
    for (size_t i = 0; i < n; i++)
        (told ? carom_peak_force_told : carom_peak_force_sample)(&samples, time[i], force[i]);
    carom_peak_force_sampled(&samples);
    *when = samples.when;
    return samples.largest;
}

static void test_samples(void)
{
    double time[40], force[40], when;
    for (size_t i = 0; i < 40; i++) { /* quartic, uneven times */
        time[i] = 0.05 * (double)i + (i % 3 == 0 ? 0.01 : 0.0);
        force[i] = 2.0 - pow(time[i] - 0.71, 2.0) + 0.3 * pow(time[i] - 0.71, 4.0);
    }
    CHECK_NEAR(sampled(40, time, force, false, &when), 2.0, 1e-13);
    CHECK_NEAR(when, 0.71, 1e-7);
    CHECK_NEAR(sampled(16, time, force, false, &when), 2.0, 1e-4); /* one sample after the top: a parabola */
    const double even[] = {0.0, 1.0, 2.0, 3.0, 4.0}, begun[] = {0.0, 5.0, 4.9, 4.7, 4.4};
    CHECK(sampled(5, even, begun, false, &when) == 5.0 && when == 1.0); /* not across the jump */
    const double gap[] = {1.0, 2.0, 4.0, 5.0, 6.0}, later[] = {4.0, 4.9, 5.0, 4.8, 4.0};
    CHECK(sampled(5, gap, later, false, &when) > 5.0);
    CHECK(sampled(5, gap, later, true, &when) == 5.0); /* zeros were left out between 2 and 4 */
    const double twice[] = {1.0, 2.0, 1.0, 2.0, 3.0}, anew[] = {4.0, 5.0, 4.9, 3.0, 1.0};
    CHECK(sampled(5, twice, anew, false, &when) == 5.0 && when == 2.0); /* two records */
    const double pulls[] = {-1.0, -0.5, -0.4, -0.6, -1.0};
    CHECK(sampled(5, even, pulls, false, &when) == 0.0);
}

int main(void)
{
    test_smooth();
    test_jump();
    test_samples();
    return check_end();
}
