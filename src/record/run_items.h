/* The recorded items of a run file that is being opened; for run_file.c only. */
#ifndef CAROM_RECORD_RUN_ITEMS_H
#define CAROM_RECORD_RUN_ITEMS_H

#include "record/run_file.h"

/* Finds them, in the order of the list of probes; a file without any is no run. */
bool carom_run_items_list(struct carom_run_file *run, struct carom_error *error);

/* Opens them, their times and steps; contacts must be known by now. */
bool carom_run_items_open(struct carom_run_file *run, struct carom_error *error);

#endif
