# Wrong scenes end in one sentence that says where it stands, with the right exit code, and write nothing.
# Each file of tests/scenes-wrong opens with what to expect: "# expect STATUS LINE:COLUMN: sentence". conform.sentences
# reads all of them; the program is given a part. Files that no text editor would make (empty, binary, huge) are made here.
import os
import re
import subprocess
from pathlib import Path

from checks import check, end, some

carom = os.environ["CAROM"]
source = Path(os.environ["SOURCE"])


def run(*arguments):
    return subprocess.run([carom, *arguments], capture_output=True, timeout=60)


def expect(name, status, sentence, *arguments, by=("check", "run")):
    """Both check and run refuse with this sentence (a whole one, or its start if it ends in ...), and leave no file."""
    for command in by:
        before = set(os.listdir("."))
        extra = ("-o", "out.h5") if command == "run" else ()
        result = run(command, *arguments, *extra)
        said = result.stderr.decode("utf-8", "replace")
        check(result.returncode == status, f"{name}: {command}: exit code {result.returncode}, expected {status}: {said.strip()}")
        check(not result.stdout, f"{name}: {command}: printed {result.stdout[:80]!r}")
        check(said.count("\n") == 1 and said.endswith("\n"), f"{name}: {command}: not one line: {said!r}")
        wanted = f"carom: {sentence}"
        fits = said.startswith(wanted[:-3]) if wanted.endswith("...") else said == wanted + "\n"
        check(fits, f"{name}: {command}: said {said.strip()!r}, expected {wanted!r}")
        check(set(os.listdir(".")) == before, f"{name}: {command}: left a file")


files = sorted((source / "tests" / "scenes-wrong").glob("*.yaml"))
for path in some(files, 12):
    head = re.match(r"# expect (\d) (.*)\n", path.read_text(encoding="utf-8"))
    if not check(head is not None, f"{path.name}: does not say what to expect"):
        continue
    expect(path.name, int(head[1]), f"{path}:{head[2]}", str(path))


def made(name, data, status, sentence, by=("check", "run")):
    Path(name).write_bytes(data)
    expect(name, status, f"{name}:{sentence}", name, by=by)
    os.remove(name)


# none of these ends in a sentence about the machine
good = b"units: none\nbodies: [chain: {count: 2}]\nrun: {until: 1}\n"
made("empty.yaml", b"", 3, "1:1: there is nothing in it")
made("blank.yaml", b"\n\n  \n", 3, "1:1: there is nothing in it")
made("nul.yaml", good + b"title: a\0b\n", 3, "4:9: there is a NUL byte: this is not a text file")
made("latin.yaml", good + b"title: \xe9t\xe9\n", 3, "4:8: there are bytes that are not UTF-8 text")
made("utf16.yaml", "units: none\n".encode("utf-16"), 3, "1:1: there are bytes that are not UTF-8 text")
made("random.yaml", bytes((i * 167 + 13) % 256 for i in range(5000)), 3, "1:...")
made("deep.yaml", b"[" * 200000, 3, "1:65: nested deeper than 64 levels")
made("deep-map.yaml", b"{a: " * 5000, 3, "1:257: nested deeper than 64 levels")
made("nodes.yaml", b"a: [" + b"1," * 1100000 + b"1]\n", 3, "1:1999999: more than 1000000 keys and values, ...", ("check",))
made("huge.yaml", b"# " + b"x" * (66 << 20), 3, "1:1: the text is longer than 64 MB", ("check",))
made("long-key.yaml", good + b"k" * 100000 + b": 1\n", 3, "4:1: ...")
made("long-value.yaml", good + b"seed: " + b"9" * 100000 + b"\n", 3, "4:7: seed: a number of more than 300 characters")
laughs = b"a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
for i in range(1, 12):
    laughs += b"a%d: &a%d [%s]\n" % (i, i, b", ".join([b"*a%d" % (i - 1)] * 10))
made("laughs.yaml", laughs, 3, "6:46: more than 1000000 keys and values, aliases written out", ("check",))

os.mkdir("folder.yaml")
expect("a folder", 6, "folder.yaml: cannot be read: Is a directory", "folder.yaml")
os.rmdir("folder.yaml")
expect("no file", 6, "none.yaml: cannot be read: No such file or directory", "none.yaml")

# --set names itself, not a line
Path("good.yaml").write_bytes(good)
for option, status, sentence in (
    ("run.untl=1", 3, "unknown key 'untl', did you mean 'until'?"),
    ("count=abc", 3, "count: 'abc' is not a number"),
    ("run.until=", 3, "there is no value"),
    ("run.until=1 s", 3, "until: 1 s carries a unit, but the scene says units: none"),
    ("until", 2, "write key=value, in one line"),
    ("bodies.3.chain.count=1", 3, "bodies is a list of 1 entry, counted from 1"),
    ("theory=lbz", 3, "unknown theory 'lbz', did you mean 'lzb'?"),
):
    expect("--set", status, f"--set {option}: {sentence}", "good.yaml", "--set", option)
result = run("check", "good.yaml", "--set", "count=3")
check(result.returncode == 0, f"good.yaml: refused: {result.stderr.decode()}")

# what no device takes is refused where it is asked for, before anything is computed; which devices there are is the machine's business
solid = "units: none\ntheory: solid\nbodies: [solid: {box: {size: [1, 1], cells: [2, 2]}, %s}]\nrun: {until: 0.1, step: 0.01, device: %s}\n"
material = "material: {young: 100, poisson: 0.2, density: 1}"
if run("list", "devices").stdout.startswith(b"1 "):
    for more, bodies in (("nonlinear: {cubic: 1}", "bodies of linear links"), ("fracture: {energy: 1}", "bodies that do not break")):
        made("device.yaml", (solid % (f"{material}, {more}", 1)).encode(), 4,
             f"4:39: devices take {bodies}; device: none runs this one on the processor")
Path("device.yaml").write_text(solid % (material, "none"))
expect("--set", 4, "--set run.device=nobody's: device nobody's: ...", "device.yaml", "--set", "run.device=nobody's")
Path("out.h5").unlink(missing_ok=True)  # of an earlier test in this folder
done = run("run", "device.yaml", "--device", "nobody's", "-o", "out.h5")
check(done.returncode == 4 and done.stderr.startswith(b"carom: --device nobody's: device nobody's: "), done)
check(not os.path.exists("out.h5"), "a refused device left a file")

# a spin for which no step is short enough: the run does not go on for ever
done = run("run", str(source / "tests/conform/scenes/sheet.yaml"), "--set", 'start=[{"cells":all,"spin":1e300}]', "-o", "out.h5", "-q")
check(done.returncode == 5 and b"never gets to until = 0.6" in done.stderr, done)

# nor where something moves so fast, or is so stiff, that ten thousand steps get nowhere: told in seconds
Path("stiff.yaml").write_text("units: none\nbodies: [chain: {count: 40}, wall: {side: left}, wall: {side: right}]\n"
                              "contacts: {law: linear-dashpot, k: 1e300}\nstart: [{body: 1, velocity: 1}]\nrun: {until: 20}\n")
for scene, words in ((source / "scenes/mechanisms/double-pendulum.yaml", "bodies=[mechanism: {kind: double-pendulum, gravity: 1e300, wall: 0.3}]"),
                     ("stiff.yaml", "title=stiff")):
    done = run("run", str(scene), "--set", words, "-o", "out.h5", "-q")
    check(done.returncode == 5 and b"of 1e+04 steps none was longer" in done.stderr, scene, done)

# numbers beyond double precision: no run that ends well with energies that are none
for scene in ("column.yaml", "lzb/column.yaml"):
    done = run("run", str(source / "scenes" / scene), "--set", "gravity=1e300", "-o", "huge.h5", "-q")
    check(done.returncode == 5 and b"energies are not finite" in done.stderr, scene, done)
    check(b"complete" not in run("show", "huge.h5").stdout, scene, "claims to be complete")
    os.remove("huge.h5")

end(least=400, more=f", {len(files)} files")
