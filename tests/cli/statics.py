"""Crystals at rest: the pyramid of spheres and a pile of discs under gravity against their closed forms, crystals in plane
and space whose walls are pressed until they carry a force, and states that are kept and begun from again."""
import csv
import math
import os
import shutil
import subprocess

import h5py

from checks import check, end, fresh, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def run(scene, *settings):
    done = carom("run", "-q", scene, "-o", fresh("run.h5"), *[word for s in settings for word in ("--set", s)])
    check(done.returncode == 0, scene, settings, done.stderr)
    done = carom("export", "run.h5", "--csv", "--contacts", "-o", "contacts.csv")
    check(done.returncode == 0, done.stderr)
    with open("contacts.csv") as file:
        rows = [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]
    for row in rows:
        row["F"] = math.sqrt(sum(row.get("force_" + axis, 0.0) ** 2 for axis in "xyz"))
    return [row for row in rows if row["time"] == 0.0]


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def along_rows(rows, unit, wanted):
    """how far the forces are from whole multiples of `unit`, of which there are so many of each"""
    counts, worst = {}, 0.0
    for row in rows:
        k = round(row["F"] / unit)
        counts[k] = counts.get(k, 0) + 1
        worst = max(worst, abs(row["F"] / unit - k) / max(k, 1))
    check(counts == wanted, "forces in units", counts, "expected", wanted)
    return worst


def test_pyramid():
    scene = os.path.join(SOURCE, "scenes", "crystals", "pyramid.yaml")
    wanted = {1: 30, 2: 18, 3: 9, 4: 3}  # a row begins at each sphere of two flanks, in three directions
    rows = run(scene)
    with h5py.File("run.h5") as file:
        mass = file["particles/bodies/mass"][20]
    errors = [along_rows(rows, mass * 9.81 / math.sqrt(6), wanted)]
    # what is left is that spheres overlap, so it goes with the load to the power 2/3
    for g in (0.0981, 981.0):
        errors.append(along_rows(run(scene, f"gravity=[0, 0, -{g}]"), mass * g / math.sqrt(6), wanted))
    check(errors[0] < 2e-5, "closed form", errors)
    near(errors[2] / errors[0], 100 ** (2 / 3), 3, "with the overlaps", errors)
    check(errors[1] < 1e-6, "lighter", errors)
    # a block of force on the apex goes down the three edges
    rows = run(scene, "loads=[{body: 35, force: [0, 0, -1 N]}]")
    unit, edges = 1 / math.sqrt(6), sorted(row["F"] for row in rows)[-12:]
    near(edges[0], unit + mass * 9.81 / math.sqrt(6), 1e-3 * unit, "an edge")


def test_pile():
    # discs in rows of 6, ..., 1 on a row that is held: each rests on two, k m g / sqrt(3)
    bodies = "".join(f"  - disc: {{at: [{i + 0.5 * j!r}, {j * math.sqrt(0.75)!r}], radius: 0.5, mass: 1"
                     f"{', fixed: true' if j == 0 else ''}}}\n" for j in range(6) for i in range(6 - j))
    path = write("pile.yaml", f"units: none\nbodies:\n{bodies}gravity: [0, -1]\ncontacts: {{law: hertz, k: 1e12}}\n"
                 "start: [{bodies: all, settle: true}]\nrun: {until: 1e-9}\n".replace("bodies: all", "bodies: [" + ", ".join(
                     str(n) for n in range(7, 22)) + "]"))
    # five rows of contacts; a line to the left begins at each disc of the right flank, and the other way round
    worst = along_rows(run(path), 1 / math.sqrt(3), {1: 10, 2: 8, 3: 6, 4: 4, 5: 2})
    check(worst < 1e-6, "pile of discs", worst)


def test_pressed():
    wall = "  - plane: {at: %s, normal: %s, material: steel%s}\n"
    for axes, kind, count in ((2, "square", "[5, 4]"), (3, "sc", "[3, 4, 5]")):
        sizes = [0.01 * int(x) for x in count.strip("[]").split(",")]
        bodies = f"  - lattice: {{name: crystal, kind: {kind}, {'of: sphere, ' if axes == 2 else ''}count: {count}, radius: 5 mm, " \
                 f"material: steel, at: {[0.005] * axes}}}\n"
        for k in range(axes):
            normal = [1 if i == k else 0 for i in range(axes)]
            far = [sizes[k] if i == k else 0 for i in range(axes)]
            bodies += wall % ([0] * axes, normal, "") + wall % (far, [-x for x in normal], f", name: lid{k}")
        forces = [120.0 * (k + 1) for k in range(axes)]
        press = ", ".join(f"lid{k}: {force}" for k, force in enumerate(forces))
        text = f"bodies:\n{bodies}contacts: {{law: hertz}}\nstart: [{{body: crystal, settle: true, press: {{{press}}}}}]\n" \
               "run: {until: 1 us, tol: 1e-9}\nrecord: {every: 1 us}\n"
        rows = run(write("pressed.yaml", text))
        total = math.prod(sizes) * 100 ** axes
        for row in rows:
            k = max(range(axes), key=lambda i: abs(row["normal_" + "xyz"[i]]))
            near(row["F"], forces[k] / (total / (100 * sizes[k])), 1e-8, kind, "every row carries its share", row)
        # by pressures: on the room that the bodies take, in the plane as deep as a sphere
        areas = [math.prod(sizes) / size * (0.01 if axes == 2 else 1.0) for size in sizes]
        pressures = ", ".join(f"lid{k}: {force / area!r} Pa" for k, (force, area) in enumerate(zip(forces, areas)))
        for old, new in zip(rows, run(write("pressure.yaml", text.replace(press, pressures)))):
            near(new["F"], old["F"], 1e-8, kind, "pressure", old)
        run(write("pressed.yaml", text))
        # kept, and begun from again: the same forces, and it stays at rest
        shutil.copy("run.h5", "kept.h5")
        again = run(write("again.yaml", text.replace(text[text.index("start:"):text.index("run:")], "start: {run: kept.h5}\n")))
        check(len(again) == len(rows), "as many contacts", len(again), len(rows))
        for old, new in zip(rows, again):
            near(new["F"], old["F"], 1e-9, kind, "kept", old)
        with h5py.File("run.h5") as file:
            check(abs(file["particles/bodies/velocity/value"][-1]).max() < 1e-9, kind, "at rest")
        # of a sample too; the run needs the file no more
        early = text.replace(text[text.index("start:"):text.index("run:")], "start: {run: kept.h5, at: 0}\n")
        check(len(run(write("early.yaml", early))) == len(rows), kind, "of a sample")
        shutil.copy("run.h5", "early.h5")
        os.remove("kept.h5")
        check(carom("run", "-q", "early.h5", "-o", fresh("once-more.h5")).returncode == 0, kind, "without the file")
        with h5py.File("once-more.h5") as new, h5py.File("early.h5") as old:
            path = "observables/contacts/list/force"
            check((new[path][:] == old[path][:]).all(), kind, "the same bits")


test_pyramid()
test_pile()
test_pressed()
end(500)
