/* Single Voronoi cells of many points: a grid of buckets tells who is near, planes half-way to them cut. */
#ifndef CAROM_MESH_VORONOI_CUT_H
#define CAROM_MESH_VORONOI_CUT_H

#include "mesh/hull.h"
#include "mesh/outline.h"

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

#endif
