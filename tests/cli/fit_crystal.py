"""carom fit to traces of sensors in a crystal: velocities of single spheres along single axes, made by the same scene with
noise, give back the damping and the angle of the blow within their uncertainties."""
import csv
import os
import random
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]
SCENE = """
title: Sensors in a crystal
bodies:
  - lattice: {name: crystal, kind: hexagonal, of: sphere, count: [4, 3], radius: 5 mm, material: steel, at: [0, 0]}
  - sphere: {name: striker, at: [20 mm, -10 mm], radius: 5 mm, material: steel, velocity: {speed: 1 m/s, angle: 80 deg}}
contacts: {law: kuwabara-kono, gamma: 2 us}
run: {until: 0.1 ms, tol: 1e-7}
record: {every: 2 us, probes: [v]}
"""
TRACES = ("v_9_x", "v_9_y", "v_11_y", "v_12_x")


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


with open("sensors.yaml", "w") as file:
    file.write(SCENE)
check(carom("run", "-q", "sensors.yaml", "-o", "sensors.h5").returncode == 0, "run")
check(carom("export", "sensors.h5", "--csv", "-o", "sensors.csv", "--items", "v").returncode == 0, "export")
random.seed(3)
with open("sensors.csv") as file, open("measured.csv", "w") as out:
    out.write("time (s)" + "".join(f",{name} (m/s),sigma" for name in TRACES) + "\n")
    for row in csv.DictReader(file):
        out.write(row["time"] + "".join(f",{float(row[name]) + random.gauss(0, 0.002)!r},0.002" for name in TRACES) + "\n")
done = carom("fit", "sensors.yaml", "--to", "measured.csv", "--set", "contacts.gamma=1.7 us", "--set",
             "bodies.2.sphere.velocity.angle=1.45", "--free", "gamma=0:5us,bodies.2.sphere.velocity.angle=1.2:1.6",
             "--method", "polish")
check(done.returncode == 0, done.stdout, done.stderr)
found = {line.split()[0]: [float(x) for x in line.split()[1:3]] for line in done.stdout.splitlines()
         if line.startswith(("gamma ", "bodies.2."))}
for key, wanted in (("gamma", 2e-6), ("bodies.2.sphere.velocity.angle", 1.3962634015954636)):
    value, deviation = found[key]
    check(abs(value - wanted) < 4 * deviation < 0.1 * wanted, key, value, "+-", deviation, "wanted", wanted)
check("v_11_y (m/s)" in done.stdout, done.stdout)
done = carom("fit", "sensors.yaml", "--to", "measured.csv", "--set", "bodies.1.lattice.count=[2, 2]", "--free", "gamma")
check(done.returncode == 3 and "v_9_x: the scene has no such" in done.stderr, done)
end(6)
