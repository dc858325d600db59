"""Heads of CSV tables without units: the manual names each of their columns in a paragraph that says what units they have."""
import os
import re
import subprocess

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
SCENES = os.path.join(SOURCE, "scenes")
CRYSTAL = os.path.join(SCENES, "crystals", "square-row.yaml")


def carom(*arguments):
    done = subprocess.run([CAROM, *arguments, "-q"], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, arguments, done.stderr)


def head(file):
    with open(file, encoding="utf-8") as table:
        return [name for name in table.readline().strip().split(",") if not re.fullmatch(r"u_\d+", name)]


def told(page):
    """Words in backticks of the paragraphs that tell of tables and units."""
    with open(os.path.join(SOURCE, "docs", page), encoding="utf-8") as file:
        text = file.read()
    paragraphs = [p for p in re.split(r"\n\n|\n(?=\* )", text) if re.search(r"`--(csv|modes|directions)\b", p)]
    return set(re.findall(r"\w+", " ".join(word for p in paragraphs for word in re.findall(r"`([^`]*)`", p))))


carom("dispersion", os.path.join(SCENES, "precompressed-dimer.yaml"), "--csv", "curves.csv", "--modes", "modes.csv", "--points", "3")
carom("dispersion", CRYSTAL, "--force", "10 N", "--csv", "bands.csv", "--points", "2")
carom("converge", os.path.join(SCENES, "two-beads.yaml"), "--scheme", "verlet", "--steps", "0.1,0.05", "--csv", "steps.csv")
carom("run", os.path.join(SCENES, "steel-chain.yaml"), "-o", "chain.h5")
carom("pulse", "chain.h5", "--csv", "pulse.csv", "--no-keep")
carom("run", CRYSTAL, "--set", "run.until=50 us", "-o", "row.h5")
carom("pulse", "row.h5", "--csv", "map.csv", "--directions", "directions.csv", "--no-keep")
carom("restitution", os.path.join(SCENES, "space", "oblique.yaml"), "--angles", "10:80:3", "--csv", "oblique.csv")
carom("restitution", os.path.join(SCENES, "small-striker.yaml"), "--csv", "speeds.csv")
for page, files in {"laws.md": ["oblique.csv", "speeds.csv"], "studies.md": ["curves.csv", "modes.csv", "bands.csv", "steps.csv"], "pulses.md": ["pulse.csv", "map.csv", "directions.csv"]}.items():
    words = told(page)
    for file in files:
        missing = [name for name in head(file) if name not in words]
        check(len(head(file)) > 2 and not missing, f"docs/{page} does not tell what the columns of {file} are", missing)

end()
