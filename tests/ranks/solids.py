"""Solids that ranks share: the run file of 3 ranks is the same to the bit as without mpirun, ledger and checkpoints
included; a run goes on with another number of ranks; what ranks do not share is refused, and a run that breaks down says
the same. ranks.solids_long has more bodies, 1 and 4 ranks, and ranks that are killed."""
import os

from checks import check, end
import ranks
from ranks import contents, run
from rank_solids import CASES, MEETING, MEETINGS, PLANE, SCENE, refused, same, write

for name in os.listdir("."):
    os.remove(name)
for case in ("plane", "space", "driven", "driven rates", "plastic cells", "breaks", "folded", "beads", "tied"):
    same(case, (0, 3))
code, out, err = run(2, "run", "driven.yaml", "-o", "threads.h5", "-q", "--threads", "2")
check(code == 0 and contents("threads.h5") == contents("driven0.h5"), "two ranks of two threads", err)

# half the way on two ranks, the rest on three, or without mpirun
write("sides.yaml", SCENE % CASES["sides"])
run(2, "run", "sides.yaml", "-o", "half.h5", "-q", "--set", "run.until=0.015")
code, out, err = run(3, "resume", "half.h5", "--until", "0.03", "-q")
check(code == 0, err)
run(0, "run", "sides.yaml", "-o", "whole.h5", "-q", "--set", "run.until=0.015")
run(0, "resume", "whole.h5", "--until", "0.03", "-q")
check(contents("half.h5") == contents("whole.h5"), "a run that went on with more ranks")

# a body that was settled once, on ranks, is the start of any number of them
rest = write("rest.yaml", SCENE % (*CASES["sides"][:1], ", gravity: [0, -9, 0], clamps: [{face: left}]",
                                   "start: [{settle: true}],", 1e-3, "", 1e-3))
code, out, err = run(3, "run", rest, "-o", "rest.h5", "-q")
check(code == 0, err)
ranks.same("taken", write("taken.yaml", SCENE % (*CASES["sides"][:1], ", absorbing: [right]", "start: [{run: rest.h5}],", 0.01,
                                                 "", 0.003)), (0, 2))

# refusals
refused("instead of tol")
code, out, err = run(2, "run", "plane.yaml", "-o", "refused.h5", "-q", "--device", "auto")
check(code == 4 and err.count("carom: --device auto: ranks run on the processor") == 1, code, err)
code, out, err = run(2, "resume", "whole.h5", "--device", "1", "-q")
check(code == 4 and err.count("carom: --device 1: ranks run on the processor") == 1, code, err)
chain = os.path.join(os.environ["SOURCE"], "scenes", "steel-chain.yaml")
code, out, err = run(2, "run", chain, "-o", "refused.h5", "-q")
check(code == 4 and "start it without mpirun" in err and not os.path.exists("refused.h5"), code, err)

# a run that breaks down: the same sentence
broken = write("broken.yaml", SCENE % (PLANE, ", loads: [{face: right, traction: [-9e3, 7e3], signal: {shape: step, amplitude: 1, "
                                       "start: 0.05, duration: 1}}]", "", 0.3, "", 0.02))
alone, shared = run(0, "run", broken, "-o", "b.h5", "-q"), run(3, "run", broken, "-o", "b.h5", "-q")
check(alone[0] == shared[0] == 5 and alone[2].strip() in shared[2], alone, shared)
# a ball that goes through what it strikes: likewise, and at the same moment
soft = (MEETING % MEETINGS["beads"]).replace("law: kuwabara-kono, restitution: {e: 0.9, speed: 1}", "law: power, p: 1.5, k: 1")
deep = write("deep.yaml", soft.replace("until: 0.03", "until: 0.3"))
alone, shared = run(0, "run", deep, "-o", "b.h5", "-q"), run(3, "run", deep, "-o", "b.h5", "-q")
check(alone[0] == shared[0] == 5 and "further inside another body" in alone[2] and alone[2].strip() in shared[2], alone, shared)
end(20)
