"""Run files that carom has written before stay readable: those kept in tests/old-runs are shown, exported, reported and, if
they were stopped, gone on with; their numbers are to the last bit what they were. Files of a later layout are refused.
`old_runs.py --write` notes what the files hold now, for files that are new."""
import gzip
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
from pathlib import Path

import h5py

from checks import check, end

CAROM = os.environ["CAROM"]
KEPT = Path(os.environ["SOURCE"], "tests", "old-runs")
TABLES = ("--episodes", "--events", "--contacts", "--impacts")


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)


def digest(text, columns=None):
    """The columns of a table and a hash of their numbers; columns that came later do not count."""
    rows = [line.split(",") for line in text.splitlines()]
    columns = columns or rows[0]
    at = [rows[0].index(name) for name in columns]
    numbers = hashlib.sha256()
    for row in rows[1:]:
        for i in at:
            try:
                numbers.update(struct.pack("<d", float(row[i])))
            except ValueError:
                numbers.update(row[i].encode())
    return {"columns": columns, "lines": len(rows) - 1, "sha256": numbers.hexdigest()}


def tables(path, known=None):
    """All tables of a run file, by the words that export them."""
    found = {}
    for words in ("",) + TABLES:
        done = carom("export", path, "--csv", "-q", *([words] if words else []))
        if done.returncode == 0 and done.stdout:
            found[words or "samples"] = digest(done.stdout, (known or {}).get(words or "samples", {}).get("columns"))
    return found


known = json.loads((KEPT / "numbers.json").read_text()) if (KEPT / "numbers.json").exists() else {}
names = sorted(path.name[:-6] for path in KEPT.glob("*.h5.gz"))
for name in names:
    with gzip.open(KEPT / f"{name}.h5.gz") as packed, open(f"{name}.h5", "wb") as file:
        shutil.copyfileobj(packed, file)
if sys.argv[1:] == ["--write"]:
    known = {name: tables(f"{name}.h5") for name in names}
    (KEPT / "numbers.json").write_text(json.dumps(known, indent=1) + "\n")
check(sorted(known) == names and len(names) >= 6, names, sorted(known))
for name in names:
    path = f"{name}.h5"
    now = tables(path, known.get(name))
    for table, was in known.get(name, {}).items():
        check(now.get(table) == was, name, table, was, now.get(table))
    for command in (["show", path], ["report", path, "-o", "page.html", "-q"], ["check", path]):
        done = carom(*command)
        check(done.returncode == 0, command, done.stderr)
done = carom("resume", "stopped.h5", "--until", "2600", "-q")
check(done.returncode == 0 and "complete" in carom("show", "stopped.h5").stdout, done.stderr)

with h5py.File("chain.h5", "r+") as file:
    check("layout" not in file["parameters"], "files before there were numbers have none")
    file["parameters/layout"] = 2
done = carom("show", "chain.h5")
check(done.returncode == 6, done)
check(done.stderr == "carom: chain.h5: a run file of layout 2 is for a later carom, this one reads layout 1\n", done.stderr)
new = carom("run", os.path.join(os.environ["SOURCE"], "scenes", "two-beads.yaml"), "-o", "new.h5", "-q")
with h5py.File("new.h5") as file:
    check(file["parameters/layout"][()] == 1, "new files say their layout")
end()
