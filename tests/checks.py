"""What the Python tests share: check() counts and prints what does not hold, end() says how many and ends the test. A test
that checked too little fails. The module is on the path of every Python test."""
import atexit
import os
import re
import sys

_count = {"checks": 0, "failures": 0, "ended": False}
EVERY = "ALL_LINES" in os.environ  # for the _long of a test, which takes all that the test itself takes a part of
SHOWN = 40  # failures printed in full; a loop that always fails should not flood the log


def check(good, *what):
    """counts a check; prints what was to hold if it does not. Returns whether it does."""
    _count["checks"] += 1
    if not good:
        _count["failures"] += 1
        if _count["failures"] <= SHOWN:
            print("does not hold:", *what, file=sys.stderr, flush=True)
        elif _count["failures"] == SHOWN + 1:
            print("... further failures are only counted", file=sys.stderr, flush=True)
    return bool(good)


def some(things, step):
    """every step-th of them, the first included; all where the test is the long one"""
    return list(things)[::1 if EVERY else step]


def worked(process):
    """seconds of processor time that a process which runs has taken so far: a busy machine does not change them"""
    with open(f"/proc/{process.pid}/stat") as file:
        words = file.read().rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def fresh(path):
    """the path, where no file is left: one that a run replaces is looked at first, which takes longer than a short run"""
    if os.path.exists(path):
        os.remove(path)
    return path


def forget_checksums(run):
    """of a run file (h5py) that is changed as a stranger's program would: its samples no longer answer to them"""
    del run["parameters/checksums"]


def near(a, b, allowed, *what):
    """a is b to within `allowed`; NaN is not"""
    return check(abs(a - b) <= allowed, *what, a, "is not", b, "to", allowed)


def sanitized():
    """does a sanitizer give the program its memory? Then nothing that is preloaded can refuse it any"""
    with open(os.environ["CAROM"], "rb") as program:
        return re.search(rb"__[at]san_init", program.read()) is not None


def failures():
    return _count["failures"]


def end(least=1, more=""):
    """ends the test: well only if there were at least so many checks and all of them hold"""
    checks, failed = _count["checks"], _count["failures"]
    _count["ended"] = True
    print(f"{checks} checks, {failed} failed{more}")
    if checks < least:
        print(f"there should have been at least {least} checks", file=sys.stderr)
    sys.exit(1 if failed > 0 or checks < least else 0)


@atexit.register
def _forgotten():
    if not _count["ended"]:
        print("the test did not come to its end()", file=sys.stderr)
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(1)
