/* Writes VTKHDF files of version 2.0 (group /VTKHDF, its Steps, flat arrays with an offset for every time).
 * Polyhedra are not in that version of the format and are refused. Knows HDF5 only through hdf5_*.h. */
#include "record/export/vtkhdf.h"

#include <stdio.h>
#include <unistd.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_set.h"
#include "record/hdf5/hdf5_tree.h"

struct carom_vtkhdf {
    struct carom_hdf5_file *file;
    size_t npoints, ncells, nfields;
    int points, times;
    int *field; /* nfields: sets */
};

static void see(void *own, const char *path)
{
    (void)path;
    *(size_t *)own += 1;
}

/* -o must not cost somebody a run file. */
static enum carom_status may_replace(const char *path, struct carom_error *error)
{
    size_t entries = 0;
    if (access(path, F_OK) != 0)
        return CAROM_OK;
    struct carom_hdf5_file *old = carom_hdf5_file_looks(path) ? carom_hdf5_file_open(path, NULL, NULL) : NULL;
    const bool own =
        old != NULL && carom_hdf5_tree_visit(old, "VTKHDF", see, &entries, NULL) == CAROM_OK && entries > 0;
    carom_hdf5_file_close(old, NULL);
    if (own)
        return CAROM_OK;
    return carom_error_set(error, CAROM_E_FILE, "%s: exists and is not a VTKHDF file, so it is not overwritten", path);
}

/* --- building --------------------------------------------------------------------------------------------------- */

/* Rows that never change, written where they are defined. Errors surface when the file is published. */
static void define_counts(struct carom_vtkhdf *to, const char *path, size_t width, size_t rows, const uint64_t *value)
{
    const struct carom_hdf5_spec spec = {
        .path = path, .unit = "1", .type = CAROM_HDF5_COUNT, .rank = width > 0 ? 2 : 1, .rows = rows, .width = width};
    const int set = carom_hdf5_set_define(to->file, &spec);
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, rows, value, NULL);
}

static void define_cells(struct carom_vtkhdf *to, const struct carom_vtu *grid, uint64_t *offset)
{
    const uint64_t ids = grid->ncells > 0 ? (uint64_t)grid->offset[grid->ncells - 1] : 0;
    const struct carom_hdf5_spec types = {
        .path = "VTKHDF/Types", .unit = "1", .type = CAROM_HDF5_BYTE, .rank = 1, .rows = grid->ncells};
    const int set = carom_hdf5_set_define(to->file, &types);
    if (set >= 0)
        carom_hdf5_set_write(to->file, set, 0, grid->ncells, grid->type, NULL);
    define_counts(to, "VTKHDF/Connectivity", 0, (size_t)ids, (const uint64_t *)grid->connectivity);
    for (size_t i = 0; i < grid->ncells; i++)
        offset[i + 1] = (uint64_t)grid->offset[i];
    define_counts(to, "VTKHDF/Offsets", 0, grid->ncells + 1, offset);
}

/* The same number for every time; `by` more each time. */
static void define_series(struct carom_vtkhdf *to, const char *path, size_t width, size_t count, uint64_t first,
                          uint64_t by, uint64_t *scratch)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = first + by * i;
    define_counts(to, path, width, count, scratch);
}

static void define_steps(struct carom_vtkhdf *to, const struct carom_vtu *grid, size_t count, uint64_t *scratch)
{
    const int32_t number = (int32_t)count;
    const uint64_t ids = grid->ncells > 0 ? (uint64_t)grid->offset[grid->ncells - 1] : 0;
    define_series(to, "VTKHDF/NumberOfPoints", 0, count, grid->npoints, 0, scratch);
    define_series(to, "VTKHDF/NumberOfCells", 0, count, grid->ncells, 0, scratch);
    define_series(to, "VTKHDF/NumberOfConnectivityIds", 0, count, ids, 0, scratch);
    carom_hdf5_tree_group(to->file, "VTKHDF/Steps");
    carom_hdf5_tree_note_numbers(to->file, "VTKHDF/Steps", "NSteps", &number, 1);
    define_series(to, "VTKHDF/Steps/PartOffsets", 0, count, 0, 0, scratch);
    define_series(to, "VTKHDF/Steps/NumberOfParts", 0, count, 1, 0, scratch);
    define_series(to, "VTKHDF/Steps/PointOffsets", 0, count, 0, grid->npoints, scratch);
    define_series(to, "VTKHDF/Steps/CellOffsets", 1, count, 0, 0, scratch);
    define_series(to, "VTKHDF/Steps/ConnectivityIdOffsets", 1, count, 0, 0, scratch);
    for (size_t i = 0; i < grid->nfields; i++) {
        const struct carom_vtu_field *field = &grid->field[i];
        char path[160];
        snprintf(path, sizeof path, "VTKHDF/Steps/%sDataOffsets/%.100s", field->on_cells ? "Cell" : "Point",
                 field->name);
        define_series(to, path, 0, count, 0, field->on_cells ? grid->ncells : grid->npoints, scratch);
    }
}

static void define_values(struct carom_vtkhdf *to, const struct carom_vtu *grid, size_t count)
{
    const struct carom_hdf5_spec points = {.path = "VTKHDF/Points",
                                           .unit = "m",
                                           .type = CAROM_HDF5_REAL,
                                           .rank = 2,
                                           .rows = count * grid->npoints,
                                           .width = 3};
    const struct carom_hdf5_spec times = {
        .path = "VTKHDF/Steps/Values", .unit = "s", .type = CAROM_HDF5_REAL, .rank = 1, .rows = count};
    to->points = carom_hdf5_set_define(to->file, &points);
    to->times = carom_hdf5_set_define(to->file, &times);
    for (size_t i = 0; i < grid->nfields; i++) {
        const struct carom_vtu_field *field = &grid->field[i];
        char path[160];
        snprintf(path, sizeof path, "VTKHDF/%sData/%.100s", field->on_cells ? "Cell" : "Point", field->name);
        const bool single = field->components == 1;
        const struct carom_hdf5_spec spec = {.path = path,
                                             .unit = "1",
                                             .type = field->real != NULL ? CAROM_HDF5_REAL : CAROM_HDF5_COUNT,
                                             .rank = single ? 1 : 2,
                                             .rows = count * (field->on_cells ? grid->ncells : grid->npoints),
                                             .width = single ? 0 : field->components};
        to->field[i] = carom_hdf5_set_define(to->file, &spec);
    }
}

static enum carom_status build(struct carom_vtkhdf *to, const struct carom_vtu *grid, size_t count,
                               struct carom_error *error)
{
    static const int32_t version[2] = {2, 0};
    const size_t most = count > grid->ncells + 1 ? count : grid->ncells + 1;
    uint64_t *scratch = carom_memory_zeroed(most, sizeof *scratch);
    if (scratch == NULL)
        return carom_memory_error(error);
    carom_hdf5_tree_group(to->file, "VTKHDF");
    carom_hdf5_tree_note_numbers(to->file, "VTKHDF", "Version", version, 2);
    carom_hdf5_tree_note_word(to->file, "VTKHDF", "Type", "UnstructuredGrid");
    define_cells(to, grid, scratch);
    define_steps(to, grid, count, scratch);
    define_values(to, grid, count);
    carom_memory_free(scratch);
    return carom_hdf5_file_built(to->file, error);
}

struct carom_vtkhdf *carom_vtkhdf_create(const char *path, const struct carom_vtu *first, size_t count,
                                         struct carom_error *error)
{
    if (first->faces != NULL)
        return carom_error_set(error, CAROM_E_REFUSED, "VTKHDF has no polyhedra; write .vtu files instead"), NULL;
    if (may_replace(path, error) != CAROM_OK)
        return NULL;
    struct carom_vtkhdf *to = carom_memory_zeroed(1, sizeof *to);
    int *field = carom_memory_zeroed(first->nfields, sizeof *field);
    if (to == NULL || field == NULL) {
        carom_memory_free_all(to, field);
        carom_memory_error(error);
        return NULL;
    }
    *to = (struct carom_vtkhdf){
        .npoints = first->npoints, .ncells = first->ncells, .nfields = first->nfields, .field = field};
    to->file = carom_hdf5_file_create(path, error);
    if (to->file != NULL && build(to, first, count, error) == CAROM_OK)
        return to;
    carom_vtkhdf_close(to, false, NULL);
    return NULL;
}

/* --- writing ---------------------------------------------------------------------------------------------------- */

enum carom_status carom_vtkhdf_write(struct carom_vtkhdf *to, size_t i, const struct carom_vtu *grid,
                                     struct carom_error *error)
{
    enum carom_status status = carom_hdf5_set_write(to->file, to->times, i, 1, &grid->time, error);
    if (status == CAROM_OK)
        status = carom_hdf5_set_write(to->file, to->points, i * to->npoints, to->npoints, grid->point, error);
    for (size_t k = 0; k < to->nfields && status == CAROM_OK; k++) {
        const struct carom_vtu_field *field = &grid->field[k];
        const size_t rows = field->on_cells ? to->ncells : to->npoints;
        const void *data = field->real != NULL ? (const void *)field->real : (const void *)field->whole;
        status = carom_hdf5_set_write(to->file, to->field[k], i * rows, rows, data, error);
    }
    return status;
}

enum carom_status carom_vtkhdf_close(struct carom_vtkhdf *to, bool whole, struct carom_error *error)
{
    if (to == NULL)
        return CAROM_OK;
    const enum carom_status status =
        whole ? carom_hdf5_file_adopt(to->file, error) : carom_hdf5_file_close(to->file, error);
    carom_memory_free_all(to->field, to);
    return status;
}
