"""Allocations that fail, in carom and in the libraries it uses, one or all from one on: a command ends with what it would
have said and 0, or with one sentence and 7. `--all` tries every allocation (cli.starved_long), else some."""
import os
import subprocess
import sys

from checks import check, end, sanitized

CAROM = os.environ["CAROM"]
SHIM = os.path.join(os.environ["BUILD"], "tests", "starve_at.so")
SCENE = """units: si
bodies:
  - chain: {count: 3, radius: 5 mm, material: steel}
contacts: {law: kuwabara-kono, restitution: {e: 0.95, speed: 1}}
start: [{body: 1, velocity: 1 m/s}]
run: {until: 0.1 ms}
"""
# its own sentence comes first, and HDF5 asks for memory while the file is closed after it
RIGID = """units: none
theory: nonsmooth
bodies: [mechanism: {kind: pendulum, length: 1, gravity: 10, wall: -0.2}]
contacts: {e: 0.8}
start: [{body: 1, displacement: -0.9}]
run: {until: 2, tol: 1e-5}
"""
# whose names `show` finds by reading the scene again, late: without them it would say less, and nobody would know
NAMED = """units: none
bodies:
  - disc: {name: ann, at: [0, 0], radius: 1, mass: 1, velocity: [1, 0]}
  - disc: {name: bob, at: [2.1, 0], radius: 1, mass: 1}
contacts: {law: hertz, k: 1000}
run: {until: 1}
"""


def commands(scene, run):
    """(name, command)"""
    yield "check", ["check", scene]
    yield "run", ["run", scene, "-q", "-o", "new.h5"]
    yield "rigid run", ["run", "rigid.yaml", "-q", "-o", "new.h5"]
    yield "show", ["show", run]
    yield "show of names", ["show", "named.h5"]
    yield "export", ["export", run, "--csv", "-o", "table.csv"]
    yield "report", ["report", run, "-q", "-o", "page.html"]
    yield "pulse", ["pulse", run, "-q"]
    yield "compare", ["compare", run, run]
    yield "sweep", ["sweep", scene, "--over", "start.1.velocity=1:2:3", "-q", "-o", "sweep.h5"]
    yield "list", ["list", "laws"]


def starved(command, n, on):
    for name in ("new.h5", "table.csv", "page.html", "sweep.h5"):
        if os.path.exists(name):
            os.remove(name)
    environment = {**os.environ, "LD_PRELOAD": SHIM, "STARVE_AT": str(n), "STARVE_LOG": os.path.abspath("count"),
                   **({"STARVE_ON": "1"} if on else {})}
    return subprocess.run([CAROM, *command], capture_output=True, text=True, env=environment, timeout=100)


def moments(name, count, on):
    """all of them, or some, closer at the beginning, or where names are looked up"""
    if "--all" in sys.argv:
        return range(1, count + 1)
    if name == "show of names":
        return () if on else range(count - 2400, count + 1, 60)
    return sorted({max(1, round(count * (i / 7) ** 2)) for i in range(1, 8)} | {count // 2 + 1, 3 * count // 5})


if sanitized():
    print("the program's memory is a sanitizer's")
    os._exit(77)
for path, text in (("scene.yaml", SCENE), ("rigid.yaml", RIGID), ("named.yaml", NAMED)):
    with open(path, "w") as file:
        file.write(text)
for name, run in (("scene", "run"), ("named", "named")):
    check(subprocess.run([CAROM, "run", f"{name}.yaml", "-q", "-o", f"{run}.h5"]).returncode == 0)
outcomes = {}
for name, command in commands("scene.yaml", "run.h5"):
    calm = starved(command, 0, False)
    check(calm.returncode == 0, name, calm)
    count = int(open("count").read())
    for on in (False, True):
        for n in moments(name, count, on):
            done = starved(command, n, on)
            code = done.returncode
            outcomes[code] = outcomes.get(code, 0) + 1
            what = f"{name}, allocation {n} of {count}{' and all after it' if on else ''}:"
            if code == 0:
                check(done.stdout == calm.stdout, what, "says something else:", done.stdout[-300:])
            else:
                check(code == 7, what, done)
                check(done.stderr.count("\n") == 1 and done.stderr.startswith("carom: "), what, done.stderr)
            if name == "run" and os.path.exists("new.h5"): # a file that says it is whole is whole
                left = subprocess.run([CAROM, "show", "new.h5"], capture_output=True, text=True)
                check(left.returncode in (0, 6), what, left)
                check("state      complete" not in left.stdout or "recorded   201 rows" in left.stdout, what, left.stdout)
end(sum(outcomes.values()), " starved commands: " + ", ".join(f"exit {c} {n}" for c, n in sorted(outcomes.items())))
