/* Cells that were drawn apart hang together again. */
#ifndef CAROM_MESH_WELD_H
#define CAROM_MESH_WELD_H

#include "mesh/draft.h"

/* Corners that stand at one place but for rounding, some 1e-12 of the box around the body, become one node; sides of
 * faces between them go, and faces that have fewer than three left. For drafts without named faces. Its time goes with
 * the number of nodes, wherever they stand. False: out of memory. */
bool carom_weld(struct carom_draft *draft);

#endif
