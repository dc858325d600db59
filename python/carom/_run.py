"""What was recorded of a run, in memory or in a file, as arrays and tables."""
import functools
import html
import os
import shutil
import tempfile

import numpy

from . import _native, _program
from ._errors import FileError
from ._tables import records, table

_EVENTS = ("open", "close", "impact", "stick", "slip", "zero_force")
_PER_COORDINATE, _PER_VELOCITY, _PER_CONTACT = 1, 2, 3  # enum carom_extent
_SENSORS = "observables/sensors/"
_CHOSEN = "observables/chosen/"  # single beads and contacts: u_5, v_5, contact_force_5


def _identity(path, whole):
    """Which file stands at a path: one that replaces it is another; whole: so is one that goes on."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino, *((found.st_size, found.st_mtime_ns) if whole else ())


class _Memory:
    """Samples that a sim has kept; arrays are its memory."""

    def __init__(self, native):
        self._native, self._found = native, native.recorded()
        self._value = numpy.asarray(self._found["value"])
        self.about = self._found

    def column(self, name):
        return numpy.asarray(self._found[name])

    def records(self, name):
        return records(self._found[name])

    def item(self, channel):
        _, _, _, _, offset, size, _ = channel
        return self._value[:, offset:offset + size]

    def cells(self, part):
        return self._found["cells"].get(part)

    def save(self, path):
        self._native.save(path, self._found["mark"])


class _File:
    """A run file; what is asked for is read, once."""

    def __init__(self, path):
        self.file = _native.RunFile(os.fspath(path))
        self.about = self.file.about()

    def column(self, name):
        return numpy.asarray(self.file.first() if name == "first" else self.file.table(name))

    def records(self, name):
        return records(self.file.table(name))

    def item(self, channel):
        return numpy.asarray(self.file.table(channel[1]))

    def cells(self, part):
        found = self.file.cells(part)
        return None if found is None else numpy.asarray(found)


class Run:
    """What was recorded of a run: one row for each sample, time `t`.

    v, u, x, force   velocities, displacements, positions (displacements where no positions were recorded) and contact
                     forces: rows x bodies (x axes) or rows x contacts
    run["gap"]       any other probe by its name; `probes` lists those there are, `units` their units
    ledger           energies at each sample; events, episodes: openings and closings, the book of impacts. Tables
    bodies, contacts names, in the order of columns of v and of force; names(probe) those of any probe
    changed          when the state was first changed by hand, None: never

    Arrays of a run in memory are the library's own, not copies, and may only be read; they outlive everything else.
    """

    def __init__(self, source, scene=None, path=None):
        self._source, self._scene, self.path = source, scene, path
        about = source.about
        self.complete = bool(about["complete"])
        self.scheme = about["scheme"]
        self.counts = about["counts"]
        self.estimate = about["estimate"]
        self.scales = dict(zip(("speed", "length", "contact_time"), about["scales"]))
        self.changed = about["changed"] if about["changes"] > 0 else None
        self._stood = self._now()
        self._channels, self._items = {}, {}
        for channel in about["channels"]:
            self._channels.setdefault(self._probe(channel), []).append(channel)
        for channels in self._channels.values():  # in files parts stand by name
            channels.sort(key=self._number if channels[0][1].startswith(_CHOSEN) else self._place)

    def _now(self):
        return None if self.path is None else _identity(self.path, isinstance(self._source, _Memory))

    def _stands(self):
        """is the file at `path` still the one of this run?"""
        return self._stood is not None and self._now() == self._stood

    @staticmethod
    def _probe(channel):
        """what a channel is of: single beads and contacts are columns of their probe, sensors have names of their own"""
        path = channel[1]
        if path.startswith(_SENSORS):
            return "sensor_" + path[len(_SENSORS):]
        return path[len(_CHOSEN):].rpartition("_")[0] if path.startswith(_CHOSEN) else channel[0]

    def _place(self, channel):
        """of its part in the model: solids in their order, then balls"""
        solids, part = self._source.about["ends"].split("\n"), channel[1].split("/")[1]
        return len(solids) if part == "balls" else solids.index(part) if part in solids else 0

    @staticmethod
    def _number(channel):
        return int(channel[1].rpartition("_")[2])

    # --- numbers

    @functools.cached_property
    def t(self):
        """Times of the samples."""
        return self._source.column("time")

    @functools.cached_property
    def step(self):
        """Steps taken by then."""
        return self._source.column("step")

    @property
    def probes(self):
        """Names of what was recorded."""
        return list(self._channels)

    @property
    def units(self):
        """{probe: unit}"""
        return {name: channels[0][2] for name, channels in self._channels.items()}

    def __getitem__(self, name):
        if name not in self._items:
            self._items[name] = self._read(name)
        return self._items[name]

    def _read(self, name):
        if name not in self._channels:
            raise KeyError(f"'{name}' was not recorded; record: {{probes: [{name}]}} in the scene would; "
                           f"there are {', '.join(self._channels)}")
        parts = []
        for channel in self._channels[name]:
            values, size, depth = self._source.item(channel), channel[5], max(channel[6], 1)
            parts.append(values.reshape(len(values), size // depth, depth) if depth > 1 else values)
        return parts[0] if len(parts) == 1 else numpy.concatenate(parts, axis=1)

    def __contains__(self, name):
        return name in self._channels

    def _ipython_key_completions_(self):
        return self.probes

    @property
    def v(self):
        """Velocities: rows x bodies, in plane and space x axes."""
        return self["v"]

    @property
    def u(self):
        """Displacements from the reference."""
        return self["u"]

    @property
    def x(self):
        """Positions, or displacements where no positions were recorded."""
        return self["position" if "position" in self else "u"]

    @property
    def force(self):
        """Contact forces, positive when they push: rows x contacts."""
        return self["contact_force"]

    # --- tables

    @functools.cached_property
    def ledger(self):
        """Energies at each sample: kinetic + stored + dissipated - work - start = residual."""
        found = {"t": self.t}
        for name, channels in self._channels.items():
            if "/ledger/" in "/" + channels[0][1]:
                found[name] = self[name][:, 0]
        return table(found)

    def _contact_columns(self, numbers):
        if self._source.about["listed"]:
            return {"first": numbers >> numpy.uint64(32), "second": numbers & numpy.uint64(0xffffffff)}
        known = numpy.array(self._numbers, dtype=int)
        return {"contact": known[numbers.astype(int)] if len(known) else numbers.astype(int)}

    @functools.cached_property
    def events(self):
        """When contacts opened, closed, were struck, stuck or slipped; gap rates (slip rates) before and after."""
        raw = self._source.records("events")
        kinds = numpy.array(_EVENTS, dtype=object)[raw["kind"]] if len(raw) else numpy.array([], dtype=object)
        return table({"t": raw["time"], **self._contact_columns(raw["contact"]), "kind": kinds,
                      "impulse": raw["impulse"], "before": raw["before"], "after": raw["after"]})

    @functools.cached_property
    def episodes(self):
        """The book of impacts: each contact from its closing to its opening (inf: still closed)."""
        raw = self._source.records("episodes")
        names = ("closed", "opened", "speed", "peak_force", "peak_time", "impulse", "dissipated", "overlap")
        given = raw["impulse_vector"]  # of solids and what strikes them
        axes = "" if not given.any() else "xyz" if given[:, 2].any() else "xy"
        vector = {"impulse_" + axis: given[:, k] for k, axis in enumerate(axes)}
        return table({**self._contact_columns(raw["contact"]), **{name: raw[name] for name in names}, **vector})

    @functools.cached_property
    def impacts(self):
        """Impacts that tell what happens inside them: when, how long, error of the velocities."""
        raw = self._source.records("impacts")
        return table({name: raw[name] for name in ("time", "duration", "estimate")})

    @functools.cached_property
    def impact_forces(self):
        """Samples of the forces inside impacts."""
        raw = self._source.records("impact_forces")
        return table({"impact": raw["impact"], **self._contact_columns(raw["contact"]), "time": raw["time"],
                      "force": raw["force"]})

    def touching(self, i):
        """Contacts that come and go, of sample i, as a structured array: pair, point, normal, force, gap, dissipated."""
        first = self._source.column("first").astype(int)
        if len(first) == 0:
            raise KeyError("contacts that come and go were not recorded; record: {probes: [contacts]} would")
        i = range(len(first) - 1)[i]
        return self._touches[first[i]:first[i + 1]]

    @functools.cached_property
    def _touches(self):
        return self._source.records("touches")

    # --- names

    @functools.cached_property
    def _numbers(self):
        """contacts as the program counts them: by the body to their left in a row, else from 1"""
        pairs = self._source.about["pairs"]
        return [max(a + 1, 0) for a, _ in pairs] if self._source.about["row"] else list(range(1, len(pairs) + 1))

    @functools.cached_property
    def _pairs(self):
        """names of all contacts: of a row by its bodies, of solids by theirs, else by number"""
        about, ends = self._source.about, self._source.about["ends"].split("\n")
        if about["row"]:
            return ["-".join("wall" if port < 0 else str(port + 1) for port in pair) for pair in about["pairs"]]
        if not any(port < -2 for pair in about["pairs"] for port in pair):
            return [str(number) for number in self._numbers]

        def end(port):
            if port >= 0:
                return f"ball {port + 1}"
            return ends[-3 - port] if -3 - port < len(ends) and ends[0] else "solid" if port == -3 else f"end {-2 - port}"

        return ["-".join(map(end, pair)) for pair in about["pairs"]]

    def names(self, probe):
        """Names of the columns of a probe: bodies or contacts, which count from 1."""
        channels = self._channels.get(probe)
        if channels is None:
            raise KeyError(f"'{probe}' was not recorded")
        extent = channels[0][3]
        if channels[0][1].startswith(_CHOSEN):
            numbers = [self._number(channel) for channel in channels]
            if probe != "contact_force":
                return [str(number) for number in numbers]
            return [self._pairs[self._numbers.index(number)] for number in numbers]
        if extent == _PER_CONTACT:
            return self._pairs
        if extent not in (_PER_COORDINATE, _PER_VELOCITY):
            count = self[probe].shape[1]
            return [probe] if count == 1 else [str(i + 1) for i in range(count)]
        found = []
        for channel in channels:
            part, count = channel[1].split("/")[1], channel[5] // max(channel[6], 1)
            cells = self._source.cells(part)
            numbers = range(1, count + 1) if cells is None or len(cells) != count else (int(i) + 1 for i in cells)
            several = len(channels) > 1
            found += [f"{part[:-1] if part in ('cells', 'balls') else part} {i}" if several else str(i) for i in numbers]
        return found

    @property
    def contacts(self):
        """Names of the contacts, in the order of columns of `force`: "1-2", "20-wall", "wall-1"."""
        return self.names("contact_force") if "contact_force" in self else self._pairs

    @property
    def bodies(self):
        """Names of the bodies, in the order of columns; they count from 1."""
        for name in ("v", "u", "position"):
            if name in self:
                return self.names(name)
        return []

    # --- files, pages, pictures

    def _as_scene(self):
        """its scene as it was read, and what was overridden"""
        about = self._source.about
        if not about["scene"] and self._scene is not None:  # not a step yet
            return (self._scene.text if self._scene.text is not None else self._scene.name), self._scene.set
        return about["scene"], [line for line in about["set"].split("\n") if line]

    def _file(self, folder, name="run.h5"):
        """A run file of it: the one it was written to, where that is still the same, or one in this folder."""
        return self.path if self._stands() else self.save(os.path.join(folder, name))

    def save(self, path):
        """Writes the run file, as the run was: whatever has become of its scene and its sim since."""
        path = os.fspath(path)
        stands = self._stands()
        if stands and os.path.realpath(self.path) == os.path.realpath(path):
            return path
        new = f"{path}.new"
        if stands:
            shutil.copyfile(self.path, new)
        elif isinstance(self._source, _Memory):
            self._source.save(new)
        else:
            raise FileError(f"{self.path}: another file stands there than the one that was opened; carom.open it again")
        os.replace(new, path)
        return path

    def page(self, path=None):
        """The page of the run, as `carom report` makes it: its HTML, or, with a path, written there."""
        with tempfile.TemporaryDirectory() as folder:
            run = self._file(folder)
            to = os.path.join(folder, "page.html") if path is None else os.fspath(path)
            _program.call("report", os.fspath(run), "-o", to, "-q")
            if path is not None:
                return path
            with open(to, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self):
        try:
            page = self.page()
        except (_program.Missing, ValueError) as why:
            return f"<pre>{html.escape(repr(self))}\n{html.escape(str(why))}</pre>"
        return (f'<iframe srcdoc="{html.escape(page, quote=True)}" width="100%" height="720" '
                'style="border: 1px solid #ccc" title="carom"></iframe>')

    @property
    def plot(self):
        """One-liners of matplotlib: run.plot.force(), velocity(), ledger(), map(), see carom.Plots."""
        from ._plots import Plots

        return Plots(self)

    def __len__(self):
        return len(self.t)

    def __repr__(self):
        end = f"t = {self.t[-1]:.6g}" if len(self) else "no sample"
        state = "complete" if self.complete else "not complete"
        return f"<carom.Run: {len(self)} samples to {end}, {', '.join(list(self._channels)[:4])}, ...; {self.scheme}, {state}>"


def open_run(path, guard=False):
    """Opens a run file, also one of a run that is under way or was killed, and one of an older carom.

    guard: let the program look at the file in a process of its own first, since HDF5 may crash at a damaged one.
    """
    if guard:
        _program.call("show", os.fspath(path), "-q")
    return Run(_File(path), path=os.fspath(path))
