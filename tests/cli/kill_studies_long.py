"""Commands that write other HDF5 files, killed at every call: a sweep goes on in its file; of the others there is the file of
before, as it was, or the whole new one."""
import itertools
import os
import shutil

import h5py
import numpy

from checks import check, end
from kills import carom, kill_each, settled, write

SCENE = """
title: Beads
bodies: [{chain: {count: 6, radius: 10 mm, material: steel}}]
contacts: {law: kuwabara-kono, gamma: 0.6 us}
start: [{body: 1, velocity: 0.5}]
run: {until: 150 us, tol: 1e-4}
record: {every: 2 us, probes: [u, v, contact_force]}
"""
write("beads.yaml", SCENE)
write("data.csv", "time (us),v[6] (m/s)\n" + "".join(f"{t},{0.01 * t - 1}\n" for t in range(100, 150, 5)))


def numbers(path):
    """All of a file, without how long things took."""
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return {name: value for name, value in found.items() if "seconds" not in name and "command" not in name}


def same(a, b):
    return a.keys() == b.keys() and all(
        numpy.array_equal(a[k], b[k], equal_nan=numpy.asarray(a[k]).dtype.kind == "f") for k in a)


def old_and_new(make_old, make_new, name):
    """Files that two commands write under one name, as old.h5 and new.h5."""
    for command, kept in ((make_old, "old.h5"), (make_new, "new.h5")):
        done = carom(*command)
        check(done.returncode == 0, command, done)
        shutil.copy2(name, kept)
        os.remove(name)
    old, new = numbers("old.h5"), numbers("new.h5")
    check(not same(old, new), make_new, "can be told from", make_old)
    return old, new


def replace(make_old, make_new, name):
    settled()
    old, new = old_and_new(make_old, make_new, name)

    def examine(what):
        found = numbers(name)
        check(same(found, old) or same(found, new), what, "is neither the old nor the new file")
        done = carom(*make_new)
        check(done.returncode == 0 and same(numbers(name), new), what, "again:", done)
        check(not os.path.exists(name + ".part"), what, "left beside it")
    kills = kill_each(make_new, [("old.h5", name)], examine, itertools.count(1))
    check(kills > 10, "too few kills", make_new, kills)
    print(f"{kills:5} kills: {' '.join(make_new)}", flush=True)


def words(*command):
    return [word for part in command for word in part.split()]


fit = words("fit beads.yaml --to data.csv --free contacts.gamma --method polish -o run-fit.h5 -q")
replace(fit + ["--set", "start.1.velocity=0.6"], fit, "run-fit.h5")
compare = words("compare beads.yaml --theories compliant,nonsmooth:newton --no-timing -q -o run-compare.h5")
replace(compare + ["--set", "start.1.velocity=0.6"], compare, "run-compare.h5")
check(carom("run", "beads.yaml", "-q", "-o", "beads.h5").returncode == 0 and
      carom("run", "beads.yaml", "-q", "-o", "fast.h5", "--set", "start.1.velocity=0.6").returncode == 0, "runs")
replace(words("export fast.h5 --vtkhdf run.vtkhdf -q"), words("export beads.h5 --vtkhdf run.vtkhdf -q"), "run.vtkhdf")

# what pulse keeps in a run
check(carom("pulse", "beads.h5", "--no-keep").returncode == 0, "there are pulses")
before = numbers("beads.h5")
shutil.copy2("beads.h5", "pulse.h5")
check(carom("pulse", "pulse.h5", "-q").returncode == 0, "pulse")
after = numbers("pulse.h5")


def examine_pulse(what):
    check(same(numbers("run.h5"), before) or same(numbers("run.h5"), after), what)
    check(carom("pulse", "run.h5", "-q").returncode == 0 and same(numbers("run.h5"), after), what, "again")


kills = kill_each(["pulse", "run.h5", "-q"], [("beads.h5", "run.h5")], examine_pulse, itertools.count(1))
check(kills > 10, "too few kills", kills)
print(f"{kills:5} kills: pulse run.h5")

# a sweep, new and gone on with
sweep = words("sweep beads.yaml --over start.1.velocity=0.5,0.6,0.7 --outputs kinetic -q -o run-sweep.h5")
settled()
check(carom(*sweep).returncode == 0, "sweep")
swept = numbers("run-sweep.h5")


def examine_sweep(what):
    if os.path.exists("run-sweep.h5"):
        with h5py.File("run-sweep.h5", "r", swmr=True) as file:
            check("parameters" in file, what, "is read")
    check(carom(*sweep).returncode == 0 and same(numbers("run-sweep.h5"), swept), what, "gone on with")


kills = kill_each(sweep, [], examine_sweep, itertools.count(1))
shutil.copy2("run-sweep.h5", "sweep.h5")
print(f"{kills:5} kills: {' '.join(sweep)}")
again = kill_each(["sweep", "run-sweep.h5", "-q"], [("sweep.h5", "run-sweep.h5")], examine_sweep, itertools.count(1))
print(f"{again:5} kills: sweep run-sweep.h5")
check(kills > 10 and again > 1, "too few kills", kills, again)

# its parts and their gathering, which go on in their files
for part in (1, 2):
    check(carom(*sweep[:-1], f"part{part}.h5", "--part", f"{part}/2").returncode == 0, "part", part)
for command, whole in ((sweep + ["--part", "1/2"], "part1.h5"), (words("gather part1.h5 part2.h5 -q -o run-sweep.h5"), "sweep.h5")):
    wanted = numbers(whole)

    def examine_part(what):
        check(carom(*command).returncode == 0 and same(numbers("run-sweep.h5"), wanted), what, "repeated")
    kills = kill_each(command, [], examine_part, itertools.count(1))
    print(f"{kills:5} kills: {' '.join(command)}", flush=True)
    check(kills > 10, "too few kills", kills)
end()
