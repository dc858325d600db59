/* Small dense systems of linear equations, singular ones included. */
#ifndef CAROM_SOLVE_DENSE_H
#define CAROM_SOLVE_DENSE_H

#include <stddef.h>

/* Solves A x = b by elimination with complete pivoting: `a` (n x n, row by row) is spent, b[n] becomes x; `order` has
 * room for n. Returns the rank: pivots of at most `relative` times the largest count as 0. Where the rank is below n,
 * as many unknowns are set to 0 and the equations of as many rows are left out: x solves the system if it has a
 * solution. NaN in, 0 out. */
size_t carom_dense_solve(size_t n, double *a, double *b, size_t *order, double relative);

/* The same with what is left open: the first n - rank rows of `left` and `right` (n x n each) are vectors y with
 * y A = 0 and z with A z = 0, all of them. */
size_t carom_dense_open(size_t n, double *a, double *b, size_t *order, double relative, double *left, double *right);

/* For several right sides: A = L U with rows exchanged, in place; `row` has room for n. A pivot of at most its row's
 * `least` (spent; NULL: 0) counts as 0. Returns how many pivots are finite and not 0. */
size_t carom_dense_factor(size_t n, double *a, size_t *row, double *least);

/* b becomes x of A x = b; unknowns whose pivots are 0 are 0. */
void carom_dense_factor_solve(size_t n, const double *a, const size_t *row, double *b);

/* A symmetric positive matrix = L L^T, in place; only the lower half is read and written. A pivot must be above
 * `relative` times its entry of the diagonal; returns the row, from 1, at which one is not, or 0. The diagonal is NaN
 * from there on, so that no solution passes for one. */
size_t carom_dense_cholesky(size_t n, double *a, double relative);

void carom_dense_cholesky_solve(size_t n, const double *l, double *b);

/* The same of a matrix that may be singular: rows that follow from those before them, their pivot at most `relative`
 * times their entry of the diagonal, are left out and have the pivot 0, their unknowns are 0. Returns how many
 * count. carom_dense_cholesky_solve takes this factor, too. */
size_t carom_dense_semidefinite(size_t n, double *a, double relative);

#endif
