"""Input as people write it: every pair of spellings gives the same numbers, tables with units in their heads last as long
as they say, what is assumed is said, and scenes and runs go through pipes."""
import os
import signal
import subprocess
import time

import h5py
import numpy

from checks import check, end

carom = os.environ["CAROM"]


def run(*arguments, given=None, text=True):
    done = subprocess.run([carom, *arguments], capture_output=True, text=text, input=given, timeout=120)
    check(done.returncode == 0, arguments, done.stderr)
    return done.stdout


def velocities(scene, *more):
    with open("scene.yaml", "w") as out:
        out.write(scene)
    run("run", "scene.yaml", "-q", "-o", "scene.h5", *more)
    with h5py.File("scene.h5") as found:
        return found["particles/beads/velocity/value"][:]


def same(one, other, what, allowed=0.0):
    a, b = velocities(one), velocities(other)
    check(a.shape == b.shape and numpy.abs(a - b).max() <= allowed * numpy.abs(a).max(), what, numpy.abs(a - b).max())


CRADLE = """bodies: [chain: {{count: 3, {size}, material: steel, string: 12 cm}}]
strings: {{angle: large}}
start: [{{body: 1, {start}}}]
run: {{until: 20 ms, tol: 1e-4}}
record: {{every: 1 ms}}
"""
same(CRADLE.format(size="diameter: 22 mm", start="angle: -30 deg"),
     CRADLE.format(size="radius: 11 mm", start=f"displacement: {-0.12 * numpy.pi / 6:.17g}"), "diameter and angle", 1e-12)
same(CRADLE.format(size="diameter: [22 mm, 20 mm, 18 mm]", start="velocity: 1"),
     CRADLE.format(size="radius: [11 mm, 10 mm, 9 mm]", start="velocity: 1"), "a list of diameters")

ROW = """bodies: [chain: {{count: 4, radius: 1 cm, material: steel}}]
contacts: {{{law}}}
{rest}
run: {{until: 0.3 ms}}
record: {{every: 10 us}}
"""
STRUCK = "start: [{body: 1, velocity: 1}]"
same(ROW.format(law="law: kuwabara-kono, restitution: 0.9", rest=STRUCK),
     ROW.format(law="law: kuwabara-kono, restitution: {e: 0.9, speed: 1}", rest=STRUCK), "restitution by a number")
check("0.9 is taken to hold for pairs that close with 1 m/s" in run("check", "scene.yaml", "--set", "restitution=0.9"),
      "and what that means is said")
same(ROW.format(law="law: linear-dashpot, k: 1e7, c: 30 N s/m", rest=STRUCK),
     ROW.format(law="law: linear-dashpot, k: 1e7, gamma: 3 us", rest=STRUCK), "a dashpot by c", 1e-9)


def pushed(force):
    return ROW.format(law="law: hertz", rest="loads: [{body: 1, force: " + force + "}]")


same(pushed("{shape: sine, amplitude: 5 N, omega: 20e3 rad/s}"),
     pushed(f"{{shape: sine, amplitude: 5 N, frequency: {20e3 / (2 * numpy.pi):.17g}}}"), "omega", 1e-9)
same(pushed("[{shape: sine, amplitude: 5 N, frequency: 3 kHz, offset: 2 N}, {shape: step, amplitude: 1 N, duration: 50 us}]"),
     pushed("{shape: sine, amplitude: 5 N, frequency: 3 kHz}}, {body: 1, force: 2 N}, {body: 1, force: {shape: step, "
            "amplitude: 1 N, duration: 50 us}"), "sums and offsets")
with open("push.csv", "w") as out:
    out.write("time (us); force [kN]\n0; 0\n50; 0.02\n100; 0\n")
same(pushed("{shape: table, file: push.csv}"), pushed("{shape: table, points: [[0, 0], [50e-6, 20], [100e-6, 0]]}"),
     "units in the head of a table")
velocities(pushed("{file: push.csv}"))
check("20 N at most, 3 points from 0 to 0.0001 s" in run("check", "scene.yaml"), "its duration is told")
os.remove("push.csv")
run("run", "scene.h5", "-q", "-o", "again.h5")

OVERLAP = "units: none\nbodies: [chain: {{count: 3{gap}}}, wall: {{side: right{wall}}}]\n{start}run: {{until: 5, tol: 1e-9}}\n"
same(OVERLAP.format(gap=", gap: -0.1", wall=", gap: -0.05", start=""),
     OVERLAP.format(gap="", wall="", start="start: [{bodies: all, displacement: [0.25, 0.15, 0.05]}]\n"), "overlaps", 1e-9)

with open("scene.yaml") as scene:
    text = scene.read()
check(run("check", "-", given=text).splitlines()[1:] == run("check", "scene.yaml").splitlines()[1:], "a scene from a pipe")
whole = run("run", "-", "-o", "-", "--set", "every=0.1", given=text.encode(), text=False)
with open("piped.h5", "wb") as out:
    out.write(whole)
with h5py.File("piped.h5") as found:
    check(found["particles/beads/velocity/time"].shape == (51,), "a run through a pipe, and every= by itself")
for quiet in [], ["-q"]:
    done = subprocess.run([carom, "run", "scene.yaml", "-o", "-", *quiet], capture_output=True, timeout=120)
    said = done.stderr.decode()
    check(done.returncode == 0 and done.stdout.startswith(b"\x89HDF\r\n") and b"time       " not in done.stdout, "nothing but the file")
    check(said == "" if quiet else "steps      " in said and "\ntime       " in said, "the summary beside a piped run", said)
# Ctrl-C: what there is goes to the standard output, and can be resumed from there
with open("long.yaml", "w") as scene:
    scene.write("units: none\nbodies: [chain: {count: 20, mass: 1}]\ncontacts: {law: hertz, k: 1}\nstart: [{body: 1, velocity: 1}]\n"
                "run: {until: 1e6, scheme: verlet, step: 0.01}\nrecord: {every: 1000}\n")
with open("long.h5", "wb") as out, subprocess.Popen([carom, "run", "long.yaml", "-o", "-", "-q"], stdout=out, stderr=subprocess.PIPE) as going:
    time.sleep(1.0)
    going.send_signal(signal.SIGINT)
    said = going.communicate(timeout=60)[1].decode()
check(going.returncode == 8 and "/tmp/" not in said and "the run so far goes to the standard output" in said, going.returncode, said)
check("carom resume" in run("show", "long.h5"), "a checkpoint")
end()
