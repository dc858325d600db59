"""carom verify as a user meets it: lines, exit codes, rows that fail, cannot be measured or are known not to come out."""
import math
import os
import re
import shutil
import subprocess

from checks import check, end

shutil.rmtree("papers", ignore_errors=True)  # of an earlier run of this test

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments, **options):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110, **options)


def row(name, published, more=""):
    return (f"  - {{name: {name}, place: here, published: {published}, allowed: 0.001, reason: because, "
            f"measure: restitution{more}}}\n")


def paper(folder, *rows):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "rows.yaml"), "w") as file:
        file.write("title: test\nsource: nowhere\nrows:\n" + "".join(rows))


# every row of a real paper has a line of five words; the exit code is 0 without failures
papers = os.path.join(SOURCE, "papers")
done = carom("verify", "james2020", "--row", "table-1-theta", "--papers", papers)
check(done.returncode == 0 and done.stderr == "", done)
lines = [line.split() for line in done.stdout.splitlines() if line.startswith("table-1-theta")]
check(len(lines) == 2 and all(len(words) == 5 and words[-1] == "PASS" for words in lines), done.stdout)
check(abs(float(lines[0][2]) - float(lines[0][1])) <= float(lines[0][3]), lines)
done = carom("verify", "james2020", "--row", "eq-9", "--reasons", cwd=SOURCE)
check(done.returncode == 0 and "half a unit of the last printed digit" in done.stdout, done)

# verdicts
paper("papers/one", row("good", 0.578), row("off", 0.5, ", not_reproduced: the print is wrong"),
      row("slow", 0.578, ", long: true"))
paper("papers/two", row("bad", 0.4), row("good-too", 0.578))
done = carom("verify", "one")
check(done.returncode == 0, done)
check("NOT-REPRODUCED" in done.stdout and "the print is wrong" in done.stdout and "1 need --long" in done.stdout, done)
check("3 rows: 2 PASS" in carom("verify", "one", "--long").stdout, "long")
done = carom("verify")
check(done.returncode == 1 and "one: test" in done.stdout and "two: test" in done.stdout, done)
check("4 rows: 2 PASS, 1 FAIL, 1 NOT-REPRODUCED" in done.stdout, done.stdout)
quiet = carom("verify", "--quiet")
check(quiet.returncode == 1 and len(quiet.stdout.splitlines()) == 1 and quiet.stdout.startswith("bad "), quiet)
check(carom("verify", "--threads", "1").stdout.splitlines()[:-1] == done.stdout.splitlines()[:-1], "threads")

# a scheme that is not there fails its row with a sentence, and the others go on
with open("papers/two/pair.yaml", "w") as file:
    file.write("units: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 5}\n")
paper("papers/two", row("first", 0.1).replace("restitution", "error_u, scene: pair.yaml, scheme: none, step: 0.1"),
      row("good-too", 0.578))
done = carom("verify", "two")
check(done.returncode == 1 and "there is no scheme 'none'" in done.stdout and "1 PASS, 1 FAIL" in done.stdout, done)

for code, arguments, said in (
    (2, ["three"], "there is no paper 'three'"),
    (2, ["../papers/one"], "there is no paper"),
    (2, ["one", "--row", "nothing"], "no row was measured"),
    (6, ["--papers", "nowhere"], "nowhere: there are no papers there, folders with a file rows.yaml"),
    (2, ["one", "two"], "one argument too many"),
):
    done = carom("verify", *arguments)
    check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, arguments, done)
paper("papers/three", "  - {name: a}\n")
done = carom("verify", "three")
check(done.returncode == 3 and "rows.yaml:4:5: row a: place is missing" in done.stderr, done)


def zener(young, poisson, density, radius, thickness, speed, step=1e-7):
    """What is left of the speed of a sphere that meets an endless plate of its material, by Zener's equation and Heun's method."""
    plate = young / (1 - poisson**2)
    stiff, mass = 2 / 3 * plate * radius**0.5, 4 / 3 * math.pi * radius**3 * density
    soft = 1 / (8 * (density * thickness * plate * thickness**3 / 12) ** 0.5)

    def rate(depth, v):
        force = stiff * max(depth, 0.0) ** 1.5
        return v - soft * force, -force / mass

    depth, v = 0.0, speed
    while depth >= 0.0:
        first = rate(depth, v)
        second = rate(depth + step * first[0], v + step * first[1])
        depth += 0.5 * step * (first[0] + second[0])
        v += 0.5 * step * (first[1] + second[1])
    return v / speed


# the number beside which struck-zener stands, for steel as `carom list materials` has it
rows = open(os.path.join(papers, "monasse2012", "rows.yaml")).read()
stored = float(re.search(r"name: struck-zener\n.*\n\s*published: (\S+)", rows).group(1))
check(abs(zener(2.03e11, 0.3, 7780, 0.01, 0.01, 1.0) - stored) < 5e-5, "Zener's restitution")


def st_venant(stiff, until, steps=20000):
    """The velocities with which a mass leaves a bar of its own weight that is held at its other end, before `until` (in 2 L / c). With f the wave down the
    bar, u' = f'(t) - f'(t - 1), force / (rho c A) = f'(t) + f'(t - 1) = `stiff` x (how deep the mass is in the contact's spring); the depth is exact in a step."""
    step, wave, left, depth, v = 1 / steps, [], [], 0.0, 1.0
    decay = math.exp(-stiff * step)
    for i in range(int(until * steps)):
        back = wave[i - steps] if i >= steps else 0.0
        towards = v + 2 * back
        deeper = depth * decay + towards * (1 - decay) / stiff if depth >= 0.0 else depth + towards * step
        force = max(0.0, towards - (deeper - depth) / step) if depth >= 0.0 else 0.0
        if depth >= 0.0 and deeper < 0.0:
            left.append(v)
        wave.append(force - back)
        v -= 2 * step * force
        depth = deeper
    return left


# the numbers beside which struck-st-venant-held and -twice stand (k T / (rho c A) = 100 and 1000), and St Venant's for a rigid contact
stored = [float(x) for x in re.findall(r"name: struck-st-venant-(?:held-200|twice)\n.*\n\s*published: (\S+)", rows)]
check(len(stored) == 2 and abs(st_venant(100, 2.5)[-1] - stored[0]) < 5e-5 and abs(st_venant(1000, 2.5)[-1] - stored[1]) < 5e-5, "St Venant's impact")
check(abs(st_venant(1e4, 2)[0] + 2 * math.exp(-1 - math.exp(-2) / 2)) < 3e-4, "St Venant's rigid contact")

# an installed program finds what was installed with it, also where a folder of that name is somebody else's
for left in ("prefix", "elsewhere"):
    shutil.rmtree(left, ignore_errors=True)
os.makedirs("prefix/bin")
os.makedirs("elsewhere/papers/drafts")
shutil.copy(CAROM, "prefix/bin/carom")
program = os.path.abspath("prefix/bin/carom")


def elsewhere(*arguments):
    return subprocess.run([program, *arguments], cwd="elsewhere", capture_output=True, text=True, timeout=60)


done = elsewhere("verify")
check(done.returncode == 6 and "prefix/bin/../share/carom/papers" in done.stderr and "--papers FOLDER" in done.stderr, done)
paper("prefix/share/carom/papers/one", row("good", 0.578))
done = elsewhere("verify")
check(done.returncode == 0 and "1 PASS" in done.stdout, done)
shutil.rmtree("prefix/share")
with open("elsewhere/two.yaml", "w") as file:
    file.write("units: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 5}\n")
done = elsewhere("gallery", "--scenes", ".", "--no-verify", "-o", "site")
check(done.returncode == 0 and "1 page" in done.stdout, done)

end(least=19)
