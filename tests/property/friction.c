/* Random starts of machines with friction, under moreau-jean and moreau-adaptive: with e = 0 and nothing that drives
 * them their energy never grows, the ledger closes, bodies stay apart, Coulomb's law holds at every sample, and a
 * mirror image of the start gives the mirror image of the motion. */
#include "friction.h"
#include "draws.h"

static const struct {
    const char *name;
    size_t nc;
    double swing; /* of the third coordinate, which mirrors change the sign of */
} machines[] = {{"disc", 1, 3.0}, {"rod", 2, 0.9}, {"sliding-block", 2, 0.35}};

struct start {
    double place, lift, turn, v[3], mu, mu_static;
};

static struct outcome fly(size_t kind, const struct start *s, double side, bool adaptive)
{
    char text[1000];
    snprintf(
        text, sizeof text,
        "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: %s, gravity: 10}],"
        " contacts: {e: 0, mu: %.17g, mu_static: %.17g},"
        " start: [{body: 1, displacement: %.17g, velocity: %.17g}, {body: 2, displacement: %.17g, velocity: %.17g},"
        " {body: 3, displacement: %.17g, velocity: %.17g}], run: {until: 1, %%s},"
        " record: {every: 0.01, probes: [u, v, gap, contact_force, friction_force, slip]}}",
        machines[kind].name, s->mu, s->mu_static, side * s->place, side * s->v[0], s->lift, s->v[1], side * s->turn,
        side * s->v[2]);
    return outcome_of(text, adaptive ? "scheme: moreau-adaptive, tol: 1e-7" : "scheme: moreau-jean, step: 1e-3");
}

static void check_energy(const struct outcome *o, bool adaptive)
{
    const double whole = outcome_row(o, 0, "kinetic", 0) + fabs(outcome_row(o, 0, "stored", 0)) + 1.0;
    double last = HUGE_VAL;
    for (size_t i = 0; i < o->memory->nrows; i++) {
        const double energy = outcome_row(o, i, "kinetic", 0) + outcome_row(o, i, "stored", 0);
        /* between steps moreau-jean's samples are straight lines, off by what forces do in a step */
        CHECK(energy <= last + (adaptive ? 1e-6 : 5e-2) * whole);
        last = fmin(energy, last);
        if (adaptive)
            CHECK_NEAR(outcome_row(o, i, "residual", 0), 0.0, 1e-5 * whole);
    }
    struct carom_ledger ledger;
    carom_balance_read(o->sim->model, o->sim->view, NULL, &ledger);
    CHECK(ledger.kinetic + ledger.stored <= o->sim->state->energy + 1e-9 * whole);
    CHECK_NEAR(ledger.residual, 0.0, 1e-6 * whole);
}

static void check_apart(const struct outcome *o, size_t nc, double depth)
{
    for (size_t i = 0; i < o->memory->nrows; i++)
        for (size_t j = 0; j < nc; j++)
            CHECK(outcome_row(o, i, "gap", j) >= -depth);
}

int main(void)
{
    const uint64_t seed = 20261;
    struct carom_random random;
    carom_random_start(&random, seed);
    printf("seed %llu\n", (unsigned long long)seed);
    for (int trial = 0; trial < check_take(3, 12); trial++)
        for (size_t kind = 0; kind < 3; kind++) {
            struct start s = {.place = draw_between(&random, -1.0, 1.0),
                              .lift = draw_between(&random, kind == 1 ? 0.6 : 0.0, 0.8),
                              .turn = draw_between(&random, -1.0, 1.0) * machines[kind].swing};
            s.v[0] = draw_between(&random, -3.0, 3.0);
            s.v[1] = draw_between(&random, -2.0, 0.5);
            s.v[2] = draw_between(&random, -1.0, 1.0);
            s.mu = draw_between(&random, 0.05, 0.6);
            s.mu_static = trial % 2 ? s.mu : 1.4 * s.mu;
            for (int adaptive = 0; adaptive < 2; adaptive++) {
                struct outcome o = fly(kind, &s, 1.0, adaptive == 1), mirror = fly(kind, &s, -1.0, adaptive == 1);
                check_energy(&o, adaptive == 1);
                check_apart(&o, machines[kind].nc, adaptive ? 1e-6 : 2e-2);
                outcome_coulomb(&o, machines[kind].nc, s.mu, s.mu_static, adaptive ? 1e-4 : 0.1, 1e-6);
                const double off = adaptive ? 1e-5 : 1e-9;
                CHECK_NEAR(o.sim->view->q[0], -mirror.sim->view->q[0], off);
                CHECK_NEAR(o.sim->view->q[1], mirror.sim->view->q[1], off);
                CHECK_NEAR(o.sim->view->q[2], -mirror.sim->view->q[2], off);
                carom_sim_free(o.sim);
                carom_sim_free(mirror.sim);
            }
        }
    return check_end();
}
