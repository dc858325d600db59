/* Balls on joints whose other end is cells of a solid: a solid and a ball that turn about each other, a ball that
 * weighs down a cell as a heavier cell does, momentum of a free beam with a pendulum or with what slides along it,
 * motion and ledger by halving, in plane and space, with damping, absorbing sides, ropes, sliders and their motors;
 * what is refused. */
#include "carom/carom.h"
#include "check.h"
#include "flights.h"
#include "model/solid/solid.h"

/* all cells: the solid is held in its centre of mass, and moves as one without turning */
static void check_pair(void)
{
    const char *const text =
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2], origin: [-0.05, -0.05, -0.05]},\n"
        "            material: {young: 1e9, poisson: 0.3, density: 100}}\n"
        "  - sphere: {at: [0.4, 0, 0], radius: 0.02, mass: 0.3, velocity: [1, 4, 2]}\n"
        "start: [{velocity: [1, 0, 2]}]\n"
        "joints: [distance: {bodies: [1, {cells: all}]}]\n"
        "contacts: {law: hertz, k: 1e9}\n"
        "run: {until: 1}\n";
    const struct flights a = flights_end(text, 0.1, 1e-5), b = flights_end(text, 0.1, 5e-6);
    /* they turn with 10 rad/s: the ball is 0.1 from the middle of masses at (0.3 + t, 3 t, 2 t) */
    const double off[2] = {a.q[0] - (0.1 * cos(1.0)), b.q[0] - (0.1 * cos(1.0))};
    printf("pair: %.1e and %.1e beside the closed form, open by %.1e, residual %.1e\n", off[0], off[1], b.open,
           b.worst);
    CHECK(fabs(off[1]) < 1e-9);
    CHECK_NEAR(off[0] / off[1], 4.0, 0.2);
    CHECK_NEAR(b.q[1], 0.3 + 0.1 * sin(1.0), 1e-9);
    CHECK_NEAR(b.q[2], 0.2, 1e-13);
    for (size_t i = 0; i < 8; i++) /* cells turn by nothing and have one velocity */
        for (size_t k = 0; k < 6; k++)
            CHECK_NEAR(b.v[6 * i + k], k < 3 ? b.v[k] : 0.0, 1e-9);
    for (size_t k = 0; k < 3; k++) {
        const double mean[] = {1.0, 3.0, 2.0};
        CHECK_NEAR(0.25 * b.v[k] + 0.75 * b.v[48 + k], mean[k], 1e-12);
    }
    CHECK(b.open < 1e-14 && b.worst < 1e-12);
    CHECK_NEAR(b.carried[0], -3.0 * cos(1.0 - 2.5e-5), 1e-7);
    CHECK_NEAR(b.carried[1], -3.0 * sin(1.0 - 2.5e-5), 1e-7);
}

/* A row of cells of 0.1 kg each under its weight: a ball of 0.2 kg in the last of them, or that cell three times as
 * heavy. It does not bend, so that no cell turns. */
static struct flights column(const char *density, const char *ball)
{
    char text[700];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "gravity: [-9.81, 0]\n"
             "bodies:\n"
             "  - solid: {box: {size: [0.5, 0.1], cells: [5, 1]}, clamps: [{face: left}], material: {young: 1e6, "
             "poisson: 0, density: 10}, regions: [{near: [0.45, 0.05], material: {young: 1e6, poisson: 0, density: "
             "%s}}]}\n"
             "%s"
             "contacts: {law: hertz, k: 1e9}\n"
             "run: {until: 1}\n",
             density, ball);
    return flights_end(text, 0.1, 1e-5);
}

static void check_weight(void)
{
    const struct flights held = column("10", "  - disc: {at: [0.45, 0.05], radius: 0.02, mass: 0.2}\n"
                                             "joints: [hinge: {bodies: [1, {near: [0.45, 0.05]}]}]\n"),
                         heavy = column("30", "  - disc: {at: [2, 2], radius: 0.02, mass: 0.2}\n"
                                              "joints: [hinge: {bodies: [1, world], at: [2, 2]}]\n");
    printf("weight: the last cell moves with %.6g and %.6g m/s, open by %.1e, residuals %.1e and %.1e\n", held.v[12],
           heavy.v[12], held.open, held.worst, heavy.worst);
    CHECK(fabs(held.v[12]) > 0.01);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(held.v[3 * i], heavy.v[3 * i], 1e-12);
    CHECK_NEAR(held.v[15], heavy.v[12], 1e-12);
    CHECK(held.open < 1e-14);
    CHECK_NEAR(held.worst, heavy.worst, 1e-6);
}

#define BEAM(more) "  - solid: {box: {size: [0.2, 0.02], cells: [10, 2]}, depth: 0.02, material: nylon" more "}\n"

/* momentum, and angular momentum about the origin, of everything */
static void read_momentum(const struct carom_sim *sim, double out[3])
{
    const struct carom_solid_strike *of = carom_solid_strike_of(sim->model);
    const struct carom_solid *s = of->body[0].solid;
    const struct carom_member *m = &sim->model->member[of->balls_member];
    out[0] = out[1] = out[2] = 0.0;
    for (size_t i = 0; i < s->n + of->balls->n; i++) {
        const size_t ball = i - s->n;
        const bool cell = i < s->n;
        const double *q = cell ? sim->view->q + s->wide * i : sim->view->q + m->q0 + 2 * ball;
        const double *v = cell ? sim->view->v + s->fast * i : sim->view->v + m->v0 + 2 * ball;
        const double *at = cell ? s->centre[i] : of->balls->at[ball];
        const double mass = cell ? carom_solid_sort_of(s, i)->mass : of->balls->mass[ball];
        const double turns = cell ? carom_solid_sort_of(s, i)->inertia[2] * v[2]
                                  : of->balls->inertia[ball] * sim->view->v[m->v0 + 2 * of->balls->n + ball];
        out[0] += mass * v[0];
        out[1] += mass * v[1];
        out[2] += turns + mass * ((at[0] + q[0]) * v[1] - (at[1] + q[1]) * v[0]);
    }
}

static void check_momentum(const char *what, const char *rest)
{
    char text[1200];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n" BEAM("") "%s"
                                  "contacts: {law: hertz}\n"
                                  "run: {until: 1, step: 5e-7}\n",
             rest);
    struct carom_scene *scene = runs_scene(text, NULL, 0);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    CHECK_OR_STOP(sim != NULL);
    double before[3], after[3];
    struct carom_ledger ledger;
    carom_sim_sync(sim);
    read_momentum(sim, before);
    CHECK(carom_sim_step(sim, 20000, &error) == CAROM_OK);
    carom_sim_sync(sim);
    read_momentum(sim, after);
    carom_balance_read(sim->model, sim->view, NULL, &ledger);
    for (int k = 0; k < 3; k++) {
        printf("momentum of %s: %.15g, then %.15g\n", what, before[k], after[k]);
        CHECK_NEAR(after[k], before[k], 1e-12);
    }
    printf("energy of %s: off by %.1e\n", what, ledger.residual / ledger.kinetic);
    CHECK(fabs(ledger.residual) < 1e-8 * ledger.kinetic);
    carom_sim_free(sim);
    carom_scene_free(scene);
}

/* a free beam, a pendulum on a rod at one end of it, and a ball with an arm on a hinge at the other; and a beam that
 * turns, so that what slides along it flies outwards, driven by a force besides */
static void check_momenta(void)
{
    check_momentum("pendulums",
                   "  - disc: {at: [0.25, 0.06], radius: 0.01, material: steel, velocity: [2, -1.5]}\n"
                   "  - disc: {at: [-0.05, 0.01], radius: 0.01, material: steel, velocity: [0, -3], spin: 50}\n"
                   "joints: [distance: {bodies: [1, {face: right}], limits: [0, 0.1], k: 1e6, e: 1}, "
                   "hinge: {bodies: [2, {face: left}]}]\n");
    check_momentum("a slider",
                   "  - disc: {at: [0.1, 0.03], radius: 0.01, material: steel, velocity: [1.6, 0], spin: 20}\n"
                   "start: [{spin: 20}]\n"
                   "joints: [slider: {bodies: [1, {face: left}], axis: [1, 0]}, "
                   "slider: {bodies: [1, {face: right}], axis: [1, 0], force: 30}]\n");
}

/* on a beam under its weight */
static void check_beam(const char *more, const char *ball, const char *joint, double until)
{
    char text[900];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "gravity: [0, -9.81]\n"
             "bodies:\n"
             "  - solid: {box: {size: [0.2, 0.02], cells: [10, 2]}, depth: 0.02, material: nylon, %s}\n"
             "  - disc: {radius: 0.01, material: steel, %s}\n"
             "joints: [distance: {bodies: [1, {%s}]}]\n"
             "contacts: {law: hertz}\n"
             "run: {until: 1}\n",
             more, ball, joint);
    flights_orders(text, until, 1e-6);
}

static void check_orders(void)
{
    check_beam("clamps: [{face: left}]", "at: [0.25, 0.06], velocity: [2.5, -4]", "box: [[0.15, 0], [0.2, 0.02]]",
               4e-3);
    /* so that the beam hardly swings */
    check_beam("clamps: [{face: left}], damping: {mass: 2e3, stiffness: 1e-6}", "at: [0.19, 0.08], velocity: [3, 0]",
               "face: right", 2e-3);
    check_beam("absorbing: [left]", "at: [0.25, 0.01], velocity: [0, 3]", "face: right", 2e-3);
    /* two solids in space, which a ball on two joints holds to each other, and a rope from one to another ball */
    flights_orders(
        "theory: solid\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - solid: {name: block, box: {size: [0.06, 0.06, 0.1], cells: [2, 2, 3]}, material: nylon, clamps: "
        "[{face: bottom}]}\n"
        "  - solid: {name: bar, box: {size: [0.06, 0.06, 0.06], cells: [2, 2, 2], origin: [0.1, 0, 0.07]}, material: "
        "nylon}\n"
        "  - sphere: {name: pin, at: [0.08, 0.03, 0.083], radius: 0.005, material: steel}\n"
        "  - sphere: {name: bob, at: [0.205, 0.03, 0.18], radius: 0.01, material: steel, velocity: [1, 0.5, 2]}\n"
        "joints:\n"
        "  - ball: {bodies: [pin, {body: block, box: [[0.03, 0, 0.07], [0.06, 0.06, 0.1]]}]}\n"
        "  - distance: {bodies: [pin, {body: bar, face: left}]}\n"
        "  - distance: {bodies: [bob, {body: bar, face: right}], limits: [0, 0.1], k: 1e5, e: 1}\n"
        "contacts: {law: hertz}\n"
        "run: {until: 1}\n",
        1e-3, 1e-6);
}

/* along a beam that bends, against its end and back; on two blocks in space, on a line that goes past the ball; driven
 * with a speed, beside damping */
static void check_sliders(void)
{
    const char *const beam = "theory: solid\n"
                             "gravity: [0, -9.81]\n"
                             "bodies:\n" BEAM(", clamps: [{face: left}] %s") //
        "  - disc: {at: [0.1, 0.02], radius: 0.01, material: steel, velocity: [3, 0]}\n"
        "joints:\n"
        "  - slider: {bodies: [1, {box: [[0.04, 0], [0.08, 0.02]]}], axis: [1, 0]}\n"
        "  - slider: {bodies: [1, {face: right}], axis: [1, 0], %s}\n"
        "contacts: {law: hertz}\n"
        "run: {until: 1}\n";
    char text[1200];
    snprintf(text, sizeof text, beam, "", "limits: [-0.1, 0.0031], k: 1e6, e: 1");
    flights_orders(text, 2e-3, 2.5e-7);
    snprintf(text, sizeof text, beam, ", damping: {mass: 2e3}", "force: 20");
    flights_orders(text, 2e-3, 5e-7);
    snprintf(text, sizeof text, beam, ", damping: {mass: 2e3, stiffness: 1e-6}", "speed: 3");
    const struct flights a = flights_end(text, 4e-3, 1e-6), b = flights_end(text, 4e-3, 5e-7),
                         c = flights_end(text, 4e-3, 2.5e-7);
    const double order = log2(runs_apart(a.nv, a.v, b.v) / runs_apart(b.nv, b.v, c.v));
    printf("driven with a speed: residual %.1e %.1e %.1e, motion of order %.2f, open by %.1e\n", a.worst, b.worst,
           c.worst, order, c.open);
    CHECK_NEAR(order, 2.0, 0.1);
    CHECK(a.worst < 1e-10 && b.worst < 1e-11 && c.worst < 1e-11 && c.open < 1e-13);
    flights_orders(
        "theory: solid\n"
        "gravity: [0, 0, -9.81]\n"
        "bodies:\n"
        "  - solid: {name: block, box: {size: [0.06, 0.06, 0.1], cells: [2, 2, 3]}, material: nylon, clamps: "
        "[{face: bottom}]}\n"
        "  - solid: {name: other, box: {size: [0.06, 0.06, 0.1], cells: [2, 2, 3], origin: [0.2, 0, 0]}, material: "
        "nylon, clamps: [{face: bottom}]}\n"
        "  - sphere: {at: [0.13, 0.05, 0.15], radius: 0.01, material: steel, velocity: [2, -2, 0.6], spin: [30, 0, "
        "0]}\n"
        "joints:\n"
        "  - slider: {bodies: [1, {body: block, face: top}], axis: [1, 0, 0], force: 5}\n"
        "  - slider: {bodies: [1, {body: other, face: top}], axis: [1, 0, 0]}\n"
        "contacts: {law: hertz}\n"
        "run: {until: 1}\n",
        4e-3, 1e-6);
}

static void check_refused(const char *joints, const char *sentence)
{
    char text[900];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n" BEAM(", clamps: [{face: left}]") "  - disc: {name: a, at: [0.3, 0.1], radius: 0.02, mass: "
                                                          "0.1}\n"
                                                          "joints: [%s]\n"
                                                          "contacts: {law: hertz, k: 1e9}\n"
                                                          "run: {until: 1}\n",
             joints);
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("test", text, strlen(text), NULL, 0, &error);
    if (scene || !strstr(error.text, sentence))
        fprintf(stderr, "%s\n", error.text);
    CHECK(!scene && strstr(error.text, sentence) != NULL);
    carom_scene_free(scene);
}

int main(void)
{
    check_pair();
    check_weight();
    check_momenta();
    check_orders();
    check_sliders();
    check_refused("distance: {bodies: [{face: right}, a]}", "stand second");
    check_refused("distance: {bodies: [a, {face: left}]}", "clamped or driven");
    check_refused("distance: {bodies: [a, {face: right}], to: [0.2, 0.01]}", "[0.19, 0.01] at the start");
    check_refused("hinge: {bodies: [a, {face: right}], limits: [-1, 1], k: 1, e: 1}", "no turn that angles count from");
    check_refused("weld: {bodies: [a, {face: right}]}", "a hinge, a slider or a distance holds");
    check_refused("distance: {bodies: [a, {face: right, box: [[0, 0], [0.1, 0.1]]}]}", "no cell of the body");
    check_refused("distance: {bodies: [a, {}]}", "which cells are meant");
    check_refused("distance: {bodies: [a, {body: b, face: right}]}", "the solid has no name");
    check_refused("distance: {bodies: [a, {fave: right}]}", "fave");
    check_refused("distance: {bodies: [a, {face: right}]}, distance: {bodies: [a, {face: top}]}", "not all of them");
    return check_end();
}
