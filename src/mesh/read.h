/* Mesh files: which reader one is for, and the readers. */
#ifndef CAROM_MESH_READ_H
#define CAROM_MESH_READ_H

#include "mesh/draft.h"
#include "mesh/source.h"

/* The mesh in a file of that name (by its ending: .msh, .inp, .vtk, .vtu) with these bytes. Lengths are multiplied by
 * `unit`. NULL and the sentence, with line or cell but without the name. */
struct carom_mesh *carom_read(const char *name, const char *text, size_t length, double unit,
                              struct carom_error *error);

/* Each fills in a draft; false and the sentence in source->error. */
bool carom_read_msh(struct carom_source *source, struct carom_draft *draft); /* Gmsh 2.2 and 4.1, ASCII */
bool carom_read_inp(struct carom_source *source, struct carom_draft *draft); /* Abaqus */
bool carom_read_vtk(struct carom_source *source, struct carom_draft *draft); /* VTK's legacy format, ASCII */
bool carom_read_vtu(struct carom_source *source, struct carom_draft *draft); /* VTK's XML */

/* Sorts the cells' numbers; where two are the same, false and the sentence about the line of the second. */
bool carom_read_cells_once(struct carom_source *source, const struct carom_draft *draft,
                           struct carom_source_names *cells);

/* Of VTK's two formats: a cell of VTK's type with these nodes; of polyhedra their faces: how many, then for each how
 * many nodes and which. False and the sentence. */
bool carom_read_vtk_cell(struct carom_source *source, struct carom_draft *draft, uint64_t type, size_t count,
                         const uint64_t *node, size_t number, size_t line);

#endif
