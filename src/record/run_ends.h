/* Names of the solids and walls that contacts join, kept in run files as a text. */
#ifndef CAROM_RECORD_RUN_ENDS_H
#define CAROM_RECORD_RUN_ENDS_H

#include "carom/model.h"
#include "record/hdf5/hdf5_file.h"

#define CAROM_RUN_ENDS_PATH "connectivity/ends"

/* Writes them, if there are any. */
void carom_run_ends_put(struct carom_hdf5_file *file, const struct carom_model *model);

#endif
