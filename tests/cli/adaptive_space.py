"""Bodies of space under moreau-adaptive: the closed forms of event_space.py and event_space_friction.py, each in its own process; the order of steps
by a body that turns over about its middle axis; a run that goes on from a checkpoint; and what is refused."""
import math
import os
import subprocess
import sys

import h5py
import numpy

from checks import check, end, fresh

CAROM, HERE = os.environ["CAROM"], os.path.dirname(os.path.abspath(__file__))

for name in ("event_space", "event_space_friction"):
    done = subprocess.run([sys.executable, os.path.join(HERE, name + ".py")], env={**os.environ, "SCHEME": "moreau-adaptive"}, capture_output=True, text=True)
    print(done.stdout, flush=True)
    check(done.returncode == 0, name, done.stderr)


def run(text, until, how, more=(), name="one"):
    """How many steps it took, displacements and velocities of the samples; or what it says that is refused."""
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\n%srun: {until: %g, scheme: moreau-adaptive, %s}\nrecord: {every: %g, probes: [u, v]}\n" % (
            text, until, how, until / 8))
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5"), *more], capture_output=True, text=True, timeout=200)
    if done.returncode != 0:
        return done.stderr
    with h5py.File(name + ".h5") as file:
        bodies = file["particles/mechanism"]
        return int(done.stdout.split("\nsteps")[1].split(",")[0]), bodies["displacement/value"][()], bodies["velocity/value"][()]


# --- order ---------------------------------------------------------------------------------------------------------------------------------

TOP = "bodies:\n  - box: {at: [0, 0, 0], size: [1, 0.6, 0.3], mass: 1, spin: [0.1, 3, 0.2], velocity: [0.3, 0, 0]}\ncontacts: {law: rigid, e: 1}\n"
fine = run(TOP, 8, "tol: 1e-11, share: 0.1")
runs = [run(TOP, 8, "tol: %g, share: 0.1" % tol) for tol in (1e-5, 1e-6, 1e-7, 1e-8)]
errors = [numpy.abs(u - fine[1]).max() for _, u, _ in runs]
order = math.log(errors[0] / errors[-1]) / math.log(runs[-1][0] / runs[0][0])
print("a body that turns over: order", order, "errors", errors)
check(5.5 < order < 8, "order", order)

# --- goes on from where it stopped ---------------------------------------------------------------------------------------------------------

# a ball that slides with side spin, bounces, and breaks away again: what is remembered of slips is in the state
BALL = ("gravity: [0, 0, -10]\nbodies:\n  - sphere: {at: [0, 0, 0.7], radius: 0.5, mass: 2, velocity: [3, 1, 0], spin: [2, -4, 6]}\n"
        "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\nloads:\n  - {body: 1, force: [9, 12, 0], signal: {shape: sine, frequency: 0.7}}\n"
        "contacts: {law: rigid, e: 0.3, mu: 0.2}\n")
whole = run(BALL, 2, "tol: 1e-7")
run(BALL, 2, "tol: 1e-7", ("--set", "run.until=0.8"), "half")
done = subprocess.run([CAROM, "resume", "half.h5", "--until", "2"], capture_output=True, text=True)
check(done.returncode == 0, "resume", done.stderr)
with h5py.File("half.h5") as file:
    last = file["particles/mechanism/displacement/value"][()][-1]
check(numpy.abs(last - whole[1][-1]).max() < 1e-7, "goes on", last, whole[1][-1])

# --- what rests creates nothing: rounding of an impact without speed is nobody's energy ------------------------------------------------------

REST = ("gravity: [0, 0, -10]\nbodies:\n  - sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 2}\n  - box: {at: [2, 0, 0.5], size: [1, 1, 1], mass: 2}\n"
        "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0.5, mu: 0.3}\n")
_, rest, _ = run(REST, 0.2, "tol: 1e-7", name="rest")
check(numpy.abs(rest - rest[0]).max() < 1e-15, "it rests", rest)
shown = subprocess.run([CAROM, "show", "rest.h5"], capture_output=True, text=True).stdout
check("CREATED" not in shown and "moreau-adaptive" in shown, "created at rest", shown)

# --- what is refused -----------------------------------------------------------------------------------------------------------------------

BOXES = "gravity: [0, 0, -10]\nbodies:\n%s" % "".join("  - box: {at: [%d, 0, 1], size: [0.5, 0.5, 0.5], mass: 1}\n" % (2 * i) for i in range(6))
check("1 to 5 bodies of space" in run(BOXES + "contacts: {law: rigid, e: 1, meet: false}\n", 1, "tol: 1e-6"), "six bodies")
said = run("\n".join(BOXES.split("\n")[:4]) + "\ncontacts: {law: rigid, e: 1}\n", 1, "tol: 1e-6")
check("not each other" in said and "scheme event lets these two meet" in said, "two boxes", said)
check("estimate: safe" in run(BALL, 1, "tol: 1e-6, estimate: blind"), "as printed")
end()
