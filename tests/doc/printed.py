"""Pages that show what commands print are true: every command of one-collision.md and fit.md is run again, and the lines
below it are found in what it prints, in this order, with the same words and the same numbers to 2e-4. "..." leaves lines out."""
import os
import re
import subprocess

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
if not os.path.exists("scenes"):
    os.symlink(os.path.join(SOURCE, "scenes"), "scenes")  # commands are those of the root of the repository


def alike(a, b):
    if a == b:
        return True
    try:
        x, y = float(a.rstrip(",;")), float(b.rstrip(",;"))
    except ValueError:
        return False
    return abs(x - y) <= 2e-4 * max(abs(x), abs(y)) or max(abs(x), abs(y)) < 1e-9  # rounding, such as a residual


def same(shown, printed):
    a, b = shown.split(), printed.split()
    return len(a) == len(b) and all(alike(x, y) for x, y in zip(a, b))


for page in ("one-collision.md", "fit.md"):
    text = open(os.path.join(SOURCE, "docs", page), encoding="utf-8").read()
    commands = 0
    for block in re.findall(r"^```text\n\$ (.*?)^```", text, re.M | re.S):
        command, *lines = block.replace("\\\n", " ").splitlines()
        commands += 1
        done = subprocess.run(command.replace("build/carom", CAROM), shell=True, capture_output=True, text=True,
                              timeout=100)
        check(done.returncode == 0, page, command, "fails:", done.stderr)
        printed, at = done.stdout.splitlines(), 0
        for line in lines:
            if line == "..." or not line.strip():
                continue
            found = next((i for i in range(at, len(printed)) if same(line, printed[i])), None)
            if check(found is not None, f"docs/{page}: not printed:", line):
                at = found + 1
    check(commands >= 3, page, "has only", commands, "commands")
end(least=60)
