"""Scenes of solids that ranks share, and what their run files must be."""
from checks import check
import ranks

MATERIAL = "material: {young: 1e3, poisson: 0.3, density: 1}"
SCENE = """{units: none, theory: solid, bodies: [{solid: {name: one, %s, """ + MATERIAL + """%s}}], %s
run: {until: %g, threads: 1, checkpoint: 0%s}, record: {every: %g, probes: [u, v, work, residual, kinetic, stored, dissipated]}}"""

PLANE = "box: {size: [2.4, 9.7], cells: [24, 97]}, plane: strain"
BLOCK = "box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}"
STIFF = "{young: 2e3, poisson: 0.1, density: 3}"
CASES = {
    # a sheet, in blocks of rows: under its weight, held, with loads on faces and on cells of several ranks
    "plane": (PLANE, ", gravity: [0, -60], clamps: [{near: [0.05, 0.05]}, {near: [0.05, 9]}], loads: ["
              "{face: top, traction: [1, -3], signal: {shape: ricker, frequency: 9, start: 0.1}}, {face: left, pressure: 2}, "
              "{near: [2, 4], force: [4, 5], signal: {shape: step, amplitude: 1, start: 0.01, duration: 0.02}}]", "",
              0.06, "", 0.0071),
    # it flies and spins, fast enough for turns by roots
    "spin": (PLANE, "", "start: [{body: one, velocity: [0.3, 0.1], spin: 9}],", 0.05, ", step: 2e-3", 0.01),
    # a grid in space
    "space": (BLOCK, ", clamps: [{face: left}, {near: [1.5, 1.4, 0.9], fix: [x, z]}], gravity: [1, -60, 3], loads: ["
              "{face: top, traction: [1, 2, -30], signal: {shape: ricker, frequency: 9, start: 0.1}}]", "", 0.06, "", 0.0071),
    "tumble": (BLOCK, "", "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [9, 5, -3]}],", 0.06, "", 0.0071),
    # general links: two materials, in space and in the plane; cells of any shape
    "regions": (BLOCK + ", regions: [{box: [[0.8, 0, 0], [1.6, 1.5, 1]], material: " + STIFF + "}]",
                ", gravity: [1, -60, 3], clamps: [{face: left}]", "", 0.06, "", 0.0071),
    "flat": ("box: {size: [4, 6], cells: [40, 60]}, plane: stress, regions: [{box: [[2, 0], [4, 6]], material: " + STIFF +
             "}]", ", gravity: [1, -60], loads: [{face: top, pressure: 3}]", "start: [{body: one, spin: 3}],", 0.06, "",
             0.0071),
    "voronoi": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", gravity: [1, -60, 3], clamps: [{face: left}]",
                "start: [{body: one, spin: [1, 2, 3]}],", 0.01, "", 0.002),
    # what takes or gives energy: damping by mass, sides that absorb (also in corners), motions that are given
    "waves": (PLANE, ", damping: {mass: 3}, absorbing: [left, right, bottom], loads: [{face: top, traction: [1, -3], "
              "signal: {shape: ricker, frequency: 9, start: 0.01}}]", "", 0.03, "", 0.0071),
    "sides": (BLOCK, ", absorbing: [right, bottom, front, back], drives: [{face: left, displacement: [0.01, free, 0.02], "
              "signal: {shape: sine, frequency: 3}}]", "start: [{body: one, velocity: [0.3, 0.1, 0.2]}],", 0.03, "", 0.0071),
    "driven": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", damping: {mass: 2}, absorbing: [top], drives: [{face: left, "
               "turn: {angle: 0.01, axis: [1, 0, 0]}, signal: {shape: sine, frequency: 30}}]",
               "start: [{body: one, spin: [1, 2, 3]}],", 0.01, "", 0.002),
    "moved": (PLANE, ", gravity: [0, -60], drives: [{face: left, displacement: [0.01, free], signal: {shape: sine, frequency: 3}}]", "", 0.03, "",
              0.0071),
    # rates of links: of a sheet, a grid, general links in the plane, any cells, with what else damps
    "sheet rates": (PLANE, ", damping: {stiffness: 1e-3}, gravity: [0, -60], clamps: [{near: [0.05, 0.05]}], loads: [{face: top, "
                    "traction: [1, -3], signal: {shape: ricker, frequency: 9, start: 0.01}}]", "", 0.03, ", step: 5e-4", 0.0071),
    "rates": (BLOCK, ", damping: {mass: 2, stiffness: 1e-3}, absorbing: [top], gravity: [1, -60, 3], clamps: [{face: left}]",
              "start: [{body: one, velocity: [0.3, 0.1, 0.2]}],", 0.02, ", step: 2e-4", 0.0071),
    "flat rates": ("box: {size: [4, 6.1], cells: [41, 61]}, plane: stress, regions: [{box: [[2, 0], [4, 6.1]], material: " + STIFF + "}]",
                   ", damping: {stiffness: 1e-3}, gravity: [1, -60]", "start: [{body: one, spin: 3}],", 0.03, ", step: 5e-4", 0.0071),
    "driven rates": (BLOCK, ", damping: {mass: 2, stiffness: 1e-3}, drives: [{face: left, displacement: [0.01, free, 0.02], signal: "
                     "{shape: sine, frequency: 3}}, {face: right, turn: {angle: 0.01, axis: [1, 0, 0]}, signal: {shape: sine, "
                     "frequency: 30}}]", "start: [{body: one, velocity: [0.3, 0.1, 0.2]}],", 0.02, ", step: 2e-4", 0.0071),
    "cells' rates": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", damping: {mass: 2, stiffness: 1e-4}, "
                     "loads: [{face: top, pressure: 2}]", "start: [{body: one, spin: [1, 2, 3]}],", 0.002, "", 0.0005),
    # links one by one: of cells that flow, at once or in time, and links that are not linear
    "plastic": (BLOCK, ", plasticity: {yield: 20, hardening: 100, kinematic: 50}, damping: {mass: 1}, clamps: [{face: left}], loads: ["
                "{face: right, traction: [60, 5, 0], signal: {shape: step, amplitude: 1, start: 0.001, duration: 0.02}}]",
                "start: [{body: one, velocity: [0.3, 0.1, 0.2]}],", 0.03, "", 0.0071),
    "plastic cells": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", plasticity: {yield: 5}, gravity: [1, -600, 3], "
                      "damping: {stiffness: 1e-4}, clamps: [{face: bottom}]", "", 0.004, "", 0.0005),
    "creep": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", viscoelasticity: {relaxation: 0.01}, damping: {mass: 1}, "
              "gravity: [1, -600, 3], clamps: [{face: bottom}]", "", 0.004, "", 0.0005),
    # links that break: at once, and as they open, under loads that follow and drives
    "breaks": (BLOCK, ", fracture: {strength: 60, cracks: [{at: [0.75, 0, 0], normal: [1, 0.3, 0]}]}, damping: {mass: 1}, clamps: [{face: left}], "
               "loads: [{face: right, traction: [-90, 30, 0], signal: {shape: sine, frequency: 20}}]", "", 0.03, "", 0.0071),
    "tears": (PLANE, ", fracture: {energy: 0.1, strength: 30}, self_contact: never, gravity: [0, -60], absorbing: [bottom], drives: [{face: top, displacement: "
              "[0, 0.3], signal: {shape: sine, frequency: 4}}]", "", 0.06, "", 0.0071),
    "crumbles": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", fracture: {energy: 0.02}, self_contact: always, gravity: [1, -600, 3], "
                 "clamps: [{face: bottom}], loads: [{face: top, pressure: -20}]", "", 0.006, "", 0.001),
    # cells that meet: walls of a shell, a corner that was pushed into its body, in layers; pieces that rub each other
    "shell": ("cylinder: {radius: 1, height: 0.5, thickness: 0.1, around: 60, along: 9}", ", self_contact: always, self_friction: {mu: 0.3, slip_speed: 1}",
              "start: [{box: [[0.8, -0.5, -1], [2, 0.5, 1]], velocity: [-40, 0, 0]}, {box: [[-2, -0.5, -1], [-0.8, 0.5, 1]], velocity: [40, 0, 0]}],",
              0.05, "", 0.0071),
    "folded": ("box: {size: [0.2, 12], cells: [2, 120]}, plane: strain", ", self_contact: always, self_friction: {mu: 0.3, slip_speed: 1}, damping: "
               "{mass: 0.1}",
               "start: [{box: [[-1, -1], [1, 6]], velocity: [30, 0], spin: 10}, {box: [[-1, 6], [1, 13]], velocity: [30, 0], spin: -10}],", 0.65, "", 0.05),
    "strip": ("box: {size: [0.2, 0.2, 14], cells: [2, 2, 140]}", ", self_contact: always, self_friction: {mu: 0.3, slip_speed: 1}"
              ", damping: {mass: 0.1}", "start: [{box: [[-1, -1, -1], [1, 1, 7]], velocity: [35, 0, 0], "
              "spin: [0, -10, 0]}, {box: [[-1, -1, 7], [1, 1, 30]], velocity: [35, 0, 0], spin: [0, 10, 0]}],", 0.65, "", 0.05),
    "rubs": (BLOCK, ", fracture: {strength: 60, cracks: [{at: [0, 0, 0.45], normal: [0, 0, 1]}]}, self_friction: {mu: 0.2, slip_speed: 1}, damping: "
             "{mass: 1}, absorbing: [bottom], drives: [{face: left, displacement: [0.01, free, 0.02], signal: {shape: sine, frequency: 3}}]",
             "start: [{box: [[0, 0, 0.45], [2, 2, 2]], displacement: [0.03, 0, 0.001], velocity: [4, 0, -1]}],", 0.02, ", step: 2e-4", 0.0071),
    "nonlinear": (PLANE, ", nonlinear: {quadratic: -30, cubic: 900}, loads: [{face: top, traction: [1, -3], "
                  "signal: {shape: ricker, frequency: 9, start: 0.01}}]", "", 0.03, "", 0.0071),
}


# what meets: bodies, then what stands between them and `run`; until, more of `run`, samples
MEETING = """{units: none, theory: solid, bodies: [%s], %s,
run: {until: %g, threads: 1, checkpoint: 0%s}, record: {every: %g, probes: [u, v, work, residual, kinetic, stored, dissipated, contact_force, gap]}}"""
SOLID = "{solid: {name: %s, %s, " + MATERIAL + "%s}}"
BALL = "{sphere: {at: [%s], radius: 0.2, " + MATERIAL + ", velocity: [%s]%s}}"
UPPER = "box: {size: [1.2, 1.1, 0.9], cells: [12, 11, 9], origin: [0.2, 0.15, 1.001]}"
OVER = "box: {size: [1.2, 5.2], cells: [12, 52], origin: [0.5, 9.7]}, plane: strain"
MEETINGS = {
    # a row of beads that spin on a block which is held, loaded and damped, with friction: over cells of several ranks
    "beads": (", ".join([SOLID % ("one", BLOCK, ", gravity: [1, -60, 3], damping: {mass: 2}, clamps: [{face: bottom}], loads: [{face: right, "
                                  "traction: [1, 2, -30], signal: {shape: ricker, frequency: 30, start: 0.01}}]"),
                         BALL % ("0.85, 0.8, 1.199", "0, 1, -2", ", spin: [9, 0, 3]"), BALL % ("0.85, 0.8, 1.61", "0, 0, -3", ""),
                         BALL % ("0.3, 1.3, 1.22", "0.5, 0, -3", "")]),
              "contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1}, mu: 0.3}", 0.03, ", step: 2e-4", 0.0031),
    # blocks that strike each other and rub, one absorbs what comes through it, one is driven
    "blocks": (", ".join([SOLID % ("one", BLOCK, ", absorbing: [bottom, right], damping: {stiffness: 1e-4}"),
                          SOLID % ("two", UPPER, ", damping: {mass: 2}, drives: [{face: top, displacement: [0.01, free, -0.02], signal: {shape: sine, "
                                   "frequency: 9}}]")]),
               "start: [{body: two, velocity: [0.3, 0.1, -1]}], contacts: {law: linear-dashpot, gamma: 1e-4, mu: 0.3}", 0.02, ", step: 2e-4", 0.0031),
    # in the plane: a tie, a floor, loads
    "tied": (", ".join([SOLID % ("one", PLANE, ", loads: [{face: left, pressure: 2}]"), SOLID % ("two", OVER, ", damping: {stiffness: 1e-4}"),
                        "{plane: {at: [0, -0.001], normal: [0.1, 1], name: floor}}"]),
             "ties: [{between: [one, two]}], start: [{body: one, velocity: [0, -1], spin: 0.1}, {body: two, velocity: [0, -1]}], "
             "contacts: {law: linear-dashpot, gamma: 1e-4}", 0.06, ", step: 5e-4", 0.0071),
    # cells of any shape that flow, under a ball and a floor
    "dented": (", ".join([SOLID % ("one", "voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", plasticity: {yield: 5}"),
                          BALL % ("0.5, 0.45, 1.21", "0, 0, -8", ""), "{plane: {at: [0, 0, 0], normal: [0, 0, 1], name: floor}}"]),
               "start: [{body: one, spin: [1, 2, 3]}], contacts: {law: hertz}", 0.006, "", 0.001),
    # it breaks under a disc, and a ball breaks cells of any shape, whose pieces meet
    "struck": (", ".join([SOLID % ("one", "box: {size: [9.6, 1.2], cells: [96, 12]}, plane: stress", ", fracture: {energy: 1e-3, strength: 20}, "
                                   "clamps: [{face: left}, {face: right}]"),
                          "{disc: {radius: 0.6, mass: 1, at: [4.8, 1.81], velocity: [0, -9]}}"]), "contacts: {law: power, p: 1.5, k: 500}", 0.06,
               ", step: 5e-4", 0.0071),
    "smashed": (", ".join([SOLID % ("one", "voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", fracture: {energy: 0.02}, clamps: "
                                    "[{face: bottom}]"),
                           BALL % ("0.5, 0.45, 1.21", "0, 0, -20", "")]), "contacts: {law: power, p: 1.5, k: 900}", 0.006, ", step: 2e-5", 0.001),
    # joints hold balls to a body that is damped, drives itself and absorbs
    "hung": (", ".join([SOLID % ("one", BLOCK, ", gravity: [1, -9, 3], damping: {mass: 2, stiffness: 1e-4}, absorbing: [front], drives: "
                                 "[{face: left, displacement: [0.01, free, 0.02], signal: {shape: sine, frequency: 9}}]"),
                        BALL % ("2.2, 0.8, 0.5", "0, 0, 0", ""), BALL % ("2.2, 1.3, 0.5", "0, 0, 0", ""), BALL % ("0.8, 0.8, 1.205", "0, 0, -1", "")]),
             "joints: [distance: {bodies: [1, {face: right}]}, hinge: {bodies: [1, 2], at: [2.2, 1.05, 0.5], axis: [1, 0, 0]}], "
             "contacts: {law: hertz}", 0.02, ", step: 2e-4", 0.0031),
}


def write(name, text):
    with open(name, "w") as f:
        f.write(text)
    return name


def same(case, counts):
    """the run file of that case is the same to the bit for these numbers of ranks; 0: without mpirun"""
    ranks.same(case, write(case + ".yaml", MEETING % MEETINGS[case] if case in MEETINGS else SCENE % CASES[case]), counts)


REFUSED = {
    "instead of tol": (BLOCK, "", "", 0.06, ", tol: 1e-3", 0.01),
}


def refused(sentence):
    """ranks do not share what that sentence names"""
    code, out, err = ranks.run(2, "run", write("refused.yaml", SCENE % REFUSED[sentence]), "-o", "refused.h5", "-q")
    check(code == 4 and err.count("carom: ") == 1 and sentence in err, sentence, code, err)
