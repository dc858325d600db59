"""Pages on a phone, a tablet and a desk, in light and dark: nothing overlaps (measured boxes), nothing is wider than the
screen, no table breaks words letter by letter. Runs, and what studies write: dispersion, converge, sweep, compare, verify."""
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
with open("verify.txt", "w") as text:
    text.write("acary2009: Higher order schemes\n\nrow published measured allowed\nB-moreau-hausdorff-v 0.97 0.882179 0.1 PASS\n"
               "second-order 2 1.5 0.1 FAIL\nthird-order 3 1.5 0.1 NOT-REPRODUCED\n")
for name in ("dimer.h5", "drop.h5", "sweep.h5", "compare.h5"):
    if os.path.exists(name):
        os.remove(name)
for name in ("dimer", "drop"):
    browser.carom("run", name + ".yaml", "-o", name + ".h5", "-q")
browser.carom("dispersion", "dimer.yaml", "--csv", "dispersion.csv", "-q")
browser.carom("converge", "dimer.yaml", "--scheme", "verlet", "--steps", "2 us:0.5 us:3", "--csv", "converge.csv", "-q")
browser.carom("sweep", "dimer.yaml", "--over", "velocity=0.1,0.2,0.3", "--over", "precompression=1,10", "-o", "sweep.h5", "-q")
browser.carom("compare", "drop.yaml", "--theories", "compliant,nonsmooth", "-o", "compare.h5", "-q", "--no-timing")
files = ["dimer.h5", "drop.h5", "dispersion.csv", "converge.csv", "sweep.h5", "compare.h5", "verify.txt"]
for file in files:
    browser.carom("report", file, "-o", file + ".html", "-q")
sys.exit(browser.run("widths.mjs", {"pages": [os.path.abspath(file + ".html") for file in files]}))
