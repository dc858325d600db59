"""The rimless wheel of McGeer 1990: a polygon without mass around a small heavy hub rolls down a slope from foot to foot. Where
one strikes the spin falls to (cos 2a + I)/(1 + I) of itself, a half the angle between legs and I the hub's inertia over
m l^2; between strikes it is a pendulum. Feet answer to impulses up to 1/I times as much as the hub: what rounding leaves
there is no slip."""
import math
import os
import random
import subprocess
import sys

import h5py

from checks import check, end, fresh, near, some

CAROM = os.environ["CAROM"]
G = 10.0


def swing(angle, rate, inertia, slope, time):
    """angle and rate of the pendulum after `time`, by Runge-Kutta steps"""
    n = max(1, math.ceil(time / 1e-3))
    h = time / n
    bend = lambda x: G / (1 + inertia) * math.sin(x + slope)
    for _ in range(n):
        k1, l1 = rate, bend(angle)
        k2, l2 = rate + h / 2 * l1, bend(angle + h / 2 * k1)
        k3, l3 = rate + h / 2 * l2, bend(angle + h / 2 * k2)
        k4, l4 = rate + h * l3, bend(angle + h * k3)
        angle, rate = angle + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), rate + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return angle, rate


def walk(legs, inertia, slope, rate, strikes):
    """when feet strike, and the spin soon after; those times lie `later`"""
    a, time, out = math.pi / legs, 0.0, []
    for _ in range(strikes):
        angle, dt = -a, 0.002
        while True:  # step by step to just before the strike, then by Newton's method
            next_angle, next_rate = swing(angle, rate, inertia, slope, dt)
            if next_rate <= 0:
                return out  # it does not get over its foot
            if next_angle >= a:
                break
            angle, rate, time = next_angle, next_rate, time + dt
        t = (a - angle) / rate
        for _ in range(6):
            x, v = swing(angle, rate, inertia, slope, t)
            t -= (x - a) / v
        rate = swing(angle, rate, inertia, slope, t)[1] * (math.cos(2 * a) + inertia) / (1 + inertia)
        time += t
        out.append((time + 0.02, swing(-a, rate, inertia, slope, 0.02)[1]))
    return out


def wheel(legs, radius, slope, mu, spin, steps, run, allowed):
    a, inertia = math.pi / legs, 0.5 * radius**2
    expected = walk(legs, inertia, slope, spin, steps)
    if len(expected) < steps:
        return False
    text = f"""units: none
theory: nonsmooth
gravity: [{G * math.sin(slope)!r}, {-G * math.cos(slope)!r}]
bodies:
  - compound: {{name: wheel, at: [0, {math.cos(a)!r}], spin: {-spin!r}, velocity: [{spin * math.cos(a)!r}, {spin * math.sin(a)!r}],
      parts: [{{polygon: {{sides: {legs}, radius: 1, at: [0, 0], mass: 1e-12}}}}, {{disc: {{at: [0, 0], radius: {radius!r}, mass: 1}}}}]}}
  - plane: {{at: [0, 0], normal: [0, 1]}}
contacts: {{law: rigid, e: 0, mu: {mu!r}}}
run: {{until: {expected[-1][0] + 0.01!r}, {run}}}
record: {{times: [{", ".join(repr(t) for t, _ in expected)}], probes: [position, spin]}}
"""
    with open("wheel.yaml", "w") as file:
        file.write(text)
    done = subprocess.run([CAROM, "run", "wheel.yaml", "-o", fresh("wheel.h5")], capture_output=True, text=True, timeout=250)
    what = (legs, radius, slope, mu, spin, run)
    if not check(done.returncode == 0, what, done.stderr):
        return True
    with h5py.File("wheel.h5") as file:
        got = file["particles/mechanism/spin/value"][:]
    for (time, rate), row in zip(expected, got):
        near(row.flat[0], -rate, allowed, what, f"spin at t = {time}")
    return True


if len(sys.argv) > 1:  # a campaign: seed, number
    draw = random.Random(int(sys.argv[1]))
    for k in range(int(sys.argv[2])):
        words = (draw.choice([6, 8, 12, 20]), 10 ** draw.uniform(-5, -1), draw.uniform(0.02, 0.2), draw.choice([0.8, 1, 3]), draw.uniform(1, 2.5), 3)
        scheme = draw.choice(["event", "moreau-adaptive"])
        print(k, words, scheme, wheel(*words, f"scheme: {scheme}, tol: 1e-6", 1e-5), flush=True)
    end()

for legs, radius, slope, mu, spin in some([(12, 1e-3, 0.03, 3, 1.5), (6, 1e-4, 0.2, 0.8, 2.4), (8, 3e-3, 0.08, 1, 2.2), (20, 1e-5, 0.1, 1, 1.4), (8, 1e-3, 0.08, 1, 2.2)], 4):
    check(wheel(legs, radius, slope, mu, spin, 3, "scheme: event, tol: 1e-7", 1e-6), legs, radius, "goes on")
for legs, radius in some([(8, 1e-3), (8, 3e-3), (12, 1e-4)], 3):
    check(wheel(legs, radius, 0.08, 1, 2.2, 2, "scheme: moreau-adaptive, tol: 1e-5", 1e-5), legs, radius, "goes on")

end(9)
