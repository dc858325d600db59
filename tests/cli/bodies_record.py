"""Run files of discs and spheres: their layout, what show and export make of it, kills and damage. The .vtu files are
read by a few lines here."""
import csv
import os
import re
import signal
import struct
import subprocess
import time

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]

SCENE = """
title: grains
gravity: [0, -10]
domain: [[0, 0], [8, 9]]
periodic: [x]
bodies:
  - lattice: {kind: square, count: [4, 3], radius: 0.9, mass: 1, at: [1, 1]}
  - disc: {name: top, at: [1.5, 7.5], radius: 0.5, mass: 0.3, velocity: [3, -2], spin: 4}
  - plane: {name: floor, at: [0, 0], normal: [0, 1]}
contacts: {law: kuwabara-kono, k: 3000, gamma: 0.002, friction: {law: cundall-strack, mu: 0.4, k_t: 2000}}
run: {until: 1, scheme: verlet, step: 1e-3}
record: {every: 0.05}
units: none
"""


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, arguments, done)


def make(name, *more):
    for old in (name + ".h5", name + ".old.h5"):
        if os.path.exists(old):
            os.remove(old)
    with open(name + ".yaml", "w") as file:
        file.write(SCENE)
    done = carom("run", name + ".yaml", "-o", name + ".h5", *more)
    check(done.returncode == 0, done)
    return done.stdout


def arrays(name):
    """The appended arrays of a .vtu file, by name."""
    head, tail = open(name, "rb").read().split(b'<AppendedData encoding="raw">', 1)
    raw = tail[tail.index(b"_") + 1:]
    kinds = {b"Float64": numpy.float64, b"Int64": numpy.int64, b"UInt8": numpy.uint8}
    found = {}
    pattern = rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/>'
    for kind, array, components, offset in re.findall(pattern, head):
        size = struct.unpack_from("<Q", raw, int(offset))[0]
        values = numpy.frombuffer(raw, kinds[kind], size // numpy.dtype(kinds[kind]).itemsize, int(offset) + 8)
        found[array.decode()] = values.reshape(-1, int(components)) if components != b"1" else values
    return found


def lines_of(contacts, sample):
    first, count = contacts["first"][sample], contacts["count"][sample]
    return {name: contacts[name][first:first + count]
            for name in ("pair", "point", "normal", "force", "gap", "dissipated")}


def test_layout(run):
    bodies, contacts = run["particles/bodies"], run["observables/contacts/list"]
    samples = 21
    for name, shape in (("displacement", (samples, 14, 2)), ("position", (samples, 14, 2)),
                        ("velocity", (samples, 14, 2)), ("rotation", (samples, 14)), ("spin", (samples, 14))):
        check(bodies[name]["value"].shape == shape, name, bodies[name]["value"].shape)
    check(bodies["box"].attrs["dimension"] == 2 and list(bodies["box"].attrs["boundary"]) == [b"periodic", b"none"],
          dict(bodies["box"].attrs))
    check(list(bodies["box/edges"]) == [8, 9] and list(bodies["box/low"]) == [0, 0], "the domain")
    check(list(bodies["radius"]) == 12 * [0.9] + [0.5, 0] and list(bodies["shape"]) == 13 * [0] + [1], "radius, shape")
    check(list(bodies["normal"][13]) == [0, 1, 0] and list(bodies["centre"][12]) == [1.5, 7.5, 0], "walls, centres")
    check("connectivity" not in run, "no list of contacts that stay")
    place = bodies["position/value"][()]
    check(((place[:, :13, 0] >= 0) & (place[:, :13, 0] < 8)).all(), "inside the domain")
    far = place - (bodies["centre"][:, :2] + bodies["displacement/value"][()])
    check(numpy.allclose(far[..., 0] / 8, numpy.round(far[..., 0] / 8), atol=1e-12), "whole sides away")
    check(not far[..., 1].any(), "and not upwards")
    first, count = contacts["first"][()], contacts["count"][()]
    check(len(first) == len(count) == samples and count.max() > 10, count)
    check(list(first) == list(numpy.cumsum(count) - count) and first[-1] + count[-1] == len(contacts["gap"]), "rows")
    check(contacts["time"] == bodies["spin/time"] and contacts["step"] == bodies["spin/step"], "one time for all")
    pair = contacts["pair"][()]
    check((pair[:, 0] < pair[:, 1]).all() and pair.min() >= 1 and pair.max() == 14, "pairs")
    check((contacts["gap"][()] < 0).all() and (contacts["dissipated"][()] > -1e-9).all(), "closed")
    check(numpy.allclose((contacts["normal"][()] ** 2).sum(1), 1, atol=1e-14), "normals")
    check("stiffness_change" in run["observables/ledger/mechanism"], "the ledger")
    kinds, pairs = run["events/kind"][()], run["events/pair"][()]
    check("contact" not in run["events"] and set(kinds) == {0, 1} and pairs.shape == (len(kinds), 2), "events")
    state = {}
    for kind, two in zip(kinds, map(tuple, pairs)):  # what opens was closed
        check(state.get(two, 0) != kind, two)
        state[two] = kind
    open_now = {two for two, kind in state.items() if kind}
    check(open_now == set(map(tuple, lines_of(contacts, -1)["pair"])), "events lead to the last list")


def test_weight(run):
    """At rest on the floor, its contacts carry what lies on it."""
    last = lines_of(run["observables/contacts/list"], -1)
    floor = last["pair"][:, 1] == 14
    check((last["normal"][floor] == [0, -1]).all(), "from a disc to the floor")
    check(-300 < last["force"][floor][:, 1].sum() < -60, last["force"][floor])


def test_tables(run):
    contacts = run["observables/contacts/list"]
    done = carom("export", "grains.h5", "--csv", "--contacts", "-o", "contacts.csv")
    check(f"contacts.csv: {len(contacts['gap'])} rows of 12 columns" in done.stdout, done)
    with open("contacts.csv") as file:
        rows = list(csv.DictReader(file))
    check(numpy.array_equal([float(row["force_y"]) for row in rows], contacts["force"][:, 1]), "forces")
    check([int(row["second"]) for row in rows] == list(contacts["pair"][:, 1]), "bodies")
    times = numpy.repeat(contacts["time"][()], contacts["count"][()])
    check(numpy.array_equal([float(row["time"]) for row in rows], times), "times")
    head = carom("export", "grains.h5", "--csv", "--items", "u,rotation").stdout.split("\n")[0]
    check(head.startswith("time,step,u_1_x,u_1_y,u_2_x") and head.endswith(",rotation_13,rotation_14"), head)
    shown = carom("show", "grains.h5").stdout
    sizes = re.findall(r"^(  \w+ +[\w/]+ +\d+(?: x \d+)?)  \S+$", shown, re.M)
    check(len(sizes) > 15 and len({len(line) for line in sizes}) == 1 and any("mechanism/stiffness_change" in line for line in sizes), "sizes stand in one column", shown)
    force = numpy.sqrt((contacts["force"][()] ** 2).sum(1)).max()
    check(f"in the samples at most {contacts['count'][()].max()}, force (friction included) up to {force:.6g}," in shown, shown)
    expect(2, ["export", "grains.h5", "--csv", "--contacts", "--items", "u"], "--items and --contacts are two tables")
    expect(2, ["export", "grains.h5", "--vtk", "--contacts"], "--contacts goes with --csv")


def test_stress():
    """A tensor for each body in the pictures, as a matrix."""
    done = carom("run", "grains.yaml", "-o", "stress.h5", "-q", "--set", "record.probes=[position, contacts, stress]")
    check(done.returncode == 0 and carom("export", "stress.h5", "--vtk", "stress/", "-q").returncode == 0, done)
    with h5py.File("stress.h5") as run:
        stress = run["particles/bodies/stress/value"][()]
    for i in (0, 20):
        found = arrays(f"stress/stress_{i:06d}.vtu")["stress"]
        check(numpy.array_equal(found[:, [0, 4, 8, 5, 2, 1]], stress[i, :13]), i, "stress")
        check(numpy.array_equal(found[:, [1, 2, 5]], found[:, [3, 6, 7]]), i, "symmetric")


def test_probes():
    def run(probes):
        return carom("run", "grains.yaml", "-o", "few.h5", "-q", "--set", "run.until=0.1", "--set",
                     f"record.probes=[{probes}]", "--csv", "few.csv")
    check(run("rotation, spin, contacts").returncode == 0 and os.path.exists("few_contacts.csv"), "probes that turn")
    check(run("v").returncode == 0, "without contacts")
    with h5py.File("few.h5") as file:
        check("contacts" not in file["observables"] and "pair" in file["events"], "no list")
    expect(4, ["export", "few.h5", "--vtk", "few/"], "neither u nor position")
    expect(2, ["export", "few.h5", "--csv", "--contacts"], "holds no list of contacts")
    check("contact_force is for contacts that stay" in run("contact_force").stderr, "contact_force")
    check("strain is for cells of a solid" in run("strain").stderr, "strain")


def test_vtk(run):
    bodies, contacts = run["particles/bodies"], run["observables/contacts/list"]
    done = carom("export", "grains.h5", "--vtk", "out/")
    check("out/grains.pvd: 21 times of 13 round bodies" in done.stdout, done)
    check(f"out/grains_contacts.pvd: {len(contacts['gap'])} contacts" in done.stdout, done)
    check(open("out/grains_contacts.pvd").read().count("<DataSet ") == 21, "a file for each sample")
    for i in range(21):
        found = arrays(f"out/grains_{i:06d}.vtu")
        check(numpy.array_equal(found["Points"][:, :2], bodies["position/value"][i, :13]), i, "places")
        check(numpy.array_equal(found["velocity"][:, :2], bodies["velocity/value"][i, :13]), i, "velocity")
        check(numpy.array_equal(found["spin"][:, 2], bodies["spin/value"][i, :13]), i, "spin")
        check(numpy.array_equal(found["rotation"], bodies["rotation/value"][i, :13]), i, "rotation")
        check(numpy.array_equal(found["radius"], bodies["radius"][:13]) and (found["types"] == 1).all(), i, "vertices")
        found, sample = arrays(f"out/grains_contacts_{i:06d}.vtu"), lines_of(contacts, i)
        n = len(sample["gap"])
        check(len(found["types"]) == n and (found["types"] == 3).all(), i, "lines")
        check(numpy.array_equal(found["force"][:, :2], sample["force"]), i, "force")
        check(numpy.array_equal(found["pair"], sample["pair"]), i, "pair")
        ends = found["Points"].reshape(n, 2, 3)[:, :, :2]
        radius = bodies["radius"][()][sample["pair"] - 1]
        check(numpy.allclose(((ends[:, 1] - ends[:, 0]) * sample["normal"]).sum(1), radius.sum(1)), i, "lengths")
    found = arrays("out/grains_walls_000020.vtu")
    check(list(found["types"]) == [3] and list(found["body"]) == [14], "the floor is a line")
    check((found["Points"][:, 1] == 0).all() and abs(found["Points"][1, 0] - found["Points"][0, 0]) > 8, found["Points"])
    check(carom("export", "grains.h5", "--vtkhdf", "-o", "grains.vtkhdf", "-q").returncode == 0, "one file")
    with h5py.File("grains.vtkhdf") as file:
        check(file["VTKHDF/Points"].shape == (21 * 13, 3), file["VTKHDF/Points"].shape)


CONTAINERS = {
    "tilted": """
gravity: [3, -10]
bodies:
  - disc: {at: [0.3, 0], radius: 0.5, mass: 1}
  - box: {at: [0, 0], size: [4, 3], turn: 0.3, inside: true}
""",
    "tilted-space": """
gravity: [3, -10, 2]
bodies:
  - sphere: {at: [0.3, 0, 0], radius: 0.5, mass: 1}
  - box: {at: [0, 0, 0], size: [4, 3, 5], turn: {axis: [1, 2, 1], angle: 0.7}, inside: true}
""",
    "drum": """
gravity: [3, -10]
bodies:
  - disc: {at: [0.3, 0], radius: 0.5, mass: 1}
  - disc: {at: [0.1, 0.2], radius: 2, inside: true}
""",
    "pipe": """
gravity: [3, -10, 1]
bodies:
  - sphere: {at: [0, 0, 0.3], radius: 0.5, mass: 1}
  - cylinder: {at: [0, 0, 0], radius: 2, height: 9, axis: [1, 0, 0.2], inside: true}
""",
}


def nearest(point, cells):
    """How far a point is from the nearest of some segments or quadrilaterals, looked for on a grid of each."""
    part = numpy.linspace(0, 1, 41)
    if len(cells[0]) == 2:
        places = [a + t * (b - a) for a, b in cells for t in part]
    else:
        places = [(1 - t) * ((1 - s) * a + s * b) + t * ((1 - s) * d + s * c)
                  for a, b, c, d in cells for s in part for t in part]
    return numpy.sqrt(((numpy.array(places) - point) ** 2).sum(1)).min()


def test_walls():
    """Where a ball touches a wall, the wall is drawn."""
    for name, bodies in CONTAINERS.items():
        with open("walls.yaml", "w") as file:
            file.write(bodies + "contacts: {law: hertz, k: 1e4}\nunits: none\n"
                       "run: {until: 3, scheme: verlet, step: 1e-3}\nrecord: {every: 0.03}\n")
        if os.path.exists("walls.h5"):
            os.remove("walls.h5")
        done = carom("run", "walls.yaml", "-o", "walls.h5", "-q")
        check(done.returncode == 0, name, done)
        check(carom("export", "walls.h5", "--vtk", "walls", "-q").returncode == 0, name)
        with h5py.File("walls.h5") as run:
            contacts = run["observables/contacts/list"]
            samples = [i for i, count in enumerate(contacts["count"]) if count]
            check(samples != [], name, "touches")
            for i in samples[:3]:
                found = arrays(f"walls_walls_{i:06d}.vtu")
                corners = 2 if found["types"][0] == 3 else 4
                point = numpy.zeros(3)
                point[:contacts["point"].shape[1]] = lines_of(contacts, i)["point"][0]
                check(nearest(point, found["Points"].reshape(-1, corners, 3)) < 0.15, name, i, point)


def same(one, other):
    with h5py.File(one) as a, h5py.File(other) as b:
        def compare(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith(("parameters", "checkpoint")):
                check(numpy.array_equal(item[()], b[name][()]), name, item.shape, b[name].shape)
        a.visititems(compare)


def test_kill():
    """Killed while it writes, then resumed: the file of a run that was left alone."""
    more = ["--set", "run.until=8", "--set", "run.step=2e-4", "--set", "run.checkpoint=0.05", "-q"]
    make("alone", *more)
    for old in ("killed.h5", "killed.old.h5"):
        if os.path.exists(old):
            os.remove(old)
    process = subprocess.Popen([CAROM, "run", "alone.yaml", "-o", "killed.h5", *more])
    while process.poll() is None and "checkpoint t" not in carom("show", "killed.h5").stdout:
        time.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    process.wait()
    done = carom("show", "killed.h5")
    check(done.returncode == 0 and "contacts   come and go" in done.stdout, done)
    check("interrupted" in done.stdout and "checkpoint t" in done.stdout, done)
    check(carom("repair", "killed.h5").returncode == 0, "repair")
    done = carom("resume", "killed.h5", "-q")
    check(done.returncode == 0, done)
    same("alone.h5", "killed.h5")


def damaged(change, said, *command):
    with open("grains.h5", "rb") as file, open("damaged.h5", "wb") as copy:
        copy.write(file.read())
    with h5py.File("damaged.h5", "r+") as run:
        change(run)
    for words in (command,) if command else (("show", "damaged.h5"), ("export", "damaged.h5", "--vtk", "hurt/")):
        done = carom(*words)
        check(done.returncode in (0, 6) and done.stderr.count("\n") <= 1 and said in done.stderr, words, done)


def cut(run, name, size):
    run[name].resize(size, axis=0)


def test_damage():
    lists = "observables/contacts/list/"
    damaged(lambda run: run[lists + "first"].__setitem__(3, 10**15), "counts contacts that are not there")
    damaged(lambda run: run[lists + "count"].__setitem__(3, -5), "")
    damaged(lambda run: cut(run, lists + "force", 7), "")
    damaged(lambda run: cut(run, lists + "count", 2), "")
    damaged(lambda run: run.__delitem__(lists + "gap"), "has no dataset observables/contacts/list/gap")
    damaged(lambda run: run[lists + "pair"].__setitem__((0, 0), 99), "between bodies 99", "export", "damaged.h5",
            "--vtk", "hurt/")
    damaged(lambda run: run["particles/bodies/shape"].__setitem__(0, 77), "", "export", "damaged.h5", "--vtk", "hurt/")
    damaged(lambda run: run.__delitem__("particles/bodies/radius"), "radius", "export", "damaged.h5", "--vtk", "hurt/")
    damaged(lambda run: run.__delitem__("events/pair"), "has no dataset connectivity/contacts")


def main():
    said = make("grains")
    check("openings and closings" in said, said)
    with h5py.File("grains.h5") as run:
        test_layout(run)
        test_weight(run)
        test_tables(run)
        test_vtk(run)
    test_stress()
    test_probes()
    test_walls()
    test_kill()
    test_damage()
    end()


main()
