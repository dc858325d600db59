"""Makes pages of scenes and says what a browser must find in them: numbers drawn at random from the run files."""
import os
import random
import time

import h5py

import browser


def task_of(scenes, seed=1):
    chosen, pages = random.Random(seed), []
    for scene in scenes:
        name = os.path.splitext(scene)[0].replace("/", "-")
        began = time.monotonic()
        if os.path.exists(name + ".h5"):  # of an earlier version, perhaps
            os.remove(name + ".h5")
        browser.carom("run", os.path.join(browser.SOURCE, "scenes", scene), "-o", name + ".h5", "-q")
        browser.carom("report", name + ".h5", "-o", name + ".html", "-q")
        values = []
        with h5py.File(name + ".h5", "r") as file:
            items = []
            file["particles"].visit(lambda path: items.append("particles/" + path) if path.endswith("/value") else None)
            file["observables"].visit(lambda path: items.append("observables/" + path) if path.endswith("/value") else None)
            for path in items:
                data = file[path][()]
                flat = data.reshape(data.shape[0], -1)
                width = flat.shape[1]
                columns = [chosen.randrange(width) for _ in range(3)] + [0, width - 1] if width else []  # first, last: on every page
                for column in columns:
                    row = chosen.randrange(flat.shape[0])
                    values.append([path[:-6], row, column, flat[row, column]])
            title = file["parameters/title"][()]
        pages.append({"file": os.path.abspath(name + ".html"), "values": values, "title": title.decode(),
                      "seconds": time.monotonic() - began})
    return {"pages": pages}


def page_of(name, text):
    """The page of a scene that a test has written itself."""
    if os.path.exists(name + ".h5"):
        os.remove(name + ".h5")
    with open(name + ".yaml", "w") as file:
        file.write(text)
    browser.carom("run", name + ".yaml", "-o", name + ".h5", "-q")
    browser.carom("report", name + ".h5", "-o", name + ".html", "-q")
    return os.path.abspath(name + ".html")
