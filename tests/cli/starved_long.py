"""cli.starved with every allocation of every command."""
import os
import runpy
import sys

sys.argv.append("--all")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "starved.py"))
