/* Convex polygons of the plane and polyhedra of space, as rigid bodies have them: corners, faces and edges about their
 * centre of mass, in their principal axes. In the plane faces are sides, face k from corner k to the next, and there
 * are no edges. */
#ifndef CAROM_MODEL_BODIES_CONVEX_H
#define CAROM_MODEL_BODIES_CONVEX_H

#include <stdint.h>

#include "carom/bodies.h"

enum { CAROM_CONVEX_SIDES = 64, CAROM_CONVEX_CORNERS = 250 }; /* most of a polygon, most of a polyhedron */

struct carom_convex_face {
    double normal[3], room; /* out of the body; how far the face lies from the centre, along it */
    uint32_t first, count;  /* its corners in `ring`, anticlockwise seen from outside */
};

struct carom_convex_edge {
    uint32_t corner[2], face[2]; /* face[0] has it from corner[0] to corner[1] */
};

struct carom_convex {
    size_t ncorners, nfaces, nedges, nring;
    double (*corner)[3];
    struct carom_convex_face *face;
    uint32_t *ring;
    struct carom_convex_edge *edge;
    double volume;      /* in the plane the area */
    double moments[3];  /* principal ones, over the mass */
    double reach, thin; /* distance from the centre of the farthest corner, and of the nearest face */
};

/* The polygon or polyhedron whose corners are the points; those that lie on a face or an edge of the others are left
 * out, one inside them is an error. Sets its centre of mass as the points have it, and the quaternion `frame` from its
 * own axes to theirs. NULL: error says why. */
struct carom_convex *carom_convex_create(size_t dimension, const double (*point)[3], size_t n, double centre[3],
                                         double frame[4], struct carom_error *error);

/* A box of those half edges about its centre, in its own axes; NULL: out of memory. */
struct carom_convex *carom_convex_box(size_t dimension, const double size[3]);

void carom_convex_free(struct carom_convex *convex);

/* Goes over from its own axes to others, turned by `frame` and then moved by `at`: faces may then lie on either side of
 * the centre from which they count; `thin` and `moments` stay those of the body itself. */
void carom_convex_place(struct carom_convex *convex, const double at[3], const double frame[4]);

/* How far the place x, in the body's own axes, is from the body, and the normal out of the body there. Inside: the way
 * out through the nearest face, negative. */
double carom_convex_apart(const struct carom_convex *convex, const double x[3], double normal[3]);

#endif
