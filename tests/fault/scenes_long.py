"""fault.scenes with every change of every scene; with an argument, every nth of them."""
import sys

import bent_scenes
from scenes import judge

step = int(sys.argv[1]) if len(sys.argv) > 1 else 1
judge([(path, *one) for path in bent_scenes.scenes() for one in bent_scenes.bends(open(path).read())][::step], 1000)
