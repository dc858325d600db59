/* Files that are written aside, as PATH.part, until they take their name. */
#ifndef CAROM_RECORD_HDF5_HDF5_ASIDE_H
#define CAROM_RECORD_HDF5_HDF5_ASIDE_H

#include <stdbool.h>

#include "carom/error.h"

/* Only `kind` of file, "a run file" say, or an empty one, may be replaced, and only if nobody writes to it: -o
 * scene.yaml must not cost the scene. */
enum carom_status carom_hdf5_aside_may_replace(const char *path, const char *kind, struct carom_error *error);

/* Where the file shall stand, and where it stands meanwhile; both are the caller's, also when one is NULL: out of
 * memory, false. */
bool carom_hdf5_aside_names(const char *path, char **target, char **temporary);

/* Bytes of one open file, from where it is, into another; false: errno says why. */
bool carom_hdf5_aside_copy(int from, int to);

/* Puts the file on the disk: a machine that stops before it gets its name leaves the old one as it was. */
bool carom_hdf5_aside_settle(const char *path);

#endif
