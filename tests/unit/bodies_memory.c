/* Laws with a memory, of bodies in the plane and in space under dp5: a pair bounces with the restitution the law states
 * and as a pair of beads does; what it loses is in the ledger; verlet refuses them in words. */
#include "bodies.h"

/* two balls that meet head on, or off centre; returns the speed at which they part over that at which they met */
static double bounce(size_t dimension, const struct carom_law *law, const double *param, double aside,
                     enum carom_ending ending)
{
    struct carom_bodies *b = bodies_of(dimension, 2, 0, law, ending, param);
    const size_t nv = carom_bodies_nv(b);
    double v[12] = {0.0};
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 0.0, 0.0);
    bodies_ball(b, 1, 1.0, 1.0, sqrt(4.0 - aside * aside) + 0.01, aside, 0.0);
    v[0] = 1.0;
    v[nv] = -1.0;
    struct carom_sim *sim = bodies_sim(b, v, &carom_scheme_dp5, "tol", 1e-8, 1.0);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(ledger.residual, 0.0, 1e-8);
    CHECK(ledger.viscous > 0.0 && ledger.stored == 0.0);
    const double *w = sim->view->v, parting = (w[nv] - w[0]) / 2.0;
    carom_sim_free(sim);
    return parting;
}

/* a ball that falls onto a plane and bounces in its dent for good, phase after phase */
static void test_dent(const struct carom_law *law, const double *param)
{
    struct carom_bodies *b = bodies_of(2, 2, 0, law, CAROM_END_GAP, param);
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[1] = 1.0;
    b->gravity[1] = -10.0;
    bodies_ball(b, 1, 0.5, 1.0, 0.0, 0.51, 0.0);
    struct carom_sim *sim = bodies_sim(b, NULL, &carom_scheme_dp5, "tol", 1e-7, 3.0);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    CHECK(sim->state->time == 3.0);
    CHECK_NEAR(bodies_ledger(sim).residual, 0.0, 1e-5);
    CHECK(bodies_ledger(sim).viscous > 0.1);
    carom_sim_free(sim);
}

static void test_refused(void)
{
    const double param[] = {1e4, 2e4};
    struct carom_bodies *b = bodies_of(2, 1, 0, &carom_law_walton_braun, CAROM_END_GAP, param);
    bodies_ball(b, 0, 1.0, 1.0, 0.0, 0.0, 0.0);
    CHECK(bodies_sim(b, NULL, &carom_scheme_verlet, "step", 1e-3, 1.0) == NULL);
}

int main(void)
{
    const double plastic[] = {1e4, 4e4}, bistiff[] = {1e4, 1.5, 0.6};
    for (size_t dimension = 2; dimension <= 3; dimension++)
        for (int ending = 0; ending < 2; ending++) {
            CHECK_NEAR(bounce(dimension, &carom_law_walton_braun, plastic, 0.0, (enum carom_ending)ending), 0.5, 1e-7);
            CHECK_NEAR(bounce(dimension, &carom_law_bistiff, bistiff, 0.0, (enum carom_ending)ending), 0.6, 1e-7);
            CHECK(bounce(dimension, &carom_law_bistiff, bistiff, 0.9, (enum carom_ending)ending) < 0.6);
        }
    test_dent(&carom_law_walton_braun, plastic);
    test_dent(&carom_law_bistiff, bistiff);
    test_refused();
    return check_end();
}
