/* Places of two polygons, a corner of one before a side of the other, as contacts that are always listed: their gaps
 * are smooth wherever the two stand. They count only where the corner is before the side, between its ends, and the
 * line of the side parts the two bodies (separating axes). */
#ifndef CAROM_MODEL_BODIES_SHAPES_BEFORE_H
#define CAROM_MODEL_BODIES_SHAPES_BEFORE_H

#include "model/bodies/shapes.h"

struct carom_shapes_before {
    double beyond;    /* how far the corner is beyond an end of the side; below 0: before it */
    double row[2][6]; /* how that changes with the velocities of a and b */
    double through;   /* how far the corner's body reaches through the line of the side */
    uint32_t end;     /* the corner of the side's body at the end that is nearer */
};

/* Do the bodies of `pair` have such places? */
bool carom_shapes_before_has(const struct carom_bodies *bodies, const struct carom_contact_key *pair);

/* All of them, features of keys; returns how many, SIZE_MAX: more than fit. */
size_t carom_shapes_before_list(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                                uint32_t feature[CAROM_SHAPES_MOST]);

/* How the two stand at q. */
void carom_shapes_before(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                         struct carom_shapes_before *out);

#endif
