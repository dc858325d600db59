"""carom sweep as a user meets it: the file, resuming after Ctrl-C and after a kill, threads, wrong calls."""
import os
import shutil
import signal
import subprocess
import time

import h5py
import numpy

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
DIMER = os.path.join(SOURCE, "scenes", "dimer.yaml")


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)


def expect(code, arguments, said):
    done = carom("sweep", *arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said", done.stderr)
    check(said in done.stderr, arguments, "said", done.stderr, "expected", said)


def outputs(path, swmr=False):
    with h5py.File(path, "r", libver="latest", swmr=swmr) as file:
        found = {name: item[()] for name, item in file["outputs"].items()}
        found["status"] = file["status"][()]
    return found


def same(a, b):
    return a.keys() == b.keys() and all(numpy.array_equal(a[name], b[name], equal_nan=True) for name in a)


# a grid of two keys: shapes, units, values as single runs have them
for file in ("a.h5", "b.h5", "c.h5", "d.h5", "m.h5", "none.h5", "grown.h5", "all.h5", "units.h5", "pure.h5", "place.h5", "log.h5"):
    if os.path.exists(file):
        os.remove(file)
grid = ["--over", "contacts.gamma=0:0.1:3", "--over", "bodies.1.chain.pattern.2.mass=0.5,0.75,1,1.5",
        "--set", "run.until=20"]
done = carom("sweep", DIMER, *grid, "-o", "a.h5")
check(done.returncode == 0 and "12" in done.stdout and "v_last" in done.stdout, done)
units = carom("sweep", os.path.join(os.environ["SOURCE"], "scenes", "steel-chain.yaml"), "--over", "start.1.velocity=0.1 m/s,0.2 m/s",
              "--set", "run.until=20us", "-o", "units.h5")
carom("sweep", os.path.join(os.environ["SOURCE"], "scenes", "steel-chain.yaml"), "--over", "contacts.restitution=0.8,0.9", "--set", "contacts.law=kuwabara-kono",
      "--set", "run.until=20us", "-o", "pure.h5")
with h5py.File("pure.h5") as file:
    check(file["grid/contacts.restitution"].attrs["unit"] in (b"1", "1"), "restitution is a pure number", dict(file["grid/contacts.restitution"].attrs))
check(" N  at velocity = 0.2 m/s" in units.stdout and " J  at" in units.stdout, "outputs have their units on a terminal", units)
with open("place.yaml", "w") as file:
    file.write("bodies: [sphere: {at: [0, 0, 1 m], radius: 1 cm, material: steel}]\nrun: {until: 1 ms}\n")
place = carom("sweep", "place.yaml", "--over", "bodies.1.sphere.at.3=1 m,2 m", "--outputs", "kinetic", "-o", "place.h5")
check(" at at.3 = 1 m" in place.stdout, "a place in a list is told with its list", place)
with h5py.File("a.h5", "r") as file:
    check(file["outputs/v_last"].shape == (3, 4) and file["outputs/v_last"].dtype == "<f8", file["outputs/v_last"])
    check(all("unit" in item.attrs for item in file["outputs"].values()), "units")
    check(numpy.array_equal(file["grid/contacts.gamma"][()], [0, 0.05, 0.1]), file["grid/contacts.gamma"][()])
    check(file["grid/contacts.gamma"].attrs["axis"] == 0, "axis")
    check((file["status"][()] == 0).all(), file["status"][()])
    check(b"Dimer chain" in file["parameters/scene"][()], "scene")
    speed = file["outputs/v_last"][1, 2]
    kinetic = file["outputs/kinetic"][1, 2]
run = carom("run", DIMER, "--set", "run.until=20", "--set", "contacts.gamma=0.05", "--set",
            "bodies.1.chain.pattern.2.mass=1", "-o", "run.h5", "--quiet")
with h5py.File("run.h5", "r") as file:
    check(file["particles/beads/velocity/value"][-1, -1] == speed, "the sweep's run is a plain run")
    check(file["observables/ledger/kinetic/value"][-1] == kinetic, "and so is its ledger")

# threads change nothing; words can be swept; what exists is complete and stays
check(carom("sweep", DIMER, *grid, "-o", "b.h5", "--threads", "1", "--quiet").returncode == 0, "one thread")
check(same(outputs("a.h5"), outputs("b.h5")), "threads")
before = open("a.h5", "rb").read()
done = carom("sweep", "a.h5")
check(done.returncode == 0 and "12 of them before" in done.stdout, done)
check(same(outputs("a.h5"), outputs("b.h5")), "a complete sweep has nothing to do")
done = carom("sweep", DIMER, "--over", "run.scheme=theta,verlet", "--over", "run.step=0.1:0.025:3", "--log", "--set",
             "run.tol=null", "--set", "run.until=5", "--outputs", "error,error_u,steps", "-o", "d.h5", "--quiet")
check(done.returncode == 0 and done.stdout == "" and done.stderr == "", done)
with h5py.File("d.h5", "r") as file:
    check(file["grid/run.scheme"][()] == b"theta\nverlet", file["grid/run.scheme"][()])
    check(numpy.array_equal(file["outputs/steps"][()], [[50, 100, 200]] * 2), file["outputs/steps"][()])
    check((file["outputs/error"][1, :-1] / file["outputs/error"][1, 1:] > 3).all(), file["outputs/error"][()])

# errors are those of the run, not of its reference, which gets finer where they need it; where the finest is not fine enough, it is said
def errors(name, *words):
    if os.path.exists(name):
        os.remove(name)
    done = carom("sweep", *words, "--outputs", "error", "-o", name)
    check(done.returncode == 0, done)
    with h5py.File(name, "r") as file:
        return done.stdout, file["outputs/error"][()]


OBLIQUE = os.path.join(SOURCE, "scenes", "space", "oblique.yaml")
said, usual = errors("usual.h5", OBLIQUE, "--over", "run.tol=1e-6,1e-7,1e-8")
check("note:" not in said and 9e-10 < usual[2] < 1.2e-9 and usual[0] > 10 * usual[1] > 10 * usual[2], said, usual)
said, finest = errors("finest.h5", OBLIQUE, "--over", "run.tol=1e-6,1e-7,1e-8", "--reference-tol", "1e-13")
check((abs(usual - finest) < 0.1 * finest).all(), usual, finest)
with open("chaos.yaml", "w") as scene:  # differences grow tenfold in seven units of time
    scene.write("units: none\nbodies: [wall: {side: left}, chain: {mass: [1, 0.37, 2.1], gap: 0.5}, wall: {side: right, gap: 0.5}]\n"
                "contacts: {law: hertz, k: 1000}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 20}\n")
said, grown = errors("chaos.h5", "chaos.yaml", "--over", "run.tol=1e-3,1e-11")
check("note: 1 of 2 runs have a remark, first at tol = 1e-11: the reference of its errors may be off by " in said, said, grown)

# Ctrl-C: says how to go on, keeps what is done; a kill: the same, and the file can be read at once
slow = ["--over", "contacts.gamma=0:0.1:50", "--set", "run.until=60", "--set", "run.tol=1e-10"]
if os.path.exists("whole.h5"):
    os.remove("whole.h5")  # of an earlier build
whole = carom("sweep", DIMER, *slow, "-o", "whole.h5", "--quiet")
check(os.path.exists("whole.h5"), whole)
complete = outputs("whole.h5")
for number, name in ((signal.SIGINT, "interrupted.h5"), (signal.SIGKILL, "killed.h5")):
    if os.path.exists(name):
        os.remove(name)
    process = subprocess.Popen([CAROM, "sweep", DIMER, *slow, "-o", name], stderr=subprocess.PIPE, text=True)
    waited = time.time()
    while process.poll() is None and time.time() - waited < 60:
        if os.path.exists(name):
            try:
                with h5py.File(name, "r", libver="latest", swmr=True) as file:
                    if (file["status"][()] == 0).sum() > 5:
                        break
            except OSError:
                pass
        time.sleep(0.02)
    busy = carom("sweep", DIMER, *slow, "-o", name) if process.poll() is None else None
    process.send_signal(number)
    said = process.communicate()[1]
    part = outputs(name, swmr=number == signal.SIGKILL)
    done_points = part["status"] == 0
    check(0 < done_points.sum(), name, done_points.sum())
    if busy is not None and busy.returncode != 0:
        check(busy.returncode == 6 and "writing" in busy.stderr, busy)
    for key in part:
        check(numpy.array_equal(part[key][done_points], complete[key][done_points]), name, key)
    if number == signal.SIGINT and process.returncode != 0:
        check(process.returncode == 8 and f"'carom sweep {name}' goes on from here" in said, process.returncode, said)
    again = carom("sweep", name, "--quiet")
    check(again.returncode == 0, again)
    check(same(outputs(name), complete), name, "differs after going on")

# outputs that no run has are refused before the first one
done = carom("sweep", DIMER, "--over", "run.until=3,4", "--outputs", "peak_force_99", "-o", "none.h5")
check(done.returncode == 3 and "--outputs: there is no contact for peak_force_99" in done.stderr, done)
check(not os.path.exists("none.h5"), "a file of a sweep that was refused")

# runs that fail do not end the sweep, and are told
done = carom("sweep", DIMER, "--over", "bodies.1.chain.count=2:6:5", "--set", "run.until=3", "--outputs", "v_4", "-o",
             "c.h5")
check(done.returncode == 3 and "2 of 5 runs failed, first at count = 2: there is no body for v_4" in done.stderr, done)
check(numpy.array_equal(numpy.isnan(outputs("c.h5")["v_4"]), [True, True, False, False, False]), outputs("c.h5"))
for again in (["c.h5"], ["c.h5", "--quiet"]):  # and told again when there is nothing left to do
    done = carom("sweep", *again)
    check(done.returncode == 3 and "2 of 5 runs failed, first at count = 2: it ended with exit code 3" in done.stderr, done)

# a status that is none does not become an exit code
shutil.copy("c.h5", "forged.h5")
with h5py.File("forged.h5", "r+") as file:
    file["status"][1] = 77
done = carom("sweep", "forged.h5")
check(done.returncode == 6 and "run 2 has the status 77" in done.stderr, done)

# a point that is refused is like any other failure, the first too; if all are, nothing is run
masses = ["--over", "bodies.1.chain.pattern.2.mass=-1,0,0.5,1", "--set", "run.until=3", "--outputs", "v_last", "-o", "m.h5"]
for attempt in ([DIMER, *masses], [DIMER, *masses], ["m.h5"]):
    done = carom("sweep", *attempt)
    check(done.returncode == 3 and "2 of 4 runs failed, first at mass = -1: " in done.stderr and
          "must be positive, got -1" in done.stderr and "runs       4" in done.stdout, attempt, done)
    check(numpy.array_equal(outputs("m.h5")["status"], [3, 3, 0, 0]), outputs("m.h5"))
    check(numpy.array_equal(numpy.isnan(outputs("m.h5")["v_last"]), [True, True, False, False]), outputs("m.h5"))
expect(3, [DIMER, "--over", "contacts.gamma=-2,-1", "-o", "none.h5"], "--over contacts.gamma=-2: ")
expect(3, [DIMER, "--over", "gama=0:0.85:18", "-o", "none.h5"], "--over gama=0:0.85:18: unknown key 'gama', did you mean 'gamma'?")
check(not os.path.exists("none.h5"), "nothing is written where every point is refused")
grown = carom("sweep", DIMER, "--over", "bodies.1.chain.pattern.2.mass=-1:1:1501", "--set", "run.until=0.1", "--outputs",
              "v_last", "-o", "grown.h5")
check(grown.returncode == 3 and "751 of 1501 runs failed, first at mass = -1: " in grown.stderr, grown)
with open("stiff.yaml", "w") as scene:
    scene.write("theory: nonsmooth\nunits: none\nbodies:\n  - sphere: {radius: 1, at: [0, 0, 0], velocity: [1, 0, 0], mass: 1}\n"
                "  - sphere: {radius: 1, at: [3, 0, 0], mass: 1}\ncontacts: {e: 0.8}\nrun: {until: 5}\n")
expect(4, ["stiff.yaml", "--over", "contacts.e=0.2,0.8", "--outputs", "peak_force", "-o", "stiff.h5"],
       "--outputs: peak_force: these rigid contacts have impulses, not forces") # once, before any run
check(not os.path.exists("stiff.h5"), "nothing was run")
with open("endless.yaml", "w") as scene:
    scene.write("theory: lzb\nunits: none\nbodies: [chain: {count: 3, mass: 1}]\ncontacts: {law: rigid, k: 1, e: 0.5}\n"
                "start: [{body: 1, velocity: 1}]\nrun: {until: 5, impact: lzb-impulse, impact_steps: 1}\n")
done = carom("sweep", "endless.yaml", "--over", "contacts.e=0.2,0.8", "--outputs", "v_last", "-o", "all.h5", "--quiet")
for _ in range(2):
    check(done.returncode == 5 and "2 of 2 runs failed, first at e = 0.2: " in done.stderr, done)
    done = carom("sweep", "all.h5", "--quiet")

expect(2, [DIMER], "say what to sweep over")
expect(2, [DIMER, "--over", "contacts.gamma"], "write key=first:last:count")
expect(2, [DIMER, "--over", "contacts.gamma=0:1"], "--over contacts.gamma=0:1: ")
expect(3, [DIMER, "--over", "contacts.gama=0:1:2"], "did you mean 'gamma'?")
expect(2, [DIMER, "--over", "contacts.gamma=0:1:2", "--outputs", "speed"], "--outputs: there is no output 'speed'")
expect(2, [DIMER, "--over", "contacts.gamma=0:1:2", "--threads", "0"], "--threads 0: ")
expect(4, [DIMER, *grid, "--set", "run.until=21", "-o", "a.h5"], "a.h5: is the file of another sweep ('set' is different there)")
expect(4, [DIMER, *grid, "-o", "run.h5"], "run.h5: exists and is not the file of a sweep")
expect(3, ["run.h5"], "run.h5: is not the file of a sweep")
shutil.copy(DIMER, "scene.yaml")
expect(6, ["scene.yaml", *grid, "-o", "scene.yaml"], "not overwritten")
check(open("scene.yaml").read() == open(DIMER).read(), "the scene is still there")

# the same as a table, keys with their units; and no other file is emptied for it
done = carom("sweep", DIMER, "--over", "bodies.1.chain.count=4,6", "--over", "contacts.gamma=0,0.03", "--set", "run.until=5",
             "-o", "table.h5", "--csv", "table.csv", "-q")
check(done.returncode == 0, done.stderr)
lines = [line.split(",") for line in open("table.csv").read().splitlines()]
check(lines[0] == ["bodies.1.chain.count", "contacts.gamma", "v_last", "peak_force", "kinetic", "stored", "dissipated", "status"],
      lines[0])
kept = outputs("table.h5")
check([[float(word) for word in line[:2]] for line in lines[1:]] == [[4, 0], [4, 0.03], [6, 0], [6, 0.03]], lines[1:])
check([float(line[3]) for line in lines[1:]] == list(kept["peak_force"].ravel()), "table", lines, kept)
done = carom("sweep", os.path.join(SOURCE, "scenes", "steel-chain.yaml"), "--over", "start.1.velocity=0.4,0.5", "--over", "bodies.1.chain.radius=9 mm,10 mm",
             "--over", "run.tol=1e-5,1e-6", "--set", "run.until=10us", "-o", "in_units.h5", "--csv", "in_units.csv", "--outputs", "v_last,kinetic,steps", "-q")
check(done.returncode == 0, done)
check(open("in_units.csv").readline() == "start.1.velocity (m/s),bodies.1.chain.radius (mm),run.tol,v_last (m/s),kinetic (J),steps,status\n", done.stderr, open("in_units.csv").readline())
for unit, size in (("m/s", 1), ("mm/s", 1e-3)): # the summary tells outputs of the kind of a key in its unit, tables are in SI
    done = carom("sweep", os.path.join(SOURCE, "scenes", "steel-chain.yaml"), "--over", f"start.1.velocity={0.4 / size:g} {unit},{0.5 / size:g} {unit}", "--set",
                 "run.until=10us", "-o", f"in_{size}.h5", "--csv", f"in_{size}.csv", "--outputs", "v_first,u_first")
    table = [line.split(",") for line in open(f"in_{size}.csv").read().splitlines()]
    check(table[0] == [f"start.1.velocity ({unit})", "v_first (m/s)", "u_first (m)", "status"], table)
    check(f" {unit}  at velocity = {0.4 / size:g} {unit}" in done.stdout, done.stdout)
    check(f"{max(float(line[1]) for line in table[1:]) / size:.6g} {unit}  at velocity" in done.stdout, done.stdout)
    check(all(float(line[1]) == float(kept) for line, kept in zip(table[1:], outputs(f"in_{size}.h5")["v_first"])), table)
with open("dashpot.yaml", "w") as scene:
    scene.write("bodies: [chain: {count: 3, mass: 30 g}]\ncontacts: {law: linear-dashpot, k: 1e6, c: 50}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 1 ms}\n")
done = carom("sweep", "dashpot.yaml", "--over", "contacts.c=10,20", "-o", "dashpot.h5", "--csv", "-", "--outputs", "v_last")
check(done.stdout.startswith("contacts.c (N s/m),v_last (m/s),status\n"), done.stdout)
done = carom("sweep", DIMER, "--over", "contacts.gamma=0,0.03", "-o", "flow.h5", "--csv", "-")
check(done.returncode == 0 and done.stdout.startswith("contacts.gamma") and len(done.stdout.splitlines()) == 3 and not os.path.exists("-"),
      done.stdout, done.stderr)
with open("other.csv", "w") as other:
    other.write("not a table\n")
expect(6, [DIMER, "--over", "contacts.gamma=0,0.03", "-o", "other.h5", "--csv", "other.csv"], "other.csv")

# impulses of rigid spheres: with two of mass 1 and a normal at asin(1/4) it is (1 + e) / 2 cos of that
with open("rigid.yaml", "w") as scene:
    scene.write("theory: nonsmooth\nunits: none\nbodies:\n  - sphere: {radius: 1, at: [0, 0, 0], velocity: [1, 0, 0], mass: 1}\n"
                "  - sphere: {radius: 1, at: [3, 0.5, 0], mass: 1}\ncontacts: {e: 0.8}\nrun: {until: 5}\n")
done = carom("sweep", "rigid.yaml", "--over", "contacts.e=0.2,0.8", "-o", "rigid.h5", "-q", "--outputs",
             "peak_impulse,peak_impulse_1_2,v_2_x")
check(done.returncode == 0, done.stderr)
kept = outputs("rigid.h5")
for name in ("peak_impulse", "peak_impulse_1_2"):
    for value, e in zip(kept[name].ravel(), (0.2, 0.8)):
        check(abs(value - (1 + e) / 2 * (1 - 0.25**2)**0.5) < 1e-12, name, value)
done = carom("sweep", DIMER, "--over", "contacts.gamma=0,0.03", "-o", "none.h5", "--outputs", "peak_impulse")
check("peak_impulse is for discs and spheres" in done.stderr, done.stderr)

# the standard output goes on where it is, and only tables alone go there
with open("log.txt", "w") as file:
    file.write("before\n")
    file.flush()
    subprocess.run([CAROM, "sweep", DIMER, "--over", "contacts.gamma=0,0.1", "--set", "run.until=1", "-o", "log.h5", "--csv", "-"], stdout=file)
    subprocess.run([CAROM, "run", DIMER, "--set", "run.until=0.1", "-o", "log-run.h5", "--csv", "-"], stdout=file)
with open("log.txt") as file:
    lines = file.read().splitlines()
check(lines[0] == "before" and lines[1].startswith("contacts.gamma,") and lines[4].startswith("time,step,"), lines)
done = carom("pulse", "log-run.h5", "--collapse", "-")
check(done.returncode == 2 and "name a file" in done.stderr and not os.path.exists("-"), done)
# tables out of files are in the file of the sweep, and values of its keys are not; files as values are read anew
for name, top in (("low.csv", 1), ("high.csv", 2)):
    with open(name, "w") as table:
        table.write(f"time (s),force (N)\n0,0\n1,{top}\n2,0\n")
with open("pushed.yaml", "w") as scene:
    scene.write("bodies: [chain: {count: 3, diameter: 1 m, mass: 1 kg}]\ncontacts: {law: kuwabara-kono, k: 100, restitution: 0.9}\n"
                "loads: [{body: 1, force: {file: low.csv}}]\nrun: {until: 5}\n")
for name in ("pushed.h5", "files.h5"):
    if os.path.exists(name):
        os.remove(name)
for over in (["contacts.restitution=0.8,0.9", "bodies.1.chain.count=3,4"], ["loads.1.force.file=low.csv,high.csv"]):
    to = "pushed.h5" if len(over) == 2 else "files.h5"
    done = carom("sweep", "pushed.yaml", *[word for key in over for word in ("--over", key)], "--outputs", "peak_force", "-o", to)
    check(done.returncode == 0, done.stderr)
    with h5py.File(to) as file:
        check(file["parameters/set"][()].decode() == ("loads.1.force.points=[[0,0],[1,1],[2,0]]" if len(over) == 2 else ""), file["parameters/set"][()])
        peaks = file["outputs/peak_force"][()].ravel()
        check(len(peaks) == 4 or peaks[1] > 1.5 * peaks[0], peaks)
expect(3, ["pushed.yaml", "--over", "e=0.8,0.9", "-o", "none.h5"], "has no parameter 'e': its key is restitution, a number or {e: ..., speed: ...}")
end(least=50)
