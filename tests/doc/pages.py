"""Pages whose numbers are made by the commands printed beside them: every text block that begins with "$ " is run again, and
what it prints must be what the page says. Numbers may differ by 2e-5 of their size (runs keep their tolerance,
not every digit they print), by 1e-12 of the largest of their line, or by two units of their last printed digit, "..." stands for any lines. Scenes of the page are saved under the name that stands before them, and are run in a folder with scenes/."""
import glob
import os
import re
import shlex
import subprocess

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
for old in glob.glob("*.h5"):
    os.remove(old)
PAGES = ["pulses.md", "which-impact-law.md"]


def number(word):
    try:
        return float(word.strip(",;:()"))
    except ValueError:
        return None


def same(said, got, scale):
    """one word of the page against one of the program"""
    if said == got:
        return True
    a, b = number(said), number(got)
    if a is None or b is None:
        return False
    if "." in said and abs(a - b) <= max(2e-5 * abs(a), 1e-12 * scale):
        return True
    mantissa = re.sub(r"[eE].*", "", said.strip(",;:()"))
    digits = len(mantissa.partition(".")[2])
    exponent = int(said.lower().strip(",;:()").partition("e")[2] or 0) if "e" in said.lower() else 0
    return abs(a - b) <= 2.0 * 10.0 ** (exponent - digits)


def same_line(said, got):
    a, b = said.split(), got.split()
    scale = max((abs(number(x)) for x in a if "." in x and number(x) is not None), default=0.0)
    return len(a) == len(b) and all(same(x, y, scale) for x, y in zip(a, b))


def compare(where, said, got):
    at = 0
    skip = False
    for line in said:
        if line.strip() == "...":
            skip = True
            continue
        while skip and at < len(got) and not same_line(line, got[at]):
            at += 1
        skip = False
        check(at < len(got) and same_line(line, got[at]), where, "says:", line, "| prints:", got[at] if at < len(got) else "")
        at += 1
    check(skip or at >= len(got), where, "prints more:", got[at:at + 3])


def run(page, command, said):
    words = shlex.split(command)
    if words[0] == "carom":
        words[0] = CAROM
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, page, command, done.stderr)
    compare(f"{page}: {command}:", said, done.stdout.splitlines())


def blocks(path):
    """(language, lines, line before)"""
    inside, found, before = None, [], ""
    for line in open(path, encoding="utf-8").read().replace("\\\n", " ").splitlines():  # commands may go on
        if inside is None and line.startswith("```"):
            inside = (line[3:], [], before)
        elif inside is not None and line == "```":
            found.append(inside)
            inside = None
        elif inside is not None:
            inside[1].append(line)
        elif line.strip():
            before = line
    return found


if not os.path.lexists("scenes"):
    os.symlink(os.path.join(SOURCE, "scenes"), "scenes")
for page in PAGES:
    commands = 0
    for language, lines, before in blocks(os.path.join(SOURCE, "docs", page)):
        name = re.match(r"`(\S+\.yaml)`:?$", before.strip())
        if language == "yaml" and name:
            with open(name.group(1), "w") as file:
                file.write("\n".join(lines) + "\n")
        elif language == "text" and lines and lines[0].startswith("$ "):
            starts = [i for i, line in enumerate(lines) if line.startswith("$ ")] + [len(lines)]
            for i, j in zip(starts, starts[1:]):
                commands += 1
                run(page, lines[i][2:], lines[i + 1:j])
    check(commands >= 3, page, "has only", commands, "commands")
end()
