#!/usr/bin/env python3
"""Friction from the command line: Coulomb's law in a run file, energy that impacts create is said, Painleve's paradox
ends a run with its time and contact, other schemes refuse, and check prints what friction there is."""
import os
import subprocess
import tempfile

import h5py
import numpy

from checks import check, end

program, source = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, timeout=60)


def scene(name):
    return os.path.join(source, "scenes", "friction", name + ".yaml")


with tempfile.TemporaryDirectory() as folder:
    out = os.path.join(folder, "run.h5")
    done = carom("run", scene("stick-slip"), "-o", out)
    check(done.returncode == 0 and "friction" in done.stdout and "pilot runs predict" in done.stdout, "stick-slip runs")
    with h5py.File(out, "r") as run:
        normal, along, slip = (run[f"observables/contacts/{item}/value"][:, 0] for item in ("force", "friction", "slip"))
        check(run["observables/contacts/friction/value"].attrs["unit"] == b"1", "friction has a unit")
        check(numpy.all(abs(along[1:]) <= 0.4 * normal[1:] + 1e-9), "sticking stays inside of mu_static")
        fast = abs(slip) > 1e-6
        check(fast.sum() > 100, "the block slips")
        check(numpy.allclose(along[fast][1:], -numpy.sign(slip[fast][1:]) * 0.2 * normal[fast][1:], atol=1e-7), "Coulomb")
        friction_loss = run["observables/ledger/mechanism/friction/value"][:]
        check(friction_loss[-1] > 50 and numpy.all(numpy.diff(friction_loss) > -1e-9), "friction only takes")
        kinds = run["events/kind"][:]
        check(set(kinds) == {3, 4}, "sticks and slips are events")

    done = carom("run", scene("kane"), "-o", out)
    check(done.returncode == 0 and "impacts    CREATED" in done.stdout and "restitution together with friction" in done.stdout, "Kane")

    done = carom("run", scene("rod"), "--set", "contacts.mu=1.5", "-o", out)
    check(done.returncode != 0 and "contact 1 at t = 0" in done.stderr and "Painleve" in done.stderr, "Painleve")
    done = carom("run", scene("rod"), "--set", "contacts.mu=1.5", "--set", "run={until: 0.1, scheme: moreau-jean}", "-o", out)
    check(done.returncode == 0, "a step's own problem has a solution", done)

    done = carom("run", scene("stick-slip"), "--set", "run.scheme=mannshardt", "-o", out)
    check(done.returncode != 0 and "does not support friction" in done.stderr, "mannshardt refuses friction")

    done = carom("check", scene("stick-slip"))
    check(done.returncode == 0 and "mu = 0.2, mu_static = 0.4" in done.stdout, "check prints mu")

    # a block that stops where mu_static holds it, or does not, by the last bit: the run ends and says that nobody can tell;
    # where mu_static is a little more or less, or mu is as much, nothing depends on bits
    edge = os.path.join(folder, "edge.yaml")
    for still, rub, doubt in (("0.15000000000000002", 0.1, True), ("0.15", 0.1, True), ("0.1501", 0.1, False),
                              ("0.1499", 0.1, False), ("0.15", 0.15, False)):
        with open(edge, "w", encoding="utf-8") as file:
            file.write(f"""units: none
theory: nonsmooth
bodies: [mechanism: {{kind: sliding-block, width: 1, height: 0.2, gravity: 10, base_acceleration: {{shape: constant, amplitude: 1.5}}}}]
contacts: {{e: 0.5, mu: {rub}, mu_static: {still}}}
start: [{{bodies: [1, 2, 3], displacement: [0, 0, 0], velocity: [1.1800184184282156, 0, 0]}}]
run: {{scheme: moreau-adaptive, until: 0.7289057615933623, tol: 1e-5}}
""")
        done = carom("run", edge, "-o", out)
        says = "NO PROMISE after t = 0.472007: friction at contact 1 is all that mu_static allows" in done.stdout
        check(done.returncode == 0 and says == doubt and ("NO PROMISE" in done.stdout) == doubt, still, rub, done)

    # a box that friction holds on a slope: rounding is no energy that impacts create, and a rigid law has no stiffness
    held = os.path.join(folder, "held.yaml")
    with open(held, "w", encoding="utf-8") as file:
        file.write("""theory: nonsmooth
gravity: [3.355218, -9.218385]
bodies: [box: {at: [0, 2.5 cm], size: [10 cm, 5 cm], mass: 1 kg}, plane: {at: [0, 0], normal: [0, 1]}]
contacts: {law: rigid, e: 0, mu: 0.4}
run: {until: 1 s, scheme: moreau-jean, step: 1 ms}
""")
    done = carom("run", held, "-o", out)
    check(done.returncode == 0 and "CREATED" not in done.stdout and "rigid: e = 0, mu = 0.4\n" in done.stdout, done)
    done = carom("check", os.path.join(source, "scenes", "crystals", "triangle.yaml"))
    check("rigid: e = 0.8, k = 1, p = 1.5" in done.stdout, "impact lzb works with k and p", done)

end()
