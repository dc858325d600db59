"""Pages on a phone, a tablet and a desk, in light and dark: nothing overlaps (measured boxes), nothing is wider than the
screen, no table breaks words letter by letter or is cut. Runs (rows, one with a note, a heap at rest, a plate that breaks), and what studies write:
dispersion, converge, sweep, compare of rows and of discs, verify."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402

browser.packages()
browser.chromium()
with open("dimer.yaml", "w") as scene:
    scene.write("""title: A dimer chain of two materials
bodies: [chain: {count: 8, radius: 5 mm, pattern: [{material: steel}, {material: ptfe}]}, wall: {side: right, material: brass}]
precompression: 10 N
start: [{body: 1, velocity: 0.1}]
run: {until: 0.3 ms}
""")
with open("drop.yaml", "w") as scene:
    scene.write("""title: A ball dropped on three resting balls
bodies: [wall: {side: left, material: steel}, chain: {count: 3, radius: 1 cm, material: steel}, bead: {radius: 1 cm, material: brass, gap_before: 1 mm}]
gravity: -9.81
run: {until: 20 ms}
""")
with open("hard.yaml", "w") as scene:
    scene.write("""title: A blow whose restitution is told without a speed
bodies: [chain: {count: 3, radius: 1 cm, material: steel}]
contacts: {law: kuwabara-kono, restitution: 0.9}
start: [{body: 1, velocity: 3 m/s}]
run: {until: 0.2 ms}
""")
with open("heap.yaml", "w") as scene:
    scene.write("""title: A box on a box
units: none
theory: nonsmooth
gravity: [0, -10]
bodies: [box: {at: [0, 0.5], size: [2, 1], mass: 1}, box: {at: [0, 1.5], size: [1, 1], mass: 1}, plane: {at: [0, 0], normal: [0, 1]}]
contacts: {law: rigid, e: 0, mu: 0.5}
run: {until: 1, scheme: moreau-jean, step: 0.01}
record: {every: 0.1, probes: [position, rotation, v, spin, contacts]}
""")
with open("crack.yaml", "w") as scene:
    scene.write("""title: A plate that breaks
theory: solid
bodies:
  - solid:
      box: {size: [40 mm, 10 mm], cells: [16, 4]}
      plane: stress
      material: {young: 3 GPa, poisson: 0.35, density: 1200}
      fracture: {energy: 20 J/m^2, cracks: [{at: [20 mm, 0], normal: [1, 0], box: [[0, 0], [40 mm, 3 mm]]}]}
      clamps: [{face: left}]
      drives: [{face: right, displacement: [2 mm, free], signal: {shape: ramp, duration: 0.5 ms}}]
run: {until: 0.5 ms}
record: {every: 0.01 ms, probes: [u, rotation, damage, crack_area, stress, reaction]}
""")
with open("discs.yaml", "w") as scene:
    scene.write("""title: A sphere strikes two
bodies:
  - sphere: {at: [0, 0], radius: 5 mm, material: steel, velocity: [1 m/s, 0]}
  - sphere: {at: [8.8 mm, 5.2 mm], radius: 5 mm, material: steel}
  - sphere: {at: [8.8 mm, -5.2 mm], radius: 5 mm, material: steel}
contacts: {law: hertz}
run: {until: 0.4 ms}
""")
with open("verify.txt", "w") as text:
    text.write("acary2009: Higher order schemes\n\nrow published measured allowed\nB-moreau-hausdorff-v 0.97 0.882179 0.1 PASS\n"
               "second-order 2 1.5 0.1 FAIL\nthird-order 3 1.5 0.1 NOT-REPRODUCED\n")
for name in ("dimer.h5", "drop.h5", "hard.h5", "heap.h5", "crack.h5", "sweep.h5", "compare.h5", "discs.h5"):
    if os.path.exists(name):
        os.remove(name)
for name in ("dimer", "drop", "hard", "heap", "crack"):
    browser.carom("run", name + ".yaml", "-o", name + ".h5", "-q")
browser.carom("dispersion", "dimer.yaml", "--csv", "dispersion.csv", "-q")
browser.carom("dispersion", os.path.join(browser.SOURCE, "scenes", "crystals", "fcc-block.yaml"), "--force", "100 N", "--points", "6", "--csv", "bands.csv", "-q")
browser.carom("converge", "dimer.yaml", "--scheme", "verlet", "--steps", "2 us:0.5 us:3", "--csv", "converge.csv", "-q")
browser.carom("pulse", "dimer.h5", "--csv", "pulse.csv", "-q")
browser.carom("sweep", "dimer.yaml", "--over", "velocity=0.1,0.2,0.3", "--over", "precompression=1,10", "-o", "sweep.h5", "-q")
browser.carom("compare", "drop.yaml", "--theories", "compliant,nonsmooth", "-o", "compare.h5", "-q", "--no-timing")
browser.carom("compare", "discs.yaml", "--theories", "compliant,lzb", "-o", "discs.h5", "-q", "--no-timing")
files = ["dimer.h5", "drop.h5", "hard.h5", "heap.h5", "crack.h5", "discs.h5", "dispersion.csv", "bands.csv", "pulse.csv", "converge.csv", "sweep.h5", "compare.h5", "verify.txt"]
files = files[::browser.every(2)]
for file in files:
    browser.carom("report", file, "-o", file + ".html", "-q")
browser.carom("report", "dimer.h5", "drop.h5", "-o", "tabs.html", "-q")
sys.exit(browser.run("widths.mjs", {
    "tabs": os.path.abspath("tabs.html"),
    "pages": [os.path.abspath(file + ".html") for file in files],
    "says": {"hard": "Restitution: 0.9 is taken to hold", "heap": "Nothing moved beyond rounding", "bands": "The path goes through G, X, W, K, G, L", "sweep": "The same in all runs: dissipated energy 0 J", "crack": "Area of cracks", "discs": "Side by side on one clock", "pulse": "Impulse of the front, up to T + τ"}}))
