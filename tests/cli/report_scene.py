"""carom report of a scene runs it and shows it; a run that is there already is not replaced."""
import os
import subprocess

from checks import check, end

carom = os.environ["CAROM"]


def report(*arguments):
    return subprocess.run([carom, "report", *arguments], capture_output=True, text=True, timeout=60)


for name in ("two.h5", "two.html", "page.html"):
    if os.path.exists(name):
        os.remove(name)
with open("two.yaml", "w") as scene:
    scene.write("title: Two\nunits: none\nbodies: [chain: {count: 2}]\nstart: [{body: 1, velocity: 1}]\nrun: {until: 5}\n")
done = report("two.yaml")
check(done.returncode == 0 and done.stdout.rstrip().endswith("two.html"), done.stdout, done.stderr)
check("written    two.h5" in done.stdout, "the run is said")
check(os.path.getsize("two.h5") > 0 and "Two" in open("two.html", encoding="utf-8").read(), "both are there")
done = report("two.yaml", "-o", "page.html")
check(done.returncode == 2 and "'carom report two.h5' shows that" in done.stderr, done.returncode, done.stderr)
check(report("two.h5", "-o", "page.html", "-q").returncode == 0, "as it says")
os.remove("two.h5")
check(report("two.yaml", "-q", "--set", "title=Two others", "--set", "until=4").returncode == 0, "other values")
check("Two others" in open("two.html", encoding="utf-8").read(), "are those of the run")
done = report("two.h5", "--set", "until=4")
check(done.returncode == 2 and "two.h5 is none" in done.stderr, "a run is what it is", done.stderr)


# other values have a run beside their page: no run that is there stands in their way, none is replaced but such ones
for name in ("p.h5", "p.html"):
    if os.path.exists(name):
        os.remove(name)
check(subprocess.run([carom, "run", "two.yaml", "-q"]).returncode == 0, "the scene as it is")
kept = open("two.h5", "rb").read()
done = report("two.yaml", "--set", "run.foo=1", "-o", "p.html")
check(done.returncode != 0 and "unknown key 'foo'" in done.stderr, done.stderr)
for title in ("First", "Second"):
    done = report("two.yaml", "--set", f"title={title}", "-o", "p.html")
    check(done.returncode == 0 and "written    p.h5" in done.stdout, done.stdout, done.stderr)
    check(title in open("p.html", encoding="utf-8").read(), title)
check(open("two.h5", "rb").read() == kept, "two.h5 is as it was")
done = report("two.yaml", "--set", "title=Third")
check(done.returncode == 2 and "would replace two.h5" in done.stderr, done.stderr)
done = subprocess.run([carom, "compare", "two.yaml", "two.yaml", "-o", "c.html"], capture_output=True, text=True)
check(done.returncode == 2 and "take -o c.h5" in done.stderr and not os.path.exists("c.html"), done.stderr)
end()
