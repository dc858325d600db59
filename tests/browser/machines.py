"""Every machine that carom knows has a scene, and the page of that scene a moving picture of it that moves."""
import glob
import os
import re
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
from pages import task_of  # noqa: E402

browser.packages()
browser.chromium()
scenes, where = {}, os.path.join(browser.SOURCE, "scenes")
for path in sorted(glob.glob(os.path.join(where, "*", "*.yaml"))):
    with open(path) as file:
        found = re.search(r"mechanism:[\s{]*kind:\s*([a-z-]+)", file.read())
    if found:
        scenes.setdefault(found.group(1), os.path.relpath(path, where))
machines = [os.path.basename(path)[8:-2].replace("_", "-") for path in glob.glob(os.path.join(browser.SOURCE, "src/model/mechanism/machine_*.c"))]
missing = [name for name in machines if name not in scenes]
if missing or len(machines) < 11:
    sys.exit("machines %s: no scene for %s" % (machines, missing))
sys.exit(browser.run("pages.mjs", dict(task_of([scenes[name] for name in sorted(machines)[::browser.every(4)]]), brief=True, pictures=True)))
