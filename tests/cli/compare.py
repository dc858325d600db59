"""carom compare as a user meets it: theories, schemes, run files, tables that agree with plain runs, wrong calls."""
import csv
import math
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
STEEL = os.path.join(SOURCE, "scenes", "steel-chain.yaml")


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)


def expect(code, arguments, said):
    done = carom("compare", *arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(said in done.stderr and done.stderr.startswith("carom: "), arguments, "said", done.stderr, "expected", said)


def numbers(path, skip=("cost/seconds",)):
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()])
                        if isinstance(item, h5py.Dataset) and name not in skip else None)
    return found


for file in os.listdir("."):
    os.remove(file)

# two theories: the numbers are those of plain runs
done = carom("compare", STEEL, "--theories", "compliant,nonsmooth:newton", "-o", "c.h5", "--csv", "c.csv")
check(done.returncode == 0 and "no force in time at rigid contacts" in done.stdout, done.stdout, done.stderr)
for gap, together in ("0.5", False), ("[0.5, 0]", True):
    with open("apart.yaml", "w") as scene:
        scene.write("units: none\nbodies: [chain: {count: 3, gap: %s}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 3}\n" % gap)
    apart = carom("compare", "apart.yaml", "--theories", "compliant,nonsmooth")
    check(apart.returncode == 0 and "no force in time at rigid contacts" in apart.stdout, apart)
    check(("bodies that touch are reached at the same moment" in apart.stdout) == together, "who is reached together", gap, apart.stdout)
check("kuwabara-kono: k = " in done.stdout and "gamma = " in done.stdout and "parts with e = " in done.stdout, done.stdout)
carom("run", STEEL, "-q", "-o", "a.h5", "--set", "record.probes=[u,v,contact_force,contact_dissipated]")
carom("run", STEEL, "-q", "-o", "b.h5", "--set", "theory=nonsmooth", "--set", "run.impact=newton")
with h5py.File("c.h5") as c, h5py.File("a.h5") as a, h5py.File("b.h5") as b:
    for i, run in enumerate((a, b)):
        check(numpy.array_equal(c["bodies/velocity"][i], run["particles/beads/velocity/value"][-1]), "velocities", i)
        check(numpy.array_equal(c["bodies/displacement"][i], run["particles/beads/displacement/value"][-1]), "u", i)
        check(c["energy/dissipated"][i] == run["observables/ledger/dissipated/value"][-1], "dissipated", i)
    check(numpy.allclose(c["contacts/dissipated"][0], a["observables/contacts/dissipated/value"][-1], rtol=1e-12), "lost")
    check(abs(c["contacts/dissipated"][:].sum(axis=1) - c["energy/dissipated"][:]).max() < 1e-12, "losses add up")
    recorded = a["observables/contacts/force/value"][:].max(axis=0)
    check(((recorded <= c["contacts/peak_force"][0] * (1 + 1e-6)) & (recorded > 0.995 * c["contacts/peak_force"][0])).all(),
          recorded, c["contacts/peak_force"][0])
    check(numpy.isnan(c["contacts/peak_force"][1]).all() and numpy.isnan(c["contacts/largest_impulse"][0]).all(),
          "what a theory does not say is not 0")
    # momentum, with m = 2 E / v^2: what goes through the contact right of bead 1 is what bead 1 lost
    lost = (0.5 - c["bodies/velocity"][:, 0]) * c["energy/start"][0] / 0.125
    check(numpy.allclose(c["contacts/impulse"][:, 0], lost, rtol=2e-4), c["contacts/impulse"][:, 0], lost)
    said = done.stdout.split("whose impulses over the run are at most ")[1].split()[0]
    check(math.isclose(float(said), c["contacts/impulse"][1].max(), rel_tol=1e-5) and "largest impulse" not in done.stdout, said)
    check(c["bodies/arrival"][0, -1] > c["bodies/arrival"][0, 1] > 0, "arrivals")
    check(c["differences/v_sup"][0, 1] == c["differences/v_sup"][1, 0] > 0.5, "differences")
    # sup and L1 at the common times of the motions
    gap = abs(c["motions/velocity"][0] - c["motions/velocity"][1])
    check(gap.max() <= c["differences/v_sup"][0, 1] * (1 + 1e-12), gap.max())
    l1 = numpy.trapezoid(gap, c["motions/time"][:], axis=0).max() if hasattr(numpy, "trapezoid") else \
        numpy.trapz(gap, c["motions/time"][:], axis=0).max()
    check(abs(l1 - c["differences/v_l1"][0, 1]) < 0.02 * l1, l1, c["differences/v_l1"][0, 1])
    check(all("unit" in item.attrs for group in ("bodies", "contacts", "cost") for item in c[group].values()), "units")
    check(c["entries/label"][()] == b"compliant\nnonsmooth:newton", c["entries/label"][()])
    rows = list(csv.reader(open("c.csv")))
    check(rows[0] == ["quantity", "number", "unit", "compliant", "nonsmooth:newton"], rows[0])
    table = {(r[0], r[1]): r[2:] for r in rows[1:]}
    check(float(table["velocity", "20"][1]) == c["bodies/velocity"][0, 19], table["velocity", "20"])
    check(table["peak_force", "3"][2] == "" and table["peak_force", "3"][0] == "N", table["peak_force", "3"])

# threads change no bit
for n in ("1", "3"):
    carom("compare", STEEL, "--theories", "compliant,nonsmooth,nonsmooth:moreau-jean", "-q", "--threads", n, "-o", n + ".h5")
one, three = numbers("1.h5"), numbers("3.h5")
check(one.keys() == three.keys() and all(numpy.array_equal(one[k], three[k], equal_nan=one[k].dtype.kind == "f")
                                         for k in one), "threads")

# run files: as recorded; other recording times are compared at all times both have
carom("run", STEEL, "-q", "-o", "coarse.h5", "--set", "record.every=7us")
done = carom("compare", "a.h5", "coarse.h5", "-o", "files.h5")
check(done.returncode == 0, done.stderr)
with h5py.File("files.h5") as f:
    check(0 < f["differences/v_sup"][0, 1] < 0.05, "straight lines between samples", f["differences/v_sup"][0, 1])
    check(f["bodies/velocity"].shape == (2, 20), "files")
check(carom("compare", "a.h5", "a.h5", "-q").returncode == 0, "a file with itself")

# schemes; what a scheme does not know is taken away and said
done = carom("compare", STEEL, "--schemes", "theta,verlet", "--no-timing")
check(done.returncode == 0 and "compliant:theta" in done.stdout and "without the scene's tol" in done.stdout, done.stdout)
check("processor time                    -" in done.stdout, "no timing", done.stdout)
done = carom("compare", STEEL, "--theories", "compliant,nonsmooth", "--schemes", "verlet,moreau-jean", "--no-timing")
check("compliant:verlet" in done.stdout and "nonsmooth:moreau-jean" in done.stdout, done.stdout, done.stderr)

# options of one impact law that another does not have, likewise
open("line.yaml", "w").write("units: none\ntheory: lzb\nbodies:\n  - {chain: {count: 3}}\n  - {striker: {side: left, velocity: 1, gap: 0.1}}\n"
                             "run: {until: 1, tol: 1e-8, impact_tol: 1e-9}\n")
for words, count in (("lzb,nonsmooth:newton,nonsmooth:moreau", 2), ("lzb,nonsmooth", 1), ("lzb,nonsmooth:event", 1), ("lzb,lzb:moreau", 1)):
    done = carom("compare", "line.yaml", "--theories", words, "--no-timing")
    check(done.returncode == 0 and done.stdout.count("without the scene's impact_tol, which it does not have") == count, words, done)
    check(done.stdout.count("tol = 1e-08") == words.count(",") + 1, "tol stays", words, done.stdout)

# a theory that refuses is reported, the others go on; one alone is an error
done = carom("compare", STEEL, "--theories", "compliant,solid,nonsmooth", "--no-timing")
check(done.returncode == 0 and "NOT RUN: " in done.stdout and done.stderr == "", done)
expect(3, [STEEL, "--theories", "solid,compliant", "--no-timing", "-q"], "solid: ")

# solids: their sensors, whatever the mesh, else the recorded cells; lengths only, no parts of rotations
BAR = """title: bar
theory: solid
bodies:
  - solid:
      box: {size: [0.4, 0.1, 0.1], cells: [%d, 1, 1]}
      material: steel
      clamps: [{face: left}]
      loads: [{face: right, traction: [0, 0, 1e6]}]
%srun: {until: 1e-4, step: 1e-6}
record: {every: 1e-5, probes: [u, v, rotation]}
"""
SENSORS = "      sensors: {tip: [0.4, 0.05, 0.05], middle-of-the-whole-bar: [0.2, 0.05, 0.05]}\n"
for name, cells, sensors in (("fine", 8, SENSORS), ("coarse", 4, SENSORS), ("bare", 4, "")):
    open(name + ".yaml", "w").write(BAR % (cells, sensors))
    check(carom("run", name + ".yaml", "-q", "-o", name + ".h5").returncode == 0, name)
done = carom("compare", "fine.yaml", "coarse.yaml", "--no-timing", "-o", "bars.h5", "--csv", "bars.csv")
check(done.returncode == 0 and "sensor   tip z " in done.stdout and "body" not in done.stdout and
      "the largest of all sensors" in done.stdout, done)
with h5py.File("bars.h5") as c, h5py.File("fine.h5") as fine, h5py.File("coarse.h5") as coarse:
    for i, run in enumerate((fine, coarse)):
        for here, there in (("velocity", "velocity"), ("displacement", "displacement")):
            check(numpy.array_equal(c["bodies/" + here][i], run[f"particles/sensors/{there}/value"][-1].ravel()), here, i)
    points = c["bodies/points"][()].decode().split("\n")
    check(points[:3] == ["sensor tip x", "sensor tip y", "sensor tip z"] and len(points) == 6, points)
    gap = abs(c["motions/displacement"][0] - c["motions/displacement"][1]).max()
    check(0 < gap <= c["differences/u_sup"][0, 1] * (1 + 1e-12) < 1.1 * gap, gap, c["differences/u_sup"][0, 1])
    rows = {tuple(r[:3]): r[3:] for r in csv.reader(open("bars.csv"))}
    check(float(rows["velocity_z", "tip", "m/s"][1]) == c["bodies/velocity"][1, 2], rows)
done = carom("compare", "fine.h5", "coarse.h5")
check(done.returncode == 0 and "sensor   tip z " in done.stdout, "run files of solids", done)
done = carom("compare", "bare.yaml", "--schemes", "rattle,dp5", "--no-timing", "-o", "cells.h5")
check(done.returncode == 0 and "cell     4 z " in done.stdout and "the largest of all cells" in done.stdout, done)
with h5py.File("cells.h5") as c, h5py.File("bare.h5") as bare:
    check(c["bodies/velocity"].shape == c["bodies/displacement"].shape == (2, 12), "four cells, three axes")
    check(numpy.array_equal(c["bodies/displacement"][0], bare["particles/cells/displacement/value"][-1].ravel()), "u")
    check(c["differences/u_sup"][0, 1] < 1e-3 * abs(c["bodies/displacement"][0]).max(), c["differences/u_sup"][0, 1])
done = carom("compare", "bare.h5", "bare.yaml", "--no-timing")
check(done.returncode == 0 and "cell     4 z " in done.stdout, "a file beside a run", done)
expect(3, ["fine.yaml", "bare.yaml", "--no-timing"], "do not tell motions of the same points (sensors")
expect(4, ["bare.yaml", "--schemes", "rattle,dp5", "--no-timing", "--set", "record.cells=none"], "nothing to compare")

# balls beside solids: they come first, then the cells of solids as the scene has them, whose parts a file has by name
open("struck.yaml", "w").write("""theory: solid
bodies:
  - solid: {box: {size: [0.1, 0.1, 0.1], origin: [0, 0, -0.1], cells: [2, 1, 1]}, name: slab, material: steel}
  - sphere: {at: [0.05, 0.05, 0.02], radius: 0.02, velocity: [0, 0, -1], material: steel}
  - solid: {box: {size: [0.1, 0.1, 0.1], origin: [0, 0, 0.06], cells: [1, 1, 1]}, name: anvil, material: steel}
contacts: {law: hertz}
run: {until: 4e-5, step: 5e-7}
record: {every: 1e-6, probes: [u, v]}
""")
POINTS = ["point %s %s" % (name, axis) for name in ("ball 1", "slab 1", "slab 2", "anvil 1") for axis in "xyz"]
for name, step in (("struck", "5e-7"), ("finer", "2.5e-7")):
    check(carom("run", "struck.yaml", "-q", "-o", name + ".h5", "--set", "run.step=" + step).returncode == 0, name)
done = carom("compare", "struck.yaml", "struck.h5", "finer.h5", "--no-timing", "-o", "points.h5")
check(done.returncode == 0 and "point    ball 1 z " in done.stdout and "point    slab 2 z " in done.stdout, done)
with h5py.File("points.h5") as c, h5py.File("struck.h5") as kept:
    check(c["bodies/points"][()].decode().split("\n") == POINTS, c["bodies/points"][()])
    for what in ("displacement", "velocity"):
        ends = [kept[f"particles/{part}/{what}/value"][-1].ravel() for part in ("balls", "slab", "anvil")]
        check(numpy.array_equal(c["bodies/" + what][1], numpy.concatenate(ends)), what, c["bodies/" + what][1], ends)
        run, file = c["bodies/" + what][:2]
        check(abs(run - file).max() <= 1e-12 * abs(file).max(), "a run and its file", what, abs(run - file).max())
    moved, apart = abs(c["bodies/displacement"][1]).max(), c["differences/u_sup"][()]
    check(0 < apart[1, 2] < 1e-4 * moved and apart[0, 1] < 1e-4 * moved, moved, apart)

# contacts that come and go: lzb has forces inside its impacts, those of the compliant run in a crystal struck once
done = carom("compare", os.path.join(SOURCE, "scenes", "crystals", "every-theory.yaml"), "--theories", "compliant,lzb,nonsmooth", "--no-timing")
row = next(line.split() for line in done.stdout.splitlines() if line.startswith("force  "))
check(abs(float(row[1]) / float(row[2]) - 1) < 1e-3 and row[3] == "-", row)
check("-: the velocity has not changed that much up to the end" in done.stdout, done.stdout)
check("lzb: forces and their times" in done.stdout and "lzb: no force" not in done.stdout and "nonsmooth: no force" in done.stdout, done.stdout)

# a box under schemes that have it as a body and as a mechanism: the same points, and a difference that goes with the step of moreau-jean
BOX = ("units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n"
       "  - box: {at: [0, 1], size: [0.6, 0.4], mass: 1, velocity: [1, 0], turn: 0.3}\n"
       "contacts: {law: rigid, e: 0.4, mu: 0.3}\nrun: {until: 0.6, scheme: moreau-jean, step: %g}\n")
apart = []
for step in (1e-3, 1e-4):
    with open("box.yaml", "w") as file:
        file.write(BOX % step)
    done = carom("compare", "box.yaml", "--theories", "nonsmooth:event:moreau,nonsmooth:moreau-jean,nonsmooth:event:stronge", "--no-timing")
    check(done.returncode == 0 and "body     2 y" in done.stdout, "a box", done.stdout, done.stderr)
    apart.append([float(word) for word in next(line for line in done.stdout.splitlines() if line.startswith("u L1")).split()[2:]])
check(0 < apart[1][1] < 0.3 * apart[0][1] and apart[1][1] < 1e-3, "goes with the step", apart)
check(apart[1][2] == apart[0][2] > 10 * apart[1][1], "another law is another motion", apart)

# wrong calls
expect(2, [STEEL], "one run alone")
expect(2, [STEEL, "--theories", "complient,nonsmooth"], "did you mean 'compliant'?")
expect(2, [STEEL, "--theories", "compliant,compliant"], "named twice")
expect(2, [STEEL, "--theories", "nonsmooth:neuton,compliant"], "did you mean 'newton'?")
expect(2, [STEEL, "--theories", "nonsmooth:newton:moreau,compliant"], "two impact laws")
expect(2, [STEEL, "--theories", "compliant,nonsmooth", "--schemes", "rattle"], "runs none of the theories")
expect(3, [STEEL, os.path.join(SOURCE, "scenes", "dimer.yaml"), "--no-timing"], "20 velocities")
expect(6, [STEEL, "nowhere.yaml"], "nowhere.yaml")
expect(2, ["a.h5", "a.h5", "--set", "run.until=1"], "run file that is read as it is")
expect(3, ["a.h5", "c.h5"], "carom: c.h5: this is a comparison, not a run")
open("speed.csv", "w").write("time (us),v[1]\n20,0.48\n30,0.4\n40,0.3\n")
fitted = carom("fit", STEEL, "--to", "speed.csv", "--free", "start.1.velocity", "-q", "-o", "fit.h5", "--method", "polish")
check(fitted.returncode == 0, "a fit")
expect(3, ["a.h5", "fit.h5"], "carom: fit.h5: this is a fit, not a run")
expect(6, [STEEL, "--theories", "compliant,nonsmooth", "-o", "a.h5"], "not the file of a comparison")
open("precious.csv", "w").write("my own text\n")
expect(6, [STEEL, "--theories", "compliant,nonsmooth", "--csv", "precious.csv"], "precious.csv")
check(open("precious.csv").read() == "my own text\n", "kept")
check(carom("compare", "--help").returncode == 0, "help")
# Run files of bodies by moreau-jean, which lists contacts, and by event, which has them as a mechanism: the same points and numbers. Steps of
# h = 2e-4 miss velocities by some g h, and the endlessly many last bounces, whose impulses are some m g h together.
BODIES = """units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - box: {at: [0, 1], size: [1, 0.5], mass: 1, velocity: [1, 0], spin: 0.5}
  - plane: {at: [0, 0], normal: [0, 1]}
  - disc: {at: [3, 1], radius: 0.5, mass: 2, velocity: [0.2, 0]}
contacts: {law: rigid, e: 0.5, mu: 0.2}
run: {until: 1, scheme: %s}
"""
for name, scheme in (("stepped", "moreau-jean, step: 2e-4"), ("located", "event, tol: 1e-8")):
    open(name + ".yaml", "w").write(BODIES % scheme)
    check(carom("run", name + ".yaml", "-q", "-o", name + ".h5").returncode == 0, name)
done = carom("compare", "located.h5", "stepped.h5", "-o", "both.h5", "--csv", "both.csv")
check(done.returncode == 0 and "come and go and have no numbers" in done.stdout, "two kinds of run files", done.stdout, done.stderr)
with h5py.File("both.h5") as file, h5py.File("located.h5") as run:
    u, v = file["bodies/displacement"][()], file["bodies/velocity"][()]
    place = run["particles/mechanism/position/value"][()]
    check(u.shape == (2, 6) and abs(u[0] - (place[-1] - place[0]).ravel()).max() < 1e-12, "places of bodies", u)
    check(abs(u[1] - u[0]).max() < 1e-3 and abs(v[1] - v[0]).max() < 2 * 10 * 2e-4 and abs(u[0]).max() > 0.1, "as far apart as steps are long", u, v)
    check(0 < file["differences/u_sup"][0, 1] < 2e-3, "differences", file["differences/u_sup"][()])
    check(abs(file["energy/dissipated"][0] - file["energy/dissipated"][1]) < 2e-3, "energies", file["energy/dissipated"][()])
table = {line.split(",")[0]: [float(x) for x in line.split(",")[3:]] for line in open("both.csv") if line.startswith("impact_")}
check(abs(table["impact_impulse"][0] - table["impact_impulse"][1]) < 0.05 and abs(table["impact_largest"][0] - 1.5 * 2 * math.sqrt(10)) < 1e-6 and
      abs(table["impact_largest"][1] - table["impact_largest"][0]) < 5e-3, "impulses", table)

# an impact law goes to where the scheme has it, else event takes it; probes that only one scheme knows do not stop others
BLOW, CUBE = (os.path.join(SOURCE, "scenes", "bodies", name + ".yaml") for name in ("rod-blow", "cube-on-a-corner"))
done = carom("compare", BLOW, "--theories", "nonsmooth,nonsmooth:newton,nonsmooth:poisson,nonsmooth:lzb,nonsmooth:moreau-jean:lzb", "--no-timing")
check("\n2  nonsmooth:newton: moreau-jean" in done.stdout and "\n3  nonsmooth:poisson: moreau-jean, step = 0.0001, blow = poisson\n" in done.stdout and
      "\n4  nonsmooth:lzb: event, " in done.stdout and "without the scene's step, blow, which it does not have" in done.stdout and
      "NOT RUN: scheme moreau-jean has no impact law 'lzb'" in done.stdout, "impact laws of bodies", done.stdout, done.stderr)
done = carom("compare", CUBE, "--theories", "nonsmooth:newton,nonsmooth:moreau-jean", "--no-timing", "--set", "run.until=0.2")
check(done.returncode == 0 and "\n1  nonsmooth:newton: event, tol = 1e-09, impact = newton" in done.stdout and
      "\n2  nonsmooth:moreau-jean: moreau-jean, step = " in done.stdout and "NOT RUN" not in done.stdout, done.stdout, done.stderr)

with open("long.yaml", "w") as file:  # a motion that means nothing is not compared in silence
    file.write("units: none\nbodies: [chain: {count: 3, mass: 1}]\ncontacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
               "run: {until: 60, scheme: verlet, step: 20}\n")
done = carom("compare", "long.yaml", "--theories", "compliant,lzb")
check("compliant: the step is too long: the energy ledger is off" in done.stdout, done.stdout)

# machines: coordinates by name, angles in rad, and only those of one machine; laws with units
CRANK, PENDULUM, BALL = (os.path.join(SOURCE, "scenes", "mechanisms", name + ".yaml") for name in ("slider-crank", "pendulum", "ball"))
done = carom("compare", CRANK, "--schemes", "event,mannshardt", "--no-timing", "--set", "run.until=0.1", "--csv", "crank.csv")
check("velocities at the end (rad/s)" in done.stdout and "angle of the crank" in done.stdout and "body " not in done.stdout
      and "u L1, rad s" in done.stdout and " rad/s; for Hausdorff" in done.stdout, done.stdout, done.stderr)
check("velocity,angle of the crank,rad/s," in open("crank.csv").read(), open("crank.csv").read()[:400])
expect(3, [PENDULUM, BALL, "--no-timing"], "do not tell motions of the same points")
done = carom("compare", BALL, os.path.join(SOURCE, "scenes", "rigid", "bouncing-ball.yaml"), "--no-timing")
check(done.returncode == 0 and "height above the floor" in done.stdout, "a height is a length", done.stdout, done.stderr)
done = carom("compare", STEEL, "--schemes", "dp5,verlet", "--no-timing", "--set", "run.until=20us")
check(re.search(r"k = .* N/m\^\(3/2\)", done.stdout) and re.search(r"step = \S+ s\n", done.stdout), done.stdout)

# bodies that never move have no rows; words that long labels share are not in the heads of columns
done = carom("compare", os.path.join(SOURCE, "scenes", "bodies", "rod-blow.yaml"), "--no-timing", "--theories",
             "nonsmooth:moreau-adaptive,nonsmooth:moreau-jean:poisson,nonsmooth:moreau-jean:stronge")
check("body     1 x" in done.stdout and "body     2 x" not in done.stdout, done.stdout, done.stderr)
check(re.search(r"^ +moreau-adaptive +moreau-jean:poisson +moreau-jean:stronge$", done.stdout, re.M), done.stdout)
# theories that differ by construction: a cradle under Moreau's law
with open("cradle.yaml", "w") as scene:
    scene.write("units: none\nbodies: [chain: {count: 5, mass: 1}]\ncontacts: {law: hertz, k: 1000}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 3}\n")
for theories, told in (("compliant,nonsmooth:moreau-jean", 1), ("compliant,nonsmooth:newton,nonsmooth", 1), ("compliant,nonsmooth:newton,lzb", 0),
                       ("nonsmooth:event:moreau,nonsmooth:moreau-jean", 0)):
    done = carom("compare", "cradle.yaml", "--theories", theories, "--no-timing", "-o", "laws.h5")
    check(done.returncode == 0 and done.stdout.count("theories differ here by construction") == told, theories, done.stdout)
    with h5py.File("laws.h5") as c:
        check(c["remarks"][()].decode().count("theories differ here by construction") == told, theories, c["remarks"][()])
check("tol = 1e-06, of which a step may take 0." in carom("compare", "cradle.yaml", "--theories", "compliant,lzb", "--no-timing").stdout, "share in words")
# what swings before anything arrives: arrivals begin with the first contact, and rigid ones say themselves when they strike
with open("pulled.yaml", "w") as scene:
    scene.write("bodies: [chain: {count: 5, diameter: 2 cm, material: steel, string: 20 cm}]\nstart: [{body: 1, angle: -30 deg}]\nrun: {until: 0.3}\n")
pulled, theories = [], ("compliant", "lzb", "nonsmooth")
for theory in theories:
    pulled.append(theory + ".h5")
    check(carom("run", "pulled.yaml", "-q", "--set", "theory=" + theory, "-o", pulled[-1]).returncode == 0, theory)
quarter = 0.5 * math.pi * math.sqrt(0.2 / 9.81)  # strings are those of small angles
for what in (pulled, ["pulled.yaml", "--theories", ",".join(theories)]):
    check(carom("compare", *what, "--no-timing", "-o", "pulled-compare.h5").returncode == 0, what)
    with h5py.File("pulled-compare.h5") as c:
        for i, arrival in enumerate(c["bodies/arrival"][:]):
            check(all(quarter - 1e-9 <= t <= quarter + (2e-4 if i == 0 else 1e-9) for t in arrival), what, i, quarter, arrival)
            check(i > 0 or all(b > a for a, b in zip(arrival[1:], arrival[2:])), arrival)
# a flight on a spring that lasts for 16 swings: its middle and end lie on one line with its start, its swings do not
with open("swings.yaml", "w") as scene:
    scene.write("units: none\ntheory: nonsmooth\nbodies: [chain: {count: 2, mass: 1, spring: 0.01, gap: 50}]\n"
                "contacts: {law: rigid, e: 1}\nstart: [{bodies: all, velocity: 0.1}]\n"
                f"run: {{until: {16 * 20 * math.pi}}}\nrecord: {{every: 1}}\n")
done = carom("compare", "swings.yaml", "--theories", "nonsmooth,nonsmooth:newton", "-q", "-o", "swings.h5")
check(done.returncode == 0, done.stderr)
with h5py.File("swings.h5") as file:
    time, speed = file["motions/time"][:], file["motions/velocity"][0, :, 0]
    check(abs(speed - 0.1 * numpy.cos(0.1 * time)).max() < 1e-4, "swings", speed)
# what dissipated is made of: a ball that slides until it rolls loses 1/7 of m v^2 to friction
with open("rubs.yaml", "w") as scene:
    scene.write("units: none\ntheory: nonsmooth\ngravity: [0, 0, -10]\nbodies:\n  - sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 3, velocity: [2, 0, 0]}\n"
                "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0, mu: 0.2}\nrun: {until: 1, scheme: event, tol: 1e-6}\n")
done = carom("compare", "rubs.yaml", "--schemes", "event,moreau-adaptive", "--no-timing", "-o", "rubs.h5")
check(done.returncode == 0 and "\n  by friction  " in done.stdout, done)
with h5py.File("rubs.h5") as file:
    parts = {name: value[:] for name, value in file["energy/mechanism"].items()}
    check(abs(parts["friction"] - 3 * 4 / 7).max() < 1e-6, "friction", parts["friction"])
    check(abs(sum(parts.values()) - file["energy/dissipated"][:]).max() < 1e-12, "parts add up", parts)

end()
