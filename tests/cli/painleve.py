"""States in which Coulomb's law leaves no acceleration (Painleve), passed by moreau-jean: its step problem has a solution there, an impact without
collision that stops the slip. The impulse, and the motion about the point that sticks from then on, against closed forms."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def run(body, mu, step, until=0.04):
    with open("scene.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - box: {%s}\n  - plane: {at: [0, 0], normal: [0, 1]}\n"
                   "contacts: {law: rigid, e: 0, mu: %g}\nrun: {until: %g, scheme: moreau-jean, step: %g}\n"
                   "record: {every: %g, probes: [position, rotation, v, spin]}\n" % (body, mu, until, step, until))
    done = subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("scene.h5")], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, body, done.stderr)
    with h5py.File("scene.h5") as file:
        of = {key: file["particles/bodies/%s/value" % key][-1, 0] for key in ("position", "velocity", "rotation", "spin")}
        check(abs(file["observables/ledger/residual/value"][()]).max() < 1e-11, "ledger")
    return of["position"], of["velocity"], of["rotation"], of["spin"]


def swing(arm, inertia, spin, mass, until, n=4000):
    """A body that turns about a point that sticks: its angle and spin, by Runge and Kutta; `arm`: from that point to its centre"""
    def rate(y):
        lever = arm[0] * math.cos(y[0]) - arm[1] * math.sin(y[0])
        return numpy.array([y[1], -10.0 * mass * lever / inertia])
    y, h = numpy.array([0.0, spin]), until / n
    for _ in range(n):
        a = rate(y)
        b = rate(y + h / 2 * a)
        c = rate(y + h / 2 * b)
        y = y + h / 6 * (a + 2 * b + 2 * c + rate(y + h * c))
    return y


def passes(name, body, mu, speed, mass, moment, arm):
    """Slides at `speed` along x on a corner; arm: from the corner to the centre. The blow keeps what turns about the corner."""
    across, inertia = mass * speed * arm[1], moment + mass * (arm[0]**2 + arm[1]**2)
    spin = -across / inertia
    push = mass * numpy.array([-spin * arm[1] - speed, spin * arm[0]])
    check(push[1] > 0 and abs(push[0]) < mu * push[1], name, "it can stick", push)
    slip = math.copysign(1.0, speed)  # friction against it: does it press the corner into the floor?
    check(1 / mass + arm[0]**2 / moment + mu * slip * arm[0] * arm[1] / moment < 0, name, "there is no acceleration")
    off = []
    for step in (4e-4, 2e-4, 1e-4):
        place, velocity, angle, now = run(body, mu, step)
        wanted = swing(arm, inertia, spin, mass, 0.04)
        turned = [arm[0] * math.cos(angle) - arm[1] * math.sin(angle), arm[0] * math.sin(angle) + arm[1] * math.cos(angle)]
        off.append(max(abs(angle - wanted[0]), abs(now - wanted[1]), abs(velocity + now * numpy.array([turned[1], -turned[0]])).max()))
    print("%-20s off by %s in steps of 4e-4, 2e-4, 1e-4" % (name, ", ".join("%.1e" % x for x in off)))
    check(off[2] < 3e-3 and off[2] < 0.6 * off[1] < 0.36 * off[0], name, off)


high = 0.5 * math.sin(1) + 0.5e-6 * math.cos(1)
passes("a rod", "at: [0, %.17g], size: [1, 1e-6], turn: 1, mass: 1, velocity: [-3, 0]" % high, 3, -3.0, 1.0, 1 / 12,
       (0.5 * math.cos(1), 0.5 * math.sin(1)))
passes("a box", "at: [0, 0.5], size: [2, 1], mass: 2, velocity: [2, 0]", 1e3, 2.0, 2.0, 2 * 5 / 12, (-1.0, 0.5))
end()
