"""Impacts with friction: Poisson's and Stronge's laws against their path followed in small pieces, and no energy where impacts are bounded."""
import math
import os
import random
import re
import subprocess

import h5py
import numpy

from checks import EVERY, check, end, fresh

CAROM = os.environ["CAROM"]


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def throw(seed, space):
    """Three thin boxes thrown onto a floor, and at each other."""
    draw = random.Random(seed)
    boxes = ""
    for i in range(3):
        vector = [3 * i if seed % 2 else 1.7 * i, 2] if not space else [1.9 * i, 0, 2]
        size = [draw.uniform(0.05, 1), draw.uniform(0.3, 1.5)] + [0.6] * space
        velocity = [draw.uniform(-4, 4)] + [0.5 * draw.uniform(-1, 1)] * space + [draw.uniform(-4, -1)]
        turn = draw.uniform(-2, 2)
        spin = [draw.uniform(-8, 8) for _ in range(3)]
        boxes += "  - box: {at: %s, size: %s, turn: %s, mass: %g, velocity: %s, spin: %s}\n" % (
            vector, size, "{axis: [1, 2, 0], angle: %g}" % turn if space else turn, draw.uniform(0.2, 3), velocity, spin if space else spin[0])
    floor = "  - plane: {at: %s, normal: %s}\n" % (("[0, 0, 0]", "[0, 0, 1]") if space else ("[0, 0]", "[0, 1]"))
    contacts = "contacts: {law: rigid, e: %g, mu: %g}\n" % (draw.uniform(0.5, 1), draw.uniform(0.5, 2))
    return "units: none\ntheory: nonsmooth\nbodies:\n" + boxes + floor + contacts + "run: {until: 2, scheme: moreau-jean, step: 2e-3}\n"


def created(name, *words):
    done = carom("run", name, "-o", fresh("thrown.h5"), *words)
    check(done.returncode == 0, name, words, done.stderr)
    friction_loss = re.search(r"^ +friction +(\S+)", done.stdout, re.M)
    check(friction_loss and float(friction_loss.group(1)) >= 0, "friction takes energy", name, words, done.stdout)
    found = re.search(r"CREATED (\S+)", done.stdout)
    return float(found.group(1)) if found else 0.0


printed = 0
for seed in range(14 if EVERY else 6):  # seed 5 is one of space
    with open("thrown.yaml", "w") as file:
        file.write(throw(seed, seed % 6 == 5))
    printed += created("thrown.yaml") > 0
    check(created("thrown.yaml", "--set", "run.bounded=true") == 0, "bounded", seed)
    if seed in (0, 5) or EVERY and seed < 6:
        check(created("thrown.yaml", "--set", "run.bounded=true", "--set", "run.blow=poisson") == 0, "poisson", seed)
        check(created("thrown.yaml", "--set", "run.blow=stronge") == 0, "stronge", seed)
check(printed > 0, "Newton's e creates energy somewhere", printed)

# Blows that turn the slip, of a linkage: the work of friction along the mean slip is above 0, and belongs to the impact.
for scheme in ("event", "moreau-adaptive", "moreau-jean"):
    with open("linkage.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: [0.3, -5]\nbodies:\n  - box: {name: crank, at: [0.5, 0], size: [1, 0.2], mass: 1}\n"
                   "  - polygon: {name: rod, points: [[-0.5, 0], [0.5, -0.2], [0.5, 0.2]], at: [1.5, 0], mass: 2}\n"
                   "  - plane: {at: [0, -0.8], normal: [0.1, 1]}\n"
                   "joints: [hinge: {bodies: [crank, world], at: [0, 0]}, hinge: {bodies: [rod, crank], at: [1, 0]}]\n"
                   "contacts: [{e: 0.5, mu: 0.2}, {between: [crank, rod], meet: false}]\nrun: {until: 0.8, scheme: %s}\n" % scheme)
    created("linkage.yaml")

# A box that tips over: where gravity acts in the step of an impact, contacts with e = 0 that slip may be given some of its work, which goes with the step. `bounded` adds nothing to
# it, and without gravity there is none.
with open("tips.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n"
               "  - box: {at: [0, 1], size: [0.875537, 0.3], mass: 1, velocity: [1.54773, -1.73829], turn: -1.4465, spin: 0.202945}\n"
               "contacts: {law: rigid, e: 0, mu: 0.434687}\nrun: {until: 1, scheme: moreau-jean, step: 5e-3, bounded: true}\n")
tips = created("tips.yaml")
check(0 < tips <= created("tips.yaml", "--set", "run.bounded=false"), "bounded gives no more", tips)
check(created("tips.yaml", "--set", "run.step=5e-4") < 0.3 * tips, "goes with the step", tips)
check(created("tips.yaml", "--set", "gravity=[0, 0]") == 0, "of gravity")
with open("rocks.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n"
               "  - box: {at: [0, 0.6], size: [0.6, 0.3], mass: 1, velocity: [-0.78, -2.38], turn: 1.88, spin: -6.95}\n"
               "contacts: {law: rigid, e: 0, mu: 0.3}\nrun: {until: 1, scheme: moreau-jean, step: 5e-3}\n")
check(created("rocks.yaml") == 0, "contacts that stick do no work")


def follow(a, u, mu, e, law):
    """Velocities after a blow: the normal impulse grows in small pieces, friction against the slip of each."""
    u, pressed, work, nearest = numpy.array(u, float), 0.0, 0.0, None
    piece = 2e-4 * abs(u[0]) / a[0, 0]
    while True:
        slips = abs(u[1]) > 2 * piece * (a[1, 1] * mu + abs(a[1, 0]))
        pull = -mu * numpy.sign(u[1]) if slips else max(-mu, min(mu, -(u[1] / piece + a[1, 0]) / a[1, 1]))
        after = u + a @ [piece, pull * piece]
        work += piece * (u[0] + after[0]) / 2
        pressed += piece
        u = after
        if nearest is None and u[0] >= 0:
            nearest = pressed, work
        if nearest and (pressed >= (1 + e) * nearest[0] if law == "poisson" else work >= (1 - e * e) * nearest[1]):
            return u


# a rod that strikes the floor with one end, drawn at random: slip that goes on, stops, or turns round
stopped = 0
for seed in range(8 if EVERY else 5):
    draw = random.Random(seed)
    angle, speed, spin = draw.uniform(0.1, 1.4), [draw.uniform(-2, 2), -draw.uniform(0.5, 2)], draw.uniform(-2, 2)
    e, mu, inertia = draw.uniform(0.3, 0.9), draw.uniform(0.2, 1.5), (1 + 0.02 ** 2) / 12
    corners = [(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)) for x in (-0.01, 0.01) for y in (-0.5, 0.5)]
    arm = min(corners, key=lambda corner: corner[1])
    start = [speed[1] + spin * arm[0], speed[0] - spin * arm[1]]
    if start[0] >= 0:
        continue
    mobility = numpy.array([[1 + arm[0] ** 2 / inertia, -arm[0] * arm[1] / inertia], [-arm[0] * arm[1] / inertia, 1 + arm[1] ** 2 / inertia]])
    for law in ("poisson", "stronge"):
        with open("blow.yaml", "w") as file:
            file.write("units: none\ntheory: nonsmooth\nbodies:\n  - box: {at: [0, %.17g], size: [0.02, 1], turn: %.17g, mass: 1, velocity: %s, spin: %.17g}\n"
                       "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: rigid, e: %.17g, mu: %.17g}\nrun: {until: 1e-6, scheme: moreau-jean, step: 1e-6, "
                       "blow: %s}\nrecord: {every: 1e-6, probes: [v, spin]}\n" % (1e-9 - arm[1], angle, speed, spin, e, mu, law))
        done = carom("run", "blow.yaml", "-o", fresh("blow.h5"), "-q")
        check(done.returncode == 0, "blow", done.stderr)
        with h5py.File("blow.h5") as file:
            v, w = file["particles/bodies/velocity/value"][-1, 0], file["particles/bodies/spin/value"][-1].ravel()[0]
        after = numpy.array([v[1] + w * arm[0], v[0] - w * arm[1]])
        check(numpy.abs(after - follow(mobility, start, mu, e, law)).max() < 1e-3, law, seed, after)
        check(v @ v + inertia * w * w <= speed[0] ** 2 + speed[1] ** 2 + inertia * spin * spin or law == "poisson", "energy", law, seed)
    stopped += abs(after[1]) < 1e-5
check(stopped > 0, "slip that stops", stopped)

# both corners of a side are struck together: as event has it, up to the step and to what the path is right to
with open("flat.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n"
               "  - box: {at: [0, 0.5], size: [0.6, 0.4], mass: 1, velocity: [1, 0]}\n"
               "contacts: {law: rigid, e: 0.5, mu: 0.3}\nrun: {until: 0.25, scheme: moreau-jean, step: 1e-4}\nrecord: {every: 0.05, probes: [v, spin]}\n")


def energies(name, *words):
    done = carom("run", name, "-o", fresh("left.h5"), *words)
    check(done.returncode == 0 and "struck together" not in done.stdout, name, words, done.stderr, done.stdout)
    with h5py.File("left.h5") as file:
        return numpy.array([file["observables/ledger/%s/value" % of][-1] for of in ("kinetic", "dissipated")])


newton = energies("flat.yaml")
for law in ("poisson", "stronge"):
    here, there = energies("flat.yaml", "--set", "run.blow=" + law), energies("flat.yaml", "--set", "run={until: 0.25, scheme: event, tol: 1e-9, impact: %s}" % law)
    check(abs(here - there).max() < 6e-3 and abs(here - newton).max() > 1e-2, law, here, there, newton)

# beside joints: the limit of a hinge and a floor, against moreau-adaptive
with open("linkage.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\ngravity: [0.3, -5]\nbodies:\n  - box: {name: crank, at: [0.5, 0], size: [1, 0.2], mass: 1}\n"
               "  - polygon: {name: rod, points: [[-0.5, 0], [0.5, -0.2], [0.5, 0.2]], at: [1.5, 0], mass: 2}\n"
               "  - plane: {at: [0, -0.8], normal: [0.1, 1]}\n"
               "joints: [hinge: {bodies: [crank, world], at: [0, 0], limits: [-0.6, 1]}, hinge: {bodies: [rod, crank], at: [1, 0]}]\n"
               "contacts: [{e: 0.5, mu: 0.9}, {between: [crank, rod], meet: false}]\nrun: {until: 0.7, scheme: moreau-jean, step: 1e-4}\n")
for law in ("poisson", "stronge"):
    here = energies("linkage.yaml", "--set", "run.blow=" + law)
    there = energies("linkage.yaml", "--set", "run={until: 0.7, scheme: moreau-adaptive, tol: 1e-8, blow: %s}" % law)
    check(abs(here - there).max() < 1e-2 * there.max(), "linkage", law, here, there)

# space: a sphere has the same blow by every law; a box that moves in a plane strikes with two corners as one of the plane does with one
with open("sphere.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\nbodies:\n  - sphere: {at: [0, 0, 1.001], radius: 1, mass: 2, velocity: [1, -2, -3], spin: [4, 1, 2]}\n"
               "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0.6, mu: 0.2}\nrun: {until: 0.01, scheme: moreau-jean, step: 1e-3}\n")
one = energies("sphere.yaml")
for law in ("poisson", "stronge"):
    check(abs(energies("sphere.yaml", "--set", "run.blow=" + law) - one).max() < 1e-6 * one.max(), "sphere", law)
for law in ("poisson", "stronge"):
    both = []
    for z, name in ((", 0", "space"), ("", "plane")):
        deep, spin, turn = (", 0.3", "[0, 0, 0.5]", "{axis: [0, 0, 1], angle: 0.45}") if z else ("", "0.5", "0.45")
        with open("rod.yaml", "w") as file:
            file.write("units: none\ntheory: nonsmooth\nbodies:\n  - box: {at: [0, 0.46%s], size: [0.02, 1%s], turn: %s, mass: 1, velocity: [1.2, -1%s], spin: %s}\n"
                       "  - plane: {at: [0, 0%s], normal: [0, 1%s]}\ncontacts: {law: rigid, e: 0.7, mu: 0.8}\n"
                       "run: {until: 0.1, scheme: moreau-jean, step: 1e-4, blow: %s}\n" % (z, deep, turn, z, spin, z, z, law))
        both.append(energies("rod.yaml"))
    check(abs(both[0] - both[1]).max() < 1e-3 * both[1].max(), "rod", law, both)

# a long row of bricks is struck by one from above: more contacts than a path is followed of have Newton's e, and the summary says so
bricks = "".join("  - box: {at: [%g, 0.25], size: [1, 0.5], mass: 1}\n" % i for i in range(400))
with open("bricks.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n" + bricks +
               "  - box: {at: [4.5, 0.752], size: [1, 0.5], mass: 1, velocity: [1, -1]}\n"
               "contacts: {law: rigid, e: 0.5, mu: 0.3}\nrun: {until: 4e-3, scheme: moreau-jean, step: 1e-3, blow: stronge}\n")
check("struck together and had Newton's e" in carom("run", "bricks.yaml", "-o", "flat.h5").stdout, "too many")
check("struck together" not in carom("run", "bricks.yaml", "-o", "flat.h5", "--set", "run.blow=newton").stdout, "asked for")

with open("rows.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\nbodies: [chain: {count: 3, radius: 1}]\nrun: {until: 1, scheme: moreau-jean, step: 0.01, bounded: true}\n")
done = carom("run", "rows.yaml", "-q")
check(done.returncode != 0 and "bounded is for" in done.stderr, "rows", done.stderr)

# samples inside a step with an impact: positions go with velocities, whatever theta; with theta = 1 the jump is right after the first sample
with open("ball.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\nbodies:\n  - disc: {at: [0, 1.005], radius: 1, mass: 1, velocity: [0, -1]}\n"
               "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: rigid, e: 0.5, mu: 0.3}\n"
               "run: {until: 0.04, scheme: moreau-jean, step: 0.01}\nrecord: {every: 0.0005, probes: [position, v]}\n")
for theta in (0.5, 0.8, 1):
    done = carom("run", "ball.yaml", "-o", fresh("ball.h5"), "--set", "run.theta=%g" % theta)
    check(done.returncode == 0, "ball", done.stderr)
    with h5py.File("ball.h5") as file:
        disc = file["particles/bodies"]
        t, q, v = disc["position/time"][:], disc["position/value"][:, 0, 1], disc["velocity/value"][:, 0, 1]
    off = numpy.minimum(abs(numpy.diff(q) / numpy.diff(t) - v[:-1]), abs(numpy.diff(q) / numpy.diff(t) - v[1:]))
    check(off.max() < 1e-9 and v.min() == -1 and v.max() == 0.5, "samples", theta, off.max(), v.min(), v.max())
end()
