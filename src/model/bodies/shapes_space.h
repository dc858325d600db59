/* Boxes in space, see shapes.h. */
#ifndef CAROM_MODEL_BODIES_SHAPES_SPACE_H
#define CAROM_MODEL_BODIES_SHAPES_SPACE_H

#include "model/bodies/shapes.h"

/* Corner number k of box i, from its centre. */
void carom_shapes_space_corner(const struct carom_bodies *bodies, size_t i, uint32_t k, const double *q,
                               double point[3]);

/* Of two boxes: as carom_shapes_places, carom_shapes_meet and carom_shapes_has. */
size_t carom_shapes_space_places(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                                 const double *q, uint32_t feature[CAROM_SHAPES_MOST]);
void carom_shapes_space_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                             struct carom_meeting *out);
bool carom_shapes_space_has(uint32_t feature);

#endif
