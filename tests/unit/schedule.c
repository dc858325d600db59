/* When samples are due, and what is advised where they are too far apart to show a contact. */
#include "record/schedule.h"
#include "check.h"

static double finer(double every, double contact_time)
{
    const struct carom_schedule schedule = {.every = every};
    return carom_schedule_finer(&schedule, contact_time);
}

/* a twentieth of the contact or the round number below it; nothing where three samples fall into a contact */
static void test_finer(void)
{
    CHECK_NEAR(finer(1.0, 1.4), 0.05, 1e-16);
    CHECK_NEAR(finer(1.0, 0.6), 0.02, 1e-16);
    CHECK_NEAR(finer(1.0, 0.3), 0.01, 1e-16);
    CHECK_NEAR(finer(1.0, 1.9e-4), 5e-6, 1e-20);
    CHECK_NEAR(finer(0.5, 1.4), 0.05, 1e-16);
    CHECK(finer(0.4, 1.4) == 0.0);
    CHECK(finer(1.0, 0.0) == 0.0 && finer(1.0, -1.0) == 0.0);
    const struct carom_schedule dense = {.every = 1.0, .action = 1e-3, .most = 10};
    CHECK(carom_schedule_finer(&dense, 0.6) == 0.0);
}

static void test_action(void)
{
    const struct carom_schedule schedule = {.every = 1.0, .action = 0.25, .most = 3};
    CHECK(carom_schedule_action(&schedule, 0, 1.0, 0.5) == 0.75);
    CHECK(carom_schedule_action(&schedule, 2, 1.0, 0.6) == 0.75);
    CHECK(carom_schedule_action(&schedule, 2, 4.0, 0.6) == 1.0);       /* every fourth */
    CHECK(carom_schedule_action(&schedule, 3, 1.0, 0.6) == HUGE_VAL);  /* as many as there may be */
    CHECK(carom_schedule_action(&schedule, 0, 1.0, 1e16) == HUGE_VAL); /* times can no longer be told apart */
    const struct carom_schedule window = {.every = 1.0, .from = 2.0, .to = 3.0, .action = 0.25, .most = 30};
    CHECK(carom_schedule_action(&window, 0, 1.0, 0.5) == 2.0 && carom_schedule_action(&window, 1, 1.0, 2.0) == 2.25);
    CHECK(carom_schedule_action(&window, 1, 1.0, 3.0) == HUGE_VAL);
}

/* a run in which contacts act without end, or for a part of the time; returns the rows that it has, and the time of the
 * last of them while contacts acted */
static uint64_t play(const struct carom_schedule *schedule, double acting, double *last)
{
    double t = -HUGE_VAL, half = 0.0, worst = 1.0;
    uint64_t rows = 0;
    for (;;) {
        const double nth = carom_schedule_thinned(schedule, rows, half, t);
        double next = carom_schedule_action(schedule, rows, nth, t);
        while (next < HUGE_VAL && fmod(next, 1.0) >= acting)
            next = carom_schedule_action(schedule, rows, nth, next);
        const double even = carom_schedule_next(schedule, t);
        if (!(fmin(next, even) <= schedule->end))
            break;
        t = fmin(next, even);
        *last = next <= even ? t : *last;
        half = rows == schedule->most / 2 ? t : half;
        worst = fmax(worst, nth);
        CHECK(rows++ > schedule->most / 2 || nth == 1.0);
    }
    CHECK(worst > 1.0);
    return rows;
}

/* half of the rows as they come, the others until the end: all of them if contacts go on as before */
static void test_thinned(void)
{
    const struct carom_schedule schedule = {.every = 10.0, .action = 0.03125, .most = 4000, .end = 2000.0};
    double last = 0.0;
    uint64_t rows = play(&schedule, 1.0, &last);
    CHECK(rows > 2800 && rows <= 4200 && last > 1980.0);
    rows = play(&schedule, 0.25, &last);
    CHECK(rows > 2400 && rows <= 4200 && last > 1980.0);
    const struct carom_schedule brief = {.every = 10.0, .action = 1.0, .most = 4000, .end = 2000.0};
    CHECK(carom_schedule_thinned(&brief, 3999, 100.0, 1000.0) == 1.0); /* there are enough */
    const struct carom_schedule open = {.every = 10.0, .action = 1.0, .most = 40};
    CHECK(carom_schedule_thinned(&open, 39, 100.0, 1000.0) == 1.0); /* nobody knows the end */
}

static void test_next(void)
{
    const double times[] = {0.5, 2.5};
    const struct carom_schedule schedule = {.every = 1.0, .times = times, .ntimes = 2};
    double t = -HUGE_VAL;
    const double wanted[] = {0.0, 0.5, 1.0, 2.0, 2.5, 3.0};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        t = carom_schedule_next(&schedule, t);
        CHECK(t == wanted[i]);
    }
    const double later[] = {1.0, 4.0}; /* one of the grid, and one that would be but for the window */
    const struct carom_schedule window = {.every = 1.0, .to = 2.0, .times = later, .ntimes = 2};
    CHECK(carom_schedule_next(&window, 0.5) == 1.0 && carom_schedule_next(&window, 1.0) == 2.0);
    CHECK(carom_schedule_next(&window, 2.0) == 4.0 && carom_schedule_next(&window, 4.0) == HUGE_VAL);
}

int main(void)
{
    test_finer();
    test_action();
    test_thinned();
    test_next();
    return check_end();
}
