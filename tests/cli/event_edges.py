"""Discs and spheres that roll or slide off the edges of boxes, polygons, polyhedra and cylinders under scheme event: forces jump there, and the error is
no more than what is stated. Beside it a disc that turns about an edge without slipping, by its energy."""
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def run(name, dimension, bodies, contact, until, tol, share=""):
    """The run file as numbers; a share asks for no pilots."""
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: [0, %s-10]\nbodies:\n" % ("0, " * (dimension - 2)) + "".join("  - %s\n" % b for b in bodies))
        file.write("contacts: {law: rigid, %s}\nrun: {until: %g, scheme: event, tol: %g%s}\n" % (contact, until, tol, share))
        file.write("record: {every: %g, probes: [u, v]}\n" % (until / 40))
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5")], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0 and "NO PROMISE" not in done.stdout, name, done.stdout, done.stderr)
    with h5py.File(name + ".h5") as file:
        about, of = file["parameters"], file["particles/mechanism"]
        return (of["displacement/value"][()], of["velocity/value"][()], *(float(about[name][()]) for name in ("estimate", "scales/length", "scales/speed")))


BOX = "box: {at: [0, 0.3], size: [1, 0.6], %s}"
FLOOR = "plane: {at: [0, 0], normal: [0, 1]}"
DEEP = "plane: {at: [0, 0, -3], normal: [0, 0, 1]}"
DISC = "disc: {at: [0.1, %.17g], radius: %g, mass: 1, velocity: [%g, 0], spin: %g}"
BALL = "sphere: {at: [0.1, 0.05, 0.8], radius: 0.2, mass: 1, velocity: [1.1, 0.9, 0], spin: [%s]}"
SCENES = (
    ("a disc slides off", 2, [DISC % (0.85, 0.25, 1.3, 0), BOX % "fixed: true", FLOOR], "e: 0, mu: 0.1", 0.6, 1e-5),
    ("rolls off", 2, [DISC % (0.85, 0.25, 1.3, -5.2), BOX % "fixed: true", FLOOR], "e: 0, mu: 0.6", 0.6, 1e-4),
    ("rolls off a box that moves", 2, [DISC % (0.85, 0.25, 1.3, -5.2), BOX % "mass: 3", FLOOR], "e: 0, mu: 0.3", 0.6, 1e-7),
    ("off a polygon", 2, [DISC % (0.95, 0.25, 1.3, 0), "polygon: {at: [0, 0.2], sides: 4, radius: %.17g, fixed: true}" % (0.5 ** 0.5),
                          FLOOR], "e: 0, mu: 0.2", 0.6, 1e-6),
    ("a sphere off a box", 3, [BALL % "0, 0, 0", "box: {at: [0, 0, 0.3], size: [1, 0.8, 0.6], fixed: true}", DEEP], "e: 0, mu: 0.3", 0.6, 1e-4),
    ("rolls off, past a corner", 3, [BALL % "-4.5, 5.5, 1", "box: {at: [0, 0, 0.3], size: [1, 0.8, 0.6], fixed: true}", DEEP], "e: 0, mu: 0.5", 0.6, 1e-4),
    ("off a polyhedron", 3, [BALL % "-4.5, 5.5, 0", "polyhedron: {kind: cube, at: [0, 0, 0.2], radius: %.17g, fixed: true}" % (0.4 * 3 ** 0.5), DEEP],
     "e: 0, mu: 0.5", 0.6, 1e-4),
    ("off a cylinder", 3, [BALL % "-4.5, 5.5, 0", "cylinder: {at: [0, 0, 0.3], radius: 0.5, height: 0.6, axis: [0, 0, 1], fixed: true}", DEEP],
     "e: 0, mu: 0.5", 0.6, 1e-4),
)
REACH = {2: ((1, 1, 0.25), (1, 1, 0.25)), 3: ((1, 1, 1) + 4 * (0.4,), (1, 1, 1) + 3 * (0.2,))}  # what turns count by; boxes hardly turn
for name, dimension, bodies, contact, until, tol in SCENES:
    got = run("edge", dimension, bodies, contact, until, tol)
    fine = run("fine", dimension, bodies, contact, until, 1e-2 * tol, ", share: 0.01")
    places, speeds = (numpy.tile(REACH[dimension][k], got[k].shape[1] // len(REACH[dimension][k])) * numpy.abs(got[k] - fine[k]) for k in (0, 1))
    off = max(places.max() / got[3], speeds.max(axis=1).mean() / got[4])
    print("%-30s off by %.2f of %.1e" % (name, off / got[2], got[2]))
    check(off <= got[2], name, off, got[2])

# a disc of radius r that sticks turns about the edge: 3/4 v^2 falls by what its height gives, from the moment it gets there
u, v, *_ = run("pivot", 2, [DISC % (0.85, 0.25, 0.5, -2), BOX % "fixed: true", FLOOR], "e: 0, mu: 20", 1.1, 1e-10)
off = numpy.abs(0.75 * (v[:, :2] ** 2).sum(axis=1) + 10 * u[:, 1] - 0.75 * 0.25)[numpy.hypot(u[:, 0] - 0.4, u[:, 1] + 0.25) < 0.25 + 1e-9].max()
print("turns about the edge: energy off by %.1e" % off)
check(off < 1e-9 and (u[:, 1] < -0.01).any(), "turns about the edge", off)
end()
