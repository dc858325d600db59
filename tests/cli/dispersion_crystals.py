"""carom dispersion of crystals: bands of square, hexagonal, sc, bcc and fcc lattices against closed forms, of hcp
against a matrix made here, normal modes of finite ones against closed forms and a matrix made here, friction and
turning, static forces, and what is refused."""
import csv
import math
import os
import subprocess

import numpy

from checks import check, end, near

CAROM, SOURCE = os.environ["CAROM"], os.environ["SOURCE"]
K, M = 3.0, 2.0  # stiffness and mass


def carom(*arguments):
    return subprocess.run([CAROM, "dispersion", *arguments], capture_output=True, text=True, timeout=100)


def write(name, kind, count, contacts="law: power, k: 3, p: 1", more=""):
    at = "[0, 0]" if kind in ("square", "hexagonal") else "[0, 0, 0]"
    with open(name + ".yaml", "w") as file:
        file.write(f"title: {name}\nunits: none\nbodies:\n  - lattice: {{name: crystal, kind: {kind}, count: {count}, "
                   f"radius: 0.5, mass: 2, at: {at}}}\n{more}contacts: {{{contacts}}}\nrun: {{until: 1}}\n")
    return name + ".yaml"


def bands(path, *options):
    """[(part, kx, ky, kz, frequencies...)] along the path"""
    done = carom(path, "-q", "--csv", "bands.csv", "--points", "9", *options)
    check(done.returncode == 0 and done.stderr == "", path, options, done)
    rows = {}
    with open("bands.csv") as file:
        for row in csv.DictReader(file):
            key = (row["part"], *(float(row[c]) for c in ("way", "kx", "ky", "kz")))
            rows.setdefault(key, []).append(float(row["omega"]))
    return rows


def modes(path, *options):
    done = carom(path, "-q", "--modes", "modes.csv", *options)
    check(done.returncode == 0 and done.stderr == "", path, options, done)
    with open("modes.csv") as file:
        rows = list(csv.reader(file))
    return rows[0][3:], numpy.array([[float(x) for x in row] for row in rows[1:]])


def compare(rows, wanted, least, what):
    check(len({key[0] for key in rows}) >= least, what, "parts", {key[0] for key in rows})
    for key, omega in rows.items():
        expected = wanted(numpy.array(key[2:]))
        check(len(omega) == len(expected), what, key, omega, expected)
        for one, two in zip(omega, expected):
            near(one * abs(one), two, 2e-13 * 8 * K / M, what, key)


def by_bonds(bonds):
    """eigenvalues of the sum over half of the bonds of 2 (1 - cos k.R) n n^T k / m, all bonds 1 long"""
    def squares(k):
        d = len(bonds[0])
        matrix = sum(2 * K / M * (1 - math.cos(numpy.dot(k[:d], b))) * numpy.outer(b, b) for b in numpy.array(bonds))
        return sorted(numpy.linalg.eigvalsh(matrix))
    return squares


def hcp(k):
    """of two bodies in a cell, the second a third of a rhombus and half a cell on; all that are 1 apart touch"""
    cell = numpy.array([(1, 0, 0), (0.5, math.sqrt(0.75), 0), (0, 0, 2 * math.sqrt(2 / 3))])
    place = [numpy.zeros(3), (cell[0] + cell[1]) / 3 + cell[2] / 2]
    matrix = numpy.zeros((6, 6), complex)
    for a in range(2):
        for b in range(2):
            for steps in numpy.ndindex(5, 5, 3):
                n = place[b] - place[a] + (numpy.array(steps) - (2, 2, 1)) @ cell
                if abs(numpy.linalg.norm(n) - 1) < 1e-9:
                    bond = K / M * numpy.outer(n, n)
                    matrix[3 * a:3 * a + 3, 3 * a:3 * a + 3] += bond
                    matrix[3 * a:3 * a + 3, 3 * b:3 * b + 3] -= bond * numpy.exp(1j * numpy.dot(k, n))
    return sorted(numpy.linalg.eigvalsh(matrix))


def hexagonal(k):
    """in closed form: (k/m) (S +- (sum of (s - s')^2 / 2)^(1/2)), s = 1 - cos k.a of the three rows"""
    s = [1 - math.cos(k[0] * math.cos(a) + k[1] * math.sin(a)) for a in (0, math.pi / 3, 2 * math.pi / 3)]
    total, root = sum(s), math.sqrt(sum((s[i] - s[i - 1]) ** 2 for i in range(3)) / 2)
    return [K / M * (total - root), K / M * (total + root)]


def square(k):
    return sorted(4 * K / M * math.sin(x / 2) ** 2 for x in k[:2])


def turning(kt):
    """square lattice of discs along x with springs across too: u_x alone, u_y and the rotation together"""
    inertia, r = M * 0.25 / 2, 0.5

    def squares(k):
        if abs(k[1]) > 1e-12:
            return None
        x = k[0]
        a, b = 4 * kt * math.sin(x / 2) ** 2 / M, kt * r * r * (4 * math.cos(x / 2) ** 2 + 4) / inertia
        c = 2 * kt * r * math.sin(x) / math.sqrt(M * inertia)
        root = math.sqrt((a - b) ** 2 / 4 + c * c)
        return sorted([4 * K / M * math.sin(x / 2) ** 2, (a + b) / 2 - root, (a + b) / 2 + root])
    return squares


def test_bands():
    h, d = math.sqrt(0.5), math.sqrt(1 / 3)
    fcc = [(0, h, h), (0, h, -h), (h, 0, h), (h, 0, -h), (h, h, 0), (h, -h, 0)]
    compare(bands(write("square", "square", "[7, 7]")), square, 3, "square")
    compare(bands(write("hexagonal", "hexagonal", "[7, 7]")), hexagonal, 3, "hexagonal")
    compare(bands(write("sc", "sc", "[4, 4, 4]")), by_bonds([(1, 0, 0), (0, 1, 0), (0, 0, 1)]), 5, "sc")
    compare(bands(write("bcc", "bcc", "[4, 4, 4]")), by_bonds([(d, d, d), (d, d, -d), (d, -d, d), (-d, d, d)]), 5, "bcc")
    compare(bands(write("fcc", "fcc", "[3, 3, 3]")), by_bonds(fcc), 5, "fcc")
    said = carom("fcc.yaml").stdout
    check("crystal    fcc, 1 body in a cell" in said and "path       G X W K G L" in said, said)
    # sound in closed form: hexagonal (9/8)^(1/2) and (3/8)^(1/2) of (k/m)^(1/2), alike in all directions
    said = carom("hexagonal.yaml").stdout
    check("towards M: 0.75, 1.29904" in said and "towards" in said, said)
    # hcp has two bodies in a cell and the sound of fcc along its layers' normal
    compare(bands(write("hcp", "hcp", "[6, 6, 6]")), hcp, 5, "hcp")
    said = carom("hcp.yaml").stdout
    check("hexagonal in space, 2 bodies in a cell" in said and "6 branches" in said, said)
    check("towards A: 0.707107, 0.707107, 1.41421" in said, said)


def test_turning():
    path = write("rough", "square", "[7, 7]", "law: power, k: 3, p: 1, friction: {law: cundall-strack, mu: 1, k_t: 2}")
    wanted, seen = turning(2.0), 0
    for key, omega in bands(path, "--force", "0.01").items():
        expected = wanted(numpy.array(key[2:]))
        for one, two in zip(omega, expected or []):
            near(one * one, two, 1e-12, "turning", key)
            seen += 1
    check(seen >= 27, "points along x", seen)
    check("3 branches" in carom(path, "--force", "0.01").stdout, "three coordinates a disc")


def test_static():
    # Hertz under 100 N: slope 1.5 k^(2/3) F^(1/3); walls of this scene are pressed until every contact carries that
    scene = os.path.join(SOURCE, "scenes", "crystals", "pressed-square.yaml")
    k, mass = 1.48718e11 * math.sqrt(2.5e-3), 0.0040736
    top = 2 * math.sqrt(1.5 * k ** (2 / 3) * 100 ** (1 / 3) / mass)
    for options in ((), ("--force", "100 N")):
        rows = bands(scene, *options)
        near(max(max(omega) for omega in rows.values()), top, 1e-5 * top, "top of the band", options)
    # any force that the law carries, not those of small overlaps only: slopes go with its cube root
    for force in (1e5, 1e8):
        rows = bands(scene, "--force", f"{force:g} N")
        near(max(max(omega) for omega in rows.values()) / top / (force / 100) ** (1 / 6), 1, 1e-5, "top of the band", force)
    # forces that turn with their contacts: -F / (L m) across, so that a square crystal without friction buckles
    rows = bands("square.yaml", "--force", "0.03", "--prestress")
    low = min(min(omega) for omega in rows.values())
    near(low * low, 4 * 0.03 / M * (1 + 0.01), 1e-3, "prestress")  # of the overlap 0.01, L = 1 as the scene stands
    check(low < 0 and "modes that grow" in carom("square.yaml", "--force", "0.03", "--prestress").stdout, "not stable")


def test_modes():
    _, rows = modes("square.yaml")
    wanted = sorted(2 * math.sqrt(K / M) * math.sin(j * math.pi / 14) for j in range(7) for _ in range(14))
    check(len(rows) == 98, "modes", len(rows))
    for one, two in zip(rows[:, 1], wanted):
        near(one, two, 1e-7, "free square")
    # a hexagonal crystal of 12, its matrix made here; shapes solve K u = omega^2 m u
    names, rows = modes(write("small", "hexagonal", "[4, 3]"))
    place = numpy.array([(i + 0.5 * (j % 2), j * math.sqrt(0.75)) for j in range(3) for i in range(4)])
    matrix = numpy.zeros((24, 24))
    for i in range(12):
        for j in range(i):
            n = place[i] - place[j]
            if numpy.linalg.norm(n) < 1.01:
                stretch = numpy.zeros(24)
                stretch[2 * i:2 * i + 2], stretch[2 * j:2 * j + 2] = n, -n
                matrix += K * numpy.outer(stretch, stretch)
    check(names[:3] == ["u_1_x", "u_1_y", "u_2_x"] and len(names) == 24, names)
    values = numpy.linalg.eigvalsh(matrix / M)
    for row, value in zip(rows, values):
        near(row[1] ** 2, max(value, 0), 1e-12, "hexagonal modes")
        near(numpy.abs(matrix @ row[3:] / M - row[1] ** 2 * row[3:]).max(), 0, 1e-11, "shape")
        near(numpy.abs(row[3:]).max(), 1, 1e-15, "largest 1")


def refused(code, said, *arguments):
    done = carom(*arguments)
    check(done.returncode == code and said in done.stderr and done.stderr.count("\n") == 1, arguments, done)


def test_refused():
    hertz = write("hertz", "square", "[5, 5]", "law: hertz, k: 1")
    refused(4, "a sonic vacuum", hertz)
    refused(2, "--force", hertz, "--force", "3 m")
    refused(2, "must be above 0", hertz, "--force", "-1")
    refused(2, "--cell is for chains", hertz, "--cell", "2")
    refused(2, "--along is for solids, this is a crystal", hertz, "--along", "x")
    refused(2, "--force is for crystals", os.path.join(SOURCE, "scenes", "precompressed-dimer.yaml"), "--force", "3")
    refused(4, "rigid contacts", os.path.join(SOURCE, "scenes", "crystals", "triangle.yaml"))
    memory = write("memory", "square", "[5, 5]", "law: bistiff, k: 1, es: 0.5")
    refused(4, "law bistiff has a memory", memory)
    boxed = write("boxed", "sc", "[3, 3, 3]", more="  - box: {size: [1, 1, 1], at: [5, 0, 0], mass: 3}\n")
    refused(4, "boxes and cylinders must not move freely", boxed)
    bent = write("bent", "square", "[2, 2]", more="  - disc: {at: [5, 5], radius: 0.7, mass: 1}\n")
    refused(4, "do not repeat themselves", bent, "--csv", "none.csv")
    check("crystal    none" in carom(bent).stdout, "modes all the same")


test_bands()
test_turning()
test_static()
test_modes()
test_refused()
end(500)
