/* Sparse matrices in compressed rows: made from lists of entries by sorting twice by counting, so that the result does
 * not depend on how the list was put together but for the order of equal places. */
#include "solve/sparse.h"

#include <string.h>

#include "base/memory.h"

enum carom_status carom_sparse_note(struct carom_sparse_list *list, size_t row, size_t column, double value)
{
    if (list->count == list->room) {
        const size_t room = list->room ? 2 * list->room : 64;
        if (!carom_memory_widen(&list->row, list->room, room, sizeof(size_t)) ||
            !carom_memory_widen(&list->column, list->room, room, sizeof(size_t)) ||
            !carom_memory_widen(&list->value, list->room, room, sizeof(double)))
            return CAROM_E_MEMORY;
        list->room = room;
    }
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
    return CAROM_OK;
}

void carom_sparse_list_close(struct carom_sparse_list *list)
{
    carom_memory_free_all(list->row, list->column, list->value);
    *list = (struct carom_sparse_list){0};
}

void carom_sparse_close(struct carom_sparse *matrix)
{
    carom_memory_free_all(matrix->first, matrix->column, matrix->value);
    *matrix = (struct carom_sparse){0};
}

/* order[k]: entries sorted by key, equal ones as they came (from `before`, or as numbered) */
static void sort(size_t keys, size_t count, const size_t *key, const size_t *before, size_t *start, size_t *order)
{
    memset(start, 0, (keys + 1) * sizeof *start);
    for (size_t k = 0; k < count; k++)
        start[key[k] + 1]++;
    for (size_t k = 0; k < keys; k++)
        start[k + 1] += start[k];
    for (size_t k = 0; k < count; k++) {
        const size_t entry = before ? before[k] : k;
        order[start[key[entry]]++] = entry;
    }
}

/* the entries in order of rows and columns, equal places added up */
static void pack(struct carom_sparse *matrix, const struct carom_sparse_list *list, const size_t *order)
{
    size_t used = 0, row = 0;
    for (size_t k = 0; k < list->count; k++) {
        const size_t entry = order[k], at = list->row[entry];
        for (; row < at; row++)
            matrix->first[row + 1] = used;
        if (used > matrix->first[row] && matrix->column[used - 1] == list->column[entry]) {
            matrix->value[used - 1] += list->value[entry];
        } else {
            matrix->column[used] = list->column[entry];
            matrix->value[used++] = list->value[entry];
        }
    }
    for (; row < matrix->rows; row++)
        matrix->first[row + 1] = used;
}

enum carom_status carom_sparse_make(struct carom_sparse *matrix, size_t rows, size_t columns,
                                    const struct carom_sparse_list *list, struct carom_error *error)
{
    const size_t keys = rows > columns ? rows : columns;
    *matrix = (struct carom_sparse){.rows = rows, .columns = columns};
    matrix->first = carom_memory_zeroed(rows + 1, sizeof(size_t));
    matrix->column = carom_memory_zeroed(list->count, sizeof(size_t));
    matrix->value = carom_memory_zeroed(list->count, sizeof(double));
    size_t *start = carom_memory_zeroed(keys + 1, sizeof(size_t));
    size_t *order = carom_memory_zeroed(2 * list->count, sizeof(size_t));
    const bool good = matrix->first && matrix->column && matrix->value && start && order;
    if (good) {
        sort(columns, list->count, list->column, NULL, start, order + list->count);
        sort(rows, list->count, list->row, order + list->count, start, order);
        pack(matrix, list, order);
    }
    carom_memory_free_all(start, order);
    if (good)
        return CAROM_OK;
    carom_sparse_close(matrix);
    return carom_error_set(error, CAROM_E_MEMORY, "out of memory for a matrix of %zu rows", rows);
}

void carom_sparse_add(const struct carom_sparse *matrix, double factor, const double *x, double *y)
{
    for (size_t i = 0; i < matrix->rows; i++) {
        double sum = 0.0;
        for (size_t k = matrix->first[i]; k < matrix->first[i + 1]; k++)
            sum += matrix->value[k] * x[matrix->column[k]];
        y[i] += factor * sum;
    }
}

void carom_sparse_add_across(const struct carom_sparse *matrix, double factor, const double *x, double *y)
{
    for (size_t i = 0; i < matrix->rows; i++)
        for (size_t k = matrix->first[i]; k < matrix->first[i + 1]; k++)
            y[matrix->column[k]] += factor * matrix->value[k] * x[i];
}
