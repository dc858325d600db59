#!/usr/bin/env python3
# What clamps and drives do to a solid: weights, moments, pulls of bodies at rest, and the momentum of one that moves.
import os
import pathlib
import subprocess

import h5py
import numpy

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]


def run(body, rest):
    pathlib.Path("scene.yaml").write_text(f"theory: solid\nunits: none\nbodies:\n  - solid:\n      {body}\n{rest}\n")
    done = subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("run.h5"), "-q"], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    with h5py.File("run.h5") as file:
        clamps = file["particles/clamps"]
        u = file["particles/cells/velocity/value"][:] if "velocity" in file["particles/cells"] else None
        return clamps["force/value"][:], clamps["moment/value"][:], clamps["force/time"][:], u


REST = "start: [{settle: true}]\nrun: {until: 1e-3}\nrecord: {every: 1e-3, probes: [u, reaction, reaction_moment]}"
MATERIAL = "material: {young: 1e6, poisson: 0.3, density: 2}"
# the weight of a beam hangs on its wall: 3.75 cells of 1 x 0.5 x 0.5 m, the wall stands at x = 0.5
for fix in ("", ", fix: [x, y, z, turn]"):
    force, moment, _, _ = run(f"""box: {{size: [4, 1, 1], cells: [4, 2, 2]}}
      {MATERIAL}
      clamps: [{{face: left{fix}}}]
      gravity: [0, 0, -10]""", REST)
    check(numpy.allclose(force[0], [[0, 0, 3.5 * 2 * 10]], rtol=1e-6, atol=1e-5), force[0])
    # each slice of 1 m stands 1, 2, 3 m away; the half one counts at the wall
    check(numpy.allclose(moment[0], [[0, -(1 + 2 + 3) * 2 * 10, 0]], rtol=1e-4, atol=1e-3), moment[0])
# a plane bar between a wall and a pull, with a moment at its end
force, moment, _, _ = run(f"""box: {{size: [5, 1], cells: [10, 4]}}
      {MATERIAL}
      clamps: [{{face: left}}]
      loads: [{{face: right, traction: [3, 0]}}, {{face: right, moment: 0.2}}]""", REST)
check(numpy.allclose(force[0], [[-3, 0]], rtol=1e-6, atol=1e-6), force[0])
# the pull at the bent end takes 7e-5 off it
near(moment.ravel()[0], -0.2, 1e-4, "the moment goes through to the wall")
# pulled by a drive: both ends carry the same
force, _, _, _ = run(f"""box: {{size: [5, 1], cells: [10, 4]}}
      {MATERIAL}
      clamps: [{{face: left, fix: [x]}}, {{near: [0, 0], fix: [y]}}]
      drives: [{{face: right, displacement: [0.001, free]}}]""", REST)
check(numpy.allclose(force[0, 0], -force[0, 2], rtol=1e-6, atol=1e-6), force[0])
near(force[0, 2, 0], 0.001 * 1e6 / (1 - 0.09) / 4.5, 1e-3, "E / (1 - nu^2) times strain")
MOVES = """start: [{velocity: [0.1, 0.2]}]
run: {until: 0.05}
record: {every: 2e-5, probes: [v, reaction, reaction_moment]}"""
# struck: the momentum of the body is what the wall and the load have given
force, _, time, v = run(f"""box: {{size: [4, 1], cells: [8, 2]}}
      {MATERIAL}
      damping: {{mass: 0, stiffness: 1e-4}}
      clamps: [{{face: left}}]
      loads: [{{face: top, traction: [0, -5]}}]""",
                          MOVES)
mass = numpy.array([(0.5 if i % 8 == 0 else 1) * 0.25 * 2 for i in range(16)])
momentum = (v * mass[None, :, None]).sum(axis=1)
given = numpy.array([0, -5 * 3.75])
steps = (force[1:, 0] + force[:-1, 0]) / 2 * numpy.diff(time)[:, None]
pushed = numpy.concatenate(([[0, 0]], numpy.cumsum(steps, axis=0)))
balance = momentum - momentum[0] - pushed - given[None, :] * time[:, None]
check(abs(balance).max() < 5e-3 * abs(pushed).max(), abs(balance).max(), abs(pushed).max())

end(9)
