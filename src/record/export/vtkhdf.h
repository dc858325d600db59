/* VTKHDF: one HDF5 file with all times of an unstructured grid, for ParaView 5.12 and later. The grid is that of vtu.h;
 * its cells are the same at all times, points and fields change. */
#ifndef CAROM_RECORD_EXPORT_VTKHDF_H
#define CAROM_RECORD_EXPORT_VTKHDF_H

#include "record/export/vtu.h"

struct carom_vtkhdf;

/* Makes a file for `count` times of grids like `first` (as many points, the same cells and fields); nothing of it but
 * the cells is written yet. Replaces a file of its own kind, nothing else. */
struct carom_vtkhdf *carom_vtkhdf_create(const char *path, const struct carom_vtu *first, size_t count,
                                         struct carom_error *error);

/* Time i. */
enum carom_status carom_vtkhdf_write(struct carom_vtkhdf *to, size_t i, const struct carom_vtu *grid,
                                     struct carom_error *error);

/* Closes and frees; NULL is fine. The file takes its name only now, if it is whole; else nothing is left of it. */
enum carom_status carom_vtkhdf_close(struct carom_vtkhdf *to, bool whole, struct carom_error *error);

#endif
