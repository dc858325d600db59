"""The page of every scene in scenes/, as pages.py does for some."""
import os
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
from pages import task_of  # noqa: E402

browser.packages()
browser.chromium()
scenes = []
for folder, _, names in sorted(os.walk(os.path.join(browser.SOURCE, "scenes"))):
    scenes += [os.path.relpath(os.path.join(folder, name), os.path.join(browser.SOURCE, "scenes"))
               for name in sorted(names) if name.endswith(".yaml")]
sys.exit(browser.run("pages.mjs", dict(task_of(scenes), brief=True), seconds=3000))
