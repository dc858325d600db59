# Discs and spheres from files: CSV, VTK as `carom export` writes it and others, data files of LAMMPS. What is placed is
# what the file says, a run file needs the file no more, and what is wrong is said with file and line.
import os
import subprocess
from pathlib import Path

import h5py
import numpy

from checks import check, end

carom = os.environ["CAROM"]


def run(*arguments):
    return subprocess.run([carom, *arguments], capture_output=True, timeout=60)


def scene(name, entry, more="", until="1 us"):
    Path(name).write_text(f"""bodies:
  - {entry}
{more}
contacts: {{law: hertz}}
run: {{until: {until}, step: 0.1 us}}
record: {{probes: [position, v, spin, u]}}
""")


def placed(entry, more="", until="1 us"):
    """The run file of a scene with this entry."""
    scene("one.yaml", entry, more, until)
    result = run("run", "one.yaml", "-o", "one.h5", "-q")
    check(result.returncode == 0, entry, result.stderr.decode())
    with h5py.File("one.h5") as f:
        bodies = f["particles/bodies"]
        found = {key: bodies[key][()] for key in ("centre", "radius", "mass", "material")}
        found.update({key: bodies[key]["value"][0] for key in ("velocity", "spin")})
    return found


def near(a, b, what):
    check(numpy.allclose(a, b, rtol=1e-15, atol=0), what, a, b)


# CSV: units, blanks, remarks, materials by name
Path("balls.csv").write_text(
    "\ufeff# two of steel, one of brass\nx [mm], y [mm], radius [mm], vx [m/s], spin [rpm], material\n"
    "0, 0, 5, 1, 60, steel\n\n20, 0, 5, 0, 0, brass\n40, 1, 5, 0.5, 0, steel\n")
one = placed("{file: balls.csv}")
near(one["centre"], [[0, 0, 0], [0.02, 0, 0], [0.04, 0.001, 0]], "places")
near(one["radius"], [0.005] * 3, "radii")
near(one["velocity"], [[1, 0], [0, 0], [0.5, 0]], "velocities")
near(one["spin"].ravel(), [2 * numpy.pi, 0, 0], "spin")
check(list(one["material"]) == [0, 1, 0], "classes", one["material"])
check(one["mass"][0] == one["mass"][2] < one["mass"][1], "masses", one["mass"])

# a diameter is twice a radius
Path("wide.csv").write_text("x [mm],y [mm],diameter [mm]\n0,0,10\n20,0,9\n")
near(placed("{file: wide.csv, material: steel}")["radius"], [0.005, 0.0045], "diameters")

# the run knows its bodies without the file, also after `domain: file`; resume goes on to the same bits
whole = placed("{file: balls.csv}", until="2 us")
with h5py.File("one.h5") as f:
    last = f["particles/bodies/position/value"][-1]
scene("half.yaml", "{file: balls.csv}")
check(run("run", "half.yaml", "-o", "half.h5", "-q").returncode == 0, "half")
os.rename("balls.csv", "gone.csv")
check(run("check", "half.h5").returncode == 0, "a run needs no file")
check(run("resume", "half.h5", "--until", "2 us", "-q").returncode == 0, "resume without the file")
with h5py.File("half.h5") as f:
    check((f["particles/bodies/position/value"][-1] == last).all(), "resumed")
os.rename("gone.csv", "balls.csv")

# blanks, semicolons; radius and shift from the scene
for separator in (" ", ";", "\t"):
    Path("plain.csv").write_text(separator.join(("x", "y", "z")) + "\n" + separator.join(("1e-2", "2", "3")) + "\n")
    one = placed("{file: plain.csv, radius: 1 mm, material: steel, shift: [1, 0, 0]}")
    near(one["centre"], [[1.01, 2, 3]], "shifted")

# VTK, written by export
scene("crystal.yaml", "lattice: {kind: fcc, count: [2, 2, 2], at: [0, 0, 0], radius: 1 mm, material: steel, "
      "velocity: [1, 2, 3]}")
check(run("run", "crystal.yaml", "-o", "crystal.h5", "-q").returncode == 0, "crystal")
check(run("export", "crystal.h5", "--vtk").returncode == 0, "export")
with h5py.File("crystal.h5") as f:
    centre, mass = f["particles/bodies/position/value"][0], f["particles/bodies/mass"][()]
again = placed("{file: crystal_000000.vtu, material: steel}")
check((again["centre"].ravel() == centre.ravel()).all(), "vtu: the same bits")
check((again["mass"] == mass).all() and (again["velocity"] == [1, 2, 3]).all(), "vtu: mass and velocity")

# VTK, legacy and XML in ASCII
Path("old.vtk").write_text("""# vtk DataFile Version 3.0
two
ASCII
DATASET POLYDATA
POINTS 2 double
0 0 0 1 0 0
VERTICES 2 4
1 0 1 1
POINT_DATA 2
SCALARS radius float 1
LOOKUP_TABLE default
0.1 0.2
FIELD FieldData 2
id 1 2 int
1 2
velocity 3 2 double
0 0 1 0 0 2
""")
one = placed("{file: old.vtk, material: steel}")
near(one["radius"], [0.1, 0.2], "legacy radius")
near(one["velocity"], [[0, 0, 1], [0, 0, 2]], "legacy velocity")
Path("new.vtp").write_text("""<?xml version="1.0"?>
<VTKFile type="PolyData" version="0.1" byte_order="LittleEndian"><PolyData><Piece NumberOfPoints="2">
<PointData><DataArray type="Float32" Name="Radius" format="ascii"> 0.125 0.25 </DataArray></PointData>
<Points><DataArray type="Float32" NumberOfComponents="3" format="ascii">0 0 0
1 0 0</DataArray></Points></Piece></PolyData></VTKFile>
""")
near(placed("{file: new.vtp, material: steel}")["radius"], [0.125, 0.25], "vtp")
near(placed("{file: new.vtp, material: steel}", "domain: [[-1, -1], [2, 1]]")["radius"], [0.125, 0.25], "in the plane")

# LAMMPS: types are materials, the box may be the domain
lammps = """LAMMPS data file

3 atoms
2 atom types

0 1 xlo xhi
0 1 ylo yhi
0 2 zlo zhi

Atoms # sphere

1 1 0.1 2500 0.5 0.5 0.5
3 2 0.1 1000 0.5 0.5 0.7 0 0 0
2 1 0.1 2500 0.5 0.3 0.7

Velocities

3 0 0 -1 0 0 0
1 0 0 0 0 0 0
2 0 0 0 0 1 0
"""
Path("some.data").write_text(lammps)
one = placed("{file: some.data, materials: [steel, glass]}", "domain: file\nperiodic: [x]")
near(one["velocity"][1], [0, 0, -1], "velocity by number")
near(one["spin"][2], [0, 1, 0], "spin by number")
near(one["mass"], numpy.array([2500, 1000, 2500]) * 4 / 3 * numpy.pi * 0.05**3, "mass")
check(list(one["material"]) == [0, 1, 0], "types", one["material"])
os.remove("some.data")
check(b"domain (0, 0, 0) to (1, 1, 2), periodic" in run("check", "one.h5").stdout, "the box was kept")


# --- wrong files ------------------------------------------------------------------------------------------------------

def wrong(name, data, sentence, entry="{file: NAME, material: steel}", more="", status=3):
    Path(name).write_bytes(data if isinstance(data, bytes) else data.encode())
    key = "" if sentence.startswith("unknown") else "file: "
    scene("wrong.yaml", entry.replace("NAME", name), more)
    for command in ("check", "run"):
        result = run(command, "wrong.yaml", *(("-o", "wrong.h5") if command == "run" else ()))
        said = result.stderr.decode()
        check(result.returncode == status, name, sentence, said)
        check(said == f"carom: wrong.yaml:2:12: {key}{sentence}\n", said, sentence)
        check(not os.path.exists("wrong.h5"), "left a file")


wrong("a.csv", "x,y,radius\n0,0,1\n1,1\n", "a.csv:3: the line has 2 cells, the header names 3")
wrong("a.csv", "x,y,radius\n0,0,-1\n", "a.csv:2: the radius of body 1 must be positive, got -1")
wrong("a.csv", "x,y,radius\n0,nan,1\n", "a.csv:2: cell 2, 'nan', is not a finite number")
wrong("a.csv", "x,y,radius\n0,1e999,1\n", "a.csv:2: cell 2, '1e999', is not a finite number")
wrong("a.csv", "x,y,raduis\n0,0,1\n", "a.csv:1: unknown column 'raduis', did you mean 'radius'?")
wrong("a.csv", "0,0,1\n", "a.csv:1: the first line names the columns, such as x,y,radius")
wrong("a.csv", "", "a.csv:1: the first line names the columns, such as x,y,radius")
wrong("a.csv", "x,y,radius\n", "a.csv has no bodies")
wrong("a.csv", "x,radius\n1,1\n", "a.csv:1: there is no column x or no column y")
wrong("a.csv", "x,y,x\n1,1,1\n", "a.csv:1: the column x appears twice")
wrong("a.csv", "x,y,radius,diameter\n1,1,1,2\n", "a.csv:1: there is more than one column of radii or diameters")
wrong("a.csv", "x [kg],y,radius\n1,1,1\n", "a.csv:1: 1 kg is a mass, expected a length, such as 10 mm")
wrong("a.csv", "x,y\n1,1\n", "it has no radius: give radius: here")
wrong("a.csv", "x,y,radius,material\n1,1,1,stele\n", "unknown material 'stele', did you mean 'steel'?", "{file: NAME}")
wrong("a.csv", b"x,y,radius\n1,1\0,1\n",
      "a.csv: there is a NUL byte: this is neither CSV nor VTK nor a data file of LAMMPS")
wrong("a.data", lammps.replace("sphere", "atomic"), "a.data:10: atoms must be of style sphere: Atoms # sphere")
wrong("a.data", lammps.replace("0.1 2500 0.5 0.5 0.5", "-0.1 2500 0.5 0.5 0.5"),
      "a.data:12: the radius of body 1 must be positive, got -0.05")
wrong("a.data", lammps.replace("3 atoms", "30 atoms"), "a.data:16: an atom of style sphere is: number type diameter "
      "density x y z, 7 numbers or 10 with its images")
wrong("a.data", lammps.replace("3 atoms", "3000000000 atoms"), "a.data:3: the file has no 3000000000 atoms")
vtu = Path("crystal_000000.vtu").read_bytes()
wrong("a.vtu", vtu.replace(b"encoding=\"raw\"", b"encoding=\"base64\""),
      "a.vtu:9: Points breaks off, or is not in base64")
wrong("a.vtu", vtu.replace(b"NumberOfPoints=\"32\"", b"NumberOfPoints=\"33\""),
      'a.vtu:9: Points has 96 numbers, and NumberOfPoints="33" asks for 3 each')
wrong("old.vtk", Path("old.vtk").read_text().replace("0.1 0.2", "0.1 x"), "old.vtk:12: a number should stand here, not 'x'")
wrong("old.vtk", Path("old.vtk").read_text().replace("ASCII", "BINARY"),
      "old.vtk:3: a legacy VTK file is taken in ASCII only, this one is BINARY")
wrong("a.h5", Path("crystal.h5").read_bytes(), "a.h5 is a run file: write run: instead of file:")

# what is no plain file would never end
Path("fifo").unlink(missing_ok=True)
os.mkfifo("fifo")
for name, why in (("fifo", "it is no plain file"), ("/dev/zero", "it is no plain file"), ("none", "No such file or directory")):
    scene("wrong.yaml", f"{{file: {name}, material: steel}}")
    result = run("check", "wrong.yaml")
    check(result.returncode == 6 and f"file: {name} cannot be read: {why}" in result.stderr.decode(), result.stderr)

# any cut and any byte changed ends in a body or in a sentence
for data, name in ((vtu, "b.vtu"), (lammps.encode(), "b.data"), (Path("balls.csv").read_bytes(), "b.csv")):
    for i in range(0, 24):
        at = i * len(data) // 24
        broken = data[:at] if i % 2 else data[:at] + bytes([(data[at] * 7 + 13) % 256]) + data[at + 1:]
        Path(name).write_bytes(broken)
        scene("broken.yaml", f"{{file: {name}, material: steel}}")
        result = run("check", "broken.yaml")
        check(result.returncode in (0, 3, 4), name, i, result.returncode, result.stderr)
        check(result.returncode == 0 or result.stderr.count(b"\n") == 1, name, i, result.stderr)

# pressed bodies may overlap as far as laws reach, no further
Path("pressed.csv").write_text("x,y,radius\n0,0,1\n1.99,0,1\n")
placed("{file: pressed.csv, material: steel}")
Path("pressed.csv").write_text("x,y,radius\n0,0,1\n1.5,0,1\n")
scene("wrong.yaml", "{file: pressed.csv, material: steel}")
check(b"file: bodies 1 and 2 overlap by 0.5 m" in run("check", "wrong.yaml").stderr, "overlap")

# from a run: what a packing fell to is struck; the places are those of the sample, to the bit
WALLS = """  - plane: {at: [0, 0], normal: [0, 1], material: steel}
  - plane: {at: [0, 0], normal: [1, 0], material: steel}
  - plane: {at: [0.2, 0], normal: [-1, 0], material: steel}
materials: {steel: {young: 5e8, poisson: 0.3, density: 2500}}
gravity: [0, -9.81]
"""
POUR = """bodies:
  - packing: {count: 20, radius: 10 mm, spread: 0.2, in: [[0, 0], [0.2, 0.3]], seed: 3, material: steel}
""" + WALLS + """contacts: {law: kuwabara-kono, gamma: 2e-5, friction: {mu: 0.3}}
run: {until: 0.2, scheme: verlet}
"""
Path("pour.yaml").write_text(POUR)
check(run("run", "pour.yaml", "-o", "pour.h5", "-q").returncode == 0, "pour")
STRIKER = "  - disc: {at: [0.1, 0.28], radius: 15 mm, velocity: [0, -2], material: steel}\n"
Path("strike.yaml").write_text(POUR.replace(POUR.split("\n")[1], "  - {run: pour.h5, material: steel, name: heap}\n" + STRIKER))
result = run("run", "strike.yaml", "-o", "strike.h5", "-q")
check(result.returncode == 0, "strike", result.stderr.decode()[:300])
with h5py.File("pour.h5") as old, h5py.File("strike.h5") as new:
    for key in ("position", "velocity", "spin"):
        check((old[f"particles/bodies/{key}/value"][-1][:20] == new[f"particles/bodies/{key}/value"][0][:20]).all(), key)
    check((old["particles/bodies/mass"][:20] == new["particles/bodies/mass"][:20]).all(), "mass")
    check((new["particles/bodies/displacement/value"][0] == 0).all(), "u counts from where they lie now")
os.rename("pour.h5", "gone.h5")
check(run("check", "strike.h5").returncode == 0, "a run needs no other run")
for option, sentence in (
    ("bodies.1.run=pour.h5", "run: pour.h5 cannot be read: No such file or directory"),
    ("bodies.1.run=pour.yaml", "run: pour.yaml cannot be read: it is not a run file"),
    ("bodies.1.run=fifo", "run: fifo cannot be read: it is no plain file"),
):
    said = run("check", "strike.yaml", "--set", option).stderr.decode()
    check(said == f"carom: --set {option}: {sentence}\n", said, sentence)
os.rename("gone.h5", "pour.h5")
said = run("check", "strike.yaml", "--set", "bodies.1.at=0.0333").stderr.decode()
check(said == "carom: strike.yaml:2:11: run: pour.h5 has no sample at 0.0333, the nearest is at 0.033\n", said)
check(run("check", "strike.yaml", "--set", "bodies.1.at=0.1").returncode == 0, "another sample")
damaged = bytearray(Path("pour.h5").read_bytes())
for i in range(0, len(damaged), 977):
    damaged[i] ^= 255
Path("damaged.h5").write_bytes(damaged)
result = run("check", "strike.yaml", "--set", "bodies.1.run=damaged.h5")
check(result.returncode in (3, 6) and result.stderr.count(b"\n") == 1, "damaged", result.returncode, result.stderr[:200])

end(least=150)
