"""Scenes as Python has them: a file, its text, or dicts and lists; and what a call overrides in them."""
import json
import os

from ._kinds import Law, Signal, law as law_of
from ._tables import tables

_LISTS = ("bodies", "start", "loads", "materials")  # of these, a name in a dict says which entry is meant


def _plain(value):
    """numbers of numpy and such, for JSON, which is YAML too"""
    if hasattr(value, "tolist"):
        return value.tolist()
    if hasattr(value, "__fspath__"):
        return os.fspath(value)
    more = "; carom.law makes a contact law of it, carom.Signal a signal" if callable(value) else ""
    raise TypeError(f"a scene cannot hold a {type(value).__name__}{more}")


class Scene:
    """A scene ready to be read: its name, its text (None: the name is a file), overrides, laws and signals."""

    def __init__(self, scene, set=None, laws=(), signals=(), keys=None):
        if not all(isinstance(x, Law) or callable(x) for x in laws):
            raise TypeError("laws are carom.Law, or functions that carom.law makes one of")
        self.laws = [x if isinstance(x, Law) else law_of(x) for x in laws]
        self.signals = list(signals)
        if not all(isinstance(x, Signal) for x in self.signals):
            raise TypeError("signals are carom.Signal")
        self.set = []
        if hasattr(scene, "_as_scene"):  # a Run
            own, (scene, before) = scene._scene, scene._as_scene()
            self.set += before
            if own is not None:
                self.laws += [x for x in own.laws if x not in self.laws]
                self.signals += [x for x in own.signals if x not in self.signals]
        if isinstance(scene, Scene):
            self.laws = [*scene.laws, *(x for x in self.laws if x not in scene.laws)]
            self.signals = [*scene.signals, *(x for x in self.signals if x not in scene.signals)]
            self.set += scene.set
            self.name, self.text = scene.name, scene.text
        elif isinstance(scene, dict):
            self.name, self.text = "scene", json.dumps(self._named(scene), indent=1, default=_plain)
        elif isinstance(scene, os.PathLike) or (isinstance(scene, str) and _is_path(scene)):
            self.name, self.text = os.fspath(scene), None
        elif isinstance(scene, str):
            self.name, self.text = "scene", scene  # an empty one too, whose error then says what is missing
        else:
            raise TypeError(f"a scene is a file, its text or a dict, not a {type(scene).__name__}")
        self.set += overrides(set, self._named(keys or {}))

    def _named(self, value):
        """laws and signals in a dict are handed over, and named"""
        if isinstance(value, (Law, Signal)):
            own = self.laws if isinstance(value, Law) else self.signals
            if value not in own:
                own.append(value)
            return value.name
        if isinstance(value, dict):
            return {key: self._named(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._named(one) for one in value]
        return value

    def line(self, number):
        """A line of the text, for errors; None: there is none."""
        lines = (self.text or "").split("\n")
        return lines[number - 1].strip() if number is not None and 0 < number <= len(lines) and self.text else None

    def native(self):
        """What carom._native.sim takes first."""
        return (self.name, self.text, self.set, [x._describe() for x in self.laws],
                [x._describe() for x in self.signals])


def _is_path(text):
    return text.strip() and "\n" not in text and "{" not in text and (": " not in text or os.path.exists(text))


def value_text(value):
    """A value as `--set key=value` takes it."""
    if isinstance(value, str):
        return value
    if value is None:
        return "null"
    return json.dumps(value, default=_plain)


def run_keys():
    """Keys of `run:`, which keywords of a call mean: every option of every scheme, and some more."""
    options = {row["name"] for scheme in tables()["schemes"].values() for row in scheme["params"]}
    return options | {"scheme", "until", "threads", "seed"}


def _flat(prefix, value):
    if not isinstance(value, dict):
        yield prefix, value
        return
    for key, one in value.items():
        below = str(key)
        named = prefix in _LISTS and not below[:1].isdigit()
        yield from _flat(below if named else f"{prefix}.{below}", one)


def overrides(set=None, keys=None):
    """`key=value` for each of `set` (a dict of keys of the program's --set, or a list of texts) and of keywords, where a dict
    stands for what is below it: contacts={"gamma": 0.1} is contacts.gamma=0.1, bodies={"chain": {"count": 9}} chain.count=9,
    bodies={1: {...}} bodies.1. ..."""
    found = []
    if isinstance(set, dict):
        found += [f"{key}={value_text(value)}" for key, value in set.items()]
    elif isinstance(set, str):
        found.append(set)
    elif set is not None:
        found += [str(one) for one in set]
    for key, value in (keys or {}).items():
        key = f"run.{key}" if key in run_keys() else key
        found += [f"{path}={value_text(one)}" for path, one in _flat(key, value)]
    return found
