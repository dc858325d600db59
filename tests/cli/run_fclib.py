"""carom run --fclib: problems of steps that carom solve reads back; as they stand they are solved, from nothing they come to the same
rates and impulses where these are unique (in a pile of discs rates are, of faces that slide on each other neither); the run keeps its bits."""
import os
import subprocess

import h5py
import numpy

from checks import check, end

CAROM = os.environ["CAROM"]
HEAD = "units: none\ntheory: nonsmooth\n"
SCENES = {
    "discs": (HEAD + "gravity: [0, -10]\nbodies:\n  - lattice: {kind: hexagonal, count: [3, 3], radius: 0.5, gap: 0.02, mass: 1, at: [0, 0.51]}\n"
              "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: rigid, e: 0.3, mu: 0.4}\n", 0.3, False),
    "smooth": (HEAD + "bodies:\n  - sphere: {at: [-3, 0.2, 0], radius: 1, velocity: [2, 0, 0]}\n  - sphere: {at: [0, 0, 0], radius: 1}\n"
               "  - sphere: {at: [2, 0, 0], radius: 1}\ncontacts: {law: rigid, e: 0.5}\n", 0.6, True),
    "boxes": (HEAD + "gravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 0.5], size: [1, 1, 1], mass: 1, velocity: [1, 0.3, 0]}\n"
              "  - box: {at: [0.1, 0, 1.5], size: [1, 1, 1], mass: 2}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n"
              "contacts: {law: rigid, e: 0, mu: 0.3}\n", 0.05, None),
    "hinged": (HEAD + "gravity: [0, -10]\nbodies:\n  - box: {name: arm, at: [0.5, 0], size: [1, 0.1], mass: 1}\n"
               "  - disc: {at: [0.5, -0.6], radius: 0.3, mass: 1, velocity: [0, 3]}\njoints:\n  - hinge: {bodies: [arm, world], at: [0, 0]}\n"
               "contacts: {law: rigid, e: 0.5, mu: 0.3}\n", 0.4, True),
    "limited": (HEAD + "gravity: [0, -10]\nbodies:\n  - box: {name: arm, at: [0.5, 0], size: [1, 0.1], mass: 1}\n"
                "  - disc: {at: [0.8, 0.3], radius: 0.2, mass: 1}\njoints:\n  - hinge: {bodies: [arm, world], at: [0, 0], limits: [-0.3, 1], e: 0.5}\n"
                "contacts: {law: rigid, e: 0.2, mu: 0.3}\n", 0.4, True),
}


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


for name, (text, until, unique) in SCENES.items():
    with open(name + ".yaml", "w") as file:
        file.write(text + "run: {until: %g, scheme: moreau-jean, step: 5e-3}\nrecord: {every: 0.02, probes: [position, v]}\n" % until)
    done = carom("run", name + ".yaml", "-o", name + ".h5", "--fclib", name)
    check(done.returncode == 0 and "with contacts" in done.stdout, name, done.stderr)
    files = sorted(os.listdir(name))
    check(len(files) > 0, name, "no problems")
    for file in files[:: max(1, len(files) // 4)]:
        path = os.path.join(name, file)
        done = carom("solve", path, "--keep", "--tol", "1e-9")
        check(done.returncode == 0 and "iterations  0" in done.stdout, path, done.stdout, done.stderr)
        done = carom("solve", path, "--cold", "--tol", "1e-12", "-o", "solved.hdf5")
        check(done.returncode == 0, path, done.stdout, done.stderr)
        with h5py.File(path) as run, h5py.File("solved.hdf5") as solved:
            off = [numpy.abs(run["solution/" + k][()] - solved["solution/" + k][()]).max() for k in "ur"]
            check((unique is None or off[0] < 1e-9) and (not unique or off[1] < 1e-9), path, off)
    carom("run", name + ".yaml", "-o", "again.h5", "-q")
    with h5py.File(name + ".h5") as one, h5py.File("again.h5") as two:
        check(numpy.array_equal(one["particles/bodies/velocity/value"][()], two["particles/bodies/velocity/value"][()]), name, "other bits")

check(carom("run", "boxes.yaml", "-o", "again.h5", "-q", "--fclib", "last.hdf5").returncode == 0 and os.path.isfile("last.hdf5"), "one file")
with open("row.yaml", "w") as file:
    file.write("units: none\ntheory: compliant\nbodies: [chain: {count: 3, radius: 1, mass: 1}]\ncontacts: {law: hertz, k: 1}\n"
               "start: [{body: 1, velocity: 1}]\nrun: {until: 1}\n")
for words, wanted in ((("row.yaml", "--fclib", "x"), "solves no contact problem"), (("boxes.yaml", "--fclib", "none/x"), "cannot be made"),
                      (("boxes.yaml", "--fclib", "x", "--live"), "does not go with --live"),
                      (("boxes.yaml", "--fclib", "x", "--set", "contacts.rolling.mu=0.1"), "rolling")):
    done = carom("run", *words, "-o", "refused.h5", "-q")
    check(done.returncode != 0 and wanted in done.stderr, words, done.stderr)
end()
