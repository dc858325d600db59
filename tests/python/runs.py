"""import carom: runs as arrays and tables, from memory and from files; scenes as files, texts and dicts; sentences."""
import gc
import os
import subprocess
import sys
import unittest
from pathlib import Path

from pythons import SOURCE, main, need, scene

carom = need()
import numpy  # noqa: E402

CHAIN = {"units": "none", "bodies": [{"chain": {"count": 4, "mass": 1}}], "contacts": {"law": "hertz", "k": 1},
         "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.1, "probes": ["u", "v", "contact_force"]},
         "run": {"until": 8, "tol": 1e-8}}
TEXT = """{units: none, bodies: [chain: {count: 4, mass: 1}], contacts: {law: hertz, k: 1}, start: [{body: 1, velocity: 1}],
record: {every: 0.1, probes: [u, v, contact_force]}, run: {until: 8, tol: 1e-8}}"""


class Runs(unittest.TestCase):
    def test_memory_file_and_program_agree(self):
        path = scene("steel-chain.yaml")
        run = carom.run(path, output="both.h5")
        subprocess.run([os.environ["CAROM"], "run", path, "-o", "program.h5", "-q"], check=True)
        for name in ("both.h5", "program.h5"):
            old = carom.open(name)
            self.assertEqual(old.probes, run.probes)
            for probe in run.probes:
                self.assertTrue(numpy.array_equal(old[probe], run[probe]), probe)
            self.assertTrue(numpy.array_equal(old.t, run.t) and numpy.array_equal(old.step, run.step))
            self.assertEqual(old.contacts, run.contacts)
            for table in ("events", "episodes", "ledger"):
                a, b = getattr(old, table), getattr(run, table)
                self.assertEqual(list(a), list(b))
                self.assertTrue(all(list(a[c]) == list(b[c]) for c in a), table)
        self.assertAlmostEqual(run.force.max(), 547.7637763429183, delta=1e-3)
        self.assertEqual(run.contacts[-1], "20-wall")
        self.assertEqual((run.v.shape, run.force.shape), ((2001, 20), (2001, 20)))

    def test_no_copies(self):
        run = carom.run(CHAIN)
        v, u = run.v, run.u
        self.assertFalse(v.flags.writeable or v.flags.owndata)
        inside = v.__array_interface__["data"][0] - u.__array_interface__["data"][0]
        self.assertEqual(inside, 4 * 8)  # the columns of one table
        self.assertIs(run.v, v)
        with self.assertRaises(ValueError):
            v[0, 0] = 1.0

    def test_arrays_outlive_everything(self):
        run = carom.run(CHAIN)
        v, kept = run.v, run.v.copy()
        del run
        gc.collect()
        others = [carom.run(CHAIN, until=2) for _ in range(5)]
        self.assertTrue(numpy.array_equal(v, kept) and len(others) == 5)

    def test_dict_text_and_path_are_one(self):
        a, b = carom.run(CHAIN), carom.run(TEXT)
        Path("chain.yaml").write_text(TEXT)
        c, d = carom.run(Path("chain.yaml")), carom.run("chain.yaml")
        for other in (b, c, d):
            self.assertTrue(numpy.array_equal(a.v, other.v))

    def test_overrides(self):
        run = carom.run(CHAIN, until=3, tol=None, contacts={"k": 4}, bodies={"chain": {"count": 6}}, scheme="verlet",
                        step=0.001, set={"start.1.velocity": 2})
        self.assertEqual((run.t[-1], run.v.shape[1], run.scheme, run.v[0, 0]), (3.0, 6, "verlet", 2.0))
        again = carom.run(carom.run(CHAIN, until=3), until=2)
        self.assertEqual(again.t[-1], 2.0)
        other = carom.run(CHAIN, start=[{"body": 4, "velocity": numpy.float64(-1.0)}])
        self.assertEqual(other.v[0, 3], -1.0)

    def test_sentences(self):
        wrong = sorted(Path(SOURCE, "tests", "scenes-wrong").glob("*.yaml"))
        seen = 0
        for path in wrong:
            head = path.read_text(encoding="utf-8").split("\n")[0].split(" ", 3)
            place, _, sentence = head[3].partition(": ")
            if ":" not in place or not place.replace(":", "").isdigit() or path.name.startswith("run-"):
                continue
            with self.assertRaises((carom.Error, MemoryError), msg=path.name) as caught:
                carom.Sim(str(path))
            error = caught.exception
            self.assertEqual(error.status, int(head[2]), path.name)
            self.assertEqual([error.line, error.column], [int(n) for n in place.split(":")], path.name)
            said, wanted = str(error), f"{path}:{head[3]}"
            self.assertTrue(said.startswith(wanted[:-3]) if wanted.endswith("...") else said == wanted, (said, wanted))
            seen += 1
        self.assertGreater(seen, 300)

    def test_nearest(self):
        with self.assertRaises(carom.SceneError) as caught:
            carom.run(CHAIN, contacts={"law": "herz"})
        self.assertEqual(caught.exception.nearest, "hertz")
        with self.assertRaises(carom.SceneError) as caught:
            carom.run({**CHAIN, "contacts": {"law": "hertz", "k": -1}})
        self.assertEqual(caught.exception.source, '"k": -1')
        with self.assertRaises(carom.FileError):
            carom.run("nothing.yaml")
        with self.assertRaises(carom.FileError):
            carom.open("nothing.h5")
        with self.assertRaises(KeyError) as missing:
            carom.run(CHAIN)["gap"]
        self.assertIn("record: {probes: [gap]}", str(missing.exception))

    def test_save_again(self):
        run = carom.run(CHAIN)
        run.save("again.h5")
        self.assertTrue(numpy.array_equal(carom.open("again.h5").v, run.v))

    def test_space(self):
        path = sorted(Path(SOURCE, "scenes", "space").glob("*.yaml"))[0]
        run = carom.run(str(path), record={"probes": ["u", "v", "contacts"]})
        self.assertEqual(run.v.ndim, 3)
        touching = [len(run.touching(i)) for i in range(len(run))]
        self.assertGreater(max(touching), 0)
        self.assertTrue(set(run.touching(touching.index(max(touching))).dtype.names) >= {"pair", "force", "gap"})

    def test_without_pandas(self):
        code = ("import sys; sys.modules['pandas'] = None; import carom; r = carom.run(%r); "
                "assert isinstance(r.ledger, dict) and r.ledger['kinetic'][0] == 0.5" % CHAIN)
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_hints(self):
        hints = Path(carom.__file__).with_name("__init__.pyi").read_text()
        compile(hints, "hints", "exec")
        for name in carom.__all__:
            self.assertRegex(hints, rf"(class|def) {name}\b|^{name}:" if name != "BATCH_CDEF" else "BATCH_CDEF")
        self.assertIn("tol: Union[float, str]", hints)
        self.assertIn("kuwabara-kono", carom.Law.__doc__)


main()
