"""carom compare of a scene with its own run file: the file says what the run says, but for what its samples miss, or that it
does not know; and the table of a run's samples is that of its file, to the byte. Small scenes that are shipped: those whose
run takes two seconds of a processor at most."""
import csv
import glob
import math
import os
import resource
import subprocess

from checks import EVERY, check, end, fresh, near

CAROM, SCENES = os.environ["CAROM"], os.path.join(os.environ["SOURCE"], "scenes")
PART = """two-beads law-walton-braun solid-bar bodies/lzb-rough friction/kane friction/rolling lzb/column lzb/cradle
          rigid/ball-steps rigid/column-shocked rigid/stiff-bed space/oblique""".split()
SAMPLED = {"impulse": 0.01, "peak_force": 0.01}  # what samples may miss, of the largest of its kind
NOTHING = ("evaluations", "iterations", "peak_time", "top_time")  # samples take work; a flat top has no time


def run(scene, file, *options):
    """true: it is a small one"""
    done = subprocess.run([CAROM, "run", scene, "-q", "-o", fresh(file), *options], capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (2, 2)))
    check(done.returncode in (0, -9, -24), scene, done.stderr)
    return done.returncode == 0


def compare(scene, file):
    """both columns by quantity and number; {}: the file does not hold the motion"""
    done = subprocess.run([CAROM, "compare", scene, file, "-q", "--no-timing", "--csv", fresh("both.csv")], capture_output=True, text=True)
    if "record the probes u and v" in done.stderr:
        return {}
    check(done.returncode == 0, scene, done.stderr)
    with open("both.csv") as table:
        rows = list(csv.reader(table))[2:]
    return {(quantity, number): [float(x) if x else math.nan for x in values] for quantity, number, _, *values in rows}


compared = known = 0
for path in sorted(glob.glob("**/*.yaml", root_dir=SCENES, recursive=True)):
    scene = os.path.join(SCENES, path)
    fresh("run_contacts.csv")
    if not (EVERY or path[:-5] in PART) or not run(scene, "own.h5", "--csv", fresh("run.csv")):
        continue
    for contacts in "", "_contacts":
        if os.path.exists(table := f"run{contacts}.csv"):
            subprocess.run([CAROM, "export", "own.h5", "--csv", "-q", "-o", fresh("file.csv"), *(["--contacts"] if contacts else [])])
            check(open(table, "rb").read() == open("file.csv", "rb").read(), path, table, "is not what is exported")
    both = compare(scene, "own.h5")
    if not both and run(scene, "own.h5", "--set", "record.probes=[u,v]"):
        both = compare(scene, "own.h5")
    energy = max((abs(x[0]) for (quantity, _), x in both.items() if quantity in ("energy_start", "stored", "dissipated")), default=0.0)
    largest = {q: max((abs(x[0]) for (other, _), x in both.items() if other == q), default=0.0) for q in SAMPLED}
    energies = [quantity for quantity, _ in both]
    energies = energies[energies.index("energy_start"):energies.index("residual") + 1] if both else []
    compared += bool(both)
    for (quantity, number), (own, told) in both.items():
        if quantity.startswith(("difference_", "arrival")) or quantity in NOTHING or math.isnan(told):
            continue  # a file may always say that it does not know, and arrivals hang on a hair: 1 % of V, somewhere between samples
        if quantity in SAMPLED:
            allowed = SAMPLED[quantity] * largest[quantity]
            known += own != 0.0
        else:
            allowed = 1e-9 * (energy if quantity in energies else max(abs(own), 1.0))
        near(told, own, allowed, path, quantity, number, "of the file")
check(compared >= (100 if EVERY else len(PART)), "scenes compared", compared)
check(known >= 10 * len(PART) / 12, "forces and impulses that files tell", known)

# a ball that bounces and comes to rest: the impulse of the floor is what gravity gave, or nobody knows it
for scheme in ("moreau-jean", "schatzman-paoli"):
    for every in ("0.001", "0.01", "0.02", "0.5"):
        run(os.path.join(SCENES, "rigid/ball-steps.yaml"), "ball.h5", "--set", "run.scheme=" + scheme, "--set", "record.every=" + every)
        for told in compare("ball.h5", "ball.h5")["impulse", "0"]:
            near(told if not math.isnan(told) else 20.0, 20.0, 0.01, scheme, every, "impulse", told)
            check(scheme == "schatzman-paoli" or not math.isnan(told), scheme, every, "is known")

# what contacts lose, friction included, is what the ledger says
kane = os.path.join(SCENES, "friction/kane.yaml")
run(kane, "kane.h5", "--set", "record.probes=[u,v,contact_dissipated]")
both = compare(kane, "kane.h5")
for lost, dissipated in zip(both["contact_dissipated", "1"], both["dissipated", ""]):
    near(lost, dissipated, 1e-12, "lost in the contact")
end()
