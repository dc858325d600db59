/* Files that a scene names: plain ones of a bounded size only. Devices and fifos would hang whoever reads them. */
#ifndef CAROM_BASE_FILE_H
#define CAROM_BASE_FILE_H

#include <stdio.h>

/* Opens for reading. NULL: *why ends the sentence "... cannot be read: "; it stays as errno's texts do. */
FILE *carom_file_open(const char *path, long most_bytes, const char **why);

#endif
