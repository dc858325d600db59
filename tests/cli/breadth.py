"""What surrounds a run: filters of sensors go on after a resume, materials from a file stay in the run file, dispersion
writes its tables, sweeps know their units, files that hold something else are refused before any work."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout,
          arguments, done)


def write(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w") as file:
        file.write(text)


SENSORS = """
units: none
bodies: [{chain: {count: 8}}, {wall: {side: right}}]
contacts: {law: hertz, k: 1}
start: [{body: 1, velocity: 1}]
run: {until: 30, scheme: verlet, step: 0.0078125}
record: {every: 0.1}
sensors: [{name: inside, body: 4, bandwidth: 0.4}, {name: wall, wall: right}]
"""


def test_sensors():
    write("sensors.yaml", SENSORS)
    for name in ("whole.h5", "part.h5"):
        if os.path.exists(name):
            os.remove(name)
    check(carom("run", "sensors.yaml", "-o", "whole.h5", "--csv", "whole.csv", "-q").returncode == 0, "the whole run")
    check(carom("run", "sensors.yaml", "-o", "part.h5", "--set", "until=7", "-q").returncode == 0, "a part of it")
    check(carom("resume", "part.h5", "--until", "30", "-q").returncode == 0, "the rest")
    with h5py.File("whole.h5") as whole, h5py.File("part.h5") as part:
        for name in ("inside", "inside_raw", "wall"):
            path = f"observables/sensors/{name}"
            check(numpy.array_equal(whole[path + "/value"], part[path + "/value"]), path, "goes on to the bit")
            check(whole[path + "/value"].attrs["unit"] == b"1", path, "unit")
            check(len(whole[path + "/time"]) == len(whole[path + "/value"]) == 301, path, "times")
        check("observables/sensors/wall_raw" not in whole, "no filter, no raw values")
        force = whole["observables/contacts/force/value"]
        check(numpy.array_equal(whole["observables/sensors/inside_raw/value"], force[:, 2] / 2 + force[:, 3] / 2), "mean")
        check(numpy.array_equal(whole["observables/sensors/wall/value"], force[:, 7]), "wall")
    heading = open("whole.csv").readline().strip().split(",")
    check(heading[-3:] == ["sensor_inside", "sensor_inside_raw", "sensor_wall"], heading)
    table = carom("export", "whole.h5", "--csv", "--items", "sensor_wall").stdout.splitlines()
    check(table[0] == "time,step,sensor_wall" and len(table) == 302, table[:2])


def test_materials():
    write("scenes/soft.yaml", "materials: ../library/mine.yaml\n"
          "bodies: [chain: {count: 3, radius: 5 mm, pattern: [{material: ball}, {material: soft one}]}]\n"
          "start: [{body: 1, velocity: 1}]\nrun: {until: 1 ms}\n")
    write("library/mine.yaml", "ball: {young: 203 GPa, poisson: 0.3, density: 7833 kg/m^3}\n"
          "soft one: {young: 1 GPa, poisson: 0.4, density: 1000}\n")
    check(carom("run", "scenes/soft.yaml", "-o", "soft.h5", "-q").returncode == 0, "materials of a file")
    with h5py.File("soft.h5") as run:
        mass = run["particles/beads/mass"][()]
        sphere = 4 / 3 * math.pi * 5e-3**3
        check(numpy.allclose(mass, [7833 * sphere, 1000 * sphere, 7833 * sphere], rtol=1e-14), mass)
    os.rename("library/mine.yaml", "library/gone.yaml")
    again = carom("run", "soft.h5", "-o", "again.h5", "-q")
    check(again.returncode == 0, "the run file needs the library no more", again)
    with h5py.File("soft.h5") as first, h5py.File("again.h5") as second:
        path = "particles/beads/velocity/value"
        check(numpy.array_equal(first[path], second[path]), "and gives the same bits")
    check(carom("resume", "soft.h5", "--until", "2 ms", "-q").returncode == 0, "it can be resumed")
    expect(6, ["check", "scenes/soft.yaml"], "scenes/soft.yaml:1:12: materials: the file of materials")
    write("library/mine.yaml", "ball: {young: 203 GPa, poison: 0.3}\n")
    expect(3, ["check", "scenes/soft.yaml"], "mine.yaml:1:24: unknown key 'poison', did you mean 'poisson'?")
    write("library/mine.yaml", "- ball\n")
    expect(3, ["check", "scenes/soft.yaml"], "mine.yaml:1:1")


def test_dispersion():
    write("dimer.yaml", "units: none\nbodies: [{chain: {count: 10, pattern: [{mass: 1}, {mass: 4}]}}]\n"
          "contacts: {law: power, p: 1, k: 1}\nrun: {until: 1}\n")
    done = carom("dispersion", "dimer.yaml", "--csv", "curves.csv", "--modes", "modes.csv", "--points", "11")
    check(done.returncode == 0 and "band 2" in done.stdout and "gap" in done.stdout, done)
    curves = numpy.genfromtxt("curves.csv", delimiter=",", names=True)
    check(len(curves) == 22, "two branches of eleven points")
    lower, upper = curves[curves["branch"] == 1], curves[curves["branch"] == 2]
    check(abs(lower["omega"][-1] - math.sqrt(2 / 4)) < 1e-13, "edge of the acoustic band", lower["omega"][-1])
    check(abs(upper["omega"][-1] - math.sqrt(2)) < 1e-13 and abs(upper["omega"][0] - math.sqrt(2.5)) < 1e-13, "optical")
    check(numpy.allclose(curves["frequency"] * 2 * math.pi, curves["omega"], rtol=1e-15), "frequency")
    modes = numpy.genfromtxt("modes.csv", delimiter=",", names=True)
    check(len(modes) == 10 and modes["omega"][0] == 0 and "u_10" in modes.dtype.names, modes.dtype.names)
    check(carom("dispersion", "dimer.yaml", "--csv", "curves.csv", "-q").stdout == "", "may be written again, quietly")
    expect(6, ["dispersion", "dimer.yaml", "--csv", "dimer.yaml"], "not overwritten")
    write("taper.yaml", "units: none\nbodies: [{chain: {count: 10, taper: {ratio: 0.9, of: mass}}}]\n"
          "contacts: {law: power, p: 1, k: 1}\nrun: {until: 1}\n")
    expect(4, ["dispersion", "taper.yaml", "--csv", "none.csv"], "does not repeat itself")
    check(carom("dispersion", "taper.yaml", "--cell", "1").returncode == 0, "a cell may be asked for")
    expect(4, ["dispersion", "taper.yaml", "--cell", "10"], "do not fit")
    expect(4, ["dispersion", "taper.yaml", "--set", "contacts={law: hertz}"], "sonic vacuum")


def test_solid():
    """Long waves in a lattice of cells have the speeds of the continuum (plane strain)."""
    write("solid.yaml", "theory: solid\nbodies: [solid: {box: {size: [1 m, 1 m], cells: [8, 8]}, material: rock}]\n"
          "run: {until: 1 ms}\n")
    young, poisson, density = 18.8e9, 0.25, 2200.0
    mu = young / (2 * (1 + poisson))
    fast = math.sqrt(young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson)) / density)
    for along in ("x", "xy"):
        done = carom("dispersion", "solid.yaml", "--csv", "lattice.csv", "--points", "315", "--along", along)
        check(done.returncode == 0 and "branch 3" in done.stdout and "modes      192" in done.stdout, done)
        curves = numpy.genfromtxt("lattice.csv", delimiter=",", names=True)
        second = curves[curves["phase"] == curves["phase"][3]] # the first phase above 0, about 0.01
        speeds = second["omega"] / second["wavenumber"]
        check(abs(speeds[0] / math.sqrt(mu / density) - 1) < 1e-4, along, "shear waves", speeds)
        check(abs(speeds[1] / fast - 1) < 1e-4, along, "pressure waves", speeds, fast)
    expect(2, ["dispersion", "solid.yaml", "--along", "z"], "one or several of the letters x, y")
    expect(2, ["dispersion", "dimer.yaml", "--along", "x"], "--along is for solids")


def test_sweep():
    write("sweep.yaml", "bodies: [chain: {count: 3, radius: 5 mm, material: steel}]\n"
          "contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1}}\n"
          "start: [{body: 1, velocity: 1}]\nrun: {until: 0.1 ms}\n")
    if os.path.exists("sweep.h5"):
        os.remove("sweep.h5")
    done = carom("sweep", "sweep.yaml", "--over", "contacts.restitution.e=0.8,0.9", "--over",
                 "bodies.1.chain.radius=0.004,0.005", "--over", "start.1.velocity=1,2", "-o", "sweep.h5", "-q")
    check(done.returncode == 0, done)
    with h5py.File("sweep.h5") as file:
        units = {name: file["grid"][name].attrs["unit"] for name in file["grid"]}
        check(list(units.values()) == [b"m", b"1", b"m/s"], units)
    for command in (["show", "sweep.h5"], ["resume", "sweep.h5"], ["export", "sweep.h5", "--csv"]):
        expect(3, command, "sweep.h5: this is a sweep, not a run")
    write("notes.csv", "my notes\n")
    expect(6, ["converge", "sweep.yaml", "--tols", "1e-3:1e-12:9", "--csv", "notes.csv"], "not overwritten")
    check(open("notes.csv").read() == "my notes\n", "the notes are there")
    done = carom("check", "sweep.yaml", "--set", "record={every: 1}")
    check("longer than the run" in done.stdout, done.stdout)


test_sensors()
test_materials()
test_dispersion()
test_solid()
test_sweep()
end()
