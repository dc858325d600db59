"""Islands that sleep under moreau-jean: what rests costs next to nothing and does not move by a bit, does not change a bit of what moves elsewhere, and wakes where it
is touched or where loads grow; resumed runs go on with the same bits."""
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]
PROBES = ("position", "velocity")


def scene(space, bodies, more="", run="", e=0.2, mu=0.5):
    up = [0] * (1 + space)
    return ("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n" % (up + [-10]) + "".join("  - %s\n" % body for body in bodies) +
            "  - plane: {at: %s, normal: %s}\n" % (up + [0], up + [1]) + more +
            "contacts: {law: rigid, e: %g, mu: %g}\nrun: {scheme: moreau-jean, step: 0.0009765625%s}\nrecord: {every: 0.01, probes: [position, v, rotation, contacts]}\n" % (e, mu, run))


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=300)


def run(name, text, *more):
    with open(name + ".yaml", "w") as file:
        file.write(text)
    done = carom("run", name + ".yaml", "-o", fresh(name + ".h5"), *more)
    check(done.returncode == 0, name, done.stderr)
    return read(name)


def read(name):
    with h5py.File(name + ".h5") as file:
        return {key: file["particles/bodies/%s/value" % key][()] for key in PROBES}


def box(space, x, z, more="mass: 1", size=(1, 0.5)):
    return "box: {at: %s, size: %s, %s}" % ([x] + [0] * space + [z], [size[0]] + [1] * space + [size[1]], more)


def pyramid(space, rows, left):
    return [box(space, left + column + 0.5 * row, 0.5 * row + 0.25) for row in range(rows) for column in range(rows - row)]


# A pile beside bodies that are thrown: the pile stands to the bit, the others have the bits that they have alone
for space in 0, 1:
    thrown = [box(space, 20, 1.5, "mass: 1, turn: %s, velocity: %s" % ("{axis: [0, 1, 0], angle: 0.3}" if space else "0.3", [1] + [0.2] * space + [0])),
              "%s: {at: %s, radius: 0.3, mass: 1, velocity: %s}" % ("sphere" if space else "disc", [30] + [0] * space + [1], [2] + [0] * (1 + space))]
    alone = run("alone", scene(space, thrown, run=", until: 1.5"))
    both = run("both", scene(space, thrown + pyramid(space, 5, -10), run=", until: 1.5"))
    for key in PROBES:
        check(numpy.array_equal(alone[key][:, :2], both[key][:, :2]), "bits of what moves", space, key)
        check((both[key][:, 2:-1] == both[key][0, 2:-1]).all(), "the pile stands", space, key)
    check(carom("run", "both.yaml", "-o", fresh("half.h5"), "-q", "--set", "run.until=0.75").returncode == 0, "half")
    check(carom("resume", "half.h5", "--until", "1.5", "-q").returncode == 0, "resume")
    half = read("half")
    for key in PROBES:
        check(numpy.array_equal(both[key][-1], half[key][-1]), "bits of a resumed run", space, key)

# A disc strikes a tower that sleeps, beside another one
tower = [box(0, 0, 0.5 * k + 0.25) for k in range(4)] + [box(0, 5, 0.5 * k + 0.25) for k in range(4)]
struck = run("struck", scene(0, tower + ["disc: {at: [-3, 0.75], radius: 0.2, mass: 1, velocity: [4, 2]}"], run=", until: 1.2", e=0, mu=0.3))
moved = numpy.abs(struck["position"][-1] - struck["position"][0]).max(axis=1)
check(moved[1:4].min() > 1e-3, "the tower wakes", moved)
check(moved[4:8].max() == 0, "the other one sleeps on", moved)
check((struck["position"][:50, :4] == struck["position"][0, :4]).all(), "it sleeps before")

# A load that grows: the box slides from the moment at which friction cannot hold it, f = mu m g at t = 0.5, and has 10 (t - 0.5)^2 / 2 from then on
pushed = run("pushed", scene(0, [box(0, 0, 0.25, "mass: 1, name: pushed")], "loads: [{body: pushed, force: [10, 0], signal: {shape: ramp, amplitude: 1, duration: 1}}]\n", ", until: 1"))
near(pushed["velocity"][50, 0, 0], 0.0, 1e-12, "it sticks")
near(pushed["velocity"][-1, 0, 0], 5.0 * 0.5 ** 2, 0.01, "it slides")


def iterations(until):
    """of the solver in a run of many boxes at rest"""
    with open("many.yaml", "w") as file:
        file.write(scene(0, [box(0, 1.5 * k, 0.25) for k in range(200)], run=", until: %g" % until))
    said = carom("run", "many.yaml", "-o", fresh("many.h5")).stdout
    counts = re.search(r"steps +(\d+),.* ([0-9.]+) Newton iterations a step", said)
    check(counts is not None, said)
    return int(counts[1]) * float(counts[2]) if counts else 0


# Nothing is solved of what sleeps: twice the time takes no more iterations
few, many = iterations(0.1), iterations(0.2)
check(0 < many < 1.01 * few, "iterations", few, many)
end(30)
