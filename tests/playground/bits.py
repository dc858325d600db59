"""The library in WebAssembly records the bits that the program records: some quick scenes of every kind against the table
tests/determinism/scenes.txt; bits_long has all of them."""
import os

import playgrounds
from checks import check, end

SCENES = """cradle steel-chain cradle-strings local-damping measured-push power-law crystals/corner crystals/triangle
lzb/three rigid/bouncing-ball rigid/positions mechanisms/ball mechanisms/pendulum bodies/box-on-slope bodies/polygons
bodies/polyhedra bodies/wrecking-ball friction/slope solid-spin solid-plate solid-voronoi""".split()

with open(os.path.join(playgrounds.SOURCE, "tests", "determinism", "scenes.txt")) as table:
    stored = dict(line.split(None, 1) for line in table.read().splitlines())
names = [f"scenes/{name}.yaml" for name in SCENES]
found = playgrounds.hashes(names)
for name in names:
    check(found[name] == stored[name], name, "is", stored[name], "natively and", found[name], "in WebAssembly")
end(len(names))
