"""import carom: sims that are stepped, read, changed and heard; interrupts, exceptions, threads, forks and other misuse."""
import gc
import io
import os
import pickle
import signal
import sys
import threading
import time
import unittest
import weakref

from pythons import main, need, scene

carom = need()
import numpy  # noqa: E402

CHAIN = {"units": "none", "bodies": [{"chain": {"count": 4, "mass": 1}}], "contacts": {"law": "hertz", "k": 1},
         "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.1, "probes": ["u", "v", "contact_force"]},
         "run": {"until": 8, "tol": 1e-8}}
BALL = {"units": "none", "theory": "nonsmooth", "bodies": [{"mechanism": {"kind": "ball", "gravity": 10}}],
        "contacts": {"e": 0.8}, "start": [{"body": 1, "displacement": 1}], "run": {"until": 10},
        "record": {"every": 0.01, "probes": ["u", "v"]}}
LONG = {**CHAIN, "run": {"until": 1e9, "scheme": "verlet", "step": 0.001}, "record": {"every": 1e8}}


class Sims(unittest.TestCase):
    def test_pieces_give_the_bits_of_a_run(self):
        whole, pieces = carom.Sim(CHAIN), carom.Sim(CHAIN)
        whole.run()
        for t in (1.0, 2.5, 2.6):
            pieces.to(t)
            self.assertEqual(pieces.t, t)
        pieces.step(7)
        while not pieces.ended:
            pieces.step()
        self.assertEqual(whole.hash, pieces.hash)
        self.assertTrue(numpy.array_equal(whole.recorded().v, pieces.recorded().v))

    def test_state_is_live(self):
        sim = carom.Sim(CHAIN)
        state, v = sim.state, sim.state.v
        self.assertTrue(state is sim.state and v[0] == 1.0)
        sim.to(4.0)
        self.assertLess(v[0], 0.5)
        self.assertEqual(state.t, 4.0)
        self.assertEqual(len(state.force), 3)

    def test_changes_count_as_work(self):
        sim = carom.Sim(BALL)
        for second in range(1, 10):
            sim.to(second, exact=True)
            sim.state.v[0] = (2 * 10 * (1 - sim.state.x[0])) ** 0.5
        sim.to(10)
        ledger = sim.ledger
        self.assertGreater(ledger["work"], 1.0)
        self.assertLess(abs(ledger["residual"]), 1e-6)

    def test_changes_behind_the_step_are_refused(self):
        sim = carom.Sim(CHAIN)
        sim.to(3.0)
        before = sim.state.v.copy()
        sim.state.v = before + 1.0  # the numbers, not the name
        self.assertTrue(numpy.array_equal(sim.state.v, before + 1.0))
        sim.state.v = before
        sim.state.v[2] = 9.0
        with self.assertRaises(carom.UsageError) as caught:
            sim.to(4.0)
        self.assertIn("exact=True", str(caught.exception))
        self.assertTrue(numpy.array_equal(sim.state.v, before))
        sim.step()
        sim.state.v[2] = 2.0
        sim.step()
        self.assertGreater(sim.state.v[2], 1.5)

    def test_wrong_numbers_are_refused(self):
        sim = carom.Sim(CHAIN)
        sim.step()
        before = sim.state.v.copy()
        sim.state.v[1] = float("nan")
        with self.assertRaises(carom.Error):
            sim.step()
        self.assertTrue(numpy.array_equal(sim.state.v, before))
        sim.to(8.0)
        for wrong in ("x", None, [1]):
            with self.assertRaises(TypeError):
                sim.to(wrong)
        for t in (-1.0, 99.0, float("nan")):
            with self.assertRaises(carom.Error):
                sim.to(t)
        with self.assertRaises((TypeError, OverflowError)):
            sim.step(-1)
        with self.assertRaises(ValueError):
            sim.state.v[:] = numpy.zeros(3)
        with self.assertRaises(ValueError):
            sim.state.v[:] = "text"

    def test_callbacks(self):
        sim, times, events = carom.Sim(CHAIN), [], []

        @sim.on_sample
        def sample(s):
            times.append(s.t)
            self.assertEqual(s.state.t, s.t)
            with self.assertRaises(ValueError):
                s.state.v[0] = 1.0
            with self.assertRaises(RuntimeError):
                s.step()

        sim.on_contact(events.append)
        run = sim.run()
        self.assertEqual(times, list(run.t))
        self.assertEqual([e.kind for e in events], list(run.events["kind"]))
        sim.state.v[0] = 3.0  # writable again

    def test_exceptions_pass_through(self):
        sim, seen = carom.Sim(CHAIN), []

        def fail(s):
            seen.append(s.t)
            if s.t >= 3.0 and len(seen) < 40:
                raise KeyError("enough")

        sim.on_sample(fail)
        with self.assertRaises(KeyError):
            sim.run()
        self.assertLess(sim.t, 4.0)
        plain = carom.Sim(CHAIN)
        seen.extend(range(40))
        self.assertTrue(numpy.array_equal(sim.run().v, plain.run().v))  # one may go on

    def test_interrupt(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started this in the background has it ignored
        sim = carom.Sim(LONG, output="long.h5")
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with self.assertRaises(KeyboardInterrupt) as caught:
            sim.run()
        self.assertIs(caught.exception.sim, sim)
        reached = sim.t
        self.assertGreater(reached, 0.0)
        sim.step(10)
        again = carom.resume("long.h5", until=reached + 5000.0)  # though the sim, which the exception has, holds the file
        self.assertTrue(again.complete and sim.closed)

    def test_resume_with_a_law_of_ones_own(self):
        soft = carom.law(lambda d, k=1.0: k * d * d, name="soft")
        scene = {**CHAIN, "contacts": {"law": "soft", "k": 1}}
        whole = carom.run(scene, laws=[soft], output="whole.h5")
        sim = carom.Sim(scene, laws=[soft], output="part.h5")

        @sim.on_sample
        def stop(s):
            if s.t > 4.0:
                raise StopIteration

        self.assertRaises(StopIteration, sim.run)
        sim.close()
        self.assertFalse(carom.open("part.h5").complete)
        with self.assertRaises(carom.SceneError):
            carom.resume("part.h5")
        again = carom.resume("part.h5", laws=[soft])
        self.assertTrue(again.complete and numpy.array_equal(again.v, whole.v))
        self.assertEqual(list(again.events["t"]), list(whole.events["t"]))
        self.assertTrue(numpy.array_equal(carom.resume("part.h5").v, whole.v))  # nothing is left to do
        self.assertEqual(carom.resume("part.h5", until=9, laws=[soft]).t[-1], 9.0)
        with self.assertRaises(carom.UsageError):
            carom.resume("part.h5", until=2, laws=[soft])

    def test_progress(self):
        seen = []
        sim = carom.Sim(LONG, progress=False)

        def show(done, phase):
            seen.append(phase)
            if len(seen) > 2:
                raise KeyError("enough")

        sim._native.hear(None, None, show)
        with self.assertRaises(KeyError):
            sim.run()
        self.assertEqual(seen[0], "run")

    def test_bar(self):
        class Terminal(io.StringIO):
            def isatty(self):
                return True

        real, sys.stderr = sys.stderr, Terminal()
        try:
            bar = carom.Progress()
            bar._begun -= 1.0
            bar(0.5, "run")
            bar(0.6, "run")  # too soon to be drawn
            bar.end()
            shown = sys.stderr.getvalue()
        finally:
            sys.stderr = real
        self.assertEqual(shown.count("#"), 15)
        self.assertIn("run [###############...............]  50.0 %", shown)
        self.assertFalse(carom.Progress(False).wanted)

    def test_threads(self):
        done, ticks = [], [0]

        def work(k):
            done.append(carom.Sim(CHAIN, output=f"thread{k}.h5", until=400).run().v[-1].copy())

        workers = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for worker in workers:
            worker.start()
        while any(worker.is_alive() for worker in workers):
            ticks[0] += 1
            time.sleep(0.001)
        self.assertEqual(len(done), 4)
        self.assertTrue(all(numpy.array_equal(done[0], one) for one in done))
        sim, caught = carom.Sim(LONG), []
        other = threading.Thread(target=lambda: caught.append(self.assertRaises(KeyError, sim.run)))
        stop = threading.Event()
        sim.on_sample(lambda s: None)
        sim._native.hear(None, None, lambda d, p: (_ for _ in ()).throw(KeyError("stop")) if stop.is_set() else None)
        other.start()
        time.sleep(0.1)
        for call in (sim.step, sim.recorded, sim.close, lambda: sim.to(1.0), lambda: sim.ledger, lambda: sim.hash):
            with self.assertRaises(RuntimeError):
                call()
        self.assertGreaterEqual(sim.t, 0.0)
        stop.set()
        other.join()

    def test_fork(self):
        sim = carom.Sim(CHAIN, output="forked.h5")
        sim.step()
        child = os.fork()
        if child == 0:
            code = 1
            try:
                sim.step()
            except RuntimeError:
                code = 0
            other = carom.Sim(CHAIN)
            other.to(1.0)
            del sim, other
            gc.collect()
            os._exit(code)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        sim.run()
        sim.close()
        self.assertTrue(carom.open("forked.h5").complete)

    def test_closed(self):
        sim = carom.Sim(CHAIN)
        v = sim.state.v
        sim.to(2.0)
        kept = v.copy()
        with sim:
            pass
        self.assertTrue(sim.closed and numpy.array_equal(v, kept))
        v[0] = 5.0  # nobody's any more, and still there
        for call in (sim.step, sim.run, sim.recorded, lambda: sim.to(3.0), lambda: sim.ledger, lambda: sim.t):
            with self.assertRaises(RuntimeError):
                call()
        sim.close()
        repr(sim)

    def test_cycles_are_collected(self):
        sim = carom.Sim(CHAIN)
        sim.on_sample(lambda s, sim=sim: None)
        gone = weakref.ref(sim)
        del sim
        gc.collect()
        self.assertIsNone(gone())

    def test_no_leaks(self):
        def size():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1]) * 4096

        def work():
            for _ in range(60):
                sim = carom.Sim(CHAIN)
                sim.on_contact(lambda e: None)
                sim.to(2.0)
                sim.state.v[0]
                sim.recorded().events
                try:
                    carom.Sim(CHAIN, contacts={"law": "none"})
                except carom.Error:
                    pass
            gc.collect()

        work()
        before = size()
        work()
        work()
        self.assertLess(size() - before, 4 << 20)

    def test_pickle_of_errors(self):
        error = pickle.loads(pickle.dumps(carom.SceneError("a.yaml:3:4: unknown key 'x', did you mean 'y'?")))
        self.assertEqual((error.line, error.column, error.nearest), (3, 4, "y"))

    def test_hostile_arguments(self):
        for wrong in (None, 3, b"bytes", [], object()):
            with self.assertRaises(TypeError):
                carom.Sim(wrong)
        with self.assertRaises(TypeError):
            carom.Sim({"a": object()})
        with self.assertRaises((carom.Error, ValueError)):
            carom.Sim("a\0b: 1\n")
        with self.assertRaises(carom.Error):
            carom.Sim(CHAIN, set=["no equals sign"])
        with self.assertRaises(carom.Error):
            carom.run(CHAIN, output="/nowhere/at/all.h5")
        with self.assertRaises(carom.Error):
            carom.open(scene("steel-chain.yaml"))
        native = carom._native
        for call in (lambda: native.sim("a", "b", [1], [], [], None, True), lambda: native.sim("a", "b", [], [{}], [], None, 1),
                     lambda: native.sim(), lambda: native.Sim(), lambda: native.RunFile(3)):
            with self.assertRaises((TypeError, ValueError, SystemError, carom.Error)):
                call()


main()
