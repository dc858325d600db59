"""carom gallery: a page for each scene and paper, a start page that links them and nothing else; what fails is told."""
import os
import re
import shutil
import signal
import subprocess
import time

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def gallery(*arguments, code=0):
    done = subprocess.run([CAROM, "gallery", *arguments], capture_output=True, text=True, timeout=110)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    return done


for left in ("site", "scenes", "papers", "other", "bare"):
    shutil.rmtree(left, ignore_errors=True)
os.makedirs("scenes/deeper")
os.makedirs("papers/one")
shutil.copy(os.path.join(SOURCE, "scenes", "two-beads.yaml"), "scenes")
with open("scenes/deeper/odd name <b>.yaml", "w") as file:
    file.write("# Look at: <script>alert(1)</script>\n# and nothing else\ntitle: '<i>odd</i>'\nunits: none\nbodies: [chain: {count: 3}]\n"
               "start: [{body: 1, velocity: 1}]\nrun: {until: 3}\nrecord: {every: 0.1}\n")
with open("papers/one/rows.yaml", "w") as file:
    file.write("title: a paper\nsource: somebody\nrows:\n  - {name: a, place: b, published: 1, allowed: 0.5, reason: c, measure: largest_v,"
               " scene: ../../scenes/two-beads.yaml}\n")

done = gallery("--papers", "papers", "-o", "site")
check(done.stdout.endswith("site/index.html: 3 pages\n"), done.stdout)
with open("site/index.html", encoding="utf-8") as file:
    index = file.read()
links = re.findall(r'href="([^"]*)"', index)
check(sorted(links) == ["deeper-odd%20name%20%3Cb%3E.html", "two-beads.html", "verify-one.html"], links)
check(index.count("<script") == 1 and "<i>odd" not in index and "&lt;i&gt;odd&lt;/i&gt;" in index, "texts are escaped")
check("&lt;script&gt;alert(1)&lt;/script&gt; and nothing else" in index, "what to look at")
check(index.count("<circle") == 5 and "Chains with compliant contacts" in index and "http" not in index.replace("http-equiv", ""), "pictures, and no address elsewhere")
check('id="none" role="status" hidden>No page has all of these words' in index, "a search that finds nothing says so")
left = sorted(os.listdir("site"))
check(left == ["deeper-odd name <b>.html", "index.html", "page.js", "two-beads.html", "verify-one.html"], left)
with open("site/verify-one.html", encoding="utf-8") as file:
    check("1 PASS, 0 FAIL" in file.read(), "verdicts are in the page")

check(os.path.getsize("site/two-beads.html") < 3e5 < os.path.getsize("site/page.js"), "pages share their program")

# discs stand under one heading, whichever scheme has them as a mechanism
shutil.copy(os.path.join(SOURCE, "scenes", "bodies", "cradle-discs.yaml"), "scenes")
gallery("--scenes", "scenes", "-o", "site", "--no-verify", "--only", "cradle-discs")
with open("site/index.html", encoding="utf-8") as file:
    index = file.read()
check("<h2>Bodies in the plane and in space</h2>" in index and index.count("<circle") == 5 and "<polyline" not in index, "a cradle of discs")
os.remove("scenes/cradle-discs.yaml")

# a scene that is wrong costs its card, not the gallery
with open("scenes/wrong.yaml", "w") as file:
    file.write("bodies: [chane: {count: 3}]\n")
done = gallery("--papers", "papers", "-o", "site", "--no-verify", "--keep", code=1)
with open("site/index.html", encoding="utf-8") as file:
    check("did you mean" in file.read(), "the reason is on the card")
check("two-beads.h5" in os.listdir("site"), "run files are kept")
gallery("--papers", "papers", "-o", "bare", "--only", "nothing", code=3)
os.mkdir("other")
with open("other/index.html", "w") as file:
    file.write("mine")
gallery("--papers", "papers", "-o", "other", code=6)
with open("other/index.html") as file:
    check(file.read() == "mine", "another's site stays")
gallery("--papers", "no-such-folder", code=6)

# pictures of every kind of body: two boxes, a disc and a floor of the plane; of space the three sides of a cube that are seen; a plate and its ball
os.makedirs("shapes", exist_ok=True)
BODIES = {"plane": "gravity: [0, -1]\nbodies: [box: {at: [0, 1], size: [1, 1], mass: 1}, box: {at: [3, 1], size: [1, 1], mass: 1}, disc: {at: [6, 1], radius: 0.5, mass: 1},"
                   " plane: {at: [0, 0], normal: [0, 1]}]\ncontacts: {law: rigid, e: 0}\n",
          "space": "gravity: [0, 0, -1]\nbodies: [box: {at: [0, 0, 2], size: [1, 1, 1], mass: 1}, plane: {at: [0, 0, 0], normal: [0, 0, 1]}]\ncontacts: {law: rigid, e: 0}\n",
          "solid": "theory: solid\nbodies: [solid: {box: {size: [4, 4, 1], cells: [2, 2, 1]}, material: {young: 1, poisson: 0.2, density: 1}},"
                   " sphere: {at: [2, 2, 2.1], radius: 1, mass: 0.5, velocity: [0, 0, -1]}]\ncontacts: {law: hertz, k: 1}\n"}
for name, text in BODIES.items():
    rigid = "rigid" in text
    with open(f"shapes/{name}.yaml", "w") as file:
        file.write(f"title: {name}\nunits: none\n{'theory: nonsmooth' if rigid else ''}\n{text}run: {{until: 0.1{', scheme: moreau-jean, step: 0.01' if rigid else ''}}}\n")
# a solid of the plane is filled inside its ten sides
with open("shapes/sheet.yaml", "w") as file:
    file.write("title: sheet\nunits: none\ntheory: solid\nbodies: [solid: {box: {size: [8, 2], cells: [4, 1]}, material: {young: 1, poisson: 0.2, density: 1}}]\n"
               "run: {until: 0.1}\n")
# machines: a rod, its hinge and its wall; two rods, a slider, its guide and the shaft; a block, a spring, a stop and what holds the spring
for name, start in {"pendulum": 0.3, "slider-crank": 0, "oscillator": 1}.items():
    with open(f"shapes/{name}.yaml", "w") as file:
        file.write(f"title: {name}\nunits: none\ntheory: nonsmooth\nbodies: [mechanism: {{kind: {name}{', wall: 0.5' if name == 'pendulum' else ''}}}]\n"
                   f"contacts: {{e: 0.5}}\nstart: [{{body: 1, displacement: {start}}}]\nrun: {{until: 0.1}}\nrecord: {{every: 0.01}}\n")
with open("shapes/unseen.yaml", "w") as file: # places that were not recorded: a curve of what was
    file.write("title: unseen\nunits: none\ntheory: nonsmooth\nbodies: [mechanism: {kind: ball}]\ncontacts: {e: 0.5}\nstart: [{body: 1, displacement: 1}]\n"
               "run: {until: 0.1}\nrecord: {every: 0.01, probes: [v]}\n")
# a chain too long for a card is shown where it moves, at its end with the wall; a wall too far away is not
with open("shapes/long.yaml", "w") as file:
    file.write("title: long\nunits: none\nbodies: [wall: {side: left, gap: 5000}, chain: {count: 900}, wall: {side: right}]\ncontacts: {law: hertz, k: 1}\n"
               "start: [{body: 900, velocity: -1}]\nrun: {until: 1}\nrecord: {every: 0.1}\n")
gallery("--scenes", "shapes", "--papers", "papers", "--no-verify", "-o", "shown", "-q")
with open("shown/index.html", encoding="utf-8") as file:
    cards = {re.search("<h3>(.*?)</h3>", card)[1]: card for card in file.read().split('class="card"')[1:]}
drawn = {name: (card.count("<polygon"), card.count("<circle"), card.count("<polyline")) for name, card in cards.items()}
check(drawn == {"plane": (3, 1, 0), "space": (3, 0, 0), "solid": (4 + 2 + 2, 1, 0), "pendulum": (3, 1, 0), "slider-crank": (6, 0, 0),
                "oscillator": (4, 0, 0), "long": (1, 400, 0), "sheet": (1 + 10, 0, 0), "unseen": (0, 0, 1)}, drawn)
inside = [tuple(map(float, point.split(","))) for point in re.search('points="([^"]*)" class="bare"', cards["sheet"])[1].split()]
area = 0.5 * sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(inside, inside[1:] + inside[:1]))
wide, tall = (max(p[k] for p in inside) - min(p[k] for p in inside) for k in (0, 1))
check(abs(abs(area) - wide * tall) < 1e-6 * wide * tall and abs(wide - 4 * tall) < 0.5, "the inside of a sheet", area, wide, tall)

# a gallery that is stopped or killed takes its child with it; one that is stopped tidies up
os.makedirs("endless", exist_ok=True)
with open("endless/endless.yaml", "w") as file:
    file.write("units: none\nbodies: [chain: {count: 60}]\nstart: [{body: 1, velocity: 1}]\n"
               "run: {until: 4e6, scheme: verlet, step: 0.002, threads: 1}\nrecord: {every: 1e5}\n")


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def wait(what):
    last = time.monotonic() + 60
    while not what() and time.monotonic() < last:
        time.sleep(0.02)
    return what()


for number, code in ((signal.SIGTERM, 8), (signal.SIGINT, 8), (signal.SIGKILL, -9)):
    shutil.rmtree("halted", ignore_errors=True)
    process = subprocess.Popen([CAROM, "gallery", "--scenes", "endless", "--papers", "papers", "-o", "halted"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    check(wait(lambda: os.path.exists("halted/endless.h5")), "the run begins")
    child = children(process.pid)
    process.send_signal(number)
    said = process.communicate(timeout=60)[1]
    check(process.returncode == code, number, process.returncode, said)
    check(len(child) == 1 and wait(lambda: not alive(child[0])), number, "leaves a child", child)
    if code > 0:
        check(sorted(os.listdir("halted")) == ["index.html", "page.js"] and "stopped after 0 pages" in said, os.listdir("halted"), said)

end()
