"""Rigid contacts as a user meets them: rows that ride on a shaken wall, e = 0 on a wall that begins to move, a run
that is stopped in its pilots, steps that are recommended for very long runs, and what the summary says about errors."""
import math
import os
import signal
import subprocess
import tempfile
import time

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
os.chdir(tempfile.mkdtemp())
HEAD = "units: none\ntheory: nonsmooth\n"
RIDE = HEAD + """gravity: -10
bodies: [wall: {side: left}, chain: {count: 3}]
contacts: {e: %g}
loads: [{wall: left, displacement: {shape: sine, amplitude: 0.01, frequency: 1}}]
run: {until: 2.1, tol: %g}
record: {times: [1.7, 2.1], probes: [u, contact_force]}
"""
BALL = HEAD + """gravity: -10
bodies: [wall: {side: left, gap: 1}, bead: {mass: 1}]
contacts: {e: 0.5}
run: {until: %s, scheme: %s}
"""
SWING = HEAD + """bodies: [mechanism: {kind: oscillator, stiffness: 4, stop: -0.5}]
contacts: {e: 0.5}
start: [{body: 1, displacement: 2}]
run: {until: 1e9}
"""


def carom(command, text, *more):
    with open("scene.yaml", "w") as file:
        file.write(text)
    return subprocess.run([CAROM, command, "scene.yaml", *more], capture_output=True, text=True, timeout=60)


def rows(name):
    done = subprocess.run([CAROM, "export", name, "--csv"], capture_output=True, text=True, timeout=60)
    lines = [line for line in done.stdout.splitlines() if line and not line.startswith("#")]
    names = lines[0].split(",")
    return [dict(zip(names, map(float, line.split(",")))) for line in lines[1:]]


def ride():
    """After their bounces the beads follow the wall, and the wall carries them: 3 (g + a)."""
    for e in (0.5, 0.0):
        for tol in (1e-6, 1e-9):
            done = carom("run", RIDE % (e, tol), "-o", fresh("ride.h5"))
            check(done.returncode == 0, "riding", e, tol, done.stderr)
            for row in rows("ride.h5") if done.returncode == 0 else []:
                where = 0.01 * math.sin(2 * math.pi * row["time"])
                force = 3 * (10 - 4 * math.pi**2 * where)
                for body in (1, 2, 3):
                    check(abs(row["u_%d" % body] - where) < 1e-8, "u", body, row, where)
                check(abs(row["contact_force_0"] - force) < 1e-5 * force, "force", row, force)


def stop():
    with open("scene.yaml", "w") as file:
        file.write(SWING)
    running = subprocess.Popen([CAROM, "run", "scene.yaml", "-o", "swing.h5"], stderr=subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)
    time.sleep(1)
    running.send_signal(signal.SIGTERM)
    try:
        running.wait(100)
    except subprocess.TimeoutExpired:
        running.kill()
        check(False, "pilot runs cannot be stopped")


def words():
    said = carom("run", BALL % ("2", "event"), "-o", fresh("ball.h5")).stdout
    check("error      about " in said, said)
    said = carom("run", BALL % ("2", "moreau-jean"), "-o", "ball2.h5").stdout
    check("of the order of the step" in said, said)
    said = carom("check", BALL % ("1e12", "moreau-jean")).stdout
    check("step = 0.00223607" in said, "recommended for a long run", said)
    check("contact time" not in said, said)
    said = carom("check", BALL % ("2", "event"), "--set", "run.impact=null").stderr
    check("that could be taken away" in said, said)


LIFT = HEAD + """gravity: 0.31
bodies: [chain: {count: 1, mass: 1}, wall: {side: right, gap: 0.4}]
contacts: {law: rigid, e: 0}
loads: [{body: 1, force: {shape: sine, amplitude: 0.395, frequency: 0.114}}]
start: [{body: 1, velocity: 0.19}]
run: {until: 20, tol: 1e-8, scheme: %s}
record: {every: 0.5, probes: [u, v]}
"""
FALLS = HEAD + """gravity: [0, -10]
bodies:
  - disc: {at: [0, 1], radius: 0.5, mass: 1}
  - box: {at: [5, 9], size: [1, 1], mass: 1, velocity: [1, 0]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.2, mu: 0}
run: {until: 0.5, scheme: moreau-jean, step: 2e-3}
"""


def lift():
    """A force that swings lifts what rests, and sets it down again inside what would be one step."""
    found = {}
    for scheme in ("event", "mannshardt", "moreau-adaptive"):
        done = carom("run", LIFT % scheme, "-o", fresh("lift.h5"))
        check(done.returncode == 0, done.stderr)
        found[scheme] = [row["u_1"] for row in rows("lift.h5")]
    known = found["moreau-adaptive"]
    check(min(known) < 0.25, "it is lifted", min(known))
    for scheme in ("event", "mannshardt"):
        check(max(abs(a - b) for a, b in zip(found[scheme], known)) < 1e-7, scheme, found[scheme])


def falls():
    """Without friction a contact that opens after a bounce has no impulse, and none is missed."""
    done = carom("run", FALLS, "-o", fresh("falls.h5"))
    check(done.returncode == 0 and "nothing is struck" not in done.stdout, done)


ride()
lift()
falls()
stop()
words()
end()
