"""The chains of Nguyen and Brogliato 2011 as scenes, measured by carom pulse: what they say to look at, and the numbers of the
report that pulses decide, as an independent program found them (the report's own digits are fewer)."""
import csv
import glob
import os
import subprocess

import h5py
import numpy

from checks import near, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
for old in glob.glob("*.h5"):
    os.remove(old)


def run(scene, *settings, name=None):
    path = (name or scene) + ".h5"
    subprocess.run([CAROM, "run", "-q", os.path.join(SOURCE, "scenes", "lzb", scene + ".yaml"), "-o", path,
                    *[word for setting in settings for word in ("--set", setting)]], check=True)
    return path


def pulse(path, *options):
    subprocess.run([CAROM, "pulse", "-q", path, "--no-keep", "--csv", "table.csv", *options], check=True)
    with open("table.csv") as file:
        return [{key: value if key in ("place", "kind") else float(value) for key, value in row.items()}
                for row in csv.DictReader(file)]


def at_end(path):
    with h5py.File(path, "r") as file:
        return file["particles/beads/velocity/value"][-1]


# section 4: the last ball over the striker
for es, ratio in ((0.947, 2.652), (0.955, 2.803), (0.965, 2.999)):
    for theory in ("lzb", "compliant"):
        near(at_end(run("tapered", f"contacts.es={es}", f"theory={theory}"))[-1], ratio, 0.001, "tapered", es, theory)

# section 5: wall and chain; (38) holds for equal beads, in tapers the ratio of the peaks is larger
for es, expected in ((1.0, (1.943, 1.087, 1.018)), (0.965, (1.934, 1.089, 1.018))):
    free = run("melo", f"contacts.es={es}", "bodies.2.chain.count=19", "bodies.3.chain={count: 1, radius: 13 mm, material: ball}")
    wall = run("melo-wall", f"contacts.es={es}", "bodies.2.chain.count=9", "bodies.3.chain={count: 1, radius: 13 mm, material: ball}")
    a, b = pulse(wall, "--contact", "wall")[0], pulse(free, "--contact", "11")[0]
    for key, ratio in zip(("peak", "width", "time"), expected):
        near(a[key] / b[key], ratio, 0.0007, "wall over chain", es, key)
for scene, beads, ratio in (("melo", 10, 2.185), ("steep", 8, 2.346)):
    chain = pulse(run(scene), "--contact", str(17 + beads))[0]
    wall = pulse(run(scene + "-wall", f"bodies.3.chain.count={beads}"), "--contact", "wall")[0]
    near(wall["peak"] / chain["peak"], ratio, 0.001, scene, "with a wall after", beads)
    rows = pulse(scene + ".h5", "--contact", "17-26")
    near(min(b["speed"] - a["speed"] for a, b in zip(rows[1:], rows[2:])) > 0.0, True, 0, scene, "the wave speeds up")

# section 6: the force at the step over the incident one, and the train
rows = pulse(run("stepped-25"), "--contact", "5,7,8")
near(rows[2]["peak"] / rows[0]["peak"], 0.308, 0.001, "interface over incident, contact 4 of the report")
near(rows[2]["peak"] / rows[1]["peak"], 0.315, 0.001, "interface over incident, contact 6 of the report")
train = pulse("stepped-25.h5", "--contact", "wall", "--train")
near(train[0]["peak"], 64.42, 0.01, "first of the train")
near(train[7]["peak"], 3.13, 0.01, "eighth of the train")
lossy = run("stepped-25", "contacts.es=0.98", "bodies.1.striker.velocity=0.4")
rows = pulse(lossy, "--contact", "5,8")
near(rows[1]["peak"], 22.6, 0.05, "interface force, es = 0.98")
near(rows[1]["peak"] / rows[0]["peak"], 0.298, 0.001, "its ratio")
near(pulse(run("stepped-0"), "--contact", "wall")[0]["peak"], 110.31, 0.01, "the large section alone")
near(pulse(run("stepped-50"), "--contact", "wall")[0]["peak"], 64.46, 0.01, "50 small beads")

# section 7: table 1, the shift, the secondary wave
for beads, peaks, advance in ((25, (8.51, 6.47), 31.7e-6), (26, (11.55, 8.78), 29.8e-6)):
    alone = pulse(run(f"one-wave-{beads}"), "--contact", "9,17")
    near(alone[0]["peak"], peaks[0], 0.005, beads, "bead 9")
    near(alone[1]["peak"], peaks[1], 0.005, beads, "bead 17")
    met = pulse(run(f"two-waves-{beads}"), "--contact", "17", "--wave", "2")[0]
    near(alone[1]["time"] - met["time"], advance, 0.05e-6, beads, "advance")
small = pulse("two-waves-26.h5", "--contact", "9,17", "--wave", "3")
near(small[0]["peak"], 0.322, 0.001, "secondary wave at bead 9")
near(small[1]["peak"], 0.305, 0.001, "secondary wave at bead 17")
near(max(row["waves"] for row in pulse("two-waves-25.h5", "--contact", "9,17")), 2, 0, "25 beads have none")

# appendix A: velocities at the end; frozen and moving agree where no contact closes twice
for scene, last in (("elastic-20", 0.98567918), ("tapered-20", 3.71234717)):
    frozen, moving = at_end(run(scene)), at_end(run(scene, "theory=compliant", name="moving"))
    near(frozen[-1], last, 1e-7, scene)
    near(abs(frozen - moving).max(), 0.0, 2e-8, scene, "lzb against compliant")
near(abs(at_end(run("inelastic-20")) * 21.0 - 1.0).max(), 0.0, 1e-6, "all beads at V / 21")
end()
