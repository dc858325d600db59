/* FCLIB problems made contact problems alone. Global ones: W = H^T M^-1 H, V = H^T M^-1 G, R = G^T M^-1 G and the
 * vectors that go with them; then constraints: W - V R^-1 V^T, q - V R^-1 s. M may be bodies or a mesh: its pieces
 * are factored one by one. Redundant constraints (R singular) are left out. */
#include "base/sorted.h"
#include "record/export/fclib.h"

#include <string.h>

#include "base/memory.h"
#include "solve/congruence.h"

static const char what[] = "the contact problem";

enum { MOST_ENTRIES = 200000000 };

/* [H G] and [W V; V^T R] of a global problem, and q, s */
static enum carom_status join(const struct carom_fclib *problem, struct carom_sparse *both, struct carom_error *error)
{
    const size_t width = problem->h.columns;
    struct carom_sparse_list list = {0};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < problem->freedoms && status == CAROM_OK; i++) {
        for (size_t k = problem->h.first[i]; k < problem->h.first[i + 1] && status == CAROM_OK; k++)
            status = carom_sparse_note(&list, i, problem->h.column[k], problem->h.value[k]);
        for (size_t k = problem->constraints ? problem->g.first[i] : 0;
             problem->constraints && k < problem->g.first[i + 1] && status == CAROM_OK; k++)
            status = carom_sparse_note(&list, i, width + problem->g.column[k], problem->g.value[k]);
    }
    status = status == CAROM_OK ? carom_sparse_make(both, problem->freedoms, width + problem->constraints, &list, error)
                                : carom_memory_error_for(error, what);
    carom_sparse_list_close(&list);
    return status;
}

/* The part of the list in rows from `row` on and columns from `column` on, as a matrix. */
static enum carom_status cut(const struct carom_sparse_list *list, size_t row, size_t rows, size_t column,
                             size_t columns, struct carom_sparse *out, struct carom_error *error)
{
    struct carom_sparse_list part = {0};
    enum carom_status status = CAROM_OK;
    for (size_t k = 0; k < list->count && status == CAROM_OK; k++)
        if (list->row[k] >= row && list->row[k] < row + rows && list->column[k] >= column &&
            list->column[k] < column + columns)
            status = carom_sparse_note(&part, list->row[k] - row, list->column[k] - column, list->value[k]);
    status =
        status == CAROM_OK ? carom_sparse_make(out, rows, columns, &part, error) : carom_memory_error_for(error, what);
    carom_sparse_list_close(&part);
    return status;
}

/* q = H^T M^-1 f + w, s = G^T M^-1 f + b */
static enum carom_status vectors(struct carom_fclib *problem, struct carom_error *error)
{
    const size_t width = problem->h.columns;
    double *loose = carom_memory_zeroed(problem->freedoms, sizeof *loose);
    problem->q = carom_memory_zeroed(width, sizeof *problem->q);
    problem->s = carom_memory_zeroed(problem->constraints, sizeof *problem->s);
    enum carom_status status = loose && problem->q && problem->s
                                   ? carom_congruence_solve(&problem->m, problem->f, loose, error)
                                   : carom_memory_error_for(error, what);
    if (status == CAROM_OK) {
        memcpy(problem->q, problem->shift, width * sizeof *problem->q);
        carom_sparse_add_across(&problem->h, 1.0, loose, problem->q);
        if (problem->constraints > 0) {
            memcpy(problem->s, problem->b, problem->constraints * sizeof *problem->s);
            carom_sparse_add_across(&problem->g, 1.0, loose, problem->s);
        }
    }
    carom_memory_free(loose);
    return status;
}

/* makes a global problem local as well */
static enum carom_status localise(struct carom_fclib *problem, struct carom_error *error)
{
    const size_t width = problem->h.columns, joints = problem->constraints;
    struct carom_sparse both = {0};
    struct carom_sparse_list list = {0};
    enum carom_status status = join(problem, &both, error);
    if (status == CAROM_OK) {
        status = carom_congruence_note(&problem->m, &both, 1.0, true, MOST_ENTRIES, &list, error);
        if (status == CAROM_E_INPUT)
            carom_error_prefix(error, "/fclib_global/M");
    }
    if (status == CAROM_OK)
        status = cut(&list, 0, width, 0, width, &problem->w, error);
    if (status == CAROM_OK && joints > 0)
        status = cut(&list, 0, width, width, joints, &problem->v, error);
    if (status == CAROM_OK && joints > 0)
        status = cut(&list, width, joints, width, joints, &problem->r, error);
    if (status == CAROM_OK)
        status = vectors(problem, error);
    carom_sparse_close(&both);
    carom_sparse_list_close(&list);
    return status;
}

/* V^T, row by row of constraints */
static enum carom_status transpose(const struct carom_sparse *v, struct carom_sparse *out, struct carom_error *error)
{
    struct carom_sparse_list list = {0};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < v->rows && status == CAROM_OK; i++)
        for (size_t k = v->first[i]; k < v->first[i + 1] && status == CAROM_OK; k++)
            status = carom_sparse_note(&list, v->column[k], i, v->value[k]);
    status = status == CAROM_OK ? carom_sparse_make(out, v->columns, v->rows, &list, error)
                                : carom_memory_error_for(error, what);
    carom_sparse_list_close(&list);
    return status;
}

/* list: W - V R^-1 V^T; b: q - V R^-1 s */
static enum carom_status eliminate(const struct carom_fclib *problem, struct carom_sparse_list *list, double *b,
                                   struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < problem->w.rows && status == CAROM_OK; i++)
        for (size_t k = problem->w.first[i]; k < problem->w.first[i + 1] && status == CAROM_OK; k++)
            status = carom_sparse_note(list, i, problem->w.column[k], problem->w.value[k]);
    if (status != CAROM_OK)
        return carom_memory_error_for(error, what);
    memcpy(b, problem->q, problem->w.rows * sizeof *b);
    if (problem->constraints == 0)
        return CAROM_OK;
    struct carom_sparse across = {0};
    double *l = carom_memory_zeroed(problem->constraints, sizeof *l);
    status = l ? transpose(&problem->v, &across, error) : carom_memory_error_for(error, what);
    if (status == CAROM_OK)
        status = carom_congruence_note(&problem->r, &across, -1.0, false, MOST_ENTRIES, list, error);
    if (status == CAROM_OK)
        status = carom_congruence_solve(&problem->r, problem->s, l, error);
    if (status == CAROM_OK)
        carom_sparse_add(&problem->v, -1.0, l, b);
    carom_sparse_close(&across);
    carom_memory_free(l);
    return status;
}

/* the entries as blocks; the pattern of blocks is made symmetric and gets its diagonal */
static enum carom_status block_pattern(const struct carom_fclib *problem, const struct carom_sparse_list *list,
                                       struct carom_sparse *pattern, struct carom_error *error)
{
    struct carom_sparse_list places = {0};
    enum carom_status status = CAROM_OK;
    for (size_t i = 0; i < problem->contacts && status == CAROM_OK; i++)
        status = carom_sparse_note(&places, i, i, 0.0);
    for (size_t k = 0; k < list->count && status == CAROM_OK; k++) {
        const size_t row = list->row[k] / problem->dim, column = list->column[k] / problem->dim;
        if (row == column)
            continue;
        status = carom_sparse_note(&places, row, column, 0.0);
        if (status == CAROM_OK)
            status = carom_sparse_note(&places, column, row, 0.0);
    }
    status = status == CAROM_OK ? carom_sparse_make(pattern, problem->contacts, problem->contacts, &places, error)
                                : carom_memory_error_for(error, what);
    carom_sparse_list_close(&places);
    return status;
}

static void fill(const struct carom_sparse_list *list, const struct carom_sparse *pattern,
                 struct carom_friction_data *data)
{
    const size_t dim = data->dim;
    memcpy(data->first, pattern->first, (data->n + 1) * sizeof *data->first);
    memcpy(data->column, pattern->column, pattern->first[data->n] * sizeof *data->column);
    for (size_t k = 0; k < list->count; k++) {
        const size_t row = list->row[k] / dim, column = list->column[k] / dim;
        size_t next = data->first[row] + 1;
        CAROM_SORTED_FIRST(next, data->first[row + 1], data->column[middle] <= column);
        data->block[((next - 1) * dim + list->row[k] % dim) * dim + list->column[k] % dim] += list->value[k];
    }
}

enum carom_status carom_fclib_reduce(struct carom_fclib *problem, struct carom_friction_data *data,
                                     struct carom_error *error)
{
    *data = (struct carom_friction_data){0};
    enum carom_status status = problem->global && !problem->q ? localise(problem, error) : CAROM_OK;
    if (status != CAROM_OK)
        return status;
    struct carom_sparse_list list = {0};
    struct carom_sparse pattern = {0};
    double *b = carom_memory_zeroed(problem->w.rows, sizeof *b);
    status = b ? eliminate(problem, &list, b, error) : carom_memory_error_for(error, what);
    if (status == CAROM_OK)
        status = block_pattern(problem, &list, &pattern, error);
    if (status == CAROM_OK)
        status =
            carom_friction_data_open(data, problem->contacts, problem->dim, pattern.first[problem->contacts], error);
    if (status == CAROM_OK) {
        fill(&list, &pattern, data);
        memcpy(data->b, b, problem->w.rows * sizeof *b);
        memcpy(data->mu, problem->mu, problem->contacts * sizeof *data->mu);
    }
    carom_sparse_list_close(&list);
    carom_sparse_close(&pattern);
    carom_memory_free(b);
    return status;
}
