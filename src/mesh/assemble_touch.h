/* Cells that overlap, or touch without sharing a face. */
#ifndef CAROM_MESH_ASSEMBLE_TOUCH_H
#define CAROM_MESH_ASSEMBLE_TOUCH_H

#include "mesh/draft.h"

/* "line 7, cell 12": how sentences call a cell. */
struct carom_draft_name {
    char text[64];
};
struct carom_draft_name carom_assemble_touch_name(const struct carom_draft *draft, size_t cell);

/* Looks whether the middle of a cell, or a place just outside a face without a neighbour, lies in another cell. `facet`
 * has the faces of the draft. */
enum carom_status carom_assemble_touch(const struct carom_draft *draft, const struct carom_facet *facet,
                                       const struct carom_mesh *mesh, struct carom_error *error);

#endif
