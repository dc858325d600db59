"""Commands that write run files, killed at chosen calls: every file that is left is read by carom and h5py, repaired and
resumed, and a run that was there before is kept until the new one is whole. kill_points_long kills at every call, also in
the middle of writes."""
import itertools
import os
import shutil
import sys

from checks import check, end
from kills import carom, equal, examine_run, holds_whole, kill_each, logged, recorded, run_killed, settled, write

SCENE = """
title: To be killed
units: none
bodies: [{chain: {count: 12}}, {wall: {side: right}}]
contacts: {law: kuwabara-kono, gamma: 0.02}
start: [{body: 1, velocity: 1}]
run: {until: 0.02, scheme: verlet, step: 0.001, checkpoint: 1e-9}
record: {every_steps: 2, probes: [u, v, contact_force]}
"""
RUN = ["run", "scene.yaml", "-o", "run.h5", "-q"]
OLD = ["--set", "start.1.velocity=0.5"]
EVERY = "every" in sys.argv


def examine_first(what):
    """A new run leaves nothing, or a file as good as any."""
    if os.path.exists("run.h5"):
        examine_run(what, "run.h5", whole)


def examine_new(what):
    examine_run(what, "run.h5", whole)


def examine_rerun(what):
    """The complete run is there under one of the two names; the command repeated completes the new one and tidies up."""
    check(holds_whole("run.h5", whole, old) or holds_whole("run.old.h5", old), what, "the old run is lost", os.listdir("."))
    examine_run(what, "run.h5", whole, old)
    if os.path.exists("run.old.h5") and not holds_whole("run.h5", whole, old):
        check("replaces   run.old.h5" in carom("show", "run.h5").stdout, what, "show does not say so")
    for go_on in (["resume", "run.h5", "-q"], RUN):
        if carom(*go_on).returncode == 0 and holds_whole("run.h5", whole):
            break
    check(holds_whole("run.h5", whole), what, "completed")
    check(not [name for name in os.listdir(".") if ".old" in name], what, "the old run is left", os.listdir("."))


write("scene.yaml", SCENE)
for path, more in (("whole.h5", []), ("old.h5", OLD)):
    if os.path.exists(path):
        os.remove(path)
    done = carom("run", "scene.yaml", "-o", path, "-q", *more)
    check(done.returncode == 0 and not done.stderr, done)
whole, old = recorded("whole.h5"), recorded("old.h5")
check(not equal(whole, old), "two runs that can be told apart")
settled()
calls = len(logged(RUN))
settled()
check(run_killed(RUN, calls - 40), "killed late")
shutil.copy2("run.h5", "half.h5")
settled(("old.h5", "run.h5"))
check(run_killed(RUN, calls - 40) and os.path.exists("run.old.h5"), "killed late over an old run")
shutil.copy2("run.h5", "half-over.h5")
shutil.copy2("run.old.h5", "kept.h5")

SITUATIONS = [ # command, files it finds, what must hold, how many of its first calls are tried, and every which one
    (RUN, [], examine_first, 0, 101),
    (["resume", "run.h5", "-q"], [("half.h5", "run.h5")], examine_new, 2, 97),
    (["repair", "run.h5"], [("half.h5", "run.h5")], examine_new, 2, 61),
    (RUN, [("old.h5", "run.h5")], examine_rerun, 0, 211),
    (RUN, [("half-over.h5", "run.h5"), ("kept.h5", "run.old.h5")], examine_rerun, 0, 251),
    (["resume", "run.h5", "-q"], [("half-over.h5", "run.h5"), ("kept.h5", "run.old.h5")], examine_rerun, 2, 97),
]
for command, files, examine, first, step in SITUATIONS:
    for torn in (False, True) if EVERY or not files else (False,):
        moments = itertools.count(1) if EVERY else itertools.chain(range(1, first + 1), itertools.count(first + step, step))
        kills = kill_each(command, files, examine, moments, torn)
        check(kills >= 2, "too few kills", command, files)
        print(f"{kills:5} kills{' in the middle' if torn else ''}: {' '.join(command)} with {[name for _, name in files]}", flush=True)

# other theories and kinds of bodies
for name in ("lzb/three", "friction/stick-slip", "mechanisms/pendulum", "rigid/ball-steps", "solid-bar", "cradle") if EVERY else ():
    scene = os.path.join(os.environ["SOURCE"], "scenes", name + ".yaml")
    settled()
    check(carom("run", scene, "-o", "run.h5", "-q").returncode == 0, name)
    whole = recorded("run.h5")
    kills = kill_each(["run", scene, "-o", "run.h5", "-q"], [], examine_first, itertools.count(1, 3))
    check(kills > 20, "too few kills", name, kills)
    print(f"{kills:5} kills: {name}", flush=True)
end()
