"""The live page in a real browser: it grows with the run, its buttons pause, resume and stop it, closing it disturbs
nothing, and a server that has gone is said."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["SOURCE"], "tests"))
import browser  # noqa: E402

browser.packages()
browser.chromium()
for left in ("live.h5",):
    if os.path.exists(left):
        os.remove(left)
with open("live.yaml", "w") as file:
    file.write("title: live\nunits: none\nbodies: [chain: {count: 60}]\nstart: [{body: 1, velocity: 1}]\n"
               "run: {until: 4e6, scheme: verlet, step: 0.002, threads: 1}\nrecord: {every: 200, probes: [u, v]}\n")
run = subprocess.Popen([browser.CAROM, "run", "live.yaml", "--live", "-o", "live.h5", "-q"], stdout=subprocess.PIPE,
                       stderr=subprocess.PIPE, text=True)
line = run.stdout.readline()
if not line.startswith("live "):
    said = run.communicate()[1]
    browser.skip("built without libmicrohttpd") if "without libmicrohttpd" in said else sys.exit(said)
try:
    code = browser.run("live.mjs", {"address": line.split()[1]}, seconds=330)
    said = run.communicate(timeout=100)[1]
    if run.returncode != 8:
        sys.exit("the run was to be stopped: exit %d, %s" % (run.returncode, said))
finally:
    run.kill()
sys.exit(code)
