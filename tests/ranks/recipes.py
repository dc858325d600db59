"""The batch scripts of the manual do what they say, with commands of the same names in the place of Slurm's: an array of
parts that are gathered, a sweep and a run under mpirun that go on when they are submitted again; and the model of costs
finds the numbers that its points were made with."""
import os
import re
import stat
import subprocess

from checks import check, end, near
from ranks import CAROM, ENVIRONMENT, SOURCE, contents, run

for name in os.listdir("."):
    if os.path.isfile(name):
        os.remove(name)


def scripts(page):
    with open(os.path.join(SOURCE, "docs", page)) as f:
        return [text for text in re.findall(r"```sh\n(.*?)```", f.read(), re.S) if "#SBATCH" in text]


def tool(name, text):
    os.makedirs("bin", exist_ok=True)
    path = os.path.join("bin", name)
    with open(path, "w") as f:
        f.write("#!/bin/sh\n" + text + "\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)


def submit(script, **more):
    """as sbatch does; the grid is made small"""
    script = script.replace("0:0.1:1001", "0:0.1:11").replace("--threads 8", "--threads 1")
    environment = dict(ENVIRONMENT, PATH=os.path.abspath("bin") + ":" + os.environ["PATH"], **more)
    return subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=100)


mpirun = subprocess.run(["which", "mpirun"], capture_output=True, text=True).stdout.strip()
tool("carom", f'exec {CAROM} "$@"')
tool("srun", 'exec "$@"')
tool("mpirun", f'exec {mpirun} --oversubscribe -n 2 "$@"')  # the batch system says how many
with open(os.path.join(SOURCE, "scenes", "dimer.yaml")) as f, open("dimer.yaml", "w") as to:
    to.write(f.read())

# the job array
[array] = scripts("studies.md")
for task in (1, 2, 3):
    done = submit(array, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="3")
    check(done.returncode == 0, task, done.stderr)
parts = [f"dimer-sweep-{task}of3.h5" for task in (1, 2, 3)]
run(0, "gather", *parts, "-o", "gathered.h5", "-q")
run(0, "sweep", "dimer.yaml", "--over", "contacts.gamma=0:0.1:11", "-o", "one.h5", "-q")
check(contents("gathered.h5") == contents("one.h5"), "the parts of an array")

# under mpirun, submitted twice
sweep, solid = scripts("scale.md")
for _ in range(2):
    done = submit(sweep)
    check(done.returncode == 0, done.stderr)
check(contents("dimer-sweep.h5") == contents("one.h5"), "a sweep under mpirun")
with open("block.yaml", "w") as f:
    f.write("{units: none, theory: solid, bodies: [{solid: {box: {size: [1.6, 1.5, 1], cells: [16, 15, 10]}, "
            "material: {young: 1e3, poisson: 0.3, density: 1}, gravity: [1, -60, 3], clamps: [{face: left}]}}], "
            "run: {until: 0.05}, record: {every: 0.01, probes: [u, residual]}}")
for _ in range(2):
    done = submit(solid)
    check(done.returncode == 0, done.stderr)
check("is complete" in done.stdout, "the second time there is nothing to do", done.stdout)
run(0, "run", "block.yaml", "-o", "alone.h5", "-q")
check(contents("block.h5") == contents("alone.h5"), "a run under mpirun")

# the model: points made with 250 ns a cell, 30 us an exchange and this network give these numbers back
CELL, EXCHANGE, NETWORK, PLACE = 250e-9, 30e-6, 1e10, 56
points = []
for ranks, cells, told in ((1, 64000, 0), (2, 64000, 179312), (4, 64000, 179312)):
    sides = min(ranks - 1, 2)
    step = CELL * cells / ranks + sides * (0.5 * CELL * told / PLACE + told / NETWORK) + (EXCHANGE if ranks > 1 else 0)
    points.append(f"{{ranks: {ranks}, cells: {cells}, told: {told}, step: {step!r}}}")
with open("machine.yaml", "w") as f:
    f.write(f"network: {NETWORK}\nmeasured: [{', '.join(points)}]\n")
code, out, err = run(0, "check", "block.yaml", "-q", "--ranks", "1,3", "--cells", "64000", "--machine", "machine.yaml")
found = re.search(r"model +(\S+) ns a cell.*?, (\S+) us an exchange", out)
check(code == 0 and found, code, out, err)
near(float(found.group(1)), 250, 0.1, "ns a cell")
near(float(found.group(2)), 30, 0.3, "us an exchange")
rows = [line.split() for line in out.splitlines()[2:]]
check(len(rows) == 5 and [row[5] for row in rows[:3]] == ["0"] * 3, rows)
near(float(rows[3][3]), CELL * 64000, 1e-6, "one rank")
told = float(rows[4][2])  # three ranks: the middle one has two neighbours
near(float(rows[4][3]), CELL * (64000 / 3 + told / PLACE) + EXCHANGE + 2 * told / NETWORK, 1e-6, "three ranks")
# general cells are told of one by one: two layers of 16 x 15
regions = "regions: [{box: [[0.8, 0, 0], [1.6, 1.5, 1]], material: {young: 2e3, poisson: 0.1, density: 3}}], gravity"
with open("block.yaml") as f, open("regions.yaml", "w") as g:
    g.write(f.read().replace("gravity", regions))
code, out, err = run(0, "check", "regions.yaml", "-q", "--ranks", "2", "--machine", "machine.yaml")
check(code == 0 and float(out.splitlines()[-1].split()[2]) == 2 * 16 * 15 * PLACE, out, err)
with open(os.path.join(SOURCE, "docs", "scale.md")) as f:
    page = f.read()
for name, text in zip(("machine.yaml", "cube.yaml"), re.findall(r"```yaml\n(.*?)```", page, re.S)):
    with open(name, "w") as f:
        f.write(text)
words, printed = re.search(r"```text\ncarom (check cube.yaml [^\n]*)\n(.*?)```", page, re.S).groups()
code, out, err = run(0, *words.split())
check(code == 0 and out == printed, "what the manual shows", out, err)
for words in (["--ranks", "2"], ["--ranks", "x", "--machine", "machine.yaml"], ["--ranks", "2", "--machine", "nothing"]):
    code, out, err = run(0, "check", "block.yaml", "-q", *words)
    check(code in (2, 6) and err.startswith("carom: --"), words, code, err)
end(18)
