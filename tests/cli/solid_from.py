"""A solid begins as another run has left it: what was settled once is at rest, what moved goes on as one run through. The file
is asked for again by who goes on, and must be what it was; other bodies are refused in a sentence."""
import os
import shutil
import subprocess

import h5py

from checks import check, end, near

CAROM = os.environ["CAROM"]
SCENE = """units: none
theory: solid
bodies:
  - solid:
      name: one
      %s
      material: {young: 1e3, poisson: 0.3, density: 1}
      %s
%s
run: {until: %g, step: 1e-3}
record: {every: %g, cells: all, probes: [u, kinetic, stored, residual]}
"""
BOX = "box: {size: [1, 0.8, 0.6], cells: [5, 4, 3]}"
PLANE = "box: {size: [1, 0.8], cells: [10, 8]}\n      plane: strain"
HELD = "clamps: [{face: left}]\n      gravity: [1, -3, 2]"


def go(name, *parts):
    with open(name + ".yaml", "w") as file:
        file.write(SCENE % parts)
    return carom("run", name + ".yaml", "-o", name + ".h5", "-q")


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=100)


def last(name, what):
    with h5py.File(name + ".h5", "r") as file:
        return file[what + "/value"][-1]


for name in os.listdir("."):
    if name.endswith(".h5"):
        os.remove(name)

# settled once: it stays where it is, as one that has settled itself does
for result in (go("rest", BOX, HELD, "start: [{settle: true}]", 1e-3, 1e-3),
               go("taken", BOX, HELD, "start: [{run: rest.h5}]", 0.05, 0.01),
               go("itself", BOX, HELD, "start: [{settle: true}]", 0.05, 0.01)):
    check(result.returncode == 0, result.stderr)
moved = abs(last("itself", "particles/one/displacement")).max()
check(moved > 1e-3, "it gives way", moved)
near(abs(last("taken", "particles/one/displacement") - last("itself", "particles/one/displacement")).max(), 0, 1e-11 * moved,
     "where it rests")
near(last("taken", "observables/ledger/kinetic"), 0, 1e-12 * abs(last("taken", "observables/ledger/stored")), "it rests")

# what moves goes on: in two parts as in one, but for the reading of velocities in other axes
for case, body in (("space", BOX), ("plane", PLANE)):
    spin = "start: [{velocity: %s, spin: %s}, {displacement: %s, face: right}]" % (
        ("[1, 2, 3]", "[0.3, 2, 1]", "[1e-3, 0, 0]") if case == "space" else ("[1, 2]", "2", "[1e-3, 0]"))
    go(case + "A", body, "", spin, 0.03, 0.01)
    go(case + "B", body, "", "start: [{body: one, run: %sA.h5}]" % case, 0.04, 0.01)
    result = go(case + "C", body, "", spin, 0.07, 0.01)
    check(result.returncode == 0, result.stderr)
    for what in ("displacement", "velocity", "rotation"):
        with h5py.File(case + "C.h5", "r") as file:
            if "particles/one/" + what not in file:
                check(what != "displacement", case, "displacements are recorded")
                continue
        one, two = last(case + "C", "particles/one/" + what), last(case + "B", "particles/one/" + what)
        near(abs(one - two).max(), 0, 1e-12 * abs(one).max(), case, what)

# run files do not keep it, but whether it is the same: the same bits when one goes on, or a sentence
result = carom("run", "taken.h5", "-o", "again.h5", "-q")
check(result.returncode == 0, result.stderr)
with h5py.File("taken.h5", "r") as one, h5py.File("again.h5", "r") as two:
    check((one["particles/one/displacement/value"][:] == two["particles/one/displacement/value"][:]).all(), "repeated")
check(carom("resume", "taken.h5", "--until", "0.06", "-q").returncode == 0, "goes on")
shutil.move("rest.h5", "kept.h5")
result = carom("resume", "taken.h5", "--until", "0.07", "-q")
check(result.returncode == 6 and "run: rest.h5 cannot be read" in result.stderr, result)
check(carom("show", "taken.h5").returncode == 0, "who only looks does not need it")
for other, sentence in (("itself.h5", "is not what it was when this run began"), ("planeA.h5", "has other cells (80; here 60)")):
    shutil.copy(other, "rest.h5")
    result = carom("resume", "taken.h5", "--until", "0.07", "-q")
    check(result.returncode == 3 and sentence in result.stderr and ".h5:" in result.stderr, sentence, result)
shutil.move("kept.h5", "rest.h5")

# refusals
FLOWS = "plasticity: {yield: 10}"
for parts, sentence in (((BOX, HELD, "start: [{velocity: [1, 0, 0]}, {run: rest.h5}]"), "so it comes first"),
                        ((BOX, HELD, "start: [{run: rest.h5, face: left}]"), "face: run is for the whole body"),
                        ((BOX, HELD, "start: [{state: x, velocity: [1, 0, 0]}]"), "run is missing"),
                        ((BOX, FLOWS, "start: [{run: rest.h5}]"), "flows or breaks"),
                        ((BOX, HELD, "start: [{run: wrong.yaml}]"), "wrong.yaml cannot be read: it is not a run file")):
    result = go("wrong", *parts, 0.01, 0.01)
    check(result.returncode in (3, 4, 6) and sentence in result.stderr and "wrong.yaml:" in result.stderr, sentence, result)
end(20)
