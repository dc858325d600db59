"""The book of impacts of solids that strike each other: bars that meet flat have the speed at which they meet and one row, however
their cells ring; an edge has its own speed. The same rows when the run is interrupted at any time and resumed."""
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

carom = os.environ["CAROM"]
SPEED, LENGTH, YOUNG, DENSITY = 2.0, 1.0, 200e9, 8000.0
BARS = """theory: solid
bodies:
  - solid: {name: short, box: {size: [1, 0.05], cells: [60, 3]}, plane: stress, depth: 1, material: {young: 200e9, poisson: 0.3, density: 8000}}
  - solid: {name: long, box: {size: [2, 0.05], cells: [120, 3], origin: [%s, 0]}, plane: stress, depth: 1, material: {young: 200e9, poisson: 0.3, density: 8000}}
start: [{body: short, velocity: [2, 0]}]
run: {until: %s}
record: {every: 20 us, probes: [kinetic]}
"""
EDGE = """theory: solid
bodies:
  - solid: {box: {size: [0.06, 0.04], cells: [12, 8], origin: [0, 0.0005]}, plane: stress, depth: 0.01, material: steel}
  - plane: {at: [0, 0], normal: [0, 1]}
start: [{velocity: [0, -5], spin: 20}]
run: {until: 0.1 ms}
"""


def run(name, text, *more):
    with open(name + ".yaml", "w") as scene:
        scene.write(text)
    for arguments in (("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q"), *more):
        done = subprocess.run([carom, *arguments], capture_output=True, text=True, timeout=120)
        check(done.returncode == 0, arguments, done.stderr)
    with h5py.File(name + ".h5") as file:
        return {column: file["episodes"][column][()] for column in file["episodes"]}


whole = run("whole", BARS % (1, 6e-4))
apart = run("apart", BARS % (1.0001, 6.5e-4))
for rows, gap, within in ((whole, 0, 1e-12), (apart, 1e-4, 1e-6)):  # a bar that has flown a while has turned by rounding
    check(len(rows["closed"]) == 1, "one impact is one row", rows)
    check(abs(rows["speed"][0] / SPEED - 1) < within, "speed", rows["speed"])
    check(abs(rows["closed"][0] - gap / SPEED) < 1e-8, "closes", rows["closed"], gap)
    waves = 2 * LENGTH / (YOUNG / DENSITY) ** 0.5  # there and back through the short bar
    check(1 < (rows["opened"][0] - rows["closed"][0]) / waves < 1.06, "lasts", rows["opened"], waves)
    momentum = 0.05 * LENGTH * DENSITY * SPEED  # all that the short bar has
    check(abs(rows["impulse"][0] / momentum - 1) < 0.02, "impulse", rows["impulse"], momentum)
edge = run("edge", EDGE)
check(5 + 20 * 0.025 < edge["speed"][0] < 5 + 20 * 0.03, "the outermost cell meets the floor with what the spin adds", edge["speed"])

# the bars ring apart for moments, in which the row waits
with h5py.File("whole.h5") as file:
    moments, kinds = file["events/time"][()], file["events/kind"][()]
gaps = [(a, b) for a, b, kind in zip(moments, moments[1:], kinds) if kind == 0]  # it opens, and closes
check(len(gaps) > 0, "they ring", moments, kinds)
for until in [0.5 * (a + b) for a, b in gaps] + [4.1e-4]:
    half = run("half", BARS % (1, until), ("resume", "half.h5", "--until", "6e-4", "-q"))
    check(all(numpy.allclose(half[column], whole[column], rtol=1e-2, atol=1e-6 if column == "impulse_vector" else 0) and len(half[column]) == 1 for column in whole if column != "left_out"), until, half, whole)
end()
