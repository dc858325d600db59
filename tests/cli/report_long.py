"""A hundred thousand beads x 1000 samples, and a hundred thousand cells: their pages stay below 20 MB and say what they show."""
import os
import subprocess

import h5py
import numpy

from checks import check, end
from page import Page

CAROM = os.environ["CAROM"]

SCENES = {
    "beads": "units: none\nbodies: [chain: {count: 100000}]\nstart: [{body: 1, velocity: 1}]\n"
             "run: {until: 100, scheme: verlet, step: 0.1}\nrecord: {every: 0.1, probes: [u, v]}\n",
    "cells": "theory: solid\nbodies:\n  - solid:\n      box: {size: [1 m, 1 m, 1 m], cells: [46, 46, 46]}\n      material: steel\n"
             "      loads: [{near: [0.5, 0.5, 1], force: [0, 0, -1 MN], signal: {shape: half-sine, duration: 0.1 ms}}]\n"
             "run: {until: 0.1 ms}\nrecord: {every: 1 us, cells: all, probes: [u, rotation]}\n",
}
for name, text in SCENES.items():
    with open(name + ".yaml", "w") as file:
        file.write(text)
    subprocess.run([CAROM, "run", name + ".yaml", "-o", name + ".h5", "-q"], check=True)
    subprocess.run([CAROM, "report", name + ".h5", "-q"], check=True)
    size, page = os.path.getsize(name + ".html"), Page(name + ".html")
    print("%s.html: %.1f MB" % (name, size / 1e6))
    item = page.item("particles/%s/displacement" % name)
    check(size < 20e6, name, "is too large:", size)
    with h5py.File(name + ".h5", "r") as file:
        value = file[item["path"]]["value"]
        value = value[()].reshape(value.shape[0], -1)
    if name == "beads":
        blocks = item["blocks"]
        got = page.array(blocks["array"]).reshape(blocks["down"], blocks["across"])
        largest = numpy.abs(value).max()
        check(abs(numpy.abs(got).max() - largest) <= 1e-6 * largest, "the largest of all is in the picture")
    else:
        shape, frames = page.entries[0]["shape"]["solids"][0], item["frames"]
        kept = page.array(shape["kept"])
        check(len(kept) == shape["seen"] == 46**3 - 44**3, "cells that are seen:", len(kept), shape["seen"])
        got = page.array(frames["array"]).reshape(frames["down"], len(kept), 3)
        want = value[::frames["tall"]].reshape(frames["down"], -1, 3)[:, kept]
        check(numpy.abs(got - want).max() <= 0.51 * item["frames"]["array"]["scale"], "frames are what was recorded")
        print("frames", frames["down"], "of", value.shape[0])
    os.remove(name + ".h5")
end(least=5)
