/* All solids of a scene, for the page. */
#ifndef CAROM_STUDY_PAGE_PAGE_SOLIDS_H
#define CAROM_STUDY_PAGE_PAGE_SOLIDS_H

#include "carom/model.h"
#include "record/probe.h"
#include "record/run_file.h"
#include "study/page/page_blob.h"

/* Which of its recorded cells (n of them, in the run file) the page describes. */
struct carom_page_solid {
    char part[CAROM_PROBE_PART_SIZE]; /* the word for it in paths */
    size_t n, nkept;
    uint32_t *kept;
};

struct carom_page_solids {
    size_t count;
    struct carom_page_solid *solid;
};

/* Writes what all solids look like, names of their sensors and clamps, and which links break when, if that was
 * recorded. *solids, to be freed on failure too, tells which cells. */
enum carom_status carom_page_solids_write(struct carom_page_out *out, const struct carom_model *model,
                                          const struct carom_run_file *run, bool whole,
                                          struct carom_page_solids *solids, struct carom_error *error);
void carom_page_solids_free(struct carom_page_solids *solids);

/* The solid whose cells an item tells of, or NULL. */
const struct carom_page_solid *carom_page_solids_of(const struct carom_page_solids *solids,
                                                    const struct carom_run_item *item);

#endif
