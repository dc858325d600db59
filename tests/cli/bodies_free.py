"""Boxes and cylinders that move freely through the program: the same bits on threads and resumed, on pages and in
exports where they are, and a sentence where they come to another wall."""
import os
import re
import signal
import subprocess
import time

import h5py
import numpy

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*words):
    return subprocess.run([CAROM, *words], capture_output=True, text=True, timeout=120)


def motion(name):
    with h5py.File(name) as file:
        bodies = file["particles/bodies"]
        return [bodies[part + "/value"][()] for part in ("position", "velocity", "rotation", "spin")]


stopped = 0
SCENE = os.path.join(SOURCE, "scenes", "space", "struck-block.yaml")
for scheme, words in {"dp5": ["run.tol=1e-6"], "verlet": ["run.scheme=verlet", "run.step=0.2us"]}.items():
    # samples follow the action: they, too, are the same
    values = [word for setting in ["run.until=12ms", *words] for word in ("--set", setting)]
    scene = f"{scheme}.yaml"
    with open(SCENE) as file, open(scene, "w") as copy:
        copy.write(file.read().replace(", tol: 1e-7", ""))
    whole = carom("run", scene, "-o", "whole.h5", *values)
    check(whole.returncode == 0, scheme, whole.stderr)
    with_threads = carom("run", scene, "-o", "threads.h5", *values, "--threads", "2")
    check(with_threads.returncode == 0, scheme, with_threads.stderr)
    for one, other in zip(motion("whole.h5"), motion("threads.h5")):
        check(numpy.array_equal(one, other), scheme, "threads")
    for pause in (0.15, 0.05):  # wherever the run is by then
        if os.path.exists("half.h5"):
            os.remove("half.h5")
        child = subprocess.Popen([CAROM, "run", scene, "-o", "half.h5", "-q", *values], stderr=subprocess.DEVNULL)
        while not os.path.exists("half.h5") and child.poll() is None:  # busy machines take long to begin
            time.sleep(0.01)
        time.sleep(pause)
        child.send_signal(signal.SIGINT)
        stopped += child.wait() != 0
        check(carom("resume", "half.h5", "-q").returncode == 0, "resume")
        for one, other in zip(motion("whole.h5"), motion("half.h5")):
            check(numpy.array_equal(one, other), scheme, "resumed")
    with h5py.File("whole.h5") as file:
        times = file["particles/bodies/position/time"][()]
    check(len(times) > 250 and min(numpy.diff(times)) < 1e-5, "samples follow the action", len(times))
    turned = motion("whole.h5")[2][-1]
    check(abs(turned[1, 0]) < 0.9999 and abs(turned[2, 0]) < 0.9999, "block and rod have turned", turned)
check(stopped > 0, "no run was stopped before its end")

page = carom("report", "whole.h5", "-o", "page.html")
check(page.returncode == 0, page.stderr)
export = carom("export", "whole.h5", "--vtk", "-o", "vtk")
check(export.returncode == 0, export.stderr)

FALL = """
gravity: [0, -9.81]
bodies:
  - disc: {at: [50 mm, 10 mm], radius: 10 mm, material: steel}
  - plane: {at: [0, 0], normal: [0, 1], material: steel}
  - box: {at: [0, 30 mm], size: [20 mm, 20 mm], material: steel}
contacts: {law: hertz}
run: {until: 0.1 s, scheme: verlet}
"""
with open("fall.yaml", "w") as file:
    file.write(FALL)
fallen = carom("run", "fall.yaml", "-o", "fall.h5")
met = re.search(r"bodies 2 and 3 meet at t = (\S+): boxes and cylinders meet discs and spheres, not yet", fallen.stderr)
check(fallen.returncode != 0 and met is not None and abs(float(met[1]) / (2 * 0.02 / 9.81) ** 0.5 - 1) < 1e-3, fallen)
check("1 disc, 1 box in the plane, mass 2.4" in carom("check", "fall.yaml").stdout, carom("check", "fall.yaml").stdout)
end()
