"""The attack as a command: commands are killed, starved of memory, refused disk, and fed what strangers may send. Every
outcome is one of: the right answer; one sentence with an exit code from 1 to 7; a file that is read, repaired and resumed
to the numbers of the whole run. `make torture` does it for TORTURE_MINUTES and prints how often; cli.attacks is a little of it.

Usage, with the environment of the tests: torture.py MINUTES SEED, or torture.py 0 SEED for one round."""
import collections
import functools
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time

import h5py
import numpy

import kills
import strangers
from checks import check, end, sanitized

CAROM, SOURCE, BUILD = (os.environ[name] for name in ("CAROM", "SOURCE", "BUILD"))
STARVE = os.path.join(BUILD, "tests", "starve_at.so")
LONGEST = 60 # seconds that a command may take here; it takes less than one
BODIES = """
bodies:
  - lattice: {kind: hexagonal, count: [3, 3], radius: 5 mm, material: steel, at: [0, 5 mm]}
  - plane: {at: [0, 0], normal: [0, 1], material: steel}
contacts: {law: kuwabara-kono, gamma: 1 us, friction: {law: mindlin, mu: 0.3}}
start: [{body: 1, velocity: [0.3 m/s, -0.2 m/s]}]
run: {until: 0.1 ms, scheme: verlet}
record: {every: 5 us}
"""
LINKED = """
units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - box: {at: [0.5, 0], size: [1, 0.2], mass: 1}
  - polygon: {sides: 5, radius: 0.3, at: [1.3, 0], mass: 1}
  - disc: {at: [1.4, -0.8], radius: 0.3, mass: 1, velocity: [0, 2]}
joints:
  - hinge: {bodies: [1, world], at: [0, 0], limits: [-0.5, 0.5]}
  - weld: {bodies: [2, 1], at: [1, 0]}
contacts: {law: rigid, e: 0.3, mu: 0.4}
run: {until: 0.4, scheme: moreau-jean, step: 0.005}
record: {every: 0.02, events: true, probes: [position, rotation, v, spin, contacts, joint_force, joint_moment]}
"""
STRUCK = """
units: none
theory: solid
bodies:
  - solid:
      mesh: {file: msh2.msh}
      material: {young: 100, poisson: 0.3, density: 1}
      plasticity: {yield: 0.5, hardening: 2}
      absorbing: [bottom]
  - sphere: {at: [0.5, 0.5, 1.401], radius: 0.4, mass: 0.2, velocity: [0, 0, -0.5]}
contacts: {law: hertz, k: 50}
run: {until: 0.2}
record: {every: 0.01, probes: [u, v, von_mises, plastic_strain, contact_force]}
"""
BARS = """
theory: solid
bodies:
  - solid: {name: left, box: {size: [0.1, 0.02], cells: [4, 1]}, depth: 0.01, material: steel}
  - solid: {name: right, box: {size: [0.1, 0.02], cells: [4, 1], origin: [0.1001, 0]}, depth: 0.01, material: steel}
contacts: {law: linear-dashpot}
start: [{body: left, velocity: [20, 0]}]
run: {until: 20 us}
record: {every: 1 us}
"""
ROUND = """
units: none
theory: nonsmooth
gravity: [0, 0, -1]
bodies:
  - box: {at: [0, 0, 0], size: [6, 6, 6], inside: true}
  - capsule: {at: [0, 0, -2.5], axis: [1, 0, 0], length: 1, radius: 0.3, mass: 1, velocity: [0, 0, -1]}
  - compound: {at: [0.2, 0, -1], spin: [1, 2, 3], parts: [{sphere: {at: [0, 0, 0], radius: 0.3, mass: 1}}, {box: {at: [0.5, 0, 0], size: [0.4, 0.4, 0.4], mass: 1}}]}
contacts: {law: rigid, e: 0.5, mu: 0.3}
run: {until: 1, scheme: moreau-jean, step: 0.01}
record: {every: 0.05, events: true, probes: [position, rotation, v, spin, contacts]}
"""
LINKAGE = """
units: none
theory: nonsmooth
gravity: [0.3, -5]
bodies:
  - box: {name: crank, at: [0.5, 0], size: [1, 0.2], mass: 1}
  - polygon: {name: rod, points: [[-0.5, 0], [0.5, -0.2], [0.5, 0.2]], at: [1.5, 0], mass: 2}
  - disc: {name: ball, at: [2.3, -0.3], radius: 0.2, mass: 0.5, velocity: [-1, 0.5]}
  - plane: {name: floor, at: [0, -0.8], normal: [0.1, 1]}
joints: [hinge: {bodies: [crank, world], at: [0, 0], torque: 0.4}, hinge: {bodies: [rod, crank], at: [1, 0]}]
contacts: [{e: 0.5, mu: 0.2}, {between: [crank, rod], meet: false}]
run: {until: 0.8, scheme: event}
record: {every: 0.05, events: true}
"""
LATCHED = """
units: none
bodies: [{chain: {count: 2, mass: [1, 1], gap: 0.8}}, {wall: {side: right}}]
contacts: {law: linear-dashpot, k: [20, 1], gamma: 0.6, contact_end: latched}
start: [{bodies: all, velocity: [0.3, 1]}]
run: {until: 10, tol: 1e-8}
record: {every: 0.05}
"""
BROKEN = """
units: none
theory: solid
bodies:
  - solid:
      box: {size: [2, 1], cells: [6, 4]}
      material: {young: 100, poisson: 0.3, density: 1}
      self_contact: pieces
      fracture: {strength: 2, energy: 0.02, cracks: [{at: [0, 0.5], normal: [0, 1], box: [[0, 0], [0.8, 1]]}]}
      loads: [{face: top, force: [0, 3]}, {face: bottom, force: [0, -3]}]
run: {until: 0.4}
record: {every: 0.02, events: true}
"""
ASLEEP = """
units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - disc: {at: [-3, 0.75], radius: 0.2, mass: 1, velocity: [4, 2]}
  - box: {at: [0, 0.25], size: [1, 0.5], mass: 1}
  - box: {at: [0, 0.75], size: [1, 0.5], mass: 1}
  - box: {at: [5, 0.25], size: [1, 0.5], mass: 1}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0, mu: 0.3}
run: {until: 0.9, scheme: moreau-jean, step: 0.002}
record: {every: 0.02, events: true, probes: [position, rotation, v, spin, contacts]}
"""
POLYGONS = """
units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - polygon: {sides: 5, radius: 0.3, at: [0, 0.6], mass: 1, spin: 2}
  - polygon: {points: [[0, 0], [1, 0], [0.4, 0.6]], at: [0.2, 1.5], mass: 2, velocity: [-0.2, -1]}
  - plane: {at: [0, 0], normal: [0.1, 1]}
contacts: {law: rigid, e: 0.4, mu: 0.3}
run: {until: 0.5, scheme: event}
record: {every: 0.02, events: true}
"""
HAMMER = """
theory: solid
gravity: [0, -9.81]
bodies:
  - solid: {box: {size: [0.06, 0.2], cells: [3, 10]}, depth: 0.02, material: nylon, clamps: [{face: bottom}]}
  - disc: {at: [-0.0201, 0.17], radius: 0.02, material: steel, velocity: [2, 0]}
  - disc: {at: [0.13, 0.19], radius: 0.02, material: steel}
  - disc: {at: [0.03, 0.11], radius: 0.004, material: brass}
joints: [distance: {bodies: [1, world], to: [-0.0201, 0.3]}, distance: {bodies: [2, {face: top}]}, hinge: {bodies: [3, {box: [[0.02, 0.1], [0.04, 0.12]]}]}]
contacts: {law: hertz}
run: {until: 0.5 ms}
record: {every: 20 us, probes: [u, v, joint_force]}
"""
BLOWS = """
units: none
theory: nonsmooth
gravity: [0, 0, -5]
bodies:
  - box: {at: [0, 0, 0.6], size: [1.2, 0.5, 0.1], turn: {axis: [1, 2, 0], angle: 0.5}, mass: 1, velocity: [1, 0.4, -2], spin: [0.5, -1, 2]}
  - sphere: {at: [0.1, 0, 1.4], radius: 0.2, mass: 0.5, velocity: [0.5, 0.3, -4]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: rigid, e: 0.7, mu: 0.6}
run: {until: 0.4, scheme: event, impact: stronge}
record: {every: 0.02, events: true}
"""
ROUGH = """
units: none
theory: lzb
gravity: [0, 0, -5]
bodies:
  - sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 1, velocity: [2, 0.3, -1], spin: [3, 0, 1]}
  - sphere: {at: [1.2, 0.2, 0.5], radius: 0.5, mass: 2}
  - sphere: {at: [2.2, 0.2, 0.5], radius: 0.5, mass: 1}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: rigid, e: 0.6, mu: 0.4, k: 10}
run: {until: 0.4, tol: 1e-4}
record: {every: 0.02, events: true}
"""
tally = collections.defaultdict(collections.Counter)


def judged(sort, what, done, calm=None):
    """Notes how a command ended; `calm` is what it says when left alone."""
    code = done.returncode
    tally[sort][signal.Signals(-code).name if code < 0 else code] += 1
    said = done.stderr.decode(errors="replace")
    if code == 0:
        return check(calm is None or done.stdout == calm, sort, what, "says something else", (done.stdout or b"")[-200:])
    return check(0 < code <= (8 if sort == "studies killed" else 7) and said.startswith("carom: ") and said.count("\n") == 1, sort, what, "ended with", code, said)


def ran(command, **how):
    environment = {**os.environ, **how.pop("environment", {})}
    return subprocess.run([CAROM, *command], capture_output=True, timeout=LONGEST, env=environment, **how)


# --- commands ---------------------------------------------------------------------------------------------------------

def commands(kind):
    """What is done with a good run of a kind, and the files it writes, which are named out*."""
    scene, run = kind + ".yaml", kind + ".h5"
    return [["check", scene], ["run", scene, "-q", "-o", "out.h5"], ["show", run], ["report", run, "-q", "-o", "out.html"],
            ["export", run, "--csv", "-q", "-o", "out.csv"], ["compare", run, run, "-q", "-o", "out-compare.h5"],
            ["export", run, "--vtk", "-q", "-o", "out/"], ["pulse", run, "-q", "--no-keep"],
            ["run", scene, "-q", "-o", "out.h5", "--csv", "-"],
            *([["run", scene, "-q", "-o", "out.h5", "--fclib", "out-fclib"]] if kind in ("linked", "round") else [])]


def tidy():
    for name in os.listdir("."):
        if name.startswith("out"):
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)


# --- what a run of a kind is when left alone, asked when it is needed ---------------------------------------------------

@functools.cache
def whole(kind):
    """its numbers"""
    return kills.recorded(kind + ".h5")


@functools.cache
def seconds(kind):
    """how long it takes, and a little more"""
    begin = time.time()
    ran(["run", kind + ".yaml", "-q", "-o", "out.h5"])
    tidy()
    return 1.1 * (time.time() - begin)


@functools.cache
def writes(kind):
    """how often it writes"""
    count = len(kills.logged(["run", kind + ".yaml", "-q", "-o", "out.h5"]))
    tidy()
    return count


@functools.cache
def old_fashioned(kind):
    """its file as other programs may write it"""
    strangers.old_fashioned(good[kind], kind + "-old.h5")
    return kind + "-old.h5"


def left_whole(what, kind):
    """A run that an attacked command has left, if it left one: begun like the whole one, and completed by resume."""
    if not os.path.exists("out.h5"):
        return
    done = ran(["show", "out.h5"])
    if not judged("reading what is left", what, done) or done.returncode != 0:
        return
    kills.examine_run(what, "out.h5", whole(kind))


# --- attacks: each makes one try ---------------------------------------------------------------------------------------

def kill_moment(dice, kind):
    """killed at any moment"""
    tidy()
    moment = dice.random() * seconds(kind)
    begun = subprocess.Popen([CAROM, "run", kind + ".yaml", "-q", "-o", "out.h5"], stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(moment)
    begun.kill()
    tally["killed at a moment"]["in time" if begun.wait() < 0 else "too late"] += 1
    left_whole(f"{kind} killed", kind)


def kill_write(dice, kind):
    """killed at one of its writes, or in the middle of it"""
    tidy()
    torn = dice.random() < 0.3
    n = dice.randrange(1, writes(kind) // (8 if torn else 1) + 2)
    hit = kills.run_killed(["run", kind + ".yaml", "-q", "-o", "out.h5"], n, torn)
    tally["killed at a write"]["in time" if hit else "too late"] += 1
    left_whole(f"{kind} killed at {n}{' in the middle' if torn else ''}", kind)


def kill_again(dice, kind):
    """a run that was killed, whose resume or repair is killed at one of its writes, often an early one"""
    tidy()
    kills.run_killed(["run", kind + ".yaml", "-q", "-o", "out.h5"], dice.randrange(1, writes(kind) + 2))
    if not os.path.exists("out.h5"):
        return
    known = ["repair", "resume"] if b"\ncheckpoint " in ran(["show", "out.h5"]).stdout else ["repair"] # none yet: nothing to go on from
    n, command = dice.choice([1, 2, 3, dice.randrange(1, writes(kind) + 2)]), dice.choice(known)
    hit = kills.run_killed([command, "out.h5", "-q"], n, dice.random() < 0.3)
    tally[command + " killed at a write"]["in time" if hit else "too late"] += 1
    left_whole(f"{kind} killed, {command} killed at {n}", kind)


def starve(dice, kind):
    """one allocation fails, or all from one on, libraries' included"""
    tidy()
    command, on = dice.choice(commands(kind)), dice.random() < 0.5
    calm = ran(command, environment={"LD_PRELOAD": STARVE, "STARVE_LOG": os.path.abspath("count")})
    tidy()
    n = 1 + int(int(open("count").read()) * dice.random() ** 1.5)
    done = ran(command, environment={"LD_PRELOAD": STARVE, "STARVE_AT": str(n), **({"STARVE_ON": "1"} if on else {})})
    judged("starved", f"{command} at {n}{' and on' if on else ''}", done, calm.stdout)
    check(done.returncode in (calm.returncode, 7), "starved", command, n, done)
    left_whole(f"{command} starved at {n}", kind)


def limit_size(dice, kind):
    """files may not grow beyond some size: a disk that is full"""
    tidy()
    command, size = dice.choice(commands(kind)), int(2 ** dice.uniform(0, 18))
    done = ran(command, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
    judged("full disk", f"{command} with {size} bytes", done)
    left_whole(f"{command} with {size} bytes", kind)


def full_output(dice, kind):
    """nothing can be printed"""
    tidy()
    command = dice.choice(commands(kind))
    with open("/dev/full", "w") as full:
        done = subprocess.run([CAROM, *command], stdout=full, stderr=subprocess.PIPE, timeout=LONGEST)
    judged("full output", command, done)


def two_writers(dice, kind):
    """two runs into one file: one of them says so, or both come one after the other"""
    tidy()
    two = [subprocess.Popen([CAROM, "run", kind + ".yaml", "-q", "-o", "out.h5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
           for _ in range(2)]
    for one in two:
        said = one.communicate(timeout=LONGEST)
        judged("two writers", kind, subprocess.CompletedProcess([], one.returncode, *said))
    left_whole(f"two writers of {kind}", kind)


def change_dataset(dice, kind):
    """a dataset of another shape, type or content, in any kind of file"""
    kind = dice.choice(list(good))
    path = dice.choice(strangers.datasets(good[kind]))
    name, function = dice.choice(strangers.changes(path))
    if strangers.made(good[kind], "bad.h5", function):
        read_bad("changed files", kind, f"{kind} {path} {name}", dice)


def damage_file(dice, kind):
    """bytes of any kind of file"""
    kind = dice.choice(list(good))
    plain = dice.random() < 0.6
    name = strangers.damage(old_fashioned(kind) if plain else good[kind], "bad.h5", dice)
    read_bad("damaged files", kind, f"{kind} {'old ' if plain else ''}{name}", dice)


def read_bad(sort, kind, what, dice):
    tidy()
    command = dice.choice(strangers.commands(kind, "bad.h5"))
    got = strangers.outcome(command)
    tally[sort][got.code] += 1
    check(got.good, sort, what, command, "ended with", got.code, got.said)


def damaged(text, dice):
    """the text with some bytes, words and lines changed, moved or missing"""
    for _ in range(dice.choice([1, 1, 2, 5])):
        at = dice.randrange(len(text) + 1)
        word = dice.choice([b"{", b"}", b"[", b":", b" ", b"\n", b"-", b"1e999", b"nan", b"-1", b"0", b"1e-320", b"*a", b"&a ", b"!!x ",
                            b"\x00", b"\xff\xfe", b"\t", b"999999999999", b"'", b"| ", bytes([dice.randrange(256)])])
        end_at = at + dice.choice([0, 0, 1, 4, 20, 200])
        text = text[:at] + (word if dice.random() < 0.8 else text[end_at:end_at + 30]) + text[end_at:]
    return text


def damage_text(dice, kind):
    """a scene"""
    tidy()
    with open("out-scene.yaml", "wb") as file:
        file.write(damaged(open(dice.choice(texts), "rb").read(), dice))
    judged("damaged scenes", "check of out-scene.yaml, which is kept", ran(["check", "out-scene.yaml"]))


def damage_table(dice, kind):
    """a table that a scene names"""
    tidy()
    shutil.copy(os.path.join(SOURCE, "scenes", "measured-push.yaml"), "out-scene.yaml")
    with open("measured-push.csv", "wb") as file:
        file.write(damaged(open(os.path.join(SOURCE, "scenes", "measured-push.csv"), "rb").read(), dice))
    judged("damaged tables", "measured-push.csv, which is kept", ran(["check", "out-scene.yaml"]))


def damage_mesh(dice, kind):
    """a mesh or the corners of a polyhedron, in any format"""
    tidy()
    name = dice.choice(sorted(shapes))
    with open("out-" + name, "wb") as file:
        file.write(damaged(shapes[name], dice))
    corners = name.endswith((".stl", ".obj"))
    body = (f"polyhedron: {{file: out-{name}, at: [0, 0, 2], mass: 1}}" if corners else
            f"solid: {{mesh: {{file: out-{name}}}, material: {{young: 1, poisson: 0.3, density: 1}}}}")
    with open("out-scene.yaml", "w") as file:
        file.write(f"units: none\ntheory: {'nonsmooth' if corners else 'solid'}\nbodies: [{body}]\nrun: {{until: 0.1}}\n")
    judged("damaged meshes", f"out-{name}, which is kept", ran(["check", "out-scene.yaml"]))


def kill_study(dice, kind):
    """a part of a sweep, and the gathering of two, killed at a write: repeated, they are what they would have been"""
    tidy()
    part = ["sweep", "rigid.yaml", "--over", "contacts.e=0.5,0.8", "--outputs", "kinetic", "--part", "1/2", "-q", "-o", "out-1.h5"]
    gather = ["gather", "part1.h5", "part2.h5", "-q", "-o", "out-all.h5"]
    command, like = dice.choice([(part, "part1.h5"), (gather, "sweep.h5")])
    hit = kills.run_killed(command, dice.randrange(1, 60))
    tally["studies killed"]["in time" if hit else "too late"] += 1
    done = ran(command)
    judged("studies killed", command, done)
    with h5py.File(command[-1], "r") as found, h5py.File(like, "r") as whole:
        check(all(numpy.array_equal(found[name][()], whole[name][()], equal_nan=True)
                  for name in ("status", "outputs/kinetic")), command, "has other numbers")


def nowhere(dice, kind):
    """a folder in which no file can be made, for root neither"""
    tidy()
    command = [word.replace("out", "/proc/carom/out") if word.startswith("out") else word for word in dice.choice(commands(kind))]
    judged("no folder", command, ran(command))


ATTACKS = [kill_moment, kill_write, kill_again, starve, starve, limit_size, full_output, two_writers, change_dataset, damage_file, damage_text,
           damage_text, damage_table, damage_mesh, damage_mesh, kill_study, nowhere]


def prepare():
    """Good files of all kinds."""
    strangers.SCENES.update(bodies=BODIES, linked=LINKED, struck=STRUCK, bars=BARS, round=ROUND, linkage=LINKAGE, latched=LATCHED,
                            broken=BROKEN, asleep=ASLEEP, polygons=POLYGONS, hammer=HAMMER, blows=BLOWS, rough=ROUGH)
    strangers.LATER.update(bodies="0.11 ms", linked="0.41", struck="0.21", bars="21 us", round="1.1", linkage="0.81", latched="10.1",
                           broken="0.41", asleep="0.92", polygons="0.52", hammer="0.52 ms", blows="0.42", rough="0.42")
    for name, text in shapes.items():
        with open(name, "wb") as file:
            file.write(text)
    scenes = os.path.join(SOURCE, "scenes")
    for folder, _, names in os.walk(scenes):
        texts.extend(os.path.join(folder, name) for name in names if name.endswith(".yaml"))
    texts.sort()
    return strangers.make()


def corpora():
    """Shapes of bodies in files: what the readers' fuzz tests begin with; their first byte says which format it is."""
    folder = os.path.join(SOURCE, "tests", "fuzz", "corpus")
    found = {}
    for name, reader, ending in (("msh4", "mesh", "msh"), ("msh2", "mesh", "msh"), ("inp", "mesh", "inp"), ("vtk", "mesh", "vtk"),
                                 ("vtu", "mesh", "vtu"), ("text.stl", "corners", "stl"), ("binary.stl", "corners", "stl"),
                                 ("cube.obj", "corners", "obj")):
        with open(os.path.join(folder, reader, name), "rb") as file:
            found[f"{name.split('.')[0]}.{ending}"] = file.read()[1:]
    return found


texts, good, shapes = [], {}, corpora()


def main(minutes, seed):
    print("seed", seed)
    dice = random.Random(seed)
    good.update(prepare())
    tries, until = 0, time.time() + 60 * minutes
    while tries == 0 or time.time() < until:
        for attack in (a for a in ATTACKS if a != starve or not sanitized()):
            attack(dice, dice.choice(list(strangers.SCENES)))
            tries += 1
    for sort, outcomes in tally.items():
        print(f"{sort:22} {sum(outcomes.values()):6}:",
              ", ".join(f"{'exit ' if isinstance(code, int) else ''}{code} {count}" for code, count in sorted(outcomes.items(), key=str)))
    end(tries, f" in {tries} attacks")


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**9))
