/* Linear complementarity problems of contact graphs, w = A z + b >= 0, z >= 0, w . z = 0 with A symmetric, positive
 * semidefinite and sparse. What is not joined is solved apart: small parts by the dense solvers (lcp.h), large ones by
 * conjugate gradients on the face of what is positive, with projections where it changes. */
#ifndef CAROM_SOLVE_LCP_SPARSE_H
#define CAROM_SOLVE_LCP_SPARSE_H

#include "solve/contact/lcp.h"

/* A in compressed rows: entries [first[i], first[i + 1]) of column and value, the diagonal among them. */
struct carom_lcp_sparse {
    size_t n;
    const size_t *first, *column;
    const double *value;
    const double *b;
};

struct carom_lcp_sparse_room {
    size_t n;
    double *block;
    size_t *index;
    struct carom_lcp_room dense;
    double *wide; /* nwide x nwide */
    size_t nwide;
};

/* Room for n unknowns; it can be grown by opening again. */
enum carom_status carom_lcp_sparse_open(struct carom_lcp_sparse_room *room, size_t n, struct carom_error *error);
void carom_lcp_sparse_close(struct carom_lcp_sparse_room *room);

/* As carom_lcp_solve, from the z given; `solver` is for the small parts. The residual is the largest of the parts. */
void carom_lcp_sparse_solve(const struct carom_lcp_sparse *lcp, enum carom_lcp_solver solver, double tolerance,
                            struct carom_lcp_sparse_room *room, double *z, struct carom_lcp_report *report);

#endif
