"""What a resumed run says is true of all of it: the error that its pilots told, as far as they went, and no other. A terminal that is
closed (SIGHUP) stops a run as SIGTERM does, with a sentence and a file that goes on; one started with nohup goes on by itself."""
import os
import re
import signal
import subprocess
import time

import h5py

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
ROW = """units: none
bodies:
  - chain: {count: 8, mass: 1, gap: 0.1}
  - wall: {side: left}
  - wall: {side: right}
contacts: {law: hertz}
start: [{body: 1, velocity: 1}]
run: {until: %g, %s}
record: {every: 5, probes: [v]}
"""


def scene(name, until, how):
    with open(name + ".yaml", "w") as file:
        file.write(ROW % (until, how))
    return [CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5")]


def carom(*words):
    done = subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, words, done.stderr)
    return done.stdout


def errors(text):
    return [line for line in text.split("\n") if re.match("error |growth ", line)]


def hang_up(command, after, **more):
    """exit code and last line of a run whose terminal is closed"""
    run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)
    time.sleep(after)
    run.send_signal(signal.SIGHUP)
    return run


# a run goes on to a later end, which no pilot saw
whole = subprocess.run(scene("row", 20, "tol: 1e-6"), capture_output=True, text=True, timeout=100).stdout
check("of the scales over the whole run" in whole and "time " in whole, whole)
further = carom("resume", "row.h5", "--until", "25")
check(errors(further)[0] == errors(whole)[0].replace("over the whole run", "until t = 20, where it was to end"), errors(further))
check(re.search(r"time .* from t = 20 on\n", further), further)
check("is stated up to t = 20, where the run was to end" in carom("show", "row.h5"), carom("show", "row.h5"))

# a file does not keep the end that --until gave it: what is said of it can be done
check("row.h5 is complete: it has run to t = 25; --until TIME goes further" in carom("resume", "row.h5"), "complete")
subprocess.run(scene("on", 0.1, "scheme: verlet, step: 0.01"), capture_output=True, timeout=100, check=True)
run = hang_up([CAROM, "resume", "on.h5", "--until", "1e7"], 1)
said = run.communicate(timeout=60)[1]
check(run.returncode == 8 and "of 1e+07; 'carom resume on.h5 --until 1e7' goes on from here" in said, run.returncode, said)
done = subprocess.run([CAROM, "resume", "on.h5"], capture_output=True, text=True, timeout=100)
check(done.returncode == 2 and re.search(r"on.h5 was going on beyond the end of its scene and has reached t = \S+: say --until again",
                                         done.stderr), done.returncode, done.stderr)

# the end of a terminal: a sentence, a code of its own, a file that goes on
run = hang_up(scene("long", 1e7, "scheme: verlet, step: 0.01"), 1)
said = run.communicate(timeout=60)[1]
check(run.returncode == 8 and re.search(r"stopped at t = \S+ of 1e\+07; 'carom resume long.h5' goes on", said), run.returncode, said)
check("stopped" in carom("show", "long.h5") or "checkpoint" in carom("show", "long.h5"), "its file")
with h5py.File("long.h5") as file:
    check(len(file["particles/beads/velocity/value"]) > 1, "samples")
run = hang_up(scene("nohup", 1e7, "scheme: verlet, step: 0.01"), 1, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
time.sleep(0.5)
check(run.poll() is None, "nohup", run.returncode)
run.terminate()
check("stopped at t = " in run.communicate(timeout=60)[1] and run.returncode == 8, "and is stopped")

# a run that is stopped on its way, be it in its pilots, tells the same errors in the end as one that was not
whole = subprocess.run(scene("way", 300, "tol: 1e-3"), capture_output=True, text=True, timeout=100).stdout
run = hang_up(scene("way", 300, "tol: 1e-3"), 0.5 * float(re.search(r"time +(\S+) s", whole)[1]))
said = run.communicate(timeout=60)[1]
if run.returncode == 8:  # else it was too quick
    check("stopped" in said, said)
    check(errors(carom("resume", "way.h5")) == errors(whole), errors(whole))

end()
