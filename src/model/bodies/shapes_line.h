/* A capsule's line before the facets of a polygon or polyhedron, as places that are always listed: an end of the line
 * before a side, face, edge or corner, a corner before the line between its ends, or an edge that passes it. Gaps are
 * smooth wherever the two stand, and where one place goes over into another the normal goes on. Another round piece is
 * an edge with a corner at either end, or a corner alone, within its radius; so are balls, lines with one end. */
#ifndef CAROM_MODEL_BODIES_SHAPES_LINE_H
#define CAROM_MODEL_BODIES_SHAPES_LINE_H

#include "model/bodies/shapes.h"

/* Features of shapes_round.h from this one on are such places. */
enum { CAROM_SHAPES_LINE = 4 << 16 };

enum carom_shapes_line_kind { CAROM_LINE_END, CAROM_LINE_CORNER, CAROM_LINE_EDGE };
struct carom_shapes_line {
    enum carom_shapes_line_kind kind;
    uint32_t number, end; /* of the facet, the corner or the edge; which end */
};

/* Out of the number of a feature. */
struct carom_shapes_line carom_shapes_line_of(uint32_t feature);

/* All of them, at least one piece is round. Returns how many; SIZE_MAX: more than fit. */
size_t carom_shapes_line_list(size_t dimension, const struct carom_piece piece[2], size_t room, uint32_t *feature);

void carom_shapes_line_meet(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                            const struct carom_piece piece[2], uint32_t feature, const double *q,
                            struct carom_meeting *out);

/* How far the two are from where this place is the one in which they are nearest: below 0, it is; how deep facets are
 * that they face each other with is left to who asks. HUGE_VAL: a line along an edge, whose ends stand before it.
 * `pace`: how much faster that, and the normal, may change than the two move. */
double carom_shapes_line_beyond(const struct carom_bodies *bodies, const struct carom_contact_key *key,
                                const struct carom_piece piece[2], uint32_t feature, const double *q, double *pace);

/* The sine of the angle between two lines. */
double carom_shapes_line_sine(const double (*one)[3], const double (*two)[3]);

/* How far two lines, each from end to end, are from where they cross, seen along n across both; HUGE_VAL: they are
 * parallel. */
double carom_shapes_line_across(const double n[3], const double (*one)[3], const double (*two)[3]);

#endif
