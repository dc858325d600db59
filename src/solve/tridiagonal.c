/* Elimination without pivoting, safe because the matrix is positive definite. */
#include "solve/tridiagonal.h"

bool carom_tridiagonal_solve(size_t n, double *diagonal, double *off, double *b)
{
    if (n == 0)
        return true;
    for (size_t i = 0; i + 1 < n; i++) {
        if (!(diagonal[i] > 0.0))
            return false;
        const double factor = off[i] / diagonal[i];
        diagonal[i + 1] -= factor * off[i];
        b[i + 1] -= factor * b[i];
        off[i] = factor;
    }
    if (!(diagonal[n - 1] > 0.0))
        return false;
    b[n - 1] /= diagonal[n - 1];
    for (size_t i = n - 1; i-- > 0;)
        b[i] = b[i] / diagonal[i] - off[i] * b[i + 1];
    return true;
}
