"""Boxes and polygons of the plane that meet each other under scheme event: closed forms of bounces, face to face and off the middle, a table
that is a box beside one that is a plane, a brick that slides over an edge, with moreau-jean beside it; slopes, other laws, a mirrored scene, and
what is refused."""
import h5py
import numpy

import flown
from checks import EVERY, check, end
from flown import near


def run(name, gravity, bodies, contact, until, how="scheme: event, tol: 1e-10", fails=False):
    return flown.run(name, "[0, %g]" % gravity, bodies, contact, until, how, fails)


def bounced(height, e, g, t):
    """How high a body is that fell from there."""
    fall = (2 * height / g) ** 0.5
    if t < fall:
        return height - g * t * t / 2
    t, up = t - fall, e * g * fall
    while t > 2 * up / g and up > 1e-14:
        t, up = t - 2 * up / g, e * up
    return max(up * t - g * t * t / 2, 0) if up > 1e-14 else 0


TABLE = "box: {at: [0, -0.5], size: [%s, 1], fixed: true}"
FLOOR = "plane: {at: [0, 0], normal: [0, 1]}"

# flat on a box that is wider, as wide to the last bit, and narrower
for wide in ("4", "1", "0.5"):
    u, v, t = run("drop", -10, ["box: {at: [0, 1.5], size: [1, 1], mass: 1}", TABLE % wide], "e: 0.5", 3)
    near("bounces on a box %s wide" % wide, u[:, 1] + 1, [bounced(1, 0.5, 10, x) for x in t])
    near("and does not turn", u[:, [0, 2]], 0)

# face to face, of equal bricks and aside by a part of their height: the impulse acts where they meet, without spin where that is the middle
for aside in (0, 1e-3, 0.4):
    u, v, t = run("bricks", 0, ["box: {at: [0, 0], size: [1, 1], mass: 1, velocity: [1.1, 0]}",
                                "box: {at: [2, %g], size: [1, 1], mass: 1}" % aside], "e: 1", 3)
    energy = (v[:, :2] ** 2 + v[:, 3:5] ** 2).sum(axis=1) + (v[:, 2] ** 2 + v[:, 5] ** 2) / 6
    near("bricks %g aside: momentum" % aside, v[:, 0] + v[:, 3], 1.1)
    near("bricks %g aside: energy" % aside, energy, 1.21)
    if aside == 0:
        near("they exchange velocities", v[-1], [0, 0, 0, 1.1, 0, 0])

# a corner into a side, off the middle of the other
for e, off in ((0.6, 0.25), (0.2, 0.4), (1, 0)):
    u, v, t = run("corner", 0, ["box: {at: [0, %g], size: [1, 1], turn: %.17g, mass: 2, velocity: [1, 0]}" % (off, numpy.pi / 4),
                                "box: {at: [2, 0], size: [1, 1], mass: 1}"], "e: %g" % e, 1)
    impulse = (1 + e) / (1 / 2 + 1 + 6 * off * off)
    near("a corner %g off the middle, e = %g" % (off, e), v[-1], [1 - impulse / 2, 0, 0, impulse, 0, -6 * off * impulse])

# a table that is a box beside one that is a plane: bounces, rocking, rest
THROWN = ["box: {at: [0, 1.2], size: [1, 0.6], turn: 0.4, mass: 1, velocity: [0.7, 0], spin: 1.5}"]
for law, contact in (("moreau", "e: 0.4"), ("moreau", "e: 0.7"), ("lzb", "e: 0.5")):
    how = "scheme: event, tol: 1e-10, impact: %s" % law
    near("%s, %s, thrown on a box and on a plane" % (law, contact), run("on-box", -10, THROWN + [TABLE % "20"], contact, 1, how)[0],
         run("on-plane", -10, THROWN + [FLOOR], contact, 1, how)[0])

# over an edge
OVER = ["box: {at: [0, 0.5], size: [1, 1], mass: 1, velocity: [1, 0]}", TABLE % "4"]
u, v, t = run("edge", -10, OVER, "e: 0", 3)
near("slides to the edge", u[t <= 2][:, 0], t[t <= 2])
near("flat", u[t <= 2][:, 1:], 0)
check(u[-1, 2] < -0.3, "and tips over it", u[-1])
coarse = run("edge-steps", -10, OVER, "e: 0", 3, "scheme: moreau-jean, step: 1e-4")[0]
near("as moreau-jean has it", coarse[:, 0, :2] - coarse[0, 0, :2], u[:, :2], 5e-3)

# a corner that is pressed slides off the end of a side, and is not taken back: few flights, and the error is what is stated
OFF = ["polygon: {at: [-0.1668, 1.2143], points: [[0.339113, 0], [0.104792, 0.322516], [-0.274348, 0.199326], [-0.274348, -0.199326], "
       "[0.104792, -0.322516]], mass: 0.3, velocity: [1.9632, -0.9211]}",
       "box: {at: [1.1672, 1.1569], size: [0.409, 0.469], mass: 0.3, velocity: [-0.925, 0.3564]}", FLOOR]
for contact in ("e: 0.1", "e: 0.1, mu: 0.1"):
    u = [run("off", -10, OFF, contact, 0.5, "scheme: event, tol: %g" % tol)[0] for tol in (1e-8, 1e-11)]
    with h5py.File("off.h5") as file:
        check(file["parameters/estimate"][()] <= 1e-11, "slides off", contact)
    near("slides off an end, " + contact, u[0], u[1], 1e-8)

# two bricks slide over an edge in one long flight: they tip where their weight is over it, before the last corner gets there
if EVERY:
    u, v, t = run("tips", -10, ["box: {at: [0.1, 0.75], size: [0.4, 0.5], mass: 0.5, velocity: [-1, 0]}",
                                "box: {at: [0.25, 1.35], size: [0.5, 0.5], mass: 1, velocity: [-1, 0]}",
                                "plane: {at: [0, 0.25], normal: [0, 1]}", "box: {at: [0, 0.25], size: [0.8, 0.5], fixed: true}"], "e: 0", 0.7,
                  "scheme: event, tol: 1e-8, impact: stronge")
    near("two bricks over an edge", u[(t > 0.4) & (t < 0.59)][:, 2], 0)
    check(u[t > 0.67][0, 2] > 0.01, "tip", u[t > 0.67])

# three bricks come to rest on each other
u, v, t = run("tower", -10, ["box: {at: [0, %g], size: [1, 1], mass: 1}" % y for y in (0.5, 1.6, 2.7)] + [FLOOR], "e: 0.3", 1.5, "scheme: event, tol: 1e-8")
near("a tower comes to rest", u[-1], [0, 0, 0, 0, -0.1, 0, 0, -0.2, 0], 1e-7)
near("and stays", v[-1], 0, 1e-7)

said = run("refused", -10, ["box: {at: [0, 2], size: [1, 1], mass: 1}", TABLE % "4"], "e: 0.5", 1, "scheme: mannshardt, step: 0.01", fails=True)
check("bodies 1 and 2" in said and "scheme event" in said, said)
said = run("pairs", -10, ["box: {at: [0, 2], size: [1, 1], mass: 1}", TABLE % "4"], "e: 0.5", 1, "scheme: event, impact: newton", fails=True)
check("newton" in said and "moreau" in said, said)

# with friction: a box on a box that is a slope, slides and sticks
for mu in (0.2, 0.6):
    slope = "box: {at: [%.17g, %.17g], size: [6, 1], turn: 0.4, fixed: true}" % (0.5 * numpy.sin(0.4), -0.5 * numpy.cos(0.4))
    u, v, t = run("slope", -10, ["box: {at: [%.17g, %.17g], size: [1, 0.5], turn: 0.4, mass: 1}" % (-0.25 * numpy.sin(0.4), 0.25 * numpy.cos(0.4)), slope],
                  "e: 0, mu: %g" % mu, 0.5)
    down = max(numpy.sin(0.4) - mu * numpy.cos(0.4), 0) * 5 * t ** 2
    near("a box on a slope, mu = %g" % mu, u[:, :2], -numpy.outer(down, [numpy.cos(0.4), numpy.sin(0.4)]), 1e-8)

# a corner into a side off the middle, by e of impulses and of works, which for one contact without friction are the same
for law in ("poisson", "stronge", "lzb"):
    u, v, t = run("corner", 0, ["box: {at: [0, 0.25], size: [1, 1], turn: %.17g, mass: 2, velocity: [1, 0]}" % (numpy.pi / 4),
                                "box: {at: [2, 0], size: [1, 1], mass: 1}"], "e: 0.6", 1, "scheme: event, tol: 1e-10, impact: " + law)
    impulse = 1.6 / (1 / 2 + 1 + 6 / 16)
    near("a corner, %s" % law, v[-1], [1 - impulse / 2, 0, 0, impulse, 0, -1.5 * impulse], 1e-8)

# two bodies on a table, and the same mirrored
BOUNCE = ["box: {at: [%.17g, 0.8], size: [0.5, 0.4], turn: %.17g, mass: 1, velocity: [%.17g, 0], spin: %.17g}",
          "polygon: {at: [%.17g, 1.6], points: [[%.17g, -0.3], [%.17g, 0.3], [0, 0.4]], turn: %.17g, mass: 2, velocity: [%.17g, -1]}"]
sides = []
for way in (1, -1):
    things = [BOUNCE[0] % (0.1 * way, 0.3 * way, 0.7 * way, 2 * way), BOUNCE[1] % (0, -0.3 * way, 0.3 * way, 0.0, 0.2 * way)]
    things += [TABLE % "2", FLOOR.replace("[0, 0]", "[0, -1]")]
    sides.append(run("mirrored", -10, things, "e: 0.5, mu: 0.3", 1, "scheme: event, tol: 1e-8")[0])
near("mirrored", sides[0] * [-1, 1, -1, -1, 1, -1], sides[1], 1e-7)
end()
