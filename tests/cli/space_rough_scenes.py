"""The random scenes of space_scenes.py with friction, on floors and slopes: each ends, creates energy only where Newton's e or
Poisson's with friction does, and says so, and is off by no more than what it states. A seed is a scene, as there."""
import random

from checks import end

import space_scenes

PATHS = 1000000  # seeds from here on have impacts along a path


def scene(seed):
    draw = random.Random(10000 + seed)
    text, until, _, tol, reach = space_scenes.scene(draw.randrange(10 ** 9))
    mu = draw.choice((0.05, 0.1, 0.3, 0.5, 1.0))
    text = text.replace("p: 1.5}", "p: 1.5, mu: %g%s}" % (mu, draw.choice(("", "", "", ", mu_static: %g" % (1.3 * mu)))))
    if draw.random() < 0.4:
        text = text.replace("gravity: [0, 0, -10]", "gravity: [%.3f, %.3f, -10]" % (draw.uniform(-3, 3), draw.uniform(-3, 3)))
    return text, until, "moreau" if seed < PATHS else draw.choice(("poisson", "stronge", "lzb")), tol, reach


if __name__ == "__main__":
    space_scenes.main(scene, 400)
    end()
