/* Cells of general shape for the page: the polygons that can be seen of them. */
#ifndef CAROM_STUDY_PAGE_PAGE_HULLS_H
#define CAROM_STUDY_PAGE_PAGE_HULLS_H

#include "carom/solid.h"
#include "study/page/page_blob.h"

/* What carom_page_cells_write and carom_page_cells_face do for boxes; a face has `most` corners at most. */
enum carom_status carom_page_hulls_write(struct carom_page_out *out, const struct carom_solid *solid, bool inside,
                                         uint32_t **kept, size_t *nkept, struct carom_error *error);
size_t carom_page_hulls_face(const struct carom_solid *solid, size_t cell, const double arm[3], size_t most,
                             double (*outline)[3]);

#endif
