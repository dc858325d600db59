/* Cells that are boxes or pieces of a shell, for the page. */
#ifndef CAROM_STUDY_PAGE_PAGE_CELLS_H
#define CAROM_STUDY_PAGE_PAGE_CELLS_H

#include "carom/solid.h"
#include "study/page/page_blob.h"

/* Writes what the recorded cells look like; those that cannot be seen only if `inside`. *kept, to be freed by
 * carom_memory_free on failure too, lists their numbers among the recorded ones. */
enum carom_status carom_page_cells_write(struct carom_page_out *out, const struct carom_solid *solid, bool inside,
                                         uint32_t **kept, size_t *nkept, struct carom_error *error);

/* The face of a cell (in the plane: its edge) that has its middle nearest to `arm`, all from the cell's centre. Returns
 * how many corners it has: 4 or 2. */
size_t carom_page_cells_face(const struct carom_solid *solid, size_t cell, const double arm[3], double (*outline)[3]);

#endif
