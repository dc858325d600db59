"""Heaps in motion under moreau-jean: boxes, polygons or polyhedra, balls and capsules, thrown into a box in the plane (even seeds) and in
space (odd ones), with any mu and e up to 1. Every contact problem is to be solved to 1e-8, and energy to be booked. A seed is a heap: give
one or two of them to see it again, or a range, and ask `--all` for the campaign."""
import os
import random
import re
import subprocess
import sys

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
TOL, PITCH = 1e-8, 1.6
SOLIDS = ("tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron")


def numbers(values):
    return "[" + ", ".join("%.6g" % v for v in values) + "]"


def body(draw, dimension, at, thin, fast):
    size = draw.uniform(0.7, 1.3)
    turn = "%.4g" % draw.uniform(0, 6.28) if dimension == 2 else "{axis: %s, angle: %.4g}" % (
        numbers([draw.uniform(-1, 1), draw.uniform(-1, 1), draw.uniform(0.1, 1)]), draw.uniform(0, 3))
    rest = "at: %s, mass: %.4g, velocity: %s" % (numbers(at), draw.uniform(0.5, 2), numbers([fast * draw.uniform(-1, 1) for _ in at]))
    kind = draw.choice(("box", "corners", "ball", "capsule"))
    if kind == "box":
        return "box: {size: %s, turn: %s, %s}" % (numbers([size * draw.uniform(thin, 1) for _ in at]), turn, rest)
    if kind == "corners":
        of = "polygon: {sides: %d" % draw.randint(3, 8) if dimension == 2 else "polyhedron: {kind: %s" % draw.choice(SOLIDS)
        return "%s, radius: %.4g, turn: %s, %s}" % (of, 0.55 * size, turn, rest)
    if kind == "ball":
        return "%s: {radius: %.4g, %s}" % ("disc" if dimension == 2 else "sphere", 0.5 * size, rest)
    axis = [draw.choice((-1, 1)) * draw.uniform(0.1, 1) for _ in at]
    return "capsule: {length: %.4g, radius: %.4g, axis: %s, %s}" % (0.5 * size, 0.25 * size, numbers(axis), rest)


def scene(seed):
    draw = random.Random(seed)
    dimension = 2 + seed % 2
    wide = 5 - dimension
    thin, fast = draw.choice((0.5, 0.2, 0.1)), draw.choice((1, 3, 10))
    bodies = []
    for k in range(draw.randint(4, 30)):
        level = [(k // wide ** j % wide - (wide - 1) / 2) * PITCH for j in range(dimension - 1)] + [1.1 + PITCH * (k // wide ** (dimension - 1))]
        bodies.append(body(draw, dimension, [x + draw.uniform(-0.02, 0.02) for x in level], thin, fast))
    walls = "box: {at: %s, size: %s, inside: true}" % (numbers([0] * (dimension - 1) + [20]), numbers([wide * PITCH + 1] * (dimension - 1) + [40]))
    mu, e = draw.choice((0, 0.2, 0.5, 0.8, 1, draw.random())), draw.choice((0, 0, 0.3, 0.5, draw.random()))
    return ("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n" % numbers([0] * (dimension - 1) + [-10])
            + "".join("  - %s\n" % b for b in [walls] + bodies) + "contacts: {law: rigid, e: %.3g, mu: %.3g}\n" % (e, mu)
            + "run: {until: 1, scheme: moreau-jean, step: %g, solver_tol: %g}\n" % (draw.choice((1e-3, 2e-3, 5e-3)), TOL))


def heap(seed):
    """what the run says, or None if a step was refused"""
    with open("heap-%d.yaml" % seed, "w") as file:
        file.write(scene(seed))
    done = subprocess.run([CAROM, "run", "heap-%d.yaml" % seed, "-o", fresh("heap.h5")], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        print("seed %d: %s" % (seed, done.stderr.splitlines()[-1]))
        return None
    os.remove("heap-%d.yaml" % seed)
    return done.stdout


def judge(seeds):
    refused = above = dead = 0
    for seed in seeds:
        said = heap(seed)
        if said is None:
            refused += 1
            continue
        ledger = float(re.search(r"residual .*? (\S+) %,", said).group(1)) / 100
        residual = float(re.search(r"contact problems solved to (\S+)", said).group(1))
        check(ledger <= 1e-10, "seed", seed, "ledger", ledger)
        above += residual > TOL
        dead += "e was 0" in said
        if residual > TOL:
            print("seed %d: residual %g" % (seed, residual))
    print("seeds %d ... %d: %d of %d heaps refused, %d above %g, %d with e = 0 in a step" % (
        seeds[0], seeds[-1], refused, len(seeds), above, TOL, dead))
    check(refused <= len(seeds) / 100, refused, "refused")
    check(above <= len(seeds) / 100, above, "above", TOL)


given = [int(word) for word in sys.argv[1:] if word.isdigit()]
judge(range(given[0], given[-1] + 1) if given else range(240) if "--all" in sys.argv else range(10))
end(least=3)
