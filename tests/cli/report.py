"""carom report without a browser: the numbers in the page are the run file's, large runs are made to fit as the page says,
hostile texts are inert, damaged files are named, other files are not overwritten."""
import os
import re
import shutil
import subprocess
import time

import h5py
import numpy

from checks import check, end, forget_checksums
from page import Page

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments, code=0):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    return done


def scene(text, name, code=0):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    return carom("run", name + ".yaml", "-o", name + ".h5", "-q", code=code)


def same_numbers(page, run, entry=0):
    """Every item that is there whole equals the file to the bit; returns how many were."""
    whole = 0
    with h5py.File(run, "r", swmr=True) as file:
        times = file[page.entries[entry]["items"][0]["path"]]["time"][()]
        check(numpy.array_equal(page.array(page.entries[entry]["time"]["array"]), times), run, "times")
        for item in page.entries[entry]["items"]:
            if "all" not in item:
                continue
            value = file[item["path"]]["value"][()]
            got = page.array(item["all"]).reshape(value.shape)
            check(numpy.array_equal(got, value.astype(got.dtype), equal_nan=True), run, item["path"])
            check(item["unit"] == file[item["path"]]["value"].attrs["unit"].decode(), run, item["path"], "unit")
            whole += 1
        events = page.entries[entry]["events"]
        for name in ("time", "contact", "kind", "impulse", "before", "after"):
            there = "pair" if name == "contact" and page.entries[entry]["listed"] else name
            check(numpy.array_equal(page.array(events[name]), file["events"][there][()][:events["kept"]].ravel()), run, name)
    return whole


def every_kind():
    for name in ("steel-chain", "cradle-strings", "solid-bar", "mechanisms/double-pendulum", "rigid/newtons-cradle"):
        short = os.path.basename(name)
        carom("run", os.path.join(SOURCE, "scenes", name + ".yaml"), "-o", short + ".h5", "-q")
        done = carom("report", short + ".h5")
        check(done.stdout == short + ".html\n", "said", done.stdout)
        page = Page(short + ".html")
        check(same_numbers(page, short + ".h5") > 6, name, "has too few items")
        check(page.entries[0]["shape"].get("kind") in ("beads", "cells", "mechanism"), name, "shape")
        with open(os.path.join(SOURCE, "scenes", name + ".yaml"), encoding="utf-8") as file:
            check(page.entries[0]["scene"] == file.read(), name, "scene")
    carom("run", os.path.join(SOURCE, "scenes", "lzb", "three.yaml"), "-o", "three.h5", "-q")
    carom("report", "three.h5")
    page = Page("three.html")
    same_numbers(page, "three.h5")
    impacts = page.entries[0]["impacts"]
    with h5py.File("three.h5", "r") as file:
        force = file["impacts/force"][()]
    check(impacts["kept"] == len(force) > 0, "forces inside impacts", impacts["kept"], len(force))
    for name in ("impact", "contact", "time", "force"):
        check(numpy.array_equal(page.array(impacts[name]), force[name]), "impacts", name)
    carom("report", "steel-chain.h5", "solid-bar.h5", "-o", "both.html", "--title", "two", "-q")
    both = Page("both.html")
    check(len(both.entries) == 2 and both.data["title"] == "two", "two runs in one page")
    same_numbers(both, "solid-bar.h5", 1)


def same_touches(page, run):
    """Contacts of the samples that pictures show are the file's: all, or the largest forces; returns the page's account."""
    touches = page.entries[0]["touches"]
    first, pair, normal, tangential, point, count, largest = (
        page.array(touches[name]) for name in ("first", "pair", "normal", "tangential", "point", "count", "largest"))
    with h5py.File(run, "r") as file:
        table = {name: file["observables/contacts/list"][name][()] for name in ("first", "count", "pair", "force", "normal", "point")}
    width = table["force"].shape[1]
    for i in range(0, touches["frames"], max(1, touches["frames"] // 7)):
        row = i * touches["tall"]
        lines = slice(int(table["first"][row]), int(table["first"][row] + table["count"][row]))
        size = numpy.linalg.norm(table["force"][lines], axis=1)
        kept = slice(first[i], first[i + 1])
        check(count[i] == len(size) and first[i + 1] - first[i] == min(len(size), touches["most"]), run, "contacts of sample", row)
        check(numpy.isclose(largest[i], max(size, default=0.0), rtol=1e-12), run, "largest force", largest[i])
        got = numpy.hypot(normal[kept], tangential[kept])
        check(numpy.allclose(numpy.sort(got), numpy.sort(size)[len(size) - len(got):], rtol=1e-6, atol=1e-12), run, "forces", row)
        if touches["whole"]:
            along = numpy.sum(table["force"][lines] * table["normal"][lines], axis=1)
            check(numpy.allclose(normal[kept], along, rtol=1e-6, atol=1e-12), run, "normal forces", row)
            check(numpy.array_equal(pair.reshape(-1, 2)[kept], table["pair"][lines]), run, "pairs", row)
            check(numpy.array_equal(point.reshape(-1, width)[kept], table["point"][lines].astype("f4")), run, "points", row)
    return touches


LAYER = ("units: none\ngravity: [0, -1]\ndomain: [[0, 0], [12, 30]]\nperiodic: [x]\nbodies:\n"
         "  - packing: {count: 12, of: disc, radius: 0.8, spread: 0.2, mass: 1, in: [[0, 1], [12, 12]], seed: 1}\n"
         "  - plane: {at: [0, 0], normal: [0, 1]}\n"
         "contacts: {law: kuwabara-kono, k: 1000, gamma: 0.02, friction: {law: cundall-strack, mu: 0.4, k_t: 300}}\n"
         "run: {until: 8, scheme: verlet}\n")


def bodies():
    scene(LAYER + "record: {every: 0.5}\n", "layer")
    carom("report", "layer.h5")
    page = Page("layer.html")
    check(same_numbers(page, "layer.h5") > 9, "bodies have too few items")
    touches, shape = same_touches(page, "layer.h5"), page.entries[0]["shape"]
    check(touches["whole"] and touches["tall"] == 1 and sum(page.array(touches["count"])) > 20, "all contacts", touches)
    with h5py.File("layer.h5", "r") as file:
        group = file["particles/bodies"]
        check(numpy.array_equal(page.array(shape["centre"]).reshape(-1, 2), group["centre"][:, :2]), "centres")
        check(numpy.array_equal(page.array(shape["radius"])[:12], group["radius"][:12]), "radii")
    check([wall["surface"] for wall in shape["walls"]] == ["plane"] and shape["domain"]["periodic"] == [1, 0], "walls and sides", shape)
    for probes in ("[]", "[v]", "[contacts]", "[u, rotation]"):
        scene(LAYER + "record: {every: 2, probes: %s}\n" % probes, "few")
        carom("report", "few.h5")
        check(Page("few.html").entries[0]["shape"]["n"] == 13, probes, "still has its shape")


def crowded():
    """3600 discs x 211 samples, each with thousands of contacts: more than the page takes."""
    scene("units: none\nbodies:\n  - lattice: {kind: hexagonal, count: [60, 60], radius: 0.5, mass: 1, at: [0, 0]}\n"
          "  - disc: {at: [30, -1], radius: 0.5, mass: 1, velocity: [0, 1]}\ncontacts: {law: hertz, k: 100}\n"
          "run: {until: 21, scheme: verlet, step: 0.1}\nrecord: {every: 0.1}\n", "crowded")
    carom("report", "crowded.h5")
    size, page = os.path.getsize("crowded.html"), Page("crowded.html")
    check(size < 20e6, "a page of", size, "bytes")
    touches, item = same_touches(page, "crowded.h5"), page.item("particles/bodies/position")
    check(touches["tall"] == item["frames"]["tall"] > 1, "pictures of places and forces are of the same samples", touches, item)
    check(touches["frames"] >= 100 and not touches["whole"], "the largest forces of many samples", touches)


def hostile():
    title = "</script><script>window.hacked=1</script><img src=x onerror=alert(1)> \u2028 \U0001f600 <!--"
    scene("title: '%s'\n# <script>hacked</script>\nunits: none\nbodies: [chain: {count: 3}]\nstart: [{body: 1, velocity: 1}]\n"
          "run: {until: 3}\nrecord: {every: 0.5}\n" % title, "hostile")
    carom("report", "hostile.h5", "-o", "hostile.html")
    page = Page("hostile.html")
    check(page.entries[0]["title"] == title, "the title comes through", page.entries[0]["title"])
    scripts = re.findall(r"<script(?![^>]*type=)[^>]*>", page.text)
    check(len(scripts) == 1, "scripts", scripts)
    check("<img src=x" not in page.text, "markup of a title is escaped")
    # numbers that are none
    with h5py.File("hostile.h5", "r+") as file:
        forget_checksums(file)
        value = file["particles/beads/velocity/value"]
        value[1, 0], value[2, 1], value[3, 2] = numpy.nan, numpy.inf, -numpy.inf
        del file["parameters/title"]
        file["parameters/title"] = numpy.bytes_(b"bad \xff\xfe bytes")
    carom("report", "hostile.h5", "-o", "hostile.html")
    page = Page("hostile.html")
    check(page.entries[0]["title"] == "bad ?? bytes", "bytes that are no text", page.entries[0]["title"])
    same_numbers(page, "hostile.h5")


def small():
    head = "units: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\n"
    scene(head + "run: {until: 1}\nrecord: {every: 5}\n", "one")
    carom("report", "one.h5")
    check(Page("one.html").entries[0]["rows"] == 1, "one sample")
    shutil.copy("one.h5", "none.h5")
    with h5py.File("none.h5", "r+") as file:
        forget_checksums(file)
        def cut(_, item):
            if isinstance(item, h5py.Dataset) and item.maxshape and item.maxshape[0] is None:
                item.resize(0, axis=0)
        file["particles"].visititems(cut)
        file["observables"].visititems(cut)
    carom("report", "none.h5")
    check(Page("none.html").entries[0]["rows"] == 0, "an empty run")
    scene(head + "run: {until: 1}\nrecord: {every: 0.1, events: false, probes: []}\n", "bare")
    carom("report", "bare.h5")
    check(all(item["extent"] == "run" for item in Page("bare.html").entries[0]["items"]), "only the ledger")


def broken():
    with open("steel-chain.h5", "rb") as file:
        whole = file.read()
    with open("damaged.h5", "wb") as file:
        file.write(whole[:len(whole) // 3])
    with open("words.txt", "w", encoding="utf-8") as file:
        file.write("a,b\n1,2\n3,4\n")
    done = carom("report", "damaged.h5", "-o", "damaged.html", code=6)
    check(not os.path.exists("damaged.html") and done.stderr.count("\n") == 1, "a damaged file alone gives no page", done.stderr)
    carom("report", "damaged.h5", "words.txt", "-o", "mixed.html", code=6)
    page = Page("mixed.html")
    check([entry["type"] for entry in page.entries] == ["broken", "text"], "the rest of the page is there")
    check("damaged.h5" in page.entries[0]["reason"], "the reason is told", page.entries[0])
    carom("report", "nothing-here.h5", code=6)
    carom("report", code=2)
    with open("mine.html", "w", encoding="utf-8") as file:
        file.write("<p>my own page</p>")
    done = carom("report", "one.h5", "-o", "mine.html", code=6)
    with open("mine.html", encoding="utf-8") as file:
        check("mine.html" in done.stderr and file.read() == "<p>my own page</p>", "another's file stays", done.stderr)
    carom("report", "one.h5", "-o", "no/such/folder/page.html", code=6)
    check([name for name in os.listdir(".") if name.endswith(".part")] == [], "nothing half-made is left")


def large():
    """2000 beads x 1001 samples, four items: more than the page takes."""
    scene("units: none\nbodies: [chain: {count: 2000}]\nstart: [{body: 1, velocity: 1}]\n"
          "run: {until: 40, scheme: verlet, step: 0.02}\nrecord: {every: 0.04, probes: [u, v, contact_force, gap]}\n", "large")
    carom("report", "large.h5")
    size = os.path.getsize("large.html")
    check(size < 20e6, "a page of", size, "bytes")
    page = Page("large.html")
    item = page.item("particles/beads/velocity")
    check("all" not in item and "blocks" in item and "series" in item, "is made smaller", list(item))
    with h5py.File("large.h5", "r") as file:
        value = file["particles/beads/velocity/value"][()]
    series = page.array(item["series"]["array"]).reshape(len(item["series"]["columns"]), -1)
    check(item["largest"] == numpy.abs(value).max(), "the largest speed is that of all samples and beads", item["largest"])
    columns = item["series"]["columns"]
    check(columns[0] == 0 and columns[-1] == 1999, "first and last", columns)
    if item["series"]["stretch"] == 1:
        check(numpy.array_equal(series, value[:, columns].T.astype("f4")), "chosen columns are all there")
    blocks = item["blocks"]
    got = page.array(blocks["array"]).reshape(blocks["down"], blocks["across"])
    tall, wide = blocks["tall"], blocks["wide"]
    for r in range(0, blocks["down"], 97):
        for c in range(0, blocks["across"], 131):
            part = value[r * tall:(r + 1) * tall, c * wide:(c + 1) * wide].ravel()
            check(got[r, c] == part[numpy.argmax(numpy.abs(part))].astype("f4"), "block", r, c)


for left in os.listdir("."): # from an earlier call
    os.remove(left)
every_kind()
bodies()
crowded()
hostile()
small()
broken()
large()

# of a page whose writer is killed nothing is left but the page that was there
carom("run", os.path.join(SOURCE, "scenes", "cradle.yaml"), "-o", "killed.h5", "-q")
carom("report", "killed.h5", "-o", "killed.html", "-q")
whole = os.path.getsize("killed.html")
for moment in range(12):
    writer = subprocess.Popen([CAROM, "report", "killed.h5", "-o", "killed.html", "-q"])
    time.sleep(0.01 * moment)
    writer.kill()
    writer.wait()
left = [name for name in os.listdir(".") if name.startswith("killed.html")]
check(left == ["killed.html"] and os.path.getsize("killed.html") == whole, left)

end()
