"""Random scenes of every kind of body under every scheme that takes it, each looked at from several sides: logged impulses against
momentum, the ledger against work and kinetic energy worked out here, the stated error against a run that is a thousand times tighter,
the run in memory against its file, and compliant contacts that are short against rigid ones.

    every_kind.py                              a few scenes of each pair; ALL_LINES in the environment: a hundred and more of each
    every_kind.py COUNT [FIRST [KIND [SCHEME]]]   so many seeds of each pair, from a seed on
    every_kind.py scene KIND SCHEME SEED       one scene as text, for carom run

`make campaign` runs 22 000. Wrong is what the run does not say itself: a run without a promise, or one whose ledger it calls off
balance, is counted and not judged."""
import json
import math
import os
import random
import sys
import tempfile
import warnings
from concurrent.futures import ProcessPoolExecutor

import numpy as np

try:
    import carom
except ImportError as error:
    print("skipped:", error)
    sys.exit(77)
import h5py

warnings.simplefilter("ignore")

COMPLIANT_ROW = ("dp5", "verlet", "theta", "irk", "cn", "cn-reg", "gl", "gl-reg", "energy-momentum", "rk2")
COMPLIANT_BODIES = ("dp5", "verlet", "theta", "irk", "energy-momentum")
RIGID = ("event", "mannshardt", "moreau-adaptive", "moreau-jean", "schatzman-paoli")
TOL = {"dp5", "event", "mannshardt", "moreau-adaptive", "rattle-tol"}
FEW, ALL = 2, 130


def number(value):
    return float(f"{value:.12g}")


class Drawn:
    """A scene, and what is known of it without running it."""

    def __init__(self, scene, masses, dim=1, gravity=None, forces=None, planes=(), springs=False, friction=False, round=True):
        self.scene, self.masses, self.dim = scene, np.array(masses), dim
        self.gravity = np.zeros(dim) if gravity is None else np.array(gravity)
        self.forces = np.zeros((len(masses), dim)) if forces is None else np.array(forces)
        self.planes, self.springs, self.friction, self.round = planes, springs, friction, round


# what is drawn


def draw_row(rng, scheme, rigid):
    n = rng.randint(1, 5)
    left, right = (True, rng.random() < 0.3) if n == 1 else (rng.random() < 0.4, rng.random() < 0.4)
    masses = [number(math.exp(rng.uniform(-1.2, 1.2))) for _ in range(n)]
    bodies = []
    if left:
        bodies.append({"wall": {"side": "left", "gap": number(rng.uniform(0, 0.5))}})
    # no gap and no mass exactly as another: an impact of several contacts at once would depend on the law that solves it
    chain = {"mass": masses}
    if n > 1:
        chain["gap"] = [number(rng.uniform(0.02, 0.6)) for _ in range(n - 1)]
    bodies.append({"chain": chain})
    if right:
        bodies.append({"wall": {"side": "right", "gap": number(rng.uniform(0, 0.5))}})
    gravity = number(-rng.uniform(0.05, 0.4)) if left and rng.random() < 0.4 else 0.0
    forces = [[0.0]] * n
    scene = {"units": "none", "bodies": bodies, "start": [{"bodies": "all", "velocity": [number(rng.uniform(-1, 1)) for _ in range(n)]}]}
    if gravity:
        scene["gravity"] = gravity
    if rng.random() < 0.3:
        i = rng.randrange(n)
        f = number(rng.uniform(-0.3, 0.3))
        forces = [[f if j == i else 0.0] for j in range(n)]
        scene["loads"] = [{"body": i + 1, "force": f}]
    if rigid:
        scene["theory"] = "nonsmooth"
        scene["contacts"] = {"e": number(rng.choice([1.0, rng.uniform(0.3, 1.0)]))}
        until = rng.uniform(1, 4)
    else:
        law = rng.choice(["hertz", "kuwabara-kono", "hunt-crossley", "power"] if scheme not in ("theta", "irk", "cn-reg", "gl-reg", "rk2")
                         else ["hertz", "kuwabara-kono"])
        contacts = {"law": law, "k": number(math.exp(rng.uniform(0, 6)))}
        if law in ("kuwabara-kono", "hunt-crossley"):
            contacts["gamma"] = number(rng.uniform(0.001, 0.05))
        if law == "power":
            contacts["p"] = number(rng.uniform(1.2, 2.5))
        scene["contacts"] = contacts
        until = rng.uniform(2, 8)
    scene["run"] = {"until": number(until)}
    return Drawn(scene, masses, 1, [gravity], forces)


def apart(rng, n, dim, spread):
    """places of balls that do not touch, above the ground, and their radii"""
    places, radii = [], []
    while len(places) < n:
        r = number(rng.uniform(0.2, 0.5))
        at = [number(rng.uniform(-spread, spread)) for _ in range(dim)]
        at[-1] = number(r + rng.uniform(0.05, 2 * spread))
        if all(math.dist(at, p) > r + s + 0.02 for p, s in zip(places, radii)):
            places.append(at)
            radii.append(r)
    return places, radii


def draw_balls(rng, scheme, rigid, dim, friction):
    n = rng.randint(1, 4)
    places, radii = apart(rng, n, dim, 1.0)
    masses = [number(math.exp(rng.uniform(-1, 1))) for _ in range(n)]
    name = "disc" if dim == 2 else "sphere"
    bodies = []
    for at, r, m in zip(places, radii, masses):
        v = [number(-0.8 * a + rng.uniform(-0.4, 0.4)) for a in at]  # towards each other
        bodies.append({name: {"at": at, "radius": r, "mass": m, "velocity": v}})
    up = [0.0] * (dim - 1) + [1.0]
    planes = []
    if n == 1 or rng.random() < 0.7:
        bodies.append({"plane": {"at": [0.0] * dim, "normal": up}})
        planes = [n]
    gravity = [0.0] * (dim - 1) + ([number(-rng.uniform(0.2, 2))] if planes and rng.random() < 0.5 else [0.0])
    scene = {"units": "none", "bodies": bodies}
    if any(gravity):
        scene["gravity"] = gravity
    mu = number(rng.uniform(0.05, 0.6)) if friction else 0.0
    if rigid:
        scene["theory"] = "nonsmooth"
        scene["contacts"] = {"e": number(rng.uniform(0.3, 1.0))}
        if friction:
            scene["contacts"]["mu"] = mu
    else:
        scene["contacts"] = {"law": rng.choice(["hertz", "kuwabara-kono"]), "k": number(math.exp(rng.uniform(7, 11)))}
        if scene["contacts"]["law"] == "kuwabara-kono":
            scene["contacts"]["gamma"] = number(rng.uniform(1e-4, 5e-3))
        if friction:
            scene["contacts"]["friction"] = {"law": "mindlin", "mu": mu, "k_t": number(scene["contacts"]["k"] * rng.uniform(0.3, 1))}
    scene["run"] = {"until": number(rng.uniform(0.8, 2))}
    return Drawn(scene, masses, dim, gravity, planes=planes, friction=friction)


def draw_corners(rng, scheme, dim):
    """a box, or two, thrown on a plane"""
    n = rng.choice([1, 1, 2])
    bodies, masses, z = [], [], 0.0
    for _ in range(n):
        size = [number(rng.uniform(0.3, 1)) for _ in range(dim)]
        mass = number(math.exp(rng.uniform(-1, 1)))
        z += math.hypot(*size) / 2 + 0.05
        box = {"at": [number(rng.uniform(-0.2, 0.2)) for _ in range(dim - 1)] + [number(z)], "size": size, "mass": mass,
               "velocity": [number(rng.uniform(-0.5, 0.5)) for _ in range(dim)]}
        z += math.hypot(*size) / 2
        box["spin"] = number(rng.uniform(-2, 2)) if dim == 2 else [number(rng.uniform(-2, 2)) for _ in range(3)]
        bodies.append({"box": box})
        masses.append(mass)
    bodies.append({"plane": {"at": [0.0] * dim, "normal": [0.0] * (dim - 1) + [1.0]}})
    gravity = [0.0] * (dim - 1) + [number(-rng.uniform(1, 4))]
    scene = {"units": "none", "theory": "nonsmooth", "gravity": gravity, "bodies": bodies,
             "contacts": {"e": number(rng.uniform(0, 0.8)), "mu": number(rng.uniform(0, 0.8))}, "run": {"until": number(rng.uniform(0.3, 0.8))}}
    return Drawn(scene, masses, dim, gravity, planes=[n], friction=True, round=False)


def draw_machine(rng, scheme):
    kind = rng.choice(["ball", "oscillator", "double-pendulum", "pendulum"])
    start = {"ball": [{"body": 1, "displacement": number(rng.uniform(0.3, 1))}],
             "oscillator": [{"body": 1, "velocity": number(rng.uniform(-2, 2))}],
             "pendulum": [{"body": 1, "displacement": number(rng.uniform(-1.2, -0.2))}],
             "double-pendulum": [{"body": 1, "displacement": number(rng.uniform(-1.2, -0.3))}, {"body": 2, "displacement": number(rng.uniform(-0.6, 0))}]}[kind]
    machine = {"kind": kind}
    if kind == "double-pendulum":
        machine.update(gravity=number(rng.uniform(2, 10)), wall=number(rng.uniform(0.1, 0.4)))
    elif kind == "ball":
        machine["gravity"] = number(rng.uniform(1, 10))
    scene = {"units": "none", "theory": "nonsmooth", "bodies": [{"mechanism": machine}], "contacts": {"e": number(rng.uniform(0.3, 1))},
             "start": start, "run": {"until": number(rng.uniform(0.5, 2))}}
    return Drawn(scene, [math.nan], 1, springs=True)


def draw_solid(rng, scheme):
    """one or two blocks of the plane, tilted or not, thrown on a floor or at each other"""
    bodies, start = [], []
    material = {"young": number(rng.uniform(50, 300)), "poisson": number(rng.uniform(0, 0.35)), "density": number(rng.uniform(0.5, 2))}
    masses = []
    n = rng.choice([1, 1, 2])
    z = 0.02
    for i in range(n):
        cells = [rng.randint(2, 4), rng.randint(2, 4)]
        size = [0.5 * cells[0], 0.5 * cells[1]]
        bodies.append({"solid": {"name": f"block{i}", "box": {"size": size, "cells": cells, "origin": [number(rng.uniform(-0.3, 0.3)), number(z)]},
                                 "plane": "stress", "depth": 1.0, "material": material}})
        z += size[1] + rng.uniform(0.01, 0.05)
        masses.append(material["density"] * size[0] * size[1])
        entry = {"body": f"block{i}", "velocity": [number(rng.uniform(-0.1, 0.1)), number(-rng.uniform(0.2, 1) * (1 + i))]}
        if rng.random() < 0.5:
            entry["spin"] = number(rng.uniform(-0.3, 0.3))
        start.append(entry)
    bodies.append({"plane": {"at": [0.0, 0.0], "normal": [0.0, 1.0], "name": "floor"}})
    scene = {"units": "none", "theory": "solid", "bodies": bodies, "start": start, "run": {"until": number(rng.uniform(0.1, 0.4))},
             "record": {"probes": ["v", "u", "contact_force"]}}
    friction = rng.random() < 0.3
    if friction:
        scene["contacts"] = {"law": "linear-dashpot", "mu": number(rng.uniform(0.1, 0.5))}
    return Drawn(scene, masses, 2, planes=[n], friction=friction, round=False)


KINDS = {
    "row, compliant": (COMPLIANT_ROW, lambda rng, s: draw_row(rng, s, False)),
    "row, rigid": (RIGID, lambda rng, s: draw_row(rng, s, True)),
    "discs, compliant": (COMPLIANT_BODIES, lambda rng, s: draw_balls(rng, s, False, 2, False)),
    "discs that rub, compliant": (("dp5", "verlet"), lambda rng, s: draw_balls(rng, s, False, 2, True)),
    "discs, rigid": (("event", "mannshardt", "moreau-adaptive", "moreau-jean"), lambda rng, s: draw_balls(rng, s, True, 2, False)),
    "discs that rub, rigid": (("event", "mannshardt", "moreau-adaptive", "moreau-jean"), lambda rng, s: draw_balls(rng, s, True, 2, True)),
    "spheres, compliant": (COMPLIANT_BODIES, lambda rng, s: draw_balls(rng, s, False, 3, False)),
    "spheres that rub, compliant": (("dp5", "verlet"), lambda rng, s: draw_balls(rng, s, False, 3, True)),
    "spheres, rigid": (("event", "moreau-adaptive", "moreau-jean"), lambda rng, s: draw_balls(rng, s, True, 3, False)),
    "spheres that rub, rigid": (("event", "moreau-adaptive", "moreau-jean"), lambda rng, s: draw_balls(rng, s, True, 3, True)),
    "boxes of the plane": (("event", "moreau-adaptive", "moreau-jean"), lambda rng, s: draw_corners(rng, s, 2)),
    "boxes of space": (("event", "moreau-adaptive", "moreau-jean"), lambda rng, s: draw_corners(rng, s, 3)),
    "machines": (("event", "mannshardt", "moreau-adaptive", "moreau-jean"), draw_machine),
    "solids": (("rattle", "rattle-tol"), draw_solid),
}


def draw(kind, scheme, seed):
    rng = random.Random(f"{kind} {scheme} {seed}")
    drawn = KINDS[kind][1](rng, scheme)
    run = drawn.scene["run"]
    if scheme == "rattle-tol":
        run["tol"] = number(10 ** rng.uniform(-5, -2))
    elif scheme != "rattle":
        run["scheme"] = scheme
        if scheme in TOL:
            run["tol"] = number(10 ** rng.uniform(-9, -4))
    if scheme in ("moreau-jean", "schatzman-paoli"):
        run["step"] = number(run["until"] * 1e-3)
    return drawn


# what is asked of a run


class Looked:
    """What one scene came to: what was compared, and what is wrong."""

    def __init__(self):
        self.asked, self.wrong, self.said = [], [], None

    def ask(self, what, off, allowed):
        self.asked.append(what)
        if not off <= allowed:  # (not a number is wrong)
            self.wrong.append(f"{what}: off by {off:.3g}, {allowed:.3g} allowed")


def columns(array):
    """of rows a body has one axis"""
    return array[:, :, None] if array.ndim == 2 else array


def motion(run, drawn):
    """velocities and places, samples x bodies x axes, in whichever layout the run has them"""
    n, dim = len(drawn.masses), drawn.dim
    if dim == 1:
        return columns(run.v), columns(run.u)
    if run.v.ndim == 3:
        return run.v[:, :n], run["position"][:, :n]
    rows = len(run.t)  # a few bodies as one mechanism: velocities and rates of turning of each, and places
    return run.v.reshape(rows, -1, 3 if dim == 2 else 6)[:, :n, :dim], run["position"].reshape(rows, -1, dim)[:, :n]


def promises(path):
    """(stated error or NaN, does the run itself take its promise back?)"""
    with h5py.File(path, "r") as f:
        parameters = f["parameters"]
        stated = float(np.asarray(parameters["estimate"][()]).reshape(-1)[0]) if "estimate" in parameters else math.nan
        none = "no_promise/why" in parameters and np.asarray(parameters["no_promise/why"][()]).reshape(-1)[0] != 0
        return stated, bool(none)


def look_at_memory(looked, run, path):
    filed = carom.open(path)
    same = len(filed) == len(run) and all(np.array_equal(run[p], filed[p], equal_nan=True) for p in run.probes if not np.isscalar(run[p]))
    looked.ask("the file holds what the run gave", 0.0 if same else 1.0, 0.0)
    for name in ("events", "episodes", "ledger"):
        mine, its = getattr(run, name), getattr(filed, name)
        same = list(mine) == list(its) and all(np.array_equal(np.asarray(mine[c]), np.asarray(its[c]), equal_nan=True)
                                               if np.asarray(mine[c]).dtype.kind == "f" else list(mine[c]) == list(its[c]) for c in mine)
        looked.ask(f"the file holds its {name}", 0.0 if same else 1.0, 0.0)


def look_at_energy(looked, drawn, run, loose):
    ledger = {name: np.asarray(run.ledger[name]) for name in run.ledger}
    supplied = ledger["kinetic"][0] + ledger["stored"][0] + np.abs(ledger["work"]).max() + 1e-300
    # (of fixed steps the summary tells the largest of the samples, and says no more unless the last one is off)
    residual = np.abs(ledger["residual"])
    looked.ask("residual", (residual[-1] if loose == FIXED else residual.max()) / supplied, loose)
    entries = ledger["kinetic"] + ledger["stored"] + ledger["dissipated"] - ledger["work"]
    looked.ask("residual is what is left of the entries", np.abs(entries - entries[0] - ledger["residual"]).max() / supplied, 1e-12)
    if drawn.springs or not drawn.round:
        return
    n = len(drawn.masses)
    v, x = motion(run, drawn)
    if not drawn.friction:
        kinetic = (drawn.masses[None, :, None] * v**2).sum(axis=(1, 2)) / 2
        looked.ask("kinetic energy", np.abs(kinetic - ledger["kinetic"]).max() / supplied, 1e-12)
    work = (drawn.forces[None] * (x - x[0])).sum(axis=(1, 2))
    looked.ask("work of loads", np.abs(work - ledger["work"]).max() / supplied, loose)
    if run.scheme in RIGID:  # nothing but weights stores energy
        weight = (drawn.masses[:, None] * drawn.gravity[None, :])[None] * (x[0] - x)
        looked.ask("energy of weights", np.abs(weight.sum(axis=(1, 2)) - ledger["stored"]).max() / supplied, max(loose, 1e-9))


def look_at_solid_momentum(looked, drawn, run, loose):
    """of one block on the floor, whose cells are alike: across the floor by the log, and along it by nothing if nothing rubs"""
    if len(drawn.masses) > 1:
        return
    log = run.episodes
    change = drawn.masses[0] * (run.v[-1].mean(axis=0) - run.v[0].mean(axis=0))
    size = drawn.masses[0] * np.abs(run.v).max()
    looked.ask("momentum of a block", abs(change[1] - np.asarray(log["impulse"]).sum()) / size, loose)
    if not drawn.friction:
        looked.ask("momentum along the floor", abs(change[0]) / size, 1e-9)


def look_at_momentum(looked, drawn, run, loose):
    """of each bead of a row; of all bodies together, and along the normal of the floor by the log of its contacts"""
    if run.scheme == "rattle":
        look_at_solid_momentum(looked, drawn, run, loose)
    if drawn.springs or not drawn.round:
        return
    if run.scheme in RIGID and (np.abs(run.force).max(initial=0.0) > 0 if "contact_force" in run.probes else drawn.gravity.any()):
        return  # what lasting contacts carry is no impact
    log = {name: np.asarray(run.episodes[name]) for name in run.episodes}
    n = len(drawn.masses)
    v, _ = motion(run, drawn)
    change = drawn.masses[:, None] * (v[-1] - v[0])
    pull = (drawn.forces + drawn.masses[:, None] * drawn.gravity[None, :]) * run.t[-1]
    size = (drawn.masses[:, None] * np.abs(v).max(axis=0)).sum() + np.abs(pull).sum()
    if drawn.dim == 1:
        by_contact = np.zeros(n + 1)
        np.add.at(by_contact, log["contact"].astype(int), log["impulse"])
        mine = by_contact[:n] - by_contact[1:] + pull[:, 0]
        looked.ask("momentum of each bead", np.abs(mine - change[:, 0]).max() / size, loose)
        return
    total = change.sum(axis=0) - pull.sum(axis=0)
    if drawn.planes and "second" not in log:
        return  # contacts by number: which of them are the floor's?
    if drawn.planes:
        floor = np.isin(log["second"], [p + 1 for p in drawn.planes])
        total[-1] -= log["impulse"][floor].sum()
        total = total if not drawn.friction else total[-1:]
    looked.ask("momentum", np.abs(total).max() / size, loose)


def look_at_promise(looked, drawn, run, path):
    stated, none = promises(path)
    if none or not math.isfinite(stated):
        looked.said = "no promise"
        return
    tol = drawn.scene["run"]["tol"]
    tighter = json.loads(json.dumps(drawn.scene))
    # rattle takes a thousandth of the error in thirty times the steps; others can only come down to what rounding leaves
    tighter["run"]["tol"] = max(tol / 1000, 1e-12)
    tighter["record"] = dict(tighter.get("record", {}), times=[float(t) for t in run.t], episodes="none", events=False)
    best = carom.run(tighter)
    at, mine = np.searchsorted(best.t, run.t), slice(None)
    if len(best.t) != len(run.t) or not np.array_equal(best.t, run.t):
        at = np.clip(np.searchsorted(best.t, run.t), 0, len(best.t) - 1)
        mine = best.t[at] == run.t
        at = at[mine]
    u, v = columns(run.u)[mine] - columns(best.u)[at], columns(run.v)[mine] - columns(best.v)[at]
    long, fast = run.scales["length"], run.scales["speed"]
    rigid = run.scheme in RIGID
    off = np.abs(u).max() / long
    if not rigid:
        off = max(off, np.abs(v).max() / fast)
    looked.ask("stated error", off, 3 * max(stated, 1e-13) + 3 * max(0.0 if not math.isfinite(best.estimate) else best.estimate, 1e-13))
    if not stated <= tol * (1 + 1e-9):
        looked.said = "more than tol"


def look_at_limit(looked, drawn):
    """beads that are stiff and far enough apart meet as rigid ones do"""
    rigid = json.loads(json.dumps(drawn.scene))
    stiff = json.loads(json.dumps(drawn.scene))
    rigid["contacts"] = {"e": 1.0}
    rigid["run"] = {"until": rigid["run"]["until"], "tol": 1e-10}
    stiff["contacts"] = {"law": "hertz", "k": 1e12}
    stiff["theory"] = "compliant"
    stiff["run"] = {"until": rigid["run"]["until"], "tol": 1e-7}
    for scene in (rigid, stiff):
        scene["record"] = {"every": scene["run"]["until"]}
    a, b = carom.run(rigid), carom.run(stiff)
    log = a.episodes
    if len(log) and len(log) > 12 or (len(log) > 1 and np.diff(np.sort(np.asarray(log["closed"]))).min() < 1e-2):
        return  # impacts near each other are not the pair by pair of rigid ones
    if len(log) and (a.t[-1] - np.asarray(log["closed"])).min() < 1e-2:
        return
    looked.ask("compliant contacts that are short are rigid ones", np.abs(a.v[-1] - b.v[-1]).max(), 1e-2)


# Fixed steps say themselves when their ledger is off by more than a tenth (docs/tolerance.md).
FIXED = 0.1


def look(kind, scheme, seed):
    drawn = draw(kind, scheme, seed)
    looked = Looked()
    tol = drawn.scene["run"].get("tol", 0.0)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.h5")
        try:
            run = carom.run(drawn.scene, output=path)
        except carom.Refused as error:
            looked.said = f"refused: {error}"
            return looked
        except (carom.SceneError, carom.NumericError) as error:
            looked.said = f"{type(error).__name__}: {error}"
            return looked
        loose = max(300 * tol, 1e-9) if tol else FIXED
        with h5py.File(path, "r") as f:
            unbalanced = f["parameters/unbalanced"][()] if "parameters/unbalanced" in f else 0
        look_at_memory(looked, run, path)
        if np.asarray(unbalanced).reshape(-1)[0] > 0:
            looked.said = "unbalanced"
        else:
            look_at_energy(looked, drawn, run, loose)
            # impulses of rigid contacts are what changes velocities; those of compliant ones are integrals along the run
            exact = 1e-9 if run.scheme in RIGID and scheme not in ("moreau-jean", "schatzman-paoli") else max(loose, 1e-7)
            if scheme == "moreau-jean":
                exact = 1e-9
            look_at_momentum(looked, drawn, run, exact)
        if scheme in TOL:
            look_at_promise(looked, drawn, run, path)
        if kind == "row, rigid" and scheme == "event":
            look_at_limit(looked, drawn)
    return looked


def work(case):
    try:
        looked = look(*case)
        return case, looked.asked, looked.wrong, looked.said
    except Exception as error:  # of this file, or one that carom should not raise
        return case, [], [f"{type(error).__name__}: {error}"], None


def main():
    words = sys.argv[1:]
    if words[:1] == ["scene"]:
        print(json.dumps(draw(words[1], words[2], int(words[3])).scene, indent=1))
        return 0
    count = int(words[0]) if words else ALL if "ALL_LINES" in os.environ else FEW
    first = int(words[1]) if len(words) > 1 else 1
    kinds = [words[2]] if len(words) > 2 else list(KINDS)
    pairs = [(k, s) for k in kinds for s in KINDS[k][0] if len(words) < 4 or s == words[3]]
    cases = [(k, s, seed) for k, s in pairs for seed in range(first, first + count)]
    table = {pair: [0, 0, 0, {}] for pair in pairs}  # scenes, judged in full, wrong, what was said
    with ProcessPoolExecutor(int(os.environ.get("JOBS", "2"))) as pool:
        for (kind, scheme, seed), asked, wrong, said in pool.map(work, cases, chunksize=4):
            row = table[kind, scheme]
            row[0] += 1
            row[1] += not said
            row[2] += bool(wrong)
            if said:
                word = said.split(":")[0]
                row[3][word] = row[3].get(word, 0) + 1
                if word not in ("no promise", "unbalanced", "more than tol") and row[3][word] == 1:
                    print(f"{kind}, {scheme}, seed {seed}: {said}", flush=True)
            for line in wrong:
                print(f"WRONG {kind}, {scheme}, seed {seed}: {line}", flush=True)
    print(f"{'kind':30} {'scheme':16} scenes  judged  wrong")
    for (kind, scheme), (scenes, judged, wrong, said) in table.items():
        print(f"{kind:30} {scheme:16} {scenes:6d} {judged:7d} {wrong:6d}  " + ", ".join(f"{n} {w}" for w, n in said.items()))
    total = sum(row[2] for row in table.values())
    print(f"{sum(row[0] for row in table.values())} scenes, {total} wrong")
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main())
