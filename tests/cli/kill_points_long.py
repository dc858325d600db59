"""kill_points at every call there is, before it and in the middle of it."""
import os
import runpy
import sys

sys.argv.append("every")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "kill_points.py"))
