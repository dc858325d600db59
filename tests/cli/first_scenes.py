"""A crystal that many pilots would be flown for takes verlet unless a tol is written, and says so. Three scenes as a newcomer writes them from the manual: a cradle pulled by 30 degrees, a tapered chain of brass and nylon
with a measured push, a ball dropped on three resting balls. Each is right at the first attempt, and the forces of its
book and of its samples are within 1 % of a run whose samples are far finer than its contacts."""
import os
import re
import subprocess

import h5py
import numpy

from checks import EVERY, check, end

carom = os.environ["CAROM"]

SCENES = {
    "cradle": ("""title: Five balls on strings, let go at 30 degrees
bodies: [chain: {count: 5, diameter: 22 mm, material: steel, string: 12 cm}]
strings: {angle: large}
contacts: {law: kuwabara-kono, restitution: 0.97}
start: [{body: 1, angle: -30 deg}]
run: {until: 200 ms, tol: 1e-5}
""", 176e-3, 178e-3),
    "taper": ("""title: Brass, then nylon, pushed as measured
bodies:
  - chain: {count: 10, diameter: 20 mm, material: brass, taper: {diameter: 10 mm}}
  - chain: {count: 10, diameter: 10 mm, material: nylon}
  - wall: {side: right, material: steel}
loads: [{body: 1, force: {shape: table, file: push.csv}}]
run: {until: 2 ms}
""", 0, 2e-3),
    "drop": ("""title: A ball dropped on three resting balls
bodies:
  - wall: {side: left, material: steel}
  - chain: {count: 3, diameter: 2 cm, material: steel}
  - bead: {diameter: 2 cm, material: steel, gap_before: 5 cm}
gravity: -9.81 m/s^2
contacts: {law: kuwabara-kono, restitution: 0.9}
run: {until: 105 ms}
""", 100e-3, 105e-3),
}


def run(*arguments):
    done = subprocess.run([carom, *arguments], capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, arguments, done.stderr)
    return done.stdout


with open("push.csv", "w") as file:
    file.write("time (us),force (N)\n0,0\n25,11\n50,20\n75,12\n100,0\n")
for name, (text, since, until) in SCENES.items():
    with open(name + ".yaml", "w") as file:
        file.write(text)
    run("run", name + ".yaml", "-q", "-o", name + ".h5")
    fine = (until - since) / 20000
    run("run", name + ".yaml", "-q", "-o", "fine.h5", "--set", f"every={fine}", "--set", f"record.from={since}", "--set",
        "probes=[contact_force]", "--set", f"until={until}")
    with h5py.File(name + ".h5") as given, h5py.File("fine.h5") as truth:
        time = given["observables/contacts/force/time"][:]
        force = given["observables/contacts/force/value"][:][(time >= since) & (time <= until)]
        true = truth["observables/contacts/force/value"][:]
        book = given["episodes"]
        for contact in range(true.shape[1]):
            most = true[:, contact].max()
            if most < 1e-3 * true.max():
                continue
            mine = (book["contact"][:] == contact) & (book["peak_time"][:] >= since) & (book["peak_time"][:] <= until)
            check(abs(book["peak_force"][:][mine].max() / most - 1) < 0.01, name, contact, "book", book["peak_force"][:][mine].max(), most)
            check(abs(force[:, contact].max() / most - 1) < 0.01, name, contact, "samples", force[:, contact].max(), most)

# a picture within seconds: nobody has asked for a tolerance
with open("crystal.yaml", "w") as file:
    file.write("""title: A crystal struck
bodies:
  - lattice: {kind: fcc, count: [3, 3, 6], radius: 5 mm, material: steel, at: [0, 0, 0]}
  - sphere: {at: [14.142135623730951 mm, 14.142135623730951 mm, 84.86 mm], radius: 5 mm, material: steel, velocity: [0, 0, -1 m/s]}
run: {until: 1 ms}
""")
said = run("check", "crystal.yaml")
check("scheme     verlet" in said and "which promises no error" in said and "tol: 1e-6 asks for one" in said, said)
for more, scheme in ("until=0.1 ms", "dp5"), ("run.tol=1e-6", "dp5"), ("run.scheme=dp5", "dp5"), ("run.step=1 us", "verlet"), ("run.scheme=verlet", "verlet"):
    said = run("check", "crystal.yaml", "--set", more)
    check("scheme     " + scheme in said and "promises" not in said, more, said)
run("run", "crystal.yaml", "-q", "-o", "crystal.h5")
if EVERY:
    run("run", "crystal.yaml", "-q", "-o", "kept.h5", "--set", "until=0.1 ms")
    with h5py.File("crystal.h5") as given, h5py.File("kept.h5") as truth:
        peaks = [file["episodes/peak_force"][:].max() for file in (given, truth)]
        check(abs(peaks[0] / peaks[1] - 1) < 0.01, "under verlet", peaks)
with h5py.File("crystal.h5") as given:
    most = int(re.search(r"at most (\d+) samples", run("check", "crystal.yaml")).group(1))
    check(len(given["particles/bodies/velocity/time"]) <= most, "no more samples than stated", most)
end()
