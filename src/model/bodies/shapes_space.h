/* Polyhedra in space, see shapes.h. */
#ifndef CAROM_MODEL_BODIES_SHAPES_SPACE_H
#define CAROM_MODEL_BODIES_SHAPES_SPACE_H

#include "model/bodies/shapes.h"

/* Of two polyhedra, which the bodies of a key are or have among their pieces: as carom_shapes_places, carom_shapes_meet
 * and carom_shapes_has. Features are below 2^22. */
size_t carom_shapes_space_places(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                                 const struct carom_piece piece[2], const double *q,
                                 uint32_t feature[CAROM_SHAPES_MOST]);
void carom_shapes_space_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                             const struct carom_piece piece[2], uint32_t feature, const double *q,
                             struct carom_meeting *out);
bool carom_shapes_space_has(const struct carom_convex *a, const struct carom_convex *b, uint32_t feature);

#endif
