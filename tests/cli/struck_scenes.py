"""Random bodies that strike each other under moreau-jean with blow poisson and stronge, in plane and space, some on joints: e from 0 to 1, mu from 0 to 2, steps from 1e-4 to
10. Every run ends, or is refused with a sentence that names bodies; neither law creates energy, with forces or without. struck_scenes.py FIRST COUNT takes other seeds."""
import os
import random
import re
import subprocess
import sys

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def scene(seed):
    draw = random.Random(seed)
    space = seed % 2 == 1
    weight = draw.choice([0, 5])
    step = 10 ** draw.uniform(-4, 1)
    bodies, joints = "", ""
    count = draw.randint(1, 4)
    for i in range(count):
        at = [1.3 * i, draw.uniform(0, 0.3), draw.uniform(0.9, 2)] if space else [1.3 * i, draw.uniform(0.9, 2)]
        velocity = [draw.uniform(-3, 3)] + [draw.uniform(-1, 1)] * space + [draw.uniform(-5, 0)]
        angle = draw.choice([0, draw.uniform(-2, 2)])
        turn = "{axis: [1, 2, 0.5], angle: %g}" % angle if space else "%g" % angle
        spin = "[%g, %g, %g]" % tuple(draw.uniform(-4, 4) for _ in range(3)) if space else "%g" % draw.uniform(-4, 4)
        kind = draw.choice(["round", "box", "box", "capsule"])
        what = {"round": "%s: {radius: %g, " % ("sphere" if space else "disc", draw.uniform(0.2, 0.5)),
                "box": "box: {size: %s, turn: %s, " % ([round(draw.uniform(0.2, 0.8), 3) for _ in range(2 + space)], turn),
                "capsule": "capsule: {length: %g, radius: 0.15, axis: %s, " % (draw.uniform(0.3, 0.7), [1, 0.3, 0.2] if space else [1, 0.3])}[kind]
        bodies += "  - %sname: b%d, at: %s, mass: %g, velocity: %s, spin: %s}\n" % (what, i, at, 10 ** draw.uniform(-1, 1), velocity, spin)
    if draw.random() < 0.2:
        bodies += "  - box: {name: swing, at: %s, size: %s, mass: 1}\n" % (([-1.2, 0, 2], [0.8, 0.3, 0.3]) if space else ([-1.2, 2], [0.8, 0.3]))
        joints = "joints: [hinge: {bodies: [swing, world], at: %s%s, limits: [-1, 1]}]\n" % (([-1.6, 0, 2], ", axis: [0, 1, 0]") if space else ([-1.6, 2], ""))
    floor = "  - plane: {at: %s, normal: %s}\n" % (([0, 0, 0], [0, 0, 1]) if space else ([0, 0], [0, 1]))
    return ("units: none\ntheory: nonsmooth\ngravity: %s\nbodies:\n" % ([0] * (1 + space) + [-weight]) + bodies + floor + joints +
            "contacts: {law: rigid, e: %g, mu: %g}\nrun: {until: %g, scheme: moreau-jean, step: %g, blow: %s}\n" % (
                draw.choice([0, 1, draw.random()]), draw.choice([0, 2 * draw.random()]), max(0.6, min(2000 * step, 1)) if step > 1e-3 else 0.6, step,
                draw.choice(["poisson", "stronge", "stronge"])))


first, count = (int(word) for word in (sys.argv[1:3] if len(sys.argv) > 2 else ("20", "20")))
refused = slowest = 0
for seed in range(first, first + count):
    text = scene(seed)
    with open("struck.yaml", "w") as file:
        file.write(text)
    before = os.times()
    done = subprocess.run([CAROM, "run", "struck.yaml", "-o", fresh("struck.h5")], capture_output=True, text=True, timeout=300)
    taken = os.times().children_user - before.children_user
    slowest = max(slowest, taken)
    if len(sys.argv) > 2:
        print("seed %d: %.2f s %s" % (seed, taken, done.stderr.strip()[:200] if done.returncode else " ".join(re.findall("CREATED \\S+", done.stdout))), flush=True)
    if done.returncode:
        refused += 1
        check(re.search("bod(y|ies) \\d+|joint \\d+", done.stderr), "refused", seed, done.stderr)
        continue
    check("CREATED" not in done.stdout, "created", seed, done.stdout)
print("%d of %d refused, the slowest took %.1f s" % (refused, count, slowest))
check(2 * refused <= count, "refused", refused)
end()
