/* What the solvers of linear complementarity problems share: one problem with its room, and how well a z does. */
#ifndef CAROM_SOLVE_LCP_SOLVERS_H
#define CAROM_SOLVE_LCP_SOLVERS_H

#include "solve/contact/lcp.h"

/* Pieces of the room. A solver may use row, square, tableau and index, and expects nothing in them. */
struct carom_lcp_pieces {
    double *row[8];            /* 8 vectors of n */
    double *square, *tableau;  /* n x n and n x (n + 2); NULL if the room is not dense */
    size_t *index[3];          /* of n, n + 1 and n */
    double *diagonal, *beside; /* where the diagonals of a dense matrix are kept, */
    double *matrix, *best;     /* a tridiagonal one is written out, and the best z so far */
};

/* A solver: improves z, which is >= 0 on entry, counts its iterations. The dense ones find a matrix in lcp->matrix, the
 * tridiagonal one finds diagonal and beside. */
size_t carom_lcp_lemke(const struct carom_lcp *lcp, size_t iterations, const struct carom_lcp_pieces *piece, double *z);
size_t carom_lcp_newton(const struct carom_lcp *lcp, double tolerance, size_t iterations,
                        const struct carom_lcp_pieces *piece, double *z);

/* Solves once more for the z_i > 0, and keeps that if it is better. */
void carom_lcp_newton_polish(const struct carom_lcp *lcp, const struct carom_lcp_pieces *piece, double *z);

/* This one also knows the residual. */
size_t carom_lcp_tridiagonal(const struct carom_lcp *lcp, double tolerance, size_t iterations,
                             const struct carom_lcp_pieces *piece, double *z, double *residual);

/* The residual as the report has it. */
double carom_lcp_residual(const struct carom_lcp *lcp, const double *z);

/* Measures row i of a dense matrix in the residual: its diagonal entry or, if that is not positive, its largest. */
double carom_lcp_scale(const struct carom_lcp *lcp, size_t i);

#endif
