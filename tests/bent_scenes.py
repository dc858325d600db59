"""Scenes as somebody might write them by mistake or on purpose, for tests/fault/scenes: every key of a scene missing, twice,
misspelt or with a value of another kind, every number huge, tiny, negative, broken or not a number. `carom check` answers each, or
says one sentence with its code."""
import os
import re
import resource
import shutil
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
SECONDS = 60  # of processor time: more is a hang
MEMORY = 4 << 30
KEY = re.compile(r"(?<![\w.\"'-])([A-Za-z_][\w-]*):(?=[ \n])")
NUMBER = re.compile(r"(?<![\w.+-])[-+]?\d+(\.\d*)?([eE][-+]?\d+)?(?![\w.])")
KINDS = ("", "[]", "{}", "~", "text", "true", "[1, [2, {a: 3}]]", "{a: {b: 1}}", "'2'", "&a [*a]", "1 kg m^9/s")
NUMBERS = ("1e308", "-1e308", "1e999", ".nan", ".inf", "nan", "0", "-1", "1e-320", "0.5", "4294967297", "18446744073709551616", "3e7")


def scenes():
    found = []
    for folder, _, names in os.walk(os.path.join(SOURCE, "scenes")):
        found += [os.path.join(folder, n) for n in names if n.endswith(".yaml")]
    return sorted(found)


def without_comments(text):
    """of the same length: no key stands in a comment or a text in quotes"""
    blank = lambda m: " " * len(m.group())
    return re.sub(r"(?m)(?:^|(?<=\s))#.*$|\"[^\"\n]*\"|'[^'\n]*'", blank, text)


def value_end(text, at, flow):
    """where the value that begins at `at` ends: before the comma or bracket of the list it stands in, or behind lines further in"""
    if text[at:].split("\n", 1)[0].strip() == "":  # a block
        line = text.rfind("\n", 0, at) + 1
        depth = len(re.match(r"[ -]*", text[line:])[0])
        end = text.find("\n", at) + 1 or len(text)
        while end < len(text) and (len(text[end:]) - len(text[end:].lstrip(" ")) > depth or text[end] == "\n"):
            end = text.find("\n", end) + 1 or len(text)
        return len(text[:end].rstrip())
    level = 0
    for i in range(at, len(text)):
        if text[i] in "[{":
            level += 1
        elif level == 0 and text[i] in ("]},\n" if flow else "\n"):
            return i
        elif text[i] in "]}":
            level -= 1
    return len(text)


def bends(text):
    """(what, begin, end, instead) of every change of a text"""
    plain = without_comments(text)
    for match in KEY.finditer(plain):
        key, at, begin = match[1], match.start(), match.end()
        line = plain.rfind("\n", 0, at) + 1
        before = plain[:at]
        flow = before.count("{") + before.count("[") > before.count("}") + before.count("]")
        end = value_end(plain, begin, flow)
        whole = text[at:end]
        gone = end + 1 if flow and plain[end:end + 1] == "," else end
        yield f"{key} missing", at, gone, ""
        yield f"{key} twice", at, end, whole + (", " if flow else "\n" + " " * (at - line)) + whole
        yield f"{key} misspelt", at, begin, key[:-1] + "_:"
        for kind in KINDS:
            yield f"{key}: {kind}", begin, end, " " + kind
    for match in NUMBER.finditer(plain):
        for number in NUMBERS:
            yield f"{match[0]} at {match.start()}: {number}", match.start(), match.end(), number


def cases(path):
    with open(path) as file:
        return [(path, *bend) for bend in bends(file.read())]


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def checked(case):
    """what `carom check` made of a scene, (code, what it said, as promised?)"""
    number, (scene, _, begin, end, instead) = case
    path = os.path.join("scenes", os.path.dirname(os.path.relpath(scene, os.path.join(SOURCE, "scenes"))), f"bent-{number % 16}.yaml")
    with open(scene) as file:
        text = file.read()
    with open(path, "w") as file:
        file.write(text[:begin] + instead + text[end:])
    done = subprocess.run([CAROM, "check", path], capture_output=True, preexec_fn=limits, timeout=20 * SECONDS)
    said = done.stderr.decode(errors="replace")
    if done.returncode < 0:
        return signal.Signals(-done.returncode).name, said, False
    last = said.rstrip("\n").split("\n")[-1]
    sentence = last.startswith("carom: ") and said.count("carom: ") == 1
    bad = re.search(r"(?<![\w-])-?nan(?!\w)", done.stdout.decode(errors="replace"))
    return done.returncode, said, not bad if done.returncode == 0 else done.returncode in (2, 3, 4, 5, 6, 7) and sentence


def outcomes(cases):
    """(case, outcome) of each, in copies of the folders of scenes, where the tables and meshes are found that scenes name"""
    shutil.rmtree("scenes", ignore_errors=True)
    shutil.copytree(os.path.join(SOURCE, "scenes"), "scenes")
    with ThreadPoolExecutor(2) as pool:
        yield from zip(cases, pool.map(checked, enumerate(cases)))
