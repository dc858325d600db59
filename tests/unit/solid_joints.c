/* Balls on joints beside solids: pendulums on rods and hinges against their closed forms, balls on a rod or welded that
 * fly and turn, one on a line; motors; limits; what joints carry; hammers that strike a block, the motion and the
 * ledger by halving; joints stay closed; what is refused. */
#include <string.h>

#include "base/vec.h"
#include "carom/carom.h"
#include "check.h"
#include "flights.h"
#include "model/solid/solid.h"
#include "model/solid/strike/solid_balls.h"

#define PI 3.14159265358979323846

#define FAR                                                                                                  \
    "  - solid: {box: {size: [0.1, 0.1], cells: [2, 2], origin: [10, 10]}, material: ptfe, clamps: [{face: " \
    "bottom}]}\n"

/* let go level, a pendulum is down after K(sin 45) sqrt(l / g), K = 1.8540746773: there it has gone half its way */
static void check_pendulum(void)
{
    const char *const text = "theory: solid\n"
                             "gravity: [0, -9.81]\n"
                             "bodies:\n" FAR "  - disc: {at: [-0.3, 0], radius: 0.02, mass: 0.1}\n"
                             "joints: [distance: {bodies: [1, world], to: [0, 0]}]\n"
                             "contacts: {law: hertz, k: 1e9}\n"
                             "run: {until: 1}\n";
    const double time = 1.854074677301372 * sqrt(0.3 / 9.81);
    const struct flights a = flights_end(text, time, time / 4000.0), b = flights_end(text, time, time / 8000.0);
    printf("pendulum: %.1e and %.1e beside the lowest point, joint open by %.1e\n", a.q[0] - 0.3, b.q[0] - 0.3, b.open);
    CHECK(fabs(b.q[0] - 0.3) < 1e-7);
    CHECK_NEAR((a.q[0] - 0.3) / (b.q[0] - 0.3), 4.0, 0.1);
    CHECK(b.open < 1e-14);
}

/* a rod with two balls of different masses turns about its centre of mass, which flies straight */
static void check_rod(void)
{
    const char *const text =
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2], origin: [10, 10, 10]}, material: ptfe}\n"
        "  - sphere: {name: one, at: [0, 0, 0], radius: 0.02, mass: 0.1, velocity: [1, 0, 2]}\n"
        "  - sphere: {name: other, at: [0.4, 0, 0], radius: 0.02, mass: 0.3, velocity: [1, 4, 2]}\n"
        "joints: [distance: {bodies: [other, one], at: [0.4, 0, 0]}]\n"
        "contacts: {law: hertz, k: 1e9}\n"
        "run: {until: 1}\n";
    const struct flights a = flights_end(text, 0.1, 1e-5), b = flights_end(text, 0.1, 5e-6);
    /* turns with 10 rad/s: the one is 0.3 behind the middle of masses at (0.3 + 0.1, 3 t, 2 t) */
    const double off[2] = {a.q[0] - (0.3 + 0.1 - 0.3 * cos(1.0)), b.q[0] - (0.3 + 0.1 - 0.3 * cos(1.0))};
    CHECK(fabs(off[1]) < 1e-9);
    CHECK_NEAR(off[0] / off[1], 4.0, 0.2);
    for (size_t k = 0; k < 3; k++) {
        const double mean[] = {0.1, 0.3, 0.2};
        CHECK_NEAR(0.25 * b.q[k] + 0.75 * b.q[3 + k], mean[k], 1e-13);
    }
    CHECK(b.open < 1e-14 && b.worst < 1e-12);
    /* 0.1 kg, 0.3 m from the middle at 10 rad/s, is pulled to it by 3 N; the other one, whose force is told, likewise;
     * the mean over the step is that of its middle */
    CHECK_NEAR(b.carried[0], -3.0 * cos(1.0 - 2.5e-5), 1e-7);
    CHECK_NEAR(b.carried[1], -3.0 * sin(1.0 - 2.5e-5), 1e-7);
    CHECK_NEAR(b.carried[2], 0.0, 1e-12);
}

/* down a slope of 30 degrees with half of g */
static void check_slider(void)
{
    const struct flights b =
        flights_end("theory: solid\n"
                    "gravity: [0, -9.81]\n"
                    "bodies:\n" FAR "  - disc: {at: [0, 0], radius: 0.02, mass: 0.1}\n"
                    "joints: [slider: {bodies: [1, world], at: [0, 0], axis: [3.4641016151377544, -2]}]\n"
                    "contacts: {law: hertz, k: 1e9}\n"
                    "run: {until: 1}\n",
                    0.2, 1e-5);
    CHECK_NEAR(b.q[0], 0.25 * 9.81 * 0.04 * sqrt(0.75), 1e-12);
    CHECK_NEAR(b.q[1], -0.25 * 9.81 * 0.04 * 0.5, 1e-12);
}

#define FAR_IN_SPACE                                                                                             \
    "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2], origin: [10, 10, 10]}, material: ptfe, clamps: " \
    "[{face: "                                                                                                   \
    "bottom}]}\n"

/* a ball that turns with its arm: K(sin 45) sqrt((l^2 + 2/5 r^2) / (g l)); in the plane 1/2 r^2; the hinge's axis goes
 * across the fall */
static void check_arm(const char *text, double share)
{
    const double l = 0.3, r = 0.12, time = 1.854074677301372 * sqrt((l * l + share * r * r) / (9.81 * l));
    const struct flights a = flights_end(text, time, time / 8000.0), b = flights_end(text, time, time / 16000.0);
    printf("arm: %.1e and %.1e beside the lowest point, joint open by %.1e\n", a.q[0] - l, b.q[0] - l, b.open);
    CHECK(fabs(b.q[0] - l) < 1e-6);
    CHECK_NEAR((a.q[0] - l) / (b.q[0] - l), 4.0, 0.1);
    CHECK(b.open < 1e-13);
}

/* two balls, one beside the other, welded: they turn as one body about their centre of mass, and with it */
static void check_welded(void)
{
    const struct flights b =
        flights_end("theory: solid\n"
                    "bodies:\n" FAR_IN_SPACE
                    "  - sphere: {at: [0, 0, 0], radius: 0.05, mass: 0.1, velocity: [0, -1.2, 2], spin: [0, 0, 16]}\n"
                    "  - sphere: {at: [0.1, 0, 0], radius: 0.07, mass: 0.3, velocity: [0, 0.4, 2], spin: [0, 0, 16]}\n"
                    "joints: [weld: {bodies: [1, 2], at: [0.05, 0, 0]}]\n"
                    "contacts: {law: hertz, k: 1e9}\n"
                    "run: {until: 1}\n",
                    0.1, 1e-5);
    const double turn = 1.6, half = 0.8;
    CHECK_NEAR(b.q[0], 0.075 - 0.075 * cos(turn), 1e-8);
    CHECK_NEAR(b.q[1], -0.075 * sin(turn), 1e-8);
    CHECK_NEAR(b.q[2], 0.2, 1e-13);
    for (size_t i = 0; i < 2; i++) {
        CHECK_NEAR(b.q[6 + 4 * i], cos(half), 1e-8);
        CHECK_NEAR(b.q[6 + 4 * i + 3], sin(half), 1e-8);
    }
    CHECK(b.open < 1e-13 && b.worst < 1e-12);
}

/* motors: one with a speed brings up what stood still and keeps it, whatever hangs on it; with a torque or force the
 * ball is accelerated by it; what they work is what moves, and has been lifted */
static void check_motors(void)
{
    const struct flights turned =
        flights_end("theory: solid\n"
                    "gravity: [0, 0, -9.81]\n"
                    "bodies:\n" FAR_IN_SPACE "  - sphere: {at: [0.3, 0, 0], radius: 0.1, mass: 0.2}\n"
                    "joints: [hinge: {bodies: [1, world], at: [0, 0, 0], axis: [0, -1, 0], speed: 20}]\n"
                    "contacts: {law: hertz, k: 1e9}\n"
                    "run: {until: 1}\n",
                    0.5, 2.5e-5);
    const double kinetic = 0.5 * 0.2 * (0.09 + 0.004) * 400.0, lifted = 0.2 * 9.81 * 0.3 * sin(10.0);
    CHECK_NEAR(turned.q[0], 0.3 * (cos(10.0) - 1.0), 1e-11);
    CHECK_NEAR(turned.q[2], 0.3 * sin(10.0), 1e-11);
    CHECK_NEAR(turned.work, kinetic + lifted, 1e-6);
    CHECK(turned.worst < 1e-5 && turned.open < 1e-12);
    const struct flights pushed =
        flights_end("theory: solid\n"
                    "bodies:\n" FAR "  - disc: {at: [0.2, 0], radius: 0.1, mass: 0.3}\n"
                    "  - disc: {at: [0, 1], radius: 0.1, mass: 0.3}\n"
                    "joints: [hinge: {bodies: [1, world], at: [0, 0], torque: 2}, slider: {bodies: [2, world], "
                    "axis: [0, 1], force: -3}]\n"
                    "contacts: {law: hertz, k: 1e9}\n"
                    "run: {until: 1}\n",
                    0.2, 2e-5);
    const double angle = 0.5 * 2.0 / (0.3 * (0.04 + 0.005)) * 0.04;
    CHECK_NEAR(pushed.q[4], angle, 1e-6);
    CHECK_NEAR(pushed.q[0], 0.2 * (cos(angle) - 1.0), 1e-6);
    CHECK_NEAR(pushed.q[3], -0.5 * 10.0 * 0.04, 1e-12);
    CHECK_NEAR(pushed.work, 2.0 * pushed.q[4] - 3.0 * pushed.q[3], 1e-9);
    CHECK(pushed.worst < 1e-6 && pushed.open < 1e-12);
}

/* at rest, a hinge carries the weight and a weld its moment, too; of a motor the torque is told */
static void check_carried(void)
{
    const struct flights end = flights_end(
        "theory: solid\n"
        "gravity: [0, -10]\n"
        "bodies:\n" FAR "  - disc: {at: [0, -1], radius: 0.1, mass: 2}\n"
        "  - disc: {at: [3, 0], radius: 0.1, mass: 1}\n"
        "  - disc: {at: [5, 0], radius: 0.1, mass: 1}\n"
        "joints: [hinge: {bodies: [1, world], at: [0, 0]}, weld: {bodies: [2, world], at: [2, 0]}, hinge: {bodies: "
        "[3, world], at: [5, 0], torque: 0.5}]\n"
        "contacts: {law: hertz, k: 1e9}\n"
        "run: {until: 1}\n",
        1e-3, 1e-5);
    const double expected[] = {0.0, 20.0, 0.0, 0.0, 10.0, 10.0, 0.0, 10.0, 0.5};
    for (size_t i = 0; i < 9; i++)
        CHECK_NEAR(end.carried[i], expected[i], 1e-9);
}

/* a rail, an arm and a rope with limits: what goes into them comes out with e of its speed, whatever else is on the
 * joint, and what they take is in the ledger */
static void check_limits(void)
{
    const char *const text =
        "theory: solid\n"
        "bodies:\n" FAR "  - disc: {name: a, at: [0, 0], radius: 0.02, mass: 0.1, velocity: [1, 0]}\n"
        "  - disc: {name: arm, at: [0.3, 1], radius: 0.1, mass: 0.1, velocity: [0, 0.3], spin: 1}\n"
        "  - disc: {name: hand, at: [0.5, 1], radius: 0.1, mass: 0.2, velocity: [0, 0.5], spin: 1}\n"
        "  - disc: {name: far, at: [0, 3], radius: 0.02, mass: 0.1, velocity: [1, 0]}\n"
        "joints:\n"
        "  - slider: {bodies: [a, world], axis: [1, 0], limits: [-1, 0.0501], k: 1e5, e: 0.5}\n"
        "  - hinge: {bodies: [arm, world], at: [0, 1], limits: [-1, 0.0501], k: 1e4, e: 0.8}\n"
        "  - weld: {bodies: [hand, arm], at: [0.4, 1]}\n"
        "  - distance: {bodies: [far, world], to: [-0.1, 3], limits: [0, 0.1501], k: 1e5, e: 0.3}\n"
        "contacts: {law: hertz, k: 1e9}\n"
        "run: {until: 1}\n";
    const struct flights a = flights_end(text, 0.08, 2e-5), b = flights_end(text, 0.08, 1e-5);
    const double *v = b.v + b.nv - 12; /* of four discs, then their spins */
    printf("limits: %.6f %.6f %.6f of their speeds, residual %.1e %.1e\n", v[0], v[9], v[6], a.worst, b.worst);
    CHECK_NEAR(v[0], -0.5, 1e-4);
    CHECK_NEAR(v[9], -0.8, 1e-4);
    CHECK_NEAR(v[6], -0.3, 1e-4);
    CHECK(b.worst < 2e-4 && b.worst < 0.6 * a.worst);
    CHECK(b.open < 1e-13);
}

/* a crank that a motor turns drives a piston by a rod: in space hinges and slider say some of it twice */
static void check_crank(void)
{
    const struct flights end =
        flights_end("theory: solid\n"
                    "gravity: [0, -9.81, 0]\n"
                    "bodies:\n" FAR_IN_SPACE "  - sphere: {name: crank, at: [0.02, 0, 0], radius: 0.01, mass: 0.1}\n"
                    "  - sphere: {name: rod, at: [0.08, 0, 0], radius: 0.01, mass: 0.2}\n"
                    "  - sphere: {name: piston, at: [0.14, 0, 0], radius: 0.02, mass: 0.3}\n"
                    "joints:\n"
                    "  - hinge: {bodies: [crank, world], at: [0, 0, 0], axis: [0, 0, 1], speed: 40}\n"
                    "  - hinge: {bodies: [rod, crank], at: [0.04, 0, 0], axis: [0, 0, 1]}\n"
                    "  - hinge: {bodies: [piston, rod], at: [0.14, 0, 0], axis: [0, 0, 1]}\n"
                    "  - slider: {bodies: [piston, world], axis: [1, 0, 0]}\n"
                    "contacts: {law: hertz, k: 1e9}\n"
                    "run: {until: 1}\n",
                    0.05, 1e-5);
    CHECK_NEAR(end.q[6], 0.04 * cos(2.0) + sqrt(0.01 - 0.0016 * sin(2.0) * sin(2.0)) - 0.14, 1e-13);
    CHECK(end.open < 1e-12 && end.worst < 1e-6);
}

static void check_refused(const char *joints, const char *sentence)
{
    char text[700];
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n" FAR "  - disc: {name: a, at: [0, 0], radius: 0.02, mass: 0.1, velocity: [1, 0]}\n"
             "  - disc: {name: b, at: [0, 0.041], radius: 0.02, mass: 0.1}\n"
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

/* what a mechanism is told to be instead is a scene: the joints of the sentence hold what it speaks of */
static void check_advice(const char *kind, const char *discs)
{
    char text[700];
    struct carom_error error = {CAROM_OK, ""};
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n" FAR "  - mechanism: {kind: %s}\n"
             "contacts: {law: hertz, k: 1e9}\n"
             "run: {until: 1}\n",
             kind);
    CHECK(carom_scene_parse("test", text, strlen(text), NULL, 0, &error) == NULL);
    const char *joints = strstr(error.text, "joints: ");
    CHECK_OR_STOP(strstr(error.text, kind) != NULL && joints != NULL);
    snprintf(text, sizeof text,
             "theory: solid\n"
             "bodies:\n" FAR "%s"
             "%.*s\n"
             "contacts: {law: hertz, k: 1e9}\n"
             "run: {until: 1}\n",
             discs, (int)(strrchr(joints, ']') + 1 - joints), joints);
    CHECK(flights_end(text, 1e-3, 1e-5).open < 1e-15);
}

static void check_advices(void)
{
    check_advice("pendulum", "  - disc: {name: bob, at: [0, 0], radius: 0.1, mass: 1}\n");
    check_advice("double-pendulum", "  - disc: {name: upper, at: [0, 0.5], radius: 0.1, mass: 1}\n"
                                    "  - disc: {name: lower, at: [0, 0.1], radius: 0.1, mass: 1}\n");
    check_advice("kane-pendulum", "  - disc: {name: upper, at: [0, 0.5], radius: 0.1, mass: 1}\n"
                                  "  - disc: {name: lower, at: [0, 0.1], radius: 0.1, mass: 1}\n"
                                  "  - plane: {at: [0, -1], normal: [0, 1]}\n");
    check_advice("slider-crank", "  - disc: {name: crank, at: [0, 0.1], radius: 0.1, mass: 1}\n"
                                 "  - disc: {name: slide, at: [0.5, 0], radius: 0.1, mass: 1}\n");
    check_advice("oscillator", "  - disc: {name: mass, at: [0, 0], radius: 0.1, mass: 1}\n");
}

/* rates of places and turns are those of small motions, of the second ball on joints as of the first */
static void check_flow(void)
{
    const char *const text =
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {box: {size: [0.1, 0.1, 0.1], cells: [2, 2, 2], origin: [10, 10, 10]}, material: ptfe}\n"
        "  - sphere: {name: one, at: [0, 0, 0], radius: 0.02, mass: 0.1, velocity: [1, 0, 2], spin: [3, 0, 1]}\n"
        "  - sphere: {name: other, at: [0.4, 0, 0], radius: 0.02, mass: 0.3, velocity: [1, 4, 2], spin: [1, 2, -5]}\n"
        "joints: [distance: {bodies: [other, one], at: [0.4, 0, 0]}]\n"
        "contacts: {law: hertz, k: 1e9}\n"
        "run: {until: 0.01, step: 5e-5}\n";
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("t.yaml", text, strlen(text), NULL, 0, &error);
    struct carom_sim *sim = scene != NULL ? carom_scene_sim(scene, &error) : NULL;
    CHECK_TEXT(error.text, "");
    CHECK_OR_STOP(sim != NULL && sim->model->member[sim->model->nparts - 1].part == &carom_part_solid_balls);
    CHECK_STATUS(carom_sim_run(sim, NULL, NULL), CAROM_OK); /* until they have turned */
    const struct carom_member *m = &sim->model->member[sim->model->nparts - 1];
    const struct carom_solid_balls *balls = m->own;
    const double *q = sim->state->q + m->q0, *v = sim->state->v + m->v0, small = 1e-6;
    double rate[32], moved[32], spin[3];
    CHECK_OR_STOP(m->nq <= 32 && balls->n == 2);
    m->part->flow(m->own, q, v, rate);
    memcpy(moved, q, m->nq * sizeof *q);
    for (size_t i = 0; i < 2; i++) {
        carom_solid_balls_spin(balls, i, v, spin);
        for (size_t k = 0; k < 3; k++) {
            moved[3 * i + k] += small * v[3 * i + k];
            spin[k] *= small;
        }
        carom_solid_balls_spun(balls, i, spin, q, moved);
    }
    for (size_t k = 0; k < m->nq; k++)
        CHECK_NEAR((moved[k] - q[k]) / small, rate[k], 1e-4);
    CHECK(fabs(rate[6 + 4 + 1]) > 0.1); /* the other one turns */
    carom_sim_free(sim);
    carom_scene_free(scene);
}

int main(void)
{
    check_pendulum();
    check_rod();
    check_slider();
    check_arm("theory: solid\n"
              "gravity: [0, -9.81]\n"
              "bodies:\n" FAR "  - disc: {at: [-0.3, 0], radius: 0.12, mass: 0.1}\n"
              "joints: [hinge: {bodies: [1, world], at: [0, 0]}]\n"
              "contacts: {law: hertz, k: 1e9}\n"
              "run: {until: 1}\n",
              0.5);
    check_arm("theory: solid\n"
              "gravity: [0, 0, -9.81]\n"
              "bodies:\n" FAR_IN_SPACE "  - sphere: {at: [-0.3, 0, 0], radius: 0.12, mass: 0.1}\n"
              "joints: [hinge: {bodies: [1, world], at: [0, 0, 0], axis: [0, 1, 0]}]\n"
              "contacts: {law: hertz, k: 1e9}\n"
              "run: {until: 1}\n",
              0.4);
    check_welded();
    check_motors();
    check_carried();
    check_limits();
    check_crank();
    /* between a block and two elastic limits, one of them pressed by a motor */
    flights_orders(
        "theory: solid\n"
        "bodies:\n"
        "  - solid: {box: {size: [0.06, 0.06, 0.1], cells: [3, 3, 5]}, material: nylon}\n"
        "  - sphere: {at: [-0.0201, 0.031, 0.07], radius: 0.02, material: steel, velocity: [3, 0, 0]}\n"
        "  - sphere: {at: [-0.0201, 0.3, 0.07], radius: 0.02, material: steel}\n"
        "joints: [slider: {bodies: [1, world], axis: [1, 0, 0], limits: [-1e-3, 1], k: 1e6, e: 1}, hinge: "
        "{bodies: [2, world], at: [0, 0.3, 0], axis: [0, 1, 0], limits: [-1, 1e-3], k: 1e3, e: 1, torque: 9}]\n"
        "contacts: {law: hertz}\n"
        "run: {until: 1}\n",
        2.4e-3, 5e-7);
    flights_orders(
        "theory: solid\n"
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  - solid: {box: {size: [0.06, 0.2], cells: [3, 10]}, depth: 0.02, material: nylon, clamps: [{face: "
        "bottom}]}\n"
        "  - disc: {at: [-0.0201, 0.17], radius: 0.02, material: steel, velocity: [2, 0]}\n"
        "  - disc: {at: [0.0801, 0.165], radius: 0.02, material: steel}\n"
        "joints: [distance: {bodies: [1, world], to: [-0.0201, 0.3]}, distance: {bodies: [2, world], to: "
        "[0.0801, 0.3]}]\n"
        "contacts: {law: hertz}\n"
        "run: {until: 1}\n",
        4e-3, 5e-7);
    if (check_takes_all())
        flights_orders(
            "theory: solid\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  - solid: {box: {size: [0.06, 0.06, 0.1], cells: [3, 3, 5]}, material: nylon}\n"
            "  - sphere: {name: head, at: [-0.0201, 0.031, 0.07], radius: 0.02, material: steel, velocity: [3, 0, "
            "0]}\n"
            "  - sphere: {name: tail, at: [-0.0801, 0.031, 0.07], radius: 0.02, material: steel, velocity: [3, 0, "
            "0]}\n"
            "joints: [distance: {bodies: [head, tail]}, distance: {bodies: [head, world], to: [-0.0201, 0.031, "
            "0.3]}]\n"
            "contacts: {law: hertz}\n"
            "run: {until: 1}\n",
            2e-3, 5e-7);
    /* a hinged hammer behind a driven crank, with friction where it strikes */
    flights_orders(
        "theory: solid\n"
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  - solid: {box: {size: [0.06, 0.2], cells: [3, 10]}, depth: 0.02, material: nylon, clamps: [{face: "
        "bottom}]}\n"
        "  - disc: {name: head, at: [-0.0301, 0.17], radius: 0.03, material: steel, velocity: [3, 0], spin: 20}\n"
        "  - disc: {name: tail, at: [-0.1301, 0.17], radius: 0.02, material: steel, velocity: [3, -2], spin: 20}\n"
        "  - disc: {name: crank, at: [-0.2, 0.17], radius: 0.02, material: steel}\n"
        "joints: [hinge: {bodies: [head, world], at: [-0.0301, 0.32]}, weld: {bodies: [tail, head], at: "
        "[-0.08, 0.17]}, hinge: {bodies: [crank, world], at: [-0.2, 0.2], speed: -30}]\n"
        "contacts: {law: hertz, mu: 0.3}\n"
        "run: {until: 1}\n",
        1e-3, 5e-7);
    if (check_takes_all())
        flights_orders(
            "theory: solid\n"
            "gravity: [0, 0, -9.81]\n"
            "bodies:\n"
            "  - solid: {box: {size: [0.06, 0.06, 0.1], cells: [3, 3, 5]}, material: nylon}\n"
            "  - sphere: {name: upper, at: [-0.0201, 0.03, 0.2], radius: 0.02, material: steel, velocity: [1.5, 0, 0], "
            "spin: [0, -15, 0]}\n"
            "  - sphere: {name: lower, at: [-0.0201, 0.031, 0.07], radius: 0.02, material: steel, velocity: [3.45, 0, "
            "0], spin: [0, -15, 0]}\n"
            "joints: [hinge: {bodies: [upper, world], at: [-0.0201, 0.03, 0.3], axis: [0, 1, 0], torque: -2}, ball: "
            "{bodies: [lower, upper], at: [-0.0201, 0.03, 0.15]}]\n"
            "contacts: {law: hertz}\n"
            "run: {until: 1}\n",
            1e-3, 5e-7);
    check_advices();
    check_flow();
    check_refused("hinge: {bodies: [a, world], at: [0, 1]}", "both velocity and spin");
    check_refused("hinge: {bodies: [b, world], at: [0, 1], limits: [-1, 1]}", "k (in N*m) says how stiff");
    check_refused("distance: {bodies: [b, world], to: [0, 1], limits: [0, 1], k: 1e4}", "e, more than 0");
    check_refused("hinge: {bodies: [b, world], at: [0, 1], k: 1e4}", "there are no limits");
    check_refused("ball: {bodies: [b, world], at: [0, 1]}", "have a hinge");
    check_refused("distance: {bodies: [c, world], to: [0, 1]}", "c is no ball");
    check_refused("distance: {bodies: [a, world]}", "to is missing");
    check_refused("distance: {bodies: [a, world], to: [1, 0]}", "which it does not allow");
    check_refused("slider: {bodies: [1, world], axis: [1, 0], torque: 3}", "driven by a force");
    check_refused("weld: {bodies: [b, world], at: [0, 0], axis: [1, 0]}", "has none");
    return check_end();
}
