#!/usr/bin/env python3
# Solids that break, in scenes: the ledger closes, a crack takes G_c for its area, threads and a cut in two change no bit;
# grids, Voronoi cells and mesh files in plane and space; a bar breaks where it should; pieces push each other; what does
# not go together, and what means nothing, is refused in words.
import os
import pathlib
import re
import subprocess

import h5py
import numpy as np

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
PLATE = """
units: none
theory: solid
bodies:
  - solid:
      SHAPE
      material: {young: 1, poisson: 0.3, density: 1}
      fracture: {FRACTURE}
      EXTRA
start: [START]
run: {until: UNTIL, OPTIONS}
record: {every: UNTIL, probes: [u, damage, crack_area, fracture, stress]}
"""
FLAT = "box: {size: [4, 2], cells: [24, 12]}"
NOTCH = "energy: 1e-5, cracks: [{at: [0, 1], normal: [0, 1], box: [[0, 0], [2, 2]]}]"
PULL = """drives:
        - {face: top, displacement: [free, 0.02], signal: {shape: ramp, duration: 40}}
        - {face: bottom, displacement: [free, -0.02], signal: {shape: ramp, duration: 40}}"""


def scene(shape=FLAT, fracture=NOTCH, extra=PULL, until=40, start="", options="threads: 1"):
    text = PLATE.replace("SHAPE", shape).replace("FRACTURE", fracture).replace("EXTRA", extra)
    return text.replace("START", start).replace("UNTIL", str(until)).replace("OPTIONS", options)


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True)


def run(name, text, *options):
    pathlib.Path(f"{name}.yaml").write_text(text)
    done = carom("run", f"{name}.yaml", "-o", f"{name}.h5", "-q", *options)
    check(done.returncode == 0, name, done.stderr)


def last(name, path):
    with h5py.File(f"{name}.h5") as file:
        return file[path + "/value"][-1]


def ledger(name, entry):
    return last(name, f"observables/ledger/{entry}")


def broken(name):
    return last(name, "observables/solids/crack_area")


# a crack runs through the plate
run("plate", scene())
check(broken("plate") == 4, "crack through the plate", broken("plate"))
check(abs(ledger("plate", "residual")) < 5e-3 * ledger("plate", "work"), "ledger", ledger("plate", "residual"))
taken = ledger("plate", "mechanism/fracture") / 2e-5
check(0.95 < taken < 1.25, "energy of a crack of length 2", taken)
damage = last("plate", "particles/cells/damage").reshape(12, 24)
check((damage[5] >= 0.24).all() and (damage[6] >= 0.24).all() and damage[:, :16].max() < 0.34, "where it runs")
run("slower", scene(options="step: 0.01, threads: 1"))
check(abs(ledger("slower", "residual")) < 5e-4 * ledger("slower", "work"), "ledger of smaller steps")

# threads, and a cut in two
run("two", scene(options="threads: 2"))
with h5py.File("plate.h5") as one, h5py.File("two.h5") as two:
    for item in ("particles/cells/displacement", "particles/cells/damage", "observables/ledger/mechanism/fracture"):
        check((one[item + "/value"][:] == two[item + "/value"][:]).all(), "bits of two threads", item)
apart = "{box: [[0, 0], [4, 1]], velocity: [0, -0.003]}, {box: [[0, 1], [4, 2]], velocity: [0, 0.003]}"
pathlib.Path("apart.yaml").write_text(scene(extra="", start=apart, until=16))
even = ("--set", "run.step=0.0625", "--set", "record.every=4")  # no step is cut at 4
halfway = carom("run", "apart.yaml", "-o", "cut.h5", "-q", "--set", "run.until=4", *even)
check(halfway.returncode == 0 and 2 < broken("cut") < 4, "halfway", halfway.stderr, broken("cut"))
check(carom("run", "apart.yaml", "-o", "whole.h5", "-q", *even).returncode == 0, "whole")
check(carom("resume", "cut.h5", "-q", "--until", "16").returncode == 0, "resume")
for item in ("particles/cells/displacement", "particles/cells/damage", "observables/ledger/mechanism/fracture"):
    check((last("cut", item) == last("whole", item)).all(), "bits of a run cut in two", item)

# a bar that is drawn apart breaks where its strength is reached, at once, and the ends fly on
bar = scene("box: {size: [8, 1, 1], cells: [8, 1, 1]}", "strength: 0.02", "", 6, "{velocity: [0, 0, 0]}")
for speed, breaks in ((0.012, False), (0.03, True)):
    ends = f"{{box: [[0, 0, 0], [4, 1, 1]], velocity: [{-speed}, 0, 0]}}, {{box: [[4, 0, 0], [8, 1, 1]], velocity: [{speed}, 0, 0]}}"
    run("bar", bar.replace("{velocity: [0, 0, 0]}", ends).replace("poisson: 0.3", "poisson: 0"))
    check((broken("bar") > 0) == breaks, "a bar drawn apart", speed, broken("bar"))  # rho c v = v, and a quarter more in a row of cells

# two loose halves that meet push each other, and keep the energy
halves = scene("box: {size: [4, 1], cells: [16, 4]}", "energy: 1, cracks: [{at: [2, 0], normal: [1, 0]}]", "", 12,
               "{box: [[0, 0], [2, 1]], velocity: [0.01, 0]}, {box: [[2, 0], [4, 1]], velocity: [-0.01, 0]}")
run("halves", halves)
u = last("halves", "particles/cells/displacement").reshape(4, 16, 2)
check(u[:, :8, 0].max() < 0 and u[:, 8:, 0].min() > 0 and ledger("halves", "mechanism/fracture") == 0, "halves part again")

# Voronoi cells, shells and mesh files, boxes in space
PIECES = ", cracks: [{at: [0, 0, 0.5], normal: [0, 0, 1], box: [[0, 0, 0], [1, 1, 1]]}]"
STRETCH = """drives:
        - {face: top, displacement: [free, free, 0.03], signal: {shape: ramp, duration: 10}}
        - {face: bottom, displacement: [free, free, -0.03], signal: {shape: ramp, duration: 10}}"""
for name, shape in (("space", "box: {size: [2, 1, 1], cells: [12, 6, 6]}"),
                    ("voronoi", "voronoi: {box: {size: [2, 1, 1]}, cells: 300, relax: 20}\n      accept_skew: true")):
    run(name, scene(shape, "energy: 1e-5" + PIECES, STRETCH, 10))
    check(broken(name) > 1.9 and abs(ledger(name, "residual")) < 1e-2 * ledger(name, "work"), name, broken(name))
    taken = ledger(name, "mechanism/fracture") / (broken(name) - 1) / 1e-5
    check(0.9 < taken < 2.0, "its energy", taken)
shell = scene("cylinder: {radius: 1, height: 2, thickness: 0.1, around: 24, along: 8}", "strength: 0.01",
              "loads: [{face: inside, pressure: 0.002}]", 20)
run("shell", shell)
check(broken("shell") > 0, "a shell bursts", broken("shell"))

# pictures and pages
check(carom("export", "plate.h5", "--vtk", "plate").returncode == 0, "export")
check(b'Name="damage"' in sorted(pathlib.Path(".").glob("plate*.vtu"))[-1].read_bytes(), "damage in the picture")
check(carom("report", "plate.h5", "-q", "-o", "plate.html").returncode == 0, "page")
told = carom("check", "plate.yaml").stdout
check("breaks     beyond" in told and "taking 1e-05" in told, "check tells it", told)
coarse = scene(fracture="strength: 1, energy: 1e-5")
pathlib.Path("coarse.yaml").write_text(coarse)
check("too large for a strength" in carom("check", "coarse.yaml").stdout, "cells too large")

# faces in the picture are those that have begun to break; broken ones are told apart
run("faces", scene(until=25).replace("damage,", "link_damage,"))
links = last("faces", "particles/links/damage")
faces = carom("export", "faces.h5", "--vtk", "faces").stdout
check(f"of {(links > 0).sum()} cracked faces at the end, {(links == 1).sum()} of them broken" in faces, "faces", faces)
check((links > 0).sum() > (links == 1).sum() > 0, "some are on the way", links)

# why steps are short, and that the cost is a lower bound
fast = scene(fracture="strength: 0.02, energy: 1e-5", extra="", start="{velocity: [0.1, 0]}", until=20000)
pathlib.Path("fast.yaml").write_text(fast)
told = carom("check", "fast.yaml").stdout
step = re.search(r"cracks open fast, at V in 25 steps of (\S+):", told)
check(step is not None and f"scheme     rattle: step = {step[1]}" in told, "the reason of the step", told)
check(re.search(r"at least \S+ (s|min|h) on one thread, and up to tens of times that", told), "what breaks costs more", told)


# what means nothing
def refused(words, text):
    pathlib.Path("wrong.yaml").write_text(text)
    done = carom("run", "wrong.yaml", "-o", fresh("wrong.h5"), "-q")
    said = done.stderr
    check(done.returncode not in (0, -11, -6) and words in said and not pathlib.Path("wrong.h5").exists(), words, said)


for value in ("0", "-1", ".nan", ".inf", "-.inf", "[1]", "soft", "''"):
    refused("strength", scene(fracture=f"strength: {value}"))
    refused("energy", scene(fracture=f"energy: {value}"))
    refused("shear", scene(fracture=f"strength: 1, shear: {value}"))
refused("when do links break", scene(fracture=""))
refused("when do links break", scene(fracture="shear: 2"))
refused("strenght", scene(fracture="strenght: 1"))
refused("this crack meets no link", scene(fracture="strength: 1, cracks: [{at: [0, 9], normal: [0, 1]}]"))
refused("has no direction", scene(fracture="strength: 1, cracks: [{at: [0, 1], normal: [0, 0]}]"))
refused("a crack has a point and a normal", scene(fracture="strength: 1, cracks: [{at: [0, 1]}]"))
refused("list", scene(fracture="strength: 1, cracks: 3"))
refused("two corners", scene(fracture="strength: 1, box: [[0, 0]]"))
refused("no link in this box", scene(fracture="strength: 1, box: [[9, 9], [10, 10]]"))
refused("has no links", scene("box: {size: [1, 1], cells: [1, 1]}", "strength: 1", ""))
refused("leave out plasticity", scene("box: {size: [4, 2, 1], cells: [8, 4, 2]}", "strength: 1", "plasticity: {yield: 1}"))
refused("leave out plasticity", scene("box: {size: [4, 2, 1], cells: [8, 4, 2]}", "strength: 1",
                                      "viscoelasticity: {relaxation: 1}"))
refused("damping", scene(extra="damping: {stiffness: 0.01}"))
refused("tol", scene(options="tol: 1e-3"))
refused("only scheme rattle", scene(extra="", options="scheme: verlet, step: 0.01"))
refused("needs a solid with fracture", scene().replace(f"fracture: {{{NOTCH}}}", ""))

done = carom("dispersion", "plate.yaml")
check("not worked out: a body with cracks" in done.stdout, "modes of a cracked body", done.stdout, done.stderr)

# halves that fly apart take G_c for the face between them by the default step, however fast they are
for speed in (5, 50):
    with open("apart.yaml", "w") as file:
        file.write(f"""theory: solid
bodies:
  - solid:
      box: {{size: [20 mm, 2 mm], cells: [20, 2]}}
      plane: stress
      depth: 1 mm
      material: {{young: 10 GPa, poisson: 0, density: 1000}}
      fracture: {{strength: 5 MPa, energy: 10 J/m^2, box: [[9.5 mm, 0], [10.5 mm, 2 mm]]}}
start: [{{box: [[10 mm, 0], [20 mm, 2 mm]], velocity: [{speed} m/s, 0]}}]
run: {{until: 5 us}}
""")
    done = carom("run", "apart.yaml")
    taken = float(re.search(r"^ +fracture +(\S+)", done.stdout, re.M)[1])
    check(abs(taken - 2e-5) < 0.02 * 2e-5, "halves apart", speed, taken)

# what goes together: absorbing sides, clamps, settling, several solids
run("more", scene(extra="absorbing: [left]\n      clamps: [{face: right}]\n      loads: [{face: top, traction: [0, 1e-3]}]",
                  start="{settle: true}", until=10))
check(abs(ledger("more", "residual")) < 1e-2 * abs(ledger("more", "stored")), "absorbing, clamped, settled")
several = scene(until=5, extra="name: first").replace("start: [", f"""  - solid:
      name: second
      box: {{size: [4, 2], cells: [24, 12], origin: [5, 0]}}
      material: {{young: 1, poisson: 0.3, density: 1}}
start: [{{body: first, velocity: [0.05, 0]}}, """)
run("several", several)
with h5py.File("several.h5") as file:
    check("damage" in file["particles/first"] and "damage" not in file["particles/second"], "of the solid that breaks")
end()
