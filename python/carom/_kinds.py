"""Laws, signals and systems of one's own: Python functions of plain numbers, or compiled functions by their address."""
import inspect
import math

#: Declarations for cffi's `cdef`: what a compiled `evaluate` is handed, as in carom/law.h.
BATCH_CDEF = """
struct carom_batch {
    const void *law;
    size_t n;
    const double *const *param;
    const double *deform;
    const double *rate;
    const double *const *history;
    double *elastic;
    double *slope;
    double *viscous;
    double *drag;
    double *power;
    double *energy;
    double *const *history_rate;
};
"""


def address(function):
    """The address of a compiled function: an int, a cffi pointer, a ctypes function or a numba cfunc; else itself."""
    if function is None or isinstance(function, int):
        return function
    if hasattr(function, "address") and isinstance(function.address, int):  # numba.cfunc
        return function.address
    kind = type(function)
    if "CData" in kind.__name__ and "cffi" in kind.__module__:
        import cffi

        return int(cffi.FFI().cast("uintptr_t", function))
    if kind.__module__ == "ctypes" or any(base.__name__ == "_CFuncPtr" for base in kind.__mro__):
        import ctypes

        return ctypes.cast(function, ctypes.c_void_p).value
    if callable(function):
        return function
    raise TypeError(f"{function!r} is neither a function nor the address of one")


def _parameters(given):
    rows = []
    for name, row in given.items():
        row = tuple(row) if isinstance(row, (tuple, list)) else (row,)
        if not 1 <= len(row) <= 3:
            raise ValueError(f"parameter {name}: give a default, or (default, unit, text), not {row!r}")
        default, unit, text = (*row, *("1", "")[len(row) - 1:])
        if default is not None and not math.isfinite(default):
            raise ValueError(f"parameter {name}: the default must be a finite number, or None where it must be given")
        rows.append((name, -math.inf if default is None else float(default), str(unit), str(text), -math.inf, math.inf))
    return rows


def _arguments(function):
    """names and defaults of a law's parameters: the function's arguments behind the overlap; None: a compiled one"""
    try:
        arguments = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return None
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    if any(a.kind not in plain for a in arguments):
        raise TypeError("a law's parameters are plain arguments: elastic(d, k, ...), without * and **")
    return {a.name: None if a.default is a.empty else a.default for a in arguments[1:]}


class Law:
    """A contact law: force = elastic(d) + drag(d) d', d the overlap, in a scene `contacts: {law: NAME, ...}`.

    name      what the scene calls it
    elastic   force at rest; a function `elastic(d, k, ...)` of the overlap (d > 0) and the parameters in order, or the
              address of a compiled `double (*)(double d, const double *param)`
    drag      damping coefficient; or `viscous`, its integral from first touch. None: no damping
    slope     derivative of elastic, None: by differences. energy: its integral, None: by Gauss' rule
    params    {name: default} or {name: (default, unit, text)}, in the order of the function's arguments; default None:
              a scene must give it
    evaluate  instead of all these: the address of a compiled `void (*)(const struct carom_batch *)`, C's own interface
              (see BATCH_CDEF), at C's own speed; `history` is how many history numbers it has, `damped` whether it has
              viscous and drag
    """

    def __init__(self, name, elastic=None, *, drag=None, viscous=None, slope=None, energy=None, params=None, evaluate=None,
                 history=0, damped=False):
        if (elastic is None) == (evaluate is None):
            raise TypeError("a law has either 'elastic' or 'evaluate'")
        if history and evaluate is None:
            raise TypeError("only a law by 'evaluate' has history")
        if evaluate is not None and any(one is not None for one in (drag, viscous, slope, energy)):
            raise TypeError("a law by 'evaluate' has no 'drag', 'viscous', 'slope' or 'energy' beside it")
        self.name = str(name)
        self.params = dict(params or {})
        _parameters(self.params)
        given = _arguments(elastic) if inspect.isfunction(elastic) else None
        if given is not None and set(given) == set(self.params) and list(given) != list(self.params):
            raise ValueError(f"law {name}: params stand in another order than the arguments {', '.join(given)}")
        self._functions = {"elastic": elastic, "drag": drag, "viscous": viscous, "slope": slope, "energy": energy,
                           "evaluate": evaluate}
        self._history = int(history)
        self._damped = bool(damped or drag is not None or viscous is not None)

    def _describe(self):
        found = {key: address(function) for key, function in self._functions.items()}
        return {"name": self.name, "params": _parameters(self.params), "history": self._history,
                "damped": self._damped, **found}

    def __repr__(self):
        return f"carom.Law({self.name!r})"


def law(function=None, *, name=None, **more):
    """Makes a Law of a function `elastic(d, k=1.0, ...)`, whose arguments are the law's parameters; those without a default
    must be given by the scene. A decorator."""

    def make(f):
        return Law(name or f.__name__, f, params=_arguments(f), **more)

    return make if function is None else make(function)


class Signal:
    """A function of time that drives bodies, in a scene `force: {shape: NAME, amplitude: 10 N, start: 1 ms}`.

    value            `value(t)`, or the address of a compiled `double (*)(double t)`; the amplitude multiplies it, and t
                     counts from the signal's start
    rate             its derivative, None: by differences
    largest, fastest bounds of |value| and |rate|, for scales; None: looked for at 2001 times of `over`
    breaks           times where value or rate jump: no step passes them
    """

    def __init__(self, name, value, rate=None, *, over=None, largest=None, fastest=None, breaks=()):
        self.name = str(name)
        self.breaks = sorted(float(t) for t in breaks)
        if not all(map(math.isfinite, self.breaks)):
            raise ValueError("a signal's breaks must be finite times")
        self._functions = {"value": value, "rate": rate}
        if largest is None or fastest is None:
            if over is None or not callable(value):
                raise TypeError("give 'largest' and 'fastest', or 'over', the times (from, to) to look for them")
            found = self._look(value, *over)
            largest, fastest = found[0] if largest is None else largest, found[1] if fastest is None else fastest
        self.largest, self.fastest = float(largest), float(fastest)
        if not (0 < self.largest < math.inf and 0 < self.fastest < math.inf):
            raise ValueError("a signal's 'largest' and 'fastest' must be positive and finite")

    @staticmethod
    def _look(value, start, end):
        times = [start + (end - start) * i / 2000 for i in range(2001)]
        heights = [float(value(t)) for t in times]
        step = (end - start) / 2000
        return max(map(abs, heights)), max(abs(b - a) for a, b in zip(heights, heights[1:])) / step

    def _describe(self):
        found = {key: address(function) for key, function in self._functions.items()}
        return {"name": self.name, "breaks": self.breaks, "largest": self.largest, "fastest": self.fastest, **found}

    def __repr__(self):
        return f"carom.Signal({self.name!r})"


class System:
    """Equations of motion of one's own: M(q) v' = F(t, q, v) + contact forces, q' = v, contacts at distances g(t, q) >= 0.

    n           how many coordinates (at most 32)
    mass        `mass(q)`: n x n numbers; velocity terms of a mass that depends on q are added
    force       `force(t, q, v)`: n numbers; None: 0
    distances   functions `g(t, q)`, one for each contact
    stored      `stored(t, q)`: energy that `force` stores; power: `power(t, q, v)`: (dissipated, put in). For the ledger
    constant    M does not depend on q

    q and v come as tuples of floats. Compiled: give all functions as addresses of C's (struct carom_mechanism in
    carom/mechanism.h): mass, force, stored, power, one `distance` and perhaps its `slope`, with `count` distances; `own`
    is the address of what they are handed.
    """

    def __init__(self, n, mass, force=None, distances=(), *, stored=None, power=None, constant=False, distance=None,
                 slope=None, count=0, own=None):
        self.n, self.constant = int(n), bool(constant)
        if not 1 <= self.n <= 32:
            raise ValueError(f"a system has 1 to 32 coordinates, not {self.n}")
        if distance is not None and distances:
            raise TypeError("a system has either 'distances' or, compiled, one 'distance'")
        if distance is None and (count or slope is not None or own is not None):
            raise TypeError("'count', 'slope' and 'own' are of a compiled system, with 'distance'")
        self.count = int(count) if distance is not None else len(distances)
        found = {"mass": address(mass), "force": address(force), "stored": address(stored), "power": address(power)}
        if distance is not None:
            found.update(distance=address(distance), slope=address(slope), own=own)
            if any(callable(f) for f in found.values()):
                raise TypeError("a compiled system has addresses only")
        else:
            found["distances"] = [f for f in distances]
            if not all(callable(f) for f in [mass, *distances] + [f for f in (force, stored, power) if f is not None]):
                raise TypeError("mass, force and distances must be functions")
        self._functions = found
