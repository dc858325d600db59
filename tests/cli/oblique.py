"""Oblique impacts: carom restitution --angles against closed forms of gross sliding and of two linear springs, and against
runs and sweeps of the same impacts; velocities by speed and angle in scenes; what is refused."""
import csv
import math
import os
import subprocess

import h5py

from checks import check, end, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def write(name, bodies, contacts, run="run: {until: 1}"):
    with open(name, "w") as file:
        file.write(f"title: {name}\nunits: none\nbodies:\n{bodies}contacts: {{{contacts}}}\n{run}\n")
    return name


def table(path, *options):
    if os.path.exists("table.csv"):
        os.remove("table.csv")
    done = carom("restitution", path, "-q", "--csv", "table.csv", *options)
    check(done.returncode == 0 and done.stdout == "" and done.stderr == "", path, options, done)
    with open("table.csv") as file:
        return [{k: (v if k == "law" else float(v)) for k, v in row.items()} for row in csv.DictReader(file)]


PLANE = "  - sphere: {at: [0, 0, 1], radius: 1, mass: 2}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n"


def test_sliding():
    # friction's impulse is mu times the normal one: centres by (1 + e) mu v_n, surfaces by the mobility
    law = "law: kuwabara-kono, k: 1e9, gamma: 1e-5, friction: {law: mindlin, mu: 0.1, k_t: 1e9}"
    two = "  - sphere: {at: [0, 0, 0], radius: 1, mass: 2}\n  - sphere: {at: [0, 0, 3.5], radius: 2, mass: 5}\n"
    discs = "  - disc: {at: [0, 0], radius: 1, mass: 2}\n  - plane: {at: [0, -3], normal: [0, 1]}\n"
    for name, bodies, mobility in (("plane", PLANE, 3.5 / 2), ("two", two, 3.5 * (1 / 2 + 1 / 5)), ("discs", discs, 3 / 2)):
        path = write(name + ".yaml", bodies, law)
        head = table(path, "--from", "0.1", "--to", "0.1", "--points", "1")[0]["e"]
        for row in table(path, "--angles", "60,70,80", "--speed", "0.1"):
            a, e = row["angle"], row["e"]
            mass = 2 if name != "two" else 10 / 7
            check(head < e < 1, name, "slower along the normal, less lost", head, e)
            near(math.tan(row["rebound"]) * e, math.tan(a) - 0.1 * (1 + e), 1e-5 if name != "two" else 3e-4 * math.tan(a), name,
                 "gross sliding", a)  # no friction where the law pulls; normals of two balls turn
            near(row["beta"], -1 + mobility * mass * 0.1 * (1 + e) / math.tan(a), 1e-3, name, "beta", a)
            near(row["beta_sliding"], -1 + mobility * mass * 0.1 * (1 + e) / math.tan(a), 1e-4, name, "closed form", a)
    said = carom("restitution", "plane.yaml", "--angles", "10,80", "--speed", "0.1").stdout
    check(said.count("slides") == 2 and "mindlin with mu = 0.1" in said, said)  # once in the heading's sentence


def test_springs():
    # two linear springs: the slip goes as a cosine through half a period of the normal spring
    for kt in (0.2, 0.5, 0.9):
        path = write("springs.yaml", PLANE, f"law: power, p: 1, k: 1e8, friction: {{law: cundall-strack, mu: 1e6, k_t: {kt}e8}}")
        for row in table(path, "--angles", "5:45:3", "--speed", "0.01"):
            near(row["e"], 1, 1e-7, "e")
            near(row["beta"], -math.cos(math.pi * math.sqrt(kt * 3.5)), 1e-4, "two springs", kt, row["angle"])
            near(row["lost"], 1 - (1 - (1 - row["beta"] ** 2) * math.sin(row["angle"]) ** 2 * 2 / 7), 1e-4, "lost", kt)
    smooth = table(write("smooth.yaml", PLANE, "law: hertz, k: 1e9"), "--angles", "0:80:5", "--speed", "0.1")
    for row in smooth[1:]:
        near(row["beta"], -1, 1e-9, "smooth")
        near(row["rebound"], row["angle"], 1e-9, "smooth")
    check(math.isnan(smooth[0]["beta"]) and smooth[0]["spin"] == 0, "head on", smooth[0])


def test_runs():
    # the same impact as a run, and as a sweep over the angle of a velocity in polar form
    law = "law: hertz, k: 1e9, friction: {law: mindlin, mu: 0.3, k_t: 1e9}"
    ball = "  - sphere: {at: [0, 0, 1], radius: 1, mass: 2, velocity: {speed: 0.1, angle: 0.7}}\n" + PLANE.split("\n", 1)[1]
    path = write("polar.yaml", ball, law, "run: {until: 0.01, tol: 1e-9}")
    check(carom("sweep", path, "-q", "--over", "bodies.1.sphere.velocity.angle=0.2:1:3", "--outputs",
                "v_1_x,v_1_z,spin_1_y", "-o", "angles.h5").returncode == 0, "sweep")
    rows = table(path, "--angles", "0.2 rad:1 rad:3", "--speed", "0.1")
    with h5py.File("angles.h5") as file:
        out = {name: file["outputs"][name][:] for name in ("v_1_x", "v_1_z", "spin_1_y")}
    for i, row in enumerate(rows):
        near(out["v_1_z"][i], row["e"] * 0.1 * math.cos(row["angle"]), 1e-9, "e of the run", i)
        near(out["v_1_x"][i], math.tan(row["rebound"]) * out["v_1_z"][i], 1e-9, "rebound of the run", i)
        near(out["spin_1_y"][i], row["spin"], 1e-8, "spin of the run", i)
    # other directions of polar velocities: in the plane from x, anticlockwise; in space from and towards
    for entry, wanted in (("disc: {at: [0, 0], radius: 1, velocity: {speed: 2, angle: 0.5235987755982988}}", (3 ** 0.5, 1)),
                          ("disc: {at: [0, 0], radius: 1, velocity: {speed: 2, angle: 0.5235987755982988, from: [0, 5]}}", (-1, 3 ** 0.5)),
                          ("disc: {at: [0, 0], radius: 1, velocity: {speed: 2, angle: 0.5235987755982988, from: [0, 1], towards: [1, 1]}}", (1, 3 ** 0.5)),
                          ("sphere: {at: [0, 0, 0], radius: 1, velocity: {speed: 2, angle: 1.0471975511965976}}", (3 ** 0.5, 0, -1)),
                          ("sphere: {at: [0, 0, 0], radius: 1, velocity: {speed: 2, angle: 0.5235987755982988, from: [1, 0, 0], "
                           "towards: [9, 0, 2]}}", (3 ** 0.5, 0, 1))):
        scene = write("way.yaml", f"  - {entry}\n", "law: hertz, k: 1", "run: {until: 1}")
        check(carom("run", "-q", scene, "-o", "way.h5").returncode == 0, entry)
        with h5py.File("way.h5") as file:
            v = file["particles/bodies/velocity/value"][0, 0]
        for one, two in zip(v, wanted):
            near(one, two, 1e-15, entry)
    lattice = write("start.yaml", "  - lattice: {kind: square, count: [2, 2], radius: 1, mass: 1, at: [0, 0]}\n",
                    "law: hertz, k: 1", "start: [{body: 2, velocity: {speed: 1, angle: 1.5707963267948966}}]\nrun: {until: 1}")
    check(carom("check", lattice).returncode == 0, "start takes it too")


def test_refused():
    for code, said, *words in ((2, "from 0 to below 90", "plane.yaml", "--angles", "90"),
                               (2, "from 0 to below 90", "plane.yaml", "--angles", "-5:20:3"),
                               (2, "--angles is for discs and spheres", os.path.join(SOURCE, "scenes", "dimer.yaml"), "--angles", "3"),
                               (2, "--e is for rows", "plane.yaml", "--e", "0.5")):
        done = carom("restitution", *words)
        check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, words, done)
    said = carom("restitution", os.path.join(SOURCE, "scenes", "crystals", "triangle.yaml"), "--angles", "10").stdout
    check("e is the same at every speed" in said, said)


test_sliding()
test_springs()
test_runs()
test_refused()
end(90)
