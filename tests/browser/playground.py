"""The playground in a real browser, from a folder: see playground/test/open.mjs. Its file is below 2 MB."""
import os
import subprocess
import sys

import browser
import playgrounds

module, folder = playgrounds.module(), playgrounds.packages()
subprocess.run(["node", os.path.join(folder, "build.mjs"), module, playgrounds.SOURCE, os.path.abspath("page")], check=True)
page = os.path.abspath("page/index.html")
if os.path.getsize(page) > 2e6:
    sys.exit(f"the playground has {os.path.getsize(page)} bytes")
sys.exit(browser.run("open.mjs", {"page": "file://" + page}, folder=folder))
