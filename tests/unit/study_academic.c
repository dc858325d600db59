/* Closed forms of the academic problems, against flights in quadruple precision whose ends are found by halving, one
 * impact after the other, until they accumulate. */
#include "study/follow/academic.h"

#include "base/random.h"
#include "check.h"
#include "quad.h"

/* x(t) of a flight, as the sum of a rest position and a turning arrow: another form than the one under test */
static quad place(const struct carom_academic *p, quad x, quad v, quad t, quad *speed)
{
    const quad f = (quad)p->pull, w = (quad)p->omega;
    if (p->omega == 0.0) {
        *speed = v + f * t;
        return x + t * (v + f * t / 2);
    }
    const quad middle = f / (w * w), c = cosf128(w * t), s = sinf128(w * t);
    *speed = v * c - (x - middle) * w * s;
    return middle + (x - middle) * c + v / w * s;
}

/* how long until x = 0 on the way down: steps of 1/2000 of the period or of the parabola, then halving */
static quad land(const struct carom_academic *p, quad x, quad v)
{
    const quad g = (quad)fabs(p->pull), turn = 2 * v / (g + (quad)1e-300);
    const quad whole = p->omega > 0.0 ? 32 / (5 * (quad)p->omega) : 101 * (v + sqrtf128(v * v + 2 * g * x)) / (100 * g);
    const quad first = x > 0 ? 0 : (whole < turn ? whole : turn) / 1000;
    quad low = first, speed;
    for (int k = 1; k <= 1000; k++) {
        const quad high = first + whole * (quad)k / 1000;
        if (place(p, x, v, high, &speed) > 0) {
            low = high;
            continue;
        }
        quad up = high;
        for (int i = 0; i < 130; i++) {
            const quad middle = (low + up) / 2;
            *(place(p, x, v, middle, &speed) > 0 ? &low : &up) = middle;
        }
        return (low + up) / 2;
    }
    return (quad)HUGE_VAL;
}

/* Follows a problem for `impacts` impacts and compares on the way. */
static void follow(const struct carom_academic *p, double until, size_t impacts)
{
    struct carom_academic_motion m;
    struct carom_error error;
    CHECK_STATUS(carom_academic_open(&m, p, until, &error), CAROM_OK);
    quad now = 0, x = (quad)p->q - (quad)p->stop, v = (quad)p->v;
    for (size_t n = 0; n < impacts; n++) {
        const quad flight = land(p, x, v);
        CHECK_OR_STOP(flight < (quad)HUGE_VAL && n < m.count);
        for (int k = 1; k < 8; k++) {
            const quad t = now + flight * k / 8;
            quad speed;
            const quad q = (quad)p->stop + place(p, x, v, (quad)(double)t - now, &speed);
            const struct carom_academic_place at = carom_academic_at(&m, (double)t);
            CHECK_NEAR(at.q, (double)q, 1e-15 * (1.0 + fabs((double)v)));
            CHECK_NEAR(at.right, (double)speed, 1e-15 * (1.0 + fabs(p->pull) + fabs((double)v) + fabs((double)speed)));
            CHECK(at.left == at.right);
        }
        quad speed;
        place(p, x, v, flight, &speed);
        now += flight;
        CHECK_NEAR(m.impact[n].time, (double)now, 2.3e-16 * (double)now);
        CHECK_NEAR(m.impact[n].speed, -(double)speed, 4e-16 * (1.0 - (double)speed));
        const struct carom_academic_place at = carom_academic_at(&m, m.impact[n].time);
        CHECK(at.q == p->stop && at.left == -m.impact[n].speed && at.right == p->e * m.impact[n].speed);
        x = 0;
        v = -(quad)p->e * speed;
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
    quad sum = acosf128((quad)1 / 5), u = sqrtf128((quad)24 / 25);
    for (int n = 0; n < 200; n++) {
        u /= 2;
        sum += 2 * atanf128(5 * u);
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
