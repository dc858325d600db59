/* What scenes call bodies of plane and space. */
#ifndef CAROM_SCENE_NAMED_H
#define CAROM_SCENE_NAMED_H

#include "carom/scene.h"

/* A body, from 0, that has a name to itself; NULL: it has none, or there is no scene. */
static inline const char *carom_named_own(const struct carom_scene *scene, size_t body)
{
    for (size_t i = 0; scene && i < scene->nnamed; i++)
        if (scene->named[i].count == 1 && scene->named[i].first == body)
            return scene->named[i].name;
    return NULL;
}

#endif
