/* Polyhedra in space, see shapes.h. */
#ifndef CAROM_MODEL_BODIES_SHAPES_SPACE_H
#define CAROM_MODEL_BODIES_SHAPES_SPACE_H

#include "model/bodies/shapes.h"

/* What meets what: a corner of one (a, or b) and a face of the other, or an edge of a and one of b. */
enum carom_shapes_kind { CAROM_SHAPES_FIRST_CORNER, CAROM_SHAPES_SECOND_CORNER, CAROM_SHAPES_EDGES };
struct carom_shapes_two {
    enum carom_shapes_kind kind;
    uint32_t one, two;
};

/* As a feature, and back. */
static inline uint32_t carom_shapes_space_name(struct carom_shapes_two of)
{
    return ((uint32_t)of.kind << 20) + (of.one << 10) + of.two;
}
static inline struct carom_shapes_two carom_shapes_space_of(uint32_t feature)
{
    return (struct carom_shapes_two){(enum carom_shapes_kind)(feature >> 20), feature >> 10 & 1023, feature & 1023};
}

/* Sine of an angle below which edges count as parallel. */
#define CAROM_SHAPES_PARALLEL 1e-3

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
