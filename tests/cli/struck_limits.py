"""Limits of joints and contacts that are struck together: along the path of a blow each of them takes energy or keeps it, and no row of the book of impacts says less than 0."""
import os
import subprocess

import h5py

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
SCENE = """units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - box: {name: crank, at: [0.5, 0], size: [1, 0.1], mass: 1}
  - box: {name: rod, at: [2, 0], size: [2, 0.1], mass: %g}
  - plane: {at: [0, -1.2], normal: [0, 1]}
joints:
  - hinge: {bodies: [crank, world], at: [0, 0], limits: [-0.5, 0.5], e: 0.5}
  - hinge: {bodies: [rod, crank], at: [1, 0], limits: [-0.7, 0.7], e: 0.8}
contacts: {law: rigid, e: 0.6, mu: 0.8}
run: {until: 3, scheme: moreau-jean, step: 1e-2, blow: %s}
"""
rows = 0
for blow in "poisson", "stronge":
    for mass in 0.5, 1, 2:
        with open("limits.yaml", "w") as file:
            file.write(SCENE % (mass, blow))
        done = subprocess.run([CAROM, "run", "limits.yaml", "-o", fresh("limits.h5")], capture_output=True, text=True, timeout=60)
        check(done.returncode == 0, blow, mass, done.stderr)
        with h5py.File("limits.h5") as file:
            taken = file["episodes/dissipated"][()]
            rows += len(taken)
            check(taken.min() >= -1e-12, blow, mass, "a row of", taken.min())
check(rows > 20, "rows", rows)
end(13)
