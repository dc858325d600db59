/* A convex polyhedron that planes cut down, and what polygons and polyhedra measure: areas, volumes, centres, second
 * moments. Plain arithmetic in a fixed order: the same bits on every machine. */
#ifndef CAROM_MESH_HULL_H
#define CAROM_MESH_HULL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CAROM_HULL_POINTS = 250, CAROM_HULL_FACES = 125, CAROM_HULL_SIDES = 1000 };

struct carom_hull {
    size_t npoints, nfaces;
    double point[CAROM_HULL_POINTS][3];
    int64_t label[CAROM_HULL_FACES];      /* which plane made the face */
    uint16_t first[CAROM_HULL_FACES + 1]; /* corners of face f: side[first[f]] to side[first[f + 1] - 1], */
    uint8_t side[CAROM_HULL_SIDES];       /* numbers of points, against the clock seen from outside */
};

enum carom_hull_result { CAROM_HULL_WHOLE, CAROM_HULL_CUT, CAROM_HULL_GONE, CAROM_HULL_FULL };

/* A box whose six faces have that label. */
void carom_hull_box(struct carom_hull *hull, const double low[3], const double high[3], int64_t label);

/* Keeps what has normal . x <= offset; the new face gets the label. WHOLE: the plane passes by. FULL: the polyhedron
 * would have more points or faces than there is room for, or is too thin to be cut; it is left as it was. */
enum carom_hull_result carom_hull_cut(struct carom_hull *hull, const double normal[3], double offset, int64_t label);

/* The square of the largest distance of a point from the origin. */
double carom_hull_reach(const struct carom_hull *hull);

/* A polygon: `moment` is the integral of r r over it, from its centre: xx yy zz yz xz xy. `off` is how far a corner
 * lies from its plane. */
struct carom_facet {
    double area, centre[3], normal[3], moment[6], off;
};
void carom_hull_facet(const double (*corner)[3], size_t count, struct carom_facet *facet);

/* A polyhedron, face by face: begin, add every face with its corners against the clock seen from outside, end. Places
 * count from `from`, best inside. `moment` as of facets. */
struct carom_bulk {
    double from[3], volume, centre[3], moment[6];
};
void carom_hull_bulk_begin(struct carom_bulk *bulk, const double from[3]);
void carom_hull_bulk_add(struct carom_bulk *bulk, const double (*corner)[3], size_t count);
void carom_hull_bulk_end(struct carom_bulk *bulk);

/* The corners of a face; returns how many. */
size_t carom_hull_corners(const struct carom_hull *hull, size_t face, double corner[CAROM_HULL_POINTS][3]);

/* The whole of a hull. */
void carom_hull_measure(const struct carom_hull *hull, struct carom_bulk *bulk);

#endif
