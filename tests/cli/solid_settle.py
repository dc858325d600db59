#!/usr/bin/env python3
# A large body settles with progress, and Ctrl-C stops that at once: nothing is written, the exit code says so. Loads that
# cannot balance are refused without a search, and told that what joins bodies does not hold them meanwhile. A bob whose
# rod hangs from a beam that has sunk a little may start across where the rod would stand unloaded, but no farther.
import os
import pathlib
import re
import signal
import subprocess
import time

from checks import check, end, worked

CAROM = os.environ["CAROM"]


def scene(cells, act):
    return f"""
theory: solid
bodies:
  - solid:
      box: {{size: [1, 1, 1], cells: {cells}}}
      material: {{young: 1e9, poisson: 0.3, density: 1000}}
      {act}
start: [settle: true]
run: {{until: 1e-6}}
record: {{cells: none}}
"""


pathlib.Path("large.yaml").write_text(scene([60, 60, 60], "clamps: [{face: top}]\n      gravity: [0, 0, -9.81]"))
run = subprocess.Popen([CAROM, "run", "large.yaml", "-o", "large.h5"], stderr=subprocess.PIPE, text=True)
while run.poll() is None and worked(run) < 0.2:
    time.sleep(0.01)
run.send_signal(signal.SIGSTOP)  # progress is told after two seconds, which need not be spent working
time.sleep(2)
run.send_signal(signal.SIGCONT)
line = run.stderr.readline()
check(line.startswith("preparing ") and "left" in line, "progress is said:", line)
began = time.monotonic()
run.send_signal(signal.SIGINT)
said = run.communicate(timeout=100)[1]
check(time.monotonic() - began < 10, "it stops soon")
check(run.returncode == 8, "exit code", run.returncode)
check("start: stopped while the body was settling" in said, said)
check(not pathlib.Path("large.h5").exists(), "nothing is written")

pathlib.Path("loose.yaml").write_text(scene([8, 7, 6], "loads: [{face: right, traction: [1e3, 0, 0]}]"))
run = subprocess.run([CAROM, "check", "loose.yaml"], capture_output=True, text=True)
check(run.returncode == 5 and "they come to 1e+03 along x, and nothing that it touches holds it there" in run.stderr, run.stderr)
check("joints do not act while it settles" in run.stderr, run.stderr)

pathlib.Path("bob.yaml").write_text("""
theory: solid
gravity: [0, -9.81]
bodies:
  - solid: {box: {size: [20 cm, 1 cm], cells: [20, 2]}, depth: 1 cm, material: steel, clamps: [{face: left}]}
  - disc: {name: bob, at: [19.5 cm, -10 cm], radius: 1 cm, material: nylon, velocity: [0.05, 0]}
joints: [{distance: {bodies: [bob, {face: right}]}}]
start: [{settle: true}]
contacts: {law: hertz}
run: {until: 2 ms}
""")
run = subprocess.run([CAROM, "run", "bob.yaml", "-o", "bob.h5"], capture_output=True, text=True)
check(run.returncode == 0, run.stderr)
closes = re.search(r"residual +(\S+) J", run.stdout)
check(closes and abs(float(closes.group(1))) < 1e-7 * 0.5 * 0.00358 * 0.05 ** 2, run.stdout)
run = subprocess.run([CAROM, "check", "bob.yaml", "--set", "bodies.2.disc.velocity=[0.05, 1e-6]"], capture_output=True, text=True)
check(run.returncode != 0 and "velocities at the start go across it" in run.stderr, run.stderr)
end()
