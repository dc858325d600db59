"""The commands as a user meets them: help, exit codes, quiet, outputs, stopping with Ctrl-C and going on."""
import os
import signal
import subprocess
import time

import h5py
import numpy

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
SCENE = os.path.join(SOURCE, "scenes", "two-beads.yaml")
COMMANDS = ["run", "check", "resume", "repair", "show", "export", "report", "gallery", "list", "bench"]


def carom(*arguments, **options):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100, **options)


def expect(code, arguments, said=""):
    """A wrong call: its exit code, one line on stderr that holds `said`, nothing on stdout."""
    done = carom(*arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code)
    check(done.stdout == "", arguments, "printed", done.stdout)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said", done.stderr)
    check(said in done.stderr, arguments, "said", done.stderr, "expected", said)


def values(path):
    """All numbers of a run file that a rerun must repeat."""
    found = {}
    with h5py.File(path, "r") as run:
        def visit(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith(("checkpoint", "parameters", "h5md")):
                found[name] = item[()]
        run.visititems(visit)
    return found


def same(a, b):
    return a.keys() == b.keys() and all(numpy.array_equal(a[name], b[name]) for name in a)


def test_help():
    for arguments in [["--help"], ["--version"]] + [[command, "--help"] for command in COMMANDS]:
        done = carom(*arguments)
        check(done.returncode == 0 and done.stdout and not done.stderr, arguments, done)
    check(carom().returncode == 2, "no command is a wrong call")


def test_wrong_calls():
    expect(2, ["rum", SCENE], "did you mean 'run'?")
    expect(2, ["run"], "an argument is missing")
    expect(2, ["run", SCENE, SCENE], "one argument too many")
    expect(2, ["run", SCENE, "--outptu", "x.h5"], "did you mean '--output'?")
    expect(2, ["run", SCENE, "-o"], "needs a value")
    expect(2, ["run", SCENE, "-o", "a.h5", "-o", "b.h5"], "given twice")
    expect(2, ["run", SCENE, "--threads", "none"], "--threads none")
    check(carom("run", SCENE, "--threads", "auto", "--set", "run.threads=auto", "-q", "-o", "auto.h5").returncode == 0, "threads: auto")
    expect(2, ["list", "lawz"], "did you mean 'laws'?")
    expect(6, ["run", "no-such-scene.yaml"], "no-such-scene.yaml")
    expect(6, ["run", SCENE, "-o", "no-such-folder/run.h5"], "no-such-folder")
    expect(6, ["show", "no-such-run.h5"], "no-such-run.h5")
    expect(6, ["resume", "no-such-run.h5"], "no-such-run.h5")
    with open("not-hdf5.h5", "w") as file:
        file.write("hello")
    expect(6, ["show", "not-hdf5.h5"], "not-hdf5.h5")
    expect(4, ["run", SCENE, "--set", "contacts={law: power, gamma: .1, b: 1}", "--set",
               "run={until: 1, scheme: theta}", "-o", "refused.h5"], "scheme theta needs")
    check(not os.path.exists("refused.h5"), "a refused run writes nothing")


def test_run():
    if os.path.exists("two-beads.h5"):
        os.remove("two-beads.h5")
    done = carom("run", SCENE)
    check(done.returncode == 0 and "energy ledger" in done.stdout, done)
    check("written    two-beads.h5" in done.stdout and os.path.exists("two-beads.h5"), done.stdout)
    quiet = carom("run", SCENE, "-o", "quiet.h5", "--csv", "quiet.csv", "--quiet")
    check(quiet.returncode == 0 and quiet.stdout == "" and quiet.stderr == "", quiet)
    check(same(values("two-beads.h5"), values("quiet.h5")), "two runs are the same")
    rows = open("quiet.csv").read().splitlines()
    speed = values("quiet.h5")["particles/beads/velocity/value"]
    column = rows[0].split(",").index("v_2")
    check(len(rows) == 1 + len(speed), "rows of CSV", len(rows), len(speed))
    check(all(float(row.split(",")[column]) == v for row, v in zip(rows[1:], speed[:, 1])), "CSV keeps every bit")
    again = carom("run", "two-beads.h5", "-o", "again.h5", "-q")
    check(again.returncode == 0 and same(values("two-beads.h5"), values("again.h5")), "a run file is a scene", again)
    checked = carom("check", SCENE)
    check(checked.returncode == 0 and "contact time" in checked.stdout and "U =" in checked.stdout, checked)
    listed = carom("list", "schemes")
    check(listed.returncode == 0 and "dp5" in listed.stdout and "verlet" in listed.stdout, listed)
    done = carom("resume", "two-beads.h5")
    check(done.returncode == 0 and "complete" in done.stdout, done)


LONG = """
title: long enough to be stopped
units: none
bodies: [{chain: {count: 2000}}]
contacts: {law: kuwabara-kono, gamma: 0.05}
start: [{body: 1, velocity: 1}]
run: {until: 120, scheme: verlet, step: 0.002}
record: {every: 2, events: true}
"""


def test_stop_and_resume():
    with open("long.yaml", "w") as file:
        file.write(LONG)
    check(carom("run", "long.yaml", "-o", "whole.h5", "-q").returncode == 0, "the whole run")
    whole = values("whole.h5")
    if os.path.exists("part.h5"):  # of an earlier test
        os.remove("part.h5")
    run = subprocess.Popen([CAROM, "run", "long.yaml", "-o", "part.h5"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                           text=True)
    while not os.path.exists("part.h5") and run.poll() is None:
        time.sleep(0.01)
    run.send_signal(signal.SIGSTOP)  # progress is told after two seconds, which need not be spent working
    time.sleep(2.1)
    run.send_signal(signal.SIGCONT)
    told = run.stderr.readline()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=100)
    err = told + err
    check(run.returncode == 8, "stopped", run.returncode, out, err)
    check("% " in err and "left" in err, "progress with the time left", err)
    check("carom resume part.h5" in err and out == "", "says how to go on", err)
    shown = carom("show", "part.h5")
    check(shown.returncode == 0, shown)
    done = carom("resume", "part.h5", "-q")
    check(done.returncode == 0, done)
    check(same(whole, values("part.h5")), "stopped and resumed is the same as run through")
    further = carom("resume", "part.h5", "-q", "--until", "122")
    check(further.returncode == 0 and len(values("part.h5")["events/time"]) >= len(whole["events/time"]), further)


for test in [test_help, test_wrong_calls, test_run, test_stop_and_resume]:
    test()
end()
