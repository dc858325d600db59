#!/usr/bin/env python3
# Bodies that settle together: two bars tied end to end against the stretch of one under its weight; a sphere on a block
# against Hertz's overlap, a column of spheres, a block on a block whose contact bears its weight, on a floor and bent onto
# one. What has settled stays: after a run from there nothing moves. Threads change no bit; bodies that nothing holds, or
# nothing but friction would, are refused or told of; loads of the start act with all of it.
import os
import pathlib
import subprocess

import h5py
import numpy

from checks import check, end, near

CAROM = os.environ["CAROM"]
SOFT = "{young: 1e8, poisson: 0.3, density: 1000}"
HEAD = "theory: solid\ngravity: [0, 0, -9.81]\n"
TAIL = "start: [{settle: true}]\nrun: {until: 1e-3}\nrecord: {every: 1e-4, probes: [PROBES]}\n"


def start(name, text, *more):
    pathlib.Path(f"{name}.yaml").write_text(text)
    return subprocess.run([CAROM, "run", f"{name}.yaml", "-o", f"{name}.h5", *more], capture_output=True, text=True)


def run(name, text, rest=1e-20, *more):
    """the file; at its end next to nothing moves"""
    done = start(name, text, *more)
    if not check(done.returncode == 0, name, done.stderr):
        end()
    check("too long" not in done.stdout, name, "no step is blamed for what is rounding", done.stdout)
    with h5py.File(f"{name}.h5") as file:
        ledger = {item: file[f"observables/ledger/{item}/value"][-1] for item in ("kinetic", "stored")}
        check(ledger["kinetic"] < rest * abs(ledger["stored"]), name, "stays at rest", ledger)
        return {item: file[item][()] for item in found(file)}


def found(file):
    names = []
    file.visititems(lambda name, item: names.append(name) if isinstance(item, h5py.Dataset) and name.endswith("value") else None)
    return names


def tail(*probes):
    return TAIL.replace("PROBES", ", ".join(probes))


# two bars of 1 m, the upper one held at the middles of its outermost cells: the tie is a link more
BARS = HEAD + """bodies:
  - solid: {name: upper, box: {size: [0.1, 0.1, 1], cells: [2, 2, 20], origin: [0, 0, 1]}, material: MATERIAL, clamps: [{face: top}], sensors: {tied: [0.05, 0.05, 1]}}
  - solid: {name: lower, box: {size: [0.1, 0.1, 1], cells: [2, 2, 20]}, material: MATERIAL, sensors: {tip: [0.05, 0.05, 0]}}
ties: [{between: [upper, lower]}]
""".replace("MATERIAL", "{young: 1e9, poisson: 0, density: 1000}")
file = run("bars", BARS + tail("u", "v"))
length, pull = 1.975, 1000 * 9.81 / 1e9
tied, tip = file["particles/sensors/displacement/value"][0, :, 2]
near(tip, -pull * length**2 / 2, 1e-9 * abs(tip), "the end of two tied bars")
near(tied, -pull * (length**2 - 1) / 2, 1e-9 * abs(tied), "where they are tied")
HELD = BARS.replace("sensors: {tip:", "loads: [{face: bottom, force: [0, 0, 98.1], during: start}], sensors: {tip:")
done = start("let-go", HELD + tail("u"))
with h5py.File("let-go.h5") as file:
    lifted = file["particles/sensors/displacement/value"][0, :, 2]
near(lifted[1] - tip, 98.1 * length / 1e7, 1e-9 * abs(tip), "a load of the start lifts both; the sensor goes on beyond where it acts")

# a sphere on a block: the overlap is Hertz's, what the block bears is its weight
BLOCK = f"- solid: {{name: block, box: {{size: [0.2, 0.2, 0.1], cells: [8, 8, 4]}}, material: {SOFT}, clamps: [{{face: bottom}}]}}"
BALL = "  - sphere: {at: [0.1, 0.1, 0.13], radius: 0.03, mass: 0.5}\n"
file = run("ball", HEAD + f"bodies:\n  {BLOCK}\n{BALL}contacts: {{law: hertz, k: 1e7}}\n" + tail("u", "gap", "contact_load"))
weight = 0.5 * 9.81
near(file["particles/block/contact_load/value"][0, :, 2].sum() / weight, -1, 1e-9, "the block bears the ball")
near(-file["observables/contacts/gap/value"][0, 0], (weight / 1e7) ** (2 / 3), 1e-3 * (weight / 1e7) ** (2 / 3), "Hertz's overlap")
file = run("column", HEAD + f"bodies:\n  {BLOCK}\n  - lattice: {{kind: sc, count: [1, 1, 5], radius: 1 cm, at: [0.1, 0.1, 0.11], material: steel}}\n"
           "contacts: {law: hertz, k: 1e9}\n" + tail("u", "contact_load", "contact_force"))
with h5py.File("column.h5") as h5:
    mass, pairs = h5["particles/balls/mass"][()], h5["connectivity/contacts"][()]
force = file["observables/contacts/force/value"][0]
for low in range(4):  # bodies count from 1 in files, or from 0: the contact of two neighbours is that with the largest force of the two
    borne = 9.81 * mass[low + 1 :].sum()
    check(abs(force / borne - 1).min() < 1e-9, "a ball bears those above it", borne, force, pairs)

# a block on a block and on a floor: what is below bears it
UPPER = f"- solid: {{name: upper, box: {{size: [0.1, 0.1, 0.1], cells: [4, 4, 4], origin: [PLACE]}}, material: {SOFT}}}"
BLOCKS = HEAD + f"bodies:\n  {BLOCK}\n  {UPPER}\n".replace("PLACE", "0.05, 0.05, 0.1") + tail("u", "contact_load", "contact_force")
file = run("blocks", BLOCKS, 1e-18)
near(file["particles/block/contact_load/value"][0, :, 2].sum(), -9.81, 1e-8, "the lower block bears the upper one")
near(file["particles/upper/contact_load/value"][0, :, 2].sum(), 9.81, 1e-8, "which it carries")
again = start("threads", BLOCKS.replace("until: 1e-3", "until: 1e-3, threads: 2"), "-q")
with h5py.File("threads.h5") as two:
    check((two["particles/upper/displacement/value"][()] == file["particles/upper/displacement/value"]).all(), "threads change no bit")
FLOOR = "- plane: {at: [0, 0, 0], normal: [0, 0, 1], name: floor}"
file = run("floor", HEAD + f"bodies:\n  {UPPER.replace('PLACE', '0, 0, 0')}\n  {FLOOR}\n" + tail("u", "contact_force"))
near(file["observables/contacts/force/value"][0, 0], 9.81, 1e-3, "so does a floor")

# where middles of pieces lie on the borders of faces below, forces jump: it rests as well as these allow
SMALL = BLOCKS.replace("size: [0.2, 0.2, 0.1], cells: [8, 8, 4]", "size: [0.1, 0.1, 0.1], cells: [3, 3, 3]")
UNEQUAL = SMALL.replace("size: [0.1, 0.1, 0.1], cells: [4, 4, 4], origin: [0.05, 0.05", "size: [0.08, 0.08, 0.05], cells: [4, 4, 4], origin: [0.01, 0.01")
file = run("unequal", UNEQUAL, 1e-12)
near(file["particles/block/contact_load/value"][0, :, 2].sum(), -3.1392, 1e-5, "a block of cells that do not match bears another")

# over the edge of a side that a clamp cuts through the middles of faces: what is left of those there has no slivers
CUT = UNEQUAL.replace("cells: [4, 4, 4]", "cells: [2, 2, 2]").replace("face: bottom", "face: left")
file = run("cut", CUT, 1e-12)
near(file["particles/upper/contact_load/value"][0, :, 2].sum(), 3.1392, 1e-8, "a block lies over the edge of a side that is cut")
done = start("cut-run", CUT.replace("start: [{settle: true}]\n", ""))
if check(done.returncode == 0, "and falls onto it", done.stderr):
    with h5py.File("cut-run.h5") as h5:
        ledger = {item: h5[f"observables/ledger/{item}/value"][()] for item in ("kinetic", "stored", "residual")}
        check(abs(ledger["residual"]).max() < 1e-3 * abs(ledger["stored"]).max(), "its energy is kept", ledger)

# general cells and another number of them, of which faces do not match: they slide by what roughness leaves
VORONOI = "- solid: {name: NAME, voronoi: {box: {size: [SIZE], origin: [PLACE]}, cells: 120, relax: 20}, material: MATERIAL}"
UPPER_CELLS = VORONOI.replace("NAME", "upper").replace("SIZE", "0.1, 0.1, 0.1").replace("PLACE", "0.04, 0.05, 0.1")
file = run("voronoi", HEAD + f"bodies:\n  {BLOCK}\n  {UPPER_CELLS}\n".replace("MATERIAL", SOFT) + tail("u", "contact_load"), 1e-9)
near(file["particles/block/contact_load/value"][0, :, 2].sum(), -9.81, 1e-4, "a block bears one of other cells")

# a beam that bends through a stop as long as it is alone; in the plane
STOP = """theory: solid
gravity: [0, -9.81]
bodies:
  - solid: {name: beam, box: {size: [1, 0.05], cells: [40, 2]}, material: {young: 1e7, poisson: 0.3, density: 1000}, clamps: [{face: left}]}
  - plane: {at: [0, -0.02], normal: [0, 1], name: stop}
"""
file = run("stop", STOP + tail("u", "contact_force"))
low = file["particles/beam/displacement/value"][0, :, 1].min()
check(-0.0205 < low < -0.0195 and file["observables/contacts/force/value"][0, 0] > 1, "the stop holds the beam", low)

# after settling come velocities, as for a body alone
file = start("thrown", BLOCKS.replace("[{settle: true}]", "[{settle: true}, {body: upper, velocity: [0, 0, 0.1]}]").replace("[u,", "[u, v,"))
with h5py.File("thrown.h5") as h5:
    check((h5["particles/upper/velocity/value"][0, :, 2] == 0.1).all() and (h5["particles/block/velocity/value"][0] == 0).all(), "velocities come after")

# what finds no rest: on a slope, over an edge, two balls that a third one drives apart, a ball that is thrown is no load
for name, text, words in (
    ("slope", HEAD.replace("[0, 0", "[1, 0") + f"bodies:\n  {UPPER.replace('PLACE', '0, 0, 0')}\n  {FLOOR}\n" + tail("u"), "upper finds no equilibrium"),
    ("edge", BLOCKS.replace("origin: [0.05, 0.05", "origin: [0.16, 0.05"), "upper finds no equilibrium"),
    ("air", BLOCKS.replace("origin: [0.05, 0.05, 0.1]", "origin: [0.05, 0.05, 0.11]"), "the body finds no equilibrium"),
    ("apart", HEAD + f"bodies:\n  {BLOCK}\n" + "".join(f"  - sphere: {{at: [{x}, 0.1, {z}], radius: 1 cm, mass: 0.1}}\n" for x, z in ((0.09, 0.11), (0.11, 0.11), (0.1, 0.12732)))
     + "contacts: {law: hertz, k: 1e8}\n" + tail("u"), "finds no equilibrium"),
):
    done = start(name, text)
    check(done.returncode != 0 and words in done.stderr and "start" in done.stderr, name, "is refused", done)
done = start("leans", HEAD.replace("[0, 0", "[0.001, 0") + f"bodies:\n  {UPPER.replace('PLACE', '0, 0, 0')}\n  {FLOOR}\n" + tail("u"))
check(done.returncode == 0 and "upper would slide: 0.0001 of its load" in done.stdout, "what friction alone would hold is told", done)
file = run("thrown-ball", (HEAD + f"bodies:\n  {BLOCK}\n{BALL}contacts: {{law: hertz, k: 1e7}}\n" + tail("u", "contact_force")).replace("mass: 0.5", "mass: 0.5, velocity: [0, 0, 1]"), 1e9)
check(file["observables/contacts/force/value"][0, 0] < 1e-6, "a ball that is thrown does not lie on the block")
end(46)
