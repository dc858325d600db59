#!/usr/bin/env python3
# A clamped side is a wall that the body is stuck to: lowest frequencies against those of graded finite elements
# (tests/reference/clamped_block.py), to second order in the cell size. With the turns of the cells held beside their
# places (fix: [x, y, turn]) the error is of first order.
import csv
import os
import pathlib
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]
PLANE = {0.0: [0.69114322, 1.57079633, 1.88202538], 0.3: [0.67787540, 1.66275968, 1.81879362]}
BEAM = 0.14758640  # 2.5 x 1 x 1, nu = 0.28


def modes(name, size, cells, poisson, clamps="{face: left}"):
    pathlib.Path(f"{name}.yaml").write_text(f"""
theory: solid
units: none
bodies:
  - solid:
      box: {{size: {size}, cells: {cells}}}
      material: {{young: 1, poisson: {poisson}, density: 1}}
      clamps: [{clamps}]
start: [{{velocity: {[0.001] * len(cells)}}}]
run: {{until: 1}}
""")
    result = subprocess.run([CAROM, "dispersion", f"{name}.yaml", "--modes", f"{name}.csv", "-q"], capture_output=True)
    check(result.returncode == 0, f"{name}: {result.stderr}")
    with open(f"{name}.csv") as file:
        return [float(row["omega"]) for row in csv.DictReader(file)]


def plane(n, poisson, clamps="{face: left}"):
    """how far the modes of a square are off; half a cell is cut off at the wall"""
    found = modes(f"plane-{n}", [n / (n - 0.5), 1], [n, n], poisson, clamps)
    return [omega / true - 1 for omega, true in zip(found, PLANE[poisson])]


for poisson, most in [(0.0, [1.2e-3, 2e-3, 6e-4]), (0.3, [5e-3, 2e-3, 4e-4])]:
    off = plane(8, poisson)
    for mode in range(3):
        check(abs(off[mode]) < most[mode], f"nu {poisson}, mode {mode + 1} of 8 x 8 cells is off by {off[mode]:.2e}")
coarse, fine = plane(6, 0.3), plane(12, 0.3)
for mode in range(2):  # the third is nearly right from the first
    ratio = coarse[mode] / fine[mode]
    check(ratio > 3.5, f"mode {mode + 1}: {coarse[mode]:.2e} with 6 x 6 cells, {fine[mode]:.2e} with 12 x 12")
held = [plane(n, 0.3, "{face: left, fix: [x, y, turn]}")[0] for n in (6, 12)]
check(held[1] > 1e-2 and held[0] / held[1] < 2.5, f"cells that do not turn: {held}")

# in space, and where there is but one cell across, whose turn must be held
off = modes("beam", [8 / 3, 1, 1], [8, 3, 3], 0.28)[0] / BEAM - 1
check(-0.0095 < off < -0.009, f"the beam of 8 x 3 x 3 cells is off by {off:.2e}")
thin = [modes("thin", [2, 0.1], [20, 1], 0.0, clamps)[0] for clamps in ("{face: left}", "{face: left, fix: [x, y, turn]}")]
check(thin[0] == thin[1] > 0.01, f"a section of one cell does not turn at a wall: {thin}")

end(12)
