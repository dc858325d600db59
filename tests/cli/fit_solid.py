#!/usr/bin/env python3
# E and nu of a solid from what its sensors and cells showed: tables of a run are data, sensors go by name too.
import os
import pathlib
import subprocess

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=100)


pathlib.Path("bar.yaml").write_text("""
theory: solid
bodies:
  - solid:
      box: {size: [1, 0.4], cells: [5, 2]}
      material: {young: 2e6, poisson: 0.3, density: 1000}
      clamps: [{face: left}]
      loads: [{face: right, traction: [500, 200]}]
      sensors: {tip: [1, 0.2], "2": [0.5, 0]}
run: {until: 20 ms}
record: {every: 1 ms, probes: [v, stress]}
""")
check(carom("run", "bar.yaml", "-o", "bar.h5", "-q").returncode == 0, "the run")
table = carom("export", "bar.h5", "--csv", "--items", "v,stress,sensor_u").stdout.splitlines()
names = table[0].split(",")
rows = [line.split(",") for line in table[1:]]


def fit(columns, rename=lambda name: name):
    """writes these columns as data and fits; the rows `key value` of what is found"""
    places = [names.index(name) for name in columns]
    text = ",".join(rename(name) for name in columns) + "\n"
    text += "".join(",".join(row[i] for i in places) + "\n" for row in rows)
    pathlib.Path("data.csv").write_text(text)
    start = ["--set", "young=1.8e6", "--set", "poisson=0.25"]
    done = carom("fit", "bar.yaml", "--to", "data.csv", "--free", "young=1e6:4e6,poisson=0:0.45", *start)
    lines = [line.split() for line in done.stdout.splitlines() if line.startswith(("young ", "poisson "))]
    found = {line[0]: float(line[1 + line[1].startswith("(")]) for line in lines}  # a unit may stand before the number
    return done, found


TABLES = [["time", "sensor_u_1_x", "sensor_u_1_y"], ["time", "v_10_x", "stress_7_xy"]]
for columns in TABLES:
    done, found = fit(columns)
    check(done.returncode == 0, columns, done.stderr)
    check(abs(found.get("young", 0) / 2e6 - 1) < 1e-5 and abs(found.get("poisson", 0) - 0.3) < 1e-5, columns, found)
_, by_number = fit(TABLES[0])
done, by_name = fit(TABLES[0], lambda name: name.replace("_1_", "_tip_"))
check(by_number == by_name, "a sensor by name", by_number, by_name, done.stderr)

for name, said in [
        ("sensor_u_tip_z", "no such cell, sensor or axis"),
        ("sensor_u_3_x", "no such cell, sensor or axis"),
        ("sensor_v_0_x", "no such cell, sensor or axis"),
        ("v_11_x", "no such cell, sensor or axis"),
        ("stress_1_x", "no such cell, sensor or axis"),
        ("sensor_u[1]", "say along which axis"),
        ("v_3", "say along which axis"),
]:
    done, _ = fit(TABLES[0], lambda own, name=name: name if own == "sensor_u_1_x" else own)
    check(done.returncode == 3 and said in done.stderr, name, done.returncode, done.stderr)
done, _ = fit(TABLES[0], lambda name: name if name == "time" else name + " (N)")
check(done.returncode == 3 and "expected a length" in done.stderr, "units", done.stderr)

end(10)
