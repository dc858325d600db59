#!/usr/bin/env python3
# A bit that changes on the disk must not change a number without a word: every recorded row has a checksum. Files of
# earlier versions, which have none, are read as before, and so is a file whose writer was killed, where rows that are
# not whole yet are nothing to complain about.
import os
import pathlib
import signal
import subprocess
import time

import h5py

from checks import check, end, forget_checksums, fresh

CAROM = os.environ["CAROM"]
SCENE = """
units: none
bodies: [{chain: {count: 20, mass: 1}}]
contacts: {law: hertz, k: 1}
start: [{body: 1, velocity: 1}]
run: {until: 60}
record: {every: 0.5, events: true}
"""
pathlib.Path("scene.yaml").write_text(SCENE)


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True)


check(carom("run", "scene.yaml", "-q", "-o", "run.h5").returncode == 0, "runs")
whole = carom("export", "run.h5", "--csv").stdout
items, places = [], {}
with h5py.File("run.h5") as run:
    run.visititems(lambda name, of: items.append(name) if isinstance(of, h5py.Dataset) and of.chunks else None)
    for name in items:
        if run[name].id.get_num_chunks() > 0:
            places[name] = run[name].id.get_chunk_info(0).byte_offset
    wide = run["particles/beads/velocity/value"].shape[1]

WAYS = {"particles/beads/velocity": [("export", "bad.h5", "--csv"), ("report", "bad.h5", "-o", "p.html"),
                                     ("compare", "bad.h5", "run.h5")],
        "particles/beads/displacement": [("export", "bad.h5", "--csv")],
        "observables/ledger/stored": [("export", "bad.h5", "--csv")],
        "time": [("export", "bad.h5", "--csv")]}
for name, ways in WAYS.items():
    where = next(place for path, place in places.items() if path in (name + "/value", "particles/beads/velocity/time",
                                                                     "observables/contacts/force/time")
                 and (name == "time") == path.endswith("time"))
    for bit in (0, 3, 7):
        data = bytearray(pathlib.Path("run.h5").read_bytes())
        row = 8 * (wide if "beads" in name else 1)
        data[where + 7 * row + 6] ^= 1 << bit  # in the eighth sample
        pathlib.Path("bad.h5").write_bytes(data)
        for way in ways:
            told = carom(*way)
            check(told.returncode == 6 and f"sample 8 of {name} is damaged" in told.stderr and told.stderr.count("\n") == 1,
                  f"{name}, bit {bit}, {way}: {told.returncode} {told.stderr}")

# what is left by a kill in the middle of writing a chunk: marked, with a chunk that does not match
pathlib.Path("long.yaml").write_text(SCENE.replace("until: 60", "until: 1e7"))
writer = subprocess.Popen([CAROM, "run", "long.yaml", "-q", "-o", fresh("left.h5"), "--set", "record.every=20"])
while not pathlib.Path("left.h5").exists() or "0 sample" in carom("show", "left.h5").stdout:
    if writer.poll() is not None:
        break
    time.sleep(0.05)
writer.send_signal(signal.SIGKILL)
writer.wait()
before = carom("export", "left.h5", "--csv")
check(before.returncode == 0 and before.stdout.count("\n") > 1, "a file that was left is read")
with h5py.File("left.h5", swmr=True) as left:
    place = left["particles/beads/velocity/value"].id.get_chunk_info(0).byte_offset
data = bytearray(pathlib.Path("left.h5").read_bytes())
data[place + 3] ^= 1
pathlib.Path("torn.h5").write_bytes(data)
check(carom("export", "torn.h5", "--csv").returncode == 0, "rows of a file that was left are taken as they are")

# repaired and resumed files, and what is recorded in them
check(carom("repair", "left.h5").returncode == 0 and carom("export", "left.h5", "--csv").returncode == 0, "repaired")
check(carom("run", "scene.yaml", "-q", "-o", "half.h5", "--set", "run.until=30").returncode == 0 and
      carom("resume", "half.h5", "-q", "--until", "60").returncode == 0, "goes on")
with h5py.File("half.h5") as half:
    check(half["parameters/checksums/samples"].shape[0] == 121 and half["parameters/checksums/samples"][:].all(), "so do its checksums")
check(carom("export", "half.h5", "--csv").returncode == 0, "which hold")

# an earlier version's file
with h5py.File("run.h5") as run, h5py.File("old.h5", "w") as old:
    for name in run:
        run.copy(name, old)
    forget_checksums(old)
again = carom("export", "old.h5", "--csv")
check(again.returncode == 0 and again.stdout == whole, "files without checksums are read: " + again.stderr)
end(25)
