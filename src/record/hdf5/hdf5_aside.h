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

/* Gives a file that is closed the name it shall have, for good: also after a power cut there is either what had the
 * name before or the whole new file. False: errno says why. */
bool carom_hdf5_aside_take_name(const char *temporary, const char *target);

/* Gives the file at `target` a second name, for good, so that what takes the first one does not end it. False: errno
 * says why. */
bool carom_hdf5_aside_keep(const char *target, const char *name);

/* Names in the folder of this file are on the disk, where the file system can tell. */
void carom_hdf5_aside_settle_names(const char *path);

#endif
