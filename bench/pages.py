#!/usr/bin/env python3
"""Times pages in chromium: a run of a million samples opens within 2 s, ten thousand bodies move at 30 pictures a second.

Usage: bench/pages.py [BUILD]      (BUILD: build, where `make build` has put carom; packages of npm go there too)"""
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build"))
os.environ.setdefault("SOURCE", ROOT)
os.environ.setdefault("BUILD", BUILD)
os.environ.setdefault("CAROM", os.path.join(BUILD, "carom"))
sys.path.insert(0, os.path.join(ROOT, "tests"))
import json  # noqa: E402
import subprocess  # noqa: E402

import browser  # noqa: E402

SCENES = {
    # a thousand samples of a thousand numbers
    "million": "units: none\nbodies: [chain: {count: 500}]\nstart: [{body: 1, velocity: 1}]\n"
               "run: {until: 300, scheme: verlet, step: 0.05}\nrecord: {every: 0.3, probes: [v, contact_force]}\n",
    "beads": "units: none\nbodies: [chain: {count: 10000}]\nstart: [{body: 1, velocity: 1}]\n"
             "run: {until: 100, scheme: verlet, step: 0.1}\nrecord: {every: 1, probes: [u, v]}\n",
    "cells": "theory: solid\nbodies:\n  - solid:\n      box: {size: [1 m, 1 m], cells: [100, 100]}\n      material: steel\n"
             "      loads: [{near: [0.5, 1], force: [0, -1 MN], signal: {shape: half-sine, duration: 0.1 ms}}]\n"
             "run: {until: 0.2 ms}\nrecord: {every: 4 us, cells: all, probes: [u, rotation]}\n",
}

folder = os.path.join(BUILD, "bench-pages")
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
task = {"packages": browser.packages(), "browser": browser.chromium(), "pages": []}
for name, text in SCENES.items():
    with open(name + ".yaml", "w") as file:
        file.write(text)
    browser.carom("run", name + ".yaml", "-o", name + ".h5", "-q")
    browser.carom("report", name + ".h5", "-q")
    page = os.path.join(folder, name + ".html")
    print("%-16s %.1f MB" % (name + ".html", os.path.getsize(page) / 1e6))
    task["pages"] += [{"file": page, "what": "open", "limit": 2.0}] if name == "million" else \
        [{"file": page, "what": "rate", "limit": 30}]
sys.stdout.flush()
with open("task.json", "w") as file:
    json.dump(task, file)
sys.exit(subprocess.run(["node", os.path.join(ROOT, "bench", "pages.mjs"), "task.json"]).returncode)
