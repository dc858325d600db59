"""On a terminal: lines are no wider than it, notes and verdicts have colours unless NO_COLOR is set; elsewhere nothing of
that. A run over another says what it replaces; --keep refuses."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from checks import check, end

carom = os.environ["CAROM"]


def on_terminal(width, *arguments, **more):
    """What a terminal of this width receives."""
    mine, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")} | {"TERM": "xterm"} | more
    with subprocess.Popen([carom, *arguments], stdout=its, stderr=its, env=environment) as process:
        os.close(its)
        text = b""
        while True:
            try:
                piece = os.read(mine, 65536)
            except OSError:
                break
            if not piece:
                break
            text += piece
    os.close(mine)
    return process.returncode, text.decode().replace("\r", "")


def plain(*arguments, **more):
    environment = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | more
    return subprocess.run([carom, *arguments], capture_output=True, text=True, timeout=60, env=environment)


def bare(text):
    return re.sub(r"\x1b\[\d+m", "", text)


with open("brass.yaml", "w") as scene:
    scene.write("bodies: [chain: {count: 3, radius: 1 cm, material: brass}]\nstart: [{body: 1, velocity: 0.3}]\nrun: {until: 1 ms}\n")
for name in ("brass.h5", "brass.old.h5"):
    if os.path.exists(name):
        os.remove(name)
whole = plain("check", "brass.yaml").stdout
check("\x1b" not in whole and max(map(len, whole.splitlines())) > 80, "a pipe gets lines as they are")
for width in (60, 80, 120):
    code, text = on_terminal(width, "check", "brass.yaml")
    check(code == 0 and "\x1b[33mnote" in text, width, text)
    check(max(len(line) for line in bare(text).splitlines()) <= width, width, bare(text))
    check(bare(text).split() == whole.split(), "no word is lost", width)
check("\x1b" not in on_terminal(80, "check", "brass.yaml", NO_COLOR="1")[1], "NO_COLOR")
check("\x1b[31mcarom:" in on_terminal(80, "check", "nowhere.yaml")[1], "errors are red")
check("replaced" not in plain("run", "brass.yaml").stdout, "there was none")
said = plain("run", "brass.yaml").stdout
check(re.search(r"replaced   the earlier run in this file: brass.yaml, \d+ samples, of \d{4}-.*\(kept as brass.old.h5 while", said), said)
done = plain("run", "brass.yaml", "--keep")
check(done.returncode == 2 and "--keep: brass.h5 is there already (brass.yaml, " in done.stderr, done.stderr)
check(plain("run", "brass.yaml", "--keep", "-q", "-o", "other.h5").returncode == 0 or os.path.exists("other.h5"), "another name")
# tables keep their rows in one line: the book fits, and waves go without some columns, which are named
check(plain("run", "brass.yaml", "-q", "-o", "book.h5").returncode == 0, "a run")
shown = bare(on_terminal(80, "show", "book.h5")[1])
check(re.search(r"^  contact +closed s +peak at s +lasts s +speed m/s +peak N +impulse N s$", shown, re.M), shown)
check("\n  not shown, for lack of width: lost; carom export" in shown, shown)
check(re.search(r"^  contact .* impulse N s +lost J$", plain("show", "book.h5").stdout, re.M), "a pipe gets all")
waves = bare(on_terminal(80, "pulse", "book.h5", "--no-keep")[1])
check(re.search(r"^place +wave +peak +time +width +speed +length +of$", waves, re.M), waves)
check(re.search(r"^2 +1( +\S+){6}$", waves, re.M) and "\nnot shown, for lack of width: foot, misfit, front, tail; --csv FILE has all\n" in waves, waves)
wide = plain("pulse", "book.h5", "--no-keep").stdout
check("misfit" in wide.splitlines()[2] and "not shown" not in wide, wide)
# 60 columns, of a terminal or by COLUMNS
for command, row, rows in ((("show", "book.h5"), r"^  [12] +(\S+ +){3}\S+$", 2), (("show", "book.h5"), r"^  \w+ +\d+ x 3  m(/s)?$", 2),
                           (("pulse", "book.h5", "--no-keep"), r"^[12] +1( +\S+){4}$", 2),
                           (("converge", "brass.yaml", "--tols", "1e-3:1e-5:3"), r"^ +1e-05( +\S+){5}$", 1),
                           (("restitution", "brass.yaml"), r"^ +0.3( +\S+){3}$", 1),
                           (("compare", "brass.yaml", "--theories", "compliant,lzb,nonsmooth"), r"^body +[123]( +\S+){3}$", 6)):
    text = bare(on_terminal(60, *command)[1])
    check(len(re.findall(row, text, re.M)) == rows and max(map(len, text.splitlines())) <= 60, command, text)
    piped = plain(*command, COLUMNS="60").stdout
    check(len(re.findall(row, piped, re.M)) == rows, command, piped)
check(bare(on_terminal(80, "show", "book.h5", COLUMNS="60")[1]) == bare(on_terminal(60, "show", "book.h5")[1]), "COLUMNS comes first")
end()
