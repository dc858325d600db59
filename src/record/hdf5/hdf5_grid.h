/* Arrays of any rank in an HDF5 file, for results over a grid: made while the file is built, every entry missing (NaN
 * or -1), then filled in place, then read back. Entries are numbered row by row, the last axis running fastest. */
#ifndef CAROM_RECORD_HDF5_HDF5_GRID_H
#define CAROM_RECORD_HDF5_HDF5_GRID_H

#include "record/hdf5/hdf5_set.h"

#define CAROM_HDF5_GRID_RANK 16

struct carom_hdf5_grid {
    const char *path, *unit;
    enum carom_hdf5_type type; /* CAROM_HDF5_REAL (missing: NaN) or CAROM_HDF5_NUMBER (missing: -1) */
    size_t rank;               /* 1 to CAROM_HDF5_GRID_RANK */
    const uint64_t *size;      /* rank, none zero */
};

/* Errors are kept for carom_hdf5_file_publish. */
void carom_hdf5_grid_define(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid);

/* The same, and fills it at once; nothing is written where *status is not CAROM_OK, which it becomes if that fails. */
void carom_hdf5_grid_put(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid, const void *data,
                         enum carom_status *status, struct carom_error *error);

/* Entries [first, first + count). */
enum carom_status carom_hdf5_grid_write(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid,
                                        uint64_t first, uint64_t count, const void *data, struct carom_error *error);

/* All entries; an array of another shape is an error. */
enum carom_status carom_hdf5_grid_read(struct carom_hdf5_file *file, const struct carom_hdf5_grid *grid, void *data,
                                       struct carom_error *error);

#endif
