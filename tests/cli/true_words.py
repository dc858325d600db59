"""What check, run and show say of a scene is so: how fast bodies get that only fall, and whether errors grow."""
import json
import os
import re
import subprocess

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments):
    done = subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, arguments, done.stderr)
    return done.stdout


def checked(scene):
    with open("words.yaml", "w") as file:
        file.write(scene)
    return carom("check", "words.yaml")


def speed(scene):
    found = re.search(r"scales +V = (\S+)", checked(scene))
    return float(found.group(1)) if found else 0.0


# errors that hardly grow are not said to grow so fast that no tol can be kept, by run or show
collision = os.path.join(SOURCE, "scenes", "one-collision.yaml")
for command in (("run", collision, "-o", "words.h5"), ("show", "words.h5")):
    check("no tol can be kept" not in carom(*command), command, "of one collision")

# with nothing below them bodies fall until the end of the run, and do not close on each other with that speed
row = "bodies: [chain: {count: 2, radius: 1 cm, material: steel%s}]\ngravity: -9.81\nrun: {until: 1 s}\n"
rigid = "theory: nonsmooth\ncontacts: {e: 0.5}\n"
spheres = "bodies: [sphere: {at: [0, 0, 1 cm], radius: 1 cm, material: steel}, sphere: {at: [0, 0, 9 cm], radius: 1 cm, material: steel}%s]\n" \
          "contacts: {law: hertz}\ngravity: [0, 0, -9.81]\nrun: {until: 1 s}\n"
for scene in (row % "", rigid + row % "", spheres % ""):
    check(speed(scene) == 9.81 and "note" not in checked(scene), scene, checked(scene))
check(speed((row % "").replace("-9.81", "9.81")) == 9.81, "to the right")
floor = (row % "").replace("bodies: [", "bodies: [wall: {side: left, material: steel}, ")
check(0 < speed(floor) < 0.01 and "nothing moves" in checked(rigid + floor), "beads that rest on a wall")
check(speed(spheres % ", plane: {at: [0, 0, 0], normal: [0, 0, 1], material: steel}") == 1.40071, "spheres above a floor")
check("overlap" not in checked("bodies: [chain: {count: 1, radius: 1 cm, material: steel, string: 10 cm}]\nstrings: {gravity: 9.81}\n"
                               "start: [{body: 1, angle: -30 deg}]\nrun: {until: 1 s}\n"), "a bead that touches nothing")

# a ball on a rope of 3 m falls 3 m
rope = "theory: nonsmooth\nbodies: [disc: {at: [3, 0], radius: 0.1, mass: 1}]\njoints: [distance: {bodies: [1, world], at: [3, 0], to: [0, 0]}]\n" \
       "gravity: [0, -9.81]\ncontacts: {law: rigid, e: 0}\nrun: {until: 2, step: 0.001, scheme: moreau-jean}\n"
check(abs(speed(rope) / (2 * 9.81 * 3.1) ** 0.5 - 1) < 1e-5, speed(rope))

# what numbers of a run mean that is not what they are called: said by show, on the page and, of forces, by export
def remarks(scene, *more):
    with open("words.yaml", "w") as file:
        file.write(scene)
    ran = carom("run", "words.yaml", "-o", "words.h5", *more)
    carom("report", "words.h5", "-o", "words.html", "-q")
    shown = re.findall(r"^note +(.*)$", carom("show", "words.h5"), re.M)
    with open("words.html") as page:
        found = re.search(r'"remarks":(\[[^]]*\])', page.read()).group(1)
    check(json.loads(found) == shown, found, shown)
    return ran, shown, carom("export", "words.h5", "--csv", "-o", "words.csv")


drop = "theory: nonsmooth\nbodies: [wall: {side: left, gap: 1 cm}, chain: {count: 2, radius: 1 cm, mass: 1}]\ncontacts: {e: 0.5}\n" \
       "gravity: -9.81\nrun: {until: 0.1, %s}\n"
averaged = "forces of contacts are impulses of a step over its length, 0.001 s"
_, shown, written = remarks(drop % "scheme: moreau-jean, step: 1 ms")
check(len(shown) == 1 and averaged in shown[0] and averaged in written, shown, written)
_, shown, written = remarks(drop % "scheme: event")
check(shown == [] and averaged not in written, shown, written)

struck = "bodies: [chain: {count: 2, radius: 1 cm, %s}]\n%sstart: [{body: 1, velocity: 1}]\nrun: {until: %s}\n"
ran, shown, written = remarks(struck % ("material: steel", "", "100 us"))
check(len(shown) == 1 and "contact 1 would yield: its force of" in shown[0] and shown[0] in ran, ran, shown)
check("averaged" not in written and "impulses of a step" not in written, written)
_, shown, _ = remarks(struck % ("mass: 10 g", "contacts: {law: power, p: 1, k: 1000}\n", "10 ms"))
check(len(shown) == 1 and "bodies overlapped by up to 0.00224 m (those of contact 1, from t = 0 s on), 0.22 of the smaller radius" in shown[0], shown)

# balls on solids yield as balls on balls do
ball = "theory: solid\nbodies:\n  - solid: {box: {size: [2 cm, 2 cm, 1 cm], cells: [2, 2, 1]}, material: steel}\n" \
       "  - sphere: {at: [1 cm, 1 cm, 2.01 cm], radius: 1 cm, material: steel, velocity: [0, 0, %s]}\ncontacts: {law: hertz}\nrun: {until: 150 us}\n"
check("contact 1 may yield: steel withstands closing speeds of up to 0.824 m/s" in checked(ball % "-2"), checked(ball % "-2"))
check("yield" not in checked(ball % "-0.5"), checked(ball % "-0.5"))
ran, shown, _ = remarks(ball % "-2")
check(any("contact 1 would yield" in line and line in ran for line in shown), ran, shown)

# what a cradle on strings costs, within a factor of 5
for name in ("cradle-strings", "cradle-classic"):
    scene = os.path.join(SOURCE, "scenes", name + ".yaml")
    told = float(re.search(r"cost +of the order of (\S+) steps", carom("check", scene)).group(1))
    took = float(re.search(r"steps +(\d+)", carom("run", scene, "-o", "words.h5")).group(1))
    check(0.2 < told / took < 5, name, told, took)

# a box that lies on a table touches one body, at two points
with open("words.yaml", "w") as file:
    file.write("theory: nonsmooth\nunits: none\ngravity: [0, -10]\nbodies: [plane: {at: [0, 0], normal: [0, 1]}, box: {at: [0, 0.5], size: [2, 1], mass: 1}]\n"
               "contacts: {law: rigid, e: 0}\nrun: {until: 0.1, scheme: moreau-jean, step: 0.01}\n")
carom("run", "words.yaml", "-o", "words.h5", "-q")
shown = carom("show", "words.h5")
check("coordination  1.0000 contacts of each of 1 body, 0 of which have none" in shown and ": 2 contacts, mean 5, largest 5" in shown, shown)

# what impacts did that their law does not say is kept: the path of a tower's blow is cut, Newton's e with friction creates energy
tower = "units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n" + "".join("  - box: {at: [0, %g], size: [1, 0.5], mass: 1}\n" % (0.35 + 0.5 * i) for i in range(10)) + \
        "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: rigid, e: 0.1}\nrun: {until: 0.3, scheme: moreau-jean, step: 1e-3, blow: stronge}\n"
ran, shown, _ = remarks(tower)
cut = re.search(r"impacts +(of \d+ blows? the path was CUT .*)", ran)
check(cut and cut.group(1) in shown, ran, shown)
rod = "units: none\ntheory: nonsmooth\nbodies:\n  - box: {at: [0, 1], size: [0.1, 1.5], turn: 0.6, mass: 1, velocity: [-2, -2]}\n" \
      "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: rigid, e: 0.9, mu: 1}\nrun: {until: 1, scheme: moreau-jean, step: 2e-3}\n"
ran, shown, _ = remarks(rod)
created = re.search(r"impacts +(CREATED \S+( J)? of energy)", ran)
check(created and "impacts " + created.group(1) in shown, ran, shown)
check("impacts " + created.group(1) in carom("compare", "words.h5", "words.yaml"), "compare")
if os.path.exists("swept.h5"):
    os.remove("swept.h5")
swept = carom("sweep", "words.yaml", "--over", "contacts.mu=0,1", "-o", "swept.h5", "--outputs", "kinetic")
check("note: 1 of 2 runs have a remark, first at mu = 1: impacts " + created.group(1) in swept, swept)
# contacts of one impact hand energy on: what one seems to give another has taken, and nothing is created
jam = "units: none\ntheory: nonsmooth\ngravity: [0, 0, -10]\nbodies:\n  - box: {at: [0, 0, 0.8], size: [1, 1, 0.2], mass: 1e4}\n" \
      "  - sphere: {at: [0.2, 0.1, 0.3], radius: 0.2, mass: 1}\n  - plane: {at: [0, 0, 0], normal: [0, 0, 1]}\n" \
      "contacts: {law: rigid, e: 0.5}\nrun: {until: 0.3, scheme: event, tol: 1e-7, impact: moreau}\n"
ran, shown, _ = remarks(jam)
check("CREATED" not in ran + str(shown), ran, shown)
# small waves about a start that is no equilibrium say so, with the force that is left; of one that is, nothing is said
ROW = "units: none\nbodies: [chain: {count: 5, mass: 1, radius: 0.5, gap: -0.01}%s]\ncontacts: {law: power, k: 100, p: 1}\n%srun: {until: 1}\n"
DISCS = "units: none\nbodies:\n  - disc: {at: [0, 0], radius: 1, mass: 1}\n  - disc: {at: [2, 0], radius: 1, mass: 1}\ncontacts: {law: power, k: 100, p: 1}\nstart: [{body: 2, displacement: [-0.02, 0]}]\nrun: {until: 1}\n"
for scene, said in ((ROW % ("", ""), "a force of 1 on body 1 is balanced by nothing (contacts carry up to 1)"),
                    (ROW.replace(", gap: -0.01", "") % ("", "precompression: 1\n"), None),
                    (DISCS, "a force of 2 on body 1 is balanced by nothing (contacts carry up to 2)")):
    with open("waves.yaml", "w") as file:
        file.write(scene)
    waves = carom("dispersion", "waves.yaml")
    check("no equilibrium" not in waves and "small waves" in waves if said is None else said in waves, scene, waves)
# a unit that was forgotten: 20 m instead of 20 mm; not where there are no units, nor of walls
for size, units, large in (("20", "", True), ("20 mm", "", False), ("20", "units: none\n", False)):
    said = checked(f"{units}bodies: [chain: {{count: 3, diameter: {size}, {'mass: 1' if units else 'material: steel'}}}]\nstart: [{{body: 1, velocity: 1}}]\nrun: {{until: 1e-3}}\n")
    check(("bodies are up to 20 m across: a number without a unit is in metres" in said) == large, size, units, said)
    check("of the order of 0" not in said, said)
with open("apart.yaml", "w") as file: # of several bodies that miss all others
    file.write("units: none\nbodies: [disc: {at: [0, 0], radius: 1, mass: 1, velocity: [-1, 0]}, disc: {at: [3, 2.5], radius: 1, mass: 1, velocity: [1, 0]}]\nrun: {until: 6}\n")
check("nothing is struck: none of the 2 bodies that move has anything in its way" in checked(open("apart.yaml").read()), "apart")
# a ball beside a solid that has not reached it when the run ends: said; one that has: nothing
BESIDE = "theory: solid\nbodies:\n  - solid: {box: {size: [100 mm, 20 mm], cells: [10, 2]}, material: steel, clamps: [{face: left}]}\n" \
         "  - disc: {at: [90 mm, 26 mm], radius: 5 mm, material: steel, velocity: [0, -2]}\ncontacts: {law: hertz}\nrun: {until: %s}\n"
for until, alone in (("0.4 ms", True), ("0.55 ms", False)):
    with open("beside.yaml", "w") as file:
        file.write(BESIDE % until)
    check(("note       nothing has met until t = 0.0004 s" in carom("run", "beside.yaml", "-o", "beside.h5")) == alone, until)
    check(("note       nothing has met until t = 0.0004 s" in carom("show", "beside.h5")) == alone, until, "show")
# so do balls that fly past each other, where events are noted
PASS = "units: none\nbodies: [disc: {at: [0, 0], radius: 1, mass: 1, velocity: [1, 0]}, disc: {at: [%s, 2.5], radius: 1, mass: 1}]\ngravity: [0, -1]\nrun: {until: 6}\nrecord: {events: %s}\n"
for at, events, alone in (("3", "true", True), ("3", "false", False)):
    ran, shown, _ = remarks(PASS % (at, events))
    check(("nothing has met until t = 6: no contact closed in the whole run" in shown) == alone and ("nothing has met" in ran) == alone, ran, shown)
# the step of rigid contacts: where it comes from, and a word where bodies go past each other in it
BOUNCE = "theory: nonsmooth\ngravity: [0, -9.81 m/s^2]\nbodies:\n  - plane: {at: [0, 0], normal: [0, 1]}\n" \
         "  - disc: {radius: 2 cm, mass: 0.1, at: [0, 30 cm]}\ncontacts: {law: rigid, e: 0.5}\nrun: {until: %s, scheme: moreau-jean%s}\n"
check("step       0.0001 s, none is given: until / 10000" in checked(BOUNCE % ("1 s", "")), checked(BOUNCE % ("1 s", "")))
check("none is given: a body of speed V goes U / 40 in it, however long the run" in checked(BOUNCE % ("10 s", "")), checked(BOUNCE % ("10 s", "")))
check("warning    in a step of 0.01 s bodies go 0.63 U at V" in checked(BOUNCE % ("1 s", ", step: 10 ms")), checked(BOUNCE % ("1 s", ", step: 10 ms")))
check("warning" not in checked(BOUNCE % ("1 s", ", step: 1 ms")), "a step that is short enough")
# spheres that are to pull and have not been told how much
DUST = "bodies: [sphere: {at: [0, 0, 0], radius: 1 um, material: glass, velocity: [0.1 m/s, 0, 0]}, sphere: {at: [2.1 um, 0, 0], radius: 1 um, material: glass}]\n" \
       "contacts: {law: dmt%s}\nrun: {until: 1 us}\n"
check("note       law: dmt with w = 0 pulls at nothing, like hertz" in checked(DUST % ""), checked(DUST % ""))
check("pulls at nothing" not in checked(DUST % ", w: 0.05"), "a pull that is given")
# 100 per cent of what, under gravity; and who meets whom, where contacts have numbers
ran, _, _ = remarks(BOUNCE.replace("moreau-jean", "event") % ("1 s", ""))
check("stored counts from the start" in ran, ran)
check("stored counts" not in remarks(struck % ("material: steel", "", "100 us"))[0], "without gravity")
remarks(BOUNCE.replace("moreau-jean", "event").replace("e: 0.5", "e: 0.5, mu: 0.3") % ("1 s", ""))
check("  contact 1: bodies 1 and 2, place 1\n" in carom("show", "words.h5"), carom("show", "words.h5"))
# a tol that is out of reach, one that is not, and runs that are longer: no two sentences of which one denies the other
FALLS = "bodies:\n  - wall: {side: left, material: steel}\n  - chain: {count: 3, diameter: 2 cm, material: steel}\n" \
        "  - striker: {side: right, gap: 10 cm, velocity: 0, diameter: 2 cm, material: steel}\n" \
        "contacts: {law: kuwabara-kono, restitution: {e: 0.9, speed: 1 m/s}}\ngravity: -9.81 m/s^2\nprecompression: 0 N\nrun: {until: 0.2 s}\n"
with open("words.yaml", "w") as file:
    file.write(FALLS)
for said in (carom("run", "words.yaml", "-o", "words.h5"), carom("show", "words.h5")):
    check(re.search(r"growth +errors .* times as large; a run longer than about 0\.\d+ s could keep no tol at all\n", said), said)
    check("beyond t" not in said, said)
# an error that is larger than it was asked to be: the run, the show and the page say so, and until when it is not
ran, shown, _ = remarks(FALLS.replace("until: 0.2 s", "until: 0.3 s"))
stated, kept = re.search(r"error +about (\S+) of the scales.*MORE than tol", ran).group(1), re.search(r"it is kept until about t = (\S+) s;", ran).group(1)
missed = f"the error grows beyond tol: about {stated} of V and U is stated for the end, and 1e-06 was asked for; until about t = {kept} s tol is kept"
check(any(line.startswith(missed) for line in shown), ran, shown)
check(not any("beyond tol" in line for line in remarks(FALLS)[1]), "kept")
# forces between faces are not those of bodies, peak by peak; those of balls are
LANDS = "theory: solid\nbodies:\n  - solid: {name: bar, box: {size: [4 cm, 1 cm], cells: [8, 2], origin: [%s, 0]}, plane: stress, depth: 1 cm, material: steel}\n" \
        "  - plane: {name: wall, at: [0, 0], normal: [1, 0]}\ncontacts: {law: linear-dashpot}\nstart: [{body: bar, velocity: [-5 m/s, 0]}]\nrun: {until: 60 us}\n"
for gap, told in (("0.1 mm", 1), ("1 mm", 0)):
    with open("lands.yaml", "w") as file:
        file.write(LANDS % gap)
    for said in (carom("run", "lands.yaml", "-o", "lands.h5"), carom("show", "lands.h5")):
        check(said.count("note       forces between faces of solids swing about their mean") == told, gap, said)
end()
