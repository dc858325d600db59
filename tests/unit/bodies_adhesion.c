/* Spheres that pull at each other as long as they touch (law dmt): rebound without loss, the time of contact by
 * quadrature, capture, pull-off, and friction beside it. */
#include "bodies.h"

static const double k = 1000.0, radius = 0.5, work = 0.1;

static double pull(void)
{
    return 2.0 * 3.14159265358979323846 * radius * work;
}

/* a ball of mass 1 above a plane, both along z */
static struct carom_bodies *ball_and_plane(double gamma, double height, size_t loads)
{
    const double param[] = {k, work, gamma};
    struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_dmt, CAROM_END_GAP, param);
    b->pairing[0].param[1].radius_power = 1.0;
    if (loads > 0) {
        carom_memory_free(b->load);
        b->load = carom_memory_zeroed(loads, sizeof *b->load);
        b->nloads = loads;
    }
    bodies_ball(b, 0, radius, 1.0, 0.0, 0.0, radius + height);
    b->body[1].surface = CAROM_PLANE;
    b->body[1].fixed = true;
    b->body[1].normal[2] = 1.0;
    return b;
}

static struct carom_sim *begin(struct carom_bodies *b, const double *v, bool fixed_step, double value, double until)
{
    return bodies_sim(b, v, fixed_step ? &carom_scheme_verlet : &carom_scheme_dp5, fixed_step ? "step" : "tol", value,
                      until);
}

/* v^2 of a ball that came with `speed`, at overlap d */
static double left_at(double speed, double d)
{
    return speed * speed + 2.0 * (pull() * d - 0.4 * k * d * d * sqrt(d));
}

/* twice the integral of dd / v from touch to the largest overlap D, with d = D sin^2 a, by Simpson's rule */
static double contact_time(double speed)
{
    enum { STEPS = 20000 };
    const double half_pi = 1.57079632679489661923;
    double low = 0.0, high = 1.0, sum = 0.0;
    for (int i = 0; i < 200; i++) {
        const double middle = 0.5 * (low + high);
        *(left_at(speed, middle) > 0.0 ? &low : &high) = middle;
    }
    for (int i = 0; i <= STEPS; i++) {
        const double a = half_pi * i / STEPS, d = low * sin(a) * sin(a), square = left_at(speed, d);
        const double weight = i == 0 || i == STEPS ? 1.0 : i % 2 == 1 ? 4.0 : 2.0;
        /* at the end both vanish: d' / v has the limit of l'Hopital */
        const double end = 2.0 * low / sqrt(-2.0 * low * (pull() - k * low * sqrt(low)));
        sum += weight * (i == STEPS ? end : square > 0.0 ? 2.0 * low * sin(a) * cos(a) / sqrt(square) : 0.0);
    }
    return 2.0 * sum * half_pi / STEPS / 3.0;
}

/* how far its place after the impact is off; speeds are the same before and after */
static double rebound(bool fixed_step, double value)
{
    const double speed = 0.02, until = 16.0, height = 0.1;
    double v[12] = {0.0};
    v[2] = -speed;
    struct carom_sim *sim = begin(ball_and_plane(0.0, height, 0), v, fixed_step, value, until);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    CHECK_NEAR(sim->view->v[2], speed, (fixed_step ? 5e-3 : 1e-9) * speed);
    CHECK_NEAR(bodies_ledger(sim).residual, 0.0, fixed_step ? 2e-6 : 1e-12);
    const double gone = speed * (until - height / speed - contact_time(speed)) - height;
    const double off = fabs(sim->view->q[2] - gone);
    carom_sim_free(sim);
    return off;
}

static void test_rebound(void)
{
    CHECK_NEAR(rebound(false, 1e-9), 0.0, 1e-8);
    double worst[2] = {0.0, 0.0};
    for (int i = 0; i < 8; i++) /* wherever in a step they touch */
        for (int fine = 0; fine < 2; fine++)
            worst[fine] = fmax(worst[fine], rebound(true, (4e-3 + 1e-4 * i) / (fine ? 4.0 : 1.0)));
    CHECK(worst[1] < worst[0] / 8.0);
    CHECK_NEAR(worst[1], 0.0, 1e-4);
}

/* a slow ball that is damped stays: it lies pressed by its own pull, and what it had more is lost */
static void test_capture(bool fixed_step)
{
    double v[12] = {0.0};
    v[2] = -0.02;
    struct carom_sim *sim = begin(ball_and_plane(0.05, 0.01, 0), v, fixed_step, fixed_step ? 1e-3 : 1e-8, 60.0);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const double rest = pow(pull() / k, 2.0 / 3.0);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(sim->view->q[2], -0.01 - rest, 1e-6 * rest);
    CHECK_NEAR(ledger.stored, -0.6 * pull() * rest, 1e-8 * pull() * rest);
    CHECK_NEAR(ledger.dissipated, 0.5 * v[2] * v[2] + 0.6 * pull() * rest,
               (fixed_step ? 1e-3 : 1e-7) * ledger.dissipated);
    CHECK_NEAR(ledger.residual, 0.0, (fixed_step ? 1e-3 : 1e-7) * ledger.dissipated);
    carom_sim_free(sim);
}

/* pulled ever stronger, slowly, it lets go where the force is 2 pi R w */
static void test_pull_off(bool fixed_step)
{
    const double rest = pow(pull() / k, 2.0 / 3.0), ramp = 200.0;
    struct carom_bodies *b = ball_and_plane(0.5, -rest, 1);
    b->load[0] = (struct carom_body_load){.body = 0,
                                          .force = {0.0, 0.0, pull()},
                                          .signal = {.shape = CAROM_SHAPE_RAMP, .amplitude = 2.0, .duration = ramp}};
    struct carom_sim *sim = begin(b, NULL, fixed_step, fixed_step ? 2e-3 : 1e-6, 0.5 * ramp * 0.98);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    CHECK(sim->view->q[2] < rest); /* it still overlaps */
    carom_sim_free(sim);
    b = ball_and_plane(0.5, -rest, 1);
    b->load[0] = (struct carom_body_load){.body = 0,
                                          .force = {0.0, 0.0, pull()},
                                          .signal = {.shape = CAROM_SHAPE_RAMP, .amplitude = 2.0, .duration = ramp}};
    sim = begin(b, NULL, fixed_step, fixed_step ? 2e-3 : 1e-6, 0.5 * ramp * 1.03);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    CHECK(sim->view->q[2] > rest);
    carom_sim_free(sim);
}

/* thrown along the plane with friction, damped: energies add up, and it is caught */
static void test_friction(bool fixed_step)
{
    struct carom_bodies *b = ball_and_plane(0.02, 0.01, 0);
    const double rub[] = {0.4, 0.0, 800.0, 0.0, 3.0};
    double v[12] = {0.05, 0.0, -0.03, 0.0, 0.0, 0.2};
    b->pairing[0].friction = &carom_friction_mindlin;
    for (int i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    struct carom_sim *sim = begin(b, v, fixed_step, fixed_step ? 1e-3 : 1e-7, 6.0);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK(ledger.friction > 0.0 && ledger.stored < 0.0);
    CHECK_NEAR(ledger.residual, 0.0, (fixed_step ? 2e-3 : 1e-6) * ledger.dissipated);
    carom_sim_free(sim);
}

/* the scales know that a ball which comes slowly is drawn in: the time of contact, and verlet's own step with it, are
 * those of the speed that it gets */
static void test_scales(void)
{
    const double v[12] = {0.0, 0.0, -1e-4}, d = pow(pull() / k, 2.0 / 3.0);
    struct carom_sim *sim = begin(ball_and_plane(0.0, 1e-4, 0), v, true, 1e-3, 10.0);
    const double drawn = sqrt(2.0 * 0.6 * pull() * d + v[2] * v[2]), time = sim->scales.contact_time;
    CHECK_NEAR(sim->scales.speed, drawn, 1e-12);
    CHECK(time > 0.5 * contact_time(1e-4) && time < contact_time(1e-4));
    carom_sim_free(sim);
    sim = begin(ball_and_plane(0.0, 1e-4, 0), v, true, time / 40.0, 10.0);
    bodies_run(sim);
    CHECK(fabs(bodies_ledger(sim).residual) < 1e-3 * drawn * drawn);
    carom_sim_free(sim);
}

int main(void)
{
    test_scales();
    test_rebound();
    for (int fixed_step = 0; fixed_step < 2; fixed_step++) {
        test_capture(fixed_step);
        test_pull_off(fixed_step);
        test_friction(fixed_step);
    }
    return check_end();
}
