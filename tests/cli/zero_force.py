"""Moments in which the force of a closed contact passes 0: where the formula of a linear dashpot says, whichever scheme looks and
whichever way the contact ends; none without damping, and none unless they are asked for."""
import math
import os
import subprocess

import h5py

from checks import check, end

carom = os.environ["CAROM"]
SCENE = """units: none
bodies: [chain: {count: 2}]
contacts: {law: linear-dashpot, gamma: %g, contact_end: %s}
start: [{body: 1, velocity: 1}]
run: {until: 8, %s}
record: {zero_force: %s}
"""


def moments(gamma, ending, run, asked="true"):
    with open("one.yaml", "w") as file:
        file.write(SCENE % (gamma, ending, run, asked))
    subprocess.run([carom, "run", "one.yaml", "-q", "-o", "one.h5"], check=True)
    with h5py.File("one.h5") as f:
        return [t for t, kind in zip(f["events/time"], f["events/kind"]) if kind == 5]


gamma = 0.3  # k = 1, masses 1: d = sin(w t) exp(-gamma t) / w, and the force is d + gamma d'
w = math.sqrt(2 - gamma ** 2)
zero = (math.pi - math.atan(gamma * w / (1 - gamma ** 2))) / w
# The book looks at the cubic of the overlap over a step: dp5's are about 0.1 long here, and the cubic is off by h^4 / 384 of the
# fourth derivative. Fixed steps are looked at every 0.05, and with contact_end: force the motion has a corner between two looks.
for run, smooth, corner in (("tol: 1e-9", 3e-7, 1e-7), ("scheme: verlet, step: 0.001", 2e-6, 5e-5)):
    for ending, within in (("gap", smooth), ("force", corner)):
        found = moments(gamma, ending, run)
        check(len(found) == 1 and abs(found[0] - zero) < within, run, ending, found, zero)
check(moments(0, "gap", "tol: 1e-9") == [], "without damping the force is 0 only where the contact opens")
check(moments(gamma, "gap", "tol: 1e-9", "false") == [], "not asked for")
moments(gamma, "gap", "tol: 1e-9")
said = subprocess.run([carom, "export", "one.h5", "--csv", "--events", "-o", "events.csv"], capture_output=True, text=True)
check("zero_force" in open("events.csv").read(), said)
end()
