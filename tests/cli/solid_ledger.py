#!/usr/bin/env python3
# The energy ledger of solids closes under every kind of load: tractions and pressures that jump in the run (the face
# yields at once, which is work), in the plane and in space, under rattle and dp5.
# Blows that are shorter than a step of the body are seen.
import os
import pathlib
import subprocess

import h5py
import numpy as np

from checks import check, end, fresh

CAROM = os.environ["CAROM"]


def ledger(load, space, options, record="{every: 0.5 ms}"):
    size, cells, free = ("[1, 0.2, 0.2]", "[10, 2, 2]", ", 0") if space else ("[1, 0.2]", "[10, 2]", "")
    pathlib.Path("scene.yaml").write_text(f"""
theory: solid
bodies:
  - solid:
      box: {{size: {size}, cells: {cells}}}
      material: {{young: 1e9, poisson: 0.4, density: 1000}}
      clamps: [{{face: left, fix: [x]}}]
      loads: [{load.replace('FREE', free)}]
run: {{until: 12 ms, {options}}}
record: {record}
""")
    subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("run.h5"), "-q"], check=True)
    with h5py.File("run.h5") as run:
        return {name: run[f"observables/ledger/{name}/value"][:] for name in run["observables/ledger"]
                if name != "mechanism"}


BOX = "signal: {shape: step, start: 3 ms, duration: 6.1 ms}"
LOADS = [f"{{face: right, traction: [1e6, 3e5FREE], {BOX}}}", f"{{face: top, pressure: 1e6, {BOX}}}",
         "{face: right, traction: [1e6, 0FREE], signal: {shape: sine, frequency: 100, phase: 1, start: 4.3 ms, duration: 8 ms}}"]
for space in (False, True):
    for load in LOADS:
        for options, allowed in (("step: 10 us", 3e-4), ("scheme: dp5, tol: 1e-5", 2e-5)):
            found = ledger(load, space, options)
            size = np.abs(found["work"]).max()
            worst = np.abs(found["residual"]).max() / size
            check(size > 0.0 and worst < allowed, f"{load} {options}: residual {worst:.1e} of the work")

# samples inside the step that ends at the jump do not see it, the one at its end does
found = ledger(LOADS[0], False, "step: 20 us", "{times: [2.985 ms, 2.9999 ms, 3 ms]}")
check(list(found["work"][:2]) == [0, 0] and found["work"][2] > 0, f"work about the jump: {found['work']}")
check(found["residual"][2] == 0.0, "the residual at the jump")

# a blow that is shorter than the largest stable step (92 us) gives its impulse all the same, with and without tol
for signal, impulse in (("{shape: half-sine, start: 0.1 ms, duration: 20 us}", 40e-6 / np.pi),
                        ("{shape: sine, frequency: 40 kHz, start: 0.1 ms, duration: 37.5 us}", 25e-6 / np.pi)):
    for options, allowed in (("", 1e-2), (", tol: 1e-4", 1e-3)):
        pathlib.Path("scene.yaml").write_text(f"""
theory: solid
bodies:
  - solid:
      box: {{size: [1, 0.1], cells: [10, 1]}}
      material: {{young: 1e9, poisson: 0.3, density: 1000}}
      loads: [{{face: right, force: [1e6, 0], signal: {signal}}}]
run: {{until: 2 ms{options}}}
record: {{times: [2 ms]}}
""")
        subprocess.run([CAROM, "run", "scene.yaml", "-o", fresh("run.h5"), "-q"], check=True)
        with h5py.File("run.h5") as run:
            speed = run["particles/cells/velocity/value"][0, :, 0].mean()
        check(abs(speed / (1e4 * impulse) - 1) < allowed, f"{signal}{options}: {speed} m/s instead of {1e4 * impulse}")

end()
