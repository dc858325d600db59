/* What carom show says of discs and spheres: their contacts over all samples, forces, coordination and fabric. */
#ifndef CAROM_CLI_SHOW_BODIES_H
#define CAROM_CLI_SHOW_BODIES_H

#include "record/run_file.h"

/* One line over all samples. */
enum carom_status cli_show_touches(const struct carom_run_file *run, struct carom_error *error);

/* What was recorded of a region, at the last sample. */
enum carom_status cli_show_region(const struct carom_run_file *run, struct carom_error *error);

/* Of the last sample with contacts: how many each body has, how forces are shared out, where normals point. Nothing
 * where contacts or places were not recorded. */
enum carom_status cli_show_grains(const struct carom_run_file *run, struct carom_error *error);

#endif
