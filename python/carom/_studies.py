"""Studies: many runs of a scene, as tables. The program does the work, on all cores and to the same bits as the commands of
these names; sweeps with functions, laws or signals of one's own go run by run in this process."""
import contextlib
import itertools
import os
import re
import tempfile

import numpy

from . import _program
from ._errors import Error, Stopped
from ._scene import Scene, value_text
from ._tables import column_of, from_csv, table


@contextlib.contextmanager
def _files(*scenes):
    """A folder, and the scenes as words for the program: files as they are, texts and dicts written there."""
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        words = []
        for i, scene in enumerate(scenes):
            if getattr(scene, "path", None) is not None and hasattr(scene, "_as_scene"):
                words.append(([scene.path], []))
                continue
            scene = scene if isinstance(scene, Scene) else Scene(scene)
            if scene.laws or scene.signals:
                raise TypeError("the program does not know laws and signals of one's own; carom.sweep with a function does")
            name = scene.name
            if scene.text is not None:
                name = os.path.join(folder, f"scene{i + 1 if len(scenes) > 1 else ''}.yaml")
                with open(name, "w", encoding="utf-8") as file:
                    file.write(scene.text)
            words.append(([name], [word for one in scene.set for word in ("--set", one)]))
        yield folder, words


def _read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def _values(values):
    """a list, an array, one value, or the program's own words, such as "a:b:n" """
    if isinstance(values, (str, os.PathLike)):
        return os.fspath(values)
    values = values.tolist() if hasattr(values, "tolist") else values
    return ",".join(map(value_text, values)) if hasattr(values, "__iter__") else value_text(values)


def _options(**options):
    """As words for the program; those that are None or False are left out, True needs no value."""
    words = []
    for key, value in options.items():
        if value is not None and value is not False:
            words += [f"--{key.replace('_', '-').strip('-')}"] + ([] if value is True else [_values(value)])
    return words


def _table_of(command, scene, words, keys=None, set=None, to="--csv"):
    with _files(Scene(scene, set, keys=keys)) as (folder, [(name, more)]):
        path = os.path.join(folder, "table.csv")
        _program.call(command, *name, *more, *words, to, path, "-q")
        return from_csv(_read(path))


def _grid_of(folder, is_key, *words, output=None):
    """The table of a sweep, outputs by their names alone, without units. Where single runs failed there is one all the
    same: their outputs are nan."""
    to = os.path.join(folder, "table.csv")
    try:
        _program.call(*words, "-o", output or os.path.join(folder, "sweep.h5"), "--csv", to, "-q")
    except Stopped:  # some runs are missing
        raise
    except Error:
        if not os.path.exists(to):
            raise
    return from_csv(_read(to), lambda name: name if is_key(name.split(" (")[0]) else name.split(" (")[0])


def sweep(scene, over, outputs=None, *, set=None, laws=(), signals=(), log=False, threads=None, part=None, output=None,
          reference_tol=None, **keys):
    """A table with a row for each point of a grid.

    over      {key: values}, keys as in `set`; values a list, an array, or "a:b:n"
    outputs   names, as `carom sweep --help` lists them (None: the usual ones); or a function of a Run that gives a dict or
              a number: then, and with laws or signals of one's own, runs go one after the other in this process
    Runs that fail have outputs nan, and say so in the column `status`.

    log       ranges "a:b:n" go by equal ratios
    output    a file (.h5) that keeps the numbers; a sweep that was stopped goes on in it
    part      "K/N": only the Kth of N parts, into `output`; `gather` brings the files together. Runs of other parts have the
              status -1
    """
    read = Scene(scene, set, laws, signals, keys)
    if part is not None and output is None:
        raise TypeError("a part of a sweep needs output='FILE.h5', which carom.gather reads")
    if callable(outputs) or read.laws or read.signals:
        if part is not None or output is not None:
            raise TypeError("'part' and 'output' are for sweeps that the program runs, with the names of outputs and no laws or "
                            "signals of one's own")
        return _sweep_here(read, over, outputs)
    words = [word for key, values in over.items() for word in ("--over", f"{key}={_values(values)}")]
    words += _options(log=log, outputs=outputs, threads=threads, part=part, reference_tol=reference_tol)
    with _files(read) as (folder, [(name, more)]):
        return _grid_of(folder, over.__contains__, "sweep", *name, *more, *words, output=output)


def gather(*parts, output=None):
    """The parts of a sweep, files that `sweep` wrote with `part`, as one table; `output`: also as one file."""
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        return _grid_of(folder, lambda name: "." in name, "gather", *parts, output=output)


def _sweep_here(scene, over, outputs):
    from ._sim import run

    if not callable(outputs):
        raise TypeError("a sweep with laws or signals of one's own needs a function of the run as 'outputs'")
    if any(isinstance(values, str) for values in over.values()):
        raise TypeError("values of such a sweep are a list or an array")
    base, rows = list(scene.set), []
    for point in itertools.product(*over.values()):
        scene.set = base + [f"{key}={value_text(getattr(v, 'item', lambda v=v: v)())}" for key, v in zip(over, point)]
        found = outputs(run(_again(scene), progress=False))
        rows.append({**dict(zip(over, point)), **(found if isinstance(found, dict) else {"output": found})})
    return table({name: numpy.array([row[name] for row in rows]) for name in rows[0]} if rows else {})


def _again(scene):
    other = Scene.__new__(Scene)
    other.__dict__.update(scene.__dict__)
    return other


def compare(*scenes, theories=None, schemes=None, time_scale=None, threads=None, output=None, set=None, **keys):
    """The same scene under several theories or schemes, or several scenes or runs: a table with a column for each."""
    words = _options(theories=theories, schemes=schemes, time_scale=time_scale, threads=threads, output=output)
    words += [word for one in Scene("a: 1\n", set, keys=keys).set for word in ("--set", one)]
    with _files(*scenes) as (folder, files):
        to = os.path.join(folder, "table.csv")
        names = [word for name, _ in files for word in name]
        words += [word for _, more in files[:1] for word in more]
        _program.call("compare", *names, *words, "--csv", to, "-q", "--no-timing")
        return from_csv(_read(to))


def converge(scene, *, steps=None, tols=None, dPs=None, scheme=None, norm=None, time_scale=None, gamma_follows_step=None,
             reference=None, reference_tol=None, set=None, **keys):
    """Errors of displacements and velocities over a series of steps, tolerances or (impact lzb-impulse) steps of impulse
    ("a:b:n", or a list). reference: a run file to compare with."""
    words = _options(scheme=scheme, steps=steps, tols=tols, dPs=dPs, norm=norm, time_scale=time_scale, reference=reference,
                     gamma_follows_step=gamma_follows_step, reference_tol=reference_tol)
    return _table_of("converge", scene, words, keys, set)


def pulse(run, **options):
    """The waves in a run's forces: arrival, height, width, speed, impulses of each contact.

    run       a Run or a run file; options: those of `carom pulse`: contact="3-9", bead=..., wave=2, train=True, ...
    """
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        path = run if isinstance(run, (str, os.PathLike)) else run.path or run.save(os.path.join(folder, "run.h5"))
        to = os.path.join(folder, "table.csv")
        _program.call("pulse", path, *_options(**options), "--csv", to, "--no-keep", "-q")
        return from_csv(_read(to))


def dispersion(scene, *, modes=False, shapes=False, points=None, cell=None, along=None, count=None, force=None,
               prestress=False, set=None, **keys):
    """Dispersion curves of small waves about the start of a scene; modes: its normal modes instead.

    of a solid    along: "x", "xy" or a wave vector; count: how many of its lowest modes; shapes: the shapes of these
    of a crystal  force: every contact carries this, whatever the start
    prestress     of a crystal: static forces count; of a solid: modes about its start, loaded
    """
    words = _options(points=points, cell=cell, along=along, count=count, force=force, prestress=prestress)
    return _table_of("dispersion", scene, words, keys, set, "--modes" if modes else "--shapes" if shapes else "--csv")


class Fit:
    """What a fit found: `keys`, a table of key, value, sigma and start; `data`, a table of data and model; `text`, all that
    the program said. fit["gamma"] is one value."""

    def __init__(self, text, data):
        rows = []
        for line in text.split("\nkey ", 1)[-1].splitlines()[1:]:
            words = line.replace("at bound", "nan").split()
            if len(words) < 4 or words[0] in ("correlation", "measured"):
                break
            rows.append((words[0], *words[-3:]))  # a unit may stand after the key
        names = ("key", "value", "sigma", "start")
        self._values = {row[0]: float(row[1]) for row in rows}
        self.keys = table({name: column_of([row[i] for row in rows]) if i else numpy.array([row[0] for row in rows],
                           dtype=object) for i, name in enumerate(names)})
        self.data, self.text = data, text

    def __getitem__(self, key):
        return self._values[key]

    def __repr__(self):
        return "<carom.Fit: " + ", ".join(f"{key} = {value:.6g}" for key, value in self._values.items()) + ">"


def fit(scene, to, free, *, method=None, most=None, threads=None, output=None, set=None, **keys):
    """Finds keys of a scene from measured numbers.

    to        a CSV file, or a table (pandas or {column: array}) whose columns are named as in docs/fit.md
    free      keys: a list, or {key: (low, high)} with None for no bounds
    most      runs of the search at most; output: a file (.h5) for `carom report`
    """
    if isinstance(free, dict):
        free = [key if bounds is None else f"{key}={value_text(bounds[0])}:{value_text(bounds[1])}"
                for key, bounds in free.items()]
    words = _options(free=free, method=method, most=most, threads=threads, output=output)
    with _files(Scene(scene, set, keys=keys)) as (folder, [(name, more)]):
        data = os.path.join(folder, "data.csv")
        if isinstance(to, (str, os.PathLike)):
            data = os.fspath(to)
        else:
            _write(data, to)
        table_of, log = os.path.join(folder, "model.csv"), os.path.join(folder, "fit.log")
        text = _program.call("fit", *name, "--to", data, *words, *more, "--csv", table_of, "--log", log)
        return Fit(text, from_csv(_read(table_of)))


def _write(path, columns):
    names = list(columns)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(re.sub(r"^(sigma)\b.*", r"\1", name) for name in names) + "\n")
        for row in zip(*(columns[name] for name in names)):
            file.write(",".join("" if value != value else f"{value}" for value in row) + "\n")


def verify(paper=None, *, row=None, long=False, papers=None):
    """Measures the published numbers of a paper, or of all, again: row, published, measured, allowed, verdict."""
    words = ([] if paper is None else [paper]) + _options(row=row, long=long, papers=papers)
    text = _program.call("verify", *words, good=(0, 1))
    found = re.findall(r"^(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s+(PASS|FAIL|NOT-REPRODUCED)", text, re.M)
    names = ("row", "published", "measured", "allowed", "verdict")
    return table({name: column_of([line[i] for line in found]) for i, name in enumerate(names)})
