/* The numbers of a sweep as CSV, for `carom sweep --csv`. */
#ifndef CAROM_CLI_SWEEP_TABLE_H
#define CAROM_CLI_SWEEP_TABLE_H

#include "study/sweep/sweep.h"

/* The unit in which the summary tells an output: where a swept key of the same kind was written with a unit (mm/s),
 * that one, so that both have one; `size` is what it is in SI. Else that of the output, with a size of 1. Files are
 * in SI. */
const char *cli_sweep_unit(const struct carom_sweep *sweep, size_t output, double *size);

/* A line for each point of the sweep kept in `file`: the values of its keys, the outputs, the status of its run. */
enum carom_status cli_sweep_table(const struct carom_sweep *sweep, const char *file, const char *csv,
                                  struct carom_error *error);

#endif
