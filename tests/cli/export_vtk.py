"""carom export --vtk and --vtkhdf: what is read back is what the run file holds. The .vtu files are read by a few lines
here and, where it is installed (python3-vtk9, 230 MB, so not by tools/setup), by VTK itself."""
import os
import re
import struct
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]

SCENE = """
title: export
units: none
bodies:
  - wall: {side: left, k: 2}
  - striker: {side: left, velocity: -0.25, mass: 2, radius: 0.75, gap: 0.5}
  - chain: {count: 5, radius: 0.5, mass: [1, 2, 3, 4, 5]}
contacts: {law: hertz, k: 1}
start: [{body: 4, velocity: -1}]
run: {until: 4}
record: {every: 0.5}
"""


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, arguments, done)


def reference(run):
    """Places, velocities and mean forces, worked out here."""
    radius = numpy.array([0.75] + 5 * [0.5])
    gap = numpy.array([0.5, 0, 0, 0, 0])
    first = numpy.concatenate([[0], numpy.cumsum(radius[:-1] + radius[1:] + gap)])
    force = run["observables/contacts/force/value"][()]
    pairs = run["connectivity/contacts"][()]
    mean = numpy.zeros((len(force), 6))
    for column, pair in enumerate(pairs):
        for body in pair:
            if body >= 0:
                mean[:, body] += force[:, column] / 2
    return (first + run["particles/beads/displacement/value"][()], run["particles/beads/velocity/value"][()], mean,
            run["particles/beads/displacement/time"][()], radius)


def arrays(name):
    """The appended arrays of a .vtu file, by name."""
    text = open(name, "rb").read()
    head, tail = text.split(b'<AppendedData encoding="raw">', 1)
    raw = tail[tail.index(b"_") + 1:]
    kinds = {b"Float64": numpy.float64, b"Int64": numpy.int64, b"UInt8": numpy.uint8}
    order = "<" if b'byte_order="LittleEndian"' in head and b'header_type="UInt64"' in head else None
    found = {}
    pattern = rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/>'
    for kind, array, components, offset in re.findall(pattern, head):
        size = struct.unpack_from(order + "Q", raw, int(offset))[0]
        values = numpy.frombuffer(raw, kinds[kind], size // numpy.dtype(kinds[kind]).itemsize, int(offset) + 8)
        found[array.decode()] = values.reshape(-1, int(components)) if components != b"1" else values
    check(raw[int(offset) + 8 + size:] == b"\n  </AppendedData>\n</VTKFile>\n", name, "ends after its last array")
    return found


def test_bytes(numbers):
    places, speeds, forces, times, radius = numbers
    for i in range(len(times)):
        found = arrays(f"out/run_{i:06d}.vtu")
        check(numpy.array_equal(found["Points"], numpy.stack([places[i], 0 * radius, 0 * radius], 1)), i, "places")
        check(numpy.array_equal(found["velocity"][:, 0], speeds[i]), i, "velocity")
        check(numpy.array_equal(found["radius"], radius), i, "radius")
        check(numpy.allclose(found["force"], forces[i], rtol=1e-15), i, "force")
        check(list(found["connectivity"]) == list(range(6)) and list(found["offsets"]) == list(range(1, 7)), i, "cells")
        check(numpy.all(found["types"] == 1), i, "vertices")


def test_vtu(numbers):
    places, speeds, forces, times, radius = numbers
    try:
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy
    except ImportError:
        print("VTK for Python is not here: the .vtu files are not read back")
        return
    listed = open("out/run.pvd").read()
    check(listed.count("<DataSet ") == len(times), "the .pvd lists every time", listed)
    for i, time in enumerate(times):
        name = f"run_{i:06d}.vtu"
        check(f'timestep="{float(time):.17g}"' in listed and name in listed, "listed", name)
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName("out/" + name)
        reader.Update()
        grid = reader.GetOutput()
        data = grid.GetPointData()
        check(grid.GetNumberOfCells() == 6 and grid.GetCellType(3) == vtk.VTK_VERTEX, name, "cells")
        check(numpy.array_equal(vtk_to_numpy(grid.GetPoints().GetData())[:, 0], places[i]), name, "places")
        check(numpy.array_equal(vtk_to_numpy(data.GetArray("velocity"))[:, 0], speeds[i]), name, "velocity")
        check(numpy.array_equal(vtk_to_numpy(data.GetArray("radius")), radius), name, "radius")
        check(numpy.array_equal(vtk_to_numpy(data.GetArray("mass")), [2, 1, 2, 3, 4, 5]), name, "mass")
        check(numpy.allclose(vtk_to_numpy(data.GetArray("force")), forces[i], rtol=1e-15), name, "force")
        check(vtk_to_numpy(grid.GetFieldData().GetArray("TimeValue"))[0] == time, name, "time")


def test_vtkhdf(numbers):
    places, speeds, forces, times, radius = numbers
    with h5py.File("run.vtkhdf", "r") as file:
        root = file["VTKHDF"]
        check(root.attrs["Type"] == b"UnstructuredGrid" and list(root.attrs["Version"]) == [2, 0], dict(root.attrs))
        kind = root.attrs.get_id("Type").get_type()
        check(not kind.is_variable_str() and kind.get_cset() == h5py.h5t.CSET_ASCII, "Type is a fixed ASCII text")
        steps = root["Steps"]
        check(steps.attrs["NSteps"] == len(times) and numpy.array_equal(steps["Values"][()], times), "times")
        check(root["Types"].dtype == numpy.uint8 and numpy.all(root["Types"][()] == 1), "vertices")
        for i in range(len(times)):
            part = steps["PartOffsets"][i]
            n = root["NumberOfPoints"][part]
            point, cell = steps["PointOffsets"][i], steps["CellOffsets"][i, 0]
            ids = steps["ConnectivityIdOffsets"][i, 0]
            check(n == 6 and root["NumberOfCells"][part] == 6 and steps["NumberOfParts"][i] == 1, "sizes", i)
            check(numpy.array_equal(root["Points"][point:point + n, 0], places[i]), "places", i)
            check(numpy.array_equal(root["Offsets"][cell:cell + 7], range(7)), "offsets", i)
            check(numpy.array_equal(root["Connectivity"][ids:ids + 6], range(6)), "connectivity", i)
            start = steps["PointDataOffsets/velocity"][i]
            check(numpy.array_equal(root["PointData/velocity"][start:start + n, 0], speeds[i]), "velocity", i)
            start = steps["PointDataOffsets/radius"][i]
            check(numpy.array_equal(root["PointData/radius"][start:start + n], radius), "radius", i)
            start = steps["PointDataOffsets/force"][i]
            check(numpy.allclose(root["PointData/force"][start:start + n], forces[i], rtol=1e-15), "force", i)


def test_corners():
    """Bodies with corners have no place among the balls: a VTKHDF file of their own, with as many points at all times."""
    scene = os.path.join(os.environ["SOURCE"], "scenes/bodies/polyhedra.yaml")
    short = ["--set", "run.until=0.1", "--set", "record.every=0.05"]
    check(carom("run", scene, "-o", "corners.h5", "-q", *short).returncode == 0, "polyhedra")
    check(carom("export", "corners.h5", "--vtkhdf", "corners.vtkhdf", "-q").returncode == 0, "as VTKHDF")
    with h5py.File("corners.vtkhdf", "r") as file:
        points = file["VTKHDF/Points"][:].reshape(3, -1, 3)
        check(file["VTKHDF/NumberOfCells"][0] > 12 and points.shape[1] > 24, points.shape)
        check(not numpy.array_equal(points[0], points[2]), "they fall")


def test_balls():
    """Balls that strike a solid are vertices in files beside its cells', in the plane and in space."""
    for kind, size, at in (("disc", [4, 2], [2, 3.05]), ("sphere", [4, 4, 2], [2, 1, 3.05])):
        cells, name = [2 * n for n in size], f"struck-{kind}"
        velocity = [0] * (len(at) - 1) + [-1]
        with open(name + ".yaml", "w") as file:
            file.write(f"units: none\ntheory: solid\nbodies:\n  - solid: {{box: {{size: {size}, cells: {cells}}}, material: "
                       f"{{young: 1, poisson: 0.2, density: 1}}}}\n  - {kind}: {{at: {at}, radius: 1, mass: 0.5, velocity: {velocity}}}\n"
                       "contacts: {law: hertz, k: 4}\nrun: {until: 1}\nrecord: {every: 0.25}\n")
        check(carom("run", name + ".yaml", "-o", name + ".h5", "-q").returncode == 0, name)
        done = carom("export", name + ".h5", "--vtk", name + "/")
        check(f"{name}_balls.pvd: 5 times of 1 ball" in done.stdout and f"{name}.pvd: 5 times of" in done.stdout, done)
        with h5py.File(name + ".h5", "r") as run:
            moved, speeds = (run[f"particles/balls/{what}/value"][()].reshape(5, -1) for what in ("displacement", "velocity"))
        for i in range(5):
            found = arrays(f"{name}/{name}_balls_{i:06d}.vtu")
            where = numpy.zeros(3)
            where[:len(at)] = at + moved[i]
            check(numpy.array_equal(found["Points"], [where]) and found["radius"] == [1] and found["mass"] == [0.5], name, i, found)
            check(numpy.array_equal(found["velocity"][0, :len(at)], speeds[i]), name, i, "velocity")
        check(moved[4, -1] < -0.5, name, "it moves", moved)


def test_event():
    """A disc and a box on their way down to a plane, as one mechanism under event and as bodies under moreau-jean."""
    scene = """theory: nonsmooth
units: none
gravity: [0, -10]
bodies:
  - plane: {at: [0, 0], normal: [0, 1]}
  - disc: {at: [-1, 1], radius: 0.5, mass: 1, velocity: [1, 0], spin: 3}
  - box: {at: [2, 1], size: [1, 0.5], mass: 1, velocity: [0, 1], spin: -2}
contacts: {law: rigid, e: 0}
run: {until: 0.2, scheme: event, tol: 1e-8}
record: {every: 0.1, probes: [%s]}
"""
    pictures = []
    for name, probes in (("event", "u, v"), ("places", "position, rotation"),
                         ("steps", "u, v, rotation, spin")):
        own = scene % probes
        with open(name + ".yaml", "w") as file:
            file.write(own if name != "steps" else own.replace("event, tol: 1e-8", "moreau-jean, step: 1e-4"))
        done = carom("run", name + ".yaml", "-o", name + ".h5", "-q")
        check(done.returncode == 0, name, done)
        done = carom("export", name + ".h5", "--vtk", name)
        check(done.returncode == 0 and "3 times of 1 round body" in done.stdout and "5 pieces of boxes and walls" in done.stdout, name, done)
        pictures.append([(arrays(f"{name}_{i:06d}.vtu"), arrays(f"{name}_walls_{i:06d}.vtu")) for i in range(3)])
    for i in range(3):
        ball, wall = pictures[2][i]
        for other in (0, 1):
            found, corners = pictures[other][i]
            check(numpy.allclose(found["Points"], ball["Points"], atol=2e-4), i, found["Points"], ball["Points"])
            check(numpy.allclose(corners["Points"], wall["Points"], atol=5e-4), i, corners["Points"], wall["Points"])
            check(numpy.array_equal(corners["body"], wall["body"]) and numpy.array_equal(found["mass"], ball["mass"]), i, "bodies")
        for field in ("velocity", "rotation", "spin", "displacement"):
            check(numpy.allclose(pictures[0][i][0][field], ball[field], atol=2e-3), i, field, pictures[0][i][0][field], ball[field])
    check(abs(pictures[0][2][0]["rotation"][0] - 0.6) < 1e-9, "it has turned by 0.6")
    with open("corners.yaml", "w") as file:  # where nothing is round, what has corners is in the file that one opens
        file.write("units: none\ntheory: nonsmooth\nbodies: [box: {at: [0, 0], size: [1, 1], mass: 1, velocity: [1, 0]}]\n"
                   "contacts: {law: rigid, e: 0}\nrun: {until: 0.1, scheme: event}\nrecord: {every: 0.05}\n")
    check(carom("run", "corners.yaml", "-o", "corners.h5", "-q").returncode == 0, "a box")
    done = carom("export", "corners.h5", "--vtk", "corners")
    check(done.stdout == "corners.pvd: 3 times of 4 pieces of boxes and walls\n" and not os.path.exists("corners_walls.pvd"), done)
    found = arrays("corners_000002.vtu")["Points"]
    check(numpy.allclose(sorted(set(found[:, 0].round(9))), [-0.4, 0.6]), "it moves there", found)
    cubes = []
    for probes in ("u", "position, rotation"):  # in space, by coordinates of the mechanism and by places
        with open("cube.yaml", "w") as file:
            file.write("units: none\ntheory: nonsmooth\nbodies: [box: {at: [0, 0, 0], size: [1, 1, 1], mass: 1, velocity: [1, 0, 2], spin: [1, 2, 3]}]\n"
                       "contacts: {law: rigid, e: 0}\nrun: {until: 0.1, scheme: event}\nrecord: {every: 0.05, probes: [%s]}\n" % probes)
        check(carom("run", "cube.yaml", "-o", "cube.h5", "-q").returncode == 0, "a cube")
        done = carom("export", "cube.h5", "--vtk", "cube")
        check(done.stdout == "cube.pvd: 3 times of 6 pieces of boxes and walls\n", done)
        cubes.append(arrays("cube_000002.vtu")["Points"])
    check(numpy.allclose(*cubes, atol=1e-12) and numpy.allclose(cubes[0].mean(axis=0), [0.1, 0, 0.2]), cubes)
    with open("machine.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: ball}]\ncontacts: {e: 0.5}\n"
                   "start: [{body: 1, displacement: 1}]\nrun: {until: 0.1}\n")
    check(carom("run", "machine.yaml", "-o", "machine.h5", "-q").returncode == 0, "a machine")
    expect(4, ["export", "machine.h5", "--vtk"], "no bodies to draw in it: mechanisms have coordinates")


def main():
    for name in ("run.h5", "run.vtkhdf"):
        if os.path.exists(name):
            os.remove(name)
    with open("run.yaml", "w") as file:
        file.write(SCENE)
    check(carom("run", "run.yaml", "-o", "run.h5", "-q").returncode == 0, "the run")
    done = carom("export", "run.h5", "--vtk", "out/")
    check(done.returncode == 0 and "out/run.pvd: 9 times of 6 beads" in done.stdout, done)
    check(carom("export", "run.h5", "--vtk", "-o", "out", "-q").stdout == "", "again, into the folder that is there")
    check(carom("export", "run.h5", "--vtk", "named.pvd", "-q").returncode == 0, "by prefix")
    check(os.path.exists("named.pvd") and os.path.exists("named_000008.vtu"), "files of a prefix")
    check(carom("export", "run.h5", "--vtkhdf", "-q").returncode == 0, "one file")
    check(carom("export", "run.h5", "--vtkhdf", "-o", "run.vtkhdf", "-q").returncode == 0, "which may be replaced")
    with h5py.File("run.h5", "r") as run:
        numbers = reference(run)
    test_bytes(numbers)
    test_vtu(numbers)
    test_vtkhdf(numbers)
    expect(2, ["export", "run.h5"], "one of --csv, --vtk, --vtkhdf")
    expect(2, ["export", "run.h5", "--vtk", "--csv"], "one of --csv, --vtk, --vtkhdf")
    expect(2, ["export", "run.h5", "--vtk", "--items", "u"], "--items goes with --csv")
    expect(2, ["export", "run.h5", "out", "--vtk", "-o", "other"], "both say where to")
    plain = carom("export", "run.h5", "--csv").stdout  # - is the standard output, for tables only
    for to in (["-o", "-"], ["-"]):
        check(carom("export", "run.h5", "--csv", *to).stdout == plain != "", to)
        expect(2, ["export", "run.h5", "--vtk", *to], "--vtk writes files and cannot write to the standard output")
        expect(2, ["export", "run.h5", "--vtkhdf", *to], "--vtkhdf writes files")
    check(not [name for name in os.listdir(".") if name.startswith("-")], os.listdir("."))
    expect(6, ["export", "run.h5", "--vtk", "no-such-folder/deep/x"], "could not be created")
    with open("mine.pvd", "w") as file:
        file.write("my notes")
    expect(6, ["export", "run.h5", "--vtk", "mine"], "not overwritten")
    check(open("mine.pvd").read() == "my notes" and not os.path.exists("mine_000000.vtu"), "nothing was touched")
    bare = SCENE.replace("record: {every: 0.5}", "record: {every: 0.5, probes: [v]}")
    with open("bare.yaml", "w") as file:
        file.write(bare)
    check(carom("run", "bare.yaml", "-o", "bare.h5", "-q").returncode == 0, "a run without places")
    expect(4, ["export", "bare.h5", "--vtk", "bare/"], "neither u nor position")
    test_corners()
    test_balls()
    test_event()
    end()


main()
