"""Beads and contacts recorded by choice: the numbers are those of a run that keeps all, resumed or not, and nothing else is
kept of the bodies."""
import os
import subprocess

import h5py

from checks import check, end

carom = os.environ["CAROM"]
SCENE = """units: none
bodies: [wall: {side: left}, chain: {count: 6}]
contacts: {law: kuwabara-kono, gamma: 0.05}
start: [{body: 1, velocity: 1}]
run: {until: 8, checkpoint: 0.001}
record: {every: 0.05%s}
"""


def run(name, more):
    with open(name + ".yaml", "w") as file:
        file.write(SCENE % more)
    subprocess.run([carom, "run", name + ".yaml", "-q", "-o", name + ".h5", "--csv", name + ".csv"], check=True)
    return h5py.File(name + ".h5")


all_, some = run("all", ""), run("some", ", beads: [2, 6], contacts: [0, 5]")
for name, path, column in [("u_2", "particles/beads/displacement", 1), ("v_2", "particles/beads/velocity", 1), ("u_6", "particles/beads/displacement", 5),
                           ("contact_force_0", "observables/contacts/force", 0), ("contact_force_5", "observables/contacts/force", 5)]:
    a, b = all_[path + "/value"][:, column], some[f"observables/chosen/{name}/value"][()]
    check((a == b).all(), name, a, b)
check("displacement" not in some["particles/beads"] and "contacts" not in some["observables"], "more is kept than was chosen")
check(len(some["episodes/contact"]) == len(all_["episodes/contact"]), "the book knows all contacts")
head = open("some.csv").readline().strip().split(",")
check({"u_2", "v_2", "u_6", "v_6", "contact_force_0", "contact_force_5"} < set(head), "columns", head)

# from and to hold for the usual samples, too, those while contacts act among them
SCENE = SCENE.replace("{every: 0.05%s}", "{%s}")
for name, keys, low, high in (("late", "from: 2, to: 3", 2, 3), ("tail", "from: 6", 6, 8), ("head", "to: 1", 0, 1)):
    times = run(name, keys)["observables/ledger/kinetic/time"][()]
    check(low <= times[0] < low + 0.02 and high - 0.02 < times[-1] <= high and len(times) > 200, keys, times[[0, -1]], len(times))
said = subprocess.run([carom, "check", "some.yaml"], capture_output=True, text=True).stdout
check(": u_2, v_2, u_6, v_6, contact_force_0, contact_force_5" in said, said)
end()
