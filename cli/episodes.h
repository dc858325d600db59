/* The book of impacts of a run file, shown. */
#ifndef CAROM_CLI_EPISODES_H
#define CAROM_CLI_EPISODES_H

#include "carom/scene.h"
#include "record/run_file.h"

/* The strongest of them, for `carom show`, with the names that the scene, if it can still be read, gives to bodies.
 * Nothing where there is no book, or nothing in it. */
enum carom_status cli_episodes_show(const struct carom_run_file *run, const struct carom_scene *scene,
                                    struct carom_error *error);

/* Says so, in one sentence, where samples are too far apart for the contacts of a scene; and how many episodes a run
 * has left out. */
void cli_episodes_coarse(const struct carom_scene *scene, const struct carom_model *model);
void cli_episodes_left(const struct carom_tally *tally);

#endif
