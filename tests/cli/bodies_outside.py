"""Bodies that leave the domain are removed, with what they had in the ledger, where closed forms say; they keep their
numbers. The same bits for any skin, number of threads, recorded or not, resumed or not. Or the run stops."""
import math
import os
import signal
import subprocess
import time

import h5py

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]


def run(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def go(name, text, *more):
    with open(name + ".yaml", "w") as file:
        file.write(text)
    done = run("run", name + ".yaml", "-o", fresh(name + ".h5"), "-q", *more)
    check(done.returncode == 0, name, more, done.stderr)


def value(name, item, row=-1):
    with h5py.File(name + ".h5") as file:
        return file[item + "/value"][row]


# --- closed forms: one thrown up, one rolled out, one that stays -------------------------------------------------------------

THROWN = """units: none
gravity: [0, -1]
domain: [[0, 0], [10, 5]]
outside: OUTSIDE
bodies:
  - disc: {at: [2, 1], radius: 0.5, velocity: [0.3, 4]}
  - disc: {at: [7, 1], radius: 0.5, velocity: [2, 0]}
  - disc: {at: [5, 1], radius: 0.5, velocity: [0, 0.1]}
  - plane: {at: [0, 0.5], normal: [0, 1]}
contacts: {law: hertz, k: 1e4}
run: {until: 6, SCHEME}
"""
up = 4 - math.sqrt(8)  # when 1 + 4 t - t^2 / 2 is 5
for scheme in ("scheme: verlet, step: 0.001", "scheme: dp5, tol: 1e-6"):
    go("thrown", THROWN.replace("OUTSIDE", "remove").replace("SCHEME", scheme))
    place, v = value("thrown", "particles/bodies/position"), value("thrown", "particles/bodies/velocity")
    near(place[0][0], 2 + 0.3 * up, 1e-12, scheme, "where it went out")
    check(abs(place[0][1] - 5) + abs(place[1][0] - 10) < 1e-13, scheme, "on the side", place)
    check((v[:2] == 0).all() and abs(place[2] - [5, 1]).max() < 0.1, scheme, "others go on", place, v)
    # the height is lost at the end of the step, so that energies are exact whatever its length
    near(value("thrown", "observables/ledger/mechanism/outside"), 0.5 * (0.09 + 16) + 2, 1e-6, scheme, "energy")
    check(abs(value("thrown", "observables/ledger/residual")) < 2e-6, scheme, "ledger")
with h5py.File("thrown.h5") as file:
    check(0 < file["parameters/estimate"][()] < 1e-6, "flights that remove a body a step apart state no error of its speed")
go("thrown", THROWN.replace("OUTSIDE", "keep").replace("SCHEME", "scheme: verlet, step: 0.001"))
with h5py.File("thrown.h5") as file:
    check("outside" not in file["observables/ledger/mechanism"], "files of runs that keep all are as they were")
done = run("run", "thrown.yaml", "-o", "stop.h5", "--set", "outside=stop")
check(done.returncode == 0 and "outside    body 1 has left the domain, which ended the run" in done.stdout, "stop", done)
near(value("stop", "particles/bodies/position")[0][1], 5, 0.1, "the last sample before the end")
check("complete" in run("show", "stop.h5").stdout, "the run is complete")
with h5py.File("stop.h5") as file:
    ended = file["particles/bodies/position/time"][-1]
done = run("resume", "stop.h5", "--until", "9")
check(done.returncode == 0 and "outside    body 2 has left the domain" in done.stdout, "it goes on until another has left", done)
with h5py.File("stop.h5") as file:
    check(file["particles/bodies/position/time"][-1] > ended + 0.1, "it has gone on", file["particles/bodies/position/time"][-1], ended)

# --- pushed by a load: the same place, and a true error ---------------------------------------------------------------------------

for shape, allowed in (("", 1e-12), (", signal: {shape: sine, frequency: 0.05, phase: 1.5707963267948966}", 1e-9)):
    go("pushed", """units: none
domain: [[-2, -1], [2, 3]]
outside: remove
bodies:
  - disc: {at: [0, 0.5], radius: 0.5, mass: 1, velocity: [3, 4]}
  - disc: {at: [-1.5, 0.5], radius: 0.5, mass: 2, velocity: [0.1, 0]}
contacts: {law: hertz, k: 1e5}
loads: [{body: 1, force: [2, -10]%s}]
run: {until: 2, scheme: dp5, tol: 1e-6}
""" % shape)
    way = (math.sqrt(17) - 3) / 2 if not shape else 0
    with h5py.File("pushed.h5") as file:
        place, estimate = file["particles/bodies/position/value"][-1], file["parameters/estimate"][()]
        check(0 < estimate < 1e-6, "error", shape, estimate)
    if shape:  # x = 3 t + 2 (1 - cos w t) / w^2
        low, high = 0.0, 1.0
        w = 2 * math.pi * 0.05
        for _ in range(60):
            way = 0.5 * (low + high)
            low, high = (way, high) if 3 * way + 2 * (1 - math.cos(w * way)) / w**2 < 2 else (low, way)
        near(place[0][1], 0.5 + 4 * way - 10 * (1 - math.cos(w * way)) / w**2, allowed, "under a force that changes")
    else:
        near(place[0][1], 0.5 + 4 * way - 5 * way * way, allowed, "under a force")

# --- rigid bodies: those that stay have sunk a little when one leaves, and go on -------------------------------------------------

go("rigid", """units: none
theory: nonsmooth
gravity: [0, 0, -10]
domain: [[-2, -2, -1], [2, 2, 3]]
outside: remove
bodies:
  - capsule: {at: [-1, 1, 0.5], radius: 0.1, length: 0.5, axis: [1, 0, 0], mass: 1, velocity: [1, 1, 0]}
  - box: {at: [0, 0, 1], size: [0.5, 0.2, 0.2], mass: 1, velocity: [3, 0, 3]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: rigid, e: 0.3, mu: 0.4}
run: {until: 1.2, scheme: moreau-jean, step: 1e-3}
""")
place = value("rigid", "particles/bodies/position")
check(place[0][2] < 0.1 - 1e-7, "the capsule has sunk by more than is allowed at a start", place)
way = 2 / 3
check(abs(place[1] - [2, 0, 1 + 3 * way - 5 * way * way]).max() < 1e-12, "where it went out", place)

# --- a hopper: the same bits ---------------------------------------------------------------------------------------------------

HOPPER = """units: none
gravity: [0, -1]
domain: [[-12, -6], [12, 60]]
outside: remove
bodies:
  - packing: {name: p, kind: loose, count: 40, radius: 1, spread: 0.2, in: [[-10, 2], [10, 26]], seed: 3}
  - plane: {at: [-10, 0], normal: [1, 0]}
  - plane: {at: [10, 0], normal: [-1, 0]}
  - box: {at: [-9, 0], size: [12, 1], fixed: true}
  - box: {at: [9, 0], size: [12, 1], fixed: true}
contacts: {law: kuwabara-kono, k: 1e4, gamma: 0.01, friction: {law: cundall-strack, mu: 0.3, k_t: 3e3}}
run: {until: 12, scheme: verlet, step: 0.002}
"""
go("hopper", HOPPER)
end_of = {item: value("hopper", "particles/bodies/" + item) for item in ("position", "velocity", "rotation", "spin")}
gone = (end_of["position"][:40, 1] < -5.999999).sum()
check(8 <= gone < 40, "gone", gone)
check((end_of["velocity"][:40][end_of["position"][:40, 1] < -5.999999] == 0).all(), "they rest")
check(abs(value("hopper", "observables/ledger/residual")) < 0.02 * value("hopper", "observables/ledger/dissipated"), "ledger",
      value("hopper", "observables/ledger/residual"))


def same(name, what):
    for item, numbers in end_of.items():
        check((value(name, "particles/bodies/" + item) == numbers).all(), what, item)


go("other", HOPPER, "--set", "run.skin=0.05")
same("other", "another skin")
go("other", HOPPER, "--set", "run.threads=2")
same("other", "two threads")
go("other", HOPPER, "--set", "record={every: 12, events: false}")
same("other", "hardly recorded")
stopped = 0
for pause in (0.2, 0.06, 0.01):  # wherever the run is by then
    child = subprocess.Popen([CAROM, "run", "hopper.yaml", "-o", fresh("other.h5"), "-q"], stderr=subprocess.DEVNULL)
    while not os.path.exists("other.h5") and child.poll() is None:  # busy machines take long to begin
        time.sleep(0.005)
    time.sleep(pause)
    child.send_signal(signal.SIGINT)
    stopped += child.wait() != 0
    check(run("resume", "other.h5", "-q").returncode == 0, "resume")
    same("other", "resumed")
check(stopped > 0, "no run was stopped before its end")
go("other", HOPPER.replace("until: 12", "until: 0.002") + "start: {run: hopper.h5}\n")
check((value("other", "particles/bodies/position", 0)[:40] == end_of["position"][:40]).all(), "a start from its end")

end(least=35)
