"""Impacts with friction never create energy where they are bounded, and Newton's e does."""
import os
import random
import re
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def throw(seed, space):
    """Three thin boxes thrown onto a floor, and at each other."""
    draw = random.Random(seed)
    boxes = ""
    for i in range(3):
        vector = [3 * i if seed % 2 else 1.7 * i, 2] if not space else [1.9 * i, 0, 2]
        size = [draw.uniform(0.05, 1), draw.uniform(0.3, 1.5)] + [0.6] * space
        velocity = [draw.uniform(-4, 4)] + [0.5 * draw.uniform(-1, 1)] * space + [draw.uniform(-4, -1)]
        turn = draw.uniform(-2, 2)
        spin = [draw.uniform(-8, 8) for _ in range(3)]
        boxes += "  - box: {at: %s, size: %s, turn: %s, mass: %g, velocity: %s, spin: %s}\n" % (
            vector, size, "{axis: [1, 2, 0], angle: %g}" % turn if space else turn, draw.uniform(0.2, 3), velocity, spin if space else spin[0])
    floor = "  - plane: {at: %s, normal: %s}\n" % (("[0, 0, 0]", "[0, 0, 1]") if space else ("[0, 0]", "[0, 1]"))
    contacts = "contacts: {law: rigid, e: %g, mu: %g}\n" % (draw.uniform(0.5, 1), draw.uniform(0.5, 2))
    return "units: none\ntheory: nonsmooth\nbodies:\n" + boxes + floor + contacts + "run: {until: 2, scheme: moreau-jean, step: 2e-3}\n"


def created(name, *words):
    done = carom("run", name, "-o", "thrown.h5", *words)
    check(done.returncode == 0, name, words, done.stderr)
    found = re.search(r"CREATED (\S+)", done.stdout)
    return float(found.group(1)) if found else 0.0


printed = 0
for seed in range(24):
    with open("thrown.yaml", "w") as file:
        file.write(throw(seed, seed % 6 == 5))
    printed += created("thrown.yaml") > 0
    check(created("thrown.yaml", "--set", "run.bounded=true") == 0, "bounded", seed)
check(printed > 0, "Newton's e creates energy somewhere", printed)

with open("rows.yaml", "w") as file:
    file.write("units: none\ntheory: nonsmooth\nbodies: [chain: {count: 3, radius: 1}]\nrun: {until: 1, scheme: moreau-jean, step: 0.01, bounded: true}\n")
done = carom("run", "rows.yaml", "-q")
check(done.returncode != 0 and "bounded is for" in done.stderr, "rows", done.stderr)
end()
