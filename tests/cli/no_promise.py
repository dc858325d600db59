"""A run that promises nothing from some moment on says so in its summary, and so does its file: `carom show`, `carom compare` and
the page say the same sentence, also where the run was resumed. Files without it are read as before."""
import os
import re
import subprocess

import h5py

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def carom(*words):
    done = subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, words, done.stderr)
    return done.stdout


def sentence(text):
    """the sentence, without what stands before it"""
    found = re.search(r"NO PROMISE[^\n\"]*", text)
    return found[0] if found else ""


def scene(name, text):
    with open(name + ".yaml", "w") as file:
        file.write("units: none\n" + text)
    return carom("run", name + ".yaml", "-o", fresh(name + ".h5"))


# a box that slides into a peg: Coulomb's law does not say how its corner slips on
PEG = """theory: nonsmooth
gravity: [3.3552, -9.2184]
bodies:
  - box: {at: [-0.5, 0.1], size: [0.1, 0.2], mass: 1}
  - plane: {at: [0, 0], normal: [0, 1]}
  - disc: {at: [0.1, 0.005], radius: 5e-3, fixed: true}
contacts: {law: rigid, e: 0, mu: 0.2}
run: {until: %g, scheme: event, tol: 1e-8}
record: {every: 0.1, probes: [u, v]}
"""
said = sentence(scene("peg", PEG % 1))
check(said.startswith("NO PROMISE after t = 0.849193: Coulomb's law does not say how contact 2 (bodies 1 and 2, corner 2) slips on"), said)
check(sentence(carom("show", "peg.h5")) == said, carom("show", "peg.h5"))
carom("report", "peg.h5", "-o", "peg.html")
with open("peg.html") as file:
    check(said in file.read(), "page", said)
check(said in carom("compare", "peg.h5", "peg.h5"), "compare")
check(sentence(carom("resume", "peg.h5", "--until", "1.1")) == said, "resumed")
check(sentence(carom("show", "peg.h5")) == said, "the file of a run that was resumed")

# a run that ends before has nothing to say, nor has an older file; one that goes on from before it finds it
check(sentence(scene("early", PEG % 0.8)) == "" and sentence(carom("show", "early.h5")) == "", "nothing yet")
check(sentence(carom("resume", "early.h5", "--until", "1")).startswith("NO PROMISE after t = 0.849"), "found on the way")
with h5py.File("peg.h5", "a") as file:
    check(file["parameters/no_promise/why"][()] == 3, "why")
    del file["parameters/no_promise"]
check(sentence(carom("show", "peg.h5")) == "", "an older file")

# a disc that comes to rest between two others by impacts in turn: where gaps are smaller than errors both strike it together. Runs
# did not say so, and were 5e-4 off
said = sentence(scene("turns", """theory: nonsmooth
gravity: [0, -5.10714]
bodies:
  - disc: {at: [0.136535, 0.6], radius: 0.467456, mass: 0.752266, velocity: [-0.117483, -0.983258]}
  - disc: {at: [1.206086, 1.75], radius: 0.367811, mass: 1.549364, velocity: [-0.296321, -0.799185]}
  - disc: {at: [0.215984, 2.9], radius: 0.420889, mass: 0.97922, velocity: [0.398557, -1.072993]}
  - disc: {at: [0.9167780000000001, 4.05], radius: 0.454526, mass: 0.511621, velocity: [0.369929, -1.512605]}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0.037388, mu: 0.409973}
run: {until: 0.69, tol: 1e-6, scheme: moreau-adaptive}
"""))
check(re.match(r"NO PROMISE after t = 0.684\d+: contact \d+ \(bodies 1 and 3, place 1\) was struck while contact \d+ \(bodies 3 and 4, place 1\) was open by", said), said)

# chains whose damped forces latch
said = sentence(scene("latch", """bodies:
  - chain: {count: 2, mass: [1, 1], gap: 0.8}
  - wall: {side: right}
contacts: {law: linear-dashpot, k: [20, 1], gamma: 0.6, contact_end: latched}
start: [{bodies: all, velocity: [0.3, 1]}]
run: {until: 10, tol: 1e-6}
"""))
check(said.startswith("NO PROMISE where a damped force") and said == sentence(carom("show", "latch.h5")), said)

end()
