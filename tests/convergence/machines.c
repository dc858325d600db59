/* Machines against closed forms, by the event-driven scheme from scenes: the ball's accumulation, the rocking block's
 * loss at each change of foot (Housner), the foot that lifts at g tan(alpha) and the block that falls, the
 * slider-crank that tends to its ideal motion as the clearance goes to 0, and a pendulum's swing between impacts by
 * its energy. */
#include "carom/carom.h"
#include "check.h"
#include "friction.h"

static void test_ball(void)
{
    struct outcome o = outcome_run("{units: none, theory: nonsmooth, bodies: [mechanism: {kind: ball, gravity: 10}],"
                                   " contacts: {e: 0.5}, start: [{body: 1, displacement: 1}], run: {until: 2}}");
    double last = 0.0, first = 0.0;
    for (size_t i = 0; i < o.memory->nevents; i++) {
        const struct carom_event *event = &o.memory->event[i];
        first = i == 0 ? event->time : first;
        last = event->time;
    }
    CHECK_NEAR(first, sqrt(0.2), 1e-12);
    CHECK_NEAR(last, 3.0 / sqrt(5.0), 1e-11);
    CHECK(o.sim->view->v[0] == 0.0);
    CHECK_NEAR(o.sim->view->q[0], 0.0, 1e-12);
    carom_sim_free(o.sim);
}

/* rates of the striking foot are the width times those of the tilt, so the ratio is seen in the events */
static void test_housner(void)
{
    struct outcome o =
        outcome_run("{units: none, theory: nonsmooth,"
                    " bodies: [mechanism: {kind: rocking-block, width: 0.5, height: 2, gravity: 10}],"
                    " contacts: {e: 0}, start: [{body: 2, displacement: 0.1}], run: {until: 3, tol: 1e-10}}");
    const double alpha = atan2(0.5, 2.0), ratio = 1.0 - 1.5 * sin(alpha) * sin(alpha);
    double before = 0.0;
    size_t changes = 0;
    for (size_t i = 0; i < o.memory->nevents; i++) {
        const struct carom_event *event = &o.memory->event[i];
        if (event->kind != CAROM_EVENT_IMPACT || !(event->before < -1e-3))
            continue;
        if (before < 0.0)
            CHECK_NEAR(event->before / before, ratio, 1e-7);
        before = event->before;
        changes++;
    }
    CHECK(changes >= 4);
    carom_sim_free(o.sim);
}

/* a steady push of the base below g tan(alpha) does nothing; above it the block leaves its foot, and falls */
static void test_lifting(void)
{
    for (int above = 0; above < 2; above++) {
        char text[500];
        snprintf(text, sizeof text,
                 "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: rocking-block, width: 0.5, height: 2,"
                 " gravity: 10, base_acceleration: {shape: step, amplitude: %.12g}}],"
                 " contacts: {e: 0}, run: {until: %g, tol: 1e-9}}",
                 10.0 * 0.25 * (above ? 1.001 : 0.999), 2.0);
        struct outcome o = outcome_run(text);
        if (above)
            CHECK(o.sim->view->q[1] < -1e-3);
        else
            CHECK_NEAR(o.sim->view->q[1], 0.0, 1e-9);
        carom_sim_free(o.sim);
    }
}

/* largest distance of the rod's angle from its ideal one, over the crank's turns */
static double crank_distance(double clearance)
{
    char text[500];
    snprintf(text, sizeof text,
             "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: slider-crank, clearance: %g, gravity: 0}],"
             " contacts: {e: 0.4}, start: [{body: 1, velocity: 30}, {body: 2, velocity: -15}],"
             " run: {until: 0.3, tol: 1e-7}, record: {every: 0.001, probes: [u]}}",
             clearance);
    struct outcome o = outcome_run(text);
    const size_t column = carom_sink_memory_column(o.memory, "u", 0);
    double largest = 0.0;
    for (size_t i = 0; i < o.memory->nrows; i++) {
        const double *q = o.memory->value + i * o.memory->width + column;
        const double off = fabs(q[1] - asin(-0.153 / 0.306 * sin(q[0])));
        largest = off > largest ? off : largest;
    }
    carom_sim_free(o.sim);
    return largest;
}

static void test_slider_crank(void)
{
    const double coarse = crank_distance(1e-3), fine = crank_distance(1e-4);
    CHECK(coarse < 5e-3 && coarse > 1e-3);
    CHECK_NEAR(fine / coarse, 0.1, 0.02);
}

/* released at rest, the pendulum meets the wall with the speed its fall gives, and swings back to e^2 of its height */
static void test_pendulum(void)
{
    struct outcome o =
        outcome_run("{units: none, theory: nonsmooth,"
                    " bodies: [mechanism: {kind: pendulum, length: 2, gravity: 10, wall: 0}],"
                    " contacts: {e: 0.7}, start: [{body: 1, displacement: -1}], run: {until: 8, tol: 1e-11}}");
    const double speed = sqrt(2.0 * 10.0 * 2.0 * (1.0 - cos(1.0)));
    size_t hits = 0;
    for (size_t i = 0; i < o.memory->nevents && hits < 4; i++) {
        const struct carom_event *event = &o.memory->event[i];
        if (event->kind != CAROM_EVENT_IMPACT)
            continue;
        CHECK_NEAR(event->before, -speed * pow(0.7, (double)hits), 1e-9);
        CHECK_NEAR(event->after, -0.7 * event->before, 1e-9);
        CHECK_NEAR(event->impulse, 1.7 * -event->before, 1e-8);
        hits++;
    }
    CHECK(hits == 4);
    carom_sim_free(o.sim);
}

int main(void)
{
    test_ball();
    test_housner();
    test_lifting();
    test_slider_crank();
    test_pendulum();
    return check_end();
}
