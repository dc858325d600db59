"""Sweeps, fits and rows of papers give the same numbers on any number of ranks; a rank that is killed ends a sweep with
a sentence, and the file goes on; what cannot be shared is refused."""
import os
import signal
import sys
import time

from checks import check, end, some
from ranks import CAROM, SOURCE, child, contents, run, start

SCENE = os.path.join(SOURCE, "scenes", "dimer.yaml")
GRID = ["--over", "bodies.1.chain.pattern.2.mass=0.2:1:9", "--over", "contacts.gamma=0,0.03,-1", "--set", "run.until=20",
        "--threads", "1"]

for name in os.listdir("."):
    if name.endswith((".h5", ".csv", ".log")):
        os.remove(name)

# a sweep, in which a third of the runs is refused
codes, texts, files = {}, {}, {}
for count in some((0, 1, 2, 3, 4), 3):
    codes[count], out, err = run(count, "sweep", SCENE, *GRID, "-o", f"{count}.h5", "--csv", f"{count}.csv", "-q")
    files[count] = contents(f"{count}.h5")
    texts[count] = open(f"{count}.csv").read()
    check("9 of 27 runs failed, first at mass = 0.2, gamma = -1" in err, count, err)
    check(codes[count] == codes[0], count, codes)
    check(files[count] == files[0], "the file of", count, "ranks")
    check(texts[count] == texts[0], "the table of", count, "ranks")
check(len(files[0]) > 10 and len(texts[0].splitlines()) == 28, "there is something to compare")

# threads in ranks
run(2, "sweep", SCENE, *GRID[:-1], "2", "-o", "threads.h5", "-q")
check(contents("threads.h5") == files[0], "two ranks of two threads")

# a rank that is killed: long runs, so that there are some left
LONG = GRID[:1] + ["bodies.1.chain.pattern.2.mass=0.2:1:100"] + GRID[2:3] + ["contacts.gamma=0,0.03", "--set", "run.until=60"] + GRID[6:]
# (mpirun gives the others a second for their last words: on a busy machine that may be too short, so it is tried again)
for attempt in range(4):
    if os.path.exists("killed.h5"):
        os.remove("killed.h5")
    process = start(3, "sweep", SCENE, *LONG, "-o", "killed.h5", "-q")
    victim = child(process, 2)
    while not os.path.exists("killed.h5") and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.5)
    os.kill(victim, signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    check(process.returncode != 0, "the sweep has ended", err)
    told = "'carom sweep killed.h5' goes on from here" in err
    if told:
        break
check(told, err)
check("status" in contents("killed.h5"), "the file can be read")
code, out, err = run(2, "sweep", "killed.h5", "--threads", "1")
check(code == 0 and "runs       200" in out, code, out, err)
run(0, "sweep", SCENE, *LONG, "-o", "whole.h5", "-q")
check(contents("killed.h5") == contents("whole.h5"), "what was gone on with is the same")

# a fit
FIT = ["fit", os.path.join(SOURCE, "scenes", "four-balls.yaml"), "--to", os.path.join(SOURCE, "scenes", "four-balls.csv"),
       "--free", "gamma=0:2us,start.1.velocity,time_shift=80us:130us", "--threads", "1", "-q"]
for count in (0, 3):
    code, out, err = run(count, *FIT, "-o", f"fit{count}.h5")
    check(code == 0, count, err)
check(contents("fit0.h5") == contents("fit3.h5"), "fits on 1 and 3 ranks")
check(not [name for name in os.listdir(".") if name.endswith(".log")], "no log is left")

# rows of a paper
ROWS = ["verify", "acary2009", "--row", "impacts", "--papers", os.path.join(SOURCE, "papers")]
tables = []
for count in (0, 2):
    code, out, err = run(count, *ROWS)
    check(code == 0, count, err)
    tables.append([line for line in out.replace("\x1b[32m", "").replace("\x1b[0m", "").splitlines() if "; " not in line])
check(tables[0] == tables[1] and len(tables[0]) > 4, tables)

# refusals
code, out, err = run(2, "show", "whole.h5")
check(code == 4 and "works in one process" in err, code, err)
code, out, err = run(2, "sweep", "nothing.yaml", "--over", "a=1")
check(code == 6 and err.count("carom: nothing.yaml: cannot be read") == 1, code, err)
code, out, err = run(2, "sweep", SCENE, *GRID, "-o", SCENE)
check(code != 0 and "carom:" in err, "an output that is no sweep", err)
for words, place in some(((["sweep", SCENE, *GRID, "-o", "device.h5", "--device", "auto"], "--device auto"),
                          (["sweep", SCENE, *GRID, "-o", "device.h5", "--set", "run.device=auto"], "--set run.device=auto"),
                          ([*FIT, "-o", "device.h5", "--set", "run.device=auto"], "--set run.device=auto")), 3):
    code, out, err = run(2, *words)
    check(code == 4 and err.count(f"carom: {place}: ranks run on the processor") == 1, words, code, err)
    check(not os.path.exists("device.h5"), "nothing was begun", words)

end(18)
