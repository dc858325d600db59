"""A newcomer's cradle: five steel balls on strings, nothing said about steps, samples every 1 ms. The true peak force, that
of a run sampled a thousand times finer, stands in show, pulse, sweep, compare and on the page; check and run say that the
samples are too coarse; without `every` they are not."""
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end

carom = os.environ["CAROM"]


def run(*arguments, code=0):
    done = subprocess.run([carom, *arguments], capture_output=True, text=True, timeout=120)
    check(done.returncode == code, arguments, done.stderr)
    return done.stdout + done.stderr


def same(found, true, what):
    check(abs(found / true - 1) < 0.01, what, found, "is not", true)


with open("cradle.yaml", "w") as scene:
    scene.write("""title: A cradle
bodies: [chain: {count: 5, radius: 10 mm, material: steel, string: 10 cm}]
strings: {gravity: 9.81}
start: [{body: 1, displacement: -20 mm}]
run: {until: 180 ms}
record: {every: 1 ms}
""")

# the truth, around the first impact
run("run", "cradle.yaml", "-o", "fine.h5", "-q", "--set", "record.every=1us", "--set", "record.from=140ms")
with h5py.File("fine.h5") as fine:
    true = fine["observables/contacts/force/value"][:].max()

said = run("run", "cradle.yaml", "-o", "coarse.h5")
check(said.count("longer than a third of the shortest contact") == 1 and "leave every out, and samples follow the contacts, or write record: {every: " in said, said)
said = run("check", "cradle.yaml")
check(said.count("longer than a third of the shortest contact") == 1, said)
finer = re.search(r"write record: \{every: (\S+) s\}", said).group(1)
check("longer than a third" not in run("check", "cradle.yaml", "--set", f"record.every={finer}s"), "what is written is fine")
with h5py.File("coarse.h5") as coarse:
    book = coarse["episodes"]
    check(sorted(book) == sorted(["contact", "closed", "opened", "speed", "peak_force", "peak_time", "impulse", "dissipated",
                                  "overlap", "left_out"]), list(book))
    rows = {name: book[name][()] for name in book}
same(rows["peak_force"].max(), true, "book")
check((rows["opened"] > rows["closed"]).all() and rows["left_out"] == 0, "moments")
shown = run("show", "coarse.h5")
same(float(re.search(r"contact +closed s.*\n +\d+ +\S+ +\S+ +\S+ +\S+ +(\S+)", shown).group(1)), true, "show")
pulse = run("pulse", "coarse.h5", "--wave", "1")
same(max(float(line.split()[2]) for line in pulse.splitlines() if re.match(r"\d+ +1 ", line)), true, "pulse")
sweep = run("sweep", "cradle.yaml", "--over", "run.tol=1e-6:1e-6:1", "--outputs", "peak_force", "-o", "sweep.h5")
same(float(re.search(r"peak_force +(\S+)", sweep).group(1)), true, "sweep")
compared = run("compare", "coarse.h5", "fine.h5")
found = re.search(r"largest force.*\n(?:.*\n)*?.*?contact +1 +(\S+) +(\S+)", compared)
check(found and found.group(1) == found.group(2), "compare", compared)
run("report", "coarse.h5", "-o", "coarse.html")
with open("coarse.html") as page:
    text = page.read()
check('"finer"' in text and '"episodes"' in text, "the page carries the book")
table = run("export", "coarse.h5", "--csv", "--episodes").splitlines()
check(table[0].startswith("contact,closed,opened,speed,peak_force") and len(table) == len(rows["closed"]) + 1, table[:2])

# nothing said: samples follow the action
run("run", "cradle.yaml", "-o", "action.h5", "-q", "--set", "record={}")
with h5py.File("action.h5") as action:
    force, time = action["observables/contacts/force/value"][:], action["observables/contacts/force/time"][:]
    same(force.max(), true, "samples that follow the action")
    check((numpy.diff(time) > 0).all() and 220 < len(time) < 10202, len(time))
    impulse = ((force[1:] + force[:-1]) * numpy.diff(time)[:, None] / 2).sum(axis=0)
    for contact in range(4):
        same(impulse[contact], action["episodes/impulse"][:][action["episodes/contact"][:] == contact].sum(), "impulse")
check("while contacts act every" in run("check", "cradle.yaml", "--set", "record={}"), "check states it")

# bounds and none
later = ["--set", "run.until=700ms"]
run("run", "cradle.yaml", "-o", "all.h5", "-q", *later, "--set", "record.episodes=all")
said = run("run", "cradle.yaml", "-o", "few.h5", *later, "--set", "record.episodes=2")
check("left out; record: {episodes: all} keeps them" in said, said)
with h5py.File("few.h5") as few, h5py.File("all.h5") as every:
    kept, left = few["episodes/contact"][:], few["episodes/left_out"][()]
    check(len(kept) + left == len(every["episodes/contact"]) and len(kept) <= 6 and left > 0, kept, left)
    for contact in range(4):
        most = [file["episodes/peak_force"][:][file["episodes/contact"][:] == contact].max() for file in (few, every)]
        check(most[0] == most[1], "the strongest of each contact is kept", contact, most)
run("run", "cradle.yaml", "-o", "none.h5", "-q", "--set", "record.episodes=none")
with h5py.File("none.h5") as none:
    check("episodes" not in none, "no book")

# two of three beads move apart from the start, pressed as they are: that is no closing speed
with open("pressed.yaml", "w") as file:
    file.write("units: none\nbodies: [wall: {side: left}, chain: {count: 3, mass: 1, gap: -0.1}, wall: {side: right}]\n"
               "contacts: {law: hertz, k: 1}\nstart: [{body: 2, velocity: 0.01}]\nrun: {until: 10}\n")
run("run", "pressed.yaml", "-o", "pressed.h5", "-q")
with h5py.File("pressed.h5") as pressed:
    speed, contact = pressed["episodes/speed"][:], pressed["episodes/contact"][:]
    check((speed >= 0).all() and speed[contact == 1][0] == 0, speed)

# what passes through the wall is asked for wherever a bead opens: that hides no top, and without a damper the largest
# overlap is that of the largest force
with open("wall.yaml", "w") as file:
    file.write("units: none\nbodies: [wall: {side: left}, chain: {count: 5, mass: 1, gap: -0.1}, wall: {side: right}]\n"
               "contacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: -0.0006}, {body: 2, velocity: 0.0209},\n"
               "  {body: 3, velocity: 0.0048}, {body: 4, velocity: 0.0282}, {body: 5, velocity: 0.0301}]\n"
               "run: {until: 150, scheme: irk, step: 0.3}\n")
run("run", "wall.yaml", "-o", "wall.h5", "-q")
with h5py.File("wall.h5") as wall:
    peak, overlap, contact = (wall["episodes"][name][:] for name in ("peak_force", "overlap", "contact"))
    check((contact == 0).sum() > 1 and abs(overlap**1.5 / peak - 1).max() < 1e-6, contact, peak, overlap)
check("holds no book" in run("export", "none.h5", "--csv", "--episodes", code=2), "export without a book")

# a wall that stops: the force is largest as it does, and falls at once with the damping
with open("stop.yaml", "w") as scene:
    scene.write("""bodies: [wall: {side: left, material: steel}, chain: {count: 20, radius: 5 mm, material: steel}, wall: {side: right, material: steel}]
contacts: {law: kuwabara-kono, gamma: 8 us}
loads: [{wall: right, displacement: {shape: ramp, amplitude: -20 um, duration: 1 ms}}]
run: {until: 1.02 ms, tol: 1e-6}
""")
for more in ([], ["--set", "run={until: 1.02 ms, scheme: verlet, step: 0.1 us}"]):
    run("run", "stop.yaml", "-o", "stop.h5", "-q", "--set", "record.every=0.01us", "--set", "record.from=0.99ms", *more)
    with h5py.File("stop.h5") as stop:
        true = stop["observables/contacts/force/value"][:].max()
        found = stop["episodes/peak_force"][:].max()
        when = stop["episodes/peak_time"][int(numpy.argmax(stop["episodes/peak_force"][:]))]
    check(abs(found / true - 1) < 1e-3 and abs(when - 1e-3) < 1e-8, more, found, true, when)
# who takes part goes by name, and when the force was the largest stands beside it
with open("named.yaml", "w") as scene:
    scene.write("""bodies:
  - sphere: {name: cue, at: [0, 0], radius: 1 cm, material: steel, velocity: [0.1, 0]}
  - sphere: {name: eight, at: [2.1 cm, 0], radius: 1 cm, material: steel}
  - sphere: {at: [4.2 cm, 0], radius: 1 cm, material: steel}
contacts: {law: hertz}
run: {until: 50 ms}
""")
run("run", "named.yaml", "-q", "-o", "named.h5")
shown = run("show", "named.h5")
with h5py.File("named.h5") as named:
    when = named["episodes/peak_time"][()]
check(re.search(rf"^  bodies +closed s +peak at s .*\n  cue-eight +\S+ +{when[0]:.6g} .*\n  eight-3 +\S+ +{when[1]:.6g} ", shown, re.M), shown)
check("at most 1, force up to" in shown, "nothing rubs", shown)
hard = run("run", "named.yaml", "-q", "-o", "hard.h5", "--set", "bodies.1.sphere.velocity=[3, 0]") + run("show", "hard.h5")
check("\nnote       the contact of cue and eight would yield: " in hard, hard)
solid = os.path.join(os.environ["SOURCE"], "scenes", "solid-wall.yaml")
run("run", solid, "-q", "-o", "solid.h5")
shown = run("show", "solid.h5")
check("\n  block-floor " in shown and re.search(r"^  lower-upper .* touching ", shown, re.M), shown)
check("last until waves have gone through one of them and back" in run("check", solid), "contacts of solids")
struck = run("check", os.path.join(os.environ["SOURCE"], "scenes", "solid-struck.yaml"))
check(re.search(r"contacts last \S+ s at least", struck), struck)

# a ball that falls into the hollow of four touches all at once: one ends the step, the others are as early and as fast
with open("hollow.yaml", "w") as scene:
    scene.write("""units: none
bodies:
  - lattice: {kind: sc, count: [2, 2, 1], radius: 0.5, mass: 1, at: [0, 0, 0]}
  - sphere: {name: ball, at: [0.5, 0.5, 0.8], radius: 0.5, mass: 1, velocity: [0, 0, -1]}
contacts: {law: hertz, k: 100}
run: {until: 0.3, scheme: dp5, tol: 1e-6}
""")
run("run", "hollow.yaml", "-q", "-o", "hollow.h5")
with h5py.File("hollow.h5") as hollow:
    at, pair = hollow["episodes/closed"][:], hollow["episodes/pair"][:]
    struck = pair[:, 1] == 5
    check(struck.sum() == 4 and abs(at[struck] - (0.8 - 0.5**0.5)).max() < 1e-9, "closed together", at[struck])
    check(abs(hollow["episodes/speed"][:][struck] - 0.5**0.5).max() < 1e-9, "closing speeds", hollow["episodes/speed"][:])
end()
