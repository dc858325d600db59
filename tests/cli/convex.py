"""Polygons and polyhedra: the box by its corners moves as the box does, a regular polygon tips where its corner says, solids keep
their momenta, corners come from STL and OBJ as from points, and a run needs its file no more."""
import math
import os
import struct
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
RUN = "run: {until: %g, scheme: moreau-jean, step: %g}\nrecord: {every: %g, probes: [position, rotation, v, spin, residual]}\n"


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def run(bodies, until, step, gravity="[0, 0]", e=0.0, mu=0.5, name="scene", every=0.1):
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n%scontacts: {law: rigid, e: %g, mu: %g}\n"
                   % (gravity, "".join("  - %s\n" % body for body in bodies), e, mu))
        file.write(RUN % (until, step, every))
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q")
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        return {key: file["particles/bodies/%s/value" % key][()] for key in ("position", "velocity", "rotation", "spin")}


# a box, and the same by its corners, thrown onto a floor with friction
BOX = "mass: 2, turn: 0.3, velocity: [1, 0], spin: 2}"
FLOOR = "plane: {at: [0, 0], normal: [0, 1]}"
one = run(["box: {at: [0, 1.5], size: [1, 0.6], " + BOX, FLOOR], 2, 1e-3, "[0, -10]", 0.3)
other = run(["polygon: {at: [0, 1.5], points: [[0.5, 0.3], [-0.5, -0.3], [0.5, -0.3], [-0.5, 0.3]], " + BOX, FLOOR], 2, 1e-3,
            "[0, -10]", 0.3)
for key in one:
    check(numpy.abs(one[key] - other[key]).max() < 1e-9, "polygon", key, numpy.abs(one[key] - other[key]).max())

# in space, given in other axes: its principal axes are found
BOX = "mass: 2, velocity: [1, 0, 0], spin: [2, 1, 0.3]}"
FLOOR = "plane: {at: [0, 0, 0], normal: [0, 0, 1]}"
TURN = "turn: {axis: [1, 2, 3], angle: 0.7}, "
axis = numpy.array([1, 2, 3]) / math.sqrt(14)
cross = numpy.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
turn = numpy.eye(3) + math.sin(0.7) * cross + (1 - math.cos(0.7)) * cross @ cross
corners = [[x, y, z] for x in (-0.5, 0.5) for y in (-0.3, 0.3) for z in (-0.2, 0.2)]
shifted = [(turn @ corner + [0.2, -0.1, 3]).tolist() for corner in corners]
one = run(["box: {at: [0.2, -0.1, 3], size: [1, 0.6, 0.4], " + TURN + BOX, FLOOR], 1.2, 1e-3, "[0, 0, -10]", 0.3)
other = run(["polyhedron: {at: [0, 0, 0], points: %s, " % shifted + BOX, FLOOR], 1.2, 1e-3, "[0, 0, -10]", 0.3)
for key in ("position", "velocity", "spin"):
    check(numpy.abs(one[key] - other[key]).max() < 1e-7, "polyhedron", key, numpy.abs(one[key] - other[key]).max())

# a regular polygon of n sides on a slope tips beyond pi / n
for n in (3, 5, 8):
    for part, tips in ((0.97, False), (1.03, True)):
        a = part * math.pi / n
        state = run(["polygon: {sides: %d, radius: 1, at: [0, %.17g], mass: 1}" % (n, math.cos(math.pi / n)),
                     "plane: {at: [0, 0], normal: [0, 1]}"], 2, 2e-3, "[%.17g, %.17g]" % (10 * math.sin(a), -10 * math.cos(a)), mu=3)
        check((abs(state["rotation"][-1].ravel()[0]) > 0.3) == tips, "tipping", n, part, state["rotation"][-1].ravel()[0])

# solids that fly at each other: momentum and ledger
SOLIDS = ["tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron"]
thrown = ["polyhedron: {kind: %s, radius: 0.6, mass: %g, at: [%g, %g, %g], velocity: [%g, %g, %g], spin: [1, %g, 0.5]}"
          % (kind, 1 + k, 2 * math.cos(k), 2 * math.sin(k), 0.2 * k, -math.cos(k), -math.sin(k), -0.1 * k, 0.3 * k)
          for k, kind in enumerate(SOLIDS)]
state = run(thrown, 4, 2e-3, "[0, 0, 0]", 0.5, name="thrown")
linear = numpy.tensordot(state["velocity"], 1 + numpy.arange(5.0), axes=(1, 0))
check(numpy.abs(linear - linear[0]).max() < 1e-11, "momentum", numpy.abs(linear - linear[0]).max())
with h5py.File("thrown.h5") as file:
    check(len(file["events/time"]) > 4, "nobody met")
    check(numpy.abs(file["observables/ledger/residual/value"][()]).max() < 1e-10, "ledger")

# the same corners from files; the run is repeated without them
points = [[0, 0, 0], [1, 0, 0], [0, 1.5, 0], [0.2, 0.1, 0.8]]
faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
with open("solid.obj", "w") as file:
    file.write("# a tetrahedron\n" + "".join("v %g %g %g\n" % tuple(p) for p in points))
    file.write("".join("f %d %d %d\n" % tuple(k + 1 for k in face) for face in faces))
with open("text.stl", "w") as file:
    file.write("solid it\n" + "".join(
        "facet normal 0 0 0\n outer loop\n%s endloop\nendfacet\n" % "".join("  vertex %.9g %.9g %.9g\n" % tuple(points[k]) for k in face)
        for face in faces) + "endsolid it\n")
with open("binary.stl", "wb") as file:
    file.write(b"solid that is binary".ljust(80) + struct.pack("<I", len(faces)))
    for face in faces:
        file.write(struct.pack("<12fH", 0, 0, 0, *[x for k in face for x in points[k]], 0))
ends = []
for given in ("points: %s" % points, "file: solid.obj", "file: text.stl", "file: binary.stl"):
    ends.append(run(["polyhedron: {%s, at: [0, 0, 1], mass: 1, spin: [0, 1, 0]}" % given, FLOOR], 0.5, 1e-3, "[0, 0, -10]", name="file"))
check(all(numpy.array_equal(ends[0][key], ends[1][key]) for key in ends[0]), "the same from OBJ")
for k, near in ((2, 1e-10), (3, 1e-5)):  # corners in another order, and in single precision
    off = max(numpy.abs(ends[0][key] - ends[k][key]).max() for key in ("position", "velocity", "spin"))
    check(off < near, "from STL", k, off)
os.remove("binary.stl")
check(carom("resume", "file.h5", "--until", "0.6", "-q").returncode == 0, "a run without its file")

for words, wanted in (("file: text.yaml", "cannot be read"), ("points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]", "lie in a plane"),
                      ("points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.2, 0.2, 0.2]]", "point 5 lies inside"),
                      ("kind: cube", "radius is missing"), ("kind: cube, radius: 1, points: [[0, 0, 0]]", "give one of"),
                      ("file: solid.obj, scale: 0", "scale"), ("points: [[0, 0, 0], [1, 0, 0]]", "make no polyhedron")):
    with open("wrong.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\nbodies:\n  - polyhedron: {at: [0, 0, 0], mass: 1, %s}\n  - %s\n" % (words, FLOOR)
                   + "contacts: {law: rigid, e: 0}\nrun: {until: 1, scheme: moreau-jean, step: 0.1}\n")
    done = carom("check", "wrong.yaml")
    check(done.returncode == (6 if "text.yaml" in words else 3) and wanted in done.stderr and "wrong.yaml:4:" in done.stderr, words, done.stderr)
for damage in (b"", b"solid\nvertex 1 2\n", b"solid\n" + b"vertex 1 2 nan\n" * 9, os.urandom(300)):
    with open("damaged.stl", "wb") as file:
        file.write(damage)
    with open("wrong.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\nbodies:\n  - polyhedron: {at: [0, 0, 0], mass: 1, file: damaged.stl}\n  - %s\n" % FLOOR
                   + "contacts: {law: rigid, e: 0}\nrun: {until: 1, scheme: moreau-jean, step: 0.1}\n")
    done = carom("check", "wrong.yaml")
    check(done.returncode == 3 and "damaged.stl" in done.stderr, damage[:20], done.stderr)
end()
