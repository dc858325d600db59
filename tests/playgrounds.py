"""What the tests of the playground share: the module carom.wasm, and scripts of playground/test made ready for Node.js."""
import os
import subprocess

import browser

SOURCE, BUILD = os.environ["SOURCE"], os.environ["BUILD"]
PLAYGROUND = os.path.join(SOURCE, "playground")
FOLDER = os.path.join(BUILD, "playground-packages")


def module():
    """path of the module; skips where its compiler is not installed"""
    path = os.path.join(BUILD, "wasm", "carom.wasm")
    if not os.path.exists(path):
        browser.skip("the module was not built; tools/setup playground installs its compiler")
    return path


def packages():
    """build/playground-packages with the page's sources and node_modules"""
    return browser.packages(PLAYGROUND, FOLDER, ("page", "test"))


def script(name):
    """playground/test/NAME.ts as a file for Node.js"""
    folder = packages()
    done = os.path.abspath(name + ".mjs")
    subprocess.run([os.path.join(folder, "node_modules", ".bin", "esbuild"), f"test/{name}.ts", "--bundle", "--platform=browser",
                    "--external:node:*", "--format=esm", f"--outfile={done}", "--log-level=warning"], cwd=folder, check=True)
    return done


def hashes(scenes):
    """hash of all numbers that runs of these scenes record, in the module"""
    done = subprocess.run(["node", script("hashes"), module(), SOURCE, *scenes], stdout=subprocess.PIPE, text=True, check=True)
    return dict(line.split(None, 1) for line in done.stdout.splitlines())
