#!/usr/bin/env python3
"""The scenes of `carom bench --only rigid` in Siconos (Debian: python3-siconos), one thread. Prints lines
`name seconds-per-step solver`; the solver is the fastest of those that reach the tolerance. Usage: beside_siconos.py
[N ...] with numbers of beads for the columns, default 100 1000. Set OPENBLAS_NUM_THREADS=1."""
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
try:
    import numpy as np
    import siconos.kernel as sk
    import siconos.numerics as sn
except ImportError:
    sys.exit(77)

STEP, GRAVITY, RESTITUTION = 1e-4, 10.0, 0.5


def column(gaps, speeds, solver, steps):
    """A column of beads of mass 1 on the floor; returns seconds per step, a mean, and whether the floor carries what it should
    at rest."""
    n = len(gaps)
    model = sk.NonSmoothDynamicalSystem(0.0, STEP * (steps + 5))
    beads, place = [], 0.0
    for gap, speed in zip(gaps, speeds):
        place += gap
        bead = sk.LagrangianLinearTIDS([place], [speed], np.eye(1))
        bead.setFExtPtr(np.array([-GRAVITY]))
        model.insertDynamicalSystem(bead)
        beads.append(bead)
    law = sk.NewtonImpactNSL(RESTITUTION)
    links = []
    for i in range(n):
        if i == 0:
            relation = sk.LagrangianLinearTIR(np.array([[1.0]]))
            link = sk.Interaction(law, relation)
            model.link(link, beads[0])
        else:
            relation = sk.LagrangianLinearTIR(np.array([[-1.0, 1.0]]))
            link = sk.Interaction(law, relation)
            model.link(link, beads[i - 1], beads[i])
        links.append(link)
    scheme = sk.MoreauJeanOSI(0.5)
    problem = sk.LCP(solver)
    problem.numericsSolverOptions().dparam[0] = 1e-10
    problem.numericsSolverOptions().iparam[0] = 1000
    problem.setNumericsVerboseMode(False)
    simulation = sk.TimeStepping(model, sk.TimeDiscretisation(0.0, STEP), scheme, problem)
    for _ in range(2):  # not timed: what is made once
        simulation.computeOneStep()
        simulation.nextStep()
    begin = time.perf_counter()
    for _ in range(steps):
        simulation.computeOneStep()
        simulation.nextStep()
    seconds = (time.perf_counter() - begin) / steps
    floor = links[0].lambda_(1)[0]
    still = not any(gaps) and not any(speeds)
    return seconds, np.isfinite(floor) and (not still or abs(floor / (n * GRAVITY * STEP) - 1.0) < 1e-3)


def fastest(name, gaps, speeds, steps):
    solvers = {"lemke": sn.SICONOS_LCP_LEMKE, "newton": sn.SICONOS_LCP_NEWTONMIN, "newton-fb": sn.SICONOS_LCP_NEWTON_FB_FBLSA,
               "pgs": sn.SICONOS_LCP_PGS}
    best = None
    for label, solver in solvers.items():
        if len(gaps) > 200 and label != "newton-fb":
            continue  # many seconds a step, or no solution
        try:
            runs = [column(gaps, speeds, solver, steps) for _ in range(3 if len(gaps) <= 200 else 1)]
            seconds, good = min(run[0] for run in runs), all(run[1] for run in runs)
        except Exception as problem:  # a solver that Siconos was built without
            print(f"# {name} {label}: {problem}", file=sys.stderr)
            continue
        print(f"# {name} {label} {seconds:.3e}", file=sys.stderr)
        if good and (best is None or seconds < best[0]):
            best = (seconds, label)
    if best:
        print(f"{name} {best[0]:.6e} {best[1]}", flush=True)


def main():
    sizes = [int(text) for text in sys.argv[1:]] or [100, 1000]
    fastest("ball", [1.0], [0.0], 15000)  # 1.5 s
    for n in sizes:
        steps = 200 if n <= 100 else 10
        fastest(f"rest-{n}", [0.0] * n, [0.0] * n, steps)
        fastest(f"shock-{n}", [0.0] * (n - 1) + [1e-5], [0.0] * (n - 1) + [-1.0], steps)


main()
