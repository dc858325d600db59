/* Walls between discs and spheres for ParaView: planes, boxes, cylinders and containers as lines in the plane and as
 * quadrilaterals in space, where their motion takes them. */
#ifndef CAROM_CLI_EXPORT_WALLS_H
#define CAROM_CLI_EXPORT_WALLS_H

#include "export_source.h"
#include "record/export/vtu.h"

struct cli_walls;

/* The walls of `bodies`, which must last longer; NULL and the sentence if there is no room for them. */
struct cli_walls *cli_walls_create(const struct cli_source *from, const struct carom_run_bodies *bodies,
                                   struct carom_error *error);
void cli_walls_free(struct cli_walls *walls);

/* The picture, without cells where there is no wall; filled by cli_walls_read with sample i, whose `own` it is. */
const struct carom_vtu *cli_walls_grid(const struct cli_walls *walls);
enum carom_status cli_walls_read(void *own, uint64_t i, struct carom_error *error);

#endif
