"""What the tests of a few rigid bodies under event share: a scene from its lines, run, and what came of those that move."""
import os
import subprocess

import h5py
import numpy

from checks import check, fresh


def write(name, gravity, bodies, contact, until, how):
    with open(name + ".yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n%scontacts: {law: rigid, %s}\nrun: {until: %g, %s}\n" % (
            gravity, "".join("  - %s\n" % b for b in bodies), contact, until, how))
        file.write("record: {every: %g, probes: [%s]}\n" % (until / 20, "u, v" if "event" in how else "position, rotation"))


def run(name, gravity, bodies, contact, until, how, fails=False):
    """Displacements, velocities and times of the bodies that move (of other schemes than event: places), or what the run says."""
    write(name, gravity, bodies, contact, until, how)
    done = subprocess.run([os.environ["CAROM"], "run", name + ".yaml", "-o", fresh(name + ".h5")], capture_output=True, text=True, timeout=200)
    if fails:
        check(done.returncode != 0 and done.stderr.count("carom: ") == 1, name, done.stderr)
        return done.stderr
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        if "event" not in how:
            return file["particles/bodies/position/value"][()], None, file["particles/bodies/position/time"][()]
        check("NO PROMISE" not in done.stdout, name, done.stdout)
        moved = file["particles/mechanism/displacement"]
        return moved["value"][()], file["particles/mechanism/velocity/value"][()], moved["time"][()]


def near(name, got, wanted, allowed=1e-9):
    off = numpy.abs(numpy.asarray(got) - numpy.asarray(wanted)).max()
    print("%-60s %.1e" % (name, off))
    check(off < allowed, name, off)
