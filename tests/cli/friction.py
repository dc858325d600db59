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
        rubbed = run["observables/ledger/mechanism/friction/value"][:]
        check(rubbed[-1] > 50 and numpy.all(numpy.diff(rubbed) > -1e-9), "friction only takes")
        kinds = run["events/kind"][:]
        check(set(kinds) == {3, 4}, "sticks and slips are events")

    done = carom("run", scene("kane"), "-o", out)
    check(done.returncode == 0 and "impacts    CREATED" in done.stdout and "friction can do that" in done.stdout, "Kane")

    done = carom("run", scene("rod"), "--set", "contacts.mu=1.5", "-o", out)
    check(done.returncode != 0 and "contact 1 at t = 0" in done.stderr and "Painleve" in done.stderr, "Painleve")
    done = carom("run", scene("rod"), "--set", "contacts.mu=1.5", "--set", "run={until: 0.1, scheme: moreau-jean}", "-o", out)
    check(done.returncode == 0, "a step's own problem has a solution", done)

    done = carom("run", scene("stick-slip"), "--set", "run.scheme=event", "-o", out)
    check(done.returncode != 0 and "knows no friction" in done.stderr, "event refuses friction")

    done = carom("check", scene("stick-slip"))
    check(done.returncode == 0 and "mu = 0.2 mu_static = 0.4" in done.stdout, "check prints mu")

end()
