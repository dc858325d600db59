"""carom: impacts of beads, mechanisms and elastic solids.

    import carom
    run = carom.run("scenes/steel-chain.yaml", tol=1e-9)
    print(run.force.max(), run.ledger)

`run` and `open` give a Run, `Sim` is a run that one steps; `sweep`, `gather`, `compare`, `fit`, `converge`, `pulse`,
`dispersion` and `verify` give tables; `Law`, `Signal` and `System` are kinds of one's own. docs/python.md shows all of it.
"""
from . import _native
from ._errors import CheckFailed, Error, FileError, NumericError, Refused, SceneError, Stopped, UsageError
from ._kinds import BATCH_CDEF, Law, Signal, System, law
from ._run import Run
from ._run import open_run as open
from ._scene import Scene
from ._sim import Event, Progress, Sim, State, resume, run
from ._studies import Fit, compare, converge, dispersion, fit, gather, pulse, sweep, verify
from ._tables import describe, tables

__version__ = _native.version
__all__ = ["BATCH_CDEF", "CheckFailed", "Error", "Event", "FileError", "Fit", "Law", "NumericError", "Progress", "Refused",
           "Run", "Scene", "SceneError", "Signal", "Sim", "State", "Stopped", "System", "UsageError", "compare", "converge",
           "describe", "dispersion", "fit", "gather", "law", "open", "pulse", "resume", "run", "sweep", "tables", "verify"]

run.__doc__ += "\nOptions of the schemes, by keyword:\n\n" + describe("schemes")
Law.__doc__ += "\nLaws that carom knows:\n\n" + describe("laws")
