"""Bodies in guides so flat that friction holds them against what an impact has stored, along its path, under scheme event: the impact is over when they have
come to rest, and friction has taken mu / (mu + s) of what they had, s the slope of the guide; in plane and space, by one contact and by two."""
import os
import subprocess

import h5py

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
SLOPE = 0.4
PLANE = "gravity: [0, -10]\nbodies:\n  - %s\n  - plane: {at: [0, 0], normal: [0, 1]}\njoints:\n  - slider: {bodies: [1, world], at: [0, 0.5], axis: [-1, 0.4]}\n"
SPACE = "gravity: [0, 0, -10]\nbodies:\n  - %s\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n" \
        "joints:\n  - slider: {bodies: [1, world], at: [0, 0, 0.5], axis: [0, -1, 0.4]}\n"
BODIES = {"disc": PLANE % "disc: {at: [0, 0.5], radius: 0.2, mass: 0.3}",
          "box of the plane": PLANE % "box: {at: [0, 0.5], size: [0.4, 0.4], mass: 0.3}",
          "ball": SPACE % "sphere: {at: [0, 0, 0.5], radius: 0.2, mass: 0.3}",
          "box on an edge": SPACE % "box: {at: [0, 0, 0.5], size: [0.5, 0.4, 0.4], turn: {axis: [1, 0, 0], angle: 0.78539816339744831}, mass: 0.3}",
          "box on a face": SPACE % "box: {at: [0, 0, 0.5], size: [0.5, 0.3, 0.4], mass: 0.3}"}


def run(name, text, law, friction):
    """Energy in motion and taken by friction at the end, as parts of what gravity has given."""
    with open("jam.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\n%scontacts: {law: rigid, e: 0.5, %s}\nrun: {until: 1.2, scheme: event, tol: 1e-8, impact: %s}\n"
                   "record: {every: 0.1}\n" % (text, friction, law))
    done = subprocess.run([CAROM, "run", "jam.yaml", "-o", fresh("jam.h5")], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, name, law, friction, done.stderr)
    with h5py.File("jam.h5") as file:
        ledger = file["observables/ledger"]
        fallen = -ledger["stored/value"][()][-1]
        return ledger["kinetic/value"][()][-1] / fallen, ledger["mechanism/friction/value"][()][-1] / fallen


for name, text in BODIES.items():
    for law in "poisson", "stronge":
        for mu, more in (0.6, ""), (0.3, ", mu_static: 0.5"):
            kinetic, friction = run(name, text, law, "mu: %g%s" % (mu, more))
            off = max(kinetic, abs(friction - mu / (mu + SLOPE)))
            print("%-20s %-8s mu %g%s: off by %.1e" % (name, law, mu, more, off), flush=True)
            check(off < 1e-9, name, law, mu, more, kinetic, friction)
# a cone that does not hold lets go: it springs back
kinetic, friction = run("ball", BODIES["ball"], "stronge", "mu: 0.3")
check(friction > 0.01 + 0.3 / (0.3 + SLOPE), "springs back", kinetic, friction)
end()
