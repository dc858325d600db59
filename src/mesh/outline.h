/* A region of space for Voronoi cells: the common part of convex shapes, less holes. Flat sides are exact planes; round
 * ones and holes are followed by mirror points, which make the cell at a round side end in the plane that touches it.
 */
#ifndef CAROM_MESH_OUTLINE_H
#define CAROM_MESH_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum carom_outline_kind { CAROM_OUTLINE_BOX, CAROM_OUTLINE_CYLINDER, CAROM_OUTLINE_SPHERE, CAROM_OUTLINE_PLANE };

struct carom_outline_shape {
    enum carom_outline_kind kind;
    double origin[3]; /* box: smallest corner; cylinder: centre of its bottom; sphere: centre; plane: a point of it */
    double size[3];   /* box: edges; plane: its normal, of length 1, out of the region */
    int axis;         /* of a cylinder */
    double radius, height;
};

/* A place with smaller cells: spacing is `times` there, and 1 from `within` on. */
struct carom_outline_fine {
    double place[3], within, times;
};

struct carom_outline {
    size_t nshapes, nholes, nfine;
    const struct carom_outline_shape *shape, *hole;
    const struct carom_outline_fine *fine;
};

/* A flat side: what is kept has normal . x <= offset. */
struct carom_outline_wall {
    double normal[3], offset;
    uint32_t side;
};
enum { CAROM_OUTLINE_WALLS = 6 };

/* The box around the region; false if it is empty or has no end. */
bool carom_outline_bounds(const struct carom_outline *region, double low[3], double high[3]);

bool carom_outline_holds(const struct carom_outline *region, const double place[3]);

/* The flat sides of a shape; returns how many. */
size_t carom_outline_walls(const struct carom_outline_shape *shape,
                           struct carom_outline_wall wall[CAROM_OUTLINE_WALLS]);

/* The image of a place behind the round side of a shape, or behind the surface of a hole, if that is at most `reach`
 * away; *side becomes what faces towards it are called. */
bool carom_outline_mirror(const struct carom_outline_shape *shape, bool hole, double reach, const double place[3],
                          double image[3], uint32_t *side);

/* The relative spacing of cells at a place. */
double carom_outline_spacing(const struct carom_outline *region, const double place[3]);

#endif
