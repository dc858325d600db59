# A rigid box on a plane is the machine sliding-block: thrown and tilted, it strikes, rocks and slides the same way
# under moreau-jean, though neither contacts, nor their geometry, nor the solver of their problems are the same code.
import os
import subprocess

import h5py
import numpy

from checks import check, end

carom = os.environ["CAROM"]
machine = """theory: nonsmooth
bodies: [mechanism: {kind: sliding-block, mass: 1 kg, width: 0.5 m, height: 1.2 m, gravity: 9.81}]
contacts: {e: E, mu: 0.45}
start:
  - {body: 1, velocity: 1.5}
  - {body: 2, displacement: 0.3, velocity: 0.5}
  - {body: 3, displacement: 0.3, velocity: -0.7}
run: {until: 2 s, scheme: moreau-jean, step: 2 ms}
record: {every: 20 ms, probes: [u, v]}
"""
box = """theory: nonsmooth
gravity: [0, -9.81]
bodies:
  - box: {at: [0, 0.9], size: [0.5, 1.2], mass: 1, turn: -0.3, velocity: [1.5, 0.5], spin: 0.7}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: E, mu: 0.45}
run: {until: 2 s, scheme: moreau-jean, step: 2 ms}
record: {every: 20 ms, probes: [u, v, rotation, spin]}
"""


def run(scene, e, name):
    with open(name + ".yaml", "w") as file:
        file.write(scene.replace("E", str(e)))
    subprocess.run([carom, "run", "--quiet", name + ".yaml", "-o", name + ".h5"], check=True)
    return h5py.File(name + ".h5", "r")


for e in (0, 0.1, 0.5):
    with run(machine, e, "machine") as one, run(box, e, "box") as two:
        u, v = (one["particles/mechanism/" + item + "/value"][:].reshape(-1, 3) for item in ("displacement", "velocity"))
        item = lambda name: two["particles/bodies/" + name + "/value"][:, 0].reshape(len(u), -1)
        place = numpy.hstack([item("displacement") + [0.0, 0.3], 0.3 - item("rotation")])
        speed = numpy.hstack([item("velocity"), -item("spin")])
        apart, faster = abs(place - u).max(), abs(speed - v).max()
        print(f"e = {e}: places apart by {apart:.1e}, speeds by {faster:.1e}")
        check(apart < 1e-9 and faster < 1e-8, f"e = {e}: a box is not the machine: {apart}, {faster}")
        check(abs(u[:, 2]).max() > 0.2 and abs(v[-1]).max() < 1.0, "it does not rock and come to rest")
end()
