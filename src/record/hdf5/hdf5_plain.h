/* Plain arrays in HDF5 files whose layout others have settled: read from a file as it is; written into a copy that
 * takes the place of the file only when it is whole, so that neither a kill nor a full disk costs what was there. Not
 * for run files, which are appended to (hdf5_file.h). */
#ifndef CAROM_RECORD_HDF5_HDF5_PLAIN_H
#define CAROM_RECORD_HDF5_HDF5_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

struct carom_hdf5_plain;

/* For reading. */
struct carom_hdf5_plain *carom_hdf5_plain_open(const char *path, struct carom_error *error);

/* A file that shall stand at `path`: a copy of `from`, or empty if that is NULL. Refuses to replace what is not an
 * HDF5 file. */
struct carom_hdf5_plain *carom_hdf5_plain_begin(const char *path, const char *from, struct carom_error *error);

/* The file begun now stands at its path; or the first error of putting. */
enum carom_status carom_hdf5_plain_publish(struct carom_hdf5_plain *file, struct carom_error *error);

/* Closes and frees; of a file not published nothing is left. NULL is fine. */
void carom_hdf5_plain_close(struct carom_hdf5_plain *file);

bool carom_hdf5_plain_has(const struct carom_hdf5_plain *file, const char *path);

/* No vector of the file can be longer. */
size_t carom_hdf5_plain_most(const struct carom_hdf5_plain *file);

/* Entries of a dataset of numbers, whatever its shape. */
enum carom_status carom_hdf5_plain_count(const struct carom_hdf5_plain *file, const char *path, size_t *count,
                                         struct carom_error *error);

/* A whole dataset, `count` entries as carom_hdf5_plain_count said. */
enum carom_status carom_hdf5_plain_numbers(const struct carom_hdf5_plain *file, const char *path, size_t count,
                                           int64_t *numbers, struct carom_error *error);
enum carom_status carom_hdf5_plain_reals(const struct carom_hdf5_plain *file, const char *path, size_t count,
                                         double *reals, struct carom_error *error);

/* The first bytes of a text of fixed length, "" if there is none. */
void carom_hdf5_plain_text(const struct carom_hdf5_plain *file, const char *path, char *text, size_t size);

/* Puts a dataset, with the groups on its way, in place of what is there; errors wait for carom_hdf5_plain_publish. */
void carom_hdf5_plain_remove(struct carom_hdf5_plain *file, const char *path);
void carom_hdf5_plain_put_numbers(struct carom_hdf5_plain *file, const char *path, size_t count,
                                  const int32_t *numbers);
void carom_hdf5_plain_put_reals(struct carom_hdf5_plain *file, const char *path, size_t count, const double *reals);
void carom_hdf5_plain_put_text(struct carom_hdf5_plain *file, const char *path, const char *text);

#endif
