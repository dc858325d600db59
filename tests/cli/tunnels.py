"""Fast bodies and long steps under moreau-jean: whoever would go through a thin body in one step is seen, the step is cut, and they meet."""
import itertools
import os
import subprocess

import h5py

from checks import check, end, fresh, some

CAROM = os.environ["CAROM"]


def carom(bodies, step, until, e):
    with open("scene.yaml", "w") as file:
        file.write("units: none\ntheory: nonsmooth\nbodies:\n%scontacts: {law: rigid, e: %g, mu: 0}\n" % ("".join("  - %s\n" % b for b in bodies), e)
                   + "run: {until: %g, scheme: moreau-jean, step: %g}\nrecord: {every: %g, probes: [position, v]}\n" % (until, step, until))
    return subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("scene.h5"), "-q"], capture_output=True, text=True, timeout=60)


def run(bodies, step, until=0.1, e=0.5):
    done = carom(bodies, step, until, e)
    check(done.returncode == 0, bodies, done.stderr)
    with h5py.File("scene.h5") as file:
        return file["particles/bodies/velocity/value"][-1], file["/events/time"].shape[0]


THIN = ["box: {at: [0, 0], size: [0.1, 2], fixed: true}", "capsule: {at: [0, 0], length: 2, radius: 0.05, axis: [0, 1], fixed: true}",
        "compound: {at: [0, 0], fixed: true, parts: [box: {at: [0, 0.6], size: [0.1, 1.2]}, box: {at: [0, -0.6], size: [0.1, 1.2]}]}"]
BALLS = ["disc: {at: [%g, 0.01], radius: 0.05, mass: 1, velocity: [100, 0]}", "box: {at: [%g, 0.01], size: [0.1, 0.1], mass: 1, velocity: [100, 0]}"]
for wall, step, start, ball in some(itertools.product(THIN, (0.03, 0.01, 0.004), (-5.03, -4.6, -4.3), BALLS), 5):
    v, events = run([ball % start, wall], step)
    check(v[0][0] < 0.0 and events > 0, wall, step, start, ball, v[0])
# two small spheres that fly at each other
v, events = run(["sphere: {at: [-5, 0, 0], radius: 0.05, mass: 1, velocity: [100, 0, 0]}",
                 "sphere: {at: [5, 0, 0], radius: 0.05, mass: 1, velocity: [-100, 0, 0]}"], 0.01)
check(abs(v[0][0] + 50) < 1e-9 and events > 0, "spheres", v[0])
# those that miss each other keep their steps
v, events = run(["disc: {at: [-5, 0.3], radius: 0.05, mass: 1, velocity: [100, 0]}", "disc: {at: [0, 0], radius: 0.05, fixed: true}"], 0.01)
check(v[0][0] == 100 and events == 0, "a miss", v[0])
# walls that fill all behind them: whatever flies at them stays before them, to a part of its own size; and boxes that are
# met on ways of many thousand times what they are thick
SMALL = ["disc: {at: [0, 0.1], radius: 0.01, mass: 1, velocity: [%g, 0]}", "box: {at: [0, 0.1], size: [0.02, 0.02], turn: 0.3, mass: 1, velocity: [%g, 0]}",
         "polygon: {at: [0, 0.1], points: [[0, 0], [0.02, 0], [0.005, 0.02]], turn: 0.3, mass: 1, velocity: [%g, 0]}",
         "capsule: {at: [0, 0.1], radius: 0.01, length: 0.02, mass: 1, velocity: [%g, 0]}"]
WALLS = ["plane: {at: [1, 0], normal: [-1, 0]}", "box: {at: [0, 0], size: [2, 2], inside: true, fixed: true}", "box: {at: [1.01, 0], size: [0.02, 1], fixed: true}"]
FLOOR = "plane: {at: [0, 0, 0], normal: [0, 0, 1]}"
for body, wall, fast in some(itertools.product(SMALL, WALLS, (37, 100, 2e4, 1e5)), 5):
    v, events = run([body % fast, wall], 0.01, e=0)
    with h5py.File("scene.h5") as file:
        x = file["particles/bodies/position/value"][-1][0]
    check(x[0] < 1 and v[0][0] < 0.1 * fast and events > 0, wall, body, fast, x, v[0])
v, events = run(["sphere: {at: [0, 0.1, 0.1], radius: 0.01, mass: 1, velocity: [2e4, 0, 0]}", "box: {at: [1, 0, 0], size: [0.02, 1, 1], fixed: true}"], 0.01)
check(v[0][0] == -1e4 and events == 1, "space", v[0])
# in space shorter steps are needed, in which a box that a corner has set spinning does not turn round and round
for wall in ("plane: {at: [1, 0, 0], normal: [-1, 0, 0]}", "box: {at: [1.01, 0, 0], size: [0.02, 1, 1], fixed: true}"):
    run(["box: {at: [0, 0.1, 0.1], size: [0.02, 0.03, 0.02], turn: {axis: [1, 2, 3], angle: 0.7}, mass: 1, velocity: [37, 0, 0]}", wall], 1e-3, e=0)
    with h5py.File("scene.h5") as file:
        x = file["particles/bodies/position/value"][-1][0]
    check(0.9 < x[0] < 1, "a box in space", wall, x)
# bodies that spin by many radians in a step fly as they would, until they come down; steps are cut
for body, height in (("box: {size: [0.5, 0.8, 0.3]", 0.6), ("capsule: {length: 1, radius: 0.2, axis: [1, 0.3, 0.2]", 0.8)):
    for spin in (40, 900, 2e4):
        v, events = run([body + ", at: [0, 0, 1.5], mass: 1, velocity: [0, 0, -1], spin: [%g, %g, %g]}" % (0.6 * spin, -0.64 * spin, 0.48 * spin), FLOOR], 0.01, 0.1, e=0)
        check(events == 0 and v[0][2] == -1, "in flight", body, spin, v[0], events)
    for spin in (40, 900):
        v, events = run([body + ", at: [0, 0, 1.1], mass: 1, velocity: [0, 0, -3], spin: [%g, %g, %g]}" % (0.6 * spin, -0.64 * spin, 0.48 * spin), FLOOR], 0.01, 0.3, e=0)
        with h5py.File("scene.h5") as file:
            z = file["particles/bodies/position/value"][-1][0][2]
        check(events > 0 and z > 0.1, "landed", body, spin, z, events)
# ways on which rounding hides the wall are refused
done = carom([SMALL[0] % 1e12, WALLS[2]], 0.01, 0.1, 0)
check(done.returncode == 5 and "bodies 1 and 2 might pass through each other in a step of 0.01 at t = 0; take a smaller one" in done.stderr, done)
end()
