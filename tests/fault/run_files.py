"""Run files from strangers: datasets of another rank, type, extent or content, links into other files, damaged texts of
variable length, damaged bytes. Commands end with an answer or with one sentence, never by a signal or not at all. The
long test of this name does more of it."""
import random
import shutil
import subprocess
import sys

import strangers
from checks import check, end

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 26
print("seed", SEED)
dice = random.Random(SEED)
good = strangers.make()


def expect(what, arguments, said=None):
    got = strangers.outcome(arguments)
    check(got.good and (said is None or said in got.said), what, arguments, "ended with", got.code, got.said)
    return got


def readers(kind):
    return [c for c in strangers.commands(kind, "bad.h5") if c[0] in ("report", "compare", "export", "pulse")
            and "--vtk" not in c and "--vtkhdf" not in c and not (c[0] == "pulse" and "--no-keep" not in c)]


# what crashed: columns of events and impacts that are tables, read into arrays with room for a column
for kind in ("chain", "lzb"):
    for path in strangers.datasets(good[kind]):
        if path.startswith(("events/", "impacts/")):
            strangers.change(good[kind], "bad.h5", dict(strangers.changes(path))["shape (300, 512)"])
            for command in readers(kind)[:2] if path.startswith("events/") else readers(kind)[2:]:
                expect(path, command, f"{path} must be a list of ")
strangers.change(good["rigid"], "bad.h5", dict(strangers.changes("checkpoint/slot_0/header"))["shape (300, 512)"])
expect("a table of checkpoints", ["resume", "bad.h5", "-q", "--until", strangers.LATER["rigid"]])

# claims that nothing stands behind, and numbers in other files
for name, said in [("claims 2^62 rows", "claims more numbers than the file can hold"), ("link elsewhere", "has no dataset"),
                   ("other file's bytes", "lies in other files"), ("virtual", "lies in other files"),
                   ("content minus", "of a kind that is not known")]:
    path = "events/kind" if name == "content minus" else "events/time"
    strangers.change(good["chain"], "bad.h5", dict(strangers.changes(path))[name])
    expect(name, ["report", "bad.h5", "-q", "-o", "out.html"], said)

# texts of variable length: read, and when their heap is damaged
strangers.old_fashioned(good["chain"], "old.h5")
shown = [subprocess.run([strangers.CAROM, "show", path], capture_output=True, text=True).stdout for path in (good["chain"], "old.h5")]
check(" m/s\n" in shown[0] and shown[0].split("items\n")[1] == shown[1].split("items\n")[1], *shown)
for damage in (bytes(16), b"\1\0\1\0\0\0\0\0\xff\xff\xff\xff\xff\xff\0\0", b"\1\0\1\0\0\0\0\0\0\0\0\1\0\0\0\0"):
    strangers.damage_texts("old.h5", "bad.h5", damage)
    expect("texts", ["report", "bad.h5", "-q", "-o", "out.html"])

# any dataset of any file, any change, any command; and any bytes
made, all_changes = 0, [(kind, path, name, change) for kind, file in good.items() for path in strangers.datasets(file)
                        for name, change in strangers.changes(path)]
for kind, path, name, change in dice.sample(all_changes, 12):
    if strangers.made(good[kind], "bad.h5", change):
        made += 1
        known = strangers.commands(kind, "bad.h5")
        for command in dice.sample(known, min(2, len(known))):
            expect(f"{kind} {path} {name}", command)
check(made > 6, made, "changed files could be made")
for i in range(10):
    kind = dice.choice(list(strangers.SCENES))
    name = strangers.damage("old.h5" if kind == "chain" else good[kind], "bad.h5", dice)
    expect(f"{kind} {name} {i}", dice.choice(strangers.commands(kind, "bad.h5")))

# the files themselves are still read
for kind in ("chain", "sweep", "compare", "fclib"):
    shutil.copy(good[kind], "bad.h5")
    check(expect(kind, strangers.commands(kind, "bad.h5")[0]).code == 0, kind, "is read")
end(85)
