/* Places of two bodies with corners, of capsules and of the parts of compounds, as contacts that are always listed: a
 * corner before a side or a face, an edge across an edge (shapes_space.h), a capsule's line, or a ball, before what it
 * is nearest to (shapes_line.h). Their gaps are smooth wherever the two stand. They count only where the two pieces are
 * nearest there: where a corner is before the side, between its ends, and a line or a plane through the place parts the
 * two (separating axes). */
#ifndef CAROM_MODEL_BODIES_SHAPES_BEFORE_H
#define CAROM_MODEL_BODIES_SHAPES_BEFORE_H

#include "model/bodies/shapes.h"

struct carom_shapes_before {
    double beyond;    /* how far the corner is beyond an end of the side; below 0: before it */
    double row[2][6]; /* how that changes with the velocities of a and b, of polygons in the plane */
    double pace;      /* all of this changes no faster than so many times what the bodies move by */
    double through;   /* how far one reaches into the other beyond the line or plane that ought to part them */
};

/* Do the bodies of `pair` have such places? Are those that meet at one of them polygons of the plane? */
bool carom_shapes_before_has(const struct carom_bodies *bodies, const struct carom_contact_key *pair);
bool carom_shapes_before_flat(const struct carom_bodies *bodies, const struct carom_contact_key *key);

/* All of them, features of keys; returns how many, SIZE_MAX: more than fit. */
size_t carom_shapes_before_list(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                                uint32_t feature[CAROM_SHAPES_MOST]);

/* How the two stand at q. */
void carom_shapes_before(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                         struct carom_shapes_before *out);

#endif
