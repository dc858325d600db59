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


def _plain(scene):
    """The scene, if the program can read it."""
    if scene is not None and (scene.laws or scene.signals):
        raise TypeError("the program does not know laws and signals of one's own; carom.sweep with a function does")
    return scene


def _written(scene, folder, name):
    """The scene's file, or one of its text."""
    if scene.text is None:
        return scene.name
    path = os.path.join(folder, f"{name}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(scene.text)
    return path


def _sets(scene):
    return [word for one in scene.set for word in ("--set", one)]


@contextlib.contextmanager
def _files(scene):
    """A folder, and the scene as words for the program: a file as it is, a text or dict written there."""
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        yield folder, [([_written(_plain(scene), folder, "scene")], _sets(scene))]


def _several(scenes, common, folder):
    """Scenes and runs as words for the program, which knows only one list of overrides for all: scenes that differ in
    theirs are run here, and the files of these runs compared. Runs are compared as they were."""
    from ._sim import Sim

    read = [one if hasattr(one, "_as_scene") else _plain(one if isinstance(one, Scene) else Scene(one)) for one in scenes]
    own = [one for one in read if isinstance(one, Scene)]
    differ = any(one.set != own[0].set or (one.set and len(own) < len(read)) for one in own)
    words = []
    for i, one in enumerate(read):
        number = i + 1 if len(read) > 1 else ""
        if not isinstance(one, Scene):
            _plain(one._scene)
            words.append(one._file(folder, f"run{number}.h5"))
        elif differ:
            words.append(os.path.join(folder, f"scene{number}.h5"))
            scene = _again(one)
            scene.set = one.set + common
            with Sim(scene, output=words[-1], keep=False, progress=False) as sim:
                sim.run()
        else:
            words.append(_written(one, folder, f"scene{number}"))
    sets = ([] if differ or not own else own[0].set) + ([] if differ else common)
    return words + [word for one in sets for word in ("--set", one)]


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
    Runs that fail have outputs nan, and say so in the column `status`; with a function the first failure is raised.

    log       ranges "a:b:n" go by equal ratios
    output    a file (.h5) that keeps the numbers; a sweep that was stopped goes on in it
    part      "K/N": only the Kth of N parts, into `output`; `gather` brings the files together. Runs of other parts have the
              status -1
    """
    read = Scene(scene, set, laws, signals, keys)
    if part is not None and output is None:
        raise TypeError("a part of a sweep needs output='FILE.h5', which carom.gather reads")
    if callable(outputs) or read.laws or read.signals:
        given = {"part": part, "output": output, "threads": threads, "reference_tol": reference_tol, "log": log or None}
        wrong = [f"'{name}'" for name, value in given.items() if value is not None]
        if wrong:
            raise TypeError(f"{' and '.join(wrong)} {'is' if len(wrong) == 1 else 'are'} for sweeps that the program runs, with "
                            "the names of outputs and no laws or signals of one's own")
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
        if set(rows[-1]) != set(rows[0]):
            raise ValueError(f"the outputs of {dict(zip(over, point))} are {', '.join(rows[-1])}, those before {', '.join(rows[0])}")
    return table({name: numpy.array([row[name] for row in rows]) for name in rows[0]} if rows else {})


def _again(scene):
    other = Scene.__new__(Scene)
    other.__dict__.update(scene.__dict__)
    return other


def compare(*scenes, theories=None, schemes=None, time_scale=None, threads=None, output=None, set=None, **keys):
    """The same scene under several theories or schemes, or several scenes or runs: a table with a column for each.

    Runs are compared as they were recorded, unless theories or schemes ask for runs of their scenes; set and keywords
    override what scenes say, each of which keeps its own overrides."""
    words = _options(theories=theories, schemes=schemes, time_scale=time_scale, threads=threads, output=output)
    common = Scene("a: 1\n", set, keys=keys).set
    with tempfile.TemporaryDirectory(prefix="carom-") as folder:
        to = os.path.join(folder, "table.csv")
        _program.call("compare", *_several(scenes, common, folder), *words, "--csv", to, "-q", "--no-timing")
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
        path = run if isinstance(run, (str, os.PathLike)) else run._file(folder)
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
    if modes and shapes:
        raise TypeError("'modes' and 'shapes' are two tables: ask for one after the other")
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
    counts = {name: len(columns[name]) for name in names}
    if len(set(counts.values())) > 1:
        raise ValueError("the columns to fit must be equally long, not " +
                         ", ".join(f"{name}: {count}" for name, count in counts.items()))
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
