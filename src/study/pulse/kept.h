/* Tables that an analysis keeps in the run file it is about: a group with a dataset for each column. */
#ifndef CAROM_STUDY_PULSE_KEPT_H
#define CAROM_STUDY_PULSE_KEPT_H

#include "carom/error.h"
#include "record/hdf5/hdf5_set.h"

struct carom_kept_column {
    const char *name, *unit;
    enum carom_hdf5_type type; /* CAROM_HDF5_REAL or CAROM_HDF5_NUMBER */
    const void *data;
};

struct carom_kept_table {
    const char *group;            /* in the place of an earlier one; groups inside others come after them */
    const char *note_name, *note; /* an attribute, or NULL */
    size_t rows, ncolumns;
    const struct carom_kept_column *column;
};

/* Puts tables into the run file; the first says by `command` how all were made. The run itself is not touched: a copy
 * is amended and then takes the file's name. To be called when the file is not open. */
enum carom_status carom_kept_write(const char *path, const char *command, const struct carom_kept_table *table,
                                   size_t ntables, struct carom_error *error);

#endif
