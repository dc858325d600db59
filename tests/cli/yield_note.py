"""A contact that may yield is told of in space, plane and rows with the same numbers; after a run by its largest force, not by the scales."""
import math
import os
import re
import subprocess

from checks import check, end

carom = os.environ["CAROM"]
ROW = """bodies: [wall: {side: left, material: MATERIAL}, chain: {count: 1, radius: 1 cm, material: steel}]
contacts: {law: hertz}
start: [{body: 1, velocity: -20 m/s}]
run: {until: 1 ms}
"""
SPACE = """bodies:
  - plane: {at: [0, 0, 0], normal: [0, 0, 1], material: MATERIAL}
  - sphere: {at: [0, 0, 10 mm], radius: 1 cm, material: steel, velocity: [0, 0, -20 m/s]}
contacts: {law: hertz}
run: {until: 1 ms}
"""
PAIR = """bodies:
  - sphere: {at: [0, 0, 0], radius: 1 cm, material: steel, velocity: [0, 0, 20 m/s]}
  - sphere: {at: [0, 0, 21 mm], radius: 1 cm, material: steel}
contacts: {law: hertz}
run: {until: 1 ms}
"""


FLAT = """bodies:
  - plane: {at: [0, 0], normal: [0, 1], material: MATERIAL}
  - sphere: {at: [0, 10 mm], radius: 1 cm, material: steel, velocity: [0, -20 m/s]}
contacts: {law: hertz}
run: {until: 1 ms}
"""


def note(text, **words):
    for old, new in words.items():
        text = text.replace(old, new)
    with open("scene.yaml", "w") as file:
        file.write(text)
    done = subprocess.run([carom, "check", "scene.yaml"], capture_output=True, text=True)
    check(done.returncode == 0, text, done.stderr)
    found = re.search(r"(\S.*) may yield: (\S+) withstands closing speeds of up to (\S+) m/s elastically there, and speeds of the order of (\S+) m/s", done.stdout)
    return found and (found[1].removeprefix("note").strip(), *found.groups()[1:])


def after(text):
    """(who, force, times) of the note after a run, or None; and its book"""
    with open("scene.yaml", "w") as file:
        file.write(text.replace("MATERIAL", "steel"))
    done = subprocess.run([carom, "run", "scene.yaml", "-o", "scene.h5"], capture_output=True, text=True)
    check(done.returncode == 0, text, done.stderr)
    found = re.search(r"(contact \d+|the contact of bodies \d+ and \d+) would yield: its force of (\S+) N at t = \S+ s presses (\S+) times", done.stdout)
    return found and (found[1], float(found[2]), float(found[3]))


for material in ("steel", "brass", "aluminium"):
    row, space, flat = (note(text, MATERIAL=material) for text in (ROW, SPACE, FLAT))
    check(row and space and row[1:] == space[1:], material, row, space)
    check(flat == space, material, flat, space)
    check(space and space[0] == "the contact of bodies 1 and 2", material, space)
# two spheres, whose R* and m* are half as large, press 4^(1/5) times as hard as one on a plane, and pressures go with V^(2/5)
one, two = note(SPACE, MATERIAL="steel"), note(PAIR)
check(two and two[0] == "the contact of two bodies like body 1" and abs(float(one[2]) / float(two[2]) / 4**0.5 - 1) < 0.01, "two spheres", two, one)
check(note(SPACE.replace("-20 m/s", "-1 mm/s"), MATERIAL="steel") is None, "slow")
spun = SPACE.replace("-20 m/s]", "-1 mm/s], spin: [0, 300 rad/s, 0]")
check(note(spun, MATERIAL="steel") is None, "a spin is no closing speed", note(spun, MATERIAL="steel"))
check(note("theory: nonsmooth\n" + SPACE.replace("law: hertz", "e: 0.5"), MATERIAL="steel") is None, "rigid")
check(note(SPACE.replace("law: hertz", "law: hertz, k: 1e9").replace(", material: MATERIAL", "")) is None, "no material")
# after a run: p = (6 F E*^2 / (pi^3 R^2))^(1/3) over 1.6 Y, F of a Hertz impact at the true closing speed
listed = subprocess.run([carom, "list", "materials"], capture_output=True, text=True).stdout
young, poisson, density, strength = (float(x) for x in re.search(r"^ *steel +(\S+) +(\S+) +(\S+) +(\S+)", listed, re.M).groups())
radius, modulus = 0.01, young / (2 * (1 - poisson**2))
k, mass = 4 / 3 * modulus * radius**0.5, density * 4 / 3 * math.pi * radius**3


def expected(speed):
    force = k * (1.25 * mass * speed**2 / k) ** 0.6
    return force, (6 * force * modulus**2 / (math.pi**3 * radius**2)) ** (1 / 3) / (1.6 * strength)


for text, who in (ROW, "contact 0"), (SPACE, "the contact of bodies 1 and 2"), (FLAT, "the contact of bodies 1 and 2"):
    got, want = after(text), expected(20.0)
    check(got and got[0] == who and abs(got[1] / want[0] - 1) < 0.006 and abs(got[2] / want[1] - 1) < 0.03, who, got, want)
oblique = SPACE.replace("10 mm]", "10.01 mm]").replace("[0, 0, -20 m/s]", "[20 m/s, 0, -0.1 m/s]")
check(expected(0.1)[1] < 1 and note(oblique, MATERIAL="steel") is not None and after(oblique) is None, "fast, but hardly closing", after(oblique))
end()
