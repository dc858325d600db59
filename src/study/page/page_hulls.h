/* Cells of general shape for the page: the polygons that can be seen of them. */
#ifndef CAROM_STUDY_PAGE_PAGE_HULLS_H
#define CAROM_STUDY_PAGE_PAGE_HULLS_H

#include "carom/solid.h"
#include "study/page/page_blob.h"

/* Writes what write_cells of page_shape.c does for boxes; *kept, to be freed, lists the recorded cells that can be
 * seen. */
enum carom_status carom_page_hulls_write(struct carom_page_out *out, const struct carom_solid *solid, uint32_t **kept,
                                         size_t *nkept, struct carom_error *error);

#endif
