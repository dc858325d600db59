"""import carom: laws, signals and systems of one's own, as Python functions and as compiled ones, against carom's own."""
import ctypes
import math
import os
import subprocess
import time
import unittest

from pythons import main, need

carom = need()
import numpy  # noqa: E402

CHAIN = {"units": "none", "bodies": [{"chain": {"count": 4, "mass": 1}}], "contacts": {"law": "hertz", "k": 2},
         "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.1, "probes": ["u", "v", "contact_force"]},
         "run": {"until": 8, "tol": 1e-9}}
C = r"""
#include <math.h>
#include <stddef.h>
#include <carom/carom.h>

double elastic(double d, const double *p) { return p[0] * d * sqrt(d); }
double slope(double d, const double *p) { return 1.5 * p[0] * sqrt(d); }
double energy(double d, const double *p) { return 0.4 * p[0] * d * d * sqrt(d); }
double bump(double t) { return t >= 0.0 && t < 2.0 ? sin(3.14159265358979323846 * t / 2.0) : 0.0; }
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
void mass(const void *own, const double *q, double *m) { (void)own; (void)q; m[0] = 1.0; }
void force(const void *own, double t, const double *q, const double *v, double *f)
{ (void)t; (void)q; (void)v; f[0] = -*(const double *)own; }
double distance(const void *own, size_t i, double t, const double *q) { (void)own; (void)i; (void)t; return q[0]; }
"""


def compiled():
    with open("own.c", "w") as file:
        file.write(C)
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-fPIC", "-shared", "-I" + os.environ["SOURCE"] + "/include", "own.c",
                    "-o", "own.so", "-lm"], check=True)
    return ctypes.CDLL("./own.so")


def spring(d, k=1.0):
    return k * d * math.sqrt(d)


def with_law(own, **more):
    return {**CHAIN, "contacts": {"law": own, "k": 2}, **more}


class Kinds(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.own = compiled()
        cls.known = carom.run(CHAIN)

    def near(self, run, tolerance=1e-8):
        self.assertLess(abs(run.v - self.known.v).max(), tolerance)
        self.assertLess(abs(numpy.asarray(run.ledger["residual"])).max(), 1e-8)

    def test_law_in_python(self):
        self.near(carom.run(with_law(carom.law(spring))))
        self.near(carom.run({**CHAIN, "contacts": {"law": "hertz2", "k": 2}}, laws=[carom.law(spring, name="hertz2")]))
        full = carom.Law("full", spring, slope=lambda d, k: 1.5 * k * math.sqrt(d), energy=lambda d, k: 0.4 * k * d ** 2.5,
                         params={"k": (1.0, "N/m^(3/2)", "stiffness")})
        self.near(carom.run(with_law(full)))

    def test_law_compiled(self):
        one = carom.Law("one", self.own.elastic, params={"k": 1.0})
        self.near(carom.run(with_law(one)))
        batch = carom.Law("batch", evaluate=self.own.evaluate, params={"k": 1.0})
        self.near(carom.run(with_law(batch)))
        try:
            import cffi
        except ImportError:
            self.skipTest("cffi (python3-cffi) is missing")
        ffi = cffi.FFI()
        ffi.cdef("double elastic(double d, const double *p);" + carom.BATCH_CDEF + "void evaluate(const struct carom_batch *);")
        library = ffi.dlopen("./own.so")
        self.near(carom.run(with_law(carom.Law("one", ffi.addressof(library, "elastic"), params={"k": 1.0}))))
        self.near(carom.run(with_law(carom.Law("two", evaluate=ffi.addressof(library, "evaluate"), params={"k": 1.0}))))

    def test_damped_law(self):
        known = carom.run(CHAIN, contacts={"law": "kuwabara-kono", "gamma": 0.1})
        drag = carom.Law("kk", spring, drag=lambda d, k: 0.1 * 1.5 * k * math.sqrt(d), params={"k": 1.0})
        viscous = carom.Law("kk", spring, viscous=lambda d, k: 0.1 * spring(d, k), params={"k": 1.0})
        for own in (drag, viscous):
            run = carom.run(with_law(own))
            self.assertLess(abs(run.v - known.v).max(), 1e-7)
            self.assertLess(abs(numpy.asarray(run.ledger["residual"])).max(), 1e-7)

    def test_law_that_fails(self):
        calls = []

        def bad(d, k=1.0):
            calls.append(d)
            if len(calls) > 5000:
                raise ZeroDivisionError("in a law")
            return spring(d, k)

        sim = carom.Sim(with_law(carom.law(bad)))
        with self.assertRaises(ZeroDivisionError):
            sim.run()
        self.assertEqual(len(calls), 5001)
        with self.assertRaises(RuntimeError):
            sim.run()
        for wrong in (lambda d, k: "text", lambda d: d, lambda d, k: None):
            with self.assertRaises(TypeError):
                carom.run(with_law(carom.Law("wrong", wrong, params={"k": 1.0})))
        for make in (lambda: carom.Law("a"), lambda: carom.Law("a", spring, evaluate=1), lambda: carom.Law("a", "text")._describe(),
                     lambda: carom.Sim(with_law(carom.Law("a", spring, params={f"p{i}": 1 for i in range(17)})))):
            with self.assertRaises((TypeError, ValueError)):
                make()
        with self.assertRaises(carom.SceneError) as caught:
            carom.Sim(with_law(carom.law(spring, name="mine"), contacts={"law": "mine", "stiffness": 3}), laws=[carom.law(spring, name="mine")])
        self.assertIn("stiffness", str(caught.exception))

    def test_signals(self):
        def driven(force):
            return {**CHAIN, "start": [], "loads": [{"body": 1, "force": force}]}

        known = carom.run(driven({"shape": "half-sine", "amplitude": 2, "start": 0.5, "duration": 2}))
        own = carom.Signal("bump", lambda t: math.sin(math.pi * t / 2) if 0 <= t < 2 else 0.0, over=(0, 3), breaks=(0, 2))
        fast = carom.Signal("bump", self.own.bump, largest=1, fastest=1.6, breaks=(0, 2))
        fast._functions["value"].restype = ctypes.c_double
        for signal in (own, fast):
            run = carom.run(driven({"shape": signal, "amplitude": 2, "start": 0.5}))
            self.assertLess(abs(run.v - known.v).max(), 1e-7)
        with self.assertRaises(ZeroDivisionError):
            carom.run(driven({"shape": carom.Signal("bad", lambda t: 1 / 0 if t > 1 else 1.0, largest=1, fastest=1),
                              "amplitude": 1}))
        with self.assertRaises(TypeError):
            carom.Signal("x", lambda t: t)

    def test_driven_by_a_signal_without_rate(self):
        def moved(place):
            return {**CHAIN, "start": [], "loads": [{"body": 1, "displacement": place}]}

        known = carom.run(moved({"shape": "sine", "amplitude": 0.1, "frequency": 0.25}))
        own = carom.Signal("wave", lambda t: math.sin(2 * math.pi * 0.25 * t), over=(0, 8), breaks=(0,))
        run = carom.run(moved({"shape": own, "amplitude": 0.1}))
        self.assertLess(abs(run.v[1:] - known.v[1:]).max(), 1e-6)

    def test_system(self):
        rod = carom.System(2, lambda q: [[0.5 + q[1] ** 2, 0], [0, 1]], distances=[lambda t, q: 1.0 - q[1]])
        sim = carom.Sim.of(rod, [0, 0.2], [2, 0], until=20, contacts={"e": 0.5}, every=0.1)
        run = sim.run()
        spin = (0.5 + sim.state.x[1] ** 2) * sim.state.v[0]
        self.assertAlmostEqual(spin, 0.54 * 2, delta=1e-7)
        self.assertAlmostEqual(sim.state.x[1], 1.0, delta=1e-6)
        self.assertEqual(run.v.shape, (201, 2))

    def test_system_against_the_ball(self):
        known = carom.Sim({"units": "none", "theory": "nonsmooth", "bodies": [{"mechanism": {"kind": "ball", "gravity": 10}}],
                           "contacts": {"e": 0.8}, "start": [{"body": 1, "displacement": 1}], "run": {"until": 3}})
        known.to(3)
        ball = carom.System(1, lambda q: [1], lambda t, q, v: [-10.0], [lambda t, q: q[0]], stored=lambda t, q: 10 * q[0],
                            constant=True)
        ten = ctypes.c_double(10.0)
        fast = carom.System(1, self.own.mass, self.own.force, distance=self.own.distance, count=1, constant=True,
                            own=ctypes.addressof(ten))
        for system in (ball, fast):
            sim = carom.Sim.of(system, [1], [0], until=3, contacts={"e": 0.8})
            sim.to(3)
            self.assertAlmostEqual(sim.state.x[0], known.state.x[0], delta=1e-8)
            self.assertAlmostEqual(sim.state.v[0], known.state.v[0], delta=1e-8)
        self.assertLess(abs(carom.Sim.of(ball, [1], [0], until=3, contacts={"e": 0.8}).ledger["residual"]), 1e-9)

    def test_system_with_a_law(self):
        stop = carom.System(1, lambda q: [1], distances=[lambda t, q: q[0]], constant=True)
        sim = carom.Sim.of(stop, [1], [-1], until=6, contacts={"law": carom.law(spring), "k": 50}, tol=1e-9)
        sim.to(6)
        self.assertAlmostEqual(sim.state.v[0], 1.0, delta=1e-7)

    def test_system_that_fails(self):
        for wrong in (dict(mass=lambda q: [0]), dict(mass=lambda q: 1 / 0), dict(mass=lambda q: [1, 2, 3]),
                      dict(mass=lambda q: [1], force=lambda t, q, v: [1, 2])):
            with self.assertRaises((carom.Error, ZeroDivisionError, ValueError)):
                carom.Sim.of(carom.System(1, **wrong), [1], [0], until=1)
        with self.assertRaises(ValueError) as caught:
            carom.Sim.of(carom.System(2, lambda q: [1, 2]), [1, 0], [0, 0], until=1)
        self.assertIn("2 numbers are needed here, not 1", str(caught.exception))
        with self.assertRaises(ValueError) as caught:
            carom.Sim.of(carom.System(2, lambda q: [[1, 0], [0, 1]]), [1], [0, 0], until=1)
        self.assertIn("the system has 2 coordinates", str(caught.exception))
        with self.assertRaises(ValueError):
            carom.Sim.of(carom.System(0, lambda q: []), [], [], until=1)
        with self.assertRaises(ValueError):
            carom.Sim.of(carom.System(1, lambda q: [1]), [1], [0], until=1, scheme="nothing")
        with self.assertRaises(carom.Error):
            carom.Sim.of(carom.System(1, lambda q: [1]), [1], [0], until=1, scheme="event", nothing=3)

    def test_nan_is_told(self):
        lost = carom.Law("lost", lambda d: math.nan)
        with self.assertRaises(carom.NumericError) as caught:
            carom.run({**CHAIN, "contacts": {"law": lost}})
        self.assertIn("a law or signal of this sim has given nan", str(caught.exception))

    def test_system_of_one_coordinate(self):
        for mass, force in ((lambda q: [[1]], lambda t, q, v: [-q[0]]), (lambda q: 1.0, lambda t, q, v: -q[0]),
                            (lambda q: numpy.eye(1), lambda t, q, v: -numpy.array(q))):
            sim = carom.Sim.of(carom.System(1, mass, force), [0], [1], until=1)
            sim.run()
            self.assertAlmostEqual(sim.state.v[0], math.cos(1), delta=1e-6)
        row = []
        row.append(row)
        with self.assertRaises((TypeError, ValueError)):
            carom.Sim.of(carom.System(1, lambda q: row), [0], [1], until=1)
        for n in (0, 33):
            with self.assertRaises(ValueError):
                carom.System(n, lambda q: 1.0)

    def test_speed_of_a_python_law(self):
        calls = [0]

        def counted(d, k=1.0):
            calls[0] += 1
            return k * d * math.sqrt(d)

        sim = carom.Sim(with_law(carom.law(counted)), until=40)
        begun = time.process_time()
        sim.run()
        rate = calls[0] / (time.process_time() - begun)
        self.assertGreater(rate, 1e5, "evaluations of a Python law in a second of computing")


main()
