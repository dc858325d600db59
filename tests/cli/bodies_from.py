"""A run begins where another has ended: the same motion as one run through, friction's springs included; a sample has
what was recorded. What is found is kept in the new run. Other bodies are refused."""
import os
import signal
import subprocess
import time

import h5py

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
POUR = """units: none
gravity: [0, -1]
bodies:
  - packing: {count: 6, radius: 1, spread: 0.2, in: [[0, 0], [20, 6]], seed: 3}
  - plane: {at: [0, 0], normal: [0, 1]}
  - plane: {at: [0, 0], normal: [1, 0]}
  - plane: {at: [20, 0], normal: [-1, 0]}
contacts: {law: kuwabara-kono, k: 1e4, gamma: 0.01, friction: {law: cundall-strack, mu: 0.3, k_t: 1e3}}
"""


def run(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def go(name, text):
    with open(name + ".yaml", "w") as file:
        file.write(text)
    done = run("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q")
    check(done.returncode == 0, name, done.stderr)


def value(name, item, row):
    with h5py.File(name + ".h5") as file:
        return file[item + "/value"][row]


ITEMS = ["particles/bodies/" + item for item in ("displacement", "velocity", "rotation", "spin")]
for scheme, allowed in (("scheme: verlet, step: 0.002", 1e-12), ("scheme: dp5, tol: 1e-5", 2e-6)):
    go("whole", POUR + f"run: {{until: 8, {scheme}}}\n")
    go("half", POUR + f"run: {{until: 4, {scheme}}}\n")
    go("next", POUR + f"run: {{until: 4, {scheme}}}\nstart: {{run: half.h5}}\n")
    go("sample", POUR + f"run: {{until: 4, {scheme}}}\nstart: [{{run: half.h5, at: 4}}]\n")
    for item in ITEMS:
        check((value("half", item, -1) == value("next", item, 0)).all(), scheme, item, "is not the end's")
        check(abs(value("whole", item, -1) - value("next", item, -1)).max() <= allowed, scheme, item, "goes another way")
        far = abs(value("whole", item, -1) - value("sample", item, -1)).max()
        check(far <= 1e-4, scheme, item, "of a sample goes another way", far)
    stored = [value(name, "observables/ledger/stored", row) for name, row in (("half", -1), ("next", 0), ("sample", 0))]
    check(stored[0] == stored[1] != stored[2], scheme, "springs are remembered", stored)
    check(abs(value("next", "observables/ledger/residual", -1)) < 1e-2, scheme, "ledger")

# what contacts remember besides springs: phases of laws with a memory, and that they slip, where sticking holds more
PAIR = """units: none
bodies:
  - disc: {{at: [0, 0], radius: 1, velocity: [1, 0]}}
  - disc: {{at: [2.1, 0], radius: 1}}
contacts: {{law: {}}}
"""
SLIDE = """units: none
bodies:
  - disc: {at: [0, 1], radius: 1, mass: 1, velocity: [0.5, 0]}
  - plane: {at: [0, 0], normal: [0, 1]}
gravity: [0.9, -1]
contacts: {law: kuwabara-kono, k: 100, gamma: 0.3, friction: {law: mindlin, mu: 0.2, mu_static: 0.4, k_t: 50}}
"""
VERLET, DP5 = "scheme: verlet, step: 0.002", "scheme: dp5, tol: 1e-9"
for what, scene, first, last, then, schemes, allowed in (
    ("walton-braun", PAIR.format("walton-braun, k1: 5, k2: 9"), 0.8, 3.2, 4, (DP5, DP5), 1e-9),
    ("bistiff", PAIR.format("bistiff, k: 5, es: 0.7"), 0.8, 3.2, 4, (DP5, DP5), 1e-9),
    ("slips, verlet", SLIDE, 1, 1, 2, (VERLET, VERLET), 1e-12),
    ("slips, dp5", SLIDE, 1, 1, 2, (DP5, DP5), 1e-8),
    ("slips, dp5 to verlet", SLIDE, 1, 1, 2, (DP5, VERLET), 1e-4),
    ("slips, verlet to dp5", SLIDE, 1, 1, 2, (VERLET, DP5), 1e-4),
):
    begin = "start: [{body: 1, displacement: [0, -0.0464]}]\n" if scene is SLIDE else ""
    go("whole", scene + begin + f"run: {{until: {then}, {schemes[0]}}}\n")
    go("first", scene + begin + f"run: {{until: {first}, {schemes[0]}}}\n")
    go("second", scene + f"run: {{until: {last}, {schemes[1]}}}\nstart: {{run: first.h5}}\n")
    far = abs(value("whole", ITEMS[1], -1) - value("second", ITEMS[1], -1)).max()
    check(far <= allowed, what, "goes another way", far)
    check(run("run", "second.h5", "-o", fresh("again.h5"), "-q").returncode == 0, what, "again")
    check((value("again", ITEMS[1], -1) == value("second", ITEMS[1], -1)).all(), what, "is another as kept")

# a run that was interrupted: it begins at its last checkpoint, and says so
child = subprocess.Popen([CAROM, "run", "half.yaml", "-o", fresh("stopped.h5"), "-q", "--set", "run={until: 1000, scheme: verlet, step: 1e-4}"],
                         stderr=subprocess.DEVNULL)
while not os.path.exists("stopped.h5") and child.poll() is None:  # busy machines take long to begin
    time.sleep(0.01)
time.sleep(0.2)
child.send_signal(signal.SIGINT)
check(child.wait() != 0, "it was stopped")
with open("after.yaml", "w") as file:
    file.write(POUR + "run: {until: 4, scheme: verlet, step: 0.002}\nstart: {run: stopped.h5}\n")
for command in (["check", "after.yaml"], ["run", "after.yaml", "-o", "after.h5"]):
    said = run(*command)
    check("stopped.h5 has not come to its end: bodies start where its last checkpoint has them, at t = " in said.stdout, said)
check("has not come" not in run("check", "next.yaml").stdout, "half.h5 has")

# the new run needs the old one no more
os.rename("half.h5", "gone.h5")
check(run("run", "next.h5", "-o", "again.h5", "-q").returncode == 0, "again")
for item in ITEMS:
    check((value("again", item, -1) == value("next", item, -1)).all(), item, "is another without the file")
check(run("resume", "next.h5", "--until", "5", "-q").returncode == 0, "resume without the file")
os.rename("gone.h5", "half.h5")

# a chain of three runs; the second has kept what it began from
go("third", POUR + "run: {until: 1, scheme: dp5, tol: 1e-5}\nstart: {run: next.h5}\n")
check((value("third", ITEMS[0], 0) == value("next", ITEMS[0], -1)).all(), "third")

for option, sentence in (
    ("bodies.1.packing.count=7", "the run has 9 bodies, this scene 10; bodies: [{run: ...}] takes some of them"),
    ("bodies.1.packing.radius=1.01", "body 1 has the radius 0.964383 there, 0.974027 here"),
    ("bodies.1.packing.mass=2", "body 1 has the mass 1 there, 2 here"),
):
    done = run("check", "next.yaml", "--set", option)
    check(done.returncode == 3 and done.stderr == f"carom: next.yaml:10:14: run: half.h5: {sentence}\n", done.stderr)
for option, sentence in (
    ("start.run=none.h5", "run: none.h5 cannot be read: No such file or directory"),
    ("start.run=/dev/zero", "run: /dev/zero cannot be read: it is no plain file"),
    ("start.body=1", "body: a run to start from sets all bodies and stands alone; write another entry after it"),
    ("start.state=1 2 3", "state: is not the start of these bodies that a run has kept"),
):
    done = run("check", "next.yaml", "--set", option)
    check(done.stderr == f"carom: --set {option}: {sentence}\n", done.stderr)
data = bytearray(open("half.h5", "rb").read())
for i in range(700, len(data), 977):
    data[i] ^= 255
with open("damaged.h5", "wb") as file:
    file.write(data)
done = run("check", "next.yaml", "--set", "start.run=damaged.h5")
check(done.returncode in (3, 6) and done.stderr.count("\n") == 1, "damaged", done)

# a run that goes on after its last sample: who asks for its end is told
go("short", "units: none\nbodies:\n  - disc: {at: [0, 0], radius: 2, mass: 1, velocity: [0.5, 0]}\ncontacts: {law: hertz, k: 1}\n"
   "run: {until: 1, tol: 1e-6}\nrecord: {every: 0.3}\n")
with open("after.yaml", "w") as file:
    file.write("units: none\nbodies:\n  - {run: short.h5}\ncontacts: {law: hertz, k: 1}\nrun: {until: 1}\n")
done = run("check", "after.yaml")
check(done.returncode == 3 and "short.h5 ended at 1, its last sample is at 0.9: write at: 0.9, or" in done.stderr, done)

# rigid bodies with friction, which sink a little in steps: two halves are one run, and the second needs no file either
RIGID = """units: none
theory: nonsmooth
gravity: [0, 0, -10]
bodies:
  - capsule: {at: [1, 1, 0.5], radius: 0.1, length: 0.5, axis: [1, 0, 0], mass: 1, velocity: [1, 1, 0]}
  - box: {at: [0, 0, 0.3], size: [0.4, 0.3, 0.2], turn: {axis: [1, 1, 0], angle: 0.4}, mass: 1, velocity: [1, 0, 0], spin: [0, 0, 2]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: rigid, e: 0.3, mu: 0.4, mu_static: 0.6}
"""
go("rigid", RIGID + "run: {until: 2, scheme: moreau-jean, step: 1e-3}\n")
go("first", RIGID + "run: {until: 1, scheme: moreau-jean, step: 1e-3}\n")
go("second", RIGID + "run: {until: 1, scheme: moreau-jean, step: 1e-3}\nstart: {run: first.h5}\n")
check(value("first", "particles/bodies/position", -1)[0][2] < 0.1 - 1e-7, "it has sunk by more than is allowed at a start")
for item in ITEMS:
    check(abs(value("rigid", item, -1) - value("second", item, -1)).max() < 1e-12, item, "rigid bodies go on")
check(abs(value("second", "observables/ledger/residual", -1)) < 1e-12, "what contacts remember is no energy")
os.remove("first.h5")
check(run("run", "second.h5", "-o", "again.h5", "-q").returncode == 0, "again")
check((value("again", ITEMS[0], -1) == value("second", ITEMS[0], -1)).all(), "another without the file")

end(least=46)
