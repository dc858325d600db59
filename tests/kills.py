"""What the tests of killed commands share: numbers of run files, kills at the nth call that changes a file (tests/kill_at.c
is preloaded), power cuts, and what must hold of the files that are left."""
import os
import shutil
import signal
import subprocess

import h5py
import numpy

from checks import check

CAROM = os.environ["CAROM"]
SHIM = os.path.join(os.environ["BUILD"], "tests", "kill_at.so")
# looking for leaks takes seconds at every exit, and sanitizers want to be the first library; other suites do
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0:verify_asan_link_order=0"


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def write(path, text):
    with open(path, "w") as file:
        file.write(text)


LIST = "observables/contacts/list/" # of contacts that come and go

# --- numbers of run files ---------------------------------------------------------------------------------------------

def numbers(run):
    """What grew while the run went on, cut to common lengths."""
    found = {}

    def walk(group): # visititems would show what is linked twice only once
        for item in group.values():
            if isinstance(item, h5py.Group):
                walk(item)
            elif item.maxshape and item.maxshape[0] is None:
                found[item.name[1:]] = item[()]
    for name in ["particles", "observables", "events", "impacts"]:
        walk(run[name])
    kinds = {}
    for path in found:
        kind = path if path == "impacts/force" else path.split("/")[0].replace("particles", "observables")
        if path.startswith(LIST) and path[len(LIST):] not in ("first", "count", "step", "time"):
            kind = LIST
        kinds.setdefault(kind, []).append(path)
    if LIST in kinds: # rows whose lines have all arrived, and their lines
        lines = min(len(found[path]) for path in kinds[LIST])
        ends = numpy.cumsum(found[LIST + "count"])
        found[LIST + "count"] = found[LIST + "count"][:numpy.searchsorted(ends, lines, "right")]
    for paths in kinds.values():
        rows = min(len(found[path]) for path in paths)
        for path in paths:
            found[path] = found[path][:rows]
    for path in kinds.get(LIST, []):
        found[path] = found[path][:found[LIST + "count"].sum()]
    return found


def rows_of(found):
    return len(found["observables/ledger/residual/time"])


def begins_like(found, whole):
    return found.keys() == whole.keys() and all(
        numpy.array_equal(found[path], whole[path][:len(found[path])]) for path in found)


def equal(found, whole):
    return begins_like(found, whole) and all(len(found[path]) == len(whole[path]) for path in whole)


def recorded(path, **how):
    with h5py.File(path, "r", **how) as run:
        return numbers(run)


def holds_whole(path, *wholes):
    """Is there a complete run with the numbers of one of these?"""
    if not os.path.exists(path) or carom("show", path, "-q").returncode != 0:
        return False
    with h5py.File(path, "r", swmr=True) as run:
        return bool(run["parameters/complete"][()]) and any(equal(numbers(run), whole) for whole in wholes)


# --- kills ------------------------------------------------------------------------------------------------------------

def settled(*files):
    """Leaves nothing in this folder of the runs before but these: (from, to)."""
    for name in os.listdir("."):
        if name.startswith("run"):
            os.remove(name)
    for source, target in files:
        shutil.copy2(source, target)


def run_killed(command, n, torn=False):
    """False: it came to its end before the nth call."""
    environment = {**os.environ, "LD_PRELOAD": SHIM, "KILL_AT": str(n), **({"KILL_TORN": "1"} if torn else {})}
    done = subprocess.run([CAROM, *command], capture_output=True, env=environment, timeout=100)
    if done.returncode != -signal.SIGKILL:
        check(done.returncode == 0, command, done)
    return done.returncode == -signal.SIGKILL


def kill_each(command, files, examine, moments, torn=False):
    """Kills a command, each time begun with the same files, at the given calls, as far as it has so many. How many kills."""
    kills = 0
    for n in moments:
        settled(*files)
        if not run_killed(command, n, torn):
            break
        examine(f"{' '.join(command)}, killed at {n}{' in the middle' if torn else ''}:")
        kills += 1
    return kills


def examine_run(what, path, *wholes):
    """A file that was left is read by all, repaired, and goes on to one of the runs it may be part of."""
    for command in (["show", path], ["export", path, "--csv", "-o", "table.csv"]):
        done = carom(*command)
        if not check(done.returncode == 0, what, done):
            return # h5py would wait for ever for a torn piece to become whole
    try:
        left = recorded(path, swmr=True)
        check(any(begins_like(left, whole) for whole in wholes), what, rows_of(left), "rows are not those of the run")
        shutil.copy2(path, "run-repaired.h5")
        done = carom("repair", "run-repaired.h5")
        check(done.returncode == 0, what, done)
        check(equal(recorded("run-repaired.h5"), left), what, "repaired") # like any file, without swmr
        shutil.copy2(path, "run-resumed.h5")
        done = carom("resume", "run-resumed.h5", "-q")
        if done.returncode == 6 and "no checkpoint" in done.stderr:
            return # killed before the first one
        check(done.returncode == 0, what, done)
        check(holds_whole("run-resumed.h5", *wholes), what, "resumed")
    except OSError as reason:
        check(False, what, reason)


# --- power cuts -------------------------------------------------------------------------------------------------------

PAGE = 4096


def put(content, at, data):
    content.extend(bytes(max(0, at + len(data) - len(content))))
    content[at:at + len(data)] = data


def change(content, call):
    """One call done to the bytes of a file."""
    what, at, data = call
    if what == "w":
        put(content, at, data)
    elif what == "t":
        del content[at:]
        put(content, at, b"")
    elif what == "g":
        put(content, at, b"")


def logged(command):
    """Runs a command and tells its calls: (what, inode, where, bytes, name, second name)."""
    if os.path.exists("calls.log"):
        os.remove("calls.log")
    done = subprocess.run([CAROM, *command], capture_output=True,
                          env={**os.environ, "LD_PRELOAD": SHIM, "KILL_LOG": os.path.abspath("calls.log")}, timeout=100)
    check(done.returncode == 0, command, done)
    calls = []
    with open("calls.log", "rb") as log:
        while line := log.readline():
            what, inode, at, size, *names = line.decode().split()
            names = [os.path.basename(name) for name in names]
            calls.append((what, int(inode), int(at), log.read(int(size)), *names))
    return calls


class Disk:
    """What is on a disk for certain, and what may have come there or not: pages in any order, names in the order they were
    given. Only fsync makes certain."""

    def __init__(self, names):
        self.certain = {os.stat(name).st_ino: bytearray(open(name, "rb").read()) for name in names}
        self.names = {name: os.stat(name).st_ino for name in names}
        self.seen = dict(self.names)
        self.folder = os.stat(".").st_ino
        self.pending, self.pending_names = {}, []

    def take(self, call):
        what, inode, at, data, first, second = call
        if what == "s" and inode == self.folder:
            for change_names in self.pending_names:
                change_names(self.names)
            self.pending_names = []
        elif what == "s":
            for one in self.pending.pop(inode, []):
                change(self.certain[inode], one)
        elif what in "wtg":
            if inode not in self.certain:
                self.certain[inode] = bytearray()
                self.name(lambda names: names.update({first: inode}))
            ends = sorted({at, at + len(data), *range((at // PAGE + 1) * PAGE, at + len(data), PAGE)})
            pieces = [("w", a, data[a - at:b - at]) for a, b in zip(ends, ends[1:])] if what == "w" else [(what, at, b"")]
            self.pending.setdefault(inode, []).extend(pieces)
        elif what == "r":
            self.name(lambda names: names.update({second: names.pop(first)}))
        elif what == "l":
            self.name(lambda names: names.update({second: names[first]}))
        elif what == "u":
            self.name(lambda names: names.pop(first, None))

    def name(self, change_names):
        change_names(self.seen)
        self.pending_names.append(change_names)

    def after_cut(self, chance):
        """Lays out in this folder what may be found after a power cut now."""
        names = dict(self.names)
        for change_names in self.pending_names[:chance.randint(0, len(self.pending_names))]:
            change_names(names)
        settled()
        share = chance.random()
        for name, inode in names.items():
            content = bytearray(self.certain[inode])
            for one in self.pending.get(inode, []):
                if chance.random() < share:
                    change(content, one)
            if name.startswith("run"):
                with open(name, "wb") as file:
                    file.write(content)
