"""Exceptions: the library's sentences, with the place they speak of."""
import re

from . import _native

_PLACE = re.compile(r"^(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): ")
_NEAREST = re.compile(r"did you mean '([^']+)'")


class Error(Exception):
    """What the library refuses or cannot do, in one sentence.

    `status` is the exit code the program would end with; `file`, `line` and `column` say where in a scene (None: nowhere),
    `nearest` is the valid name nearest to a wrong one (None: none is near), `source` the line of a scene that was given as
    text or as a dict.
    """

    status = 1

    def __init__(self, sentence="", status=None):
        super().__init__(sentence)
        place, near = _PLACE.match(sentence), _NEAREST.search(sentence)
        self.status = self.status if status is None else status
        self.file = place["file"] if place else None
        self.line = int(place["line"]) if place else None
        self.column = int(place["column"]) if place else None
        self.nearest = near[1] if near else None
        self.source = None

    def __reduce__(self):
        return type(self), (str(self), self.status)


class CheckFailed(Error):
    """A check did not hold."""

    status = 1


class UsageError(Error, ValueError):
    """A call is wrong: a time that lies behind, a state that cannot be changed now."""

    status = 2


class SceneError(Error, ValueError):
    """The scene or another input is wrong."""

    status = 3


class Refused(Error):
    """This combination cannot be run."""

    status = 4


class NumericError(Error, ArithmeticError):
    """The computation broke down."""

    status = 5


class FileError(Error, OSError):
    """A file could not be read or written."""

    status = 6

    def __str__(self):
        return Exception.__str__(self)


class Stopped(Error):
    """Stopped before the end."""

    status = 8


_KINDS = {kind.status: kind for kind in (CheckFailed, UsageError, SceneError, Refused, NumericError, FileError, Stopped)}


def error_of(status, sentence):
    """The exception of a status and a sentence."""
    return _KINDS.get(status, Error)(sentence, status)


_native.set_error(error_of)
