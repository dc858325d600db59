/* Closed forms of the academic problems, against flights in long double whose ends are found by halving, one impact
 * after the other, until they accumulate. */
#include "study/academic.h"

#include "base/random.h"
#include "check.h"

/* x(t) of a flight, as the sum of a rest position and a turning arrow: another form than the one under test */
static long double place(const struct carom_academic *p, long double x, long double v, long double t,
                         long double *speed)
{
    const long double f = (long double)p->pull, w = (long double)p->omega;
    if (p->omega == 0.0) {
        *speed = v + f * t;
        return x + t * (v + 0.5L * f * t);
    }
    const long double middle = f / (w * w), c = cosl(w * t), s = sinl(w * t);
    *speed = v * c - (x - middle) * w * s;
    return middle + (x - middle) * c + v / w * s;
}

/* how long until x = 0 on the way down: steps of 1/2000 of the period or of the parabola, then halving */
static long double land(const struct carom_academic *p, long double x, long double v)
{
    const long double g = fabsl((long double)p->pull), whole = p->omega > 0.0
                                                                   ? 6.4L / (long double)p->omega
                                                                   : 1.01L * (v + sqrtl(v * v + 2.0L * g * x)) / g;
    const long double first = x > 0.0L ? 0.0L : 1e-3L * fminl(whole, 2.0L * v / (g + 1e-300L));
    long double low = first, speed;
    for (int k = 1; k <= 1000; k++) {
        const long double high = first + whole * (long double)k / 1000.0L;
        if (place(p, x, v, high, &speed) > 0.0L) {
            low = high;
            continue;
        }
        long double up = high;
        for (int i = 0; i < 130; i++) {
            const long double middle = 0.5L * (low + up);
            *(place(p, x, v, middle, &speed) > 0.0L ? &low : &up) = middle;
        }
        return 0.5L * (low + up);
    }
    return HUGE_VALL;
}

/* Follows a problem for `impacts` impacts and compares on the way. */
static void follow(const struct carom_academic *p, double until, size_t impacts)
{
    struct carom_academic_motion m;
    struct carom_error error;
    CHECK_STATUS(carom_academic_open(&m, p, until, &error), CAROM_OK);
    long double now = 0.0L, x = (long double)p->q - (long double)p->stop, v = (long double)p->v;
    for (size_t n = 0; n < impacts; n++) {
        const long double flight = land(p, x, v);
        CHECK_OR_STOP(flight < HUGE_VALL && n < m.count);
        for (int k = 1; k < 8; k++) {
            const long double t = now + flight * k / 8.0L;
            long double speed;
            const long double q = (long double)p->stop + place(p, x, v, (long double)(double)t - now, &speed);
            const struct carom_academic_place at = carom_academic_at(&m, (double)t);
            CHECK_NEAR(at.q, (double)q, 1e-15 * (1.0 + fabs((double)v)));
            CHECK_NEAR(at.right, (double)speed, 1e-15 * (1.0 + fabs(p->pull) + fabs((double)v) + fabs((double)speed)));
            CHECK(at.left == at.right);
        }
        long double speed;
        place(p, x, v, flight, &speed);
        now += flight;
        CHECK_NEAR(m.impact[n].time, (double)now, 2.3e-16 * (double)now);
        CHECK_NEAR(m.impact[n].speed, -(double)speed, 4e-16 * (1.0 - (double)speed));
        const struct carom_academic_place at = carom_academic_at(&m, m.impact[n].time);
        CHECK(at.q == p->stop && at.left == -m.impact[n].speed && at.right == p->e * m.impact[n].speed);
        x = 0.0L;
        v = -(long double)p->e * speed;
    }
    carom_academic_close(&m);
}

static void test_ball(void)
{
    const struct carom_academic b = {.pull = -10.0, .e = 0.5, .q = 1.0};
    struct carom_academic_motion m;
    follow(&b, 2.0, 30);
    CHECK_STATUS(carom_academic_open(&m, &b, 2.0, NULL), CAROM_OK);
    CHECK_NEAR(m.rest, 3.0 / sqrt(5.0), 3e-16);
    CHECK(m.count > 45 && m.count < 80);
    CHECK(m.impact[m.count - 1].time <= m.rest && m.rest - m.impact[m.count - 1].time < 1e-15);
    for (double t = m.rest; t <= 2.0; t += 0.05) {
        const struct carom_academic_place at = carom_academic_at(&m, t);
        CHECK(at.q == 0.0 && at.left == 0.0 && at.right == 0.0);
    }
    carom_academic_close(&m);
    carom_academic_close(&m);
    /* stopped early, the time of rest is still known; started upwards; e = 0 and e = 1 */
    CHECK_STATUS(carom_academic_open(&m, &b, 0.1, NULL), CAROM_OK);
    CHECK(m.count == 0 && m.rest > 1.3);
    carom_academic_close(&m);
    const struct carom_academic up = {.pull = -9.81, .e = 0.9, .q = 0.3, .v = 2.0, .stop = -0.2};
    follow(&up, 10.0, 40);
    const struct carom_academic dead = {.pull = -10.0, .e = 0.0, .q = 5.0};
    CHECK_STATUS(carom_academic_open(&m, &dead, 2.0, NULL), CAROM_OK);
    CHECK(m.count == 1 && m.rest == m.impact[0].time);
    CHECK_NEAR(m.rest, 1.0, 1e-16);
    CHECK(carom_academic_at(&m, 1.5).q == 0.0);
    carom_academic_close(&m);
    const struct carom_academic ever = {.pull = -10.0, .e = 1.0, .q = 5.0};
    CHECK_STATUS(carom_academic_open(&m, &ever, 100.0, NULL), CAROM_OK);
    CHECK(m.rest == HUGE_VAL && m.count == 50); /* at 1, 3, ..., 99 */
    CHECK_NEAR(m.impact[49].time, 99.0, 1e-13);
    CHECK_NEAR(carom_academic_at(&m, 100.0).q, 5.0, 1e-12);
    carom_academic_close(&m);
}

static void test_oscillators(void)
{
    const struct carom_academic o = {.omega = 1.0, .e = 0.8, .q = 1.0};
    struct carom_academic_motion m;
    follow(&o, 10.0, 3);
    CHECK_STATUS(carom_academic_open(&m, &o, 10.0, NULL), CAROM_OK);
    CHECK(m.count == 3 && m.rest == HUGE_VAL); /* at pi/2, 3 pi/2, 5 pi/2 with speeds 1, 0.8, 0.64 */
    CHECK_NEAR(m.impact[2].time, 2.5 * acos(-1.0), 2e-15);
    CHECK_NEAR(m.impact[2].speed, 0.64, 1e-15);
    carom_academic_close(&m);
    /* prestressed: pull = -0.2 at the stop */
    const struct carom_academic plus = {.omega = 1.0, .e = 0.5, .q = 1.0, .stop = 0.2, .pull = -0.2};
    follow(&plus, 10.0, 25);
    CHECK_STATUS(carom_academic_open(&m, &plus, 10.0, NULL), CAROM_OK);
    long double sum = acosl(0.2L), u = sqrtl(0.96L);
    for (int n = 0; n < 200; n++) {
        u *= 0.5L;
        sum += 2.0L * atanl(5.0L * u);
    }
    CHECK_NEAR(m.rest, (double)sum, 1e-15);
    CHECK(carom_academic_at(&m, m.rest + 1e-9).q == 0.2);
    carom_academic_close(&m);
    /* stop beyond the rest position on the other side: impacts for ever, ever softer, none at last */
    const struct carom_academic free = {.omega = 2.0, .e = 0.7, .q = 1.0, .stop = -0.3, .pull = 1.2};
    follow(&free, 20.0, 5);
    const struct carom_academic far = {.omega = 2.0, .e = 0.7, .q = 0.5, .stop = -0.6, .pull = 2.4};
    CHECK_STATUS(carom_academic_open(&m, &far, 20.0, NULL), CAROM_OK);
    CHECK(m.count == 0 && m.rest == HUGE_VAL);
    CHECK_NEAR(carom_academic_at(&m, 3.0).q, 0.5 * cos(6.0), 1e-15);
    carom_academic_close(&m);
}

static void test_random(struct carom_random *random)
{
    for (int round = 0; round < 6; round++) {
        const struct carom_academic p = {.omega = 0.5 + carom_random_uniform(random),
                                         .pull = carom_random_uniform(random) - 0.7,
                                         .stop = carom_random_normal(random),
                                         .e = 0.3 + 0.6 * carom_random_uniform(random),
                                         .v = carom_random_normal(random)};
        struct carom_academic q = p;
        q.q = p.stop + 2.5 + carom_random_uniform(random);
        follow(&q, 100.0, 6);
    }
}

static void test_edges(void)
{
    struct carom_academic_motion m;
    struct carom_error error;
    struct carom_academic p = {.pull = -10.0, .e = 0.5};
    CHECK_STATUS(carom_academic_open(&m, &p, 1.0, NULL), CAROM_OK); /* at rest from the start */
    CHECK(m.rest == 0.0 && m.count == 0 && carom_academic_at(&m, 0.5).q == 0.0 &&
          carom_academic_at(&m, 0.5).left == 0.0);
    carom_academic_close(&m);
    p.v = -2.0; /* struck at once */
    CHECK_STATUS(carom_academic_open(&m, &p, 1.0, NULL), CAROM_OK);
    CHECK(m.impact[0].time == 0.0 && m.impact[0].speed == 2.0 && carom_academic_at(&m, 0.0).right == 1.0);
    CHECK_NEAR(m.rest, 0.4, 1e-16);
    carom_academic_close(&m);
    p.q = -1.0;
    CHECK_STATUS(carom_academic_open(&m, &p, 1.0, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "below the stop");
    p.q = 1.0;
    p.e = 1.5;
    CHECK_STATUS(carom_academic_open(&m, &p, 1.0, &error), CAROM_E_INPUT);
    CHECK_CONTAINS(error.text, "e must be in [0, 1]");
    p.e = 1.0;
    p.q = 1e-12;
    p.v = 0.0;
    CHECK_STATUS(carom_academic_open(&m, &p, 1e3, &error), CAROM_E_REFUSED);
    p.e = 0.5;
    p.v = nan("");
    CHECK_STATUS(carom_academic_open(&m, &p, 1.0, &error), CAROM_E_INPUT);
}

int main(int argc, char **argv)
{
    struct carom_random random;
    carom_random_start(&random, check_seed(argc, argv));
    test_ball();
    test_oscillators();
    test_random(&random);
    test_edges();
    return check_end();
}
