"""carom pulse as a user meets it: numbers of a solitary wave, sensors, trains, walls, CSV, what is kept in the run file,
and what it says of runs without a pulse."""
import csv
import glob
import os
import shutil
import signal
import stat
import subprocess
import time

import h5py
import numpy

from checks import check, end, forget_checksums, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
for old in glob.glob("*.h5"):
    os.remove(old)


def carom(*arguments, **options):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100, **options)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(done.stdout == "" and done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, done)
    check(said in done.stderr, arguments, "said", done.stderr, "expected", said)


def run(name, *settings, scene=None):
    if scene is not None:
        with open(name + ".yaml", "w") as file:
            file.write(scene)
    done = carom("run", "-q", name + ".yaml", "-o", name + ".h5", *[word for s in settings for word in ("--set", s)])
    check(done.returncode == 0, name, done.stderr)
    return name + ".h5"


def table(path, *options):
    done = carom("pulse", path, "--no-keep", "-q", "--csv", "table.csv", *options)
    check(done.returncode == 0 and done.stdout == "" and done.stderr == "", path, options, done)
    with open("table.csv") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for key in row:
            if key not in ("place", "kind"):
                row[key] = float(row[key])
    return rows


CHAIN = """
title: Solitary wave
materials: {ball: {young: 203 GPa, poisson: 0.3, density: 7780 kg/m^3}}
bodies:
  - striker: {side: left, velocity: 0.62 m/s, radius: 4 mm, material: ball}
  - chain: {count: 20, radius: 13 mm, material: ball}
contacts: {law: hertz}
run: {until: 1.8 ms, tol: 1e-8}
record: {every: 1 us, probes: [v, contact_force]}
sensors: [{name: inside, body: 11}]
"""


def test_wave():
    run("chain", scene=CHAIN)
    rows = table("chain.h5")
    check([row["number"] for row in rows] == list(range(1, 21)), "all contacts")
    tenth = rows[10]
    # the same with ten times as many samples
    run("chain", "record.every=0.1 us")
    fine = table("chain.h5")[10]
    for key, allowed in [("peak", 1e-8), ("time", 1e-8), ("width", 1e-6), ("front", 1e-7), ("foot", 1e-5)]:
        near(tenth[key] / fine[key], 1.0, allowed, "below the samples' distance:", key)
    run("chain")
    # scaling: force as V^(6/5), times as V^(-1/5), so speed as force^(1/6)
    shutil.copy("chain.h5", "slow.h5")
    run("chain", "bodies.1.striker.velocity=1.24 m/s", "until=1.5 ms")
    fast = table("chain.h5")[10]
    near(fast["peak"] / tenth["peak"], 2.0 ** 1.2, 1e-6, "force")
    near(fast["speed"] / tenth["speed"], (fast["peak"] / tenth["peak"]) ** (1.0 / 6.0), 1e-6, "speed ~ force^(1/6)")
    near(fast["length"], tenth["length"], 1e-4, "the length does not depend on the force")
    near(fast["length"], 4.76, 0.02, "about five diameters")
    # all impulse at the first contact is what the striker has lost
    with h5py.File("slow.h5", "r") as file:
        v = file["particles/beads/velocity/value"][-1, 0]
    first = table("slow.h5", "--contact", "1")[0]
    near((first["front"] + first["tail"]) / (4.0 / 3.0 * numpy.pi * 0.004 ** 3 * 7780 * (0.62 - v)), 1.0, 2e-4, "impulse")


def test_places():
    contacts, bead = table("slow.h5", "--contact", "10,11"), table("slow.h5", "--bead", "11")[0]
    check([row["place"] for row in contacts] == ["10", "11"] and bead["place"] == "bead 11", contacts, bead)
    check(contacts[0]["time"] < bead["time"] < contacts[1]["time"], "a sensor inside a bead reads between")
    check(bead["peak"] < contacts[0]["peak"], "and reads less")
    sensor = table("slow.h5", "--sensor", "inside")[0]
    for key in ("peak", "time", "width", "front"):
        check(sensor[key] == bead[key], "the scene's sensor reads the same", key, sensor[key], bead[key])
    apart = table("slow.h5", "--contact", "5,15")[1]
    near(apart["speed"], 345.0, 1.0, "speed over ten diameters")
    beads = table("slow.h5", "--bead", "12-15")
    near(beads[3]["speed"], 345.0, 1.0, "speed from bead to bead")
    check(len(table("slow.h5", "--contact", "3-9,12")) == 8, "ranges")
    late = table("slow.h5", "--contact", "10", "--from", "0.6 ms", "--until", "900 us")[0]
    near(late["time"], table("slow.h5", "--contact", "10")[0]["time"], 1e-12, "a window")


def test_lzb():
    """Inside an impact: an elastic free chain is the same as in time, and of several impacts each has its own clock."""
    run("frozen", scene=CHAIN.replace("title:", "theory: lzb\ntitle:"))
    for moving, frozen in zip(table("slow.h5")[:17], table("frozen.h5")):
        for key, allowed in [("peak", 1e-6), ("time", 1e-6), ("foot", 2e-5), ("width", 1e-4), ("front", 2e-5)]:
            near(frozen[key] / moving[key], 1.0, allowed, "contact", moving["number"], "lzb against compliant", key)
    check(table("frozen.h5", "--bead", "11")[0]["peak"] < table("frozen.h5", "--contact", "11")[0]["peak"], "beads too")
    gaps = run("gaps", scene=CHAIN.replace("title:", "theory: lzb\ntitle:").replace("count: 20,", "count: 4, gap: 0.01 mm,").replace("body: 11", "body: 3"))
    with h5py.File(gaps, "r") as file:
        times = file["impacts/time"][:]
    check(len(times) >= 4 and all(times[1:] > times[:-1]), "one impact after the other", times)
    for i in range(4):
        done = carom("pulse", gaps, "--no-keep", "--impact", str(i + 1))
        check(done.returncode == 0 and f"inside impact {i + 1} of {len(times)}" in done.stdout, i, done)
        rows = table(gaps, "--impact", str(i + 1))
        check([row["number"] for row in rows] == [i + 1], "the next pair", rows)
        check(0.0 < rows[0]["time"] < 2e-4 and not rows[0]["cut"], "in the impact's own time", rows)
    expect(2, ["pulse", gaps, "--impact", "99"], "--impact 99: the run has")
    expect(2, ["pulse", gaps, "--sensor", "inside"], "do not read inside impacts")


def test_wall():
    free = run("free", scene=CHAIN.replace("until: 1.8 ms", "until: 1.2 ms").replace("every: 1 us", "every: 0.5 us"))
    wall = run("wall", scene=open("free.yaml").read().replace("count: 20", "count: 10").replace(
        "contacts:", "  - wall: {side: right, material: ball}\ncontacts:").replace("sensors: [{name: inside, body: 11}]", ""))
    done = carom("pulse", wall, "--contact", "wall", "--beside", free, "--extrapolate")
    check(done.returncode == 0 and "11 wall" in done.stdout, done)
    line = next(line for line in done.stdout.splitlines() if "over the same contact" in line)
    peak, width, when = [float(word.rstrip(",")) for word in line.split() if word[0].isdigit() and "." in word][-3:]
    # equation (38) of Nguyen and Brogliato 2011 and the text after it: 1.94, 1.09, 1.02
    near(peak, 1.943, 0.001, "peak")
    near(width, 1.087, 0.001, "width")
    near(when, 1.018, 0.001, "time")
    inside, at_wall = table(free, "--contact", "11")[0], table(wall, "--contact", "right")[0]
    for option in (["--extrapolate"], ["--ratios", "2,1.1,1.05"]):
        said = carom("pulse", wall, "--no-keep", *option).stdout.split("without the wall")[1].splitlines()[1].split()
        by = (1.94, 1.09, 1.02) if option == ["--extrapolate"] else (2.0, 1.1, 1.05)
        near(float(said[2]) * by[0], at_wall["peak"], 2e-5 * at_wall["peak"], "extrapolated peak")
        near(float(said[3]) * by[2], at_wall["time"], 1e-5 * at_wall["time"], "extrapolated time")
        near(float(said[5]) * by[1], at_wall["width"], 2e-5 * at_wall["width"], "extrapolated width")
    check(carom("pulse", free, "--no-keep", "--extrapolate").stdout.count("no wall") == 1, "no wall, and said so")
    near(inside["peak"] * 1.943, at_wall["peak"], 0.1, "and the ratio itself")
    expect(4, ["pulse", free, "--no-keep", "-q", "--beside", wall], "no pulse at the contact that is a wall")


def test_train():
    path = os.path.join(SOURCE, "scenes", "stepped.yaml")
    check(carom("run", "-q", path, "-o", "stepped.h5").returncode == 0, "stepped")
    rows = table("stepped.h5", "--contact", "35", "--train")
    check(len(rows) >= 4 and [row["wave"] for row in rows] == list(range(1, len(rows) + 1)), rows)
    check(all(a["peak"] > b["peak"] and a["time"] < b["time"] for a, b in zip(rows, rows[1:])), "a train falls", rows)
    near(rows[0]["peak"], 207.0, 1.0, "the first of the train")
    second = table("stepped.h5", "--contact", "34,35", "--wave", "2")
    check(second[1]["time"] == rows[1]["time"] and second[1]["speed"] > 0.0, "the second wave alone")
    check(second[1]["speed"] < table("stepped.h5", "--contact", "34,35")[1]["speed"], "and it is slower")
    largest = table("stepped.h5", "--contact", "35", "--wave", "largest")[0]
    check(largest["peak"] == rows[0]["peak"], "the largest is the first")
    tops = table("stepped.h5", "--wave", "largest")
    for before, row in zip(tops, tops[1:]):  # the highest wave of one place may be another one than that of the next
        late = abs(row["time"] - before["time"]) > 3 * max(row["width"], before["width"])
        check(not late or row["speed"] != row["speed"], (before, row))
    check(sum(row["speed"] > 0 for row in tops) > len(tops) / 2, "most are one wave")
    coarse = table("stepped.h5", "--contact", "35", "--train", "--least", "0.5")
    check(len(coarse) == 2, "fewer waves where more is asked of them", coarse)


def test_collapse():
    done = carom("pulse", "slow.h5", "--no-keep", "--contact", "8-18", "--collapse", "collapse.csv")
    check(done.returncode == 0 and "collapse" in done.stdout, done)
    values = numpy.genfromtxt("collapse.csv", delimiter=",", skip_header=1)
    s = values[:, 0]
    check(values.shape[1] == 2 + 11 and s[0] == -2.0 and abs(s[-1] - 4.0) < 1e-12, values.shape)
    front = values[(s > -1.5) & (s <= 0.0)]
    check(numpy.ptp(front[:, 2:], axis=1).max() < 0.01, "pulses of one chain fall on one curve")
    check(abs(front[:, 2:] - front[:, 1:2]).max() < 0.03, "which is near cos^6")
    check(abs(values[s == 0.0][0, 2:] - 1.0).max() < 1e-4, "all have their peak at 0")


def test_jump():
    """A dashpot's force begins with a jump, to k gamma v, and falls from there on: no sample has its peak, the book of
    impacts does."""
    with open("jump.yaml", "w") as scene:
        scene.write("units: none\nbodies: [chain: {count: 2, mass: 1}]\nstart: [{body: 1, velocity: 0.3}]\n"
                    "contacts: {law: hertz-dashpot, k: 2, gamma: 0.75}\nrun: {until: 10, tol: 1e-8}\n"
                    "record: {every: 0.05, probes: [u, v, contact_force]}\n")
    check(carom("run", "-q", "jump.yaml", "-o", "jump.h5").returncode == 0, "jump.yaml runs")
    peak = float(table("jump.h5")[0]["peak"])
    near(peak, 0.45, 1e-7, "the peak of a force that begins with a jump")


def analysis(path):
    with h5py.File(path, "r") as file:
        group = file["analysis/pulse"]
        return {name: (group[name][()], group[name].attrs["unit"].decode()) for name in group}, group.attrs["command"].decode()


def everything(path):
    found = {}
    with h5py.File(path, "r") as file:
        def visit(name, item):
            if isinstance(item, h5py.Dataset) and not name.startswith("analysis"):
                found[name] = item[()].tobytes() if hasattr(item[()], "tobytes") else item[()]
        file.visititems(visit)
    return found


def test_kept():
    shutil.copy("slow.h5", "kept.h5")
    os.chmod("kept.h5", 0o640)
    before = everything("kept.h5")
    done = carom("pulse", "kept.h5")
    check(done.returncode == 0 and "kept       kept.h5: /analysis/pulse" in done.stdout, done)
    check(everything("kept.h5") == before, "the run itself is as it was")
    check(stat.S_IMODE(os.stat("kept.h5").st_mode) == 0o640, "so are its rights")
    columns, command = analysis("kept.h5")
    check(command == "carom pulse kept.h5", command)
    rows = table("kept.h5")
    for key, unit in [("peak", "N"), ("time", "s"), ("width", "s"), ("speed", "m/s"), ("front", "N s"), ("number", "1")]:
        values, found = columns[key]
        check(found == unit and len(values) == len(rows), key, found)
        check(all(a == row[key] or (numpy.isnan(a) and numpy.isnan(row[key])) for a, row in zip(values, rows)), key)
    size = os.path.getsize("kept.h5")
    for _ in range(3):
        check(carom("pulse", "kept.h5", "-q", "--contact", "3,4").returncode == 0, "again")
    check(len(analysis("kept.h5")[0]["peak"][0]) == 2, "the newer table replaces the older one")
    check(os.path.getsize("kept.h5") <= size + 3 * 8192, "and the file does not grow", size, os.path.getsize("kept.h5"))
    check(not os.path.exists("kept.h5.part"), "nothing is left beside it")
    for command in (["show"], ["repair"], ["resume"], ["export", "--csv", "-o", "kept.csv"]):
        done = carom(command[0], "kept.h5", *command[1:])
        check(done.returncode == 0, command, done.stderr)
    check(carom("run", "-q", "kept.h5", "-o", "again.h5").returncode == 0, "a run file with a table is still a scene")
    # a link stays a link
    if os.path.lexists("link.h5"):
        os.remove("link.h5")
    os.symlink("kept.h5", "link.h5")
    check(carom("pulse", "link.h5", "-q").returncode == 0 and os.path.islink("link.h5"), "links")
    check(len(analysis("kept.h5")[0]["peak"][0]) == len(rows), "lead to the file")
    # where it cannot be written the table is printed all the same
    if os.geteuid() != 0:
        os.chmod("kept.h5", 0o440)
        done = carom("pulse", "kept.h5")
        check(done.returncode == 0 and "not kept" in done.stderr and "place" in done.stdout, done)
        os.chmod("kept.h5", 0o640)


LONG = """
title: long enough to be killed
units: none
bodies: [{chain: {count: 400}}]
contacts: {law: hertz}
start: [{body: 1, velocity: 1}]
run: {until: 20000, scheme: verlet, step: 0.005}
record: {every: 0.5, probes: [contact_force]}
"""


def test_killed():
    """A run that is being written has its table but keeps nothing; one that was killed keeps it."""
    with open("long.yaml", "w") as file:
        file.write(LONG)
    if os.path.exists("long.h5"):
        os.remove("long.h5")
    writer = subprocess.Popen([CAROM, "run", "-q", "long.yaml", "-o", "long.h5"])
    done = None
    for _ in range(1000):
        time.sleep(0.1)
        done = carom("pulse", "long.h5", "--contact", "1-5") if os.path.exists("long.h5") else None
        if done and done.returncode == 0:
            break
    if writer.poll() is None:
        check(done.returncode == 0 and "another process is writing" in done.stderr, "while it is written", done)
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    done = carom("pulse", "long.h5", "--contact", "1-5")
    check(done.returncode == 0 and "kept" in done.stdout, "after a kill", done)
    check(len(analysis("long.h5")[0]["peak"][0]) > 0, "kept in a plain file")
    # the writer of the table is killed at any moment: the file is always one or the other, and whole
    reference = everything("long.h5")
    for delay in (0.002, 0.005, 0.008, 0.012, 0.02, 0.03):
        keeper = subprocess.Popen([CAROM, "pulse", "-q", "long.h5", "--contact", "1-5"])
        time.sleep(delay)
        keeper.send_signal(signal.SIGKILL)
        keeper.wait()
        check(everything("long.h5") == reference and len(analysis("long.h5")[0]["peak"][0]) > 0, "killed after", delay)
    check(carom("pulse", "long.h5", "-q").returncode == 0, "and can go on")


def test_wrong():
    scene = os.path.join(SOURCE, "scenes", "two-beads.yaml")
    check(carom("run", "-q", scene, "-o", "bare.h5", "--set", "record.probes=[u, v]").returncode == 0, "bare")
    expect(4, ["pulse", "bare.h5"], "add contact_force")
    rest = run("rest", scene="units: none\nbodies: [{chain: {count: 3}}]\nrun: {until: 1}\n"
               "record: {every: 0.1, probes: [contact_force]}\n")
    expect(4, ["pulse", rest], "there is no pulse")
    one = run("one", scene="units: none\nbodies: [{chain: {count: 3}}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 1}\n"
              "record: {every: 5, probes: [contact_force]}\n")
    expect(4, ["pulse", one], "1 sample in the record; take a smaller 'every'")
    rigid = run("rigid", scene="units: none\ntheory: nonsmooth\nbodies: [{chain: {count: 3, gap: 0.1}}]\n"
                "start: [{body: 1, velocity: 1}]\nrun: {until: 1}\nrecord: {every: 0.01, probes: [contact_force]}\n")
    expect(4, ["pulse", rigid], "are jumps")
    expect(2, ["pulse", "slow.h5", "--contact", "99"], "has no contact 99")
    expect(2, ["pulse", "slow.h5", "--contact", "three"], "must be a number, a range")
    expect(2, ["pulse", "slow.h5", "--contact", "3,,4"], "is empty")
    expect(2, ["pulse", "slow.h5", "--contact", "wall"], "no such wall")
    expect(2, ["pulse", "slow.h5", "--bead", "0"], "from 1")
    expect(2, ["pulse", "slow.h5", "--bead", "22"], "has 21 beads")
    expect(2, ["pulse", "slow.h5", "--sensor", "nobody"], "no such sensor")
    expect(2, ["pulse", "slow.h5", "--wave", "0"], "--wave 0")
    expect(4, ["pulse", "slow.h5", "--wave", "7"], "no place has more than")
    expect(2, ["pulse", "slow.h5", "--wave", "2", "--train"], "goes without --train")
    expect(2, ["pulse", "slow.h5", "--least", "2"], "a share between 0 and 1")
    expect(2, ["pulse", "slow.h5", "--from", "3 kg"], "--from")
    expect(4, ["pulse", "slow.h5", "--from", "1", "--until", "2"], "between --from and --until")
    expect(2, ["pulse", "slow.h5", "--ratios", "1.9"], "must be PEAK,WIDTH")
    expect(6, ["pulse", "no-such.h5"], "no-such.h5")
    expect(6, ["pulse", scene], "is not a run file")
    check(carom("pulse", "slow.h5", "--no-keep", "-q", "--csv", "chain.yaml").returncode == 6, "no scene is overwritten")
    with h5py.File("nan.h5", "w") as new, h5py.File("slow.h5", "r") as old:
        for name in old:
            old.copy(name, new)
        new["observables/contacts/force/value"][40, 2] = numpy.nan
    expect(6, ["pulse", "nan.h5", "--no-keep"], "sample 41 of observables/contacts/force is damaged")
    with h5py.File("nan.h5", "a") as new:
        forget_checksums(new)
    expect(5, ["pulse", "nan.h5", "--no-keep"], "contact 3: sample 41 is not a number")


def test_pushed():
    """Under a ramp the force goes on rising behind the wave: peaks are those of what comes back, feet those of the wave."""
    ramp = ("bodies: [chain: {count: 30, radius: 5 mm, material: steel}]\ncontacts: {law: hertz}\nprecompression: 10 N\n"
            "loads: [{body: 1, force: {shape: ramp, amplitude: 200 N, duration: 2 ms}}]\nrun: {until: 1.5 ms}\n")
    rows = table(run("ramp", scene=ramp))
    check(numpy.isnan(rows[0]["time"]) and 3e-5 < rows[0]["foot"] < 4e-5 and rows[0]["peak"] > 140, "no peak, but a foot", rows[0])
    for before, row in zip(rows[1:20], rows[2:21]):
        check(row["time"] < before["time"] and numpy.isnan(row["length"]), "what comes back peaks first", row)
        near(row["speed"], 0.01 / (row["foot"] - before["foot"]), 1e-9, "by feet")
        check(560 < row["speed"] < 625, "about the speed of sound under 10 N", row["speed"])
    said = carom("pulse", "ramp.h5").stdout
    check("  rising\n" in said and "1 of 29 waves has no peak" in said and "no such wave" not in said, said)
    check("  feet\n" in said, "rows of notes are marked", said)
    for until in ("0.2 ms", "0.3 ms"): # feet of forces that still rise are at one force for both places
        speeds = [row["speed"] for row in table("ramp.h5", "--until", until)[2:] if row["peak"] > 1]
        check(len(speeds) > 5 and all(575 < speed < 625 for speed in speeds), until, speeds)


def test_cut():
    """A second wave that the end of the record cuts has few samples, which are not too coarse for the first."""
    file = run("cut", scene="bodies: [chain: {count: 10, radius: 5 mm, material: steel}, wall: {side: right, material: steel}]\n"
               "contacts: {law: hertz}\nstart: [{body: 1, velocity: 1 m/s}]\nrun: {until: 0.216 ms}\nrecord: {every: 3 us}\n")
    check("coarse" not in carom("pulse", file, "--no-keep").stdout, "not coarse")
    for before, row in zip(table(file)[1:], table(file)[2:]):
        check(row["speed"] > 500 and row["foot"] > before["foot"], row)


DIMER = """bodies: [chain: {count: 30, pattern: [{radius: 5 mm, material: steel}, {radius: 3 mm, material: nylon}]}]
contacts: {law: hertz}
start: [{body: 1, velocity: 1 m/s}]
run: {until: 3 ms}
"""


def test_dimer():
    """Neighbours between light and heavy beads peak in reverse order; the wave goes on at one speed."""
    tapered = ("bodies: [chain: {count: 12, radius: 8 mm, pattern: [{material: brass}, {material: nylon}], taper: {ratio: 0.93}}]\n"
               "contacts: {law: hertz}\nstart: [{body: 1, velocity: 0.2 m/s}]\nrun: {until: 2 ms}\n")
    said = carom("pulse", run("tapered", scene=tapered)).stdout
    check("is that of the feet: peaks do not follow one another" in said, "a tapered dimer says so", said)
    loose = [line for line in said.split("\n") if line.endswith("  loose")]
    check(loose and "%d of 11 speeds are loose" % len(loose) in said, "and which speeds are no pulse's", said)
    for line in said.split("\n"):
        if line[:1].isdigit() and float(line.split()[6]) > 0.05 and "feet" not in line and line.split()[7] != "-":
            check(line.endswith("  loose"), "a force that is no pulse has no speed", line)
    speeds = [row["speed"] for row in table("tapered.h5")]
    check(all(speed > 0 or numpy.isnan(speed) for speed in speeds), "and its wave goes one way", speeds)
    rows = table(run("dimer", scene=DIMER))[10:26]
    check(any(b["time"] < a["time"] + 0.1 * a["width"] for a, b in zip(rows, rows[1:])), "neighbours peak together")
    for before, row in zip(rows, rows[2:]):
        near(row["speed"], 0.016 / (row["time"] - before["time"]), 1e-6, "from two contacts before")
        near(row["length"], numpy.pi * row["width"] * row["speed"] / 0.008, 1e-6, "in mean diameters")
    speeds = [row["speed"] for row in rows[2:]]
    check(max(speeds) < 1.02 * min(speeds), "one speed", speeds)
    check("loose" not in carom("pulse", "dimer.h5", "--contact", "10-26").stdout, "a pulse in an even dimer is one")
    first = table("dimer.h5")[1]["speed"]
    check(numpy.isnan(first), "the first of its kind has nothing to be timed from", first)
    check("the speed of 1 of 29 waves is that of the feet" in carom("pulse", "dimer.h5").stdout, "only the end peaks early")
    for option in ("--contact", "--bead"): # others of the row count whether asked for or not
        some = [row["speed"] for row in table("dimer.h5", option, "20,21,22,25")]
        check(numpy.isnan(some[:2]).all() and max(some[2:]) < 1.02 * min(some[2:]), option, some)


def test_book():
    """Peaks, their times and widths are those of the book of impacts, also where even samples fall between those that follow contacts; the
    strongest impact of a contact may be outside of the record, which then is not coarse."""
    scene = ("bodies: [chain: {count: 5, diameter: 2 cm, material: steel, string: 15 cm}]\nstrings: {angle: large}\n"
             "contacts: {law: kuwabara-kono, restitution: {e: 0.97, speed: 0.6 m/s}}\nstart: [{body: 1, angle: -30 deg}]\nrun: {until: %s}\n%s")
    fine = run("fine", scene=scene % ("0.3 s", "record: {every: 0.5 us, from: 197 ms, to: 198 ms}\n"))
    usual = run("usual", scene=scene % ("0.3 s", ""))
    tables = []
    for file in (fine, usual):
        said = carom("pulse", file, "--csv", "book.csv").stdout
        check("coarse" not in said and "fewer" not in said, said)
        with open("book.csv") as rows:
            tables.append(list(csv.DictReader(line for line in rows if not line.startswith("#"))))
    check("to 0.0015 s apart" in said, "samples that are not even are told by their range", said)
    check(len(tables[0]) == len(tables[1]) == 4, tables)
    for one, two in zip(*tables):
        check(one["peak"] == two["peak"] and one["time"] == two["time"], one, two)
        near(float(one["width"]), float(two["width"]), 1e-3 * float(one["width"]), one["place"])


def test_flights():
    """Bodies that fly from contact to contact: feet are not before contact, impulses those of the book, speeds loose."""
    file = run("flights", scene="bodies: [chain: {count: 6, diameter: 2 cm, material: steel, gap: 0.1 mm}]\n"
                                "start: [{body: 1, velocity: 1 m/s}]\nrun: {until: 3 ms}\n")
    said = carom("pulse", file, "--csv", "flights.csv").stdout
    check("4 of 5 speeds are loose" in said and "a body flies from one contact to the next" in said, said)
    with open("flights.csv") as rows, h5py.File(file) as whole:
        book = {int(c): k for k, c in enumerate(whole["episodes/contact"][:])}
        for row in csv.DictReader(line for line in rows if not line.startswith("#")):
            k = book[int(row["place"]) - 1]
            check(float(row["foot"]) > whole["episodes/closed"][k], row, whole["episodes/closed"][k])
            check(float(row["tail"]) >= 0.0, row)
            near(float(row["front"]) + float(row["tail"]), whole["episodes/impulse"][k], 3e-4 * whole["episodes/impulse"][k], row)


test_wave()
test_flights()
test_pushed()
test_cut()
test_dimer()
test_book()
test_places()
test_lzb()
test_wall()
test_train()
test_collapse()
test_jump()
test_kept()
test_killed()
test_wrong()
end()
