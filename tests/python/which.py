"""import carom: whose numbers these are. A run keeps what it was, whatever becomes of its scene and its sim; nothing that a
call is given is ignored."""
import math
import os
import subprocess
import sys
import unittest
from pathlib import Path

from pythons import main, need, scene

carom = need()
import numpy  # noqa: E402

ROW = {"units": "none", "bodies": [{"chain": {"count": 6, "mass": 1}}], "contacts": {"law": "kuwabara-kono", "k": 1, "gamma": 0.02},
       "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.1, "probes": ["u", "v", "contact_force"]},
       "run": {"until": 12, "tol": 1e-8}}
BALL = {"units": "none", "theory": "nonsmooth", "bodies": [{"mechanism": {"kind": "ball", "gravity": 10}}],
        "contacts": {"e": 0.8}, "start": [{"body": 1, "displacement": 1}], "run": {"until": 4},
        "record": {"every": 0.01, "probes": ["u", "v"]}}
DISCS = {"units": "none", "bodies": [{"disc": {"radius": 1, "mass": 1, "at": [0, 0], "velocity": [1, 0.5]}},
                                     {"disc": {"radius": 1, "mass": 1, "at": [2.5, 0]}}],
         "contacts": {"law": "hertz", "k": 100}, "run": {"until": 1},
         "record": {"every": 0.05, "probes": ["u", "v", "position", "contacts"]}}


def gone():
    for name in ("own.h5", "part.h5", "whole.h5", "edited.yaml", "saved.h5"):
        if os.path.exists(name):
            os.remove(name)


def column(table, label):
    """numbers of the last velocities in a table of compare"""
    rows = [i for i, what in enumerate(table["quantity"]) if what == "velocity"]
    return [list(table[label])[i] for i in rows]


def show(*words):
    return subprocess.run([os.environ["CAROM"], *words], capture_output=True, text=True, check=True).stdout


class Runs(unittest.TestCase):
    setUp = staticmethod(gone)

    def same(self, a, b):
        self.assertEqual(sorted(a.probes), sorted(b.probes))
        self.assertTrue(numpy.array_equal(a.t, b.t) and numpy.array_equal(a.step, b.step))
        for probe in a.probes:
            self.assertTrue(numpy.array_equal(a[probe], b[probe]), probe)
        for table in ("events", "episodes", "impacts", "impact_forces"):
            one, other = getattr(a, table), getattr(b, table)
            self.assertTrue(all(list(one[c]) == list(other[c]) for c in one), table)
        self.assertEqual((a.units, a.bodies, a.contacts, a.complete, a.changed, a.counts),
                         (b.units, b.bodies, b.contacts, b.complete, b.changed, b.counts))

    def test_compare_keeps_each_ones_overrides(self):
        a, b = carom.run(ROW), carom.run(ROW, contacts={"gamma": 0.2})
        self.assertGreater(abs(a.v[-1, 0] - b.v[-1, 0]), 0.01)
        table = carom.compare(a, b)
        for run, label in zip((a, b), list(table)[-2:]):
            self.assertTrue(numpy.array_equal(column(table, label), run.v[-1]), label)
        scenes = carom.Scene(ROW), carom.Scene(ROW, keys={"contacts": {"gamma": 0.2}})
        table = carom.compare(*scenes)
        for run, label in zip((a, b), list(table)[-2:]):
            self.assertLess(abs(numpy.array(column(table, label)) - run.v[-1]).max(), 1e-12)
        table = carom.compare(*scenes, until=4)
        for one, label in zip(scenes, list(table)[-2:]):
            self.assertLess(abs(numpy.array(column(table, label)) - carom.run(one, until=4).v[-1]).max(), 1e-12)
        table = carom.compare(carom.Scene(ROW, keys={"until": 4}), schemes=["dp5", "verlet"])
        self.assertLess(abs(column(table, list(table)[-2])[0] - carom.run(ROW, until=4).v[-1, 0]), 1e-9)

    def test_saved_run_is_the_run(self):
        sources = [ROW, BALL, DISCS, scene("lzb/" + sorted(os.listdir(scene("lzb")))[0]), scene("sensors.yaml"), carom.Scene(scene("solid-struck.yaml"), keys={"until": "20 us"})]
        for one in sources:
            run = carom.run(one)
            run.save("saved.h5")
            saved = carom.open("saved.h5")
            self.same(saved, run)
            if saved._source.about["listed"] and "first" in run._source._found and len(run._source.column("first")):
                for i in range(len(run)):
                    self.assertEqual(run.touching(i).tobytes(), saved.touching(i).tobytes())
        again = carom.run(ROW, output="whole.h5")
        other = carom.run(ROW).save("saved.h5")
        further = [carom.resume(path, until=14) for path in ("whole.h5", other)]
        self.assertTrue(numpy.array_equal(further[0].v, further[1].v) and len(further[0]) > len(again))

    def test_run_of_a_changed_sim(self):
        def changed(**more):
            sim = carom.Sim(BALL, **more)
            for second in (1, 2):
                sim.to(second, exact=True)
                sim.state.v[0] = 4.0
            return sim

        run, plain = changed().run(), carom.run(BALL)
        self.assertEqual((run.changed, plain.changed), (1.0, None))
        self.assertFalse(numpy.array_equal(run.u, plain.u))
        run.save("saved.h5")
        saved = carom.open("saved.h5")
        self.same(saved, run)
        table = carom.compare(run, plain)
        self.assertAlmostEqual(column(table, list(table)[-2])[0], run.v[-1, 0], delta=1e-12)
        for words in (("show", "saved.h5"),):
            self.assertIn("NO PROMISE after t = 1: there the state was changed from outside (2 times in all)", show(*words))
        self.assertIn("changed from outside", run.page())
        self.assertNotIn("changed from outside", plain.page())
        kick = carom.Sim(ROW)
        kick.state.v[0] = 2.0  # before the first step
        fast = kick.run()
        self.assertEqual((fast.v[0, 0], fast.changed), (2.0, 0.0))
        self.assertAlmostEqual(carom.pulse(fast, contact="3")["peak"][0], fast.force[:, 2].max(), delta=1e-3)
        self.assertGreater(fast.force[:, 2].max(), 2 * carom.run(ROW).force[:, 2].max())

    def test_resume_of_a_changed_sim(self):
        def changed(path, until, close):
            sim = carom.Sim(BALL, output=path)
            sim.to(1, exact=True)
            sim.state.v[0] = 4.0
            sim.to(until)
            return sim.close() if close else sim

        whole = changed("whole.h5", 4, False).recorded()
        self.assertTrue(whole.complete)
        for until in (1, 1.5):  # just changed; and some steps later
            changed("part.h5", until, True)
            part = carom.open("part.h5")
            self.assertEqual((part.complete, part.changed), (False, 1.0))
            rows = part.u.copy()
            again = carom.resume("part.h5")
            self.assertTrue(again.complete and numpy.array_equal(again.u[:len(rows)], rows))
            self.same(again, whole)
            self.assertEqual(again.changed, 1.0)
        sim = carom.Sim(BALL, output="part.h5")
        sim.to(1, exact=True)
        sim.state.v[0] = 4.0
        del sim  # nobody closes it
        self.same(carom.resume("part.h5"), whole)
        code = ("import carom, os; s = carom.Sim(%r, output='part.h5'); s.to(1, exact=True); s.state.v[0] = 4.0; s.to(1.5); "
                "os._exit(9)" % BALL)  # killed: nothing is closed
        self.assertEqual(subprocess.run([sys.executable, "-c", code]).returncode, 9)
        self.same(carom.resume("part.h5"), whole)

    def test_change_before_a_failure(self):
        armed = []

        def bad(d, k=1.0):
            if armed:
                raise ZeroDivisionError("in a law")
            return k * d * d

        sim = carom.Sim({**ROW, "contacts": {"law": carom.law(bad)}}, output="part.h5")
        for t in (0.5, 0.6):
            sim.to(t, exact=True)
            sim.state.v[0] += 1.0
        sim.step()
        armed.append(True)
        with self.assertRaises(ZeroDivisionError):
            sim.run()
        sim.close()
        del sim
        self.assertEqual(carom.open("part.h5").changed, 0.5)

    def test_run_of_a_scene_that_was_edited(self):
        Path("edited.yaml").write_text("units: none\nbodies: [{chain: {count: 3, mass: 1}}]\ncontacts: {law: hertz, k: 1}\n"
                                       "start: [{body: 1, velocity: 1}]\nrecord: {every: 0.5}\nrun: {until: 4}\n")
        run = carom.run("edited.yaml")
        text = Path("edited.yaml").read_text()
        Path("edited.yaml").write_text(text.replace("velocity: 1", "velocity: 5"))
        run.save("saved.h5")
        self.same(carom.open("saved.h5"), run)
        self.assertTrue(numpy.array_equal(carom.run(run).v, run.v))
        self.assertEqual(carom.run("edited.yaml").v[0, 0], 5.0)

    def test_run_whose_file_was_written_anew(self):
        run = carom.run(ROW, output="own.h5")
        old = carom.open("own.h5")
        other = carom.run(ROW, set={"start.1.velocity": 2}, output="own.h5")
        self.assertTrue(numpy.array_equal(carom.open("own.h5").v, other.v))
        run.save("saved.h5")
        self.same(carom.open("saved.h5"), run)
        with self.assertRaises(carom.FileError):
            old.save("saved.h5")
        os.remove("own.h5")
        self.assertGreater(len(run.page()), 1000)

    def test_run_under_way(self):
        sim = carom.Sim(ROW)
        with self.assertRaises(ValueError):
            sim.recorded().save("saved.h5")
        sim.to(3)
        run = sim.recorded()
        early = carom.open(run.save("saved.h5"))
        self.same(early, run)
        again = carom.resume("saved.h5")
        sim.to(6)
        late = carom.open(run.save("part.h5"))  # the sim has gone on, the run has not
        self.assertTrue(numpy.array_equal(late.v, run.v) and not late.complete)
        self.assertEqual(list(late.events["t"]), list(run.events["t"]))
        with self.assertRaises(carom.Error):
            carom.resume("part.h5")  # nobody knows the state of then
        self.same(again, sim.run())
        with sim:
            pass
        run.save("part.h5")

    def test_scene_of_a_run_with_own_laws(self):
        soft = carom.law(lambda d, k=1.0: k * d * d, name="soft")
        run = carom.run({**ROW, "contacts": {"law": soft, "k": 2}})
        self.assertTrue(numpy.array_equal(carom.run(run).v, run.v))

    def test_scene_with_overrides(self):
        plain = carom.Scene(ROW, keys={"until": 3})
        self.assertEqual(carom.run(plain).t[-1], 3.0)
        self.assertEqual(carom.run(plain, until=2).t[-1], 2.0)
        self.assertEqual(carom.run(plain).t[-1], 3.0)
        self.assertEqual(carom.run(ROW, until=1, keep=False), None)
        self.assertEqual(carom.run(ROW, until=1, keep=False, output="own.h5").t[-1], 1.0)


class Taken(unittest.TestCase):
    """what was silently taken"""

    def refused(self, kinds, words, call, *args, **keys):
        with self.assertRaises(kinds) as caught:
            call(*args, **keys)
        self.assertIn(words, str(caught.exception))

    def test_contacts_of_systems(self):
        ball = carom.System(1, lambda q: [1], lambda t, q, v: [-10.0], [lambda t, q: q[0]], constant=True)

        def sim(contacts, until=1, **more):
            return carom.Sim.of(ball, [1], [0], until=until, contacts=contacts, **more)

        for contacts, words in (({"gama": 1, "law": "kuwabara-kono", "k": 1}, "law kuwabara-kono has no parameter 'gama', did you mean 'gamma'?"),
                                ({"law": "hertz", "k": 1, "mu": 0.3}, "law hertz has no parameter 'mu'"),
                                ({"restitution": {"e": 0.5}}, "law rigid has no parameter 'restitution'"),
                                ({"e": 7}, "law rigid, contact 1: e: must be between 0 and 1, got 7"),
                                ({"e": math.nan}, "must be a number"),
                                ({"law": "hertz", "k": -5}, "law hertz, contact 1: k: must be positive, got -5"),
                                ({"law": "hertz", "k": [1, 2]}, "1 numbers are needed here"),
                                ({"e": 0.5, "contact_end": "never"}, "contact_end is gap, force or latched"),
                                ({"law": "herz", "k": 1}, "there is no law herz")):
            self.refused((carom.Error, ValueError), words, sim, contacts)
        for until in (math.nan, math.inf, -1, 0):
            self.refused(carom.Error, "until must be positive and finite", sim, {"e": 0.5}, until=until)
        for every in (math.nan, -1):
            self.refused((carom.Error, ValueError), "", sim, {"e": 0.5}, every=every)
        for until, every in ((1e300, 0.5), (2, 1e-300)):
            self.refused(carom.Error, "at most 1e+09 are taken", sim, {"e": 0.5}, until=until, every=every)
        free = carom.System(1, lambda q: [1])
        self.refused(ValueError, "no distances", carom.Sim.of, free, [0], [1], until=1, contacts={"e": 0.5})
        sim({"e": 0.5, "contact_end": "gap"}).run()

    def test_parameters_that_must_be_given(self):
        soft = carom.law(lambda d, k: k * d * d, name="soft")
        stop = carom.System(1, lambda q: [1], distances=[lambda t, q: q[0]], constant=True)
        self.refused(carom.SceneError, "k", carom.run, {**ROW, "contacts": {"law": soft}})
        self.refused(carom.Error, "law soft: k must be given", carom.Sim.of, stop, [1], [-1], until=1, contacts={"law": soft})
        given = carom.run({**ROW, "contacts": {"law": soft, "k": 2}})
        usual = carom.law(lambda d, k=2.0: k * d * d, name="soft")
        self.assertTrue(numpy.array_equal(carom.run({**ROW, "contacts": {"law": usual}}).v, given.v))
        self.refused(TypeError, "plain arguments", carom.law, lambda d, *p: d)
        self.refused(TypeError, "beside it", carom.Law, "a", evaluate=1, slope=lambda d: d)
        self.refused(TypeError, "compiled", carom.System, 1, lambda q: [1], count=2)
        self.refused(TypeError, "either", carom.System, 1, 1, distances=[1], distance=1, count=1)
        self.refused(TypeError, "laws are", carom.run, ROW, laws=[3])
        self.refused(TypeError, "signals are", carom.run, ROW, signals=[3])
        self.refused(ValueError, "another order", carom.Law, "two", lambda d, k, p: k * d ** p, params={"p": 2, "k": 1})
        self.refused(ValueError, "finite", carom.Law, "nan", lambda d, k: k * d, params={"k": math.nan})
        unit = carom.Law("one", lambda d, k: k * d, params={"k": (1.0, "N/m")})
        self.assertEqual(unit._describe()["params"][0][:4], ("k", 1.0, "N/m", ""))

    def test_signals(self):
        for keys in ({"largest": 0, "fastest": 1}, {"largest": 1, "fastest": math.nan}, {"largest": math.inf, "fastest": 1},
                     {"largest": 0, "over": (0, 1)}):
            self.refused(ValueError, "must be positive", carom.Signal, "a", lambda t: 1.0 + t, **keys)
        self.refused(ValueError, "breaks", carom.Signal, "a", lambda t: 1.0, largest=1, fastest=1, breaks=(math.nan,))

    def test_studies(self):
        data = {"set start.1.velocity": [0.5, 1.0, 1.5], "v_last": [0.1, 0.2]}
        self.refused(ValueError, "set start.1.velocity: 3, v_last: 2", carom.fit, ROW, data, {"contacts.gamma": (0.0, 0.2)})
        for name, value in (("threads", 2), ("log", True), ("reference_tol", 1e-9), ("part", "1/2")):
            keys = {name: value, **({"output": "own.h5"} if name == "part" else {})}
            self.refused(TypeError, f"'{name}'", carom.sweep, ROW, {"until": [1.0]}, lambda run: run.t[-1], **keys)
        answers = iter(({"a": 1.0}, {"b": 1.0}))
        self.refused(ValueError, "outputs", carom.sweep, ROW, {"until": [1.0, 2.0]}, lambda run: next(answers))
        self.refused(TypeError, "'modes' and 'shapes'", carom.dispersion, scene("solid-bar.yaml"), modes=True, shapes=True)


main()
