"""carom export --vtk and --vtkhdf of solids: cells stand where displacement and rotation take them, and what is read back is
what the run file holds. The .vtu files are read by a few lines here and, where it is installed, by VTK itself."""
import os
import re
import struct
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]

HEAD = "title: export\ntheory: solid\nunits: none\n"
BOX = HEAD + """
bodies:
  - solid:
      box: {size: [2, 1.5, 1], cells: [4, 3, 2], origin: [1, 2, 3]}
      material: {young: 1, poisson: 0.3, density: 1}
      regions: [{material: {young: 2, poisson: 0.1, density: 3}, box: [[2, 2, 3], [3, 3.5, 4]]}]
start: [{spin: [0.3, 0.2, 0.4]}, {velocity: [0.1, 0, 0]}]
run: {until: 6}
record: {every: 2, probes: [u, v, rotation, spin, stress, strain], cells: {face: top}}
"""
PLATE = HEAD + """
bodies:
  - solid:
      box: {size: [2, 1], cells: [4, 2]}
      material: {young: 1, poisson: 0.3, density: 1}
start: [{spin: 0.5}]
run: {until: 4}
record: {every: 2, probes: [position, rotation]}
"""
SHELL = HEAD + """
bodies:
  - solid:
      cylinder: {radius: 1, height: 2, thickness: 0.2, around: 12, along: 3}
      material: {young: 1, poisson: 0.3, density: 1}
start: [{velocity: [0, 0, 0.1]}]
run: {until: 1}
record: {every: 1, probes: [u]}
"""
HALVES = HEAD + """
bodies:
  - solid:
      SHAPE
      material: {young: 1, poisson: 0.3, density: 1}
      fracture: {strength: 1, cracks: [{at: [1, 0.5, 0.5], normal: [1, 0, 0]}]}
start:
  - {box: [[0, 0, 0], [1, 1, 1]], velocity: [-0.1, 0, 0]}
  - {box: [[1, 0, 0], [2, 1, 1]], velocity: [0.1, 0.05, 0]}
run: {until: 2}
record: {every: 1, probes: [u, rotation, link_damage, crack_area]}
"""
GROWS = HEAD + """
bodies:
  - solid:
      box: {size: [4, 2], cells: [16, 8]}
      material: {young: 1, poisson: 0.3, density: 1}
      fracture: {energy: 1e-5, cracks: [{at: [0, 1], normal: [0, 1], box: [[0, 0], [2, 2]]}]}
      drives:
        - {face: top, displacement: [free, 0.02], signal: {shape: ramp, duration: 40}}
        - {face: bottom, displacement: [free, -0.02], signal: {shape: ramp, duration: 40}}
run: {until: 40}
record: {every: 2, probes: [u, link_damage, crack_area], cells: {box: [[0, 0], [4, 1]]}}
"""
SIGNS = numpy.array([[-1, -1, -1], [1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]])


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def make(name, scene):
    for old in (name + ".h5", name + ".vtkhdf"):
        if os.path.exists(old):
            os.remove(old)
    with open(name + ".yaml", "w") as file:
        file.write(scene)
    done = carom("run", name + ".yaml", "-o", name + ".h5", "-q")
    check(done.returncode == 0, name, done)
    return h5py.File(name + ".h5", "r")


def arrays(name):
    """The appended arrays of a .vtu file, by name."""
    head, tail = open(name, "rb").read().split(b'<AppendedData encoding="raw">', 1)
    raw = tail[tail.index(b"_") + 1:]
    kinds = {b"Float64": numpy.float64, b"Int64": numpy.int64, b"UInt8": numpy.uint8}
    found = {}
    pattern = rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/>'
    for kind, array, components, offset in re.findall(pattern, head):
        size = struct.unpack_from("=Q", raw, int(offset))[0]
        values = numpy.frombuffer(raw, kinds[kind], size // numpy.dtype(kinds[kind]).itemsize, int(offset) + 8)
        found[array.decode()] = values.reshape(-1, int(components)) if components != b"1" else values
    return found


def matrix(q):
    a, b, c, d = q
    return numpy.array([[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                        [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                        [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]])


def from_vector(vector):
    """Rodrigues' formula."""
    angle = numpy.linalg.norm(vector)
    x, y, z = vector / angle
    k = numpy.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return numpy.eye(3) + numpy.sin(angle) * k + (1 - numpy.cos(angle)) * k @ k


def volume(corners):
    """By tetrahedra about the middle, two for each side; sides in VTK's order look outwards."""
    sides = [[0, 4, 7, 3], [1, 2, 6, 5], [0, 1, 5, 4], [3, 7, 6, 2], [0, 3, 2, 1], [4, 5, 6, 7]]
    x = corners - corners.mean(axis=0)
    return sum(numpy.linalg.det(x[[s[0], s[i], s[i + 1]]]) / 6 for s in sides for i in (1, 2))


def test_box():
    with make("box", BOX) as run:
        done = carom("export", "box.h5", "--vtk", "out/")
        check(done.returncode == 0 and "out/box.pvd: 4 times of 12 cells" in done.stdout, done)
        cells = run["particles/cells"]
        index, centre = cells["index"][()], cells["centre"][()]
        u, turn = cells["displacement/value"][()], cells["rotation/value"][()]
        for i in range(4):
            found = arrays(f"out/box_{i:06d}.vtu")
            check(numpy.all(found["types"] == 12) and len(found["types"]) == 12, "hexahedra")
            check(numpy.array_equal(found["offsets"], 8 * numpy.arange(1, 13)), "offsets")
            check(numpy.array_equal(found["connectivity"], numpy.arange(96)), "corners of their own")
            check(numpy.array_equal(found["cell"], index) and set(found["material"]) == {0, 1}, "numbers")
            points = found["Points"].reshape(12, 8, 3)
            for k in range(12):
                expected = centre[k] + u[i, k] + 0.25 * SIGNS @ matrix(turn[i, k]).T
                check(numpy.allclose(points[k], expected, rtol=0, atol=1e-14), i, k, "corners")
                check(abs(volume(points[k]) - 0.125) < 1e-13, i, k, "volume and order of corners")
                if i > 0:
                    check(numpy.allclose(from_vector(found["rotation"][k]), matrix(turn[i, k]), atol=1e-13), "rotation")
            check(numpy.array_equal(found["displacement"], u[i]), i, "displacement")
            check(numpy.array_equal(found["velocity"], cells["velocity/value"][i]), i, "velocity")
            check(numpy.array_equal(found["spin"], cells["spin/value"][i]), i, "spin")
            for name in ("stress", "strain"):
                six, nine = cells[name + "/value"][i], found[name].reshape(-1, 3, 3)
                check(numpy.array_equal(nine, nine.transpose(0, 2, 1)), name, "is symmetric")
                places = [(0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
                check(all(numpy.array_equal(nine[:, a, b], six[:, j]) for j, (a, b) in enumerate(places)), name)
        check(numpy.abs(u[3]).max() > 0.1 and numpy.abs(cells["stress/value"][3]).max() > 1e-3, "something happened")
        test_vtkhdf()
        test_vtk(u)


def test_vtkhdf():
    check(carom("export", "box.h5", "--vtkhdf", "-q").returncode == 0, "one file")
    with h5py.File("box.vtkhdf", "r") as file:
        root = file["VTKHDF"]
        check(root["Steps"].attrs["NSteps"] == 4 and numpy.all(root["Types"][()] == 12), "hexahedra in one file")
        for i in range(4):
            found = arrays(f"out/box_{i:06d}.vtu")
            first = root["Steps/PointOffsets"][i]
            check(numpy.array_equal(root["Points"][first:first + 96], found["Points"]), "points in one file")
            first = root["Steps/CellDataOffsets/stress"][i]
            check(numpy.array_equal(root["CellData/stress"][first:first + 12], found["stress"]), "stress in one file")


def test_vtk(u):
    try:
        import vtk
        from vtk.util.numpy_support import vtk_to_numpy
    except ImportError:
        print("VTK for Python is not here: the .vtu files are not read back by it")
        return
    for i in range(4):
        reader = vtk.vtkXMLUnstructuredGridReader()
        reader.SetFileName(f"out/box_{i:06d}.vtu")
        reader.Update()
        grid = reader.GetOutput()
        check(grid.GetNumberOfCells() == 12 and grid.GetCellType(5) == vtk.VTK_HEXAHEDRON, "cells by VTK")
        check(numpy.array_equal(vtk_to_numpy(grid.GetCellData().GetArray("displacement")), u[i]), "numbers by VTK")
        sizes = vtk.vtkCellSizeFilter()
        sizes.SetInputData(grid)
        sizes.Update()
        check(numpy.allclose(vtk_to_numpy(sizes.GetOutput().GetCellData().GetArray("Volume")), 0.125), "volumes by VTK")


def test_plate():
    with make("plate", PLATE) as run:
        check(carom("export", "plate.h5", "--vtk", "out/", "-q").returncode == 0, "a plate")
        cells = run["particles/cells"]
        for i in range(3):
            found = arrays(f"out/plate_{i:06d}.vtu")
            check(numpy.all(found["types"] == 9) and len(found["types"]) == 8, "quadrilaterals")
            place, angle = cells["position/value"][i], cells["rotation/value"][i]
            points = found["Points"].reshape(8, 4, 3)
            for k in range(8):
                c, s = numpy.cos(angle[k]), numpy.sin(angle[k])
                expected = place[k] + 0.25 * SIGNS[:4, :2] @ numpy.array([[c, -s], [s, c]]).T
                check(numpy.allclose(points[k, :, :2], expected, rtol=0, atol=1e-14), i, k, "corners")
            check(numpy.all(points[:, :, 2] == 0) and numpy.array_equal(found["rotation"][:, 2], angle), "about z")
            check(numpy.allclose(found["displacement"][:, :2], place - cells["centre"][()][:, :2], atol=1e-15), "u")
        check(numpy.abs(cells["rotation/value"][2]).max() > 0.5, "it turned")


def test_shell():
    with make("shell", SHELL):
        check(carom("export", "shell.h5", "--vtk", "out/", "-q").returncode == 0, "a shell")
        points = arrays("out/shell_000000.vtu")["Points"].reshape(36, 8, 3)
        volumes = [volume(p) for p in points]
        check(min(volumes) > 0 and max(volumes) - min(volumes) < 1e-14, "cells of a shell", min(volumes), max(volumes))
        seen = numpy.unique(numpy.round(points.reshape(-1, 3), 9), axis=0)
        check(len(seen) == 2 * 12 * 4, "neighbours share corners at rest", len(seen))


def polygons(found):
    ends = found["offsets"]
    return [found["Points"][a:b] for a, b in zip(numpy.concatenate([[0], ends[:-1]]), ends)]


def area(polygon):
    middle = polygon.mean(axis=0)
    return 0.5 * numpy.linalg.norm(sum(numpy.cross(a - middle, b - middle) for a, b in zip(polygon, numpy.roll(polygon, -1, 0))))


def test_halves(name, shape, close):
    """Two halves that fly apart: faces stand half way between them, open by what the halves have moved."""
    with make(name, HALVES.replace("SHAPE", shape)) as run:
        done = carom("export", name + ".h5", "--vtk", "out/")
        check(done.returncode == 0 and f"{name}_cracks.pvd: 3 times of" in done.stdout, "cracks", done)
        centre = run["particles/cells/centre"][()]
        for i in range(3):
            found = arrays(f"out/{name}_cracks_{i:06d}.vtu")
            pieces, u = polygons(found), run["particles/cells/displacement/value"][i]
            check(numpy.all(found["types"] == 7) and numpy.all(found["damage"] == 1) and numpy.all(found["broken_at"] == 0),
                  "polygons that are broken from the start")
            check(abs(found["area"].sum() - run["observables/solids/crack_area/value"][i]) < 1e-12, "crack area")
            check(numpy.allclose([area(p) for p in pieces], found["area"], rtol=close), "areas of the faces")
            apart = u[found["cells"][:, 1]] - u[found["cells"][:, 0]]
            check(numpy.allclose(found["opening"], apart, rtol=0, atol=0.02), "open by what cells have moved", i)
            line = centre[found["cells"][:, 1]] - centre[found["cells"][:, 0]]
            along = (found["opening"] * line).sum(axis=1) / numpy.linalg.norm(line, axis=1)
            check(numpy.allclose(found["normal_opening"], along, rtol=0, atol=0.01) and found["normal_opening"].max() > 0.19 * i - 1e-9,
                  "normal opening", i)
            middle = numpy.array([p.mean(axis=0) for p in pieces])
            where = run["particles/links/centre"][()][run["particles/links/damage/value"][i] == 1]
            half = 0.5 * (u[found["cells"][:, 0]] + u[found["cells"][:, 1]])
            check(numpy.allclose(middle, where + half, rtol=0, atol=0.05), "where faces stand", i)


def test_growing():
    with make("grows", GROWS) as run:
        check(carom("export", "grows.h5", "--vtk", "out/", "-q").returncode == 0, "a crack that grows")
        damage, times = run["particles/links/damage/value"][()], run["particles/links/damage/time"][()]
        pairs = run["particles/links/cells"][()]
        for i in range(len(times)):
            found = arrays(f"out/grows_cracks_{i:06d}.vtu")
            gone = damage[i] > 0
            check(numpy.array_equal(found["cells"], pairs[gone]) and numpy.array_equal(found["damage"], damage[i][gone]), i)
            since = numpy.where((damage[:i + 1] >= 1).any(axis=0), times[(damage[:i + 1] >= 1).argmax(axis=0)], numpy.nan)
            check(numpy.array_equal(found["broken_at"], since[gone], equal_nan=True), "when", i)
            check(numpy.all(found["types"] == 3) and len(found["Points"]) == 2 * gone.sum(), "lines in the plane", i)
        check((damage[-1] >= 1).sum() > (damage[0] >= 1).sum() > 0, "it grew", damage.sum(axis=1))
    check(carom("export", "grows.h5", "--vtkhdf", "grows", "-q").returncode == 0, "VTKHDF goes without cracks")


def main():
    test_halves("split", "box: {size: [2, 1, 1], cells: [8, 4, 4]}", 1e-6)
    test_halves("shards", "voronoi: {box: {size: [2, 1, 1]}, cells: 200, relax: 30}", 3e-4)  # areas of links are those that they see
    test_growing()
    test_box()
    test_plate()
    test_shell()
    with make("bare", PLATE.replace("probes: [position, rotation]", "probes: [v]")):
        done = carom("export", "bare.h5", "--vtk", "bare")
        check(done.returncode == 4 and "neither u nor position" in done.stderr and not os.path.exists("bare.pvd"), done)
    with make("none", PLATE.replace("probes: [position, rotation]", "cells: none")):
        done = carom("export", "none.h5", "--vtk", "none")
        check(done.returncode == 4 and done.stderr.count("\n") == 1 and "no cells" in done.stderr, done)
    end()


main()
