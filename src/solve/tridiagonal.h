/* Symmetric positive definite tridiagonal systems, the only linear algebra a chain needs. */
#ifndef CAROM_SOLVE_TRIDIAGONAL_H
#define CAROM_SOLVE_TRIDIAGONAL_H

#include <stdbool.h>
#include <stddef.h>

/* Solves T x = b in place: diagonal[n], off[n - 1] (off[i] couples i and i + 1), b[n] becomes x; diagonal and off are
 * spent. False if T is not positive definite (or holds a NaN); b is then undefined. */
bool carom_tridiagonal_solve(size_t n, double *diagonal, double *off, double *b);

#endif
