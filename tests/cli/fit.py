"""carom fit as a user meets it: both forms of data, units, alignment, files, going on after a kill, wrong calls."""
import os
import signal
import subprocess
import time

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)


def write(name, text):
    with open(name, "w") as file:
        file.write(text)
    return name


def expect(code, arguments, said):
    done = carom("fit", *arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(said in done.stderr and done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said",
          done.stderr, "expected", said)


def numbers(path):
    found = {}
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None)
    return found


def same(a, b):
    return a.keys() == b.keys() and all(numpy.array_equal(a[k], b[k], equal_nan=a[k].dtype.kind == "f") for k in a
                                        if isinstance(a[k], numpy.ndarray))


for file in os.listdir("."):
    os.remove(file)
BEADS = write("beads.yaml", """title: Steel beads
bodies: [{chain: {count: 4, radius: 10 mm, material: steel}}]
contacts: {law: kuwabara-kono, gamma: 0.6 us}
start: [{body: 1, velocity: 0.5}]
run: {until: 300 us, tol: 1e-8}
record: {every: 2 us, probes: [v, contact_force]}
""")
carom("run", BEADS, "-q", "-o", "run.h5")
with h5py.File("run.h5") as run:
    t = run["particles/beads/velocity/time"][:]
    v, force = run["particles/beads/velocity/value"][:], run["observables/contacts/force/value"][:]
random = numpy.random.default_rng(3)
rows = [(1e6 * t[i] - 100, 100 * (v[i, 3] + 0.003 * random.normal()), 0.3, force[i, 1] + 2 * random.normal(), 0.002)
        for i in range(30, 120)]

# probes over time, with units, sigma, an empty cell, a comment, a column left out; clocks that differ by 100 us
data = write("data.csv", "# from the laboratory\ntime (us),v[4] (cm/s),sigma,contact_force_2 (N),sigma (kN),-note\n"
             + "".join(",".join(map(str, row)) + ",x\n" for row in rows) + "141,,,1.5,0.002,nothing for v\n")
free = ["--free", "gamma=0:2 us,start.1.velocity", "--free", "time_shift=80 us:130 us"]
call = [BEADS, "--to", data, *free, "--set", "gamma=0.4us", "--set", "start.1.velocity=0.48"]
done = carom("fit", *call, "-o", "fit.h5", "--csv", "fit.csv")
check(done.returncode == 0 and "chi-square" in done.stdout and "correlation" in done.stdout, done.stdout, done.stderr)
check(not [name for name in os.listdir(".") if name.endswith(".log")], "the log goes with success")
with h5py.File("fit.h5") as fit:
    for value, sigma, truth in zip(fit["fit/value"], fit["fit/sigma"], (6e-7, 0.5, 1e-4)):
        check(abs(value - truth) < 4 * sigma and sigma < 0.1 * truth, value, sigma, truth)
    check(fit["fit/key"][()] == b"gamma\nstart.1.velocity\ntime_shift", fit["fit/key"][()])
    check(fit["fit/unit"][()] == b"s\nm/s\ns", fit["fit/unit"][()])
    check(0.001 < fit["statistics/probability"][0] < 0.999, fit["statistics/probability"][0])
    check(fit["data/v[4]/value"].shape == (90,) and fit["data/contact_force[2]/model"].shape == (91,), "points")
    check(fit["curve/v[4]"].shape == (501,) and fit["data/v[4]/value"].attrs["unit"] == b"m/s", "curve")
    check(numpy.allclose(fit["data/v[4]/sigma"][:], 0.003) and numpy.allclose(fit["data/contact_force[2]/sigma"][:], 2), "units")
    model = fit["data/v[4]/model"][:]
lines = open("fit.csv").read().splitlines()
check(lines[0] == "column,time,value,sigma,model,residual" and len(lines) == 182, lines[0], len(lines))

check("if model and sigmas are right, chance makes it larger in" in done.stdout, done.stdout)
brackets = write("brackets.csv", open(data).read().replace("(us)", "[us]").replace("(cm/s)", "[cm/s]").replace("(N)", "[N]").replace("(kN)", "[kN]"))
again = carom("fit", *[brackets if word == data else word for word in call])
table = [line for line in done.stdout.splitlines() if line.startswith(("gamma ", "start.1", "time_shift ", "chi-square"))]
check(all(line in again.stdout for line in table) and len(table) == 4, again.stdout, again.stderr)

# what is said of missing sigmas
for head, said in ((",v[4] (cm/s),sigma,contact_force_2 (N),-", "no sigma was given for contact_force[2]: it is what"),
                   (",v[4] (cm/s),-,contact_force_2 (N),-", "no sigma was given: uncertainties are those")):
    some = write("some.csv", "time (us)" + head + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))
    done = carom("fit", BEADS, "--to", some, "--free", "gamma=0:2us", "--free", "time_shift=80us:130us", "--method", "polish",
                 "--set", "run.tol=1e-6")
    check(done.returncode == 0 and said in done.stdout and "chi-square " not in done.stdout.replace("no chi-square", ""),
          done.stdout, done.stderr)

# few points: columns share a sigma, which is said; all keys of a combination are named
DIMLESS = write("three.yaml", """units: none
bodies: [{chain: {count: 3, mass: [1, 1.1, 0.9]}}]
contacts: {law: kuwabara-kono, k: 1.3, gamma: 0.05}
start: [{body: 1, velocity: 1}]
run: {until: 7, tol: 1e-8}
record: {every: 0.2, probes: [v]}
""")
one = write("one.csv", "v_last,v_first,peak_force_1\n0.9,0.02,0.6\n")
done = carom("fit", DIMLESS, "--to", one, "--free", "k=0.5:3,gamma=0:0.3", "--method", "polish", "-o", "one-run.h5")
check(done.returncode == 0 and "v_last, v_first and peak_force_1 have too few points for a sigma each; assumed to be the same "
      "fraction of the values" in done.stdout and "widened up to 6.98 times" in done.stdout, done.stdout, done.stderr)
with h5py.File("one-run.h5") as fit:
    check("the same fraction" in fit["fit/assumed"][()].decode() and numpy.allclose(fit["fit/student"][:], 1), "what was assumed")
carom("run", DIMLESS, "-q", "--csv", "three.csv")
table = [line.split(",") for line in open("three.csv").read().splitlines()]
three = write("three-v.csv", "".join(",".join([row[0], *row[2:5]]) + "\n" for row in table))
expect(5, [DIMLESS, "--to", three, "--free", "contacts.k,gamma,bodies.1.chain.mass.1,bodies.1.chain.mass.2,bodies.1.chain.mass.3",
           "--set", "contacts.k=1.2"], "contacts.k, bodies.1.chain.mass.1, bodies.1.chain.mass.2 and bodies.1.chain.mass.3 cannot")

# threads change no bit; a killed fit goes on and ends with the same bits; a stopped one says how
check(carom("fit", *call, "-q", "--threads", "1", "-o", "one.h5").returncode == 0, "one thread")
check(same(numbers("fit.h5"), numbers("one.h5")), "threads")
slow = [*call, "--set", "run.tol=1e-11", "--log", "slow.log"]
check(carom("fit", *slow, "-q", "-o", "whole.h5", "--threads", "1").returncode == 0, "whole")
whole = open("slow.log").read()
for cut in (0.1, 0.5, 0.93):
    open("slow.log", "w").write(whole[:int(cut * len(whole))])  # cut in the middle of a line, as a kill leaves it
    done = carom("fit", *slow, "-o", "again.h5")
    check(done.returncode == 0 and "looked up" in done.stdout, done.stdout, done.stderr)
    check(same(numbers("whole.h5"), numbers("again.h5")), "the same bits after a kill at", cut)
    os.remove("again.h5")
os.remove("slow.log")
for stop in (signal.SIGKILL, signal.SIGINT):
    work = subprocess.Popen([CAROM, "fit", *slow, "-q", "-o", "again.h5"], stderr=subprocess.PIPE, text=True)
    before = os.path.getsize("slow.log") if os.path.exists("slow.log") else 0
    for _ in range(500):
        time.sleep(0.005)
        if os.path.exists("slow.log") and os.path.getsize("slow.log") > before + 200:
            break
    work.send_signal(stop)
    said = work.communicate()[1]
    check(work.returncode in (-9, 8, 0), work.returncode, said)
    check(stop != signal.SIGINT or work.returncode == 0 or "the same command goes on from slow.log" in said, said)
check(carom("fit", *slow, "-q", "-o", "again.h5").returncode == 0 and same(numbers("whole.h5"), numbers("again.h5")),
      "after a kill and Ctrl-C")
expect(4, [*call, "--log", "slow.log"], "log of another fit")
expect(6, [*call, "--log", data], "not a log of a fit")

# a run for each line: restitution over speed gives gamma; global search finds it from anywhere
speeds = [0.1, 0.2, 0.4, 0.8, 1.6]
PAIR = write("pair.yaml", """title: A pair
bodies: [{chain: {count: 2, radius: 10 mm, material: steel}}]
contacts: {law: kuwabara-kono, gamma: 0.7 us}
start: [{body: 1, velocity: 1}]
run: {until: 300 us, tol: 1e-9}
""")
table = "set start.1.velocity,v_first (mm/s),v_last (mm/s)\n"
for speed in speeds:
    carom("run", PAIR, "-q", "-o", "pair.h5", "--set", f"start.1.velocity={speed}")
    with h5py.File("pair.h5") as pair:
        last = 1000 * pair["particles/beads/velocity/value"][-1]
    table += f"{speed} m/s,{last[0] + 0.001 * random.normal()!s},{last[1] + 0.001 * random.normal()!s}\n"
runs = write("runs.csv", table)
done = carom("fit", PAIR, "--to", runs, "--free", "gamma=0:5us", "--method", "global", "--set", "gamma=3us", "-o", "runs.h5")
check(done.returncode == 0 and "of 5 runs" in done.stdout, done.stdout, done.stderr)
with h5py.File("runs.h5") as fit:
    check(abs(fit["fit/value"][0] - 7e-7) < 4 * fit["fit/sigma"][0] < 4e-9, fit["fit/value"][0], fit["fit/sigma"][0])
    check("curve" not in fit and fit["data/v_last/run"].shape == (5,), "no curve")

# wrong calls and wrong data, each in one sentence with its place
expect(2, [BEADS, "--free", "gamma"], "--to data.csv")
expect(2, [BEADS, "--to", data], "--free")
expect(3, [BEADS, "--to", data, "--free", "gama"], "did you mean 'gamma'?")
expect(3, [BEADS, "--to", data, "--free", "contacts.gama=0:1"], "did you mean 'gamma'?")
expect(2, [BEADS, "--to", data, "--free", "gamma=2us:1us"], "lower bound must be below")
expect(2, [BEADS, "--to", data, "--free", "gamma=1us"], "low:high")
expect(3, [BEADS, "--to", data, "--free", "gamma=1us:2us"], "outside the bounds")
expect(2, [BEADS, "--to", data, "--free", "gamma,gamma"], "named twice")
expect(3, [BEADS, "--to", data, "--free", "gamma"], "data.csv:3: time -")
expect(3, [BEADS, "--to", data, "--free", "law,time_shift"], "not a number in the scene")
expect(5, [BEADS, "--to", data, "--free", "gamma,record.every,time_shift"], "record.every does not change")
longer = ["--set", "run.until=500us"] # data end long before: only rounding and the choice of steps are left of it
expect(5, [BEADS, "--to", data, "--free", "gamma,time_shift,run.until=400us:800us", *longer], "run.until does not change")
expect(5, [BEADS, "--to", data, "--free", "gamma,time_shift,run.until", "--method", "polish", *longer], "run.until does not change")
speed = write("speed.csv", "time (us),v[4]\n" + "".join(f"{row[0] + 100!s},{row[1] / 100!s}\n" for row in rows))
expect(5, [BEADS, "--to", speed, "--free", "bodies.1.chain.mass,contacts.k", "--set", "bodies.1.chain.mass=0.033", "--set",
           "contacts.k=1e10"], "bodies.1.chain.mass and contacts.k cannot be told apart")
expect(2, [BEADS, "--to", data, "--free", "gamma,time_shift", "--method", "glibal"], "local, global or polish")
expect(2, [BEADS, "--to", data, "--free", "gamma,time_shift", "--method", "global"], "needs bounds")
expect(6, [BEADS, "--to", "nowhere.csv", "--free", "gamma"], "nowhere.csv")
expect(6, [BEADS, "--to", data, *free, "-o", "run.h5"], "not the file of a fit")
for text, said in (
        ("", "bad.csv:1:1: is empty"),
        ("# only\n", "bad.csv:1:1: is empty"),
        ("time,v[2]\n", "no number was measured"),
        ("time,v[2]\n1e-5\n", "bad.csv:2:1: has 1 columns, the header has 2"),
        ("time,v[2]\n1e-5,0.1,3\n", "has 3 columns"),
        ("time,v[2]\n1e-5,abc\n", "bad.csv:2:6: 'abc' is not a number"),
        ("time,v[2]\n1e-5,nan\n", "bad.csv:2:6: 'nan' is not a finite number"),
        ("time,v[2]\n1e-5,1e999\n", "not a finite number"),
        ("time,v[2]\n,0.1\n", "bad.csv:2:1: '' is not a number"),
        ("time,w[2]\n1e-5,0\n", "bad.csv:1:6: there is no probe 'w[2]'"),
        ("time,contact_farce[2]\n1e-5,0\n", "did you mean 'contact_force'?"),
        ("time,v\n1e-5,0\n", "bad.csv:1:6: v: say of which one"),
        ("time,kinetic[2]\n1e-5,0\n", "has no number"),
        ("time,v[0]\n1e-5,0\n", "bodies count from 1"),
        ("time,v[9]\n1e-5,0\n", "the scene has 4 bodies"),
        ("time,contact_force[4]\n1e-5,0\n", "no such contact"),
        ("time,sensor_x\n1e-5,0\n", "no sensor 'x'"),
        ("time,v[2],v_2\n1e-5,0,0\n", "v[2] appears twice"),
        ("time,v[2] (N)\n1e-5,0\n", "bad.csv:1:6: v[2]: "),
        ("time,sigma,v[2]\n1e-5,1,0\n", "belongs to the measured column on its left"),
        ("time,v[2],sigma\n1e-5,1,0\n", "bad.csv:2:8: must be positive"),
        ("time,v[2],sigma\n1e-5,1,\n", "without its sigma"),
        ("time,v[2]\n1e-5,1\n1,1\n", "bad.csv:3: time 1 is after the end of the run"),
        ("v_lost\n1\n", "bad.csv:1:1: there is no output 'v_lost', did you mean 'v_last'?"),
        ("t [us],v[2]\n10,0\n", "there is no output 't'; 'carom sweep --help' lists them; measurements over time need a column named time"),
        ("set start.1.velocity,v_last\n,1\n", "bad.csv:2:1: every line needs a value"),
        ("time,v[2]\n1e-5,1\0\n", "byte 17 is zero")):
    expect(3, [BEADS, "--to", write("bad.csv", text), "--free", "gamma"], said)
check(not [name for name in os.listdir(".") if "-fit-" in name], "no log of what never began")
check(carom("fit", "--help").returncode == 0, "help")
end()
