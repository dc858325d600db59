#!/usr/bin/env python3
# What cannot fit is refused before it is begun, in one sentence with sizes: samples on the disk, bodies in memory. What
# stands at the output's place stays.
import os
import pathlib
import resource
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*words, memory=None):
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (memory, memory))) if memory else None
    return subprocess.run([CAROM, *words], capture_output=True, text=True, preexec_fn=limit)


def refused(told, code, *words):
    check(told.returncode == code and told.stderr.count("\n") == 1 and all(word in told.stderr for word in words), told)


pathlib.Path("row.yaml").write_text("""
units: none
bodies: [{chain: {count: 1000, mass: 1}}]
contacts: {law: hertz, k: 1}
start: [{body: 1, velocity: 1}]
run: {until: 0.01}
record: {every: 0.01}
""")
check(carom("run", "row.yaml", "-q", "-o", "run.h5").returncode == 0, "runs")
before = pathlib.Path("run.h5").read_bytes()
LONG = ["--set", "run.until=1e8", "--set", "record.every=1"]
refused(carom("run", "row.yaml", "-q", "-o", "run.h5", *LONG), 6,
        "run.h5: 100000001 samples of 3011 numbers are 2.41e+03 GB", "are free there", "record: every")
check(pathlib.Path("run.h5").read_bytes() == before, "what stood there")
refused(carom("resume", "run.h5", "-q", "--until", "1e6"), 6, "samples of 3011 numbers", "are free there")
# where samples are few, or only a part of the run has them, it runs for as long as it takes
part = ["--set", "record.every=1e-9", "--set", "record.to=1e-7"]
check(carom("run", "row.yaml", "-q", "-o", "part.h5", *part).returncode == 0, "a part")

pathlib.Path("huge.yaml").write_text(pathlib.Path("row.yaml").read_text().replace("1000,", "100000000,"))
refused(carom("check", "huge.yaml", memory=8 << 30), 7, "100000000 bodies need at least 50 GB of memory, there are 8.59")
pathlib.Path("huge.yaml").write_text("""
units: none
bodies: [{lattice: {kind: sc, at: [0, 0, 0], count: [1000, 1000, 100], radius: 1, mass: 1}}]
contacts: {law: hertz, k: 1}
run: {until: 1, scheme: verlet, step: 0.1}
""")
refused(carom("check", "huge.yaml", memory=8 << 30), 3, "huge.yaml:3:9: bodies: 100000000 bodies need at least 50 GB")
end()
