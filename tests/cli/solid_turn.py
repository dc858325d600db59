"""Prescribed rotations of solids: moments of a beam that is bent and of a bar that is twisted by them against closed forms, work
against the energy that they put in, with the square of the step, spins, the same bits on threads; what is refused."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

carom = os.environ["CAROM"]
BEAM = """theory: solid
bodies:
  - solid:
      box: {size: [1, 0.05], cells: [80, 4]}
      plane: stress
      depth: 0.1
      material: {young: 200e9, poisson: 0, density: 8000}
      clamps: [{face: left}]
      drives: [{face: right, turn: {angle: 1e-3}}]
start: [{settle: true}]
run: {until: 1 us}
record: {every: 1 us, probes: [u, rotation, reaction, reaction_moment]}
"""
BAR = """theory: solid
bodies:
  - solid:
      box: {size: [%g, 0.1, 0.1], cells: [%d, 6, 6]}
      material: {young: 200e9, poisson: 0.3, density: 8000}
      clamps: [{face: left}]
      drives: [{face: right, turn: {angle: 0.01, axis: [3, 0, 0]}%s}]
%s
run: {until: %g}
record: {every: %g, probes: [u, spin, reaction_moment]}
"""


def run(name, text, *more, code=0):
    with open(name + ".yaml", "w") as scene:
        scene.write(text)
    done = subprocess.run([carom, "run", name + ".yaml", "-o", fresh(name + ".h5"), *more], capture_output=True, text=True, timeout=120)
    check(done.returncode == code, name, done.stderr)
    return done.stdout + done.stderr


run("beam", BEAM)
with h5py.File("beam.h5") as file:
    moment, force, angle = (file[item + "/value"][-1] for item in ("particles/clamps/moment", "particles/clamps/force", "particles/cells/rotation"))
length, bending = 1 - 1 / 80, 200e9 * 0.1 * 0.05 ** 3 / 12
theory = [2 * bending * 1e-3 / length, 4 * bending * 1e-3 / length, 6 * bending * 1e-3 / length ** 2]
soft = 12 * bending * 1.2 / (100e9 * 0.05 * 0.1 * length ** 2)  # what shear takes, Timoshenko
theory[0] *= (1 - soft / 2) / (1 + soft)
theory[1] *= (1 + soft / 4) / (1 + soft)
for found, wanted, what in zip((moment.flat[0], moment.flat[1], force[1, 1]), (-theory[0], theory[1], theory[2] / (1 + soft)), ("clamp", "drive", "force")):
    check(abs(abs(found) / abs(wanted) - 1) < 0.01, what, found, wanted)
check(abs(angle.max() - 1e-3) < 1e-12, "the end has the angle", angle.max())

# torsion: ends hold the warping of sections, which two lengths are rid of; six cubes across are too stiff by 6 % (8: 3.4 %)
torque = []
for size, count in ((0.4, 24), (0.8, 48)):
    said = run("bar", BAR % (size, count, "", "start: [{settle: true}]", 1e-6, 1e-6))
    with h5py.File("bar.h5") as file:
        moments, stored = file["particles/clamps/moment/value"][0], file["observables/ledger/stored/value"][0]
    torque.append(moments[1, 0])  # settled to 1e-9 of the largest force
    check(abs(moments[0, 0] / moments[1, 0] + 1) < 1e-7 and abs(0.5 * 0.01 * moments[1, 0] / stored - 1) < 1e-6, "the energy is T angle / 2", moments, stored)
stiff = 0.4 / (0.01 / torque[1] - 0.01 / torque[0])
check(1.03 < stiff / (0.1406 * 200e9 / 2.6 * 1e-4) < 1.08, "G J of a square", stiff)

# motion: the work is what is there, to the square of the step, and the driven cells have the spin of the drive
residual = []
SWING = ", signal: {shape: sine, frequency: 2000 Hz}"
for step in ("1e-6", "0.5e-6"):
    run("swing", BAR % (0.6, 18, SWING, "", 1e-4, 1e-5), "--set", "run.step=" + step)
    with h5py.File("swing.h5") as file:
        ledger = {name: file["observables/ledger/%s/value" % name][()] for name in ("kinetic", "stored", "work", "residual")}
        spin, time = file["particles/cells/spin/value"][()], file["particles/cells/spin/time"][()]
    residual.append(abs(ledger["residual"]).max() / ledger["work"].max())
    driven = spin.reshape(len(time), 36, 18, 3)[:, :, -1, 0]
    rate = 0.01 * 2 * math.pi * 2000 * numpy.cos(2 * math.pi * 2000 * time)
    check(abs(driven - rate[:, None]).max() < 1e-9 * abs(rate).max(), "spin", driven[:, 0], rate)
check(residual[0] < 1e-3 and 3 < residual[0] / residual[1] < 5, "second order", residual)
run("two", BAR % (0.6, 18, SWING, "", 1e-4, 1e-5), "--set", "run.step=0.5e-6", "--set", "run.threads=2")
with h5py.File("two.h5") as file, h5py.File("swing.h5") as other:
    check(numpy.array_equal(file["particles/cells/displacement/value"][()], other["particles/cells/displacement/value"][()]), "threads")

for text, sentence in (
        (BEAM.replace("angle: 1e-3", "about: [0, 0]"), "turn: angle is missing"),
        (BEAM.replace("angle: 1e-3", "angle: 1, axis: [0, 0, 1]"), "in the plane there is one axis"),
        (BEAM.replace("{face: right, turn", "{face: right, displacement: [1, 1], turn"), "shifted or turned by a drive, not both"),
        (BEAM.replace("face: right, turn", "face: left, turn"), "is clamped along x already"),
        (BEAM.replace("{angle: 1e-3}}", "{angle: .nan}}"), "angle"),
        ((BAR % (0.6, 18, "", "", 1e-6, 1e-6)).replace(", axis: [3, 0, 0]", ""), "turn: axis is missing"),
        ((BAR % (0.6, 18, "", "", 1e-6, 1e-6)).replace("[3, 0, 0]", "[0, 0, 0]"), "this points nowhere")):
    check(sentence in run("wrong", text, code=3), sentence)
end()
