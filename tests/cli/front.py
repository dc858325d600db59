"""carom pulse of discs and spheres: the row of a square lattice has the chain's numbers and the speed of Nesterenko's
wave, fronts in hexagonal and cubic crystals have the lattice's symmetry, energies add up; CSV, picture, what is kept in
the run file, and what is refused."""
import csv
import math
import os
import subprocess
import xml.dom.minidom

import h5py

from checks import EVERY, check, end, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


def run(name, scene, *settings):
    with open(name + ".yaml", "w") as file:
        file.write(scene)
    done = carom("run", "-q", name + ".yaml", "-o", name + ".h5", *[word for s in settings for word in ("--set", s)])
    check(done.returncode == 0, name, done.stderr)
    return name + ".h5"


def table(name):
    with open(name) as file:
        return [{k: float(v) for k, v in row.items()} for row in csv.DictReader(file)]


def front(path, *options):
    done = carom("pulse", path, "--no-keep", "-q", "--csv", "map.csv", "--directions", "ways.csv", *options)
    check(done.returncode == 0 and done.stdout == "" and done.stderr == "", path, options, done)
    return {int(row["body"]): row for row in table("map.csv")}, table("ways.csv")


def refused(code, arguments, said):
    done = carom("pulse", *arguments)
    check(done.returncode == code and done.stderr.startswith("carom: ") and said in done.stderr, arguments, done)


def test_row():
    scene = os.path.join(SOURCE, "scenes", "crystals", "square-row.yaml")
    check(carom("run", "-q", scene, "-o", "row.h5").returncode == 0, "row")
    chain = run("chain", "bodies:\n  - striker: {side: left, velocity: 1 m/s, radius: 5 mm, material: steel}\n"
                "  - chain: {count: 16, radius: 5 mm, material: steel}\ncontacts: {law: hertz}\n"
                "run: {until: 0.25 ms, tol: 1e-8}\nrecord: {every: 0.5 us, probes: [v, contact_force]}\n")
    bodies, ways = front("row.h5")
    check(carom("pulse", chain, "--no-keep", "-q", "--csv", "chain.csv").returncode == 0, "chain")
    with open("chain.csv") as file:
        waves = {int(row["number"]): row for row in csv.DictReader(file)}
    for i in range(2, 14):  # contact i is left of sphere 32 + i; forces fall along the row, so it is that sphere's largest
        near(bodies[32 + i]["force"], float(waves[i]["peak"]), 1e-6 * bodies[33]["force"], "force of the row", i)
        near(bodies[32 + i]["force_time"], float(waves[i]["time"]), 2e-9, "when", i)
    row = set(range(33, 49)) | {81}
    check(all(math.isnan(b["arrival"]) and b["peak"] == 0.0 for n, b in bodies.items() if n not in row), "others rest")
    k, mass, d = 1.48718e11 * math.sqrt(2.5e-3), 0.0040736, 0.01
    soliton = 0.9055 * d * math.sqrt(k / mass) * (bodies[46]["force"] / k) ** (1 / 6)
    near(d / (bodies[46]["arrival"] - bodies[45]["arrival"]), soliton, 2e-4 * soliton, "solitary wave")
    near(sum(w["reached"] for w in ways), 16, 0, "reached")
    near(ways[0]["speed"], soliton, 0.03 * soliton, "mean speed")
    check(abs(ways[0]["decay"]) < 0.05, "no decay in a row", ways[0])


def test_log():
    """Largest forces are those of the log, to the end of the run: one that still grows there peaks after the last sample, by rounding."""
    scene = os.path.join(SOURCE, "scenes", "crystals", "hexagonal-centre.yaml")
    check(carom("run", "-q", scene, "--set", "run.until=0.05 ms", "-o", "log.h5").returncode == 0, "log")
    most = {}
    with h5py.File("log.h5") as file:
        last = file["particles/bodies/velocity/time"][-1]
        late = sum(time > last for time in file["episodes/peak_time"][()])
        for pair, force in zip(file["episodes/pair"][()], file["episodes/peak_force"][()]):
            for body in pair:
                most[int(body)] = max(force, most.get(int(body), 0.0))
    check(late > 10, "peaks after the last sample:", late)
    for window in ([], ["--until", "0.05 ms"]):
        for number, body in front("log.h5", *window)[0].items():
            near(body["force"] if most.get(number, 0.0) > 0.0 else 0.0, most.get(number, 0.0), 0.0, "largest force of body", number)


def test_missed():
    """A striker beside a corner: the ray along a row passes the crystal by, and starts elsewhere if it is told to."""
    corner = run("corner", "bodies:\n"
                 "  - lattice: {kind: hexagonal, of: sphere, count: [4, 4], radius: 5 mm, material: steel, at: [0, 0]}\n"
                 "  - sphere: {at: [-8.6602540379 mm, -5 mm], radius: 5 mm, material: steel, velocity: [0.866 m/s, 0.5 m/s]}\n"
                 "contacts: {law: hertz}\nrun: {until: 60 us, tol: 1e-5}\nrecord: {every: 1 us, probes: [position, v]}\n")
    said = carom("pulse", corner, "--no-keep", "--along", "1,0").stdout
    note = "note: the ray 1,0 from the origin meets no other body; --origin 1 lets it start at the body that was reached first\n"
    check("origin     body 17, " in said and note in said, said)
    said = carom("pulse", corner, "--no-keep", "--along", "1,0", "--origin", "1").stdout
    check("note: the ray" not in said and said.count(" front ") >= 2, said)
    said = carom("pulse", corner, "--no-keep", "--along=-1,1", "--origin", "1").stdout
    check("meets no other body; --origin N lets it start at body N\n" in said, said)


def test_symmetric():
    scene = os.path.join(SOURCE, "scenes", "crystals", "hexagonal-centre.yaml")
    check(carom("run", "-q", scene, "-o", "hex.h5").returncode == 0, "hex")
    bodies, ways = front("hex.h5")
    mirror = {}
    for number, body in bodies.items():
        mirror[round(body["x"] * 1e6), round(body["y"] * 1e6)] = number
    centre = bodies[113]
    pairs = 0
    for body in bodies.values():
        other = mirror.get((round(body["x"] * 1e6), round((2 * centre["y"] - body["y"]) * 1e6)))
        if other is not None and not math.isnan(body["arrival"]):
            near(bodies[other]["arrival"], body["arrival"], 1e-9, "arrival", body["body"])
            near(bodies[other]["peak"], body["peak"], 1e-5, "peak", body["body"])
            pairs += 1
    check(pairs > 100, "pairs", pairs)
    for k in range(1, 6):
        for column, allowed in (("speed", 0.5), ("largest", 1e-9), ("farthest", 1e-12)):
            one, two = ways[k][column], ways[12 - k][column]
            check(math.isnan(one) and math.isnan(two) or abs(one - two) < allowed, column, k, one, two)
    check(ways[0]["speed"] > ways[2]["speed"] > ways[1]["speed"] > ways[3]["speed"], "rows carry the front", ways)
    # the energies of all directions and of the striker are that of all, at the end of the record
    with h5py.File("hex.h5") as file:
        v = file["particles/bodies/velocity/value"][-1]
        mass = file["particles/bodies/mass"][:]
        kinetic = 0.5 * (mass * (v ** 2).sum(axis=1))
    near(sum(w["energy"] for w in ways), kinetic.sum() - kinetic[112], 1e-12 * kinetic.sum(), "energies")


FCC = ("title: A block\nbodies:\n  - lattice: {kind: fcc, count: [3, 3, 3], radius: 5 mm, material: steel, at: [0, 0, 0]}\n"
       "contacts: {law: hertz}\nstart: [{body: BODY, velocity: [0, 0, 1 m/s]}]\n"
       "run: {until: 60 us, scheme: verlet, step: 0.2 us}\nrecord: {every: 1 us, probes: [position, v]}\n")


def test_space():
    # sphere 53 is at (1, 1, 1) cubic cells: fourfold about z
    path = run("block", FCC.replace("BODY", "53"))
    bodies, ways = front(path)
    check(len(ways) == 26 and ways[0]["x"] == -1 and ways[25]["z"] > 0.5, "directions of the cube", len(ways))
    names = {(round(w["x"] * 9), round(w["y"] * 9), round(w["z"] * 9)): w for w in ways}
    origin = bodies[53]
    near(origin["z"], origin["x"], 1e-12, "on the diagonal")
    up = [w for (x, y, z), w in names.items() if z == 6 and abs(x) + abs(y) == 6]  # (1,0,1) and its three turns
    check(len(up) == 4 and max(w["largest"] for w in up) > 0, "diagonals of faces", len(up))
    _, axes = front(path, "--sectors", "6", "--origin", "53")
    check(len(axes) == 6, "axes", len(axes))


def test_files():
    done = carom("pulse", "hex.h5", "--svg", "map.svg", "--along", "1,0")
    check(done.returncode == 0 and "kept       hex.h5: /analysis/front" in done.stdout, done)
    check("along 1,0 from the origin" in done.stdout and "front " in done.stdout, done.stdout)
    picture = xml.dom.minidom.parse("map.svg")
    check(len(picture.getElementsByTagName("circle")) == 225, "circles")
    done = carom("pulse", "hex.h5", "--no-keep", "-q", "--svg", "force.svg", "--colour", "force", "--page", "front.html")
    check(done.returncode == 0 and "largest force" in open("force.svg").read(), done)
    page = open("front.html").read()
    check(page.count("<svg") == 5 and page.count("<circle cx") == 3 * 225 and "<td>60 deg<td>18<td>18" in page, page[:200])
    bodies, ways = front("hex.h5")
    with h5py.File("hex.h5") as file:
        kept = file["analysis/front"]
        check(kept.attrs["command"].decode().endswith("--along 1,0"), kept.attrs["command"])
        check(kept["arrival"].attrs["unit"].decode() == "s" and len(kept["body"]) == 225, "kept bodies")
        near(kept["arrival"][113], bodies[114]["arrival"], 0, "kept arrival")
        near(kept["directions/speed"][2], ways[2]["speed"], 0, "kept speed")
    # a threshold of its own, a window, another origin
    late, _ = front("hex.h5", "--threshold", "0.1 m/s", "--origin", "0.1,0.05")
    check(late[114]["arrival"] > bodies[114]["arrival"], "later at a higher speed")
    near(late[114]["distance"], math.hypot(late[114]["x"] - 0.1, late[114]["y"] - 0.05), 1e-15, "distance")
    early, _ = front("hex.h5", "--until", "30 us")
    check(sum(math.isnan(b["arrival"]) for b in early.values()) > 100, "a window")


def test_wrong():
    refused(2, ["hex.h5", "--contact", "3"], "--contact is of rows of beads")
    refused(2, ["hex.h5", "--wave", "3"], "--wave N is of rows")
    refused(2, ["hex.h5", "--origin", "999"], "no disc or sphere that moves has this number")
    refused(2, ["hex.h5", "--origin", "here"], "must be the number of a body or a place")
    refused(2, ["hex.h5", "--along", "0,0"], "must be a direction")
    refused(2, ["hex.h5", "--sectors", "400"], "at most 360")
    refused(2, ["block.h5", "--sectors", "12"], "space has 6")
    refused(2, ["hex.h5", "--svg", "map.svg", "--colour", "red"], "must be arrival, speed or force")
    refused(2, ["chain.h5", "--along", "1,0"], "is of runs of discs and spheres")
    refused(4, ["hex.h5", "--until", "1 us"], "a front needs three at least")
    still = run("still", FCC.replace("BODY, velocity: [0, 0, 1 m/s]", "1, velocity: [0, 0, 0]"))
    refused(4, [still], "is set moving in it")
    blind = run("blind", FCC.replace("BODY", "53"), "record.probes=[position]")
    refused(4, [blind], "add v to the probes")
    check(carom("pulse", "hex.h5", "--no-keep", "-q", "--svg", "still.yaml").returncode == 6, "no scene is overwritten")


def test_notes():
    """What cannot be told is not: a speed where arrivals do not grow with the distance, and the origin of what falls."""
    edge = os.path.join(SOURCE, "scenes", "crystals", "hexagonal-edge.yaml")
    if EVERY:
        check(carom("run", "-q", edge, "-o", "edge.h5").returncode == 0, "a crystal that is struck along its edge")
        said = carom("pulse", "edge.h5", "--no-keep", "--origin", "7").stdout
        check("note: in 2 directions arrivals do not grow with the distance" in said, said)
        speeds = [row["speed"] for row in front("edge.h5", "--origin", "7")[1]]
        check(all(500 < v < 600 for v in speeds if not math.isnan(v)) and sum(v == v for v in speeds) == 5, speeds)
    drop = ("gravity: [0, -9.81]\nbodies:\n  - sphere: {at: [0, 10 mm], radius: 10 mm, material: steel}\n"
            "  - sphere: {at: [0, 40 mm], radius: 10 mm, material: steel}\n  - plane: {at: [0, 0], normal: [0, 1], material: steel}\n"
            "contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1 m/s}}\nrun: {until: 60 ms}\n")
    dropped = run("dropped", drop)
    check("under gravity bodies that fall or settle count as reached" in carom("pulse", dropped, "--no-keep").stdout, "weights")
    said = carom("pulse", dropped, "--no-keep", "--threshold", "1 cm/s").stdout
    check("origin     body 2" in said and "under gravity" not in said, said)


test_row()
test_log()
test_missed()
test_notes()
test_symmetric()
test_space()
test_files()
test_wrong()
end(300)
