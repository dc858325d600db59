"""Discs and spheres through `carom run`: what they are measured against stands beside each case. Crystals keep their
tolerance, a row in a lattice is the chain alone, friction that turns back goes through its spring,
sticking holds more than slipping, runs come to an end,
the ledger closes, and bodies do not pass walls."""
import os
import re
import subprocess

import h5py
import numpy

from checks import EVERY, check, end, fresh

CAROM = os.environ["CAROM"]


def run(name, text, *more):
    with open(name + ".yaml", "w") as file:
        file.write(text)
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    return subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5"), *more], capture_output=True, text=True, timeout=120)


def motion(name, text, *more, part="bodies"):
    """velocities and displacements (samples x bodies x axes), what was printed"""
    done = run(name, text, *more)
    check(done.returncode == 0 and "carom: " not in done.stderr, name, more, done) # how far it is may be told
    with h5py.File(name + ".h5") as file:
        particles = file["particles/" + part]
        return particles["velocity/value"][()], particles["displacement/value"][()], done.stdout


def residual(printed):
    return float(re.search(r"largest of the samples just taken (\S+) %", printed)[1]) / 100


# a struck crystal, from the same at a thousandth of the tolerance, in units of the scales; what is stated covers it
CRYSTAL = """
units: none
bodies:
  - lattice: {kind: hexagonal, of: sphere, count: [5, 5], radius: 0.5, mass: 1, at: [0, 0]}
  - sphere: {at: [2, -1], radius: 0.5, mass: 1, velocity: [0, 1]}
contacts: {law: hertz, k: 1000}
run: {until: 1}
"""
v, u, said = motion("crystal", CRYSTAL, "--set", "run.tol=1e-9")
speed, length = (float(re.search(name + r" = ([0-9.e+-]+)", subprocess.run(
    [CAROM, "check", "crystal.yaml"], capture_output=True, text=True, timeout=60).stdout)[1]) for name in "VU")
for tol in (1e-4, 1e-6):
    other, moved, said = motion("crystal", CRYSTAL, "--set", f"run.tol={tol}")
    off = max(abs(other - v).max() / speed, abs(moved - u).max() / length)
    stated = float(re.search(r"error +about (\S+)", said)[1])
    check(off <= tol and off <= 2 * stated, "crystal", tol, off, stated)

# a row in a square lattice struck along its axis: the chain of beads, and the rest does not move at all
LATTICE = """
units: none
bodies:
  - lattice: {kind: square, of: sphere, count: [6, 3], radius: 0.5, mass: 1, at: [0, 0]}
  - sphere: {at: [-1.1, 1], radius: 0.5, mass: 1, velocity: [1, 0]}
contacts: {law: hertz, k: 1000}
run: {until: 3, tol: 1e-7}
record: {every: 0.015}
"""
CHAIN = """
units: none
bodies: [striker: {side: left, velocity: 1, gap: 0.1}, chain: {count: 6}]
contacts: {law: hertz, k: 1000}
run: {until: 3, tol: 1e-7}
record: {every: 0.015}
"""
v, u, said = motion("lattice", LATTICE)
beads, ignored, said = motion("chain", CHAIN, part="beads")
check(abs(v[:, 6:12, 0] - beads[:, 1:]).max() < 2e-7 and abs(v[:, 18, 0] - beads[:, 0]).max() < 2e-7, "row and chain")
still = numpy.delete(u, [*range(6, 12), 18], axis=1)
check((still == 0).all(), "the rest of the lattice moves", abs(still).max())

# a plate on a disc: it slides, comes to rest, and a pull beyond the cone takes it back through the spring
PLATE = """
units: none
gravity: [0, -1]
bodies:
  - disc: {at: [0, 0], radius: 1, fixed: true}
  - plane: {name: plate, at: [0, 1], normal: [0, -1], mass: 1, velocity: [-0.1, 0]}
contacts: {law: kuwabara-kono, k: 10000, gamma: 0.01, friction: {law: cundall-strack, mu: 0.2, k_t: 3000, gamma_t: 0.02}}
start: [{body: plate, displacement: [0, -0.00215443469]}]
run: {until: 5, tol: 1e-7}
record: {every: 0.004}
"""
v, u, said = motion("plate", PLATE)
check(abs(u[-1, 1, 0] + 0.1**2 / (2 * 0.2)) < 2e-4 and abs(v[-1, 1, 0]) < 1e-6, "it stops after v^2 / (2 mu g)", u[-1, 1], v[-1, 1])
PULLED = PLATE + "loads: [{body: plate, force: [0.25, 0]}]\n"
v, u, said = motion("pulled", PULLED)
fixed, place, printed = motion("pulled", PULLED.replace("tol: 1e-7", "scheme: verlet, step: 1e-4"))
check(abs(u[-1, 1, 0] - place[-1, 1, 0]) < 1e-4, "dp5 and verlet", u[-1, 1, 0], place[-1, 1, 0])
check(abs(v[58, 1, 0] - fixed[58, 1, 0]) < 1e-4, "where it turns back", v[58, 1, 0], fixed[58, 1, 0])

# resistance without friction where the normal force pulls; springs and laws where force ends a contact
for extra in ("rolling: {law: spring, mu: 0.1, k: 100}", "twisting: {law: spring, mu: 0.1, k: 100}",
              "contact_end: force", "contact_end: force, friction: {mu: 0.3, k_t: 800, form: force}",
              "contact_end: force, friction: {mu: 0.3, k_t: 800, form: potential}"):
    v, u, said = motion("pair", f"""
units: none
bodies:
  - sphere: {{at: [0, 0, 0], radius: 1, velocity: [1, 0.3, 0], spin: [0.4, 0.5, 0]}}
  - sphere: {{at: [2.01, 0, 0], radius: 1}}
contacts: {{law: kuwabara-kono, k: 1000, gamma: 0.01, {extra}}}
run: {{until: 1, tol: 1e-8}}
""")
    check(residual(said) < 1e-7, extra, residual(said))
    check(abs(v[-1].sum(axis=0) - [1, 0.3, 0]).max() < 1e-13, extra, v[-1].sum(axis=0))

# a paddle that turns meets a disc, whatever the skin; a disc alone between joined sides flies on
PADDLE = """
units: none
bodies:
  - disc: {at: [1.5, 0.9], radius: 0.5}
  - box: {size: [4, 0.4], at: [0, 0], drive: {spin: 1}}
contacts: {law: hertz, k: 1000}
run: {until: 2}
"""
ends = [motion("paddle", PADDLE, "--set", f"run.skin={skin}")[0][-1, 0] for skin in (0, 0.001, 100)]
fixed = motion("paddle", PADDLE, "--set", "run.scheme=verlet", "--set", "run.step=1e-4")[0][-1, 0]
check((ends[0] == ends[1]).all() and (ends[0] == ends[2]).all(), "skins", ends)
check(numpy.hypot(*ends[0]) > 1 and abs(ends[0] - fixed).max() < 1e-4, "paddle", ends[0], fixed)
v, u, said = motion("alone", "units: none\nbodies: [disc: {at: [1, 1], radius: 0.5, velocity: [1, 0.5]}]\n"
                    "domain: [[0, 0], [5, 5]]\nperiodic: [x, y]\nrun: {until: 20}\n")
check(abs(u[-1, 0] - [20, 10]).max() < 1e-12, "alone", u[-1])

# a struck crystal in which more and more bodies wake, to the bit as if all had been awake; this once wrote beyond a block
EDGE = open(os.path.join(os.environ["SOURCE"], "scenes/crystals/hexagonal-edge.yaml")).read()
BIG = ("--set", "bodies.1.lattice.count=[32, 32]", "--set", "run.until=45 us", "--set", "run.share=0.1", "--set", "record.probes=[u, v]", "--set")
some, everybody = (motion("edge", EDGE, *BIG, "run.window=" + window) for window in ("true", "false"))
check((some[0] == everybody[0]).all() and abs(some[0]).max() > 0.5, "window")

# soft walls are not passed
for scheme in ("dp5", "verlet"):
    done = run("soft", """
units: none
bodies: [sphere: {at: [0, 0, 0], radius: 0.1, velocity: [10, 0, 0]}, box: {size: [0.1, 5, 5], at: [2, 0, 0], fixed: true}]
contacts: {law: hertz, k: 1000}
run: {until: 0.5}
""", "--set", "run.scheme=" + scheme)
    check(done.returncode == 5 and "have run into each other" in done.stderr, scheme, done)
# a ball slides under so small a load that its spring turns in 2e-5 of a contact's time: dp5 says so, and what it names works
SLIDES = """
units: none
gravity: [0, 0, -1]
bodies:
  - sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 1, velocity: [1, 0.3, 0], spin: [3, -1, 2]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: hertz-dashpot, k: 5e4, gamma: 1e-3, friction: {law: %s}}
run: {until: 1, %s}
"""
done = run("slides", SLIDES % ("mindlin, mu: 0.01, k_t: 2e5", "tol: 1e-6, share: 0.1"))
check(done.returncode == 5 and "a spring of friction turns within" in done.stderr, "slides", done)
for friction, how, until in ("mindlin, mu: 0.01, k_t: 2e5", "scheme: verlet", "1" if EVERY else "0.2"), ("coulomb, mu: 0.01", "tol: 1e-6", "1"):
    done = run("slides", SLIDES % (friction, how), "--set", "run.until=" + until)
    check(done.returncode == 0, "slides", how, done)
# a disc between a floor and a plate pressed onto it by 2, pulled by a force that grows: it hangs on two springs up to
# mu_static, breaks away, and slides with mu; both are known in closed form
PULLED = """
units: none
bodies:
  - disc: {at: [0, 0], radius: 1, mass: 1}
  - plane: {at: [0, -1], normal: [0, 1]}
  - plane: {at: [0, 1], normal: [0, -1], mass: 1e12}
contacts: {law: linear-dashpot, k: 100, friction: {law: cundall-strack, mu: 0.2, mu_static: 0.5, k_t: 80}}
loads:
  - {body: 3, force: [0, -2]}
  - {body: 1, force: [1, 0], signal: {shape: ramp, amplitude: 3, duration: 6}}
start: [{bodies: all, settle: true}]
run: {until: 6}
"""
grows, stiff, slides, ends = 0.5, 160.0, 0.2 * 2 * 2, 6.0
often = numpy.sqrt(stiff)
low, high = 0.0, ends
for _ in range(100): # when the springs reach mu_static
    middle = (low + high) / 2
    low, high = (middle, high) if grows * (middle - numpy.sin(often * middle) / often) < 0.5 * 2 * 2 else (low, middle)
left, began = ends - low, grows / stiff * (1 - numpy.cos(often * low))
fast = began + grows * (ends**2 - low**2) / 2 - slides * left
far = 0.5 * 2 * 2 / stiff + began * left + grows * (ends**3 - low**3) / 6 - (grows * low**2 + slides * left) * left / 2
v, u, said = motion("pulled", PULLED, "--set", "run.tol=1e-9")
check(abs(u[-1, 0, 0] - far) < 3e-9 and abs(v[-1, 0, 0] - fast) < 3e-9, "breaks away", u[-1, 0, 0] - far, v[-1, 0, 0] - fast)
check(residual(said) < 1e-11, "breaks away", said)
for step in (1e-3, 1e-4):
    v, u, said = motion("pulled", PULLED, "--set", "run.scheme=verlet", "--set", f"run.step={step}")
    check(abs(u[-1, 0, 0] - far) < 3 * step and abs(v[-1, 0, 0] - fast) < 3 * step, "breaks away", step, u[-1, 0, 0] - far)

# discs that stick, slip and stick again with mu_static: tighter tolerances come to one motion, fixed steps to the same
TUMBLE = """
units: none
bodies:
  - disc: {at: [0, 1], radius: 1, mass: 1, velocity: [1, -0.5], spin: 0.3}
  - disc: {at: [1.9, 1.2], radius: 0.8, mass: 1.3}
  - disc: {at: [4.2, 1.4], radius: 1, mass: 1, velocity: [-1, 0.2]}
  - plane: {at: [0, -0.1], normal: [0, 1]}
gravity: [0, -0.5]
contacts: {law: linear-dashpot, k: 100, gamma: 0.01, friction: {law: cundall-strack, mu: 0.2, mu_static: 0.35, k_t: 80}}
run: {until: 6}
"""
v, u, said = motion("tumble", TUMBLE, "--set", "run.tol=1e-8")
for tol in (1e-5, 1e-10):
    other, moved, said = motion("tumble", TUMBLE, "--set", f"run.tol={tol}")
    check(abs(moved - u).max() < 2 * max(tol, 1e-8), "tumble", tol, abs(moved - u).max())
other, moved, said = motion("tumble", TUMBLE, "--set", "run.scheme=verlet", "--set", "run.step=1e-4")
check(abs(moved - u).max() < 1e-3, "tumble under verlet", abs(moved - u).max())
with h5py.File("tumble.h5") as file: # slipping is not taken for touching by those who note impacts
    book, ledger = file["episodes"], file["observables/ledger/dissipated/value"][-1]
    check((book["speed"][()] > 0).all() and len(book["speed"]) < 30, "speeds of the book", book["speed"][()])
    check(abs(book["dissipated"][()].sum() - ledger) < 1e-2 * ledger, "losses of the book", book["dissipated"][()].sum(), ledger)

# what is lost by slipping and what by the spring's change of stiffness: fixed steps and a tolerance tell it alike
SPLIT = """
units: none
bodies:
  - disc: {at: [0, 1.0], radius: 1, mass: 1, velocity: [0.8, -0.5], spin: 0.3}
  - plane: {at: [0, -0.05], normal: [0, 1]}
contacts: {law: hertz, k: 100, friction: {law: mindlin, mu: 0.6, k_t: 120}}
run: {until: 2}
"""
told = [[float(re.search(rf"\n    {word} +(\S+)", motion("split", SPLIT, *more)[2])[1]) for word in ("friction", "stiffness")]
        for more in (("--set", "run.tol=1e-8"), ("--set", "run.scheme=verlet", "--set", "run.step=1e-3"))]
check(numpy.allclose(told[0], told[1], rtol=1e-4), "shares of friction and stiffness", told)

# a sphere that is thrown along the floor slips until v / (mu g (1 + m l^2 / I)), l its arm, then sticks; fixed steps tell neither
THROWN = """
units: none
gravity: [0, 0, -1]
bodies:
  - sphere: {at: [0, 0, 0.5], radius: 0.5, mass: 1, velocity: [1, 0, 0]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: kuwabara-kono, k: 1e5, gamma: 0.01, friction: {law: cundall-strack, mu: 0.3, k_t: 1e5}}
start: [{body: 1, settle: true}]
run: {until: 1.2}
"""
said = motion("thrown", THROWN, "--set", "run.tol=1e-7")[2]
check("sticks, slips, openings and closings" in said, said)
with h5py.File("thrown.h5") as file:
    kinds, times = file["events/kind"][()], file["events/time"][()]
    check(list(kinds) == [4, 3] and times[0] < 1e-3 and abs(times[1] - 1 / (0.3 * (1 + 2.5 * (1 - 2 * 1e-5 ** (2 / 3)) ** 2))) < 1e-5, "slips, then sticks", kinds, times)
    check(list(file["events/pair"][0]) == [1, 2] and abs(file["events/before"][0] - 1) < 1e-3, "who and how fast")
table = subprocess.run([CAROM, "export", "thrown.h5", "--csv", "--events", "-o", "-"], capture_output=True, text=True, timeout=60).stdout
check([line.split(",")[1] for line in table.split()[1:]] == ["slip", "stick"], table)
motion("thrown", THROWN, "--set", "run.scheme=verlet", "--set", "run.step=1e-4")
with h5py.File("thrown.h5") as file:
    check(not set(file["events/kind"][()]) & {3, 4}, "verlet")

# two discs that land and begin to be pulled back at one moment, far from each other
PAIR = """
gravity: [0, -9.81]
bodies:
  - disc: {at: [0, 10.1 mm], radius: 10 mm, thickness: 10 mm, material: steel, velocity: [0.3, 0]}
  - disc: {at: [125 mm, 10.1 mm], radius: 10 mm, thickness: 10 mm, material: steel}
  - plane: {at: [0, 0], normal: [0, 1], material: steel}
contacts: {law: kuwabara-kono, restitution: {e: 0.7, speed: 1}, mu: 0.2}
run: {until: 10 ms}
"""
for tol in (1e-5, 1e-7, 1e-9):
    v, u, said = motion("pair", PAIR, "--set", f"run.tol={tol}")
    check(abs(v[-1, 0, 1] - v[-1, 1, 1]) < 1e-6, "two discs that land at once", v[-1])

# a ball dropped on three that rest: errors of its bounces grow so much that pilots asked for less than rounding and stopped
DROPPED = """
gravity: [0, -9.81]
bodies:
  - plane: {at: [0, 0], normal: [0, 1], material: steel}
  - sphere: {at: [-10 mm, 10 mm], radius: 10 mm, material: steel}
  - sphere: {at: [10 mm, 10 mm], radius: 10 mm, material: steel}
  - sphere: {at: [30 mm, 10 mm], radius: 10 mm, material: steel}
  - sphere: {at: [0, 60 mm], radius: 10 mm, material: steel}
contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1 m/s}, mu: 0.2}
run: {until: 0.25 s}
"""
if EVERY:  # it takes seconds, so that progress is told
    done = run("dropped", DROPPED)
    check(done.returncode == 0 and "MORE than tol" in done.stdout, done)

# a tiny ball that would cross 1e14 cells of its own size on its way
TINY = """
units: none
theory: nonsmooth
gravity: [0, -10]
bodies:
  - disc: {at: [0, 1], radius: 1e-9, mass: 1, velocity: [0, -1e6]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.5}
run: {until: 3, scheme: event, tol: 1e-6}
record: {every: 0.05}
"""
done = run("tiny", TINY)
check(done.returncode == 0 and "MORE than tol" in done.stdout, done)

end()
