"""What people met in their first hour, in a real browser: waves in contacts that stay closed, colours of materials, sweeps with values of
both signs, bodies that turn in comparisons, rods beside solids, names of the scene, sensors."""
import csv
import os
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
from pages import page_of, task_of  # noqa: E402

BEADS = ("units: si\nbodies:\n  - striker: {side: left, velocity: 1 m/s, radius: 8 mm, material: steel}\n" + "".join(
    "  - chain: {count: 2, radius: 8 mm, material: %s}\n" % name for name in ("brass", "nylon", "copper")) +
    "contacts: {law: hertz}\nrun: {until: 1 ms, tol: 1e-6}\n")
PAIR = ("units: none\nbodies:\n  - chain: {mass: [1, 1]}\ncontacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
        "run: {until: 20, tol: 1e-6}\n")
CRADLE = ("bodies: [chain: {count: 5, diameter: 2 cm, material: steel, string: 12 cm}]\nstrings: {angle: large}\n"
          "contacts: {law: kuwabara-kono, restitution: {e: 0.97, speed: 1 m/s}}\nstart: [{body: 1, angle: -30 deg}]\nrun: {until: 1 s}\n")
DIE = ("theory: nonsmooth\ngravity: [0, -9.81]\nbodies:\n  - plane: {name: floor, at: [0, 0], normal: [0, 1]}\n"
       "  - box: {name: die, at: [0, 0.9], size: [1, 1], turn: 0.4, mass: 1, velocity: [3, 0]}\n"
       "contacts: {law: rigid, e: 0.2, mu: 0.3}\nrun: {until: 1.5, tol: 1e-6, scheme: event}\n")
# a ball is fastest for an instant, between thousands of samples
LANDS = "gravity: [0, -9.81]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1], material: steel}\n  - disc: {diameter: 2 cm, thickness: 1 cm, material: steel, at: [0, 3 cm]}\n" \
        "  - disc: {diameter: 2 cm, thickness: 1 cm, material: steel, at: [0, 6 cm]}\nrun: {until: 0.2 s, scheme: verlet}\n"


def study(name, text, *arguments):
    """The page of a study of a scene."""
    with open(name + ".yaml", "w") as file:
        file.write(text)
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    browser.carom(arguments[0], name + ".yaml", *arguments[1:], "-o", name + ".h5", "-q")
    browser.carom("report", name + ".h5", "-o", name + ".html", "-q")
    return os.path.abspath(name + ".html")


browser.packages()
browser.chromium()
chain, hammer, sensors = (page["file"] for page in task_of(["composite.yaml", "solid-hammer.yaml", "sensors.yaml"])["pages"])
compared = study("die", DIE, "compare", "--theories", "nonsmooth:event,nonsmooth:moreau-jean", "--no-timing")
thrown = page_of("thrown", DIE.replace("tol: 1e-6, scheme: event", "step: 1e-3"))
page_of("event", DIE)
if os.path.exists("files.h5"):
    os.remove("files.h5")
browser.carom("compare", "event.h5", "thrown.h5", "-o", "files.h5", "-q")
browser.carom("report", "files.h5", "-o", "files.html", "-q")
beads = page_of("beads", BEADS)
browser.carom("pulse", "beads.h5", "--wave", "largest", "--csv", "beads.csv", "-q")
with open("beads.csv") as file:
    widths = {"contact " + row["place"]: float(row["width"]) for row in csv.DictReader(line for line in file if not line.startswith("#"))}
sys.exit(browser.run("newcomers.mjs", {
    "chain": chain, "hammer": hammer, "sensors": sensors, "beads": beads, "widths": widths,
    "sweep": study("pair", PAIR, "sweep", "--over", "bodies.1.chain.mass.2=0.2,1,3", "--over", "start.1.velocity=0.5,1", "--outputs", "v_1"),
    "lands": page_of("lands", LANDS), "blows": page_of("blows", CRADLE + "record: {every: 0.25 ms}\n"), "compare": compared, "cradle": page_of("cradle", CRADLE), "files": os.path.abspath("files.html"), "thrown": thrown}))
