/* Keys that people write in other words than the tables. */
#ifndef CAROM_SCENE_TEXT_SPELLING_H
#define CAROM_SCENE_TEXT_SPELLING_H

#include "scene/text/tree.h"

/* Gives a scene's keys the names of the tables: a diameter is twice a radius, omega 2 pi times a frequency. Refuses
 * both in one map. */
enum carom_status carom_spelling(struct carom_tree *tree, struct carom_error *error);

#endif
