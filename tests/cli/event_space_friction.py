"""Friction in space under scheme event: closed forms of balls that slide, turn, stop, roll, break away and bounce, of boxes that slide and spin on a
face; impacts along a path against the plane and moreau-jean; the ledger; the same bits by any number of threads; and what is refused."""
import math
import os
import subprocess

import h5py
import numpy

from checks import EVERY, check, end, fresh, some

CAROM = os.environ["CAROM"]
SCHEME = os.environ.get("SCHEME", "event")  # adaptive_space.py has another
ONE = 1 if SCHEME == "event" else 5  # of laws, slopes and cones that another scheme shares with event it takes one
TOL = 1e-10


def run(name, text, until, how="", theory="nonsmooth", rows=20, fails=False, threads=1):
    """Runs a scene; places, velocities and spins of its bodies, sample by sample, and what the ledger says."""
    if SCHEME != "event":
        how = how.replace("impact:", "blow:")
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: %s\n%srun: {until: %.17g, scheme: %s, tol: %g%s}\nrecord: {every: %.17g, probes: [u, v, contact_force, "
                   "friction_force, position, spin%s], events: true}\n" % (theory, text, until, SCHEME, TOL, how, until / rows, ", joint_force" * ("joints" in text)))
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5"), "--threads", str(threads)], capture_output=True, text=True, timeout=100)
    if fails:
        check(done.returncode != 0 and done.stderr.count("carom: ") == 1, name, done.stderr)
        return done.stderr
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        ledger, bodies = file["observables/ledger"], file["particles/mechanism"]
        kinetic, residual = ledger["kinetic/value"][()], ledger["residual/value"][()]
        check(numpy.abs(residual).max() <= max(1e-8, 10 * TOL) * kinetic.max() + 1e-12, name, "ledger", numpy.abs(residual).max())
        contacts = file["observables/contacts"]
        steps = int(done.stdout.split("\nsteps")[1].split(",")[0])
        return {"said": done.stdout, "steps": steps, "x": bodies["position/value"][()][:, 0], "v": bodies["velocity/value"][()][:, :3],
                "spin": bodies["spin/value"][()][:, 0],
                "t": bodies["position/time"][()], "kinetic": kinetic, "friction": ledger["mechanism/friction/value"][()],
                "all": bodies["displacement/value"][()].tobytes() + bodies["velocity/value"][()].tobytes(),
                "joint": file["particles/joints/force/value"][()] if "joints" in text else None, "press": contacts["force/value"][()], "pull": contacts["friction/value"][()]}


def near(name, got, wanted, allowed=1e-9):
    off = numpy.abs(numpy.asarray(got) - numpy.asarray(wanted)).max()
    print("%-60s %.1e" % (name, off), flush=True)
    check(off < allowed, name, off)


# --- one ball on a plane -------------------------------------------------------------------------------------------------------------------


def ball(gravity, velocity, spin, mu, e=0.0, height=0.5, more=""):
    return "gravity: [%.17g, %.17g, %.17g]\nbodies:\n  - sphere: {at: [0, 0, %g], radius: 0.5, mass: 2, velocity: [%g, %g, %g], spin: [%g, %g, %g]}\n" % (
        *gravity, height, *velocity, *spin) + "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: %g, mu: %g%s}\n" % (e, mu, more)


def slip(velocity, spin):
    return numpy.array([velocity[0] - 0.5 * spin[1], velocity[1] + 0.5 * spin[0]])


class Slide:
    """A slip u that gravity pulls by g along the plane and friction drags by k against itself, in closed form: with z the tangent of half the angle
    between them |u| is c z^p / sin, p = k / |g|, and time is a sum of powers of z."""

    def __init__(self, u, g, k):
        self.g, self.k, self.u, self.pull = numpy.asarray(g), k, numpy.asarray(u, float), math.hypot(*g)
        speed = math.hypot(*u)
        if self.pull == 0:
            self.stop = speed / k
            return
        self.axis = self.g / self.pull
        self.aside = self.u - self.axis * (self.u @ self.axis)
        self.aside /= math.hypot(*self.aside)
        angle = math.acos(self.u @ self.axis / speed)
        self.p, self.z = k / self.pull, math.tan(angle / 2)
        self.c = speed * math.sin(angle) / self.z ** self.p
        self.stop = self.time(0) if self.p > 1 else math.inf

    def sum(self, z):
        return z ** (self.p - 1) / (self.p - 1) + z ** (self.p + 1) / (self.p + 1)

    def time(self, z):
        return self.c / (2 * self.pull) * (self.sum(self.z) - self.sum(z))

    def at(self, t):
        if t >= self.stop:
            return numpy.zeros(2)
        if self.pull == 0:
            return self.u * (1 - t / self.stop)
        low, high = 0.0, self.z
        for _ in range(200):
            z = 0.5 * (low + high)
            low, high = (z, high) if z > 0 and self.time(z) > t or z == 0 else (low, z)
        angle = 2 * math.atan(z)
        return self.c * z ** self.p / math.sin(angle) * (math.cos(angle) * self.axis + math.sin(angle) * self.aside)


def rolls(name, velocity, spin, gravity, mu, until):
    """A ball thrown along a plane: it slides and, where friction does, rolls in the end."""
    got, u = run("ball", ball(gravity, velocity, spin, mu), until), slip(velocity, spin)
    g, k = numpy.array(gravity[:2]), -3.5 * mu * gravity[2]
    slide = Slide(u, g, k)
    wanted = []
    for t in got["t"]:
        v = numpy.array(velocity[:2]) + g * min(t, slide.stop) * 5 / 7 + (slide.at(t) - u) * 2 / 7
        wanted.append(v + g * max(t - slide.stop, 0) * 5 / 7)
    near(name, got["v"][:, :2], wanted)
    near(name + ", its spin", got["spin"][:, 2], spin[2])
    check((got["friction"][1:] >= got["friction"][:-1] - 1e-12).all(), name, "friction takes")
    return got, slide


got, slide = rolls("a ball slides until it rolls", (3, 0, 0), (0, 0, 0), (0, 0, -10), 0.2, 1)
near("    from t = 2 v / (7 mu g)", slide.stop, 2 * 3 / (7 * 0.2 * 10), 1e-14)
near("    at 5/7 of its speed", got["v"][-1], (15 / 7, 0, 0))
near("    what friction took", got["friction"][-1], 2 * 3 ** 2 / 7)
x = [3 * t - t * t if t < slide.stop else 3 * slide.stop - slide.stop ** 2 + 15 / 7 * (t - slide.stop) for t in got["t"]]
near("    where it is", got["x"][:, 0], x)
rolls("a ball with side spin curves", (3, 1, 0), (1, -8, 5), (0, 0, -10), 0.2, 2)
rolls("a ball that stops with its slip almost still turning", (-2, 1, 0), (0, 4, 0), (0.5, 0, -10), 0.5, 1)
rolls("a ball up a slope and, almost straight, down it", (-2, 1e-3, 0), (0, 0, 3), (4, 0, -10), 0.06, 2)
if EVERY:
    rolls("a ball with back spin comes back", (2, 0, 0), (0, -20, 0), (0, 0, -10), 0.3, 3)
    rolls("a ball on a slope turns downhill and rolls", (1, -2, 0), (3, 1, -2), (1, 0.4, -10), 0.2, 2)
    rolls("a ball up a slope, friction little more than its pull", (-2, 1, 0), (0, 0, 0), (2, 0, -10), 0.06, 3)
    rolls("a ball that slides down for ever", (-2, 1, 0), (0, 0, 3), (4, 1, -10), 0.06, 2)

for g, mu, part in some((((2, 1, -10), 0.3, 5 / 7), ((0, 0, -10), 0.3, 0)), 2 * ONE):  # from rest
    got = run("rest", ball(g, (0, 0, 0), (0, 0, 0), mu), 1)
    near("a ball from rest rolls", got["v"][:, :2], [numpy.array(g[:2]) * part * t for t in got["t"]])
got = run("rest", ball((3, 4, -10), (0, 0, 0), (0, 0, 0), 0.1), 1)  # rolling would take mu = 2/7 tan
near("a ball from rest slides where friction does not do", got["v"][:, :2], [(0.6 * 4 * t, 0.8 * 4 * t) for t in got["t"]])
got = run("static", ball((3, 4, -10), (0, 0, 0), (0, 0, 0), 0.1, more=", mu_static: 0.2"), 1)
near("a ball at rest that mu_static holds", got["v"][:, :2], [(15 / 7 * t, 20 / 7 * t) for t in got["t"]])


# --- bounces -------------------------------------------------------------------------------------------------------------------------------


def bounces(velocity, spin, mu, e, until, times):
    v, w, z, t = numpy.array(velocity, float), numpy.array(spin, float), 1.0, 0.0
    hits = []
    while True:
        fall = (v[2] + math.sqrt(v[2] ** 2 + 20 * z)) / 10
        hits.append((t, v.copy(), z))
        if t + fall > until:
            break
        t, z = t + fall, 0.0
        v[2] -= 10 * fall
        u, blow = slip(v, w), -(1 + e) * v[2]
        push = -u * min(2 / 7, mu * blow / max(math.hypot(*u), 1e-300))
        v = numpy.array([v[0] + push[0], v[1] + push[1], -e * v[2]])
        w[:2] += numpy.array([push[1], -push[0]]) / (0.4 * 0.5)
    out = []
    for s in times:
        t, v, _ = [h for h in hits if h[0] <= s][-1]
        out.append((v[0], v[1], v[2] - 10 * (s - t)))
    return out


for velocity, spin, mu in some((((1, 2, 0), (3, 30, -5), 0.2), ((0, 0, 0), (0, 40, 0), 0.5), ((1, 2, 0), (3, 30, -5), 2.0)), 2 * ONE):
    got = run("bounce", ball((0, 0, -10), velocity, spin, mu, e=0.8, height=1.5), 2)
    near("a ball that bounces and spins, mu = %g" % mu, got["v"], bounces(velocity, spin, mu, 0.8, 2, got["t"]))
got = run("rest", ball((1, 0, -10), (1, 2, 0), (3, 30, -5), 0.3, e=0.5, height=0.6), 3)  # bounces die out: it rolls
near("a ball whose bounces die out rolls", got["v"][-1] - got["v"][-2], (5 / 7 * 0.15, 0, 0), 1e-8)


# --- boxes ---------------------------------------------------------------------------------------------------------------------------------


def box(gravity, velocity, spin, mu, e=0.0):
    return "gravity: [%g, %g, %g]\nbodies:\n  - box: {at: [0, 0, 0.25], size: [2, 1, 0.5], mass: 2, velocity: [%g, %g, 0], spin: [0, 0, %g]}\n" % (
        *gravity, *velocity, spin) + "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: %g, mu: %g}\n" % (e, mu)


for gravity, velocity, mu in some((((3, 0, -10), (0, 0), 0.2), ((1, 0.5, -10), (-1, 0.5), 0.2), ((0, 0, -10), (1, 0.5), 0.2), ((1, 0, -10), (0, 0), 0.2)), 2 * ONE):
    got = run("box", box(gravity, velocity, 0, mu), 1)
    if velocity == (0, 0):
        wanted = [(max(gravity[0] - 10 * mu, 0) * t, 0) for t in got["t"]]
    else:
        slide = Slide(velocity, gravity[:2], 10 * mu)
        wanted = [slide.at(t) for t in got["t"]]
    near("a box that slides on its face, mu = %g" % mu, got["v"][:, :2], wanted)
got = run("spin", box((0, 0, -10), (0, 0), 3, 0.2), 1)
arm, inertia = math.hypot(1, 0.5), (4 + 1) / 12
near("a box that spins on its face", got["spin"][:, 2], [max(3 - 2 * arm / inertia * t, 0) for t in got["t"]])

# --- slips that begin, and turn ----------------------------------------------------------------------------------------------------------------

# a force that turns and grows breaks a box away: friction turns the young slip in no time, and steps are as long as the motion lets them be
PUSHED = """gravity: [1, 0.5, -10]
bodies:
  - box: {at: [0, 0, 0.25], size: [1, 0.6, 0.5], mass: 2}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
loads:
  - {body: 1, force: [-11.7561, 12.5329, 6.47178], signal: {shape: sine, frequency: 2.06438, phase: 0.480689}}
contacts: {law: rigid, e: 0, mu: 0.5}
"""
# a ball that rolls off an edge, where the normal turns and rolling becomes sliding
EDGE = """gravity: [0, 0, -10]
bodies:
  - sphere: {at: [0.1, 0.05, 0.8], radius: 0.2, mass: 1, velocity: [1.1, 0.9, 0]}
  - box: {at: [0, 0, 0.3], size: [1, 0.8, 0.6], fixed: true}
contacts: {law: rigid, e: 0, mu: 0.3}
"""
for name, text, most in some((("a box that is pushed aside", PUSHED, 600), ("a ball off an edge", EDGE, 300)), 2) if SCHEME == "event" or EVERY else ():
    TOL = 1e-9
    fine = run("fine", text, 0.6, ", share: 0.01")
    TOL = 1e-7
    got = run("young", text, 0.6, ", share: 0.01")
    near(name, got["x"], fine["x"], 1e-6)
    near("    its spin", got["spin"], fine["spin"], 1e-5)
    print("    in %d steps" % got["steps"])
    check(got["steps"] < most, name, "took", got["steps"], "steps")
TOL = 1e-10

# on the very edge of mu_static rounding decides, and nothing is promised; a load that grows until it breaks away is another thing
HELD = "gravity: [%g, %g, -10]\nbodies:\n  - box: {at: [0, 0, 0.25], size: [1, 0.6, 0.5], mass: 2}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n" \
       "%scontacts: {law: rigid, e: 0, mu: 0.3, mu_static: %.17g}\n"
for more, sure in some(((0, False), (-1e-5, True), (1e-5, True)), 2):
    said = run("edge", HELD % (3.2, 2.4, "", 0.4 + more), 0.1)["said"]
    check(("NO PROMISE" not in said) == sure and ("mu_static" in said.split("error")[1]) != sure, "the edge", more, said)
got = run("ramp", HELD % (0, 0, "loads: [{body: 1, force: [7.2, 5.4, 0], signal: {shape: ramp, amplitude: 1, duration: 1}}]\n", 0.4), 1)
check("NO PROMISE" not in got["said"] and got["kinetic"][-1] > 1e-3, "a load that grows", got["kinetic"][-1], got["said"])

# --- joints --------------------------------------------------------------------------------------------------------------------------------

# a ball on a string rolls in a circle: friction turns its spin and pulls outwards by 2/5 m v^2 / R, the string by 7/5 of it along the floor
text = ball((0, 0, -10), (0, 1, 0), (-2, 0, 0.5), 0.1).replace("at: [0, 0, 0.5]", "at: [1, 0, 0.5]").replace(
    "contacts", "joints:\n  - distance: {bodies: [1, world], at: [1, 0, 0.5], to: [0, 0, 1.5]}\ncontacts")
got = run("circle", text, 3)
near("a ball on a string rolls in a circle", got["x"], [(math.cos(t), math.sin(t), 0.5) for t in got["t"]])
near("    how it is pressed", got["press"], 20 - 2.8, 1e-8)
near("    and held", got["pull"], 0.8, 1e-8)
near("    what the string does", got["joint"][:, 0], [(-2.8 * math.cos(t), -2.8 * math.sin(t), 2.8) for t in got["t"]], 1e-7)
got = run("circle", text.replace("mu: 0.1", "mu: 0.03"), 1, rows=1000)  # friction does not do: it slides
speed = numpy.hypot(got["v"][:, 0], got["v"][:, 1])
check((got["friction"][1:] > got["friction"][:-1]).all() and speed[-1] < 1, "a ball on a string that slides", speed)
wanted = numpy.gradient(got["v"], got["t"], axis=0, edge_order=2)
push = 2 * (wanted + (0, 0, 10)) - got["joint"][:, 0]  # what the floor does
near("    its motion and the string tell of friction", numpy.hypot(push[:, 0], push[:, 1])[1:-1], got["pull"][1:-1, 0], 1e-5)
near("    and how it is pressed", push[1:-1, 2], got["press"][1:-1, 0], 1e-5)

# --- impacts along a path ------------------------------------------------------------------------------------------------------------------

# a ball: normal and tangents do not know each other, so that all laws say the same
scene = ball((0, 0, -10), (3, -1, 0), (2, 4, -2), 0.1, e=0.6, height=1.5)
wanted = run("by-moreau", scene, 2)
for law in some(("lzb", "poisson", "stronge"), 3 * ONE):
    near("a ball that bounces with spin, by " + law, run("by-" + law, scene, 2, ", impact: " + law)["x"], wanted["x"], 1e-10)

# a box that falls onto an edge, two corners at once, against the box of the plane, which has one corner
TALL = "gravity: [%s-10]\nbodies:\n  - box: {at: [%s1.3], size: [%s], mass: 2, turn: %s, velocity: [%s-1], spin: %s}\n" \
       "  - plane: {at: [%s0], normal: [%s1]}\ncontacts: {law: rigid, e: 0.5, mu: 0.4}\n"
FLAT = TALL % ("0, ", "0, ", "0.5, 1.2", "0.5", "0.6, ", "-2", "0, ", "0, ")
DEEP = TALL % ("0, 0, ", "0, 0, ", "0.5, 0.8, 1.2", "{axis: [0, -1, 0], angle: 0.5}", "0.6, 0, ", "[0, 2, 0]", "0, 0, ", "0, 0, ")


def places(name, text, law, until):
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\n%srun: {until: %g, scheme: %s, tol: 1e-10, %s: %s}\nrecord: {every: 0.05, "
                   "probes: [position]}\n" % (
                       text, until, SCHEME, "impact" if SCHEME == "event" else "blow", law if SCHEME == "event" else law.replace("moreau", "newton")))
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", name + ".h5"], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        return file["particles/mechanism/position/value"][()][:, 0]


left = set()
for law in some(("moreau", "poisson", "stronge", "lzb"), 2 * ONE):
    plane, space = places("flat", FLAT, law, 1), places("deep", DEEP, law, 1)
    near("a box on an edge against that of the plane, by " + law, space[:, (0, 2)], plane, 1e-9)
    near("    it stays in its plane", space[:, 1], 0, 1e-9)
    left.add(round(plane[-1, 0], 6))
check(len(left) == (3 if EVERY else 2 if ONE == 1 else 1), "three meanings of e, two of moreau and stronge", left)

# a box that falls onto a corner, just after that, against small steps of moreau-jean
CORNER = "gravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 1], size: [1, 0.6, 0.3], mass: 1, turn: {axis: [0.3, 1, 0.2], angle: 0.7}, " \
         "velocity: [2, 1, 0], spin: [1, -3, 2]}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0.6, mu: %g}\n"
for mu, law in some(((0.1, "poisson"), (0.1, "stronge"), (0.8, "poisson"), (0.8, "stronge")), 3 * ONE):
    with open("steps.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\n%srun: {until: 0.4, scheme: moreau-jean, step: 2e-5, blow: %s}\nrecord: {every: 0.4}\n" % (
            CORNER % mu, law))
    done = subprocess.run([CAROM, "run", "steps.yaml", "-o", "steps.h5"], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, law, done.stderr)
    got = run("corner", CORNER % mu, 0.4, ", impact: " + law, rows=1)
    with h5py.File("steps.h5") as file:
        kinetic = file["observables/ledger/kinetic/value"][()][-1]
    near("a box on a corner against moreau-jean, mu = %g, by %s" % (mu, law), got["kinetic"][-1], kinetic, 2e-3)

if SCHEME != "event":  # what follows is its own
    end()

# --- impacts that Coulomb's law leaves open ------------------------------------------------------------------------------------------------

LANDS = "gravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 0.5], size: [0.4, 0.3, 0.2], mass: 1, velocity: [1, 0.2, 0], spin: [0, 0, %g]}\n" \
        "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0, mu: 0.2}\n"
PEGS = "gravity: [3.3552, 0, -9.2184]\nbodies:\n  - box: {at: [-0.1, 0, 0.1], size: [0.1, 0.1, 0.2], mass: 1, velocity: [1, 0, 0]}\n" \
       "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n  - sphere: {at: [0.1, 0.03, %g], radius: %g, fixed: true}\n" \
       "  - sphere: {at: [0.1, -0.03, %g], radius: %g, fixed: true}\ncontacts: {law: rigid, e: 0, mu: 0.2}\n"
TOL = 1e-8
# corners of a face share its impulse in many ways, which turn it differently if they slip different ways; pegs beside corners hold what the floor may
for name, text, until, open_ in some((("a box that slides and spins falls flat", LANDS % 3, 0.3, True),
                                      ("against pegs", PEGS % (0.005, 5e-3, 0.005, 5e-3), 0.4, True),
                                      ("against pegs in its middle", PEGS % (0.1, 5e-3, 0.1, 5e-3), 0.4, False),
                                      ("onto a corner", LANDS.replace("spin: [0, 0, %g]", "turn: {axis: [1, 0.3, 0.2], angle: 0.4}"), 0.25, False),
                                      ("a box that slides falls flat", LANDS % 0, 0.3, False)), 4):
    said = run("open", text, until)["said"]
    check(("Coulomb's law does not say how contact" in said) == open_, name, said)
TOL = 1e-10

# A cube that slides under a ball begins to tip: who slips is asked with slips so fast that forces turn them by 1e-4 only, and what that left of their
# directions said that two corners lift where forces of the flight held them, without end.
TIPS = "gravity: [10, 0, -10]\nbodies:\n  - polyhedron: {kind: cube, at: [0, 0, 0.17320508075688773], radius: 0.3, mass: 20, velocity: [1.3, -0.7, 0]}\n" \
       "  - sphere: {at: [0.03, 0.02, 0.44641016151377544], radius: 0.1, mass: 5}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n" \
       "contacts: {law: rigid, e: 1, mu: 1}\n"
TOL = 1e-6
near("tips in the end", run("tips", TIPS, 0.05, ", share: 0.01")["x"][:, 0], run("tips", TIPS, 0.05, ", share: 1e-5")["x"][:, 0], 1e-6)
TOL = 1e-10

# A box strikes the corner of another that stands on four: corners that were beginning to slip were told to go on so where friction held them with less than
# the cone, while others stuck, without end. A smaller share is the same motion.
CORNER = "gravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 0.25], size: [1, 1, 0.5], mass: 5}\n" \
         "  - box: {at: [0.4, 0.2, 0.9], size: [0.5, 0.4, 0.3], mass: 1, turn: {axis: [1, 2, 0.3], angle: 0.3}}\n" \
         "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0.2, mu: 0.4}\n"
TOL = 1e-6
struck = run("struck", CORNER, 0.35, ", share: 1e-3")["x"][-1]
near("a box on another: shares", struck, run("struck", CORNER, 0.35, ", share: 1e-4")["x"][-1], 1e-6)
TOL = 1e-10

# --- the rest ------------------------------------------------------------------------------------------------------------------------------

scene = ball((1, 0.4, -10), (1, -2, 0), (3, 1, -2), 0.2, e=0.5, height=0.8)
check(run("one", scene, 2)["all"] == run("four", scene, 2, threads=4)["all"], "other bits by four threads")
for impact in ("newton", "lzb-impulse"):
    said = run("refused", scene, 1, ", impact: " + impact, fails=True)
    check("friction" in said and "moreau" in said, impact, said)

# Steps of moreau-jean let a box sink into the floor: event does not begin there, and says what does.
sunk = "units: none\ntheory: nonsmooth\ngravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 0.27], size: [1, 1, 0.5], mass: 5}\n" \
       "  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\ncontacts: {law: rigid, e: 0.2, mu: 0.4}\nrun: {until: %s}\n"
for name, how, more in (("sinks", "0.4, scheme: moreau-jean, step: 1e-3", ""), ("goes on", "0.1, scheme: moreau-jean, step: 1e-3", "start: {run: sinks.h5}\n"),
                        ("refuses", "0.1, scheme: event", "start: {run: sinks.h5}\n")):
    with open(name + ".yaml", "w") as file:
        file.write(sunk % how + more)
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5"), "-q"], capture_output=True, text=True, timeout=100)
    check((done.returncode != 0) == (name == "refuses"), name, done.stderr)
check("let bodies sink by as much: go on from there with moreau-jean" in done.stderr, done.stderr)
end()
