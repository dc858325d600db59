/* FCLIB's layout, written: a solution into a copy of the problem's file, or a local problem as a file of its own
 * (compressed columns). Also what follows from r: the multipliers l and the velocities v. */
#include "record/export/fclib.h"

#include <stdint.h>
#include <string.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_plain.h"
#include "solve/congruence.h"

/* l = -R^-1 (V^T r + s) of a local problem; v and l of a global one from the reduced R, V, s */
static enum carom_status follow(const struct carom_fclib *problem, const double *r, double *v, double *l,
                                struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (problem->constraints > 0) {
        double *right = carom_memory_zeroed(problem->constraints, sizeof *right);
        if (!right)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the multipliers");
        for (size_t k = 0; k < problem->constraints; k++)
            right[k] = -problem->s[k];
        carom_sparse_add_across(&problem->v, -1.0, r, right);
        status = carom_congruence_solve(&problem->r, right, l, error);
        carom_memory_free(right);
    }
    if (status == CAROM_OK && problem->global) {
        double *right = carom_memory_zeroed(problem->freedoms, sizeof *right);
        if (!right)
            return carom_error_set(error, CAROM_E_MEMORY, "out of memory for the velocities");
        memcpy(right, problem->f, problem->freedoms * sizeof *right);
        carom_sparse_add(&problem->h, 1.0, r, right);
        if (problem->constraints > 0)
            carom_sparse_add(&problem->g, 1.0, l, right);
        status = carom_congruence_solve(&problem->m, right, v, error);
        carom_memory_free(right);
    }
    return status;
}

enum carom_status carom_fclib_write_solution(const char *path, const char *from, const struct carom_fclib *problem,
                                             const double *r, const double *u, struct carom_error *error)
{
    const size_t width = problem->contacts * problem->dim;
    double *v = carom_memory_zeroed(problem->freedoms, sizeof *v);
    double *l = carom_memory_zeroed(problem->constraints, sizeof *l);
    enum carom_status status =
        v && l ? follow(problem, r, v, l, error) : carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", path);
    struct carom_hdf5_plain *file = status == CAROM_OK ? carom_hdf5_plain_begin(path, from, error) : NULL;
    if (status == CAROM_OK && !file)
        status = error && error->status != CAROM_OK ? error->status : CAROM_E_FILE;
    if (file) {
        carom_hdf5_plain_remove(file, "/solution");
        carom_hdf5_plain_put_reals(file, "/solution/u", width, u);
        carom_hdf5_plain_put_reals(file, "/solution/r", width, r);
        if (problem->global)
            carom_hdf5_plain_put_reals(file, "/solution/v", problem->freedoms, v);
        if (problem->constraints > 0)
            carom_hdf5_plain_put_reals(file, "/solution/l", problem->constraints, l);
        status = carom_hdf5_plain_publish(file, error);
        carom_hdf5_plain_close(file);
    }
    carom_memory_free_all(v, l);
    return status;
}

/* W in compressed columns, the only form FCLIB's own tools compute with; W is symmetric, so its rows are its columns */
static void compress(const struct carom_friction_data *data, int32_t *p, int32_t *i, double *x)
{
    const size_t dim = data->dim, square = dim * dim;
    size_t used = 0;
    p[0] = 0;
    for (size_t row = 0; row < data->n; row++)
        for (size_t k = 0; k < dim; k++) {
            for (size_t e = data->first[row]; e < data->first[row + 1]; e++)
                for (size_t l = 0; l < dim; l++, used++) {
                    i[used] = (int32_t)(data->column[e] * dim + l);
                    x[used] = data->block[e * square + k * dim + l];
                }
            p[row * dim + k + 1] = (int32_t)used;
        }
}

static void put_problem(struct carom_hdf5_plain *file, const char *title, const struct carom_friction_data *data,
                        const int32_t *p, const int32_t *i, const double *x)
{
    const size_t width = data->n * data->dim, entries = (size_t)p[width];
    const int32_t size = (int32_t)width, count = (int32_t)entries, columns = -1, dim = (int32_t)data->dim;
    carom_hdf5_plain_put_numbers(file, "/fclib_local/spacedim", 1, &dim);
    carom_hdf5_plain_put_numbers(file, "/fclib_local/W/nzmax", 1, &count);
    carom_hdf5_plain_put_numbers(file, "/fclib_local/W/m", 1, &size);
    carom_hdf5_plain_put_numbers(file, "/fclib_local/W/n", 1, &size);
    carom_hdf5_plain_put_numbers(file, "/fclib_local/W/nz", 1, &columns);
    carom_hdf5_plain_put_numbers(file, "/fclib_local/W/p", width + 1, p);
    carom_hdf5_plain_put_numbers(file, "/fclib_local/W/i", entries, i);
    carom_hdf5_plain_put_reals(file, "/fclib_local/W/x", entries, x);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/q", width, data->b);
    carom_hdf5_plain_put_reals(file, "/fclib_local/vectors/mu", data->n, data->mu);
    carom_hdf5_plain_put_text(file, "/fclib_local/info/title", title);
    carom_hdf5_plain_put_text(file, "/fclib_local/info/description", "one step of a made contact problem");
    carom_hdf5_plain_put_text(file, "/fclib_local/info/math_info", "none");
}

enum carom_status carom_fclib_write(const char *path, const char *title, const struct carom_friction_data *data,
                                    const double *r, const double *u, struct carom_error *error)
{
    const size_t width = data->n * data->dim, entries = data->first[data->n] * data->dim * data->dim;
    if (entries > INT32_MAX)
        return carom_error_set(error, CAROM_E_REFUSED, "%s: %zu entries are more than FCLIB can count", path, entries);
    int32_t *p = carom_memory_zeroed(width + 1, sizeof *p), *i = carom_memory_zeroed(entries, sizeof *i);
    double *x = carom_memory_zeroed(entries, sizeof *x);
    enum carom_status status = CAROM_E_MEMORY;
    struct carom_hdf5_plain *file = p && i && x ? carom_hdf5_plain_begin(path, NULL, error) : NULL;
    if (!p || !i || !x)
        carom_error_set(error, status, "%s: out of memory", path);
    else if (!file)
        status = error && error->status != CAROM_OK ? error->status : CAROM_E_FILE;
    if (file) {
        compress(data, p, i, x);
        put_problem(file, title, data, p, i, x);
        if (r && u) {
            carom_hdf5_plain_put_reals(file, "/solution/u", width, u);
            carom_hdf5_plain_put_reals(file, "/solution/r", width, r);
        }
        status = carom_hdf5_plain_publish(file, error);
        carom_hdf5_plain_close(file);
    }
    carom_memory_free_all(p, i, x);
    return status;
}
