"""Runs of many impacts under the usual samples: a cradle, a ball that bounces until it nearly rests, four balls between
walls. Every impact has a sample where it closes, one no later than a spacing after it has opened and 24 in between, so
that the area under the samples of its force is the impulse in the book. Where half of the samples are taken before the end,
the others are spread over what is left of the run, which the run and its file say."""
import os
import re
import subprocess

import h5py
import numpy

from checks import check, end

carom = os.environ["CAROM"]

SCENES = {
    "cradle": """bodies: [chain: {count: 5, diameter: 2 cm, material: steel, string: 15 cm}]
strings: {angle: large}
contacts: {law: kuwabara-kono, restitution: {e: 0.96, speed: 0.6 m/s}}
start: [{body: 1, angle: -30 deg}]
run: {until: 8 s}
""",
    "bounce": """gravity: -9.81 m/s^2
bodies:
  - wall: {side: left, material: steel, gap: 5 cm}
  - bead: {radius: 1 cm, material: steel}
contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1 m/s}}
run: {until: 2.5 s}
""",
    "rattle": """bodies:
  - wall: {side: left, material: steel, gap: 1 cm}
  - striker: {side: left, velocity: 1 m/s, radius: 1 cm, material: steel, gap: 1 cm}
  - chain: {count: 3, radius: 1 cm, material: steel, gap: 5 mm}
  - wall: {side: right, material: steel, gap: 1 cm}
contacts: {law: kuwabara-kono, restitution: {e: 0.97, speed: 1 m/s}}
run: {until: 2 s}
""",
}

for name, text in SCENES.items():
    with open(name + ".yaml", "w") as file:
        file.write(f"title: {name}\n" + text)
    done = subprocess.run([carom, "run", name + ".yaml", "-q", "-o", name + ".h5"], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as run:
        time, force = run["observables/contacts/force/time"][:], run["observables/contacts/force/value"][:]
        book = {key: run["episodes"][key][:] for key in ("contact", "closed", "opened", "impulse")}
    check(len(book["contact"]) > 80, name, len(book["contact"]))
    spacing = (book["opened"] - book["closed"]).min() / 20
    for contact, closed, opened, impulse in zip(*book.values()):
        if opened == numpy.inf:
            continue
        first, last = numpy.searchsorted(time, [closed, opened])
        check(last - first >= 20, name, closed, "samples", last - first)
        check(time[first] - closed < spacing and time[last] - opened < spacing, name, closed, time[first], opened, time[last])
        over = slice(first - 1, last + 1)
        area = numpy.sum(numpy.diff(time[over]) * (force[over, contact][1:] + force[over, contact][:-1])) / 2
        check(abs(area - impulse) < 0.02 * impulse, name, closed, area, impulse)

long = [subprocess.run([carom, *words], capture_output=True, text=True, timeout=100).stdout
        for words in (("run", "cradle.yaml", "-o", "long.h5", "--set", "until=16 s"), ("show", "long.h5"), ("show", "cradle.h5"))]
said = [re.search(r"after t = (\S+) s samples of closed contacts are further apart", text) for text in long]
check(said[0] and said[1] and said[0][1] == said[1][1] and not said[2], long)
with h5py.File("long.h5") as run:
    time, book = run["observables/contacts/force/time"][:], run["episodes"]
    closed, opened = book["closed"][:], book["opened"][:]
samples = numpy.searchsorted(time, opened) - numpy.searchsorted(time, closed)
fewer, full = samples[closed > float(said[0][1])], samples[opened < float(said[0][1])]
check(full.min() >= 20 and len(fewer) > 100 and 3 <= fewer.min() < 20, full.min(), fewer)

# where the even samples are close enough to show forces, an interval is named all the same
with open("row.yaml", "w") as file:
    file.write("bodies: [chain: {count: 4000, radius: 1 cm, material: steel}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 3 ms}\n")
done = subprocess.run([carom, "run", "row.yaml", "-o", "row.h5"], capture_output=True, text=True, timeout=100)
check("are further apart" in done.stdout and "write record: {every: 2e-06 s, from: " in done.stdout, done.stdout, done.stderr)

# waves that samples show are measured, of the others the book knows the peak
with open("part.yaml", "w") as file:
    file.write(SCENES["cradle"].replace("8 s", "2 s") + "record: {every: 2 us, to: 0.2 s, times: [2]}\n")
for words in (("run", "part.yaml", "-q", "-o", "part.h5"), ("pulse", "part.h5", "--train", "--contact", "1", "-q", "--csv", "part.csv")):
    done = subprocess.run([carom, *words], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, words, done.stderr)
waves = numpy.genfromtxt("part.csv", delimiter=",", names=True)
with h5py.File("part.h5") as run:
    mine = run["episodes/contact"][:] == 0
    peaks = run["episodes/peak_force"][:][mine]
peaks = peaks[peaks >= 0.02 * peaks.max()]
check(len(waves) == len(peaks) > 5 and numpy.allclose(waves["peak"], peaks, rtol=1e-12), waves["peak"], peaks)
check(waves["width"][0] > 0 and numpy.isnan(waves["width"][1:]).all(), waves["width"])
end()
