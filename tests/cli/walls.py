"""Walls and towers of boxes that are dropped flat on a floor. Boxes beside each other pass, their corners too: nobody turns or moves aside, with e = 1 all energy is kept,
and with e = 0 all of them come to rest, by Newton's law and along the path of a blow."""
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def wall(counts, e, mu, blow):
    """columns, rows behind each other in space, and layers"""
    space = len(counts) == 3
    boxes = ""
    for layer in range(counts[-1]):
        for row in range(counts[1] if space else 1):
            for column in range(counts[0]):
                at = [float(column)] + [float(row)] * space + [0.1 + 0.5 * (layer + 0.5)]
                boxes += "  - box: {at: %s, size: %s, mass: 1}\n" % (at, [1] * (1 + space) + [0.5])
    up = [0] * (1 + space)
    return ("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n" % (up + [-10]) + boxes + "  - plane: {at: %s, normal: %s}\n" % (up + [0], up + [1]) +
            "contacts: {law: rigid, e: %g, mu: %g}\nrun: {until: 0.3, scheme: moreau-jean, step: 1e-3, blow: %s}\nrecord: {every: 0.01, probes: [position, rotation]}\n" % (
                e, mu, blow))


def bond(columns, layers):
    """bricks over the joints of those below, halves at the ends: each stands on as much as it weighs, none overhangs"""
    for layer in range(layers):
        ends = [(-0.25, 0.5), (columns - 0.75, 0.5)] if layer % 2 else []
        for x, width in ends + [(column + 0.5 * (layer % 2), 1.0) for column in range(columns - layer % 2)]:
            yield "  - box: {at: [%g, %g], size: [%g, 0.5], mass: %g}\n" % (x, 0.1 + 0.5 * (layer + 0.5), width, width)


def run(what, *arguments):
    with open("wall.yaml", "w") as file:
        file.write(wall(*arguments))
    done = subprocess.run([CAROM, "run", "wall.yaml", "-o", fresh("wall.h5")], capture_output=True, text=True, timeout=60)
    if not check(done.returncode == 0, what, done.stderr):
        return {}
    with h5py.File("wall.h5") as file:
        place, turn = numpy.array(file["particles/bodies/position/value"]), numpy.array(file["particles/bodies/rotation/value"])
        n = int(numpy.prod(arguments[0]))
        aside = numpy.abs(place[:, :n, :-1] - place[0, :n, :-1]).max()
        turned = numpy.abs(turn[:, :n] - turn[0, :n]).max()
        check(aside < 1e-9 and turned < 1e-9, what, arguments, "moved aside", aside, "turned", turned)
    return {name: float(value) for name, value in re.findall(r"^ +(kinetic|dissipated|residual) +(\S+)", done.stdout, re.M)}


for blow in "newton", "stronge":
    for counts in (8, 4), (3, 2, 2):
        ledger = run("elastic", counts, 1, 0, blow)
        check(abs(ledger["dissipated"]) < 1e-10, blow, counts, ledger)
    for counts in (8, 4), (1, 10), (1, 1, 4):
        ledger = run("plastic", counts, 0, 0 if counts == (8, 4) else 0.3, blow)
        check(ledger["kinetic"] < 1e-20, blow, counts, ledger)
# bricks in bond: at e = 0 all of their energy goes, along the path of a blow too
for blow in "newton", "stronge", "poisson":
    head, tail = wall((0, 0), 0, 0.3, blow).split("  - plane")
    with open("bond.yaml", "w") as file:
        file.write(head + "".join(bond(4, 4)) + "  - plane" + tail)
    done = subprocess.run([CAROM, "run", "bond.yaml", "-o", fresh("bond.h5")], capture_output=True, text=True, timeout=120)
    left = re.search(r"kinetic +(\S+)", done.stdout)
    check(left and float(left[1]) < 1e-20, "bond", blow, done.stdout, done.stderr)
# Poisson's law tells impulses, not works: waves through a wall must not give back more than was taken
ledger = run("poisson", (8, 4), 1, 0, "poisson")
check(-1e-12 < ledger["dissipated"] < 1e-4, ledger)
end(32)
