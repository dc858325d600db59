"""Lattices with disorder, spread, vacancies and intruders are what their keys say; planes that press carry their force,
beside the closed form of a square lattice; bodies come to rest in a frictionless drum."""
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]


def run(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def go(name, text, *more):
    """the run file of a scene, open"""
    with open(name + ".yaml", "w") as file:
        file.write(text)
    done = run("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q", *more)
    check(done.returncode == 0, name, more, done.stderr)
    return h5py.File(name + ".h5")


# --- lattices -------------------------------------------------------------------------------------------------------------

LATTICE = """bodies:
  - lattice: {kind: square, count: [20, 20], at: [0, 0], radius: 5 mm, of: sphere, material: steel, MORE}
contacts: {law: hertz}
run: {until: 1 us, step: 0.5 us}
"""


def lattice(more):
    with go("lattice", LATTICE.replace("MORE", more)) as file:
        bodies = file["particles/bodies"]
        return bodies["centre"][:, :2], bodies["radius"][()], bodies["mass"][()], bodies["material"][()]


plain = lattice("gap: 0")
spaced = lattice("gap: 1 mm")
moved = lattice("gap: 1 mm, disorder: 0.6")
step = numpy.linalg.norm(moved[0] - spaced[0], axis=1)
check(0.28e-3 < step.max() <= 0.3e-3 and step.min() < 0.05e-3, "disorder", step.max(), step.min())
check(abs((step**2).mean() / (0.3e-3**2 / 2) - 1) < 0.1, "evenly in the disc", (step**2).mean() / 0.3e-3**2)
check(abs((moved[0] - spaced[0]).mean()) < 2e-5, "in no direction more than in others")
spread = lattice("spread: 0.1")
check(numpy.allclose(spread[0], 1.1 * plain[0], atol=1e-15), "the largest touch")
check(4.5e-3 <= spread[1].min() < 4.52e-3 and 5.48e-3 < spread[1].max() <= 5.5e-3, "radii", spread[1].min(), spread[1].max())
check(numpy.allclose(spread[2] / spread[1]**3, plain[2] / plain[1]**3), "masses go with them")
vacant = lattice("vacancies: 0.1, omit: [1, 2]")
check(len(vacant[0]) == 398 - 40, "vacancies", len(vacant[0]))
check((vacant[0] != lattice("vacancies: 0.1, omit: [1, 2], seed: 5")[0]).any(), "seed")
check((vacant[0] == lattice("vacancies: 0.1, omit: [1, 2]")[0]).all(), "the same seed")
both = lattice("vacancies: 0.1, omit: [1, 2], spread: 0.1")
sites = numpy.round(vacant[0] / 1e-2).astype(int)
check((both[1] == spread[1][sites[:, 0] + 20 * sites[:, 1]]).all(), "vacancies change no radius")
guests = lattice("intruders: [{at: [5, 25], radius: 3 mm, material: brass}, {share: 0.25, mass: 1 g}, {at: 400, mass: 2 g}]")
check(list(guests[1][[4, 24]]) == [3e-3, 3e-3] and (guests[1] == 5e-3).sum() == 398, "intruders' radii")
check((guests[2] == 1e-3).sum() == 99 and guests[2][399] == 2e-3, "intruders' masses", (guests[2] == 1e-3).sum())
check((guests[3] == guests[3][4]).sum() == 2 and guests[3][4] != guests[3][0], "intruders' material")
for more, sentence in (
    ("disorder: 0.5", "disorder: bodies that touch their neighbours have no room to be moved: give a gap"),
    ("omit: [5], intruders: [{at: [5]}]", "at: site 5 appears twice"),
    ("intruders: {radius: 1 mm}", "intruders: there is neither at, a list of sites, nor share"),
    ("intruders: {at: [401]}", "at: there is no site 401: sites count from 1 to 400"),
    ("vacancies: 1", "vacancies: leaves no body in the lattice"),
    ("intruders: {at: [30], radius: 7 mm}", "lattice: bodies 10 and 30 overlap by 0.002 m: move one of them; a displacement of start may "
     "press bodies together, their places may not"),
):
    with open("wrong.yaml", "w") as file:
        file.write(LATTICE.replace("MORE", more))
    done = run("check", "wrong.yaml")
    check(done.returncode == 3 and done.stderr.endswith(sentence + "\n"), more, done.stderr)

# --- pressed walls --------------------------------------------------------------------------------------------------------

PRESSED = """bodies:
  - lattice: {name: crystal, kind: square, of: sphere, count: [5, 4], radius: 5 mm, material: steel, at: [5 mm, 5 mm]}
  - plane: {at: [0, 0], normal: [0, 1], material: steel}
  - plane: {name: lid, at: [0, 40 mm], normal: [0, -1], material: steel}
  - plane: {at: [0, 0], normal: [1, 0], material: steel}
  - plane: {name: side, at: [50 mm, 0], normal: [-1, 0], material: steel}
contacts: {law: hertz, k: 1e9}
start: [{body: crystal, settle: true, press: {lid: 100 N, side: 40 N}}]
run: {until: 0.1 ms, SCHEME}
"""
for scheme in ("step: 0.2 us", "tol: 1e-6"):
    with go("pressed", PRESSED.replace("SCHEME", scheme)) as file:
        u = file["particles/bodies/displacement/value"][()]
    # each of five columns carries a fifth: six contacts, of k d^(3/2) each
    near(u[0, 21, 1], -5 * (100 / 5 / 1e9) ** (2 / 3), 1e-12 * 1e-5, scheme, "lid")
    near(u[0, 23, 0], -6 * (40 / 4 / 1e9) ** (2 / 3), 1e-11 * 1e-5, scheme, "side")
    check(abs(u - u[0]).max() < 1e-16, scheme, "rests", abs(u - u[0]).max())
for option, sentence in (
    ("start.1.press={ground: 1 N}", "press: there is no plane of the name ground"),
    ("start.1.press={crystal: 1 N}", "press: there is no plane of the name crystal"),
    ("start.1.settle=false", "press: bodies between the walls have to settle: write settle: true beside it"),
    ("bodies.3.plane.mass=1 kg", "press: lid moves freely, a load presses it"),
):
    done = run("check", "pressed.yaml", "--set", option)
    check(done.returncode == 3 and done.stderr.endswith(sentence + "\n"), option, done.stderr)

# --- a drum without friction ----------------------------------------------------------------------------------------------

DRUM = """units: none
gravity: [0, -1]
bodies:
  - disc: {name: drum, at: [0, 0], radius: 10, inside: true}
  - packing: {name: p, kind: KIND, radius: 1, spread: 0.2, in: drum}
contacts: {law: hertz, k: 1e5}
start: [{body: p, settle: true}]
run: {until: 0.1, step: 0.001}
"""
for kind in ("dense, fraction: 0.6", "loose, fraction: 0.3"):
    for seed in range(1, 4):
        with go("drum", DRUM.replace("KIND", kind), "--set", f"seed={seed}") as file:
            check(abs(file["particles/bodies/velocity/value"][-1]).max() < 1e-8, kind, seed, "does not rest")

# --- packings leave room for who stands there, and are pressed together -----------------------------------------------------

AMONG = """units: none
bodies:
  - disc: {at: [5, 5], radius: 3}
  - box: {at: [15, 5], size: [4, 2], turn: 0.5, fixed: true}
  - plane: {at: [0, 0], normal: [1, 1]}
  - packing: {kind: KIND, radius: 0.5, in: [[0, 0], [20, 10]], seed: 1}
  - packing: {kind: loose, count: 20, radius: 0.2, in: [[0, 0], [20, 10]], seed: 1}
contacts: {law: hertz, k: 1e5}
run: {until: 1, step: 0.1}
"""
for kind in ("loose, fraction: 0.35", "dense, fraction: 0.5"):
    with open("among.yaml", "w") as file:
        file.write(AMONG.replace("KIND", kind))
    done = run("check", "among.yaml")  # overlaps are refused
    check(done.returncode == 0, kind, done.stderr)
with open("among.yaml", "w") as file:
    file.write("""units: none
domain: [[0, 0, 0], [6, 6, 6]]
periodic: [x, y, z]
bodies: [sphere: {at: [0.1, 0.1, 0.1], radius: 0.7}, packing: {kind: dense, fraction: 0.5, radius: 0.5, seed: 1}]
contacts: {law: hertz, k: 1e5}
run: {until: 1, step: 0.1}
""")
done = run("check", "among.yaml")
check(done.returncode == 0, "through joined sides", done.stderr)

with go("compressed", """units: none
bodies:
  - packing: {name: p, kind: loose, fraction: 0.4, radius: 1, spread: 0.3, in: [[0, 0], [16, 16]], seed: 1}
  - plane: {at: [0, 0], normal: [0, 1]}
  - plane: {at: [0, 0], normal: [1, 0]}
  - plane: {name: lid, at: [0, 16], normal: [0, -1]}
  - plane: {name: side, at: [16, 0], normal: [-1, 0]}
contacts: {law: hertz, k: 1e5}
start: [{body: p, settle: true, press: {lid: 10, side: 10}}]
run: {until: 0.1, step: 0.001}
""") as file:
    u, radius = file["particles/bodies/displacement/value"][0], file["particles/bodies/radius"][:-4]
    filled = numpy.pi * (radius**2).sum() / ((16 + u[-2, 1]) * (16 + u[-1, 0]))
    check(0.7 < filled < 0.85, "pressed together", filled)
    check(file["observables/ledger/kinetic/value"][-1] < 1e-18, "rests")

end(least=50)
