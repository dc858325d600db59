"""carom solve as a user meets it: FCLIB files made here in every form of matrix, local and global, with and without
equality constraints, judged by equations written down here; files that are wrong in every way; nothing is ever harmed."""
import math
import os
import stat
import subprocess
import sys

import h5py
import numpy as np

from checks import check, end

CAROM = os.environ["CAROM"]


def carom(*arguments):
    return subprocess.run([CAROM, "solve", *arguments], capture_output=True, text=True, timeout=100)


def expect(code, arguments, said):
    done = carom(*arguments)
    check(done.returncode == code, arguments, "exit", done.returncode, "expected", code, done.stderr)
    check(done.stderr.startswith("carom: ") and done.stderr.count("\n") == 1, arguments, "said", done.stderr)
    check(said in done.stderr, arguments, "said", done.stderr, "expected", said)


def put_matrix(group, name, a, form):
    """form: triplet, columns or rows; triplets in odd order, and with one entry split in two"""
    g = group.create_group(name)
    rows, columns = np.nonzero(a)
    if form == "triplet":
        order = np.random.default_rng(1).permutation(len(rows))
        p, i = rows[order], columns[order]
        x = a[p, i]
        if len(x):
            p, i, x = np.append(p, p[0]), np.append(i, i[0]), np.append(x, 0.25 * x[0])
            x[0] *= 0.75
        nz = len(x)
    elif form == "columns":
        order = np.lexsort((rows, columns))
        i, x, nz = rows[order], a[rows, columns][order], -1
        p = np.concatenate(([0], np.cumsum(np.bincount(columns, minlength=a.shape[1]))))
    else:
        i, x, nz = columns, a[rows, columns], -2
        p = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=a.shape[0]))))
    for key, value in (("m", a.shape[0]), ("n", a.shape[1]), ("nz", nz), ("nzmax", len(x))):
        g[key] = np.array([value], dtype="i4")
    g["p"], g["i"], g["x"] = p.astype("i4"), i.astype("i4"), x.astype("f8")


def put_local(path, w, q, mu, dim, form="triplet", v=None, r=None, s=None):
    with h5py.File(path, "w") as file:
        g = file.create_group("fclib_local")
        g["spacedim"] = np.array([dim], dtype="i4")
        put_matrix(g, "W", w, form)
        g["vectors/q"], g["vectors/mu"] = q, mu
        if v is not None:
            put_matrix(g, "V", v, form)
            put_matrix(g, "R", r, form)
            g["vectors/s"] = s
        g["info/title"] = np.bytes_("made by a test")
    return path


def put_global(path, m, h, f, w, mu, dim, form="triplet", g=None, b=None):
    with h5py.File(path, "w") as file:
        group = file.create_group("fclib_global")
        group["spacedim"] = np.array([dim], dtype="i4")
        put_matrix(group, "M", m, form)
        put_matrix(group, "H", h, form)
        group["vectors/f"], group["vectors/w"], group["vectors/mu"] = f, w, mu
        if g is not None:
            put_matrix(group, "G", g, form)
            group["vectors/b"] = b
    return path


def solution(path):
    with h5py.File(path, "r") as file:
        return {key: file["solution"][key][()] for key in file["solution"]}


def natural_map(r, u, mu, dim):
    """largest |r - P(r - u - mu |u_T|)| over the contacts"""
    worst = 0.0
    for i, m in enumerate(mu):
        ri, ui = r[i * dim:(i + 1) * dim], u[i * dim:(i + 1) * dim]
        z = ri - ui
        z[0] -= m * np.linalg.norm(ui[1:])
        t = np.linalg.norm(z[1:])
        if t > m * z[0]:
            normal = max(0.0, (z[0] + m * t) / (1 + m * m))
            z = np.concatenate(([normal], z[1:] * (m * normal / t if t > 0 else 0.0)))
        worst = max(worst, np.abs(ri - z).max())
    return worst


def local_problem(rng, n, dim, rank):
    h = rng.normal(size=(n * dim, rank)) / math.sqrt(rank)
    return h @ h.T, h @ rng.normal(size=rank), 0.8 * rng.random(n)


def local_files(rng):
    for dim in (2, 3):
        for form in ("triplet", "columns", "rows"):
            for solver in ("auto", "gauss-seidel", "newton"):
                w, q, mu = local_problem(rng, 12, dim, 40)
                path = put_local("local.hdf5", w, q, mu, dim, form)
                done = carom(path, "--solver", solver)
                check(done.returncode == 0, dim, form, solver, done.stderr)
                check("made by a test" in done.stdout and "12 in" in done.stdout, done.stdout)
                s = solution(path)
                check(np.abs(w @ s["r"] + q - s["u"]).max() < 1e-12, "u = W r + q", dim, form)
                check(natural_map(s["r"], s["u"], mu, dim) < 1e-8, "the natural map", dim, form, solver)


def constraints(rng):
    """joints in a local problem: V^T r + R l + s = 0; redundant ones as well"""
    for redundant in (False, True):
        n, dim, freedoms = 8, 3, 40
        h, g = rng.normal(size=(freedoms, n * dim)), rng.normal(size=(freedoms, 5))
        if redundant:
            g[:, 4] = g[:, 0] - 2 * g[:, 1]
        v0 = rng.normal(size=freedoms)
        w, v, r = h.T @ h, h.T @ g, g.T @ g
        q, s, mu = h.T @ v0, g.T @ v0, 0.5 * rng.random(n)
        path = put_local("joints.hdf5", w, q, mu, dim, "columns", v, r, s)
        done = carom(path)
        check(done.returncode == 0, done.stderr)
        check("5 equality constraints" in done.stdout, done.stdout)
        a = solution(path)
        check(np.abs(v.T @ a["r"] + r @ a["l"] + s).max() < 1e-9, "V^T r + R l + s = 0", redundant)
        check(np.abs(w @ a["r"] + v @ a["l"] + q - a["u"]).max() < 1e-9, "u = W r + V l + q", redundant)
        check(natural_map(a["r"], a["u"], mu, dim) < 1e-8 * np.abs(q).max(), "the natural map", redundant)


def global_files(rng):
    """bodies with full 3 x 3 mass blocks, contacts between pairs, joints between some"""
    for dim, joints, form in ((2, 0, "columns"), (2, 3, "triplet"), (3, 4, "rows")):
        bodies, n = 10, 14
        m = np.zeros((bodies * 3, bodies * 3))
        for k in range(bodies):
            a = rng.normal(size=(3, 3))
            m[3 * k:3 * k + 3, 3 * k:3 * k + 3] = a @ a.T + np.eye(3)
        h, g = np.zeros((bodies * 3, n * dim)), np.zeros((bodies * 3, joints))
        for matrix, width in ((h, dim), (g, 1)):
            for c in range(matrix.shape[1] // width):
                for body in rng.choice(bodies, 2, replace=False):
                    matrix[3 * body:3 * body + 3, c * width:(c + 1) * width] = rng.normal(size=(3, width))
        f, w, mu = rng.normal(size=bodies * 3), 0.1 * np.abs(rng.normal(size=n * dim)), 0.6 * rng.random(n)
        b = np.zeros(joints) if joints else None
        path = put_global("global.hdf5", m, h, f, w, mu, dim, form, g if joints else None, b)
        done = carom(path)
        check(done.returncode == 0, done.stderr)
        check("reduced from 30 freedoms" in done.stdout, done.stdout)
        a = solution(path)
        force = h @ a["r"] + f + (g @ a["l"] if joints else 0)
        check(np.abs(m @ a["v"] - force).max() < 1e-9, "M v = H r + G l + f")
        check(np.abs(h.T @ a["v"] + w - a["u"]).max() < 1e-8, "u = H^T v + w")
        if joints:
            check(np.abs(g.T @ a["v"] + b).max() < 1e-9, "G^T v + b = 0")
        check(natural_map(a["r"], a["u"], mu, dim) < 1e-7, "the natural map")


def bytes_of(path):
    with open(path, "rb") as file:
        return file.read()


def where_it_goes(rng):
    w, q, mu = local_problem(rng, 5, 2, 10)
    path = put_local("keep.hdf5", w, q, mu, 2)
    before = bytes_of(path)
    check(carom(path, "--keep").returncode == 0 and bytes_of(path) == before, "--keep")
    done = carom(path, "-o", "other.hdf5", "--quiet")
    check(done.returncode == 0 and done.stdout == "" and done.stderr == "" and bytes_of(path) == before, "-o", done)
    first = solution("other.hdf5")["r"]
    with h5py.File("other.hdf5", "r") as file:
        check(file["fclib_local/vectors/q"].shape == (10,), "the problem is copied along")
    check(carom(path, "-o", "again.hdf5").returncode == 0, "again")
    check(np.array_equal(solution("again.hdf5")["r"], first), "the same bits")
    check(carom(path).returncode == 0, "in place")
    check(np.array_equal(solution(path)["r"], first), "the same bits")
    with h5py.File(path, "a") as file:
        file.create_group("mine")["kept"] = np.arange(3)
    done = carom(path)
    check("iterations  0" in done.stdout, "the file's solution is the start", done.stdout)
    with h5py.File(path, "r") as file:
        check(list(file["mine/kept"]) == [0, 1, 2], "what else is in the file stays")
    check("iterations  0" not in carom(path, "--cold").stdout, "--cold")
    os.chmod(path, stat.S_IRUSR)
    if not os.access(path, os.W_OK):
        expect(6, [path], "-o FILE")
    os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)
    with open("text.txt", "w") as file:
        file.write("mine\n")
    expect(6, [path, "-o", "text.txt"], "not overwritten")
    expect(6, [path, "-o", "no/such/folder.hdf5"], "could not be created")
    check(open("text.txt").read() == "mine\n", "text.txt is untouched")
    check(not os.path.exists(path + ".part"), "nothing is left behind")


def guesses(rng):
    w, q, mu = local_problem(rng, 5, 3, 20)
    path = put_local("guess.hdf5", w, q, mu, 3)
    carom(path, "-o", "solved.hdf5", "--tol", "1e-12")
    with h5py.File(path, "a") as file:
        file["guesses/number_of_guesses"] = np.array([1], dtype="i4")
        file["guesses/1/r"] = solution("solved.hdf5")["r"]
    check("iterations  0" in carom(path, "--keep").stdout, "a guess is the start")
    with h5py.File(path, "a") as file:
        del file["guesses/1/r"]
        file["guesses/1/r"] = np.zeros(4)
    expect(3, [path], "/guesses/1/r has 4 entries, expected 15")


def wrong_files(rng):
    w, q, mu = local_problem(rng, 4, 2, 8)

    def wrong(said, change, code=3):
        path = put_local("wrong.hdf5", w, q, mu, 2, "columns")
        with h5py.File(path, "a") as file:
            change(file["fclib_local"])
        before = bytes_of(path)
        expect(code, [path], said)
        check(bytes_of(path) == before and not os.path.exists(path + ".part"), said, "harmed the file")

    def replace(name, value):
        def change(group):
            del group[name]
            if value is not None:
                group[name] = value
        return change

    def entry(name, k, value):
        def change(group):
            group[name][k] = value
        return change

    wrong("must be >= 0, got -0.1 at contact 3", entry("vectors/mu", 2, -0.1))
    wrong("must be finite", entry("vectors/mu", 0, math.nan))
    wrong("must be finite", entry("vectors/q", 3, math.inf))
    wrong("must be finite", entry("W/x", 5, -math.inf))
    wrong("has 3 entries, expected 4", replace("vectors/mu", np.zeros(3)))
    wrong("has 9 entries, expected 8", replace("vectors/q", np.zeros(9)))
    wrong("/fclib_local/vectors/q is missing", replace("vectors/q", None))
    wrong("/fclib_local/W/x is missing", replace("W/x", None))
    wrong("/fclib_local/W/m is missing", replace("W", None))
    wrong("/fclib_local/W/p is missing or damaged, or holds no numbers", replace("W/p", np.bytes_("none")))
    wrong("must be 2 or 3, got 4", entry("spacedim", 0, 4))
    wrong("not a multiple of spacedim 3", entry("spacedim", 0, 3))
    wrong("outside the matrix", entry("W/i", 2, 8))
    wrong("outside the matrix", entry("W/i", 2, -1))
    wrong("numbers that rise", entry("W/p", 3, 100))
    wrong("numbers that rise", entry("W/p", 8, 1000))
    wrong("nz >= -2", entry("W/nz", 0, -3))
    wrong("nz >= -2", entry("W/m", 0, -1))
    wrong("but p, i and x hold", entry("W/nz", 0, 1000))
    with h5py.File("empty.hdf5", "w") as file:
        file.create_group("something")
    expect(3, ["empty.hdf5"], "not an FCLIB problem")
    with open("text.hdf5", "w") as file:
        file.write("not at all")
    expect(3, ["text.hdf5"], "is not an HDF5 file")
    expect(6, ["absent.hdf5"], "No such file")
    expect(3, [".", "--keep"], "is not an HDF5 file")
    m = np.eye(4)
    m[2, 2] = 0.0
    path = put_global("singular.hdf5", m, np.eye(4), np.zeros(4), -np.ones(4), np.ones(2), 2)
    expect(3, [path], "not positive definite")


def damaged_files(rng):
    """cut short anywhere, and with bytes changed: a sentence or a solution, never a crash; the file stays"""
    w, q, mu = local_problem(rng, 3, 2, 6)
    whole = bytes_of(put_local("whole.hdf5", w, q, mu, 2, "rows"))
    for length in list(range(0, 200, 40)) + [int(len(whole) * part) for part in (0.2, 0.4, 0.6, 0.8, 0.95, 0.999)]:
        with open("cut.hdf5", "wb") as file:
            file.write(whole[:length])
        done = carom("cut.hdf5")
        check(done.returncode in (3, 6), "cut at", length, "exit", done.returncode, done.stderr)
        check(done.stderr.count("\n") == 1 and bytes_of("cut.hdf5") == whole[:length], "cut at", length, done.stderr)
    for trial in range(150):
        broken = bytearray(whole)
        for _ in range(1 + trial % 4):
            broken[rng.integers(len(broken))] = rng.integers(256)
        with open("broken.hdf5", "wb") as file:
            file.write(broken)
        done = carom("broken.hdf5", "-o", "result.hdf5")
        check(done.returncode in (0, 3, 5, 6), "trial", trial, "exit", done.returncode, done.stderr)
        check(done.returncode == 0 or done.stderr.count("\n") == 1, "trial", trial, done.stderr)
        check(bytes_of("broken.hdf5") == broken, "trial", trial)


def without_solution():
    """a contact that approaches and has no mass to act on"""
    path = put_local("none.hdf5", np.diag([1.0, 1.0, 0.0, 0.0]), np.array([-1.0, 0.0, -1.0, 0.0]), np.ones(2), 2)
    before = bytes_of(path)
    for solver in ("auto", "gauss-seidel", "newton"):
        expect(5, [path, "--solver", solver], "there is no solution; the file is unchanged")
    check(bytes_of(path) == before, "the file is unchanged")
    expect(5, ["--generate", "pyramid:8", "--solver", "gauss-seidel", "--most", "3"], "after 3 iterations")


def command_line():
    expect(2, [], "takes a problem file, or --generate")
    expect(2, ["a.hdf5", "--generate", "tower:3"], "takes a problem file, or --generate")
    expect(2, ["--generate", "castle:3"], "is not a problem that can be made")
    expect(2, ["--generate", "random:10:4:1"], "is not a problem that can be made")
    expect(2, ["--generate", "tower:3", "--solver", "lemke"], "auto, gauss-seidel, newton or mixed")
    expect(2, ["--generate", "tower:3", "--tol", "-1"], "between 0 and 1")
    expect(2, ["--generate", "tower:3", "--most", "0"], "whole number")
    done = carom("--help")
    check(done.returncode == 0 and "--generate" in done.stdout, done.stdout)
    for name in ("pyramid:1", "tower:1", "spheres:2", "random:1:2:1", "random:0:3:1", "tangle:40:3:5"):
        done = carom("--generate", name, "-o", "made.hdf5")
        check(done.returncode == 0, name, done.stderr)
        done = carom("made.hdf5", "--keep")
        check(done.returncode == 0 and "iterations  0" in done.stdout, name, done.stdout, done.stderr)


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 20111
    print("seed", seed)
    rng = np.random.default_rng(seed)
    local_files(rng)
    constraints(rng)
    global_files(rng)
    where_it_goes(rng)
    guesses(rng)
    wrong_files(rng)
    damaged_files(rng)
    without_solution()
    command_line()
    end()


main()
