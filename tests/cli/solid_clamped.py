#!/usr/bin/env python3
# Bodies that are clamped on any side, or on several: rattle converges with order 2 to what dp5 says of the same body.
# The kernels of both share little, and neither may take a cut cell for a whole one.
import csv
import os
import pathlib
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]


def converge(name, shape, clamps, gravity, push):
    pathlib.Path(f"{name}.yaml").write_text(f"""
theory: solid
bodies:
  - solid:
      {shape}
      material: {{young: 1e6, poisson: 0.3, density: 1000}}
      clamps: {clamps}
      gravity: {gravity}
start: [{push}]
run: {{until: 16 ms}}
record: {{every: 4 ms}}
""")
    command = [CAROM, "converge", f"{name}.yaml", "--steps", "4e-4,2e-4,1e-4"]
    command += ["--reference-tol", "1e-9", "--csv", f"{name}.csv", "-q"]
    result = subprocess.run(command, capture_output=True, text=True)
    check(result.returncode == 0, f"{name}: {result.stderr.strip()}")
    if result.returncode != 0:
        return
    with open(f"{name}.csv") as file:
        rows = list(csv.DictReader(file))
    error = [float(row["du"]) for row in rows]
    for coarse, fine in zip(error, error[1:]):
        check(3.0 < coarse / fine < 5.0, f"{name}: errors {error} do not fall by four")


PLANE = [
    "[{face: left}]",
    "[{face: right}]",
    "[{face: bottom}]",
    "[{face: top}]",
    "[{face: left}, {face: bottom}]",
    "[{face: left}, {face: right, symmetry: x}]",
    "[{face: bottom, fix: [y]}]",
]
for number, clamps in enumerate(PLANE):
    for kind in ["strain", "stress"]:
        body = f"box: {{size: [0.6, 0.4], cells: [6, 4]}}\n      plane: {kind}"
        start = "{near: [0.35, 0.25], velocity: [0.5, -0.3]}"
        converge(f"plane-{kind}-{number}", body, clamps, "[2, -5]", start)
SPACE = ["[{face: left}]", "[{face: back}]", "[{face: bottom}]", "[{face: top}, {face: front, symmetry: y}]"]
for number, clamps in enumerate(SPACE):
    start = "{near: [0.35, 0.15, 0.15], velocity: [0.5, -0.3, 0.2]}"
    converge(f"space-{number}", "box: {size: [0.4, 0.3, 0.3], cells: [4, 3, 3]}", clamps, "[2, -5, 3]", start)
SHELL = ["turn-x", "turn-y, turn-z", "turn"]  # the cells' own axes are not those of space
for number, turns in enumerate(SHELL):
    shape = "cylinder: {radius: 0.2, height: 0.3, thickness: 5 cm, around: 7, along: 3}"
    start = "{near: [0.2, 0, 0.25], velocity: [0.5, -0.3, 0.2]}"
    converge(f"shell-{number}", shape, f"[{{face: bottom, fix: [x, y, z, {turns}]}}]", "[2, -5, 3]", start)

end(50)
