"""Packings that ranks share: the run file is the same to the bit for any number of ranks and without mpirun; a run that lost a
rank goes on with another number of them. ranks.packings_long has the other scenes and numbers of ranks."""
import os
import signal

from checks import check, end
from rank_packings import CASES, SCENE, shared
from rank_solids import write
from ranks import broken_off, contents, run

for name in os.listdir("."):
    os.remove(name)
shared("shaken", (0, 3))
shared("leaving", (0, 3))
write("pressed.yaml", SCENE % CASES["pressed"])

# on another number of ranks
for count, until in ((3, "0.7 ms"), (2, "1.2 ms")):
    words = ["run", "pressed.yaml", "--set", "run.until=" + until] if count == 3 else ["resume", "half.h5", "--until", until]
    code, out, err = run(count, *words, *(["-o", "half.h5"] if count == 3 else []), "-q")
    check(code == 0, count, err)
code, out, err = run(0, "run", "pressed.yaml", "--set", "run.until=0.7 ms", "-o", "whole.h5", "-q")
code, out, err = run(0, "resume", "whole.h5", "--until", "1.2 ms", "-q")
check(contents("half.h5") == contents("whole.h5"), "a run that went on with fewer ranks", err)

broken_off("pressed.yaml", "killed", 3, 1, signal.SIGKILL, 1e-3, "--set", "run.until=9 s", "--set", "record.every=10 ms")

# bodies that run into each other: the same sentence, at the same moment
broken = write("broken.yaml", (SCENE % CASES["far"]).replace("185 m/s", "-300 m/s"))
alone, shared = run(0, "run", broken, "-o", "b.h5", "-q"), run(3, "run", broken, "-o", "b.h5", "-q")
check(alone[0] == shared[0] == 5 and "run into each other" in alone[2] and alone[2].strip() in shared[2], alone, shared)

# refusals
slow = write("dp5.yaml", (SCENE % CASES["pressed"]).replace("contact_end: force, ", "").replace("scheme: verlet", "scheme: dp5"))
code, out, err = run(2, "run", slow, "-o", "refused.h5", "-q")
check(code == 4 and "verlet on discs and spheres" in err, err)
end(16)
