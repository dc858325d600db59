/* Sets of numbers in memory: hdf5_set.h. The number of an open set is that of its object. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "store.h"

static size_t entry_size(const struct carom_hdf5_spec *spec)
{
    switch (spec->type) {
    case CAROM_HDF5_REAL:
    case CAROM_HDF5_COUNT:
    case CAROM_HDF5_WORD:
        return 8;
    case CAROM_HDF5_NUMBER:
    case CAROM_HDF5_CHOICE:
        return 4;
    case CAROM_HDF5_BYTE:
        return 1;
    case CAROM_HDF5_RECORD:
        return spec->record;
    }
    return 0;
}

static size_t row_size(const struct store_object *set)
{
    return set->entry * (set->spec.rank >= 2 ? set->spec.width : 1);
}

static bool make_room(struct store_object *set, uint64_t rows)
{
    if (rows <= set->room)
        return true;
    const uint64_t room = set->spec.grows ? rows + rows / 2 : rows;
    if (room > SIZE_MAX || !carom_memory_widen(&set->data, (size_t)set->room, (size_t)room, row_size(set)))
        return false;
    set->room = room;
    return true;
}

int carom_hdf5_set_define(struct carom_hdf5_file *file, const struct carom_hdf5_spec *spec)
{
    struct store_object *set = store_add(file, STORE_SET, spec->path);
    if (!set)
        return -1;
    set->spec = *spec;
    set->spec.path = set->path;
    set->spec.rows = spec->grows ? 0 : spec->rank == 0 ? 1 : spec->rows;
    set->entry = entry_size(spec);
    set->unit = carom_memory_text(spec->unit);
    if (set->unit && (spec->grows || make_room(set, set->spec.rows)))
        return (int)(set - file->object);
    carom_error_set(&file->first, CAROM_E_MEMORY, "%s: out of memory for %s", file->path, spec->path);
    return -1;
}

static bool is_whole(enum carom_hdf5_type type)
{
    return type == CAROM_HDF5_COUNT || type == CAROM_HDF5_WORD || type == CAROM_HDF5_NUMBER || type == CAROM_HDF5_BYTE;
}

static bool is_expected(const struct carom_hdf5_spec *spec, const struct store_object *set)
{
    const int most = spec->most > spec->rank ? spec->most : spec->rank;
    const struct carom_hdf5_spec *is = &set->spec;
    return (is->type == spec->type || (is_whole(is->type) && is_whole(spec->type))) && set->entry == entry_size(spec) &&
           is->rank >= spec->rank && is->rank <= most &&
           (!spec->exact || (is->rank >= 2 ? is->width : 0) == spec->width);
}

int carom_hdf5_set_find(struct carom_hdf5_file *file, struct carom_hdf5_spec *spec, struct carom_error *error)
{
    const struct store_object *set = store_find(file, spec->path);
    if (!set || set->kind != STORE_SET || !is_expected(spec, set)) {
        carom_error_set(error, CAROM_E_FILE, "%s: has no %s, or of another kind", file->path, spec->path);
        return -1;
    }
    spec->rank = set->spec.rank;
    spec->grows = set->spec.grows;
    spec->rows = set->spec.rows;
    spec->width = set->spec.rank >= 2 ? set->spec.width : 0;
    spec->depth = set->spec.rank == 3 ? set->spec.depth : 0;
    return (int)(set - file->object);
}

void carom_hdf5_set_unit(const struct carom_hdf5_file *file, int set, char *unit, size_t size)
{
    snprintf(unit, size, "%s", file->object[set].unit);
}

uint64_t carom_hdf5_set_rows(const struct carom_hdf5_file *file, int set)
{
    return file->object[set].spec.rows;
}

enum carom_status carom_hdf5_set_write(struct carom_hdf5_file *file, int set, uint64_t first, uint64_t count,
                                       const void *data, struct carom_error *error)
{
    struct store_object *to = &file->object[set];
    const size_t row = row_size(to);
    if (first + count > to->spec.rows && to->spec.grows) {
        if (!make_room(to, first + count))
            return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory for %s", file->path, to->path);
        to->spec.rows = first + count;
    }
    if (first + count > to->spec.rows)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s has no more rows", file->path, to->path);
    if (count > 0 && row > 0)
        memcpy(to->data + first * row, data, (size_t)count * row);
    return CAROM_OK;
}

enum carom_status carom_hdf5_set_read(const struct carom_hdf5_file *file, int set, uint64_t first, uint64_t count,
                                      void *data, struct carom_error *error)
{
    const struct store_object *from = &file->object[set];
    const size_t row = row_size(from);
    if (first + count > from->spec.rows)
        return carom_error_set(error, CAROM_E_FILE, "%s: %s has no more rows", file->path, from->path);
    if (count > 0 && row > 0)
        memcpy(data, from->data + first * row, (size_t)count * row);
    return CAROM_OK;
}

enum carom_status carom_hdf5_set_cut(struct carom_hdf5_file *file, int set, uint64_t rows, struct carom_error *error)
{
    struct carom_hdf5_spec *spec = &file->object[set].spec;
    (void)error;
    if (spec->grows && spec->rows > rows)
        spec->rows = rows;
    return CAROM_OK;
}
