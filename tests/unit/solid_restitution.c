/* Restitution and damping of faces of solids: what is asked for is what stiff bodies have; and damping acts point by
 * point, however a surface is cut. */
#include <string.h>

#include "momenta.h"
#include "runs.h"

/* a stiff cube leaves a wall that is soft beside it, and another cube, with the restitution that was asked for */
static void check_restitution(double asked)
{
    char set[64];
    const char *const sets[] = {set};
    snprintf(set, sizeof set, "contacts.restitution=%.17g", asked);
    for (int other = 0; other < 2; other++) {
        static const char *const scene =
            "theory: solid\n"
            "bodies:\n"
            "  - solid: {name: one, box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2], origin: [0.0001, 0, 0]}, material: "
            "steel}\n"
            "  - %s\n"
            "contacts: {law: linear-dashpot, k: 1e8}\n"
            "start: [{body: one, velocity: [-1, 0, 0]}]\n"
            "run: {until: 1.3e-3}\n";
        char text[1024];
        double fast[2] = {0.0, 0.0};
        snprintf(text, sizeof text, scene,
                 other ? "solid: {name: two, box: {size: [0.05, 0.1, 0.1], cells: [2, 2, 2], origin: [-0.05, 0, 0]}, "
                         "material: steel}"
                       : "plane: {at: [0, 0, 0], normal: [1, 0, 0]}");
        struct carom_error error = {CAROM_OK, ""};
        struct carom_scene *made = carom_scene_parse("test", text, strlen(text), sets, 1, &error);
        struct carom_sim *sim = made ? carom_scene_sim(made, &error) : NULL;
        if (!sim || carom_sim_run(sim, NULL, &error) != CAROM_OK)
            fprintf(stderr, "%s\n", error.text);
        CHECK_OR_STOP(sim && error.status == CAROM_OK);
        carom_sim_sync(sim);
        for (size_t b = 0; b <= (size_t)other; b++)
            for (size_t i = 0; i < 8; i++)
                fast[b] += sim->view->v[sim->model->member[b].v0 + 6 * i] / 8.0;
        printf("restitution %.4f of %.4f asked\n", fast[0] - fast[1], asked);
        CHECK_NEAR(fast[0] - fast[1], asked, 2e-3);
        carom_sim_free(sim);
        carom_scene_free(made);
    }
}

/* --- a block that rocks ------------------------------------------------------------------------------------------- */

#define WIDE 0.04
#define HIGH 0.02
#define MASS (7800 * WIDE * HIGH * 0.01)
#define INERTIA (MASS * (WIDE * WIDE + HIGH * HIGH) / 12.0)
#define STIFF 1e7
#define GAMMA 2.5e-6
#define WEIGHT 6400.0
#define SPIN 15.0
#define UNTIL 1e-3

struct rocked {
    double spin, lost, residual;
};

/* A block that its weight presses on a floor of `pieces` solids, which are held, rocks on it. */
static struct rocked rock(int pieces)
{
    char text[4000];
    int n = snprintf(text, sizeof text,
                     "theory: solid\ngravity: [0, %g]\nbodies:\n"
                     "  - solid: {name: block, box: {size: [%g, %g], cells: [8, 4], origin: [0, %g]}, plane: stress, "
                     "depth: 0.01, material: {young: 2.1e12, poisson: 0.3, density: 7800}}\n",
                     -WEIGHT, WIDE, HIGH, -MASS * WEIGHT / STIFF);
    for (int i = 0; i < pieces; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - solid: {name: floor%d, box: {size: [%g, 0.01], cells: [%d, 2], origin: [%g, -0.01]}, plane: "
                      "stress, depth: 0.01, clamps: [{cells: all}], material: {young: 2.1e12, poisson: 0.3, density: "
                      "7800}}\n",
                      i, WIDE / pieces, 8 / pieces, i * WIDE / pieces);
    n += snprintf(text + n, sizeof text - (size_t)n, "contacts:\n  - {law: linear-dashpot, k: 1e6}\n");
    for (int i = 0; i < pieces; i++)
        n += snprintf(text + n, sizeof text - (size_t)n,
                      "  - {between: [block, floor%d], law: linear-dashpot, gamma: %g, k: %.17g}\n", i, GAMMA,
                      STIFF / pieces);
    snprintf(text + n, sizeof text - (size_t)n, "start: [{body: block, spin: %g}]\nrun: {until: %g, step: 1e-7}\n",
             SPIN, UNTIL);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = runs_sim(text);
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        fprintf(stderr, "%s\n", error.text);
    CHECK_OR_STOP(error.status == CAROM_OK);
    carom_sim_sync(sim);
    double p[3] = {0.0}, l[3] = {0.0}, middle[3] = {0.0}, sweep[3];
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    for (size_t i = 0; i < s->n; i++) {
        double place[3];
        carom_solid_moved(s, sim->view->q, i, (const double[3]){0.0}, place);
        for (int k = 0; k < 3; k++)
            middle[k] += place[k] / (double)s->n;
    }
    momenta_solid(sim->model, sim->view, 0, p, l);
    carom_vec_cross(middle, p, sweep);
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    const struct rocked rocked = {(l[2] - sweep[2]) / INERTIA, ledger.viscous, ledger.residual};
    carom_sim_free(sim);
    return rocked;
}

/* The closed form for a rigid block that never leaves the floor: turn'' = -omega^2 (turn + gamma turn'). */
static void check_rocking(void)
{
    const double omega = sqrt(STIFF * WIDE * WIDE / 12.0 * (1.0 - 1.0 / 256.0) / INERTIA),
                 slow = 0.5 * GAMMA * omega * omega;
    const double swings = sqrt(omega * omega - slow * slow), t = UNTIL, fades = SPIN * exp(-slow * t);
    const double turn = fades * sin(swings * t) / swings, spin = fades * cos(swings * t) - slow * turn;
    const double lost = 0.5 * INERTIA * (SPIN * SPIN - spin * spin - omega * omega * turn * turn);
    for (int pieces = 1; pieces <= 4; pieces *= 2) {
        const struct rocked got = rock(pieces);
        printf("rocks on %d: spin %.6f (%.6f), lost %.6e (%.6e), residual %.1e\n", pieces, got.spin, spin, got.lost,
               lost, got.residual);
        CHECK_NEAR(got.spin, spin, 0.01 * SPIN);
        CHECK_NEAR(got.lost, lost, 0.01 * lost);
        CHECK(fabs(got.residual) < 1e-4 * lost);
    }
}

int main(void)
{
    check_restitution(0.9);
    check_restitution(0.4);
    check_rocking();
    return check_end();
}
