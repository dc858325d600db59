"""Some runs killed at random moments: every file is readable by carom and h5py as it was left, is an ordinary file
after `carom repair`, and goes on with `carom resume`, itself killed once, to the same bits as a run that was never
killed."""
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import h5py

from checks import check, end, failures
from kills import CAROM, begins_like, carom, equal, numbers, recorded, rows_of

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20200615
RUNS = int(sys.argv[2]) if len(sys.argv) > 2 else 9  # make torture kills as many as there is time for
moments = random.Random(seed)

SCENE = """
title: To be killed
units: none
bodies: [{chain: {count: 40}}, {wall: {side: right}}]
contacts: {law: kuwabara-kono, gamma: 0.02}
start: [{body: 1, velocity: 1}]
run: {until: UNTIL, scheme: verlet, step: 0.001, checkpoint: 0.01}
record: {every_steps: 20, probes: [u, v, contact_force]}
"""


def whole_run():
    """A scene whose run takes about half a second here, and what it records."""
    until = 20.0
    while True:
        with open("scene.yaml", "w") as file:
            file.write(SCENE.replace("UNTIL", str(until)))
        begun = time.monotonic()
        done = carom("run", "scene.yaml", "-o", "whole.h5", "--quiet")
        seconds = time.monotonic() - begun
        check(done.returncode == 0, done)
        if seconds > 0.3 or failures():
            break
        until = round(until * min(max(0.5 / seconds, 1.5), 50.0), 3)
    return recorded("whole.h5"), seconds


def kill_after(command, seconds):
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def kill_one(path, seconds):
    """Starts a run and kills it at a random moment after its file has appeared; False: it had ended by then."""
    if os.path.exists(path):
        os.remove(path)
    process = subprocess.Popen([CAROM, "run", "scene.yaml", "-o", path, "--quiet"])
    while not os.path.exists(path) and process.poll() is None:
        time.sleep(0.0005)
    time.sleep(moments.random() ** 2 * 0.9 * seconds)
    process.send_signal(signal.SIGKILL)
    return process.wait() == -signal.SIGKILL and "complete," not in carom("show", path).stdout


def examine(path, whole, resume):
    shown = carom("show", path)
    check(shown.returncode == 0 and "interrupted" in shown.stdout, path, shown)
    left = recorded(path, swmr=True)
    check(begins_like(left, whole), path, "as left, with", rows_of(left), "rows")
    shutil.copy(path, "unrepaired.h5")
    done = carom("repair", path)
    check(done.returncode == 0 and "cleared the mark" in done.stdout, path, done)
    with h5py.File(path, "r") as run: # no mark: opens like any file, and all items are equally long
        lengths = {len(run[name]["value"]) for name in ["particles/beads/displacement", "particles/beads/velocity",
                                                        "observables/contacts/force", "observables/ledger/residual"]}
        repaired = numbers(run)
    check(lengths == {rows_of(left)} and equal(repaired, left), path, "repaired", lengths, rows_of(left))
    if not resume:
        return rows_of(left), False
    target = moments.choice([path, "unrepaired.h5"]) # a resume needs no repair
    kill_after([CAROM, "resume", target, "--quiet"], moments.random() * 0.1) # may be killed itself, early or late
    check(carom("show", target).returncode == 0, target, "shown after a killed resume")
    check(begins_like(recorded(target, swmr=True), whole), target, "after a killed resume")
    done = carom("resume", target, "--quiet")
    if done.returncode == 6 and "no checkpoint" in done.stderr:
        return rows_of(left), False # killed before the first one
    check(done.returncode == 0, path, done)
    # where the kill fell between the last checkpoint and the end, there was nothing to go on with but the mark
    check(carom("repair", target, "-q").returncode == 0, target)
    check(equal(recorded(target), whole), target, "resumed")
    return rows_of(left), True


print("seed", seed)
begun = time.monotonic()
whole, seconds = whole_run()
killed = resumed = 0
rows = []
while killed < RUNS and time.monotonic() - begun < 250 and failures() == 0:
    path = f"killed-{killed}.h5"
    if not kill_one(path, seconds):
        continue
    count, went_on = examine(path, whole, resume=killed % 3 == 0)
    rows.append(count)
    resumed += went_on
    killed += 1
    os.remove(path)
check(killed == RUNS or failures(), "only", killed, "runs in", time.monotonic() - begun, "s")
check(resumed >= max(1, RUNS // 12) or failures(), "only", resumed, "runs could be resumed")
check(failures() or max(rows) > min(rows), "the moments differ", rows)
print(f"{killed} runs of {seconds:.2f} s killed with {min(rows, default=0)} to {max(rows, default=0)} of {rows_of(whole)}",
      f"rows, {resumed} resumed, {time.monotonic() - begun:.0f} s")
end()
