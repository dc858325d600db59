"""Pages of what nobody should write: markup and scripts in titles, scenes and file names, numbers that are none, empty
runs, damaged files, results of studies. Nothing runs, nothing breaks, and what is wrong is said."""
import os
import shutil
import subprocess
import sys

import h5py
import numpy

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402

browser.packages()
browser.chromium()
for left in os.listdir("."):
    os.path.isdir(left) or os.remove(left)

MARKUP = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'><b id=bold>b</b>"
HEAD = "units: none\nbodies: [chain: {count: 4}]\nstart: [{body: 1, velocity: 1}]\n"


def run(name, text, *more):
    with open(name + ".yaml", "w", encoding="utf-8") as file:
        file.write(text)
    browser.carom("run", name + ".yaml", "-o", name + ".h5", "-q", *more)


run("hostile", 'title: "%s"\n# %s\n' % (MARKUP, MARKUP) + HEAD + "run: {until: 5}\nrecord: {every: 0.1, probes: [u, v, contact_force]}\n")
shutil.copy("hostile.h5", "<img src=x onerror=hacked=3>.h5")
run("numbers", HEAD + "run: {until: 5}\nrecord: {every: 0.1, probes: [u, v, contact_force, gap]}\n")
with h5py.File("numbers.h5", "r+") as file:
    del file["parameters/checksums"]  # what follows no longer answers to them
    for path in ("particles/beads/displacement", "particles/beads/velocity", "observables/contacts/force"):
        file[path]["value"][3:6, 1] = numpy.nan, numpy.inf, -numpy.inf
        file[path]["value"][7, 2] = 1e308
    file["observables/ledger/kinetic/value"][:] = numpy.nan
for name, gravity, ends in (("discs", "[0, -1]", ""), ("spheres", "[0, 0, -1]", ", 0.5")):
    run(name, "units: none\ngravity: %s\nbodies:\n  - lattice: {kind: %s, count: [2, 2%s], radius: 0.5, mass: 1, at: [0, 0.5%s]}\n"
        "  - plane: {at: [0, 0%s], normal: [0, %s]}\ncontacts: {law: hertz, k: 100}\nrun: {until: 1, scheme: verlet}\nrecord: {every: 0.1}\n"
        % (gravity, "sc" if ends else "square", ", 2" if ends else "", ends, ", 0" if ends else "", "0, 1" if ends else "1"))
    with h5py.File(name + ".h5", "r+") as file:
        del file["parameters/checksums"]
        for path in ("position", "displacement", "velocity", "rotation"):
            file["particles/bodies"][path]["value"][2:5, 1] = numpy.nan
            file["particles/bodies"][path]["value"][5, 2] = 1e308
        contacts = file["observables/contacts/list"]
        contacts["force"][-3:] = [[numpy.nan] * contacts["force"].shape[1]] * 2 + [[numpy.inf] * contacts["force"].shape[1]]
        contacts["pair"][-5:, 1] = [0, 4000000000, 10**12, 77, 1]
run("one", HEAD + "run: {until: 1}\nrecord: {every: 5}\n")
shutil.copy("one.h5", "none.h5")
with h5py.File("none.h5", "r+") as file:
    del file["parameters/checksums"]
    def cut(_, item):
        if isinstance(item, h5py.Dataset) and item.maxshape and item.maxshape[0] is None:
            item.resize(0, axis=0)
    file["particles"].visititems(cut)
    file["observables"].visititems(cut)
with open("hostile.h5", "rb") as file, open("damaged.h5", "wb") as to:
    to.write(file.read()[:4000])
with open("table.csv", "w", encoding="utf-8") as file:
    file.write("step,error_u,error_v\n" + "".join("%g,%g,%g\n" % (h, h**2, 3 * h) for h in (0.1, 0.03, 0.01, 0.003)))
with open("hostile.csv", "w", encoding="utf-8") as file:
    file.write('%s,"a ""b"""\n1,2\n3,nan\n' % MARKUP.replace(",", ""))
with open("verdicts.txt", "w", encoding="utf-8") as file:
    file.write("james2020: a paper\n\nrow published measured allowed\nfirst 0.1 0.1 1e-5 PASS\nsecond 0.1 0.2 1e-5 FAIL\n"
               "plane-gl-reg-closed 1 2 0.1 NOT-REPRODUCED\n\njames2021: another paper\n\nT2-steps-1e-4 1 1 0.1 PASS\nfig-2-cn-order 2 2 0.1 PASS\n")
with open("words.txt", "w", encoding="utf-8") as file:
    file.write(MARKUP)
browser.carom("sweep", os.path.join(browser.SOURCE, "scenes", "dimer.yaml"), "--over", "contacts.gamma=0:0.1:12", "--over",
              "bodies.1.chain.pattern.2.mass=0.2:1:10", "--set", "run.until=5", "-o", "sweep.h5", "-q")

browser.carom("compare", "numbers.yaml", "--theories", "compliant,nonsmooth", "--no-timing", "-o", "compare.h5", "-q")
with open("solid.yaml", "w", encoding="utf-8") as file:
    file.write("""theory: solid
bodies:
  - solid: {box: {size: [1, 0.2], cells: [5, 2]}, material: steel, clamps: [{face: left}], sensors: {tip: [1, 0.1], half: [0.5, 0.1]}}
start: [{face: right, velocity: [0, 1]}]
run: {until: 1 ms}
record: {every: 50 us}
""")
browser.carom("compare", "solid.yaml", "--schemes", "rattle,dp5", "--no-timing", "-o", "solid.h5", "-q")
browser.carom("compare", os.path.join(browser.SOURCE, "scenes", "bodies", "rod-blow.yaml"), "--theories", "nonsmooth,nonsmooth:event", "--no-timing", "-o", "boxes.h5", "-q")
browser.carom("compare", os.path.join(browser.SOURCE, "scenes", "mechanisms", "slider-crank.yaml"), "--schemes", "event,mannshardt", "--no-timing",
              "--set", "run.until=0.02", "-o", "crank.h5", "-q")
browser.carom("fit", os.path.join(browser.SOURCE, "scenes", "four-balls.yaml"), "--to", os.path.join(browser.SOURCE, "scenes", "four-balls.csv"),
              "--free", "start.1.velocity,time_shift=80us:130us", "-o", "fit.h5", "-q")

files = ["hostile.h5", "<img src=x onerror=hacked=3>.h5", "numbers.h5", "one.h5", "none.h5", "damaged.h5", "table.csv", "hostile.csv",
         "verdicts.txt", "words.txt", "sweep.h5", "compare.h5", "solid.h5", "boxes.h5", "crank.h5", "fit.h5", "discs.h5", "spheres.h5"]
done = subprocess.run([browser.CAROM, "report", *files, "-o", "page.html", "--title", MARKUP], capture_output=True, text=True)
if done.returncode != 6:
    sys.exit("the damaged file should be told: " + done.stderr)
# a page whose numbers were cut off says so
with open("page.html", encoding="utf-8") as file:
    text = file.read()
with open("cut.html", "w", encoding="utf-8") as file:
    file.write(text.replace('id="blob-5">', 'id="blob-5">AAAA', 1))
with open("nodata.html", "w", encoding="utf-8") as file:
    file.write(text.replace('id="data">{', 'id="data">{{', 1))
sys.exit(browser.run("hostile.mjs", {"page": os.path.abspath("page.html"), "files": files, "markup": MARKUP,
                                     "cut": os.path.abspath("cut.html"), "nodata": os.path.abspath("nodata.html")}))
