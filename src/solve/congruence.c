/* A^T B^-1 A, piece by piece of B (see the header). Pieces are found by going along B's entries; each gets sparse
 * factors of its own and one solve per column of A that touches it. */
#include "solve/congruence.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "solve/block_factor.h"

#define DEPENDENT 1e-12 /* a pivot this small beside its diagonal entry is rounding */

/* B's pattern made symmetric, with the diagonal */
static enum carom_status both_ways(const struct carom_sparse *b, struct carom_sparse *out, struct carom_error *error)
{
    struct carom_sparse_list list = {0};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < b->rows && status == CAROM_OK; i++) {
        status = carom_sparse_note(&list, i, i, 0.0);
        for (size_t k = b->first[i]; k < b->first[i + 1] && status == CAROM_OK; k++) {
            status = carom_sparse_note(&list, i, b->column[k], b->value[k]);
            if (status == CAROM_OK && b->column[k] != i)
                status = carom_sparse_note(&list, b->column[k], i, 0.0);
        }
    }
    status = status == CAROM_OK ? carom_sparse_make(out, b->rows, b->rows, &list, error)
                                : carom_error_set(error, status, "out of memory for a matrix of %zu rows", b->rows);
    carom_sparse_list_close(&list);
    return status;
}

/* Where one piece is gathered. */
struct piece {
    size_t count;                   /* rows of B in it */
    size_t *row, *inside;           /* their numbers, and back */
    size_t *first, *column;         /* its pattern */
    double *value, *right, *left;   /* its entries; a column of A and its solution */
    size_t columns, *touching;      /* columns of A that touch it */
    struct carom_sparse_list entry; /* A's entries in it by column */
    size_t *mark;
};

static bool piece_open(struct piece *piece, const struct carom_sparse *b, size_t columns)
{
    const size_t n = b->rows, entries = b->first[n];
    if (!carom_memory_together(CAROM_ROOM(piece->row, n), CAROM_ROOM(piece->inside, n), CAROM_ROOM(piece->first, n + 1),
                               CAROM_ROOM(piece->column, entries), CAROM_ROOM(piece->value, entries),
                               CAROM_ROOM(piece->right, n), CAROM_ROOM(piece->left, n),
                               CAROM_ROOM(piece->touching, columns), CAROM_ROOM(piece->mark, columns)))
        return false;
    for (size_t i = 0; i < n; i++)
        piece->inside[i] = SIZE_MAX;
    for (size_t i = 0; i < columns; i++)
        piece->mark[i] = SIZE_MAX;
    return true;
}

/* The rows of B that hang together with `from`, in order of discovery, and their pattern, columns rising. */
static void gather(struct piece *piece, const struct carom_sparse *b, size_t from)
{
    piece->count = 0;
    piece->row[piece->count] = from;
    piece->inside[from] = piece->count++;
    for (size_t k = 0; k < piece->count; k++)
        for (size_t l = b->first[piece->row[k]]; l < b->first[piece->row[k] + 1]; l++)
            if (piece->inside[b->column[l]] == SIZE_MAX) {
                piece->row[piece->count] = b->column[l];
                piece->inside[b->column[l]] = piece->count++;
            }
    size_t used = 0;
    for (size_t k = 0; k < piece->count; k++) {
        const size_t start = used;
        for (size_t l = b->first[piece->row[k]]; l < b->first[piece->row[k] + 1]; l++, used++) {
            const size_t to = piece->inside[b->column[l]];
            size_t at = used;
            for (; at > start && piece->column[at - 1] > to; at--) {
                piece->column[at] = piece->column[at - 1];
                piece->value[at] = piece->value[at - 1];
            }
            piece->column[at] = to;
            piece->value[at] = b->value[l];
        }
        piece->first[k + 1] = used;
    }
}

static enum carom_status factor_piece(const struct piece *piece, bool strict, struct carom_block_factor *factor,
                                      struct carom_error *error)
{
    if (carom_block_factor_open(factor, piece->count, 1, piece->first, piece->column, HUGE_VAL, error) != CAROM_OK)
        return CAROM_E_MEMORY;
    const size_t lost = carom_block_factor_compute(factor, piece->first, piece->column, piece->value, 0.0, -DEPENDENT);
    if (strict && lost > 0)
        return carom_error_set(error, CAROM_E_INPUT, "is not positive definite, as seen from row %zu", piece->row[0]);
    return CAROM_OK;
}

/* entries of A in the piece, as (column, row inside, value) */
static enum carom_status gather_columns(struct piece *piece, const struct carom_sparse *a, size_t number)
{
    piece->columns = 0;
    piece->entry.count = 0;
    for (size_t k = 0; k < piece->count; k++)
        for (size_t l = a->first[piece->row[k]]; l < a->first[piece->row[k] + 1]; l++) {
            if (carom_sparse_note(&piece->entry, a->column[l], k, a->value[l]) != CAROM_OK)
                return CAROM_E_MEMORY;
            if (piece->mark[a->column[l]] != number) {
                piece->mark[a->column[l]] = number;
                piece->touching[piece->columns++] = a->column[l];
            }
        }
    return CAROM_OK;
}

/* notes (A^T B^-1 A)_(i j) for all columns i and one column j of the piece */
static enum carom_status note_column(struct piece *piece, struct carom_block_factor *factor,
                                     const struct carom_sparse *by_column, size_t j, double times,
                                     struct carom_sparse_list *list)
{
    memset(piece->right, 0, piece->count * sizeof *piece->right);
    for (size_t k = by_column->first[j]; k < by_column->first[j + 1]; k++)
        piece->right[by_column->column[k]] = by_column->value[k];
    carom_block_factor_solve(factor, piece->right, piece->left);
    for (size_t c = 0; c < piece->columns; c++) {
        double sum = 0.0;
        for (size_t k = by_column->first[c]; k < by_column->first[c + 1]; k++)
            sum += by_column->value[k] * piece->left[by_column->column[k]];
        if (carom_sparse_note(list, piece->touching[c], piece->touching[j], times * sum) != CAROM_OK)
            return CAROM_E_MEMORY;
    }
    return CAROM_OK;
}

/* the piece's part of A, columns as numbered in `touching` */
static enum carom_status part_of(struct piece *piece, size_t *number, struct carom_sparse *by_column,
                                 struct carom_error *error)
{
    for (size_t c = 0; c < piece->columns; c++)
        number[piece->touching[c]] = c;
    for (size_t k = 0; k < piece->entry.count; k++)
        piece->entry.row[k] = number[piece->entry.row[k]];
    return carom_sparse_make(by_column, piece->columns, piece->count, &piece->entry, error);
}

static enum carom_status note_piece(struct piece *piece, const struct carom_sparse *a, double times, bool strict,
                                    size_t most, size_t number, size_t *numbers, struct carom_sparse_list *list,
                                    struct carom_error *error)
{
    struct carom_block_factor factor = {0};
    struct carom_sparse by_column = {0};
    enum carom_status status = gather_columns(piece, a, number);
    if (status != CAROM_OK)
        return carom_error_set(error, status, "out of memory for a matrix of %zu rows", a->rows);
    status = factor_piece(piece, strict, &factor, error);
    if (status == CAROM_OK && piece->columns > 0 && list->count + piece->columns * piece->columns > most)
        status = carom_error_set(error, CAROM_E_REFUSED,
                                 "contacts on one body or mesh are too many: %zu columns couple with each other",
                                 piece->columns);
    if (status == CAROM_OK)
        status = part_of(piece, numbers, &by_column, error);
    for (size_t j = 0; j < piece->columns && status == CAROM_OK; j++)
        if (note_column(piece, &factor, &by_column, j, times, list) != CAROM_OK)
            status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for a matrix of %zu rows", a->columns);
    carom_sparse_close(&by_column);
    carom_block_factor_close(&factor);
    return status;
}

enum carom_status carom_congruence_note(const struct carom_sparse *b, const struct carom_sparse *a, double factor,
                                        bool strict, size_t most, struct carom_sparse_list *list,
                                        struct carom_error *error)
{
    struct carom_sparse whole = {0};
    struct piece piece = {0};
    size_t *numbers = carom_memory_zeroed(a->columns, sizeof(size_t));
    enum carom_status status = both_ways(b, &whole, error);
    if (status == CAROM_OK && (!numbers || !piece_open(&piece, &whole, a->columns)))
        status = carom_error_set(error, CAROM_E_MEMORY, "out of memory for a matrix of %zu rows", b->rows);
    for (size_t i = 0; i < b->rows && status == CAROM_OK; i++)
        if (piece.inside[i] == SIZE_MAX) {
            gather(&piece, &whole, i);
            status = note_piece(&piece, a, factor, strict, most, i, numbers, list, error);
        }
    carom_sparse_list_close(&piece.entry);
    carom_memory_free(piece.row);
    carom_sparse_close(&whole);
    carom_memory_free(numbers);
    return status;
}

enum carom_status carom_congruence_solve(const struct carom_sparse *b, const double *y, double *x,
                                         struct carom_error *error)
{
    struct carom_sparse whole = {0};
    struct carom_block_factor factor = {0};
    enum carom_status status = both_ways(b, &whole, error);
    if (status == CAROM_OK)
        status = carom_block_factor_open(&factor, b->rows, 1, whole.first, whole.column, HUGE_VAL, error);
    if (status == CAROM_OK) {
        carom_block_factor_compute(&factor, whole.first, whole.column, whole.value, 0.0, -DEPENDENT);
        carom_block_factor_solve(&factor, y, x);
    }
    carom_block_factor_close(&factor);
    carom_sparse_close(&whole);
    return status;
}
