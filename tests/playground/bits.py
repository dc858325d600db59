"""The library in WebAssembly records the bits that the program records: some quick scenes of every kind against the table
tests/determinism/scenes.txt; bits_long has all of them."""
import os

import playgrounds
from checks import check, end

SCENES = """cradle-strings measured-push power-law crystals/corner lzb/three rigid/bouncing-ball mechanisms/pendulum bodies/polyhedra
friction/slope solid-spin solid-voronoi""".split()

with open(os.path.join(playgrounds.SOURCE, "tests", "determinism", "scenes.txt")) as table:
    stored = dict(line.split(None, 1) for line in table.read().splitlines())
names = [f"scenes/{name}.yaml" for name in SCENES]
found = playgrounds.hashes(names)
for name in names:
    check(found[name] == stored[name], name, "is", stored[name], "natively and", found[name], "in WebAssembly")
end(len(names))
