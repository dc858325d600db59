/* A run file as a summary would have kept the run: motions between samples are straight lines. */
#ifndef CAROM_STUDY_FOLLOW_SUMMARY_FROM_FILE_H
#define CAROM_STUDY_FOLLOW_SUMMARY_FROM_FILE_H

#include "study/follow/run_summary.h"

/* Reads what is there; what was not recorded stays unknown. A file without displacements and velocities is refused.
 * `theory` and `title` are those of its scene. */
enum carom_status carom_summary_from_file(const char *path, char *theory, size_t theory_size, char *title,
                                          size_t title_size, bool *si, struct carom_run_summary *found,
                                          struct carom_error *error);

#endif
