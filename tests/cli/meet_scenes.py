"""Random scenes of bodies with corners, capsules, balls and compounds that meet each other under event, in plane and space, with friction and without: each ends or
says why not, none overlaps as seen by an algorithm of its own (the shortest vector of a Minkowski difference, Wolfe 1976), and none is off by more
than it states, beside the same scene at a tolerance a thousand times smaller. A seed is a scene; even ones are of space, those from 1000000 on have friction,
and in those from 2000000 (3000000 with friction) one of the two is a ball, a capsule or a compound, and the other one no box alone."""
import random
import sys

import numpy

from checks import check, end

import space_scenes

FRICTION, ROUND = 1000000, 2000000


def turned(axis, angle, points):
    """points turned about an axis through 0"""
    k = numpy.asarray(axis) / numpy.linalg.norm(axis)
    cross = numpy.cross(numpy.broadcast_to(k, points.shape), points)
    return points * numpy.cos(angle) + cross * numpy.sin(angle) + numpy.outer(points @ k, k) * (1 - numpy.cos(angle))


class Body:
    """A line of a scene, and what stands there: of each part its corners, with the radius that is around them."""

    def __init__(self, draw, kind, at, space, moves):
        self.at, self.radius, self.moves = numpy.array(at), 0.0, moves
        axis, angle = (numpy.array([draw.uniform(-1, 1) for _ in range(3)]) if space else numpy.array([0.0, 0, 1])), draw.choice((0, draw.uniform(0, 3)))
        if angle == 0 and draw.random() < 0.3:
            axis, angle = numpy.array([0.0, 0, 1]), numpy.pi / 4
        turn = ", turn: " + ("{axis: %s, angle: %.17g}" % (self.vector(axis, True), angle) if space else "%.17g" % angle) if angle != 0 else ""
        place = self.at
        if kind == "box":
            size = numpy.array([draw.uniform(0.3, 0.9) for _ in range(3)]) * (1 if moves else 3)
            corners = self.box(size, space)
            shape = "box: {size: %s" % self.vector(size, space)
        elif kind == "polyhedron":
            corners = numpy.array([[draw.uniform(-0.6, 0.6) for _ in range(3)] for _ in range(4 if space else 3)])
            corners[:, 2] *= space
            corners -= corners.mean(axis=0)
            shape = "%s: {points: [%s]" % ("polyhedron" if space else "polygon", ", ".join(self.vector(c, space) for c in corners))
        elif kind == "ball":
            corners, self.radius, turn, angle = numpy.zeros((1, 3)), draw.uniform(0.15, 0.4), "", 0
            shape = "%s: {radius: %.17g" % ("sphere" if space else "disc", self.radius)
        elif kind == "compound":
            parts, masses = self.compound(draw, space)
            centre = sum(m * c.mean(axis=0) for m, (c, r, line) in zip(masses, parts)) / sum(masses)
            self.parts = [(turned(axis, angle, c - centre) if angle != 0 else c - centre, r) for c, r, line in parts]
            place = self.at - (turned(axis, angle, centre[None])[0] if angle != 0 else centre)
            shape = "compound: {parts: [%s]" % ", ".join("%s, mass: %g}}" % (line, m) for m, (c, r, line) in zip(masses, parts))
        else:
            length, self.radius = draw.uniform(0.3, 0.9), draw.uniform(0.1, 0.3)
            way = numpy.array([draw.uniform(-1, 1) for _ in range(3)]) * (1, 1, space)
            corners, turn = numpy.outer((-0.5, 0.5), length * way / numpy.linalg.norm(way)), ""
            shape, angle = "capsule: {length: %.17g, radius: %.17g, axis: %s" % (length, self.radius, self.vector(way, space)), 0
        if kind != "compound":
            self.parts = [(turned(axis, angle, corners) if angle != 0 else corners, self.radius)]
        self.reach = max(numpy.linalg.norm(c, axis=1).max() + r for c, r in self.parts)
        self.line = shape + ", at: %s%s" % (self.vector(place, space), turn)
        if moves:
            speed = self.vector([draw.uniform(-1, 1) - 1.2 * numpy.sign(at[0]), draw.uniform(-1, 1), draw.uniform(-1, 1)], space)
            spin = self.vector([draw.uniform(-3, 3) for _ in range(3)], True) if space else "%.4f" % draw.uniform(-3, 3)
            self.line += "%s, velocity: %s, spin: %s}" % ("" if kind == "compound" else ", mass: %g" % draw.choice((0.3, 1, 2)), speed, spin)
        else:
            self.line += ", fixed: true}"

    @staticmethod
    def box(size, space):
        return numpy.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in ((-1, 1) if space else (0,))]) * size / 2

    def compound(self, draw, space):
        """Parts, corners and radius and a line for each, that join or overlap, and what they weigh: a dumbbell, a box with a ball or a capsule on it,
        two boxes side by side."""
        kind, ball, masses = draw.choice(("dumbbell", "knob", "rod", "boxes")), "sphere" if space else "disc", [draw.choice((0.3, 1, 2)) for _ in range(3)]
        size = numpy.array([draw.uniform(0.3, 0.6) for _ in range(3)]) * (1, 1, space)
        aside, radius = numpy.array((size[0] / 2, 0, 0)), draw.uniform(0.12, 0.2)

        def round_at(at, r):
            return numpy.array([at]), r, "{%s: {at: %s, radius: %.17g" % (ball, self.vector(at, space), r)

        def rod_at(at, length, r):
            return at + numpy.outer((-0.5, 0.5), (length, 0, 0)), r, "{capsule: {at: %s, length: %.17g, radius: %.17g, axis: %s" % (
                self.vector(at, space), length, r, self.vector(numpy.array((1, 0, 0)), space))

        def box_at(at):
            return at + self.box(size, space), 0.0, "{box: {at: %s, size: %s" % (self.vector(at, space), self.vector(size, space))

        parts = {"dumbbell": lambda: [round_at(-1.2 * aside, radius), round_at(1.2 * aside, radius + 0.05), rod_at(0 * aside, 2.4 * aside[0], 0.5 * radius)],
                 "knob": lambda: [box_at(0 * aside), round_at(aside + radius / 2, radius)], "rod": lambda: [box_at(0 * aside), rod_at(aside, 0.5, 0.5 * radius)],
                 "boxes": lambda: [box_at(-aside), box_at(aside)]}[kind]()
        if not space:
            parts = [(c * (1, 1, 0), r, line) for c, r, line in parts]
        return parts, masses[:len(parts)]

    @staticmethod
    def vector(x, space):
        return "[%s]" % ", ".join("%.17g" % y for y in x[:3 if space else 2])

    def stands(self, u):
        """its parts, moved by displacement and angle or quaternion"""
        return [(self.moved(corners, u) + self.at, radius) for corners, radius in self.parts]

    def moved(self, corners, u):
        if not self.moves:
            return corners
        if len(u) == 3:
            return turned([0, 0, 1], u[2], corners) + (u[0], u[1], 0)
        w, v = u[3], u[4:]
        return corners + 2 * numpy.cross(v, numpy.cross(v, corners) + w * corners) + u[:3]


def apart(a, b):
    """how far the hulls of two sets of points are from each other"""
    x = (a[:, None] - b[None]).reshape(-1, 3)
    chosen = [int(numpy.argmin((x ** 2).sum(axis=1)))]
    weight = numpy.array([1.0])
    for _ in range(200):
        point = weight @ x[chosen]
        k = int(numpy.argmin(x @ point))
        if point @ point - x[k] @ point <= 1e-14 or k in chosen:
            break
        chosen.append(k)
        weight = numpy.append(weight, 0.0)
        while True:
            n = len(chosen)
            system = numpy.ones((n + 1, n + 1))
            system[:n, :n], system[n, n] = x[chosen] @ x[chosen].T, 0
            new = numpy.linalg.lstsq(system, numpy.append(numpy.zeros(n), 1.0), rcond=None)[0][:n]
            if (new > 1e-13).all():
                weight = new
                break
            falls = weight - new > 0
            part = min(1.0, (weight[falls & (new <= 1e-13)] / (weight - new)[falls & (new <= 1e-13)]).min())
            weight = weight + part * (new - weight)
            keep = weight > 1e-13
            chosen, weight = [c for c, good in zip(chosen, keep) if good], weight[keep] / weight[keep].sum()
    return numpy.linalg.norm(weight @ x[chosen])


def between(one, two):
    """how far two bodies are apart, given as parts, of which what has corners only is a little smaller"""
    def inner(corners):
        middle = corners.mean(axis=0)
        return corners if len(corners) < 3 else middle + (1 - 1e-6) * (corners - middle)
    return min(apart(inner(a), inner(b)) - r - s for a, r in one for b, s in two)


def bodies(seed):
    """Those of a scene, and what else is drawn."""
    draw = random.Random(77000000 + seed)
    space = seed % 2 == 0
    kinds = draw.choice((("box", "box"), ("box", "capsule"), ("polyhedron", "box"), ("polyhedron", "capsule"), ("capsule", "polyhedron")))
    fixed = draw.random() < 0.5  # the first is what the second falls upon
    if seed >= ROUND:
        fixed = False
        kinds = draw.choice((("capsule", "capsule"), ("capsule", "ball"), ("compound", "ball"), ("compound", "capsule"), ("compound", "compound"),
                             ("polyhedron", "compound")))
    while True:
        at = (0.0, -0.6, 0.0) if fixed and not space else (0.0, 0.0, -0.6) if fixed else (-0.7, draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2) * space)
        up = draw.uniform(0.9, 1.5)
        there = (draw.uniform(-0.3, 0.3), draw.uniform(-0.3, 0.3) if space else up, up if space else 0.0) if fixed else (
            0.7, draw.uniform(-0.2, 0.2), draw.uniform(-0.2, 0.2) * space)
        two = [Body(draw, "box" if fixed else kinds[0], at, space, not fixed), Body(draw, kinds[1], there, space, True)]
        rest = numpy.array((0.0,) * 3) if not space else numpy.array((0, 0, 0, 1.0, 0, 0, 0))
        if between(*(b.stands(rest) for b in two)) > 0.01:
            return draw, space, fixed, two


def scene(seed):
    draw, space, fixed, two = bodies(seed)
    friction = ", mu: %g" % draw.choice((0.05, 0.1, 0.3, 0.5, 1.0)) if seed // FRICTION % 2 else ""
    pull = -10 if fixed else draw.choice((0, 0, -10))
    gravity = "[%g, %g, %g]" % (draw.choice((0, 1)), 0, pull) if space else "[%g, %g]" % (draw.choice((0, 1)), pull)
    floor = "" if fixed or pull == 0 else "  - plane: {at: %s, normal: %s}\n" % (("[0, 0, -1.5]", "[0, 0, 1]") if space else ("[0, -1.5]", "[0, 1]"))
    text = "units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n%s%s" % (gravity, "".join("  - %s\n" % b.line for b in two), floor)
    text += "contacts: {law: rigid, e: %g, k: 1e5, p: 1.5%s}\n" % (draw.choice((0, 0.1, 0.3, 0.6, 0.9, 1)), friction)
    law = draw.choice(("moreau", "moreau", "stronge", "poisson", "lzb"))
    return text, draw.choice((0.6, 1.0, 1.5)), law, draw.choice((1e-9, 1e-8, 1e-7, 1e-6, 1e-5)), [b.reach for b in two if b.moves]


def overlaps(seed, u):
    """the deepest that two bodies are seen in each other, of all samples"""
    two = bodies(seed)[3]
    wide, worst = (7 if seed % 2 == 0 else 3), 0.0
    for row in u:
        places, moved = [], 0
        for b in two:
            places.append(b.stands(row[moved:moved + wide]))
            moved += wide * b.moves
        worst = max(worst, 1e-7 - between(*places))
    return worst


def seen(seed, got):
    check(overlaps(seed, got["u"]) <= 2e-7, "seed", seed, "bodies overlap by", overlaps(seed, got["u"]))


def check_stopped():
    """A corner whose slip a blow has stopped rests, whatever its steps have left of that: not so little that it slips on, where no force allows it. Later
    the capsule leaves one place for the next, and did so without end in an instant."""
    text, until, law, tol, reach = scene(FRICTION + 22)
    for share, until in ((0.1, 0.45), (1e-6, 0.45)) + (((0.1, 0.662),) if "--all" in sys.argv else ()):
        got, said = space_scenes.run("stopped", text, until, law, tol, share, 60)
        check(got, "a corner that has come to a stop, at share %g:" % share, said)


if __name__ == "__main__":
    check_stopped()
    for first in (1,) if sys.argv[1:2] and sys.argv[1].isdigit() else (1, FRICTION + 1, ROUND + 1, ROUND + FRICTION + 1):
        space_scenes.main(scene, 100, seen, first, ("along its path did not end after",), 2)
    end()
