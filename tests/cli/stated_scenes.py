"""Scenes whose true error was above the stated one: each is run at its tolerance and at one so small that the difference of
both is the error of the first. Velocities of rigid bodies jump at impacts, so their error is a mean over the run."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh, some

CAROM = os.environ["CAROM"]


def motion(name, text, tol):
    """displacements and velocities of all samples, in units of the scales, and the stated error"""
    with open(name + ".yaml", "w") as file:
        file.write("units: none\n" + text)
    done = subprocess.run([CAROM, "run", "-q", name + ".yaml", "-o", fresh(name + ".h5"), "--set", "run.tol=%g" % tol],
                          capture_output=True, text=True, timeout=100)
    check(done.returncode == 0, name, done.stderr)
    with h5py.File(name + ".h5") as file:
        part = file["particles/" + next(part for part in ("bodies", "mechanism", "beads") if part in file["particles"])]
        scales, samples = file["parameters/scales"], len(part["displacement/value"])
        return (part["displacement/value"][()].reshape(samples, -1) / scales["length"][()],
                part["velocity/value"][()].reshape(samples, -1) / scales["speed"][()], float(file["parameters/estimate"][()]))


def errs(name, text, tol, far, *reach):
    """how far a run is from another at `far`, which states less than a tenth of its error; angles of bodies that reach so far from
    their centres count by that"""
    u, v, stated = motion(name, text, tol)
    true_u, true_v, least = motion(name, text, far)
    for i, size in enumerate(reach):
        for numbers in u, v, true_u, true_v:
            numbers[:, 3 * i + 2] *= size
    of_v = numpy.abs(v - true_v).max(axis=1)
    error = max(numpy.abs(u - true_u).max(), of_v.mean() if "theory: nonsmooth" in text else of_v.max())
    print("%-30s tol %.0e: %.1e off, %.1e stated" % (name, tol, error, stated))
    check(least < 0.1 * stated, name, "cannot tell", least, stated)
    check(error <= stated, name, "tol", tol, "off", error, "stated", stated)


# Four discs that jam: beside the forces that last until t = 0.75329 Coulomb's law has others, which open a contact earlier.
# A run that took those where a step happened to end was 6.6e-5 off, at any tolerance.
JAM = """theory: nonsmooth
gravity: [0, -3.00772]
bodies:
  - disc: {at: [0.020152, 0.6], radius: 0.361901, mass: 0.995587, velocity: [0.879467, -0.886295]}
  - disc: {at: [0.810108, 1.75], radius: 0.389018, mass: 0.61274, velocity: [-0.900987, -1.383878]}
  - disc: {at: [0.245519, 2.9], radius: 0.3865, mass: 0.967829, velocity: [0.516639, -1.359746]}
  - disc: {at: [0.8246990000000001, 4.05], radius: 0.40213, mass: 1.755441, velocity: [0.074742, -1.045564]}
  - plane: {at: [0, 0], normal: [0, 1]}
  - plane: {at: [-1.5, 0], normal: [1, 0]}
  - plane: {at: [2.5, 0], normal: [-1, 0]}
contacts: {law: rigid, e: 0.32621, mu: 0.686914}
run: {until: 1.2, scheme: event}
record: {every: 0.02, probes: [u, v]}
"""
for tol in some((1e-9, 1e-6), 2):
    errs("jam", JAM, tol, 1e-11, 0.361901, 0.389018, 0.3865, 0.40213)

# Velocities of bodies on dashpots differ most for a hundredth of a unit of time after touch, which 150 looks passed over: 1.9 and 5
# times what was stated. Samples are as close as that.
SPHERES = """gravity: [0, 0, -0.164022]
bodies:
  - sphere: {at: [-0.166203, 0.08987, 0.6], radius: 0.389366, mass: 0.599458, velocity: [-0.6233, 0.003028, -0.249037]}
  - sphere: {at: [0.8231750000000001, -0.010959, 1.75], radius: 0.368379, mass: 0.599255, velocity: [-0.965239, -0.177078, -0.886962]}
  - sphere: {at: [-0.234784, -0.059411, 2.9], radius: 0.445607, mass: 0.942165, velocity: [0.638018, -0.104232, -0.316571]}
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
  - plane: {at: [-1.5, 0, 0], normal: [1, 0, 0]}
  - plane: {at: [2.5, 0, 0], normal: [-1, 0, 0]}
contacts: {law: hertz-dashpot, gamma: 0.2, k: 1000, friction: {law: coulomb, mu: 0.383367, slip_speed: 0.05}}
run: {until: 4.472148}
record: {every: 5e-3, probes: [u, v]}
"""
DISCS = """gravity: [0, -0.277572]
bodies:
  - disc: {at: [0.279702, 0.6], radius: 0.380599, mass: 1.667242, velocity: [0.184623, -0.423415], spin: -0.991674}
  - disc: {at: [1.0774350000000001, 1.75], radius: 0.441183, mass: 1.162679, velocity: [-0.238972, -0.626893], spin: -1.30275}
  - disc: {at: [-0.117881, 2.9], radius: 0.490143, mass: 1.968721, velocity: [-0.022127, -0.884804], spin: -0.746598}
  - disc: {at: [1.2929780000000002, 4.05], radius: 0.498342, mass: 0.742327, velocity: [-0.291318, -0.901765], spin: -1.13736}
  - plane: {at: [0, 0], normal: [0, 1]}
  - plane: {at: [-1.5, 0], normal: [1, 0]}
  - plane: {at: [2.5, 0], normal: [-1, 0]}
contacts: {law: linear-dashpot, gamma: 0.2, k: 400, friction: {law: cundall-strack, mu: 0.121677, k_t: 276.540608}}
run: {until: 7}
record: {every: 2e-3, probes: [u, v]}
"""
for name, text, tol in some((("spheres", SPHERES, 1e-4), ("discs", DISCS, 1e-6)), 2):
    errs(name, text, tol, 1e-2 * tol)

# Leaps of moreau-adaptive with friction were told by flights at other tolerances, which may agree by luck: 27 and 1.9 times what was
# stated. The run itself is flown beside a finer one now.
LEAPS = """theory: nonsmooth
gravity: [0, -7.64311]
bodies:
  - disc: {at: [-0.19702, 0.6], radius: 0.436241, mass: 1.652318, velocity: [0.604245, -1.143498]}
  - disc: {at: [0.9775690000000001, 1.75], radius: 0.47633, mass: 1.201443, velocity: [0.370286, -1.725081]}
  - disc: {at: [-0.018727, 2.9], radius: 0.464216, mass: 1.759624, velocity: [0.628247, -1.580671]}
  - plane: {at: [0, 0], normal: [0, 1]}
  - plane: {at: [-1.5, 0], normal: [1, 0]}
  - plane: {at: [2.5, 0], normal: [-1, 0]}
contacts: {law: rigid, e: 0.40101, mu: 0.65502}
run: {until: 1.090866, scheme: moreau-adaptive}
record: {every: 0.01, probes: [u, v]}
"""
errs("leaps", LEAPS, 1e-6, 1e-10, 0.436241, 0.47633, 0.464216)
BOX = """theory: nonsmooth
gravity: [1.885632, -9.627071]
bodies:
  - box: {at: [0.032684, 0.737395], size: [0.883921, 0.740486], mass: 1.044219, turn: -0.125399, velocity: [0.490353, -0.083336], spin: 2.228834}
  - plane: {at: [0, 0], normal: [0, 1]}
contacts: {law: rigid, e: 0, mu: 0.743435}
run: {until: 1.157837, scheme: moreau-adaptive}
record: {every: 0.01, probes: [u, v]}
"""
errs("box", BOX, 1e-5, 1e-10, math.hypot(0.883921, 0.740486) / 2)

end()
