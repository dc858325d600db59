/* The cells of a solid for ParaView: shapes that move and turn, with what was recorded of them. */
#ifndef CAROM_CLI_EXPORT_CELLS_H
#define CAROM_CLI_EXPORT_CELLS_H

#include "carom/solid.h"
#include "record/export/vtu.h"
#include "record/run_file.h"

struct cli_cells;

/* NULL and the sentence if the run does not say where its cells are. */
struct cli_cells *cli_cells_create(const struct carom_run_file *run, const struct carom_solid *solid,
                                   struct carom_error *error);
void cli_cells_free(struct cli_cells *cells);

/* The picture, filled by cli_cells_read with sample i; `own` is the struct cli_cells. */
const struct carom_vtu *cli_cells_grid(const struct cli_cells *cells);
enum carom_status cli_cells_read(void *own, uint64_t i, struct carom_error *error);

/* Where a cell of the solid takes what stands at `arm` from its centre, unloaded, in the sample that was read last; one
 * that was not recorded stands still. */
void cli_cells_carry(const struct cli_cells *cells, size_t cell, const double arm[3], double out[3]);

#endif
