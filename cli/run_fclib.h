/* carom run --fclib: the contact problems of a run's steps, as files in FCLIB's layout. */
#ifndef CAROM_CLI_RUN_FCLIB_H
#define CAROM_CLI_RUN_FCLIB_H

#include "cli.h"

/* Does the sim have such problems, and is there a folder for them? */
enum carom_status cli_fclib_begin(const struct carom_sim *sim, const char *to, struct carom_error *error);

/* As cli_run_sim, step by step. */
int cli_fclib_run(struct carom_sim *sim, const struct carom_scene *scene, bool quiet, const struct cli_output *output,
                  const char *to);

#endif
