/* The part of a solid's surface that is inside a ball, as one overlap with its slopes. */
#ifndef CAROM_MODEL_SOLID_SOLID_SKIN_PATCH_H
#define CAROM_MODEL_SOLID_SOLID_SKIN_PATCH_H

#include "model/solid/solid_skin_touch.h"

struct carom_skin_patch {
    double place[3], radius; /* of the ball */
    double sum;              /* of the pieces so far */
    struct carom_skin_pool *pool;
    size_t first; /* its touches begin there; until the end their slopes are those of `sum` */

    /* at the end: slopes of the overlap by the ball's place, and from there to the touches' point */
    double overlap, slope[3], point[3];
};

void carom_solid_skin_patch_begin(const double place[3], double radius, struct carom_skin_pool *pool,
                                  struct carom_skin_patch *patch);
void carom_solid_skin_patch_add(const struct carom_solid *solid, const struct carom_solid_skin *skin, size_t rim,
                                const double *q, struct carom_skin_patch *patch);

/* False: nothing of the surface faces the ball. */
bool carom_solid_skin_patch_end(const struct carom_solid *solid, const double *q, struct carom_skin_patch *patch);

#endif
