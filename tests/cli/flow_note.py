"""A run in which cells flow beyond the range of the law of small strains says so, with the largest plastic strain; others do not.
Samples between the ends of steps, where energies are filled in, are told apart from those at ends."""
import os
import re
import subprocess

from checks import check, end, fresh, near

carom = os.environ["CAROM"]
BAR = """theory: solid
bodies:
  - solid:
      box: {size: [20 mm, 6 mm, 6 mm], cells: [10, 3, 3]}
      material: {young: 117 GPa, poisson: 0.35, density: 8930}
      plasticity: {yield: 400 MPa, hardening: 100 MPa}
      clamps: [{face: left, fix: [x]}]
start: [{velocity: [-SPEED m/s, 0, 0]}]
run: {until: 12 us, step: 6e-8}
record: {every: 3 us, probes: [plastic_strain]}
"""
BEAM = """theory: solid
bodies:
  - solid:
      box: {size: [1 m, 0.1 m, 0.1 m], cells: [20, 2, 2]}
      material: {young: 2 GPa, poisson: 0.3, density: 1000}
      clamps: [{face: left}]
      loads: [{face: right, traction: [0, 10 kPa, 0], during: start}]
start: [{settle: true}]
run: {until: 0.01 s, step: 5e-6}
record: {every: EVERY}
"""


def run(text):
    with open("scene.yaml", "w") as file:
        file.write(text)
    done = subprocess.run([carom, "run", "scene.yaml", "-o", fresh("run.h5")], capture_output=True, text=True)
    check(done.returncode == 0, text, done.stderr)
    return done.stdout


def flowed(speed):
    """the strain of the note or None, and the longest way of the plastic strain at the end"""
    found = re.search(r"flowed to a plastic strain of (\S+), and the law is one of small strains", run(BAR.replace("SPEED", speed)))
    table = subprocess.run([carom, "export", "run.h5", "--csv", "-"], capture_output=True, text=True).stdout
    lines = [line for line in table.strip().splitlines() if not line.startswith("#")]
    last = [float(word) for name, word in zip(lines[0].split(","), lines[-1].split(",")) if "plastic_strain" in name]
    return found and float(found[1]), max(last)


strain, way = flowed("100")
check(strain and 0.1 < strain <= 1.01 * way and strain > 0.8 * way, strain, way)
strain, way = flowed("20")
check(strain is None and 1e-3 < way < 0.1, strain, way)

residual = r"largest of the samples just taken (\S+) %( at ends of steps, (\S+) % between them)?"
whole = re.search(residual, run(BEAM.replace("EVERY", "5e-5")))
check(whole and whole[2] is None, whole and whole[0])
apart = re.search(residual, run(BEAM.replace("EVERY", "5.13e-5")))
check(apart and apart[2] is not None, apart and apart[0])
check(float(apart[1]) <= 1.01 * float(whole[1]) < float(apart[3]), whole[0], apart[0])
end()
