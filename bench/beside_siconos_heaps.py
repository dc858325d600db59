#!/usr/bin/env python3
"""Contact problems with friction in Siconos (Debian: python3-siconos), one thread: FCLIB files that `carom solve --generate NAME -o FILE`
writes. Prints lines `file seconds solver residual`, the fastest of its solvers that reaches 1e-8 of the residual as carom defines it
(docs/solve.md); others go to stderr. Usage: beside_siconos_heaps.py [--limit SECONDS] FILE ... Set OPENBLAS_NUM_THREADS=1."""
import multiprocessing
import os
import sys
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
try:
    import h5py
    import numpy as np
    import scipy.sparse as sparse
    import siconos.numerics as sn
except ImportError:
    sys.exit(77)


def read(path):
    with h5py.File(path, "r") as file:
        local = file["fclib_local"]
        w, q, mu = local["W"], local["vectors/q"][:].ravel(), local["vectors/mu"][:].ravel()
        p, i, x, nz, n = w["p"][:].ravel(), w["i"][:].ravel(), w["x"][:].ravel(), int(w["nz"][0]), len(q)
        matrix = (sparse.csc_matrix((x, i, p), (n, n)) if nz == -1 else sparse.csr_matrix((x, i, p), (n, n)) if nz == -2
                  else sparse.coo_matrix((x, (p, i)), (n, n)))
        return int(local["spacedim"][0]), sparse.csr_matrix(matrix), q, mu


def embed(w, q):
    """A problem of the plane as one of space, for the solvers that know no other: nothing happens along the second tangent."""
    n = len(q) // 2
    place = np.arange(2 * n) // 2 * 3 + np.arange(2 * n) % 2
    of = sparse.coo_matrix(w)
    rows, columns = np.concatenate([place[of.row], 3 * np.arange(n) + 2]), np.concatenate([place[of.col], 3 * np.arange(n) + 2])
    values = np.concatenate([of.data, w.diagonal()[1::2]])
    q3 = np.zeros(3 * n)
    q3[place] = q
    return sparse.csr_matrix((values, (rows, columns)), (3 * n, 3 * n)), q3


def residual(dim, w, q, mu, r):
    """the natural map, each contact weighed by its own block; its largest part, relative to the largest |q|"""
    u = (w @ r + q).reshape(-1, dim)
    weight = w.diagonal().reshape(-1, dim).max(1)
    z = weight[:, None] * r.reshape(-1, dim)
    v = u.copy()
    v[:, 0] += mu * np.linalg.norm(u[:, 1:], axis=1)
    t = z - v
    size = np.linalg.norm(t[:, 1:], axis=1)
    normal = np.where((t[:, 0] >= 0) & (size <= mu * t[:, 0]), t[:, 0], np.maximum(t[:, 0] + mu * size, 0) / (1 + mu * mu))
    factor = np.where((t[:, 0] >= 0) & (size <= mu * t[:, 0]), 1.0, np.where(size > 0, mu * normal / np.where(size > 0, size, 1), 0))
    projected = np.column_stack([normal] + [factor * t[:, k] for k in range(1, dim)])
    return np.abs(z - projected).max() / np.abs(q).max()


def solve(path, solver, tol, answer):
    dim, w, q, mu = read(path)
    if dim == 2:
        dim, (w, q) = 3, embed(w, q)
    problem = sn.FrictionContactProblem(dim, sparse.coo_matrix(w), q, mu)
    options = sn.SolverOptions(solver)
    options.dparam[sn.SICONOS_DPARAM_TOL] = tol
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 1000000 if "NSGS" in sn.solver_options_id_to_name(solver) else 1000
    r, u = np.zeros(len(q)), np.zeros(len(q))
    begin = time.process_time()
    sn.fc3d_driver(problem, r, u, options)
    answer.put((time.process_time() - begin, residual(dim, w, q, mu, r)))


def attempt(path, solver, limit):
    """Siconos' tolerance is another norm: it is tightened until the residual is small enough."""
    for tol in (1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12):
        answer = multiprocessing.Queue()
        child = multiprocessing.Process(target=solve, args=(path, solver, tol, answer))
        child.start()
        child.join(limit)
        if child.exitcode != 0:
            child.kill()
            return None
        seconds, size = answer.get()
        if size <= 1e-8:
            return seconds, size
    return None


def main():
    words, limit = sys.argv[1:], 60.0
    if words[:1] == ["--limit"]:
        limit, words = float(words[1]), words[2:]
    for path in words:
        best = None
        for name in ("FRICTION_3D_NSGS", "FRICTION_3D_ADMM", "FRICTION_3D_NSN_AC"):
            found = attempt(path, getattr(sn, "SICONOS_" + name), limit)
            print(f"# {path} {name} {found if found else 'does not reach it'}", file=sys.stderr)
            if found and (best is None or found[0] < best[0]):
                best = (*found, name)
        print(f"{path} {best[0]:.6e} {best[2]} {best[1]:.1e}" if best else f"{path} - - -", flush=True)


main()
