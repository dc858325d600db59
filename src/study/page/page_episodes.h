/* The book of impacts of a run in a page: the strongest of all contacts, and of each contact its largest force. */
#ifndef CAROM_STUDY_PAGE_PAGE_EPISODES_H
#define CAROM_STUDY_PAGE_PAGE_EPISODES_H

#include "record/run_file.h"
#include "study/page/page_blob.h"

/* As "episodes", in the order of their strength; `bytes` is what they may take. Nothing where the file has no book. */
enum carom_status carom_page_episodes_write(struct carom_page_out *out, const struct carom_run_file *run, double bytes,
                                            struct carom_error *error);

#endif
