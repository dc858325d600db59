/* carom converge in dP: for scenes under impact lzb-impulse. */
#ifndef CAROM_CLI_CONVERGE_IMPULSE_H
#define CAROM_CLI_CONVERGE_IMPULSE_H

#include "carom/scene.h"

/* Does the scene's error hang on dP? */
bool cli_converge_impulse_fits(const struct carom_scene *scene);

/* Prints the table for `given` steps (NULL: five, from a hundred times the scene's down to it) and writes `csv` (NULL:
 * none). The scene's model is used up. Returns the exit code. */
int cli_converge_impulse(struct carom_scene *scene, const char *given, const char *csv, bool quiet);

#endif
