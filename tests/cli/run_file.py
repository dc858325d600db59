"""Run files as others see them: the groups, shapes, units and numbers that h5py finds, while a run is under way, when
it is complete, and when the disk was full; and what show and export make of them."""
import csv
import os
import resource
import subprocess
import time

import h5py
import numpy

from checks import check, end, fresh, sanitized

CAROM = os.environ["CAROM"]
# looking for leaks takes seconds at every exit; other suites do
os.environ["ASAN_OPTIONS"] = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"


def carom(*arguments, **options):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100, **options)


CHAIN = """# five steel beads between two walls
title: Five beads
units: si
bodies:
  - wall: {side: left, material: steel}
  - chain: {count: 5, radius: 10 mm, material: steel}
  - wall: {side: right, material: steel}
contacts: {law: kuwabara-kono, gamma: 1e-6, contact_end: gap}
start: [{body: 1, velocity: 0.5}]
run: {until: 0.5 ms, tol: 1e-8}
record:
  every: 1 us
  times: [1.5 us, 3 us]
  probes: [u, v, position, contact_force, gap, contact_stored, contact_dissipated]
"""

BARE = """
title: No units
units: none
bodies: [{chain: {count: 3}}]
contacts: {law: hertz}
start: [{body: 1, velocity: 1}]
run: {until: 5, scheme: verlet, step: 0.001}
record: {every_steps: 100}
"""

LEDGER = ["kinetic", "stored", "dissipated", "work", "residual"]
MECHANISMS = ["viscous", "clipped", "internal", "impact", "friction"]
BODIES = ["displacement", "position", "velocity"]
CONTACTS = ["gap", "force", "stored", "dissipated"]


def make(name, text, *more):
    with open(name + ".yaml", "w") as file:
        file.write(text)
    done = carom("run", name + ".yaml", "-o", name + ".h5", "--quiet", *more)
    check(done.returncode == 0 and not done.stdout and not done.stderr, done)
    return name + ".h5"


def items(run):
    """Paths of all groups with a value."""
    found = []
    run.visit(lambda path: found.append(path[:-6]) if path.endswith("/value") else None)
    return sorted(found)


def text(run, path):
    return run[path][()].decode()


def test_layout(run, scene):
    check(list(run["h5md"].attrs["version"]) == [1, 1], "h5md version")
    check(run["h5md/creator"].attrs["name"] == b"carom" and run["h5md/creator"].attrs["version"], "creator")
    check("name" in run["h5md/author"].attrs, "author")
    expected = ["particles/beads/" + name for name in BODIES] + ["observables/contacts/" + name for name in CONTACTS]
    expected += ["observables/ledger/" + name for name in LEDGER]
    expected += ["observables/ledger/mechanism/" + name for name in MECHANISMS]
    check(items(run) == sorted(expected), "items", items(run))
    missing = []
    run.visititems(lambda path, item: missing.append(path) if isinstance(item, h5py.Dataset)
                   and not isinstance(item.attrs.get("unit"), bytes) else None)
    check(not missing, "without a unit:", missing)
    box = run["particles/beads/box"].attrs
    check(box["dimension"] == 1 and list(box["boundary"]) == [b"none"], "box", dict(box))
    check(run["connectivity/contacts"][()].tolist() == [[-1, 0], [0, 1], [1, 2], [2, 3], [3, 4], [4, -2]], "contacts")
    check(text(run, "parameters/scene") == scene and text(run, "parameters/title") == "Five beads", "scene, title")
    check(text(run, "parameters/units") == "si" and text(run, "parameters/scheme") == "dp5", "units, scheme")
    check(run["parameters/version"][()] == run["h5md/creator"].attrs["version"], "version")
    check(run["parameters/seed"].shape == () and run["parameters/complete"][()] == 1, "seed, complete")
    counts = run["parameters/counts"][()]
    check(counts["steps"] > 10 and counts["evaluations"] > counts["steps"], "counts", counts)
    check(run["impacts/force"].shape == (0,) and run["impacts/force"].maxshape == (None,), "impacts")
    check(run["impacts/force"].dtype.names == ("impact", "contact", "time", "force"), "columns of impacts")
    density, radius = run["particles/beads/mass"][()] / (4 / 3 * numpy.pi * 1e-6), run["particles/beads/radius"][()]
    check(numpy.allclose(radius, 0.01, rtol=1e-15) and numpy.all((density > 7000) & (density < 8500)), "mass, radius")


def test_samples(run):
    """step and time are one dataset each; shapes and types; the schedule is kept to the bit."""
    first = run["particles/beads/displacement"]
    times, steps = first["time"][()], first["step"][()]
    rows = len(times)
    for path in items(run):
        group = run[path]
        check(sorted(group) == ["step", "time", "value"], path, list(group))
        check(group["time"] == first["time"] and group["step"] == first["step"], path, "shares step and time")
        shape = (rows, 5) if path.startswith("particles") else (rows, 6) if "contacts" in path else (rows,)
        check(group["value"].shape == shape and group["value"].dtype == "<f8", path, group["value"])
        check(numpy.all(numpy.isfinite(group["value"][()])), path, "is finite")
    expected = sorted({i * 1e-6 for i in range(501)} | {1.5e-6})
    check(list(times) == expected or list(times[:-1]) == expected[:-1], "times", rows)
    check(numpy.issubdtype(steps.dtype, numpy.signedinteger) and numpy.all(numpy.diff(steps) >= 0), "steps")
    units = {"displacement": "m", "velocity": "m/s", "force": "N", "gap": "m", "kinetic": "J", "viscous": "J"}
    for path in items(run):
        name = path.split("/")[-1]
        unit = run[path]["value"].attrs["unit"].decode()
        check(unit == units.get(name, unit), path)
        check(run[path]["time"].attrs["unit"] == b"s" and run[path]["step"].attrs["unit"] == b"1", path)


def test_numbers(run):
    def value(path):
        return run[path]["value"][()]
    u, v = value("particles/beads/displacement"), value("particles/beads/velocity")
    gap, force = value("observables/contacts/gap"), value("observables/contacts/force")
    ledger = {name: value("observables/ledger/" + name) for name in LEDGER}
    edge = numpy.zeros((len(u), 1))
    check(numpy.array_equal(gap, numpy.diff(numpy.hstack([edge, u, edge]), axis=1)), "gaps follow from displacements")
    check(numpy.all(force[gap >= 0] == 0) and numpy.any(force > 0), "open contacts carry no force")
    place = 0.02 * numpy.arange(5)
    check(numpy.allclose(value("particles/beads/position"), place + u, rtol=0, atol=1e-16), "positions")
    kinetic = 0.5 * (run["particles/beads/mass"][()] * v**2).sum(axis=1)
    check(numpy.allclose(ledger["kinetic"], kinetic, rtol=1e-13), "kinetic energy")
    for name in ["stored", "dissipated"]:
        total = value("observables/contacts/" + name).sum(axis=1)
        check(numpy.allclose(ledger[name], total, rtol=1e-12, atol=1e-18), name, "adds up over contacts")
    mechanisms = sum(value("observables/ledger/mechanism/" + name) for name in MECHANISMS)
    check(numpy.array_equal(ledger["dissipated"], mechanisms), "mechanisms add up")
    start = ledger["kinetic"][0] + ledger["stored"][0]
    balance = ledger["kinetic"] + ledger["stored"] + ledger["dissipated"] - ledger["work"] - start
    check(numpy.allclose(ledger["residual"], balance, rtol=0, atol=1e-14 * start), "residual")
    check(numpy.all(numpy.abs(ledger["residual"]) < 1e-6 * start) and ledger["dissipated"][-1] > 0, "ledger closes")


def test_events(run):
    events = {name: run["events"][name][()] for name in ["time", "contact", "kind", "impulse", "before", "after"]}
    names = h5py.check_enum_dtype(run["events/kind"].dtype)
    check(names == {"open": 0, "close": 1, "impact": 2, "stick": 3, "slip": 4, "zero_force": 5}, "kinds", names)
    check(len({len(column) for column in events.values()}) == 1 and len(events["time"]) > 5, "columns")
    check(numpy.all(numpy.diff(events["time"]) >= 0), "times rise")
    check(set(events["contact"]) <= set(range(6)) and set(events["kind"]) <= {0, 1}, "contacts, kinds")
    for contact in range(6):
        kinds = events["kind"][events["contact"] == contact]
        check(numpy.all(numpy.diff(kinds) != 0), "contact", contact, "opens and closes in turn", kinds)
    closing = events["kind"] == 1
    check(numpy.all(events["before"][closing] <= 0) and numpy.all(events["before"][~closing] >= 0), "gap rates")
    gap, times = run["observables/contacts/gap/value"][()], run["observables/contacts/gap/time"][()]
    for contact in range(6): # a sample between two events has the sign the events say
        mine = events["contact"] == contact
        for sample in range(1, len(times), 7):
            before = events["kind"][mine][events["time"][mine] < times[sample] - 1e-9]
            near = numpy.any(numpy.abs(events["time"][mine] - times[sample]) < 1e-9)
            if len(before) and not near:
                check((gap[sample, contact] < 0) == (before[-1] == 1), "contact", contact, "at", times[sample])


def checksum(header, state):
    """As src/record/run_layout.c says, written again."""
    words = [int(numpy.array(header[name]).astype(header.dtype[name]).view("<u8"))
             for name in header.dtype.names if name != "checksum"]
    total, mask = 0x6361726F6D, 2**64 - 1
    for word in words + [int(x) for x in state.view("<u8")]:
        total = ((total ^ word) * 0x9E3779B97F4A7C15) & mask
        total ^= total >> 29
    return total


def test_checkpoints(run):
    slots = [run["checkpoint/slot_%d" % i] for i in range(2)]
    written = [slot for slot in slots if slot["header"][()]["serial"] > 0]
    check(len(written) > 0, "a complete run has a checkpoint")
    for slot in written:
        header, state = slot["header"][()], slot["state"][()]
        check(header["n"] == len(state) and header["checksum"] == checksum(header, state), "checksum")
        check(header["rows"] <= len(run["particles/beads/velocity/time"]), "rows of the checkpoint")
    last = max(written, key=lambda slot: slot["header"][()]["serial"])["header"][()]
    check(last["time"] == 5e-4 and last["step"] == run["parameters/counts"][()]["steps"], "the last one is the end")


def test_bare():
    with h5py.File(make("bare", BARE, "--set", "title=Another title"), "r") as run:
        units = set()
        run.visititems(lambda path, item: units.add(item.attrs["unit"]) if isinstance(item, h5py.Dataset) else None)
        check(units == {b"1"}, "units: none", units)
        check(run["connectivity/contacts"][()].tolist() == [[0, 1], [1, 2]], "contacts without walls")
        check(run["particles/beads/velocity/step"][()].tolist() == list(range(0, 5001, 100)), "every 100 steps")
        check(text(run, "parameters/set") == "title=Another title", "overrides are kept", text(run, "parameters/set"))
        check(text(run, "parameters/title") == "Another title", "title")


def test_show_and_export(path):
    shown = carom("show", path)
    check(shown.returncode == 0 and shown.stdout.startswith("Five beads\n"), shown)
    for part in ["complete", "particles/beads/displacement", "502 x 5", "502 x 6", "m/s", "residual", "dp5"]:
        check(part in shown.stdout, part, "in", shown.stdout)
    check(carom("show", path, "--quiet").stdout == "", "show --quiet")
    check(carom("show", path, "--scene").stdout == CHAIN, "show --scene")
    done = carom("export", path, "--csv", "-o", "all.csv")
    check(done.returncode == 0 and "502 rows" in done.stdout, done)
    table = list(csv.reader(open("all.csv")))
    with h5py.File(path, "r") as run:
        columns = {"v_1": ("particles/beads/velocity", 0), "position_5": ("particles/beads/position", 4),
                   "contact_force_0": ("observables/contacts/force", 0), "gap_5": ("observables/contacts/gap", 5),
                   "contact_dissipated_2": ("observables/contacts/dissipated", 2)}
        check(len(table) == 503 and len(table[0]) == 2 + 3 * 5 + 4 * 6 + 10, "size", len(table), len(table[0]))
        for name, (item, i) in columns.items():
            column = [float(row[table[0].index(name)]) for row in table[1:]]
            check(column == list(run[item]["value"][:, i]), name)
        residual = [float(row[table[0].index("residual")]) for row in table[1:]]
        check(residual == list(run["observables/ledger/residual/value"]), "residual")
        check([int(row[1]) for row in table[1:]] == list(run["particles/beads/velocity/step"]), "step")
    some = carom("export", path, "--csv", "--items", "work,v", "--items", "observables/contacts/gap")
    check(some.stdout.splitlines()[0] == "time,step,work," + ",".join("v_%d" % i for i in range(1, 6)) + "," +
          ",".join("gap_%d" % i for i in range(6)), some.stdout[:200])
    for code, arguments, said in [(2, ["--csv", "--items", "wrok"], "did you mean 'work'"), (2, [], "--csv"),
                                  (2, ["--vtk", "--csv"], "one of --csv"), (2, ["--vtk", "--items", "u"], "--items"),
                                  (6, ["--csv", "-o", "chain.yaml"], "chain.yaml"),
                                  (6, ["--csv", "-o", path], path), (6, ["--csv", "-o", "no/where.csv"], "no/where")]:
        done = carom("export", path, *arguments)
        check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, done)
    check(open("chain.yaml").read() == CHAIN, "the scene is as it was")
    check(carom("show", path, "-q").returncode == 0, "the run is as it was")


def test_outputs_that_must_stay(path):
    before = open(path, "rb").read()
    for target, said in [("chain.yaml", "chain.yaml"), (".", "."), (path, "overwrite")]:
        done = carom("run", "chain.yaml" if target != path else path, "-o", target, "-q")
        check(done.returncode in (2, 6) and said in done.stderr and done.stderr.count("\n") == 1, target, done)
    check(open("chain.yaml").read() == CHAIN and open(path, "rb").read() == before, "nothing was touched")
    check(not any(name.endswith(".part") for name in os.listdir(".")), "nothing is left behind", os.listdir("."))


LONG = BARE.replace("until: 5", "until: 1e5").replace("every_steps: 100", "every_steps: 1000, events: false")


def test_under_way():
    """h5py follows a run that is being written; others may not write to it."""
    with open("long.yaml", "w") as file:
        file.write(LONG)
    if os.path.exists("long.h5"):
        os.remove("long.h5")
    process = subprocess.Popen([CAROM, "run", "long.yaml", "-o", "long.h5", "-q"])
    try:
        for _ in range(2000):
            if os.path.exists("long.h5"):
                break
            time.sleep(0.05)
        with h5py.File("long.h5", "r", swmr=True) as run:
            velocity = run["particles/beads/velocity/value"]
            seen = [len(velocity)]
            for _ in range(1000):
                if seen[-1] > seen[0] + 10 or process.poll() is not None:
                    break
                time.sleep(0.1)
                velocity.refresh()
                seen.append(len(velocity))
            check(seen[-1] > seen[0] and numpy.all(numpy.isfinite(velocity[()])), "rows come", seen)
        shown = carom("show", "long.h5")
        check(shown.returncode == 0 and "being written" in shown.stdout, shown)
        for arguments in [["repair", "long.h5"], ["resume", "long.h5", "-q"], ["run", "bare.yaml", "-o", "long.h5", "-q"]]:
            done = carom(*arguments)
            check(done.returncode == 6 and done.stderr.count("\n") == 1, arguments, done)
        check(process.poll() is None, "the run goes on")
    finally:
        process.kill()
        process.wait()


def test_full_disk():
    """A limit on the size of files stands for a full disk: one sentence, and all that was written can be read."""
    for limit in [1000, 1000000]:
        if os.path.exists("full.h5"):
            os.remove("full.h5")
        done = carom("run", "long.yaml", "-o", "full.h5", "--set", "record={every_steps: 1}", "-q",
                     preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        check(done.returncode == 6 and done.stderr.count("\n") == 1 and "File too large" in done.stderr, done)
        check(not os.path.exists("full.h5.part"), "nothing half made is left")
        if limit == 1000:
            check(not os.path.exists("full.h5"), "a run that could not begin leaves nothing")
            continue
        with h5py.File("full.h5", "r") as run:
            velocity = run["particles/beads/velocity/value"]
            check(len(velocity) > 1000 and numpy.all(numpy.isfinite(velocity[:1000])), "rows are there", len(velocity))
            check(run["parameters/complete"][()] == 0, "not complete")
        check("interrupted" in carom("show", "full.h5").stdout, "show")


def test_memory():
    """a short run touches little more memory than a look at its scene: HDF5 zeroes a buffer, a MiB if nobody says less, each
    time rows are converted, and that was most of the time of a short run"""
    def touched(*arguments):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt
        check(carom(*arguments).returncode == 0, arguments)
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt - before

    with open("short.yaml", "w") as file:
        file.write(BARE)
    pages = touched("run", "short.yaml", "-o", fresh("short.h5"), "-q") - touched("check", "short.yaml")
    check(sanitized() or pages < 1800, "pages of memory", pages)


path = make("chain", CHAIN)
with h5py.File(path, "r") as chain:
    for test in [lambda run: test_layout(run, CHAIN), test_samples, test_numbers, test_events, test_checkpoints]:
        test(chain)
test_bare()
test_show_and_export(path)
test_outputs_that_must_stay(path)
test_under_way()
test_full_disk()
test_memory()

# what strangers wrote into scenes and files is shown without commands to the terminal
with open("escapes.yaml", "w") as file:
    file.write('title: "a\\e[31m\\x9b31mb\\a é"\nunits: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 1}\n')
ran = carom("run", "escapes.yaml", "-o", "escapes.h5")
check(ran.returncode == 0 and ran.stdout.startswith("a?[31m??31mb? é\n"), ran)
with h5py.File("escapes.h5", "r+") as file:
    for name in ("title", "command", "version"):
        kind = file["parameters"][name].dtype
        del file["parameters"][name]
        file["parameters"].create_dataset(name, data=b"\x1b]0;\x9b owned\x07", dtype=kind)
shown = subprocess.run([CAROM, "show", "escapes.h5"], capture_output=True, timeout=100)
check(shown.returncode == 0 and b"owned" in shown.stdout, shown)
check(not any(byte in shown.stdout for byte in b"\x1b\x07\x9b"), shown.stdout[:300])
ran = subprocess.run([CAROM, "run", "escapes.yaml", "-o", "escapes.h5"], capture_output=True, timeout=100)
check(ran.returncode == 0 and b"owned" in ran.stdout and b"\x9b" not in ran.stdout, ran.stdout[-200:])

end()
