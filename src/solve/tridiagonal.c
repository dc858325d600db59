/* Elimination without pivoting, safe because the matrix is positive definite; from both ends to the middle at once,
 * because each end waits for its own divisions. */
#include "solve/tridiagonal.h"

/* eliminates row i from its neighbour, which `couple` joins to it; false if the pivot is not positive */
static inline bool eliminate(double *diagonal, double *b, double *couple, size_t i, size_t neighbour)
{
    const bool positive = diagonal[i] > 0.0;
    const double inverse = 1.0 / diagonal[i], factor = *couple * inverse;
    diagonal[neighbour] -= factor * *couple;
    b[neighbour] -= factor * b[i];
    b[i] *= inverse;
    *couple = factor;
    return positive;
}

bool carom_tridiagonal_solve(size_t n, double *diagonal, double *off, double *b)
{
    if (n == 0)
        return true;
    const size_t middle = n / 2;
    bool positive = true;
    size_t left = 0, right = n - 1;
    for (; left < middle && right > middle; left++, right--) {
        positive &= eliminate(diagonal, b, off + left, left, left + 1);
        positive &= eliminate(diagonal, b, off + right - 1, right, right - 1);
    }
    if (left < middle) /* an even n has one row more on the left */
        positive &= eliminate(diagonal, b, off + left, left, left + 1);
    if (!positive || !(diagonal[middle] > 0.0))
        return false;
    b[middle] /= diagonal[middle];
    for (size_t i = middle, j = middle; i > 0 || j + 1 < n;) {
        if (i > 0) {
            i--;
            b[i] -= off[i] * b[i + 1];
        }
        if (j + 1 < n) {
            j++;
            b[j] -= off[j - 1] * b[j - 1];
        }
    }
    return true;
}
