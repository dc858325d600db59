"""Every scene in scenes/ runs, and every number that its run file records has the bits it had: those of the table
scenes.txt beside this file, whatever compiler, machine or number of threads. One in eight is taken here, all others,
and those that take longest, by scenes_long. Where a change is meant to change numbers,

    CAROM=build/carom SOURCE=. PYTHONPATH=tests python3 tests/determinism/scenes.py --write

writes the table again, and its lines in the commit tell which scenes it touched."""
import glob
import hashlib
import os
import resource
import subprocess
import sys

import h5py

from checks import check, end

SOURCE, CAROM = os.environ["SOURCE"], os.environ["CAROM"]
TABLE = os.path.join(SOURCE, "tests", "determinism", "scenes.txt")
# 0.7 s and more of processor time each: `make long`, which also takes seven of eight others. `make test` has others of their kind, and conform.scenes the
# beginnings of most.
LONG = {f"scenes/{name}.yaml" for name in (
    "space/hexagonal-struck", "rigid/column-50", "space/fcc-struck", "space/drum", "space/poured", "space/heap", "solid-lamb",
    "solid-lamb-absorbing", "bodies/pyramid", "crystals/hexagonal-edge", "space/heavy-box", "crystals/hexagonal-defects",
    "space/pressed-packing", "bodies/heap-of-polyhedra", "bodies/drum-polyhedra", "bodies/drum", "solid-crack-voronoi",
    "solid-double-cantilever", "solid-shatter", "solid-notched-plate", "solid-pane", "solid-friction", "solid-cylinder",
    "solid-crystal", "solid-two-bars", "bodies/capsules", "bodies/rolling-heap", "bodies/dominoes", "crystals/hexagonal-centre",
    "crystals/square-row")}
GROUPS = ("particles", "observables", "events", "impacts")


def numbers(path):
    """hash of all recorded numbers, in the order of their names"""
    sha = hashlib.sha256()
    with h5py.File(path, "r") as file:
        names = []
        file.visit(names.append)
        for name in sorted(names):
            item = file[name]
            if name.split("/")[0] in GROUPS and isinstance(item, h5py.Dataset) and item.dtype.kind in "fiu":
                sha.update(name.encode())
                sha.update(item[()].tobytes())
    return sha.hexdigest()[:16]


def ran(scene):
    """runs a scene; its hash, or how it failed"""
    if os.path.exists("run.h5"):
        os.remove("run.h5")
    # processor time: machines may be busy with other things
    limit = lambda: resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
    done = subprocess.run([CAROM, "run", "--quiet", scene, "-o", "run.h5"], preexec_fn=limit, stderr=subprocess.PIPE)
    return numbers("run.h5") if done.returncode == 0 else f"ends with {done.returncode}: {done.stderr.decode()}"


def stored():
    with open(TABLE) as table:
        return dict(line.split(None, 1) for line in table.read().splitlines())


def main(long=False):
    scenes = sorted(glob.glob(SOURCE + "/scenes/*.yaml") + glob.glob(SOURCE + "/scenes/*/*.yaml"))
    names = [os.path.relpath(scene, SOURCE) for scene in scenes]
    if "--write" in sys.argv:
        with open(TABLE, "w") as table:
            table.writelines(f"{name} {ran(scene)}\n" for name, scene in zip(names, scenes))
        check(True)
        end()
    was = stored()
    check(sorted(was) == sorted(names), "scenes and table differ:", set(was) ^ set(names))
    check(LONG <= set(names), "scenes that are not there:", LONG - set(names))
    short = set([name for name in names if name not in LONG][::8])
    chosen = [(name, scene) for name, scene in zip(names, scenes) if (name not in short) == long]
    for name, scene in chosen:
        now = ran(scene)
        check(now == was.get(name), name, "was", was.get(name), "and is", now)
    end(len(chosen), f" of {len(chosen)} scenes")


if __name__ == "__main__":
    main()
