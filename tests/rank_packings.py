"""Packings that ranks share, and what their run files must be."""
from rank_solids import write
from ranks import same

SCENE = """gravity: %s
%s
bodies: [%s]
materials: {plastic: {young: 5 MPa, poisson: 0.3, density: 1200}}
contacts: {law: kuwabara-kono, restitution: {e: 0.5, speed: 1 m/s}, friction: {mu: 0.4}%s}
%s
run: {until: %s, scheme: verlet, threads: 1, checkpoint: 0, skin: 0.1 mm}
record: {every: %s, probes: [position, v, contacts, kinetic, stored, work, residual]}
"""
SPHERES = """{packing: {name: grains, kind: dense, count: 1700, radius: 2 mm, spread: 0.1, material: plastic,
    in: [[0, 0, 0], [50 mm, 50 mm, 50 mm]], seed: 3}}"""
DISCS = """{packing: {name: grains, kind: dense, count: 1600, radius: 4 mm, spread: 0.3, thickness: 10 mm, material: plastic,
    in: [[0, 0], [40 cm, 30 cm]], seed: 7}}, {plane: {at: [0, 0], normal: [0, 1], material: plastic}},
    {plane: {at: [0, 0], normal: [1, 0], material: plastic}}, {plane: {at: [40 cm, 0], normal: [-1, 0], material: plastic}}"""
CASES = {
    # balls in lanes, a floor that is led, a box that turns freely, sides that are joined
    "shaken": ("[0, 0, -90]", "domain: [[0, 0, -10 mm], [50 mm, 50 mm, 200 mm]]\nperiodic: [x, y]",
               SPHERES + """, {plane: {name: floor, at: [0, 0, 0], normal: [0, 0, 1], material: plastic,
               drive: {displacement: [0, 0, 1 mm], signal: {shape: sine, frequency: 90 Hz}}}},
               {box: {name: chest, at: [25 mm, 25 mm, 54 mm], size: [10 mm, 12 mm, 6 mm], mass: 5 g, material: plastic}}""",
               "", "start: [{body: chest, velocity: [0, 0, -2 m/s], spin: [9, 5, 30]}]", "2 ms", "0.31 ms"),
    # discs that roll under a piston, which has a load and presses some of them deep; forces end contacts
    "pressed": ("[0, -9.81]", "",
                DISCS + ", {plane: {name: piston, at: [0, 30 cm], normal: [0, -1], mass: 200 g, material: plastic}}",
                ", contact_end: force, rolling: {mu: 0.02, slip_speed: 1 mm/s}", "loads: [{body: piston, force: [0, -1000 N]}]",
                "2 ms", "0.51 ms"),
    # a crowd that flies far and against another: lists are made often, and places are counted from new anchors
    "far": ("[0, 0]", "", DISCS.split("}}, {plane")[0] + """}}, {packing: {name: others, count: 500, radius: 4 mm, thickness: 10 mm,
            material: plastic, in: [[41 cm, 0], [72 cm, 30 cm]], seed: 2}}""",
            "", "start: [{body: grains, velocity: [200 m/s, 30 m/s]}, {body: others, velocity: [185 m/s, 31 m/s]}]", "1 ms",
            "0.11 ms"),
}

# for longer, so that blocks that press deep see lists come and go
CASES["sunk"] = (*CASES["pressed"][:-3], "loads: [{body: piston, force: [0, -60 N]}]", "19 ms", "1 ms")
# the same, and who gets too far is removed
CASES["leaving"] = (CASES["far"][0], "domain: [[-1 cm, -1 cm], [80 cm, 32 cm]]\noutside: remove", *CASES["far"][2:])


def shared(case, counts):
    """the run file of that case is the same to the bit for these numbers of ranks; 0: without mpirun"""
    same(case, write(case + ".yaml", SCENE % CASES[case]), counts)
