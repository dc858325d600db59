"""Fields of bodies as tables and as images for ParaView, and tables of events, read back here."""
import csv
import os
import re
import shutil
import struct
import subprocess

import h5py
import numpy

from checks import check, end, forget_checksums

CAROM = os.environ["CAROM"]

PLANE = """
gravity: [0, -10]
domain: [[0, 0], [8, 9]]
periodic: [x]
bodies:
  - lattice: {kind: square, count: [4, 3], radius: 0.9, mass: 1, at: [1, 1], thickness: 0.5}
  - disc: {at: [1.5, 7.5], radius: 0.5, mass: 0.3, velocity: [3, -2], thickness: 0.5}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: kuwabara-kono, k: 3000, gamma: 0.002, friction: {law: cundall-strack, mu: 0.4, k_t: 2000}}
run: {until: 1, scheme: verlet, step: 1e-3}
record: {every: 0.25}
units: none
"""

SPACE = """
gravity: [0, 0, -10]
bodies:
  - lattice: {kind: sc, count: [3, 3, 2], radius: 0.5, mass: 1, at: [0, 0, 0.5]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: hertz, k: 3000}
start: [{body: 4, velocity: [1, 0, 2]}]
run: {until: 0.4, scheme: verlet, step: 1e-3}
record: {every: 0.2, probes: [u, v, contacts]}
units: none
"""


# bodies with corners: a box of 2 x 1, a triangle of 1.5 and a disc; in space a box of 1 x 2 x 1 and a tetrahedron of 1/6
CORNERS = """
gravity: [0, -10]
bodies:
  - box: {at: [0, 0.5], size: [2, 1], mass: 2}
  - polygon: {at: [3, 0.7], points: [[0, 0], [3, 0], [0, 1]], mass: 1}
  - disc: {at: [0, 1.5], radius: 0.5, mass: 0.5}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0, friction: {mu: 0.3}}
theory: nonsmooth
run: {until: 0.5, scheme: moreau-jean, step: 0.005}
record: {every: 0.25, probes: [u, v, contacts]}
units: none
"""
SOLIDS = """
bodies:
  - box: {at: [0, 0, 0], size: [1, 2, 1], mass: 2, velocity: [1, 0, 0]}
  - polyhedron: {at: [5, 0, 0], points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], mass: 3}
contacts: {law: rigid, e: 0}
theory: nonsmooth
run: {until: 0.5, scheme: moreau-jean, step: 0.005}
record: {every: 0.25, probes: [u, v, contacts]}
units: none
"""


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def make(name, scene):
    for old in (name + ".h5", name + ".old.h5"):
        if os.path.exists(old):
            os.remove(old)
    with open(name + ".yaml", "w") as file:
        file.write(scene)
    done = carom("run", name + ".yaml", "-o", name + ".h5", "-q")
    check(done.returncode == 0, done)


def image(name):
    """Arrays of a .vti file by name, with its extent, origin and spacing."""
    head, tail = open(name, "rb").read().split(b'<AppendedData encoding="raw">', 1)
    raw = tail[tail.index(b"_") + 1:]
    found = {}
    pattern = rb'<DataArray type="Float64" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/>'
    for array, components, offset in re.findall(pattern, head):
        size = struct.unpack_from("<Q", raw, int(offset))[0]
        values = numpy.frombuffer(raw, numpy.float64, size // 8, int(offset) + 8)
        found[array.decode()] = values.reshape(-1, int(components)) if components != b"1" else values
    for word in ("WholeExtent", "Origin", "Spacing"):
        found[word] = [float(x) for x in re.search(rb' %s="([^"]*)"' % word.encode(), head)[1].split()]
    check(b'type="ImageData"' in head and b'Name="TimeValue"' in head, name)
    return found


def test_table(name, dimension, volume):
    done = carom("export", name + ".h5", "--csv", "--fields", "-o", name + ".csv")
    check(done.returncode == 0 and " cells" in done.stdout, done)
    with open(name + ".csv") as file:
        rows = list(csv.DictReader(file))
    axes = "xyz"[:dimension]
    parts = ["xx", "yy", "xy"] if dimension == 2 else ["xx", "yy", "zz", "yz", "xz", "xy"]
    wanted = ["time", "step", *axes, "fraction", "density", *("v_" + a for a in axes),
              *("stress_" + p for p in parts), *("kinetic_" + p for p in parts)]
    check(list(rows[0]) == wanted, list(rows[0]))
    with h5py.File(name + ".h5") as run:
        bodies, contacts = run["particles/bodies"], run["observables/contacts/list"]
        mass, radius, time = bodies["mass"][()], bodies["radius"][()], contacts["time"][()]
        place = bodies["displacement/value"][()] + bodies["centre"][:, :dimension]
        for sample, t in enumerate(time):
            cells = [row for row in rows if float(row["time"]) == t]
            total = {word: sum(float(row[word]) for row in cells) * volume(cells) for word in wanted[2:]}
            check(abs(total["density"] - mass.sum()) < 1e-12 * mass.sum(), name, t, total["density"], mass.sum())
            speed = bodies["velocity/value"][sample]
            for k, a in enumerate(axes):
                momentum = sum(float(row["density"]) * float(row["v_" + a]) for row in cells) * volume(cells)
                check(abs(momentum - (mass * speed[:, k]).sum()) < 1e-11, name, t, a)
            first, count = contacts["first"][sample], contacts["count"][sample]
            virial = 0.0
            for (one, two), x, f in zip(*(contacts[w][first:first + count] for w in ("pair", "point", "force"))):
                for i, sign in ((one - 1, -1), (two - 1, 1)):
                    way = (x - place[sample, i])[1]
                    virial += way * sign * f[1] if radius[i] > 0 else 0.0
            check(abs(total["stress_yy"] - total["kinetic_yy"] - virial) < 1e-9, name, t, total["stress_yy"], virial)
    return rows


def test_corners(name, scene, axes, mass, bulk):
    make(name, scene)
    done = carom("export", name + ".h5", "--csv", "--fields", "-o", name + ".csv")
    check(done.returncode == 0, done)
    with open(name + ".csv") as file:
        rows = list(csv.DictReader(file))
    for t in {row["time"] for row in rows}:
        cells = [row for row in rows if row["time"] == t]
        volume = numpy.prod([edge(cells, a) for a in axes])
        density, fraction = (sum(float(row[word]) for row in cells) * volume for word in ("density", "fraction"))
        check(abs(density - mass) < 1e-9 * mass and abs(fraction - bulk) < 1e-9 * bulk, name, t, density, fraction)
    return rows


def test_images(rows):
    done = carom("export", "plane.h5", "--vtk", "--fields", "out/")
    check(done.returncode == 0 and "out/plane_fields.pvd: 5 times of " in done.stdout, done)
    check(open("out/plane_fields.pvd").read().count('_fields_00000') == 5, "a list of images")
    found = image("out/plane_fields_000003.vti")
    cells = [row for row in rows if abs(float(row["time"]) - 0.75) < 1e-9]
    check(len(cells) == len(found["density"]), len(cells))
    check(numpy.array_equal([float(row["density"]) for row in cells], found["density"]), "density")
    check(numpy.array_equal([float(row["v_y"]) for row in cells], found["velocity"][:, 1]), "velocity")
    check(numpy.array_equal([float(row["stress_xy"]) for row in cells], found["stress"][:, 1]), "stress xy")
    check(numpy.array_equal(found["stress"][:, 1], found["stress"][:, 3]), "symmetric")
    count, low, cell = found["WholeExtent"][1::2], found["Origin"], found["Spacing"]
    check(count[0] * count[1] == len(cells) and count[2] == 1 and count[0] * cell[0] == 8 and low[0] == 0, found)
    check(abs(float(cells[1]["x"]) - low[0] - 1.5 * cell[0]) < 1e-12, "x runs first")


def test_events():
    done = carom("export", "plane.h5", "--csv", "--events", "-o", "events.csv")
    with open("events.csv") as file:
        rows = list(csv.DictReader(file))
    check(f"events.csv: {len(rows)} rows of 7 columns" in done.stdout, done)
    with h5py.File("plane.h5") as run:
        events = run["events"]
        check(numpy.array_equal([float(row["time"]) for row in rows], events["time"][()]), "times")
        check([(int(row["first"]), int(row["second"])) for row in rows] == [tuple(p) for p in events["pair"][()]], "who")
        check([["open", "close"].index(row["event"]) for row in rows] == list(events["kind"][()]), "what")
        check(numpy.array_equal([float(row["before"]) for row in rows], events["before"][()]), "rates")
    check(carom("export", "plane.h5", "--csv", "--events", "-o", "events.csv").returncode == 0, "written anew")
    make("row", "bodies: [chain: {count: 3, mass: 1, gap: 0.1}, wall: {side: right, gap: 0.1}]\nunits: none\n"
         "contacts: {law: hertz, k: 100}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 2}\n")
    lines = carom("export", "row.h5", "--csv", "--events").stdout.split("\n")
    check(lines[0] == "time,event,contact,before,after,impulse" and ",close,1,-1." in lines[1], lines[:2])


def test_refusals():
    for code, arguments, said in (
            (2, ("row.h5", "--vtk", "--events"), "--events goes with --csv"),
            (2, ("plane.h5", "--vtkhdf", "--fields"), "--fields goes with --csv or --vtk"),
            (2, ("plane.h5", "--csv", "--fields", "--contacts"), "--contacts and --fields are two tables"),
            (2, ("plane.h5", "--csv", "--kernel", "lucy"), "--kernel goes with --fields"),
            (2, ("plane.h5", "--csv", "--fields", "--kernel", "box"), "lucy and gaussian are known"),
            (2, ("plane.h5", "--csv", "--fields", "--width", "-1"), "--width: -1 must be above 0"),
            (4, ("plane.h5", "--csv", "--fields", "--cell", "1e-5"), "at most 4e+06 in all"),
            (4, ("row.h5", "--csv", "--fields"), "has no discs and spheres")):
        done = carom("export", *arguments)
        check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, arguments, done)


def damage(change, *said):
    """Files of strangers: a sentence or an answer, never a crash."""
    shutil.copy("plane.h5", "damaged.h5")
    with h5py.File("damaged.h5", "r+") as run:
        forget_checksums(run)
        change(run)
    for words in (("show", "damaged.h5"), ("export", "damaged.h5", "--csv", "--fields", "-o", "damaged.csv"),
                  ("report", "damaged.h5", "-o", "damaged.html")):
        done = carom(*words)
        check(done.returncode in (0, 4, 6) and done.stderr.count("\n") <= 1, words, done)
        check(words[0] != "export" or all(word in done.stderr for word in said), words, done)


def put(name, index, value):
    return lambda run: run[name].__setitem__(index, value)


def test_damage():
    bodies = "particles/bodies/"
    damage(lambda run: run.__delitem__("parameters/bodies/volume"), "does not have the volumes")
    damage(lambda run: run.__delitem__("parameters/bodies/periodic"))
    damage(put(bodies + "box/edges", 0, 0.0), "sides without a positive length")
    damage(put(bodies + "box/edges", 0, 1e-300))
    damage(put(bodies + "box/low", 1, float("nan")))
    damage(put(bodies + "position/value", (2, 3, 1), float("nan")))
    damage(put(bodies + "position/value", (2, 3, 0), 1e300))
    damage(put(bodies + "position/value", (2, 3, 1), -1e300), "too many for bodies")
    damage(put(bodies + "position/value", slice(None), float("nan")), "at places that are numbers")
    damage(put(bodies + "radius", slice(None), -1.0), "no bodies at places")
    damage(put(bodies + "radius", 2, float("inf")))
    damage(put(bodies + "radius", 2, 1e-300))
    damage(put("parameters/bodies/volume", 2, float("nan")))
    damage(put("parameters/bodies/depth", slice(None), -3.0))
    damage(put("observables/contacts/list/pair", (0, 0), 0))
    damage(put("observables/contacts/list/pair", (1, 1), 2**40))
    damage(put("observables/contacts/list/force", (3, 0), float("inf")))
    damage(put("observables/contacts/list/point", (3, 0), 1e300))


def edge(cells, axis):
    places = sorted({float(row[axis]) for row in cells})
    return places[1] - places[0]


make("plane", PLANE)
make("space", SPACE)
table = test_table("plane", 2, lambda cells: 0.5 * edge(cells, "x") * edge(cells, "y"))
test_table("space", 3, lambda cells: edge(cells, "x") * edge(cells, "y") * edge(cells, "z"))
test_corners("corners", CORNERS, "xy", 3.5, 2.0 + 1.5 + 0.25 * numpy.pi)
test_corners("solids", SOLIDS, "xyz", 5.0, 2.0 + 1.0 / 6.0)
test_images(table)
test_events()
test_refusals()
test_damage()
end()
