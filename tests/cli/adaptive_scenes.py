"""The random scenes of space_scenes.py and, with friction, of space_rough_scenes.py under moreau-adaptive: each ends, its ledger closes, and it is off by
no more than what it states, beside scheme event at tolerances that are far smaller. A seed is a scene: give one or two of them to see it again, or a
range, and ask `--all` for the campaign; odd ones have friction."""
import sys

from checks import check, end

import space_rough_scenes
import space_scenes


def scene(seed):
    """As there: law, as both schemes call it, and tolerance are for steps that are extrapolated."""
    kind = space_rough_scenes if seed % 2 else space_scenes
    text, until, law, tol, reach = kind.scene(seed // 2 + 1)
    law = "newton" if law == "moreau" else law
    return text, until, law, max(10 * tol, 1e-8), reach


def look_at(seed, tally):
    text, until, law, tol, reach = scene(seed)
    got, said = space_scenes.run("adaptive", text, until, law, tol, 0, 120, "moreau-adaptive")
    tally["scenes"] += 1
    if not got:
        tally["sentences"] += 1
        print("%6d %-8s %s" % (seed, law, said[:240]), flush=True)
        check("holds what those before it hold" in said, "seed", seed, law, said)
        return
    check(got["residual"] <= max(10 * tol, 1e-9) * got["kinetic"], "seed", seed, law, "its ledger is off by", got["residual"])
    if "NO PROMISE" in said or got["stated"] > tol:
        tally["no promise"] += 1
        return
    exact = "moreau" if law == "newton" else law
    finer = [space_scenes.run("finer", text, until, exact, *fine, 60)[0] for fine in ((1e-11, 0), (1e-12, 0.01))]
    if not all(finer) or not space_scenes.off(*finer, reach) <= max(0.1 * got["stated"], 1e-11):
        tally["not compared"] += 1
        return
    ratio = space_scenes.off(got, finer[1], reach) / max(got["stated"], 1e-11)  # what is less is rounding of both
    tally["worst"] = max(tally["worst"], ratio)
    tally["above 1"] += ratio > 1
    tally["above tol"] += ratio * got["stated"] > tol
    if ratio > 0.5:
        print("%6d %-8s tol %g: off by %.3g of %.3g" % (seed, law, tol, ratio, got["stated"]), flush=True)
    check(ratio <= 1.5, "seed", seed, law, "tol", tol, "is off by", ratio, "times what it states,", got["stated"])


words = [int(w) for w in sys.argv[1:] if w.isdigit()]
first, count = words[0] if words else 1, words[1] if len(words) > 1 else 1 if words else 200 if "--all" in sys.argv else 8
tally = dict.fromkeys(("scenes", "sentences", "no promise", "not compared", "above 1", "above tol"), 0)
tally["worst"] = 0.0
for seed in range(first, first + count):
    look_at(seed, tally)
print("seeds %d to %d:" % (first, first + count - 1), ", ".join("%s %.3g" % pair for pair in tally.items()))
end()
