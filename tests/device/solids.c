/* Solids on a device, of the plane and in space, give the bits of the processor: states, samples, work of loads, counts
 * and, where a run breaks down, the sentence. With every device there is; without any the test is skipped. What cannot
 * be run is refused in words, with a device or without. */
#include "device_runs.h"

#define SCENE(more, start, run)                                                                                      \
    "{units: none, theory: solid, bodies: [{solid: {name: one, box: {size: [2.1, 1.1], cells: [21, 11]}, plane: "    \
    "strain, material: {young: 1e3, poisson: 0.3, density: 1}" more "}}], " start "run: {until: 0.3, device: %s" run \
    "}, record: {every: 0.013, probes: [u, v, work, residual, kinetic, stored, dissipated]}}"

#define SPACE(what, more, start, run)                                                                           \
    "{units: none, theory: solid, bodies: [{solid: {name: one, " what ", material: {young: 1e3, poisson: 0.3, " \
    "density: 1}" more "}}], " start "run: {until: 0.1, device: %s" run                                         \
    "}, record: {every: 0.013, probes: [u, v, work, residual, kinetic, stored, dissipated]}}"
/* more cells than groups of places have sums of batches side by side */
#define MANY(more)                                                                                              \
    "{units: none, theory: solid, bodies: [{solid: {box: {size: [9.1, 7], cells: [91, 70]}, plane: strain, "    \
    "material: {young: 1e3, poisson: 0.3, density: 1}, " more "}}], start: [{velocity: [0.3, 0.1], spin: 9}], " \
    "run: {until: 0.01, step: 1e-3, device: %s}, record: {every: 0.005, probes: [u, v, dissipated]}}"
#define BOX "box: {size: [1.1, 0.5, 0.3], cells: [11, 5, 3]}"

static const char *const cases[] = {
    /* it flies and spins, fast enough for turns by roots */
    SCENE("", "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], ", ", step: 2e-3"),
    /* it bends far beyond small turns and stretches, under its weight, held at one side */
    SCENE(", clamps: [{near: [0.05, 0.05]}, {near: [0.05, 1]}], gravity: [0, -60]", "", ""),
    /* a push on a face that changes with time, a pressure and a force on cells, some on the same; one ends */
    SCENE(", loads: [{face: top, traction: [1, -3], signal: {shape: ricker, frequency: 9, start: 0.1}}, "
          "{face: top, pressure: 2}, {near: [2, 0.5], force: [4, 5]}, {near: [2, 0.5], moment: 0.2}, "
          "{face: right, traction: [40, 0], signal: {shape: step, amplitude: 1, start: 0.1, duration: 0.1}}]",
          "", ", step: 4e-4"),
    /* one row of cells */
    "{units: none, theory: solid, bodies: [{solid: {box: {size: [40, 1], cells: [40, 1]}, plane: stress, "
    "material: {young: 1, poisson: 0.2, density: 1}, clamps: [{near: [39.5, 0.5]}], gravity: [1e-3, 0]}}], "
    "run: {until: 5, device: %s}, record: {every: 0.5, probes: [u, v, residual]}}",
    /* larger than groups of places in both directions, which end inside it */
    "{units: none, theory: solid, bodies: [{solid: {name: one, box: {size: [13.1, 7], cells: [131, 70]}, plane: "
    "strain, "
    "material: {young: 1e3, poisson: 0.3, density: 1}, gravity: [1, -60], loads: [{near: [6.05, 3.5], force: [40, "
    "5]}]}}], "
    "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], run: {until: 0.03, step: 1e-3, device: %s}, "
    "record: {every: 0.01, probes: [u, v, work, residual]}}",

    /* in space: it flies and tumbles, fast enough for the fixed point, and beyond its bound */
    SPACE(BOX, "", "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [9, 5, -3]}], ", ", step: 1.5e-3"),
    SPACE(BOX, "", "start: [{body: one, spin: [90, 50, -70]}], ", ", step: 1e-3"),
    /* it bends under its weight, held at cells and by single coordinates */
    SPACE(BOX, ", clamps: [{near: [0.05, 0.05, 0.05]}, {near: [0.05, 0.35, 0.25], fix: [x, z]}], gravity: [1, -60, 3]",
          "", ""),
    /* whole sides, whose cells turn about some axes; of Voronoi cells with axes of their own */
    SPACE(BOX,
          ", clamps: [{face: left}, {face: right, symmetry: x}, {near: [0.5, 0.25, 0.15], fix: [turn-x, turn-y]}], "
          "gravity: [1, -60, 3]",
          "", ""),
    SPACE("voronoi: {box: {size: [1, 0.5, 0.4]}, cells: 60, relax: 5}",
          ", gravity: [1, -60, 3], clamps: [{face: left}, {near: [0.5, 0.25, 0.15], fix: [turn-x]}, {near: [0.9, 0.25, "
          "0.15], fix: [turn-x, turn-z]}]",
          "", ""),
    /* loads of all kinds, some on the same cells */
    SPACE(BOX,
          ", loads: [{face: top, traction: [1, 2, -30], signal: {shape: ricker, frequency: 9, start: 0.1}}, "
          "{face: top, pressure: 2}, {near: [1, 0.2, 0.1], force: [4, 5, 6]}, {near: [1, 0.2, 0.1], moment: [0.2, 0.1, "
          "0.3]}]",
          "", ", step: 4e-4"),
    /* cells of two materials, a shell with axes of its own, and cells of any shape: links from records */
    SPACE("box: {size: [1.1, 0.5, 0.3], cells: [11, 5, 3]}, regions: [{box: [[0.5, 0, 0], [1.1, 0.5, 0.3]], material: "
          "{young: 2e3, poisson: 0.1, density: 3}}]",
          ", clamps: [{near: [0.05, 0.05, 0.05]}], gravity: [1, -60, 3]", "", ""),
    SPACE("cylinder: {radius: 1, height: 2, thickness: 0.05, around: 20, along: 8}", "",
          "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),
    SPACE("voronoi: {box: {size: [1, 0.5, 0.4]}, cells: 81, relax: 5}",
          ", gravity: [1, -60, 3], loads: [{near: [1, 0.2, 0.1], force: [4, 5, 6]}]",
          "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),
    /* high ones: of one material, and of two */
    SPACE("box: {size: [0.5, 0.3, 4.1], cells: [5, 3, 41]}", ", gravity: [1, -60, 3]",
          "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),
    SPACE("box: {size: [0.5, 0.3, 4.1], cells: [5, 3, 41]}, regions: [{box: [[0, 0, 1], [0.5, 0.3, 2.5]], material: "
          "{young: 2e3, poisson: 0.1, density: 3}}]",
          ", gravity: [1, -60, 3]", "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),

    /* damped by mass, in the plane and in space, loaded, some cells held; a step of many is ended in the midst */
    SCENE(", damping: {mass: 3}, loads: [{face: right, traction: [4, 3]}], clamps: [{near: [0.05, 0.05]}]",
          "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], ", ""),
    SCENE(", damping: {mass: 3}", "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], ", ", step: 1e-3"),
    SPACE(BOX, ", damping: {mass: 5}", "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),
    MANY("damping: {mass: 3}, clamps: [{near: [0.05, 0.05]}]"),
    MANY("damping: {mass: 3, stiffness: 2e-4}, absorbing: [left]"),
    SPACE(
        "voronoi: {box: {size: [1, 0.5, 0.4]}, cells: 60, relax: 5}",
        ", damping: {mass: 5}, gravity: [1, -60, 3], clamps: [{face: left}, {near: [0.5, 0.25, 0.15], fix: [turn-x]}]",
        "", ""),
    /* plane bodies whose links have records: clamped and symmetric sides, two materials, a load on a face */
    SCENE(
        ", clamps: [{face: left}, {face: bottom, symmetry: y}], gravity: [0, -60], loads: [{face: right, pressure: 40, "
        "signal: {shape: ricker, frequency: 9, start: 0.1}}, {near: [2, 0.5], moment: 0.2}]",
        "", ""),
    SCENE(
        ", regions: [{box: [[0.5, 0], [1.1, 1.1]], material: {young: 2e3, poisson: 0.1, density: 3}}], damping: {mass: "
        "2}",
        "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], ", ""),
    /* absorbing sides, with corners; more faces than are added up at a time, three of which share a cell */
    SCENE(", absorbing: [left, bottom, top], loads: [{face: right, traction: [40, 3]}], damping: {mass: 1}", "", ""),
    SPACE(
        "box: {size: [1.5, 1.4, 0.4], cells: [15, 14, 4]}",
        ", absorbing: [left, right, front, back, bottom], loads: [{face: top, near: [0.7, 0.7, 0.4], traction: [0, 20, "
        "-60], signal: {shape: ricker, frequency: 30, start: 0.04}}]",
        "", ""),
    SPACE("voronoi: {box: {size: [1, 0.5, 0.4]}, cells: 60, relax: 5}", ", absorbing: [left, top]",
          "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),
    /* driven sides: pushed, in one direction alone, turned; with damping and loads */
    SCENE(
        ", drives: [{face: left, displacement: [0.1, 0.02], signal: {shape: sine, frequency: 7}}], damping: {mass: 1}, "
        "loads: [{face: right, traction: [40, 3]}]",
        "", ""),
    SCENE(", clamps: [{face: right}], drives: [{face: left, turn: {angle: 0.3}, signal: {shape: ramp, duration: 0.2}}]",
          "", ""),
    /* plane boxes of one material: a side along itself, single cells; damped, loaded, absorbing */
    SCENE(", drives: [{face: left, displacement: [free, 0.05], signal: {shape: sine, frequency: 7}}], clamps: [{near: "
          "[2, 0.5]}]",
          "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], ", ""),
    SCENE(", drives: [{near: [0.05, 0.5], displacement: [0, 0.1], signal: {shape: sine, frequency: 7}}], damping: "
          "{mass: 3, stiffness: 2e-4}, absorbing: [right], gravity: [0, -60], loads: [{near: [0.05, 0.5], force: [4, "
          "5]}, {near: [0.05, 0.5], moment: 0.2}, {face: top, traction: [1, -3]}]",
          "", ""),
    SCENE(", drives: [{near: [1, 1], turn: {angle: 0.3}, signal: {shape: ramp, duration: 0.2}}, {near: [0.05, 0.05], "
          "displacement: [0.1, 0.02], signal: {shape: sine, frequency: 7}}]",
          "", ", step: 1e-3"),
    SPACE(BOX,
          ", clamps: [{face: left, symmetry: x}], drives: [{face: right, displacement: [0.1, free, free], signal: "
          "{shape: "
          "ramp, duration: 0.07}}], gravity: [1, -60, 3]",
          "", ""),
    SPACE(BOX,
          ", drives: [{face: right, turn: {angle: 0.3, axis: [1, 2, 0]}, signal: {shape: sine, frequency: 9}}], "
          "absorbing: [left]",
          "", ""),
    SPACE(BOX,
          ", drives: [{near: [1, 0.2, 0.1], displacement: [0, 0.1, free], signal: {shape: sine, frequency: 9}}], "
          "damping: {mass: 4}",
          "", ""),
    /* damped by stiffness: in the plane boxes of one material and others, boxes in space and other cells, some held; by
     * mass too; driven, absorbing */
    SCENE(", damping: {stiffness: 2e-4}, gravity: [0, -60], clamps: [{near: [0.05, 0.05]}]",
          "start: [{body: one, velocity: [0.3, 0.1], spin: 9}], ", ""),
    SCENE(", damping: {stiffness: 2e-4, mass: 3}, absorbing: [left], drives: [{face: right, displacement: [0.1, free], "
          "signal: {shape: sine, frequency: 7}}]",
          "", ""),
    SPACE(BOX, ", damping: {stiffness: 2e-4, mass: 3}",
          "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [1, 5, -3]}], ", ""),
    SPACE("voronoi: {box: {size: [1, 0.5, 0.4]}, cells: 60, relax: 5}",
          ", damping: {stiffness: 2e-4}, gravity: [1, -60, 3], clamps: [{near: [0.5, 0.25, 0.15], fix: [turn-x]}], "
          "drives: "
          "[{face: left, displacement: [0, 0.1, 0], signal: {shape: sine, frequency: 7}}]",
          "", ""),
};

/* cells are thrown at each other */
static void break_down(const char *device)
{
    compare_failure(SCENE(", loads: [{face: right, traction: [-9e3, 7e3], signal: {shape: step, amplitude: 1, "
                          "start: 0.05, duration: 1}}]",
                          "", ""),
                    device, "broke down");
}

#define ANY(what)                                                                                                  \
    "{units: none, theory: solid, bodies: [{solid: {" what ", material: {young: 1, poisson: 0.2, density: 1}}}], " \
    "run: {until: 1, device: 1}}"

static void refuse_without(void)
{
    check_refused("{units: none, bodies: [chain: {count: 2, mass: 1}], contacts: {law: hertz, k: 1}, run: {until: 1, "
                  "device: auto}}",
                  "scheme dp5 runs this scene on the processor alone");
    check_refused("{units: none, theory: solid, bodies: [{solid: {box: {size: [4, 1], cells: [4, 1]}, plane: stress, "
                  "material: {young: 1, poisson: 0.2, density: 1}}}], run: {until: 1, device: no such thing}}",
                  "device no such thing: ");
    check_refused("{units: none, bodies: [chain: {count: 2, mass: 1}], contacts: {law: hertz, k: 1}, run: {until: 1, "
                  "device: []}}",
                  "device");
}

static void refuse_with(void)
{
    check_refused("{units: none, theory: solid, bodies: [{solid: {box: {size: [4, 1], cells: [4, 1]}, plane: stress, "
                  "material: {young: 1, poisson: 0.2, density: 1}}}], run: {until: 1, device: 0}}",
                  "device 0: none of the ");
    check_refused(ANY("box: {size: [2, 2, 1], cells: [2, 2, 1]}, nonlinear: {cubic: 3}"),
                  "devices take bodies of linear links");
    check_refused(ANY("box: {size: [2, 2, 1], cells: [2, 2, 1]}, self_contact: always"),
                  "devices take bodies that do not meet themselves");
}

int main(void)
{
    refuse_without();
    if (carom_device_list(NULL, 0) > 0)
        refuse_with();
    return compare_all(cases, sizeof cases / sizeof *cases, break_down);
}
