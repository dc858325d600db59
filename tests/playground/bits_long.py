"""The library in WebAssembly records the bits that the program records, in all scenes."""
import os

import playgrounds
from checks import check, end

with open(os.path.join(playgrounds.SOURCE, "tests", "determinism", "scenes.txt")) as table:
    stored = dict(line.split(None, 1) for line in table.read().splitlines())
found = playgrounds.hashes(sorted(stored))
for name, bits in stored.items():
    check(found.get(name) == bits, name, "is", bits, "natively and", found.get(name), "in WebAssembly")
end(len(stored))
