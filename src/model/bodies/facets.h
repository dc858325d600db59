/* The facet of a solid wall that a ball stands before: a face, an edge or a corner, each with a distance that is smooth
 * beyond it too. Where a ball goes from one to the next, distance and normal go on, and the curvature jumps. Places are
 * in the wall's own axes. */
#ifndef CAROM_MODEL_BODIES_FACETS_H
#define CAROM_MODEL_BODIES_FACETS_H

#include "model/bodies/convex.h"

/* Of cylinders; of boxes a facet has a digit of base 3 for each axis, above 1. */
enum { CAROM_FACET_SIDE = 1, CAROM_FACET_CAP, CAROM_FACET_RIM };

/* Of a box: does the facet look along axis k (1), against it (-1), or not? */
static inline int carom_facets_side(uint32_t facet, int k)
{
    static const uint32_t power[3] = {1, 3, 9};
    return (int)((facet - 1) / power[k] % 3) - 1;
}

/* Has the wall facets? Those of planes, containers and balls never change. */
bool carom_facets_has(const struct carom_body *wall);

/* The facet before which x stands; 0: x is inside the wall. */
uint32_t carom_facets_of(const struct carom_body *wall, size_t dimension, const double x[3]);

/* How far x is from where it stands before another; below 0: it does already. */
double carom_facets_left(const struct carom_body *wall, size_t dimension, uint32_t facet, const double x[3]);

/* The facets of polygons and polyhedra: faces (or sides), edges and corners, in this order; and how far x is from where
 * it stands before another than this one. Lines have no faces, points but one corner. */
static inline uint32_t carom_facets_count(const struct carom_convex *convex)
{
    return (uint32_t)(convex->nfaces + convex->nedges + convex->ncorners);
}
static inline uint32_t carom_facets_edge(const struct carom_convex *convex, size_t edge)
{
    return (uint32_t)(convex->nfaces + edge) + 1;
}
static inline uint32_t carom_facets_corner(const struct carom_convex *convex, size_t corner)
{
    return (uint32_t)(convex->nfaces + convex->nedges + corner) + 1;
}
double carom_facets_before(const struct carom_convex *convex, uint32_t facet, const double x[3]);

/* How far x is from the plane, the line or the point of a facet, and the normal out of it there. */
double carom_facets_apart(const struct carom_convex *convex, uint32_t facet, const double x[3], double normal[3]);

#endif
