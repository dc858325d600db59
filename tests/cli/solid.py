#!/usr/bin/env python3
# Solids through the program: run files have the shapes the manual says, a stopped run resumes to the same numbers, one
# and two threads and other recordings give the same state, a run that blows up keeps what it recorded.
import os
import pathlib
import re
import signal
import subprocess
import time

import h5py
import numpy as np

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def carom(*arguments, status=0):
    result = subprocess.run([CAROM, *arguments], capture_output=True, text=True)
    check(result.returncode == status, f"{arguments}: exit code {result.returncode}, {result.stderr.strip()}")
    return result


SCENE = """
theory: solid
bodies:
  - solid:
      box: {size: [1.0, 0.6, 0.4], cells: [5, 3, 2]}
      material: {young: 1e6, poisson: 0.3, density: 1000}
      damping: {mass: 1, stiffness: 1e-5}
      gravity: [0, 0, -9.81]
      sets: {tip: {face: right}}
      clamps: [{face: left}]
      loads: [{set: tip, face: right, traction: [100, 50, 0], signal: {shape: half-sine, start: 0.01, duration: 0.02}}]
      sensors: {corner: [1, 0.6, 0.4], middle: [0.5, 0.3, 0.2]}
start: [{velocity: [0, 0.1, 0], set: tip}]
run: {until: 0.1}
record: {every: 0.001, from: 0.02, to: 0.08, cells: {set: tip}, probes: [u, v, position, rotation, spin, stress, strain]}
"""
pathlib.Path("solid.yaml").write_text(SCENE)
carom("run", "solid.yaml", "-o", "a.h5", "-q")
with h5py.File("a.h5") as run:
    cells = run["particles/cells"]
    shapes = {"displacement": 3, "velocity": 3, "position": 3, "rotation": 4, "spin": 3, "stress": 6, "strain": 6}
    for name, depth in shapes.items():
        check(cells[name]["value"].shape == (61, 6, depth), f"{name} is {cells[name]['value'].shape}")
        check(np.isfinite(cells[name]["value"][:]).all(), f"{name} is finite")
    check(list(cells["index"][:]) == [4, 9, 14, 19, 24, 29], "cells of the right face")
    check(np.allclose(cells["centre"][:, 0], 0.9), "their centres")
    check(np.allclose(cells["position/value"][:], cells["centre"][:] + cells["displacement/value"][:]), "positions")
    check(run["particles/sensors/displacement/value"].shape == (61, 2, 3), "sensors")
    check(cells["box"].attrs["dimension"] == 3, "dimension of space")
    times = cells["displacement/time"][:]
    check(abs(times[0] - 0.02) < 1e-12 and abs(times[-1] - 0.08) < 1e-12, f"recorded from {times[0]} to {times[-1]}")
    young, nu = 1e6, 0.3
    stress, strain = cells["stress/value"][:], cells["strain/value"][:]
    trace = strain[:, :, 0] + strain[:, :, 1] + strain[:, :, 2]
    hooke = young / (1 + nu) * (strain[:, :, 0] + nu / (1 - 2 * nu) * trace)
    check(np.allclose(stress[:, :, 0], hooke, rtol=1e-9, atol=1e-9 * abs(stress).max()), "Hooke's law")
    ledger = run["observables/ledger"]
    scale = ledger["kinetic/value"][:].max()
    check(abs(ledger["residual/value"][:]).max() < 5e-3 * scale, "the ledger closes")
    check(ledger["dissipated/value"][-1] > 0, "damping is booked")

# what it will cost is told in cells: coordinates are six times as many
text = carom("check", "solid.yaml", "--set", "run.step=1e-4").stdout
check("cost       1000 steps of 30 cells\n" in text, text)
text = carom("check", "solid.yaml", "--set", "run.step=1e-4", "--set", "run.until=1e4").stdout
check("steps of 30 cells" in text and re.search("about .* on one thread\n", text), text)

# threads, and another recording
carom("run", "solid.yaml", "-o", "b.h5", "-q", "--threads", "2")
carom("run", "solid.yaml", "-o", "c.h5", "-q", "--set", "record.every=0.03", "--set", "record.cells=none")


def state(path):
    with h5py.File(path) as run:
        slots = run["checkpoint"]
        best = max(slots, key=lambda name: slots[name]["header"][()]["serial"])
        return slots[best]["state"][:]


check((state("a.h5") == state("b.h5")).all(), "two threads give the same state")
check((state("a.h5") == state("c.h5")).all(), "another recording gives the same state")

# stopped and resumed
long = ("--set", "run.until=40", "--set", "record.to=0", "--set", "record.every=1")
carom("run", "solid.yaml", "-o", "whole.h5", "-q", *long)
process = subprocess.Popen([CAROM, "run", "solid.yaml", "-o", fresh("part.h5"), "-q", *long], stderr=subprocess.DEVNULL)
while not os.path.exists("part.h5") and process.poll() is None:  # busy machines take long to begin
    time.sleep(0.01)
time.sleep(0.2)
process.send_signal(signal.SIGINT)
stopped = process.wait()
check(stopped in (0, 8), f"Ctrl-C: exit code {stopped}")
if stopped == 8:
    carom("resume", "part.h5", "-q")
check((state("whole.h5") == state("part.h5")).all(), "a resumed run ends in the same state")
with h5py.File("whole.h5") as a, h5py.File("part.h5") as b:
    same = a["particles/cells/displacement/value"][:] == b["particles/cells/displacement/value"][:]
    check(same.all(), "and has recorded the same")

# plane bodies: two numbers a cell, one angle
plane = SCENE.replace("[1.0, 0.6, 0.4]", "[1.0, 0.6]").replace("[5, 3, 2]", "[5, 3]")
plane = plane.replace("[0, 0, -9.81]", "[0, -9.81]").replace("[100, 50, 0]", "[100, 50]")
plane = plane.replace("[1, 0.6, 0.4]", "[1, 0.6]").replace("[0.5, 0.3, 0.2]", "[0.5, 0.3]")
plane = plane.replace("[0, 0.1, 0]", "[0, 0.1]")
pathlib.Path("plane.yaml").write_text(plane)
carom("run", "plane.yaml", "-o", "p.h5", "-q", "--set", "run.tol=1e-2")
with h5py.File("p.h5") as run:
    check(run["particles/cells/displacement/value"].shape == (61, 3, 2), "plane displacement")
    check(run["particles/cells/rotation/value"].shape == (61, 3), "plane rotation is an angle")
    check(run["particles/cells/box"].attrs["dimension"] == 2, "dimension of the plane")

# without checkpoints the file is small, holds the same numbers and cannot be resumed
carom("run", "solid.yaml", "-o", "s.h5", "-q", "--set", "run.resumable=false")
check(os.path.getsize("s.h5") < os.path.getsize("a.h5"), "no checkpoints, less to store")
with h5py.File("s.h5") as small, h5py.File("a.h5") as run:
    path = "particles/cells/displacement/value"
    check(np.array_equal(small[path][:], run[path][:]), "the same displacements without checkpoints")
result = carom("resume", "s.h5", "--until", "0.2", status=6)
check("no checkpoint" in result.stderr, result.stderr.strip())

# tables name axes and sensors; a sweep reads sensors; errors are those of displacements and speeds
head = carom("export", "a.h5", "--csv", "--items", "u,stress,sensor_u").stdout.splitlines()[0].split(",")
check(head[2:5] == ["u_1_x", "u_1_y", "u_1_z"] and "stress_6_xy" in head, f"columns {head[:6]}")
check(head[-3:] == ["sensor_u_2_x", "sensor_u_2_y", "sensor_u_2_z"], f"columns of sensors {head[-6:]}")
for old in ["sweep.h5", "no.h5"]:  # a sweep goes on in its file
    pathlib.Path(old).unlink(missing_ok=True)
carom("sweep", "solid.yaml", "--over", "young=1e6,2e6", "--outputs", "sensor_u_corner_x,stored", "-o", "sweep.h5", "-q")
with h5py.File("sweep.h5") as sweep, h5py.File("a.h5") as run:
    names = []
    sweep.visit(names.append)
    check(any("sensor_u_corner_x" in name for name in names), f"the sweep has {names}")
result = carom("sweep", "solid.yaml", "--over", "young=1e6,2e6", "--outputs", "u_3", "-o", "no.h5", "-q", status=3)
check("bodies in a row" in result.stderr, result.stderr.strip())
table = carom("converge", "solid.yaml", "--tols", "1e-1,1e-2", "--set", "run.until=0.01", "--set", "record.to=null",
              "--set", "record.from=null", "-q").stdout
rows = [line.split() for line in table.splitlines() if line.strip().startswith(("0.1 ", "0.01 "))]
check(len(rows) == 2 and all(max(float(r[2]), float(r[3])) <= float(r[0]) for r in rows), f"tol is kept: {rows}")

# a tolerance below what rounding leaves is said to be out of reach, and ends soon
pathlib.Path("fine.yaml").write_text("""
theory: solid
bodies:
  - solid:
      box: {size: [1, 0.2], cells: [4, 1]}
      material: {young: 1e9, poisson: 0.3, density: 1000}
      clamps: [{face: left}]
      loads: [{face: right, traction: [1e5, 0]}]
run: {until: 0.2 ms, tol: 1e-13}
""")
text = carom("run", "fine.yaml", "-o", "fine.h5").stdout
check("out of reach" in text, text)

# modes of a thin body and of a shell
for body in ["box: {size: [1, 0.1, 0.1], cells: [6, 1, 1]}", "cylinder: {radius: 1, height: 0.2, thickness: 0.05, around: 12, along: 1}"]:
    pathlib.Path("thin.yaml").write_text(f"theory: solid\nbodies:\n  - solid: {{{body}, material: steel}}\nrun: {{until: 1 ms}}\n")
    modes = carom("dispersion", "thin.yaml", "--modes", "modes.csv")
    check("modes" in modes.stdout and len(open("modes.csv").readlines()) > 30, f"modes of {body}")

# a run that blows up says where and keeps what it has
wild = SCENE.replace("velocity: [0, 0.1, 0], set: tip", "spin: [1e5, 0, 0], set: tip")
pathlib.Path("wild.yaml").write_text(wild)
result = carom("run", "wild.yaml", "-o", "w.h5", "-q", "--set", "record.from=0", "--set", "run.step=1e-3", status=5)
check("rattle broke down at t =" in result.stderr and "cell" in result.stderr, result.stderr.strip())
check("largest stable step" in result.stderr, result.stderr.strip())
with h5py.File("w.h5", swmr=True) as run:
    check(run["particles/cells/displacement/value"].shape[0] >= 1, "the first sample is there")

end()
