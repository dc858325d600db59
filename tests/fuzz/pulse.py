"""Run files with damaged bytes, cut files, and files whose groups are missing or of another shape: carom pulse ends with a
table or with one sentence, never by a signal, and a file it was told to leave alone stays as it is."""
import glob
import os
import random
import shutil
import subprocess
import sys

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
for old in glob.glob("*.h5"):
    os.remove(old)
SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 20110501
print("seed", SEED)
random.seed(SEED)
codes = {}
# HDF5 itself leaks where metadata are damaged
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")


def pulse(what, *options, path="damaged.h5"):
    done = subprocess.run([CAROM, "pulse", path, *options], capture_output=True, timeout=60, env=ENVIRONMENT)
    codes[done.returncode] = codes.get(done.returncode, 0) + 1
    check(0 <= done.returncode <= 8, what, "exit", done.returncode)
    if done.returncode > 0:
        check(done.stderr.startswith(b"carom: ") and done.stderr.count(b"\n") == 1, what, "said", done.stderr)
    return done.returncode


with open("scene.yaml", "w") as file:
    file.write("""
bodies:
  - striker: {side: left, velocity: 1, radius: 5 mm, material: steel}
  - chain: {count: 6, radius: 5 mm, material: steel}
  - wall: {side: right, material: steel}
run: {until: 0.3 ms, tol: 1e-5}
record: {every: 2 us, probes: [contact_force]}
sensors: [{name: s, body: 3}]
""")
subprocess.run([CAROM, "run", "-q", "scene.yaml", "-o", "good.h5"], check=True)
good = open("good.h5", "rb").read()
shutil.copy("good.h5", "damaged.h5")
check(pulse("whole", "--train", "--no-keep") == 0, "the file itself")

for round in range(160):
    bad = bytearray(good)
    for _ in range(random.choice([1, 1, 2, 8, 64])):
        bad[random.randrange(len(bad))] = random.randrange(256)
    if round % 8 == 0:
        del bad[random.randrange(len(bad)):]
    with open("damaged.h5", "wb") as file:
        file.write(bad)
    keep = round % 4 == 1
    pulse(f"damaged bytes, round {round}", *([] if keep else ["--no-keep"]), *random.choice([[], ["--train"], ["--bead", "2-4"]]))
    if not keep:
        check(open("damaged.h5", "rb").read() == bytes(bad), "left as it was")
    check(not os.path.exists("damaged.h5.part"), "nothing beside it")

FORCE = "observables/contacts/force"
ENTRY = numpy.dtype([("impact", "<u8"), ("contact", "<u8"), ("time", "<f8"), ("force", "<f8")])


def changed(what, change, *options, code=None):
    shutil.copy("good.h5", "damaged.h5")
    with h5py.File("damaged.h5", "r+") as file:
        del file["parameters/checksums"]  # which would call it damaged before pulses are looked for
        change(file)
    got = pulse(what, "--no-keep", *options)
    check(code is None or got == code, what, "exit", got, "expected", code)


def put(file, path, value):
    del file[path]
    file[path] = value


def table(*rows):
    def change(file):
        put(file, "impacts/force", numpy.array(list(rows), dtype=ENTRY))
    return change


changed("no radii", lambda f: f.pop("particles/beads/radius"), code=0)
changed("radii of another shape", lambda f: put(f, "particles/beads/radius", numpy.ones((2, 3))), code=0)
changed("no masses", lambda f: f.pop("particles/beads/mass"), code=0)
changed("no forces", lambda f: f.pop(FORCE), code=4)
changed("forces of fewer contacts", lambda f: put(f, FORCE + "/value", numpy.ones((151, 3))), code=6)
changed("forces as text", lambda f: put(f, FORCE + "/value", "none"))
changed("pairs beyond all bodies", lambda f: f["connectivity/contacts"].__setitem__((2, 0), 1000000), code=0)
changed("negative pairs", lambda f: f["connectivity/contacts"].__setitem__((2, 0), -2000000000), "--bead", "2-4")
changed("huge forces", lambda f: f[FORCE + "/value"].__setitem__(slice(None), 1e308))
changed("infinite forces", lambda f: f[FORCE + "/value"].__setitem__((5, 1), numpy.inf), code=5)
changed("times that fall", lambda f: f[FORCE + "/time"].__setitem__(7, 0.0), code=3)
changed("no table of impacts", lambda f: f.pop("impacts"), code=6)
changed("a table of impacts of another kind", lambda f: put(f, "impacts/force", numpy.ones(5)), code=6)
changed("an impact", table((0, 1, 1e-6, 1.0), (0, 1, 2e-6, 2.0), (0, 2, 2e-6, 1.0), (0, 1, 3e-6, 1.0)), code=0)
changed("one entry", table((0, 1, 1e-6, 1.0)), code=4)
changed("a contact that is not there", table((0, 99, 1e-6, 1.0), (0, 1, 2e-6, 1.0), (0, 1, 3e-6, 1.0)), code=6)
changed("times that fall in an impact", table((0, 1, 3e-6, 1.0), (0, 1, 2e-6, 2.0), (0, 1, 1e-6, 1.0)), code=3)
changed("not a number in an impact", table((0, 1, 1e-6, 1.0), (0, 1, 2e-6, numpy.nan), (0, 1, 3e-6, 1.0)), code=5)
changed("impacts in disorder", table((3, 1, 1e-6, 1.0), (1, 1, 2e-6, 2.0), (2, 1, 3e-6, 1.0)))
changed("an impact that is not there", table((0, 1, 1e-6, 1.0), (0, 1, 2e-6, 2.0)), "--impact", "7", code=2)
changed("a huge number of an impact", table((2 ** 64 - 1, 1, 1e-6, 1.0)))
changed("sensors inside impacts", table((0, 1, 1e-6, 1.0), (0, 1, 2e-6, 2.0), (0, 1, 3e-6, 1.0)), "--sensor", "s", code=2)
end(more=f"; exit codes {dict(sorted(codes.items()))}")
