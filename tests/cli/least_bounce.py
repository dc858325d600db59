"""A ball that bounces to rest under moreau-adaptive: when it does is sqrt(2 h/g) (1 + e)/(1 - e), and a finer tol does not
make it worse, as it did where bounces were followed until rounding was all of their height."""
import csv
import io
import math
import os
import subprocess

from checks import check, end, fresh, near

CAROM = os.environ["CAROM"]

for e in (0.3, 0.5, 0.8):
    for tol in (1e-5, 1e-8, 1e-10, 1e-12):
        with open("ball.yaml", "w") as file:
            file.write(f"""units: none
theory: nonsmooth
gravity: -10
bodies:
  - wall: {{side: left, gap: 1}}
  - chain: {{count: 1, mass: 1}}
contacts: {{e: {e}}}
run: {{until: 5, scheme: moreau-adaptive, tol: {tol}}}
record: {{every: 1, events: true}}
""")
        done = subprocess.run([CAROM, "run", "-q", "ball.yaml", "-o", fresh("ball.h5")], capture_output=True, text=True, timeout=100)
        check(done.returncode == 0, e, tol, done.stderr)
        done = subprocess.run([CAROM, "export", "ball.h5", "--csv", "-", "--events"], capture_output=True, text=True, timeout=100)
        rows = [row for row in csv.DictReader(io.StringIO(done.stdout)) if row["event"] == "close"]
        if check(len(rows) == 1, e, tol, done.stdout):
            near(float(rows[0]["time"]), math.sqrt(0.2) * (1 + e) / (1 - e), 2e-9 / (1 - e), e, tol)
end(30)
