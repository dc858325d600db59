/* Voronoi bodies: seeded points in a region, moved to the centres of their cells (Lloyd) some times over, and their
 * cells as a mesh. */
#ifndef CAROM_MESH_VORONOI_H
#define CAROM_MESH_VORONOI_H

#include "carom/progress.h"
#include "mesh/mesh.h"
#include "mesh/outline.h"

struct carom_threads;

struct carom_voronoi {
    struct carom_outline region;
    size_t cells;
    uint64_t seed;
    size_t relax;                          /* passes of Lloyd */
    struct carom_threads *threads;         /* may be NULL; no bit depends on them */
    const struct carom_progress *progress; /* may be NULL */
};

/* NULL and the sentence where it cannot be had. */
struct carom_mesh *carom_voronoi_mesh(const struct carom_voronoi *wish, struct carom_error *error);

/* The cells of given points between flat walls; for tests and for points of one's own. */
struct carom_mesh *carom_voronoi_of_points(size_t n, const double (*point)[3], const struct carom_outline *region,
                                           struct carom_threads *threads, struct carom_error *error);

#endif
