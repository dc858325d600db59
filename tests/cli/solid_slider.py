#!/usr/bin/env python3
# Sliders between balls and cells of solids: down a slope on two cells of a heavy stiff block, in the plane and in space,
# against the closed form, a slider to the world, and the force that it bears; its motors and its limits; the energy of
# what slides along a beam that bends; the same bits on two threads and of a run cut in two; what is refused, and what a
# scene with joints is told about bodies that settle.
import os
import pathlib
import subprocess

import h5py
import numpy as np

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*arguments, status=0):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True)
    check(done.returncode == status, arguments, done.returncode, done.stderr)
    return done


def run(name, text, *options):
    pathlib.Path(f"{name}.yaml").write_text(text)
    carom("run", f"{name}.yaml", "-o", f"{name}.h5", "-q", *options)
    return read(name)


def read(name):
    with h5py.File(f"{name}.h5") as file:
        items = [file[f"particles/{item}/value"][()] for item in ("balls/displacement", "joints/force", "cells/displacement")]
        ledger = file["observables/ledger"]
        return [file["particles/balls/displacement/time"][()], *items, ledger["residual/value"][()], ledger["kinetic/value"][()]]


SLOPE = """
theory: solid
gravity: GRAVITY
bodies:
  - solid:
      gravity: REST
      BOX
      material: {young: 1e10, poisson: 0.3, density: 1e5}
      clamps: [{face: bottom}]
  - BALL
joints: [JOINTS]
contacts: {law: hertz, k: 1e9}
run: {until: 0.1}
record: {every: 0.005, probes: [u, joint_force]}
"""


def slope(plane, joints, gravity=9.81, x=0.075, speed=0.0):
    text = SLOPE.replace("JOINTS", joints)
    place = (lambda x, y: f"[{x}, {y}]") if plane else (lambda x, y: f"[{x}, 0.075, {y}]")
    words = {"GRAVITY": place(0, -gravity).replace("0.075", "0"), "REST": place(0, 0).replace("0.075", "0"),
             "BOX": "box: {size: [0.4, 0.2], cells: [8, 4]}\n      depth: 1" if plane else "box: {size: [0.4, 0.15, 0.2], cells: [8, 3, 4]}",
             "BALL": f"{'disc' if plane else 'sphere'}: {{name: ball, at: {place(x, 0.175)}, radius: 0.02, mass: 0.1, "
                     f"velocity: {place(2 * speed, -speed).replace('0.075', '0')}}}"}
    for word, by in words.items():
        text = text.replace(word, by)
    return text


def rail(plane, more=""):
    at, axis = ("[0.075, 0.175]", "[0.2, -0.1]") if plane else ("[0.075, 0.075, 0.175]", "[0.2, 0, -0.1]")
    other = "[0.275, 0.075]" if plane else "[0.275, 0.075, 0.075]"
    return f"slider: {{bodies: [ball, {{near: {at}}}], axis: {axis}{more}}}, slider: {{bodies: [ball, {{near: {other}}}], axis: {axis}}}"


# The block weighs 7 t, in space 1 t, but a cell of it rings by as much as it weighs less: 1e-6 of the way, 5e-3 of the force
along, across, mass = np.array([2, -1]) / 5**0.5, np.array([1, 2]) / 5**0.5, 0.1
for plane in (True, False):
    name, ways = ("plane", [0, 1]) if plane else ("space", [0, 2])
    axis = "[0.2, -0.1]" if plane else "[0.2, 0, -0.1]"
    t, u, force, *_ = run(name, slope(plane, rail(plane)))
    way = 0.5 * 9.81 / 5**0.5 * t**2
    u, force = u[:, 0, ways], force[1:, :, ways].sum(axis=1)
    off = abs(u @ along - way).max(), abs(u @ across).max()
    check(max(off) < 1e-7 * way[-1], name, "it slides down the slope", *off)
    bears = abs(force @ across / (mass * 9.81 * 2 / 5**0.5) - 1).max()
    check(abs(force @ along).max() < 1e-6 and bears < 5e-3, name, "its rail bears its weight", abs(force @ along).max(), bears)
    rigid = run("rigid", slope(plane, f"slider: {{bodies: [ball, world], axis: {axis}}}", x=5))[1]
    check(abs(u - rigid[:, 0, ways]).max() < 1e-7 * way[-1], name, "as on a slider to the world", abs(u - rigid[:, 0, ways]).max())
    # motors and a stop, without weight
    t, u, *_ = run("fast", slope(plane, rail(plane, ", speed: 0.7"), 0))
    check(abs(u[:, 0, ways] @ along - 0.7 * t).max() < 1e-5 * 0.07, name, "a motor keeps its speed", abs(u[:, 0, ways] @ along - 0.7 * t).max())
    t, u, *_ = run("pushed", slope(plane, rail(plane, ", force: 0.5"), 0))
    push = 0.5 * 0.5 / mass * t**2
    check(abs(u[:, 0, ways] @ along - push).max() < 1e-7 * push[-1], name, "a motor pushes", abs(u[:, 0, ways] @ along - push).max())
    # half a swing of a spring whose dashpot leaves half of the speed; the cells of the block take a little more
    t, u, *_ = run("stopped", slope(plane, rail(plane, ", limits: [-0.1, 0.03], k: 1e5, e: 0.5"), 0, speed=0.3))
    fast, fall = 0.3 * 5**0.5, np.log(2)
    stays = (np.pi**2 + fall**2) ** 0.5 / (1e5 / mass) ** 0.5
    back = 0.03 - 0.5 * fast * (t - 0.03 / fast - stays)
    after = t > 0.03 / fast + stays
    off = abs(u[:, 0, ways] @ along - back)[after]
    check(len(off) > 8 and off.max() < 2e-4, name, "a limit sends it back", off.max())

BEAM = """
theory: solid
gravity: [0, -9.81]
bodies:
  - solid: {box: {size: [0.2, 0.02], cells: [10, 2]}, depth: 0.02, material: nylon, clamps: [{face: left}]}
  - disc: {name: ball, at: [0.1, 0.02], radius: 0.01, material: steel, velocity: [3, 0]}
joints:
  - slider: {bodies: [ball, {box: [[0.04, 0], [0.08, 0.02]]}], axis: [1, 0]}
  - slider: {bodies: [ball, {face: right}], axis: [1, 0]}
contacts: {law: hertz}
run: {until: 4 ms, step: 0.5 us}
record: {every: 0.1 ms, probes: [u, joint_force]}
"""
worst = []
for step in (0.5, 0.25):  # us: 8000 and 16000 steps
    *_, residual, kinetic = run("beam", BEAM, "--set", f"run.step={step} us")
    worst.append(abs(residual).max() / kinetic.max())
check(worst[1] < 1e-9 and 3.5 < worst[0] / worst[1] < 4.5, "energy", worst)

even = ("--set", f"run.step={2**-21}", "--set", f"record.every={2**-13}", "--set")  # no step is cut where the run is
whole = run("whole", BEAM, *even, f"run.until={2**-8}")
run("two", BEAM, *even, f"run.until={2**-8}", "--threads", "2")
run("cut", BEAM, *even, f"run.until={2**-9}")
carom("resume", "cut.h5", "-q", "--until", f"{2**-8}")
for name in ("two", "cut"):
    check(all((a == b).all() for a, b in zip(whole, read(name))), "the same bits", name)

for joint, sentence in (
    ("weld: {bodies: [ball, {face: right}]}", "a hinge, a slider or a distance holds a ball to them"),
    ("slider: {bodies: [ball, {face: right}]}", "axis is missing"),
    ("slider: {bodies: [ball, {face: right}], axis: [1, 0], torque: 1}", "a slider is driven by a force"),
    ("slider: {bodies: [ball, {face: right}], axis: [1, 0], at: [0.1, 0.02]}", "held in their centre of mass"),
    ("slider: {bodies: [ball, {face: left}], axis: [1, 0]}", "clamped or driven"),
    ("slider: {bodies: [ball, {face: right}], axis: [0, 1]}", "velocities at the start go across it"),
    ("hinge: {bodies: [ball, {face: right}], speed: 1}", "no turn that angles count from"),
):
    pathlib.Path("wrong.yaml").write_text(BEAM[: BEAM.index("  - slider")] + f"  - {joint}\n" + BEAM[BEAM.index("contacts") :])
    done = carom("check", "wrong.yaml", status=3)
    check(sentence in done.stderr and done.stderr.count("\n") == 1, joint, done.stderr)

# what settles beside joints settles alone: it is told who would have been there, but not where nobody would
RESTING = """
theory: solid
gravity: [0, -9.81]
bodies:
  - solid: {name: low, box: {size: [0.2, 0.1], cells: [4, 2]}, depth: 0.1, material: nylon, clamps: [{face: bottom}]LOADS}
  - solid: {name: high, box: {size: [0.2, 0.1], cells: [4, 2], origin: [0, HEIGHT]}, depth: 0.1, material: nylon, clamps: [{face: top}]}
  - disc: {name: bob, at: [0.3, 0.075], radius: 0.01, mass: 0.5}
joints: [JOINT]
start: [{settle: true}]
contacts: {law: hertz, k: 1e7}
run: {until: 1 ms, step: 1 us}
"""
hinge = "hinge: {bodies: [bob, {body: low, near: [0.2, 0.1]}]}"
level = hinge.replace("hinge", "distance")  # carries nothing at first
load = ", loads: [{near: [0.2, 0.1], force: [0, -4.9], during: start}]"
alone, hung = "each body settles alone: its ties and contacts begin to act with the run", "what hangs on cells of low falls onto it"
for height, joint, loads, told in ((0.3, hinge, "", {hung}), (0.3, hinge, load, set()), (0.1, hinge, load, {alone}), (0.1, hinge, "", {alone, hung}),
                                   (0.3, "hinge: {bodies: [bob, world], at: [0.3, 0.1]}", "", set()), (0.3, level, "", set())):
    text = RESTING.replace("HEIGHT", str(height)).replace("JOINT", joint).replace("LOADS", loads)
    pathlib.Path("resting.yaml").write_text(text)
    done = carom("check", "resting.yaml")
    check({words for words in (alone, hung) if words in done.stdout} == told and done.stdout.count("line 9: ") == len(told), joint, height, done.stdout)
text = RESTING.replace("HEIGHT", "0.3").replace("JOINT", level).replace("LOADS", "")
text = text.replace("  - disc: {name: bob, at: [0.3, 0.075], radius: 0.01, mass: 0.5}\n", "")
pathlib.Path("nobody.yaml").write_text(text.replace("law: hertz", "law: linear-dashpot"))
check("joints has no meaning here" in carom("check", "nobody.yaml", status=3).stderr, "joints of no ball")
end()
