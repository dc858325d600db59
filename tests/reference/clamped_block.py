#!/usr/bin/env python3
# The lowest angular frequencies of blocks that are stuck to a wall along x = 0 (E = 1, density 1), by elements of high
# order on meshes that shrink towards the corners there, where stresses are infinite: another way than cells, sharing
# nothing with them. Needs numpy and scipy; tests/cli/solid_wall.py has the numbers.
#
#     clamped_block.py        prints them, with two orders each: what they differ by is the error
import numpy
import scipy.sparse
import scipy.sparse.linalg
from numpy.polynomial import legendre


def lobatto(order):
    inner = legendre.legroots(legendre.legder([0] * order + [1]))
    return numpy.concatenate(([-1.0], numpy.sort(inner), [1.0]))


def lagrange(nodes, at):
    """values and slopes of the polynomials that are 1 at one node and 0 at the others"""
    powers = numpy.vander(nodes, increasing=True)
    coefficient = numpy.linalg.inv(powers)
    value = numpy.vander(at, len(nodes), increasing=True) @ coefficient
    slope = numpy.zeros_like(value)
    for k in range(1, len(nodes)):
        slope += numpy.outer(k * at ** (k - 1), coefficient[k])
    return value, slope


def line(mesh, order):
    """along one axis: integrals of f g, f' g' and f' g"""
    at, weight = legendre.leggauss(order + 2)
    value, slope = lagrange(lobatto(order), at)
    count = order * (len(mesh) - 1) + 1
    mass, stiff, mixed = (scipy.sparse.lil_matrix((count, count)) for _ in range(3))
    for e, (low, high) in enumerate(zip(mesh, mesh[1:])):
        rows = numpy.ix_(range(e * order, e * order + order + 1), range(e * order, e * order + order + 1))
        mass[rows] += (value.T * weight) @ value * (high - low) / 2
        stiff[rows] += (slope.T * weight) @ slope * 2 / (high - low)
        mixed[rows] += (slope.T * weight) @ value
    return mass.tocsr(), stiff.tocsr(), mixed.tocsr()


def product(factors):
    result = factors[0]
    for factor in factors[1:]:
        result = scipy.sparse.kron(result, factor, "csr")
    return result


def frequencies(meshes, order, poisson, held, count):
    """held: (axis, last node?, components) of planes where displacements are 0"""
    axes = range(len(meshes))
    shear, lame = 0.5 / (1 + poisson), poisson / ((1 + poisson) * (1 - 2 * poisson))
    lines = [line(mesh, order) for mesh in meshes]

    def slopes(a, b):
        factors = []
        for c in axes:
            mass, stiff, mixed = lines[c]
            factors.append((stiff if a == b else mixed) if c == a else mixed.T if c == b else mass)
        return product(factors)

    square = sum(slopes(a, a) for a in axes)
    rows = [[lame * slopes(a, b) + shear * slopes(b, a) + (shear if a == b else 0) * square for b in axes] for a in axes]
    stiff = scipy.sparse.bmat(rows, "csr")
    mass = scipy.sparse.block_diag([product([lines[c][0] for c in axes])] * len(meshes), "csr")
    sizes = [lines[c][0].shape[0] for c in axes]
    place = numpy.indices(sizes).reshape(len(meshes), -1)
    free = numpy.ones((len(meshes), place.shape[1]), bool)
    for axis, last, components in held:
        for component in components:
            free[component][place[axis] == (sizes[axis] - 1 if last else 0)] = False
    left = numpy.where(free.ravel())[0]
    square = scipy.sparse.linalg.eigsh(
        stiff[left][:, left].tocsc(), count, mass[left][:, left].tocsc(), sigma=0, return_eigenvectors=False
    )
    return numpy.sqrt(numpy.sort(square))


def towards(length, elements, layers, first):
    """elements that shrink by 0.15 towards 0"""
    shrinking = [first * 0.15**k for k in range(layers, 0, -1)]
    return numpy.array([0.0] + shrinking + list(numpy.linspace(first, length, elements)))


def between(length, layers, first):
    low = list(towards(first, 1, layers, first))
    return numpy.array(low + [0.5 * length] + [length - x for x in reversed(low)])


def plane(poisson, order, layers):
    return frequencies([towards(1, 3, layers, 0.3), between(1, layers, 0.3)], order, poisson, [(0, False, (0, 1))], 3)


def beam(length, poisson, order, layers):
    """bending of a square section of side 1, of which a quarter is enough"""
    section = towards(0.5, 2, layers, 0.25)
    held = [(0, False, (0, 1, 2)), (1, True, (1,)), (2, True, (0, 1))]
    return frequencies([towards(length, 6, layers, 0.25), section, section], order, poisson, held, 1)


if __name__ == "__main__":
    for poisson in (0.0, 0.3):
        for order, layers in ((6, 4), (7, 6)):
            print("plane strain, 1 x 1, nu", poisson, "order", order, plane(poisson, order, layers))
    for length, poisson in ((7.5 / 3, 0.28), (31.5 / 4, 0.3)):
        for order, layers in ((2, 2), (3, 3)):
            print("beam", length, "x 1 x 1, nu", poisson, "order", order, beam(length, poisson, order, layers))
