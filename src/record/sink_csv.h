/* Single tables of a run, written to open files: for carom_replay. */
#ifndef CAROM_RECORD_SINK_CSV_H
#define CAROM_RECORD_SINK_CSV_H

#include <stdio.h>

#include "carom/record.h"

enum carom_csv_table {
    CAROM_CSV_SAMPLES,
    CAROM_CSV_CONTACTS, /* that come and go, a line for each in every sample */
    CAROM_CSV_IMPACTS,  /* the forces inside them */
    CAROM_CSV_EVENTS,
    CAROM_CSV_EPISODES,
    CAROM_CSV_TABLES
};

/* Writes one of them; `own` is made by carom_sink_csv_on (NULL: out of memory) and released by the sink's release. */
extern const struct carom_sink carom_sink_csv_only[CAROM_CSV_TABLES];
void *carom_sink_csv_on(FILE *out, enum carom_csv_table table);

/* Its first line, or how that begins; `listed`: contacts come and go. */
const char *carom_sink_csv_heading(enum carom_csv_table table, bool listed);

#endif
