"""The manual as a site, from a folder, in a real browser: every page opens without an error, every link leads to a page and a
heading that are there, words are found, light turns dark, nothing is wider than a phone; verdicts of a paper and the playground with
a scene are reached from it."""
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402
import playgrounds  # noqa: E402

SITE = os.path.abspath("site")


class Page(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.places, self.words = [], set(), 0
        with open(path, encoding="utf-8") as file:
            self.feed(file.read())

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.links += [values[key] for key in ("href", "src") if key in values]
        self.places.add(values.get("id"))

    def handle_data(self, data):
        self.words += len(data.split())


browser.packages()
browser.chromium()
os.makedirs(SITE, exist_ok=True)
browser.carom("gallery", "--only", "chung2011", "--scenes", os.path.join(browser.SOURCE, "scenes"), "--papers",
              os.path.join(browser.SOURCE, "papers"), "-o", os.path.join(SITE, "gallery"), "-q")
module = os.path.join(browser.BUILD, "wasm", "carom.wasm")
if os.path.exists(module):
    subprocess.run(["node", os.path.join(playgrounds.packages(), "build.mjs"), module, browser.SOURCE, os.path.join(SITE, "playground")],
                   check=True)
made = subprocess.run([os.path.join(browser.SOURCE, "tools/make-site"), browser.BUILD, SITE, "manual"],
                      capture_output=True, text=True, timeout=300)
if made.returncode != 0 and "npm" in made.stderr:
    browser.skip("npm ci failed: " + made.stderr)
assert made.returncode == 0, made.stderr
pages = {os.path.join(folder, name): Page(os.path.join(folder, name))
         for folder, _, names in os.walk(SITE) for name in names if name.endswith(".html")}
links = 0
for path, page in pages.items():
    assert page.words > 20, path
    for link in page.links:
        if re.match(r"[a-z]+:", link):
            continue
        links += 1
        target, _, place = link.partition("#")
        there = os.path.normpath(os.path.join(os.path.dirname(path), target)) if target else path
        assert os.path.isfile(there), "%s: %s leads nowhere" % (path, link)
        if place.startswith("open="):  # a scene that the playground has
            assert os.path.isfile(os.path.join(browser.SOURCE, place[5:])), link
            continue
        assert not place or place in pages[there].places, "%s: %s: no such heading" % (path, link)
print(len(pages), "pages,", links, "links")
assert len(pages) > 150 and links > 5000
documents = {os.path.join(SITE, "docs", name[:-3] + ".html") for name in os.listdir(os.path.join(browser.SOURCE, "docs"))
             if name.endswith(".md")}
assert documents <= set(pages), documents - set(pages)
formulas = 0
for name in os.listdir(os.path.join(browser.SOURCE, "docs")):
    if name.endswith(".md"):
        with open(os.path.join(browser.SOURCE, "docs", name)) as text, open(os.path.join(SITE, "docs", name[:-3] + ".html")) as page:
            wanted, shown = text.read().count("\n```math\n"), page.read()
        assert shown.count("katex-display") == wanted and "language-math" not in shown, "%s: formulas are not typeset" % name
        formulas += wanted
assert formulas > 10
documents.add(os.path.join(SITE, "verdicts.html"))
sys.exit(browser.run("site.mjs", {"site": SITE, "pages": sorted(documents)[::browser.every(4)], "playground": os.path.exists(module)}))
