#!/usr/bin/env python3
# tol of solids against dp5 at a far tighter one, or against far smaller steps. Loads that begin at once shake the cells
# at the largest frequency: waves so small that two flights may be out of phase without being far apart.
import os
import pathlib
import re
import subprocess

import h5py
import numpy as np

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def motion(*options):
    subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("run.h5"), "-q", *options], check=True)
    with h5py.File("run.h5") as run:
        return [run[f"particles/cells/{name}/value"][:] for name in ("displacement", "velocity")]


SCENES = ["""
      box: {size: [0.139213797, 0.070251424], cells: [7, 7]}
      material: {young: 494390344, poisson: -0.5, density: 1659.33943}
      clamps: [{face: right}, {face: top, fix: [y]}]
      loads:
        - face: right
          traction: [-14406.9, 56850.5]
          signal: {shape: table, points: [[0, 0], [0.255044 ms, 1], [0.586601 ms, -0.4], [1.275219 ms, 0]]}
        - {face: top, moment: -11.757984}
run: {until: 1.53026328 ms}
record: {every: 0.038256582 ms}
""", """
      box: {size: [0.3, 0.1, 0.1], cells: [6, 2, 2]}
      material: {young: 1e9, poisson: 0.3, density: 1000}
      clamps: [{face: left}]
      loads:
        - {near: [0.3, 0, 0], force: [0, 0, 100]}
        - {face: right, traction: [1e5, 0, 0], signal: {shape: half-sine, duration: 0.1 ms}}
run: {until: 2 ms}
""", """
      box: {size: [0.3, 0.2], cells: [6, 4]}
      material: {young: 1e6, poisson: 0.3, density: 1000}
      damping: {mass: 1, stiffness: 2e-4}
start: [{spin: 30}]
run: {until: 0.3}
"""]
DRIVEN = """
      box: {size: [1, 0.1], cells: [10, 1]}
      material: {young: 1e6, poisson: 0, density: 1000}
      clamps: [{face: left}]
      damping: {mass: 300, stiffness: 1e-2}
      drives: [{face: right, displacement: [1 mm, 0], signal: {shape: sine, frequency: 7}}]
run: {until: 0.1 s}
record: {every: 10 ms}
"""
for scene in SCENES + [DRIVEN]:
    pathlib.Path("scene.yaml").write_text("theory: solid\nbodies:\n  - solid:" + scene)
    said = subprocess.run([CAROM, "check", "scene.yaml"], capture_output=True, text=True, check=True).stdout
    speed, length = (float(re.search(name + r" = ([0-9.e+-]+)", said)[1]) for name in "VU")
    finer = ["run.step=1e-6"] if scene == DRIVEN else ["run.scheme=dp5", "run.tol=1e-6"]
    true = motion(*(word for key in finer for word in ("--set", key)))
    for tol in (3e-3, 1e-3, 1e-4):
        found = motion("--set", f"run.tol={tol}")
        off = max(np.abs(found[0] - true[0]).max() / length, np.abs(found[1] - true[1]).max() / speed)
        check(off <= tol, f"tol {tol}: {off:.2e}")
        check(off >= 0.05 * tol, f"tol {tol}: {off:.2e}, more steps than it takes")
        print(f"tol {tol:.0e}: off by {off:.1e}")

# no other scheme knows drives: studies of steps compare with smaller ones
said = subprocess.run([CAROM, "converge", "scene.yaml", "--steps", "1.6e-4,8e-5,4e-5"], capture_output=True, text=True,
                      check=True).stdout
orders = [float(word) for word in said.splitlines()[-1].split()[-2:]]
check("reference  rattle, step 2.5e-06" in said and all(abs(order - 2) < 0.05 for order in orders), said)
said = subprocess.run([CAROM, "converge", "scene.yaml", "--tols", "1e-2,1e-3"], capture_output=True, text=True)
check(said.returncode != 0 and "drives" in said.stderr and said.stderr.count("\n") == 1, said.stderr)

end()
