/* The numbers of a sweep as CSV, for `carom sweep --csv`. */
#ifndef CAROM_CLI_SWEEP_TABLE_H
#define CAROM_CLI_SWEEP_TABLE_H

#include "study/sweep/sweep.h"

/* A line for each point of the sweep kept in `file`: the values of its keys, the outputs, the status of its run. */
enum carom_status cli_sweep_table(const struct carom_sweep *sweep, const char *file, const char *csv,
                                  struct carom_error *error);

#endif
