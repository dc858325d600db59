"""Solids that ranks share: the run file is the same to the bit for 1, 2, 3 and 4 ranks and without mpirun, whatever the body is
made of; a run that was stopped, or lost a rank, goes on with another number of ranks."""
import os
import signal

from checks import check, end
from ranks import broken_off, contents, run
from rank_solids import CASES, MEETINGS, REFUSED, refused, same

for name in os.listdir("."):
    os.remove(name)
for case in (*CASES, *MEETINGS):
    same(case, (0, 1, 2, 3, 4))

for sentence in REFUSED:
    refused(sentence)

# threads in ranks
code, out, err = run(2, "run", "space.yaml", "-o", "threads.h5", "-q", "--threads", "2")
check(code == 0 and contents("threads.h5") == contents("space0.h5"), "two ranks of two threads", err)

# a rank that is killed, and Ctrl-C: a sentence, and a file that goes on to the same bits
long = ["--set", "run.until=30", "--set", "record.every=5"]
broken_off("space.yaml", "killed", 3, 1, signal.SIGKILL, 0.02, *long)
broken_off("space.yaml", "told", 3, 0, signal.SIGTERM, 0.02, *long)
broken_off("space.yaml", "one", 3, 2, signal.SIGTERM, 0.02, *long)  # which the others have not heard
broken_off("beads.yaml", "struck", 3, 1, signal.SIGKILL, 0.02, *long)
broken_off("tied.yaml", "pressed", 3, 0, signal.SIGTERM, 0.02, *long)

end(60)
