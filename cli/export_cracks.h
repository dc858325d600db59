/* Cracks of a solid for ParaView: the faces of links that are broken, or on the way to it, between the cells that they
 * joined. */
#ifndef CAROM_CLI_EXPORT_CRACKS_H
#define CAROM_CLI_EXPORT_CRACKS_H

#include "export_cells.h"

struct cli_cracks;

/* Can they be drawn: was it recorded which links are broken? */
bool cli_cracks_are_there(const struct carom_run_file *run, const struct carom_solid *solid);

/* Of a solid whose links stand behind `before` others in the run file; `cells` are its own, and outlive them. NULL and
 * the sentence: out of memory. */
struct cli_cracks *cli_cracks_create(const struct carom_run_file *run, const struct carom_solid *solid, size_t before,
                                     struct cli_cells *cells, struct carom_error *error);
void cli_cracks_free(struct cli_cracks *cracks);

/* The picture, filled by cli_cracks_read with sample i, one after the other from the first on; `own` is the struct
 * cli_cracks. */
const struct carom_vtu *cli_cracks_grid(const struct cli_cracks *cracks);
enum carom_status cli_cracks_read(void *own, uint64_t i, struct carom_error *error);

/* What the faces of the sample that was read last are, after their number: how many of them are broken. */
const char *cli_cracks_told(const struct cli_cracks *cracks);

#endif
