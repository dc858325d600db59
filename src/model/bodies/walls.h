/* Walls among themselves: they have no contacts with each other, so that one that moves freely must not come to
 * another. */
#ifndef CAROM_MODEL_BODIES_WALLS_H
#define CAROM_MODEL_BODIES_WALLS_H

#include "carom/bodies.h"

/* Does a box or cylinder that moves freely touch another wall at q? Which ones: pair. Between a cylinder and another
 * cylinder, or the edges of a box, the answer errs on the side of touching, by less than the radius. */
bool carom_walls_touch(const struct carom_bodies *bodies, const double *q, size_t pair[2]);

#endif
