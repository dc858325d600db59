#!/usr/bin/env python3
# A plane of symmetry: half (a quarter) of a model moves as the whole one, to rounding, under loads, gravity, damping
# and with two materials; in the plane, in space, on a cylinder. A bar on rollers stretches exactly as Hooke says.
import os
import pathlib
import subprocess

import h5py
import numpy as np

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


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


# Order in the cell size: sxx = 0, sxy = -c x, syy = c y asks nothing of rollers on the left, so all that is wrong is the mesh. A
# whole side is cut at the centres, where x = 0 is: second order. Half a side is held half a cell behind the rest of it: first.
def rolling(cells, whole):
    young, nu, c = 1e9, 0.3, 1e2
    modulus, ratio, shear = young / (1 - nu**2), nu / (1 - nu), young / 2 / (1 + nu)
    edge = 1 / (cells - 0.5) if whole else 1 / cells
    left = -edge / 2 if whole else 0
    places = [(0.9, 0.9), (0.5, 0.5), (0.7, 0.1), (0.2, 0.8)]
    loads = [f"{{face: right, traction: [0, {-c}]}}", f"{{face: top, traction: [0, {c}]}}"]
    for i in range(cells):
        x = left + (i + 0.5) * edge
        middle = edge / 4 if whole and i == 0 else x
        loads += [f"{{face: top, near: [{x}, 1], traction: [{-c * middle}, 0]}}",
                  f"{{face: bottom, near: [{x}, 0], traction: [{c * middle}, 0]}}"]
    pathlib.Path("rolling.yaml").write_text(f"""
theory: solid
bodies:
  - solid:
      box: {{size: [{cells * edge}, 1], cells: [{cells}, {cells}], origin: [{left}, 0]}}
      material: {{young: {young}, poisson: {nu}, density: 1000}}
      clamps: [{{face: left, box: [[-1, 0], [1, {1 if whole else 0.5}]], fix: [x]}}, {{near: [0.5, 0.5], fix: [y]}}]
      loads: [{", ".join(loads)}]
      sensors: {{{", ".join(f"s{i}: {list(place)}" for i, place in enumerate(places))}}}
start: [settle: true]
run: {{until: 1e-7}}
record: {{times: [0], cells: none}}
""")
    subprocess.run([CAROM, "run", "rolling.yaml", "-o", fresh("rolling.h5"), "-q"], check=True)
    with h5py.File("rolling.h5") as file:
        found = file["particles/sensors/displacement/value"][0]
    exact = np.array([[-ratio * c * x * y / modulus, c * y * y / 2 / modulus - (c / shear - ratio * c / modulus) * x * x / 2]
                      for x, y in places])
    off = found - exact
    off[:, 1] -= off[1, 1]  # nothing says how high it stands
    return abs(off).max() / abs(exact).max()


for whole, least, most, allowed in [(True, 1.85, 2.15, 1e-3), (False, 0.8, 1.2, 1.2e-2)]:
    coarse, fine = rolling(16, whole), rolling(32, whole)
    order = np.log2(coarse / fine)
    check(least < order < most and fine < allowed, f"{'whole' if whole else 'half'} a side held: {fine:.2e}, order {order:.2f}")

end()
