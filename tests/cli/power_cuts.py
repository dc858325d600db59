"""The power fails while a run, or one over an old run, is written: what fsync has not made certain may have reached the disk
or not, page by page. A complete run is there at any time, the old or the new one, and what ended well stays. What is left of
an unfinished run is only counted: nothing is promised of it. power_cuts_long cuts after every call."""
import os
import random
import sys

from checks import check, end
from kills import Disk, carom, holds_whole, logged, recorded, settled, write

SCENE = """
title: Cut off
units: none
bodies: [{chain: {count: 12}}, {wall: {side: right}}]
contacts: {law: kuwabara-kono, gamma: 0.02}
start: [{body: 1, velocity: 1}]
run: {until: 0.02, scheme: verlet, step: 0.001, checkpoint: 1e-9}
record: {every_steps: 2, probes: [u, v, contact_force]}
"""
RUN = ["run", "scene.yaml", "-o", "run.h5", "-q"]
EVERY = "every" in sys.argv
chance = random.Random(20261)
write("scene.yaml", SCENE)
settled()
check(carom(*RUN).returncode == 0 and carom(*RUN[:2], "-o", "run-old.h5", "-q", "--set", "start.1.velocity=0.5").returncode == 0)
whole, old = recorded("run.h5"), recorded("run-old.h5")
os.replace("run-old.h5", "old.h5")


def cut_everywhere(files, must):
    """Cuts the run at calls, and after its end; how often, and how many unfinished runs were left, could be
    read, could be resumed."""
    settled(*files)
    disk = Disk([name for _, name in files])
    calls = logged(RUN)
    left = readable = goes_on = cuts = 0
    for n, call in enumerate(calls):
        disk.take(call)
        if not EVERY and call[0] not in "srlu" and n % (len(calls) // 5) != 0:
            continue
        disk.after_cut(chance)
        cuts += 1
        whole_left = holds_whole("run.h5", whole, old)
        check(must(whole_left), "call", n, call[0], "of", len(calls), "both runs are lost", os.listdir("."))
        if os.path.exists("run.h5") and not whole_left:
            left += 1
            readable += carom("show", "run.h5", "-q").returncode == 0
            goes_on += carom("resume", "run.h5", "-q").returncode == 0 and holds_whole("run.h5", whole)
    for _ in range(20 if EVERY else 6):
        disk.after_cut(chance)
        check(holds_whole("run.h5", whole), "after the end")
    return cuts, left, readable, goes_on


for what, files, must in (("run", [], lambda whole_left: True),
                          ("run over an old one", [("old.h5", "run.h5")],
                           lambda whole_left: whole_left or holds_whole("run.old.h5", old))):
    cuts, left, readable, goes_on = cut_everywhere(files, must)
    check(cuts >= 20 and left > 0, "too few cuts", cuts, left)
    print(f"{what}: {cuts} power cuts; {left} left an unfinished run, {readable} of these can be read, {goes_on} resumed")
end()
