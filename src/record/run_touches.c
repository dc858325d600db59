/* The table of contacts in run files, see run_touches.h. */
#include "record/run_touches.h"

#include <stdio.h>
#include <string.h>

#define COLUMNS CAROM_RUN_TOUCHES_COLUMNS
#define PATH 64
#define BLOCK ((size_t)256) /* lines packed at a time */

/* width: 0 a number for each contact, 1 a vector, 2 two bodies */
static const struct {
    const char *name, *unit;
    int width;
    size_t offset;
} column[COLUMNS] = {
    {"pair", "1", 2, offsetof(struct carom_touch, pair)},
    {"point", "m", 1, offsetof(struct carom_touch, point)},
    {"normal", "1", 1, offsetof(struct carom_touch, normal)},
    {"force", "N", 1, offsetof(struct carom_touch, force)},
    {"gap", "m", 0, offsetof(struct carom_touch, gap)},
    {"dissipated", "J", 0, offsetof(struct carom_touch, dissipated)},
};

static struct carom_hdf5_spec spec_of(size_t i, size_t dimension, bool si, char path[PATH])
{
    snprintf(path, PATH, CAROM_RUN_TOUCHES_LIST "/%s", column[i].name);
    const bool pair = column[i].width == 2;
    return (struct carom_hdf5_spec){.path = path,
                                    .unit = si ? column[i].unit : "1",
                                    .type = pair ? CAROM_HDF5_COUNT : CAROM_HDF5_REAL,
                                    .rank = column[i].width > 0 ? 2 : 1,
                                    .width = pair                   ? 2
                                             : column[i].width == 1 ? dimension
                                                                    : 0,
                                    .exact = pair,
                                    .grows = true};
}

static struct carom_hdf5_spec row_spec(const char *path)
{
    return (struct carom_hdf5_spec){.path = path, .unit = "1", .type = CAROM_HDF5_COUNT, .rank = 1, .grows = true};
}

void carom_run_touches_define(struct carom_run_touches *t, struct carom_hdf5_file *file, size_t dimension, bool si)
{
    const struct carom_hdf5_spec first = row_spec(CAROM_RUN_TOUCHES_LIST "/first");
    const struct carom_hdf5_spec count = row_spec(CAROM_RUN_TOUCHES_LIST "/count");
    *t = (struct carom_run_touches){.there = true, .dimension = dimension};
    t->first = carom_hdf5_set_define(file, &first);
    t->count = carom_hdf5_set_define(file, &count);
    for (size_t i = 0; i < COLUMNS; i++) {
        char path[PATH];
        const struct carom_hdf5_spec spec = spec_of(i, dimension, si, path);
        t->column[i] = carom_hdf5_set_define(file, &spec);
    }
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

enum carom_status carom_run_touches_find(struct carom_run_touches *t, struct carom_hdf5_file *file,
                                         struct carom_error *error)
{
    struct carom_hdf5_spec first = row_spec(CAROM_RUN_TOUCHES_LIST "/first");
    struct carom_hdf5_spec count = row_spec(CAROM_RUN_TOUCHES_LIST "/count");
    *t = (struct carom_run_touches){.lines = UINT64_MAX};
    t->first = carom_hdf5_set_find(file, &first, NULL);
    t->there = t->first >= 0;
    if (!t->there)
        return CAROM_OK;
    bool good = (t->count = carom_hdf5_set_find(file, &count, error)) >= 0;
    t->rows = least(first.rows, count.rows);
    for (size_t i = 0; i < COLUMNS && good; i++) {
        char path[PATH];
        struct carom_hdf5_spec spec = spec_of(i, t->dimension, true, path);
        spec.exact |= column[i].width == 1 && t->dimension > 0; /* all vectors are as wide as the first */
        good = (t->column[i] = carom_hdf5_set_find(file, &spec, error)) >= 0;
        if (good && column[i].width == 1)
            t->dimension = spec.width;
        t->lines = least(t->lines, spec.rows);
    }
    if (good && t->dimension != 2 && t->dimension != 3)
        return carom_error_set(error, CAROM_E_FILE,
                               "%s: " CAROM_RUN_TOUCHES_LIST " has vectors of %zu numbers, not 2 or 3",
                               carom_hdf5_file_path(file), t->dimension);
    return good ? CAROM_OK : error != NULL ? error->status : CAROM_E_FILE;
}

static enum carom_status not_recorded(const struct carom_hdf5_file *file, struct carom_error *error)
{
    return carom_error_set(error, CAROM_E_INPUT, "%s: contacts that come and go were not recorded",
                           carom_hdf5_file_path(file));
}

enum carom_status carom_run_touches_row(const struct carom_run_touches *t, const struct carom_hdf5_file *file,
                                        uint64_t row, uint64_t *first, uint64_t *count, struct carom_error *error)
{
    if (!t->there)
        return not_recorded(file, error);
    enum carom_status status = carom_hdf5_set_read(file, t->first, row, 1, first, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_read(file, t->count, row, 1, count, error);
    if (status == CAROM_OK && (*first > t->lines || *count > t->lines - *first))
        status = carom_error_set(error, CAROM_E_FILE,
                                 "%s: row %llu of " CAROM_RUN_TOUCHES_LIST " counts contacts that are not there",
                                 carom_hdf5_file_path(file), (unsigned long long)row);
    return status;
}

/* Ends of rows rise, so the first that lies beyond the lines is found by halving. */
uint64_t carom_run_touches_whole(const struct carom_run_touches *t, const struct carom_hdf5_file *file, uint64_t rows)
{
    uint64_t low = 0, high = least(rows, t->rows), first, count;
    if (high > 0 && carom_run_touches_row(t, file, high - 1, &first, &count, NULL) == CAROM_OK)
        low = high;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (carom_run_touches_row(t, file, middle, &first, &count, NULL) == CAROM_OK)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum carom_status carom_run_touches_back(struct carom_run_touches *t, struct carom_hdf5_file *file, uint64_t rows,
                                         struct carom_error *error)
{
    uint64_t first = 0, count = 0;
    const enum carom_status status =
        rows > 0 ? carom_run_touches_row(t, file, rows - 1, &first, &count, error) : CAROM_OK;
    t->rows = rows;
    t->lines = first + count;
    return status;
}

enum carom_status carom_run_touches_cut(struct carom_run_touches *t, struct carom_hdf5_file *file, uint64_t rows,
                                        struct carom_error *error)
{
    enum carom_status status = carom_run_touches_back(t, file, rows, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_cut(file, t->first, rows, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_cut(file, t->count, rows, error);
    for (size_t i = 0; i < COLUMNS && status == CAROM_OK; i++)
        status = carom_hdf5_set_cut(file, t->column[i], t->lines, error);
    return status;
}

/* --- lines ----------------------------------------------------------------------------------------------------- */

static size_t numbers(const struct carom_run_touches *t, size_t i)
{
    return column[i].width == 2 ? 2 : column[i].width == 1 ? t->dimension : 1;
}

enum carom_status carom_run_touches_write(struct carom_run_touches *t, struct carom_hdf5_file *file, size_t rows,
                                          const uint64_t *count, const struct carom_touch *touch,
                                          struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    uint64_t packed[3 * BLOCK], total = 0;
    for (size_t r = 0; r < rows; r++)
        total += count[r];
    for (uint64_t at = 0; at < total && status == CAROM_OK; at += BLOCK)
        for (size_t i = 0; i < COLUMNS && status == CAROM_OK; i++) {
            const size_t n = (size_t)least(total - at, BLOCK), width = numbers(t, i);
            for (size_t j = 0; j < n; j++) /* all of them have 8 bytes */
                memcpy(packed + j * width, (const char *)&touch[at + j] + column[i].offset, width * sizeof *packed);
            status = carom_hdf5_set_write(file, t->column[i], t->lines + at, n, packed, error);
        }
    for (size_t from = 0; from < rows && status == CAROM_OK; from += BLOCK) {
        const size_t n = rows - from < BLOCK ? rows - from : BLOCK;
        for (size_t r = 0; r < n; r++) {
            packed[r] = t->lines;
            t->lines += count[from + r];
        }
        status = carom_hdf5_set_write(file, t->first, t->rows, n, packed, error);
        if (status == CAROM_OK)
            status = carom_hdf5_set_write(file, t->count, t->rows, n, count + from, error);
        t->rows += n;
    }
    return status;
}

enum carom_status carom_run_touches_read(const struct carom_run_touches *t, const struct carom_hdf5_file *file,
                                         uint64_t first, uint64_t count, struct carom_touch *out,
                                         struct carom_error *error)
{
    if (!t->there)
        return not_recorded(file, error);
    uint64_t packed[3 * BLOCK];
    for (uint64_t at = 0; at < count; at += BLOCK)
        for (size_t i = 0; i < COLUMNS; i++) {
            const size_t n = (size_t)least(count - at, BLOCK), width = numbers(t, i);
            const enum carom_status status = carom_hdf5_set_read(file, t->column[i], first + at, n, packed, error);
            if (status != CAROM_OK)
                return status;
            for (size_t j = 0; j < n; j++) {
                if (i == 0)
                    out[at + j] = (struct carom_touch){0};
                memcpy((char *)&out[at + j] + column[i].offset, packed + j * width, width * sizeof *packed);
            }
        }
    return CAROM_OK;
}
