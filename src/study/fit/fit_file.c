/* Writes fits. All numbers are in SI, or without units where the scene has none. */
#include "study/fit/fit.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "carom/carom.h"
#include "record/hdf5/hdf5_grid.h"
#include "record/hdf5/hdf5_tree.h"

enum carom_status carom_fit_file_may(const char *path, struct carom_error *error)
{
    return carom_hdf5_tree_may_replace(path, "fit", "a fit", error);
}

struct writer {
    const struct carom_fit *fit;
    const struct carom_fit_result *result;
    struct carom_hdf5_file *file;
    enum carom_status status;
    struct carom_error *error;
};

static void put(struct writer *w, const char *path, const char *unit, size_t rows, size_t columns, const double *value)
{
    const uint64_t size[] = {rows, columns};
    const struct carom_hdf5_grid grid = {path, w->fit->scene->si ? unit : "1", CAROM_HDF5_REAL, columns > 0 ? 2 : 1,
                                         size};
    carom_hdf5_grid_put(w->file, &grid, value, &w->status, w->error);
}

static void put_texts(struct writer *w)
{
    char keys[CAROM_FIT_KEYS * 200] = "", units[CAROM_FIT_KEYS * 65] = "", free[CAROM_FIT_KEYS * 201] = "",
                               columns[CAROM_FIT_DATA_COLUMNS * 65] = "", assumed[CAROM_FIT_NOISE_TEXT];
    for (size_t i = 0; i < w->fit->nkeys; i++) {
        const char *line = i > 0 ? "\n" : "";
        snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s%s", line, w->fit->key[i].key);
        snprintf(units + strlen(units), sizeof units - strlen(units), "%s%.60s", line, carom_fit_unit(w->fit, i));
        snprintf(free + strlen(free), sizeof free - strlen(free), "%s%s", line, w->fit->free[i]);
    }
    for (size_t c = 0; c < w->fit->data.ncolumns; c++)
        snprintf(columns + strlen(columns), sizeof columns - strlen(columns), "%s%s", c > 0 ? "\n" : "",
                 w->fit->data.column[c].name);
    carom_hdf5_tree_text(w->file, "parameters/study", "fit");
    carom_hdf5_tree_text(w->file, "parameters/version", CAROM_VERSION);
    carom_hdf5_tree_text(w->file, "parameters/title", w->fit->scene->title != NULL ? w->fit->scene->title : "");
    carom_hdf5_tree_text(w->file, "parameters/scene", w->fit->scene->text);
    carom_hdf5_tree_text(w->file, "parameters/set", w->fit->scene->set);
    carom_hdf5_tree_text(w->file, "parameters/data", w->fit->data.text);
    carom_hdf5_tree_text(w->file, "parameters/free", free);
    carom_hdf5_tree_text(w->file, "fit/key", keys);
    carom_hdf5_tree_text(w->file, "fit/unit", units);
    carom_hdf5_tree_text(w->file, "data/columns", columns);
    carom_fit_noise_text(w->fit, w->result, assumed, sizeof assumed);
    carom_hdf5_tree_text(w->file, "fit/assumed", assumed);
}

static void put_keys(struct writer *w)
{
    const struct carom_fit_result *r = w->result;
    const size_t n = w->fit->nkeys;
    double start[CAROM_FIT_KEYS], low[CAROM_FIT_KEYS], high[CAROM_FIT_KEYS];
    double correlation[CAROM_FIT_KEYS * CAROM_FIT_KEYS];
    for (size_t i = 0; i < n; i++) {
        start[i] = w->fit->key[i].start;
        low[i] = w->fit->key[i].low;
        high[i] = w->fit->key[i].high;
        for (size_t j = 0; j < n; j++)
            correlation[i * n + j] = r->covariance[i * n + j] / (r->sigma[i] * r->sigma[j]);
    }
    put(w, "fit/value", "SI", n, 0, r->value);
    put(w, "fit/sigma", "SI", n, 0, r->sigma);
    put(w, "fit/student", "1", n, 0, r->student);
    put(w, "fit/start", "SI", n, 0, start);
    put(w, "fit/low", "SI", n, 0, low);
    put(w, "fit/high", "SI", n, 0, high);
    put(w, "fit/covariance", "SI", n, n, r->covariance);
    put(w, "fit/correlation", "1", n, n, correlation);
    const double numbers[] = {r->chi2, r->start_chi2, r->freedom, r->probability, r->given, r->converged};
    static const char *const names[] = {"statistics/chi2",        "statistics/start_chi2", "statistics/freedom",
                                        "statistics/probability", "statistics/given",      "statistics/converged"};
    for (size_t i = 0; i < 6; i++)
        put(w, names[i], "1", 1, 0, &numbers[i]);
}

/* The points of one column, with what the model says of them. */
static void put_column(struct writer *w, size_t c, double *block)
{
    const struct carom_fit_data *data = &w->fit->data;
    const size_t m = data->npoints;
    double *const list[] = {block, block + m, block + 2 * m, block + 3 * m, block + 4 * m};
    const char *const name[] = {data->runs ? "run" : "time", "value", "sigma", "model", "start"};
    size_t count = 0;
    for (size_t i = 0; i < m; i++) {
        const struct carom_fit_point *p = &data->point[i];
        if (p->column != c)
            continue;
        const double row[] = {p->at, p->value, p->sigma * w->result->spread[c], w->result->model[i],
                              w->result->before[i]};
        for (size_t k = 0; k < 5; k++)
            list[k][count] = row[k];
        count++;
    }
    for (size_t k = 0; k < 5; k++) {
        char path[128];
        snprintf(path, sizeof path, "data/%s/%s", data->column[c].name, name[k]);
        put(w, path, k > 0 ? data->column[c].unit : data->runs ? "1" : "s", count, 0, list[k]);
    }
    if (w->result->curve != NULL) {
        char path[128];
        snprintf(path, sizeof path, "curve/%s", data->column[c].name);
        put(w, path, data->column[c].unit, CAROM_FIT_CURVE, 0, w->result->curve + c * CAROM_FIT_CURVE);
    }
}

enum carom_status carom_fit_file_write(const struct carom_fit *fit, const struct carom_fit_result *result,
                                       const char *path, struct carom_error *error)
{
    if (carom_fit_file_may(path, error) != CAROM_OK)
        return error->status;
    struct writer w = {.fit = fit, .result = result, .error = error, .file = carom_hdf5_file_create(path, error)};
    if (w.file == NULL)
        return error->status;
    double *block = carom_memory_zeroed(5 * fit->data.npoints, sizeof *block);
    if (block == NULL)
        w.status = carom_memory_error(error);
    put_texts(&w);
    put_keys(&w);
    for (size_t c = 0; c < fit->data.ncolumns && block != NULL; c++)
        put_column(&w, c, block);
    if (result->curve_time != NULL)
        put(&w, "curve/time", "s", CAROM_FIT_CURVE, 0, result->curve_time);
    put(&w, "statistics/rms", "SI", fit->data.ncolumns, 0, result->rms);
    put(&w, "statistics/lag", "1", fit->data.ncolumns, 0, result->lag);
    carom_memory_free(block);
    if (w.status == CAROM_OK)
        return carom_hdf5_file_adopt(w.file, error);
    carom_hdf5_file_close(w.file, NULL);
    return w.status;
}
