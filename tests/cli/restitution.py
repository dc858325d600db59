"""carom restitution as a user meets it: tables and CSV against closed forms, pairs that never separate, wrong calls; the
numbers of carom check; damping by restitution for every law, measured in a run."""
import csv
import math
import os
import re
import subprocess

import h5py

from checks import check, end, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
STEEL = os.path.join(SOURCE, "scenes", "steel-chain.yaml")


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(done.stdout == "", arguments, "printed", done.stdout)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said", done.stderr)
    check(said in done.stderr, arguments, "said", done.stderr, "expected", said)


def write(name, contacts, extra=""):
    with open(name, "w") as file:
        file.write(f"units: none\nbodies: [{{bead: {{mass: 2}}}}, {{wall: {{side: right}}}}]\ncontacts: {contacts}\n"
                   f"start: [{{body: 1, velocity: 1.5}}]\nrun: {{until: 30, tol: 1e-9{extra}}}\n")
    return name


def table(*arguments):
    if os.path.exists("table.csv"):
        os.remove("table.csv")
    done = carom("restitution", *arguments, "--csv", "table.csv", "--quiet")
    check(done.returncode == 0 and done.stdout == "" and done.stderr == "", arguments, done)
    with open("table.csv", newline="") as file:
        return list(csv.DictReader(file))


def final_velocity(scene):
    for name in ("run.h5", "run.csv"):
        if os.path.exists(name):
            os.remove(name)
    done = carom("run", scene, "-o", "run.h5", "--csv", "run.csv", "--quiet")
    check(done.returncode == 0, scene, done)
    with open("run.csv", newline="") as file:
        return float(list(csv.DictReader(file))[-1]["v_1"])


def test_numbers():
    rows = table(os.path.join(SOURCE, "scenes", "solid-pendulum.yaml"), "--points", "1")
    check([row["contact"] for row in rows] == ["1", "2", "3"], "contacts of solids count from 1", rows)
    rows = table(os.path.join(SOURCE, "scenes", "wall-bounce.yaml"), "--points", "1")
    check([row["contact"] for row in rows] == ["0", "1"], "the left wall of a row is 0", rows)


def test_tables():
    rows = table(write("linear.yaml", "{law: linear-dashpot, k: 3, gamma: 0.2}"), "--set", "velocity=1")
    z = 0.1 * math.sqrt(1.5)
    check(len(rows) == 9, "nine speeds", len(rows))
    near(float(rows[0]["speed"]), 0.01, 1e-15, "from V/100")
    near(float(rows[-1]["speed"]), 100, 1e-12, "to 100 V")
    for row in rows:
        near(float(row["e"]), math.exp(-math.pi * z / math.sqrt(1 - z * z)), 1e-11, "linear dashpot")
    rows = table(write("plastic.yaml", "{law: walton-braun, k1: 4, k2: 25}"), "--from", "0.1", "--to", "10",
                 "--points", "3")
    check([float(row["speed"]) for row in rows] == [0.1, 1, 10], "speeds", rows)
    check(all(abs(float(row["e"]) - 0.4) < 1e-15 for row in rows), "e = sqrt(k1/k2)", rows)
    rows = table(STEEL)
    check(len(rows) == 18 and rows[0]["contact"] == "1" and rows[0]["alike"] == "19" and rows[9]["contact"] == "20",
          "two kinds of pairs", rows)
    e = [float(row["e"]) for row in rows[:9]]
    check(all(a > b for a, b in zip(e, e[1:])), "Kuwabara and Kono: faster loses more", e)
    one = table(STEEL, "--from", "1", "--to", "1", "--points", "1")
    near(float(one[0]["e"]), 0.95, 1e-11, "the restitution the scene gives")


def test_never_separates():
    scene = write("sticky.yaml", "{law: hertz-dashpot, gamma: 1}")
    done = carom("restitution", scene, "--from", "1e-3", "--to", "1e3", "--points", "7")
    lines = [line for line in done.stdout.splitlines() if re.match(r" +[0-9.e+-]+ +(none|[0-9])", line)]
    check(done.returncode == 0 and len(lines) == 7, done)
    check("never separates" in lines[0] and "never separates" not in lines[-1], "slow pairs stick, fast ones part", lines)
    rows = table(scene, "--from", "1e-3", "--to", "1e3", "--points", "7")
    check(rows[0]["e"] == "" and float(rows[-1]["e"]) > 0.3, rows)
    checked = carom("check", scene, "--set", "velocity=0.001")
    check("never separates" in checked.stdout, checked.stdout)


def test_wanted():
    done = carom("restitution", write("want.yaml", "{law: kuwabara-kono, gamma: 0.1}"), "--e", "0.6", "--from", "1.5",
                 "--to", "1.5", "--points", "1")
    gamma = float(done.stdout.split()[-1])
    rows = table(write("back.yaml", f"{{law: kuwabara-kono, gamma: {gamma!r}}}"), "--from", "1.5", "--to", "1.5",
                 "--points", "1")
    near(float(rows[0]["e"]), 0.6, 1e-8, "gamma for e")


def test_every_law_by_restitution():
    """What a scene asks for is what its run shows, for every law and both endings."""
    laws = ["kuwabara-kono", "hunt-crossley", "hertz-dashpot", "linear-dashpot", "power, p: 2, b: 1.5", "bistiff",
            "walton-braun, k1: 2"]
    for law in laws:
        for ending in ("gap", "force"):
            for e in (0.05, 0.5, 0.95):
                name = write("law.yaml",
                             f"{{law: {law}, contact_end: {ending}, restitution: {{e: {e}, speed: 1.5}}}}",
                             ", share: 0.1")
                rows = table(name, "--from", "1.5", "--to", "1.5", "--points", "1")
                near(float(rows[0]["e"]), e, 1e-9, law, ending)
                until = 4 * float(rows[0]["contact_time"])
                text = open(name).read().replace("until: 30", f"until: {until!r}")
                open(name, "w").write(text)
                near(-final_velocity(name) / 1.5, e, 1e-7, law, ending, "in a run")


def test_two_ends():
    """Of a contact that force ends, the table's time ends with the force, the opening in a run when the gap opens: the
    bead is free between them, and flies out of what it overlaps with e times its speed."""
    for law in ("hertz-dashpot, gamma: 0.3", "linear-dashpot, gamma: 0.6", "kuwabara-kono, gamma: 0.4",
                "hunt-crossley, gamma: 0.3"):
        name = write("ends.yaml", f"{{law: {law}, contact_end: force}}")
        rows = table(name, "--from", "1.5", "--to", "1.5", "--points", "1")
        ends, e = float(rows[0]["contact_time"]), float(rows[0]["e"])
        with open(name, "a") as file:
            file.write(f"record: {{every: {ends / 50!r}, probes: [u, contact_force], events: true}}\n")
        check(carom("run", "-q", name, "-o", "ends.h5").returncode == 0, name, "runs")
        with h5py.File("ends.h5") as run:
            opens, force = run["events/time"][-1], run["observables/contacts/force/value"][()].ravel()
            place = run["particles/beads/displacement/value"][()].ravel()
        check((force[1:50] > 0).all() and (force[51:] == 0).all(), law, "a force until it ends", force[45:55])
        near((opens - ends) * 1.5 * e, place[50], 1e-7, law, "a free bead until the gap opens")
        said = carom("restitution", name).stdout
        check("a run notes when the gap opens, which may be later" in said, law, "what the time is", said)


def test_check():
    done = carom("check", STEEL)
    lines = re.findall(r"kuwabara-kono, (\d+) contacts?, mass that meets (.+?) kg: e = (\S+) at V", done.stdout)
    check(len(lines) in (1, 2) and "gamma~" not in done.stdout, "kinds of pairs", done.stdout)
    pure = carom("restitution", STEEL).stdout
    numbers = re.search(r"mass ([^ ]+) kg.*\n  closing with V = 0.5 m/s: T = ([^ ]+) s, gamma~ = ([^ ]+), e = ([^ ,]+)", pure)
    mass, time, damping, e = (float(x) for x in numbers.groups())
    check(f"{e:g}" == lines[0][2], "one e in both", e, lines)
    k, gamma = (float(x) for x in re.search(r"k = ([^ ]+) .*gamma = ([^ ]+) ", done.stdout).groups())
    near(time / ((mass / k) ** 0.4 * 0.5 ** -0.2), 1, 1e-5, "equation (6)")
    near(damping / (gamma * 0.5 ** 0.2 * (k / mass) ** 0.4), 1, 1e-5, "equation (8)")
    weak = carom("restitution", STEEL, "--set", "e=0.9999")
    ratio, limit = re.search(r"gamma~/\(1 - e\) = ([^ ]+) \(([^ ]+) for", weak.stdout).groups()
    near(float(ratio), 0.578, 2e-4, "equation (9)")
    check(limit == "0.578", "equation (9)", limit)


def test_wrong_calls():
    expect(2, ["restitution"], "an argument is missing")
    expect(2, ["restitution", STEEL, "--from", "-1"], "--from -1: must be a positive number")
    expect(2, ["restitution", STEEL, "--from", "2", "--to", "1"], "--from 2 is more than --to 1")
    expect(2, ["restitution", STEEL, "--points", "0"], "--points 0")
    expect(2, ["restitution", STEEL, "--e", "1.5"], "must be above 0 and at most 1")
    expect(6, ["restitution", "none.yaml"], "none.yaml")
    expect(6, ["restitution", STEEL, "--csv", "no-such-folder/x.csv"], "no-such-folder")
    with open("alone.yaml", "w") as file:
        file.write("units: none\nbodies: [bead: {}]\nrun: {until: 1}\n")
    expect(4, ["restitution", "alone.yaml"], "no contacts")
    for shape in "box: {at: [0, 1], size: [1, 1], mass: 1}", "polygon: {sides: 5, radius: 1, at: [0, 2], mass: 1}":
        with open("angular.yaml", "w") as file:
            file.write("units: none\ntheory: nonsmooth\nbodies: [plane: {at: [0, 0], normal: [0, 1]}, " + shape + "]\nrun: {until: 1}\n")
        expect(4, ["restitution", "angular.yaml"], "restitution is for beads, discs and spheres")
    expect(4, ["restitution", os.path.join(SOURCE, "scenes", "solid-two-bars.yaml")], "--episodes")
    with open("precious.txt", "w") as file:
        file.write("not a table\n")
    done = carom("restitution", STEEL, "--csv", "precious.txt", "-q")
    check(done.returncode != 0 and open("precious.txt").read() == "not a table\n", "a file that is no table stays", done)
    done = carom("restitution", "--help")
    check(done.returncode == 0 and "closing speed" in done.stdout and not done.stderr, done)


def test_tapered_chain():
    """Nguyen and Brogliato 2011, section 4: the last ball's speed over the striker's, by an independent computation."""
    scene = os.path.join(SOURCE, "scenes", "law-bistiff.yaml")
    for es, ratio in ((0.947, 2.652), (0.955, 2.803), (0.965, 2.999)):
        for name in ("run.h5", "run.csv"):
            if os.path.exists(name):
                os.remove(name)
        done = carom("run", scene, "-o", "run.h5", "--csv", "run.csv", "--quiet", "--set", f"es={es}")
        check(done.returncode == 0, done)
        with open("run.csv", newline="") as file:
            last = list(csv.DictReader(file))[-1]
        near(float(last["v_20"]) / 0.5, ratio, 6e-4, "es", es)


for test in (test_tables, test_numbers, test_never_separates, test_wanted, test_every_law_by_restitution, test_two_ends, test_check,
             test_wrong_calls, test_tapered_chain):
    test()
end()
