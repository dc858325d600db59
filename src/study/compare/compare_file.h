/* The file of a comparison: what each entry says, as arrays with an axis for the entries. */
#ifndef CAROM_STUDY_COMPARE_COMPARE_FILE_H
#define CAROM_STUDY_COMPARE_COMPARE_FILE_H

#include "study/compare/compare.h"

/* Writes the result of carom_compare_run; the file appears whole or not at all. Another HDF5 file at `path` is replaced
 * only if it is the file of a comparison. */
enum carom_status carom_compare_file_write(const struct carom_compare *compare, const char *path,
                                           struct carom_error *error);

/* May it be written there? To be asked before the work. */
enum carom_status carom_compare_file_may(const char *path, struct carom_error *error);

#endif
