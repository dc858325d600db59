/* What polygons (convex.c) and polyhedra (convex_space.c) share while they are made. */
#ifndef CAROM_MODEL_BODIES_CONVEX_PARTS_H
#define CAROM_MODEL_BODIES_CONVEX_PARTS_H

#include "model/bodies/convex.h"

/* Of the extent: points so near a plane or a line lie on it. */
#define CAROM_CONVEX_FLAT 1e-9

enum carom_status carom_convex_refuse(struct carom_error *error, const char *why);

/* An empty one with room for as many; NULL: out of memory. */
struct carom_convex *carom_convex_room(size_t corners, size_t faces, size_t ring, size_t edges);

/* The corners among n places of a plane, anticlockwise from the leftmost (Andrew 1979): their numbers; `area`: what a
 * triangle must have for its middle to be a corner. `order` has room for n, `corner` for 2 n. Returns how many. */
size_t carom_convex_outline(double (*x)[2], size_t n, double area, uint32_t *order, uint32_t *corner);

/* What follows from corners, normals and rings. */
void carom_convex_finish(struct carom_convex *convex);

/* Principal axes from the integral of r r over the volume (xx, yy, zz, yz, xz, xy): the columns of `axes`, and the
 * quaternion from them to those of s; moments over the volume. False: no numbers. */
bool carom_convex_space_principal(const double s[6], double volume, double moments[3], double axes[3][3],
                                  double frame[4]);

/* A polyhedron of points that all differ. */
struct carom_convex *carom_convex_space(const double (*point)[3], size_t n, double extent, double centre[3],
                                        double frame[4], struct carom_error *error);

#endif
