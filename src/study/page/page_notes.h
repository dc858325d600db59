/* What whoever looks at a run should know, a sentence each. */
#ifndef CAROM_STUDY_PAGE_PAGE_NOTES_H
#define CAROM_STUDY_PAGE_PAGE_NOTES_H

#include "carom/scene.h"
#include "record/run_file.h"
#include "study/page/page_blob.h"

/* "notes": what was assumed or looks odd in the scene (NULL: it cannot be read), and remarks on the run's numbers. */
enum carom_status carom_page_notes_write(struct carom_page_out *out, const struct carom_run_file *run,
                                         const struct carom_scene *scene, struct carom_error *error);

#endif
