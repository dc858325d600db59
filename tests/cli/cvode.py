"""The optional scheme cvode: where it is built it agrees with dp5, which shares nothing with it but the right-hand side, and
goes on after a stop to the same bits; where it is not, a scene that asks for it is told so."""
import os
import subprocess

import h5py
import numpy

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def values(path):
    with h5py.File(path) as run:
        return run["particles/beads/velocity/value"][()], run["observables/ledger/residual/value"][()]


def test_agreement():
    for scene in ("two-beads", "gaps", "force-ended", "wall-bounce", "dimer"):
        path = os.path.join(SOURCE, "scenes", scene + ".yaml")
        for scheme, tol in (("cvode", "1e-11"), ("dp5", "1e-10")):
            done = carom("run", path, "--set", f"run.scheme={scheme}", "--set", "run.step=null", "--set", f"run.tol={tol}",
                         "-o", scheme + ".h5", "-q")
            if "run.step=null" in done.stderr:
                done = carom("run", path, "--set", f"run.scheme={scheme}", "--set", f"run.tol={tol}", "-o", scheme + ".h5",
                             "-q")
            check(done.returncode == 0, scene, scheme, done.stderr)
        (a, rest), (b, _) = values("cvode.h5"), values("dp5.h5")
        difference = numpy.abs(a - b).max() / numpy.abs(b).max()
        check(difference < 1e-6, scene, difference)
        print(f"{scene}: cvode and dp5 differ by {difference:.1e} of the largest speed, residual {abs(rest).max():.1e}")


def test_going_on():
    path = os.path.join(SOURCE, "scenes", "two-beads.yaml")
    for name in ("whole.h5", "part.h5"):
        if os.path.exists(name):
            os.remove(name)
    cvode = ["--set", "run={until: 4, scheme: cvode, step: 0.25}"]
    check(carom("run", path, *cvode, "-o", "whole.h5", "-q").returncode == 0, "whole")
    check(carom("run", path, *cvode, "--set", "run.until=2", "-o", "part.h5", "-q").returncode == 0, "part")
    check(carom("resume", "part.h5", "--until", "4", "-q").returncode == 0, "the rest")
    with h5py.File("whole.h5") as whole, h5py.File("part.h5") as part:
        last = "particles/beads/velocity/value"
        check(numpy.array_equal(whole[last][-1], part[last][-1]), whole[last][-1], part[last][-1])


if "cvode" in carom("list", "schemes").stdout:
    test_agreement()
    test_going_on()
else:
    done = carom("check", os.path.join(SOURCE, "scenes", "two-beads.yaml"), "--set", "run={until: 1, scheme: cvode}")
    check(done.returncode == 4 and "built without SUNDIALS" in done.stderr, done)
end()
