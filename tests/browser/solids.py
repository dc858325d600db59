"""Solids in a real browser: all of a scene are drawn, told apart by name, cut open, and what breaks is drawn where it broke; on
a phone, a tablet and a desk. Numbers are the run file's."""
import os
import sys

import h5py

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
from pages import page_of  # noqa: E402

# a block falls on one of Voronoi cells and a sphere on both: three bodies with gaps between them
THREE = ("units: none\ntheory: solid\nbodies:\n"
         "  - solid: {name: upper, box: {size: [4, 4, 2], cells: [4, 4, 3], origin: [0, 0, 2.01]}, material: {young: 1, poisson: 0.2, density: 1},\n"
         "      sensors: {edge: [4, 2, 3]}}\n"
         "  - solid: {name: lower, voronoi: {box: {size: [4, 4, 2]}, cells: 40, relax: 5}, material: {young: 1, poisson: 0.2, density: 1},\n"
         "      clamps: [{face: bottom}]}\n"
         "  - sphere: {at: [2, 2, 5.1], radius: 1, mass: 0.5, velocity: [0, 0, -0.2]}\n"
         "contacts: {law: hertz, k: 1}\nstart: [{body: upper, velocity: [0, 0, -0.05]}]\nrun: {until: 2}\n"
         "record: {every: 0.1, probes: [u, v, rotation, stress, contact_force, reaction]}\n")
# a bar of the plane that is pulled apart at both ends
TORN = ("units: none\ntheory: solid\nbodies:\n"
        "  - solid: {box: {size: [8, 2], cells: [8, 2]}, plane: stress, material: {young: 1, poisson: 0.2, density: 1}, fracture: {strength: 0.1, energy: 0.002}}\n"
        "start: [{box: [[0, 0], [4, 2]], velocity: [-0.5, 0]}, {box: [[4, 0], [8, 2]], velocity: [0.5, 0]}]\nrun: {until: 4}\n"
        "record: {every: 0.1, probes: [u, rotation, damage, link_damage, crack_area]}\n")

browser.packages()
browser.chromium()
three, torn = page_of("three", THREE), page_of("torn", TORN)
with h5py.File("three.h5", "r", swmr=True) as file:
    cells = {name: file["particles/%s/displacement/value" % name].shape[1] for name in ("upper", "lower")}
with h5py.File("torn.h5", "r", swmr=True) as file:
    damage, area = file["particles/links/damage/value"][()], file["observables/solids/crack_area/value"][()]
    broken = [int((row >= 1).sum()) for row in damage]
if not 0 < broken[-1] < damage.shape[1]:
    sys.exit("the bar is not torn, or wholly: %d links" % broken[-1])
sys.exit(browser.run("solids.mjs", {"three": three, "cells": cells, "torn": torn, "broken": broken, "area": list(map(float, area))}))
