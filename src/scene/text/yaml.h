/* YAML text -> tree. One document, UTF-8, no tags, keys that are plain words; hostile files end in a sentence. */
#ifndef CAROM_SCENE_TEXT_YAML_H
#define CAROM_SCENE_TEXT_YAML_H

#include "scene/text/tree.h"

#define CAROM_YAML_BYTES ((size_t)64 << 20) /* of a file */
#define CAROM_YAML_NODES 1000000u           /* keys and values, aliases written out */
#define CAROM_YAML_DEPTH 64u                /* lists in maps in lists ... */
#define CAROM_YAML_ANCHORS 1000u

/* Parses `length` bytes into nodes of the tree; `option` marks them as coming from a `--set` (NULL: the file).
 * Errors carry the tree's name, line and column. An empty text is an error. */
enum carom_status carom_yaml_parse(struct carom_tree *tree, const char *text, size_t length, const char *option,
                                   struct carom_node **root, struct carom_error *error);

#endif
