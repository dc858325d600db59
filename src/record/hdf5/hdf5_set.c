/* Datasets of rows. Growing ones are cut into chunks of about 64 KiB (a row is not split unless it is huge) and
 * written past HDF5's chunk cache, so that rows are on disk before the file says that they exist. */
#include "record/hdf5/hdf5_set.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_inner.h"
#include "record/hdf5/hdf5_look.h"

#define CHUNK_BYTES ((size_t)64 * 1024)
#define CHUNK_ROWS ((size_t)1024)              /* at most, so that short runs make small files */
#define LARGEST_CHUNK ((size_t)1024 * 1048576) /* HDF5 ends at 4 GiB */

/* --- types --------------------------------------------------------------------------------------------------- */

static hid_t simple_type(enum carom_hdf5_type type, bool disk)
{
    switch (type) {
    case CAROM_HDF5_REAL:
        return H5Tcopy(disk ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE);
    case CAROM_HDF5_COUNT:
        return H5Tcopy(disk ? H5T_STD_I64LE : H5T_NATIVE_UINT64);
    case CAROM_HDF5_WORD:
        return H5Tcopy(disk ? H5T_STD_U64LE : H5T_NATIVE_UINT64);
    case CAROM_HDF5_NUMBER:
    case CAROM_HDF5_CHOICE:
        return H5Tcopy(disk ? H5T_STD_I32LE : H5T_NATIVE_INT32);
    case CAROM_HDF5_BYTE:
        return H5Tcopy(disk ? H5T_STD_U8LE : H5T_NATIVE_UINT8);
    case CAROM_HDF5_RECORD:
        break;
    }
    return -1;
}

static hid_t choice_type(const char *const *names, bool disk)
{
    const hid_t base = simple_type(CAROM_HDF5_CHOICE, disk), type = H5Tenum_create(base);
    for (int32_t i = 0; names[i] != NULL; i++) {
        int32_t value = i;
        H5Tconvert(H5T_NATIVE_INT32, base, 1, &value, NULL, H5P_DEFAULT);
        H5Tenum_insert(type, names[i], &value);
    }
    H5Tclose(base);
    return type;
}

/* on disk the fields stand side by side, 8 bytes each */
static hid_t record_type(const struct carom_hdf5_field *fields, size_t record, bool disk)
{
    size_t count = 0;
    while (fields[count].name != NULL)
        count++;
    const hid_t type = H5Tcreate(H5T_COMPOUND, disk ? 8 * count : record);
    for (size_t i = 0; i < count; i++) {
        const hid_t field = simple_type(fields[i].type, disk);
        H5Tinsert(type, fields[i].name, disk ? 8 * i : fields[i].offset, field);
        H5Tclose(field);
    }
    return type;
}

static hid_t spec_type(const struct carom_hdf5_spec *spec, bool disk)
{
    if (spec->type == CAROM_HDF5_RECORD)
        return record_type(spec->fields, spec->record, disk);
    return spec->type == CAROM_HDF5_CHOICE ? choice_type(spec->names, disk) : simple_type(spec->type, disk);
}

static H5T_class_t expected_class(enum carom_hdf5_type type)
{
    static const H5T_class_t classes[] = {
        [CAROM_HDF5_REAL] = H5T_FLOAT,     [CAROM_HDF5_COUNT] = H5T_INTEGER, [CAROM_HDF5_WORD] = H5T_INTEGER,
        [CAROM_HDF5_NUMBER] = H5T_INTEGER, [CAROM_HDF5_CHOICE] = H5T_ENUM,   [CAROM_HDF5_RECORD] = H5T_COMPOUND,
        [CAROM_HDF5_BYTE] = H5T_INTEGER,
    };
    return classes[type];
}

/* --- opening --------------------------------------------------------------------------------------------------- */

static int remember(struct carom_hdf5_file *file, const struct carom_hdf5_open_set *set)
{
    if (!carom_memory_room(&file->set, file->nsets, &file->room, 32, sizeof *file->set))
        return -1;
    file->set[file->nsets] = *set;
    return (int)file->nsets++;
}

/* writers go past the chunk cache: see the head of this file */
static hid_t set_access(const struct carom_hdf5_file *file)
{
    const hid_t list = carom_hdf5_look_access(H5P_DATASET_ACCESS);
    if (list >= 0 && file->writes)
        H5Pset_chunk_cache(list, 0, 0, 1.0);
    return list;
}

static size_t at_least_one(size_t n)
{
    return n > 0 ? n : 1;
}

/* Rows that are not there although the file says so (they should not exist) read as NaN, not as zeros. */
static hid_t set_creation(const struct carom_hdf5_spec *spec, size_t entry)
{
    const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (!spec->grows) {
        H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
        return list;
    }
    const size_t width = at_least_one(spec->rank >= 2 ? spec->width : 1), most = LARGEST_CHUNK / entry;
    size_t rows = CHUNK_BYTES / entry / width;
    rows = at_least_one(rows < CHUNK_ROWS ? rows : CHUNK_ROWS);
    const size_t depth = spec->rank == 3 ? spec->depth : 1, across = (width < most ? width : most) / depth;
    const hsize_t chunk[3] = {rows, at_least_one(across), depth};
    const double missing = nan("");
    H5Pset_chunk(list, spec->rank, chunk);
    if (spec->type == CAROM_HDF5_REAL && rows > 1)
        H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &missing);
    else
        H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
    return list;
}

static hid_t set_space(const struct carom_hdf5_spec *spec)
{
    const size_t across = spec->rank == 3 ? spec->width / spec->depth : spec->width;
    const hsize_t size[3] = {spec->grows ? 0 : spec->rows, across, spec->depth};
    /* empty rows (a model without contacts) could not be cut into chunks if they had to stay empty */
    const hsize_t largest[3] = {spec->grows ? H5S_UNLIMITED : spec->rows,
                                spec->grows && spec->width == 0 ? H5S_UNLIMITED : across, spec->depth};
    return spec->rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(spec->rank, size, largest);
}

int carom_hdf5_set_define(struct carom_hdf5_file *file, const struct carom_hdf5_spec *spec)
{
    struct carom_hdf5_open_set set = {-1,          -1,         spec->rank, spec->grows, spec->grows ? 0 : spec->rows,
                                      spec->width, spec->depth};
    int number = -1;
    if (file->first.status != CAROM_OK)
        return -1;
    H5E_BEGIN_TRY
    {
        const hid_t type = spec_type(spec, true), space = set_space(spec);
        const hid_t creation = set_creation(spec, H5Tget_size(type)), access = set_access(file);
        const hid_t links = carom_hdf5_tree_link_list();
        set.type = spec_type(spec, false);
        set.id = H5Dcreate2(file->id, spec->path, type, space, links, creation, access);
        if (set.id >= 0 && carom_hdf5_tree_attach_text(set.id, "unit", spec->unit, false))
            number = remember(file, &set);
        if (number < 0) {
            carom_hdf5_file_fail_building(file, spec->path);
            H5Dclose(set.id);
            H5Tclose(set.type);
        }
        H5Pclose(links);
        H5Pclose(access);
        H5Pclose(creation);
        H5Sclose(space);
        H5Tclose(type);
    }
    H5E_END_TRY
    return number;
}

/* A record must have all fields that are read, as numbers of their kind: what is missing would stay as memory was. */
static bool has_fields(hid_t set, const struct carom_hdf5_field *fields)
{
    const hid_t disk = H5Dget_type(set);
    bool good = true;
    for (; fields->name != NULL && good; fields++) {
        const int place = H5Tget_member_index(disk, fields->name);
        good = place >= 0 && H5Tget_member_class(disk, (unsigned)place) == expected_class(fields->type);
    }
    H5Tclose(disk);
    return good;
}

static size_t width_of(const struct carom_hdf5_look *look)
{
    return look->rank < 2 ? 0 : (size_t)(look->size[1] * (look->rank == 3 ? look->size[2] : 1));
}

static bool is_expected(const struct carom_hdf5_spec *spec, hid_t set, const struct carom_hdf5_look *look)
{
    const int most = spec->most > spec->rank ? spec->most : spec->rank;
    return look->kind == expected_class(spec->type) && look->rank >= spec->rank && look->rank <= most &&
           (!spec->exact || width_of(look) == spec->width) && (look->rank != 3 || look->size[2] > 0) &&
           (spec->type != CAROM_HDF5_RECORD || has_fields(set, spec->fields));
}

/* "F: events/time must be a list of real numbers, not 300 x 512 real numbers" */
static void refuse(const struct carom_hdf5_file *file, const struct carom_hdf5_spec *spec,
                   const struct carom_hdf5_look *look, struct carom_error *error)
{
    static const char *const forms[] = {"one", "a list of", "a table of", "a table of"};
    const int most = spec->most > spec->rank ? spec->most : spec->rank;
    char found[200], wide[32] = "", fields[160] = "";
    carom_hdf5_look_say(look, found, sizeof found);
    if (spec->exact)
        snprintf(wide, sizeof wide, " n x %zu", spec->width);
    for (size_t i = 0, at = 0; spec->type == CAROM_HDF5_RECORD && spec->fields[i].name != NULL && at < sizeof fields;
         i++)
        at += (size_t)snprintf(fields + at, sizeof fields - at, "%s%s", i > 0 ? ", " : " with ", spec->fields[i].name);
    carom_error_set(error, CAROM_E_FILE, "%s: %s must be %s%s%s %s%s%s, not %s", file->path, spec->path,
                    forms[spec->rank], most > 1 && spec->rank < 2 ? " or a table of" : "", wide,
                    carom_hdf5_look_kind(expected_class(spec->type)), most > 0 ? "s" : "", fields, found);
}

int carom_hdf5_set_find(struct carom_hdf5_file *file, struct carom_hdf5_spec *spec, struct carom_error *error)
{
    struct carom_hdf5_open_set set = {-1, -1, 0, false, 0, 0, 0};
    struct carom_hdf5_look look;
    int number = -1;
    H5E_BEGIN_TRY
    {
        const hid_t access = set_access(file);
        set.id =
            carom_hdf5_look_open(file->id, carom_hdf5_file_stands(file), file->path, spec->path, access, &look, error);
        if (set.id >= 0 && !is_expected(spec, set.id, &look))
            refuse(file, spec, &look, error);
        else if (set.id >= 0) {
            set.type = spec_type(spec, false);
            set.rank = look.rank;
            set.grows = look.grows;
            set.rows = look.rank > 0 ? look.size[0] : 1;
            set.depth = look.rank == 3 ? (size_t)look.size[2] : 0;
            set.width = width_of(&look);
            number = set.type >= 0 ? remember(file, &set) : -1;
            if (number < 0)
                carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
        }
        if (number < 0) {
            H5Dclose(set.id);
            H5Tclose(set.type);
        }
        H5Pclose(access);
    }
    H5E_END_TRY
    if (number < 0)
        return -1;
    spec->rank = set.rank;
    spec->grows = set.grows;
    spec->rows = set.rows;
    spec->width = set.width;
    spec->depth = set.depth;
    return number;
}

void carom_hdf5_set_unit(const struct carom_hdf5_file *file, int set, char *unit, size_t size){
    H5E_BEGIN_TRY{carom_hdf5_tree_attached_text(file->set[set].id, "unit", unit, size);
}
H5E_END_TRY
}

/* --- rows ------------------------------------------------------------------------------------------------------ */

uint64_t carom_hdf5_set_rows(const struct carom_hdf5_file *file, int set)
{
    return file->set[set].rows;
}

static bool resize(struct carom_hdf5_open_set *set, uint64_t rows)
{
    const hsize_t size[3] = {rows, set->rank == 3 ? set->width / set->depth : set->width, set->depth};
    if (H5Dset_extent(set->id, size) < 0)
        return false;
    set->rows = rows;
    return true;
}

/* Spaces in file and memory that stand for the rows; false: they cannot be had. */
static bool select_rows(const struct carom_hdf5_open_set *set, uint64_t first, uint64_t count, hid_t *disk,
                        hid_t *memory)
{
    const hsize_t start[3] = {first, 0, 0};
    const hsize_t size[3] = {count, set->rank == 3 ? set->width / set->depth : set->width, set->depth};
    *disk = H5Dget_space(set->id);
    *memory = set->rank == 0 ? H5Screate(H5S_SCALAR) : H5Screate_simple(set->rank, size, NULL);
    return *disk >= 0 && *memory >= 0 &&
           (set->rank == 0 || H5Sselect_hyperslab(*disk, H5S_SELECT_SET, start, NULL, size, NULL) >= 0);
}

enum carom_status carom_hdf5_set_write(struct carom_hdf5_file *file, int set, uint64_t first, uint64_t count,
                                       const void *data, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    if (count == 0)
        return status;
    H5E_BEGIN_TRY
    {
        struct carom_hdf5_open_set *to = &file->set[set];
        hid_t disk = -1, memory = -1;
        const bool fits = !to->grows || first + count <= to->rows || resize(to, first + count);
        const bool empty = to->rank >= 2 && to->width == 0;
        if (!fits ||
            (!empty && (!select_rows(to, first, count, &disk, &memory) ||
                        H5Dwrite(to->id, to->type, memory, disk, file->transfer, data) < 0)) ||
            file->trouble.number != 0)
            status = carom_hdf5_file_fail(file, error, "write to it");
        H5Sclose(memory);
        H5Sclose(disk);
    }
    H5E_END_TRY
    return status;
}

enum carom_status carom_hdf5_set_read(const struct carom_hdf5_file *file, int set, uint64_t first, uint64_t count,
                                      void *data, struct carom_error *error)
{
    const struct carom_hdf5_open_set *from = &file->set[set];
    enum carom_status status = CAROM_OK;
    if (count == 0 || (from->rank >= 2 && from->width == 0))
        return status;
    H5E_BEGIN_TRY
    {
        hid_t disk = -1, memory = -1;
        if (!select_rows(from, first, count, &disk, &memory) ||
            H5Dread(from->id, from->type, memory, disk, file->transfer, data) < 0)
            status = carom_hdf5_file_fail(file, error, "read from it");
        H5Sclose(memory);
        H5Sclose(disk);
    }
    H5E_END_TRY
    return status;
}

enum carom_status carom_hdf5_set_cut(struct carom_hdf5_file *file, int set, uint64_t rows, struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    H5E_BEGIN_TRY
    {
        struct carom_hdf5_open_set *to = &file->set[set];
        if (to->grows && to->rows > rows && (!resize(to, rows) || file->trouble.number != 0))
            status = carom_hdf5_file_fail(file, error, "shorten it");
    }
    H5E_END_TRY
    return status;
}
