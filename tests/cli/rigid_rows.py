"""Long rows of rigid beads under moreau-jean: rates of the size of rounding are none, heaps that a blow comes down are
solved, and what floors and walls give is what momentum says."""
import os
import re
import subprocess

import h5py

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]


def run(name, text):
    with open(name + ".yaml", "w") as file:
        file.write("theory: nonsmooth\nunits: none\n" + text)
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5")], capture_output=True, text=True, timeout=250)
    if not check(done.returncode == 0, name, done.stderr):
        end()
    with h5py.File(name + ".h5") as file:
        force = file["observables/contacts/force/value"][:]
        return done.stdout, force, file["particles/beads/velocity/value"][:], file["particles/beads/displacement/value"][:]


def iterations(text):
    return float(re.search(r"([0-9.]+) Newton iterations a step", text).group(1))


def column(name, count, mass, drop, gap, e, until, g):
    """falls onto the floor, which gives what gravity does but for what still moves; and lies there if it has time to"""
    text, force, v, q = run(name, f"""gravity: {-g}
bodies:
  - wall: {{side: left, gap: {drop}}}
  - chain: {{count: {count}, mass: {mass}, radius: 0.1, gap: {gap}}}
contacts: {{e: {e}}}
run: {{until: {until}, scheme: moreau-jean, step: 1e-3}}
record: {{every: 1e-3, probes: [v, u, contact_force]}}
""")
    given = 1e-3 * force[:, 0].sum()
    near(given / (mass * (v[-1].sum() + count * g * until)), 1, 1e-9, name, "momentum")
    check(iterations(text) < 10, name, text)
    return v, q


# refused before: signs of rounding were sorted until nothing was left but sweeps
v, q = column("column", 1000, 1, 0.2, 0, 0.5, 1.5, 10)
check(abs(v[-1]).max() < 1e-9, "the column lies on the floor")
near(q[-1].max(), -0.2, 2e-3, "as deep as it could fall, and by a part of a step")
# blows come down heaps in which forces are all but balanced
column("heap", 300, 2.57562, 0, 1e-3, 0.8, 0.6, 1)

# one bead strikes a row that touches: it leaves, and nothing is left to solve
for e in (1, 0.9):
    text, force, v, q = run("row", f"""bodies: [chain: {{count: 1000}}]
contacts: {{e: {e}}}
start: [{{body: 1, velocity: 1}}]
run: {{until: 1, scheme: moreau-jean, step: 1e-3}}
record: {{every: 0.1, probes: [v, u, contact_force]}}
""")
    near(v[-1].sum(), 1, 1e-12, "momentum of the row")
    near(v[-1][0], (1 + e) / 1000 - e, 1e-12, "all touch, and Moreau's law turns them about their mean")
    near(abs(v[-1][1:] - (1 + e) / 1000).max(), 0, 1e-12, "likewise")
    check(iterations(text) < 2, e, iterations(text))
end(10)
