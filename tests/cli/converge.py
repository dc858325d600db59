"""carom converge as a user meets it: the table, known orders, CSV, references by file, wrong calls."""
import csv
import os
import re
import subprocess

from checks import check, end, some

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
TRIMER = os.path.join(SOURCE, "scenes", "trimer.yaml")


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def expect(code, arguments, said):
    done = carom("converge", *arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(done.stdout == "", arguments, "printed", done.stdout)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said", done.stderr)
    check(said in done.stderr, arguments, "said", done.stderr, "expected", said)


def slopes(text):
    """The two slopes of the last line of the table."""
    line = next(line for line in text.splitlines() if line.startswith("least squares"))
    return [float(word) for word in line.split()[-2:]]


def rows(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


# second order, and the numbers of the table are those of the CSV
done = carom("converge", TRIMER, "--scheme", "verlet", "--steps", "0.02:0.0025:4", "--csv", "table.csv")
check(done.returncode == 0 and done.stderr == "", done)
check(all(abs(slope - 2) < 0.1 for slope in slopes(done.stdout)), done.stdout)
table = rows("table.csv")
check([row["step"] for row in table] == [0.02, 0.01, 0.005, 0.0025], table)
check([row["steps"] for row in table] == [500, 1000, 2000, 4000], table)
for row in table:
    check(f"{row['du']:.2e}" in done.stdout and f"{row['dv_relative']:.2e}" in done.stdout, row)
    check(0 < row["reference_du"] < 1e-9, row)

# the tailored scheme levels off at a fixed gamma, and not where gamma follows the step
done = carom("converge", TRIMER, "--scheme", "theta", "--steps", "0.01:0.00125:4")
check(all(abs(slope) < 0.2 for slope in slopes(done.stdout)), done.stdout)
done = carom("converge", TRIMER, "--scheme", "theta", "--steps", "0.01:0.00125:4", "--gamma-follows-step", "1")
check(all(abs(slope - 2) < 0.1 for slope in slopes(done.stdout)), done.stdout)
check("gamma = 1 step" in done.stdout, done.stdout)

# every scheme that takes this scene converges by default, without being told steps or tolerances
names = re.findall(r"^(\S+)  ", carom("list", "schemes").stdout, re.M)
check("theta" in names and "dp5" in names, names)
for name in names:
    done = carom("converge", TRIMER, "--scheme", name, "--set", "until=5", "--quiet")
    check(done.returncode in (0, 4) and (done.returncode == 4 or "least squares" in done.stdout), name, done)

# tolerances; against a run file, at its times
done = carom("converge", TRIMER, "--tols", "1e-4:1e-8:3", "--csv", "tols.csv")
check(done.returncode == 0, done.stderr)
check(carom("run", TRIMER, "--set", "tol=1e-12", "-o", "reference.h5", "--quiet").returncode == 0, "run")
done = carom("converge", TRIMER, "--tols", "1e-4:1e-8:3", "--reference", "reference.h5", "--csv", "file.csv")
check(done.returncode == 0, done.stderr)
for a, b in zip(rows("tols.csv"), rows("file.csv")):
    check(abs(a["du"] - b["du"]) < 1e-9 and a["steps"] == b["steps"], a, b)
    check(a["du_relative"] < 10 * a["tol"] and a["dv_relative"] < 10 * a["tol"], a)

# steps with units, and the scene's own step whatever the scheme
chain = os.path.join(SOURCE, "scenes", "steel-chain.yaml")
done = carom("converge", chain, "--scheme", "verlet", "--steps", "2 us:0.5 us:3", "--set", "until=0.1 ms", "--csv", "us.csv")
check(done.returncode == 0, done.stderr)
check([round(row["step"] * 1e9) for row in rows("us.csv")] == [2000, 1000, 500], done.stdout)
done = carom("converge", chain, "--scheme", "verlet", "--steps", "1 us,500 ns", "--set", "until=0.1 ms", "--csv", "ns.csv")
check([round(row["step"] * 1e9) for row in rows("ns.csv")] == [1000, 500], done.stdout, done.stderr)
stepped = ["--set", "run.tol=null", "--set", "run.scheme=verlet", "--set", "run.step=0.02", "--set", "until=2"]
for scheme in ([], ["--scheme", "cn"]):
    done = carom("converge", TRIMER, *stepped, *scheme, "--csv", "own.csv")
    check(done.returncode == 0 and rows("own.csv")[0]["step"] == 0.02, done)

# rigid contacts: closed forms, norms of functions that jump
BALL = os.path.join(SOURCE, "papers", "acary2009", "ball.yaml")
steps = ["--scheme", "moreau-jean", "--steps", "0.0137:0.00113:20", "--quiet"]
done = carom("converge", BALL, *steps)
check(done.returncode == 0 and "norm       L1 over time" in done.stdout, done)
check("reference  closed form, impacts end in rest at t = 1.34164078649987" in done.stdout, done.stdout)
check(all(abs(slope - 1) < 0.3 for slope in slopes(done.stdout)), done.stdout)
check(carom("converge", BALL, *steps, "--norm", "l1").stdout == done.stdout, "l1 is the default")
done = carom("converge", BALL, *steps, "--norm", "hausdorff", "--time-scale", "0.5")
check(done.returncode == 0 and "a time of 0.5 counts as much as U and V" in done.stdout, done)
check(all(abs(slope - 1) < 0.4 for slope in slopes(done.stdout)), done.stdout)
done = carom("converge", BALL, *steps, "--norm", "sup")
check(done.returncode == 0 and abs(slopes(done.stdout)[1]) < 0.6, "velocities do not converge in sup", done.stdout)
done = carom("converge", BALL, "--scheme", "schatzman-paoli")
check(done.returncode == 0 and "least squares" in done.stdout, "steps are chosen", done)

# filled-in graphs are compared without the error of straight lines, down to rounding; of fixed steps, whose graphs are lines, to the end of the run,
# and what the lines of the reference miss is said and left out
OSCILLATOR = os.path.join(SOURCE, "papers", "acary2009", "oscillator.yaml")
graphs = ["--norm", "hausdorff", "--quiet", "--csv", "graphs.csv"]
done = carom("converge", OSCILLATOR, "--set", "run.scheme=mannshardt", "--set", "run.order=5", "--steps", "0.2:0.02:4", "--time-scale", "1", *graphs)
check(done.returncode == 0 and all(abs(slope - 5) < 0.1 for slope in slopes(done.stdout)), done)
check(rows("graphs.csv")[-1]["du"] < 1e-11 and rows("graphs.csv")[-1]["dv"] < 1e-11, done.stdout)
done = carom("converge", TRIMER, "--set", "until=4", "--tols", "1e-3,1e-9", *graphs)
check(done.returncode == 0 and rows("graphs.csv")[-1]["du"] < 1e-10 and rows("graphs.csv")[-1]["dv"] < 1e-10, done)
done = carom("converge", TRIMER, "--set", "until=4", "--scheme", "verlet", "--steps", "0.02,0.003,0.0003", *graphs)
check(done.returncode == 0 and abs(slopes(done.stdout)[0] - 2) < 0.05, done)
check("its lines miss 2.0e-08 and 1.0e-08" in done.stdout and done.stdout.count("*\n") == 1, done.stdout)

# gamma comes with the step it belongs to: these coefficients damp like gamma = step / 2, more than the gamma of a row at the step of the scene
euler = ["run.tol=null", "run.scheme=rk2", "run.step=0.1", "run.b1=0.5", "run.a11=0.5", "run.a12=0", "run.a21=0.5", "run.a22=0.5"]
done = carom("converge", TRIMER, *(word for key in euler for word in ("--set", key)), "--steps", "0.02,0.01", "--gamma-follows-step", "1")
check(done.returncode == 0 and all(abs(slope - 2) < 0.1 for slope in slopes(done.stdout)), done)

# options of the scheme that is studied, which that of the scene has not; they are checked as those of a scene are
gauss = ["run.b1=0.5", "run.a11=0.25", "run.a12=-0.038675134594812882", "run.a21=0.53867513459481288", "run.a22=0.25"]
sets = lambda keys: [word for key in keys for word in ("--set", key)]
steps = ["--scheme", "rk2", "--steps", "0.1,0.05", "--csv"]
done = carom("converge", TRIMER, *steps, "plain.csv")
own = carom("converge", TRIMER, *steps, "own.csv", *sets(gauss))
check(own.returncode == 0 and [r["du"] for r in rows("own.csv")] == [r["du"] for r in rows("plain.csv")], own)
halves = carom("converge", TRIMER, *steps, "own.csv", *sets(euler[3:]))
check(halves.returncode == 0 and all(abs(slope - 2) < 0.1 for slope in slopes(halves.stdout)), halves)
done = carom("converge", TRIMER, "--scheme", "rk2", "--steps", "0.1,0.05", "--set", "run.b1=two")
check(done.returncode == 3 and "b1" in done.stderr and "two" in done.stderr, done)

# the same again
with open("free.yaml", "w") as scene:  # a flight, of which every scheme knows all but rounding
    scene.write("units: none\nbodies: [bead: {mass: 1}, wall: {side: right, gap: 10}]\ncontacts: {law: hertz, k: 1}\n"
                "start: [{body: 1, velocity: 0.7}]\nrun: {until: 1, scheme: verlet, step: 0.1}\n")
free = carom("converge", "free.yaml", "--steps", "0.1,0.01,0.001")
check(free.returncode == 0 and len(re.findall(r" - +- \*\n", free.stdout)) == 3 and "or rounding" in free.stdout, free)
first = carom("converge", TRIMER, "--scheme", "theta")
check(first.returncode == 0 and first.stdout == carom("converge", TRIMER, "--scheme", "theta").stdout, first)

expect(2, [], "an argument is missing")
expect(2, [TRIMER, "--scheme", "theta", "--steps", "1:2"], "--steps 1:2: ")
expect(2, [TRIMER, "--scheme", "theta", "--steps", "0:1:3"], "same sign")
expect(2, [TRIMER, "--steps", "0.1:0.2:2", "--tols", "1e-3,1e-4"], "not both")
expect(2, [TRIMER, "--tols", "1e-3,1e-4", "--gamma-follows-step", "1"], "needs steps to follow")
expect(2, [TRIMER, "--scheme", "theta", "--gamma-follows-step", "0"], "must be a positive number")
expect(2, [TRIMER, "--envelope", "many"], "must be a number")
expect(4, [TRIMER, "--steps", "0.1,0.05"], "scheme dp5 has no step to vary; its tolerances are --tols")
expect(4, [os.path.join(SOURCE, "scenes", "mechanisms", "oscillator.yaml"), "--steps", "0.1,0.05"], "steps are studied by --scheme moreau-jean")
expect(4, [TRIMER, "--scheme", "thetta"], "did you mean 'theta'?")
expect(3, [TRIMER, "--tols", "1,2"], "dp5: tol: ")
expect(2, [TRIMER, "--scheme", "verlet", "--steps", "1 ms,2 ms"], "the scene has no units")
expect(2, [chain, "--scheme", "verlet", "--steps", "1 mm,2 mm"], "--steps 1 mm,2 mm: ")
expect(2, [chain, "--tols", "1e-3 s,1e-4 s"], "tolerances are pure numbers")
expect(2, [BALL, "--norm", "l2"], "must be sup, l1 or hausdorff")
expect(2, [BALL, "--norm", "l1", "--time-scale", "1"], "--time-scale goes with --norm hausdorff")
expect(6, ["none.yaml"], "none.yaml: cannot be read")
expect(6, [TRIMER, "--reference", "none.h5"], "none.h5")
with open("mine.txt", "w") as file:
    file.write("mine\n")
done = carom("converge", TRIMER, "--csv", "mine.txt")
check(done.returncode == 6 and "not overwritten" in done.stderr and open("mine.txt").read() == "mine\n", done)
other = os.path.join(SOURCE, "scenes", "two-beads.yaml")
expect(3, [other, "--reference", "reference.h5"], "reference.h5: has 3 bodies, the scene has 2")

# the reference has the law that `blow` means, or is a finer run where it has none
with open("blow.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\nbodies:\n"
               "  - disc: {at: [0, 1.1], radius: 1, mass: 1, velocity: [0, -1]}\n"
               "  - disc: {at: [0, 3.1], radius: 1, mass: 1, velocity: [0, -1]}\n"
               "  - plane: {at: [0, 0], normal: [0, 1]}\n"
               "contacts: {law: rigid, e: 0.5, mu: 0}\n"
               "run: {until: 0.3, scheme: moreau-jean, step: 1e-3, blow: stronge}\n")
done = carom("converge", "blow.yaml", "--steps", "1e-2,1e-3")
check(done.returncode == 0 and "reference  event" in done.stdout and abs(slopes(done.stdout)[0] - 1.0) < 0.05, done)
with open("blow.yaml") as file:
    text = file.read().replace("stronge", "poisson")
with open("blow.yaml", "w") as file:
    file.write(text)
done = carom("converge", "blow.yaml", "--steps", "1e-2,1e-3")
check(done.returncode == 0 and "reference  moreau-jean" in done.stdout, done)

# bodies that event has as one mechanism: it is the reference of steps, turns count by how far a body reaches, so that
# relative errors do not know in which unit lengths are told; and either scheme runs the scene of the other
CUBE = """units: none
theory: nonsmooth
gravity: [0, 0, %(a)g]
bodies:
  - box: {at: [0, 0, %(b)g], size: [%(c)g, %(c)g, %(c)g], mass: 2, turn: {axis: [0.7, 0.4, 0.2], angle: 0.83}, spin: [1, 2, 0]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
contacts: {law: rigid, e: 0.6}
run: {until: 0.6, scheme: event}
record: {every: 0.02, probes: [u, contact_force]}
"""
relative = []
for unit in (1, 1000):
    with open("cube.yaml", "w") as file:
        file.write(CUBE % {"a": -10 * unit, "b": 1.5 * unit, "c": unit})
    for norm, until in some((("l1", 0.6), ("hausdorff", 0.42)), 2):
        done = carom("converge", "cube.yaml", "--tols", "1e-3,1e-4", "--csv", "cube.csv", "--norm", norm, "--set", f"run.until={until}")
        check(done.returncode == 0 and "reference  event" in done.stdout, done)
        relative.append([[row["du_relative"], row["dv_relative"]] for row in rows("cube.csv")])
half = len(relative) // 2
for one, other in zip(relative[:half], relative[half:]):
    check(all(abs(a - b) <= 0.02 * a for x, y in zip(one, other) for a, b in zip(x, y)), "in other units", one, other)
done = carom("converge", "cube.yaml", "--scheme", "moreau-jean", "--steps", "4e-3,1e-3,2.5e-4")
check(done.returncode == 0 and "reference  event" in done.stdout and slopes(done.stdout)[0] > 0.7, done)
done = carom("converge", os.path.join(SOURCE, "scenes", "bodies", "rod-blow.yaml"), "--scheme", "event", "--tols", "1e-6,1e-8")
check(done.returncode == 0 and "scheme     event" in done.stdout, done)
expect(4, ["cube.yaml", "--reference", "reference.h5"], "a run of bodies of plane or space cannot be a reference")

# under lzb tol bounds steps inside impacts, not the impact: said where errors stand beside it, and nowhere else
done = carom("converge", os.path.join(SOURCE, "papers", "nguyen2011", "monodisperse.yaml"), "--tols", "1e-4,1e-6")
check(done.returncode == 0 and "under impact lzb tol is what one step inside an impact may err by" in done.stdout, done)
check("inside an impact" not in carom("converge", TRIMER, "--tols", "1e-3,1e-4").stdout, "of springs nothing is said")

end(least=50)
