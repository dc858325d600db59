/* Rigid bodies with corners, boxes, polygons and polyhedra, and compounds, that meet planes, containers and each other.
 * Where two of them are near each other they may touch in several places, each a contact with a key of its own; its
 * feature says which pieces of the two it joins, and which corner stands before which side, so that the gap is a smooth
 * function of how the two stand, and the same contact has the same key from step to step. */
#ifndef CAROM_MODEL_BODIES_SHAPES_H
#define CAROM_MODEL_BODIES_SHAPES_H

#include "model/bodies/convex.h"
#include "model/bodies/meet.h"
#include "model/bodies/pieces.h"

/* Part of how far the nearest face lies from the centre, by which a place may lie deeper than two bodies are apart:
 * those that do not face each other, as seen along a normal of one of them, may seem to. */
#define CAROM_SHAPES_DEEPER 0.05

enum { CAROM_SHAPES_MOST = 1024 }; /* places in which two of them may touch at most */

/* Of two polygons: a corner of the one before a side of the other. */
struct carom_shapes_corner {
    bool second; /* the corner is b's */
    uint32_t corner, side;
};

/* As the feature of a key, and back. */
uint32_t carom_shapes_corner_name(struct carom_shapes_corner corner);
struct carom_shapes_corner carom_shapes_corner_of(uint32_t feature);

/* Do contacts between bodies i and j have places? Neither of them is a ball then, or the other one is a compound. */
bool carom_shapes_both(const struct carom_bodies *bodies, size_t i, size_t j);

/* The places in which the bodies of `pair` (its feature: of a container the wall, else 0) may touch at q: features of
 * keys, rising. Returns how many; SIZE_MAX: they have run into each other too deep to tell. */
size_t carom_shapes_places(const struct carom_bodies *bodies, const struct carom_contact_key *pair, const double *q,
                           uint32_t feature[CAROM_SHAPES_MOST]);

/* How many pieces a body has; 0: it is a wall. Those that a contact joins, a place between them as the feature of a
 * key, and back. */
uint32_t carom_shapes_pieces(const struct carom_body *body);
void carom_shapes_pieces_at(const struct carom_bodies *b, const struct carom_contact_key *key,
                            struct carom_piece piece[2]);
uint32_t carom_shapes_place_name(uint32_t first, uint32_t second, uint32_t place);
uint32_t carom_shapes_place_at(const struct carom_contact_key *key, uint32_t number[2]);

/* Geometry of one place, wherever the two stand. */
void carom_shapes_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                       struct carom_meeting *out);

/* Can a contact between bodies i and j have this feature? */
bool carom_shapes_has(const struct carom_bodies *b, size_t i, size_t j, uint32_t feature);

/* No more than the gap between the two, in whatever place. */
double carom_shapes_apart(const struct carom_bodies *bodies, const struct carom_contact_key *pair, const double *q);

/* How thick a body is at least, from its middle; HUGE_VAL: it is a wall, and whoever is behind it is in it. */
double carom_shapes_thickness(const struct carom_body *body);

/* How far two pieces that stand in the same axes are apart; below 0: they overlap by as much, or by more. */
double carom_shapes_between(size_t dimension, const struct carom_piece piece[2]);

#endif
