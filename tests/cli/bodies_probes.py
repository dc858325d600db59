"""Stress, fabric and coordination of discs and spheres out of whole runs, beside closed forms: crystals pressed between
walls, a pyramid, and the same scene turned."""
import math
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
PROBES = "probes: [position, v, contacts, stress, region_stress, region_kinetic, fabric, coordination]"


def run(name, scene):
    with open(name + ".yaml", "w") as file:
        file.write(scene)
    for old in (name + ".h5", name + ".old.h5"):
        if os.path.exists(old):
            os.remove(old)
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", name + ".h5", "-q"], capture_output=True, text=True,
                          timeout=60)
    check(done.returncode == 0, done)
    return h5py.File(name + ".h5")


def first(file, path):
    return file[path]["value"][0]


def near(got, wanted, tolerance, what):
    check(numpy.allclose(got, wanted, rtol=0, atol=tolerance), what, got, wanted)


def test_pressed_hexagonal():
    """Rows of a crystal that a piston presses: in a region between walls the stress is force over area."""
    width, height, force = 12.0, 2 + 3 * math.sqrt(3), 30.0
    file = run("hexagonal", f"""
units: none
bodies:
  - lattice: {{name: crystal, kind: hexagonal, count: [5, 4], radius: 1, mass: 1, at: [1.5, 1]}}
  - plane: {{at: [0, 0], normal: [0, 1]}}
  - plane: {{name: piston, at: [0, {height!r}], normal: [0, -1], mass: 1}}
  - plane: {{at: [0.5, 0], normal: [1, 0]}}
  - plane: {{at: [11.5, 0], normal: [-1, 0]}}
contacts: {{law: hertz, k: 1e6}}
loads: [{{body: piston, force: [0, -{force}]}}]
start: [{{bodies: [crystal, piston], settle: true}}]
run: {{until: 1e-9, step: 1e-9, scheme: verlet}}
record: {{every: 1, {PROBES}, region: [[0, 0], [{width}, 4]]}}
""")
    near(first(file, "observables/region/stress")[1], -force / width, 1e-9, "force over area")
    contacts = file["observables/contacts/list"]
    count = int(contacts["count"][0])
    point, normal = contacts["point"][:count], contacts["normal"][:count]
    inside = (point[:, 1] >= 0) & (point[:, 1] < 4)
    wanted = (normal[inside, :, None] * normal[inside, None, :]).mean(0)
    got = first(file, "observables/region/fabric")
    near(got[[0, 1, 5]], [wanted[0, 0], wanted[1, 1], wanted[0, 1]], 1e-12, "fabric")
    near(got[:3].sum(), 1, 1e-12, "its trace")
    # every stress of a body over its volume, summed up, is that of everything
    stress, position = first(file, "particles/bodies/stress"), first(file, "particles/bodies/position")
    total = numpy.zeros((2, 2))
    for (a, b), x, f in zip(contacts["pair"][:count], point, contacts["force"][:count]):
        for i, sign in ((a - 1, -1), (b - 1, 1)):
            if i < 20:
                total += numpy.outer(x - position[i], sign * f)
    near(math.pi * stress[:20].sum(0)[[0, 1]], numpy.diag(total), 1e-9, "sum over bodies")
    check(not stress[20:].any(), "walls have none")
    balls = (position[:20, 1] >= 0) & (position[:20, 1] < 4)
    ends = sum(int(i <= 20 and balls[i - 1]) for pair in contacts["pair"][:count] for i in pair)
    near(first(file, "observables/region/coordination"), ends / balls.sum(), 1e-12, "coordination")


def pyramid(angle):
    """A disc that lies on two fixed ones, all of it turned by an angle."""
    c, s = math.cos(angle), math.sin(angle)
    places = [[c * x - s * y, s * x + c * y] for x, y in ((-1, 0), (1, 0), (0, math.sqrt(3) * (1 + 1e-15)))]
    bodies = "\n".join(f"  - disc: {{at: [{x!r}, {y!r}], radius: 1, mass: 2{', fixed: true' if i < 2 else ''}}}"
                       for i, (x, y) in enumerate(places))
    return run("pyramid", f"""
units: none
bodies:
{bodies}
contacts: {{law: hertz, k: 1e9}}
gravity: [{10 * s!r}, {-10 * c!r}]
start: [{{body: 3, settle: true}}]
run: {{until: 1e-9, step: 1e-9, scheme: verlet}}
record: {{every: 1, {PROBES}, region: [[-5, -5], [5, 5]]}}
""")


def test_pyramid():
    push, volume = 2 * 10 / math.sqrt(3), math.pi  # along each of two contacts, 30 degrees off the vertical
    flat = first(pyramid(0.0), "particles/bodies/stress")[2]
    near(flat[[0, 1, 5]] * volume, [-push / 2, -1.5 * push, 0], 2e-4 * push, "a disc on two")
    file = pyramid(0.6)
    c, s = math.cos(0.6), math.sin(0.6)
    turn = numpy.array([[c, -s], [s, c]])
    wanted = turn @ numpy.array([[flat[0], flat[5]], [flat[5], flat[1]]]) @ turn.T
    near(first(file, "particles/bodies/stress")[2][[0, 1, 5]], [wanted[0, 0], wanted[1, 1], wanted[0, 1]],
         1e-8 * push, "the scene turns, the tensor turns with it")
    near(first(file, "observables/region/coordination"), 4 / 3, 1e-15, "coordination")
    # of the region: both halves of each branch
    near(first(file, "observables/region/stress") * 100, 2 * math.pi * first(file, "particles/bodies/stress")[2],
         1e-8 * push, "half of the virial is the fixed discs'")


def test_bits():
    """Who looks changes nothing."""
    places = []
    for probes in ("probes: [position]", PROBES + ", region: [[-1, 0], [1, 1]]"):
        file = run("looked", f"""
units: none
gravity: [0, -10]
bodies:
  - packing: {{count: 12, radius: 0.3, spread: 0.2, mass: 1, in: [[-2, 0], [2, 3]], seed: 2}}
  - plane: {{at: [0, 0], normal: [0, 1]}}
contacts: {{law: kuwabara-kono, k: 3000, gamma: 0.002, friction: {{law: cundall-strack, mu: 0.4, k_t: 2000}}}}
run: {{until: 1, scheme: verlet, step: 1e-3}}
record: {{every: 0.1, {probes}}}
""")
        places.append(file["particles/bodies/position/value"][()])
        file.close()
    check(numpy.array_equal(*places), "bits")


def test_show():
    """Forces about their mean, coordination and fabric in words."""
    said = subprocess.run([CAROM, "show", "pyramid.h5"], capture_output=True, text=True, timeout=60).stdout
    with h5py.File("pyramid.h5") as file:
        force = numpy.sqrt((file["observables/contacts/list/force"][-2:] ** 2).sum(1))
        fabric = file["observables/region/fabric/value"][-1]
    check(f"2 contacts, mean {force.mean():.6g}, largest {force.max():.6g}\n" in said, said)
    share = [float(x) for x in re.findall(r" of the mean +([0-9.]+) %", said)]
    check(len(share) == 8 and sum(share) == 100 and share[1] + share[2] == 100, said)
    check("coordination  1.3333 contacts of each of 3 bodies, 0 of which have none\n" in said, said)
    check("\n  coordination         1.33333\n" in said and f"\n  fabric               xx {fabric[0]:.6g} yy " in said, said)
    check(f"fabric        xx {fabric[0]:.4f}  yy {fabric[1]:.4f}  xy {fabric[5]:.4f}\n" in said, said)


def test_spheres():
    """Spheres of space: a simple cubic crystal between two walls."""
    file = run("cubic", f"""
bodies:
  - lattice: {{name: crystal, kind: sc, count: [3, 2, 4], radius: 5 mm, material: steel, at: [5 mm, 5 mm, 5 mm]}}
  - plane: {{at: [0, 0, 0], normal: [0, 0, 1], material: steel}}
  - plane: {{name: lid, at: [0, 0, 40 mm], normal: [0, 0, -1], mass: 1 g, material: steel}}
contacts: {{law: hertz}}
loads: [{{body: lid, force: [0, 0, -600 N]}}]
start: [{{bodies: [crystal, lid], settle: true}}]
run: {{until: 1 ns, step: 1 ns, scheme: verlet}}
record: {{every: 1, {PROBES}, region: [[0, 0, 0], [30 mm, 20 mm, 35 mm]]}}
""")
    near(first(file, "observables/region/stress"), [0, 0, -600 / 6e-4, 0, 0, 0], 1e-3, "1 MPa")
    stress = first(file, "particles/bodies/stress")
    sphere = 4 / 3 * math.pi * 125e-9
    near(stress[:24, 2], -100 * 10e-3 / sphere, 3e-3 * 100 * 10e-3 / sphere, "of each sphere")
    check(file["particles/bodies/stress/value"].attrs["unit"] == b"Pa", "unit")
    near(first(file, "observables/region/fabric"), [0, 0, 1, 0, 0, 0], 1e-15, "fabric")


def test_sweep():
    """outputs of sweeps: the numbers that a run has in its book and at its end"""
    scene = os.path.join(os.environ["SOURCE"], "scenes", "space", "pressed-packing.yaml")
    less = ["--set", "run.until=4ms", "--set", "bodies.1.packing.count=60"]
    names = ["peak_force", "peak_force_61_3", "closed", "coordination", "fabric_xy", "region_stress_yy", "region_kinetic_xx", "stress_7_xy"]
    for name in ("swept.h5", "one.h5"):
        if os.path.exists(name):
            os.remove(name)
    done = subprocess.run([CAROM, "sweep", scene, *less, "--over", "contacts.friction.mu=0.1:0.3:2", "--outputs", ",".join(names),
                           "-o", "swept.h5", "-q"], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, done.stderr)
    done = subprocess.run([CAROM, "run", scene, *less, "--set", "contacts.friction.mu=0.3", "-o", "one.h5", "-q"],
                          capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, done.stderr)
    with h5py.File("swept.h5") as swept, h5py.File("one.h5") as one:
        book, region = one["episodes"], one["observables/region"]
        pairs, peaks = book["pair"][()], book["peak_force"][()]
        of_pair = peaks[(pairs == [3, 61]).all(axis=1)]
        expected = [peaks.max(), of_pair.max() if len(of_pair) else 0.0, one["observables/contacts/list/count"][-1],
                    region["coordination/value"][-1], region["fabric/value"][-1][5], region["stress/value"][-1][1],
                    region["kinetic/value"][-1][0], one["particles/bodies/stress/value"][-1, 6, 5]]
        for name, value in zip(names, expected):
            check(swept["outputs/" + name][1] == value, name, swept["outputs/" + name][()], value)
        check(swept["outputs/stress_7_xy"].attrs["unit"] == b"Pa", "unit")
    billiard = os.path.join(os.environ["SOURCE"], "scenes", "space", "billiard.yaml")
    done = subprocess.run([CAROM, "run", billiard, "-o", "one.h5", "-q"], capture_output=True, text=True, timeout=100)
    with h5py.File("one.h5") as one:
        pairs, peaks = one["episodes/pair"][()], one["episodes/peak_force"][()]
    for entries in (["one.h5", "one.h5"], [billiard, "--theories", "compliant:dp5,compliant:verlet"]):
        done = subprocess.run([CAROM, "compare", *entries], capture_output=True, text=True, timeout=100)
        said = re.search(r"largest contact force.*?\nforce +(\S+).*?\nbody +(\S+).*?\nand body +(\S+)", done.stdout, re.S)
        check(said and abs(float(said[1]) / peaks.max() - 1) < 1e-7 and [int(said[2]), int(said[3])] == list(pairs[peaks.argmax()]),
              done.stdout, done.stderr)
    for name, word in {"fabric": "did you mean 'fabric_xx'", "stress_7": "no output"}.items():
        done = subprocess.run([CAROM, "sweep", scene, *less, "--over", "run.until=1ms:2ms:2", "--outputs", name, "-o", "no.h5"],
                              capture_output=True, text=True, timeout=100)
        check(done.returncode == 2 and word in done.stderr, name, done)


test_sweep()
test_pressed_hexagonal()
test_pyramid()
test_show()
test_bits()
test_spheres()
end()
