/* A ball on a plane with each friction law, under verlet and dp5: gross sliding and rolling are known in closed form,
 * and the two schemes share no step. */
#include "bodies.h"

static const double pi = 3.14159265358979323846;

struct ball {
    size_t dimension;
    const struct carom_friction *friction;
    double form, angle, speed, mu, gamma, height, gravity, twist, until;
};

/* a plane below a ball of radius 1/2 and mass 1, which comes at `angle` from the normal */
static struct carom_sim *begin(const struct ball *c, const struct carom_scheme *scheme, const char *option,
                               double value)
{
    const double param[] = {1e7, c->gamma};
    struct carom_bodies *b = bodies_of(c->dimension, 2, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    const size_t nv = carom_bodies_nv(b), up = c->dimension - 1;
    const double last = c->friction == &carom_friction_coulomb          ? 1e-3
                        : c->friction == &carom_friction_cundall_strack ? 5e5
                                                                        : 1.1e7;
    const double rub[] = {c->mu, 0.0, last, c->gamma, c->form};
    double v[12] = {0.0};
    b->pairing[0].friction = c->friction;
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[up] = 1.0;
    b->gravity[up] = -c->gravity;
    bodies_ball(b, 1, 0.5, 1.0, 0.0, up == 1 ? 0.5 + c->height : 0.0, up == 2 ? 0.5 + c->height : 0.0);
    v[nv] = c->speed * sin(c->angle);
    v[nv + up] = -c->speed * cos(c->angle);
    if (c->dimension == 3) {
        v[nv + 3] = c->twist;
        v[nv + 5] = 2.0 * c->twist;
    }
    return bodies_sim(b, v, scheme, option, value, c->until);
}

/* v_t' = v_t - mu (1 + e) v_n, the spin that goes with it by an arm that is shorter by the overlap */
static void test_sliding(const struct ball *given)
{
    struct ball c = *given;
    c.angle = 80.0 * pi / 180.0;
    c.speed = 1.0;
    c.mu = 0.1;
    c.height = 1e-3;
    c.until = 0.03;
    struct carom_sim *sim = begin(&c, &carom_scheme_dp5, "tol", 1e-7);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const size_t nv = c.dimension == 2 ? 3 : 6, up = c.dimension - 1;
    const double *v = sim->view->v + nv, taken = 2.0 * c.mu * cos(c.angle), share = c.dimension == 2 ? 2.0 : 2.5;
    CHECK_NEAR(v[0], sin(c.angle) - taken, 1e-7);
    CHECK_NEAR(v[up], cos(c.angle), 1e-7);
    CHECK_NEAR(fabs(c.dimension == 2 ? v[2] : v[4]), share * taken / 0.5, 3e-3 * share * taken / 0.5);
    carom_sim_free(sim);
}

/* a ball pushed along slides until it rolls with 5/7 of its speed, a disc with 2/3 */
static void test_rolling(const struct ball *given)
{
    struct ball c = *given;
    c.angle = 0.5 * pi;
    c.speed = 1.0;
    c.mu = 0.5;
    c.gamma = 1e-3;
    c.gravity = 10.0;
    c.height = -pow(10.0 / 1e7, 2.0 / 3.0); /* at rest on the plane */
    c.until = 0.5;
    struct carom_sim *sim = begin(&c, &carom_scheme_verlet, "step", 2e-5);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const size_t nv = c.dimension == 2 ? 3 : 6;
    const double *v = sim->view->v + nv;
    CHECK_NEAR(v[0], c.dimension == 2 ? 2.0 / 3.0 : 5.0 / 7.0, 1e-3);
    CHECK_NEAR(fabs(c.dimension == 2 ? v[2] : v[4]) * 0.5, v[0], 1e-3);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(ledger.residual, 0.0, 1e-5);
    carom_sim_free(sim);
}

/* sticking, slipping and turning slips alike under both schemes */
static void test_two_ways(const struct ball *given, double angle, double gamma)
{
    struct ball c = *given;
    c.angle = angle;
    c.speed = 1.0;
    c.mu = 0.2;
    c.gamma = gamma;
    c.height = 1e-3;
    c.twist = 1.0;
    c.until = 0.03;
    struct carom_sim *one = begin(&c, &carom_scheme_dp5, "tol", 1e-7),
                     *two = begin(&c, &carom_scheme_verlet, "step", 2e-6);
    CHECK_OR_STOP(one && two);
    bodies_run(one);
    bodies_run(two);
    const size_t nv = c.dimension == 2 ? 3 : 6;
    for (size_t k = 0; k < nv; k++)
        CHECK_NEAR(one->view->v[nv + k], two->view->v[nv + k], 2e-5);
    const struct carom_ledger ledger = bodies_ledger(one);
    CHECK_NEAR(ledger.residual, 0.0, 1e-7); /* tol */
    CHECK(ledger.friction > 0.0);
    if (c.friction == &carom_friction_mindlin && c.form == 3.0)
        CHECK(ledger.change >= 0.0); /* this form never creates energy */
    carom_sim_free(one);
    carom_sim_free(two);
}

/* what a scene's gamma_t is unless given */
static void test_viscous_time(void)
{
    struct carom_pairing p = {.law = &carom_law_kuwabara_kono, .param = {{1e7, 0.5, 0.0}, {2e-4, 0.1, 0.2}}};
    struct carom_scaled time = carom_bodies_viscous_time(&p);
    CHECK(time.param == 2e-4 && time.radius_power == 0.1 && time.mass_power == 0.2);
    p.law = &carom_law_hertz; /* has none */
    CHECK(carom_bodies_viscous_time(&p).param == 0.0);
    p.law = &carom_law_hertz_dashpot; /* has damping that is no time of its spring */
    CHECK(carom_bodies_viscous_time(&p).param == 0.0);
}

int main(void)
{
    for (size_t dimension = 2; dimension <= 3; dimension++)
        for (int form = -2; form < 4; form++) {
            const struct ball c = {.dimension = dimension,
                                   .friction = form == -2   ? &carom_friction_coulomb
                                               : form == -1 ? &carom_friction_cundall_strack
                                                            : &carom_friction_mindlin,
                                   .form = form < 0 ? 0.0 : form};
            if (form != 1) /* the potential form pushes along the normal too */
                test_sliding(&c);
            if (form != -2 && form != 1) /* coulomb creeps */
                test_rolling(&c);
            test_two_ways(&c, 5.0 * pi / 180.0, 0.0);
            test_two_ways(&c, 30.0 * pi / 180.0, 2e-4);
        }
    test_viscous_time();
    return check_end();
}
