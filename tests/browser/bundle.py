"""The viewer's sources pass the type checker, and building them gives the page in the tree to the byte."""
import filecmp
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402

folder = browser.packages()
done = subprocess.run(["node", "node_modules/typescript/bin/tsc", "--noEmit"], cwd=folder)
if done.returncode != 0:
    sys.exit("the type checker found mistakes")
subprocess.run(["node", "build.mjs", os.path.abspath("page.html")], cwd=folder, check=True)
if not filecmp.cmp("page.html", os.path.join(browser.VIEWER, "dist", "page.html"), shallow=False):
    sys.exit("viewer/dist/page.html is not what its sources give: run 'npm ci && npm run build' in viewer/")
print("types are sound, the page in the tree is current to the byte")
