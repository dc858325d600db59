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
    "nonlinear": (PLANE, ", nonlinear: {quadratic: -30, cubic: 900}, loads: [{face: top, traction: [1, -3], "
                  "signal: {shape: ricker, frequency: 9, start: 0.01}}]", "", 0.03, "", 0.0071),
}


def write(name, text):
    with open(name, "w") as f:
        f.write(text)
    return name


def same(case, counts):
    """the run file of that case is the same to the bit for these numbers of ranks; 0: without mpirun"""
    ranks.same(case, write(case + ".yaml", SCENE % CASES[case]), counts)


REFUSED = {
    "bodies that do not meet themselves": (BLOCK, ", self_contact: always", "", 0.06, "", 0.01),
    "bodies that meet themselves without friction": (BLOCK, ", fracture: {strength: 100}, self_friction: {mu: 0.3, slip_speed: 1}",
                                                     "", 0.06, "", 0.01),
    "bodies without contacts": (BLOCK, "}}, {solid: {name: two, box: {size: [1, 1, 1], cells: [2, 2, 2], origin: [5, 0, 0]}, " +
                                MATERIAL, "", 0.06, "", 0.01),
    "instead of tol": (BLOCK, "", "", 0.06, ", tol: 1e-3", 0.01),
}


def refused(sentence):
    """ranks do not share what that sentence names"""
    code, out, err = ranks.run(2, "run", write("refused.yaml", SCENE % REFUSED[sentence]), "-o", "refused.h5", "-q")
    check(code == 4 and err.count("carom: ") == 1 and sentence in err, sentence, code, err)
