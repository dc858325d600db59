"""Runs a notebook of examples/notebooks from its first cell to its last; an exception in a cell is a failure."""
import os

from checks import check
from pythons import SOURCE, need

need("pandas", "matplotlib", "nbclient", "nbformat", "ipykernel", "cffi")
os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
import nbclient  # noqa: E402
import nbformat  # noqa: E402

FOLDER = os.path.join(SOURCE, "examples", "notebooks")


def run(name):
    """The notebook with what its cells gave."""
    path = os.path.join(FOLDER, name)
    notebook = nbformat.read(path, as_version=4)
    check(all(not cell.get("outputs") for cell in notebook.cells), name, "is kept without outputs")
    nbformat.validate(notebook)
    try:
        nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": FOLDER}}).execute()
    except nbclient.exceptions.CellExecutionError as error:
        check(False, name, error)
    check(any(cell.get("outputs") for cell in notebook.cells), name, "gave nothing")
    return notebook
