"""cli.rough_scenes with 400 scenes of each kind."""
import os
import runpy
import sys

sys.argv.append("--all")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "rough_scenes.py"), run_name="__main__")
