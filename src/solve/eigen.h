/* Eigenvalues of real symmetric matrices: tridiagonal ones, and small dense ones. */
#ifndef CAROM_SOLVE_EIGEN_H
#define CAROM_SOLVE_EIGEN_H

#include <stdbool.h>
#include <stddef.h>

/* Tridiagonal: `value` (n) holds the diagonal and becomes the eigenvalues, rising; `off` (n, off[i] couples i and
 * i + 1, the last is scratch) is spent. `vector` (n x n, or NULL) holds the matrix the vectors are multiplied by,
 * often the identity, row by row; column k of the product belongs to value k. False if it does not converge (a
 * NaN). */
bool carom_eigen_tridiagonal(size_t n, double *value, double *off, double *vector);

/* Dense: `a` (n x n, row by row, symmetric) is spent; value[n] rising, `scratch` has room for n. */
bool carom_eigen_symmetric(size_t n, double *a, double *value, double *scratch);

/* The same with vectors, of length 1: column k of `vector` (n x n, row by row, zeros before) belongs to value k. */
bool carom_eigen_symmetric_vectors(size_t n, double *a, double *value, double *scratch, double *vector);

#endif
