/* A few eigenvalues of a large symmetric matrix, those of largest magnitude, with their vectors. */
#ifndef CAROM_SOLVE_SPECTRUM_H
#define CAROM_SOLVE_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

/* `apply` makes y = A x, for vectors of n numbers; `count` < n values, the smallest first, and vectors of length 1, one
 * after the other. Begins with the same vector everywhere. */
enum carom_status carom_spectrum_find(size_t n, void (*apply)(void *own, const double *x, double *y), void *own,
                                      size_t count, double *value, double *vector, struct carom_error *error);

#endif
