"""Tests of `import carom`: what must be there (else the test is skipped, which says what is missing), and the end."""
import importlib
import os
import sys
import unittest

SOURCE = os.environ["SOURCE"]
SCENES = os.path.join(SOURCE, "scenes")


def need(*modules):
    """Skips where a module is missing; returns carom."""
    for name in ("numpy", "carom", *modules):
        try:
            importlib.import_module(name)
        except ImportError as why:
            print(f"skipped: {name} is missing ({why}); `make test` installs what is needed", flush=True)
            os._exit(77) # sys.exit would ask whether the test came to its end
    if not sys.modules["carom"].__file__.startswith(os.environ["BUILD"]):
        print("skipped: the module was not built here (python3-dev); another one is installed", flush=True)
        os._exit(77)
    return sys.modules["carom"]


def scene(name):
    return os.path.join(SCENES, name)


def main():
    unittest.main(argv=[sys.argv[0]], verbosity=1)
