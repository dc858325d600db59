#!/usr/bin/env python3
# What a solid says of itself before it runs: that it rests where it cannot stay, that a force moves nothing, how many
# cells bending needs; and the buckled rest, which a small load across leads to, is the elastica.
import math
import os
import pathlib
import subprocess

import h5py

from checks import check, end, near

CAROM = os.environ["CAROM"]


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True)


def scene(body, rest="start: [{settle: true}]"):
    pathlib.Path("scene.yaml").write_text(f"""
theory: solid
units: none
bodies:
  - solid:
      {body}
{rest}
run: {{until: 1}}
record: {{every: 1, probes: [u]}}
""")


def column(times, across=0.0):
    """a plane column of 20 x 1, free at one end, under so many times Euler's load"""
    length = 20 - 0.25
    load = times * math.pi**2 / 4 / 12 / length**2
    scene(f"""box: {{size: [20, 1], cells: [40, 2]}}
      plane: stress
      material: {{young: 1, poisson: 0, density: 1}}
      clamps: [{{face: left}}]
      loads: [{{face: right, traction: [{-load:.17g}, {across * load}]}}]""")
    return carom("check", "scene.yaml").stdout


BUCKLES = "note       the body rests where it cannot stay: the least push makes it buckle; a small load across"
for times in (0.5, 0.95, 0.98):
    check(BUCKLES not in column(times), f"{times} times Euler's load is borne")
for times in (1.01, 1.02, 1.05, 2.0):
    check(BUCKLES in column(times), f"{times} times Euler's load is not")
check(BUCKLES not in column(-2.0), "a pulled column does not buckle")
said = column(2.0, across=1e-3)
check(BUCKLES not in said, f"buckled, it rests: {said}")
check(carom("run", "scene.yaml", "-o", "run.h5", "-q").returncode == 0, "the buckled column runs")
with h5py.File("run.h5") as file:
    tip = file["particles/cells/displacement/value"][0, [39, 79]].mean(axis=0)
# the elastica: K(k) = pi / 2 sqrt(2), whose ends are L (2 E / K - 1) and 2 L k / K away; here without the thousandth
# across, and to the cell before the end
near(tip[0], -17.9, 0.4, "the end of the elastica, along")
near(tip[1], 15.8, 0.4, "the end of the elastica, across")

CLAMPED = "box: {size: [4, 1], cells: [8, 2]}\n      material: {young: 1, poisson: 0.3, density: 1}\n      clamps: [{face: left}]"
MOVES = "start: [{velocity: [0, 0.001]}]"
scene(f"{CLAMPED}\n      loads: [{{face: left, force: [0, 0.001]}}]", MOVES)
said = carom("check", "scene.yaml").stdout
check("note       line 9: this force acts on cells that are held against it, and moves nothing" in said, said)
scene(f"{CLAMPED}\n      loads: [{{face: top, force: [0, 0.001]}}]", MOVES)
said = carom("check", "scene.yaml").stdout
check("note       line 9: 6.7 % of this force acts on cells that are held against it" in said, said)
scene(f"{CLAMPED}\n      loads: [{{face: right, force: [0, 0.001]}}]", MOVES)
check("held against it" not in carom("check", "scene.yaml").stdout, "a force on cells that move needs no word")

# the exact stiffness of a slice is 1.039, 1.014, 1.004 E I with 2, 4, 8 cells for nu = 0.3, 1.109, 1.037, 1.010 for 0.49
for poisson, percent in ((0.3, (3.9, 1.4, 0.4)), (0.49, (10.9, 3.7, 1.0)), (-0.5, (16.5, 7.4, 2.3)), (-0.9, (214, 103, 33))):
    for cells, exact in zip((2, 4, 8), percent):
        body = f"box: {{size: [20, 1, 1], cells: [20, {cells}, {cells}]}}"
        scene(f"{body}\n      material: {{young: 1, poisson: {poisson}, density: 1}}", "start: [{velocity: [0, 0, 0.001]}]")
        line = [text for text in carom("check", "scene.yaml").stdout.splitlines() if text.startswith("bending")]
        if check(len(line) == 1 and f" % too stiff with {cells} cells across y; 1 % takes " in line[0], line):
            told = float(line[0].split()[2])
            check(0.65 * exact < told < 1.5 * exact, f"nu {poisson}, {cells} cells: {line[0]}, and {exact} is exact")

# a wall of 5 cm with cells of 10 cm: 1 + b^2 / t^2 = 5
scene("cylinder: {radius: 1.909859317, height: 0.4, thickness: 0.05, around: 120, along: 4}\n      "
      "material: {young: 1, poisson: 0.3, density: 1}", "start: [{velocity: [0, 0, 0.001]}]")
said = carom("check", "scene.yaml").stdout
check("bending    the wall is one cell thick: where it twists it is about 5 times too stiff" in said, said)

# what holds it, pushes it, lets it flow and lets waves out, and how long it is where its cells are cut
scene("""box: {size: [10, 1, 1], cells: [10, 2, 2]}
      material: {young: 1, poisson: 0.2, density: 1}
      plasticity: {yield: 0.1, hardening: 0.01}
      clamps: [{face: left}]
      absorbing: [right]
      loads: [{face: top, traction: [0, 0, -0.01]}]""", "start: []")
done = carom("check", "scene.yaml")
for line in ("cut        9 long along x, not 10: ", "held       4 cells: x, y, z, turns",
             "absorbing  right: waves leave there", "flows      beyond 0.1 of von Mises' stress, hardening 0.01",
             "loads      traction (0, 0, -0.01) on 20 faces\n"):
    check(line in done.stdout, line, done.stdout, done.stderr)

# where what is nearest to a place stands, and how many links a crack has broken
scene("""box: {size: [4, 2], cells: [4, 2]}
      plane: stress
      material: {young: 1, poisson: 0.2, density: 1}
      fracture: {energy: 1, cracks: [{at: [2, 0], normal: [1, 0], box: [[0, 0], [4, 1]]}]}
      clamps: [{near: [0, 0]}]
      loads: [{near: [3.9, 1.8], force: [0, 1]}]""", "start: []")
done = carom("check", "scene.yaml", "--set", "record.cells={near: [1.6, 0.2]}")
for line in ("held       1 cell at (0.5, 0.5): x, y", "loads      force (0, 1) on 1 cell at (3.5, 1.5)\n",
             "cracks     1 of 10 links are broken at the start\n", "of 1 cell at (1.5, 0.5, 0)\n"):
    check(line in done.stdout, line, done.stdout, done.stderr)

# two bars: one flies past the other, or does not get there in time, or strikes it
BARS = """theory: solid
bodies:
  - solid: {name: short, box: {size: [0.1, 0.01, 0.01], cells: [10, 1, 1]}, material: steel}
  - solid: {name: long, box: {size: [0.2, 0.01, 0.01], cells: [20, 1, 1], origin: ORIGIN}, material: steel}
start: [{body: short, velocity: [1 m/s, 0, 0]}]
run: {until: 100 ms}
"""
for origin, more, said in (("[0.15, 0, 0]", [], False), ("[0.15, 0.05, 0]", [], True), ("[-0.3, 0, 0]", [], True),
                           ("[0.15, 0, 0]", ["--set", "until=1 ms"], True),
                           ("[0.15, 0, 0]", ["--set", "start.1.spin=[0, 0, 1]", "--set", "until=1 ms"], False)):
    with open("bars.yaml", "w") as file:
        file.write(BARS.replace("ORIGIN", origin))
    done = carom("check", "bars.yaml", *more)
    check(("short and long do not meet" in done.stdout) == said and done.returncode == 0, origin, more, done.stdout, done.stderr)

# a plate of one cell's thickness that is held by its bottom cannot move, and is not cut at its other sides
for clamps, stuck in (("[{face: bottom}]", True), ("[{face: left}]", False)):
    scene(f"""box: {{size: [1, 1, 0.1], cells: [10, 10, 1]}}
      material: {{young: 1, poisson: 0, density: 1}}
      clamps: {clamps}""", "")
    done = carom("check", "scene.yaml")
    check(("all cells are held, so that nothing of the solid moves" in done.stdout) == stuck and
          ("long along" in done.stdout) != stuck, clamps, done.stdout, done.stderr)

# what is so soft that its frequency is 0 would be cells that nothing holds together; one cell, or one that is held, has none
SOFT = "box: {size: [1, 1, 1], cells: [%s]}\n      material: {young: %s, poisson: 0.3, density: 1000}\n      clamps: [%s]"
for cells, young, clamps, good in (("4, 2, 2", "1e-314", "", False), ("4, 2, 2", "1e-300", "", True),
                                   ("1, 1, 1", "1e-314", "", True), ("4, 2, 2", "1e-314", "{cells: all}", True)):
    scene(SOFT % (cells, young, clamps), "")
    done = carom("check", "scene.yaml")
    check(done.returncode == (0 if good else 3) and
          ("scene.yaml:7:17: material: this material is so soft for its density" in done.stderr) != good,
          cells, young, clamps, done.stdout, done.stderr)

# a face that is taken for a set of cells
scene("""box: {size: [1, 1], cells: [4, 4]}
      material: {young: 1, poisson: 0, density: 1}
      sets: {tip: {face: right}}
      clamps: [{set: left}]""", "")
done = carom("check", "scene.yaml")
check("left is no set of cells but a face: write face: left" in done.stderr, done.stdout, done.stderr)

# a ball that begins inside the solid has energy that nobody gave it
scene("""box: {size: [1, 1], cells: [4, 4]}
      material: {young: 1, poisson: 0, density: 1}
  - disc: {at: [0.5, 1.099], radius: 0.1, mass: 1}""", "contacts: {law: hertz, k: 1}")
done = carom("check", "scene.yaml")
check("the solid and ball 1 overlap at the start: they are pressed, with an energy of 1.26e-08" in done.stdout,
      done.stdout, done.stderr)

# the usual step is a fixed one, too: no error is stated, and the summary says so; tol states one
scene("box: {size: [2, 1], cells: [2, 2]}\n      material: {young: 1, poisson: 0, density: 1}", "start: [{spin: 0.1}]")
for options, told in (([], "none is stated: the step is fixed"),
                      (["--set", "run.tol=1e-2"], "of the scales over the whole run")):
    said = carom("run", "scene.yaml", "-o", "run.h5", *options).stdout
    check(said.count("\nerror      ") == 1 and told in said, options, said)

end(55)
