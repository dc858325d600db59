/* Files that a scene names: plain ones of a bounded size only. Devices and fifos would hang whoever reads them. */
#ifndef CAROM_BASE_FILE_H
#define CAROM_BASE_FILE_H

#include <stdio.h>

#include "carom/error.h"

/* Opens for reading. NULL: *why ends the sentence "... cannot be read: "; it stays as errno's texts do. */
FILE *carom_file_open(const char *path, long most_bytes, const char **why);

/* The last part of a path, and how many characters of it stand before its ending; a dot that comes first ends nothing.
 * `stem` may be NULL. */
const char *carom_file_name(const char *path, int *stem);

/* What is left of a file, with a NUL byte behind it; of one longer than `most` bytes, at least one more than that.
 * NULL: out of memory. Whether all could be read ferror tells. The caller frees it. */
char *carom_file_text(FILE *file, size_t most, size_t *length);

/* All of `file`, which is closed unless it is the standard input, up to one byte more than `most`, as above. NULL, also
 * for a file that is NULL (errno says why), with the sentence about `path`. */
char *carom_file_whole(FILE *file, const char *path, size_t most, size_t *length, struct carom_error *error);

#endif
