/* Row by row elimination of block matrices (see the header): each row is spread into a line of blocks, the rows above
 * it are subtracted in order, the pivot is inverted. Rows are short or the matrix is dense; nothing is blocked
 * further. */
#include "solve/block_factor.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "solve/block_order.h"

void carom_block_factor_close(struct carom_block_factor *factor)
{
    carom_memory_free_all(factor->order, factor->column, factor->value);
    *factor = (struct carom_block_factor){0};
}

static enum carom_status refuse(struct carom_block_factor *factor, struct carom_error *error)
{
    const size_t n = factor->n;
    carom_block_factor_close(factor);
    return carom_error_set(error, CAROM_E_MEMORY, "factors: out of memory for %zu blocks in a row", n);
}

/* the arrays that do not depend on the fill */
static bool take_rows(struct carom_block_factor *factor, size_t n, size_t dim)
{
    *factor = (struct carom_block_factor){.n = n, .dim = dim};
    return carom_memory_together(CAROM_ROOM(factor->order, n), CAROM_ROOM(factor->place, n),
                                 CAROM_ROOM(factor->first, n + 1), CAROM_ROOM(factor->diagonal, n),
                                 CAROM_ROOM(factor->counter, n), CAROM_ROOM(factor->work, dim * (dim + 1) * n));
}

static bool take_blocks(struct carom_block_factor *factor, size_t blocks)
{
    factor->blocks = blocks;
    factor->column = carom_memory_zeroed(blocks, sizeof(size_t));
    factor->value = carom_memory_zeroed(blocks, factor->dim * factor->dim * sizeof(double));
    return factor->column && factor->value;
}

enum carom_status carom_block_factor_open_dense(struct carom_block_factor *factor, size_t n, size_t dim,
                                                struct carom_error *error)
{
    if (n > (size_t)1 << 20 || !take_rows(factor, n, dim) || !take_blocks(factor, n * n))
        return refuse(factor, error);
    factor->exact = true;
    carom_block_factor_whole(factor, n);
    return CAROM_OK;
}

void carom_block_factor_whole(struct carom_block_factor *factor, size_t n)
{
    factor->n = n;
    factor->products = (double)n * (double)n * (double)n / 3.0;
    factor->first[0] = 0;
    for (size_t i = 0; i < n; i++) {
        factor->order[i] = factor->place[i] = i;
        factor->first[i + 1] = (i + 1) * n;
        factor->diagonal[i] = i * n + i;
        for (size_t j = 0; j < n; j++)
            factor->column[i * n + j] = j;
    }
}

/* Rows of L and U in order of elimination from the rows of U: L is its transpose, and transposing twice sorts. */
static void spread(struct carom_block_factor *factor, const struct carom_block_order *order)
{
    const size_t n = factor->n;
    size_t *fill = factor->diagonal; /* for now: the next free place of each row */
    for (size_t k = 0; k < n; k++)
        factor->place[order->order[k]] = k;
    for (size_t k = 0; k < n; k++) {
        factor->order[k] = order->order[k];
        factor->first[k + 1] += 1 + order->first[k + 1] - order->first[k];
        for (size_t l = order->first[k]; l < order->first[k + 1]; l++)
            factor->first[factor->place[order->column[l]] + 1]++;
    }
    for (size_t k = 0; k < n; k++) {
        factor->first[k + 1] += factor->first[k];
        fill[k] = factor->first[k];
    }
    for (size_t k = 0; k < n; k++) /* L, rows rising by themselves */
        for (size_t l = order->first[k]; l < order->first[k + 1]; l++)
            factor->column[fill[factor->place[order->column[l]]]++] = k;
    for (size_t k = 0; k < n; k++)
        factor->column[fill[k]] = k;
    /* U: row k gets i when row i of L holds k; i rises */
    size_t *next = factor->counter;
    for (size_t k = 0; k < n; k++)
        next[k] = factor->diagonal[k] + 1;
    for (size_t i = 0; i < n; i++)
        for (size_t l = factor->first[i]; l < factor->diagonal[i]; l++)
            factor->column[next[factor->column[l]]++] = i;
}

/* The matrix's own pattern and order. */
static void keep(struct carom_block_factor *factor, const size_t *first, const size_t *column)
{
    for (size_t i = 0; i < factor->n; i++) {
        factor->order[i] = factor->place[i] = i;
        factor->first[i + 1] = first[i + 1];
        for (size_t k = first[i]; k < first[i + 1]; k++) {
            factor->column[k] = column[k];
            if (column[k] == i)
                factor->diagonal[i] = k;
        }
    }
}

enum carom_status carom_block_factor_open(struct carom_block_factor *factor, size_t n, size_t dim, const size_t *first,
                                          const size_t *column, double products, struct carom_error *error)
{
    struct carom_block_order order;
    const size_t most = (size_t)1 << 27;
    if (carom_block_order_find(&order, n, first, column, most, products, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    const size_t blocks = order.whole ? 2 * order.first[n] + n : first[n];
    const bool good = take_rows(factor, n, dim) && take_blocks(factor, blocks);
    factor->exact = order.whole;
    if (good && order.whole)
        spread(factor, &order);
    else if (good)
        keep(factor, first, column);
    factor->products = order.products;
    carom_block_order_close(&order);
    return good ? CAROM_OK : refuse(factor, error);
}

/* c -= a b */
static inline __attribute__((always_inline)) void subtract(size_t dim, double *c, const double *a, const double *b)
{
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            double sum = 0.0;
            for (size_t k = 0; k < dim; k++)
                sum += a[i * dim + k] * b[k * dim + j];
            c[i * dim + j] -= sum;
        }
}

/* a = a b */
static inline __attribute__((always_inline)) void multiply(size_t dim, double *a, const double *b)
{
    for (size_t i = 0; i < dim; i++) {
        double row[8];
        for (size_t j = 0; j < dim; j++) {
            row[j] = 0.0;
            for (size_t k = 0; k < dim; k++)
                row[j] += a[i * dim + k] * b[k * dim + j];
        }
        for (size_t j = 0; j < dim; j++)
            a[i * dim + j] = row[j];
    }
}

/* a = a^-1 by Gauss-Jordan with complete pivoting; pivots below `least` are replaced by it */
static inline __attribute__((always_inline)) size_t invert(size_t dim, double *a, double least)
{
    size_t row_of[8], column_of[8], replaced = 0;
    bool used_row[8] = {false}, used_column[8] = {false};
    for (size_t step = 0; step < dim; step++) {
        size_t r = dim, c = dim;
        double most = -1.0;
        for (size_t i = 0; i < dim; i++)
            for (size_t j = 0; j < dim; j++)
                if (!used_row[i] && !used_column[j] && !(fabs(a[i * dim + j]) <= most)) {
                    most = fabs(a[i * dim + j]);
                    r = i;
                    c = j;
                }
        used_row[r] = used_column[c] = true;
        row_of[step] = r;
        column_of[step] = c;
        if (most < least) {
            a[r * dim + c] = a[r * dim + c] < 0.0 ? -least : least;
            replaced++;
        }
        const double pivot = 1.0 / a[r * dim + c];
        a[r * dim + c] = 1.0;
        for (size_t j = 0; j < dim; j++)
            a[r * dim + j] *= pivot;
        for (size_t i = 0; i < dim; i++) {
            const double factor = a[i * dim + c];
            if (i == r)
                continue;
            a[i * dim + c] = 0.0;
            for (size_t j = 0; j < dim; j++)
                a[i * dim + j] -= factor * a[r * dim + j];
        }
    }
    /* entry (r, c) of the result now stands for the unknown c of equation r: put them in their places */
    double copy[64];
    memcpy(copy, a, dim * dim * sizeof *copy);
    for (size_t k = 0; k < dim; k++)
        for (size_t l = 0; l < dim; l++)
            a[column_of[k] * dim + row_of[l]] = copy[row_of[k] * dim + column_of[l]];
    return replaced;
}

static inline __attribute__((always_inline)) size_t compute(struct carom_block_factor *f, size_t dim,
                                                            const size_t *first, const size_t *column,
                                                            const double *value, double add, double least)
{
    const size_t square = dim * dim;
    double *line = f->work;
    size_t replaced = 0;
    for (size_t i = 0; i < f->n; i++) {
        const size_t row = f->order[i];
        for (size_t k = f->first[i]; k < f->first[i + 1]; k++)
            memset(line + f->column[k] * square, 0, square * sizeof *line);
        for (size_t k = first[row]; k < first[row + 1]; k++)
            memcpy(line + f->place[column[k]] * square, value + k * square, square * sizeof *line);
        const double own = fabs(line[i * square]);
        for (size_t k = f->first[i]; k < f->diagonal[i]; k++) {
            const size_t above = f->column[k];
            double *multiplier = line + above * square;
            multiply(dim, multiplier, f->value + f->diagonal[above] * square);
            for (size_t l = f->diagonal[above] + 1; l < f->first[above + 1]; l++)
                subtract(dim, line + f->column[l] * square, multiplier, f->value + l * square);
        }
        for (size_t k = 0; k < dim; k++)
            line[i * square + k * (dim + 1)] += add;
        if (dim == 1 && least < 0.0 && !(line[i] > -least * own)) { /* a dependent row: its unknown is 0 */
            line[i] = isnan(line[i]) ? line[i] : 0.0;
            replaced++;
        } else {
            replaced += invert(dim, line + i * square, least);
        }
        for (size_t k = f->first[i]; k < f->first[i + 1]; k++)
            memcpy(f->value + k * square, line + f->column[k] * square, square * sizeof *line);
    }
    return replaced;
}

size_t carom_block_factor_compute(struct carom_block_factor *factor, const size_t *first, const size_t *column,
                                  const double *value, double add, double least)
{
    switch (factor->dim) {
    case 1:
        return compute(factor, 1, first, column, value, add, least);
    case 2:
        return compute(factor, 2, first, column, value, add, least);
    case 3:
        return compute(factor, 3, first, column, value, add, least);
    default:
        return compute(factor, 6, first, column, value, add, least);
    }
}

/* y -= a x */
static void take(size_t dim, double *y, const double *a, const double *x)
{
    for (size_t i = 0; i < dim; i++)
        for (size_t k = 0; k < dim; k++)
            y[i] -= a[i * dim + k] * x[k];
}

void carom_block_factor_solve(struct carom_block_factor *factor, const double *b, double *x)
{
    const size_t n = factor->n, dim = factor->dim, square = dim * dim;
    double *y = factor->work;
    for (size_t i = 0; i < n; i++) {
        memcpy(y + i * dim, b + factor->order[i] * dim, dim * sizeof *y);
        for (size_t k = factor->first[i]; k < factor->diagonal[i]; k++)
            take(dim, y + i * dim, factor->value + k * square, y + factor->column[k] * dim);
    }
    for (size_t i = n; i-- > 0;) {
        double sum[8] = {0.0};
        for (size_t k = factor->diagonal[i] + 1; k < factor->first[i + 1]; k++)
            take(dim, y + i * dim, factor->value + k * square, y + factor->column[k] * dim);
        const double *pivot = factor->value + factor->diagonal[i] * square;
        for (size_t j = 0; j < dim; j++)
            for (size_t k = 0; k < dim; k++)
                sum[j] += pivot[j * dim + k] * y[i * dim + k];
        memcpy(y + i * dim, sum, dim * sizeof *y);
    }
    for (size_t i = 0; i < n; i++)
        memcpy(x + factor->order[i] * dim, y + i * dim, dim * sizeof *x);
}
