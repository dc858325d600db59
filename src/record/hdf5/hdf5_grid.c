/* Arrays of any rank. They lie in one piece, allocated when they are made, so that filling them creates nothing and a
 * kill leaves entries either written or missing. Datasets are opened anew for every call: calls are few and large. */
#include "record/hdf5/hdf5_grid.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "record/hdf5/hdf5_inner.h"
#include "record/hdf5/hdf5_look.h"

static hid_t entry_type(const struct carom_hdf5_grid *grid, bool disk)
{
    if (grid->type == CAROM_HDF5_REAL)
        return disk ? H5T_IEEE_F64LE : H5T_NATIVE_DOUBLE;
    return disk ? H5T_STD_I32LE : H5T_NATIVE_INT32;
}

void carom_hdf5_grid_define(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid)
{
    if (file->first.status != CAROM_OK)
        return;
    const double no_real = nan("");
    const int32_t no_number = -1;
    hsize_t size[CAROM_HDF5_GRID_RANK];
    for (size_t i = 0; i < grid->rank; i++)
        size[i] = grid->size[i];
    H5E_BEGIN_TRY
    {
        const hid_t links = carom_hdf5_tree_link_list(), creation = H5Pcreate(H5P_DATASET_CREATE);
        const hid_t space = H5Screate_simple((int)grid->rank, size, NULL);
        H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY);
        H5Pset_fill_time(creation, H5D_FILL_TIME_ALLOC);
        H5Pset_fill_value(creation, entry_type(grid, false),
                          grid->type == CAROM_HDF5_REAL ? (const void *)&no_real : (const void *)&no_number);
        const hid_t set = H5Dcreate2(file->id, grid->path, entry_type(grid, true), space, links, creation, H5P_DEFAULT);
        if (set < 0 || !carom_hdf5_tree_attach_text(set, "unit", grid->unit, false))
            carom_hdf5_file_fail_building(file, grid->path);
        H5Dclose(set);
        H5Sclose(space);
        H5Pclose(creation);
        H5Pclose(links);
    }
    H5E_END_TRY
}

/* Coordinates of entries first, first + 1, ...: count rows of rank numbers. NULL: out of memory. */
static hsize_t *coordinates(const struct carom_hdf5_grid *grid, uint64_t first, uint64_t count)
{
    hsize_t *all = carom_memory_zeroed((size_t)count * grid->rank, sizeof *all);
    for (uint64_t k = 0; all != NULL && k < count; k++) {
        uint64_t rest = first + k;
        for (size_t i = grid->rank; i-- > 0; rest /= grid->size[i])
            all[k * grid->rank + i] = rest % grid->size[i];
    }
    return all;
}

enum carom_status carom_hdf5_grid_write(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid,
                                        uint64_t first, uint64_t count, const void *data, struct carom_error *error)
{
    if (count == 0)
        return CAROM_OK;
    enum carom_status status = CAROM_OK;
    hsize_t *where = coordinates(grid, first, count);
    if (where == NULL)
        return carom_error_set(error, CAROM_E_MEMORY, "%s: out of memory", file->path);
    H5E_BEGIN_TRY
    {
        const hsize_t flat = count;
        const hid_t set = H5Dopen2(file->id, grid->path, H5P_DEFAULT), disk = H5Dget_space(set);
        const hid_t memory = H5Screate_simple(1, &flat, NULL);
        bool good = set >= 0 && H5Sselect_elements(disk, H5S_SELECT_SET, (size_t)count, where) >= 0 &&
                    H5Dwrite(set, entry_type(grid, false), memory, disk, file->transfer, data) >= 0;
        if (!good)
            status = carom_hdf5_file_fail(file, error, "write to it");
        H5Sclose(memory);
        H5Sclose(disk);
        good = H5Dclose(set) >= 0;
        if (status == CAROM_OK && (!good || file->trouble.number != 0))
            status = carom_hdf5_file_fail(file, error, "write to it");
    }
    H5E_END_TRY
    carom_memory_free(where);
    return status;
}

void carom_hdf5_grid_put(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid, const void *data,
                         enum carom_status *status, struct carom_error *error)
{
    uint64_t count = 1;
    for (size_t i = 0; i < grid->rank; i++)
        count *= grid->size[i];
    carom_hdf5_grid_define(file, grid);
    if (*status == CAROM_OK)
        *status = carom_hdf5_grid_write(file, grid, 0, count, data, error);
}

/* Is the dataset of the grid's shape and kind? */
static bool fits(const struct carom_hdf5_grid *grid, const struct carom_hdf5_look *look)
{
    bool good =
        look->kind == (grid->type == CAROM_HDF5_REAL ? H5T_FLOAT : H5T_INTEGER) && look->rank == (int)grid->rank;
    for (size_t i = 0; good && i < grid->rank; i++)
        good = look->size[i] == grid->size[i];
    return good;
}

enum carom_status carom_hdf5_grid_read(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid, void *data,
                                       struct carom_error *error)
{
    enum carom_status status = CAROM_OK;
    H5E_BEGIN_TRY
    {
        struct carom_hdf5_look look;
        const hid_t access = carom_hdf5_look_access(H5P_DATASET_ACCESS);
        const hid_t set =
            carom_hdf5_look_open(file->id, carom_hdf5_file_stands(file), file->path, grid->path, access, &look, error);
        if (set < 0)
            status = CAROM_E_FILE;
        else if (!fits(grid, &look))
            status = carom_error_set(error, CAROM_E_FILE, "%s: has no array %s of the expected shape", file->path,
                                     grid->path);
        else if (H5Dread(set, entry_type(grid, false), H5S_ALL, H5S_ALL, file->transfer, data) < 0)
            status = carom_hdf5_file_fail(file, error, "read from it");
        H5Dclose(set);
        H5Pclose(access);
    }
    H5E_END_TRY
    return status;
}
