#!/usr/bin/env python3
# contact_load, the forces of contacts on single cells: those on all cells of a body add up to what its contacts push
# with, action and reaction are equal, chosen cells have theirs, and exports for ParaView have it.
import os
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
SCENE = os.path.join(os.environ["SOURCE"], "scenes/solid-friction.yaml")


def carom(*words):
    result = subprocess.run([CAROM, *words], capture_output=True, text=True)
    check(result.returncode == 0, f"{words}: {result.stderr}")


def run(name, *sets):
    words = [word for each in sets for word in ("--set", each)]
    carom("run", SCENE, "-o", name, "-q", "--set", "record.probes=[u, contact_force, contact_load, contact_pressure, contact_area, friction_force]", "--set", "run.until=60us",
          "--set", "bodies.1.solid.box.cells=[10, 5, 2]", "--set", "bodies.2.solid.box.cells=[2, 2, 2]", *words)
    with h5py.File(name) as file:
        force = file["observables/contacts/force/value"][:]
        parts = [part for part in ("plate", "block") if f"particles/{part}/contact_load" in file]
        return force, {part: file[f"particles/{part}/contact_load/value"][:] for part in parts}


force, load = run("load.h5")
plate, block = (load[part].sum(axis=1) for part in ("plate", "block"))
ball = force[:, 0]
check(ball.max() > 1e3 and numpy.abs(block[:, 2]).max() > 1e4, "both strike the plate")
off = numpy.abs(plate[:, 2] + block[:, 2] + ball).max() / numpy.abs(plate).max()
# the sphere pushes with its law's force times the slope of its overlap, which is 1 where the plate is flat, and it is bent
check(off < 1e-5, f"what the plate feels is what block and sphere do, to {off:.1e}")
check((load["block"][:, 4:] == 0).all() and (load["block"][40, :4] != 0).any(), "cells above feel nothing")
with h5py.File("load.h5") as file:
    pressure = file["particles/block/contact_pressure/value"][:]
    area = file["observables/contacts/area/value"][:, 2]
pressed = numpy.linalg.norm(load["block"], axis=2)
parts = numpy.divide(pressed, pressure, out=numpy.zeros_like(pressed), where=pressure > 0)
part = parts.sum(axis=1)[area > 0] / area[area > 0]  # less than 1 where points at an edge push aside
check(0.95 < part.min() and abs(numpy.sort(part)[-4:] - 1).max() < 1e-8, f"load over pressure is {part} of the area that touches")
check((pressure[:, 4:] == 0).all() and pressure.max() > 1e7, "pressure where it is touched")
flat = numpy.abs(block[:, 2]) > 0
check((numpy.abs(block[flat, 2]) <= force[flat, 2] * (1 + 1e-12)).all(), "no more than the contact's force")
with h5py.File("load.h5") as file:
    friction_loss = file["observables/contacts/friction/value"][:, 2]
much = numpy.abs(block[:, 2]) > 0.3 * numpy.abs(block[:, 2]).max()
part = (friction_loss[much] / numpy.abs(block[much, 2])).max()
check(0.02 < part < 0.25, f"friction of the block is up to {part:.3f} of its load where mu is 0.2")
_, some = run("some.h5", "record.cells={body: block, face: bottom}")
check(numpy.array_equal(some["block"], load["block"][:, :4]), "chosen cells")
carom("export", "load.h5", "--vtk", "load")
with open("load_plate_000010.vtu", "rb") as file:
    check(b'Name="contact_load" NumberOfComponents="3"' in file.read(), "the picture has it")
with open("load_block_000010.vtu", "rb") as file:
    check(b'Name="contact_pressure" NumberOfComponents="1"' in file.read(), "and the pressure")

end(13)
