/* Packings of discs and spheres on a device under verlet give the bits of the processor: states, samples, losses,
 * counts, whether a contact opened or closed and, where a run breaks down, the sentence. What devices do not take is
 * refused in words. */
#include <stdlib.h>

#include "device_runs.h"

#define SCENE(gravity, bodies, contacts, start, run)                                                                 \
    "{units: none, gravity: " gravity ", bodies: [" bodies "], contacts: {" contacts "}, start: [" start             \
    "], run: {scheme: verlet, " run ", device: %s}, record: {every: 0.02, probes: [position, v, contacts, kinetic, " \
    "stored, dissipated, residual]}}"

/* more than a block of them, of several sizes, between walls that need not be along the axes */
#define DISCS                                                                                                          \
    "{packing: {name: grains, count: 600, of: disc, radius: 0.5, spread: 0.2, mass: 1, in: [[0, 0], [30, 32]], seed: " \
    "2}}"
#define FLOOR "{plane: {at: [0, -0.2], normal: [0.1, 1]}}, {plane: {at: [0, 0], normal: [1, 0]}}"
#define SPHERES                                                                                                   \
    "{packing: {name: grains, kind: dense, count: 600, radius: 0.5, spread: 0.1, mass: 1, in: [[0, 0, 0], [8.4, " \
    "8.4, 8.4]], seed: 3}}"
#define MOVING "{body: grains, velocity: [3, -9]}"
#define STRUCK "{body: 1, velocity: [20, -9, 5], spin: [3, 40, 5]}, {body: 300, velocity: [-15, 9, 7]}"

static const char *const cases[] = {
    /* discs that fall and bounce, far enough for other lists */
    SCENE("[0, -9.81]", DISCS ", " FLOOR, "law: kuwabara-kono, k: 1e5, gamma: 1e-3", MOVING, "until: 0.12, step: 4e-4"),
    /* no damping: nothing is lost */
    SCENE("[0, 0]", DISCS, "law: hertz, k: 1e5", MOVING ", {body: 3, velocity: [30, 9], spin: 7}",
          "until: 0.103, step: 4e-4"),
    /* laws that no lanes work out */
    SCENE("[0, -9.81]", DISCS ", " FLOOR, "law: linear-dashpot, k: 1e4, gamma: 1e-3", MOVING,
          "until: 0.15, step: 1e-3"),
    /* spheres, some of which turn, and a box around them */
    SCENE("[0, 0, -9.81]", SPHERES ", {box: {at: [4.2, 4.2, 4.2], size: [8.4, 8.4, 8.4], inside: true}}",
          "law: kuwabara-kono, k: 1e5, gamma: 1e-3", STRUCK, "until: 0.1, step: 5e-4"),
    SCENE("[0, 0, -9.81]", SPHERES ", {plane: {at: [0, 0, -0.1], normal: [0.1, 0.2, 1]}}", "law: hunt-crossley, k: 1e5",
          STRUCK, "until: 0.07, step: 5e-4"),
    /* friction of several forms: with a fixed disc and walls, in a box, and all free */
    SCENE("[0, -9.81]", DISCS ", " FLOOR ", {disc: {radius: 1, at: [31.2, 16], fixed: true}}",
          "law: kuwabara-kono, k: 1e5, gamma: 1e-3, friction: {law: mindlin, mu: 0.3, k_t: 1e5, gamma_t: 0.5}",
          "{body: grains, velocity: [9, -12]}", "until: 0.1, step: 4e-4"),
    SCENE("[0, 0, -9.81]", SPHERES ", {box: {at: [4.2, 4.2, 4.2], size: [8.4, 8.4, 8.4], inside: true}}",
          "law: kuwabara-kono, k: 1e5, gamma: 1e-3, friction: {law: cundall-strack, mu: 0.3, k_t: 1e4}",
          "{body: grains, velocity: [1, 2, -9]}, " STRUCK, "until: 0.06, step: 5e-4"),
    SCENE("[0, 0, -9.81]", SPHERES ", {plane: {at: [0, 0, -0.1], normal: [0.1, 0.2, 1]}}",
          "law: kuwabara-kono, k: 1e5, gamma: 1e-3, friction: {law: mindlin, mu: 0.3, k_t: 1e5, form: force}", STRUCK,
          "until: 0.06, step: 5e-4"),
    /* rolling by both laws, in the plane and in space, with friction and alone; twisting; friction without a spring,
     * and under a law that no lanes work out */
    SCENE("[0, -9.81]", DISCS ", " FLOOR ", {disc: {radius: 1, at: [31.2, 16], fixed: true}}",
          "law: kuwabara-kono, k: 1e5, gamma: 1e-3, friction: {law: mindlin, mu: 0.3, k_t: 1e5, gamma_t: 0.5}, "
          "rolling: {law: spring, mu: 0.1, k: 2e4, gamma: 1e-3}",
          "{body: grains, velocity: [9, -12]}, {body: 3, velocity: [30, 9], spin: 7}", "until: 0.1, step: 4e-4"),
    SCENE("[0, -9.81]", DISCS ", " FLOOR, "law: hertz, k: 1e5, rolling: {law: constant, mu: 0.1, slip_speed: 0.1}",
          MOVING ", {body: 3, velocity: [30, 9], spin: 70}", "until: 0.1, step: 4e-4"),
    SCENE("[0, 0, -9.81]", SPHERES ", {box: {at: [4.2, 4.2, 4.2], size: [8.4, 8.4, 8.4], inside: true}}",
          "law: kuwabara-kono, k: 1e5, gamma: 1e-3, friction: {law: cundall-strack, mu: 0.3, k_t: 1e4}, "
          "rolling: {law: spring, mu: 0.1, k: 1e4}, twisting: {law: spring, mu: 0.05, k: 1e4, gamma: 1e-2}",
          "{body: grains, velocity: [1, 2, -9], spin: [9, 7, 5]}, " STRUCK, "until: 0.06, step: 5e-4"),
    SCENE("[0, 0, -9.81]", SPHERES ", {plane: {at: [0, 0, -0.1], normal: [0.1, 0.2, 1]}}",
          "law: hunt-crossley, k: 1e5, friction: {law: coulomb, mu: 0.3, slip_speed: 0.1}, "
          "rolling: {law: constant, mu: 0.1}, twisting: {law: constant, mu: 0.1, slip_speed: 0.1}",
          STRUCK, "until: 0.06, step: 5e-4"),
    SCENE("[0, 0, -9.81]", SPHERES, "law: hunt-crossley, k: 1e5, twisting: {law: spring, mu: 0.1, k: 1e4}", STRUCK,
          "until: 0.06, step: 5e-4"),
    SCENE("[0, -9.81]", DISCS ", " FLOOR,
          "law: linear-dashpot, k: 1e4, gamma: 1e-3, friction: {law: mindlin, mu: 0.3, k_t: 1e4}",
          "{body: grains, velocity: [9, -12]}", "until: 0.1, step: 1e-3"),
};
enum { CASES = sizeof cases / sizeof *cases };

/* A step far too long: bodies run into each other. Sides that are joined, past which they fly. */
static void more(const char *device)
{
    compare_failure(SCENE("[0, -9.81]", DISCS ", " FLOOR, "law: hertz, k: 10", MOVING, "until: 9, step: 1e-3"), device,
                    "have run into each other");
    if (check_takes_all())
        compare("{units: none, domain: [[0, 0, 0], [8.4, 8.4, 8.4]], periodic: [x, y, z], bodies: [" SPHERES
                "], contacts: {law: kuwabara-kono, k: 1e5, gamma: 1e-3, friction: {law: mindlin, mu: 0.3, k_t: 1e5}}, "
                "start: [{body: grains, velocity: [90, -9, 300]}, "
                "{body: 7, velocity: [70, -5, 310]}], run: {scheme: verlet, until: 0.06, step: 5e-4, device: %s}, "
                "record: {every: 0.02}}",
                device, 17);
    /* contacts that slip in a step which is taken again, as nobody has come as far as speeds would allow */
    compare(
        "{domain: [[0, 0, 0], [30 mm, 30 mm, 60 mm]], periodic: [x, y], gravity: [0, 0, -9.81], bodies: [{packing: "
        "{name: "
        "g, kind: dense, count: 600, radius: 2 mm, spread: 0.2, material: soft, in: [[0, 0, 0], [30 mm, 30 mm, 46 "
        "mm]], seed: 1}}, {plane: {at: [0, 0, 0], normal: [0, 0, 1], material: soft}}], materials: {soft: {young: 5 "
        "MPa, poisson: 0.3, density: 1200}}, contacts: {law: hertz, friction: {mu: 0.3, law: cundall-strack, k_t: "
        "1e4}}, start: [{body: g, velocity: [0.3, 0.1, -2 m/s]}], run: {scheme: verlet, until: 0.75 ms, device: %s}, "
        "record: {every: 0.25 ms}}",
        device, 18);
    /* in the groups of graphics cards, which are of another size */
    CHECK(setenv("CAROM_DEVICES_ARE_CARDS", "1", 1) == 0);
    for (size_t i = 0; i < CASES; i++)
        if (strstr(cases[i], "fixed"))
            compare(cases[i], device, i + 1);
    CHECK(unsetenv("CAROM_DEVICES_ARE_CARDS") == 0);
}

static void refuse(void)
{
#define REFUSED(bodies, contacts, more)                                                                             \
    "{units: none, bodies: [{disc: {radius: 1, mass: 1, at: [0, 0]}}, " bodies "], contacts: {" contacts "}, " more \
    "run: {until: 1, step: 0.1, scheme: verlet, device: 1}}"
#define OTHER "{disc: {radius: 1, mass: 1, at: [3, 0]}}"
    check_refused(
        REFUSED(OTHER, "law: hertz, k: 1, friction: {law: cundall-strack, mu: 0.3, mu_static: 0.4, k_t: 1}", ""),
        "devices take friction, and resistance to rolling and twisting, of one coefficient");
    check_refused(REFUSED(OTHER, "law: hertz, k: 1, rolling: {law: spring, mu: 0.1, mu_static: 0.2, k: 1}", ""),
                  "devices take friction, and resistance to rolling and twisting, of one coefficient");
    check_refused(REFUSED(OTHER, "law: hertz, k: 1, friction: {law: mindlin, mu: 0.3, k_t: 1, form: potential}", ""),
                  "(mindlin not potential) under verlet");
    check_refused(REFUSED(OTHER, "law: hertz, k: 1", "loads: [{body: 1, force: [1, 0]}], "),
                  "devices take discs and spheres without loads under verlet");
    check_refused(REFUSED("{disc: {radius: 9, at: [0, 0], inside: true}}", "law: hertz, k: 1", ""),
                  "devices take discs, spheres and walls that stand still: planes");
    check_refused(REFUSED(OTHER, "law: power, k: 1, p: 1.7", ""),
                  "devices take contacts whose exponents are 1, 5/4, 3/2, 2 or 5/2 under verlet");
    check_refused(REFUSED(OTHER, "law: kuwabara-kono, k: 1, gamma: 1, contact_end: force", ""),
                  "devices take damped contacts with contact_end: gap");
}

int main(void)
{
    if (carom_device_list(NULL, 0) > 0)
        refuse();
    return compare_all(cases, CASES, more);
}
