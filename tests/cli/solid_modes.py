#!/usr/bin/env python3
# Modes of solids that are large or loaded, shapes, and waves along any vector, from the command line.
import csv
import math
import os
import pathlib
import subprocess

from checks import check, end, near

CAROM = os.environ["CAROM"]

def dispersion(scene, *words):
    pathlib.Path("scene.yaml").write_text("theory: solid\nunits: none\n" + scene + "\nrun: {until: 1}\n")
    return subprocess.run([CAROM, "dispersion", "scene.yaml", *words], capture_output=True, text=True)


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file))


def box(size, cells, more="", poisson=0.3):
    return f"""bodies:
  - solid:
      box: {{size: {size}, cells: {cells}}}
      material: {{young: 1, poisson: {poisson}, density: 1}}
      {more}
start: [{{velocity: {[0.001] * len(cells)}}}]"""


# waves: along a vector as along axes, and long ones at the speeds of the continuum in any direction
PLANE = box([4, 2], [8, 8])  # cells of 0.5 x 0.25
speeds = [math.sqrt(0.5 / 1.3), math.sqrt(0.7 / (1.3 * 0.4))]
for along, same in (("1,0", "x"), ("0,3", "y"), ("0.5,1", "xy")):
    tables = []
    for word in (along, same):
        done = dispersion(PLANE, "--along", word, "--csv", "waves.csv", "--points", "5", "-q")
        check(done.returncode == 0, done.stderr)
        tables.append(rows("waves.csv"))
    check(tables[0] == tables[1], f"--along {along} is --along {same}")
for along in ("1,0.3", "-2,0.7"):
    said = dispersion(PLANE, "--along", along).stdout.splitlines()
    for branch in range(2):
        line = [text for text in said if text.startswith(f"branch {branch + 1}")][0]
        near(float(line.split("phase velocity ")[1].split(";")[0]), speeds[branch], 1e-4, along, line)
for wrong in ("1", "1,2,3", "0,0", "1,a", "1,", "nan,1"):
    done = dispersion(PLANE, "--along", wrong)
    check(done.returncode == 2 and f"--along {wrong}: " in done.stderr, f"{wrong}: {done.stderr}")

built = "without ARPACK" not in dispersion(box([8, 1, 1], [32, 4, 4])).stdout
if built:
    # more than 2000 coordinates: bending against finite elements (tests/reference/clamped_block.py)
    beam = box([8, 1, 1], [32, 4, 4], "clamps: [{face: left}]")
    done = dispersion(beam, "--modes", "modes.csv", "--shapes", "shapes.csv", "--count", "4")
    check(done.returncode == 0 and "modes      the lowest 4, " in done.stdout, done.stdout + done.stderr)
    modes = [float(row["omega"]) for row in rows("modes.csv")]
    check(len(modes) == 4, modes)
    near(modes[0] / 0.01625257, 1.0054, 5e-4, "bending of the beam")
    near(modes[1] / modes[0], 1, 1e-9, "in both directions")
    shapes = rows("shapes.csv")
    check(len(shapes) == 4 * 512, len(shapes))
    check(max(abs(float(row["u_y"])) + abs(float(row["u_x"])) for row in shapes if int(row["cell"]) % 32 == 1) < 1e-9, "held")
    largest = max(abs(float(row[axis])) for row in shapes if row["mode"] == "1" for axis in ("u_x", "u_y", "u_z"))
    near(largest, 1, 1e-12, "the largest displacement")

    said = dispersion(box([1, 1, 1], [20, 20, 20])).stdout
    check("modes      not worked out: the body is too large: its stiffness takes more than 3e+08 products" in said, said)

    # a column under its load, of which a thin beam (by Ritz) says 0.520 and -1.210 of the square
    euler = math.pi**2 / 48 / 14.75**2
    for times, square in ((0.0, 1.0), (0.5, 0.520), (2.0, -1.210)):
        load = f"""plane: stress
      clamps: [{{face: left}}]
      loads: [{{face: right, traction: [{-times * euler}, 0]}}]"""
        scene = box([15, 1], [30, 2], load, 0).replace("velocity: [0.001, 0.001]", "settle: true")
        done = dispersion(scene, "--prestress", "--modes", "modes.csv", "--count", "3")
        check(done.returncode == 0 and "about the start, under the loads of time 0" in done.stdout, done.stdout)
        omega = float(rows("modes.csv")[0]["omega"])
        free = omega if times == 0.0 else free
        near(omega * abs(omega) / free**2, square, 0.03, times, "times Euler's load")
        check(("unstable: grows as exp(" in done.stdout) == (times > 1), done.stdout)
        said = dispersion(scene).stdout
        check(", of the unloaded body" in said, said)
for words in (("--shapes", "a.csv"), ("--count", "3")):
    chain = "bodies: [{chain: {count: 3, mass: 1}}]\ncontacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
    pathlib.Path("chain.yaml").write_text("units: none\n" + chain + "run: {until: 1}\n")
    done = subprocess.run([CAROM, "dispersion", "chain.yaml", *words], capture_output=True, text=True)
    check(done.returncode == 2 and f"{words[0]} is for solids, this is a chain" in done.stderr, done.stderr)

end(20)
