"""Packings that ranks share: all scenes, on up to six ranks and with threads in them; a run that is told to stop goes on."""
import os
import signal

from checks import check, end
from rank_packings import CASES, shared
from ranks import broken_off, contents, run

for name in os.listdir("."):
    os.remove(name)
for case in CASES:
    shared(case, (0, 2) if case == "sunk" else (0, 1, 2, 3, 4, 6))
code, out, err = run(2, "run", "shaken.yaml", "-o", "threads.h5", "-q", "--threads", "2")
check(code == 0 and contents("threads.h5") == contents("shaken0.h5"), "two ranks of two threads", err)
broken_off("shaken.yaml", "told", 3, 0, signal.SIGTERM, 1e-3, "--set", "run.until=9 s", "--set", "record.every=10 ms")
end(22)
