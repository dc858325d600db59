#!/usr/bin/env python3
# What `export --vtk` writes of a solid in space is a mesh for another scene: any sample of it, also of a body that has
# moved, turned and swung, is the unloaded body again, cell by cell; a run that begins there goes on as the first one did.
# What is cut off, or tells cells and motions that are not there, gets a sentence.
import os
import pathlib
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
MORE = "material: steel, accept_skew: true"
BODIES = {
    "drawn": "voronoi: {box: {size: [1, 0.5, 0.5]}, cells: 60, seed: 3, relax: 0}",
    "holed": "voronoi: {box: {size: [1, 0.5, 0.1], origin: [100, -40, 7]}, cells: 150, seed: 2, relax: 5, "
    "holes: [{cylinder: {radius: 0.15, height: 0.2, origin: [100.5, -39.75, 6.9]}}]}",
    "round": "voronoi: {sphere: {radius: 1}, cells: 80, seed: 1, relax: 5}",
    "box": "box: {size: [1, 0.5, 0.5], cells: [6, 3, 3]}",
    "shell": "cylinder: {radius: 1, height: 1, thickness: 0.05, around: 24, along: 8}",
}
EVERY = 2e-5


def carom(*words):
    result = subprocess.run([CAROM, *words], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def write(name, body, start, until):
    pathlib.Path(name).write_text(f"""
theory: solid
bodies: [solid: {{{body}, {MORE}}}]
start: [{start}]
run: {{until: {until}, step: 2e-7}}
record: {{every: {EVERY}, probes: [u, v, rotation, spin, stress]}}
""")


def run(name):
    code, said = carom("run", f"{name}.yaml", "-o", f"{name}.h5", "-q")
    check(code == 0, name, said)


def item(name, what, sample):
    with h5py.File(f"{name}.h5") as file:
        return file[f"particles/cells/{what}/value"][sample]


def places(name):
    """of a .vtu file: the unloaded centres of its cells"""
    head, raw = pathlib.Path(name).read_bytes().split(b'<AppendedData encoding="raw">', 1)
    raw = raw[raw.index(b"_") + 1:]
    tag = head[head.index(b'Name="unloaded_centre"'):]
    at = int(tag[tag.index(b"offset=") + 8:].split(b'"', 1)[0])
    return numpy.frombuffer(raw[at + 8:at + 8 + int.from_bytes(raw[at:at + 8], "little")]).reshape(-1, 3)


for name, body in BODIES.items():
    write(f"{name}.yaml", body, "{spin: [100, 200, 300]}, {velocity: [10, 20, 30]}", 4 * EVERY)
    run(name)
    check(carom("export", f"{name}.h5", "--vtk", name)[0] == 0, f"{name} is exported")
    for sample in (0, 2):
        again = f"{name}-{sample}"
        write(f"{again}.yaml", f"mesh: {{file: {name}_00000{sample}.vtu}}", f"{{field: {{file: {name}_00000{sample}.vtu}}}}", (4 - sample) * EVERY)
        run(again)
        for what in ("displacement", "velocity", "rotation", "spin", "stress"):
            one, other = item(name, what, 4), item(again, what, 4 - sample)
            off = abs(one - other).max() / abs(one).max()
            most = 1e-9 if name != "shell" else 1e-2  # the cells of a shell count as bent, those of a mesh as they are drawn
            check(off < most, f"{again}: {what} is off by {off:.1e}")
        check(carom("export", f"{again}.h5", "--vtk", again)[0] == 0, f"{again} is exported")
    middle = places(f"{name}_000000.vtu")
    for sample in (0, 2) if name != "shell" else ():
        off = abs(places(f"{name}-{sample}_000000.vtu") - middle).max()
        check(off < 4e-15 * abs(middle).max(), f"{name}-{sample}: centres are off by {off:.1e}")

# a body in the plane is none in space
pathlib.Path("flat.yaml").write_text("""
theory: solid
bodies: [solid: {box: {size: [1, 0.5], cells: [4, 2]}, material: steel}]
run: {until: 1e-5}
record: {every: 1e-5, probes: [u]}
""")
run("flat")
check(carom("export", "flat.h5", "--vtk", "flat")[0] == 0, "the plane one is exported")

# hostile ones
whole = pathlib.Path("drawn_000002.vtu").read_bytes()
write("hostile.yaml", "mesh: {file: hostile.vtu}", "{velocity: [1, 0, 0]}", EVERY)


def refused(text, *sentence):
    pathlib.Path("hostile.vtu").write_bytes(text)
    code, said = carom("check", "hostile.yaml")
    check(code == 3 and said.count("\n") == 1 and any(s in said for s in sentence), code, said, sentence)


refused(pathlib.Path("flat_000000.vtu").read_bytes(), "it has no cells in space")
for cut in range(1, len(whole), len(whole) // 40):
    refused(whole[:cut], "breaks off", "no VTKFile", "not a VTKFile", "is empty")


def overwrite(array, number, bytes_):
    """one number of an appended array becomes another"""
    head, raw = whole.split(b'<AppendedData encoding="raw">', 1)
    tag = head[head.index(f'Name="{array}"'.encode()):]
    at = len(whole) - len(raw) + raw.index(b"_") + 1 + int(tag[tag.index(b"offset=") + 8:].split(b'"', 1)[0]) + 8
    return whole[:at + 8 * number] + bytes_ + whole[at + 8 * number + 8:]


refused(overwrite("displacement", 7, numpy.float64("nan").tobytes()), "number 7 of displacement is not finite")
refused(overwrite("displacement", 7, numpy.float64(-0.1).tobytes()), "overlap", "touch")
refused(overwrite("rotation", 3, numpy.float64(0.1).tobytes()), "overlap", "touch")
refused(overwrite("unloaded_centre", 4, numpy.float64("inf").tobytes()), "number 4 of unloaded_centre is not finite")
refused(overwrite("unloaded_centre", 4, numpy.float64(1e308).tobytes()), "a cell has 4 to 125 faces", "too large")
refused(overwrite("connectivity", 5, numpy.int64(1 << 40).tobytes()), "bent", "touch")  # that corner is not put back
refused(overwrite("offsets", 5, numpy.int64(1 << 40).tobytes()), "offsets rise from 0")
refused(overwrite("faces", 0, numpy.int64(77).tobytes()), "the faces of polyhedron 0 do not fit its list")
refused(overwrite("faces", 2, numpy.int64(1 << 40).tobytes()), "cell 0 has node 1099511627776")
refused(overwrite("faceoffsets", 2, numpy.int64(-1).tobytes()), "faceoffsets: number 2 should be a whole one")
refused(whole.replace(b'Name="unloaded_centre" NumberOfComponents="3"', b'Name="unloaded_centre" NumberOfComponents="1"'), "it should have 3")
refused(whole.replace(b'Name="rotation" NumberOfComponents="3"', b'Name="rotation" NumberOfComponents="9"'), "it should have 3")
# without what tells where they were, cells that have moved are apart
refused(whole.replace(b"unloaded_centre", b"unloaded_middle"), "touch or overlap but share no face", "overlap")
end()
