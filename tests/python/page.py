"""docs/python.md: every block of Python is run, in order and in one place; where a text follows, that is what it prints."""
import contextlib
import io
import os
import re
import sys
import traceback

from checks import check, end
from pythons import SOURCE, need

need("pandas", "matplotlib", "cffi")
if not os.path.lexists("scenes"):
    os.symlink(os.path.join(SOURCE, "scenes"), "scenes")
os.environ["CAROM_PAPERS"] = os.path.join(SOURCE, "papers")


def same(said, got):
    """the same word, or a number that differs by 2e-5 of its size or by two units of its last digit"""
    if said == got:
        return True
    try:
        a, b = float(said.strip(",()")), float(got.strip(",()"))
    except ValueError:
        return False
    digits = len(said.strip(",()").partition(".")[2].partition("e")[0])
    return "." in said and abs(a - b) <= max(2e-5 * abs(a), 2 * 10.0 ** -digits if "e" not in said else 0.0)


def compare(where, said, got):
    check(len(said) == len(got), where, "says", said, "prints", got)
    for a, b in zip(said, got):
        a, b = a.split(), b.split()
        check(len(a) == len(b) and all(map(same, a, b)), where, "says", a, "prints", b)


text = open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8").read()
found = re.findall(r"```python\n(.*?)```\n(?:```text\n(.*?)```)?", text, re.S)
names = {"__name__": "page"}
for code, said in found:
    out = io.StringIO()
    first = code.split("\n")[0]
    try:
        with contextlib.redirect_stdout(out):
            exec(compile(code, f"python.md: {first}", "exec"), names)
    except Exception:
        check(False, first, traceback.format_exc())
        break
    compare(first, [line.rstrip() for line in said.splitlines()], [line.rstrip() for line in out.getvalue().splitlines()])
check(len(found) >= 15, "blocks", len(found))
end()
