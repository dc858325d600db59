"""Runs of discs whose contacts come and go, killed at chosen calls that change the file: what is left is read by carom
and h5py, repaired, and resumed to the file of a run that was left alone."""
import itertools
import os

from checks import check, end
from kills import carom, examine_run, kill_each, recorded, settled, write

SCENE = """
title: Grains to be killed
units: none
gravity: [0, -10]
domain: [[0, 0], [8, 9]]
periodic: [x]
bodies:
  - disc: {at: [1.5, 3.5], radius: 0.5, mass: 0.3, velocity: [3, -20], spin: 4}
  - lattice: {kind: square, count: [4, 1], radius: 0.9, mass: 1, at: [1, 1]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: kuwabara-kono, k: 3000, gamma: 0.002, friction: {law: cundall-strack, mu: 0.4, k_t: 2000}}
run: {until: 0.2, scheme: verlet, step: 0.01, checkpoint: 1e-9}
record: {every_steps: 2}
"""
RUN = ["run", "scene.yaml", "-o", "run.h5", "-q"]


def examine(what):
    if os.path.exists("run.h5"):
        examine_run(what, "run.h5", whole)


write("scene.yaml", SCENE)
settled()
done = carom(*RUN)
check(done.returncode == 0 and not done.stderr, done)
whole = recorded("run.h5")
check(len(whole["observables/contacts/list/gap"]) > 15 and len(whole["events/pair"]) > 8, "contacts come and go")
for torn, moments in ((False, itertools.count(391, 97)), (True, itertools.count(3, 83))): # its file is there after 380 calls
    kills = kill_each(RUN, [], examine, moments, torn)
    check(kills > 2, "too few kills", kills)
    print(f"{kills} kills{' in the middle' if torn else ''}")
end()
