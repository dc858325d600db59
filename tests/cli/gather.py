"""carom sweep --part and carom gather: parts run one by one are the whole sweep to the bit, whatever happens between."""
import os
import shutil
import subprocess

import h5py
import numpy

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
DIMER = os.path.join(SOURCE, "scenes", "dimer.yaml")
# theta: runs go through lanes, which parts must not change
SWEEP = [DIMER, "--over", "contacts.gamma=0:0.1:23", "--over", "bodies.1.chain.pattern.2.mass=0.5,-1,1", "--set",
         "run.scheme=theta", "--set", "run.tol=null", "--set", "run.step=0.05", "--set", "run.until=10"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code and said in done.stderr, arguments, "exit", done.returncode, done.stderr, "expected", said)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said", done.stderr)


def contents(path):
    with h5py.File(path, "r") as file:
        found = {name: item[()].tobytes() for name, item in file["outputs"].items()}
        found["status"] = file["status"][()].tobytes()
    return found


def ran(path):
    with h5py.File(path, "r") as file:
        return (file["status"][()] >= 0).sum()


for name in os.listdir("."):
    if name.endswith((".h5", ".csv")):
        os.remove(name)

# parts of very different numbers cover the grid once, and are the whole
whole = carom("sweep", *SWEEP, "-o", "whole.h5", "--quiet")
check(whole.returncode == 3 and "23 of 69 runs failed" in whole.stderr, whole)
for parts in (1, 2, 5, 70):
    names = [f"dimer-sweep-{k}of{parts}.h5" for k in range(1, parts + 1)]
    for k in range(1, parts + 1):
        done = carom("sweep", *SWEEP, "--part", f"{k}/{parts}", "--threads", "1", "--quiet")
        check(done.returncode in (0, 3), k, parts, done)
    check(sum(ran(name) for name in names) == 69, parts, [ran(name) for name in names])
    check(max(ran(name) for name in names) < 2 * 69 / parts + 1, parts, "parts are of one size")
    done = carom("gather", *reversed(names), "-o", f"all{parts}.h5", "--csv", "all.csv")
    check(done.returncode == 3 and "69 of 69" in done.stdout and "23 of 69 runs failed" in done.stderr, parts, done)
    check(contents(f"all{parts}.h5") == contents("whole.h5"), parts, "differs from the whole")
check(open("all.csv").read().count("\n") == 70, "a line for each run")
done = carom("sweep", "all5.h5")
check(done.returncode == 3 and "69 of them before" in done.stdout, "a gathered sweep is complete", done)

# what is missing is told, and run by the sweep; gathering goes on in its file
names = [f"dimer-sweep-{k}of5.h5" for k in range(1, 6)]
expect(8, ["gather", *names[:3], "-o", "some.h5", "--quiet"], "runs are in none of the files; 'carom sweep some.h5' runs them")
shutil.copy("some.h5", "rest.h5")
check(carom("sweep", "rest.h5", "--quiet").returncode == 3, "runs the rest")
check(contents("rest.h5") == contents("whole.h5"), "the rest differs")
check(carom("gather", *names, "-o", "some.h5", "--quiet").returncode == 3, "again, with all of them: some failed")
check(contents("some.h5") == contents("whole.h5"), "gathered in two goes")

# one part goes on by its file
os.remove(names[1])
check(carom("sweep", *SWEEP, "--part", "2/5", "--quiet", "-o", names[1]).returncode in (0, 3), "again")
before = contents(names[1])
check(carom("sweep", names[1], "--part", "2/5", "--quiet").returncode in (0, 3) and contents(names[1]) == before,
      "nothing is left of this part")

# files of another sweep, forged numbers, no sweeps, wrong words
carom("sweep", DIMER, "--over", "contacts.gamma=0,0.1", "--set", "run.until=1", "-o", "other.h5", "--quiet")
expect(4, ["gather", names[0], "other.h5", "-o", "new.h5"], "other.h5: is the file of another sweep")
shutil.copy(names[0], "forged.h5")
with h5py.File("forged.h5", "r+") as file:
    good = numpy.argwhere(file["status"][()] == 0)[0]
    file["outputs/v_last"][tuple(good)] += 1e-12
expect(4, ["gather", names[0], "forged.h5", "-o", "forgery.h5"], "its v_last differs from what was gathered before")
expect(6, ["gather", DIMER, "-o", "new2.h5"], "dimer.yaml")
expect(2, ["gather", names[0]], "say where to write")
expect(2, ["gather", names[0], "-o", "one.h5", "--csv", "one.h5"], "both name one.h5")
expect(2, ["sweep", *SWEEP, "-o", "one.h5", "--csv", "one.h5"], "both name one.h5")
expect(4, ["gather", names[0], "-o", "other.h5"], "choose another -o")
shutil.copy(names[0], "kept.h5")
expect(8, ["gather", names[0], "-o", names[0], "--quiet"], "are in none of the files")
check(contents(names[0]) == contents("kept.h5"), "a part gathered into itself stays")
for part in ("0/5", "6/5", "3", "3/", "/5", "1/0", "a/b", "-1/5", "1/99999999"):
    expect(2, ["sweep", *SWEEP, "--part", part, "-o", "never.h5"], "--part")
check(not os.path.exists("never.h5"), "nothing is written")
end()
