"""A contact that would yield is told of in space as in rows, with the same numbers; slow, rigid and unknown ones are not."""
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


def note(text, **words):
    for old, new in words.items():
        text = text.replace(old, new)
    with open("scene.yaml", "w") as file:
        file.write(text)
    done = subprocess.run([carom, "check", "scene.yaml"], capture_output=True, text=True)
    check(done.returncode == 0, text, done.stderr)
    found = re.search(r"(\S.*) would yield: closing with (\S+) m/s it presses (\S+) times as hard as (\S+) bears", done.stdout)
    return found and (found[1].removeprefix("note").strip(), *found.groups()[1:])


for material in ("steel", "brass", "aluminium"):
    row, space = note(ROW, MATERIAL=material), note(SPACE, MATERIAL=material)
    check(row and space and row[1:] == space[1:], material, row, space)
    check(space and space[0] == "the contact of bodies 1 and 2", material, space)
# two spheres, whose R* and m* are half as large, press 4^(1/5) times as hard as one on a plane
one, two = note(SPACE, MATERIAL="steel"), note(PAIR)
check(two and two[0] == "the contact of two bodies like body 1" and abs(float(two[2]) / float(one[2]) / 4**0.2 - 1) < 0.03, "two spheres", two, one)
check(note(SPACE.replace("-20 m/s", "-1 mm/s"), MATERIAL="steel") is None, "slow")
check(note("theory: nonsmooth\n" + SPACE.replace("law: hertz", "e: 0.5"), MATERIAL="steel") is None, "rigid")
check(note(SPACE.replace("law: hertz", "law: hertz, k: 1e9").replace(", material: MATERIAL", "")) is None, "no material")
end()
