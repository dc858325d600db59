/* What the files voronoi*.c share: a body under construction, and what all its cells are asked for at once. */
#ifndef CAROM_MESH_VORONOI_CELLS_H
#define CAROM_MESH_VORONOI_CELLS_H

#include "mesh/hull.h"
#include "mesh/mesh.h"
#include "mesh/outline.h"

/* --- voronoi_cut.c: single cells of many points: buckets tell who is near, planes half-way to them cut ----------- */

struct carom_voronoi_cut {
    size_t n; /* of all points, mirror images too */
    const double (*point)[3];
    size_t nwalls;
    const struct carom_outline_wall *wall;
    double around[2][3];          /* the box around the region */
    double low[3], high[3], edge; /* the box around all points, cut into buckets with this edge */
    size_t count[3];
    uint32_t *first, *who; /* points by bucket */
};

/* Faces of the box that nothing cut off, then those of wall w. Faces towards others have their numbers. */
enum { CAROM_VORONOI_OPEN = -1, CAROM_VORONOI_WALL = -2 };

/* The cube root of a positive number, the same on every machine. */
double carom_voronoi_cut_root(double x);

/* Fills in buckets for points, walls and box that are set; false: out of memory. */
bool carom_voronoi_cut_open(struct carom_voronoi_cut *cut);
void carom_voronoi_cut_close(struct carom_voronoi_cut *cut);

/* The cell of point i, places counted from it. False: it cannot be had, see carom_hull_cut. */
bool carom_voronoi_cut_cell(const struct carom_voronoi_cut *cut, size_t i, struct carom_hull *hull);

/* --- a body under construction ---------------------------------------------------------------------------------- */

struct carom_threads;

struct carom_voronoi_body {
    const struct carom_outline *region;
    struct carom_threads *threads;
    size_t n, nimages, room, nwalls;
    double (*point)[3]; /* n, then images */
    uint32_t *side;     /* of images: the surface they stand behind */
    struct carom_outline_wall *wall;
    double low[3], high[3]; /* the box around the region */
    double spacing;         /* of cells where nothing is finer */
    double layer;
    struct carom_voronoi_cut cut;
};

/* The centres of all cells, where smaller cells are wanted under a density that draws them there. */
enum carom_status carom_voronoi_cells_centres(const struct carom_voronoi_body *body, double (*centre)[3],
                                              struct carom_error *error);

/* All cells as a mesh. */
struct carom_mesh *carom_voronoi_cells_mesh(const struct carom_voronoi_body *body, struct carom_error *error);

#endif
