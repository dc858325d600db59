"""Sims, arrays, callbacks, files and threads used in random order, with numbers that are no numbers and exceptions from
everywhere: nothing crashes, and everything that is refused is refused by an exception that is named here."""
import gc
import math
import os
import random
import sys
import threading
import time

from checks import check, end
from pythons import need

carom = need()
CHAIN = {"units": "none", "bodies": [{"chain": {"count": 4, "mass": 1}}], "contacts": {"law": "hertz", "k": 1},
         "start": [{"body": 1, "velocity": 1}], "record": {"every": 0.1, "probes": ["u", "v", "contact_force"]},
         "run": {"until": 8, "tol": 1e-6}}
BALL = {"units": "none", "theory": "nonsmooth", "bodies": [{"mechanism": {"kind": "ball", "gravity": 10}}],
        "contacts": {"e": 0.8}, "start": [{"body": 1, "displacement": 1}], "run": {"until": 5},
        "record": {"every": 0.05, "probes": ["u", "v"]}}
DISCS = {"units": "none", "bodies": [{"disc": {"at": [0, 0], "radius": 1, "mass": 1, "velocity": [1, 0]}},
                                     {"disc": {"at": [2.5, 0.5], "radius": 1, "mass": 1}}],
         "contacts": {"law": "hertz", "k": 10}, "run": {"until": 6, "tol": 1e-6},
         "record": {"every": 0.1, "probes": ["u", "v", "contacts"]}}
REFUSALS = (carom.Error, RuntimeError, KeyError, ValueError)


class Hands:
    """Holds sims and arrays, and does something to them."""

    def __init__(self, seed):
        self.random, self.sims, self.arrays, self.seed = random.Random(seed), [], [], seed

    def law(self, d, k=1.0):
        if self.random.random() < 1e-5:
            raise ValueError("a law fails")
        return k * d * math.sqrt(d)

    def file(self):
        return f"random{self.seed}-{self.random.randrange(4)}.h5"

    def make(self):
        pick = self.random
        more = {"output": self.file()} if pick.random() < 0.2 else {"keep": pick.random() < 0.9}
        law = carom.Law("own", self.law, params={"k": 1.0})
        wave = carom.Signal("wave", math.sin, over=(0, 8))
        ball = carom.System(1, lambda q: [1], lambda t, q, v: [-10.0], [lambda t, q: q[0]], constant=True)
        kinds = [lambda: carom.Sim(CHAIN, **more), lambda: carom.Sim(BALL, **more), lambda: carom.Sim(DISCS, **more),
                 lambda: carom.Sim({**CHAIN, "contacts": {"law": law, "k": 1}}, **more),
                 lambda: carom.Sim({**CHAIN, "loads": [{"body": 1, "force": {"shape": wave, "amplitude": 1}}]}, **more),
                 lambda: carom.Sim.of(ball, [1], [0], until=3, contacts={"e": 0.5}, every=0.1)]
        self.sims.append(pick.choice(kinds)())

    def write(self, sim):
        numbers = self.random.choice([sim.state.v, sim.state.x])
        numbers[self.random.randrange(len(numbers))] = self.random.choice([0, 1, -1, 1e300, math.nan, math.inf, 0.1])

    def record(self, sim):
        run = sim.recorded()
        self.arrays.append(run.v)
        run.events, run.episodes, run.ledger

    def hear(self, sim):
        def look(what):
            if self.random.random() < 0.01:
                raise KeyError("a callback fails")
            sim.state.v.sum(), sim.ledger

        self.random.choice([sim.on_sample, sim.on_contact])(look)

    def read(self, sim):
        if os.path.exists(name := self.file()):
            run = carom.open(name)
            self.arrays.append(run["v"])
            run.events, run.episodes

    def share(self, sim):
        other = threading.Thread(target=quietly, args=(sim.run,))
        other.start()
        for call in (sim.step, lambda: sim.state.v.sum(), sim.recorded, sim.close):
            quietly(call)
        other.join()

    def hold(self, sim):
        self.arrays.append(self.random.choice([sim.state.v, sim.state.x, sim.state.force]))
        for array in self.arrays:
            array.sum()

    def drop(self, sim):
        self.sims.remove(sim)
        gc.collect()

    def act(self):
        pick = self.random
        if not self.sims or pick.random() < 0.1:
            self.make()
        sim = pick.choice(self.sims)
        pick.choice([lambda: sim.step(pick.randrange(20)), lambda: sim.to(sim.t + pick.random()), sim.run, sim.close,
                     lambda: sim.to(sim.t + pick.random(), exact=True), lambda: (sim.ledger, sim.hash, repr(sim)),
                     *(lambda f=f: f(sim) for f in (self.write, self.record, self.hear, self.read, self.share, self.hold,
                                                    self.drop))])()
        del self.sims[8:], self.arrays[:-40]


def quietly(call):
    try:
        call()
    except REFUSALS:
        pass


acts = 0
for seed in range(4):
    hands, until = Hands(seed), time.monotonic() + 5.0
    while time.monotonic() < until:
        try:
            hands.act()
        except REFUSALS:
            pass
        acts += 1
check(acts > 500, acts, "acts", sys.version)
end()
