"""A few rigid bodies of space under scheme event, without friction: closed forms and an integrator of another kind for free tops, cubes that
fall on a corner, bodies on joints and their limits, by all impact laws; the same at other scales; and what is refused."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh, some

CAROM = os.environ["CAROM"]
SCHEME = os.environ.get("SCHEME", "event")  # adaptive_space.py has another
ONE = 1 if SCHEME == "event" else 5  # of laws and scales that another scheme shares with event it takes one
TOL = 1e-10


def run(name, text, until, how="", theory="nonsmooth", rows=20, fails=False, tol=TOL):
    """Runs a scene; places, rotations and velocities of its bodies, sample by sample."""
    if SCHEME != "event":
        how = how.replace("impact: moreau", "blow: newton").replace("impact:", "blow:")
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: %s\n%srun: {until: %.17g, scheme: %s, tol: %g%s}\nrecord: {every: %.17g, probes: [u, v, position, rotation, spin"
                   "%s], events: true}\n" % (theory, text, until, SCHEME, tol, how, until / rows, ", joint_force, joint_moment" if "joints" in text else ""))
    quiet = ["-q"] if fails else []  # else a slow machine tells its progress beside the one sentence
    done = subprocess.run([CAROM, "run", *quiet, name + ".yaml", "-o", fresh(name + ".h5")], capture_output=True, text=True, timeout=100)
    if fails:
        check(done.returncode != 0 and done.stderr.count("\n") == 1, name, done.stderr)
        return done.stderr
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        ledger, bodies = file["observables/ledger"], file["particles/mechanism"]
        kinetic, residual = ledger["kinetic/value"][()], ledger["residual/value"][()]
        check(numpy.abs(residual).max() <= 1e-7 * kinetic.max() + 1e-30, name, "ledger", numpy.abs(residual).max())
        about = file["parameters"]
        held = {name: file["particles/joints/%s/value" % name[6:]][()] for name in ("joint_force", "joint_moment") if "joints" in text}
        return {**held, "x": bodies["position/value"][()], "turn": bodies["rotation/value"][()], "spin": bodies["spin/value"][()],
                "v": file["particles/mechanism/velocity/value"][()], "t": bodies["position/time"][()], "kinetic": kinetic, "said": done.stdout,
                "stated": float(about["estimate"][()]), "length": float(about["scales/length"][()]), "speed": float(about["scales/speed"][()])}


def near(name, got, wanted, allowed=1e-9):
    off = numpy.abs(numpy.asarray(got) - numpy.asarray(wanted)).max()
    print("%-60s %.1e" % (name, off), flush=True)
    check(off < allowed, name, off)


# --- references ----------------------------------------------------------------------------------------------------------------------------


def extrapolate(rate, y, times, parts=8, step=0.1):
    """Gragg, Bulirsch and Stoer: midpoint rules of 2, 4, ... parts, extrapolated."""
    rows, t = [numpy.array(y, float)], times[0]
    for until in times[1:]:
        n = max(1, math.ceil((until - t) / step))
        y, h = rows[-1], (until - t) / n
        for _ in range(n):
            table = []
            for k in range(1, parts + 1):
                small = h / (2 * k)
                before, now = y, y + small * rate(y)
                for _ in range(2 * k - 1):
                    before, now = now, before + 2 * small * rate(now)
                table.append([0.5 * (before + now + small * rate(now))])
                for j in range(1, k):
                    table[-1].append(table[-1][-1] + (table[-1][-1] - table[-2][j - 1]) / ((k / (k - j)) ** 2 - 1))
            y = table[-1][-1]
        rows.append(y)
        t = until
    return numpy.array(rows)


def product(a, b):
    return numpy.concatenate(([a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + numpy.cross(a[1:], b[1:])))


def matrix(q):
    a, b, c, d = q
    return numpy.array([[1 - 2 * (c * c + d * d), 2 * (b * c - a * d), 2 * (b * d + a * c)],
                        [2 * (b * c + a * d), 1 - 2 * (b * b + d * d), 2 * (c * d - a * b)],
                        [2 * (b * d - a * c), 2 * (c * d + a * b), 1 - 2 * (b * b + c * c)]])


def turned(w, t):
    """The rotation by w t as a quaternion."""
    fast = numpy.linalg.norm(w)
    return numpy.concatenate(([math.cos(0.5 * fast * t)], math.sin(0.5 * fast * t) * w / fast)) if fast > 0 else numpy.array([1.0, 0, 0, 0])


def first_root(f, a, b, parts=200):
    """Where f first goes below 0 in (a, b], or None."""
    grid = numpy.linspace(a, b, parts + 1)
    for low, high in zip(grid, grid[1:]):
        if f(high) < 0 and f(low) >= 0:
            for _ in range(80):
                middle = 0.5 * (low + high)
                low, high = (middle, high) if f(middle) >= 0 else (low, middle)
            return low
    return None


def bouncing_cube(side, mass, x, v, w, frame, e, until, times, g=10.0):
    """A cube above z = 0 in flights and impacts of one corner; its inertia is that of a ball, so that it turns evenly."""
    corner = [side / 2 * numpy.array([i, j, k]) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    inertia, t, q, rows, hits = mass * side ** 2 / 6, 0.0, numpy.array(frame, float), [], 0
    x, v, w = (numpy.array(y, float) for y in (x, v, w))
    while True:
        heights = [lambda s, c=c: x[2] + s * (v[2] - g * s / 2) + (matrix(product(turned(w, s), q)) @ c)[2] for c in corner]
        found = [(first_root(h, 1e-9, until - t), i) for i, h in enumerate(heights)]
        after, which = min([f for f in found if f[0] is not None], default=(until - t, None))
        for at in times[len(rows):]:
            if at > t + after + 1e-12 and which is not None:
                break
            s = at - t
            rows.append(numpy.concatenate((x + s * v - [0, 0, g * s * s / 2], product(turned(w, s), q))))
        if which is None:
            return numpy.array(rows), hits
        x, v, q, t, hits = x + after * v - [0, 0, g * after ** 2 / 2], v - [0, 0, g * after], product(turned(w, after), q), t + after, hits + 1
        arm = matrix(q) @ corner[which]
        turn = numpy.cross(arm, [0, 0, 1])
        impulse = -(1 + e) * (v[2] + w @ turn) / (1 / mass + turn @ turn / inertia)
        v, w = v + [0, 0, impulse / mass], w + impulse / inertia * turn


# --- free tops -----------------------------------------------------------------------------------------------------------------------------

size, start = numpy.array([1.0, 0.6, 0.3]), numpy.array([0.1, 3.0, 0.2])
moments = numpy.array([size[1] ** 2 + size[2] ** 2, size[0] ** 2 + size[2] ** 2, size[0] ** 2 + size[1] ** 2]) / 12


def free_top(y):
    q, w = y[:4], y[4:]
    turn = matrix(q)
    inertia = turn @ numpy.diag(moments) @ turn.T
    return numpy.concatenate((0.5 * product(numpy.concatenate(([0], w)), q), numpy.linalg.solve(inertia, -numpy.cross(w, inertia @ w))))


got = run("top", "bodies:\n  - box: {at: [0, 0, 0], size: [1, 0.6, 0.3], mass: 1, spin: [0.1, 3, 0.2], velocity: [0.3, 0, 0]}\n"
          "contacts: {law: rigid, e: 1}\n", 10)
wanted_top = wanted = extrapolate(free_top, [1, 0, 0, 0, *start], got["t"])
near("a free top turns over: rotation", got["turn"][:, 0], wanted[:, :4])
near("  spin", got["spin"][:, 0], wanted[:, 4:])
near("  place", got["x"][:, 0], numpy.outer(got["t"], [0.3, 0, 0]))

# a block that spins about a level axis on a ball joint goes round at m g r / (I w)
got = run("walk", "gravity: [0, 0, -10]\nbodies:\n  - box: {at: [0.5, 0, 0], size: [0.1, 0.8, 0.8], mass: 1, spin: [50, 0, 0.9375], "
          "velocity: [0, 0.46875, 0]}\n"
          "joints:\n  - ball: {bodies: [1, world], at: [0, 0, 0]}\n", 2)
near("a top on a ball joint goes round", got["x"][:, 0], numpy.array([0.5 * numpy.cos(0.9375 * got["t"]), 0.5 * numpy.sin(0.9375 * got["t"]), 0 * got["t"]]).T)

# --- cubes on a corner ---------------------------------------------------------------------------------------------------------------------

CUBE = "gravity: [0, 0, %.17g]\nbodies:\n  - box: {at: [0, 0, %.17g], size: [%.17g, %.17g, %.17g], mass: 2, " \
       "turn: {axis: [0.7, 0.4, 0.2], angle: 0.83066238629180749}, velocity: [%.17g, 0, 0], " \
       "spin: [%.17g, %.17g, 0]}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: %g%s}\n"


def cube(scale=1.0, pace=1.0, e=0.6, more=""):
    """Lengths `scale` times as long, times `pace` times."""
    return CUBE % (-10 * scale / pace ** 2, 1.5 * scale, scale, scale, scale, 0.5 * scale / pace, 1 / pace, 2 / pace, e, more)


angle = numpy.linalg.norm([0.7, 0.4, 0.2])
frame = numpy.concatenate(([math.cos(angle / 2)], math.sin(angle / 2) * numpy.array([0.7, 0.4, 0.2]) / angle))
first = run("cube", cube(), 0.9, rows=45)
wanted, hits = bouncing_cube(1, 2, [0, 0, 1.5], [0.5, 0, 0], [1, 2, 0], frame, 0.6, 0.9, first["t"])
back = frame * [1, -1, -1, -1]
check(hits >= 3, "a cube strikes several times", hits)
near("a cube on its corner, %d impacts: place" % hits, first["x"][:, 0], wanted[:, :3])
near("  rotation", first["turn"][:, 0], [product(row[3:], back) for row in wanted])
for law in some(("newton", "poisson", "lzb", "stronge"), 2 * ONE):
    got = run("cube", cube(more=", k: 1e6, p: 1.5"), 0.9, ", impact: " + law, rows=45)
    near("  by " + law, got["x"][:, 0], wanted[:, :3])
for scale, pace in some(((1e-3, 1), (1e3, 1), (1e3, 1e3), (1e-3, 1e-3)), 2 * ONE):
    got = run("cube", cube(scale, pace), 0.9 * pace, rows=45)
    near("  lengths times %g, times times %g" % (scale, pace), got["x"][:, 0] / scale, wanted[:, :3])
    check(abs(got["stated"] / first["stated"] - 1) < 0.5 or got["stated"] < 1e-12, "the error stated at another scale", got["stated"], first["stated"])

# --- joints --------------------------------------------------------------------------------------------------------------------------------

FALLS, PLAIN = "gravity: [0, 0, -10]\nbodies:\n", "contacts: {law: rigid, e: 1}\n"
ROD = FALLS + "  - box: {at: [0.5, 0, 0], size: [1, 0.2, 0.3], mass: 2}\njoints:\n  - %s\n" + PLAIN
pull = 0.5 * 10 / (0.25 + (1 + 0.3 ** 2) / 12)
got = run("rod", ROD % "hinge: {bodies: [1, world], at: [0, 0, 0], axis: [0, 1, 0]}", 1.5)
angle = extrapolate(lambda y: numpy.array([y[1], pull * math.cos(y[0])]), [0, 0], got["t"])[:, 0]
near("a rod on a hinge", got["x"][:, 0], numpy.array([0.5 * numpy.cos(angle), 0 * angle, -0.5 * numpy.sin(angle)]).T)
near("  what the hinge carries against the motion", got["joint_moment"][:, :, 1], 0, 1e-8)
fast = 2 * 0.5 * pull * (2 * numpy.sin(angle))  # m r w^2
bend = 2 * 0.5 * pull * numpy.cos(angle)
near("  what it carries", got["joint_force"][:, 0], numpy.array([-fast * numpy.cos(angle) - bend * numpy.sin(angle), 0 * angle,
                                                                 20 + fast * numpy.sin(angle) - bend * numpy.cos(angle)]).T, 1e-7)

for e in some((0, 1, 0.4), 2 * ONE):  # limits: the same in the plane
    got = run("limit", ROD % ("hinge: {bodies: [1, world], at: [0, 0, 0], axis: [0, -1, 0], limits: [-0.5, 0.7], e: %g}" % e), 1)
    flat = run("flat", "gravity: [0, -10]\nbodies:\n  - box: {at: [0.5, 0], size: [1, 0.3], mass: 2}\njoints:\n  - hinge: {bodies: [1, world], at: [0, 0], "
               "limits: [-0.5, 0.7], e: %g}\n" % e + PLAIN, 1)
    near("a hinge at its limit as in the plane, e = %g" % e, got["x"][:, 0][:, [0, 2]], flat["x"][:, 0])

got = run("slider", ROD % "slider: {bodies: [1, world], at: [0, 0, 0], axis: [3, 0, 4]}", 1)
near("a slider on a slope", got["x"][:, 0] - got["x"][0, 0], numpy.outer(-0.5 * 8 * got["t"] ** 2, [0.6, 0, 0.8]), 1e-9 * 4)
got = run("weld", ROD % "weld: {bodies: [1, world], at: [0, 0, 0]}", 1)
near("a weld carries the weight", got["joint_force"][:, 0], [0, 0, 20])
near("  and its moment", got["joint_moment"][:, 0], [0, -10, 0])

got = run("bob", FALLS + "  - sphere: {at: [1, 0, 0], radius: 0.1, mass: 1, velocity: [0, 1.5, 0]}\njoints:\n  - distance: {bodies: [1, world], at: [1, 0, 0], "
          "to: [0, 0, 0.5]}\n" + PLAIN, 2)


def bob(y):
    x, v = y[:3] - [0, 0, 0.5], y[3:]
    return numpy.concatenate((v, numpy.array([0, 0, -10]) - x * ((v @ v - 10 * x[2]) / (x @ x))))


near("a bob on a rod goes round", got["x"][:, 0], extrapolate(bob, [1, 0, 0, 0, 1.5, 0], got["t"])[:, :3])

halves = "bodies:\n" + "".join("  - box: {at: [%g, 0, 0], size: [0.5, 0.6, 0.3], mass: 0.5, spin: [0.1, 3, 0.2], velocity: [%.17g, %.17g, %.17g]}\n" % (
    side, *numpy.cross(start, [side, 0, 0])) for side in (-0.25, 0.25))
got = run("halves", halves + "joints:\n  - weld: {bodies: [1, 2], at: [0, 0, 0]}\n" + PLAIN, 4, rows=8)
near("two halves that are welded turn over as one", got["spin"][:, 1], wanted_top[:9, 4:], 2e-9)

# --- several contacts ----------------------------------------------------------------------------------------------------------------------

FLAT = FALLS + "  - %s\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: %g, k: 1e6, p: 1.5}\n"
for law in some(("moreau", "newton", "stronge", "poisson", "lzb"), 2 * ONE):
    got = run("flat", FLAT % ("box: {at: [0, 0, 1.25], size: [1, 1, 0.5], mass: 1, velocity: [0.7, 0.2, 0]}", 0), 2, ", impact: " + law)
    fell = got["t"] < math.sqrt(0.2)
    near("a box that falls flat stays, e = 0, " + law, got["x"][:, 0, 2], numpy.where(fell, 1.25 - 5 * got["t"] ** 2, 0.25))
got = run("flat", FLAT % ("polyhedron: {kind: dodecahedron, radius: 0.7, at: [0, 0, 1.5], mass: 1}", 0), 2, ", impact: newton")
check(got["kinetic"][-1] < 1e-12, "a dodecahedron comes to rest", got["kinetic"][-1])
for law in some(("stronge", "newton", "lzb"), 2 * ONE):  # from corner to corner until it lies on a face
    got = run("wobble", FLAT % ("polyhedron: {kind: dodecahedron, at: [0, 0.2868, 1.3445], radius: 0.696, turn: {axis: [1, 0, 0], angle: 0.78539816339744831}, "
                                "mass: 2, velocity: [1.1651, 0.9538, -0.7058], spin: [-1.8174, -3.4058, 1.8524]}", 0.05), 1.2, ", impact: " + law, tol=1e-8)
    check(numpy.abs(got["v"][-1, 2:5]).max() < 1e-8, "a dodecahedron lies on a face", law, got["v"][-1])
got = run("turn", FLAT % ("box: {at: [0, 0, 0.25], size: [1, 1, 0.5], mass: 1, velocity: [0.7, 0.2, 0], spin: [0, 0, 2]}", 0.5), 2)
near("a box that lies on the floor turns on", got["x"][:, 0], numpy.outer(got["t"], [0.7, 0.2, 0]) + [0, 0, 0.25])
near("  by its spin", got["turn"][:, 0], [turned(numpy.array([0, 0, 2.0]), t) for t in got["t"]])
got = run("in", FALLS + "  - sphere: {name: ball, at: [0, 0, 0], radius: 0.2, mass: 1, velocity: [1, 2, 3]}\n"
          "  - box: {at: [0, 0, 0], size: [2, 2, 2], inside: true}\n"
          "  - capsule: {name: pill, at: [0.5, 0.5, 0.6], radius: 0.1, length: 0.2, axis: [1, 2, 0], mass: 1, spin: [3, 1, 4]}\n"
          "contacts:\n  - {law: rigid, e: 1}\n  - {between: [ball, pill], meet: false}\n", 1, tol=1e-9)
energy = got["kinetic"] + 10 * (got["x"][:, 0, 2] + got["x"][:, 2, 2])
near("elastic bodies in a box keep their energy", energy / energy[0], 1)

if SCHEME != "event":  # what follows is its own
    end()

# --- what is refused -----------------------------------------------------------------------------------------------------------------------

BOXES = "gravity: [0, 0, -10]\nbodies:\n%s" % "".join("  - box: {at: [%d, 0, 1], size: [0.5, 0.5, 0.5], mass: 1}\n" % (2 * i) for i in range(6))
check("1 to 5 bodies of space" in run("six", BOXES + "contacts: {law: rigid, e: 1, meet: false}\n", 1, fails=True), "six bodies")
check("no resistance to rolling" in run("rough", cube(more=", mu: 0.1, rolling: {mu: 0.1}"), 1, fails=True), "rolling")

# a light sphere between a floor and a heavy box that falls: pair by pair for ever, and to be told by springs only after very many steps
JAM = ("gravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 0.8], size: [1, 1, 0.2], mass: %g}\n  - sphere: {at: [0, 0, 0.3], radius: 0.2, mass: 1}\n"
       "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0.5, k: 1}\n")
for heavy in some((1e8, 1e6, 1e3), 3):
    for law in ("newton", "moreau"):
        at = run("jam-" + law, JAM % heavy, 0.6, ", impact: " + law, tol=1e-7)["x"][-1]
        near("a sphere that is squeezed, %g, %s" % (heavy, law), at, [[0, 0, 0.5], [0, 0, 0.2], [0, 0, 0]], 1e-6)
said = run("jam-path", JAM % 1e8, 0.5, ", impact: stronge", fails=True, tol=1e-7)
check("bodies 1 and 2" in said and "bodies 2 and 3" in said, said)

# an impact at the very end, which one flight of those that tell the error has behind it and another before it
SPINS = ("gravity: [0, 0, 0]\nbodies:\n  - box: {at: [0, 0, 1], size: [0.2, 0.9, 0.4], mass: 1, velocity: [0, 0, -1], spin: [7, -7, -6]}\n"
         "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 1}\n")
run("spins", SPINS, 1)
with h5py.File("spins.h5") as file:
    hit = file["events/time"][0]
stated = [run("spins", SPINS, until)["stated"] for until in (hit, hit + 1e-4)]
check(stated[0] < 10 * stated[1], "an impact at the end states no larger error", stated)

end()
