/* Tables of pulses in files: kept in the run file itself, and as CSV. */
#ifndef CAROM_STUDY_PULSE_PULSE_FILE_H
#define CAROM_STUDY_PULSE_PULSE_FILE_H

#include <stdio.h>

#include "study/pulse/pulse_run.h"

/* Puts the table into the run file as /analysis/pulse, one dataset for each column, in the place of an earlier one;
 * `command` says how it was made. The run itself is not touched: a copy is amended and then takes the file's name. To
 * be called when the file is not open. */
enum carom_status carom_pulse_file_keep(const char *path, const struct carom_pulse_table *table, const char *command,
                                        struct carom_error *error);

/* A line for each row. */
void carom_pulse_file_csv(FILE *out, const struct carom_pulse_table *table);

/* Figure 13: s, cos^6, then a column for each row of the table. */
void carom_pulse_file_collapse(FILE *out, const struct carom_pulse_table *table);

/* How such tables begin. */
#define CAROM_PULSE_FILE_CSV_HEADING "place,kind,number,wave,waves,peak,"
#define CAROM_PULSE_FILE_COLLAPSE_HEADING "s,cos6"

/* The columns of numbers, in the order of the table, NULL-ended by their names. */
struct carom_pulse_column {
    const char *name, *unit, *text;
    double (*of)(const struct carom_pulse_row *row);
};
extern const struct carom_pulse_column carom_pulse_file_columns[];

#endif
