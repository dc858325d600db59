"""carom check on schemes: advice on the step, what tailored schemes cannot reach, the tableau of rk2, the cost."""
import os
import re
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]

with open("check-scheme.yaml", "w") as file:
    file.write("""title: Five beads
units: none
bodies: [chain: {count: 5, mass: 1}]
contacts: {law: kuwabara-kono, k: 1, gamma: 0.02}
start: [{body: 1, velocity: 1}]
run: {until: 12, scheme: theta, step: 0.1}
""")


def said(*settings):
    options = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([CAROM, "check", "check-scheme.yaml", *options], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, settings, done.stderr)
    return done.stdout


def number(text, pattern):
    found = re.search(pattern + r"\s*([-+0-9.e]+)", text)
    check(found is not None, pattern, "is not in", text)
    return float(found.group(1)) if found else float("nan")


# steps: the order shows in the advice, and too long ones are warned of
for scheme, order in ("verlet", 2), ("theta", 2), ("cn-reg", 2), ("irk", 3), ("gl-reg", 3), ("gl", 3), ("cn", 2), \
        ("energy-momentum", 2):
    text = said("run.scheme=" + scheme)
    coarse, fine = number(text, r"\n +about"), number(text, "error of 1e-2,")
    check(abs(coarse / fine / 10 ** (1 / order) - 1) < 0.05, scheme, coarse, fine)
    check(("warning" in text) == (scheme == "irk"), scheme, text)  # irk is so good that gamma counts
    check("120 steps of 5 bodies" in text, scheme, text)
check("not resolved" in said("run.step=1.5"), "a step of half a contact")
check("at most 1.5" in said("run.step=1.5", "run.adapt=1e-3"), "a step that adapts")

# tailored schemes at a gamma that is too large for the step
for scheme, level in ("theta", 6e-3), ("irk", 2e-3):  # measured in tests of convergence: 5.7e-3 and 2.1e-3
    text = said("run.scheme=" + scheme, "contacts.gamma=0.1", "run.step=0.02")
    got = number(text, "levels off near" if scheme == "theta" else "stays near")
    check(level / 2 < got < level * 2, scheme, got)
    check("levels off" not in said("run.scheme=" + scheme, "contacts.gamma=0", "run.step=0.02"), scheme)
check("levels off" not in said("run.scheme=gl-reg", "contacts.gamma=0.1", "run.step=0.02"), "gl-reg goes on")

check(number(text, "down to a step of") == 0.011, "from where on irk is of second order again: 3.2e-4 at 0.0063")
# a large gamma: theta stays at 0.02, 0.04 and 0.17 (carom converge); irk regularises what its tableau cannot take and goes on
# as h^2, 1e-3 at 0.1 and 1e-6 at 0.0025, so nothing levels off
for gamma, level in (0.3, 0.019), (0.6, 0.04), (2, 0.17):
    got = number(said("run.scheme=theta", f"contacts.gamma={gamma}", "run.step=0.02"), "levels off near")
    check(level / 2 < got < level * 2, gamma, got)
    text = said("run.scheme=irk", f"contacts.gamma={gamma}", "run.step=0.02")
    check("near" not in text and "warning" not in text, gamma, text)

# rk2: Gauss-Legendre, and the backward Euler method twice in a row, which is of first order and damps
text = said("run={until: 1, scheme: rk2, step: 0.1}")
check("order 4 as it stands" in text and "A-stable" in text and "not A-stable" not in text, text)
check(number(text, "C11 =") == 0.0 and number(text, "infinity") == 1.0, text)
text = said("run={until: 1, scheme: rk2, step: 0.02, b1: 0.5, a11: 0.5, a12: 0, a21: 0.5, a22: 0.5}")
check(abs(number(text, "c1 =") - 0.5) < 1e-12 and abs(number(text, "c2 =") - 1.0) < 1e-12, text)
check("order 1 as it stands" in text and abs(number(text, "infinity")) < 1e-9, text)
gamma = number(text, "2 C11 step =")
check(abs(gamma - 2.0 * number(text, "C11 =") * 0.02) < 1e-6 * abs(gamma), text)

# crystals: what is imitated, and what to mind
with open("check-scheme.yaml", "w") as file:
    file.write("""title: Two discs
units: none
bodies:
  - disc: {at: [0, 0], radius: 3, mass: 1, velocity: [0.6, 0.8]}
  - disc: {at: [5, 0], radius: 2, mass: 2}
contacts: {law: kuwabara-kono, k: 1, gamma: 0.1}
run: {until: 4, scheme: theta, step: 0.2}
""")
text = said("run.scheme=theta")
check(number(text, "1/2 \\+ gamma/\\(2 step\\) =") == 0.75 and number(text, "gamma/step") == 0.5, text)
check("warning" not in text and "eps = " in text, text)
check(number(said("run.scheme=irk"), "C11 = gamma/\\(2 step\\) =") == 0.25, "C11")
check("levels off at O(gamma^2)" in said("run.step=0.05"), "theta with gamma > h")
check("damps the turning of normals too; angular momentum is not kept" in said("run.form=paper"), "form: paper")
for scheme in "theta", "cn-reg", "irk", "gl-reg":
    check("may create energy" in said("run.scheme=" + scheme, "run.step=1.5"), scheme)
check("may create energy" not in said("run.scheme=energy-momentum", "run.step=1.5"), "energy-momentum")
done = subprocess.run([CAROM, "run", "check-scheme.yaml", "--set", "run.scheme=energy-momentum", "-o", "pair.h5"],
                      capture_output=True, text=True, timeout=60)
check("Newton iterations a step of" in done.stdout and "CG iterations each" in done.stdout, done.stdout)
check(number(done.stdout, "momentum   changed by") < 1e-15 and number(done.stdout, "angular momentum by") < 1e-15,
      done.stdout)
check(abs(number(done.stdout, "residual ")) < 1e-14, done.stdout)

with open("check-scheme.yaml", "w") as file:
    file.write("""title: Five beads
units: none
bodies: [chain: {count: 5, mass: 1}]
contacts: {law: kuwabara-kono, k: 1, gamma: 0.02}
start: [{body: 1, velocity: 1}]
run: {until: 12, scheme: theta, step: 0.1}
""")

# cost: of runs with error control it is a guess
check("of the order of" in said("run={until: 100, tol: 1e-6}"), "dp5")
for i in range(6):  # it is one that keeps to the order, from coarse runs to fine ones
    settings = (f"run={{until: {5 * 2 ** i}, tol: 1e-{3 + i}}}", f"contacts.gamma={0.3 / 3 ** i}")
    options = [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run([CAROM, "run", "check-scheme.yaml", "-o", "cost.h5", *options], capture_output=True, text=True,
                          timeout=60)
    guess, taken = number(said(*settings), "of the order of"), number(done.stdout, "steps")
    check(0.1 * guess < taken < 10 * guess, settings, "guessed", guess, "took", taken)

# of solids it is a lower bound
for i, tol in enumerate((1e-2, 1e-3, 1e-4)):
    with open("check-solid.yaml", "w") as file:
        file.write(f"theory: solid\nunits: none\nbodies:\n  - solid:\n      box: {{size: [3, 1, 1], cells: [{3 + i}, 2, 2]}}\n"
                   f"      material: {{young: {1 + i}, poisson: 0.{1 + i}, density: 1}}\n      clamps: [{{face: left}}]\n"
                   f"start: [{{velocity: [0.001, 0.002, 0]}}]\nrun: {{until: 20, tol: {tol}}}\n")
    told = subprocess.run([CAROM, "check", "check-solid.yaml"], capture_output=True, text=True, timeout=60).stdout
    done = subprocess.run([CAROM, "run", "check-solid.yaml", "-o", "cost.h5"], capture_output=True, text=True, timeout=60)
    least, taken = number(told, "cost +at least"), number(done.stdout, "steps")
    check(least <= taken, "at least", least, "steps, but", taken, "were taken")

# a short run of a solid has one sample a step
done = subprocess.run([CAROM, "run", "check-solid.yaml", "-o", "short.h5", "--set", "run={until: 2, scheme: rattle, step: 0.1}"], capture_output=True,
                      text=True, timeout=60)
check(number(done.stdout, "steps") == 20 and number(done.stdout, "recorded") == 21, done.stdout, done.stderr)

# discs and spheres say how long they take, to the order of magnitude
with open("check-scheme.yaml", "w") as file:
    file.write("""units: none
gravity: [0, -1]
bodies:
  - lattice: {kind: square, count: [10, 10], radius: 0.5, mass: 1, at: [0, 0.5]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: kuwabara-kono, k: 1000, gamma: 0.02}
run: {until: 20, scheme: verlet, step: 0.001}
""")
text = said()
check("cost       20000 steps of 100 bodies\n" in text and "thread" not in text, "what takes less than a second is no matter", text)
text = said("run={until: 40, scheme: verlet, step: 0.001}")
check(re.search(r"cost +40000 steps of 100 bodies\n +about 1\.2 s on one thread\n", text), text)
check("cost       4000 steps of 100 bodies\n" in said("run={until: 0.004, scheme: verlet, step: 1e-6}"), "rounding is no step")
text = said("run={until: 20, tol: 1e-6}")
check(re.search(r"cost +of the order of \d+ steps of 100 bodies: .*\n +a tolerance", text), text)
RIGID = "{law: rigid, e: 0.5}"
text = said("run={until: 20, scheme: moreau-jean, step: 0.001}", "theory=nonsmooth", f"contacts={RIGID}")
check("cost       20000 steps of 100 bodies\n" in text and "thread" not in text, "blocks take longer than balls, sleepers less", text)
text = said("run={until: 20, scheme: event}", "theory=nonsmooth", f"contacts={RIGID}")
check("cost       not known before the run: its steps go from one impact to the next\n" in text, text)
with open("check-scheme.yaml", "w") as file:
    file.write("""units: none
bodies: [chain: {count: 5, mass: 1}]
contacts: {law: kuwabara-kono, k: 1, gamma: 0.02}
start: [{body: 1, velocity: 1}]
run: {until: 12, scheme: theta, step: 0.1}
""")
check("if all bodies move" in said("run={until: 1e6, tol: 1e-6}"), "a long run says how long")

# examples in sentences have no unit where the scene has none
for cut, head, example in (("", "units: none\n", "run: {until: 2}"), ("", "", "run: {until: 2 ms}"),
                           ("run: {duration: 3}", "units: none\n", "until: 2"), ("run: {dt: 3}", "units: none\n", "is step: 1, beside")):
    with open("check-none.yaml", "w") as file:
        file.write(head + "bodies: [chain: {count: 5, mass: 1}]\ncontacts: {law: kuwabara-kono, k: 1, gamma: 0.02}\n" + cut + "\n")
    done = subprocess.run([CAROM, "check", "check-none.yaml"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 3 and example in done.stderr and (" ms" in done.stderr) == (head == ""), done.stderr)

end()
