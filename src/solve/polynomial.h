/* When a polynomial goes below 0: the moments at which bodies on parabolas meet. */
#ifndef CAROM_SOLVE_POLYNOMIAL_H
#define CAROM_SOLVE_POLYNOMIAL_H

#include <stddef.h>

#define CAROM_POLYNOMIAL_DEGREE 4

/* The first x >= 0, before `limit`, from which on c[0] + c[1] x + ... + c[degree] x^degree is negative, though it was
 * not before; HUGE_VAL: there is none. A polynomial that begins negative answers 0; one that only touches 0 does not
 * go below it. Exact to a few units in the last place of x where the root is simple. */
double carom_polynomial_below(const double *c, size_t degree, double limit);

#endif
