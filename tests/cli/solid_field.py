#!/usr/bin/env python3
# Starts and materials of solids out of files: a run begun from what another one exported for ParaView goes on as that
# one did, in space and in the plane; CSV rows by the nearest place; materials out of cell data; run files keep what was
# read; wrong files get a sentence.
import os
import pathlib
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
BODIES = {
    "space": ("{size: [0.3, 0.1, 0.1], cells: [6, 2, 2]}", "{velocity: [1, 2, 3]}, {spin: [300, 200, 100]}"),
    "plane": ("{size: [0.3, 0.1], cells: [6, 2]}", "{velocity: [1, 2]}, {spin: 300}"),
}


def carom(*words):
    result = subprocess.run([CAROM, *words], capture_output=True, text=True)
    return result.returncode, result.stderr


def write(name, box, start, until, more=""):
    pathlib.Path(name).write_text(f"""
theory: solid
bodies:
  - solid: {{box: {box}, material: steel{more}}}
start: [{start}]
run: {{until: {until}, step: 1e-6}}
record: {{every: 100 us, probes: [u, v, rotation, spin]}}
""")


def cells(name, item, sample=-1):
    with h5py.File(name) as run:
        return run[f"particles/cells/{item}/value"][sample]


for name, (box, start) in BODIES.items():
    write(f"{name}.yaml", box, start, "200 us")
    check(carom("run", f"{name}.yaml", "-o", f"{name}.h5", "-q")[0] == 0, f"{name} runs")
    check(carom("export", f"{name}.h5", "--vtk", name)[0] == 0, f"{name} is exported")
    write(f"{name}-on.yaml", box, f"{{field: {{file: {name}_000001.vtu}}}}", "50 us")
    check(carom("run", f"{name}-on.yaml", "-o", f"{name}-on.h5", "-q")[0] == 0, f"{name} goes on")
    os.remove(f"{name}_000001.vtu")
    check(carom("resume", f"{name}-on.h5", "--until", "100us", "-q")[0] == 0, f"{name} is resumed without the file")
    for item in ("displacement", "velocity", "rotation", "spin"):
        one, other = cells(f"{name}.h5", item), cells(f"{name}-on.h5", item)
        off = numpy.abs(one - other).max() / numpy.abs(one).max()
        check(off < 1e-11, f"{name}: {item} is off by {off:.1e}")

box = BODIES["space"][0]
pathlib.Path("start.csv").write_text("x,y,z,ux,uy,uz,vx,vy,vz\n0,0,0,0,0,0,1,0,0\n0.3,0,0,0,0,1e-6,2,0,3\n")
write("rows.yaml", box, "{field: {file: start.csv}}, {velocity: [1, 0, 0]}", "1 us")
check(carom("run", "rows.yaml", "-o", "rows.h5", "-q")[0] == 0, "rows run")
check(cells("rows.h5", "velocity", 0)[:6].tolist() == [[2, 0, 0]] * 3 + [[3, 0, 3]] * 3, "velocities of the nearest rows")
check(cells("rows.h5", "displacement", 0)[5].tolist() == [0, 0, 1e-6], "displacements of the nearest rows")


def begin(text):
    """what check says of a start out of these rows"""
    pathlib.Path("start.csv").write_text(text)
    result = subprocess.run([CAROM, "check", "rows.yaml"], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


for text in ("vz,x,y,z,vx,uz\n0,0,0,0,1,0\n3,0.3,0,0,2,1e-6\n", '\n# "vx";"uz";"z";"y";"x";"vz"\r\n1;0;0;0;0;0\r\n2;1e-6;0;0;0.3;3\r\n'):
    pathlib.Path("start.csv").write_text(text)
    check(carom("run", "rows.yaml", "-o", fresh("named.h5"), "-q")[0] == 0, "rows with names run")
    for item in ("velocity", "displacement"):
        check((cells("named.h5", item, 0) == cells("rows.h5", item, 0)).all(), f"{item} goes by the names of columns")
for text, sentence in [
    ("x,y,z,vx,vx\n0,0,0,1,1\n", "start.csv: line 1: 'vx' stands twice"),
    ("x,y,z,speed\n0,0,0,1\n", "start.csv: line 1: 'speed' is no name of x, y, z, ux, uy, uz, vx, vy, vz"),
    ("x,y,z,1\n0,0,0,1\n", "line 1: '1' is no name"),
    ("x,y,vx\n0,0,1\n", "line 1: places, and at least one more"),
    ("x,y,z\n0,0,0\n", "line 1: places, and at least one more"),
    ("0,0,0,zero,0,0,0,0,0\n", "line 1 is not a row"),
    ("x,y,z,vx\n0,0,0\n", "line 2 has not as many numbers"),
    ("0,0,0,0,0,0,0,0,1\nx,y,z,vx\n", "line 2 is not a row"),
    ("x,y,z,vx\n", "start.csv: the file has no points"),
]:
    code, said = begin(text)
    check(code == 3 and sentence in said, f"{text!r}: {said}")
check("1e+09 m away" in begin("1e9,0,0,0,0,0,0,0,1\n")[1], "rows far from the body are noted")
check("away" not in begin("0,0,0,0,0,0,0,0,1\n")[1], "a row at a corner is not")
pathlib.Path("start.csv").write_text("x,y,z,ux,uy,uz,vx,vy,vz\n0,0,0,0,0,0,1,0,0\n")


def data(arrays):
    """a file of 24 cells with these numbers"""
    text = "".join(f'<DataArray type="Float64" Name="{name}" format="ascii">{numbers}</DataArray>\n'
                   for name, numbers in arrays.items())
    return f'<VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece><CellData>\n{text}</CellData></Piece></UnstructuredGrid></VTKFile>'


made = {"young": "2e11 " * 12 + "1e11 " * 12, "poisson": "0.3 " * 24, "density": "7850 " * 24}
backwards = " ".join(str(i) for i in range(23, -1, -1))
field = ", regions: [{field: {file: made.vtu}}]"
speeds = []
for arrays in (made, {**made, "cell": backwards}, {**made, "young": "1e11 " * 12 + "2e11 " * 12}):
    pathlib.Path("made.vtu").write_text(data(arrays))
    write("made.yaml", box, "{velocity: [0, 0, 1]}, {cells: all, box: [[0, 0, 0], [1, 1, 0.05]], velocity: [0, 0, 1]}", "100 us", field)
    code, said = carom("run", "made.yaml", "-o", fresh("made.h5"), "-q")
    check(code == 0, f"materials run: {said}")
    speeds.append(cells("made.h5", "velocity").tolist())
check(speeds[0] != speeds[1], "numbers in cell matter")
check(speeds[1] == speeds[2], "cell data go by the numbers in cell")

for arrays, sentence in [
    ({"young": "1 " * 24}, "of the cell data young, poisson and density the file has not all"),
    ({**made, "young": "1 " * 23}, "numbers for 24 cells"),
    ({**made, "young": "-1 " * 24}, "cell 0: young and density must be positive"),
    ({**made, "poisson": "x " * 24}, "a number of poisson should stand here"),
    ({**made, "cell": "0 " * 24}, "each of the numbers 0 to 23 should stand there once"),
    ({**made, "cell": "0.5 " * 24}, "0.5 does not"),
    ({name: "0.1 " * 5 for name in made}, "the file has 5 cells, and the body 24"),
    ({}, "has none"),
]:
    pathlib.Path("made.vtu").write_text(data(arrays))
    code, said = carom("check", "made.yaml")
    check(code != 0 and sentence in said, f"{sentence}: {said}")
good = data(made).replace("<Piece>", '<Piece NumberOfPoints="0" NumberOfCells="24">')
again = '<DataArray type="Float64" Name="young" format="ascii">' + "1 " * 24 + "</DataArray></CellData>"
for old, new, sentence in [
    ('Cells="24"', 'Cells="0"', 'line 2: young has 24 numbers, and NumberOfCells="0"'),
    ('Cells="24"', 'Cells="-24"', "line 1: NumberOfCells should be a whole number from 0 on, not '-24'"),
    ('Cells="24"', 'Cells="4000000000000"', 'NumberOfCells="4000000000000" asks for 1 each'),
    ('"young"', '"young" NumberOfComponents="3000000000"', 'young has NumberOfComponents="3000000000", it should have 1'),
    ("</VTKFile>", "", "the file breaks off"),
    ("<VTKFile", "<!-- <VTKFile", "line 1: this comment is never closed"),
    ("</CellData>", again, "line 5: young stands twice"),
    ('Float64" Name="density', 'UInt8" Name="density', "7850 of density is not a number of type UInt8"),
    ('Float64" Name="density', 'String" Name="density', "numbers of type String are not read"),
]:
    check(old in good, f"{old} stands there")
    pathlib.Path("made.vtu").write_text(good.replace(old, new, 1))
    code, said = carom("check", "made.yaml")
    check(code == 3 and "made.vtu: line" in said and sentence in said, f"{sentence}: {said}")
pathlib.Path("made.vtu").write_text("<!-- <VTKFile> -->\n" + good.replace("</DataArray>", "<InformationKey/></DataArray>") + "<!-- end -->")
check(carom("check", "made.yaml")[0] == 0, "comments and keys in arrays are passed over")
write("still.yaml", box, "{field: {file: still.vtu}}", "1 us")
pathlib.Path("still.vtu").write_text(data({"displacement": "0 " * 72}))
said = subprocess.run([CAROM, "check", "still.yaml"], capture_output=True, text=True).stdout
check("still.vtu has no cell data velocity: it is 0" in said, f"no velocity is noted: {said}")
for text in ("", "<VTKFile", "x,y\n1,2\n", "\0\0\0", "<VTKFile type=\"UnstructuredGrid\"><CellData><DataArray Name=\"young\" format=\"appended\" offset=\"99999999999999999999\"/>"):
    pathlib.Path("made.vtu").write_text(text)
    code, said = carom("check", "made.yaml")
    check(code in (3, 4) and "made.yaml:" in said, f"{text!r}: {code} {said}")
write("none.yaml", box, "{field: {file: start.csv}, face: left}", "1 us")
check(carom("check", "none.yaml")[0] == 0, "cells may be chosen beside a field")

end(70)
