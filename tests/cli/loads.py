# Loads from a scene to a run file: a table read from a CSV file is kept in the run file, so that the run can be
# repeated and resumed without the CSV file, to the bit; check prints what acts; overrides reach into signals.
import math
import os
import subprocess
import sys
from pathlib import Path

from checks import check, end

carom = os.environ["CAROM"]


def run(*arguments, status=0):
    done = subprocess.run([carom, *arguments], capture_output=True, text=True, timeout=60)
    check(done.returncode == status, f"{arguments}: exit code {done.returncode}: {done.stderr}")
    return done.stdout


scene = """
title: A push from a file
bodies: [chain: {count: 12, radius: 5 mm, material: steel}]
contacts: {law: kuwabara-kono, gamma: 1 us}
loads:
  - {body: 1, force: {shape: table, file: push.csv}}
  - {body: 12, force: {shape: sine, amplitude: 1 N, frequency: 10 kHz, duration: 0.1 ms}}
run: {until: 0.2 ms, tol: 1e-7}
"""
Path("folder").mkdir(exist_ok=True)
Path("folder/push.yaml").write_text(scene)
Path("folder/push.csv").write_text("time; force\n# measured\n0; 0\n2e-5; 7.5\n\n5e-5; 3\n6e-5; 0\n")

said = run("check", "folder/push.yaml")
check("force on body 1: table of 7.5 N at most, 4 points" in said, said)
check("force on body 12: sine of 1 N, 10000 1/s, from 0 s for 0.0001 s" in said, said)
check("points" not in run("check", "--help"), "")

run("run", "--quiet", "folder/push.yaml", "-o", "first.h5")
first = run("export", "first.h5", "--csv")
os.remove("folder/push.csv")
run("check", "folder/push.yaml", status=6)
run("run", "--quiet", "first.h5", "-o", "second.h5")
check("force on body 1: table of 7.5 N at most, 4 points" in run("check", "first.h5"), "the run file lost its table")
half = run("run", "--quiet", "first.h5", "-o", "third.h5", "--set", "loads.2.force.amplitude=2 N")
check("2 N" in run("check", "third.h5"), "an override of a signal is lost")

sys.path.insert(0, "/usr/lib/python3/dist-packages")
try:
    import h5py
except ImportError:
    h5py = None
if h5py:
    with h5py.File("first.h5", swmr=True) as a, h5py.File("second.h5", swmr=True) as b, h5py.File("third.h5", swmr=True) as c:
        name = "particles/beads/velocity/value"
        check((a[name][:] == b[name][:]).all(), "the run file does not repeat the run to the bit")
        check((a[name][:] != c[name][:]).any(), "an override of a signal has no effect")
        work, residual = a["observables/ledger/work/value"][:], a["observables/ledger/residual/value"][:]
        check(work[-1] > 0, "no work of loads in the ledger")
        check(abs(residual).max() < 1e-5 * work[-1], "the ledger does not close")

Path("bad.csv").write_text("0, 1\n1, x\n")
bad = scene.replace("push.csv", "bad.csv")
Path("bad.yaml").write_text(bad)
done = subprocess.run([carom, "check", "bad.yaml"], capture_output=True, text=True, timeout=60)
check(done.returncode == 3 and "line 2 of bad.csv, '1, x', is not a pair of numbers" in done.stderr, done.stderr)
for text in ("time (us),force (kN)\n0,0\n20,0.0075\n50,0.003\n60,0\n", # and as spreadsheets write it
             '"time (us)","force (kN)"\r\n0,0\r\n20,0.0075\r\n50,0.003\r\n60,0\r\n',
             '"time, by the clock (us)";"force; ""raw"" (kN)"\n"0";"0"\n"20";"0.0075"\n"50";"0.003"\n"60";"0"\n',
             '\ufeff"time (µs)",force [kN]\r\n0,0\r\n20,0.0075\r\n# 3" probe\r\n50,0.003\r\n60,0\r\n',
             "time (us)\tforce (N)\n0\t0\n20\t7.5\n50\t3\n60\t0\n",
             "\ufeff0,0\n2e-5,7.5\n5e-5,3\n6e-5,0\n"):
    Path("bad.csv").write_text(text)
    done = subprocess.run([carom, "check", "bad.yaml"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0 and "7.5 N at most, 4 points from 0 to 6e-05 s" in done.stdout, text, done.stdout, done.stderr)
for text, said in (("t (us),F (furlong)\n0,1\n", "file: line 1 of bad.csv: furlong: unknown unit 'furlong'"),
                   ("# measured\nt (us),F (mm)\n0,1\n", "file: line 2 of bad.csv: mm is a length, expected a force, such as 20 N"),
                   ("t (ms),F (N)\n0,1\n0.20,2\n\n0.1,2\n", "file: line 5 of bad.csv: times must rise, and 0.1 ms comes after 0.20 ms"),
                   ("0,1\n1,2\n1,2\n", "file: line 3 of bad.csv: times must rise, and 1 comes after 1"),
                   ("t us, F N\n0, 1\n1, 2\n", "line 1 of bad.csv: units stand in parentheses, write (us) instead of us"),
                   ('"t (us),"F (N)"\n0,1\n', 'line 1 of bad.csv: a quote (") does not end'),
                   ('0,1\n"1,5","2"\n', 'line 2 of bad.csv, \'"1,5","2"\', is not a pair of numbers'),
                   ("0;1\n5;3,1\n", "'5;3,1', is not a pair of numbers, time and value; numbers have decimal points")):
    Path("bad.csv").write_text(text)
    done = subprocess.run([carom, "check", "bad.yaml"], capture_output=True, text=True, timeout=60)
    check(done.returncode == 3 and said in done.stderr, done.stderr)

# files that a scene names are plain ones: devices and fifos would hang it, endless ones too
os.mkfifo("fifo")
with open("long.csv", "wb") as file:
    file.truncate(1 << 40)
for name, why in (("/dev/zero", "no plain file"), ("fifo", "no plain file"), (".", "no plain file"), ("long.csv", "too long")):
    Path("odd.yaml").write_text(scene.replace("push.csv", name))
    done = subprocess.run([carom, "check", "odd.yaml"], capture_output=True, text=True, timeout=30)
    check(done.returncode == 6 and why in done.stderr, name, done.returncode, done.stderr)
os.remove("fifo")
os.remove("long.csv")

# a pulse that begins without a break is not passed over, wherever it lies
RICKER = """units: none
bodies: [chain: {count: 2, mass: 1, gap: 100}]
loads: [{body: 1, force: {shape: ricker, amplitude: 20, frequency: 2, start: %s}}]
run: {until: 10, tol: %s}
record: {times: [%s], probes: [u, v]}
"""
for start in ("3.3", "8"):
    for tol in ("1e-5", "1e-6"):
        Path("ricker.yaml").write_text(RICKER % (start, tol, start))
        done = subprocess.run([carom, "run", "ricker.yaml", "-q", "--csv", "ricker.csv", "-o", "ricker.h5"], capture_output=True, timeout=60)
        u = float(Path("ricker.csv").read_text().split()[-1].split(",")[2])
        check(done.returncode == 0 and abs(u + 0.2533030) < 1e-5, start, tol, u)

# displacements add up, offsets and all: a sine and a ramp drive a bead as the table of their sum does
both = "[{shape: sine, amplitude: 0.1, frequency: 1, offset: 0.02}, {shape: ramp, amplitude: 0.3, start: 0.5, duration: 1}]"
times = [i / 1000 for i in range(2001)]
sums = [0.1 * math.sin(2 * math.pi * t) + 0.02 + 0.3 * min(max(t - 0.5, 0), 1) for t in times]
places = []
for name, motion in ("sum", both), ("table", "{shape: table, points: [%s]}" % ", ".join(f"[{t}, {u!r}]" for t, u in zip(times, sums))):
    Path(name + ".yaml").write_text("units: none\nbodies: [chain: {count: 3}, wall: {side: right}]\n"
                                    f"loads: [{{body: 1, displacement: {motion}}}]\nrun: {{until: 2, tol: 1e-8}}\nrecord: {{every: 0.1}}\n")
    run("run", name + ".yaml", "-q", "--csv", name + ".csv", "-o", name + ".h5")
    places.append([[float(x) for x in line.split(",")[2:5]] for line in Path(name + ".csv").read_text().split("\n")[1:] if line])
check(all(abs(row[0] - sums[100 * i]) < 1e-15 for i, row in enumerate(places[0])), "the driven bead is where the signals say")
check(all(abs(a - b) < 1e-6 for one, two in zip(*places) for a, b in zip(one, two)), "all beads move as under the table of the sum")

end()
