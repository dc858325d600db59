#!/usr/bin/env python3
# Plasticity and absorbing sides of solids in scenes: the ledger closes under loads and drives, runs that are cut in two go
# on to the same bits, threads change none; a bar pulled slowly beyond yield follows the closed form; what does not go
# together is refused in words.
import os
import pathlib
import subprocess

import h5py
import numpy as np

from checks import check, end

CAROM = os.environ["CAROM"]
BAR = """
theory: solid
bodies:
  - solid:
      box: {size: [4 cm, 1 cm, 1 cm], cells: [8, 2, 2]}
      material: {young: 2e11, poisson: 0.3, density: 7800}
      plasticity: {yield: 200 MPa, hardening: 20 GPa}
      clamps: [{face: left, fix: [x]}]
      DRIVE
run: {until: UNTIL, OPTIONS}
record: {every: UNTIL, probes: [u, stress, plastic_strain, von_mises]}
"""
PULL = "drives: [{face: right, displacement: [0.15 mm, free, free], signal: {shape: ramp, duration: 1 ms}}]"


def run(name, text, *options):
    pathlib.Path(f"{name}.yaml").write_text(text)
    return subprocess.run([CAROM, "run", f"{name}.yaml", "-o", f"{name}.h5", "-q", *options], capture_output=True, text=True)


def last(name, path):
    with h5py.File(f"{name}.h5") as file:
        return file[path + "/value"][-1]


# uniaxial, slowly: the body ends at the centres of held and driven cells, 3.5 cm apart
slow = BAR.replace("DRIVE", "damping: {mass: 2e4}\n      " + PULL).replace("UNTIL", "1 ms")
check(run("slow", slow.replace("OPTIONS", "threads: 1")).returncode == 0, "slow pull")
strain = 0.15e-3 / 0.035
known = (200e6 + 20e9 * strain) / (1 + 20e9 / 2e11)
pull = last("slow", "particles/cells/stress")[:, 0].mean()
check(abs(pull / known - 1) < 0.01, "stress beyond yield", pull, known)
flow = last("slow", "particles/cells/plastic_strain").mean()
check(abs(flow / (strain - known / 2e11) - 1) < 0.02, "plastic strain", flow)
with h5py.File("slow.h5") as file:
    ledger = file["observables/ledger"]
    check(abs(ledger["residual/value"][-1]) < 1e-3 * ledger["work/value"][-1], "ledger", ledger["residual/value"][-1])
    check(ledger["mechanism/plastic/value"][-1] > 0.3 * ledger["work/value"][-1], "plastic work")

# pictures
check(subprocess.run([CAROM, "export", "slow.h5", "--vtk", "slow"], capture_output=True).returncode == 0, "export")
picture = sorted(pathlib.Path(".").glob("slow*.vtu"))[-1].read_bytes()
check(b'Name="plastic_strain"' in picture and b'Name="von_mises"' in picture, "fields of the picture")

# threads and a cut in two
quick = BAR.replace("DRIVE", "absorbing: [right]\nstart: [{velocity: [-30, 0, 0]}]").replace("UNTIL", "20 us")
for name, threads in (("one", 1), ("two", 2)):
    check(run(name, quick.replace("OPTIONS", f"threads: {threads}")).returncode == 0, "quick", threads)
for item in ("displacement", "plastic_strain", "von_mises"):
    check(np.array_equal(last("one", f"particles/cells/{item}"), last("two", f"particles/cells/{item}")), "threads", item)
check(last("one", "observables/ledger/mechanism/plastic") > 0 and last("one", "observables/ledger/mechanism/absorbed") > 0, "both")
check(run("half", quick.replace("OPTIONS", "threads: 1"), "--set", "run.until=10 us").returncode == 0, "half")
check(subprocess.run([CAROM, "resume", "half.h5", "--until", "20 us", "-q"]).returncode == 0, "resume")
check(run("whole", quick.replace("OPTIONS", "threads: 1"), "--set", "record.every=10 us").returncode == 0, "whole")
check(np.allclose(last("half", "particles/cells/plastic_strain"), last("whole", "particles/cells/plastic_strain"), rtol=0.05, atol=1e-5),
      "what has flowed goes on")


def refused(words, text):
    done = run("refused", text)
    check(done.returncode != 0 and words in done.stderr, words, done.stderr)


plain = quick.replace("OPTIONS", "threads: 1")
refused("in space", plain.replace("[4 cm, 1 cm, 1 cm], cells: [8, 2, 2]", "[4 cm, 1 cm], cells: [8, 2]").replace("[-30, 0, 0]", "[-30, 0]"))
refused("does not settle", plain.replace("start: [{", "start: [{settle: true, "))
refused("only scheme rattle", plain.replace("threads: 1", "scheme: dp5"))
refused("yield", plain.replace("yield: 200 MPa", "yield: 0"))
refused("yield", plain.replace("yield: 200 MPa, ", ""))
refused("hardening", plain.replace("20 GPa", "-1"))
refused("needs a solid with plasticity", plain.replace("      plasticity: {yield: 200 MPa, hardening: 20 GPa}\n", ""))
refused("all over does not absorb", plain.replace("[right]", "[left]"))
refused("did you mean 'right'", plain.replace("[right]", "[rihgt]"))
refused("do not go together", plain.replace("      absorbing", "      viscoelasticity: {relaxation: 1 ms}\n      absorbing"))

# Maxwell's body: what relaxes stands under internal
soft = plain.replace("plasticity: {yield: 200 MPa, hardening: 20 GPa}", "viscoelasticity: {relaxation: 10 us}")
check(run("soft", soft).returncode == 0, "viscoelastic")
with h5py.File("soft.h5") as file:
    ledger = file["observables/ledger"]
    energy = ledger["kinetic/value"][0] + ledger["stored/value"][0]
    check(abs(ledger["residual/value"][-1]) < 1e-3 * energy, "ledger", ledger["residual/value"][-1], energy)
    check(ledger["mechanism/internal/value"][-1] > 0.05 * energy and "plastic" not in ledger["mechanism"], "internal")
end()
