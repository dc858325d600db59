/* Sparse matrices in compressed rows, with the few operations that contact problems need. Zeroed is empty. */
#ifndef CAROM_SOLVE_SPARSE_H
#define CAROM_SOLVE_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/error.h"

struct carom_sparse {
    size_t rows, columns;
    size_t *first;  /* rows + 1 */
    size_t *column; /* rising in a row */
    double *value;
};

/* A growing list of entries from which a matrix is made. */
struct carom_sparse_list {
    size_t count, room;
    size_t *row, *column;
    double *value;
};

/* Appends an entry; CAROM_E_MEMORY without a sentence if there is no room. */
enum carom_status carom_sparse_note(struct carom_sparse_list *list, size_t row, size_t column, double value);
void carom_sparse_list_close(struct carom_sparse_list *list);

/* The matrix of the entries, those at the same place added up in the order of the list. */
enum carom_status carom_sparse_make(struct carom_sparse *matrix, size_t rows, size_t columns,
                                    const struct carom_sparse_list *list, struct carom_error *error);
void carom_sparse_close(struct carom_sparse *matrix);

/* y += factor A x or, across, y += factor A^T x */
void carom_sparse_add(const struct carom_sparse *matrix, double factor, const double *x, double *y);
void carom_sparse_add_across(const struct carom_sparse *matrix, double factor, const double *x, double *y);

#endif
