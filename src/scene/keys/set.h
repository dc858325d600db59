/* `--set key=value`: changes a scene's tree before it is bound. The key is a full path (run.until,
 * bodies.1.chain.count; lists count from 1) or any end of one that fits a single place; the value is YAML.
 * `key=null` takes the key away. */
#ifndef CAROM_SCENE_KEYS_SET_H
#define CAROM_SCENE_KEYS_SET_H

#include "scene/text/tree.h"

/* Applies one option. A key that is not there yet is added where the map above it is. */
enum carom_status carom_set_apply(struct carom_tree *tree, const char *option, struct carom_error *error);

/* The node a key means, found as above; NULL: there is none. CAROM_E_INPUT if it could be several, or is no key. */
enum carom_status carom_set_find(struct carom_tree *tree, const char *key, struct carom_node **node,
                                 struct carom_error *error);

#endif
