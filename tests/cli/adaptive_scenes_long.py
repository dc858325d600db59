"""cli.adaptive_scenes with 200 scenes."""
import os
import runpy
import sys

sys.argv.append("--all")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "adaptive_scenes.py"), run_name="__main__")
