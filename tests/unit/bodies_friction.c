/* Oblique impacts of a ball on a plane under verlet, with each friction law: gross sliding is known in closed form. */
#include "bodies.h"

static const double pi = 3.14159265358979323846;

/* a ball above a plane y = 0 (z = 0 in space) meets it at `angle` from the normal; mu, and a friction law */
static struct carom_sim *impact(size_t dimension, const struct carom_friction *friction, double form, double angle,
                                double mu, double h)
{
    const double param[] = {1e5, 0.0};
    struct carom_bodies *b = bodies_of(dimension, 2, 0, &carom_law_kuwabara_kono, CAROM_END_GAP, param);
    const size_t nv = carom_bodies_nv(b), up = dimension - 1;
    double v[12] = {0.0};
    b->pairing[0].friction = friction;
    const double rub[] = {mu, 0.0, friction == &carom_friction_coulomb ? 1e-4 : friction == &carom_friction_mindlin ? 1.1e5 : 2e4, 0.0, form};
    for (size_t i = 0; i < 5; i++)
        b->pairing[0].rub[i].param = rub[i];
    b->body[0].surface = CAROM_PLANE;
    b->body[0].fixed = true;
    b->body[0].normal[up] = 1.0;
    bodies_ball(b, 1, 0.5, 1.0, 0.0, up == 1 ? 0.51 : 0.0, up == 2 ? 0.51 : 0.0);
    v[nv] = sin(angle);
    v[nv + up] = -cos(angle);
    return bodies_sim(b, v, &carom_scheme_verlet, "step", h, 0.1);
}

static void test_sliding(size_t dimension, const struct carom_friction *friction, double form)
{
    const double angle = 70.0 * pi / 180.0, mu = 0.1, share = dimension == 2 ? 2.0 : 2.5;
    struct carom_sim *sim = impact(dimension, friction, form, angle, mu, 1e-5);
    CHECK_OR_STOP(sim != NULL);
    bodies_run(sim);
    const size_t nv = dimension == 2 ? 3 : 6, up = dimension - 1;
    const double *v = sim->view->v + nv, lost = 2.0 * mu * cos(angle);
    CHECK_NEAR(v[0], sin(angle) - lost, 1e-5);
    CHECK_NEAR(v[up], cos(angle), 1e-5);
    CHECK_NEAR(dimension == 2 ? v[2] : v[4], (dimension == 2 ? -1.0 : 1.0) * share * lost / 0.5, 1e-4);
    const struct carom_ledger ledger = bodies_ledger(sim);
    CHECK_NEAR(ledger.residual, 0.0, 1e-6);
    CHECK(ledger.friction > 0.0);
    printf("%s form %g d %zu: vx %.8f residual %.2e friction %.3e change %.3e\n", friction->kind.name, form, dimension,
           v[0] - (sin(angle) - lost), ledger.residual, ledger.friction, ledger.change);
    carom_sim_free(sim);
}

static void test_halving(const struct carom_friction *friction, double form, double angle)
{
    double last[4][3];
    for (int i = 0; i < 4; i++) {
        struct carom_sim *sim = impact(2, friction, form, angle, 0.3, 4e-5 / (1 << i));
        bodies_run(sim);
        for (int k = 0; k < 3; k++)
            last[i][k] = sim->view->v[3 + k];
        const struct carom_ledger ledger = bodies_ledger(sim);
        if (i == 3)
            printf("form %g angle %.2f vx %.8f spin %.8f residual %.1e change %.2e friction %.2e order %.2f %.2f\n", form, angle,
                   last[i][0], last[i][2], ledger.residual, ledger.change, ledger.friction, log2(fabs((last[1][0] - last[0][0]) / (last[2][0] - last[1][0]))),
                   log2(fabs((last[2][0] - last[1][0]) / (last[3][0] - last[2][0]))));
        carom_sim_free(sim);
    }
}

int main(void)
{
    for (size_t dimension = 2; dimension <= 3; dimension++) {
        test_sliding(dimension, &carom_friction_coulomb, 0.0);
        test_sliding(dimension, &carom_friction_cundall_strack, 0.0);
        for (int form = 0; form < 4; form++)
            test_sliding(dimension, &carom_friction_mindlin, form);
    }
    for (int form = 0; form < 4; form++) {
        test_halving(&carom_friction_mindlin, form, 5.0 * pi / 180.0);
        test_halving(&carom_friction_mindlin, form, 20.0 * pi / 180.0);
    }
    return check_end();
}
