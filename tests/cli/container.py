"""A container with a mass moves: what it does with a ball is that of two bodies; momentum, angular momentum and energy are kept
under all schemes, which agree; it does not stand in a scene with walls that it could not meet."""
import csv
import io
import os
import subprocess

from checks import check, end, near

CAROM = os.environ["CAROM"]


def run(name, text, *sets):
    with open(name, "w") as file:
        file.write(text)
    options = [word for each in sets for word in ("--set", each)]
    done = subprocess.run([CAROM, "run", "-q", name, "-o", "run.h5", *options], capture_output=True, text=True, timeout=100)
    if done.returncode != 0:
        return done.stderr
    out = subprocess.run([CAROM, "export", "run.h5", "--csv", "--items", "v,position,spin,kinetic,dissipated"], capture_output=True,
                         text=True, timeout=100).stdout
    return [{key: float(value or 0) for key, value in row.items()} for row in csv.DictReader(io.StringIO(out))]


def velocity(row, body, axis, each):
    """of a table that names axes, or of one that counts numbers"""
    return row[f"v_{body}_{'xyz'[axis]}"] if f"v_{body}_x" in row else row[f"v_{each * (body - 1) + axis + 1}"]


# a ball of 1 strikes a container of 3 and comes back with half its speed
PAIR = """units: none
theory: nonsmooth
bodies: [{box: {at: [0, 0], size: [6, 6], inside: true, mass: 3}}, {disc: {at: [0, 0], radius: 0.5, mass: 1, velocity: [1, 0]}}]
contacts: {law: rigid, e: 1}
run: {until: 4}
record: {times: [4], probes: [position, v, spin]}
"""
for sets in ([], ["run.scheme=event"], ["run.scheme=moreau-adaptive"], ["run={until: 4, scheme: schatzman-paoli, step: 0.001}"],
             ["theory=compliant", "contacts={law: hertz, k: 1e5}"]):
    last = run("pair.yaml", PAIR, *sets)[-1]
    near(velocity(last, 1, 0, 3), 0.5, 1e-6, sets)
    near(velocity(last, 2, 0, 3), -0.5, 1e-6, sets)

# balls at an angle, with friction: momentum and angular momentum about the origin; a shell's inertia is m (a + b)^2 / 3, m r^2
BALLS = """  - disc: {at: [0.5, 0.3], radius: 0.5, mass: 1, velocity: [1, 0.7]}
  - disc: {at: [-1.5, -0.3], radius: 0.4, mass: 0.7, velocity: [-0.5, 1.7]}
"""
for shape, inertia in (("box: {at: [0, 0], size: [6, 4], inside: true, mass: 3}", 25.0),
                       ("disc: {at: [0, 0], radius: 3, inside: true, mass: 3}", 27.0)):
    energies = []
    for theory, law, scheme in (("nonsmooth", "rigid, e: 0.8, friction: {mu: 0.3}", "event"),
                                ("nonsmooth", "rigid, e: 0.8, friction: {mu: 0.3}", "moreau-adaptive"),
                                ("nonsmooth", "rigid, e: 0.8, friction: {mu: 0.3}", "moreau-jean, step: 0.001"),
                                ("compliant", "kuwabara-kono, k: 5000, gamma: 0.0005, friction: {mu: 0.3, k_t: 1000}", "dp5")):
        rows = run("balls.yaml", f"units: none\ntheory: {theory}\nbodies:\n  - {shape}\n{BALLS}contacts: {{law: {law}}}\n"
                   f"run: {{until: 6, scheme: {scheme}}}\nrecord: {{every: 6, probes: [position, v, spin]}}\n")
        kept = []
        for row in rows[0], rows[-1]:
            of, mass, turning = range(1, 4), (3, 1, 0.7), (inertia, 0.125, 0.056)
            v = [[velocity(row, i, k, 3) for k in range(2)] for i in of]
            kept.append([sum(m * w[k] for m, w in zip(mass, v)) for k in range(2)]
                        + [sum(m * (row[f"position_{i}_x"] * w[1] - row[f"position_{i}_y"] * w[0])
                               + j * row.get(f"spin_{i}", row.get(f"v_{3 * i}", 0)) for i, m, j, w in zip(of, mass, turning, v))])
        for was, now in zip(*kept):
            near(now, was, 1e-8 if scheme != "dp5" else 1e-6, (shape, scheme, kept))
        near(rows[-1]["kinetic"] + rows[-1]["dissipated"], rows[0]["kinetic"], 1e-6, scheme)
        energies.append(rows[-1]["kinetic"])
        check(rows[-1]["dissipated"] > 0.1, "they met")
    near(energies[1], energies[0], 1e-9, "two that locate impacts")
    near(energies[2], energies[0], 3e-3, "one that steps")

# what it could not meet is refused, and without a mass it stands still
said = run("pair.yaml", PAIR.replace("bodies: [", "bodies: [{plane: {at: [0, -3], normal: [0, 1]}}, "))
check(isinstance(said, str) and "mass: a container that moves meets what is inside it only, not the plane" in said, said)
rows = run("pair.yaml", PAIR.replace(", mass: 3", ""))
near(velocity(rows[-1], 2, 0, 3), -1, 1e-9, "a fixed one")

# check names all that move, whatever scheme moves them
MIXED = """units: none
theory: nonsmooth
bodies:
  - polygon: {at: [0, 0], sides: 5, radius: 0.6, mass: 1, velocity: [1, 0.7]}
  - polygon: {at: [4, 5], sides: 5, radius: 0.6, fixed: true}
  - box: {at: [-3, 0], size: [1, 1], mass: 2}
  - capsule: {at: [-6, 0], radius: 0.3, length: 1, mass: 1}
  - disc: {at: [-8, 4], radius: 0.4, mass: 0.7}
contacts: {law: rigid, e: 0.5}
"""
for scheme in "event", "moreau-jean, step: 0.01":
    with open("mixed.yaml", "w") as file:
        file.write(MIXED + f"run: {{until: 1, scheme: {scheme}}}\n")
    said = subprocess.run([CAROM, "check", "mixed.yaml"], capture_output=True, text=True, timeout=100).stdout
    check("bodies     1 disc, 1 box, 1 polygon, 1 capsule or compound in the plane, mass 0.7 ... 2, radius 0.4; 1 wall\n" in said, said)
end()
