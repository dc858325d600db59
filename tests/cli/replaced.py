"""A run over an old one: the old file is kept beside it until the new one is whole, and no other file is ever touched."""
import os
import shutil
import signal
import subprocess
import time

from checks import check, end
from kills import CAROM, carom, equal, recorded, run_killed, write

SCENE = """
title: Again
units: none
bodies: [{chain: {count: 3}}]
contacts: {law: hertz}
start: [{body: 1, velocity: 1}]
run: {until: 0.04, scheme: verlet, step: 0.001}
record: {every_steps: 2}
"""
LATE = 130 # calls: rows are being written, and the run is not complete
shutil.rmtree("here", ignore_errors=True)
os.mkdir("here")
os.chdir("here")
write("scene.yaml", SCENE)


def run(*more, path="run.h5"):
    done = carom("run", "scene.yaml", "-o", path, *more)
    check(done.returncode == 0, done)
    return done.stdout


def there():
    return sorted(name for name in os.listdir(".") if name != "scene.yaml")


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def killed(path="run.h5"):
    check(run_killed(["run", "scene.yaml", "-o", path, "-q"], LATE), "killed")


check("replaced" not in run(), "nothing was there")
check("(kept as run.old.h5 while this one ran, now removed)" in run(), "says what it has replaced")
check(there() == ["run.h5"], there())
whole = recorded("run.h5")

# unfinished runs come and go, what was kept stays until one is whole, also by a resume
first = bytes_of("run.h5")
for _ in range(2):
    killed()
    check(there() == ["run.h5", "run.old.h5"] and bytes_of("run.old.h5") == first, there())
check("replaces   run.old.h5" in carom("show", "run.h5").stdout, "show says so")
done = carom("resume", "run.h5")
check(done.returncode == 0 and "kept as run.old.h5 while this one ran" in done.stdout, done)
check(there() == ["run.h5"] and equal(recorded("run.h5"), whole), there())

# an unfinished run alone is kept, too
os.remove("run.h5")
killed()
unfinished = bytes_of("run.h5")
killed()
check(bytes_of("run.old.h5") == unfinished, "the unfinished run is kept")
check("and the unfinished run that stood there" in run() and there() == ["run.h5"], there())

# a file of that name that is the user's own
shutil.copy2("run.h5", "run.old.h5")
own = bytes_of("run.old.h5")
killed()
check(there() == ["run.h5", "run.old.h5", "run.old2.h5"], there())
run("-q")
run("-q")
check(there() == ["run.h5", "run.old.h5"] and bytes_of("run.old.h5") == own, there())
os.remove("run.old.h5")

# what was kept and has been changed since is the user's own
killed()
check(carom("resume", "run.old.h5", "--until", "0.05", "-q").returncode == 0, "gone on with")
changed = bytes_of("run.old.h5")
run("-q")
check(there() == ["run.h5", "run.old.h5"] and bytes_of("run.old.h5") == changed, there())
os.remove("run.old.h5")

# killed right between keeping and replacing: two names of one file
os.link("run.h5", "run.old.h5")
run("-q")
check(there() == ["run.h5"], there())

# other names, and links
for path, kept in (("plain", "plain.old"), ("a.b.hdf5", "a.b.old.hdf5"), (".h5", ".h5.old")):
    run("-q", path=path)
    killed(path)
    check(os.path.exists(kept), kept, there())
    run("-q", path=path)
    check(not os.path.exists(kept), kept, there())
    os.remove(path)
os.mkdir("far")
shutil.move("run.h5", "far/run.h5")
os.symlink("far/run.h5", "link.h5")
killed("link.h5")
check(sorted(os.listdir("far")) == ["run.h5", "run.old.h5"] and os.path.islink("link.h5"), os.listdir("far"))
run("-q", path="link.h5")
check(os.listdir("far") == ["run.h5"] and os.path.islink("link.h5"), os.listdir("far"))

# stopped: one sentence says where the old run is
process = subprocess.Popen([CAROM, "run", "scene.yaml", "-o", "far/run.h5", "--set", "run.until=1e6"], text=True,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE)
while not os.path.exists("far/run.old.h5") and process.poll() is None:
    time.sleep(0.01)
time.sleep(0.3)
process.send_signal(signal.SIGINT)
said = process.communicate()[1].splitlines()[-1]
check("'carom resume far/run.h5' goes on from here; the run before it is kept beside it as run.old.h5" in said, said)

# what could not begin leaves all as it was
before = bytes_of("far/run.h5"), bytes_of("far/run.old.h5")
write("wrong.yaml", SCENE.replace("hertz", "no-such-law"))
check(carom("run", "wrong.yaml", "-o", "far/run.h5").returncode != 0, "wrong")
check((bytes_of("far/run.h5"), bytes_of("far/run.old.h5")) == before, "untouched")
end()
