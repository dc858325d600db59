/* L U factors of sparse matrices of square blocks (dim 1, 2, 3 or 6) whose pattern is symmetric, elimination in an
 * order that keeps the factors sparse. Pivots are blocks of the diagonal: sound for matrices that are positive definite
 * up to a scaling of block rows, and nearly so for their neighbours; pivots that vanish are replaced by a small one and
 * counted. */
#ifndef CAROM_SOLVE_BLOCK_FACTOR_H
#define CAROM_SOLVE_BLOCK_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

struct carom_block_factor {
    size_t n, dim, blocks; /* blocks: of L and U together */
    bool exact;
    size_t *order, *place;    /* step -> row of the matrix and back */
    size_t *first, *diagonal; /* of the factors, rows in order of elimination */
    size_t *column, *counter;
    double *value, *work; /* blocks of L, the inverted pivots and U; one row */
    double products;      /* block products of one factorisation: what it costs */
};

/* Room for dense factors of up to n x n blocks; carom_block_factor_whole says how many are used. */
enum carom_status carom_block_factor_open_dense(struct carom_block_factor *factor, size_t n, size_t dim,
                                                struct carom_error *error);
void carom_block_factor_whole(struct carom_block_factor *factor, size_t n);

/* Room for the factors of a pattern (rows first[i] ... first[i + 1] - 1 of `column`, rising, symmetric, with the
 * diagonal). If an elimination would take more than `products` block products, the factors are incomplete ones with the
 * pattern of the matrix, and `exact` is false: something to begin with for an iteration. */
enum carom_status carom_block_factor_open(struct carom_block_factor *factor, size_t n, size_t dim, const size_t *first,
                                          const size_t *column, double products, struct carom_error *error);
void carom_block_factor_close(struct carom_block_factor *factor);

/* Factors the matrix with blocks `value` in the pattern it was opened for, `add` added to its diagonal. Returns how
 * many pivots (numbers, not blocks) were below `least` and replaced by it; NaN gives NaN. With dim 1 and a negative
 * `least`, unknowns whose pivot is below -least times their diagonal entry, or not positive, are set to 0 instead:
 * right for singular systems that have a solution. */
size_t carom_block_factor_compute(struct carom_block_factor *factor, const size_t *first, const size_t *column,
                                  const double *value, double add, double least);

/* x = A^-1 b; x and b may be the same. */
void carom_block_factor_solve(struct carom_block_factor *factor, const double *b, double *x);

#endif
