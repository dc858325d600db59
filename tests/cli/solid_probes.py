"""Probes of solids: principal stresses are the eigenvalues of the stress and give von Mises'; the area in which a cube stands on
a plate is that of its face, that of a sphere pi R d; all of it in pictures for ParaView. Modes of Voronoi bodies, loaded and not."""
import math
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end

carom = os.environ["CAROM"]
CUBE = """theory: solid
bodies:
  - solid: {name: plate, box: {size: [0.1, 0.1, 0.1], cells: [4, 4, 4]}, material: steel, clamps: [{face: bottom}]}
  - solid: {name: cube, box: {size: [0.05, 0.05, 0.05], cells: [3, 3, 3], origin: [0.02, 0.02, 0.1]}, material: steel}
  - sphere: {at: [0.045, 0.045, 0.17], radius: 0.02, material: steel, velocity: [0, 0, -3]}
contacts: {law: hertz}
start: [{body: cube, velocity: [0, 0, -1]}]
run: {until: 20 us}
record: {every: 2 us, probes: [u, stress, principal, von_mises, contact_area, gap]}
"""
BAR = """theory: solid
bodies:
  - solid: {%s, material: {young: 200e9, poisson: 0.3, density: 8000}, clamps: [{face: left}], loads: [{face: right, traction: [%s, 0, 0]}]}
start: [{settle: true}]
run: {until: 1 us}
"""


def run(*arguments, code=0):
    done = subprocess.run([carom, *arguments], capture_output=True, text=True, timeout=120)
    check(done.returncode == code, arguments, done.stderr)
    return done.stdout + done.stderr


def scene(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


run("run", scene("cube.yaml", CUBE), "-o", "cube.h5", "-q")
with h5py.File("cube.h5") as file:
    for name in ("plate", "cube"):
        stress, principal, mises = (file["particles/%s/%s/value" % (name, item)][()] for item in ("stress", "principal", "von_mises"))
        xx, yy, zz, yz, xz, xy = numpy.moveaxis(stress, -1, 0)
        values = numpy.linalg.eigvalsh(numpy.moveaxis(numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), (0, 1), (2, 3)))[..., ::-1]
        most = abs(values).max()
        check(most > 1e6 and abs(values - principal).max() < 1e-14 * most, name, "principal stresses")
        check(abs(numpy.sqrt(0.5 * ((principal - numpy.roll(principal, 1, -1)) ** 2).sum(-1)) - mises).max() < 1e-14 * most, name, "von Mises")
    area, gap = file["observables/contacts/area/value"][()], file["observables/contacts/gap/value"][()]
check(area[0, 2] == 0 and abs(area[-1, 2] / 0.0025 - 1) < 1e-12, "the cube stands on its face", area[:, 2])
check((gap[3:, 1] < 0).all() and numpy.allclose(area[:, 1], math.pi * 0.02 * numpy.maximum(-gap[:, 1], 0), rtol=1e-12), "the sphere", area[:, 1])
check((area[:, 0] == 0).all(), "it does not touch the plate", area[:, 0])
run("export", "cube.h5", "--vtk", "movie", "-q")
with open("movie_cube_000010.vtu", "rb") as file:
    picture = file.read()
check(b'Name="principal"' in picture and b'Name="von_mises"' in picture, "fields of the picture")
flat = scene("flat.yaml", "theory: solid\nbodies:\n  - solid: {box: {size: [1, 1], cells: [4, 4]}, plane: stress, depth: 1, material: steel}\n"
             "  - disc: {at: [0.5, 1.2], radius: 0.2, mass: 1}\ncontacts: {law: hertz, k: 1e9}\nrun: {until: 1 us}\nrecord: {every: 1 us, probes: [contact_area]}\n")
check("contact_area needs solids that meet solids or planes, or spheres" in run("run", flat, "-o", "flat.h5", code=3), "discs have no area")

# beside a solid that lands on a plane, a disc has still none, and the solid has its own: a face of 1 x 0.5
both = scene("both.yaml", "theory: solid\nbodies:\n  - solid: {name: block, box: {size: [1, 1], cells: [4, 4]}, plane: stress, depth: 0.5, material: steel}\n"
             "  - plane: {at: [0, 0], normal: [0, 1]}\n  - disc: {at: [0.5, 1.2], radius: 0.2, mass: 1, material: steel}\n"
             "contacts: {law: linear-dashpot, gamma: 0.1 us, k: 1e9}\n"
             "start: [{body: block, velocity: [0, -1]}]\nrun: {until: 20 us}\nrecord: {every: 2 us, probes: [u, contact_area]}\n")
run("run", both, "-o", "both.h5", "-q")
with h5py.File("both.h5", "r") as file:
    area = file["observables/contacts/area/value"][()]
check((numpy.isnan(area).sum(axis=0) == [len(area)] * 2 + [0] * (area.shape[1] - 2)).all(), "discs have no area", area[-1])
check(abs(numpy.nanmax(area[-1]) / 0.5 - 1) < 1e-12, "the block stands on its side", area[-1])

# joints of discs: what carries a weight, one that a rod holds and one on a limit
hung = scene("hung.yaml", "theory: solid\ngravity: [0, -10]\nbodies:\n  - solid: {box: {size: [1, 1], cells: [2, 2], origin: [9, 9]}, material: steel, gravity: [0, 0]}\n"
             "  - disc: {at: [0, 0], radius: 0.1, mass: 1}\n  - disc: {at: [2, 0], radius: 0.1, mass: 2}\n"
             "joints: [distance: {bodies: [1, world], to: [0, 1]}, weld: {bodies: [2, world], at: [1, 0]}]\ncontacts: {law: hertz, k: 1e9}\n"
             "run: {until: 1 ms}\nrecord: {every: 0.5 ms, probes: [u, joint_force, joint_moment]}\n")
run("run", hung, "-o", "hung.h5", "-q")
with h5py.File("hung.h5", "r") as file:
    force, moment = (file["particles/joints/%s/value" % name][()] for name in ("force", "moment"))
check(force.shape == (3, 2, 2) and abs(force[1:] - [[0, 10], [0, 20]]).max() < 1e-9, "weights", force)
check(abs(moment[1:].reshape(2, 2) - [0, 20]).max() < 1e-9, "moments", moment)


def modes(text, *more):
    return [float(f) for f in re.findall(r"^ +\d+  (\S+) +\S+$", run("dispersion", scene("bar.yaml", text), *more), re.M)]


size, lowest = "size: [1, 0.1, 0.1]", []
for load in ("0", "-20e6"):
    more = ("--prestress",) if load != "0" else ()
    grid, cells = modes(BAR % ("box: {%s, cells: [37, 4, 4]}" % size, load), *more), modes(BAR % ("voronoi: {box: {%s}, cells: 600, relax: 30}" % size, load), *more)
    # bending in two planes: few cells across are too stiff, each in their way
    check(len(cells) >= 2 and all(abs(one / other - 1) < 0.02 for one, other in zip(grid[:2], cells[:2])), load, grid[:4], cells[:4])
    lowest.append((grid[0], cells[0]))
# a beam under a push swings slower: by 2.5 % if its square fell with P / P_critical of Euler, a little less as its shape changes
takes = [one / other for one, other in zip(*lowest)]
check(1.02 < takes[0] < 1.025 and abs(takes[0] / takes[1] - 1) < 1e-3, "what the push takes", takes)
end()
