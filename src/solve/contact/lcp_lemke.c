/* Lemke's complementary pivoting on a dictionary (basic variables as affine functions of the others), with the
 * covering vector of ones and lexicographic ratios, so that it cannot cycle. For positive semidefinite A it ends with
 * a solution or with a ray that shows there is none. Rows and columns are scaled first, or masses apart by 1e6 would
 * spoil the pivots. The active set found is solved once more, so that
 * the rounding of many pivots does not stay in z. */
#include <math.h>

#include "solve/contact/lcp_solvers.h"

enum { PIVOTS_PER_UNKNOWN = 20, PIVOTS_MORE = 100 };

/* Variables: 0 ... n - 1 are w, n ... 2n - 1 are z, 2n is the artificial z0. Columns 0 ... n of the dictionary belong
 * to the variables that are not basic, column n + 1 is the constant. */
struct dictionary {
    size_t n, width;
    double *entry;
    size_t *basic, *column; /* n, n + 1: who stands in a row or column */
    size_t *where;          /* n: row or column of each w, for the lexicographic order; columns count from n on */
};

/* coefficient of the jth perturbation in the constant of a row: b_j stands for b_j + epsilon^(j+1) */
static double perturbation(const struct dictionary *d, size_t row, size_t j)
{
    const size_t at = d->where[j];
    if (at < d->n)
        return at == row ? 1.0 : 0.0;
    return -d->entry[row * d->width + (at - d->n)];
}

/* Is row r's ratio lexicographically smaller than row s's, for the column that rises? */
static bool before(const struct dictionary *d, size_t r, size_t s, size_t column)
{
    const double *row = d->entry + r * d->width, *other = d->entry + s * d->width;
    const double a = -row[column], b = -other[column];
    const double x = row[d->n + 1] / a, y = other[d->n + 1] / b;
    if (fabs(x - y) > 1e-13 * (fabs(x) + fabs(y)))
        return x < y;
    if (d->basic[r] == 2 * d->n || d->basic[s] == 2 * d->n) /* z0 leaves first: that is the end */
        return d->basic[r] == 2 * d->n;
    for (size_t j = 0; j < d->n; j++) {
        const double u = perturbation(d, r, j) / a, v = perturbation(d, s, j) / b;
        if (fabs(u - v) > 1e-13 * (fabs(u) + fabs(v)))
            return u < v;
    }
    return a > b;
}

/* the row that stops the rising column; n if none does */
static size_t blocking(const struct dictionary *d, size_t column)
{
    double most = 0.0;
    size_t found = d->n;
    for (size_t r = 0; r < d->n; r++)
        most = fmax(most, fabs(d->entry[r * d->width + column]));
    const double least = fmax(1e-13, 1e-12 * most);
    for (size_t r = 0; r < d->n; r++)
        if (d->entry[r * d->width + column] < -least && (found == d->n || before(d, r, found, column)))
            found = r;
    return found;
}

static void exchange(struct dictionary *d, size_t row, size_t column)
{
    double *pivot = d->entry + row * d->width;
    const double inverse = 1.0 / pivot[column];
    for (size_t j = 0; j < d->width; j++)
        pivot[j] *= -inverse;
    pivot[column] = inverse;
    for (size_t i = 0; i < d->n; i++) {
        double *other = d->entry + i * d->width;
        const double factor = other[column];
        if (i == row || factor == 0.0)
            continue;
        other[column] = 0.0;
        for (size_t j = 0; j < d->width; j++)
            other[j] += factor * pivot[j];
    }
    const size_t leaves = d->basic[row], enters = d->column[column];
    d->basic[row] = enters;
    d->column[column] = leaves;
    if (enters < d->n)
        d->where[enters] = row;
    if (leaves < d->n)
        d->where[leaves] = d->n + column;
}

static void write_down(struct dictionary *d, const struct carom_lcp *lcp, const double *scale)
{
    double size = 0.0;
    for (size_t i = 0; i < d->n; i++)
        size = fmax(size, fabs(lcp->b[i] * scale[i]));
    for (size_t i = 0; i < d->n; i++) {
        double *row = d->entry + i * d->width;
        for (size_t j = 0; j < d->n; j++)
            row[j] = scale[i] * lcp->matrix[i * d->n + j] * scale[j];
        row[d->n] = 1.0;
        row[d->n + 1] = lcp->b[i] * scale[i] / size;
        d->basic[i] = i;
        d->column[i] = d->n + i;
        d->where[i] = i;
    }
    d->column[d->n] = 2 * d->n;
}

/* the column of the partner of the variable that has just left; n + 1 if that was z0 */
static size_t partner(const struct dictionary *d, size_t left)
{
    const size_t who = left < d->n ? left + d->n : left - d->n;
    size_t k = 0;
    while (k <= d->n && d->column[k] != who)
        k++;
    return k;
}

/* All pivots. They end when z0 has left, or on a ray: then there is no solution, unless z0 is as small as rounding and
 * only by it not 0, as happens where redundant contacts leave no freedom. The residual will tell. */
static void pivots(struct dictionary *d, size_t limit, size_t *count)
{
    size_t row = 0, column = d->n;
    for (size_t i = 1; i < d->n; i++) /* the last of those that are least, in the lexicographic order */
        if (d->entry[i * d->width + d->n + 1] <= d->entry[row * d->width + d->n + 1])
            row = i;
    if (d->entry[row * d->width + d->n + 1] >= 0.0)
        return;
    while (row < d->n && *count < limit) {
        const size_t leaves = d->basic[row];
        exchange(d, row, column);
        ++*count;
        if (leaves == 2 * d->n)
            return;
        column = partner(d, leaves);
        row = blocking(d, column);
    }
}

size_t carom_lcp_lemke(const struct carom_lcp *lcp, size_t iterations, const struct carom_lcp_pieces *piece, double *z)
{
    const size_t n = lcp->n, limit = iterations > 0 ? iterations : PIVOTS_PER_UNKNOWN * n + PIVOTS_MORE;
    struct dictionary d = {n, n + 2, piece->tableau, piece->index[0], piece->index[1], piece->index[2]};
    double *scale = piece->row[0];
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        scale[i] = 1.0 / sqrt(carom_lcp_scale(lcp, i));
        if (!isfinite(scale[i]) || !isfinite(lcp->b[i]))
            return 0;
    }
    write_down(&d, lcp, scale);
    pivots(&d, limit, &count);
    double size = 0.0;
    for (size_t i = 0; i < n; i++) {
        size = fmax(size, fabs(lcp->b[i] * scale[i]));
        z[i] = 0.0;
    }
    for (size_t r = 0; r < n; r++)
        if (d.basic[r] >= n && d.basic[r] < 2 * n) {
            const size_t i = d.basic[r] - n;
            z[i] = fmax(0.0, d.entry[r * d.width + n + 1]) * size * scale[i];
        }
    carom_lcp_newton_polish(lcp, piece, z);
    return count;
}
