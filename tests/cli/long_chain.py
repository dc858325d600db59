"""A row so long that its pilots may not be compared at every step: they are where there is time to, and the run is that of a
short row, whose far end the pulse does not reach either."""
import os
import re
import subprocess

import h5py

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]


def run(name, count):
    with open(name + ".yaml", "w") as file:
        file.write(f"""units: none
bodies: [chain: {{count: {count}}}]
start: [{{body: 1, velocity: 1}}]
run: {{until: 1}}
record: {{times: [0.5, 1]}}
""")
    done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5")], capture_output=True, text=True, timeout=250)
    if not check(done.returncode == 0, name, count, done.stderr):
        return None
    stated = re.search(r"^error +about (\S+) of", done.stdout, re.M)
    with h5py.File(name + ".h5") as file:
        return float(stated.group(1)), file["particles/beads/velocity/value"][:]


short, long = run("short", 100), run("long", 130000)
if short and long:
    near(abs(long[1][:, :100] - short[1]).max(), 0, 2e-6, "to the tolerance of both")
    near(long[0], short[0], 0.7 * short[0], "stated alike")
    near(long[1][-1].sum(), 1, 1e-5, "the momentum of the striker")
end(4)
