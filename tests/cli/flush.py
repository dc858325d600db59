"""Bodies whose edges lie on each other, exactly or to rounding: what rests on a face is held at every corner of where the two
overlap, by the same contacts in every step, and stays. Boxes, polyhedra and compounds in space, boxes and polygons in the plane,
capsules, piles of them, shifted along either axis by nothing, by less than can be told, or by much, and turned about the normal."""
import csv
import itertools
import math
import os
import random
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
SHIFTS = (0.0, 1e-12, 1e-9, 1e-5, 0.1)
STEP, STEPS = 1e-3, 1000


def carom(*words):
    done = subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, words, done.stderr)
    return done.stdout


def run(name, space, bodies, e=0.0, mu=0.5):
    """STEPS steps of bodies at rest: they stay, no contact comes or goes; where they touch at the end, by pairs"""
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n%s" % ("[0, 0, -10]" if space else "[0, -10]",
                                                                               "".join("  - %s\n" % body for body in bodies)))
        file.write("contacts: {e: %g, mu: %g}\nrun: {until: %g, scheme: moreau-jean, step: %g}\n" % (e, mu, STEPS * STEP, STEP))
        file.write("record: {every: %g, probes: [position, contacts]}\n" % (STEPS * STEP / 4))
    carom("run", name + ".yaml", "-o", name + ".h5", "-q")
    with h5py.File(name + ".h5") as file:
        position = file["particles/bodies/position/value"][()]
        moved = numpy.abs(position - position[0]).max(axis=(0, 2))
        check(moved.max() < 1e-9, name, "moved", moved.max(), numpy.argmax(moved) + 1)
    events = carom("export", name + ".h5", "--csv", "--events", "-q").splitlines()[1:]
    news = [line for line in events if line.split(",")[1] not in ("stick", "slip")]
    check(len(news) <= len(bodies) / 4, name, len(news), "openings and closings of", len(bodies), "bodies")
    check(len(events) <= 20 * len(bodies), name, len(events), "events of", len(bodies), "bodies")  # slips at 1e-15 are some
    places = {}
    lines = list(csv.DictReader(carom("export", name + ".h5", "--csv", "--contacts", "-q").splitlines()))
    for line in lines:
        if line["time"] != lines[-1]["time"]:
            continue
        check(abs(float(line["gap"])) < 1e-9, name, "overlap", line["gap"])
        places.setdefault((int(line["first"]), int(line["second"])), []).append([float(line["point_x"]), float(line["point_y"])])
    return places


def corners(points, at, turn):
    c, s = math.cos(turn), math.sin(turn)
    return [(at[0] + c * x - s * y, at[1] + s * x + c * y) for x, y in points]


def overlap(one, other):
    """the convex polygon `one` cut by the sides of `other` (Sutherland and Hodgman 1974), corners that cannot be told apart once, straight ones not"""
    for k, (x, y) in enumerate(other):
        ux, uy = other[(k + 1) % len(other)][0] - x, other[(k + 1) % len(other)][1] - y
        height = [(ux * (py - y) - uy * (px - x)) / math.hypot(ux, uy) for px, py in one]
        cut = []
        for i, p in enumerate(one):
            j = (i + 1) % len(one)
            if height[i] >= 0:
                cut.append(p)
            if (height[i] < 0) != (height[j] < 0):
                part = height[i] / (height[i] - height[j])
                cut.append((p[0] + part * (one[j][0] - p[0]), p[1] + part * (one[j][1] - p[1])))
        one = cut
    apart = []
    for p in one:
        if all(math.dist(p, other) > 3e-6 for other in apart):
            apart.append(p)

    def bends(p, q, r):
        a, b = (q[0] - p[0], q[1] - p[1]), (r[0] - q[0], r[1] - q[1])
        return abs(a[0] * b[1] - a[1] * b[0]) > 1e-3 * math.hypot(*a) * math.hypot(*b)
    return [q for k, q in enumerate(apart) if bends(apart[k - 1], q, apart[(k + 1) % len(apart)])]


def same(name, places, wanted, twice=False):
    """Every corner of the polygon is a place, and there are no others, or none elsewhere. Of twelve corners one may carry nothing: three forces would do."""
    if len(wanted) == 12 and len(places) == 11:
        wanted = [q for q in wanted if min(math.dist(p, q) for p in places) < 3e-6]
    far = max(min(math.dist(p, q) for q in places) for p in wanted) if places else math.inf
    off = max(min(math.dist(p, q) for q in wanted) for p in places) if places else math.inf
    check((twice or len(places) == len(wanted)) and max(far, off) < 3e-6, name, len(places), "places for", len(wanted), "corners", far, off)


BOX = [(-0.5, -0.4), (0.5, -0.4), (0.5, 0.4), (-0.5, 0.4)]
SIX = [(0.5 * math.cos(math.pi * k / 3), 0.5 * math.sin(math.pi * k / 3)) for k in range(6)]


def shape(kind, at, turn, fixed):
    """a body of height 0.2 whose outline, seen from above, is the one it returns"""
    place = "at: [%.17g, %.17g, %.17g], turn: {axis: [0, 0, 1], angle: %.17g}, %s" % (*at, turn, "fixed: true" if fixed else "mass: 1")
    if kind == "box":
        return "box: {%s, size: [1, 0.8, 0.2]}" % place, corners(BOX, at, turn)
    outline = SIX if kind == "six" else BOX
    points = ", ".join("[%.17g, %.17g, %g]" % (x, y, z) for x, y in outline for z in (-0.1, 0.1))
    if kind == "compound":
        return "compound: {%s, parts: [polyhedron: {points: [%s]}]}" % (place, points), corners(outline, at, turn)
    return "polyhedron: {%s, points: [%s]}" % (place, points), corners(outline, at, turn)


draws = random.Random(5)

# pairs, each on a table of its own: every shift in x and y, turned by quarters and by 0.3
QUARTERS = [0.5 * math.pi * k for k in range(4)]
for name, below, above, turns in (("boxes", "box", "box", 2), ("hull-on-box", "box", "hull", 1), ("six-on-six", "six", "six", 1),
                                  ("compounds", "compound", "compound", 1), ("box-on-six", "six", "box", 1)):
    bodies, wanted = [], []
    for i, (x, y) in enumerate(itertools.product(SHIFTS, SHIFTS)):
        for j, turn in enumerate([*draws.sample(QUARTERS, turns), 0.3][:turns + i % 2]):
            table, face = shape(below, (3.0 * j, 3.0 * i, 0.1), 0.0, True)
            body, foot = shape(above, (3.0 * j + draws.choice((-x, x)), 3.0 * i + y, 0.3), turn, False)
            bodies += [table, body]
            wanted.append(overlap(foot, face))
    places = run(name, True, bodies)
    for k, polygon in enumerate(wanted):
        same("%s: %s" % (name, bodies[2 * k + 1]), places.get((2 * k + 1, 2 * k + 2), []), polygon)

# towers on a plane; shifts of 0.1 to and fro, so that they stand
bodies, wanted = ["plane: {at: [0, 0, 0], normal: [0, 0, 1]}"], {}
for tower in range(10):
    for k in range(5):
        x, y = (draws.choice(SHIFTS) * (-1) ** k for axis in range(2))
        body, foot = shape("box", (3.0 * tower + x, y, 0.1 + 0.2 * k), draws.choice(QUARTERS[:1 + tower % 2 * 3]), False)
        bodies.append(body)
        if k > 0:
            wanted[len(bodies) - 1, len(bodies)] = overlap(foot, under)
        under = foot
places = run("towers", True, bodies)
for pair, polygon in wanted.items():
    same("tower: %s" % (pair,), places.get(pair, []), polygon)

# the plane: boxes on boxes, hexagons on hexagons, capsules on capsules; both ends of where sides overlap
for name, kind, height, half in (("flat", "box: {size: [1, 0.4], ", 0.2, 0.5), ("flat-round", "capsule: {length: 1, radius: 0.2, ", 0.2, 0.5),
                                 ("flat-six", "polygon: {sides: 6, radius: 0.5, ", 0.25 * math.sqrt(3), 0.25)):
    bodies, wanted = [], []
    for k, (one, two) in enumerate(itertools.product((0.0, 1e-12, -1e-9, 1e-5, -0.1), (0.0, -1e-12, 1e-9, -1e-5, 0.1))):
        for level, x in enumerate((0.0, one, one + two)):
            bodies.append(kind + "at: [%.17g, %.17g], %s}" % (3.0 * k + x, (2 * level + 1) * height, "mass: 1" if level else "fixed: true"))
        for apart, at in ((one, 0.0), (two, one)):
            wanted.append([(3.0 * k + at + max(-half, apart - half),), (3.0 * k + at + min(half, apart + half),)])
    places = run(name, False, bodies)
    for k, ends in enumerate(wanted):
        pair = (3 * (k // 2) + k % 2 + 1, 3 * (k // 2) + k % 2 + 2)
        same("%s: %s" % (name, pair), [p[:1] for p in places.get(pair, [])], ends, twice=name == "flat-round")

# capsules on boxes, along their edges, across them and from corner to corner: they stay, held at both ends;
# an end over a corner may be a place, and the corner, and the edge that meets it there
bodies = []
for k, (x, y) in enumerate(itertools.product(SHIFTS, SHIFTS)):
    axis = ((1, 0, 0), (0, 1, 0), (1, 0.8, 0))[k % 3]
    length = (1.0, 0.8, math.hypot(1, 0.8), 0.5, 1.5)[(k + k // 5) % 5]
    bodies += ["box: {at: [0, %g, 0.1], size: [1, 0.8, 0.2], fixed: true}" % (3 * k),
               "capsule: {at: [%.17g, %.17g, 0.3], axis: [%g, %g, %g], length: %.17g, radius: 0.1, mass: 1}" % (x, 3 * k + y, *axis, length)]
places = run("capsules", True, bodies, mu=0.5)
for k in range(len(SHIFTS) ** 2):
    held = places.get((2 * k + 1, 2 * k + 2), [])
    check(2 <= len(held) <= 6, "capsule", bodies[2 * k + 1], held)
end(1000)
