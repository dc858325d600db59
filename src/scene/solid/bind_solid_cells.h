/* Solids of general cells: what bind_solid.c asks for. */
#ifndef CAROM_SCENE_SOLID_BIND_SOLID_CELLS_H
#define CAROM_SCENE_SOLID_BIND_SOLID_CELLS_H

#include "mesh/mesh.h"
#include "scene/solid/bind_solid.h"

/* A body of a mesh, which stays the caller's; refuses skew links that are not accepted. */
enum carom_status carom_bind_solid_cells(struct carom_bind *b, const struct carom_node *map, bool accept_skew,
                                         const struct carom_solid_material *material, struct carom_mesh *mesh,
                                         struct carom_solid **solid);

/* The cells of a mesh file, which a map names. */
enum carom_status carom_bind_solid_mesh(struct carom_bind *b, struct carom_node *map, bool accept_skew,
                                        const struct carom_solid_material *material, struct carom_solid **solid);

/* Voronoi cells in the region of a map. */
enum carom_status carom_bind_solid_voronoi(struct carom_bind *b, struct carom_node *map, bool accept_skew,
                                           const struct carom_solid_material *material, struct carom_solid **solid);

#endif
