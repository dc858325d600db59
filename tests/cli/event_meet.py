"""Bodies of space with corners that meet each other under scheme event, and capsules that meet boxes in plane and space: closed forms of a corner on a
face and of two edges that cross, boxes and capsules that slide on a box and come to rest, what slides over an edge beside a disc of the plane, a box on
a table that is a box or a plane, towers, and what is refused."""
import os
import subprocess

import numpy

import flown
from checks import EVERY, check, end, fresh, some
from flown import near

QUARTER = numpy.pi / 4


def run(name, gravity, bodies, contact, until, how="tol: 1e-10", fails=False):
    return flown.run(name, gravity, bodies, contact, until, "scheme: event, " + how, fails)


# the corner of a cube that stands on its space diagonal falls on the face of another cube, aside of its middle
ON_ITS_CORNER = "turn: {axis: [1, -1, 0], angle: %.17g}" % numpy.arccos(1 / 3 ** 0.5)
for law, e, aside in (("moreau", 0.6, (0.2, 0.1)), ("stronge", 0.3, (-0.3, 0.2)), ("poisson", 1, (0.1, -0.4)), ("lzb", 0.5, (0.4, 0.4))):
    u, v, t = run("corner", "[0, 0, 0]", [
        "box: {at: [%g, %g, 2], size: [1, 1, 1], %s, mass: 2, velocity: [0, 0, -1]}" % (*aside, ON_ITS_CORNER),
        "box: {at: [0, 0, 0], size: [1, 1, 1], mass: 3}"], "e: %g, k: 1e6, p: 1.5" % e, 0.8, "tol: 1e-10, impact: " + law)
    impulse = (1 + e) / (1 / 2 + 1 / 3 + 2 * (aside[0] ** 2 + aside[1] ** 2))  # cubes: moments of m / 6
    wanted = [0, 0, impulse / 2 - 1, 0, 0, 0, 0, 0, -impulse / 3, -2 * aside[1] * impulse, 2 * aside[0] * impulse, 0]
    near("a corner %g, %g beside the middle of a face, %s" % (*aside, law), v[-1], wanted)

# two bars, each on an edge, cross: edge against edge at x along the one and y along the other from their middles
for law, e, x, y in (("moreau", 0.5, 0.3, -0.7), ("stronge", 0.8, -0.2, 0.4), ("lzb", 0.2, 0.6, 0)):
    u, v, t = run("bars", "[0, 0, 0]", [
        "box: {at: [%g, 0, 1], size: [2, 0.4, 0.4], turn: {axis: [1, 0, 0], angle: %.17g}, mass: 2, velocity: [0, 0, -1]}" % (-x, QUARTER),
        "box: {at: [0, %g, 0], size: [0.4, 3, 0.4], turn: {axis: [0, 1, 0], angle: %.17g}, mass: 3}" % (-y, QUARTER)],
        "e: %g, k: 1e6, p: 1.5" % e, 1, "tol: 1e-10, impact: " + law)
    moments = 2 * (4 + 0.16) / 12, 3 * (9 + 0.16) / 12
    impulse = (1 + e) / (1 / 2 + 1 / 3 + x * x / moments[0] + y * y / moments[1])
    near("edges that cross at %g and %g, %s" % (x, y, law), v[-1], [
        0, 0, impulse / 2 - 1, 0, -x * impulse / moments[0], 0, 0, 0, -impulse / 3, -y * impulse / moments[1], 0, 0])

# at rest on a box, wider and narrower, square to it and not: they slide until friction has stopped them
WIDE, NARROW = "box: {at: [0, 0, -0.5], size: [4, 4, 1], fixed: true}", "box: {at: [0, 1, -0.5], size: [0.4, 4, 1], fixed: true}"
for what, thing in (("box", "box: {at: [0, 0, 0.2], size: [1, 0.5, 0.4], mass: 2, velocity: [0, 2, 0]}"),
                    ("capsule", "capsule: {at: [0, 0, 0.2], length: 0.8, radius: 0.2, axis: [1, 0, 0], mass: 2, velocity: [%s]}")):
    for table, on in some((("wide", WIDE), ("narrow", NARROW))[::1 if what == "box" else -1], 2):
        capsule = what == "capsule"
        u, v, t = run("slides", "[0, 0, -10]", [thing % "0, 2, 0" if capsule and table == "narrow" else thing % "2, 0, 0" if capsule else thing, on],
                      "e: 0, mu: 0.4", 0.4 if capsule and table == "narrow" else 1)
        if capsule and table == "narrow":  # across its line: it begins to roll
            slides = numpy.minimum(t, 2 / (0.4 * 10 * (1 + 1 / K)) if (K := (2 * 0.2 ** 2 * (numpy.pi * 0.2 ** 2 * 0.8 / 2 + 8 / 15 * numpy.pi * 0.2 ** 3) / (
                numpy.pi * 0.2 ** 2 * 0.8 + 4 / 3 * numpy.pi * 0.2 ** 3)) / (2 * 0.2 ** 2)) else 0)
            near("a capsule rolls on a narrow box", v[:, 1], 2 - 4 * slides)
            near("and stays level", u[:, 2], 0)
            continue
        slid = numpy.minimum(t, 0.5)
        near("a %s slides on a %s box" % (what, table), u[:, :3], numpy.outer(2 * slid - 2 * slid ** 2, [capsule, not capsule, 0]))
        near("and does not turn", u[:, 4:], 0)

# a capsule of the plane does
u, v, t = run("plane", "[0, -10]", ["capsule: {at: [0, 0.2], length: 0.8, radius: 0.2, axis: [1, 0], mass: 2, velocity: [2, 0]}",
                                    "box: {at: [0, -0.5], size: [0.6, 1], fixed: true, name: table}"], "e: 0, mu: 0.4", 0.1)
near("a capsule of the plane slides on a box", u, numpy.outer(2 * t - 2 * t ** 2, [1, 0, 0]))

# over an edge: a capsule along it, and the end of one that stands upright, go as a disc of the plane does without friction
GONE = "e: 0", 0.6
disc = run("disc", "[0, -10]", ["disc: {at: [-0.1, 0.2], radius: 0.2, mass: 1, velocity: [0.6, 0]}", "box: {at: [-1, -0.5], size: [2, 1], fixed: true}",
                                "box: {at: [50, 0], size: [1, 1], mass: 1}"], *GONE)[0]  # with a box that moves it is a mechanism
EDGE = "box: {at: [-1, 0, -0.5], size: [2, 6, 1], fixed: true}"
u, v, t = run("along", "[0, 0, -10]", ["capsule: {at: [-0.1, 0, 0.2], length: 1, radius: 0.2, axis: [0, 1, 0], mass: 1, velocity: [0.6, 0, 0]}", EDGE], *GONE)
near("a capsule along an edge slides over it as a disc", u[:, [0, 2]], disc[:, :2])
near("and does not turn", u[:, 4:], 0)
brick = run("brick", "[0, -10]", ["box: {at: [-0.3, 0.2], size: [0.6, 0.4], mass: 1, velocity: [0.8, 0]}", "box: {at: [-1, -0.5], size: [2, 1], fixed: true}"],
            "e: 0, mu: 0.1", 0.8)[0]
u, v, t = run("brick3", "[0, 0, -10]", ["box: {at: [-0.3, 0, 0.2], size: [0.6, 0.5, 0.4], mass: 1, velocity: [0.8, 0, 0]}", EDGE], "e: 0, mu: 0.1", 0.8)
near("a brick slides over an edge as in the plane", u[:, [0, 2]], brick[:, :2])
near("and turns so", numpy.sin(-brick[:, 2] / 2), u[:, 5])

# a table that is a box beside one that is a plane: bounces and rocking
THROWN = {"[0, 0, -10]": (("box: {at: [0, 0, 0.9], size: [0.7, 0.5, 0.4], mass: 1, velocity: [0.3, 0.2, 0], spin: [1, 0.4, 2]}",
                           "capsule: {at: [0, 0, 0.9], length: 0.6, radius: 0.2, axis: [1, 0.2, 0.4], mass: 1, velocity: [0.3, 0.2, 0], spin: [1, 2, 0.4]}",
                           "polyhedron: {kind: octahedron, radius: 0.5, at: [0, 0, 0.9], mass: 1, velocity: [0.3, 0.2, 0], spin: [1, 2, 0.4]}"),
                          ("box: {at: [0, 0, -1], size: [9, 9, 2], fixed: true}", "plane: {at: [0, 0, 0], normal: [0, 0, 1]}")),
          "[0, -10]": (("capsule: {at: [0, 1.2], length: 1, radius: 0.2, axis: [1, 0.3], mass: 1, velocity: [0.7, 0], spin: 1.5}",),
                       ("polygon: {points: [[-9, 0], [9, 0], [0, -5]], at: [0, 0], fixed: true}", "plane: {at: [0, 0], normal: [0, 1]}"))}
for gravity, (things, tables) in THROWN.items():
    for thing in some(things, 2):
        for law, contact in some((("stronge", "e: 0.5, mu: 0.2"), ("moreau", "e: 0.4")), 2):
            both = [run("thrown", gravity, [thing, table], contact, 0.6, "tol: 1e-10, impact: " + law)[0] for table in tables]
            near("%s on a table, %s" % (thing.split(":")[0], law), both[0], both[1], 1e-8)

# towers stand, square on each other and not
for aside, turn in some(((0.1, 0.3), (0, 0), (0.1, 0)), 3):
    u, v, t = run("tower", "[0, 0, -10]", ["plane: {at: [0, 0, 0], normal: [0, 0, 1]}", "box: {at: [0, 0, 0.5], size: [1, 1, 1], mass: 1}",
                                           "box: {at: [%g, %g, 1.5], size: [1, 1, 1], turn: {axis: [0, 0, 1], angle: %g}, mass: 1}" % (aside, aside / 2, turn)],
                  "e: 0, mu: 0.5", 1 if EVERY else 0.1)
    near("a tower %g aside, turned by %g" % (aside, turn), v, 0)

# a tetrahedron slides over an edge on its face: five contacts, of which forces are not unique, and steps that go by what moves it, not by rounding of those
OVER = "units: none\ntheory: nonsmooth\ngravity: [0, 0, -10]\n" + """bodies:
  - box: {size: [2.530412280485173, 0.95981658090746147, 1.1916793885354031], at: [0, 0, -0.6], fixed: true,
          turn: {axis: [-0.79386903862358826, -0.41205942213948576, -0.75477321623788685], angle: 2.9071215614219477}}
  - polyhedron: {points: [[0.35555111561393293, 0.43705509934742948, 0.050347651358969042], [0.12365494275286129, 0.044687444170558158, -0.37960547771023401],
                          [-0.32915204380113494, -0.073283564874600846, 0.37275498341443059], [-0.15005401456565934, -0.40845897864338682, -0.043497157063165676]],
                 at: [0.12560107698842066, -0.23877260013416504, 1.1336389768542929], mass: 2, velocity: [-0.43759952476597275, -0.95739454653910872, -0.998],
                 spin: [-2.4425080272530808, 0.74308154810265536, 0.81652575077010336]}
contacts: {law: rigid, e: 0, k: 1e5, p: 1.5, mu: 0.05}
run: {until: 0.7, scheme: event, tol: 1e-8, impact: poisson, share: 0.003}
"""
with open("over.yaml", "w") as file:
    file.write(OVER)
done = subprocess.run([os.environ["CAROM"], "run", "over.yaml", "-o", fresh("over.h5")], capture_output=True, text=True, timeout=200)
steps = int(done.stdout.partition("\nsteps")[2].split(",")[0])
check(done.returncode == 0 and steps < 400, "steps of a tetrahedron that slides over an edge", steps, done.stderr)

# what is refused
said = run("newton", "[0, 0, 0]", ["box: {at: [0, 0, 0], size: [1, 1, 1], mass: 1, velocity: [1, 0, 0]}",
                                   "box: {at: [3, 0, 0], size: [1, 1, 1], mass: 1}"], "e: 0", 1, "tol: 1e-8, impact: newton", fails=True)
check("impact newton strikes pair after pair" in said, said)
end()
