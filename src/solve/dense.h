/* Small dense systems of linear equations, singular ones included. */
#ifndef CAROM_SOLVE_DENSE_H
#define CAROM_SOLVE_DENSE_H

#include <stddef.h>

/* Solves A x = b by elimination with complete pivoting: `a` (n x n, row by row) is spent, b[n] becomes x; `order` has
 * room for n. Returns the rank: pivots of at most `relative` times the largest count as 0. Where the rank is below n,
 * as many unknowns are set to 0 and the equations of as many rows are left out: x solves the system if it has a
 * solution. NaN in, 0 out. */
size_t carom_dense_solve(size_t n, double *a, double *b, size_t *order, double relative);

#endif
