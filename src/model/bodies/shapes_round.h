/* Round pieces, see pieces.h, that meet each other or convex ones, in the plane and in space. */
#ifndef CAROM_MODEL_BODIES_SHAPES_ROUND_H
#define CAROM_MODEL_BODIES_SHAPES_ROUND_H

#include "model/bodies/shapes.h"

/* Two, or one where they are the same place. */
uint32_t carom_shapes_round_ends(const struct carom_piece *piece);

/* As those of polyhedra, shapes_space.h; at least one of the two pieces is round. */
size_t carom_shapes_round_places(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                                 const struct carom_piece piece[2], const double *q,
                                 uint32_t feature[CAROM_SHAPES_MOST]);
void carom_shapes_round_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                             const struct carom_piece piece[2], uint32_t feature, const double *q,
                             struct carom_meeting *out);
bool carom_shapes_round_has(size_t dimension, const struct carom_piece piece[2], uint32_t feature);

#endif
