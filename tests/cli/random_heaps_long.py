"""cli.random_heaps with 240 heaps."""
import os
import runpy
import sys

sys.argv.append("--all")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "random_heaps.py"))
