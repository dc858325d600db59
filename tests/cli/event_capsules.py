"""Capsules and compounds that meet each other, and balls, under scheme event, in plane and space: closed forms of capsules that cross, lie on each other and
strike with their ends, one that slides along others and comes to rest, dumbbells that fall on a floor and on each other, compounds of a few parts against the
same body in one part, what slides over the seam of two parts, and how contacts are named."""
import os
import subprocess

import numpy

import flown
from checks import EVERY, check, end, some
from flown import near

PI = numpy.pi


def run(name, gravity, bodies, contact, until, how="tol: 1e-10"):
    return flown.run(name, gravity, bodies, contact, until, "scheme: event, " + how)


def moment(space, mass, length, r):
    """Of a capsule about an axis through its middle, across its line; half discs and half balls at its ends."""
    middle, ends = (PI * r * r * length, 4 / 3 * PI * r ** 3) if space else (2 * r * length, PI * r * r)
    beyond, round_off = (3 / 8 * r, r * r / 5) if space else (4 * r / (3 * PI), r * r / 4)
    own = middle * (length ** 2 / 12 + r * r / (4 if space else 3)) + ends * (2 * round_off + length ** 2 / 4 + length * beyond)
    return mass * own / (middle + ends)


# two that cross, at x along the one and y along the other from their middles
for law, e, x, y in some((("moreau", 0.5, 0.3, -0.5), ("stronge", 0.8, -0.2, 0.4), ("poisson", 1, 0.4, 0.7), ("lzb", 0.2, 0.45, 0)), 4):
    u, v, t = run("cross", "[0, 0, 0]", ["capsule: {at: [%g, 0, 1], length: 1, radius: 0.2, axis: [1, 0, 0], mass: 2, velocity: [0, 0, -1]}" % -x,
                                         "capsule: {at: [0, %g, 0], length: 1.5, radius: 0.3, axis: [0, 1, 0], mass: 3}" % -y],
                  "e: %g, k: 1e6, p: 1.5" % e, 1, "tol: 1e-10, impact: " + law)
    moments = moment(True, 2, 1, 0.2), moment(True, 3, 1.5, 0.3)
    impulse = (1 + e) / (1 / 2 + 1 / 3 + x * x / moments[0] + y * y / moments[1])
    near("capsules that cross at %g and %g, %s" % (x, y, law), v[-1], [
        0, 0, impulse / 2 - 1, 0, -x * impulse / moments[0], 0, 0, 0, -impulse / 3, -y * impulse / moments[1], 0, 0])

# the end of one that stands falls on the side of another, in plane and space, off the middle of both
for space in (False, True):
    place = (lambda x, y: "[%.17g, 0, %.17g]" % (x, y)) if space else (lambda x, y: "[%.17g, %.17g]" % (x, y))
    u, v, t = run("end", place(0, 0), ["capsule: {at: %s, length: 1, radius: 0.2, axis: %s, mass: 2, velocity: %s}" % (place(0.3, 1.2), place(0, 1), place(0, -1)),
                                       "capsule: {at: %s, length: 1, radius: 0.2, axis: %s, mass: 3}" % (place(0, 0), place(1, 0))], "e: 0.5", 0.8)
    impulse = 1.5 / (1 / 2 + 1 / 3 + 0.3 ** 2 / moment(space, 3, 1, 0.2))
    turn = (1 if space else -1) * 0.3 * impulse / moment(space, 3, 1, 0.2)
    near("an end on a side, %s" % ("space" if space else "plane"), v[-1], [0, 0, impulse / 2 - 1, 0, 0, 0, 0, 0, -impulse / 3, 0, turn, 0] if space else [
        0, impulse / 2 - 1, 0, 0, -impulse / 3, turn])
    # end to end, of two in a line and of a ball before an end, aside by a part of the radii: the impulse acts along the centres of the round ends
    ball = "sphere" if space else "disc"
    for other, length in (("capsule: {at: %s, length: 1, radius: 0.2, axis: %s, mass: 3}" % (place(2, 0.24), place(1, 0)), 1),
                          ("%s: {at: %s, radius: 0.2, mass: 3}" % (ball, place(1.5, 0.24)), 0)):
        u, v, t = run("ends", place(0, 0), ["capsule: {at: %s, length: 1, radius: 0.2, axis: %s, mass: 2, velocity: %s}" % (place(0, 0), place(1, 0), place(1, 0)), other],
                      "e: 1", 1.2)
        n, lever = (0.8, 0.6), 0.5 * 0.6  # of the radii's sum 0.4, by 0.24 aside
        moments = moment(space, 2, 1, 0.2), moment(space, 3, length, 0.2)
        impulse = 2 * 0.8 / (1 / 2 + 1 / 3 + lever ** 2 / moments[0] + (lever ** 2 / moments[1] if length else 0))
        sign = -1 if space else 1
        turned = -sign * lever * impulse / moments[0], -sign * lever * impulse / moments[1] if length else 0
        one, two = (1 - n[0] * impulse / 2, -n[1] * impulse / 2), (n[0] * impulse / 3, n[1] * impulse / 3)
        near("end to %s, %s" % ("end" if length else "a " + ball, "space" if space else "plane"), v[-1], [
            one[0], 0, one[1], 0, turned[0], 0, two[0], 0, two[1], 0, turned[1], 0] if space else [*one, turned[0], *two, turned[1]])
    # side by side, of lengths 1 and 1, 0.6 and 1, 1 and 0.6: neither turns, and at rest the upper one stays
    for lengths in some(((1, 1), (0.6, 1), (1, 0.6)), 3):
        for law in ("moreau", "stronge"):
            u, v, t = run("flat", place(0, 0), ["capsule: {at: %s, length: %g, radius: 0.2, axis: %s, mass: 2, velocity: %s}" % (
                place(0, 1.5), lengths[0], place(1, 0), place(0, -1)), "capsule: {at: %s, length: %g, radius: 0.3, axis: %s, mass: 3}" % (
                    place(0, 0), lengths[1], place(1, 0))], "e: 0.5, k: 1e6, p: 1.5", 1.5, "tol: 1e-10, impact: " + law)
            impulse = 1.5 / (1 / 2 + 1 / 3)
            near("side by side, %g on %g, %s, %s" % (*lengths, law, "space" if space else "plane"), v[-1],
                 numpy.array([0, 0, impulse / 2 - 1, 0, 0, 0, 0, 0, -impulse / 3, 0, 0, 0] if space else [0, impulse / 2 - 1, 0, 0, -impulse / 3, 0]))

# across two others it slides along its line until friction stops it
RAILS = ["capsule: {at: [%g, 0, 0], length: 2, radius: 0.2, axis: [0, 1, 0], fixed: true}" % x for x in (-0.5, 0.5)]
u, v, t = run("slides", "[0, 0, -10]", ["capsule: {at: [-0.3, 0, 0.5], length: 3, radius: 0.3, axis: [1, 0, 0], mass: 2, velocity: [2, 0, 0]}", *RAILS], "e: 0, mu: 0.4", 1)
slid = numpy.minimum(t, 0.5)
near("a capsule slides across two others", u[:, :3], numpy.outer(2 * slid - 2 * slid ** 2, [1, 0, 0]))
near("and does not turn", u[:, 4:], 0)
# a ball in the groove of two rails slides until it rolls, from 2/7 of its speed with rails at 45 degrees on: k = 1 + 5/2 cos^2 of their angle
RADIUS, RAIL = 0.5, 0.2
APART = (RADIUS + RAIL) * 0.5 ** 0.5
GROOVE = ["capsule: {at: [0, %.17g, %.17g], length: 9, radius: %g, axis: [1, 0, 0], fixed: true}" % (y, -APART, RAIL) for y in (-APART, APART)]
u, v, t = run("groove", "[0, 0, -10]", ["sphere: {at: [0, 0, 0], radius: %g, mass: 2, velocity: [2, 0, 0]}" % RADIUS, *GROOVE], "e: 0, mu: 0.2", 1)
drag, arm = 0.2 * 10 * 2 ** 0.5, RADIUS * 0.5 ** 0.5  # both rails press with m g / sqrt 2
stop = 2 / (drag * (1 + arm * arm / (0.4 * RADIUS ** 2)))
near("a ball slides in a groove of two capsules until it rolls", v[:, 0], 2 - drag * numpy.minimum(t, stop))


# dumbbells: two balls on a rod, on a floor level and with one end, and ball on ball, ball on rod
def dumbbell(at, axis, velocity, masses=(1, 1, 0.5), space=True):
    reach = ["[%s]" % ", ".join("%.17g" % (s * 0.5 * a) for a in axis) for s in (-1, 1)]
    ball, none = ("sphere", "[0, 0, 0]") if space else ("disc", "[0, 0]")
    return "compound: {at: %s, parts: [{%s: {at: %s, radius: 0.25, mass: %g}}, {%s: {at: %s, radius: 0.25, mass: %g}}, {capsule: {at: %s, length: 1, radius: 0.1, axis: %s, mass: %g}}], velocity: %s}" % (
        at, ball, reach[0], masses[0], ball, reach[1], masses[1], none, list(axis), masses[2], velocity)


for space in (False, True):
    own = (0.4 if space else 0.5) * 0.25 ** 2
    inertia, mass = 2 * (own + 0.25) + moment(space, 0.5, 1, 0.1), 2.5
    place = (lambda x, y: "[%.17g, 0, %.17g]" % (x, y)) if space else (lambda x, y: "[%.17g, %.17g]" % (x, y))
    axis = (lambda x, y: (x, 0, y)) if space else (lambda x, y: (x, y))
    floor = "plane: {at: %s, normal: %s}" % (place(0, 0), place(0, 1))
    what = "space" if space else "plane"
    u, v, t = run("bell", place(0, -10), [dumbbell(place(0, 1.25), axis(1, 0), place(0, 0), space=space), floor], "e: 0.5", 0.85)
    fall = 0.2 ** 0.5
    near("a dumbbell bounces level, %s" % what, u[:, 2 if space else 1], numpy.where(t < fall, -5 * t ** 2, -1 + 5 * fall * (t - fall) - 5 * (t - fall) ** 2))
    u, v, t = run("leans", place(0, 0), [dumbbell(place(0, 1.25), axis(0.8, 0.6), place(0, -1), space=space), floor], "e: 0.5", 1)
    impulse = 1.5 / (1 / mass + 0.4 ** 2 / inertia)
    turn = (1 if space else -1) * 0.4 * impulse / inertia  # about y of space, which turns z into x
    near("and on one end, %s" % what, v[-1], [0, 0, impulse / mass - 1, 0, turn, 0] if space else [0, impulse / mass - 1, turn])
    # a ball on a rod, on a ball, and beside one: where the one is, along which axis, the normal, and its levers about the two centres
    for law, e, at, way, n, levers in some((("moreau", 0.5, (0.1, 2), (0, 1), (0, 1), (0, -0.1)), ("stronge", 0.2, (1, 1), (1, 0), (0, 1), (-0.5, -0.5)),
                                            ("poisson", 0.7, (0.8, 2), (0, 1), (0.6, 0.8), (0.3, -0.4)), ("lzb", 0.6, (0.8, 2), (0, 1), (0.6, 0.8), (0.3, -0.4))), 4):
        u, v, t = run("bells", place(0, 0), [dumbbell(place(*at), axis(*way), place(0, -1), space=space), dumbbell(place(0, 0), axis(1, 0), place(0, 0), space=space)],
                      "e: %g, k: 1e6, p: 1.5" % e, 1.5, "tol: 1e-10, impact: " + law)
        impulse = (1 + e) * n[1] / (2 / mass + (levers[0] ** 2 + levers[1] ** 2) / inertia)
        one, two = (n[0] * impulse / mass, n[1] * impulse / mass - 1), (-n[0] * impulse / mass, -n[1] * impulse / mass)
        turns = [(-1 if space else 1) * lever * impulse / inertia for lever in levers]
        near("a dumbbell on another, %s, %s" % (law, what), v[-1], [one[0], 0, one[1], 0, turns[0], 0, two[0], 0, two[1], 0, turns[1], 0] if space else [
            *one, turns[0], *two, turns[1]])

# a box of two halves goes as the box does, thrown on a box and on a capsule; a table of two halves carries what slides over its seam
HALVES = {True: ("compound: {at: [0, 0, 0.9], mass: 1, parts: [{box: {at: [-0.2, 0, 0], size: [0.4, 0.5, 0.4]}}, {box: {at: [0.2, 0, 0], size: [0.4, 0.5, 0.4]}}], velocity: [0.3, 0.2, 0], spin: [1, 0.4, 2]}",
                 "box: {at: [0, 0, 0.9], size: [0.8, 0.5, 0.4], mass: 1, velocity: [0.3, 0.2, 0], spin: [1, 0.4, 2]}"),
          False: ("compound: {at: [0, 0.9], mass: 1, parts: [{box: {at: [-0.2, 0], size: [0.4, 0.4]}}, {box: {at: [0.2, 0], size: [0.4, 0.4]}}], velocity: [0.3, 0], spin: 2}",
                  "box: {at: [0, 0.9], size: [0.8, 0.4], mass: 1, velocity: [0.3, 0], spin: 2}")}
BELOW = {True: ("box: {at: [0, 0, -1], size: [9, 9, 2], fixed: true}", "capsule: {at: [0, 0, -0.2], length: 2, radius: 0.3, axis: [1, 0.4, 0.1], mass: 2}"),
         False: ("box: {at: [0, -1], size: [9, 2], fixed: true}", "capsule: {at: [0.1, 0], length: 1, radius: 0.3, axis: [1, 0.1], mass: 2}")}
for space, below in some([(space, below) for space in HALVES for below in BELOW[space]], 3):  # on a box of space, on a capsule of the plane
    for law, contact in some((("stronge", "e: 0.5, mu: 0.2"), ("moreau", "e: 0.4")), 2):
        both = [run("halves", "[0, 0, -10]" if space else "[0, -10]", [thing, below] if "fixed" in below else [
            thing, below, "plane: {at: %s, normal: %s}" % (("[0, 0, -0.6]", "[0, 0, 1]") if space else ("[0, -0.4]", "[0, 1]"))],
            contact, 0.45, "tol: 1e-10, impact: " + law)[0] for thing in HALVES[space]]
        near("a box of two halves on a %s, %s, %s" % (below.split(":")[0], law, "space" if space else "plane"), both[0], both[1], 1e-8)
TABLES = {True: ("compound: {at: [0, 0, -0.5], fixed: true, parts: [{box: {at: [-1, 0, 0], size: [2, 2, 1]}}, {box: {at: [1, 0, 0], size: [2, 2, 1]}}]}",
                 "box: {at: [0, 0, -0.5], size: [4, 2, 1], fixed: true}"),
          False: ("compound: {at: [0, -0.5], fixed: true, parts: [{box: {at: [-1, 0], size: [2, 1]}}, {box: {at: [1, 0], size: [2, 1]}}]}",
                  "box: {at: [0, -0.5], size: [4, 1], fixed: true}")}
SLIDE = {True: ("box: {at: [-0.5, 0, 0.2], size: [0.6, 0.5, 0.4], mass: 1, velocity: [2, 0.1, 0]}", "sphere: {at: [-0.5, 0, 0.3], radius: 0.3, mass: 1, velocity: [2, 0, 0]}",
                "capsule: {at: [-0.5, 0, 0.3], length: 0.6, radius: 0.3, axis: [1, 0, 0], mass: 1, velocity: [2, 0, 0]}"),
         False: ("box: {at: [-0.5, 0.2], size: [0.6, 0.4], mass: 1, velocity: [2, 0]}", "disc: {at: [-0.5, 0.3], radius: 0.3, mass: 1, velocity: [2, 0]}",
                 "capsule: {at: [-0.5, 0.3], length: 0.6, radius: 0.3, axis: [1, 0], mass: 1, velocity: [2, 0]}")}
for space, thing in some([(space, thing) for space in SLIDE for thing in SLIDE[space]], 2):
    both = [run("seam", "[0, 0, -10]" if space else "[0, -10]", [thing, table], "e: 0, mu: 0.2", 0.8 if EVERY else 0.6)[0] for table in TABLES[space]]
    near("%s over the seam of two parts, %s" % (thing.split(":")[0], "space" if space else "plane"), both[0], both[1])

# contacts have names
for name, bodies, names in (
        ("bell", [dumbbell("[0, 0, 1]", (1, 0, 0), "[0, 0, 0]"), "sphere: {at: [3, 0, 0], radius: 0.1, mass: 1}"],
         ("part 1 of 1, the middle of 2", "part 3 of 1, end 1 of 1 at the middle")),
        ("capsules", ["capsule: {at: [%d, 0, 0], length: 1, radius: 0.1, axis: [0, 1, 0], mass: 1}" % x for x in (0, 1)],
         ("end 1 of 1 at the side", "end 2 of 1 at end 1", "end 2 of 2 at the side", "sides that cross"))):
    flown.write(name, "[0, 0, -10]", bodies, "e: 0", 1, "scheme: event, tol: 1e-6")
    said = subprocess.run([os.environ["CAROM"], "check", name + ".yaml"], capture_output=True, text=True).stdout
    for place in names:
        check("bodies 1 and 2, " + place in said, place, said)
end()
