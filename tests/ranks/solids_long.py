"""Solids that ranks share: the run file is the same to the bit for 1, 2, 3 and 4 ranks and without mpirun, whatever the body is
made of; a run that was stopped, or lost a rank, goes on with another number of ranks."""
import os
import re
import shutil
import signal
import time

from checks import check, end
from ranks import child, contents, run, start
from rank_solids import CASES, same

for name in os.listdir("."):
    os.remove(name)
for case in CASES:
    same(case, (0, 1, 2, 3, 4))

# threads in ranks
code, out, err = run(2, "run", "space.yaml", "-o", "threads.h5", "-q", "--threads", "2")
check(code == 0 and contents("threads.h5") == contents("space0.h5"), "two ranks of two threads", err)

# a rank that is killed, and Ctrl-C: a sentence, and a file that goes on to the same bits
long = ["--set", "run.until=30", "--set", "record.every=5"]
for what, kind in (("killed", signal.SIGKILL), ("told", signal.SIGTERM)):
    process = start(3, "run", "space.yaml", "-o", f"{what}.h5", *long, "-q")
    victim = child(process, 1 if kind == signal.SIGKILL else 0)
    while not os.path.exists(f"{what}.h5") and process.poll() is None:
        time.sleep(0.01)
    time.sleep(1)
    os.kill(victim, kind)
    out, err = process.communicate(timeout=60)
    check(process.returncode != 0 and f"'carom resume {what}.h5'" in err, what, err)
    check("parameters/scene" in contents(f"{what}.h5"), what, "the file can be read")
    shutil.copy(f"{what}.h5", "alone.h5")
    later = str(float(re.search(r" t = ([0-9.e+-]+)", err).group(1)) + 0.02)
    for count, name in ((2, f"{what}.h5"), (0, "alone.h5")):
        code, out, err = run(count, "resume", name, "--until", later, "-q")
        check(code == 0, what, "goes on", code, err)
    check(contents(f"{what}.h5") == contents("alone.h5"), what, "goes on to the same bits")

end(60)
