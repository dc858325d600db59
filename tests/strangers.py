"""Files as a stranger might send them, for tests in tests/fault. Small files of every kind that carom reads are made; each
dataset is replaced by others of another rank, type, extent or content, links and texts are bent, bytes are flipped, cut and
moved; then commands read them. Every outcome is an exit code without a signal and, where it is not 0, one sentence."""
import collections
import os
import random
import shutil
import signal
import subprocess

import h5py
import numpy

CAROM = os.environ["CAROM"]
SECONDS = 100  # longer than that is a hang; on a busy machine the 2 s that carom allows HDF5 may be thirty
# HDF5 itself leaks where metadata are damaged
ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0")

SCENES = {
    "chain": """
bodies:
  - striker: {side: left, velocity: 1, radius: 5 mm, material: steel}
  - chain: {count: 4, radius: 5 mm, material: steel}
  - wall: {side: right, material: steel}
run: {until: 60 us, tol: 1e-4}
record: {every: 2 us, events: true, probes: [u, v, contact_force, contact_dissipated]}
sensors: [{name: s, body: 3, bandwidth: 1e5}]
""",
    "lzb": """
theory: lzb
bodies: [chain: {count: 4, radius: 10 mm, material: steel}]
contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1}}
start: [{body: 1, velocity: 0.5}]
run: {until: 0.1 ms}
record: {every: 5 us, impact_every: 1 us, probes: [u, v, contact_force]}
""",
    "rigid": """
units: none
theory: nonsmooth
bodies: [mechanism: {kind: pendulum, length: 1, gravity: 10, wall: -0.2}]
contacts: {e: 0.8}
start: [{body: 1, displacement: -0.9}]
run: {until: 2, tol: 1e-5}
record: {every: 0.1, events: true, probes: [u, v, gap, contact_force]}
""",
    "solid": """
theory: solid
bodies:
  - solid:
      box: {size: [1.0, 0.6, 0.4], cells: [3, 2, 2]}
      material: {young: 1e6, poisson: 0.3, density: 1000}
      clamps: [{face: left}]
      sensors: {corner: [1, 0.6, 0.4]}
start: [{velocity: [0, 0.1, 0]}]
run: {until: 0.05}
record: {every: 0.005, probes: [u, v, rotation, stress]}
""",
    "cracked": """
units: none
theory: solid
bodies:
  - solid:
      name: a
      box: {size: [1, 0.6], cells: [4, 3]}
      material: {young: 100, poisson: 0.3, density: 1}
      fracture: {strength: 0.5, energy: 0.01, cracks: [{at: [0, 0.2], normal: [0, 1], box: [[0, 0], [0.3, 1]]}]}
  - solid: {name: b, box: {size: [1, 0.6], cells: [3, 2], origin: [1.001, 0]}, material: {young: 80, poisson: 0.2, density: 2}}
  - disc: {at: [0.5, 0.801], radius: 0.2, mass: 0.1, velocity: [0, -1]}
contacts: {law: linear-dashpot, k: 20, gamma: 0.002}
start: [{body: a, velocity: [1, 0]}]
run: {until: 0.3}
record: {every: 0.03, events: true, probes: [u, v, rotation, stress, damage, link_damage, crack_area, fracture]}
""",
    "stones": """
units: none
theory: nonsmooth
gravity: [0, 0, -5]
bodies:
  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}
  - polyhedron: {kind: cube, radius: 0.6, at: [0, 0, 0.5], mass: 1, velocity: [0.3, 0, -1]}
  - capsule: {at: [0, 0, 1.3], axis: [1, 0, 0], length: 0.5, radius: 0.2, mass: 1}
  - sphere: {at: [0.8, 0, 0.3], radius: 0.3, mass: 1, velocity: [-1, 0, 0]}
contacts: {law: rigid, e: 0.3, mu: 0.4}
run: {until: 0.3, scheme: moreau-jean, step: 0.01}
record: {every: 0.03, events: true, probes: [position, rotation, v, contacts, kinetic]}
""",
}

LATER = {"chain": "70 us", "lzb": "0.11 ms", "rigid": "2.1", "solid": "0.052", "cracked": "0.32", "stones": "0.32"}


def carom(*arguments):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=SECONDS)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stderr}")


def make():
    """the good files, by kind"""
    for kind, scene in SCENES.items():
        with open(kind + ".yaml", "w") as file:
            file.write(scene)
        carom("run", kind + ".yaml", "-q", "-o", kind + ".h5")
    for left in ("sweep.h5", "part1.h5", "part2.h5"):  # a sweep goes on with what it finds
        if os.path.exists(left):
            os.remove(left)
    carom("sweep", "rigid.yaml", "--over", "contacts.e=0.5,0.8", "--outputs", "kinetic", "-q", "-o", "sweep.h5")
    for part in (1, 2):
        carom("sweep", "rigid.yaml", "--over", "contacts.e=0.5,0.8", "--outputs", "kinetic", "--part", f"{part}/2", "-q",
              "-o", f"part{part}.h5")
    shutil.copy("part1.h5", "part.h5")
    carom("compare", "chain.h5", "chain.h5", "-q", "-o", "compare.h5")
    carom("solve", "--generate", "tower:2", "--quiet", "-o", "fclib.h5")
    return {kind: kind + ".h5" for kind in [*SCENES, "sweep", "part", "compare", "fclib"]}


def commands(kind, path):
    """what reads such a file, those that change it last; what they make are files named out*"""
    if kind == "fclib":
        return [["solve", path, "--quiet", "-o", "out.h5"]]
    report = ["report", path, "-q", "-o", "out.html"]
    if kind == "compare":
        return [report, ["show", path]]
    if kind == "sweep":
        return [report, ["show", path], ["sweep", path, "-q"]]
    if kind == "part":
        return [report, ["gather", path, "part2.h5", "-q", "-o", "out-all.h5"], ["gather", "part2.h5", path, "-q", "-o", "out-all.h5"],
                ["sweep", path, "-q", "--part", "1/2"]]
    known = [["show", path], report, ["compare", path, kind + ".h5", "-q"],
             ["export", path, "--csv", "-q", "-o", "out.csv"], ["export", path, "--csv", "--impacts", "-q", "-o", "out-impacts.csv"],
             ["export", path, "--vtk", "-q", "-o", "out/"], ["export", path, "--vtkhdf", "-q", "-o", "out.vtkhdf"],
             ["check", path], ["converge", kind + ".yaml", "--reference", path, "-q"] if kind in ("chain", "lzb", "rigid") else ["check", path],
             ["run", path, "-q", "-o", "out.h5"], ["pulse", path, "-q", "--no-keep", "--train"], ["repair", path, "-q"],
             ["pulse", path, "-q"], ["resume", path, "-q", "--until", LATER[kind]]]
    return known


Outcome = collections.namedtuple("Outcome", "code said good")


def outcome(arguments):
    """runs a command; good: as promised"""
    try:
        done = subprocess.run([CAROM, *arguments], capture_output=True, timeout=SECONDS, env=ENVIRONMENT)
    except subprocess.TimeoutExpired:
        return Outcome("hang", "", False)
    said = done.stderr.decode(errors="replace")
    if done.returncode < 0:
        return Outcome(signal.Signals(-done.returncode).name, said, False)
    sentence = said.startswith("carom: ") and said.count("\n") == 1
    # 8: a sweep that is not complete, or some of whose runs failed
    return Outcome(done.returncode, said, done.returncode == 0 or (done.returncode <= 8 and sentence))


# --- datasets of another shape, type or content -------------------------------------------------------------------------

def datasets(path):
    """paths of all datasets, those linked several times only once"""
    found = []
    with h5py.File(path, "r") as file:
        file.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None)
    return found


def put(file, path, **what):
    """a dataset in place of another, which keeps its unit"""
    unit = file[path].attrs.get("unit") if path in file else None
    del file[path]
    new = file.create_dataset(path, **what)
    if unit is not None:
        new.attrs["unit"] = unit


def bent(value, dtype):
    """the numbers of a dataset as another type, as well as they can be had"""
    if dtype.subdtype:
        return numpy.zeros(numpy.shape(value) + dtype.shape, dtype.base)
    try:
        return numpy.asarray(value).astype(dtype)
    except (TypeError, ValueError):
        return numpy.zeros(numpy.shape(value), dtype)


def grown(file, path, shape, chunks):
    """a dataset that claims to be large and holds nothing"""
    put(file, path, shape=shape, maxshape=tuple(None for _ in shape), chunks=chunks, dtype=file[path].dtype)


def linked(file, path, link):
    del file[path]
    file[path] = link


def virtual(file, path):
    layout = h5py.VirtualLayout(shape=(20,), dtype="<f8")
    layout[:] = h5py.VirtualSource("elsewhere.h5", "x", shape=(20,))
    del file[path]
    file.create_virtual_dataset(path, layout, fillvalue=1.0)


SHAPES = [(), (1,), (3,), (0,), (7, 1), (7, 2), (7, 3), (0, 512), (300, 512), (7, 3, 512), (2, 2, 2, 2), (0, 0), (1,) * 32]
TYPES = ["<i1", ">i8", "<u8", "<f4", ">f8", "<f2", "S4", "S1000", "V5", "?", numpy.dtype([("time", "<f8")]),
         numpy.dtype([("impact", "S3"), ("contact", "<f8"), ("time", "<u8"), ("force", "<f4")]), numpy.dtype(("<f8", (512,))),
         h5py.enum_dtype({"open": 7, "what": 9}, basetype="i"), h5py.string_dtype(), h5py.vlen_dtype("<f8"), h5py.ref_dtype]
CONTENTS = ["nan", "inf", "minus", "largest", "zero", "noise", "far"]


def filled(value, content):
    """other numbers of the same shape and type"""
    value = numpy.array(value)
    size = value.nbytes
    if content == "noise":
        return numpy.frombuffer(random.randbytes(size), value.dtype).reshape(value.shape)
    if content == "zero":
        return numpy.zeros_like(value)
    byte = {"minus": b"\xff", "largest": b"\xff\xff\xff\xff\xff\xff\xff\x7f", "nan": b"\0\0\0\0\0\0\xf8\x7f",
            "inf": b"\0\0\0\0\0\0\xf0\x7f", "far": b"\0\0\0\0\1\0\0\0"}[content]
    return numpy.frombuffer((byte * size)[:size], value.dtype).reshape(value.shape)


def changes(path):
    """(name, function of a file) for everything that is done to a dataset"""
    def shape(size):
        return lambda f: put(f, path, shape=size, dtype=f[path].dtype, data=None if f[path].dtype.kind == "O" else
                             numpy.zeros(size, f[path].dtype), **({"maxshape": (None,) + size[1:]} if size and size[0] else {}))

    def other(dtype):
        return lambda f: put(f, path, data=bent(f[path][()], numpy.dtype(dtype)), dtype=numpy.dtype(dtype).base)

    def content(name):
        return lambda f: put(f, path, data=filled(f[path][()], name), **({"maxshape": (None,) + f[path].shape[1:]}
                                                                         if f[path].shape else {}))
    found = [(f"shape {size}", shape(size)) for size in SHAPES]
    found += [(f"type {dtype}", other(dtype)) for dtype in TYPES]
    found += [(f"content {name}", content(name)) for name in CONTENTS]
    found += [("claims 2^40 rows", lambda f: grown(f, path, (2**40,), (1024,))),
              ("claims 2^62 rows", lambda f: grown(f, path, (2**62,), (1024,))),
              ("claims 7 x 2^40", lambda f: grown(f, path, (7, 2**40), (1, 1024))),
              ("claims 2^31 x 2 x 2^20", lambda f: grown(f, path, (2**31, 2, 2**20), (1, 1, 1024))),
              ("chunk of 2 GiB", lambda f: grown(f, path, (7,), (2**28 - 1,))),
              ("text of 2^31", lambda f: put(f, path, shape=(), dtype="S2147483647")),
              ("zipped", lambda f: put(f, path, data=f[path][()], **({"compression": "gzip", "chunks": True,
                                                                     "maxshape": (None,) * len(f[path].shape)}
                                                                    if f[path].shape and f[path].size else {}))),
              ("zipped 2^27 zeros", lambda f: put(f, path, data=numpy.zeros(2**24, "<f8"), compression="gzip", chunks=(2**22,),
                                                  maxshape=(None,))),
              ("no space", lambda f: put(f, path, data=h5py.Empty(f[path].dtype))),
              ("missing", lambda f: f.__delitem__(path)), ("a group", lambda f: (f.__delitem__(path), f.create_group(path))),
              ("dangling link", lambda f: linked(f, path, h5py.SoftLink("/nowhere"))),
              ("link to itself", lambda f: linked(f, path, h5py.SoftLink("/" + path))),
              ("link elsewhere", lambda f: linked(f, path, h5py.ExternalLink("lzb.h5", "/impacts/time"))),
              ("link to a device", lambda f: linked(f, path, h5py.ExternalLink("/dev/zero", "/x"))),
              ("virtual", lambda f: virtual(f, path)),
              ("other file's bytes", lambda f: put(f, path, shape=(16,), dtype="<f8", external=[("/etc/passwd", 0, 128)])),
              ("unit 7", lambda f: f[path].attrs.modify("unit", 7)),
              ("unit of 60000 letters", lambda f: f[path].attrs.modify("unit", numpy.bytes_(b"m" * 60000))),
              ("units 5", lambda f: f[path].attrs.create("unit", ["a"] * 5, dtype=h5py.string_dtype())),
              ("no unit", lambda f: f[path].attrs.__delitem__("unit") if "unit" in f[path].attrs else None)]
    return found


def change(good, bad, function):
    shutil.copy(good, bad)
    with h5py.File(bad, "r+") as file:
        function(file)


def made(good, bad, function):
    """the same; false where HDF5 itself refuses to make such a file"""
    try:
        change(good, bad, function)
    except (TypeError, ValueError, AttributeError, OSError, RuntimeError):
        return False
    return True


# --- bytes --------------------------------------------------------------------------------------------------------------

def old_fashioned(good, plain):
    """the same file in HDF5's first format, whose metadata have no checksums, with texts of variable length"""
    with h5py.File(good, "r") as source, h5py.File(plain, "w", libver=("earliest", "v108")) as to:
        def copy(name, item):
            if isinstance(item, h5py.Group):
                new = to.require_group(name)
            else:
                new = to.create_dataset(name, data=item[()], dtype=item.dtype, **(
                    {"maxshape": (None,) + item.shape[1:], "chunks": tuple(max(1, n) for n in item.shape)} if item.maxshape
                    and item.maxshape[0] is None else {}))
            for key, value in item.attrs.items():
                text = value.decode() if isinstance(value, bytes) else value
                new.attrs.create(key, text, dtype=h5py.string_dtype() if isinstance(text, str) else None)
        source.visititems(copy)
        with_names(source, to)


def with_names(source, to):
    """visititems shows only one of several links: the others"""
    def walk(group, prefix):
        for name in group:
            item, path = group[name], prefix + name
            if isinstance(item, h5py.Group):
                walk(item, path + "/")
            elif path not in to:
                first = next(p for p in datasets(source.filename) if source[p] == item)
                to[path] = to[first]
    walk(source, "")


def damage(good, bad, dice):
    """some bytes another value, the end missing, a piece moved, zeros; where metadata are or anywhere"""
    data = bytearray(open(good, "rb").read())
    kind = dice.choice(["flip", "flip", "flip", "bit", "cut", "move", "zero", "ones", "number"])
    heaps = [at for at in find(data, b"GCOL")]
    headers = heaps + [at for mark in (b"TREE", b"SNOD", b"HEAP", b"OHDR", b"EAHD", b"FADB", b"EAIB") for at in find(data, mark)]

    def where():
        if headers and dice.random() < 0.6:
            at = dice.choice(heaps if heaps and dice.random() < 0.4 else headers)
            return min(at + dice.randrange(200), len(data) - 1)
        return dice.randrange(len(data))
    if kind == "cut":
        del data[dice.randrange(len(data)):]
    elif kind == "move":
        size, a, b = dice.choice([8, 64, 512]), where(), where()
        data[b:b + size] = data[a:a + size]
    elif kind in ("zero", "ones"):
        at, size = where(), dice.choice([1, 8, 64, 512])
        data[at:at + size] = (b"\0" if kind == "zero" else b"\xff") * size
    elif kind == "number":
        at, size = where(), dice.choice([2, 4, 8])
        data[at:at + size] = dice.choice([1, 255, 2**15, 2**31, 2**33, 2**40, 2**62]).to_bytes(8, "little")[:size]
    for _ in range(dice.choice([1, 1, 1, 4, 32]) if kind in ("flip", "bit") else 0):
        data[where()] = dice.randrange(256) if kind == "flip" else data[where()] ^ (1 << dice.randrange(8))
    with open(bad, "wb") as file:
        file.write(data)
    return kind


def damage_texts(plain, bad, with_what):
    """the heap where texts of variable length lie"""
    data = bytearray(open(plain, "rb").read())
    for at in find(data, b"GCOL"):
        data[at + 16:at + 16 + len(with_what)] = with_what
    with open(bad, "wb") as file:
        file.write(data)


def find(data, mark):
    at = data.find(mark)
    while at >= 0:
        yield at
        at = data.find(mark, at + 1)
