"""Random scenes of one to three bodies of space without friction under event, by all impact laws and with joints: each ends, creates no energy,
and is off by no more than what it states, beside the same scene at a tolerance a thousand times smaller. A seed is a scene: give one or two of them to
see it again, or a range, and ask `--all` for the campaign."""
import os
import random
import subprocess
import sys

import h5py
import numpy

from checks import check, end, fresh

CAROM = os.environ["CAROM"]
LAWS = ("moreau", "newton", "poisson", "stronge", "lzb")
SOLIDS = ("tetrahedron", "cube", "octahedron", "dodecahedron", "icosahedron")


def vector(draw, most):
    return "[%.4f, %.4f, %.4f]" % tuple(draw.uniform(-most, most) for _ in range(3))


def body(draw, i, kind):
    """Its line, and how far it reaches from its centre."""
    turn = draw.choice(("", "", ", turn: {axis: %s, angle: %.4f}" % (vector(draw, 1), draw.uniform(0, 3)),
                        ", turn: {axis: [1, 0, 0], angle: 0.78539816339744831}"))
    rest = "mass: %g, velocity: %s, spin: %s" % (draw.choice((0.3, 1, 2)), vector(draw, 1.5), draw.choice((vector(draw, 4), "[0, 0, 0]")))
    at = "at: [%.4f, %.4f, %.4f]" % (1.6 * i, draw.uniform(-0.3, 0.3), draw.uniform(0.9, 1.6))
    if kind == "sphere":
        radius = draw.uniform(0.2, 0.6)
        return "sphere: {%s, radius: %.3f, %s}" % (at, radius, rest), radius
    if kind == "box":
        size = [draw.uniform(0.3, 0.9) for _ in range(3)]
        return "box: {%s, size: [%.3f, %.3f, %.3f]%s, %s}" % (at, *size, turn, rest), 0.5 * numpy.linalg.norm(size)
    if kind == "polyhedron":
        radius = draw.uniform(0.3, 0.7)
        return "polyhedron: {kind: %s, %s, radius: %.3f%s, %s}" % (draw.choice(SOLIDS), at, radius, turn, rest), radius
    radius, length = draw.uniform(0.1, 0.3), draw.uniform(0.2, 0.6)
    return "capsule: {%s, radius: %.3f, length: %.3f, axis: %s, %s}" % (at, radius, length, vector(draw, 1), rest), radius + 0.5 * length


def joint(draw, i):
    """That holds body i, which is at rest, to the world."""
    at, axis = "at: [%.4f, %.4f, %.4f]" % (1.6 * i + draw.uniform(-0.5, 0.5), draw.uniform(-0.5, 0.5), 1.6), "axis: " + vector(draw, 1)
    limits = draw.choice(("", ", limits: [-0.3, 0.4]"))
    kind = draw.choice(("ball", "hinge", "slider", "distance"))
    if kind == "distance":
        return "distance: {bodies: [%d, world], at: [%.4f, 0, 1.2], to: [%.4f, 0.3, 2.4]}" % (i + 1, 1.6 * i, 1.6 * i + 0.2)
    return "%s: {bodies: [%d, world], %s%s}" % (kind, i + 1, at, "" if kind == "ball" else ", " + axis + limits)


def scene(seed):
    """Its text up to the run, until when it goes, its law, its tolerance and how far its bodies reach."""
    draw = random.Random(seed)
    n, jointed = draw.choice((1, 1, 1, 2, 2, 3)), draw.random() < 0.25
    jointed |= n == 3  # spheres alone are no mechanism
    kinds = ["sphere"] * (n - 1) + [draw.choice(("box", "polyhedron", "capsule")[:4 - n]) if n < 3 else "sphere"]
    things, reach = zip(*(body(draw, i, kind) for i, kind in enumerate(kinds)))
    things, joints = list(things), ""
    if jointed:  # velocities that joints allow
        for part in ("velocity", "spin"):
            at = things[-1].index(part + ": [")
            things[-1] = things[-1][:at] + part + ": [0, 0, 0]" + things[-1][things[-1].index("]", at) + 1:]
        joints = "joints:\n  - %s\n" % joint(draw, n - 1)
    if draw.random() < 0.3:
        things.append("box: {at: [0.8, 0, 1.4], size: [6, 3, 2.8], inside: true}")
    else:
        things.append("plane: {at: [0, 0, 0], normal: [0, 0, 1]}")
        if draw.random() < 0.5:
            things.append("plane: {at: [-1, 0, 0], normal: [1, 0.2, 0.1]}")
    e = draw.choice((0, 0.05, 0.1, 0.3, 0.6, 0.9, 1))
    contacts = "contacts: {law: rigid, e: %g, k: 1e5, p: 1.5}\n" % e
    text = "units: none\ntheory: nonsmooth\ngravity: [0, 0, -10]\nbodies:\n" + "".join("  - %s\n" % t for t in things) + joints + contacts
    return text, draw.choice((0.4, 0.8, 1.2)), draw.choice(LAWS), draw.choice((1e-9, 1e-8, 1e-7, 1e-6, 1e-5)), reach


def run(name, text, until, law, tol, share, seconds, scheme="event"):
    """The run file, or what the run said where it did not end; a share asks for no pilots."""
    with open(name + ".yaml", "w") as file:
        file.write(text + "run: {until: %g, scheme: %s, tol: %g, %s: %s%s}\nrecord: {every: %g, probes: [u, v, position]}\n" % (
            until, scheme, tol, "impact" if scheme == "event" else "blow", law, ", share: %g" % share if share else "", until / 40))
    try:
        done = subprocess.run([CAROM, "run", name + ".yaml", "-o", fresh(name + ".h5")], capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, "took more than %d s" % seconds
    if done.returncode != 0:
        return None, done.stderr.strip()
    with h5py.File(name + ".h5") as file:
        about = file["parameters"]
        return {"u": file["particles/mechanism/displacement/value"][()], "v": file["particles/mechanism/velocity/value"][()],
                "residual": numpy.abs(file["observables/ledger/residual/value"][()]).max(),
                "kinetic": file["observables/ledger/kinetic/value"][()].max(),
                "energy": file["observables/ledger/kinetic/value"][()] + file["observables/ledger/stored/value"][()],
                "stated": float(about["estimate"][()]), "length": float(about["scales/length"][()]), "speed": float(about["scales/speed"][()])}, done.stdout


def off(a, b, reach):
    """As tol counts: displacements at all times, velocities on average; turns by how far each body reaches."""
    u, v = numpy.abs(a["u"] - b["u"]), numpy.abs(a["v"] - b["v"])
    plane = u.shape[1] == 3 * len(reach)
    for i, far in enumerate(reach):
        u[:, (3 * i + 2 if plane else 7 * i + 3):(3 if plane else 7) * (i + 1)] *= far if plane else 2 * far
        v[:, (3 * i + 2 if plane else 6 * i + 3):(3 if plane else 6) * (i + 1)] *= far
    return max(u.max() / a["length"], v.max(axis=1).mean() / a["speed"])


def look_at(seed, tally, scene, also, sentences):
    text, until, law, tol, reach = scene(seed)
    got, said = run("space", text, until, law, tol, 0, 60)
    tally["scenes"] += 1
    if not got:
        tally["sentences"] += 1
        print("%6d %-8s %s" % (seed, law, said[:240]), flush=True)
        check(any(sentence in said for sentence in sentences), "seed", seed, law, said)
        return
    if also:
        also(seed, got)
    rise = (numpy.maximum.accumulate(got["energy"][::-1])[::-1] - got["energy"]).max() / got["kinetic"]
    if rise > max(1e-7, 10 * tol):  # Newton's e with friction may, and says so
        tally["created"] += 1
        check("mu:" in text and "CREATED" in said, "seed", seed, law, "creates energy", rise)
    if "NO PROMISE" in said or got["stated"] > tol:
        tally["no promise"] += 1
        return
    finer = [run("finer", text, until, law, tol * part, 0.003, 60)[0] for part in (1e-3, 3e-4)]
    if not all(finer) or not off(*finer, reach) <= max(0.1 * got["stated"], 1e-3 * tol):
        tally["not compared"] += 1
        return
    ratio = off(got, finer[0], reach) / got["stated"]
    tally["worst"] = max(tally["worst"], ratio)
    tally["above 1"] += ratio > 1
    tally["above tol"] += ratio * got["stated"] > tol
    tally["rest"].append(ratio)
    if ratio > 0.5:
        print("%6d %-8s tol %g: off by %.3g of %.3g" % (seed, law, tol, ratio, got["stated"]), flush=True)
    check(ratio <= 3, "seed", seed, law, "tol", tol, "is off by", ratio, "times what it states,", got["stated"])


def main(scene, all_of_them, also=None, first=1, sentences=("holds what those before it hold",), few=6):
    """Of the seeds that the command line names, else from the first on; `also` looks at each of them, too."""
    words = [int(w) for w in sys.argv[1:] if w.isdigit()]
    first, count = words[0] if words else first, words[1] if len(words) > 1 else 1 if words else all_of_them if "--all" in sys.argv else few
    tally = dict.fromkeys(("scenes", "sentences", "created", "no promise", "not compared", "above 1", "above tol"), 0)
    tally.update(worst=0.0, rest=[])
    for seed in range(first, first + count):
        look_at(seed, tally, scene, also, sentences)
    rest = tally.pop("rest")
    print("seeds %d to %d:" % (first, first + count - 1), ", ".join("%s %.3g" % pair for pair in tally.items()),
          ", half state more than %.3g times their error" % (1 / numpy.median(rest)) if rest else "")


if __name__ == "__main__":
    main(scene, 400)
    end()
