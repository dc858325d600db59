"""The towers and arches of cli.heaps for 1e5 steps: about a minute and a half."""
import os
import runpy
import sys

sys.argv.append("--all")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "heaps.py"))
