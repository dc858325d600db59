#!/usr/bin/env python3
# A plane of symmetry: half (a quarter) of a model moves as the whole one, to rounding, under loads, gravity, damping
# and with two materials; in the plane, in space, on a cylinder. A bar on rollers stretches exactly as Hooke says.
import os
import pathlib
import subprocess
import sys

import h5py
import numpy as np

CAROM = os.environ["CAROM"]
failures = 0
checks = 0


def check(good, what):
    global failures, checks
    checks += 1
    if not good:
        failures += 1
        print(f"does not hold: {what}", file=sys.stderr)


def run(name, scene):
    pathlib.Path(f"{name}.yaml").write_text(scene)
    result = subprocess.run([CAROM, "run", f"{name}.yaml", "-o", f"{name}.h5", "-q"], capture_output=True, text=True)
    check(result.returncode == 0, f"{name}: {result.stderr.strip()}")
    with h5py.File(f"{name}.h5") as file:
        cells = file["particles/cells"]
        names = ["displacement", "velocity", "stress", "strain"]
        ledger = {item: file["observables/ledger"][item]["value"][:] for item in ["kinetic", "stored", "dissipated"]}
        depth = cells["displacement/value"].shape[2]
        return cells["centre"][:, :depth], {item: cells[item]["value"][:] for item in names}, ledger


def same(name, whole, half, share):
    """cells of the half model move as those of the whole one; its ledger is the share of the whole one's"""
    centre, values, ledger = whole
    part_centre, part_values, part_ledger = half
    twin = [int(np.argmin(((centre - place) ** 2).sum(axis=1))) for place in part_centre]
    check(np.allclose(centre[twin], part_centre), f"{name}: cells of the half are cells of the whole")
    for item, value in values.items():
        off = abs(value[:, twin] - part_values[item]).max() / abs(value).max()
        check(off < 1e-9, f"{name}: {item} differs by {off:.1e}")
    for item, value in ledger.items():
        off = abs(share * value - part_ledger[item]).max() / max(abs(value).max(), 1e-300)
        check(off < 1e-9, f"{name}: {item} of the ledger differs by {off:.1e}")


MATERIAL = "{young: 1e6, poisson: 0.35, density: 1000}"
OTHER = "{young: 4e6, poisson: 0.1, density: 700}"


def plane(left, count, clamps, kind, drives=""):
    # cells of 0.1 m; the plane of symmetry stands at x = 1.05
    return f"""
theory: solid
bodies:
  - solid:
      box: {{size: [{0.1 * count}, 0.4], cells: [{count}, 4], origin: [{left}, 0]}}
      plane: {kind}
      material: {MATERIAL}
      regions: [{{material: {OTHER}, box: [[0.7, 0], [1.4, 0.15]]}}]
      damping: {{mass: 2, stiffness: 1e-4}}
      gravity: [0, -9.81]
      clamps: [{clamps}]
      drives: [{drives}]
      loads:
        - {{face: top, pressure: 2e4, signal: {{shape: half-sine, duration: 0.02}}}}
        - {{face: right, traction: [1e4, 0]}}
        {"- {face: left, traction: [-1e4, 0]}" if count == 21 else ""}
run: {{until: 0.05, step: 2e-4}}
record: {{every: 0.005, probes: [u, v, stress, strain]}}
"""


for kind in ["strain", "stress"]:
    whole = run("whole", plane(0, 21, "", kind))
    same(f"plane {kind}", whole, run("half", plane(1, 11, "{face: left, symmetry: x}", kind)), 0.5)
drive = "{face: bottom, displacement: [free, 1 mm], signal: {shape: sine, frequency: 30}}"
whole = run("whole", plane(0, 21, "", "strain", drive))
same("driven", whole, run("half", plane(1, 11, "{face: left, symmetry: x}", "strain", drive)), 0.5)


def space(corner, count, clamps):
    pushes = ["- {face: right, traction: [3e4, 0, 0]}", "- {face: back, traction: [0, -1e4, 0]}"]
    if count[0] == 7:
        pushes.append("- {face: left, traction: [-3e4, 0, 0]}")
    if count[1] == 5:
        pushes.append("- {face: front, traction: [0, 1e4, 0]}")
    return f"""
theory: solid
bodies:
  - solid:
      box: {{size: {[0.1 * n for n in count]}, cells: {count}, origin: {corner}}}
      material: {MATERIAL}
      gravity: [0, 0, -9.81]
      clamps: [{clamps}]
      loads:
        - {{face: top, pressure: 2e4, signal: {{shape: half-sine, duration: 0.02}}}}
        {(chr(10) + "        ").join(pushes)}
run: {{until: 0.05, step: 2e-4}}
record: {{every: 0.005, probes: [u, v, stress, strain]}}
"""


whole = run("whole", space([0, 0, 0], [7, 5, 3], ""))
half = run("half", space([0.3, 0, 0], [4, 5, 3], "{face: left, symmetry: x}"))
same("space", whole, half, 0.5)
quarter = run("quarter", space([0.3, 0.2, 0], [4, 3, 3], "{face: left, symmetry: x}, {face: front, symmetry: y}"))
same("a quarter in space", whole, quarter, 0.25)


def cylinder(bottom, along, clamps):
    return f"""
theory: solid
bodies:
  - solid:
      cylinder: {{radius: 1, height: {0.2 * along}, thickness: 0.05, around: 24, along: {along}, origin: [0, 0, {bottom}]}}
      material: {MATERIAL}
      clamps: [{clamps}]
      loads: [{{face: inside, box: [[0, -2, -2], [2, 2, 4]], pressure: 2e4, signal: {{shape: half-sine, duration: 0.02}}}}]
run: {{until: 0.05, step: 2e-4}}
record: {{every: 0.005, probes: [u, v, stress, strain]}}
"""


whole = run("whole", cylinder(0, 7, ""))
same("cylinder", whole, run("half", cylinder(0.6, 4, "{face: bottom, symmetry: z}")), 0.5)

# a bar on rollers, pulled: uniform stress and strain to the last cell
for kind in ["strain", "stress"]:
    scene = f"""
theory: solid
bodies:
  - solid:
      box: {{size: [2, 0.5], cells: [12, 3]}}
      plane: {kind}
      material: {{young: 3e9, poisson: 0.3, density: 1000}}
      clamps: [{{face: left, fix: [x]}}, {{face: bottom, fix: [y]}}]
      loads: [{{face: right, traction: [2e5, 0]}}]
start: [settle: true]
run: {{until: 1e-6}}
record: {{times: [0], probes: [u, v, stress, strain]}}
"""
    centre, values, _ = run("bar", scene)
    young, nu, pull = 3e9, 0.3, 2e5
    along, across = (pull / young, -nu * pull / young) if kind == "stress" else (
        (1 - nu**2) * pull / young, -nu * (1 + nu) * pull / young)
    start = centre.min(axis=0)
    expected = (centre - start) * [along, across]
    check(abs(values["displacement"][0] - expected).max() < 1e-9 * along, f"{kind}: the bar stretches as Hooke says")
    check(abs(values["stress"][0][:, 0] / pull - 1).max() < 1e-8, f"{kind}: its stress is uniform")
    check(abs(values["strain"][0][:, 1] / across - 1).max() < 1e-8, f"{kind}: so is its strain across")

print(f"{checks} checks, {failures} failed")
sys.exit(failures > 0)
