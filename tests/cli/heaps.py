"""Many rigid bodies on each other: a pyramid of twenty rows against its statics, towers and arches that stand, heaps of thousands, and
problems that have no solution."""
import csv
import math
import os
import re
import subprocess
import time

import h5py
import numpy

from checks import EVERY, check, end, fresh, some

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def write(bodies, until, step, dimension=2, e=0.0, mu=0.5, tol=1e-10, every=None):
    gravity = "[0, -10]" if dimension == 2 else "[0, 0, -10]"
    with open("scene.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n" % gravity + "".join("  - %s\n" % b for b in bodies)
                   + "contacts: {law: rigid, e: %g, mu: %g}\nrun: {until: %r, scheme: moreau-jean, step: %r, solver_tol: %g}\n" % (e, mu, until, step, tol)
                   + "record: {every: %r, probes: [position, rotation, v, contacts]}\n" % (every or until))


def run(*words):
    done = subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("scene.h5"), *words], capture_output=True, text=True, timeout=600)
    check(done.returncode == 0, done.stderr)
    found = re.search(r"contact problems solved to (\S+)", done.stdout)
    return float(found.group(1)) if found else 0.0


def forces():
    """(first, second, point, force on the second) of all contacts at the end"""
    done = subprocess.run([CAROM, "export", "scene.h5", "--csv", "--contacts", "-o", "contacts.csv"], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    with open("contacts.csv") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    last = max(row["time"] for row in rows)
    return [(int(r["first"]) - 1, int(r["second"]) - 1, numpy.array([r["point_x"], r["point_y"]]),
             numpy.array([r["force_x"], r["force_y"]]), numpy.array([r["normal_x"], r["normal_y"]])) for r in rows if r["time"] == last]


FLOOR = "plane: {at: [0, 0], normal: [0, 1]}"


def pyramid(rows, wide):
    return ["box: {at: [%r, %r], size: [%r, 0.5], mass: 1}" % (i + 0.5 * j, 0.25 + 0.5 * j, wide)
            for j in range(rows) for i in range(rows - j)] + [FLOOR]


def held(count, mu, weight, *what):
    """Cones are kept, and gravity and what touches it leave nothing of any body; the sizes of the forces between two"""
    with h5py.File("scene.h5") as file:
        place = file["particles/bodies/position/value"][-1]
    hold, turn, between = numpy.zeros((count + 1, 2)), numpy.zeros(count + 1), []
    for a, b, point, force, normal in forces():
        push = force @ normal
        slide = abs(force @ numpy.array([-normal[1], normal[0]]))
        check(push >= 0 and slide <= mu * push * (1 + 1e-9) + 1e-9, "cone", a, b, push, slide)
        for body, sign in ((a, -1.0), (b, 1.0)):
            arm = point - place[body]
            hold[body] += sign * force
            turn[body] += sign * (arm[0] * force[1] - arm[1] * force[0])
        between.append((a, b, abs(force[1])))
    check(abs(hold[:count] - [0.0, 10.0]).max() < 1e-9 * weight, *what, "forces", abs(hold[:count] - [0.0, 10.0]).max())
    check(abs(turn[:count]).max() < 1e-9 * weight, *what, "moments", abs(turn[:count]).max())
    return between


def test_pyramid():
    """Boxes that stand: what holds each of them is known however forces are shared, and so is what a row bears."""
    for rows, wide in some(((20, 1.0), (10, 1.0), (20, 0.9), (40, 1.0)), 2):
        bodies = pyramid(rows, wide)
        count, mu = len(bodies) - 1, 0.5
        write(bodies, 0.02, 0.01, mu=mu)
        residual = run()
        check(residual < 1e-10, rows, wide, "residual", residual)
        row, above = numpy.array([j for j in range(rows) for _ in range(rows - j)] + [-1]), numpy.zeros(rows)
        weight = 10.0 * count
        for a, b, push in held(count, mu, weight, rows, wide):
            if row[a] != row[b]:
                above[max(row[a], row[b])] += push
        for j in range(rows):
            check(abs(above[j] - 10.0 * (rows - j) * (rows - j + 1) / 2) < 1e-9 * weight, rows, "row", j, above[j])


def discs(rows):
    """in a triangle on the floor, each touching its neighbours"""
    return ["disc: {at: [%r, %r], radius: 0.5, mass: 1}" % (i + 0.5 * j, 0.5 + j * math.sqrt(0.75)) for j in range(rows) for i in range(rows - j)] + [FLOOR]


def test_rough_discs():
    """Rows of touching discs stand by friction alone. The least mu at which forces inside all cones hold every disc is 0.4975 for five rows,
    0.5127 for six, 0.5537 for 15, and stays below tan 30 degrees however many there are (linear programs of a solver from elsewhere)."""
    for rows, mu in some(((3, 0.5), (3, 1.0), (5, 0.5), (30, 0.6), (15, 0.556), (40, 0.8), (8, 0.6)), 2): # few rows could roll apart by the law, too
        bodies = discs(rows)
        write(bodies, 0.02, 0.01, mu=mu, tol=1e-8)
        check(run() < 1e-10, rows, mu, "solved")
        held(len(bodies) - 1, mu, 10.0 * (len(bodies) - 1), rows, mu)
    for rows, mu in ((5, 0.495), (6, 0.5)):
        write(discs(rows), 0.1, 0.01, mu=mu, tol=1e-8)
        run()
        with h5py.File("scene.h5") as file:
            place = file["particles/bodies/position/value"]
            check(abs(place[-1] - place[0]).max() > 1e-3, rows, mu, "fall")


def test_pile():
    """Discs without friction, apart beside each other, on a row that is held: nothing is shared, k m g / (2 sin a) along each line."""
    rows, apart = 21, 1.02
    high = math.sqrt(1.0 - 0.25 * apart * apart)
    write(["disc: {at: [%r, %r], radius: 0.5, mass: 1%s}" % (apart * (i + 0.5 * j), j * high, ", fixed: true" if j == 0 else "")
           for j in range(rows) for i in range(rows - j)], 0.02, 0.01, mu=0.0)
    run()
    worst, counts = 0.0, {}
    for _, _, _, force, _ in forces():
        part = numpy.hypot(*force) / (5.0 / high)
        counts[round(part)] = counts.get(round(part), 0) + 1
        worst = max(worst, abs(part - round(part)))
    check(worst < 1e-8 and counts == {k: 2 * (rows - k) for k in range(1, rows)}, "pile", worst, counts)


def arch(stones, thick):
    """half a ring of radius 5 cut into stones, on two fixed blocks"""
    ends = [math.pi * k / stones for k in range(stones + 1)]
    ring = ["polygon: {points: [%s], at: [0, 0], mass: 1}" % ", ".join(
        "[%r, %r]" % (r * math.cos(t), r * math.sin(t)) for t in (a, b) for r in (5.0, 5.0 + thick)) for a, b in zip(ends, ends[1:])]
    return ring + ["box: {at: [%r, -0.5], size: [3, 1], fixed: true}" % (s * (5.0 + 0.5 * thick)) for s in (-1, 1)]


def test_standing():
    """Towers and arches stay where they are. An arch stands from 0.107 of its radius in thickness on (Milankovitch), not below."""
    steps = 100000 if EVERY else 2000
    for bodies, size in ((["box: {at: [0, %r], size: [1, 0.5], mass: 1}" % (0.25 + 0.5 * k) for k in range(10)] + [FLOOR], 5.0), (arch(11, 1.0), 6.0)):
        write(bodies, 0.01 * steps, 0.01, e=0.1, every=0.005 * steps)
        run()
        with h5py.File("scene.h5") as file:
            place = file["particles/bodies/position/value"]
            drift = abs(place[-1] - place[0]).max() / size
        print(len(bodies), "bodies:", drift, "of their size in", steps, "steps")
        check(drift < 1e-10, len(bodies), "drift", drift)
    write(arch(11, 0.3), 1.0, 0.01)
    run()
    with h5py.File("scene.h5") as file:
        place = file["particles/bodies/position/value"]
        check(abs(place[-1] - place[0]).max() > 0.1, "a thin arch falls")


def test_many():
    """1e4 boxes in towers, 4096 spheres (where all is done), 1e3 boxes joined to each other"""
    towers, across = (500, 16) if EVERY else (125, 10)
    for bodies, dimension in ((["box: {at: [%r, %r], size: [1, 0.5], mass: 1}" % (2.0 * i, 0.25 + 0.5 * j) for i in range(towers) for j in range(20)] + [FLOOR], 2),
                              (["sphere: {at: [%d, %d, %r], radius: 0.5, mass: 1}" % (i, j, k + 0.5) for k in range(across) for j in range(across) for i in range(across)]
                               + ["plane: {at: [0, 0, 0], normal: [0, 0, 1]}"], 3),
                              (["box: {at: [%r, %r], size: [1, 0.5], mass: 1}" % (i + 0.5 * (j % 2), 0.25 + 0.5 * j) for j in range(25) for i in range(40)] + [FLOOR], 2)):
        write(bodies, 0.02, 0.01, dimension, tol=1e-8)
        begin = time.monotonic()
        residual = run()
        check(residual <= 1e-8, len(bodies), "residual", residual)
        print(len(bodies), "bodies, residual", residual, "two steps in", time.monotonic() - begin, "s")


def test_faces():
    """Two octahedra on each other, face on face in six places that open and press: what they ask for is a motion that bodies can make."""
    with open(os.path.join(SOURCE, "scenes", "bodies", "heap-of-polyhedra.yaml")) as scene, open("scene.yaml", "w") as file:
        file.write(scene.read())
    residual = run("--set", "run.until=0.66")
    check(0 < residual <= 1e-8, "faces on faces", residual)


for test in (test_pyramid, test_rough_discs, test_pile, test_standing, test_many, test_faces):
    test()
end()
