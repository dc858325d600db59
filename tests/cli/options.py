"""Options as hurried people write them, for every command in a table: what is wrong is told in one sentence with its code,
what is rare works. Scenes with units and without, of every theory, are run once and looked at in many ways."""
import os
import shutil
import subprocess

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
SCENES = {
    "chain": "bodies: [chain: {count: 6, radius: 5 mm, material: steel}, wall: {side: right, material: steel}]\nprecompression: 5 N\n"
             "start: [{body: 1, velocity: 0.1}]\nrun: {until: 60 us}\nrecord: {every: 1 us}\nsensors: [{name: s, body: 3, bandwidth: 1e5}]\n",
    "plain": "units: none\nbodies: [chain: {count: 5}]\ncontacts: {law: hertz}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 6, tol: 1e-5}\n"
             "record: {every: 0.2}\n",
    "lzb": "units: none\ntheory: lzb\nbodies: [chain: {count: 3}]\ncontacts: {law: rigid, e: 0.8}\nstart: [{body: 1, velocity: 1}]\n"
           "run: {until: 1, impact: lzb-impulse, dP: 1e-2}\nrecord: {every: 0.1}\n",
    "crystal": "units: none\nbodies:\n  - lattice: {kind: hexagonal, count: [4, 4], radius: 0.5, mass: 1, at: [0, 0.5]}\n"
               "  - plane: {at: [0, 0], normal: [0, 1]}\ncontacts: {law: kuwabara-kono, k: 1000, gamma: 0.01}\n"
               "start: [{body: 13, velocity: [0, -1]}]\nrun: {until: 0.5, scheme: verlet}\nrecord: {every: 0.05, probes: [position, v, contacts, stress]}\n",
    "balls": "units: none\nbodies:\n  - box: {at: [0, 0, 0], size: [6, 6, 6], inside: true}\n  - sphere: {at: [0, 0, -2.3], radius: 0.5, mass: 1}\n"
             "  - capsule: {at: [0, 0, 0.6], axis: [1, 0, 0], length: 1, radius: 0.3, mass: 1, velocity: [0, 0, -1]}\ntheory: nonsmooth\ngravity: [0, 0, -1]\n"
             "contacts: {law: rigid, e: 0.5, mu: 0.3}\nrun: {until: 1, scheme: moreau-jean, step: 0.01}\nrecord: {every: 0.1, probes: [position, rotation, v, contacts]}\n",
    "linked": "units: none\ntheory: nonsmooth\ngravity: [0, -10]\nbodies:\n  - box: {at: [0.5, 0], size: [1, 0.2], mass: 1}\n"
              "  - polygon: {sides: 5, radius: 0.3, at: [1.3, 0], mass: 1}\njoints:\n  - hinge: {bodies: [1, world], at: [0, 0]}\n"
              "  - weld: {bodies: [2, 1], at: [1, 0]}\ncontacts: {law: rigid, e: 0.3}\nrun: {until: 0.2, scheme: moreau-jean, step: 0.01}\nrecord: {every: 0.05}\n",
    "plate": "units: none\ntheory: solid\nbodies: [solid: {box: {size: [4, 2], cells: [4, 2]}, material: {young: 1, poisson: 0.2, density: 1}}]\n"
             "start: [{velocity: [0, 0.1]}]\nrun: {until: 1}\nrecord: {every: 0.2}\n",
    "grains": "theory: solid\nbodies: [solid: {voronoi: {box: {size: [0.1, 0.1, 0.05]}, cells: 8, relax: 2}, accept_skew: true, material: steel}]\n"
              "start: [{velocity: [0, 0.1, 0]}]\nrun: {until: 1 us}\nrecord: {every: 0.5 us, probes: [u, v, rotation, stress]}\n",
    "bars": "theory: solid\nbodies:\n  - solid: {name: a, box: {size: [0.1, 0.02], cells: [4, 1]}, depth: 0.01, material: steel}\n"
            "  - solid: {name: b, box: {size: [0.1, 0.02], cells: [4, 1], origin: [0.1001, 0]}, depth: 0.01, material: steel}\n"
            "contacts: {law: linear-dashpot}\nstart: [{body: a, velocity: [20, 0]}]\nrun: {until: 20 us}\nrecord: {every: 2 us}\n",
}
# arguments (names of scenes and of their runs are completed), exit code, what the sentence has in it
WRONG = [
    ("dispersion chain.yaml --points 0", 2, "--points 0"), ("dispersion chain.yaml --cell 0", 2, "--cell 0"), ("dispersion chain.yaml --count x", 2, "--count x"),
    ("dispersion chain.yaml --along x", 2, "--along is for solids"), ("dispersion chain.yaml --shapes s.csv", 2, "--shapes is for solids"),
    ("dispersion chain.yaml --count 3", 2, "--count is for solids"), ("dispersion chain.yaml --prestress", 2, "--prestress is for solids"),
    ("dispersion chain.yaml --force 1", 2, "--force is for crystals"), ("dispersion crystal.yaml --force 1N", 2, "units: none"),
    ("dispersion crystal.yaml --force -1", 2, "above 0"), ("dispersion crystal.yaml --force 1mm", 2, "--force"), ("dispersion crystal.yaml --cell 2", 2, "--cell is for chains"),
    ("dispersion crystal.yaml --along x", 2, "this is a crystal"), ("dispersion plate.yaml --cell 2", 2, "this is a solid"),
    ("dispersion plate.yaml --along z", 2, "--along z"), ("dispersion plate.yaml --along xx", 2, "--along xx"), ("dispersion plate.yaml --along 0,0", 2, "--along 0,0"),
    ("dispersion plate.yaml --along 1,x", 2, "1,0.5"), ("dispersion plate.yaml --along 1,2,3", 2, "1,0.5"), ("dispersion bars.yaml", 4, "one"),
    ("dispersion chain.yaml --csv nowhere/c.csv", 6, "nowhere"), ("dispersion chain.yaml --modes nowhere/c.csv", 6, "nowhere"),
    ("dispersion plate.yaml --shapes nowhere/c.csv", 6, "nowhere"), ("dispersion crystal.yaml", 4, "sonic vacuum"), ("dispersion crystal.yaml --force 1 --csv nowhere/c.csv", 6, "nowhere"),
    ("dispersion plate.yaml --csv nowhere/c.csv", 6, "nowhere"), ("dispersion chain.yaml --csv chain.yaml", 6, "chain.yaml"),
    ("converge plain.yaml --steps 1,2", 4, "has no step"), ("converge plain.yaml --scheme verlet --steps 1s:2s:2", 2, "unit"), ("converge plain.yaml --tols 1mm:2mm:2", 2, "pure numbers"), ("converge plain.yaml --tols 0,1", 2, "0"),
    ("converge plain.yaml --scheme verlet --steps 1000,2000", 2, "1000"), ("converge plain.yaml --tols 1:1e-9:5000", 2, "5000"), ("converge plain.yaml --time-scale 1", 2, "--time-scale"),
    ("converge plain.yaml --norm hausdorff --time-scale x", 2, "--time-scale x"), ("converge plain.yaml --reference-tol 0", 2, "--reference-tol 0"),
    ("converge plain.yaml --envelope 0", 2, "--envelope 0"), ("converge plain.yaml --norm max", 2, "max"), ("converge plain.yaml --scheme dp6", 4, "'dp5'?"),
    ("converge plain.yaml --steps 1,2 --tols 1,2", 2, "--"), ("converge plain.yaml --dPs 1,2", 4, "--dPs"), ("converge lzb.yaml --dPs 1mm,2mm", 2, "unit"),
    ("converge plain.yaml --reference chain.yaml --gamma-follows-step 1", 2, "one run file"), ("converge plain.yaml --reference none.h5", 6, "none.h5"),
    ("converge plain.yaml --tols 1e-3,1e-4 --csv nowhere/c.csv", 6, "nowhere"),
    ("export crystal.h5 --csv --kernel lucy", 2, "--kernel"), ("export crystal.h5 --csv --width 1", 2, "--width"), ("export crystal.h5 --csv --cell 1", 2, "--cell"),
    ("export crystal.h5 --fields --csv --kernel box", 2, "box"), ("export crystal.h5 --fields --csv --width 0", 2, "--width"), ("export crystal.h5 --fields --csv --width 1s", 2, "--width"),
    ("export crystal.h5 --fields --csv --cell -1", 2, "--cell"), ("export crystal.h5 --fields --csv -o nowhere/f.csv", 6, "nowhere"),
    ("export crystal.h5 --fields --vtk -o nowhere/at/f", 6, "nowhere"), ("export chain.h5 --fields --csv", 4, "discs"), ("export chain.h5 --csv --vtk", 2, "--"),
    ("export chain.h5 --events", 2, "--csv"), ("export chain.h5 --csv --events --episodes", 2, "--"), ("export chain.h5 --csv --items nothing", 2, "nothing"),
    ("export chain.h5 --csv --contacts", 2, "no list of contacts"), ("export chain.h5 --csv -o nowhere/x.csv", 6, "nowhere"),
    ("export chain.h5 --vtkhdf -o nowhere/x.vtkhdf", 6, "nowhere"), ("export chain.h5", 2, "--csv"), ("export chain.yaml --csv", 6, "chain.yaml"),
    ("lamb --young x", 2, "--young"), ("lamb --poisson 0.5", 3, "cannot be"), ("lamb --density -1", 3, "cannot be"), ("lamb --source-depth x", 2, "--source-depth"), ("lamb --force x", 2, "--force"),
    ("lamb --force-x nan", 2, "--force-x"), ("lamb --frequency 0", 3, "cannot be"), ("lamb --delay x", 2, "--delay"), ("lamb --until 0", 2, "--until 0"), ("lamb --samples 0", 2, "--samples 0"),
    ("lamb --at 1", 2, "--at 1"), ("lamb --at x,1", 2, "--at"), ("lamb --at 1,-1", 2, "--at"), ("lamb --at 1,", 2, "--at"), ("lamb --at 1,2,3", 2, "--at"),
    ("lamb --at 300,0 --samples 2 --csv nowhere/l.csv", 6, "nowhere"),
    ("restitution chain.yaml --from 0", 2, "--from"), ("restitution chain.yaml --points 0", 2, "--points"), ("restitution chain.yaml --e 2", 2, "--e"),
    ("restitution chain.yaml --from 2 --to 1", 2, ""), ("restitution chain.yaml --angles 0:60:3", 2, "--angles"), ("restitution crystal.yaml --angles 0:95:3", 2, ""),
    ("restitution crystal.yaml --speed x", 2, "--speed"), ("restitution crystal.yaml --tol 0", 2, "--tol"), ("restitution chain.yaml --csv nowhere/r.csv", 6, "nowhere"),
    ("restitution plate.yaml", 4, ""),
    ("pulse chain.h5 --contact 99", 2, "99"), ("pulse chain.h5 --contact x", 2, "x"), ("pulse chain.h5 --bead 0", 2, "0"), ("pulse chain.h5 --sensor t", 2, "t"),
    ("pulse chain.h5 --wave 0", 2, "--wave"), ("pulse chain.h5 --least 2", 2, "--least"), ("pulse chain.h5 --foot 0", 2, "--foot"), ("pulse chain.h5 --ratios 1", 2, "--ratios"),
    ("pulse chain.h5 --from 1kg", 2, "--from"), ("pulse chain.h5 --origin 1", 2, "--contact"), ("pulse chain.h5 --csv nowhere/p.csv", 6, "nowhere"),
    ("pulse chain.h5 --beside none.h5", 6, "none.h5"), ("pulse crystal.h5 --origin 99", 2, "99"), ("pulse crystal.h5 --along 0,0", 2, "--along"),
    ("pulse crystal.h5 --along 1", 2, "--along"), ("pulse crystal.h5 --sectors 0", 2, "--sectors"), ("pulse crystal.h5 --threshold 1kg", 2, "--threshold"),
    ("pulse crystal.h5 --colour red --svg p.svg", 2, "red"), ("pulse crystal.h5 --colour speed --no-keep", 2, "--svg FILE"), ("pulse crystal.h5 --svg nowhere/p.svg --no-keep", 6, "nowhere"),
    ("pulse crystal.h5 --directions nowhere/p.csv --no-keep", 6, "nowhere"), ("pulse crystal.h5 --page nowhere/p.html --no-keep", 6, "nowhere"),
    ("pulse crystal.h5 --contact 1", 2, "--along"), ("pulse grains.h5", 4, ""),
    ("solve --generate cube:3 -o g.h5", 2, "cube"), ("solve --generate tower:-1 -o g.h5", 2, "tower:BOXES"), ("solve none.h5", 6, "none.h5"),
    ("solve chain.h5", 3, "not an FCLIB problem"), ("solve p.h5 --tol 0", 2, "--tol"), ("solve p.h5 --most 0", 2, "--most"), ("solve p.h5 --solver lemke2", 2, "lemke2"),
    ("report -", 2, "'carom run - -o RUN.h5'"), ("sweep chain.yaml", 2, "--over"), ("sweep chain.yaml --over nothing=1,2", 3, "nothing"), ("sweep lzb.yaml --over ee=0.1,0.2", 3, "unknown key 'ee', did you mean 'e'?"), ("sweep chain.yaml --over velocity", 2, "velocity"),
    ("sweep chain.yaml --over velocity=1:2:0", 2, "velocity"), ("sweep chain.yaml --over velocity=0:1:3 --log", 2, ""), ("sweep chain.yaml --over velocity=1,2 --outputs luck", 2, "luck"),
    ("sweep chain.yaml --over velocity=1,2 --part 3/2", 2, "from 1 to 2"), ("sweep chain.yaml --over velocity=1,2 --part x", 2, "x"),
    ("sweep chain.yaml --over velocity=1,2 --reference-tol 0", 2, "--reference-tol"), ("sweep chain.yaml --over velocity=1,2 --threads 0", 2, "--threads"),
    ("sweep chain.yaml --over velocity=1,2 -o nowhere/s.h5", 6, "nowhere"), ("gather none.h5 -o g.h5", 6, "none.h5"), ("gather chain.h5 -o g.h5", 3, "chain.h5"),
    ("compare chain.yaml --theories compliant,luck", 2, "luck"), ("compare chain.yaml --rows 0 --theories compliant,nonsmooth", 2, "--rows"),
    ("compare chain.h5 plate.h5", 3, "the same"), ("compare chain.h5 none.h5", 6, "none.h5"), ("compare chain.yaml --schemes dp6", 4, "dp6"),
    ("compare chain.yaml --theories compliant --time-scale 0", 2, "--time-scale"), ("compare plain.yaml --theories compliant,nonsmooth -o nowhere/c.h5 --no-timing", 6, "nowhere"),
    ("fit chain.yaml", 2, "--to"), ("fit chain.yaml --to none.csv --free velocity", 6, "none.csv"), ("fit chain.yaml --to d.csv", 2, "--free"),
    ("fit chain.yaml --to d.csv --free nothing", 3, "nothing"), ("fit chain.yaml --to d.csv --free velocity --method luck", 2, "luck"),
    ("fit chain.yaml --to d.csv --free velocity --method global", 2, ""), ("fit chain.yaml --to d.csv --free velocity --most 0", 2, "--most"),
    ("fit chain.yaml --to d.csv --free velocity --threads 0", 2, "--threads"), ("fit chain.yaml --to d.csv --free velocity=2:1", 2, ""),
    ("fit chain.yaml --to d.csv --free velocity --csv chain.yaml", 6, "chain.yaml"),
    ("verify nobody2020 --papers PAPERS", 2, "nobody2020"), ("verify chung2011 --papers nowhere", 6, "nowhere"), ("verify chung2011 --row nothing --papers PAPERS", 2, "nothing"), ("verify --threads 0", 2, "--threads"),
    ("gallery --scenes nowhere --papers PAPERS --no-verify -o g -q", 3, "nowhere"), ("gallery --papers PAPERS --only nothing-has-this -o nowhere/at/g -q", 6, "nowhere"),
    ("report none.h5", 6, "none.h5"), ("report chain.h5 -o nowhere/p.html", 6, "nowhere"), ("report chain.h5 -o chain.yaml", 6, "chain.yaml"),
    ("resume chain.h5 --until x", 3, "--until x: 'x' is not"), ("resume chain.h5 --until null", 2, "must be a time"), ("resume chain.h5 --until 1kg", 3, "expected a time"), ("repair none.h5", 6, "none.h5"), ("show chain.yaml", 6, "chain.yaml"),
    ("bench --only luck", 2, "luck"), ("bench --repeats 0", 2, "--repeats"), ("bench --row x", 2, "--device"), ("list parts laws", 2, ""), ("run chain.yaml --csv nowhere/x.csv -o x.h5", 6, "nowhere"),
    ("run none.h5 -o y.h5", 6, "none.h5"), ("run chain.yaml -o chain.yaml", 2, "overwrite the scene"), ("run plain.yaml --fclib p -o y.h5", 4, "--fclib"), ("run linked.yaml --fclib nowhere/p -o y.h5", 6, "nowhere"),
    ("export grains.h5 --vtkhdf -o grains.vtkhdf", 4, "polyhedra"), ("pulse chain.h5 --beside plain.h5 --no-keep", 4, "wall"),
]
# arguments, what is printed (a word of it; "" where files alone are written)
RIGHT = [
    ("dispersion plain.yaml --set precompression=1", "sound"), ("dispersion crystal.yaml --force 1 --points 3 --csv bands.csv", "branch"), ("dispersion crystal.yaml --force 1 --prestress --modes cm.csv", ""),
    ("dispersion plate.yaml --along 1,0.5 --points 3 --csv waves.csv", "waves"), ("dispersion plate.yaml --shapes shapes.csv --modes m.csv --count 5", "modes"),
    ("dispersion plate.yaml -q --modes m.csv", ""), ("dispersion plate.yaml --prestress --count 4", "modes"), ("dispersion chain.yaml --cell 2 --csv c.csv --modes m2.csv", "band 1"),
    ("converge plain.yaml --tols 1e-3,1e-5 --evaluations --csv t.csv", "tol"), ("converge plain.yaml --tols 1e-3,1e-5 --csv t.csv -q", "tol"),
    ("converge plain.yaml --set run.until=1 --scheme verlet --steps 0.1:0.02:4 --envelope 2 --norm hausdorff --time-scale 1", "step"), ("converge plain.yaml --reference plain.h5 --tols 1e-3,1e-4", "plain.h5"),
    ("converge lzb.yaml --dPs 1e-2,1e-3 --csv dp.csv", "dP"), ("converge lzb.yaml --dPs 1e-2,1e-3 --csv dp.csv", "dP"),
    ('converge plain.yaml --set contacts={"law":"kuwabara-kono","gamma":0.1} --scheme theta --steps 0.1,0.05 --gamma-follows-step 0.1', "gamma"),
    ("export crystal.h5 --fields --csv --kernel gaussian --width 0.5 --cell 1", "time"), ("export crystal.h5 --fields --vtk -o grid", ""), ("export crystal.h5 --fields --csv -o f.csv -q", ""),
    ("export crystal.h5 --csv --contacts", "time"), ("export balls.h5 --vtk -o balls", ""), ("export linked.h5 --vtk -o linked", ""), ("export grains.h5 --vtk -o grains", ""),
    ("export bars.h5 --vtk -o bars", ""), ("export bars.h5 --vtkhdf -o bars.vtkhdf", ""), ("export bars.h5 --csv", "time"),
    ("export plain.h5 --vtkhdf -o plain.vtkhdf", ""), ("export plain.h5 --csv --items v,u", "v_1"), ("export plain.h5 --csv --events", "time"), ("export lzb.h5 --csv --impacts", "time"),
    ("run plain.yaml -o w.h5 --set record.every=1e-10 --set record.to=1e-9", "recorded   11 samples"),
    ("export plain.h5 --csv --episodes", "time"), ("export plain.h5 table.csv --csv", ""),
    ("lamb --at 100,0 --until 0.2 --samples 5 --csv lamb.csv --young 2e10 --poisson 0.3 --density 2000 --source-depth 10 --force 1 --force-x 1 --frequency 10 --delay 0.1", "100"),
    ("lamb --at 100,20 --samples 3 --until 0.1 --csv lamb.csv -q", ""),
    ('restitution plain.yaml --set contacts={"law":"kuwabara-kono","gamma":0.1} --points 2 --e 0.9 --csv r.csv', "e"), ("restitution plain.yaml --from 0.5 --to 1 --points 2", "e"),
    ("restitution crystal.yaml --points 2", "e"), ('restitution crystal.yaml --set contacts={"law":"kuwabara-kono","k":1000,"gamma":0.01,"friction":{"law":"cundall-strack","mu":0.4,"k_t":300}} --angles 0:60:2 --csv o.csv', ""),
    ("pulse chain.h5 --contact 1-3,wall --train --no-keep", "place"), ("pulse chain.h5 --bead 2 --wave largest --csv p.csv --no-keep", "bead"), ("pulse chain.h5 --sensor s --no-keep", "s"),
    ("pulse chain.h5 --extrapolate --rest 5 --no-keep --collapse coll.csv", ""), ("pulse chain.h5 --ratios 2,1,1 --no-keep", ""), ("pulse plain.h5 --from 1 --until 5 --no-keep", "place"),
    ("pulse crystal.h5 --origin 13 --along 0,-1 --sectors 4 --directions dir.csv --svg map.svg --page map.html --csv front.csv", "direction"),
    ("pulse crystal.h5 --origin 1.5,3 --threshold 1e-3 --colour speed --svg map.svg --no-keep", ""),
    ("solve --generate pyramid:3 -o p.h5", ""), ("solve p.h5 --keep --solver newton --tol 1e-6", ""), ("solve p.h5 --cold --solver gauss-seidel --most 1000 -o p2.h5", ""),
    ("sweep chain.yaml --over velocity=0.1:0.2:2 --log --part 1/2 -o s1.h5 --csv s.csv", ""), ("sweep chain.yaml --over velocity=0.1:0.2:2 --log --part 2/2 -o s2.h5 -q", ""),
    ("gather s1.h5 s2.h5 -o s.h5", ""), ("report s.h5 -o s.html", ""), ("report crystal.h5 balls.h5 linked.h5 grains.h5 bars.h5 -o all.html --title all", ""),
    ("sweep crystal.yaml --over contacts.gamma=0.01,0.02 -o sc.h5", ""), ("compare plain.yaml --theories compliant,nonsmooth --no-timing --rows 2 --csv cmp.csv -o cmp.h5", "compliant"),
    ("compare plain.h5 plain.h5", ""), ("report cmp.h5 -o cmp.html -q", ""),
    ("show lzb.h5", "impacts"), ("show bars.h5", ""), ("show linked.h5", ""), ("show balls.h5", ""), ("show chain.h5 --scene", "chain"), ("show chain.h5 -q", ""), ("resume plain.h5 --until 7", ""),
    *[(f"list {topic}{more}", "\n") for topic in "laws friction schemes impacts parts probes materials keys".split() for more in ("", " --markdown")],
    ("resume chain.h5 --until 70us -q", ""), ("run linked.yaml --fclib problems -o y.h5", ""),
]


def carom(*words):
    arguments = [word.replace("PAPERS", os.path.join(SOURCE, "papers")) for word in words]
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=400)


for left in os.listdir("."):  # of an earlier time
    shutil.rmtree(left) if os.path.isdir(left) else os.remove(left)
for name, text in SCENES.items():
    with open(name + ".yaml", "w") as file:
        file.write(text)
    for words in (["check", name + ".yaml"], ["run", name + ".yaml"]):
        done = carom(*words)
        check(done.returncode == 0 and done.stdout, words, done)
with open("d.csv", "w") as file:
    file.write("time (us),v_6 (m/s),sigma\n10,0.01,0.001\n50,0.09,0.001\n")
for line, code, said in WRONG:
    done = carom(*line.split())
    check(done.returncode == code and said in done.stderr, line, "exit", done.returncode, "said", done.stderr, "expected", code, said)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, line, "is told in one sentence:", done.stderr)
for line, said in RIGHT:
    done = carom(*line.split())
    check(done.returncode == 0 and said in done.stdout, line, "exit", done.returncode, "said", done.stderr, "printed", done.stdout[:300])
# tables go to the standard output, and nothing else does
for words in ("restitution plain.yaml --points 2", "restitution crystal.yaml --points 2", "converge plain.yaml --tols 1e-3,1e-5",
              "converge lzb.yaml --dPs 1e-2,1e-3", "dispersion chain.yaml --cell 2", "lamb --at 100,20 --samples 3 --until 0.1",
              "pulse chain.h5 --contact 1-3 --no-keep", "compare plain.yaml --theories compliant,nonsmooth --no-timing"):
    done = carom(*words.split(), "--csv", "out.csv", "-q")
    there = carom(*words.split(), "--csv", "-")
    check(done.returncode == there.returncode == 0 and there.stdout == open("out.csv").read(), words, there.stdout, there.stderr)
    os.remove("out.csv")
end()
