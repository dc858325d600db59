#!/usr/bin/env python3
# Two materials in one body. Each side of a border opens by its part of the compliance: layers of one Poisson ratio
# stretch as they should to rounding, and materials of any two ratios make a body that can rest: free vibrations keep
# their energy.
import os
import pathlib
import subprocess

import h5py
import numpy as np

from checks import check, end

CAROM = os.environ["CAROM"]


def run(text):
    pathlib.Path("scene.yaml").write_text("theory: solid\n" + text)
    return subprocess.run([CAROM, "run", "scene.yaml", "-o", "run.h5", "-q"], capture_output=True, text=True)


def modulus(young, poisson):
    return young * (1 - poisson) / ((1 + poisson) * (1 - 2 * poisson))


# a column that cannot widen: lengths from the centre of the first cell to that of the last
for factor in (0.01, 4, 100):
    for poisson in (-0.5, 0.3, 0.49):
        result = run(f"""
bodies:
  - solid:
      box: {{size: [1.2, 0.3], cells: [12, 3]}}
      material: {{young: 1e9, poisson: {poisson}, density: 1000}}
      regions: [{{material: {{young: {1e9 * factor}, poisson: {poisson}, density: 1000}}, box: [[0.6, 0], [2, 1]]}}]
      clamps: [{{face: bottom, symmetry: y}}, {{face: top, symmetry: y}}, {{face: left, symmetry: x}}]
      loads: [{{face: right, traction: [1e4, 0]}}]
start: [{{settle: true}}]
run: {{until: 1e-9}}
record: {{times: [0]}}
""")
        check(result.returncode == 0, f"{factor} {poisson}: {result.stderr.strip()}")
        with h5py.File("run.h5") as h5:
            u = h5["particles/cells/displacement/value"][0, 23, 0]
        whole = 1e4 * 0.55 * (1 + 1 / factor) / modulus(1e9, poisson)
        check(abs(u / whole - 1) < 1e-8, f"E ratio {factor}, nu {poisson}: {u / whole - 1:.1e} off")

# nothing in a body of two materials may give way by itself
for box, cells in (("[0.5, 0.4]", "[5, 4]"), ("[0.5, 0.4, 0.3]", "[5, 4, 3]")):
    for pair in ((-0.9, 0.3), (0.3, -0.9), (-0.9, 0.49), (0.0, -0.95)):
        low, high, push = ("0, 0", "0.2, 1", "0.1, 0.2") if box.count(",") == 1 else ("0, 0, 0", "0.2, 1, 1", "0.1, 0.2, 0.3")
        result = run(f"""
bodies:
  - solid:
      box: {{size: {box}, cells: {cells}}}
      material: {{young: 1e6, poisson: {pair[0]}, density: 1000}}
      regions: [{{material: {{young: 1e6, poisson: {pair[1]}, density: 1000}}, box: [[{low}], [{high}]]}}]
start: [{{face: right, velocity: [{push}]}}]
run: {{until: 0.4}}
""")
        check(result.returncode == 0, f"{cells} {pair}: {result.stderr.strip()}")
        if result.returncode == 0:
            with h5py.File("run.h5") as h5:
                ledger = {name: h5[f"observables/ledger/{name}/value"][:] for name in ("kinetic", "stored")}
            check(ledger["stored"].min() >= 0 and ledger["kinetic"].max() < 1.05 * ledger["kinetic"][0],
                  f"{cells} {pair}: energy {ledger['kinetic'].max() / ledger['kinetic'][0]:.3g} of the start")

end()
