"""Solids that ranks share: the run file is the same to the bit for 1, 2, 3 and 4 ranks and without mpirun, ledger and
checkpoints included; a run that was stopped, or lost a rank, goes on with another number of ranks; what ranks do not
share is refused, and a run that breaks down says the same."""
import os
import re
import shutil
import signal
import time

from checks import check, end
from ranks import child, contents, run, start

MATERIAL = "material: {young: 1e3, poisson: 0.3, density: 1}"
SCENE = """{units: none, theory: solid, bodies: [{solid: {name: one, %s, """ + MATERIAL + """%s}}], %s
run: {until: %g, threads: 1%s}, record: {every: %g, probes: [u, v, work, residual, kinetic, stored]}}"""

PLANE = "box: {size: [2.4, 9.7], cells: [24, 97]}, plane: strain"
BLOCK = "box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}"
STIFF = "{young: 2e3, poisson: 0.1, density: 3}"
CASES = {
    # a sheet, in blocks of rows: under its weight, held, with loads on faces and on cells of several ranks
    "plane": (PLANE, ", gravity: [0, -60], clamps: [{near: [0.05, 0.05]}, {near: [0.05, 9]}], loads: ["
              "{face: top, traction: [1, -3], signal: {shape: ricker, frequency: 9, start: 0.1}}, {face: left, pressure: 2}, "
              "{near: [2, 4], force: [4, 5], signal: {shape: step, amplitude: 1, start: 0.01, duration: 0.02}}]", "",
              0.06, "", 0.0071),
    # it flies and spins, fast enough for turns by roots
    "spin": (PLANE, "", "start: [{body: one, velocity: [0.3, 0.1], spin: 9}],", 0.05, ", step: 2e-3", 0.01),
    # a grid in space
    "space": (BLOCK, ", clamps: [{face: left}, {near: [1.5, 1.4, 0.9], fix: [x, z]}], gravity: [1, -60, 3], loads: ["
              "{face: top, traction: [1, 2, -30], signal: {shape: ricker, frequency: 9, start: 0.1}}]", "", 0.06, "", 0.0071),
    "tumble": (BLOCK, "", "start: [{body: one, velocity: [0.3, 0.1, 0.2], spin: [9, 5, -3]}],", 0.06, "", 0.0071),
    # general links: two materials, in space and in the plane; cells of any shape
    "regions": (BLOCK + ", regions: [{box: [[0.8, 0, 0], [1.6, 1.5, 1]], material: " + STIFF + "}]",
                ", gravity: [1, -60, 3], clamps: [{face: left}]", "", 0.06, "", 0.0071),
    "flat": ("box: {size: [4, 6], cells: [40, 60]}, plane: stress, regions: [{box: [[2, 0], [4, 6]], material: " + STIFF +
             "}]", ", gravity: [1, -60], loads: [{face: top, pressure: 3}]", "start: [{body: one, spin: 3}],", 0.06, "",
             0.0071),
    "voronoi": ("voronoi: {box: {size: [1, 1, 1]}, cells: 1300, relax: 1}", ", gravity: [1, -60, 3], clamps: [{face: left}]",
                "start: [{body: one, spin: [1, 2, 3]}],", 0.01, "", 0.002),
}

for name in os.listdir("."):
    os.remove(name)


def write(name, text):
    with open(name, "w") as f:
        f.write(text)
    return name


for case, parts in CASES.items():
    scene = write(case + ".yaml", SCENE % parts)
    files = {}
    for count in (0, 1, 2, 3, 4) if case == "plane" else (0, 2, 3, 4):
        code, out, err = run(count, "run", scene, "-o", f"{case}{count}.h5", "-q")
        if not check(code == 0, case, count, err):
            break
        files[count] = contents(f"{case}{count}.h5")
        different = [key for key in files[0] if files[0][key] != files[count].get(key)]
        check(not different and len(files[0]) == len(files[count]), case, count, "ranks differ in", different)
    check(len(files.get(0, [])) > 20, case, "there is something to compare")

# threads in ranks
code, out, err = run(2, "run", "space.yaml", "-o", "threads.h5", "-q", "--threads", "2")
check(code == 0 and contents("threads.h5") == contents("space0.h5"), "two ranks of two threads", err)

# half the way on two ranks, the rest on three, or without mpirun
run(2, "run", "plane.yaml", "-o", "half.h5", "-q", "--set", "run.until=0.03")
code, out, err = run(3, "resume", "half.h5", "--until", "0.06", "-q")
check(code == 0, err)
run(0, "run", "plane.yaml", "-o", "whole.h5", "-q", "--set", "run.until=0.03")
run(0, "resume", "whole.h5", "--until", "0.06", "-q")
check(contents("half.h5") == contents("whole.h5"), "a run that went on with more ranks")

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

# refusals, once each
REFUSED = {
    "bodies without damping": (BLOCK, ", damping: {mass: 1}", "", 0.06, "", 0.01),
    "bodies without drives": (BLOCK, ", drives: [{face: left, displacement: [0.1, free, free], signal: {shape: sine, "
                              "frequency: 3}}]", "", 0.06, "", 0.01),
    "bodies without contacts": (BLOCK, "}}, {solid: {name: two, box: {size: [1, 1, 1], cells: [2, 2, 2], origin: [5, 0, 0]}, " +
                                MATERIAL, "", 0.06, "", 0.01),
    "instead of tol": (BLOCK, "", "", 0.06, ", tol: 1e-3", 0.01),
}
for sentence, parts in REFUSED.items():
    code, out, err = run(2, "run", write("refused.yaml", SCENE % parts), "-o", "refused.h5", "-q")
    check(code == 4 and err.count("carom: ") == 1 and sentence in err, sentence, code, err)
chain = os.path.join(os.environ["SOURCE"], "scenes", "steel-chain.yaml")
code, out, err = run(2, "run", chain, "-o", "refused.h5", "-q")
check(code == 4 and "start it without mpirun" in err and not os.path.exists("refused.h5"), code, err)

# a run that breaks down: the same sentence
broken = write("broken.yaml", SCENE % (PLANE, ", loads: [{face: right, traction: [-9e3, 7e3], signal: {shape: step, amplitude: 1, "
                                       "start: 0.05, duration: 1}}]", "", 0.3, "", 0.02))
alone, shared = run(0, "run", broken, "-o", "b.h5", "-q"), run(3, "run", broken, "-o", "b.h5", "-q")
check(alone[0] == shared[0] == 5 and alone[2].strip() in shared[2], alone, shared)
end(45)
