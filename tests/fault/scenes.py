"""Scenes of scenes/ with one thing changed: `carom check` answers, or says one sentence with its code; it neither crashes nor
hangs, and no number of its answer is nan. One change of every scene here, all in the long test of this name."""
import collections
import random
import sys

import bent_scenes
from checks import check, end


def judge(cases, least):
    counts = collections.Counter()
    for (scene, what, *_), (code, said, good) in bent_scenes.outcomes(cases):
        counts[code] += 1
        check(good, scene, what, "ended with", code, said)
    print(", ".join(f"exit {code} {count}" for code, count in sorted(counts.items(), key=str)))
    end(least)


if __name__ == "__main__":
    SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 26
    EACH = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    print("seed", SEED)
    dice = random.Random(SEED)
    some = []
    for path in bent_scenes.scenes():
        known = bent_scenes.cases(path)
        some += dice.sample(known, min(EACH, len(known)))
    judge(some, 180)
