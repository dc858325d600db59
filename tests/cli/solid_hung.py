#!/usr/bin/env python3
# What joints hold to solids, at rest: a bob on a rod below a column that has settled with the bob's weight as a load of the
# start, against the stretch of springs in series; a mass that two hinges, in space three balls, hold beyond the end of a
# beam as a weld would, against Timoshenko's beam; welds themselves are refused with what to write instead.
import os
import pathlib
import subprocess

import h5py

from checks import check, end

CAROM = os.environ["CAROM"]


def run(name, text):
    pathlib.Path(f"{name}.yaml").write_text(text)
    done = subprocess.run([CAROM, "run", f"{name}.yaml", "-o", f"{name}.h5", "-q"], capture_output=True, text=True)
    if not check(done.returncode == 0, name, done):
        end()
    with h5py.File(f"{name}.h5") as file:
        return [file[f"particles/{item}/value"][()] for item in ("cells/displacement", "balls/displacement", "joints/force")]


HANGING = """
theory: solid
gravity: [0, 0, -9.81]
bodies:
  - solid:
      box: {size: [0.2, 0.2, 1], cells: [2, 2, 10]}
      material: {young: 1e7, poisson: 0, density: 1000}
      clamps: [{face: top}]
      LOADS
  - sphere: {name: bob, at: [0.1, 0.1, -0.5], radius: 0.1, mass: 50}
joints: [distance: {bodies: [bob, {face: bottom}]}]
start: [{settle: true}]
contacts: {law: hertz, k: 1e7}
run: {until: 0.1}
record: {every: 0.005, probes: [u, joint_force]}
"""
weight, cell, soft = 50 * 9.81, 4 * 9.81, 0.1 / (1e7 * 0.04)  # of the bob, of the four cells of a layer, of a layer's links
u, bob, force = run("hanging", HANGING.replace("LOADS", f"loads: [{{face: bottom, force: [0, 0, {-weight}], during: start}}]"))
cell *= 4 * 1000 * 0.1**3 / 4  # a cell has 1 kg
stretch = soft * (9 * weight + 45 * cell)
check(abs(u[:, :4, 2] + stretch).max() < 1e-12, "the column stretches as springs in series", u[0, 0, 2], stretch)
check(abs(u - u[0]).max() < 1e-14 and abs(bob).max() < 1e-14, "nothing moves")
check(abs(force[1:, 0, 2] / weight - 1).max() < 1e-9, "the rod bears the weight", force[1:, 0, 2])
u, bob, force = run("falling", HANGING.replace("LOADS", ""))
check(force[1:, 0, 2].max() > 1.5 * weight, "without it the bob falls onto the rod", force[1:, 0, 2].max())

LENGTH, YOUNG, FAR = 0.95, 1e9, 0.225  # from the middles of the cells that are held to those that hold; how far the mass is from them
BEAM = """
theory: solid
gravity: GRAVITY
bodies:
  - solid:
      gravity: REST
      BOX
      material: {young: 1e9, poisson: 0, density: 1000}
      clamps: [{face: left}]
      damping: {mass: 160}
  - BALL
joints: [JOINTS]
contacts: {law: hertz, k: 1e8}
run: {until: UNTIL}
record: {every: 0.02, probes: [u, joint_force]}
"""


def beam(name, until, gravity, rest, box, ball, joints):
    text = BEAM
    for word, by in (("GRAVITY", gravity), ("REST", rest), ("BOX", box), ("BALL", ball), ("JOINTS", joints), ("UNTIL", until)):
        text = text.replace(word, str(by))
    return text


PLANE = (0.2, "[0, -9.81]", "[0, 0]", "box: {size: [1, 0.1], cells: [20, 2]}\n      depth: 0.1\n      plane: stress",
         "disc: {name: mass, at: [1.2, 0.05], radius: 0.05, mass: 2}")
SPACE = (0.2, "[0, 0, -9.81]", "[0, 0, 0]", "box: {size: [1, 0.1, 0.1], cells: [20, 2, 2]}",
         "sphere: {name: mass, at: [1.2, 0.05, 0.05], radius: 0.05, mass: 2}")
low, high = "[[0.95, 0], [1, 0.05]]", "[[0.95, 0.05], [1, 0.1]]"
front, middle, back = "[[0.95, 0, 0], [1, 0.1, 0.05]]", "[[0.95, 0, 0.05], [1, 0.05, 0.1]]", "[[0.95, 0.05, 0.05], [1, 0.1, 0.1]]"
bend, load = YOUNG * 0.1**4 / 12, 2 * 9.81
sinks = load * (LENGTH**3 / (3 * bend) + FAR * LENGTH**2 / bend + FAR**2 * LENGTH / bend + LENGTH / (5 / 6 * YOUNG / 2 * 0.1**2))
for name, body, joints, place in (("plane", PLANE, [f"hinge: {{bodies: [mass, {{box: {box}}}]}}" for box in (low, high)], 1),
                                  ("space", SPACE, [f"ball: {{bodies: [mass, {{box: {box}}}]}}" for box in (front, middle, back)], 2)):
    u, mass, force = run(name, beam(name, *body, ", ".join(joints)))
    check(0.995 < mass[-1, 0, place] / -sinks < 1.012, f"{name}: the mass sinks as Timoshenko says", mass[-1, 0], sinks)
    check(abs(force[-1, :, place].sum() / load - 1) < 0.02, f"{name}: its joints bear it", force[-1])

for body, box, sentence in ((PLANE, "{face: right}", "two hinges to different cells"), (SPACE, "{face: right}", "three balls to different cells")):
    pathlib.Path("weld.yaml").write_text(beam("weld", *body, f"weld: {{bodies: [mass, {box}]}}"))
    done = subprocess.run([CAROM, "check", "weld.yaml"], capture_output=True, text=True)
    check(done.returncode == 3 and sentence in done.stderr and done.stderr.count("\n") == 1, done)
end()
