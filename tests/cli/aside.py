"""Small things a user meets: what converge leaves aside, units of swept keys, the scale of a bead that touches nothing."""
import os
import subprocess

import h5py

from checks import check, end

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]


def carom(*arguments):
    return subprocess.run([CAROM, *arguments], capture_output=True, text=True, timeout=110)


ball = os.path.join(SOURCE, "scenes", "rigid", "ball-steps.yaml")
done = carom("converge", ball, "--scheme", "event", "--tols", "1e-3,1e-4")
check("aside      the scene's step = 0.001 for moreau-jean; event has its defaults" in done.stdout, done.stdout, done.stderr)
done = carom("converge", ball, "--scheme", "schatzman-paoli", "--set", "run.theta=0.75", "--set", "run.step=0.01")
check("the scene's theta = 0.75 for moreau-jean" in done.stdout and "  0.01  " in done.stdout, done.stdout, done.stderr)
check("aside" not in carom("converge", ball, "--set", "run.theta=0.75", "--steps", "0.01,0.005").stdout, "its own scheme")

chain = os.path.join(SOURCE, "scenes", "steel-chain.yaml")
for scene, key, values, unit in ((chain, "contacts.restitution.e", "0.9,0.95", "1"), (chain, "seed", "1,2", "1"),
                                 (chain, "run.tol", "1e-3,1e-4", "1"), (chain, "radius", "0.01,0.02", "m"),
                                 (chain, "contacts.k", "1e9,2e9", "N/m^(3/2)"),
                                 (ball, "run.theta", "0.5,0.6", "1")):
    if os.path.exists("sweep.h5"):
        os.remove("sweep.h5")
    done = carom("sweep", scene, "--over", f"{key}={values}", "--set", "run.until=1e-6", "--outputs", "kinetic", "-o",
                 "sweep.h5", "-q")
    check(os.path.exists("sweep.h5"), key, done.stderr)
    if os.path.exists("sweep.h5"):
        with h5py.File("sweep.h5") as file:
            check(file["grid/" + key].attrs["unit"].decode() == unit, key, file["grid/" + key].attrs["unit"], "expected", unit)

# V / omega: springs and strings say how far a bead goes that meets nothing
for text, length in (("chain: {count: 1, mass: 0.25, spring: 4}", "U = 0.025"),):
    with open("lone.yaml", "w") as file:
        file.write(f"units: none\nbodies: [{{{text}}}]\nstart: [{{body: 1, velocity: 0.1}}]\nrun: {{until: 2}}\n")
    done = carom("check", "lone.yaml")
    check(length in done.stdout, done.stdout, done.stderr)
end()
