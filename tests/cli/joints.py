"""Joints between rigid bodies: pendulums, slider-crank and top against closed forms and against the named machines, momenta of chains
that fly, limits, ropes, motors, the ledger, and what is refused."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def write(name, text):
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\n" + text)


def run(name, text, until, step, every, *words):
    """Runs a scene; what it recorded, by the last words of its paths."""
    write(name, text + "run: {until: %g, step: %g}\nrecord: {every: %g, probes: [position, rotation, v, spin, joint_force, "
          "joint_moment]}\n" % (until, step, every))
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q", *words)
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        out = {key: file["particles/bodies/%s/value" % key][()] for key in ("position", "velocity", "rotation", "spin")}
        out.update({"joint_" + key: file["particles/joints/%s/value" % key][()] for key in ("force", "moment")})
        out.update({key: file["observables/ledger/%s/value" % key][()] for key in ("kinetic", "stored", "work", "residual")})
        out["numerical"] = file["observables/ledger/mechanism/numerical/value"][()]
        out["time"] = file["particles/bodies/position/time"][()]
    check(numpy.abs(out["residual"]).max() < 1e-11 * max(1, numpy.abs(out["kinetic"]).max()), name, "ledger",
          numpy.abs(out["residual"]).max())
    return out


def refused(name, text, *words):
    write(name, text + "run: {until: 1, step: 1e-2}\n")
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q")
    check(done.returncode != 0 and done.stderr.count("\n") == 1, name, done.returncode, done.stderr)
    for word in words:
        check(word in done.stderr, name, word, done.stderr)


def falls(rate, start, until, n):
    """Classical Runge-Kutta."""
    y, h = numpy.array(start, float), until / n
    for _ in range(n):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


def book(name, text, scheme):
    """The book of impacts and the kinds of events of a run under a scheme."""
    write(name, text + "run: {until: 1.6, scheme: %s}\nrecord: {every: 0.1}\n" % scheme)
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q")
    check(done.returncode == 0, name, scheme, done.stderr)
    with h5py.File(name + ".h5") as file:
        return {key: file["episodes/" + key][()] for key in file["episodes"]}, list(file["events/kind"][()])


# a rod that swings from the horizontal: angle to order 2, forces of the hinge, no work
ROD = "gravity: [0, -10]\nbodies: [box: {name: rod, at: [0.5, 0], size: [1, 0.1], mass: 1}]\njoints: [hinge: {bodies: [rod, world], at: [0, 0]%s}]\n"
inertia = 1.01 / 12 + 0.25
angle = falls(lambda y: numpy.array([y[1], -5 * math.cos(y[0]) / inertia]), [0, 0], 3, 6000)[0]
off = []
for step in (4e-3, 2e-3, 1e-3):
    rod = run("rod", ROD % "", 3, step, 3)
    off.append(abs(rod["rotation"].ravel()[-1] - angle))
check(off[2] < 3e-5 and 3.8 < off[0] / off[1] < 4.2 and 3.8 < off[1] / off[2] < 4.2, "rod", off)
check(numpy.abs(numpy.hypot(*rod["position"][-1, 0]) - 0.5) < 1e-14, "closed", rod["position"][-1, 0])

# at rest the hinge bears the weight; on its limit it bears its moment as well
rod = run("limit", ROD % ", limits: [-0.1, 0.5], e: 0.5", 4, 1e-3, 0.1)
check(numpy.abs(rod["joint_force"][-1].ravel() - [0, 10]).max() < 1e-9, "weight", rod["joint_force"][-1])
check(abs(rod["joint_moment"].ravel()[-1] - 5 * math.cos(0.1)) < 1e-4, "moment", rod["joint_moment"].ravel()[-1])
check(abs(rod["rotation"].ravel()[-1] + 0.1) < 2e-3 and abs(rod["spin"].ravel()[-1]) < 1e-9, "limit", rod["rotation"].ravel()[-1])

said = carom("run", "limit.yaml", "-o", "limit.h5").stdout
check("overlap    at most " in said and "at most 0.0e+00" not in said, "the summary says how far limits were passed", said)

# impacts at a limit are in the book of every scheme: speed and impulse as of a contact at the far end of the rod
LIMITED = ROD % ", limits: [-1, 1], e: 0.5"
fast, lever = math.sqrt(10 * math.sin(1) / inertia), math.hypot(1, 0.05)  # its far corners
for scheme, tol in (("event, tol: 1e-9", 1e-8), ("moreau-adaptive, tol: 1e-8", 1e-7), ("moreau-jean, step: 5e-4", 5e-3)):
    rows, kinds = book("bounces", LIMITED, scheme)
    for k in range(3):
        check(abs(rows["speed"][k] - fast * lever * 0.5**k) < tol and abs(rows["impulse"][k] - 1.5 * 0.5**k * fast * inertia / lever) < 2 * tol,
              scheme, k, rows["speed"][k], rows["impulse"][k])
        check(abs(rows["dissipated"][k] - 0.375 * inertia * (0.5**k * fast)**2) < 5 * tol, scheme, k, "lost", rows["dissipated"][k])
    check(kinds.count(2) == len(rows["speed"]) and kinds[-1] == 1, scheme, "at last it closes and stays", kinds)
said = carom("check", "bounces.yaml").stdout
check("limits of 1: e = 0.5" in said and "rigid: e" not in said, "what is said of limits", said)
check((rows["pair"] == [0, 1]).all(), "the pair of a limit is that of its bodies, 0 the world", rows["pair"])
ROPE = ("gravity: [0, -10]\nbodies: [disc: {name: a, at: [0, 0], radius: 0.1, mass: 1}, disc: {name: b, at: [1, 0], radius: 0.1, mass: 3, "
        "velocity: [2, 0]}]\njoints: [distance: {bodies: [a, b], at: [0, 0], to: [1, 0], limits: [0, 1.5], e: 0.5}]\n")
rows, kinds = book("rope", ROPE, "moreau-jean, step: 1e-3")
check(kinds == [2] and (rows["pair"] == [[1, 2]]).all() and abs(rows["speed"][0] - 2) < 1e-12 and
      abs(rows["impulse"][0] - 1.5 * 2 * 0.75) < 1e-12, "a rope that goes tight", kinds, rows)
rows, kinds = book("pressed", ROD % ", limits: [-0.1, 0.5], torque: 10, e: 0", "moreau-jean, step: 1e-3")
check(kinds == [2, 1], "pressed upwards by its motor", kinds)

# two bobs on rods without mass against the machine double-pendulum, before and after the lower one strikes a wall
MACHINE = """bodies: [mechanism: {kind: double-pendulum, gravity: 10, wall: 0.3}]
contacts: {e: 0.9}
start: [{body: 1, displacement: -1.2}, {body: 2, displacement: -0.4}]
run: {until: 1.5, tol: 1e-11}
record: {every: 0.1, probes: [u]}
"""
write("machine", MACHINE)
check(carom("run", "machine.yaml", "-o", "machine.h5", "-q").returncode == 0, "machine")
with h5py.File("machine.h5") as file:
    angles = file["particles/mechanism/displacement/value"][()]
upper = numpy.stack([numpy.sin(angles[:, 0]), -numpy.cos(angles[:, 0])], axis=1)
lower = upper + numpy.stack([numpy.sin(angles[:, 1]), -numpy.cos(angles[:, 1])], axis=1)
knee = (math.sin(-1.2), -math.cos(-1.2))
foot = (knee[0] + math.sin(-0.4), knee[1] - math.cos(-0.4))
BOBS = """gravity: [0, -10]
bodies:
  - disc: {name: upper, at: [%.17g, %.17g], radius: 0.1, mass: 1}
  - disc: {name: lower, at: [%.17g, %.17g], radius: 0.1, mass: 1}
  - box: {at: [0.9, -2], size: [1, 1.6], fixed: true}
contacts: {law: rigid, e: 0.9}
joints:
  - distance: {bodies: [upper, world], at: [%.17g, %.17g], to: [0, 0]}
  - distance: {bodies: [lower, upper], at: [%.17g, %.17g], to: [%.17g, %.17g]}
""" % (*knee, *foot, *knee, *foot, *knee)
before, after = [], []
for step in (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4):
    bobs = run("bobs", BOBS, 1.5, step, 0.1)["position"]
    apart = numpy.maximum(numpy.abs(bobs[:, 0] - upper).max(axis=1), numpy.abs(bobs[:, 1] - lower).max(axis=1))
    before.append(apart[4])
    after.append(apart[-1])
    print("step %.2e: off by %.1e before the wall, %.1e after it, %.2f of the step" % (step, before[-1], after[-1], after[-1] / step))
check(before[4] < 1e-7 and all(3.5 < a / b < 4.5 for a, b in zip(before, before[1:])), "before the wall", before)
check(all(off < 2 * step for off, step in zip(after, (4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4))), "after the wall", after)

# a slider-crank that a motor turns: the piston is where the crank says; the same in space, where the loop holds more than it needs
CRANK = """gravity: [0, -10%(z)s]
bodies:
  - box: {name: crank, at: [0.5, 0%(z)s], size: [1, 0.1%(d)s], mass: 1}
  - box: {name: rod, at: [2, 0%(z)s], size: [2, 0.1%(d)s], mass: 2}
  - box: {name: piston, at: [3, 0%(z)s], size: [0.4, 0.2%(d)s], mass: 1}
joints:
  - hinge: {bodies: [crank, world], at: [0, 0%(z)s]%(axis)s, %(motor)s}
  - hinge: {bodies: [rod, crank], at: [1, 0%(z)s]%(axis)s}
  - hinge: {bodies: [rod, piston], at: [3, 0%(z)s]%(axis)s}
  - slider: {bodies: [piston, world], at: [3, 0%(z)s], axis: [1, 0%(z)s]}
"""
PLANE = {"z": "", "d": "", "axis": ""}
SPACE = {"z": ", 0", "d": ", 0.2", "axis": ", axis: [0, 0, 1]"}
for motor in ("speed: 3", "torque: 4"):
    crank = run("crank", CRANK % {**PLANE, "motor": motor}, 3, 2e-3, 0.1)
    turned = crank["rotation"][:, 0].ravel()
    piston = numpy.cos(turned) + numpy.sqrt(4 - numpy.sin(turned) ** 2)
    check(numpy.abs(crank["position"][:, 2, 0] - piston).max() < 1e-6, "piston", numpy.abs(crank["position"][:, 2, 0] - piston).max())
    check(numpy.abs(crank["numerical"]).max() < 2e-4, "joints work", numpy.abs(crank["numerical"]).max())
    if motor == "torque: 4":
        check(abs(crank["work"][-1] - 4 * turned[-1]) < 1e-5, "work of a torque", crank["work"][-1], 4 * turned[-1])
    space = run("crank3", CRANK % {**SPACE, "motor": motor}, 3, 2e-3, 0.1)
    check(numpy.abs(space["position"][:, :, :2] - crank["position"]).max() < 1e-9, "space",
          numpy.abs(space["position"][:, :, :2] - crank["position"]).max())
check(abs(crank["time"][-1] - 3) < 1e-12, "time", crank["time"][-1])

# a top on a ball joint whose axis lies level precesses at m g r / (I w)
spin, lever = 50.0, (0.64 + 0.64) / 12
precession = 10 * 0.5 / (lever * spin)
TOP = "gravity: [0, 0, -10]\nbodies: [box: {at: [0.5, 0, 0], size: [0.1, 0.8, 0.8], mass: 1, spin: [%.17g, 0, %.17g], velocity: [0, %.17g, 0]}]\n" \
      "joints: [ball: {bodies: [1, world], at: [0, 0, 0]}]\n" % (spin, precession, 0.5 * precession)
off = []
for step in (2e-3, 1e-3):
    top = run("top", TOP, 1, step, 0.1)
    off.append(numpy.abs(top["position"][-1, 0] - 0.5 * numpy.array([math.cos(precession), math.sin(precession), 0])).max())
check(off[1] < 1e-3 and 3.5 < off[0] / off[1] < 4.5, "top", off)
check(numpy.abs(numpy.linalg.norm(top["position"][:, 0], axis=1) - 0.5).max() < 1e-8, "top on its foot")

# a chain with all kinds of joints flies: momentum and angular momentum to rounding and to what positions are moved back
CHAIN = """bodies:
  - box: {at: [0.5, 0, 0], size: [1, 0.3, 0.2], mass: 1, velocity: [0.1, 0.2, 0.3]}
  - box: {at: [1.5, 0, 0], size: [1, 0.3, 0.2], mass: 2, velocity: [0.1, 0.2, 0.3]}
  - box: {at: [2.5, 0, 0], size: [1, 0.3, 0.2], mass: 1, velocity: [0.1, 0.2, 0.3]}
  - box: {at: [3.5, 0, 0], size: [1, 0.3, 0.2], mass: 3, velocity: [0.1, 0.2, 0.3]}
  - sphere: {at: [4.5, 0, 0], radius: 0.5, mass: 1, velocity: [0.1, 0.2, 0.3]}
joints:
  - ball: {bodies: [1, 2], at: [1, 0, 0]}
  - hinge: {bodies: [2, 3], at: [2, 0, 0], axis: [0, 1, 0], torque: 1}
  - weld: {bodies: [3, 4], at: [3, 0, 0]}
  - slider: {bodies: [5, 4], at: [4, 0, 0], axis: [1, 0, 0], force: 0.5}
  - distance: {bodies: [1, 5], at: [0, 0, 0], to: [4.5, 0.3, 0], limits: [4, 5]}
"""
chain = run("chain", CHAIN, 2, 1e-3, 0.1)
masses = numpy.array([1.0, 2, 1, 3, 1])
linear = numpy.tensordot(chain["velocity"], masses, axes=(1, 0))
check(numpy.abs(linear - linear[0]).max() < 1e-12, "momentum", numpy.abs(linear - linear[0]).max())
check(numpy.abs(chain["rotation"][:, 2] - chain["rotation"][:, 3]).max() < 1e-7, "weld")
check(chain["work"][-1] > 0.1, "motors", chain["work"][-1])
ends = numpy.linalg.norm(chain["position"][:, 4] - chain["position"][:, 0], axis=1)
check(ends.max() < 5.3, "rope", ends.max())

# a chain that hangs and strikes bodies: contacts see the joints; again, and resumed, the same bits
STRIKE = """gravity: [0, -10]
bodies:
  - box: {name: a, at: [0.5, 1], size: [1, 0.1], mass: 1}
  - box: {name: b, at: [1.5, 1], size: [1, 0.1], mass: 1}
  - disc: {at: [1.5, 2], radius: 0.3, mass: 3}
  - box: {at: [0, -1.6], size: [0.5, 0.5], mass: 1}
  - plane: {at: [0, -1.85], normal: [0, 1]}
contacts: {law: rigid, e: 0.2, mu: 0.4}
joints: [hinge: {bodies: [a, world], at: [0, 1]}, hinge: {bodies: [b, a], at: [1, 1], limits: [-2, 2]}]
"""
strike = run("strike", STRIKE, 2, 1e-3, 0.1)
knee = strike["position"][:, 0] + 0.5 * numpy.stack([numpy.cos(strike["rotation"][:, 0]), numpy.sin(strike["rotation"][:, 0])], -1).reshape(-1, 2)
other = strike["position"][:, 1] - 0.5 * numpy.stack([numpy.cos(strike["rotation"][:, 1]), numpy.sin(strike["rotation"][:, 1])], -1).reshape(-1, 2)
check(numpy.abs(knee - other).max() < 1e-5, "knee", numpy.abs(knee - other).max())
energy = strike["kinetic"] + strike["stored"]
check(energy[-1] < energy[0] - 1, "impacts take energy", energy[0], energy[-1])

# what is refused, in one sentence
write("long", ROD % "" + "run: {until: 10, step: 2.5}\n")
done = carom("run", "long.yaml", "-o", "long.h5", "-q")
check(done.returncode != 0 and "take a smaller" in done.stderr, "long steps", done.stderr)
DISC = "bodies: [disc: {name: a, at: [0, 0], radius: 0.5}, disc: {name: b, at: [2, 0], radius: 0.5}, disc: {name: c, at: [4, 0], radius: 1, fixed: true}]\n"
ONE = DISC + "joints: [%s]\n"
refused("kind", ONE % "hing: {bodies: [a, b], at: [0, 0]}", "hing", "hinge")
refused("rigid limits", ONE % "slider: {bodies: [a, b], at: [0, 0], axis: [1, 0], limits: [-1, 1], k: 1e5}", "k: limits are rigid here")
refused("plane", ONE % "ball: {bodies: [a, b], at: [0, 0]}", "hinge")
refused("missing", ONE % "hinge: {bodies: [a], at: [0, 0]}", "2")
refused("nobody", ONE % "hinge: {bodies: [a, d], at: [0, 0]}", "no body has the name")
refused("itself", ONE % "hinge: {bodies: [a, a], at: [0, 0]}", "itself")
refused("fixed", ONE % "hinge: {bodies: [c, world], at: [0, 0]}", "moves freely")
refused("first", ONE % "hinge: {bodies: [world, a], at: [0, 0]}", "world stands second")
refused("axis", ONE % "slider: {bodies: [a, b], at: [0, 0]}", "axis is missing")
refused("limits", ONE % "hinge: {bodies: [a, b], at: [0, 0], limits: [1, 2]}", "begins at 0")
refused("nan", ONE % "hinge: {bodies: [a, b], at: [.nan, 0]}", "")
refused("far", ONE % "hinge: {bodies: [a, b], at: [1e300, 0]}", "usable")
refused("torque", ONE % "slider: {bodies: [a, b], at: [0, 0], axis: [1, 0], torque: 1}", "driven by a force")
refused("motors", ONE % "hinge: {bodies: [a, world], at: [0, 0], speed: 1}, hinge: {bodies: [a, world], at: [0, 0], speed: 2}", "joint 2", "motor")
refused("moving", ONE.replace("radius: 0.5}", "radius: 0.5, velocity: [1, 0]}", 1) % "hinge: {bodies: [a, world], at: [0, 0]}", "joint 1 does not allow")
refused("moved", ONE % "hinge: {bodies: [a, world], at: [0, 0]}" + "start: [{body: a, displacement: [0.1, 0]}]\n", "joint 1 is open by 0.1")
refused("itself", ONE % "hinge: {bodies: [a, a], at: [0, 0]}", "both are the same")
SPACED = "bodies: [sphere: {name: a, at: [0, 0, 0], radius: 0.5}]\njoints: [ball: {bodies: [a, world], at: [0, 0, 1]}]\nrun: {until: 1, scheme: mannshardt}\n"
write("scheme", SPACED)
check("not bodies of space; event and moreau-adaptive take" in carom("run", "scheme.yaml", "-q").stderr, "schemes of the plane")
# what a joint carries at the start is the mean of the first step: a disc held aside falls with all but I / (I + m L^2) of its weight
aside = run("aside", "gravity: [0, -10]\nbodies: [disc: {name: bob, at: [3, 0], radius: 1, mass: 2}]\njoints: [hinge: {bodies: [bob, world], at: [0, 0]}]\n",
            0.01, 1e-4, 1e-3)
check(abs(aside["joint_force"][0, 0, 1] / (20 * 0.5 / 9.5) - 1) < 1e-6 and abs(aside["joint_force"][0, 0, 0]) < 0.01, "force at the start", aside["joint_force"][:2])
refused("against", ROD % ", limits: [-0.2, 0.2], speed: 1", "the motor of joint 1 drives joint 1 against its limit")
write("place", ONE % "hinge: {bodies: [b, world], at: [2, 1]}, hinge: {bodies: [a, a], at: [0, 0]}" + "run: {until: 1, step: 1e-2}\n")
check("place.yaml:4:59" in carom("run", "place.yaml", "-q").stderr, "place of a joint", carom("run", "place.yaml", "-q").stderr)
write("rows", "bodies: [chain: {count: 3, radius: 1}]\njoints: [hinge: {bodies: [1, 2], at: [0, 0]}]\nrun: {until: 1}\n")
check(carom("run", "rows.yaml", "-q").returncode != 0, "joints of a row")
end()
