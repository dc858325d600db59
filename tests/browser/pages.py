"""Pages in a real browser: chains, a cradle, mechanisms, rigid bodies, discs, a solid. They open without a console error, their
numbers are the run file's, the picture moves, plots zoom, figures can be saved."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
from pages import task_of  # noqa: E402

browser.packages()
browser.chromium()
task = task_of(["steel-chain.yaml", "cradle-strings.yaml", "mechanisms/slider-crank.yaml", "rigid/bouncing-ball.yaml",
                "space/two-discs.yaml", "solid-beam.yaml"][::browser.every(2)])
sys.exit(browser.run("pages.mjs", task))
