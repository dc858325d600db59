"""import carom: studies as tables, with the numbers of single runs; pages and pictures."""
import os
import subprocess
import unittest

from pythons import main, need, scene

carom = need()
import numpy  # noqa: E402

CHAIN = {"units": "none", "bodies": [{"chain": {"count": 6, "mass": 1}}], "contacts": {"law": "kuwabara-kono", "k": 1, "gamma": 0.02},
         "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.05, "probes": ["u", "v", "contact_force"]},
         "run": {"until": 12, "tol": 1e-8}}


class Studies(unittest.TestCase):
    def test_sweep(self):
        table = carom.sweep(CHAIN, {"contacts.gamma": [0.0, 0.1], "start.1.velocity": numpy.array([1.0, 2.0, 3.0])},
                            ["v_last", "peak_force"])
        self.assertEqual(len(table["v_last"]), 6)
        self.assertEqual(list(table["start.1.velocity"]), [1, 2, 3, 1, 2, 3])
        single = carom.run(CHAIN, contacts={"gamma": 0.1}, set={"start.1.velocity": 2})
        self.assertEqual(list(table["v_last"])[4], single.v[-1, -1])
        self.assertAlmostEqual(list(table["peak_force"])[4], single.episodes["peak_force"].max(), delta=1e-9)

    def test_sweep_with_units(self):
        steel = {"bodies": [{"chain": {"count": 4, "radius": "5 mm", "material": "steel"}}], "contacts": {"law": "hertz"},
                 "start": [{"body": 1, "velocity": 0}], "run": {"until": "100 us"}}
        table = carom.sweep(steel, {"start.1.velocity": ["1 m/s", "2 m/s"]}, ["v_last"])
        self.assertEqual(list(table["start.1.velocity (m/s)"]), [1, 2])
        self.assertEqual(list(table["v_last"])[1], carom.run(steel, set={"start.1.velocity": 2}).v[-1, -1])

    def test_fit_with_units(self):
        scenes = os.path.join(os.environ["SOURCE"], "scenes")
        found = carom.fit(os.path.join(scenes, "four-balls.yaml"), to=os.path.join(scenes, "four-balls.csv"),
                          free={"gamma": (0, "2us"), "start.1.velocity": None, "time_shift": ("80us", "130us")})
        self.assertEqual(list(found.keys["key"]), ["gamma", "start.1.velocity", "time_shift"])
        self.assertLess(abs(found["gamma"] - 6.74e-7), 5.24e-8)  # a sigma

    def test_sweep_that_fails_in_places(self):
        table = carom.sweep(CHAIN, {"chain.mass": [1, -1]}, "v_last")
        self.assertEqual([bool(s) for s in table["status"]], [False, True])
        self.assertTrue(numpy.isnan(list(table["v_last"])[1]))
        with self.assertRaises(carom.SceneError):
            carom.sweep(CHAIN, {"chain.masss": [1, 2]}, "v_last")

    def test_parts_of_a_sweep(self):
        over, names = {"contacts.gamma": "0:0.1:5"}, [f"part-{k}.h5" for k in (1, 2)]
        for name in names:
            if os.path.exists(name):
                os.remove(name)
        parts = [carom.sweep(CHAIN, over, "v_last", part=f"{k + 1}/2", output=name, until=4) for k, name in enumerate(names)]
        self.assertEqual(sorted(list(parts[0]["status"]) + list(parts[1]["status"])), [-1] * 5 + [0] * 5)
        whole, gathered = carom.sweep(CHAIN, over, "v_last", until=4), carom.gather(*names)
        self.assertEqual(list(gathered["v_last"]), list(whole["v_last"]))
        with self.assertRaisesRegex(carom.Stopped, "2 of 5 runs are in none of the files"):
            carom.gather(names[0])
        with self.assertRaisesRegex(TypeError, "needs output"):
            carom.sweep(CHAIN, over, "v_last", part="1/2")
        with self.assertRaisesRegex(TypeError, "sweeps that the program runs"):
            carom.sweep(CHAIN, {"until": [1.0]}, lambda run: run.t[-1], output="mine.h5")
        with self.assertRaisesRegex(carom.UsageError, "part"):
            carom.sweep(CHAIN, over, "v_last", part="3/2", output="three.h5")

    def test_sweep_of_ones_own(self):
        def soft(d, k=1.0):
            return k * d * d

        table = carom.sweep(CHAIN, {"contacts.k": [1.0, 2.0]}, lambda run: {"peak": run.force.max()},
                            contacts={"law": carom.law(soft), "gamma": None}, until=4)
        self.assertEqual(list(table["contacts.k"]), [1.0, 2.0])
        self.assertGreater(table["peak"][1], table["peak"][0])
        self.assertEqual(list(carom.sweep(CHAIN, {"until": [1.0, 2.0]}, lambda run: run.t[-1])["output"]), [1.0, 2.0])

    def test_compare_and_converge(self):
        table = carom.compare(CHAIN, theories=["compliant", "lzb"])
        self.assertEqual(list(table)[-2:], ["compliant", "lzb"])
        table = carom.compare(CHAIN, {**CHAIN, "start": [{"body": 1, "velocity": 2}]})
        self.assertEqual(len(list(table)), 5)
        table = carom.converge(CHAIN, tols=[1e-4, 1e-6])
        self.assertGreater(table["dv_relative"][0], 5 * table["dv_relative"][1])

    def test_pulse_and_dispersion(self):
        run = carom.run(CHAIN)
        table = carom.pulse(run, contact="2-4")
        self.assertEqual([str(place) for place in table["place"]], ["2", "3", "4"])
        self.assertAlmostEqual(table["peak"][0], run.force[:, 1].max(), delta=1e-3)
        curves = carom.dispersion(scene("precompressed-dimer.yaml"))
        self.assertIn("frequency", " ".join(curves))
        crystal = {"bodies": [{"lattice": {"kind": "fcc", "count": [2, 2, 2], "radius": "5 mm", "material": "steel", "at": [0, 0, 0]}}],
                   "contacts": {"law": "hertz"}, "run": {"until": "1 us"}}
        with self.assertRaisesRegex(carom.Refused, "no contact carries small waves"):
            carom.dispersion(crystal)
        self.assertGreater(len(carom.dispersion(crystal, force="1 N", points=5)), 3)

    def test_fit(self):
        data = {"set start.1.velocity": [0.5, 1.0, 1.5], "v_last": []}
        data["v_last"] = [carom.run(CHAIN, set={"start.1.velocity": v}).v[-1, -1] for v in data["set start.1.velocity"]]
        found = carom.fit(CHAIN, data, {"contacts.gamma": (0.0, 0.2)}, contacts={"gamma": 0.06})
        self.assertAlmostEqual(found["contacts.gamma"], 0.02, delta=1e-5)
        self.assertEqual(list(found.keys["key"]), ["contacts.gamma"])

    def test_verify(self):
        table = carom.verify("james2020", row="eq-9", papers=os.path.join(os.environ["SOURCE"], "papers"))
        self.assertEqual(list(table["verdict"]), ["PASS"])
        self.assertAlmostEqual(table["measured"][0], 0.578, delta=5e-4)

    def test_page(self):
        run = carom.run(CHAIN, until=2)
        shown = run._repr_html_()
        self.assertTrue(shown.startswith("<iframe srcdoc=") and "&lt;script" in shown)
        self.assertEqual(run.page("page.html"), "page.html")
        self.assertIn("<html", open("page.html").read()[:200])

    def test_pictures(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib (python3-matplotlib) is missing")
        matplotlib.use("Agg")
        run = carom.run(CHAIN, until=4)
        for axes in (run.plot.force(), run.plot.velocity([0, 5]), run.plot.displacement(), run.plot.ledger(), run.plot.map("v"),
                     run.plot.map("contact_force")):
            axes.figure.savefig("picture.png")
            self.assertGreater(os.path.getsize("picture.png"), 3000)
            matplotlib.pyplot.close(axes.figure)

    def test_program_that_is_not_there(self):
        code = ("import os, shutil; import carom._program as p; os.environ['CAROM'] = ''; p.__file__ = '/nowhere/x.py'; "
                "os.environ['PATH'] = '/nowhere'\ntry:\n    p.find()\nexcept p.Missing as why:\n    print(why)")
        import sys

        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertIn("was not found", done.stdout, done.stderr)


main()
