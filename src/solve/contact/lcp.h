/* Linear complementarity problems: find z with  w = A z + b >= 0,  z >= 0,  w . z = 0. Four ways: Lemke's pivoting,
 * projected Gauss-Seidel, a semismooth Newton method, and an active-set Newton in O(n) for tridiagonal A, the case of
 * chains and columns. All start from the z they are given (a warm start; Lemke ignores it) and report how well they
 * did; no solver allocates: `carom_lcp_open` makes room once. Not for friction cones, and no promise for A that are not
 * positive semidefinite: there the solvers may miss a solution, and say so. */
#ifndef CAROM_SOLVE_LCP_H
#define CAROM_SOLVE_LCP_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

enum carom_lcp_solver {
    CAROM_LCP_AUTO, /* tridiagonal if the matrix is, else Newton; Lemke, then Gauss-Seidel where that fails */
    CAROM_LCP_LEMKE,
    CAROM_LCP_GAUSS_SEIDEL,
    CAROM_LCP_NEWTON,
    CAROM_LCP_TRIDIAGONAL,
};
extern const char *const carom_lcp_solvers[]; /* their names, and NULL */

/* A is either tridiagonal and symmetric (`diagonal`, `beside` given: A[i][i+1] = beside[i]) or dense (`matrix`,
 * row by row). n = 0 is solved. */
struct carom_lcp {
    size_t n;
    const double *matrix;            /* n x n, or NULL */
    const double *diagonal, *beside; /* n and n - 1, or NULL; they are used if both kinds are given */
    const double *b;                 /* n */
};

/* The residual is the largest |min(a_i z_i, w_i)|, a_i the largest entry of row i (so both are of the size of a gap
 * rate, whatever the masses), over B + sqrt(B Z), B = max |b_i| and Z = max a_i z_i: rounding keeps it near 1e-16 also
 * where the impulses are far larger than b (a long column), and yet it stays large for a problem without solution,
 * however z grows. NaN if anything is. */
struct carom_lcp_report {
    double residual;
    size_t iterations;
    bool solved; /* residual <= tolerance, or all that is left in each row is the rounding of its own sum */
    enum carom_lcp_solver by;
};

/* Room for problems of up to n unknowns; a room for tridiagonal ones only is O(n), for dense ones O(n^2). It can be
 * grown by opening again. */
struct carom_lcp_room {
    size_t n;
    bool dense;
    double *block;
    size_t *index;
};
enum carom_status carom_lcp_open(struct carom_lcp_room *room, size_t n, bool dense, struct carom_error *error);
void carom_lcp_close(struct carom_lcp_room *room);

/* Solves, from the z given; on return z is the best found, and >= 0. A problem that has no solution or whose solver
 * misses `tolerance` has report->solved = false; the caller decides. `iterations` bounds the solver's loop, 0: its own
 * limit. Lemke and Newton need a dense room. Singular positive semidefinite A (redundant contacts) are solved where
 * there is a solution; which of the several z is found depends on the solver and the start, w does not. */
void carom_lcp_solve(const struct carom_lcp *lcp, enum carom_lcp_solver solver, double tolerance, size_t iterations,
                     struct carom_lcp_room *room, double *z, struct carom_lcp_report *report);

#endif
