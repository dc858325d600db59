/* The book of impacts of a run file, shown and written as a table. */
#ifndef CAROM_CLI_EPISODES_H
#define CAROM_CLI_EPISODES_H

#include <stdio.h>

#include "carom/scene.h"
#include "record/run_file.h"

/* The strongest of them, for `carom show`, with the names that the scene, if it can still be read, gives to bodies.
 * Nothing where there is no book, or nothing in it. */
enum carom_status cli_episodes_show(const struct carom_run_file *run, const struct carom_scene *scene,
                                    struct carom_error *error);

/* Who takes part, as columns of CSV: the two bodies of contacts that come and go, or the contact; the comma before is
 * the caller's. */
void cli_episodes_place(FILE *out, const struct carom_run_file *run, uint64_t contact);

/* A line for each as CSV, for `carom export --csv --episodes`; how the first line begins, and how many columns there
 * are. */
#define CLI_EPISODES_HEADING(listed) ((listed) ? "first,second,closed" : "contact,closed")
enum carom_status cli_episodes_csv(FILE *out, const struct carom_run_file *run, struct carom_error *error);
size_t cli_episodes_columns(const struct carom_run_file *run);

/* Says so, in one sentence, where samples are too far apart for the contacts of a scene; and how many episodes a run
 * has left out. */
void cli_episodes_coarse(const struct carom_scene *scene, const struct carom_model *model);
void cli_episodes_left(const struct carom_tally *tally);

#endif
