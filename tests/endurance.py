"""Long runs: what becomes of energy, momentum and phase over a billion bead-steps of a cradle, ten million steps of a solid
and a million events, beside what is known exactly; and whether memory stays flat.

    cradle  five balls on equal springs, Hertz without losses, verlet. Contacts do not act on the middle of all balls: it swings
            as one ball would, at the frequency that verlet with this step makes of sqrt(k / m).
    solid   a spinning box of six cells, rattle. Momentum is zero, angular momentum constant, the angle grows evenly.
    events  five rigid balls between walls, e = 1: impacts only hand velocities on, so the places of the balls are those of
            five points that pass through each other, in order.

usage: CAROM=build/carom python3 tests/endurance.py [FRACTION [PICTURE.svg [TABLE.txt]]]     FRACTION of the full sizes, default 1
"""
import os
import subprocess
import sys
import time

import h5py
import numpy

CAROM = os.environ.get("CAROM", "build/carom")
SAMPLES = 200
SIZES = {"cradle": 10**9, "solid": 10**7, "events": 10**6}
UNITS = {"cradle": "bead-steps", "solid": "steps", "events": "events"}

STEP = 1e-6  # of the cradle; periods of its swing are 0.63 s, contacts last 75 us
SPRING = 3.197
CRADLE = """
title: A cradle without losses
bodies: [chain: {{count: 5, radius: 10 mm, material: steel, gap: 10 um, spring: {spring} N/m}}]
contacts: {{law: hertz}}
start: [{{bodies: [1, 2], displacement: -20 mm}}]
run: {{until: {until:.17g}, scheme: verlet, step: {step} s}}
record: {{every: {every:.17g}, probes: [u, v], events: false, episodes: none}}
"""
SPIN, SOLID_STEP = 10.0, 1e-3
SOLID = """
title: A spinning box
theory: solid
bodies: [solid: {{box: {{size: [0.3, 0.2, 0.1], cells: [3, 2, 1]}}, material: {{young: 1e6, poisson: 0.3, density: 1100}}}}]
start: [{{spin: [0, 0, {spin}]}}]
run: {{until: {until:.17g}, step: {step}}}
record: {{every: {every:.17g}, probes: [u, v, rotation, spin], events: false, episodes: none}}
"""
VELOCITIES = [1.0, -0.70710678, 0.31415927, 0.13034567, -0.51776695]  # none is at a wall at the moment of a sample
ROOM = 6.0  # the gaps of the row
EVENTS = """
title: Balls between walls
units: none
theory: nonsmooth
bodies: [wall: {{side: left, gap: 1}}, chain: {{count: 5, mass: 1, gap: 1}}, wall: {{side: right, gap: 1}}]
contacts: {{law: rigid, e: 1}}
start: [{start}]
run: {{until: {until:.17g}, scheme: event, impact: newton}}
record: {{every: {every:.17g}, probes: [u, v], events: false, episodes: none}}
"""


def memory(process):
    """resident MiB of a process, 0 when it has ended"""
    try:
        return int(open(f"/proc/{process.pid}/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except (OSError, IndexError):
        return 0.0


def run(name, scene):
    """runs the scene; memory by the clock, as parts of the run"""
    with open(name + ".yaml", "w") as file:
        file.write(scene)
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    begin, seen = time.time(), []
    process = subprocess.Popen([CAROM, "run", "-q", name + ".yaml", "-o", name + ".h5"])
    while process.poll() is None:
        seen.append((time.time() - begin, memory(process)))
        time.sleep(0.02 if seen[-1][0] < 5 else 0.5)
    if process.returncode != 0:
        raise RuntimeError(f"{name}: exit {process.returncode}")
    whole = time.time() - begin
    return whole, [(at / whole, size) for at, size in seen if size > 0]


def read(name, *items):
    """times, energy, and the items"""
    with h5py.File(name + ".h5", "r") as file:
        ledger = file["observables/ledger"]
        energy = ledger["kinetic/value"][:] + ledger["stored/value"][:]
        return ledger["dissipated/time"][:], energy, int(file["parameters/counts"][()]["steps"]), *[file[item][:] for item in items]


def cradle(size):
    until = size / 5 * STEP
    found = run("cradle", CRADLE.format(until=until, every=until / SAMPLES, step=STEP, spring=SPRING))
    at, energy, steps, u, v, mass = read("cradle", "particles/beads/displacement/value", "particles/beads/velocity/value",
                                         "particles/beads/mass")
    frequency = numpy.sqrt(SPRING / mass[0])
    made = 2 / STEP * numpy.arcsin(frequency * STEP / 2)  # verlet's
    x, speed = u.mean(axis=1), v.mean(axis=1)
    amplitude = abs(x[0])
    return found, 5 * steps, at, {
        "energy": energy / energy[0] - 1,
        "momentum": (speed + made * x[0] * numpy.sin(made * at)) / (frequency * amplitude),
        "phase": numpy.angle((x - 1j * speed / frequency) / x[0] * numpy.exp(-1j * made * at))}


def solid(size):
    until = size * SOLID_STEP
    found = run("solid", SOLID.format(until=until, every=until / SAMPLES, step=SOLID_STEP, spin=SPIN))
    cells = "particles/cells/"
    at, energy, steps, centre, u, v, spin, rotation = read("solid", cells + "centre", cells + "displacement/value",
                                                           cells + "velocity/value", cells + "spin/value",
                                                           cells + "rotation/value")
    x = centre + u
    inertia = (0.1**2 + 0.1**2) / 12  # of a cell, for mass 1
    angular = (x[..., 0] * v[..., 1] - x[..., 1] * v[..., 0]).sum(axis=1) + inertia * spin[..., 2].sum(axis=1)
    turned = numpy.angle(numpy.exp(2j * numpy.arctan2(rotation[..., 3], rotation[..., 0]))[:, 0])
    return found, steps, at, {"energy": energy / energy[0] - 1, "momentum": angular / angular[0] - 1, "phase": evenly(at, turned)}


def evenly(at, turned):
    """angles known but for whole turns, less those of a body that turns evenly: the rate is made sharper step by step, from
    pairs of samples ever farther apart"""
    rate = SPIN
    far = 1
    while far < len(at):
        step = numpy.angle(numpy.exp(1j * (turned[far:] - turned[:-far] - rate * (at[far:] - at[:-far]))))
        rate += numpy.median(step / (at[far:] - at[:-far]))
        far *= 2
    return numpy.angle(numpy.exp(1j * (turned - turned[0] - rate * at)))


def events(size):
    speeds = sorted(map(abs, VELOCITIES))
    rate = sum(speed * (i + 1) for i, speed in enumerate(speeds)) / ROOM  # of walls met and of points that pass each other
    until = size / rate
    start = ", ".join(f"{{body: {i + 1}, velocity: {v}}}" for i, v in enumerate(VELOCITIES))
    found = run("events", EVENTS.format(until=until, every=until / SAMPLES, start=start))
    at, energy, steps, u, v = read("events", "particles/beads/displacement/value", "particles/beads/velocity/value")
    # each point goes to and fro between 0 and ROOM
    places, speeds = numpy.empty_like(u), numpy.empty_like(v)
    for i, velocity in enumerate(VELOCITIES):
        way = numpy.mod((i + 1) + velocity * at.astype(numpy.longdouble), 2 * ROOM)
        places[:, i] = numpy.where(way > ROOM, 2 * ROOM - way, way)
        speeds[:, i] = numpy.where(way > ROOM, -velocity, velocity)
    order = numpy.argsort(places, axis=1)
    places, speeds = numpy.take_along_axis(places, order, 1), numpy.take_along_axis(speeds, order, 1)
    return found, steps, at, {"energy": energy / energy[0] - 1, "momentum": abs(v.sum(axis=1) - speeds.sum(axis=1)),
                              "phase": abs(u + numpy.arange(1, 6) - places).max(axis=1)}


def measure(fraction=1.0):
    """{name: (seconds, memory, count, steps of the samples, {quantity: numbers})}"""
    results = {}
    for name, case in (("cradle", cradle), ("solid", solid), ("events", events)):
        (seconds, room), count, at, quantities = case(SIZES[name] * fraction)
        results[name] = seconds, room, count, at / at[-1] * count, quantities
    return results


def growth(room):
    """MiB by which memory grew after the first fifth of a run"""
    early = [size for part, size in room if part <= 0.2]
    return max(size for _, size in room) - max(early) if early else 0.0


def drift(numbers):
    """how far the mean of the last fifth is from that of the first"""
    fifth = max(1, len(numbers) // 5)
    return numbers[-fifth:].mean() - numbers[:fifth].mean()


def table(results):
    lines = [f"{'':<8}{'count':>12} {'':<11}{'seconds':>8}  {'energy':>9} {'drift':>9}  {'momentum':>9} {'drift':>9}  {'phase':>9} "
             f"{'drift':>9}  {'MiB':>5} {'more':>5}"]
    for name, (seconds, room, count, _, quantities) in results.items():
        row = f"{name:<8}{count:>12} {UNITS[name]:<11}{seconds:>8.1f}"
        for numbers in quantities.values():
            row += f"  {abs(numbers).max():>9.1e} {drift(numbers):>9.1e}"
        lines.append(row + f"  {max((s for _, s in room), default=0):>5.1f} {growth(room):>5.1f}")
    return "\n".join(lines)


# --- picture ------------------------------------------------------------------------------------------------------------

WIDE, HIGH, LEFT, TOP = 300, 150, 20, 46
LABEL = {"energy": "energy, relative", "momentum": "momentum, relative", "phase": "phase (rad)"}
OTHER = {("solid", "momentum"): "angular momentum, relative", ("events", "phase"): "farthest ball from its place"}


def panel(out, x, y, title, across, numbers, unit):
    low, high = min(0.0, numbers.min()), max(0.0, numbers.max())
    size = high - low or 1.0
    place = lambda a, b: f"{x + (WIDE - 60) * a / across[-1]:.1f},{y + (HIGH - 50) * (high - b) / size:.1f}"
    out.append(f'<text x="{x}" y="{y - 8}" fill="#222222">{title}</text>')
    out.append(f'<polyline points="{place(0, 0)} {place(across[-1], 0)}" stroke="#bbbbbb" fill="none"/>')
    out.append(f'<polyline points="{" ".join(place(a, b) for a, b in zip(across, numbers))}" fill="none" stroke="#14609a"/>')
    for value in {low, high}:
        out.append(f'<text x="{x + WIDE - 56}" y="{y + 4 + (HIGH - 50) * (high - value) / size:.1f}" font-size="10" fill="#444444">'
                   f'{value:.1e}</text>')
    out.append(f'<text x="{x + WIDE - 60}" y="{y + HIGH - 38}" font-size="10" text-anchor="end" fill="#444444">{across[-1]:.0e} {unit}</text>')


def picture(results):
    height = TOP + HIGH * len(results)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {4 * WIDE + 20} {height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{4 * WIDE + 20}" height="{height}" fill="#ffffff"/>']
    for row, (name, (_, room, _, steps, quantities)) in enumerate(results.items()):
        for column, (quantity, numbers) in enumerate(quantities.items()):
            panel(out, LEFT + column * WIDE, TOP + row * HIGH, f"{name}: {OTHER.get((name, quantity), LABEL[quantity])}", steps, numbers.astype(float), UNITS[name])
        thin = room[::max(1, len(room) // SAMPLES)]
        panel(out, LEFT + 3 * WIDE, TOP + row * HIGH, f"{name}: memory (MiB)", numpy.array([part for part, _ in thin]) * steps[-1],
              numpy.array([size for _, size in thin]), UNITS[name])
    return "\n".join([*out, "</svg>"]) + "\n"


# largest distance from what is known, and drift; the solid's angle swings by what its vibrations turn the first cell
ALLOWED = {"cradle": {"energy": (3e-5, 3e-6), "momentum": (1e-10, 1e-11), "phase": (1e-10, 1e-11)},
           "solid": {"energy": (4e-5, 2e-6), "momentum": (3e-12, 3e-12), "phase": (2e-3, 2e-4)},
           "events": {"energy": (1e-14, 1e-14), "momentum": (1e-13, 1e-13), "phase": (3e-9, 3e-9)}}


def judge(results, check, whole):
    """holds results against what is allowed; memory and drifts only of whole runs, others have seen too little"""
    for name, (_, room, count, _, quantities) in results.items():
        for quantity, (most, farthest) in ALLOWED[name].items():
            numbers = quantities[quantity]
            check(abs(numbers).max() <= most, name, quantity, abs(numbers).max(), "is more than", most)
            check(not whole or abs(drift(numbers)) <= farthest, name, quantity, "drifts by", drift(numbers))
        if whole:
            check(count >= 0.999 * SIZES[name], name, "took only", count, UNITS[name])
            check(growth(room) < 1.0, name, "takes", growth(room), "MiB more in the end")


def main():
    results = measure(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
    print(table(results))
    for path, text in zip(sys.argv[2:4], (picture(results), table(results) + "\n")):
        with open(path, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
