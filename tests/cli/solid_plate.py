"""A sphere on a large glass plate, beside the elastic layer that the plate is: its response to a point force, from Rayleigh and Lamb's equations in
Laplace's variable, less that of a half-space at rest, which Hertz's law has, and the law itself, stepped by convolution quadrature (Lubich 1988). With
Kirchhoff's response instead the same steps give Zener's number. Cells add what a patch of their size yields at rest, which the law has, too."""
import math
import os
import subprocess

import h5py
import numpy

from checks import check, end, fresh, some

RADIUS, YOUNG, POISSON, DENSITY = 5e-3, 7e10, 0.22, 2500.0
SHEAR = YOUNG / 2 / (1 + POISSON)
SLOW = math.sqrt(SHEAR / DENSITY)
FAST = SLOW * math.sqrt(2 * (1 - POISSON) / (1 - 2 * POISSON))
PLATE = YOUNG / (1 - POISSON**2)
K = 4 / 3 * math.sqrt(RADIUS) / (1 / PLATE + (1 - 0.3**2) / 2.03e11)
MASS = 4 / 3 * math.pi * RADIUS**3 * 7780


def quadrature(thick):
    point, weight = numpy.polynomial.legendre.leggauss(24)
    edge = numpy.concatenate([[0], numpy.geomspace(1e-3, 1e6, 160)]) / thick
    middle, half = (edge[1:] + edge[:-1]) / 2, (edge[1:] - edge[:-1]) / 2
    return (middle[:, None] + half[:, None] * point).ravel(), (half[:, None] * weight).ravel()


def layer(s, thick, k, weight):
    """Displacement under a point force, without that of the half-space at rest, of which for short waves a part with k^-3 is left."""
    a, b = numpy.sqrt(k * k + (s / FAST) ** 2), numpy.sqrt(k * k + (s / SLOW) ** 2)
    bend, squeeze = numpy.tanh(a * thick / 2), numpy.tanh(b * thick / 2)
    q, mixed, top = (k * k + b * b) ** 2, 4 * k * k * a * b, (s / SLOW) ** 2 * a / SHEAR
    yields = (top / (q * bend - mixed * squeeze) + top / (q / bend - mixed / squeeze)) / 2 - (1 - POISSON) / (SHEAR * k)
    last = numpy.searchsorted(k, max(60 / thick, 300 * abs(s) / SLOW))
    return ((weight * k * yields)[:last].sum() + yields[last] * k[last] ** 2) / (2 * math.pi)


def kirchhoff(s, thick, k, weight):
    return (weight * k / (PLATE * thick**3 / 12 * k**4 + DENSITY * thick * s * s)).sum() / (2 * math.pi)


def leaves(response, thick, until, patch=0.0, n=250):
    """What is left of the speed of 1 m/s, where the plate also yields by `patch` times the force."""
    step, rounds, (k, weight) = until / n, 2 * n, quadrature(thick)
    shrink = 1e-8 ** (1 / rounds)
    z = shrink * numpy.exp(2j * math.pi * numpy.arange(n + 1) / rounds)
    symbol = numpy.array([response(s / step, thick, k, weight) for s in (1 - z) + (1 - z) ** 2 / 2])
    share = (numpy.fft.fft(numpy.concatenate([symbol, symbol[1:-1][::-1].conj()])).real / rounds * shrink ** -numpy.arange(rounds))[:n]
    force, way, speed = numpy.zeros(n), 0.0, 1.0
    for i in range(1, n):
        yielded, f = share[i:0:-1] @ force[:i], force[i - 1]
        for _ in range(60):
            depth = max(way + step * (speed - step / 4 * (force[i - 1] + f) / MASS) - yielded - (share[0] + patch) * f, 0.0)
            f = max(f - (f - K * depth**1.5) / (1 + 1.5 * K * depth**0.5 * (step * step / 4 / MASS + share[0] + patch)), 0.0)
        after = speed - step / 2 * (force[i - 1] + f) / MASS
        way, speed, force[i] = way + step / 2 * (speed + after), after, f
        if i > 20 and f == 0.0:
            break
    return -speed


def struck(thick, until):
    cell = thick / 2
    side = 2 * round(0.06 / cell) * cell
    with open("plate.yaml", "w") as file:
        file.write("theory: solid\nbodies:\n  - solid: {box: {size: [%g, %g, %g], cells: [%d, %d, 2]}, material: {young: %g, poisson: %g, density: %g}}\n"
                   "  - sphere: {at: [%g, %g, %g], radius: %g, material: steel, velocity: [0, 0, -1]}\ncontacts: {law: hertz}\nrun: {until: %g}\n"
                   "record: {every: %g, cells: none, probes: [u, v]}\n"
                   % (side, side, thick, round(side / cell), round(side / cell), YOUNG, POISSON, DENSITY, side / 2, side / 2, thick + RADIUS, RADIUS, until, until))
    subprocess.run([os.environ["CAROM"], "run", "plate.yaml", "-o", fresh("plate.h5"), "-q"], check=True)
    with h5py.File("plate.h5", "r") as file:
        return file["particles/balls/velocity/value"][-1].ravel()[2]


for thick, until, zener in some(((5e-3, 8e-5, 0.5472), (3e-3, 1e-4, 0.1819)), 2):
    patch = 0.95 / PLATE / (thick / 2)  # the mean under a square of a cell
    got = struck(thick, until), leaves(layer, thick, until), leaves(layer, thick, until, patch), leaves(kirchhoff, thick, until)
    print("%g mm: carom %.4f, layer %.4f, with a patch of a cell %.4f; Kirchhoff %.4f (Zener %.4f)" % ((thick * 1e3,) + got + (zener,)))
    check(abs(got[3] - zener) < 3e-4, "Zener's equation")
    check(got[1] < got[3], "a plate that shears takes more")
    check(abs(got[0] - got[2]) < 2e-3, "cells yield as a patch does", got)
end()
