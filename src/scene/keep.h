/* What a scene reads from other files goes among its overrides, so that a run file can be read again without them. */
#ifndef CAROM_SCENE_KEEP_H
#define CAROM_SCENE_KEEP_H

#include <stdio.h>

#include "record/run_file.h"
#include "scene/bind.h"

/* Adds "path.of.map.key=value" in one line; the value is YAML. */
enum carom_status carom_keep(struct carom_bind *b, const struct carom_node *map, const char *key, const char *value);

#define CAROM_KEEP_NUMBER 26 /* characters that a number and what follows it take */

/* A number in as few digits as read back the same; returns its end. */
char *carom_keep_number(char *to, double x);

/* The path of a file that a scene names: beside the scene unless it begins with a slash. NULL: out of memory. */
char *carom_keep_beside(const struct carom_bind *b, const char *name);

/* Opens such a file of at most so many bytes for reading, which `node` asks for. NULL: an error was told there. */
FILE *carom_keep_file(const struct carom_bind *b, const struct carom_node *node, const char *name, long most);

/* Opens a run file that a scene calls `name`; whatever else stands there is refused. */
enum carom_status carom_keep_open(const char *path, const char *name, struct carom_run_file **run,
                                  struct carom_error *error);

/* The scene of a run file, NULL where it can be read no more, as that of another version may be: `why` says so. Only
 * that memory is out is an error: what is said without a scene must not depend on that. */
enum carom_status carom_keep_scene(const char *path, const struct carom_scene_wish *wish, struct carom_scene **scene,
                                   struct carom_error *why);

/* Has `take` read a sim of a run's own scene as its last checkpoint left it. Where that is not its end a note says that
 * `who` ("bodies start where its last checkpoint has them"). */
enum carom_status carom_keep_end(struct carom_bind *b, const struct carom_run_file *run, const char *path,
                                 const char *name, const char *who,
                                 enum carom_status (*take)(const void *own, const struct carom_sim *sim),
                                 const void *own);

#endif
