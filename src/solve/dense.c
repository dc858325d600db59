/* Gaussian elimination with complete pivoting: slower than with row pivoting by a factor of about two, but it finds the
 * rank, which is what redundant contacts need. Factors with row pivoting and Cholesky's, where a matrix is used more
 * than once. For n up to some hundreds; nothing is blocked. */
#include "solve/dense.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void swap(double *x, double *y)
{
    const double kept = *x;
    *x = *y;
    *y = kept;
}

/* the largest entry of the part not yet eliminated; 0 if there is none or a NaN among them */
static double largest(size_t n, const double *a, size_t from, size_t *row, size_t *column)
{
    double best = 0.0, poison = 0.0;
    for (size_t i = from; i < n; i++)
        for (size_t j = from; j < n; j++) {
            const double size = fabs(a[i * n + j]);
            poison += 0.0 * size;
            if (size > best) {
                best = size;
                *row = i;
                *column = j;
            }
        }
    return poison == 0.0 ? best : 0.0;
}

/* brings the pivot to its place; `order` remembers the unknown */
static void bring(size_t n, double *a, double *b, size_t *order, size_t k, size_t row, size_t column)
{
    if (row != k) {
        for (size_t j = k; j < n; j++)
            swap(a + k * n + j, a + row * n + j);
        swap(b + k, b + row);
    }
    if (column != k) {
        for (size_t i = 0; i < n; i++)
            swap(a + i * n + k, a + i * n + column);
        const size_t kept = order[k];
        order[k] = order[column];
        order[column] = kept;
    }
}

static void eliminate(size_t n, double *a, double *b, size_t k)
{
    const double *pivot = a + k * n;
    for (size_t i = k + 1; i < n; i++) {
        double *row = a + i * n;
        const double factor = row[k] / pivot[k];
        if (factor == 0.0)
            continue;
        for (size_t j = k + 1; j < n; j++)
            row[j] -= factor * pivot[j];
        b[i] -= factor * b[k];
    }
}

/* b[order[k]] = x_k by following the cycles of the permutation, so that no second vector is needed */
static void unscramble(size_t n, double *b, size_t *order)
{
    for (size_t k = 0; k < n; k++)
        while (order[k] != k) {
            const size_t to = order[k];
            swap(b + k, b + to);
            order[k] = order[to];
            order[to] = to;
        }
}

size_t carom_dense_solve(size_t n, double *a, double *b, size_t *order, double relative)
{
    size_t rank = 0;
    double first = 0.0;
    for (size_t k = 0; k < n; k++)
        order[k] = k;
    for (; rank < n; rank++) {
        size_t row = rank, column = rank;
        const double size = largest(n, a, rank, &row, &column);
        if (rank == 0)
            first = size;
        if (!(size > relative * first))
            break;
        bring(n, a, b, order, rank, row, column);
        eliminate(n, a, b, rank);
    }
    for (size_t k = rank; k < n; k++)
        b[k] = 0.0;
    for (size_t k = rank; k-- > 0;) {
        double sum = b[k];
        for (size_t j = k + 1; j < rank; j++)
            sum -= a[k * n + j] * b[j];
        b[k] = sum / a[k * n + k];
    }
    unscramble(n, b, order);
    return rank;
}

/* --- factors ----------------------------------------------------------------------------------------------------- */

/* the largest entry of column k comes to the diagonal */
static void exchange(size_t n, double *a, size_t k, size_t *row, double *least)
{
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
        best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
    row[k] = best;
    if (best == k)
        return;
    for (size_t j = 0; j < n; j++)
        swap(a + k * n + j, a + best * n + j);
    if (least)
        swap(least + k, least + best);
}

/* row i of n numbers, less factor times row k */
static void subtract(size_t n, double *x, size_t i, double factor, size_t k)
{
    for (size_t j = 0; j < n; j++)
        x[i * n + j] -= factor * x[k * n + j];
}

size_t carom_dense_open(size_t n, double *a, double *b, size_t *order, double relative, double *left, double *right)
{
    double first = 0.0;
    size_t rank = 0, row = 0, column = 0;
    for (size_t i = 0; i < n; i++) {
        order[i] = i;
        for (size_t j = 0; j < n; j++)
            left[i * n + j] = i == j;
    }
    for (; rank < n; rank++) { /* Gauss and Jordan: below and above each pivot */
        const double best = largest(n, a, rank, &row, &column);
        first = rank == 0 ? best : first;
        if (!(best > relative * first))
            break;
        for (size_t j = 0; j < n && row != rank; j++) {
            swap(a + rank * n + j, a + row * n + j);
            swap(left + rank * n + j, left + row * n + j);
        }
        if (row != rank)
            swap(b + rank, b + row);
        bring(n, a, b, order, rank, rank, column);
        for (size_t i = 0; i < n; i++) {
            const double factor = i == rank ? 0.0 : a[i * n + rank] / a[rank * n + rank];
            subtract(n, a, i, factor, rank);
            subtract(n, left, i, factor, rank);
            b[i] -= factor * b[rank];
        }
    }
    for (size_t f = 0; f < n - rank; f++) {
        memmove(left + f * n, left + (rank + f) * n, n * sizeof *left);
        memset(right + f * n, 0, n * sizeof *right);
        right[f * n + order[rank + f]] = 1.0;
        for (size_t i = 0; i < rank; i++)
            right[f * n + order[i]] = -a[i * n + rank + f] / a[i * n + i];
    }
    for (size_t i = 0; i < n; i++)
        b[i] = i < rank ? b[i] / a[i * n + i] : 0.0;
    unscramble(n, b, order);
    return rank;
}

size_t carom_dense_factor(size_t n, double *a, size_t *row, double *least)
{
    size_t good = 0;
    for (size_t k = 0; k < n; k++) {
        exchange(n, a, k, row, least);
        double *pivot = a + k * n;
        const double size = fabs(pivot[k]);
        const bool counts = size > (least ? least[k] : 0.0);
        good += counts && size < HUGE_VAL;
        pivot[k] = counts ? pivot[k] : 0.0;
        for (size_t i = k + 1; i < n; i++) {
            double *line = a + i * n;
            const double factor = line[k] = counts ? line[k] / pivot[k] : 0.0;
            for (size_t j = k + 1; factor != 0.0 && j < n; j++)
                line[j] -= factor * pivot[j];
        }
    }
    return good;
}

void carom_dense_factor_solve(size_t n, const double *a, const size_t *row, double *b)
{
    for (size_t k = 0; k < n; k++)
        swap(b + k, b + row[k]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            b[i] -= a[i * n + j] * b[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            b[i] -= a[i * n + j] * b[j];
        b[i] = a[i * n + i] != 0.0 ? b[i] / a[i * n + i] : 0.0;
    }
}

size_t carom_dense_cholesky(size_t n, double *a, double relative)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i > j) {
                a[i * n + j] = sum / a[j * n + j];
            } else if (sum > relative * fabs(a[i * n + i])) {
                a[i * n + i] = sqrt(sum);
            } else {
                for (size_t k = i; k < n; k++)
                    a[k * n + k] = nan("");
                return i + 1;
            }
        }
    return 0;
}

void carom_dense_cholesky_solve(size_t n, const double *l, double *b)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= l[i * n + k] * b[k];
        b[i] = l[i * n + i] != 0.0 ? b[i] / l[i * n + i] : 0.0;
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= l[k * n + i] * b[k];
        b[i] = l[i * n + i] != 0.0 ? b[i] / l[i * n + i] : 0.0;
    }
}

size_t carom_dense_semidefinite(size_t n, double *a, double relative)
{
    size_t rank = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i * n + j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i * n + k] * a[j * n + k];
            if (i > j) {
                a[i * n + j] = a[j * n + j] > 0.0 ? sum / a[j * n + j] : 0.0;
                continue;
            }
            const bool counts = sum > relative * a[i * n + i];
            a[i * n + i] = counts ? sqrt(sum) : 0.0;
            rank += counts;
        }
    return rank;
}
