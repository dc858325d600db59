"""Random rows and machines under theory lzb beside an integrator that shares nothing with carom: the equations of the manual
(multiple-impacts.md, "What happens inside") by Runge-Kutta of order 4, switches located by bisection. Compared are velocities
after the impact, the forces inside it and how long it lasts, at a large tolerance as well; stiffness, exponent, mass and restitution differ from contact to contact."""
import os
import subprocess
import tempfile

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
SEED = 7636
random = numpy.random.default_rng(SEED)
OPEN, IN, OUT = 0, 1, 2


class Impact:
    """x and a of all contacts, and their impulses, in time; W: a row for each contact, gap rates = W v"""

    def __init__(self, mass, W, v, k, p, es):
        self.inverse, self.W, self.v, self.k, self.p, self.es = numpy.linalg.inv(mass), W, v, k, p, es
        self.H = W @ self.inverse @ W.T
        n = len(k)
        self.y = numpy.concatenate([numpy.zeros(n), -W @ v, numpy.zeros(n)])
        self.mode = numpy.where(self.y[n:2 * n] > 0, IN, OPEN)
        self.n, self.t = n, 0.0

    def force(self, y):
        return numpy.where(self.mode != OPEN, self.k * numpy.maximum(y[:self.n], 0.0) ** self.p, 0.0)

    def rates(self, y):
        a, force = y[self.n:2 * self.n], self.force(y)
        way = numpy.where(self.mode == IN, 1.0, numpy.where(self.mode == OUT, 1.0 / self.es ** 2, 0.0))
        return numpy.concatenate([way * a, -self.H @ force, force])

    def after(self, h):
        k1 = self.rates(self.y)
        k2 = self.rates(self.y + 0.5 * h * k1)
        k3 = self.rates(self.y + 0.5 * h * k2)
        return self.y + h / 6.0 * (k1 + 2 * k2 + 2 * k3 + self.rates(self.y + h * k3))

    def switched(self, y):
        x, a = y[:self.n], y[self.n:2 * self.n]
        return numpy.where(self.mode == IN, a < 0, numpy.where(self.mode == OUT, (a > 0) | (x <= 0), a > 0))

    def step(self, h):
        """h, or to the first switch"""
        y = self.after(h)
        if self.switched(y).any():
            low, high = 0.0, h
            for _ in range(40):
                middle = 0.5 * (low + high)
                low, high = (low, middle) if self.switched(self.after(middle)).any() else (middle, high)
            h, y = high, self.after(high)
            for j in numpy.flatnonzero(self.switched(y)):
                to = {IN: OUT, OPEN: IN, OUT: IN if y[j] > 0 else OPEN}[self.mode[j]]
                y[j] = y[j] if to == OUT or self.mode[j] == OUT and to == IN else 0.0
                self.mode[j] = to
        self.y, self.t = y, self.t + h

    def run(self, h, every):
        """to the end; forces at multiples of every"""
        told = [numpy.zeros(self.n)]
        while (self.mode != OPEN).any():
            then = every * len(told)
            self.step(min(h, then - self.t))
            if self.t >= then * (1 - 1e-12):
                told.append(self.force(self.y))
        return self.v + self.inverse @ self.W.T @ self.y[2 * self.n:], numpy.array(told), self.t


def listed(numbers):
    return "[" + ", ".join(repr(float(x)) for x in numbers) + "]"


def compare(name, bodies, mass, W, v, k, p, es):
    every, h = 0.1, 0.004
    with open(name + ".yaml", "w") as scene:
        scene.write(f"units: none\ntheory: lzb\nbodies: {bodies}\n"
                    f"contacts: {{k: {listed(k)}, p: {listed(p)}, e: {listed(es)}}}\n"
                    f"start: [{{bodies: all, velocity: {listed(v)}}}]\n"
                    f"run: {{until: 1e-9, tol: 1e-9}}\nrecord: {{every: 1e-9, impact_every: {every}}}\n")
    truth, told, lasting = Impact(mass, W, numpy.array(v), k, p, es).run(h, every)
    for tol in (1e-3, 1e-6, 1e-9):
        subprocess.run([CAROM, "run", "-q", name + ".yaml", "-o", name + ".h5", "--set", f"run.tol={tol}"], check=True)
        with h5py.File(name + ".h5") as run:
            longer = run["impacts/duration"][0] / lasting - 1
        print(f"{name:12s} tol {tol:.0e}: longer by {longer:.1e}")
        check(abs(longer) < max(2 * tol, 1e-7), name, "lasts longer by", longer, "at tol", tol)
    with h5py.File(name + ".h5") as run:
        part = list(run["particles"])[0]
        found, rows = run[f"particles/{part}/velocity/value"][-1].ravel(), run["impacts/force"][()]
    rows = rows[numpy.rint(rows["time"] / every) < len(told)]
    forces = numpy.zeros_like(told)
    forces[numpy.rint(rows["time"] / every).astype(int), rows["contact"]] = rows["force"]
    apart, beside = abs(found - truth).max(), abs(forces - told).max() / told.max()
    print(f"{name:12s} velocities {apart:.1e} forces {beside:.1e}")
    check(apart < 1e-7, name, "velocities", found, truth)
    check(beside < 1.2e-5, name, "forces, of which those below 1e-5 of the largest are not told")


def row(name, n, v=None, wall=False):
    mass, nc = numpy.exp(random.uniform(-1, 1, n)), n - 1 + wall
    W = numpy.zeros((nc, n))
    for j in range(n - 1):
        W[j, j:j + 2] = -1, 1
    if wall:
        W[n - 1, n - 1] = -1
    bodies = f"[chain: {{mass: {listed(mass)}}}" + (", wall: {side: right}]" if wall else "]")
    compare(name, bodies, numpy.diag(mass), W, [1.0] + [0.0] * (n - 1) if v is None else v,
            numpy.exp(random.uniform(-1, 1, nc)), random.uniform(1, 3, nc), random.uniform(0.4, 1, nc))


os.chdir(tempfile.mkdtemp())
print("seed", SEED)
row("three", 3)
row("six", 6)
row("wall", 4, wall=True)
row("both ends", 6, v=[1, 0, 0, 0, 0, -0.6])
turning = (1 + 16) / 12 + 4  # of a block 1 wide and 4 high about a foot's height
compare("block", "[mechanism: {kind: rocking-block, gravity: 0}]", numpy.diag([1.0, turning]),
        numpy.array([[1, 0.5], [1, -0.5]]), [-1.0, 0.2], numpy.array([2.0, 5.0]), numpy.array([1.5, 1.2]),
        numpy.array([0.5, 0.8]))
lengths = numpy.array([[3.0, 0.7], [0.7, 0.49]])  # masses 2 and 1 at 1 and 0.7, both hanging down
compare("knee", "[mechanism: {kind: double-pendulum, upper_mass: 2, lower_length: 0.7, gravity: 0, wall: 0, knee: 0}]",
        lengths, numpy.array([[-1, -0.7], [1, -1]]), [0.5, 2.0], numpy.array([3.0, 1.0]), numpy.array([1.5, 2.0]),
        numpy.array([0.7, 0.9]))
end()
