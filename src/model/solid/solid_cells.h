/* Bodies of general convex cells: what they have beyond boxes and shells. */
#ifndef CAROM_MODEL_SOLID_SOLID_CELLS_H
#define CAROM_MODEL_SOLID_SOLID_CELLS_H

#include "carom/solid.h"
#include "mesh/mesh.h"

struct carom_solid_cells {
    struct carom_mesh_look look;
    struct carom_mesh_skew skew;
    size_t nsurfaces; /* sides from CAROM_SOLID_SIDES + 1 on: named by the mesh */
    char (*surface)[CAROM_MESH_NAME];
};

/* A body of these cells in space. The mesh is left to the caller without its look and surfaces. NULL and the sentence
 * on error. */
struct carom_solid *carom_solid_cells(struct carom_mesh *mesh, const struct carom_solid_material *material,
                                      struct carom_error *error);

/* Fills in the cells and weights of a sensor by its place. */
enum carom_status carom_solid_cells_sensor(const struct carom_solid *solid, struct carom_solid_sensor *sensor,
                                           struct carom_error *error);

void carom_solid_cells_free(struct carom_solid_cells *cells);

#endif
