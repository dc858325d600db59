/* Eigenvalues by Householder's reduction to tridiagonal form and the implicit QL method with Wilkinson's shift
 * (Parlett, The symmetric eigenvalue problem, chapters 7 and 8). Errors are a few roundings of the largest
 * eigenvalue. No library is needed for the sizes chains have. */
#include "solve/eigen.h"

#include <float.h>
#include <math.h>

#define SWEEPS 60 /* per eigenvalue; three are usual */

static void rotate_columns(size_t n, double *vector, size_t i, double c, double s)
{
    for (size_t k = 0; vector != NULL && k < n; k++) {
        double *row = vector + k * n;
        const double next = row[i + 1];
        row[i + 1] = s * row[i] + c * next;
        row[i] = c * row[i] - s * next;
    }
}

/* One implicit QL step on rows low ... high. */
static void sweep(size_t n, double *d, double *e, double *vector, size_t low, size_t high)
{
    double g = (d[low + 1] - d[low]) / (2.0 * e[low]);
    const double root = sqrt(g * g + 1.0);
    g = d[high] - d[low] + e[low] / (g + copysign(root, g)); /* d[high] less the shift */
    double s = 1.0, c = 1.0, p = 0.0;
    for (size_t i = high; i-- > low;) {
        const double f = s * e[i], b = c * e[i], r = sqrt(f * f + g * g);
        e[i + 1] = r;
        if (r == 0.0) { /* splits in the middle: go on with what is left */
            d[i + 1] -= p;
            e[high] = 0.0;
            return;
        }
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        const double t = (d[i] - g) * s + 2.0 * c * b;
        p = s * t;
        d[i + 1] = g + p;
        g = c * t - b;
        rotate_columns(n, vector, i, c, s);
    }
    d[low] -= p;
    e[low] = g;
    e[high] = 0.0;
}

/* the first row from `low` on whose coupling to the next is nothing */
static size_t block_end(size_t n, const double *d, const double *e, size_t low)
{
    size_t m = low;
    while (m + 1 < n && fabs(e[m]) > DBL_EPSILON * (fabs(d[m]) + fabs(d[m + 1])))
        m++;
    return m;
}

static void swap_columns(size_t n, double *vector, size_t i, size_t k)
{
    for (size_t row = 0; vector != NULL && row < n; row++) {
        const double kept = vector[row * n + i];
        vector[row * n + i] = vector[row * n + k];
        vector[row * n + k] = kept;
    }
}

/* heap sort, so that many equal or already sorted values cost no more than others */
static void sift(size_t n, double *d, double *vector, size_t from, size_t count)
{
    for (size_t child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && d[child + 1] > d[child])
            child++;
        if (!(d[child] > d[from]))
            return;
        const double kept = d[from];
        d[from] = d[child];
        d[child] = kept;
        swap_columns(n, vector, from, child);
    }
}

static void sort(size_t n, double *d, double *vector)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(n, d, vector, i, n);
    for (size_t last = n; last-- > 1;) {
        const double kept = d[0];
        d[0] = d[last];
        d[last] = kept;
        swap_columns(n, vector, 0, last);
        sift(n, d, vector, 0, last);
    }
}

bool carom_eigen_tridiagonal(size_t n, double *value, double *off, double *vector)
{
    for (size_t low = 0; low < n; low++) {
        for (int tries = 0;; tries++) {
            const size_t high = block_end(n, value, off, low);
            if (high == low)
                break;
            if (tries == SWEEPS)
                return false;
            sweep(n, value, off, vector, low, high);
        }
        if (isnan(value[low]))
            return false;
    }
    sort(n, value, vector);
    return true;
}

/* Reflections from the last row up; the vectors are not kept. */
static void reduce(size_t n, double *a, double *d, double *e)
{
    for (size_t i = n; i-- > 1;) {
        double *x = a + i * n; /* x[0 .. i) is to become (0, ..., 0, e) */
        double scale = 0.0, square = 0.0;
        for (size_t k = 0; k < i; k++)
            scale += fabs(x[k]);
        d[i] = x[i];
        if (scale == 0.0) {
            e[i - 1] = 0.0;
            continue;
        }
        for (size_t k = 0; k < i; k++) {
            x[k] /= scale;
            square += x[k] * x[k];
        }
        const double f = x[i - 1], g = -copysign(sqrt(square), f), h = square - f * g;
        e[i - 1] = scale * g;
        x[i - 1] = f - g;
        double along = 0.0;
        for (size_t j = 0; j < i; j++) { /* p = A u / h, kept in e[0 .. i) while it is free: d[0 .. i) serves */
            double sum = 0.0;
            for (size_t k = 0; k < i; k++)
                sum += (k <= j ? a[j * n + k] : a[k * n + j]) * x[k];
            d[j] = sum / h;
            along += d[j] * x[j];
        }
        const double share = along / (h + h);
        for (size_t j = 0; j < i; j++)
            d[j] -= share * x[j];
        for (size_t j = 0; j < i; j++)
            for (size_t k = 0; k <= j; k++)
                a[j * n + k] -= x[j] * d[k] + d[j] * x[k];
    }
    if (n > 0)
        d[0] = a[0];
}

bool carom_eigen_symmetric(size_t n, double *a, double *value, double *scratch)
{
    reduce(n, a, value, scratch);
    return carom_eigen_tridiagonal(n, value, scratch, NULL);
}

/* The product of the reflections that `reduce` has left in the rows of a: I - 2 u u^T / u.u, that of row i before that
 * of row i - 1. Before reflection i only the first i rows and columns differ from the identity. */
static void unfold(size_t n, const double *a, double *vector)
{
    for (size_t i = 0; i < n; i++)
        vector[i * n + i] = 1.0;
    for (size_t i = 1; i < n; i++) {
        const double *u = a + i * n;
        double square = 0.0;
        for (size_t k = 0; k < i; k++)
            square += u[k] * u[k];
        for (size_t c = 0; c < i && square > 0.0; c++) {
            double along = 0.0;
            for (size_t k = 0; k < i; k++)
                along += u[k] * vector[k * n + c];
            for (size_t k = 0; k < i; k++)
                vector[k * n + c] -= 2.0 * along / square * u[k];
        }
    }
}

bool carom_eigen_symmetric_vectors(size_t n, double *a, double *value, double *scratch, double *vector)
{
    reduce(n, a, value, scratch);
    unfold(n, a, vector);
    return carom_eigen_tridiagonal(n, value, scratch, vector);
}
