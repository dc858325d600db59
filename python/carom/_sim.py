"""Sims: whole runs, and those that one steps, reads and changes."""
import os
import sys
import tempfile
import time
import weakref
from collections import namedtuple

import numpy

from . import _native
from ._errors import Error, UsageError
from ._kinds import System
from ._run import Run, _EVENTS, _Memory, open_run
from ._scene import Scene

Event = namedtuple("Event", "t contact kind impulse before after")
Event.__doc__ = "What happened at a contact: its index (a pair of bodies where contacts come and go), and in words what."

_interrupted = weakref.WeakValueDictionary()  # sims that Ctrl-C has stopped, by the files that they still hold


def _notebook():
    """IPython's display, in a notebook; else None"""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or not shell.has_trait("kernel"):
        return None
    from IPython import display

    return display


class Progress:
    """A bar: in a notebook as HTML, in a terminal on stderr; it appears where a run takes longer than half a second."""

    def __init__(self, wanted=None):
        self._display = _notebook()
        terminal = sys.stderr is not None and sys.stderr.isatty()
        self.wanted = bool(self._display or terminal) if wanted is None else bool(wanted)
        self._begun, self._handle, self._drawn = time.monotonic(), None, 0.0

    def __call__(self, done, phase):
        now = time.monotonic()
        if not self.wanted or now - self._begun < 0.5 or now - self._drawn < 0.1:
            return
        self._drawn, done = now, min(max(done, 0.0), 1.0)
        if self._display is not None:
            shown = self._display.HTML(f'<progress value="{done:.4f}" style="width: 60%"></progress> {phase} {done:.0%}')
            if self._handle is None:
                self._handle = self._display.display(shown, display_id=True)
            else:
                self._handle.update(shown)
        else:
            self._handle = True
            full = int(30 * done)
            sys.stderr.write(f"\r{phase} [{'#' * full}{'.' * (30 - full)}] {100 * done:5.1f} %")
            sys.stderr.flush()

    def end(self):
        """Takes the bar away."""
        if self._handle is None:
            return
        if self._display is not None:
            self._handle.update(self._display.HTML(""))
        else:
            sys.stderr.write("\r" + 60 * " " + "\r")
        self._handle = None


def _callable(function):
    if not callable(function):
        raise TypeError(f"a function is needed here, not a {type(function).__name__}")
    return function


class State:
    """The state of a sim: `v` and `x` (all coordinates, as the model has them) may be written; the next step goes on from
    what they then are, and what that changes the energy by is work in the ledger. `t` is its time."""

    __slots__ = ("_sim", "_x", "_v")

    def __init__(self, sim):
        self._sim = sim
        self._x, self._v = numpy.asarray(sim.q).view(), numpy.asarray(sim.v).view()  # views: numpy lets them be locked

    @property
    def x(self):
        return self._x

    @x.setter
    def x(self, value):
        self._x[:] = value

    @property
    def v(self):
        return self._v

    @v.setter
    def v(self, value):
        self._v[:] = value

    @property
    def t(self):
        return self._sim.t

    @property
    def force(self):
        """Forces of the model's contacts now (a copy)."""
        return numpy.asarray(self._sim.force)

    def _lock(self, locked):
        self.x.flags.writeable = self.v.flags.writeable = not locked

    def __repr__(self):
        return f"<carom.State at t = {self.t:.9g}: {len(self.x)} coordinates, {len(self.v)} velocities>"


class Sim:
    """A sim of a scene that one steps: `to(t)`, `step()`, `run()`, `state`, `on_sample`, `on_contact`.

    scene            a file, its text, a dict, a Run or a Scene
    set, **keys      what is overridden: run(..., tol=1e-9, contacts={"gamma": 0}), set={"start.1.velocity": "2 m/s"}
    laws, signals    of one's own; those that stand in a dict need not be named here
    output           a run file to write (Ctrl-C leaves a checkpoint in it; carom.resume goes on)
    keep             keep samples in memory, for `recorded()`
    progress         show a bar: None where there is a terminal or a notebook
    """

    def __init__(self, scene, *, set=None, laws=(), signals=(), output=None, keep=True, progress=None, **keys):
        self._scene = Scene(scene, set, laws, signals, keys)
        self._output, self._keep = None if output is None else os.fspath(output), bool(keep)
        try:
            native = _native.sim(*self._scene.native(), self._output, keep)
        except Error as error:
            error.source = self._scene.line(error.line)
            raise
        self._begin(native, progress)

    def _begin(self, native, progress):
        self._native, self._state, self._run = native, None, None
        self._samples, self._contacts = [], []
        self._progress = Progress(progress)
        self._hear()

    @classmethod
    def of(cls, system, x, v, *, until, scheme=None, every=0.0, contacts=None, probes=("u", "v", "contact_force"), laws=(),
           output=None, keep=True, progress=None, **options):
        """The sim of a carom.System from coordinates x and velocities v.

        contacts   {"e": 0.5} for rigid contacts, or {"law": "hertz", "k": 1e3}; numbers, or a list with one for each
        scheme     "event" for rigid contacts, else "dp5"; options: its options, such as tol
        every      interval of the samples, 0: none
        """
        if not isinstance(system, System):
            raise TypeError("carom.Sim.of takes a carom.System")
        for numbers in (x, v):
            if len(numbers) != system.n:
                raise ValueError(f"the system has {system.n} coordinates and velocities, not {len(numbers)}")
        columns = dict(contacts or {})
        name, ending = columns.pop("law", "rigid"), columns.pop("contact_end", "gap")
        if not isinstance(name, str):
            laws, name = [*laws, name], name.name
        endings = {"gap": 0, "force": 1, "latched": 2}
        if ending not in endings:
            raise ValueError(f"contact_end is gap, force or latched, not {ending!r}")
        if contacts and not system.count:
            raise ValueError("the system has no distances, so there are no contacts to give parameters to")
        columns = {key: value if isinstance(value, (dict, str)) else [float(one) for one in value]
                   if hasattr(value, "__len__") else [float(value)] * system.count for key, value in columns.items()}
        self = cls.__new__(cls)
        self._scene, self._output, self._keep = None, None if output is None else os.fspath(output), bool(keep)
        native = _native.system(system.n, system.count, system._functions, [float(a) for a in x], [float(a) for a in v],
                                name, columns, endings[ending],
                                scheme or ("event" if name == "rigid" else "dp5"), options, float(until), float(every),
                                list(probes), system.constant, [one._describe() for one in laws], self._output, keep)
        self._begin(native, progress)
        return self

    # --- going on

    def to(self, t, exact=False):
        """Goes on until t; `state` is then the state at exactly t. exact: no step passes t, so that it can be changed there."""
        if exact:
            if t > self._native.t:
                self._native.break_at(t)
        self._native.to(t)

    def step(self, n=1):
        """n steps of the scheme's own choosing."""
        self._native.step(n)

    def run(self):
        """To the end; returns the Run, or None where nothing is kept in memory."""
        try:
            self._native.run()
        except KeyboardInterrupt as stop:
            stop.sim = self
            if self._output is not None:
                _interrupted[os.path.realpath(self._output)] = self
            raise
        finally:
            self._progress.end()
        return self.recorded() if self._keep else None

    # --- looking

    @property
    def state(self):
        """The state, see carom.State; the same arrays as long as the sim lives."""
        if self._state is None:
            self._state = State(self._native)
        return self._state

    @property
    def t(self):
        """The time of the state."""
        return self._native.t

    @property
    def steps(self):
        """Steps taken so far."""
        return self._native.steps

    @property
    def until(self):
        """When the run ends."""
        return self._native.until

    @property
    def ended(self):
        """Has the end been reached?"""
        return self._native.ended

    @property
    def closed(self):
        """Has the sim been closed?"""
        return self._native.closed

    @property
    def hash(self):
        """A number made of every bit of the scheme's state."""
        return self._native.hash

    @property
    def ledger(self):
        """The energies now: a dict."""
        return self._native.ledger()

    def recorded(self):
        """What was recorded so far: a Run. Once the run has ended its arrays are the library's own memory."""
        if self._run is None or not self._run.complete:
            path = self._output if self.ended else None
            self._run = Run(_Memory(self._native), self._scene, path)
        return self._run

    # --- callbacks

    def on_sample(self, function):
        """Calls function(sim) at every sample, where `state` is the sample's; it may look, not change. For decorators."""
        self._samples.append(_callable(function))
        self._hear()
        return function

    def on_contact(self, function):
        """Calls function(event) whenever a contact opens, closes, is struck, sticks or slips, see carom.Event."""
        self._contacts.append(_callable(function))
        self._hear()
        return function

    def _hear(self):
        own = weakref.ref(self)  # arrays hold the native sim, where no collector would find a circle through it
        self._native.hear((lambda *what: own()._sampled(*what)) if self._samples else None,
                          (lambda *what: own()._touched(*what)) if self._contacts else None,
                          self._progress if self._progress.wanted else None)

    def _call(self, functions, what):
        state = self.state
        state._lock(True)
        try:
            for function in functions:
                function(what)
        finally:
            state._lock(False)

    def _sampled(self, t):
        self._call(self._samples, self)

    def _touched(self, t, contact, kind, impulse, before, after):
        contact = contact if contact < 1 << 32 else (contact >> 32, contact & 0xffffffff)
        self._call(self._contacts, Event(t, contact, _EVENTS[kind], impulse, before, after))

    # --- the end

    def close(self):
        """Frees the sim; arrays that are left keep their numbers."""
        self._native.close()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.close()

    def __repr__(self):
        if self.closed:
            return "<carom.Sim, closed>"
        return f"<carom.Sim at t = {self.t:.6g} of {self.until:.6g}, {self.steps} steps>"


def run(scene, *, set=None, laws=(), signals=(), output=None, progress=None, **keys):
    """Runs a scene and returns what was recorded, a carom.Run; the arguments are those of carom.Sim.

    Ctrl-C stops it: with `output` the file has a checkpoint from which carom.resume goes on, or the sim that the
    KeyboardInterrupt carries as `.sim`, by its run().
    """
    folder = None
    if output is None and _notebook() is not None:  # whose page will be shown
        folder = tempfile.TemporaryDirectory(prefix="carom-")
        output = os.path.join(folder.name, "run.h5")
    sim = Sim(scene, set=set, laws=laws, signals=signals, output=output, progress=progress, **keys)
    found = sim.run()
    if found is None:  # nothing was kept in memory
        return None if output is None else open_run(output)
    found._folder = folder  # lives as long as the run
    return found


def resume(path, until=None, *, laws=(), signals=(), progress=None):
    """Goes on with a run file from its last checkpoint, in that file, and opens it; to the same bits as if it had never
    stopped. until: another end than the scene's. Laws and signals of one's own have to be given again."""
    held = _interrupted.pop(os.path.realpath(path), None)
    if held is not None:  # by the last exception, which an interactive Python keeps
        held.close()
    found = open_run(path)
    if found.complete and until is None:
        return found
    del found  # the file is written to from here on
    scene = Scene(os.fspath(path), None if until is None else {"run.until": until}, laws, signals)
    sim = Sim.__new__(Sim)
    sim._scene, sim._output, sim._keep = scene, os.fspath(path), False
    sim._begin(_native.sim(*scene.native(), None, False, True), progress)
    if sim.ended:
        sim.close()
        raise UsageError(f"until {until}: {path} has been there already")
    try:
        sim.run()
    finally:
        sim.close()
    return open_run(path)
