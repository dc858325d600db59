"""scenes/bodies/blows-in-space.yaml under three meanings of e: the ledger closes, Stronge's creates nothing, each leaves something else; and the same scene
turned about the vertical, where tangents are others, comes to the same energies."""
import math
import os
import re
import subprocess

from checks import check, end, fresh, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
SCENE = SOURCE + "/scenes/bodies/blows-in-space.yaml"
ANGLE = 0.8


def run(scene, blow):
    done = subprocess.run([CAROM, "run", scene, "--set", "run.blow=" + blow, "-o", fresh("blows.h5")], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, scene, blow, done.stderr)
    ledger = {name: float(value) for name, value in re.findall(r"^ +(kinetic|impact|friction|residual) +(\S+)", done.stdout, re.M)}
    check(abs(ledger["residual"]) < 1e-12, blow, ledger)
    check(blow != "stronge" or "CREATED" not in done.stdout, blow, done.stdout)
    return ledger


def turned(match):
    """a vector, turned about the vertical"""
    x, y, z = (float(word) for word in match.group(2).split(","))
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    return "%s[%.17g, %.17g, %.17g]" % (match.group(1), c * x - s * y, s * x + c * y, z)


def turn_after(match):
    """how a body stands, turned about the vertical after that: a product of quaternions"""
    axis, angle = [float(word) for word in match.group(1).split(",")], float(match.group(2))
    size = math.sqrt(sum(x * x for x in axis))
    w, (x, y, z) = math.cos(angle / 2), (math.sin(angle / 2) * a / size for a in axis)
    c, s = math.cos(ANGLE / 2), math.sin(ANGLE / 2)
    product = [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]
    return "turn: {axis: [%.17g, %.17g, %.17g], angle: %.17g}" % (*product[1:], 2 * math.acos(product[0]))


with open(SCENE) as file:
    text = re.sub(r"turn: {axis: \[(.*?)\], angle: (\S+)}", turn_after, re.sub(r"((?:at|velocity|spin): )\[(.*?)\]", turned, file.read()))
with open("turned.yaml", "w") as file:
    file.write(text)
left = set()
for law in "newton", "poisson", "stronge":
    one, other = run(SCENE, law), run("turned.yaml", law)
    left.add(round(one["kinetic"], 2))
    for of in "kinetic", "impact", "friction":
        near(one[of], other[of], 2e-6, law, of)
check(len(left) == 3, "three meanings of e", left)
end(27)
