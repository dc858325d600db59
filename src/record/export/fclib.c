/* FCLIB's layout, read (see the header). Matrices are triplets (nz >= 0), compressed columns (nz = -1) or compressed
 * rows (nz = -2), as in CSparse. Everything is checked before it is used: files come from anywhere. */
#include "record/export/fclib.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_plain.h"

enum { NAME = 200 };

void carom_fclib_close(struct carom_fclib *problem)
{
    struct carom_sparse *matrix[] = {&problem->w, &problem->v, &problem->r, &problem->m, &problem->h, &problem->g};
    double *vector[] = {problem->mu, problem->q, problem->s, problem->f, problem->shift, problem->b, problem->start};
    for (size_t k = 0; k < sizeof matrix / sizeof *matrix; k++)
        carom_sparse_close(matrix[k]);
    for (size_t k = 0; k < sizeof vector / sizeof *vector; k++)
        carom_memory_free(vector[k]);
    *problem = (struct carom_fclib){0};
}

/* A file with what is needed for its sentences. */
struct source {
    const char *path;
    struct carom_hdf5_plain *file;
    struct carom_error *error;
};

static enum carom_status number(const struct source *of, const char *path, int64_t *value)
{
    return carom_hdf5_plain_numbers(of->file, path, 1, value, of->error);
}

/* All entries of a dataset; *count is how many. */
static enum carom_status numbers(const struct source *of, const char *path, int64_t **value, size_t *count)
{
    const enum carom_status status = carom_hdf5_plain_count(of->file, path, count, of->error);
    if (status != CAROM_OK)
        return status;
    *value = carom_memory_zeroed(*count, sizeof **value);
    if (!*value)
        return carom_error_set(of->error, CAROM_E_MEMORY, "%s: out of memory", of->path);
    return carom_hdf5_plain_numbers(of->file, path, *count, *value, of->error);
}

/* A vector of `count` finite numbers; more entries than that are an error too. */
static enum carom_status reals(const struct source *of, const char *path, size_t count, double **value)
{
    *value = carom_memory_zeroed(count, sizeof **value);
    if (!*value)
        return carom_error_set(of->error, CAROM_E_MEMORY, "%s: out of memory", of->path);
    const enum carom_status status = carom_hdf5_plain_reals(of->file, path, count, *value, of->error);
    for (size_t k = 0; k < count && status == CAROM_OK; k++)
        if (!isfinite((*value)[k]))
            return carom_error_set(of->error, CAROM_E_INPUT, "%s: %s holds %g at place %zu: numbers must be finite",
                                   of->path, path, (*value)[k], k);
    return status;
}

/* The raw arrays of a matrix. */
struct raw {
    int64_t rows, columns, nz;
    int64_t *p, *i;
    size_t np, ni, nx;
    double *x;
};

static enum carom_status raw_read(const struct source *of, const char *matrix, struct raw *raw)
{
    char path[NAME];
    const struct {
        const char *name;
        int64_t *to;
    } sizes[] = {{"m", &raw->rows}, {"n", &raw->columns}, {"nz", &raw->nz}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        snprintf(path, sizeof path, "%s/%s", matrix, sizes[k].name);
        const enum carom_status status = number(of, path, sizes[k].to);
        if (status != CAROM_OK)
            return status;
    }
    const int64_t most = (int64_t)carom_hdf5_plain_most(of->file); /* to each row and column belongs a vector's entry */
    if (raw->rows < 0 || raw->columns < 0 || raw->rows > most || raw->columns > most || raw->nz < -2)
        return carom_error_set(of->error, CAROM_E_INPUT,
                               "%s: %s has m = %lld, n = %lld, nz = %lld: sizes must be from 0 to %lld and nz >= -2",
                               of->path, matrix, (long long)raw->rows, (long long)raw->columns, (long long)raw->nz,
                               (long long)most);
    snprintf(path, sizeof path, "%s/p", matrix);
    enum carom_status status = numbers(of, path, &raw->p, &raw->np);
    snprintf(path, sizeof path, "%s/i", matrix);
    if (status == CAROM_OK)
        status = numbers(of, path, &raw->i, &raw->ni);
    snprintf(path, sizeof path, "%s/x", matrix);
    if (status == CAROM_OK)
        status = carom_hdf5_plain_count(of->file, path, &raw->nx, of->error);
    return status == CAROM_OK ? reals(of, path, raw->nx, &raw->x) : status;
}

/* entries of a compressed matrix: the pointers must rise from 0 and end inside the arrays */
static enum carom_status raw_expand(const struct source *of, const char *matrix, const struct raw *raw, bool by_rows,
                                    struct carom_sparse_list *list)
{
    const size_t lines = (size_t)(by_rows ? raw->rows : raw->columns);
    bool good = raw->np == lines + 1 && raw->p[0] == 0;
    for (size_t k = 0; good && k < lines; k++)
        good = raw->p[k + 1] >= raw->p[k];
    if (!good || raw->p[lines] < 0 || (size_t)raw->p[lines] > raw->ni || (size_t)raw->p[lines] > raw->nx)
        return carom_error_set(of->error, CAROM_E_INPUT,
                               "%s: %s/p must have %zu numbers that rise from 0 to at most the length of i and x",
                               of->path, matrix, lines + 1);
    enum carom_status status = CAROM_OK;
    for (size_t k = 0; k < lines && status == CAROM_OK; k++)
        for (int64_t l = raw->p[k]; l < raw->p[k + 1] && status == CAROM_OK; l++) {
            const int64_t other = raw->i[l];
            if (other < 0 || other >= (by_rows ? raw->columns : raw->rows))
                return carom_error_set(of->error, CAROM_E_INPUT, "%s: %s/i holds %lld, outside the matrix", of->path,
                                       matrix, (long long)other);
            status = by_rows ? carom_sparse_note(list, k, (size_t)other, raw->x[l])
                             : carom_sparse_note(list, (size_t)other, k, raw->x[l]);
        }
    return status == CAROM_OK ? status : carom_error_set(of->error, status, "%s: out of memory", of->path);
}

static enum carom_status raw_triplets(const struct source *of, const char *matrix, const struct raw *raw,
                                      struct carom_sparse_list *list)
{
    const size_t count = (size_t)raw->nz;
    if (raw->np < count || raw->ni < count || raw->nx < count)
        return carom_error_set(of->error, CAROM_E_INPUT, "%s: %s has nz = %zu but p, i and x hold %zu, %zu and %zu",
                               of->path, matrix, count, raw->np, raw->ni, raw->nx);
    for (size_t k = 0; k < count; k++) {
        if (raw->p[k] < 0 || raw->p[k] >= raw->rows || raw->i[k] < 0 || raw->i[k] >= raw->columns)
            return carom_error_set(of->error, CAROM_E_INPUT, "%s: %s has an entry at (%lld, %lld), outside the matrix",
                                   of->path, matrix, (long long)raw->p[k], (long long)raw->i[k]);
        if (carom_sparse_note(list, (size_t)raw->p[k], (size_t)raw->i[k], raw->x[k]) != CAROM_OK)
            return carom_error_set(of->error, CAROM_E_MEMORY, "%s: out of memory", of->path);
    }
    return CAROM_OK;
}

/* rows or columns SIZE_MAX: any */
static enum carom_status matrix_read(const struct source *of, const char *matrix, size_t rows, size_t columns,
                                     struct carom_sparse *out)
{
    struct raw raw = {0};
    struct carom_sparse_list list = {0};
    enum carom_status status = raw_read(of, matrix, &raw);
    if (status == CAROM_OK &&
        ((rows != SIZE_MAX && (size_t)raw.rows != rows) || (columns != SIZE_MAX && (size_t)raw.columns != columns)))
        status = carom_error_set(of->error, CAROM_E_INPUT, "%s: %s is %lld x %lld, which does not fit the rest",
                                 of->path, matrix, (long long)raw.rows, (long long)raw.columns);
    if (status == CAROM_OK)
        status =
            raw.nz >= 0 ? raw_triplets(of, matrix, &raw, &list) : raw_expand(of, matrix, &raw, raw.nz == -2, &list);
    if (status == CAROM_OK)
        status = carom_sparse_make(out, (size_t)raw.rows, (size_t)raw.columns, &list, of->error);
    carom_sparse_list_close(&list);
    carom_memory_free_all(raw.p, raw.i, raw.x);
    return status;
}

/* spacedim, and mu with the number of contacts, which must fit `width` */
static enum carom_status contacts_read(const struct source *of, const char *kind, size_t width,
                                       struct carom_fclib *problem)
{
    char path[NAME];
    int64_t dim;
    snprintf(path, sizeof path, "%s/spacedim", kind);
    enum carom_status status = number(of, path, &dim);
    if (status != CAROM_OK)
        return status;
    if (dim != 2 && dim != 3)
        return carom_error_set(of->error, CAROM_E_INPUT, "%s: %s must be 2 or 3, got %lld", of->path, path,
                               (long long)dim);
    problem->dim = (size_t)dim;
    if (width % problem->dim != 0)
        return carom_error_set(of->error, CAROM_E_INPUT, "%s: the matrix has %zu rows, not a multiple of spacedim %zu",
                               of->path, width, problem->dim);
    problem->contacts = width / problem->dim;
    snprintf(path, sizeof path, "%s/vectors/mu", kind);
    status = reals(of, path, problem->contacts, &problem->mu);
    for (size_t k = 0; k < problem->contacts && status == CAROM_OK; k++)
        if (problem->mu[k] < 0.0)
            return carom_error_set(of->error, CAROM_E_INPUT, "%s: %s: must be >= 0, got %g at contact %zu", of->path,
                                   path, problem->mu[k], k + 1);
    return status;
}

/* r of a solution or a guess, if it is there and of the right size */
static enum carom_status start_read(const struct source *of, struct carom_fclib *problem)
{
    const char *const paths[] = {"/solution/r", "/guesses/1/r"};
    const size_t width = problem->contacts * problem->dim;
    for (size_t k = 0; k < 2; k++) {
        if (!carom_hdf5_plain_has(of->file, paths[k]))
            continue;
        return reals(of, paths[k], width, &problem->start);
    }
    return CAROM_OK;
}

static enum carom_status local_read(const struct source *of, struct carom_fclib *problem)
{
    const char *const base = "/fclib_local";
    enum carom_status status = matrix_read(of, "/fclib_local/W", SIZE_MAX, SIZE_MAX, &problem->w);
    if (status != CAROM_OK)
        return status;
    const size_t width = problem->w.rows;
    if (problem->w.columns != width)
        return carom_error_set(of->error, CAROM_E_INPUT, "%s: /fclib_local/W is %zu x %zu and must be square", of->path,
                               width, problem->w.columns);
    status = contacts_read(of, base, width, problem);
    if (status == CAROM_OK)
        status = reals(of, "/fclib_local/vectors/q", width, &problem->q);
    const bool joints =
        carom_hdf5_plain_has(of->file, "/fclib_local/V") || carom_hdf5_plain_has(of->file, "/fclib_local/R");
    if (status != CAROM_OK || !joints)
        return status;
    status = matrix_read(of, "/fclib_local/V", width, SIZE_MAX, &problem->v);
    problem->constraints = problem->v.columns;
    if (status == CAROM_OK)
        status = matrix_read(of, "/fclib_local/R", problem->constraints, problem->constraints, &problem->r);
    return status == CAROM_OK ? reals(of, "/fclib_local/vectors/s", problem->constraints, &problem->s) : status;
}

static enum carom_status global_read(const struct source *of, struct carom_fclib *problem)
{
    problem->global = true;
    enum carom_status status = matrix_read(of, "/fclib_global/M", SIZE_MAX, SIZE_MAX, &problem->m);
    problem->freedoms = problem->m.rows;
    if (status == CAROM_OK && problem->m.columns != problem->freedoms)
        status = carom_error_set(of->error, CAROM_E_INPUT, "%s: /fclib_global/M is %zu x %zu and must be square",
                                 of->path, problem->freedoms, problem->m.columns);
    if (status == CAROM_OK)
        status = matrix_read(of, "/fclib_global/H", problem->freedoms, SIZE_MAX, &problem->h);
    if (status == CAROM_OK)
        status = contacts_read(of, "/fclib_global", problem->h.columns, problem);
    if (status == CAROM_OK)
        status = reals(of, "/fclib_global/vectors/f", problem->freedoms, &problem->f);
    if (status == CAROM_OK)
        status = reals(of, "/fclib_global/vectors/w", problem->h.columns, &problem->shift);
    if (status != CAROM_OK || !carom_hdf5_plain_has(of->file, "/fclib_global/G"))
        return status;
    status = matrix_read(of, "/fclib_global/G", problem->freedoms, SIZE_MAX, &problem->g);
    problem->constraints = problem->g.columns;
    return status == CAROM_OK ? reals(of, "/fclib_global/vectors/b", problem->constraints, &problem->b) : status;
}

/* A title is printed: nothing but plain characters of it is kept. */
static void plain(char *text)
{
    for (; *text; text++)
        if (*text < ' ' || *text > '~')
            *text = '?';
}

enum carom_status carom_fclib_read(const char *path, struct carom_fclib *problem, struct carom_error *error)
{
    *problem = (struct carom_fclib){0};
    struct source of = {path, carom_hdf5_plain_open(path, error), error};
    if (!of.file)
        return error ? error->status : CAROM_E_INPUT;
    const bool local = carom_hdf5_plain_has(of.file, "/fclib_local");
    enum carom_status status;
    if (!local && !carom_hdf5_plain_has(of.file, "/fclib_global"))
        status =
            carom_error_set(error, CAROM_E_INPUT,
                            "%s: holds neither /fclib_local nor /fclib_global, so it is not an FCLIB problem", path);
    else
        status = local ? local_read(&of, problem) : global_read(&of, problem);
    if (status == CAROM_OK)
        status = start_read(&of, problem);
    if (status == CAROM_OK)
        carom_hdf5_plain_text(of.file, local ? "/fclib_local/info/title" : "/fclib_global/info/title", problem->title,
                              sizeof problem->title);
    plain(problem->title);
    carom_hdf5_plain_close(of.file);
    if (status != CAROM_OK)
        carom_fclib_close(problem);
    return status;
}
