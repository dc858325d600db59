/* Discs and spheres for ParaView, and the contacts between them. All comes from the run file; its scene is read only
 * where they are one mechanism. */
#ifndef CAROM_CLI_EXPORT_BODIES_H
#define CAROM_CLI_EXPORT_BODIES_H

#include "export_source.h"
#include "record/export/vtu.h"

struct cli_bodies;

/* NULL and the sentence if the run does not say where its bodies are. `linkage`: the mechanism that they are, or
 * NULL. */
struct cli_bodies *cli_bodies_create(const struct carom_run_file *run, const struct carom_model *linkage,
                                     struct carom_error *error);
void cli_bodies_free(struct cli_bodies *bodies);

/* What the run says of them, and where its numbers come from. */
const struct cli_source *cli_bodies_from(const struct cli_bodies *bodies);
const struct carom_run_bodies *cli_bodies_of(const struct cli_bodies *bodies);

/* Discs and spheres as vertices, filled by cli_bodies_read with sample i; `own` is the struct cli_bodies. */
const struct carom_vtu *cli_bodies_grid(const struct cli_bodies *bodies);
enum carom_status cli_bodies_read(void *own, uint64_t i, struct carom_error *error);

/* Contacts as lines, where they were recorded: as many as the sample has. */
const struct carom_vtu *cli_bodies_lines(const struct cli_bodies *bodies);
enum carom_status cli_bodies_read_lines(void *own, uint64_t i, struct carom_error *error);

#endif
