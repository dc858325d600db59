/* What the bodies of a run look like, for its moving picture: from the scene in the run file. */
#ifndef CAROM_STUDY_PAGE_PAGE_SHAPE_H
#define CAROM_STUDY_PAGE_PAGE_SHAPE_H

#include "carom/scene.h"
#include "study/page/page_blob.h"

/* Writes "shape" into the JSON: beads, a machine, cells of a solid, bodies of plane or space, or nothing. Of cells only
 * those that can be seen are described; their numbers go to *kept (*nkept of them, to be freed by carom_memory_free).
 */
enum carom_status carom_page_shape_write(struct carom_page_out *out, const struct carom_scene *scene, uint32_t **kept,
                                         size_t *nkept, struct carom_error *error);

#endif
