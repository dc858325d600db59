/* The file of a fit: keys with their uncertainties, data beside the model, the fitted curve. */
#ifndef CAROM_STUDY_FIT_FIT_FILE_H
#define CAROM_STUDY_FIT_FIT_FILE_H

#include "study/fit/fit.h"

/* Writes the result; the file appears whole or not at all. Another file at `path` is replaced only if it is one of a
 * fit. */
enum carom_status carom_fit_file_write(const struct carom_fit *fit, const struct carom_fit_result *result,
                                       const char *path, struct carom_error *error);

/* May it be written there? To be asked before the work. */
enum carom_status carom_fit_file_may(const char *path, struct carom_error *error);

#endif
