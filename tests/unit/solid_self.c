/* Cells of one body that meet: pushes are the slope of the energy, forces and moments balance, threads change no bit;
 * faces of a crack bear what the link did across them; pieces that have slid or flown apart collide, and what breaks
 * under pressure is booked; momentum stays, the ledger closes with order 2; walls of a shell do not pass through each
 * other; a ball among the pieces meets faces that were inside. */
#include <string.h>

#include "base/random.h"
#include "carom/carom.h"
#include "check.h"
#include "model/solid/solid_fracture.h"
#include "model/solid/solid_self.h"
#include "runs.h"
#include "solids.h"

static const struct carom_solid_material glass = {1.0, 0.3, 1.0};

static struct carom_solid *box(enum carom_solid_case kind, size_t n, bool self)
{
    const size_t count[3] = {n, n, n};
    const double size[3] = {1.0, 1.0, 1.0}, origin[3] = {0.0, 0.0, 0.0};
    const struct carom_solid_fracture law = {1.0, 1.0, 1.0};
    struct carom_solid *s = carom_solid_box(kind, count, size, origin, 1.0, &glass, NULL);
    CHECK_OR_STOP(s && carom_solid_fracture(s, &law, NULL, NULL) == CAROM_OK);
    CHECK_OR_STOP(!self || carom_solid_self(s, true, NULL) == CAROM_OK);
    return s;
}

/* the energy with one number of a cell changed */
static double moved(const struct carom_solid *s, double *q, size_t cell, size_t k, double by)
{
    const size_t turn = (size_t)s->dimension;
    double *at = q + s->wide * cell, spin[4] = {cos(0.5 * by), 0.0, 0.0, 0.0}, was[4], now[4], keep[7];
    memcpy(keep, at, s->wide * sizeof *at);
    if (k < turn) {
        at[k] += by;
    } else {
        spin[turn == 3 ? k - 2 : 3] = sin(0.5 * by);
        carom_solid_quaternion(s, q, cell, was);
        carom_quat_product(spin, was, now);
        at[turn] = now[0];
        at[turn + 1] = now[turn == 3 ? 1 : 3];
        for (size_t i = 2; turn == 3 && i < 4; i++)
            at[turn + i] = now[i];
    }
    const double e = solid_energy(s, 0.0, q);
    memcpy(at, keep, s->wide * sizeof *at);
    return e;
}

/* every link is broken, and cells are pushed and turned into each other */
static void test_slope(struct carom_solid *s)
{
    double *q = solid_rest(s), *f = carom_memory_zeroed(2 * s->fast * s->n, sizeof *f), *g = f + s->fast * s->n;
    double largest = 0.0, sum[3] = {0.0, 0.0, 0.0}, about[3] = {0.0, 0.0, 0.0};
    struct carom_random random;
    struct carom_threads *threads = carom_threads_create(3);
    CHECK_OR_STOP(f && threads);
    carom_random_start(&random, 7);
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < (size_t)s->dimension; k++)
            q[s->wide * i + k] = 0.02 * carom_random_normal(&random) - 0.05 * s->centre[i][k];
    for (size_t l = 0; l < s->nlinks; l++)
        carom_solid_fracture_damage(s, q)[l] = 1.0;
    solid_forces(s, NULL, 0.0, q, f, NULL);
    solid_forces(s, threads, 0.0, q, g, NULL);
    CHECK(memcmp(f, g, s->fast * s->n * sizeof *f) == 0);
    for (size_t i = 0; i < s->n; i++) {
        const double *push = f + s->fast * i, none[3] = {0.0, 0.0, 0.0};
        double force[3] = {0.0, 0.0, 0.0}, at[3], moment[3];
        carom_solid_moved(s, q, i, none, at);
        for (size_t k = 0; k < (size_t)s->dimension; k++) {
            largest = fmax(largest, fabs(push[k]));
            sum[k] += force[k] = push[k];
        }
        carom_vec_cross(at, force, moment);
        for (size_t k = 0; k < 3; k++)
            about[k] += moment[k] + (s->dimension == 3 ? push[3 + k] : k == 2 ? push[2] : 0.0);
    }
    CHECK(largest > 0.0);
    for (size_t k = 0; k < 3; k++) {
        CHECK_NEAR(sum[k], 0.0, 1e-12 * largest);
        CHECK_NEAR(about[k], 0.0, 1e-12 * largest);
    }
    for (size_t i = 0; i < s->n; i += s->n / 6)
        for (size_t k = 0; k < s->fast; k++)
            CHECK_NEAR((moved(s, q, i, k, -1e-7) - moved(s, q, i, k, 1e-7)) / 2e-7, f[s->fast * i + k], 1e-6 * largest);
    carom_threads_free(threads);
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(s);
}

/* halves that are pressed on each other by d: the faces of the crack bear what the broken link alone would */
static void test_closing(enum carom_solid_case kind)
{
    struct carom_solid *with = box(kind, 4, true), *without = box(kind, 4, false);
    const double at[3] = {0.5, 0.5, 0.5}, normal[3] = {1.0, 0.0, 0.0};
    CHECK(carom_solid_fracture_crack(with, at, normal, NULL) == carom_solid_fracture_crack(without, at, normal, NULL));
    double *q = solid_rest(with), *f = carom_memory_zeroed(2 * with->fast * with->n, sizeof *f);
    CHECK_OR_STOP(f != NULL);
    for (size_t i = 0; i < with->n; i++)
        q[with->wide * i] = with->centre[i][0] > 0.5 ? -1e-3 : 0.0;
    solid_forces(with, NULL, 0.0, q, f, NULL);
    solid_forces(without, NULL, 0.0, q, f + with->fast * with->n, NULL);
    for (size_t i = 0; i < with->fast * with->n; i++)
        CHECK_NEAR(f[i], f[with->fast * with->n + i], 1e-15);
    CHECK_NEAR(solid_energy(with, 0.0, q), solid_energy(without, 0.0, q), 1e-12 * solid_energy(with, 0.0, q));
    CHECK(solid_energy(with, 0.0, q) > 0.0);
    carom_memory_free(f);
    carom_memory_free(q);
    carom_solid_free(with);
    carom_solid_free(without);
}

/* --- in runs ------------------------------------------------------------------------------------------------------ */

/* Two halves of a plate, moved along each other by a cell and a half and apart, fly back; cells do not face each other.
 */
static const char *const halves =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.1, 0.1], cells: [10, 10]}, depth: 0.01, material: aluminium, fracture: {strength: "
    "1e15, "
    "cracks: [{at: [0, 0.05], normal: [0, 1]}]}}\n"
    "start: [{box: [[0, 0.05], [1, 1]], displacement: [0.0153, 0.0001], velocity: [1, -10]}]\n"
    "run: {until: 4e-5}\n"; /* after 1e-5 they meet */

static struct carom_sim *begin(const char *text, const char *set)
{
    const char *const sets[] = {set};
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), sets, 1, &error);
    struct carom_sim *sim = scene ? carom_scene_sim(scene, &error) : NULL;
    carom_scene_free(scene);
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim);
    return sim;
}

static struct carom_sim *run(const char *text, const char *set)
{
    struct carom_sim *sim = begin(text, set);
    struct carom_error error = {CAROM_OK, ""};
    carom_sim_run(sim, NULL, &error);
    CHECK_TEXT(error.text, "");
    carom_sim_sync(sim);
    return sim;
}

static double residual(const struct carom_sim *sim)
{
    struct carom_ledger ledger;
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    return fabs(ledger.residual) / sim->view->energy;
}

/* momentum is kept, and the ledger closes with order 2 */
static void test_halves(void)
{
    double off[3];
    for (int round = 0; round < 3; round++) {
        char step[64];
        snprintf(step, sizeof step, "run.step=%.17g", 2e-7 / (1 << round));
        struct carom_sim *sim = run(halves, step);
        const struct carom_solid *s = carom_solid_at(sim->model, 0);
        double mass = 0.0, momentum[2] = {0.0, 0.0}, up = 0.0;
        for (size_t i = 0; i < s->n; i++) {
            const double m = carom_solid_sort_of(s, i)->mass, *v = sim->view->v + s->fast * i;
            mass += m;
            momentum[0] += m * v[0];
            momentum[1] += m * v[1];
            up += s->centre[i][1] > 0.05 ? m * v[1] : 0.0;
        }
        CHECK_NEAR(momentum[0], 0.5 * mass, 1e-12 * mass);
        CHECK_NEAR(momentum[1], -5.0 * mass, 1e-11 * mass);
        CHECK(up > -4.5 * mass); /* it was -5 */
        off[round] = residual(sim);
        carom_sim_free(sim);
    }
    printf("halves: the ledger is off by %.2e, %.2e, %.2e\n", off[0], off[1], off[2]);
    CHECK(off[0] / off[1] > 3.0 && off[1] / off[2] > 3.0);
}

/* The upper half slides along the lower one while it bounces: it loses mu times what it is pushed up with. */
static const char *const rough[] = {
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.1, 0.1], cells: [10, 10]}, depth: 0.01, material: aluminium, self_friction: {mu: 0.2}, "
    "fracture: {strength: 1e15, cracks: [{at: [0, 0.05], normal: [0, 1]}]}}\n"
    "start: [{box: [[0, 0.05], [1, 1]], displacement: [0.0153, 0.0001], velocity: [40, -10]}]\n"
    "run: {until: 4e-5}\n",
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [4, 4, 4]}, material: aluminium, self_friction: {mu: 0.2}, "
    "fracture: {strength: 1e15, cracks: [{at: [0.05, 0.05, 0.05], normal: [0, 0, 1]}]}}\n"
    "start: [{box: [[0, 0, 0.05], [1, 1, 1]], displacement: [0.0153, 0, 0.0001], velocity: [40, 0, -10]}]\n"
    "run: {until: 4e-5}\n",
};

/* what the upper half has lost along over what it was given up, and what friction took */
static double slows_down(const char *text, const char *set, double *lost, double *off, uint64_t *hash)
{
    struct carom_sim *sim = run(text, set);
    struct carom_ledger ledger;
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    const size_t up = (size_t)s->dimension - 1;
    double along = 0.0, given = 0.0, whole = 0.0, all = 0.0, spin = 0.0, size = 0.0;
    for (size_t i = 0; i < s->n; i++) {
        const double m = carom_solid_sort_of(s, i)->mass, *v = sim->view->v + s->fast * i, none[3] = {0.0, 0.0, 0.0};
        const bool upper = s->centre[i][up] > 0.05;
        double at[3];
        carom_solid_moved(s, sim->view->q, i, none, at);
        all += m * v[0];
        whole += upper ? 40.0 * m : 0.0;
        along += upper ? m * (40.0 - v[0]) : 0.0;
        given += upper ? m * (v[up] + 10.0) : 0.0;
        if (up == 1) { /* about the origin, where it stood at first */
            const double from[2] = {s->centre[i][0] + (upper ? 0.0153 : 0.0), s->centre[i][1] + (upper ? 0.0001 : 0.0)};
            const double turn =
                             m * (at[0] * v[1] - at[1] * v[0]) + v[2] / carom_solid_sort_of(s, i)->inverse_inertia[2],
                         was = upper ? m * (from[0] * -10.0 - from[1] * 40.0) : 0.0;
            spin += turn - was;
            size += fabs(was);
        }
    }
    CHECK_NEAR(all, whole, 1e-12 * whole);
    CHECK_NEAR(spin, 0.0, 1e-12 * size);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    *lost = ledger.friction;
    *off = fabs(ledger.residual) / ledger.friction;
    *hash = carom_state_hash(sim->state);
    CHECK(given > 0.0);
    carom_sim_free(sim);
    return along / given;
}

static void test_rough(void)
{
    for (int body = 0; body < check_take(1, 2); body++) {
        double lost, off[3];
        uint64_t hash, other;
        for (int round = 0; round < 3; round++) {
            char step[64];
            snprintf(step, sizeof step, "run.step=%.17g", 2e-7 / (1 << round));
            const double part = slows_down(rough[body], step, &lost, &off[round], &hash);
            printf("rough: %.4f of the push, %.4g J, the ledger off by %.2e of them\n", part, lost, off[round]);
            CHECK_NEAR(part, 0.2, 2e-3); /* faces tilt a little */
            CHECK(lost > 0.0);
        }
        CHECK(off[0] / off[2] > 8.0);
        slows_down(rough[body], "run.threads=1", &lost, off, &hash);
        slows_down(rough[body], "run.threads=2", &lost, off, &other);
        CHECK(hash == other);
    }
}

/* A shell that is struck from two sides: its walls, 1 cm thick, meet in the middle. */
static const char *const shell = "theory: solid\n"
                                 "bodies:\n"
                                 "  - solid:\n"
                                 "      cylinder: {radius: 0.1, height: 0.05, thickness: 0.01, around: 60, along: 3}\n"
                                 "      material: {young: 1e9, poisson: 0.3, density: 1000}\n"
                                 "start:\n"
                                 "  - {box: [[0.08, -0.05, -1], [0.2, 0.05, 1]], velocity: [-150, 0, 0]}\n"
                                 "  - {box: [[-0.2, -0.05, -1], [-0.08, 0.05, 1]], velocity: [150, 0, 0]}\n"
                                 "run: {until: 1.4e-3}\n";

/* how far the walls are apart in the end */
static double apart(const char *self)
{
    struct carom_sim *sim = run(shell, self);
    const struct carom_solid *s = carom_solid_at(sim->model, 0);
    const double none[3] = {0.0, 0.0, 0.0};
    double right[3], left[3];
    carom_solid_moved(s, sim->view->q, 60, none, right);
    carom_solid_moved(s, sim->view->q, 90, none, left);
    CHECK(residual(sim) < 0.02);
    carom_sim_free(sim);
    return right[0] - left[0];
}

/* A ball that breaks a pane and goes on among its pieces, behind faces that were inside. */
static const char *const pane =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.1, 0.004], cells: [50, 2]}, depth: 0.01, plane: stress, material: {young: 7e10, "
    "poisson: "
    "0.22, density: 2500}, fracture: {strength: 4e7, energy: 8}, clamps: [{face: left}, {face: right}]}\n"
    "  - disc: {at: [0.05, 0.0141], radius: 0.01, mass: 0.05, velocity: [0, -20]}\n"
    "contacts: {law: power, p: 1.5, k: 1e9}\n"
    "run: {until: 1.5e-3, step: 2e-7}\n";

static void test_pane(void)
{
    struct carom_sim *one = run(pane, "run.threads=1"), *two = run(pane, "run.threads=2");
    CHECK(carom_state_hash(one->state) == carom_state_hash(two->state));
    CHECK(carom_solid_fracture_area(carom_solid_at(one->model, 0), one->view->q) > 0.0);
    CHECK(residual(one) < 1e-3);
    CHECK(one->view->q[one->model->member[1].q0 + 1] < -0.02); /* it is through */
    carom_sim_free(one);
    carom_sim_free(two);
}

/* A plate under a disc is crushed: faces that are pressed, bent and sheared break, and begin to meet. What breaking
 * takes never falls and is G_c for every area at least, since other links have begun to break; the ledger closes with
 * order 2. */
static const char *const crushed =
    "theory: solid\n"
    "bodies:\n"
    "  - solid: {box: {size: [0.04, 0.02], cells: [40, 20]}, depth: 0.004, plane: stress, material: glass, fracture: "
    "{strength: 4e7, energy: 8}}\n"
    "  - disc: {radius: 0.006, at: [0.02, 0.026001], velocity: [0, -6], material: steel}\n"
    "contacts: {law: hertz}\n"
    "run: {until: 6e-6}\n";

static void test_crushed(void)
{
    double last = 0.0, off[3];
    for (int round = 0; round < 3; round++) {
        char step[64];
        snprintf(step, sizeof step, "run.step=%.17g", 2e-8 / (1 << round));
        struct carom_sim *sim = begin(crushed, step);
        const struct carom_solid *s = carom_solid_at(sim->model, 0);
        for (int sample = 7; sample <= 12; sample++) {
            CHECK_STATUS(carom_sim_to(sim, 5e-7 * sample, NULL), CAROM_OK);
            const double lost = *carom_solid_fracture_lost(s, sim->view->q);
            CHECK(lost > (sample > 7 ? last : 0.0) && lost > 8.0 * carom_solid_fracture_area(s, sim->view->q));
            last = lost;
        }
        CHECK(carom_solid_fracture_area(s, sim->view->q) > 4e-5);
        off[round] = residual(sim);
        carom_sim_free(sim);
    }
    printf("crushed: the ledger is off by %.2e, %.2e, %.2e\n", off[0], off[1], off[2]);
    CHECK(off[0] / off[1] > 3.0 && off[1] / off[2] > 3.0);
}

int main(void)
{
    const double cube[3] = {1.0, 1.0, 1.0};
    const struct carom_solid_fracture law = {1.0, 1.0, 1.0};
    struct carom_solid *grains = solid_voronoi(cube, 60, 5, &glass);
    CHECK_OR_STOP(carom_solid_fracture(grains, &law, NULL, NULL) == CAROM_OK);
    CHECK_OR_STOP(carom_solid_self(grains, true, NULL) == CAROM_OK);
    test_slope(box(CAROM_SOLID_STRAIN, 5, true));
    test_slope(box(CAROM_SOLID_SPACE, 4, true));
    test_slope(grains);
    test_closing(CAROM_SOLID_STRESS);
    test_closing(CAROM_SOLID_SPACE);
    test_halves();
    test_rough();
    CHECK(apart("bodies.1.solid.self_contact=never") < 0.0);
    CHECK(apart("bodies.1.solid.self_contact=always") > 0.0095);
    test_pane();
    test_crushed();
    return check_end();
}
