#!/usr/bin/env python3
"""What Python costs beside C, in processor time: `sim.to`, laws as Python functions, laws as compiled pointers.

Usage: bench/python.py [BUILD]      (BUILD: build, after `make install` or `cmake --build build --target carom_shared carom_python`)"""
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build"))
sys.path.insert(0, os.path.join(BUILD, "python"))
import carom  # noqa: E402

CALLS, ROUNDS = 200000, 5
# two beads that fly apart in one long step: sim.to only looks into it
FLIGHT = "{units: none, bodies: [chain: {count: 2, mass: 1}], start: [{body: 2, velocity: 1}], run: {until: 1e6}}"
CHAIN = {"units": "none", "bodies": [{"chain": {"count": 500, "mass": 1}}], "contacts": {"law": "own", "k": 1},
         "start": [{"body": 1, "velocity": 1}], "run": {"until": 300, "tol": 1e-6}, "record": {"every": 100}}
IN_C = """
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
double elastic(double d, const double *p) { return p[0] * d * sqrt(d); }
double slope(double d, const double *p) { return 1.5 * p[0] * sqrt(d); }
double energy(double d, const double *p) { return 0.4 * p[0] * d * d * sqrt(d); }
void evaluate(const struct carom_batch *b)
{
    for (size_t j = 0; j < b->n; j++) {
        const double d = b->deform[j] > 0.0 ? b->deform[j] : 0.0, k = b->param[0][j], root = sqrt(d);
        if (b->elastic) b->elastic[j] = k * d * root;
        if (b->slope) b->slope[j] = 1.5 * k * root;
        if (b->energy) b->energy[j] = 0.4 * k * d * d * root;
        if (b->viscous) b->viscous[j] = 0.0;
        if (b->drag) b->drag[j] = 0.0;
        if (b->power) b->power[j] = 0.0;
    }
}
static const struct carom_param params[] = {{"k", CAROM_REAL, 0, 1.0, 0.0, HUGE_VAL, "1", "stiffness", NULL}, CAROM_PARAM_END};
static const struct carom_law own = {.kind = {"own", "Hertz", params, sizeof(double)}, .evaluate = evaluate};
double whole(const char *text, size_t length)
{
    struct carom_error error = {CAROM_OK, ""};
    const struct carom_law *const laws[] = {&own, NULL};
    const struct carom_scene_wish wish = {.laws = laws};
    struct carom_scene *scene = carom_scene_parse_as("chain", text, length, NULL, 0, &wish, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    carom_scene_free(scene);
    const clock_t began = clock();
    if (carom_sim_run(sim, NULL, &error) != CAROM_OK)
        return nan("");
    const double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    carom_sim_free(sim);
    return took;
}
double to(const char *text, size_t length, int calls)
{
    struct carom_error error = {CAROM_OK, ""};
    struct carom_scene *scene = carom_scene_parse("flight", text, length, NULL, 0, &error);
    struct carom_sim *sim = carom_scene_sim(scene, &error);
    carom_scene_free(scene);
    carom_sim_to(sim, 1.0, &error);
    const clock_t began = clock();
    for (int i = 1; i <= calls; i++)
        carom_sim_to(sim, 1.0 + 1e-3 * i / calls, &error);
    const double took = (double)(clock() - began) / CLOCKS_PER_SEC;
    carom_sim_free(sim);
    return took / calls;
}
"""


def least(measure):
    return min(measure() for _ in range(ROUNDS))


def python_to():
    sim = carom.Sim(FLIGHT)
    sim.to(1.0)
    times = [1.0 + 1e-3 * (i + 1) / CALLS for i in range(CALLS)]
    began = time.process_time()
    for t in times:
        sim.to(t)
    return (time.process_time() - began) / CALLS


def whole_run(law):
    sim = carom.Sim(CHAIN, laws=[law], keep=False, progress=False)
    began = time.process_time()
    sim.run()
    return time.process_time() - began


def python_rate():
    calls = [0]

    def counted(d, k=1.0):
        calls[0] += 1
        return k * d * d

    sim = carom.Sim({**CHAIN, "run": {"until": 20, "tol": 1e-6}}, contacts={"law": carom.law(counted)}, progress=False)
    began = time.process_time()
    sim.run()
    return (time.process_time() - began) / calls[0]


with tempfile.TemporaryDirectory() as folder:
    source, library = os.path.join(folder, "own.c"), os.path.join(folder, "own.so")
    with open(source, "w") as file:
        file.write(IN_C)
    subprocess.run(["cc", "-std=c17", "-O2", "-shared", "-fPIC", "-I" + os.path.join(ROOT, "include"), source, "-o", library, "-L" + BUILD,
                    "-lcarom", "-lm", "-Wl,-rpath," + BUILD], check=True)
    own = ctypes.CDLL(library)
    own.to.restype = ctypes.c_double
    text = FLIGHT.encode()
    there, here = least(lambda: own.to(text, len(text), CALLS)), least(python_to)
    print(f"sim.to             {1e6 * there:.3f} us in C, {1e6 * here:.3f} us in Python: {1e6 * (here - there):.2f} us more")
    print(f"a law in Python    {1 / least(python_rate):.3g} evaluations a second")
    own.whole.restype = ctypes.c_double
    text = json.dumps(CHAIN).encode()
    known = least(lambda: own.whole(text, len(text)))
    batch = least(lambda: whole_run(carom.Law("own", evaluate=own.evaluate, params={"k": 1.0})))
    one = least(lambda: whole_run(carom.Law("own", own.elastic, slope=own.slope, energy=own.energy, params={"k": 1.0})))
    print(f"a compiled law     whole run {known:.3f} s from C; from Python by evaluate {100 * (batch / known - 1):+.1f} %, by functions of one "
          f"contact {100 * (one / known - 1):+.1f} %")
