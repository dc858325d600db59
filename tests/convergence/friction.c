/* Friction of moreau-jean against closed forms, from scenes: a block that stays or slides on a slope, the way it needs
 * to stop, a disc that comes to roll, a ball that bounces with spin, a block carried by a belt that breaks away at
 * mu_static; Coulomb's law at every recorded contact; and refusals. */
#include "carom/carom.h"
#include "check.h"

struct outcome {
    struct carom_sim *sim;
    struct carom_memory *memory;
};

static struct outcome run(const char *text)
{
    struct carom_error error = {CAROM_OK, ""};
    struct outcome out = {0};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(scene != NULL);
    out.sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(out.sim != NULL);
    out.memory = carom_sink_memory_new();
    CHECK_STATUS(carom_recorder_attach(out.sim->recorder, &carom_sink_memory, out.memory, &error), CAROM_OK);
    CHECK_STATUS(carom_sim_run(out.sim, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    carom_sim_sync(out.sim);
    carom_scene_free(scene);
    return out;
}

static double row(const struct outcome *o, size_t i, const char *name, size_t k)
{
    return o->memory->value[i * o->memory->width + carom_sink_memory_column(o->memory, name, 0) + k];
}

/* |T| <= mu N, and where the contact slips T = mu N against the slip; mu is that of slipping */
static void check_coulomb(const struct outcome *o, size_t nc, double mu, double mu_static, double slow,
                          double tolerance)
{
    size_t slipped = 0;
    for (size_t i = 1; i < o->memory->nrows; i++)
        for (size_t j = 0; j < nc; j++) {
            const double normal = row(o, i, "contact_force", j), along = row(o, i, "friction_force", j);
            const double slip = row(o, i, "slip", j);
            CHECK(normal >= 0.0);
            CHECK(fabs(along) <= mu_static * normal * (1.0 + tolerance));
            if (normal == 0.0 || fabs(slip) <= slow)
                continue;
            slipped++;
            CHECK_NEAR(along, slip > 0.0 ? -mu * normal : mu * normal, tolerance * mu * normal);
        }
    CHECK(slipped > 0);
}

#define BLOCK "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: block, gravity: 10"
#define PROBES " record: {every: 0.01, probes: [u, v, contact_force, friction_force, slip]}"

static void test_slope(void)
{
    struct outcome o = run(BLOCK ", slope: 0.3}], contacts: {e: 0, mu: 0.35},"
                                 " run: {until: 2, scheme: moreau-jean, step: 1e-3}," PROBES "}");
    CHECK(o.sim->view->q[0] == 0.0 && o.sim->view->v[0] == 0.0); /* no creep at all */
    CHECK_NEAR(row(&o, o.memory->nrows - 1, "friction_force", 0), 10.0 * sin(0.3), 1e-12);
    CHECK_NEAR(row(&o, o.memory->nrows - 1, "contact_force", 0), 10.0 * cos(0.3), 1e-12);
    carom_sim_free(o.sim);
    o = run(BLOCK ", slope: 0.3}], contacts: {e: 0, mu: 0.2}, run: {until: 2, scheme: moreau-jean, step: 1e-3}," PROBES
                  "}");
    const double a = 10.0 * (sin(0.3) - 0.2 * cos(0.3));
    CHECK_NEAR(o.sim->view->v[0], -2.0 * a, 1e-12);
    CHECK_NEAR(o.sim->view->q[0], -2.0 * a, 1e-12);
    check_coulomb(&o, 1, 0.2, 0.2, 0.0, 1e-12);
    carom_sim_free(o.sim);
}

/* v^2 / (2 mu g), and all energy goes into friction */
static void test_stop(void)
{
    struct outcome o = run(BLOCK "}], contacts: {e: 0, mu: 0.2}, start: [{body: 1, velocity: 3}],"
                                 " run: {until: 3, scheme: moreau-jean, step: 1e-3}," PROBES "}");
    struct carom_ledger ledger;
    CHECK_NEAR(o.sim->view->q[0], 2.25, 1e-6);
    CHECK(o.sim->view->v[0] == 0.0);
    carom_balance_read(o.sim->model, o.sim->view, NULL, &ledger);
    CHECK_NEAR(ledger.friction, 4.5, 1e-11);
    CHECK_NEAR(ledger.residual, 0.0, 1e-11);
    check_coulomb(&o, 1, 0.2, 0.2, 0.0, 1e-12);
    carom_sim_free(o.sim);
}

static void test_rolling(void)
{
    const double inertia[] = {0.5, 0.4};
    for (size_t i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: disc, gravity: 10, inertia: %g}],"
                 " contacts: {e: 0, mu: 0.2}, start: [{body: 1, velocity: 3}],"
                 " run: {until: 3, scheme: moreau-jean, step: 1e-3}," PROBES "}",
                 inertia[i]);
        struct outcome o = run(text);
        const double rolls = 3.0 / (1.0 + inertia[i]);
        CHECK_NEAR(o.sim->view->v[0], rolls, 1e-12);
        CHECK_NEAR(o.sim->view->v[2], rolls, 1e-12);
        check_coulomb(&o, 1, 0.2, 0.2, 1e-9, 1e-10);
        carom_sim_free(o.sim);
    }
}

/* A ball that comes down with speed 4 and slips with s: the impulse is (1 + e) 4, the slip changes by (1 + 1/inertia)
 * times mu of it, or down to 0 */
static void test_spinning(void)
{
    const double mu[] = {0.05, 0.8};
    for (size_t i = 0; i < 2; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: disc, gravity: 0, inertia: 0.4}],"
                 " contacts: {e: 0.5, mu: %g}, run: {until: 1, scheme: moreau-jean, step: 1e-3},"
                 " start: [{body: 2, displacement: 1, velocity: -4}, {body: 1, velocity: 1}, {body: 3, velocity: -2}]}",
                 mu[i]);
        struct outcome o = run(text);
        const double push = fmin(mu[i] * 6.0, 3.0 / 3.5); /* slip 3 is gone after 3 / (1 + 5/2) */
        CHECK_NEAR(o.sim->view->v[0], 1.0 - push, 1e-12);
        CHECK_NEAR(o.sim->view->v[1], 2.0, 1e-12);
        CHECK_NEAR(o.sim->view->v[2], -2.0 + push / 0.4, 1e-12);
        carom_sim_free(o.sim);
    }
}

/* carried along at rest on the belt, the spring pulls with mu_static N when it lets go; order 1 in the step */
static void test_breakaway(void)
{
    struct outcome o = run(BLOCK ", stiffness: 1, belt: 0.5}], contacts: {e: 0, mu: 0.2, mu_static: 0.4},"
                                 " run: {until: 60, scheme: moreau-jean, step: 1e-3}," PROBES "}");
    double furthest = 0.0, most = 0.0;
    for (size_t i = 0; i < o.memory->nrows; i++) {
        furthest = fmax(furthest, row(&o, i, "u", 0));
        most = fmax(most, row(&o, i, "friction_force", 0));
    }
    CHECK_NEAR(furthest, 2.0 + sqrt(4.0 + 0.25), 2e-3);
    CHECK(most <= 4.0 && most > 3.97);
    check_coulomb(&o, 1, 0.2, 0.4, 1e-9, 1e-9);
    struct carom_ledger ledger;
    carom_balance_read(o.sim->model, o.sim->view, NULL, &ledger);
    CHECK(ledger.work > 20.0 && ledger.friction > 20.0);
    CHECK_NEAR(ledger.residual, 0.0, 1e-10 * ledger.work);
    carom_sim_free(o.sim);
}

/* a belt that runs to and fro carries a block without letting it creep; then it is too wild */
static void test_shaken_belt(void)
{
    struct outcome o = run(BLOCK ", belt: {shape: sine, amplitude: 0.1, frequency: 1}}], contacts: {e: 0, mu: 0.1},"
                                 " run: {until: 10, scheme: moreau-jean, step: 1e-3}," PROBES "}");
    const double pi = 3.14159265358979323846;
    const double off = 1e-6 / 12.0 * 2.0 * 0.1 * 2.0 * pi; /* h^2 / 12 times how much the belt's acceleration varies */
    CHECK_NEAR(o.sim->view->q[0], 0.0, 1e-9);
    for (size_t i = 0; i < o.memory->nrows; i++)
        CHECK_NEAR(row(&o, i, "u", 0), 0.1 / (2.0 * pi) * (1.0 - cos(2.0 * pi * o.memory->time[i])), 1.01 * off);
    carom_sim_free(o.sim);
}

static void test_paradox(void)
{
    const char *text = "{units: none, theory: nonsmooth, bodies: [mechanism: {kind: rod, gravity: 10}],"
                       " contacts: {e: 0, mu: 1.5}, start: [{body: 1, velocity: -1}, {body: 3, displacement: 1.1}],"
                       " run: {until: 1, scheme: moreau-jean, step: 1e-3}}";
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    CHECK_OR_STOP(scene != NULL);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    CHECK_STATUS(carom_sim_run(sim, NULL, &error), CAROM_E_NUMERIC);
    CHECK(strstr(error.text, "contact 1 at t = 0: Coulomb's law has no solution here (Painleve's paradox)") != NULL);
    CHECK(sim->state->time == 0.0 && sim->state->v[0] == -1.0);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    test_slope();
    test_stop();
    test_rolling();
    test_spinning();
    test_breakaway();
    test_shaken_belt();
    test_paradox();
    return check_end();
}
