"""Resistance to rolling and twisting under moreau-jean: how far discs, spheres and capsules roll, how long a ball spins, slopes on which
they stay, a pile of discs that does not flow, and momenta of balls that meet with it."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
FLOOR2, FLOOR3 = "plane: {at: [0, 0], normal: [0, 1]}", "plane: {at: [0, 0, 0], normal: [0, 0, 1]}"


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def run(bodies, until, step, gravity, contacts, more="", name="scene"):
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n%scontacts: {law: rigid, e: 0, mu: 0.5, %s}\n"
                   % (gravity, "".join("  - %s\n" % body for body in bodies), contacts))
        file.write("run: {until: %g, scheme: moreau-jean, step: %g%s}\n" % (until, step, more))
        file.write("record: {every: 0.1, probes: [position, v, spin, residual, rolling, twisting]}\n")
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q")
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        state = {key: file["particles/bodies/%s/value" % key][()] for key in ("position", "velocity", "spin")}
        for key in ("residual", "mechanism/rolling", "mechanism/twisting"):
            state[key.split("/")[-1]] = numpy.abs(file["observables/ledger/%s/value" % key][()])
        return state


# a disc and a sphere stop after (1 + I / m r^2) v^2 / (2 mu g), and what is lost is all they had
for body, floor, gravity, inertia in (("disc: {at: [0, 1], radius: 1, mass: 2, velocity: [3, 0], spin: -3}", FLOOR2, "[0, -10]", 0.5),
                                      ("sphere: {at: [0, 0, 1], radius: 1, mass: 2, velocity: [3, 0, 0], spin: [0, 3, 0]}", FLOOR3,
                                       "[0, 0, -10]", 0.4)):
    state = run([body, floor], 7, 1e-2, gravity, "rolling: {mu: 0.1}")
    wanted = (1 + inertia) * 9 / 2
    check(abs(state["position"][-1][0][0] - wanted) < 1e-6, "stops", state["position"][-1][0], wanted)  # within its last step
    check(abs(state["velocity"][10][0][0] - (3 - 1 / (1 + inertia))) < 1e-12, "slows down", state["velocity"][10][0])
    check(numpy.abs(state["velocity"][-1]).max() < 1e-13, "has stopped", state["velocity"][-1])
    check(abs(state["rolling"][-1] - (1 + inertia) * 9) < 1e-11 and state["residual"].max() < 1e-12, "ledger", state["rolling"][-1])

# a ball that spins on its pole stops after 2/5 r w / (mu g); a capsule rolls on both of its ends
state = run(["sphere: {at: [0, 0, 1], radius: 1, mass: 2, spin: [0, 0, 3]}",
             "capsule: {at: [5, 0, 0.5], radius: 0.5, length: 2, mass: 3, axis: [0, 1, 0], velocity: [2, 0, 0], spin: [0, 4, 0]}", FLOOR3],
            3, 1e-2, "[0, 0, -10]", "rolling: {mu: 0.1}, twisting: {mu: 0.05}")
check(abs(state["spin"][10][0][2] - (3 - 0.05 * 10 / 0.4)) < 1e-12, "spins on", state["spin"][10][0])
check(numpy.abs(state["spin"][25:, 0]).max() < 1e-12, "has stopped", state["spin"][25])
check(abs(state["twisting"][-1] - 0.4 * 2 * 9 / 2) < 1e-11, "ledger", state["twisting"][-1])
tube, ball = math.pi * 0.25 * 2, 4 / 3 * math.pi * 0.125
inertia = (0.5 * tube + 0.4 * ball) / (tube + ball)
check(abs(state["velocity"][10][1][0] - (2 - 1 / (1 + inertia))) < 1e-11, "a capsule", state["velocity"][10][1])

# on a slope a disc stays below tan a = mu, and rolls down with g (sin a - mu cos a) / (1 + I / m r^2) above it
for a, moves in ((0.09, False), (0.2, True)):
    state = run(["disc: {at: [0, 1], radius: 1, mass: 2}", FLOOR2], 1, 1e-2, "[%.17g, %.17g]" % (10 * math.sin(a), -10 * math.cos(a)),
                "rolling: {mu: 0.1}")
    wanted = 10 * (math.sin(a) - 0.1 * math.cos(a)) / 1.5 if moves else 0.0
    check(abs(state["velocity"][-1][0][0] - wanted) < 1e-12, "slope", a, state["velocity"][-1][0], wanted)

# discs that are dropped one on the other into a heap: with resistance it is steeper, and the ledger closes
heap = ["disc: {at: [%g, %g], radius: 0.5, mass: 1}" % (0.03 * (k % 3) - 0.2 * (k % 2), 0.5 + 1.05 * k) for k in range(9)]
free, held = (run(heap + [FLOOR2], 3, 2e-3, "[0, -10]", contacts, name=name)
              for contacts, name in (("rolling: none", "free"), ("rolling: {mu: 0.3}", "held")))
width = [state["position"][-1][:9, 0].max() - state["position"][-1][:9, 0].min() for state in (free, held)]
check(width[0] > 1.5 * width[1], "a heap", width)
check(held["residual"][-1] < 1e-10, "ledger of a heap", held["residual"][-1])
for threads in ("1", "2"):
    carom("run", "held.yaml", "-o", "h%s.h5" % threads, "-q", "--threads", threads, "--set", "run.until=1")
with h5py.File("h1.h5") as one, h5py.File("h2.h5") as two:
    check(numpy.array_equal(one["particles/bodies/position/value"][()], two["particles/bodies/position/value"][()]), "threads change bits")

# balls that meet in flight with all resistances: momentum and angular momentum stay
balls = ["sphere: {at: [%g, %g, %g], radius: 0.5, mass: %g, velocity: [%g, %g, %g], spin: [%g, 2, 1]}"
         % (2 * math.cos(k), 2 * math.sin(k), 0.1 * k, 1 + 0.2 * k, -math.cos(k), -math.sin(k), -0.05 * k, k) for k in range(6)]
state = run(balls, 4, 2e-3, "[0, 0, 0]", "rolling: {mu: 0.2}, twisting: {mu: 0.2}", name="thrown")
mass = 1 + 0.2 * numpy.arange(6)
linear = numpy.tensordot(state["velocity"], mass, axes=(1, 0))
angular = numpy.tensordot(numpy.cross(state["position"], state["velocity"]) + 0.4 * 0.25 * state["spin"], mass, axes=(1, 0))
check(numpy.abs(linear - linear[0]).max() < 1e-12, "momentum", numpy.abs(linear - linear[0]).max())
check(numpy.abs(angular - angular[0]).max() < 1e-10, "angular momentum", numpy.abs(angular - angular[0]).max())
check(state["rolling"][-1] > 0 and state["twisting"][-1] > 0 and state["residual"].max() < 1e-12, "they resisted", state["rolling"][-1])

for words, wanted in (("bounded: true", "without"), ("blow: stronge", "blow newton")):
    text = open("held.yaml").read().replace("scheme: moreau-jean", "scheme: moreau-jean, " + words)
    open("wrong.yaml", "w").write(text)
    done = carom("check", "wrong.yaml")
    check(done.returncode != 0 and wanted in done.stderr, words, done.stderr)
for words in ("mu: -1", "mu: nan", "law: wide, mu: 1"):
    open("wrong.yaml", "w").write(open("held.yaml").read().replace("rolling: {mu: 0.3}", "rolling: {%s}" % words))
    done = carom("check", "wrong.yaml")
    check(done.returncode == 3 and "wrong.yaml:" in done.stderr, words, done.stderr)
end()
