/* Run files as this library needs them: a small layer over HDF5, which itself is known to the files hdf5_*.c only.
 * Errors are one sentence.
 *
 * A file is first built (hdf5_tree.h, carom_hdf5_set_define; these keep the first error to themselves), then
 * published: it gets its name only when it is whole and in the mode (SWMR) in which a kill cannot harm it. From then
 * on rows are appended and numbers changed in place (hdf5_set.h), and nothing is created. */
#ifndef CAROM_RECORD_HDF5_HDF5_FILE_H
#define CAROM_RECORD_HDF5_HDF5_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/error.h"

struct carom_hdf5_file;

/* Begins a file beside `path`; what stands at `path` stays until carom_hdf5_file_publish. Refuses to replace what
 * is not an HDF5 file and what is being written. */
struct carom_hdf5_file *carom_hdf5_file_create(const char *path, struct carom_error *error);

/* Before it is published: what stands at the path gets this name instead of being replaced for good. */
enum carom_status carom_hdf5_file_keep(struct carom_hdf5_file *file, const char *name, struct carom_error *error);

/* The first error of building, if there was one. */
enum carom_status carom_hdf5_file_built(const struct carom_hdf5_file *file, struct carom_error *error);

/* The same; else the file now stands at its path. */
enum carom_status carom_hdf5_file_publish(struct carom_hdf5_file *file, struct carom_error *error);

/* For reading, also while it is written and after a kill; `marked` (may be NULL): one of the two is the case. */
struct carom_hdf5_file *carom_hdf5_file_open(const char *path, bool *marked, struct carom_error *error);

/* For going on, also after a kill; refuses while a writer lives. */
struct carom_hdf5_file *carom_hdf5_file_reopen(const char *path, struct carom_error *error);

/* For adding to a file that is complete or was left by a kill: opens a copy beside it, to be built on like a new file,
 * so that nothing can happen to the file itself. Refuses while a writer lives. */
struct carom_hdf5_file *carom_hdf5_file_amend(const char *path, struct carom_error *error);

/* Closes the copy, or a new file that was not published, puts it in the file's place and frees; on failure what stands
 * there is as it was. carom_hdf5_file_close instead drops the copy. */
enum carom_status carom_hdf5_file_adopt(struct carom_hdf5_file *file, struct carom_error *error);

/* From here on readers, and whoever comes after a kill, see all that was written. */
enum carom_status carom_hdf5_file_flush(struct carom_hdf5_file *file, struct carom_error *error);

/* The same, also after a power cut. */
enum carom_status carom_hdf5_file_settle(struct carom_hdf5_file *file, struct carom_error *error);

/* Closes and frees, also a file that was never published (then nothing is left of it). NULL is fine. A file that was
 * written is an ordinary one from here on, without the mark of a writer, and on the disk. */
enum carom_status carom_hdf5_file_close(struct carom_hdf5_file *file, struct carom_error *error);

/* HDF5 shall not tidy up when the program ends; see carom_run_file_alone. */
void carom_hdf5_file_alone(void);

const char *carom_hdf5_file_path(const struct carom_hdf5_file *file);

/* Does the file begin like an HDF5 file? Is it being written by a living process? */
bool carom_hdf5_file_looks(const char *path);
bool carom_hdf5_file_busy(const char *path);

#endif
