/* What the bodies of a run look like, for its moving picture: from the scene in the run file. */
#ifndef CAROM_STUDY_PAGE_PAGE_SHAPE_H
#define CAROM_STUDY_PAGE_PAGE_SHAPE_H

#include "carom/scene.h"
#include "study/page/page_blob.h"
#include "study/page/page_solids.h"

/* Writes "shape" into the JSON: beads, a machine, solids, bodies of plane or space, or nothing. `whole`: all recorded
 * numbers of the run fit, so that cells inside solids may be shown, too. *solids: see page_solids.h. */
enum carom_status carom_page_shape_write(struct carom_page_out *out, const struct carom_scene *scene,
                                         const struct carom_run_file *run, bool whole, struct carom_page_solids *solids,
                                         struct carom_error *error);

#endif
