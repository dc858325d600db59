"""fault.scenes with every seventh change of every scene, from one on that the seed says; with another number behind it, every nth:
`scenes_long.py 0 1` tries all, which takes an hour."""
import sys

import bent_scenes
from scenes import judge

seed, step = (int(word) for word in (sys.argv[1:] + ["26", "7"][len(sys.argv) - 1:])[:2])
print("seed", seed)
judge([case for path in bent_scenes.scenes() for case in bent_scenes.cases(path)][seed % step::step], 1000)
