"""Bodies and joints of the plane as one mechanism, under schemes that go from event to event: the same numbers as the machines that carom
knows by name, to 1e-9 at tol 1e-10, and what is refused."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh, some

CAROM = os.environ["CAROM"]
HEAD = "units: none\ntheory: nonsmooth\n"


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def run(name, text, until, scheme, every, tol=1e-10):
    """Runs a scene; the coordinates of its mechanism, sample by sample. Its ledger must close."""
    with open(name + ".yaml", "w") as file:
        file.write(HEAD + text + "run: {until: %g, scheme: %s, tol: %g}\nrecord: {every: %g, probes: [u, v]}\n" % (until, scheme, tol, every))
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q")
    check(done.returncode == 0, name, scheme, done.stderr)
    with h5py.File(name + ".h5") as file:
        ledger = file["observables/ledger"]
        size = numpy.abs(ledger["kinetic/value"][()]).max()
        off = numpy.abs(ledger["residual/value"][()]).max()
        check(off < 1e-8 * size, name, scheme, "ledger", off, size)
        return file["particles/mechanism/displacement/value"][()]


def same(name, a, b, allowed=1e-9):
    apart = numpy.abs(a - b).max()
    print("%-40s %.1e" % (name, apart))
    check(apart < allowed, name, apart)
    check(numpy.abs(a).max() > 1e3 * allowed, name, "nothing moves")


# two bobs on rods without mass, past the wall
knee = numpy.array([math.sin(-1.2), -math.cos(-1.2)])
foot = knee + [math.sin(-0.4), -math.cos(-0.4)]
MACHINE = """bodies: [mechanism: {kind: double-pendulum, gravity: 10, wall: 0.3}]
contacts: {e: 0.9}
start: [{body: 1, displacement: -1.2}, {body: 2, displacement: -0.4}]
"""
BOBS = """gravity: [0, -10]
bodies:
  - disc: {name: upper, at: [%.17g, %.17g], radius: 0.1, mass: 1}
  - disc: {name: lower, at: [%.17g, %.17g], radius: 0.1, mass: 1}
  - plane: {name: wall, at: [0.4, 0], normal: [-1, 0]}
contacts: [{meet: false}, {between: [lower, wall], meet: true, law: rigid, e: 0.9}]
joints:
  - distance: {bodies: [upper, world], at: [%.17g, %.17g], to: [0, 0]}
  - distance: {bodies: [lower, upper], at: [%.17g, %.17g], to: [%.17g, %.17g]}
""" % (*knee, *foot, *knee, *foot, *knee)
for scheme in ("event", "moreau-adaptive", "mannshardt"):
    angles = run("machine", MACHINE, 1.5, scheme, 0.1)
    bobs = run("bobs", BOBS, 1.5, scheme, 0.1)
    upper = numpy.stack([numpy.sin(angles[:, 0]), -numpy.cos(angles[:, 0])], axis=1)
    lower = upper + numpy.stack([numpy.sin(angles[:, 1]), -numpy.cos(angles[:, 1])], axis=1)
    same("double pendulum, " + scheme, bobs[:, [0, 1, 3, 4]], numpy.hstack([upper - knee, lower - foot]))

# slider-crank with clearance: thin rods, a slider between two planes that only it meets
CRANK = """bodies: [mechanism: {kind: slider-crank, clearance: 0.001, moment: {shape: constant, amplitude: 0.1}}]
contacts: {e: 0.4%s}
start: [{body: 1, velocity: 30}, {body: 2, velocity: -15}]
"""
a, b, thin = 0.153, 0.306, 1e-8
LINKS = """gravity: [0, -9.81]
bodies:
  - box: {name: crank, at: [%.17g, 0], size: [%.17g, %g], mass: 0.038, spin: 30, velocity: [0, %.17g]}
  - box: {name: rod, at: [%.17g, 0], size: [%.17g, %g], mass: 0.038, spin: -15, velocity: [0, %.17g]}
  - box: {name: slider, at: [%.17g, 0], size: [0.1, 0.05], mass: 0.076, velocity: [0, 0]}
  - plane: {name: roof, at: [0, 0.026], normal: [0, -1]}
  - plane: {name: floor, at: [0, -0.026], normal: [0, 1]}
joints:
  - hinge: {bodies: [crank, world], at: [0, 0], torque: 0.1}
  - hinge: {bodies: [rod, crank], at: [%.17g, 0]}
  - hinge: {bodies: [slider, rod], at: [%.17g, 0]}
contacts: [{meet: false, law: rigid, e: 0.4%%s}, {between: [slider, roof], meet: true}, {between: [slider, floor], meet: true}]
""" % (a / 2, a, thin, 15 * a, a + b / 2, b, thin, 30 * a - 7.5 * b, a + b, a, a + b)
for scheme, friction, until in (("event", "", 0.2), ("moreau-adaptive", ", mu: 0.1", 0.08)):
    angles = run("machine", CRANK % friction, until, scheme, 0.01)
    links = run("links", LINKS % friction, until, scheme, 0.01)
    same("slider-crank, " + scheme + friction, links[:, [2, 5, 8]], angles)

# a block that rocks on a rough plane and slides on a smoother one; both machines turn clockwise
tilt = 0.1
lift = 0.5 * math.sin(tilt) - 4 * math.sin(tilt / 2) ** 2
BOX = """gravity: [0, -9.81]
bodies:
  - box: {at: [0, %.17g], size: [1, 4], mass: 2, turn: %.17g, velocity: [%g, 0]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: %g, mu: %g}
"""
SLIDING = """bodies: [mechanism: {kind: sliding-block, mass: 2}]
contacts: {e: %g, mu: %g}
start: [{body: 3, displacement: %.17g}, {body: 1, velocity: %g}]
"""
ROCKING = "bodies: [mechanism: {kind: rocking-block, mass: 2}]\ncontacts: {e: 0}\nstart: [{body: 2, displacement: %.17g}]\n" % tilt
for scheme, speed, e, mu in some((("event", 0.3, 0.5, 0), ("moreau-adaptive", 0.3, 0.5, 0), ("moreau-adaptive", 0, 0, 2), ("moreau-adaptive", 0.5, 0.5, 0.2)), 2):
    name = "%s, e = %g, mu = %g" % (scheme, e, mu)
    box = run("box", BOX % (2 + lift, -tilt, speed, e, mu), 1.5, scheme, 0.1)
    block = run("machine", SLIDING % (e, mu, tilt, speed), 1.5, scheme, 0.1)
    same("sliding-block, " + name, box, [1, 1, -1] * (block - block[0]))
    if e == 0:
        block = run("machine", ROCKING, 1.5, scheme, 0.1)
        same("rocking-block, " + name, box[:, 1:], [1, -1] * (block - block[0]))

# limits of a hinge against the wall of a pendulum as long as the rod's centre of oscillation
inertia = 1.01 / 12 + 0.25
length = 2 * inertia
ROD = """gravity: [0, -10]
bodies: [box: {name: rod, at: [0.5, 0], size: [1, 0.1], mass: 1}]
joints: [hinge: {bodies: [rod, world], at: [0, 0], limits: [-2, 0.5], e: 0.7}]
"""
PENDULUM = """bodies: [mechanism: {kind: pendulum, length: %.17g, gravity: 10, wall: %.17g}]
contacts: {e: 0.7}
start: [{body: 1, displacement: %.17g}]
""" % (length, length * math.sin(2 - math.pi / 2), math.pi / 2)
for scheme in ("event", "moreau-adaptive"):
    rod = run("rod", ROD, 2, scheme, 0.1)
    mirror = run("machine", PENDULUM.replace("displacement: ", "displacement: -"), 2, scheme, 0.1)
    same("limits, " + scheme, rod[:, 2], -(mirror[:, 0] + math.pi / 2))


def refused(name, text, *words):
    with open(name + ".yaml", "w") as file:
        file.write(HEAD + text)
    done = carom("run", name + ".yaml", "-q")
    check(done.returncode != 0 and done.stderr.count("\n") == 1 and all(word in done.stderr for word in words), name, done.stderr)


# one blow of a rod: LZB's law with friction is Stronge's there, whatever k
THROWN = """bodies:
  - box: {at: [0, 0.46], size: [0.02, 1], turn: 0.45, mass: 1, velocity: [1.2, -1], spin: 0.5}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.7, mu: 0.8, k: %g}
run: {until: 0.1, %s}
record: {every: 0.1, probes: [v, spin]}
"""
after = {}
for name, k, how in (("lzb", 1, "scheme: moreau-adaptive, tol: 1e-9, blow: lzb"), ("stiff", 1e8, "scheme: moreau-adaptive, tol: 1e-9, blow: lzb"),
                     ("stronge", 1, "step: 1e-5, blow: stronge")):
    with open("blow.yaml", "w") as file:
        file.write(HEAD + THROWN % (k, how))
    done = carom("run", "blow.yaml", "-o", fresh("blow.h5"), "-q")
    check(done.returncode == 0, name, done.stderr)
    with h5py.File("blow.h5") as file:
        part = file["particles/bodies" if name == "stronge" else "particles/mechanism"]
        after[name] = numpy.append(part["velocity/value"][-1].ravel()[:2], part["spin/value"][-1].ravel()[0])
check(numpy.abs(after["lzb"] - after["stiff"]).max() < 1e-8, "k", after)
check(numpy.abs(after["lzb"] - after["stronge"]).max() < 1e-4, "Stronge", after)

BOXES = """bodies: [box: {at: [0, 0], size: [1, 1], mass: 1}, box: {at: [3, 0], size: [1, 1], mass: 1, velocity: [-1, 0]}]
contacts: {law: rigid, e: 1}
run: {until: 1, scheme: moreau-adaptive, tol: 1e-6}
"""
refused("boxes", BOXES, "not each other", "scheme event lets these two meet", "boxes.yaml:5:")
refused("table", BOXES.replace("size: [1, 1], mass: 1}", "size: [1, 1], fixed: true}", 1), "can be a plane through that side", "table.yaml:5:")
refused("speed", ROD.replace("limits", "speed: 1, limits") + "run: {until: 1, scheme: event}\n", "keeps its speed")
refused("twice", ROD.replace("joints: [", "joints: [hinge: {bodies: [rod, world], at: [0, 0]}, ") + "run: {until: 1, scheme: event}\n", "joint 2")
refused("many", "bodies: [lattice: {kind: square, count: [4, 4], radius: 1, at: [0, 0]}]\njoints: [hinge: {bodies: [1, world], at: [0, 0]}]\n"
        "contacts: {law: rigid, e: 1}\nrun: {until: 1, scheme: event}\n", "1 to 10 bodies")
end(40)
