"""Bodies of plane and space in a real browser: pictures move, force chains and cuts change them, keys turn and zoom, few
probes or no WebGL cost what they must and no more, and many spheres stay fluent."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
from pages import page_of  # noqa: E402

LAYER = ("units: none\ngravity: [0, %s -1]\nbodies:\n"
         "  - packing: {name: grains, count: 14, of: %s, radius: 0.5, mass: 1, in: [[0, 0.6%s], [6, 6%s]], seed: 1}\n"
         "  - box: {name: bin, at: [3, 3%s], size: [6.2, 6%s], inside: true}\n"
         "contacts: {law: kuwabara-kono, k: 1000, gamma: 0.02, friction: {law: cundall-strack, mu: 0.4, k_t: 300}}\n"
         "run: {until: 4, scheme: verlet}\nrecord: {every: 0.1%s}\n")
MANY = ("units: none\nbodies:\n  - lattice: {kind: sc, count: [25, 25, 20], radius: 0.5, mass: 1, at: [0, 0, 0]}\n"
        "  - sphere: {at: [12, 12, -1], radius: 0.5, mass: 1, velocity: [0, 0, 1]}\n"
        "contacts: {law: hertz, k: 100}\nrun: {until: 0.1, scheme: verlet, step: 0.05}\nrecord: {every: 0.05, events: false, probes: [position, v, rotation, contacts]}\n")
# nothing but boxes: the lower one is pushed away under the upper one and slides by many times its size
BOXES = ("units: none\ntheory: nonsmooth\ngravity: [0, %s -1]\nbodies:\n  - plane: {at: [0, 0%s], normal: [0, %s 1]}\n"
         "  - box: {at: [0, %s 0.5], size: [1, 1%s], mass: 1, velocity: [4, 0%s]}\n  - box: {at: [0, %s 1.5], size: [1, 1%s], mass: 1}\n"
         "contacts: {law: rigid, e: 0, mu: 0.2}\nrun: {until: 10, scheme: moreau-jean, step: 0.01}\nrecord: {every: 0.1}\n")
# ends while the front, which falls off faster than any exponential, has hardly touched the last beads
FRONT = ("units: none\nbodies: [{chain: {count: 12, mass: 1}}]\ncontacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
         "run: {until: 3, tol: 1e-8}\nrecord: {every: 0.1}\n")

# joints of every kind that the dimension has; at the end of the run the joint points of the page have to be where they hold
JOINTS = ("units: none\ntheory: nonsmooth\ngravity: [0, %s -10]\nbodies:\n" + "".join(
    "  - box: {at: [%g, 0%%s], size: [0.8, 0.2%%s], mass: 1}\n" % (0.5 + i) for i in range(5)) + "joints:\n"
    "  - hinge: {bodies: [1, world], at: [0, 0%s]%s}\n  - %s: {bodies: [2, 1], at: [1, 0%s]}\n  - slider: {bodies: [3, 2], at: [2, 0%s], axis: [1, 0%s], limits: [-0.2, 0.2]}\n"
    "  - weld: {bodies: [4, 3], at: [3, 0%s]}\n  - distance: {bodies: [5, 4], at: [4.2, 0%s], to: [3.8, 0%s]}\n"
    "contacts: {law: rigid, e: 0}\nrun: {until: 1.5, scheme: moreau-jean, step: 0.005}\nrecord: {every: 0.05}\n")
STRUCK = ("units: none\ntheory: solid\nbodies:\n  - solid: {box: {size: [4, 4, 1], cells: [4, 4, 1]}, material: {young: 1, poisson: 0.2, density: 1}}\n"
          "  - sphere: {at: [2, 2, 2.1], radius: 1, mass: 0.5, velocity: [0, 0, -1]}\ncontacts: {law: hertz, k: 4}\nrun: {until: 3}\nrecord: {every: 0.05}\n")
# a box as one mechanism: what is recorded without a word has to move the picture, and angles are no lengths
LINKED = ("theory: nonsmooth\ngravity: [0, -9.81]\nbodies:\n  - plane: {name: floor, at: [0, 0], normal: [0, 1]}\n"
          "  - box: {name: die, at: [0, 0.7], size: [1, 1], turn: 0.4, mass: 1, velocity: [3, 0]}\n"
          "contacts: {law: rigid, e: 0, mu: 0.3}\nrun: {until: 1, tol: 1e-6, scheme: event}\n")
THROWN = ("theory: nonsmooth\ngravity: [0, 0, -9.81]\nbodies:\n  - box: {name: die, at: [0, 0, 0.5], size: [0.1, 0.1, 0.1], mass: 1, velocity: [1, 0, 0], spin: [2, 3, 1]}\n"
          "  - box: {name: bin, at: [0, 0, 0.4], size: [0.8, 0.8, 0.8], inside: true, fixed: true}\n"
          "contacts: {e: 0.6}\nrun: {until: 0.4, tol: 1e-6, scheme: event}\n")
# the first sample comes late, and the energy has halved by then
LATE = ("units: none\nbodies: [wall: {side: left}, chain: {count: 6}]\ncontacts: {law: kuwabara-kono, gamma: 0.05}\n"
        "start: [{body: 1, velocity: 1}]\nrun: {until: 8}\nrecord: {from: 4}\n")

ALL = ", probes: [u, v, position, rotation, spin, contacts, stress, fabric, coordination]"


browser.packages()
browser.chromium()
plane, space = ("", "disc", "", "", "", ""), ("0,", "sphere", ", 0.6", ", 6", ", 3", ", 6.2")
FEW = [(plane, "[v]"), (plane, "[]"), (space, "[contacts]"), (space, "[u]")][::browser.every(2)]
sys.exit(browser.run("bodies.mjs", {
    "plane": page_of("plane", LAYER % (*plane, ALL)), "space": page_of("space", LAYER % (*space, ALL)),
    "few": [page_of("few-%d" % i, LAYER % (*shape, ", probes: %s" % probes))
            for i, (shape, probes) in enumerate(FEW)],
    "boxes": [page_of("boxes-%d" % d, BOXES % (("",) * 8 if d == 2 else ("0,", ", 0", "0,", "0,", ", 1", ", 0", "0,", ", 1"))) for d in (2, 3)[::browser.every(2)]],
    "joints": [page_of("joints-%d" % d, JOINTS % (("", *("", "") * 5, "", "", "hinge", *("",) * 6) if d == 2 else
                                                  ("0,", *(", 0", ", 0.2") * 5, ", 0", ", axis: [0, 1, 0]", "ball", *(", 0",) * 6))) for d in (3, 2)[::browser.every(2)]],
    "struck": page_of("struck", STRUCK), "front": page_of("front", FRONT), "linked": page_of("linked", LINKED),
    "thrown": page_of("thrown", THROWN), "late": page_of("late", LATE), "many": page_of("many", MANY)}))
