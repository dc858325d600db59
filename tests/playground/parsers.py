"""The page's parser of YAML and libfyaml lead to the same trees, places included, for all scenes, and the same sentences for
all wrong ones. Where a text is no YAML both say so; the reason is in the words of the parser, and only the line is compared."""
import glob
import os
import re
import subprocess

import playgrounds
from checks import check, end

SOURCE = playgrounds.SOURCE
files = sorted(glob.glob(SOURCE + "/scenes/**/*.yaml", recursive=True) + glob.glob(SOURCE + "/papers/**/*.yaml", recursive=True) +
               glob.glob(SOURCE + "/tests/scenes-wrong/**/*.yaml", recursive=True))


def trees(command):
    done = subprocess.run([*command, *files], stdout=subprocess.PIPE, check=True)
    parts = done.stdout.decode(errors="replace").split("== ")[1:]
    return dict(part.split("\n", 1) for part in parts)


def comparable(text):
    return re.sub(r"(3 scene.yaml:\d+):\d+: (not valid YAML).*", r"\1 \2", text)


ours = trees([os.path.join(playgrounds.BUILD, "tests", "tree_text")])
page = trees(["node", playgrounds.script("trees"), playgrounds.module()])
for file in files:
    a, b = comparable(ours[file]), comparable(page[file])
    if not check(a == b, os.path.relpath(file, SOURCE), "reads as other things:"):
        for x, y in zip(a.splitlines(), b.splitlines()):
            if x != y:
                print("   libfyaml:", x, "\n   the page:", y)
                break
end(len(files), f" of {len(files)} files")
