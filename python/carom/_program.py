"""The program `carom`, which makes pages and runs studies: where it is, and one call of it."""
import os
import shutil
import signal
import subprocess
import sys

from ._errors import Error, error_of


class Missing(Error):
    """The program is not there."""


def find():
    """The program: $CAROM, beside this package (wheel, build folder, prefix), or on the path."""
    here = os.path.dirname(os.path.abspath(__file__))
    places = [os.environ.get("CAROM", ""), os.path.join(here, "bin", "carom"),
              os.path.join(here, os.pardir, os.pardir, "carom"),
              os.path.join(here, os.pardir, os.pardir, os.pardir, os.pardir, "bin", "carom")]
    for place in places:
        if place and os.path.isfile(place) and os.access(place, os.X_OK):
            return os.path.normpath(place)
    found = shutil.which("carom")
    if not found:
        raise Missing("the program carom was not found; put it on the PATH, or its place into $CAROM")
    return found


def call(*words, good=(0,), progress=False):
    """Runs the program and returns what it printed; its sentence becomes an exception. Ctrl-C reaches it too."""
    show = None if progress and sys.stderr is not None and sys.stderr.isatty() else subprocess.PIPE
    with subprocess.Popen([find(), *map(os.fspath, words)], stdout=subprocess.PIPE, stderr=show, text=True,
                          encoding="utf-8", errors="replace") as process:
        try:
            out, said = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
            raise
    if process.returncode in good:
        return out
    lines = [line[7:] for line in (said or "").splitlines() if line.startswith("carom: ")]
    raise error_of(process.returncode, lines[-1] if lines else f"'carom {words[0]}' ended with {process.returncode}")
