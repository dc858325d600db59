"""The long form of fault.run_files: every command on many files that were changed or damaged, and the table of outcomes.
Arguments: files of either sort (400), seed."""
import collections
import random
import sys

import strangers
from checks import check, end

COUNT = int(sys.argv[1]) if len(sys.argv) > 1 else 400
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 26
print("seed", SEED)
dice = random.Random(SEED)
good = strangers.make()
old = {}
for kind in good:
    old[kind] = kind + "-old.h5"
    strangers.old_fashioned(good[kind], old[kind])
tally = collections.defaultdict(collections.Counter)
files = collections.Counter()


def attack(sort, kind, what):
    files[sort] += 1
    for command in strangers.commands(kind, "bad.h5"):
        got = strangers.outcome(command)
        tally[sort][got.code] += 1
        check(got.good, what, command, "ended with", got.code, got.said)


everything = [(kind, path, name, change) for kind, file in good.items() for path in strangers.datasets(file)
              for name, change in strangers.changes(path)]
for kind, path, name, change in dice.sample(everything, min(COUNT, len(everything))):
    if strangers.made(good[kind], "bad.h5", change):
        attack("changed", kind, f"{kind} {path} {name}")
for i in range(COUNT):
    kind = dice.choice(list(good))
    plain = dice.random() < 0.6
    name = strangers.damage(old[kind] if plain else good[kind], "bad.h5", dice)
    attack("damaged", kind, f"{kind} {'old ' if plain else ''}{name} {i}")
for sort, codes in tally.items():
    print(f"{files[sort]} {sort} files, {sum(codes.values())} commands:",
          ", ".join(f"exit {code}: {count}" for code, count in sorted(codes.items(), key=str)))
end(COUNT)
