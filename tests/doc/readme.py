"""The README is one screen, and what it claims stands elsewhere: measured, or counted in what the program reads."""
import glob
import os
import re
import subprocess

from checks import check, end

SOURCE, CAROM = os.environ["SOURCE"], os.environ["CAROM"]


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding="utf-8") as file:
        return file.read()


readme = read("README.md")
flat = " ".join(readme.split())
check(len(readme.splitlines()) <= 65 and max(map(len, readme.splitlines())) <= 160, "one screen")

# its scene is that of the first steps, and runs, as the page it speaks of
scene = re.search(r"```yaml\n(.*?)```", readme, re.S).group(1)
check(scene == re.search(r"`first.yaml`:\n\n```yaml\n(.*?)```", read("docs", "first-steps.md"), re.S).group(1), "two scenes of one name")
with open("first.yaml", "w") as file:
    file.write(scene)
for name in ("first.h5", "first.html"):
    if os.path.exists(name):
        os.remove(name)
done = subprocess.run([CAROM, "report", "first.yaml", "-q"], capture_output=True, text=True, timeout=60)
check(done.returncode == 0 and os.path.getsize("first.html") > 1000, done.stderr)
said = re.search(r"`first.yaml:(\d+:\d+: unknown key 'veloctiy'[^`]*)`", flat).group(1)
with open("first.yaml", "w") as file:
    file.write(scene.replace("velocity", "veloctiy"))
done = subprocess.run([CAROM, "check", "first.yaml"], capture_output=True, text=True, timeout=60)
check(said in done.stderr, said, done.stderr)

# steels that the page of materials names are those of the table
listed = subprocess.run([CAROM, "list", "materials"], capture_output=True, text=True, timeout=60).stdout
steels = re.findall(r"^(\S*steel) ", listed, re.M)
named = re.search(r"Steel is listed several times.*?PTFE", read("docs", "materials.md"), re.S).group(0)
check(len(steels) >= 4 and sorted(steels) == sorted(re.findall(r"`(\S*steel)`", named)), steels, named)

# campaigns and timings are those of the manual
runs, off = re.search(r"On (\d+) random chains (\d+) (?:were|was)", flat).groups()
row = re.search(r"\| all \| (\d+) \| \S+ \| \S+ \| (\d+) \|", read("docs", "tolerance.md")).groups()
check((runs, off) == row, "chains", runs, off, row)
table = " ".join(read("docs", "space.md").split())
for what, words, place in (
        ("friction", r"(\d+) ns a ball and step there, (\d+) here", r"(\d+) ns beside LAMMPS' (\d+) for 3e4 spheres with friction"),
        ("many", r"but (\d+) and (\d+) for 1e5", r"spheres with friction, (\d+) beside (\d+) for 1e5")):
    theirs, ours = re.search(words, flat).groups()
    found = re.search(place, table)
    check(found and found.groups() == (ours, theirs), what, ours, theirs, found and found.groups())

# so many rows have the papers, those left out that only --long measures
for name in ("James", "Acary", "Chung", "Monasse", "Nguyen"):
    folder = glob.glob(os.path.join(SOURCE, "papers", name.lower() + "*"))[0]
    with open(os.path.join(folder, "rows.yaml"), encoding="utf-8") as file:
        rows = file.read()
    found = len(re.findall(r"^\s*- (?:\{)?name:", rows, re.M)) - len(re.findall(r"\blong: true", rows))
    check(re.search(r"\b%d (of|rows of) %s" % (found, name), flat), name, "has", found, "rows")
check(len(glob.glob(os.path.join(SOURCE, "scenes", "**", "*.yaml"), recursive=True)) > 100, "more than a hundred scenes")
end()
