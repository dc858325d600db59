/* Factors by bodies, see friction_bodies.h. */
#include "solve/contact/friction_bodies.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "base/sorted.h"
#include "solve/contact/friction_parts.h"

enum { MOST = CAROM_FRICTION_MOST_DIM };

void carom_friction_bodies_close(struct carom_friction_bodies *bodies)
{
    carom_memory_free_all(bodies->pair, bodies->value);
    carom_block_factor_close(&bodies->factor);
    *bodies = (struct carom_friction_bodies){0};
}

/* --- who touches whom --------------------------------------------------------------------------------------------- */

static void sort(size_t count, size_t *list)
{
    for (size_t gap = count / 2; gap > 0; gap /= 2) /* Shell's: rows are short, but for a plate that bears a heap */
        for (size_t i = gap; i < count; i++)
            for (size_t j = i; j >= gap && list[j - gap] > list[j]; j -= gap) {
                const size_t other = list[j];
                list[j] = list[j - gap];
                list[j - gap] = other;
            }
}

/* rows with each neighbour as often as contacts join them, the diagonal once more; then sorted, and each kept once */
static void join(struct carom_friction_bodies *b)
{
    size_t *first = b->first, used = 0;
    memset(first, 0, (b->n + 1) * sizeof *first);
    for (size_t i = 0; i < b->n; i++)
        first[i + 1] = 1;
    for (size_t k = 0; k < 2 * b->contacts; k++)
        if (b->pair[k] < b->n && b->pair[k ^ 1] < b->n)
            first[b->pair[k] + 1]++;
    for (size_t i = 0; i < b->n; i++)
        first[i + 1] += first[i];
    for (size_t i = b->n; i-- > 0;)
        b->column[first[i]++] = i;
    for (size_t k = 0; k < 2 * b->contacts; k++)
        if (b->pair[k] < b->n && b->pair[k ^ 1] < b->n)
            b->column[first[b->pair[k]]++] = b->pair[k ^ 1];
    for (size_t i = 0, start = 0; i < b->n; i++) { /* first[i] is the end of row i now */
        const size_t end = first[i], begin = used;
        sort(end - start, b->column + start);
        for (size_t k = start; k < end; k++)
            if (used == begin || b->column[k] != b->column[used - 1])
                b->column[used++] = b->column[k];
        start = end;
        first[i] = used;
    }
    memmove(first + 1, first, b->n * sizeof *first);
    first[0] = 0;
}

static size_t find(const struct carom_friction_bodies *b, size_t row, size_t column)
{
    size_t next = b->first[row] + 1;
    CAROM_SORTED_FIRST(next, b->first[row + 1], b->column[middle] <= column);
    return next - 1;
}

enum carom_status carom_friction_bodies_open(struct carom_friction_bodies *bodies, size_t contacts,
                                             const struct carom_friction_arms *arms, double products,
                                             struct carom_error *error)
{
    const size_t n = arms->n, dof = arms->dof;
    *bodies = (struct carom_friction_bodies){.n = n, .dof = dof, .contacts = contacts};
    bool good = carom_memory_together(CAROM_ROOM(bodies->pair, 2 * contacts), CAROM_ROOM(bodies->first, n + 1),
                                      CAROM_ROOM(bodies->column, n + 2 * contacts),
                                      CAROM_ROOM(bodies->entry, 4 * contacts), CAROM_ROOM(bodies->v, n * dof));
    if (good) {
        memcpy(bodies->pair, arms->pair, 2 * contacts * sizeof *bodies->pair);
        join(bodies);
        bodies->value = carom_memory_zeroed(bodies->first[n], dof * dof * sizeof *bodies->value);
        good = bodies->value != NULL;
    }
    for (size_t k = 0; good && k < 4 * contacts; k++) {
        const size_t row = bodies->pair[k / 4 * 2 + k % 4 / 2], column = bodies->pair[k / 4 * 2 + k % 2];
        bodies->entry[k] = row < n && column < n ? find(bodies, row, column) : SIZE_MAX;
    }
    enum carom_status status = CAROM_E_MEMORY;
    if (good)
        status = carom_block_factor_open(&bodies->factor, n, dof, bodies->first, bodies->column, products, error);
    else
        carom_error_set(error, CAROM_E_MEMORY, "contact problem: out of memory for %zu contacts", contacts);
    if (status != CAROM_OK)
        carom_friction_bodies_close(bodies);
    return status;
}

bool carom_friction_bodies_fit(const struct carom_friction_bodies *bodies, size_t contacts,
                               const struct carom_friction_arms *arms)
{
    return !bodies->pair || (arms && bodies->n == arms->n && bodies->contacts == contacts &&
                             memcmp(bodies->pair, arms->pair, 2 * contacts * sizeof *bodies->pair) == 0);
}

/* --- the matrix --------------------------------------------------------------------------------------------------- */

static const double *rows_of(const struct carom_friction_arms *arms, const double *rows, size_t dim, size_t i, size_t s)
{
    return rows + (2 * arms->contact[i] + s) * dim * arms->dof;
}

/* S D^-1 L of a contact */
static void weigh(size_t dim, const double *inverse, const double *left, const double *scale, double *to)
{
    for (size_t k = 0; k < dim; k++)
        for (size_t l = 0; l < dim; l++) {
            double sum = 0.0;
            for (size_t m = 0; m < dim; m++)
                sum += inverse[k * dim + m] * left[m * dim + l];
            to[k * dim + l] = scale[k] * sum;
        }
}

/* to += response^T middle h */
static void add(size_t dim, size_t dof, const double *response, const double *middle, const double *h, double *to)
{
    for (size_t k = 0; k < dim; k++) {
        double row[6] = {0.0};
        for (size_t l = 0; l < dim; l++)
            for (size_t m = 0; m < dof; m++)
                row[m] += middle[k * dim + l] * h[l * dof + m];
        for (size_t a = 0; a < dof; a++)
            for (size_t m = 0; m < dof; m++)
                to[a * dof + m] += response[k * dof + a] * row[m];
    }
}

void carom_friction_bodies_factor(struct carom_friction_bodies *b, size_t dim, const struct carom_friction_arms *arms,
                                  const double *inverse, const double *left, const double *scale)
{
    const size_t dof = b->dof, square = dim * dim;
    memset(b->value, 0, b->first[b->n] * dof * dof * sizeof *b->value);
    for (size_t i = 0; i < b->n; i++)
        for (size_t k = 0; k < dof; k++)
            b->value[find(b, i, i) * dof * dof + k * (dof + 1)] = 1.0;
    for (size_t i = 0; i < b->contacts; i++) {
        double middle[MOST * MOST];
        weigh(dim, inverse + i * square, left + i * square, scale + i * dim, middle);
        for (size_t k = 0; k < 4; k++)
            if (b->entry[4 * i + k] != SIZE_MAX)
                add(dim, dof, rows_of(arms, arms->response, dim, i, k / 2), middle,
                    rows_of(arms, arms->h, dim, i, k % 2), b->value + b->entry[4 * i + k] * dof * dof);
    }
    carom_block_factor_compute(&b->factor, b->first, b->column, b->value, 0.0, 1e-300);
}

void carom_friction_bodies_solve(struct carom_friction_bodies *b, size_t dim, const struct carom_friction_arms *arms,
                                 const double *inverse, const double *left, const double *scale, const double *from,
                                 double *x)
{
    const size_t dof = b->dof, square = dim * dim;
    memset(b->v, 0, b->n * dof * sizeof *b->v);
    for (size_t i = 0; i < b->contacts; i++)
        for (size_t k = 0; k < dim; k++) {
            double push = 0.0;
            for (size_t l = 0; l < dim; l++)
                push += inverse[i * square + k * dim + l] * from[i * dim + l];
            push *= scale[i * dim + k];
            for (size_t s = 0; s < 2; s++)
                for (size_t m = 0; b->pair[2 * i + s] < b->n && m < dof; m++)
                    b->v[b->pair[2 * i + s] * dof + m] += push * rows_of(arms, arms->response, dim, i, s)[k * dof + m];
        }
    carom_block_factor_solve(&b->factor, b->v, b->v);
    for (size_t i = 0; i < b->contacts; i++) {
        double u[MOST] = {0.0}, rest[MOST];
        for (size_t s = 0; s < 2; s++)
            for (size_t k = 0; b->pair[2 * i + s] < b->n && k < dim; k++)
                for (size_t m = 0; m < dof; m++)
                    u[k] += rows_of(arms, arms->h, dim, i, s)[k * dof + m] * b->v[b->pair[2 * i + s] * dof + m];
        for (size_t k = 0; k < dim; k++) {
            rest[k] = from[i * dim + k];
            for (size_t l = 0; l < dim; l++)
                rest[k] -= left[i * square + k * dim + l] * u[l];
        }
        for (size_t k = 0; k < dim; k++) {
            x[i * dim + k] = 0.0;
            for (size_t l = 0; l < dim; l++)
                x[i * dim + k] += inverse[i * square + k * dim + l] * rest[l];
        }
    }
}
