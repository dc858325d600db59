"""Theory lzb as a user meets it: what check and the summary say of the translation, the layout of /impacts read by h5py,
forces that add up to the impulses, export --csv --impacts, other impacts by name, and the same scene under nonsmooth."""
import os
import subprocess
import tempfile

import h5py
import numpy

from checks import EVERY, check, end

CAROM = os.environ["CAROM"]
os.chdir(tempfile.mkdtemp())
CHAIN = """theory: lzb
bodies: [chain: {count: 6, radius: 10 mm, material: steel}]
contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1}}
start: [{body: 1, velocity: 0.5}]
run: {until: 1 ms}
record: {every: 1 us, impact_every: 100 ns}
"""
COLUMN = """units: none
theory: %s
gravity: -10
bodies: [wall: {side: left, gap: 0.5}, chain: {count: 4}]
contacts: {e: 0.8, k: 1e6}
run: {until: 2%s}
record: {every: 0.01}
"""


def run(*arguments, code=0):
    result = subprocess.run([CAROM, *arguments], capture_output=True, text=True)
    check(result.returncode == code, arguments, result.returncode, result.stderr)
    return result.stdout + result.stderr


def write(name, text):
    with open(name, "w") as out:
        out.write(text)


write("chain.yaml", CHAIN)
said = run("check", "chain.yaml")
check("impact     lzb: force k x^p, energetic restitution es: k = " in said and "p = 1.5, es = 0.9" in said, said)
check("impact = lzb" in said and "impact_tol" not in said and "dP" not in said, "scheme line", said)
said = run("run", "chain.yaml", "-o", "chain.h5")
check("impacts    1, " in said and "their errors add up to" in said, said)
with h5py.File("chain.h5") as f:
    force, time = f["impacts/force"][()], f["impacts/time"][()]
    check(force.dtype.names == ("impact", "contact", "time", "force"), force.dtype)
    check(force.dtype["impact"].kind == "u" and force.dtype["contact"].kind == "u", "unsigned")
    check(f["impacts/force"].attrs["unit"] == b"1,1,s,N", f["impacts/force"].attrs["unit"])
    for name, unit in (("time", "s"), ("duration", "s"), ("estimate", "m/s")):
        check(f["impacts/" + name].shape == (1,) and f["impacts/" + name].attrs["unit"].decode() == unit, name)
    check(time[0] == 0.0 and f["impacts/duration"][0] > 1e-4 and 0 < f["impacts/estimate"][0] < 1e-7, "impact")
    check((force["impact"] == 0).all() and (force["force"] > 0).all() and force["contact"].max() == 4, "rows")
    steps = force["time"] / 1e-7
    check(abs(steps - numpy.round(steps)).max() < 1e-6 and steps.min() > 0.5, "samples at multiples of impact_every")
    check((numpy.diff(force["time"]) >= 0).all(), "in order of time")
    events = f["events/impulse"][()]
    for contact in range(5):
        of = force[force["contact"] == contact]
        summed, told = of["force"].sum() * 1e-7, events[f["events/contact"][()] == contact].sum()
        check(abs(summed / told - 1) < 1e-3, "impulse of contact", contact, summed, told)
    v, ledger = f["particles/beads/velocity/value"][-1], f["observables/ledger"]
    check(abs(v.sum() - 0.5) < 1e-13, "momentum")
    check(abs(ledger["residual/value"][-1]) < 1e-13 * ledger["kinetic/value"][0], "ledger")

said = run("show", "chain.h5")
check("impacts    1 with forces inside them" in said, said)
run("export", "chain.h5", "--csv", "--impacts", "-o", "forces.csv")
with open("forces.csv") as table:
    rows = table.read().splitlines()
check(rows[0] == "impact,begins,contact,time,force" and len(rows) == len(force) + 1, rows[0], len(rows))
check([float(x) for x in rows[1].split(",")] == [1, 0, force[0]["contact"] + 1, force[0]["time"], force[0]["force"]], rows[1])
run("export", "chain.h5", "--csv", "--impacts", "-o", "forces.csv")  # its own table may be replaced, another may not
run("export", "chain.h5", "--csv", "-o", "forces.csv", code=6)
run("export", "chain.h5", "--csv", "--impacts", "--items", "u", code=2)

# contacts of machines count from 1 everywhere, one alone too
for kind, contacts in (("rocking-block", 2), ("ball", 1)):
    write("machine.yaml", "units: none\ntheory: lzb\nbodies: [mechanism: {kind: %s}]\ncontacts: {k: 1000, e: 0.5}\n"
          "start: [{body: 1, velocity: -1}]\nrun: {until: 0.01}\nrecord: {every: 0.01, impact_every: 1e-3}\n" % kind)
    run("run", "-q", "machine.yaml", "-o", "machine.h5")
    numbers = [str(j + 1) for j in range(contacts)]
    heading = run("export", "machine.h5", "--csv").splitlines()[0].split(",")
    check([name[14:] for name in heading if name.startswith("contact_force_")] == numbers, kind, heading)
    told = run("export", "machine.h5", "--csv", "--impacts").splitlines()[1:]
    check(sorted({row.split(",")[2] for row in told}) == numbers, kind, told[:2])
    said = run("pulse", "machine.h5", "--no-keep", "--contact", numbers[-1])
    check(any(line.split()[:2] == [numbers[-1], "1"] for line in said.splitlines()), kind, said)
    run("pulse", "machine.h5", "--contact", "wall", code=2)
    run("sweep", "machine.yaml", "--over", "contacts.e=0.4,0.5", "--outputs", "peak_force_" + numbers[-1], "-o", kind + ".h5")
    said = run("compare", "machine.yaml", "--theories", "lzb,nonsmooth", "--no-timing")
    check("contact  " + numbers[-1] in said and "contact  0" not in said, kind, said)

# peak_force of discs is one number in sweeps and comparisons: of all contacts, and of a pair whichever of its bodies comes first
write("discs.yaml", "units: none\ntheory: lzb\nbodies: [disc: {at: [-3, 0], radius: 1, velocity: [1, 0]}, disc: {at: [0, 1.01], radius: 1}, "
      "disc: {at: [0, -1.01], radius: 1}]\ncontacts: {k: 1, e: 0.8}\nrun: {until: 3}\n")
run("sweep", "discs.yaml", "--over", "contacts.e=0.8", "--outputs", "peak_force,peak_force_1_3,peak_force_3_1,peak_force_2_3", "-o", "top.h5")
said = run("compare", "discs.yaml", "--theories", "lzb,nonsmooth", "--no-timing")
with h5py.File("top.h5") as f:
    tops = [f["outputs/peak_force" + pair][()].item() for pair in ("", "_1_3", "_3_1", "_2_3")]
    check(["force", "%.8g" % tops[0], "-"] in [line.split() for line in said.splitlines()] and tops[0] > 0, tops, said)
    check(tops[1] == tops[2] == tops[0] and tops[3] == 0, "pairs", tops)
for number, other in enumerate((("--set", "theory=nonsmooth"), ("--set", "contacts.mu=0.3"))):  # impacts with friction tell none
    said = run("sweep", "discs.yaml", "--over", "contacts.e=0.8", *other, "--outputs", "peak_force", "-o", "none%d.h5" % number, code=4)
    check("have impulses, not forces" in said, other, said)
for name, e in (("rough", 0.8), ("dull", 0.5)):
    write(name + ".yaml", open("discs.yaml").read().replace("e: 0.8", "e: %g, mu: 0.3" % e))
said = run("compare", "rough.yaml", "dull.yaml", "--no-timing")
check(said.count("no force in time at rigid contacts") == 2 and "largest force" not in said, said)


# without contact forces among the probes there is nothing inside impacts to keep
run("run", "chain.yaml", "-o", "quiet.h5", "--set", "record.probes=[u, v]")
with h5py.File("quiet.h5") as f:
    check(f["impacts/force"].shape == (0,) and f["impacts/time"].shape == (0,), "not recorded")
    check((f["particles/beads/velocity/value"][-1] == v).all(), "recording changes no bit")

# a column: many impacts; other impact laws by name; a resumed run
write("column.yaml", COLUMN % ("lzb", ""))
write("named.yaml", COLUMN % ("nonsmooth", ", impact: lzb"))
write("moreau.yaml", COLUMN % ("lzb", ", impact: moreau"))
for name in ("column", "named", "moreau"):
    run("run", name + ".yaml", "-o", name + ".h5")
with h5py.File("column.h5") as f, h5py.File("named.h5") as g, h5py.File("moreau.h5") as m:
    check(f["impacts/time"].shape[0] > 10, "many impacts", f["impacts/time"].shape)
    check((numpy.diff(f["impacts/time"][()]) >= 0).all(), "impacts in order")
    check((f["particles/beads/velocity/value"][()] == g["particles/beads/velocity/value"][()]).all(), "lzb by name")
    check((f["impacts/force"][()] == g["impacts/force"][()]).all(), "forces by name")
    check(m["impacts/time"].shape == (0,), "moreau has no time inside")
    kinetic = f["observables/ledger/kinetic/value"][()]
    stored = f["observables/ledger/stored/value"][()]
    check((numpy.diff(kinetic + stored - f["observables/ledger/work/value"][()]) < 1e-9).all(), "energy never grows")
said = run("run", "column.yaml", "-o", "tiny.h5", "--set", "run.impact_work=0.001", "--set", "run.impact_tol=1e-13", code=5)
check("does not end" in said or "again and again" in said, said)

# an impact that is far longer than the run's interval: so many forces and no more, unless their distance is given
if EVERY:
    write("row.yaml", "units: none\ntheory: lzb\nbodies: [chain: {count: 300}]\ncontacts: {law: hertz}\n"
          "start: [{body: 1, velocity: 1}]\nrun: {until: 0.01}\nrecord: {every: 1e-4}\n")
    said = run("run", "row.yaml", "-o", "row.h5")
    check("only the first 40000" in said and "impact_every" in said, said)
    check("only the first" not in run("run", "row.yaml", "-o", "all.h5", "--set", "record.impact_every=0.05"), "all is kept")
    with h5py.File("row.h5") as f, h5py.File("all.h5") as g:
        check(4000000 <= f["impacts/force"].shape[0] < 4000300, "bounded", f["impacts/force"].shape)
        check(f["impacts/force"]["time"][-1] < 0.5 * f["impacts/duration"][0], "the first ones")
        check(g["impacts/force"]["time"].max() > 200.0, "to the end", g["impacts/force"]["time"].max())
        check((f["particles/beads/velocity/value"][-1] == g["particles/beads/velocity/value"][-1]).all(), "the same motion")
end()
