"""cli.space_rough_scenes with 400 scenes."""
import os
import runpy
import sys

sys.argv.append("--all")
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "space_rough_scenes.py"), run_name="__main__")
