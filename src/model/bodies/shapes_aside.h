/* Places of two polygons, a corner of one before a side of the other, as contacts that are always listed: their gaps
 * are smooth wherever the two stand, and count only while the corner does stand before the side. */
#ifndef CAROM_MODEL_BODIES_SHAPES_ASIDE_H
#define CAROM_MODEL_BODIES_SHAPES_ASIDE_H

#include "model/bodies/shapes.h"

/* Do the bodies of `pair` have such places? */
bool carom_shapes_aside_has(const struct carom_bodies *bodies, const struct carom_contact_key *pair);

/* All of them, features of keys; returns how many, SIZE_MAX: more than fit. */
size_t carom_shapes_aside_list(const struct carom_bodies *bodies, const struct carom_contact_key *pair,
                               uint32_t feature[CAROM_SHAPES_MOST]);

/* How far the two are, at q, from touching in place `key` for another reason than its gap; below 0: they do where the
 * gap is 0. The larger of the two numbers is continuous, and 0 where a corner comes upon the side. `row`: how it
 * changes with the velocities of a and b. Above 0 where the corner is beyond an end of the side, the body behind the
 * corner reaches through the side's line, or the two are beside each other along it, so that they may pass. */
double carom_shapes_aside(const struct carom_bodies *bodies, const struct carom_contact_key *key, const double *q,
                          double row[2][6]);

#endif
