"""cli.energy_scenes with 300 scenes."""
import os
import runpy
import sys

sys.argv += ["1", "300"]
runpy.run_path(os.path.join(os.environ["SOURCE"], "tests", "cli", "energy_scenes.py"), run_name="__main__")
