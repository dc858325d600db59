"""A run that Ctrl-C or SIGTERM meets inside a long impact stops within two seconds of work, keeps a checkpoint before that impact and
goes on from there to the same bits as a run that nobody stopped; twice in a row too. For all impacts that can take long. Studies
stop inside impacts as quickly."""
import os
import resource
import signal
import subprocess
import tempfile
import time

import h5py
import numpy

from checks import check, end, worked

CAROM = os.environ["CAROM"]
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

SCENE = """
theory: lzb
bodies: [{chain: {count: 160, radius: 10 mm, material: steel}}]
contacts: {law: rigid, e: 0.9}
start: [{body: 1, velocity: 1}]
run: {until: 1 us}
record: {every: 1 us, impact_every: 1 ms, events: true}
"""
ENDLESS = {
    "lzb": ["bodies.1.chain.count=1000", "contacts.e=0.95", "run.impact_work=1e6"],
    "lzb-impulse": ["run.impact=lzb-impulse", "run.dP=1e-10"],
    "newton": ["run.impact=newton", "bodies.1.chain.count=3000"],
}


def ended():
    """seconds of processor time of all that have ended, as worked() has them of one that runs"""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def stopped_once(arguments, after, number):
    """runs, and sends the signal after so many seconds of work; the exit code and how much it worked on to heed it"""
    before = ended()
    run = subprocess.Popen([CAROM, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while run.poll() is None and worked(run) < after:
        time.sleep(0.005)
    at = worked(run) if run.poll() is None else ended() - before
    run.send_signal(number)
    try:
        said = run.communicate(timeout=100)[1]
    except subprocess.TimeoutExpired:
        run.kill()
        said = run.communicate()[1]
    return run.returncode, ended() - before - at, said


def stopped(arguments, after, number):
    """the same, tried again where the program had not begun to heed signals"""
    for attempt in range(3):
        answer = stopped_once(arguments, after * 2**attempt, number)
        if answer[0] != -number:
            break
    return answer


def numbers(path):
    found = {}

    def visit(name, item):
        if isinstance(item, h5py.Dataset) and name.split("/")[0] not in ("checkpoint", "parameters"):
            found[name] = item[()]

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


os.chdir(tempfile.mkdtemp())
with open("scene.yaml", "w") as file:
    file.write(SCENE)
for name, changes in ENDLESS.items():
    sets = [word for change in changes for word in ("--set", change)]
    for number in (signal.SIGINT, signal.SIGTERM):
        code, waited, said = stopped(["run", "scene.yaml", "-o", name + ".h5", *sets], 0.1, number)
        check(waited < 2.0 and "stopped at t = 0" in said, name, number, code, waited, said)
        check(code > 0, name, "ends with a code of its own, got", code)

for impact in ("lzb", "lzb-impulse"):
    few = ["--set", "bodies.1.chain.count=4", "--set", "record.impact_every=1e-18", "--set", "run.impact=" + impact]
    code, waited, said = stopped(["run", "scene.yaml", "-o", "fine.h5", *few], 0.1, signal.SIGINT)
    check(code > 0 and waited < 2.0 and "stopped at t = 0" in said, "telling forces without end", code, waited, said)
    with h5py.File("fine.h5") as file:
        check(len(file["impacts/force"]) < 50000000 and len(file["impacts/time"]) == 0, "no whole impact")
    os.remove("fine.h5")

# impacts without end in one instant, of which none takes time
with open("jammed.yaml", "w") as file:
    file.write("""
units: none
theory: nonsmooth
bodies:
  - plane: {at: [0, 0], normal: [0, 1]}
  - plane: {at: [0, 1], normal: [0, -1]}
  - box: {at: [0, 0.5], size: [1, 1], mass: 1, velocity: [0, -1]}
contacts: {law: rigid, e: 1, mu: 0.1}
run: {until: 1, scheme: event, impact: moreau, share: 0.01, most: 1e9}
""")
code, waited, said = stopped(["run", "jammed.yaml", "-o", "jammed.h5"], 0.1, signal.SIGTERM)
check(code > 0 and waited < 1.0 and "stopped at t = 0" in said, "a body that two walls strike in turn", code, waited, said)

sets = {name: [word for change in changes for word in ("--set", change)] for name, changes in ENDLESS.items()}
for study in (
    ["converge", *sets["lzb"], "--tols", "1e-3:1e-5:3"],
    ["converge", *sets["lzb"], "--tols", "1e-3:1e-5:3", "--norm", "hausdorff"],
    ["converge", *sets["lzb-impulse"], "--dPs", "1e-9:1e-10:2"],
    ["compare", *sets["lzb"], "--theories", "lzb,nonsmooth"],
    ["sweep", *sets["newton"], "--over", "contacts.e=0.9,0.91", "-o", "sweep.h5"],
    ["sweep", *sets["lzb"], "--over", "contacts.e=0.95,0.96", "--outputs", "v_last,error", "-o", "errors.h5"],
):
    code, waited, said = stopped([study[0], "scene.yaml", *study[1:]], 0.1, signal.SIGINT)
    check(code > 0 and waited < 2.0 and "stopped" in said, study, code, waited, said)

before = ended()
subprocess.run([CAROM, "run", "-q", "scene.yaml", "-o", "whole.h5"], check=True)
whole = ended() - before
code, waited, said = stopped(["run", "-q", "scene.yaml", "-o", "parts.h5"], 0.5 * whole, signal.SIGINT)
check("inside" in said or "stopped at t = 0" in said, "the run was to be stopped in its impact:", said)
stopped(["resume", "-q", "parts.h5"], 0.6 * whole, signal.SIGTERM)
subprocess.run([CAROM, "resume", "-q", "parts.h5"], check=True)
one, other = numbers("whole.h5"), numbers("parts.h5")
check(one.keys() == other.keys(), "the same datasets")
check(len(one["impacts/force"]) > 1000 and len(one["impacts/time"]) == 1, "forces inside one impact")
for name, values in one.items():
    check(numpy.array_equal(values, other.get(name)), name, "differs after two stops")
end()
