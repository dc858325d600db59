/* What the files voronoi*.c share: a body under construction, and what all its cells are asked for at once. */
#ifndef CAROM_MESH_VORONOI_CELLS_H
#define CAROM_MESH_VORONOI_CELLS_H

#include "mesh/mesh.h"
#include "mesh/outline.h"
#include "mesh/voronoi_cut.h"

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
