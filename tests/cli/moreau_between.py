"""Samples inside a step of moreau-jean: the ledger closes at every one of them as it does at the ends of steps, with impacts, friction, joints, motors and in space."""
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
HEAD = "units: none\ntheory: nonsmooth\n"
TAIL = "run: {until: 1.2, scheme: moreau-jean, step: 1e-2%s}\nrecord: {every: 0.0037}\n"
DISCS = """gravity: [0, -10]
bodies:
  - disc: {at: [0, 2], radius: 1, mass: 2, velocity: [3, 0]}
  - disc: {at: [2.5, 2], radius: 1, mass: 1, velocity: [-3, 0]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.6%s}
"""
BOXES = """gravity: [0, 0, -10]
bodies:
  - box: {at: [0, 0, 1], size: [1, 0.5, 0.7], turn: {axis: [1, 2, 0], angle: 0.7}, mass: 1, velocity: [1, 0, -2], spin: [3, -5, 4]}
  - box: {at: [0.2, 0.1, 2.2], size: [0.3, 0.9, 0.6], turn: {axis: [1, 0, 1], angle: 1.7}, mass: 0.4, velocity: [0, 0, -4], spin: [-6, 2, 1]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: rigid, e: 0.7, mu: 0.5}
"""
CRANK = """gravity: [0, -10]
bodies:
  - box: {name: crank, at: [0.5, 0], size: [1, 0.1], mass: 1}
  - box: {name: rod, at: [2, 0], size: [2, 0.1], mass: 2}
  - plane: {at: [0, -1.2], normal: [0, 1]}
joints:
  - hinge: {bodies: [crank, world], at: [0, 0], %s}
  - hinge: {bodies: [rod, crank], at: [1, 0]}
contacts: {law: rigid, e: 0.6, mu: 0.2}
"""
SCENES = {"discs": (DISCS % "", ""), "discs that resist rolling": (DISCS % ", mu: 0.2, rolling: {mu: 0.1}", ""), "boxes": (BOXES, ""), "boxes by Stronge": (BOXES, ", blow: stronge"),
          "torque and limits": (CRANK % "torque: 3, limits: [-0.5, 0.5], e: 0.5", ""), "motor": (CRANK % "speed: 1", "")}

for name, (text, options) in SCENES.items():
    with open("between.yaml", "w") as file:
        file.write(HEAD + text + TAIL % options)
    done = subprocess.run([CAROM, "run", "between.yaml", "-o", fresh("between.h5")], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, name, done.stderr)
    with h5py.File("between.h5") as file:
        ledger = {of: numpy.array(file["observables/ledger/%s/value" % of]) for of in ("residual", "kinetic")}
        off = numpy.abs(ledger["residual"]).max() / ledger["kinetic"].max()
        check(len(file["events/kind"]) > 0, name, "has no impact")
        check(off < 1e-12, name, "is off by", off)

# a box that lies on a floor hands a blow on at once: inside the step, too, nothing is faster than before or after it
ON_BOX = """units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - box: {at: [0, 0.5], size: [1, 1], mass: 1}
  - disc: {at: [0, 1.63], radius: 0.5, mass: 10, velocity: [0, -10]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.5%s}
run: {until: 0.03, scheme: moreau-jean, step: 0.005%s}
record: {every: 0.001, probes: [position, v]}
"""
for more, options in (("", ""), (", mu: 0.3", ""), ("", ", blow: stronge")):
    with open("between.yaml", "w") as file:
        file.write(ON_BOX % (more, options))
    subprocess.run([CAROM, "run", "between.yaml", "-o", fresh("between.h5"), "-q"], check=True, timeout=60)
    with h5py.File("between.h5") as file:
        kinetic, lost = (numpy.array(file["observables/ledger/%s/value" % of]) for of in ("kinetic", "dissipated"))
        check(kinetic.max() < 520 and lost.min() > -1e-3 and lost.max() > 300, "struck box", more, options, kinetic.max(), lost.min())
end(3 * len(SCENES) + 3)
