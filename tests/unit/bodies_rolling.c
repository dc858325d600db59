/* Resistance to rolling and to twisting, each law under verlet and dp5: balls on a plane slow down as closed forms
 * say and stop, a turntable takes a ball along, a slope holds one. */
#include "bodies.h"

struct ball {
    size_t dimension;
    const struct carom_friction *law; /* of both */
    double mu_roll, mu_twist, speed, twist, slope, until;
    double table; /* spin of the plane about its normal */
};

static const double gravity = 10.0, radius = 0.5, stiffness = 1e7;

static double overlap(void)
{
    return pow(gravity / stiffness, 2.0 / 3.0);
}

/* a ball of radius 1/2 and mass 1 at rest on a plane or rolling along it, gravity inclined by `slope` */
static struct carom_sim *begin(const struct ball *c, const struct carom_scheme *scheme, const char *option,
                               double value)
{
    const double param[] = {stiffness, 1e-3}, rub[] = {0.5, 0.0, 5e5, 1e-3};
    struct carom_bodies *b =
        bodies_of(c->dimension, 2, c->table != 0.0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_pairing *p = &b->pairing[0];
    const size_t nv = carom_bodies_nv(b), up = c->dimension - 1;
    const bool spring = c->law == &carom_resistance_spring;
    double v[12] = {0.0};
    p->friction = &carom_friction_cundall_strack;
    p->rolling = c->mu_roll > 0.0 ? c->law : NULL;
    p->twisting = c->mu_twist > 0.0 ? c->law : NULL;
    for (size_t i = 0; i < 4; i++)
        p->rub[i].param = rub[i];
    p->roll[0].param = c->mu_roll;
    p->twist[0].param = c->mu_twist;
    p->roll[2].param = p->twist[2].param = spring ? 1e5 : 1e-4;
    p->roll[3].param = p->twist[3].param = spring ? 2e-3 : 0.0;
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[up] = 1.0;
    if (c->table != 0.0) {
        b->body[0].lead = 0;
        b->lead[0].turn[2] = c->table;
        b->lead[0].signal = (struct carom_signal){.shape = CAROM_SHAPE_RAMP, .amplitude = 1.0, .duration = 1.0};
    }
    b->gravity[0] = gravity * sin(c->slope);
    b->gravity[up] = -gravity * cos(c->slope);
    const double height = radius - overlap();
    bodies_ball(b, 1, radius, 1.0, 0.0, up == 1 ? height : 0.0, up == 2 ? height : 0.0);
    v[nv] = c->speed;
    v[nv + (c->dimension == 2 ? 2 : 4)] = (c->dimension == 2 ? -1.0 : 1.0) * c->speed / height;
    if (c->dimension == 3)
        v[nv + 5] = c->twist;
    return bodies_sim(b, v, scheme, option, value, c->until);
}

/* how fast a rolling ball slows down: mu g / (1 + I / (m l^2)), times radius over arm */
static double slowing(const struct ball *c)
{
    const double arm = radius - overlap(), inertia = (c->dimension == 2 ? 0.5 : 0.4) * radius * radius;
    return c->mu_roll * radius * gravity / (arm + inertia / arm);
}

static const double *run(const struct ball *c, bool fixed_step, struct carom_sim **sim)
{
    *sim = fixed_step ? begin(c, &carom_scheme_verlet, "step", 2e-5) : begin(c, &carom_scheme_dp5, "tol", 1e-7);
    CHECK_OR_STOP(*sim != NULL);
    bodies_run(*sim);
    const struct carom_ledger ledger = bodies_ledger(*sim);
    CHECK_NEAR(ledger.residual, 0.0, fixed_step ? 1e-5 : 1e-6);
    CHECK(ledger.rolling >= 0.0 && ledger.twisting >= 0.0);
    return (*sim)->view->v + (c->dimension == 2 ? 3 : 6);
}

static void test_rolling(size_t dimension, const struct carom_friction *law, bool fixed_step)
{
    struct ball c = {.dimension = dimension, .law = law, .mu_roll = 0.1, .speed = 0.1, .until = 0.08};
    struct carom_sim *sim;
    const double *v = run(&c, fixed_step, &sim), left = c.speed - slowing(&c) * c.until;
    CHECK_NEAR(v[0], left, 3e-4 * c.speed); /* the spring gives way after a while */
    CHECK_NEAR(fabs(v[dimension == 2 ? 2 : 4]) * (radius - overlap()), left, 3e-4 * c.speed);
    carom_sim_free(sim);
    c.until = 0.4; /* it has stopped after 0.14 */
    v = run(&c, fixed_step, &sim);
    CHECK_NEAR(v[0], 0.0, 1e-5);
    CHECK_NEAR(sim->view->q[carom_bodies_nq(carom_model_bodies(sim->model))], 0.5 * c.speed * c.speed / slowing(&c),
               1e-4);
    const double inertia = (dimension == 2 ? 0.5 : 0.4) * radius * radius, spin = c.speed / (radius - overlap());
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(ledger.rolling, 0.5 * (c.speed * c.speed + inertia * spin * spin), 1e-4 * ledger.rolling + 1e-6);
    carom_sim_free(sim);
}

/* w' = -mu R N / I */
static void test_twisting(const struct carom_friction *law, bool fixed_step)
{
    struct ball c = {.dimension = 3, .law = law, .mu_twist = 0.02, .twist = 0.5, .until = 0.3};
    struct carom_sim *sim;
    const double slowing_down = c.mu_twist * gravity / (0.4 * radius);
    const double *v = run(&c, fixed_step, &sim);
    CHECK_NEAR(v[5], c.twist - slowing_down * c.until, 1e-4);
    carom_sim_free(sim);
    c.until = 0.7; /* it has stopped after 0.5 */
    v = run(&c, fixed_step, &sim);
    CHECK_NEAR(v[5], 0.0, 1e-5);
    for (int k = 0; k < 2; k++)
        CHECK(v[k] == 0.0 && v[3 + k] == 0.0);
    CHECK_NEAR(bodies_ledger(sim).twisting, 0.5 * 0.4 * radius * radius * c.twist * c.twist, 1e-5);
    carom_sim_free(sim);
}

/* a slope of tan a < mu holds a ball by its spring, a steeper one does not */
static void test_slope(bool fixed_step)
{
    struct ball c = {.dimension = 3, .law = &carom_resistance_spring, .mu_roll = 0.1, .slope = 0.04, .until = 0.5};
    struct carom_sim *sim;
    const double *v = run(&c, fixed_step, &sim);
    CHECK_NEAR(v[0], 0.0, 1e-4);
    carom_sim_free(sim);
    c.slope = 0.15;
    v = run(&c, fixed_step, &sim);
    CHECK_NEAR(v[0], gravity * (sin(c.slope) - c.mu_roll * cos(c.slope)) * c.until / 1.4, 2e-3);
    carom_sim_free(sim);
}

/* a table that turns brings a ball at its centre to its own spin; what it puts in is counted */
static void test_table(const struct carom_friction *law, bool fixed_step)
{
    struct ball c = {.dimension = 3, .law = law, .mu_twist = 0.02, .table = 0.3, .until = 0.6};
    struct carom_sim *sim;
    const double *v = run(&c, fixed_step, &sim);
    CHECK_NEAR(v[5], c.table, 1e-4);
    CHECK_NEAR(bodies_ledger(sim).work, 0.4 * radius * radius * c.table * c.table, 1e-4);
    carom_sim_free(sim);
}

/* a ball in a hollow one that is hardly larger, whose effective radius is boundless: its own radius is the lever */
static void test_hollow(bool fixed_step)
{
    const double param[] = {1e7, 1e-3},
                 rub[] = {0.1, 0.0, 1e5, fixed_step ? 1e9 : 1e-3}; /* dampers beyond steps, too */
    struct carom_bodies *b = bodies_of(3, 2, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_pairing *p = &b->pairing[0];
    double v[12] = {0.0};
    p->rolling = p->twisting = &carom_resistance_spring;
    for (size_t i = 0; i < 4; i++)
        p->roll[i].param = p->twist[i].param = rub[i];
    bodies_ball(b, 0, radius, 1.0, 0.0, 0.0, 0.0);
    b->body[0].inside = b->body[0].fixed = true;
    bodies_ball(b, 1, radius, 1.0, 0.0, 0.0, 0.0);
    b->gravity[2] = -gravity;
    v[9] = v[11] = 0.5;
    struct carom_sim *sim = fixed_step ? bodies_sim(b, v, &carom_scheme_verlet, "step", 2e-5, 0.2)
                                       : bodies_sim(b, v, &carom_scheme_dp5, "tol", 1e-6, 0.2);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    CHECK_NEAR(sim->view->v[9], 0.0, 1e-3);
    CHECK_NEAR(sim->view->v[11], 0.0, 1e-3);
    CHECK_NEAR(bodies_ledger(sim).residual, 0.0, 1e-4);
    carom_sim_free(sim);
}

/* discs do not twist */
static void test_refused(void)
{
    const double param[] = {1.0, 0.0};
    struct carom_bodies *b = bodies_of(2, 1, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    struct carom_error error = {CAROM_OK, ""};
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 0.0, 0.0);
    b->pairing[0].twisting = &carom_resistance_constant;
    CHECK_STATUS(carom_bodies_finish(b, &error), CAROM_E_REFUSED);
    carom_bodies_free(b);
}

int main(void)
{
    const struct carom_friction *const laws[] = {&carom_resistance_spring, &carom_resistance_constant};
    for (int fixed_step = 0; fixed_step < 2; fixed_step++) {
        for (int i = 0; i < 2; i++) {
            test_rolling(2, laws[i], fixed_step);
            test_rolling(3, laws[i], fixed_step);
            test_twisting(laws[i], fixed_step);
            test_table(laws[i], fixed_step);
        }
        test_slope(fixed_step);
        test_hollow(fixed_step);
    }
    test_refused();
    return check_end();
}
