"""power_cuts after every call there is."""
import os
import runpy
import sys

sys.argv.append("every")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "power_cuts.py"))
