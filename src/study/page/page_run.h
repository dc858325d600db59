/* A run file in a page: what it says of itself, its scene, shapes, items and events. */
#ifndef CAROM_STUDY_PAGE_PAGE_RUN_H
#define CAROM_STUDY_PAGE_PAGE_RUN_H

#include "study/page/page_blob.h"

/* `bytes` is the room for numbers, before base64. On failure the JSON is as it was before, but blobs may be left. */
enum carom_status carom_page_run_write(struct carom_page_out *out, const char *path, double bytes,
                                       struct carom_error *error);

#endif
