"""import carom: names stand at the bodies and contacts they belong to, in memory, in files and in pictures."""
import unittest

from pythons import main, need, scene

carom = need()
import numpy  # noqa: E402

ROW = {"units": "none", "bodies": [{"chain": {"count": 6, "mass": 1}}], "contacts": {"law": "kuwabara-kono", "k": 1, "gamma": 0.02},
       "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.1, "probes": ["u", "v", "contact_force"]},
       "run": {"until": 12, "tol": 1e-8}}
DISCS = {"units": "none", "bodies": [{"disc": {"radius": 1, "mass": 1, "at": [0, 0], "velocity": [1, 0.5]}},
                                     {"disc": {"radius": 1, "mass": 1, "at": [2.5, 0]}}],
         "contacts": {"law": "hertz", "k": 100}, "run": {"until": 1},
         "record": {"every": 0.05, "probes": ["u", "v", "position", "contacts"]}}


class Names(unittest.TestCase):
    def both(self, one, **more):
        """a run in memory, and its file"""
        run = carom.run(one, output="named.h5", **more)
        return run, carom.open("named.h5")

    def test_units(self):
        for run in self.both(ROW):
            self.assertEqual(set(run.units.values()), {"1"})
        for run in self.both(scene("one-collision.yaml")):
            self.assertEqual((run.units["v"], run.units["kinetic"]), ("m/s", "J"))

    def test_beads_and_contacts_that_were_chosen(self):
        whole = carom.run(ROW)
        for run in self.both({**ROW, "record": {"every": 0.1, "beads": [5, 2], "contacts": [3, 1]}}):
            self.assertEqual((run.bodies, run.contacts), (["2", "5"], ["1-2", "3-4"]))
            self.assertTrue(numpy.array_equal(run.v, whole.v[:, [1, 4]]) and numpy.array_equal(run.u, whole.u[:, [1, 4]]))
            self.assertTrue(numpy.array_equal(run.force, whole.force[:, [0, 2]]))
            self.assertEqual(list(run.episodes["contact"]), list(whole.episodes["contact"]))

    def test_many_chosen(self):
        many = carom.run(ROW, bodies={"chain": {"count": 12}}, record={"probes": None, "beads": [2, 10, 11]}, output="named.h5")
        self.assertEqual((many.bodies, carom.open("named.h5").bodies), (["2", "10", "11"],) * 2)
        self.assertTrue(numpy.array_equal(many.v, carom.open("named.h5").v))

    def test_curves(self):
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib (python3-matplotlib) is missing")
        matplotlib.use("Agg")

        def labels(axes):
            found = {line.get_label(): line.get_ydata() for line in axes.lines}
            matplotlib.pyplot.close(axes.figure)
            return found

        for run in self.both(DISCS):
            drawn = labels(run.plot.velocity(which=[1]))
            self.assertEqual(list(drawn), ["2 x", "2 y"])
            self.assertTrue(all(numpy.array_equal(drawn[f"2 {'xy'[k]}"], run.v[:, 1, k]) for k in (0, 1)))
            self.assertEqual(list(labels(run.plot.velocity())), ["1 x", "1 y", "2 x", "2 y"])
        for run in self.both({**ROW, "record": {"every": 0.1, "beads": [2, 5], "contacts": [3]}}):
            self.assertEqual(list(labels(run.plot.velocity())), ["2", "5"])
            self.assertEqual(list(labels(run.plot.force())), ["3-4"])
            self.assertEqual(list(labels(run.plot.lines("kinetic"))), ["kinetic"])
            axes = run.plot.map("v")
            self.assertEqual([axes.xaxis.get_major_formatter()(x, 0) for x in (1, 1.5, 2, 3)], ["2", "", "5", ""])
            matplotlib.pyplot.close(axes.figure)
        axes = carom.run(ROW).plot.force()
        self.assertEqual(axes.get_ylabel(), "contact_force")  # no unit
        matplotlib.pyplot.close(axes.figure)

    def test_contacts_of_solids(self):
        for run in self.both(scene("solid-struck.yaml"), until="20 us"):
            self.assertEqual(run.contacts, ["solid-ball 1"])
            self.assertEqual(run.bodies[-1], "ball 1")
            self.assertTrue(all(name.startswith("cell ") for name in run.bodies[:-1]))
        for run in self.both(scene("solid-wall.yaml"), until="5 us"):
            self.assertEqual(run.contacts[:4], ["block-lower", "block-upper", "lower-upper", "block-floor"])
            self.assertEqual(run.bodies[0], "block 1")

    def test_parts_stand_in_one_order(self):
        run, file = self.both(scene("solid-hammer.yaml"), until="50 us")
        for probe in ("u", "v"):
            self.assertTrue(numpy.array_equal(run[probe], file[probe]), probe)
            self.assertEqual(run.names(probe), file.names(probe))

    def test_cells_that_were_chosen(self):
        for run in self.both(scene("solid-bar.yaml"), until="20 us"):
            self.assertEqual(run.bodies[0], "41")  # of 20 x 2 x 2, those of the top
            self.assertEqual(len(run.bodies), run.u.shape[1])

    def test_contacts_of_mechanisms(self):
        for run in self.both(scene("mechanisms/rocking-block-shaken.yaml"), until=1):
            self.assertEqual(run.contacts, ["1", "2"])
            self.assertTrue(set(run.events["contact"]) <= {1, 2})

    def test_touching(self):
        for run in self.both({**DISCS, "run": {"until": 0.1}}):  # nobody has touched yet
            self.assertEqual([len(run.touching(i)) for i in range(len(run))], [0] * len(run))
        with self.assertRaises(KeyError):
            carom.run(DISCS, record={"probes": ["v"]}).touching(0)


main()
