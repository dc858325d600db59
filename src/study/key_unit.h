/* In which unit a key of a scene stands where nobody writes one. */
#ifndef CAROM_STUDY_KEY_UNIT_H
#define CAROM_STUDY_KEY_UNIT_H

#include "carom/scene.h"

/* "m", or "1" of pure numbers; NULL: the tables do not say it. */
const char *carom_key_unit(const char *key, const struct carom_scene *scene);

#endif
